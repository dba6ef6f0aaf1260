//! Built-in functions, and those of package unsafe.
//!
//! Go: go/types (builtins.go). Spec: Built-in functions, Package unsafe.

use super::lookup::Found;
use super::operand::Operand;
use super::*;
use syntax::ast::{BinOp, ChanDir, Expr, ExprKind};

/// How many arguments, and whether more are allowed.
fn arity(b: Builtin) -> (usize, bool) {
    use Builtin as B;
    match b {
        B::Append | B::Make | B::Max | B::Min => (1, true),
        B::Print | B::Println => (0, true),
        B::Complex | B::Copy | B::Delete | B::UnsafeAdd | B::UnsafeSlice | B::UnsafeString => {
            (2, false)
        }
        B::Recover => (0, false),
        _ => (1, false),
    }
}

impl Checker {
    /// A call of a built-in function.
    pub(super) fn builtin_call(
        &mut self,
        e: &'static Expr,
        b: Builtin,
        list: &'static [Expr],
        dots: bool,
    ) -> Operand {
        use Builtin as B;
        let bad = || Operand::invalid(e);
        let name = b.name();
        if dots && b != B::Append {
            self.error(
                e.start(),
                format!("invalid operation: invalid use of ... with built-in {name}"),
            );
            self.use_exprs(list);
            return bad();
        }
        let saved = self.env.has_call_or_recv;
        let watch = matches!(b, B::Len | B::Cap);
        if watch {
            self.env.has_call_or_recv = false;
        }
        let mut args = Vec::new();
        let special = matches!(b, B::Make | B::New | B::UnsafeOffsetof);
        let mut nargs = list.len();
        if !special {
            args = self.builtin_args(list);
            nargs = args.len();
        }
        let had_call = self.env.has_call_or_recv;
        if watch {
            self.env.has_call_or_recv = saved;
        }
        if args.iter().any(Operand::is_invalid) {
            return bad();
        }
        let (want, more) = arity(b);
        if nargs < want || !more && nargs > want {
            let word = if nargs < want {
                "not enough"
            } else {
                "too many"
            };
            let s = self.es(e);
            self.error(
                e.start(),
                format!(
                    "invalid operation: {word} arguments for {s} (expected {want}, found {nargs})"
                ),
            );
            if special {
                self.use_exprs(list);
            }
            return bad();
        }
        let since = match b {
            B::UnsafeAdd | B::UnsafeSlice => Some((17, "unsafe.")),
            B::UnsafeSliceData | B::UnsafeString | B::UnsafeStringData => Some((20, "unsafe.")),
            B::Clear => Some((21, "")),
            B::Max | B::Min => Some((21, "built-in ")),
            _ => None,
        };
        if let Some((version, kind)) = since {
            self.requires(e.start(), version, &format!("{kind}{name}"));
        }
        let value = |t: TypeId| Operand::new(Mode::Value, t, e);
        let nothing = || Operand::new(Mode::NoValue, TypeId::EMPTY_TUPLE, e);
        match b {
            B::Append => self.append(e, args, dots),
            B::Len | B::Cap => self.len_cap(e, b, args.remove(0), had_call),
            B::Clear => {
                let x = &args[0];
                let p = &self.prog;
                let mut ok = true;
                let some = p.for_each_term(x.ty, |u| {
                    ok &= matches!(p.types.get(u), Type::Map { .. } | Type::Slice(_));
                    ok
                });
                if !ok || !some {
                    let s = self.os(x);
                    self.error(
                        x.pos(),
                        format!(
                            "invalid argument: cannot clear {s}: argument must be (or constrained \
                             by) map or slice"
                        ),
                    );
                    return bad();
                }
                nothing()
            }
            B::Close => {
                let x = &args[0];
                let p = &self.prog;
                let mut why = None;
                let some = p.for_each_term(x.ty, |u| {
                    match p.types.get(u) {
                        Type::Chan {
                            dir: ChanDir::Recv, ..
                        } => why = Some("receive-only channel"),
                        Type::Chan { .. } => {}
                        _ => why = Some("non-channel"),
                    }
                    why.is_none()
                });
                if !some {
                    why = Some("non-channel");
                }
                if let Some(why) = why {
                    let s = self.os(x);
                    self.error(
                        x.pos(),
                        format!("invalid operation: cannot close {why} {s}"),
                    );
                    return bad();
                }
                nothing()
            }
            B::Complex => self.complex(e, args),
            B::Real | B::Imag => self.real_imag(e, b, args.remove(0)),
            B::Copy => self.copy(e, &args),
            B::Delete => {
                let key = args.remove(1);
                let m = args.remove(0);
                let p = &self.prog;
                let mut key_ty = None;
                let mut why = "";
                let some = p.for_each_term(m.ty, |u| {
                    match p.types.get(u) {
                        Type::Map { key, .. } => match key_ty {
                            Some(k) if !p.identical(k, *key) => why = "keys",
                            _ => key_ty = Some(*key),
                        },
                        _ => why = "map",
                    }
                    why.is_empty()
                });
                let (Some(key_ty), "", true) = (key_ty, why, some) else {
                    let s = self.os(&m);
                    let msg = if why == "keys" {
                        format!("invalid argument: maps of {s} must have identical key types")
                    } else {
                        format!("invalid argument: {s} is not a map")
                    };
                    self.error(m.pos(), msg);
                    return bad();
                };
                let mut key = key;
                self.assignment(&mut key, Some(key_ty), "argument to delete");
                if key.is_invalid() {
                    return bad();
                }
                nothing()
            }
            B::Make => self.make(e, list),
            B::Max | B::Min => self.min_max(e, b, args),
            B::New => {
                let mut x = self.expr_or_type(&list[0], false);
                self.exclude(&mut x, true, true, false);
                match x.mode {
                    Mode::Invalid => bad(),
                    Mode::Type => {
                        if !self.is_valid(x.ty) {
                            return bad();
                        }
                        self.refuse_constraint(x.ty, list[0].start());
                        let t = self.prog.types.pointer(x.ty);
                        value(t)
                    }
                    _ => {
                        let mut x = x;
                        self.assignment(&mut x, None, "argument to new");
                        if x.is_invalid() {
                            return bad();
                        }
                        let arg = self.es(&list[0]);
                        self.requires(e.start(), 26, &format!("new({arg})"));
                        let t = self.prog.types.pointer(x.ty);
                        value(t)
                    }
                }
            }
            B::Panic => {
                // A function that panics needs no return: `returns` recognises the call.
                let mut x = args.remove(0);
                self.panic_calls.insert(e.id);
                self.assignment(&mut x, Some(TypeId::EMPTY_INTERFACE), "argument to panic");
                if x.is_invalid() {
                    return bad();
                }
                nothing()
            }
            B::Print | B::Println => {
                for mut x in args {
                    self.assignment(&mut x, None, &format!("argument to built-in {name}"));
                    if x.is_invalid() {
                        return bad();
                    }
                    if matches!(self.under_type(x.ty), Type::Struct(_) | Type::Array { .. }) {
                        self.note_unprintable(e.pos, name, x.ty);
                    }
                }
                nothing()
            }
            B::Recover => value(TypeId::EMPTY_INTERFACE),
            B::UnsafeAdd => {
                let mut n = args.remove(1);
                let mut x = args.remove(0);
                self.assignment(
                    &mut x,
                    Some(TypeId::UNSAFE_POINTER),
                    "argument to unsafe.Add",
                );
                if x.is_invalid() || !self.valid_index(&mut n, "length", true) {
                    return bad();
                }
                value(TypeId::UNSAFE_POINTER)
            }
            B::UnsafeAlignof | B::UnsafeSizeof => {
                let mut x = args.remove(0);
                self.assignment(&mut x, None, &format!("argument to unsafe.{name}"));
                if x.is_invalid() {
                    return bad();
                }
                if self.has_var_size(x.ty) {
                    return value(TypeId::UINTPTR);
                }
                let n = if b == B::UnsafeAlignof {
                    Some(self.align_of(x.ty))
                } else {
                    self.try_size_of(x.ty)
                };
                let Some(n) = n else {
                    let s = self.os(&x);
                    self.error(x.pos(), format!("{s} is too large"));
                    return bad();
                };
                Operand::constant(ConstValue::Int(n), TypeId::UINTPTR, e)
            }
            B::UnsafeOffsetof => self.offsetof(e, &list[0]),
            B::UnsafeSlice => {
                let mut n = args.remove(1);
                let x = args.remove(0);
                let Some(Type::Pointer(elem)) =
                    self.core_type(x.ty).map(|t| self.types.get(t).clone())
                else {
                    let s = self.os(&x);
                    self.error(x.pos(), format!("invalid argument: {s} is not a pointer"));
                    return bad();
                };
                if !self.valid_index(&mut n, "length", false) {
                    return bad();
                }
                let t = self.prog.types.slice(elem);
                value(t)
            }
            B::UnsafeSliceData => {
                let x = args.remove(0);
                let Some(Type::Slice(elem)) =
                    self.core_type(x.ty).map(|t| self.types.get(t).clone())
                else {
                    let s = self.os(&x);
                    self.error(x.pos(), format!("invalid argument: {s} is not a slice"));
                    return bad();
                };
                let t = self.prog.types.pointer(elem);
                value(t)
            }
            B::UnsafeString => {
                let mut n = args.remove(1);
                let mut x = args.remove(0);
                let byte_ptr = self.prog.types.pointer(TypeId::BYTE);
                self.assignment(&mut x, Some(byte_ptr), "argument to unsafe.String");
                if x.is_invalid() || !self.valid_index(&mut n, "length", false) {
                    return bad();
                }
                value(TypeId::STRING)
            }
            B::UnsafeStringData => {
                let mut x = args.remove(0);
                self.assignment(
                    &mut x,
                    Some(TypeId::STRING),
                    "argument to unsafe.StringData",
                );
                if x.is_invalid() {
                    return bad();
                }
                let t = self.prog.types.pointer(TypeId::BYTE);
                value(t)
            }
        }
    }

