//! Package `errors`: the questions about types that its Go source asks.
//!
//! Go: errors.

use bytecode::rtype::{Kind, Rtype};
use vm::native::{Cx, Res};
use vm::value::{Iface, Methods, Val, deref};

/// The variable that `target`, an `any`, points to; `Err` is what is wrong with it.
fn pointee(target: &Iface) -> Result<Val<'_>, &'static str> {
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
    Ok(var)
}

fn check(cx: &mut Cx, target: Iface) -> Res<()> {
    match pointee(&target) {
        Ok(_) => Ok(()),
        Err(text) => cx.panic(text),
    }
}

natives! {
    "comparable" => short untouched |cx, err: Methods| {
        err.rtype().is_none_or(Rtype::is_comparable)
    }
    "checkTarget" => short untouched |cx, target: Iface| { check(cx, target) }
    "assignTo" => short follows |cx, err: Methods, target: Iface| {
        pointee(&target).is_ok_and(|var| cx.assign(var, err))
    }
}
