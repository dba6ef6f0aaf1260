//! Constants that have to fit their type, and untyped operands finding theirs.
//!
//! An untyped expression is recorded with its untyped type, and again when its context gives it a
//! final one ([`update_expr_type`](Checker::update_expr_type)); inner operands of constant
//! expressions keep their untyped types, since they are never computed at run time.
//!
//! Go: go/types (const.go, and of expr.go what is about untyped operands).
//! Spec: Constant expressions, Representability.

use super::binary::{is_comparison, is_shift};
use super::operand::Operand;
use super::*;
use syntax::ast::{BinOp, Expr, ExprKind, UnOp};

/// Why a constant or untyped operand does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Misfit {
    Truncated,
    Overflows,
    Other,
}

impl Checker {
    /// A constant must fit its type after each operation;
    /// untyped integers must not grow without bound.
    pub(super) fn overflow(&mut self, x: &mut Operand, op_pos: Pos) {
        let v = x.value();
        if v.is_unknown() {
            self.error(op_pos, "constant result is not representable");
            x.invalidate();
            return;
        }
        if !self.is_untyped(x.ty) {
            let u = self.under(x.ty);
            self.representable(x, u);
            return;
        }
        if v.bit_len() > 512 {
            let op = x.expr.map_or("", |e| match &e.kind {
                ExprKind::Binary { op, .. } => match op {
                    BinOp::Add => "addition ",
                    BinOp::Sub => "subtraction ",
                    BinOp::Xor => "bitwise XOR ",
                    BinOp::Mul => "multiplication ",
                    BinOp::Shl => "shift ",
                    _ => "",
                },
                ExprKind::Unary {
                    op: UnOp::Compl, ..
                } => "bitwise complement ",
                _ => "",
            });
            self.error(op_pos, format!("constant {op}overflow"));
            x.invalidate();
        }
    }

    /// The constant as a value of the basic type:
    /// rounded, or made an integer; `None` if it does not fit.
    pub(super) fn representable_value(&self, v: &ConstValue, b: Basic) -> Option<ConstValue> {
        use ConstValue as V;
        if v.is_unknown() {
            return Some(V::Unknown);
        }
        if b.is_integer() {
            let n = v.to_int()?;
            let (bits, signed) = match b {
                Basic::UntypedInt | Basic::UntypedRune => return Some(n),
                Basic::Int | Basic::Int64 => (64, true),
                Basic::Int8 => (8, true),
                Basic::Int16 => (16, true),
                Basic::Int32 => (32, true),
                Basic::Uint8 => (8, false),
                Basic::Uint16 => (16, false),
                Basic::Uint32 => (32, false),
                _ => (64, false),
            };
            let fits = if signed {
                n.as_i64().is_some_and(|i| {
                    bits == 64 || (-(1i64 << (bits - 1))..1i64 << (bits - 1)).contains(&i)
                })
            } else {
                n.as_u64().is_some_and(|u| bits == 64 || u >> bits == 0)
            };
            return fits.then_some(n);
        }
        if b.is_float() {
            let f = v.to_float()?;
            return match b {
                Basic::Float32 => f.rounded(true),
                Basic::Float64 => f.rounded(false),
                _ => Some(f),
            };
        }
        if b.is_complex() {
            let c = v.to_complex()?;
            let (re, im) = (c.real().to_float()?, c.imag().to_float()?);
            return match b {
                Basic::Complex64 => Some(V::complex(re.rounded(true)?, im.rounded(true)?)),
                Basic::Complex128 => Some(V::complex(re.rounded(false)?, im.rounded(false)?)),
                _ => Some(c),
            };
        }
        let fits = match v {
            V::Bool(_) => b.is_boolean(),
            V::Str(_) => b.is_string(),
            _ => false,
        };
        fits.then(|| v.clone())
    }

    fn representation(&self, x: &Operand, b: Basic) -> Result<ConstValue, Misfit> {
        if let Some(v) = self.representable_value(&x.value(), b) {
            return Ok(v);
        }
        if self.is_numeric(x.ty) && b.is_numeric() {
            if !self.is_integer(x.ty) && b.is_integer() {
                return Err(Misfit::Truncated);
            }
            return Err(Misfit::Overflows);
        }
        Err(Misfit::Other)
    }

    /// The constant operand must fit the (underlying) basic type.
    pub(super) fn representable(&mut self, x: &mut Operand, ty: TypeId) {
        let Some(b) = self.basic(ty) else { return };
        match self.representation(x, b) {
            Ok(v) => x.val = Some(v),
            Err(m) => {
                self.misfit(m, x, ty);
                x.invalidate();
            }
        }
    }

    fn misfit(&mut self, m: Misfit, x: &Operand, ty: TypeId) {
        let (s, t) = (self.os(x), self.ts(ty));
        let msg = match m {
            Misfit::Truncated => format!("{s} truncated to {t}"),
            Misfit::Overflows => format!("{s} overflows {t}"),
            Misfit::Other => format!("cannot convert {s} to type {t}"),
        };
        self.error(x.pos(), msg);
    }

