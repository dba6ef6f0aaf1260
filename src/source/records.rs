//! Byte strings in one piece of memory, found by their numbers without reading the others.
//!
//! In bytes: how many there are, where each ends, then all of them one behind the other; numbers
//! are 32 bits, least significant byte first.

/// Puts [`Records`] together.
#[derive(Debug, Default)]
pub struct Writer {
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

impl Writer {
    /// Appends a string; its number.
    ///
    /// # Panics
    /// When there are more than 4 GB of them.
    pub fn push(&mut self, bytes: &[u8]) -> u32 {
        self.bytes.extend_from_slice(bytes);
        let end = u32::try_from(self.bytes.len()).expect("records are below 4 GB");
        self.ends.push(end);
        self.ends.len() as u32 - 1
    }

    /// Appends what was put together to `out`.
    pub fn write(self, out: &mut Vec<u8>) {
        let numbers = std::iter::once(self.ends.len() as u32).chain(self.ends);
        out.extend(numbers.flat_map(u32::to_le_bytes));
        out.extend(self.bytes);
    }
}

/// Strings that [`Writer`] has put together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Records<'a> {
    ends: &'a [[u8; 4]],
    bytes: &'a [u8],
}

impl<'a> Records<'a> {
    /// Takes the records that `from` begins with; `None` if it does not.
    pub fn take(from: &mut &'a [u8]) -> Option<Records<'a>> {
        let (ends, rest) = take_numbers(from)?;
        let size = ends.last().map_or(0, |end| u32::from_le_bytes(*end));
        let (bytes, rest) = rest.split_at_checked(size as usize)?;
        *from = rest;
        Some(Records { ends, bytes })
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number `i`.
    ///
    /// # Panics
    /// If there are not as many.
    pub fn get(&self, i: u32) -> &'a [u8] {
        let i = i as usize;
        let start = match i {
            0 => 0,
            _ => u32::from_le_bytes(self.ends[i - 1]),
        };
        &self.bytes[start as usize..u32::from_le_bytes(self.ends[i]) as usize]
    }
}

/// As many numbers as the first one of `from` says, and what follows them.
pub(crate) fn take_numbers(from: &[u8]) -> Option<(&[[u8; 4]], &[u8])> {
    let (n, rest) = from.split_first_chunk()?;
    let (numbers, rest) = rest.split_at_checked(4 * u32::from_le_bytes(*n) as usize)?;
    Some((numbers.as_chunks().0, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_found_by_their_numbers() {
        let mut out = Vec::new();
        for list in [&["", "a", "", "bcd"][..], &[]] {
            let mut w = Writer::default();
            for (i, s) in list.iter().enumerate() {
                assert_eq!(w.push(s.as_bytes()), i as u32);
            }
            w.write(&mut out);
        }
        out.push(7);
        let mut rest = &out[..];
        let records = Records::take(&mut rest).unwrap();
        assert_eq!(records.len(), 4);
        assert_eq!(records.get(3), b"bcd");
        assert_eq!(records.get(2), b"");
        assert!(Records::take(&mut rest).unwrap().is_empty());
        assert_eq!(rest, [7]);
        assert!(Records::take(&mut &out[..12]).is_none());
    }
}