    fn builtin_args(&mut self, list: &'static [Expr]) -> Vec<Operand> {
        if let [one] = list {
            return self.multi_values(one, false).0;
        }
        list.iter().map(|e| self.expr(e, None)).collect()
    }

    /// The element type that all slices `x` may be share, or why there is none.
    fn slice_elem(&self, x: &Operand) -> Result<TypeId, String> {
        let p = &self.prog;
        let mut elem: Option<TypeId> = None;
        let mut other = None;
        let all = !x.is_nil()
            && p.for_each_term(x.ty, |u| {
                let Type::Slice(t) = p.types.get(u) else {
                    elem = None;
                    return false;
                };
                other = elem
                    .filter(|&one| !p.identical(one, *t))
                    .map(|one| (one, *t));
                elem = Some(*t);
                other.is_none()
            });
        match (elem, other) {
            (_, Some((a, b))) => Err(format!(
                "mismatched slice element types {} and {} in {}",
                self.ts(a),
                self.ts(b),
                self.os(x)
            )),
            (Some(elem), None) if all => Ok(elem),
            _ if x.is_nil() => Err("argument must be a slice; have untyped nil".into()),
            _ => Err(format!("argument must be a slice; have {}", self.os(x))),
        }
    }

    fn append(&mut self, e: &'static Expr, mut args: Vec<Operand>, dots: bool) -> Operand {
        let x = args[0].clone();
        let elem = match self.slice_elem(&x) {
            Ok(elem) => elem,
            Err(why) => {
                self.error(x.pos(), format!("invalid append: {why}"));
                return Operand::invalid(e);
            }
        };
        let t = x.ty;
        let result = Operand::new(Mode::Value, t, e);
        // append([]byte, string...)
        if dots && args.len() == 2 && matches!(self.under_type(elem), Type::Basic(Basic::Uint8)) {
            let y = &mut args[1];
            if y.is_nil() {
                // falls through to the ordinary rules
            } else if self.core_or_string(y.ty).is_some_and(|c| self.is_string(c)) {
                if self.is_untyped(y.ty) {
                    self.convert_untyped(y, TypeId::STRING);
                }
                return result;
            }
        }
        let s = self.es(match &e.kind {
            ExprKind::Call { fun, .. } => fun,
            _ => e,
        });
        let context = format!("argument to {s}");
        if dots {
            if args.len() != 2 {
                let have: Vec<TypeId> = args.iter().map(|x| x.ty).collect();
                let have = self.types_summary(&have, false, true);
                let want_slice = self.prog.types.slice(elem);
                let want = self.types_summary(&[t, want_slice], true, false);
                let (word, at) = if args.len() > 2 {
                    ("too many", args[2].pos())
                } else {
                    ("not enough", args[args.len() - 1].pos())
                };
                self.error(
                    at,
                    format!("{word} arguments in call to {s}\n\thave {have}\n\twant {want}"),
                );
                return Operand::invalid(e);
            }
            let anon = self.prog.types.slice(elem);
            self.assignment(&mut args[1], Some(anon), &context);
            return result;
        }
        for y in &mut args[1..] {
            self.assignment(y, Some(elem), &context);
        }
        result
    }