    /// Gives an untyped operand the type `target`, or reports that it cannot have it.
    pub(super) fn convert_untyped(&mut self, x: &mut Operand, target: TypeId) {
        match self.implicit_type(x, target) {
            Err(m) => {
                let t = if self.is_type_param(target) {
                    target
                } else {
                    self.under(target)
                };
                self.misfit(m, x, t);
                x.invalidate();
            }
            Ok((ty, val)) => self.take_type(x, ty, val),
        }
    }

    /// Gives an untyped operand the type it has found, and its constant value as of that type.
    pub(super) fn take_type(&mut self, x: &mut Operand, ty: TypeId, val: Option<ConstValue>) {
        if let Some(v) = val {
            x.val = Some(v.clone());
            self.update_expr_val(x.expr, v);
        }
        if ty != x.ty {
            x.ty = ty;
            if let Some(e) = x.expr {
                self.update_expr_type(e, ty, false);
            }
        }
    }

    /// The type an untyped operand takes where `target` is expected, and the constant in that type.
    pub(super) fn implicit_type(
        &self,
        x: &Operand,
        target: TypeId,
    ) -> Result<(TypeId, Option<ConstValue>), Misfit> {
        if x.is_invalid() || !self.is_untyped(x.ty) || !self.is_valid(target) {
            return Ok((x.ty, None));
        }
        if self.is_untyped(target) {
            if x.ty == target {
                return Ok((target, None));
            }
            // Of two kinds of numbers the larger one.
            if self.is_untyped_numeric(x.ty) && self.is_untyped_numeric(target) {
                return Ok((TypeId(x.ty.0.max(target.0)), None));
            }
            return Err(Misfit::Other);
        }
        if x.is_nil() {
            return if self.has_nil(target) {
                Ok((target, None))
            } else {
                Err(Misfit::Other)
            };
        }
        if self.is_type_param(target) {
            let mut all = true;
            let some = self.for_each_term(target, |u| {
                all &= self.implicit_type(x, u).is_ok();
                all
            });
            return if some && all {
                Ok((target, None))
            } else {
                Err(Misfit::Other)
            };
        }
        match self.under_type(target) {
            Type::Basic(b) => {
                let b = *b;
                if x.is_const() {
                    return self.representation(x, b).map(|v| (target, Some(v)));
                }
                let fits = match x.ty {
                    TypeId::UNTYPED_BOOL => b.is_boolean(),
                    TypeId::UNTYPED_STRING => b.is_string(),
                    TypeId::UNTYPED_NIL => false,
                    _ => b.is_numeric(),
                };
                if fits {
                    Ok((target, None))
                } else {
                    Err(Misfit::Other)
                }
            }
            Type::Interface(_) => {
                let set = self.type_set(target);
                if !set.methods.is_empty() || set.terms.is_some() || set.comparable {
                    return Err(Misfit::Other);
                }
                Ok((self.default_type(x.ty), None))
            }
            _ => Err(Misfit::Other),
        }
    }

    pub(super) fn update_expr_val(&mut self, e: Option<&Expr>, v: ConstValue) {
        let Some(e) = e else { return };
        if let Some(Some(tv)) = self.prog.info.types.get_mut(e.id.0 as usize)
            && tv.mode == Mode::Constant
            && tv.ty.0 >= TypeId::UNTYPED_BOOL.0
            && tv.ty.0 <= TypeId::UNTYPED_NIL.0
        {
            tv.value = Some(v);
        }
    }

    /// Records the type that the context gave to an untyped expression,
    /// in all the operands it is computed from.
    pub(super) fn update_expr_type(&mut self, e: &'static Expr, ty: TypeId, is_final: bool) {
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            let Some(old) = self.info.get(e.id) else {
                continue;
            };
            if !self.is_untyped(old.ty) {
                continue;
            }
            let (mode, old_ty, val) = (old.mode, old.ty, old.value.clone());
            match &e.kind {
                ExprKind::Paren(x) => work.push(x),
                ExprKind::Unary { op, x }
                    if val.is_none() && !matches!(op, UnOp::Recv | UnOp::Addr) =>
                {
                    work.push(x)
                }
                ExprKind::Binary { op, x, y } if val.is_none() => {
                    if is_comparison(*op) {
                        // The operands have their types.
                    } else if is_shift(*op) {
                        work.push(x);
                    } else {
                        work.push(y);
                        work.push(x);
                    }
                }
                _ => {}
            }
            if !is_final && self.is_untyped(ty) {
                self.record(e.id, mode, ty, val);
                continue;
            }
            if !self.shift_lhs.is_empty() && self.shift_lhs.remove(&e.id) && !self.all_integer(ty) {
                let (s, t) = (self.es(e), self.ts(ty));
                self.error(
                    e.start(),
                    format!("invalid operation: shifted operand {s} (type {t}) must be integer"),
                );
                continue;
            }
            let mut val = val;
            if val.is_some() && mode == Mode::Constant {
                let x = Operand {
                    val: val.clone(),
                    ..Operand::new(mode, old_ty, e)
                };
                match self.implicit_type(&x, ty) {
                    Ok((_, v)) => val = v.or(val),
                    Err(m) => {
                        let t = if self.is_type_param(ty) {
                            ty
                        } else {
                            self.under(ty)
                        };
                        self.misfit(m, &x, t);
                        continue;
                    }
                }
            }
            self.record(e.id, mode, ty, val);
        }
    }
}
