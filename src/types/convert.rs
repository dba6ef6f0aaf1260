//! Conversions `T(x)`.
//!
//! Go: go/types (conversions.go). Spec: Conversions.

use super::operand::Operand;
use super::*;
use syntax::ast::Expr;

impl Checker {
    /// Converts the operand to `t` explicitly; `e` is the call.
    pub(super) fn conversion(&mut self, x: &mut Operand, t: TypeId, e: &'static Expr) {
        self.complete_methods(x.ty, t);
        let const_arg = x.is_const();
        let mut ok = false;
        let mut cause = String::new();
        let mut overflow = false;
        let is_param = self.is_type_param(t);
        if const_arg && self.is_const_type(t) && !is_param {
            // A constant conversion.
            ok = self.const_convertible(x, t);
            if !ok && self.is_integer(x.ty) && self.is_integer(t) {
                overflow = true;
            }
        } else if const_arg && is_param {
            // To each type of the type set.
            let terms = self.type_set(self.under(t)).terms.clone();
            let terms = terms.filter(|terms| !terms.is_empty());
            ok = terms.is_some();
            if !ok {
                cause = format!("{} does not contain specific types", self.ts(t));
            }
            for term in terms.unwrap_or_default() {
                let u = self.under(term.ty);
                if self.is_string(x.ty) && self.is_bytes_or_runes(u)
                    || self.const_convertible(&mut x.clone(), u)
                {
                    continue;
                }
                let (ut, tt) = (self.ts(u), self.ts(t));
                cause = if self.is_integer(x.ty) && self.is_integer(u) {
                    format!("constant {} overflows {ut} (in {tt})", x.value())
                } else {
                    format!("cannot convert {} to type {ut} (in {tt})", self.os(x))
                };
                ok = false;
                break;
            }
            x.mode = Mode::Value;
        } else if self.convertible(x, t, &mut cause) {
            ok = true;
            x.mode = Mode::Value;
        }
        if !ok {
            if overflow {
                let (v, ts) = (x.value(), self.ts(t));
                self.error(x.pos(), format!("constant {v} overflows {ts}"));
            } else {
                let (s, ts) = (self.os(x), self.ts(t));
                let msg = if cause.is_empty() {
                    format!("cannot convert {s} to type {ts}")
                } else {
                    format!("cannot convert {s} to type {ts}: {cause}")
                };
                self.error(x.pos(), msg);
            }
            x.invalidate();
            return;
        }
        // The operand of an untyped conversion gets its final type.
        if self.is_untyped(x.ty) {
            let mut last = t;
            if self.is_interface(t) || is_param || const_arg && !self.is_const_type(t) || x.is_nil()
            {
                last = if x.is_nil() {
                    t
                } else {
                    self.default_type(x.ty)
                };
            } else if x.mode == Mode::Constant && self.is_integer(x.ty) && self.all_string(t) {
                last = x.ty;
            }
            if let Some(arg) = x.expr {
                self.update_expr_type(arg, last, true);
            }
        }
        x.ty = t;
        x.expr = Some(e);
        if x.mode != Mode::Constant {
            x.mode = Mode::Value;
            x.val = None;
        }
    }

    /// Converts a constant to a constant type; sets its value.
    fn const_convertible(&mut self, x: &mut Operand, t: TypeId) -> bool {
        let Some(b) = self.basic(t) else { return false };
        if b.is_integer() {
            // Messages show a float that is an integer as one, whether it fits or not.
            if let Some(n) = x.value().to_int() {
                x.val = Some(n);
            }
        }
        if let Some(v) = self.representable_value(&x.value(), b) {
            x.val = Some(v);
            return true;
        }
        if self.is_integer(x.ty) && b.is_string() {
            let c = x
                .value()
                .as_u64()
                .and_then(|n| u32::try_from(n).ok())
                .and_then(char::from_u32)
                .unwrap_or('\u{fffd}');
            x.val = Some(ConstValue::str(c.to_string().as_bytes()));
            return true;
        }
        false
    }

    /// May a (non-constant) value be converted?
    fn convertible(&self, x: &Operand, t: TypeId, cause: &mut String) -> bool {
        match self.assignable_cause(x, t) {
            Ok(()) => return true,
            Err(why) if why.is_empty() => {}
            Err(why) => *cause = why,
        }
        let v = x.ty;
        let (vp, tp) = (self.is_type_param(v), self.is_type_param(t));
        let (vu, tu) = (self.under(v), self.under(t));
        if self.identical_ignore_tags(vu, tu) && !vp && !tp {
            return true;
        }
        if let (Some(a), Some(b)) = (self.deref(v), self.deref(t))
            && self.identical_ignore_tags(self.under(a), self.under(b))
            && !self.is_type_param(a)
            && !self.is_type_param(b)
        {
            return true;
        }
        if !vp && !tp {
            let number = |t| self.is_integer(t) || self.is_float(t);
            if number(vu) && number(tu) || self.is_complex(vu) && self.is_complex(tu) {
                return true;
            }
            if self.is_string(tu) && (self.is_integer(vu) || self.is_bytes_or_runes(vu)) {
                return true;
            }
            if self.is_string(vu) && self.is_bytes_or_runes(tu) {
                return true;
            }
            let unsafe_ptr = |t| matches!(self.types.get(t), Type::Basic(Basic::UnsafePointer));
            let ptr_like = |t| {
                matches!(
                    self.types.get(t),
                    Type::Pointer(_) | Type::Basic(Basic::Uintptr)
                )
            };
            if unsafe_ptr(tu) && (ptr_like(vu) || unsafe_ptr(vu)) || unsafe_ptr(vu) && ptr_like(tu)
            {
                return true;
            }
            if let Type::Slice(e) = self.types.get(vu) {
                match self.types.get(tu) {
                    Type::Array { elem, .. } if self.identical(*e, *elem) => {
                        if self.allows(x.pos(), 20) {
                            return true;
                        }
                        *cause = "conversion of slice to array requires go1.20 or later".into();
                    }
                    Type::Pointer(p) => {
                        if let Type::Array { elem, .. } = self.under_type(*p)
                            && self.identical(*e, *elem)
                        {
                            if self.allows(x.pos(), 17) {
                                return true;
                            }
                            let what = "conversion of slice to array pointer";
                            *cause = format!("{what} requires go1.17 or later");
                        }
                    }
                    _ => {}
                }
            }
            return false;
        }
        // Type parameters: every combination must be convertible.
        let types_of = |t: TypeId, is_param: bool| -> Option<Vec<TypeId>> {
            if !is_param {
                return Some(vec![t]);
            }
            let set = self.type_set(self.under(t));
            set.terms.as_ref().map(|l| l.iter().map(|t| t.ty).collect())
        };
        let (Some(vs), Some(ts)) = (types_of(v, vp), types_of(t, tp)) else {
            return false;
        };
        for &a in &vs {
            for &b in &ts {
                let y = Operand {
                    ty: a,
                    mode: Mode::Value,
                    val: None,
                    ..x.clone()
                };
                if !self.convertible(&y, b, cause) {
                    let va = if vp {
                        format!("{} (in {})", self.ts(a), self.ts(v))
                    } else {
                        self.ts(a)
                    };
                    let tb = if tp {
                        format!("{} (in {})", self.ts(b), self.ts(t))
                    } else {
                        self.ts(b)
                    };
                    let below = match cause.is_empty() {
                        true => String::new(),
                        false => format!("\n\t{cause}"),
                    };
                    *cause = format!("cannot convert {va} to type {tb}{below}");
                    return false;
                }
            }
        }
        !vs.is_empty() && !ts.is_empty()
    }
}
