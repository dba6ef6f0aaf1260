//! Package `errors`: the questions about types that its Go source asks.
//!
//! Go: errors.

use bytecode::rtype::{Kind, Rtype};
use vm::iface;
use vm::native::{Cx, Res};
use vm::value::{Iface, Val, deref};

/// The dynamic type of an `error`, whose first word is an itab.
fn dynamic(err: Iface) -> Option<&'static Rtype> {
    (!err.is_nil()).then(|| iface::itab_type(err.tab))
}

fn implements(inter: &'static Rtype, t: &'static Rtype) -> bool {
    inter.imethods.is_empty() || !iface::itab(inter, t).is_null()
}

/// The variable that `target`, an `any`, points to; `Err` is what is wrong with it.
fn pointee(target: &Iface) -> Result<(&'static Rtype, Val<'_>), &'static str> {
    let Some(v) = target.val() else {
        return Err("errors: target cannot be nil");
    };
    if v.kind() != Kind::Pointer {
        return Err("errors: target must be a non-nil pointer");
    }
    let Some(var) = v.elem() else {
        return Err("errors: target must be a non-nil pointer");
    };
    let t = deref(v.t.elem);
    let has_error = |t: &Rtype| {
        t.methods()
            .iter()
            .any(|m| m.name == "Error" && deref(m.mtyp).string == "func() string")
    };
    if t.kind != Kind::Interface && !has_error(t) {
        return Err("errors: *target must be interface or implement error");
    }
    Ok((t, var))
}

fn check(cx: &mut Cx, target: Iface) -> Res<()> {
    match pointee(&target) {
        Ok(_) => Ok(()),
        Err(text) => cx.panic(text),
    }
}

natives! {
    "comparable" => short |cx, err: Iface| {
        dynamic(err).is_none_or(Rtype::is_comparable)
    }
    "checkTarget" => short |cx, target: Iface| { check(cx, target) }
    "assignTo" => short |cx, err: Iface, target: Iface| {
        let (Some(t), Ok((want, var))) = (dynamic(err), pointee(&target)) else {
            return false;
        };
        if want.kind == Kind::Interface {
            if !implements(want, t) {
                return false;
            }
            let tab = if want.imethods.is_empty() {
                std::ptr::from_ref(t) as usize
            } else {
                iface::itab(want, t) as usize
            };
            cx.store_iface(
                var,
                Iface {
                    tab,
                    data: err.data,
                },
            );
            return true;
        }
        if !std::ptr::eq(want, t) {
            return false;
        }
        cx.store_data_word(var, err.data);
        true
    }
}
