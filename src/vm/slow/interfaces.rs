#![allow(unsafe_code)]
//! Interfaces: comparing, converting and asserting.
//!
//! Go: runtime/iface.go, alg.go.

use super::*;
use crate::iface;
use crate::value::{self, Uncomparable};
use bytecode::rtype::{ITAB_FUNCS, Itab};

/// The function at place `at` of an itab.
///
/// # Safety
/// `itab` is the address of an itab with such a place.
#[inline(always)]
pub(crate) unsafe fn itab_func(itab: usize, at: u16) -> u32 {
    // SAFETY: the caller's.
    unsafe { *((itab + ITAB_FUNCS + 4 * at as usize) as *const u32) }
}

/// The type of an itab.
///
/// # Safety
/// `itab` is the address of an itab.
#[inline(always)]
pub(crate) unsafe fn itab_typ(itab: usize) -> u64 {
    // SAFETY: the caller's.
    unsafe { (*(itab as *const Itab)).typ.word() }
}

halves! {
    fn eq_eface(g, s, i: EqEface) {
        compared(s, i.dst, value::efaces_equal(as_iface(s.get2(i.a)), as_iface(s.get2(i.b))))
    }
    fn eq_iface(g, s, i: EqIface) {
        compared(s, i.dst, value::ifaces_equal(as_iface(s.get2(i.a)), as_iface(s.get2(i.b))))
    }
    fn eq_typed(g, s, i: EqTyped) {
        compared(s, i.dst, value::equal(rtype(i.typ), s.at(i.a).cast(), s.at(i.b).cast()))
    }
    fn eq_mem(g, s, i: EqMem) {
        s.save();
        let (a, b) = (s.get(i.a) as *const u8, s.get(i.b) as *const u8);
        compared(s, i.dst, value::equal_long(m(g), rtype(i.typ), a, b))
    }
    fn conv_iface(g, s, i: EfaceToIface) {
        let [t, data] = s.get2(i.src);
        let tab = if t == 0 { 0 } else { iface::itab(rtype(i.typ), rtype(t)) as u64 };
        s.set2(i.dst, [tab, data]);
        DONE
    }
    /// Fails: the fast path has found another type.
    fn assert_e(g, s, i: AssertTypeEface) {
        let t = s.get(i.src);
        raise(g, assertion(i.stat, t, i.typ))
    }
    fn assert_i(g, s, i: AssertTypeIface) {
        let tab = s.get(i.src) as usize;
        let t = if tab == 0 { 0 } else { itab_typ(tab) };
        raise(g, assertion(i.stat, t, i.typ))
    }
    fn assert_iface(g, s, i: AssertToIface) {
        let [t, data] = s.get2(i.src);
        let tab = if t == 0 { std::ptr::null() } else { iface::itab(rtype(i.typ), rtype(t)) };
        if tab.is_null() {
            return raise(g, assertion(0, t, i.typ));
        }
        s.set2(i.dst, [tab as u64, data]);
        DONE
    }
    fn assert_iface2(g, s, i: AssertToIfaceOk) {
        let [t, data] = s.get2(i.src);
        let tab = if t == 0 { std::ptr::null() } else { iface::itab(rtype(i.typ), rtype(t)) };
        let ok = !tab.is_null();
        s.set2(i.dst, if ok { [tab as u64, data] } else { [0, 0] });
        s.set(i.ok, u64::from(ok));
        DONE
    }
    fn assert_eface(g, s, i: AssertToEface) {
        let v = s.get2(i.src);
        if v[0] == 0 {
            return raise(g, assertion(0, 0, 0));
        }
        s.set2(i.dst, v);
        DONE
    }
    fn method_nil(g, s, i: MethodNil) {
        let _ = s;
        raise(g, RuntimeError::NilReceiver(as_str([i.text, i.n])).into())
    }
}

/// R[dst] := whether two values are equal, if they can be compared.
#[inline(always)]
unsafe fn compared(s: Regs, dst: u16, equal: Result<bool, Uncomparable>) -> u64 {
    // SAFETY: exec::X2, exec::X3.
    unsafe {
        match equal {
            Ok(eq) => {
                s.set(dst, u64::from(eq));
                DONE
            }
            Err(e) => uncomparable(s.g(), e),
        }
    }
}

#[cold]
unsafe fn uncomparable(g: *mut G, e: Uncomparable) -> u64 {
    // SAFETY: exec::X3.
    unsafe { raise(g, RuntimeError::Uncomparable(e.0).into()) }
}

/// The failure of an assertion; `stat` 0: to an interface type; `asserted` 0: `any`.
/// The words are types.
#[cold]
unsafe fn assertion(stat: u64, concrete: u64, asserted: u64) -> Raise {
    // SAFETY: the caller's.
    let opt = |w: u64| (w != 0).then(|| unsafe { rtype(w) });
    Raise::Assertion {
        stat: opt(stat),
        concrete: opt(concrete),
        asserted: opt(asserted),
    }
}