    fn len_cap(&mut self, e: &'static Expr, b: Builtin, x: Operand, had_call: bool) -> Operand {
        let mut x = x;
        let is_len = b == Builtin::Len;
        let mut val = None;
        let mut ok = false;
        let u = {
            // Pointers to arrays count as arrays.
            let u = self.under(x.ty);
            match self.types.get(u) {
                Type::Pointer(p) if !self.is_type_param(x.ty) => match self.under_type(*p) {
                    Type::Array { .. } => self.under(*p),
                    _ => u,
                },
                _ => u,
            }
        };
        match self.types.get(u) {
            Type::Basic(k) if k.is_string() && is_len => {
                ok = true;
                if x.is_const() {
                    val = x.value().text_len().map(|n| n as i64);
                }
            }
            Type::Array { len, .. } => {
                ok = true;
                if !had_call {
                    val = Some(*len).filter(|&n| n >= 0);
                }
            }
            Type::Slice(_) | Type::Chan { .. } => ok = true,
            Type::Map { .. } => ok = is_len,
            Type::Interface(_) if self.is_type_param(x.ty) => {
                let p = &self.prog;
                let mut all = true;
                let some = p.for_each_term(x.ty, |u| {
                    let u = match p.types.get(u) {
                        Type::Pointer(q) => p.under(*q),
                        _ => u,
                    };
                    all &= match p.types.get(u) {
                        Type::Basic(k) => k.is_string() && is_len,
                        Type::Array { .. } | Type::Slice(_) | Type::Chan { .. } => true,
                        Type::Map { .. } => is_len,
                        _ => false,
                    };
                    all
                });
                ok = some && all;
            }
            _ => {}
        }
        if !ok {
            if self.is_valid(u) {
                let s = self.os(&x);
                self.error(
                    x.pos(),
                    format!("invalid argument: {s} for built-in {}", b.name()),
                );
            }
            return Operand::invalid(e);
        }
        if self.is_untyped(x.ty) && x.is_const() {
            if let Some(a) = x.expr {
                self.update_expr_type(a, TypeId::STRING, true);
            }
            x.ty = TypeId::STRING;
        }
        match val {
            Some(n) => Operand::constant(ConstValue::Int(n), TypeId::INT, e),
            None => Operand::new(Mode::Value, TypeId::INT, e),
        }
    }

