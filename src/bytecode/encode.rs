//! Instructions to words of code and back.
//!
//! [`Instr`] is one instruction with its operands spelled out, in the order of the table;
//! [`encode`] checks that they fit their fields, [`decode`] is its inverse.

use super::op::{Insn, Kind, Op, Shape};

/// An instruction and its operands, in the order of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instr {
    pub op: Op,
    pub args: Vec<i64>,
}

impl Instr {
    /// The operands with their kinds.
    pub fn operands(&self) -> impl Iterator<Item = (Kind, i64)> {
        let kinds = self.op.operands().iter().map(|o| o.kind);
        kinds.zip(self.args.iter().copied())
    }

    /// The first operand of that kind.
    pub fn arg(&self, kind: Kind) -> Option<i64> {
        self.operands().find(|(k, _)| *k == kind).map(|o| o.1)
    }
}

/// An operand does not fit its field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    pub op: Op,
    pub operand: &'static str,
    pub value: i64,
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}: operand {}={} does not fit",
            self.op.name(),
            self.operand,
            self.value
        )
    }
}

/// Appends the words of `op` with `args` (as many as the table says) to `code`.
pub fn encode(code: &mut Vec<u64>, op: Op, args: &[i64]) -> Result<(), Misfit> {
    let operands = op.operands();
    debug_assert_eq!(operands.len(), args.len(), "{}", op.name());
    let at = code.len();
    code.push(0);
    let mut fields = [0u16; 3];
    let mut next = 0;
    for (o, &v) in operands.iter().zip(args) {
        let misfit = Misfit {
            op,
            operand: o.name,
            value: v,
        };
        if o.kind.is_ext() {
            code.push(v as u64);
        } else if o.kind.shape() == Shape::Wide {
            if i32::try_from(v).is_err() {
                return Err(misfit);
            }
            fields[1] = v as u16;
            fields[2] = (v >> 16) as u16;
            next = 3;
        } else {
            let fits = match o.kind.shape() {
                Shape::Signed => i16::try_from(v).is_ok(),
                _ => u16::try_from(v).is_ok(),
            };
            if !fits {
                return Err(misfit);
            }
            fields[next] = v as u16;
            next += 1;
        }
    }
    code[at] = Insn {
        op: op as u16,
        a: fields[0],
        b: fields[1],
        c: fields[2],
    }
    .to_word();
    Ok(())
}

/// The instruction at word `at` of `code`, if there is a whole one.
pub fn decode(code: &[u64], at: usize) -> Option<Instr> {
    let insn = Insn::from_word(*code.get(at)?);
    let op = Op::from_u16(insn.op)?;
    let fields = [insn.a, insn.b, insn.c];
    let (mut next, mut ext) = (0, at + 1);
    let mut args = Vec::with_capacity(op.operands().len());
    for o in op.operands() {
        args.push(if o.kind.is_ext() {
            ext += 1;
            *code.get(ext - 1)? as i64
        } else if o.kind.shape() == Shape::Wide {
            i64::from(insn.wide())
        } else {
            next += 1;
            let field = fields[next - 1];
            match o.kind.shape() {
                Shape::Signed => i64::from(field as i16),
                _ => i64::from(field),
            }
        });
    }
    Some(Instr { op, args })
}

/// The instructions of `code` with their offsets in words; ends at the first that is broken.
pub fn instructions(code: &[u64]) -> impl Iterator<Item = (usize, Instr)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let i = decode(code, at)?;
        let here = at;
        at += i.op.words();
        Some((here, i))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opcode_survives_encoding() {
        for &op in Op::ALL {
            let args: Vec<i64> = op
                .operands()
                .iter()
                .enumerate()
                .map(|(i, o)| match o.kind.shape() {
                    Shape::Signed => -5 - i as i64,
                    Shape::Wide => -70_000 - i as i64,
                    Shape::Ext => i64::MIN + i as i64,
                    Shape::Field => 1000 + i as i64,
                })
                .collect();
            let mut code = Vec::new();
            encode(&mut code, op, &args).unwrap();
            assert_eq!(code.len(), op.words());
            assert_eq!(decode(&code, 0), Some(Instr { op, args }));
        }
    }

    #[test]
    fn misfits_are_refused() {
        let mut code = Vec::new();
        assert!(encode(&mut code, Op::AddImm, &[0, 0, 40_000]).is_err());
        assert!(encode(&mut code, Op::Mov, &[70_000, 0]).is_err());
    }
}
