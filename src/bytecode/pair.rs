//! Two numbers in one operand.
//!
//! What lies in the frame is small, and so are most sizes, strides and offsets: instructions name
//! two of them in one extension word. A [`Pair`] is how such a word is made and read, so that none
//! is ever cut off on the way. What may be larger has an operand of its own, or goes by another
//! instruction.

/// Two numbers of 32 bits, the first in the low half.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair(u64);

impl Pair {
    /// The pair, if both numbers fit.
    pub fn new(lo: u64, hi: u64) -> Option<Pair> {
        let (lo, hi) = (u32::try_from(lo).ok()?, u32::try_from(hi).ok()?);
        Some(Pair(u64::from(lo) | u64::from(hi) << 32))
    }

    /// The pair of numbers that tell of a value in slots, or of another that is small for certain.
    ///
    /// # Panics
    /// When one does not fit.
    pub fn small(lo: u64, hi: u64) -> Pair {
        Pair::new(lo, hi).unwrap_or_else(|| panic!("{lo} and {hi} in one operand"))
    }

    /// As an extension word holds it.
    pub fn word(self) -> u64 {
        self.0
    }

    #[inline(always)]
    pub fn of(word: u64) -> Pair {
        Pair(word)
    }
    #[inline(always)]
    pub fn lo(self) -> u32 {
        self.0 as u32
    }
    #[inline(always)]
    pub fn hi(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_cut_off() {
        let max = u64::from(u32::MAX);
        let p = Pair::new(max, 7).unwrap();
        assert_eq!((p.lo(), p.hi()), (u32::MAX, 7));
        assert_eq!(Pair::of(p.word()), p);
        assert_eq!(Pair::new(max + 1, 0), None);
        assert_eq!(Pair::new(0, max + 9), None);
    }
}