    fn complex(&mut self, e: &'static Expr, mut args: Vec<Operand>) -> Operand {
        let mut y = args.remove(1);
        let mut x = args.remove(0);
        match (self.is_untyped(x.ty), self.is_untyped(y.ty)) {
            (false, false) => {}
            (true, false) => self.convert_untyped(&mut x, y.ty),
            (false, true) => self.convert_untyped(&mut y, x.ty),
            (true, true) => {
                if x.is_const() && y.is_const() {
                    // Both become untyped floats if they are real numbers.
                    for o in [&mut x, &mut y] {
                        if self.is_numeric(o.ty) && o.value().imag().sign() == 0 {
                            o.ty = TypeId::UNTYPED_FLOAT;
                        }
                    }
                } else {
                    self.convert_untyped(&mut x, TypeId::FLOAT64);
                    self.convert_untyped(&mut y, TypeId::FLOAT64);
                }
            }
        }
        if x.is_invalid() || y.is_invalid() {
            return Operand::invalid(e);
        }
        if !self.identical(x.ty, y.ty) {
            let (a, b, s) = (self.ts(x.ty), self.ts(y.ty), self.es(e));
            self.error(
                x.pos(),
                format!("invalid operation: {s} (mismatched types {a} and {b})"),
            );
            return Operand::invalid(e);
        }
        let res = match self.basic(x.ty) {
            Some(Basic::Float32) => TypeId::COMPLEX64,
            Some(Basic::Float64) => TypeId::COMPLEX128,
            Some(Basic::UntypedFloat) => TypeId::UNTYPED_COMPLEX,
            _ if self.all_float(x.ty) => return self.no_parts_yet(e, &x, Builtin::Complex),
            _ => {
                let t = self.ts(x.ty);
                self.error(
                    x.pos(),
                    format!("invalid argument: arguments have type {t}, expected floating-point"),
                );
                return Operand::invalid(e);
            }
        };
        if x.is_const() && y.is_const() {
            let v = ConstValue::complex(x.value().real(), y.value().real());
            return Operand::constant(v, res, e);
        }
        for o in [&x, &y] {
            if let Some(a) = o.expr {
                self.update_expr_type(a, o.ty, true);
            }
        }
        Operand::new(Mode::Value, res, e)
    }

