//! Package `fmt`: printing. The engine is in [`engine`],
//! scanning in scan.go.
//!
//! Go: fmt.

use bytecode::rtype::Kind;
use vm::native::{Cx, FuncVal, GoStr, Ptr, Res, Slice};
use vm::value::Iface;

pub mod engine;

use engine::Printer;

/// Runs the engine and gives the text to `finish`.
fn format<R>(
    cx: &mut Cx,
    hook: FuncVal,
    print: impl FnOnce(&mut Printer<'_>) -> Res<()>,
    finish: impl FnOnce(&mut Cx, &[u8]) -> R,
) -> Res<R> {
    let mut p = Printer::new(cx, hook);
    print(&mut p)?;
    let buf = p.buf;
    Ok(finish(cx, &buf))
}

fn append(b: Slice<u8>) -> impl FnOnce(&mut Cx, &[u8]) -> Slice<u8> {
    move |cx, text| cx.append_bytes(b, text)
}

natives! {
    "isNilPointer" => short untouched |cx, arg: Iface| {
        arg.val().is_some_and(|v| v.kind() == Kind::Pointer && v.is_nil())
    }
    "sprintf" => polling |cx, f: GoStr, a: Slice<Iface>, h: FuncVal| {
        format(
            cx,
            h,
            |p| p.printf(f.as_bytes(), a.as_slice()),
            |cx, b| cx.string(b),
        )
    }
    "sprint" => polling |cx, a: Slice<Iface>, h: FuncVal| {
        format(cx, h, |p| p.print(a.as_slice()), |cx, b| cx.string(b))
    }
    "sprintln" => polling |cx, a: Slice<Iface>, h: FuncVal| {
        format(cx, h, |p| p.println(a.as_slice()), |cx, b| cx.string(b))
    }
    "appendf" => polling untouched(b) |cx, b: Slice<u8>, f: GoStr, a: Slice<Iface>, h: FuncVal| {
        format(cx, h, |p| p.printf(f.as_bytes(), a.as_slice()), append(b))
    }
    "append_" => polling untouched(b) |cx, b: Slice<u8>, a: Slice<Iface>, h: FuncVal| {
        format(cx, h, |p| p.print(a.as_slice()), append(b))
    }
    "appendln" => polling untouched(b) |cx, b: Slice<u8>, a: Slice<Iface>, h: FuncVal| {
        format(cx, h, |p| p.println(a.as_slice()), append(b))
    }
    "wrapf" => polling |cx, f: GoStr, a: Slice<Iface>, h: FuncVal| {
        let mut p = Printer::new(cx, h);
        p.wrap_errs = true;
        p.printf(f.as_bytes(), a.as_slice())?;
        let (buf, mut wrapped) = (p.buf, p.wrapped);
        wrapped.sort_unstable();
        Res::Ok((cx.string(&buf), cx.slice(&wrapped)))
    }
    "pointee" => short untouched |cx, arg: Iface| {
        let Some(v) = arg.val() else { return (Ptr::NIL, 0i64, GoStr::from_static("<nil>")) };
        let typ = GoStr::from_static(v.t.string);
        if v.kind() != Kind::Pointer {
            return (Ptr::NIL, 0, typ);
        }
        let elem = v.t.elem();
        let is_bytes = elem.kind == Kind::Slice && elem.elem().kind == Kind::Uint8;
        (v.to_ptr(), if is_bytes { 255 } else { elem.kind as i64 }, typ)
    }
}
