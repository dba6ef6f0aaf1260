//! Package `fmt`: printing. The engine is in [`fmt_engine`](super::fmt_engine), scanning in fmt_scan.go.
//!
//! Go: fmt.

use super::fmt_engine::Printer;
use crate::bytecode::rtype::Kind;
use crate::vm::native::{Cx, FuncVal, GoStr, Res, Slice};
use crate::vm::value::Iface;

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

package! { "fmt", ["fmt.go"];
    "func isNilPointer(arg any) bool" => |cx, arg: Iface| {
        arg.val().is_some_and(|v| v.kind() == Kind::Pointer && v.is_nil())
    }
    "func sprintf(format string, a []any, h hook) string" => |cx, f: GoStr, a: Slice<Iface>, h: FuncVal| {
        format(cx, h, |p| p.printf(f.as_bytes(), a.as_slice()), |cx, b| cx.string(b))
    }
    "func sprint(a []any, h hook) string" => |cx, a: Slice<Iface>, h: FuncVal| {
        format(cx, h, |p| p.print(a.as_slice()), |cx, b| cx.string(b))
    }
    "func sprintln(a []any, h hook) string" => |cx, a: Slice<Iface>, h: FuncVal| {
        format(cx, h, |p| p.println(a.as_slice()), |cx, b| cx.string(b))
    }
    "func appendf(b []byte, format string, a []any, h hook) []byte" => |cx, b: Slice<u8>, f: GoStr, a: Slice<Iface>, h: FuncVal| {
        format(cx, h, |p| p.printf(f.as_bytes(), a.as_slice()), append(b))
    }
    "func append_(b []byte, a []any, h hook) []byte" => |cx, b: Slice<u8>, a: Slice<Iface>, h: FuncVal| {
        format(cx, h, |p| p.print(a.as_slice()), append(b))
    }
    "func appendln(b []byte, a []any, h hook) []byte" => |cx, b: Slice<u8>, a: Slice<Iface>, h: FuncVal| {
        format(cx, h, |p| p.println(a.as_slice()), append(b))
    }
    "func wrapf(format string, a []any, h hook) (s string, wrapped []int)" => |cx, f: GoStr, a: Slice<Iface>, h: FuncVal| {
        let mut p = Printer::new(cx, h);
        p.wrap_errs = true;
        p.printf(f.as_bytes(), a.as_slice())?;
        let (buf, mut wrapped) = (p.buf, p.wrapped);
        wrapped.sort_unstable();
        Res::Ok((cx.string(&buf), cx.slice(&wrapped)))
    }
    "func parseFloatPrefix(s string, bits int) (f float64, n int, ok bool)" => |cx, s: GoStr, bits: i64| {
        match super::strconv_core::parse_float_prefix(s.as_bytes(), if bits == 32 { 32 } else { 64 }) {
            Some((f, n, _)) => (f, n as i64, true),
            None => (0.0, 0, false),
        }
    }
}