    /// Go's language would allow it; its compiler does not.
    fn no_parts_yet(&mut self, e: &'static Expr, x: &Operand, b: Builtin) -> Operand {
        let (s, name) = (self.os(x), b.name());
        let text = format!("{s} not supported as argument to built-in {name} for go1.18");
        self.soft_error(x.pos(), format!("{text} (see go.dev/issue/50937)"));
        Operand::invalid(e)
    }

    fn real_imag(&mut self, e: &'static Expr, b: Builtin, mut x: Operand) -> Operand {
        if self.is_untyped(x.ty) {
            if x.is_const() {
                if self.is_numeric(x.ty) {
                    x.ty = TypeId::UNTYPED_COMPLEX;
                }
            } else {
                self.convert_untyped(&mut x, TypeId::COMPLEX128);
                if x.is_invalid() {
                    return Operand::invalid(e);
                }
            }
        }
        let res = match self.basic(x.ty) {
            Some(Basic::Complex64) => TypeId::FLOAT32,
            Some(Basic::Complex128) => TypeId::FLOAT64,
            Some(Basic::UntypedComplex) => TypeId::UNTYPED_FLOAT,
            _ if self.all_complex(x.ty) => return self.no_parts_yet(e, &x, b),
            _ => {
                let t = self.ts(x.ty);
                self.error(
                    x.pos(),
                    format!("invalid argument: argument has type {t}, expected complex type"),
                );
                return Operand::invalid(e);
            }
        };
        if x.is_const() {
            let v = if b == Builtin::Real {
                x.value().real()
            } else {
                x.value().imag()
            };
            return Operand::constant(v, res, e);
        }
        if let Some(a) = x.expr {
            self.update_expr_type(a, x.ty, true);
        }
        Operand::new(Mode::Value, res, e)
    }

    fn copy(&mut self, e: &'static Expr, args: &[Operand]) -> Operand {
        let (x, y) = (&args[0], &args[1]);
        let dst = match self.slice_elem(x) {
            Ok(dst) => dst,
            Err(why) => {
                self.error(x.pos(), format!("invalid copy: {why}"));
                return Operand::invalid(e);
            }
        };
        let src = if !y.is_nil() && self.core_or_string(y.ty).is_some_and(|c| self.is_string(c)) {
            if self.is_untyped(y.ty)
                && let Some(a) = y.expr
            {
                self.update_expr_type(a, TypeId::STRING, true);
            }
            TypeId::BYTE
        } else {
            match self.slice_elem(y) {
                Ok(src) => src,
                Err(why) => {
                    self.error(y.pos(), format!("invalid copy: {why}"));
                    return Operand::invalid(e);
                }
            }
        };
        if !self.identical(dst, src) {
            let (a, b, t, u) = (self.os(x), self.os(y), self.ts(dst), self.ts(src));
            self.error(
                x.pos(),
                format!(
                    "invalid copy: arguments {a} and {b} have different element types {t} and {u}"
                ),
            );
            return Operand::invalid(e);
        }
        Operand::new(Mode::Value, TypeId::INT, e)
    }

    fn make(&mut self, e: &'static Expr, list: &'static [Expr]) -> Operand {
        let arg0 = &list[0];
        let t = self.var_type(arg0);
        if !self.is_valid(t) {
            self.use_exprs(&list[1..]);
            return Operand::invalid(e);
        }
        let is_made = |_, u| {
            matches!(
                self.types.get(u),
                Type::Slice(_) | Type::Map { .. } | Type::Chan { .. }
            )
        };
        let core = self.common_under(t, is_made);
        let min = match core.map(|c| self.types.get(c)) {
            Ok(Type::Slice(_)) => 2,
            Ok(_) => 1,
            Err(why) => {
                let why = self.uncommon(why, |_| "type must be slice, map, or channel".into());
                let s = self.es(arg0);
                self.error(
                    arg0.start(),
                    format!("invalid argument: cannot make {s}: {why}"),
                );
                self.use_exprs(&list[1..]);
                return Operand::invalid(e);
            }
        };
        let n = list.len();
        if n < min || min + 1 < n {
            let s = self.es(e);
            self.error(
                e.start(),
                format!(
                    "invalid operation: {s} expects {min} or {} arguments; found {n}",
                    min + 1
                ),
            );
            return Operand::invalid(e);
        }
        let sizes: Vec<i64> = list[1..]
            .iter()
            .filter_map(|a| self.index(a, None).1)
            .collect();
        if sizes.len() == 2 && sizes[0] > sizes[1] {
            self.error(
                list[1].start(),
                "invalid argument: length and capacity swapped",
            );
        }
        Operand::new(Mode::Value, t, e)
    }

    fn min_max(&mut self, e: &'static Expr, b: Builtin, args: Vec<Operand>) -> Operand {
        let op = if b == Builtin::Max {
            BinOp::Gt
        } else {
            BinOp::Lt
        };
        let exprs: Vec<&'static Expr> = args.iter().filter_map(|a| a.expr).collect();
        let mut x = args[0].clone();
        for (i, a) in args.into_iter().enumerate() {
            let mut a = a;
            if !self.all_ordered(a.ty) {
                let s = self.os(&a);
                self.error(a.pos(), format!("invalid argument: {s} cannot be ordered"));
                return Operand::invalid(e);
            }
            if i == 0 {
                continue;
            }
            self.match_types(&mut x, &mut a);
            if x.is_invalid() {
                return Operand::invalid(e);
            }
            if !self.identical(x.ty, a.ty) {
                let (t, u) = (self.ts(x.ty), self.ts(a.ty));
                let s = a.expr.map_or(String::new(), |e| self.es(e));
                self.error(
                    a.pos(),
                    format!(
                        "invalid argument: mismatched types {t} (previous argument) and {u} (type \
                         of {s})"
                    ),
                );
                return Operand::invalid(e);
            }
            if x.is_const() && a.is_const() {
                if ConstValue::compare(&a.value(), op, &x.value()) {
                    x = a;
                }
            } else {
                x.mode = Mode::Value;
                x.val = None;
            }
        }
        if !x.is_const() {
            x.mode = Mode::Value;
            let name = b.name();
            self.assignment(
                &mut x,
                Some(TypeId::EMPTY_INTERFACE),
                &format!("argument to built-in {name}"),
            );
            if x.is_invalid() {
                return Operand::invalid(e);
            }
        }
        for a in exprs {
            self.update_expr_type(a, x.ty, true);
        }
        x.expr = Some(e);
        x
    }

    fn offsetof(&mut self, e: &'static Expr, arg: &'static Expr) -> Operand {
        let ExprKind::Selector { x: base, sel } = &arg.unparen().kind else {
            let s = self.es(arg);
            self.error(
                arg.start(),
                format!("invalid argument: {s} is not a selector expression"),
            );
            self.use_expr(arg);
            return Operand::invalid(e);
        };
        let x = self.expr(base, None);
        if x.is_invalid() {
            return Operand::invalid(e);
        }
        let t = match *self.under_type(x.ty) {
            Type::Pointer(p) if self.strukt(p).is_some() => p,
            _ => x.ty,
        };
        let ts = self.ts(t);
        match self.lookup(t, false, self.env.pkg, sel.name) {
            Found::Entry {
                obj,
                path,
                indirect,
            } => {
                if matches!(self.obj(obj).kind, ObjKind::Func(_)) {
                    let s = self.es(arg);
                    self.error(
                        arg.start(),
                        format!("invalid argument: {s} is a method value"),
                    );
                    return Operand::invalid(e);
                }
                if indirect {
                    self.error(
                        x.pos(),
                        format!(
                            "invalid argument: field {} is embedded via a pointer in {ts}",
                            sel.name
                        ),
                    );
                    return Operand::invalid(e);
                }
                self.record_use(sel.id, obj);
                let fty = self.obj(obj).ty;
                self.prog.info.selections.insert(
                    arg.unparen().id,
                    Selection {
                        kind: SelectionKind::FieldVal,
                        obj,
                        path: path.clone(),
                        indirect,
                    },
                );
                self.record(arg.id, Mode::Variable, fty, None);
                if self.has_var_size(t) {
                    return Operand::new(Mode::Value, TypeId::UINTPTR, e);
                }
                let mut at = 0;
                let mut t = t;
                for i in path {
                    let Some(s) = self.strukt(t) else { break };
                    let Some(&f) = s.fields.get(i as usize) else {
                        break;
                    };
                    let before = s.fields[..i as usize].iter();
                    if before
                        .clone()
                        .any(|&f| self.try_size_of(self.obj(f).ty).is_none())
                    {
                        let s = self.os(&x);
                        self.error(x.pos(), format!("{s} is too large"));
                        return Operand::invalid(e);
                    }
                    at += self.field_offsets(s).get(i as usize).copied().unwrap_or(0);
                    t = self.obj(f).ty;
                }
                Operand::constant(ConstValue::Int(at), TypeId::UINTPTR, e)
            }
            Found::NeedsPointer => {
                let s = self.es(arg);
                self.error(
                    arg.start(),
                    format!("invalid argument: {s} is a method value"),
                );
                Operand::invalid(e)
            }
            _ => {
                self.error(
                    x.pos(),
                    format!("invalid argument: {ts} has no single field {}", sel.name),
                );
                Operand::invalid(e)
            }
        }
    }

    /// Notes an operand that `print` or `println` cannot print. Go's compiler finds that when all
    /// else is right, and in generic functions for their instances only.
    fn note_unprintable(&mut self, pos: Pos, name: &str, t: TypeId) {
        let is_generic = self.env.decl.is_some_and(|d| {
            self.sig(self.obj(d).ty).is_some_and(|s| {
                let recv = s.recv.map(|r| self.obj(r).ty);
                let base = recv.map(|t| self.unalias(self.prog.deref(t).unwrap_or(t)));
                let of_instance =
                    |t| matches!(self.types.get(t), Type::Named(n) if !n.targs.is_empty());
                !s.tparams.is_empty() || base.is_some_and(of_instance)
            })
        });
        let is_std = self.env.pkg.is_some_and(|p| self.pkg(p).is_std);
        if !is_generic && !is_std {
            let t = self.compiler_string(t, self.env.pkg, &[], &[]);
            let text = format!("illegal types for operand: {name}\n\t{t}");
            self.unprintable.push((pos, text));
        }
    }
}
