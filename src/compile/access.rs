//! Loads from places and stores to them: which instruction for which place and representation.

use super::func::{Fun, emit};
use super::ops::form_of;
use super::place::{Index, Place};
use super::regalloc::Slot;
use super::typeinfo::IntKind;
use super::{Repr, TypeInfo};
use bytecode::op::{Family, Form};
use bytecode::pair::Pair;

impl Fun<'_> {
    /// The value at a place: its own slots, `dst`, or a temporary.
    pub(super) fn load(&mut self, place: Place, ti: &TypeInfo, dst: Option<Slot>) -> Slot {
        if ti.repr == Repr::Zero {
            match place {
                Place::Mem { ptr, .. } => emit!(self, CheckNil, ptr),
                Place::SliceElem { .. } | Place::PtrElem { .. } => {
                    self.address(place);
                }
                Place::MapElem { .. } => self.load_map(place, ti, Slot::NONE),
                _ => {}
            }
            return Slot::NONE;
        }
        let place = match place {
            // Read as whole slots; what follows it in the last one does not matter.
            Place::Frame { base, off } if off % 8 == 0 && ti.is_wide() && ti.repr != Repr::Huge => {
                Place::Slot(base.plus(off / 8))
            }
            other => other,
        };
        if let Place::Slot(s) = place {
            return match dst {
                Some(d) => {
                    self.mov(d, s, ti);
                    d
                }
                None => s,
            };
        }
        if ti.repr == Repr::Huge {
            return self.load_huge(place, ti, dst);
        }
        let d = self.dst(dst, ti);
        let one = is_one_word(ti.repr);
        match place {
            // An element of an empty array, behind an index that never passes.
            Place::Blank => self.zero(d, ti),
            Place::Slot(_) => {}
            Place::Frame { base, off } if one => {
                if ti.is_wide() {
                    // Aligned to 8 it would be a slot: a complex64 in an odd place.
                    emit!(
                        self,
                        FrameCopy,
                        8,
                        frame_offset(d, 0),
                        frame_offset(base, off)
                    );
                } else {
                    let form = form_of(Family::FrameLoad, load_form(ti.repr));
                    self.put(form, &[d.0.into(), frame_offset(base, off)]);
                }
            }
            Place::Frame { base, off } => {
                emit!(
                    self,
                    FrameCopy,
                    ti.size,
                    frame_offset(d, 0),
                    frame_offset(base, off)
                );
            }
            Place::FrameElem {
                base,
                off,
                idx,
                len,
                stride,
            } => {
                if one && stride == ti.size {
                    let form = form_of(Family::FrameIndex, load_form(ti.repr));
                    self.put(
                        form,
                        &[
                            d.0.into(),
                            base.0.into(),
                            idx.0.into(),
                            pack(len, off.into()) as i64,
                        ],
                    );
                } else {
                    let to = if ti.is_wide() { d } else { self.alloc.scalar() };
                    emit!(
                        self,
                        FrameIndexN,
                        to,
                        base,
                        idx,
                        pack(len, stride),
                        pack(off.into(), ti.size)
                    );
                    self.extend_narrow(d, to, ti);
                }
            }
            Place::Mem { ptr, off } => self.load_mem(d, ptr, off, ti),
            Place::Abs(at) => match ti.slots {
                1 if one => {
                    let form = form_of(Family::LoadGlobal, load_form(ti.repr));
                    self.put(form, &[d.0.into(), at as i64]);
                }
                2 if ti.size == 16 => emit!(self, LoadGlobal2, d, at),
                3 if ti.size == 24 => emit!(self, LoadGlobal3, d, at),
                _ => emit!(self, LoadGlobalN, d, ti.size, at),
            },
            Place::SliceElem {
                s,
                idx,
                stride,
                off,
            } => {
                if one && stride == ti.size {
                    match idx {
                        Index::K(k) if ti.is_wide() => emit!(self, SliceIndexImm64, d, s, k),
                        _ => {
                            let i = self.index_slot(idx);
                            let form = form_of(Family::SliceIndex, load_form(ti.repr));
                            self.put(form, &[d.0.into(), s.0.into(), i.0.into()]);
                        }
                    }
                    return d;
                }
                let i = self.index_slot(idx);
                // Of elements of more than 4 GB the address is computed first.
                let so = Pair::new(stride, off).map(Pair::word);
                match (ti.size, so) {
                    (16, _) if stride == 16 => emit!(self, SliceIndex2, d, s, i),
                    (24, _) if stride == 24 => emit!(self, SliceIndex3, d, s, i),
                    (8, Some(so)) if ti.is_wide() && off % 8 == 0 => {
                        emit!(self, SliceField64, d, s, i, so)
                    }
                    (16, Some(so)) if off % 8 == 0 => emit!(self, SliceField2, d, s, i, so),
                    (_, Some(so)) if ti.is_wide() => emit!(self, SliceIndexN, d, s, i, so, ti.size),
                    _ => {
                        let p = self.alloc.pointer();
                        emit!(self, SliceElemAddr, p, s, i, stride);
                        self.load_mem(d, p, off, ti);
                    }
                }
            }
            Place::PtrElem {
                ptr,
                idx,
                len,
                stride,
                off,
            } => {
                if one && stride == ti.size && off == 0 {
                    let form = form_of(Family::ArrayIndex, load_form(ti.repr));
                    self.put(form, &[d.0.into(), ptr.0.into(), idx.0.into(), len as i64]);
                } else if ti.is_wide()
                    && let Some(ls) = Pair::new(len, stride)
                    && let Some(os) = Pair::new(off, ti.size)
                {
                    emit!(self, ArrayIndexN, d, ptr, idx, ls.word(), os.word());
                } else {
                    let p = self.alloc.pointer();
                    emit!(self, ArrayElemAddr, p, ptr, idx, len, stride);
                    self.load_mem(d, p, off, ti);
                }
            }
            Place::MapElem { .. } => self.load_map(place, ti, d),
        }
        d
    }

    /// R[d] := R[s], its memory-sized value extended to the slot.
    pub(super) fn extend_narrow(&mut self, d: Slot, s: Slot, ti: &TypeInfo) {
        match ti.repr {
            Repr::Int(IntKind {
                bits: 8,
                signed: false,
            }) => emit!(self, ZeroExtend8, d, s),
            Repr::Int(IntKind {
                bits: 8,
                signed: true,
            }) => emit!(self, SignExtend8, d, s),
            Repr::Int(IntKind {
                bits: 16,
                signed: false,
            }) => emit!(self, ZeroExtend16, d, s),
            Repr::Int(IntKind {
                bits: 16,
                signed: true,
            }) => emit!(self, SignExtend16, d, s),
            Repr::Int(IntKind {
                bits: 32,
                signed: false,
            })
            | Repr::F32 => emit!(self, ZeroExtend32, d, s),
            Repr::Int(IntKind {
                bits: 32,
                signed: true,
            }) => emit!(self, SignExtend32, d, s),
            _ => {}
        }
    }

    pub(super) fn load_mem(&mut self, d: Slot, ptr: Slot, off: u64, ti: &TypeInfo) {
        let (ptr, off) = self.near(ptr, off);
        match ti.slots {
            0 => emit!(self, CheckNil, ptr),
            1 if is_one_word(ti.repr) => {
                let form = form_of(Family::Load, load_form(ti.repr));
                self.put(form, &[d.0.into(), ptr.0.into(), off as i64]);
            }
            2 if ti.size == 16 => emit!(self, Load2, d, ptr, off),
            3 if ti.size == 24 => emit!(self, Load3, d, ptr, off),
            _ => emit!(self, LoadN, d, ptr, off, ti.size),
        }
    }

    /// A fresh copy of a huge value, its address in the slot.
    fn load_huge(&mut self, place: Place, ti: &TypeInfo, dst: Option<Slot>) -> Slot {
        if let Place::MapElem { m, key, map } = place {
            let mark = self.alloc.mark();
            let found = self.alloc.pointer();
            let word = self.info(map).rtype.word();
            emit!(self, MapFind, found, m, key, word);
            let fresh = self.alloc.pointer();
            emit!(self, New, fresh, ti.rtype.layout, ti.size);
            let none = self.label();
            emit!(self, JumpEqImm, found, 0, none);
            emit!(self, CopyTyped, fresh, found, ti.rtype.layout, ti.size);
            self.bind(none);
            self.alloc.release(mark);
            let d = self.dst(dst, ti);
            emit!(self, Mov, d, fresh);
            return d;
        }
        let mark = self.alloc.mark();
        let from = self.address(place);
        let fresh = self.alloc.pointer();
        emit!(self, New, fresh, ti.rtype.layout, ti.size);
        emit!(self, CopyTyped, fresh, from, ti.rtype.layout, ti.size);
        self.alloc.release(mark);
        let d = self.dst(dst, ti);
        if d != fresh {
            emit!(self, Mov, d, fresh);
        }
        d
    }

    /// Stores R[src..] at a place.
    pub(super) fn store(&mut self, place: Place, ti: &TypeInfo, src: Slot) {
        if ti.repr == Repr::Huge {
            return self.store_huge(place, ti, src);
        }
        if ti.repr == Repr::Zero && !matches!(place, Place::MapElem { .. }) {
            self.load(place, ti, None);
            return;
        }
        let one = is_one_word(ti.repr);
        let mark = self.alloc.mark();
        match place {
            Place::Blank => {}
            Place::Slot(d) => self.mov(d, src, ti),
            Place::Frame { base, off } if one && !ti.is_wide() => {
                let form = form_of(Family::FrameStore, store_form(ti.repr));
                self.put(form, &[src.0.into(), frame_offset(base, off)]);
            }
            Place::Frame { base, off } => {
                emit!(
                    self,
                    FrameCopy,
                    ti.size,
                    frame_offset(base, off),
                    frame_offset(src, 0)
                );
            }
            Place::FrameElem {
                base,
                off,
                idx,
                len,
                stride,
            } => {
                if one && stride == ti.size {
                    let repr = if ti.repr == Repr::Ptr {
                        Repr::F64
                    } else {
                        ti.repr
                    };
                    let form = form_of(Family::FrameSet, store_form(repr));
                    self.put(
                        form,
                        &[
                            base.0.into(),
                            idx.0.into(),
                            src.0.into(),
                            pack(len, off.into()) as i64,
                        ],
                    );
                } else {
                    emit!(
                        self,
                        FrameSetN,
                        base,
                        idx,
                        src,
                        pack(len, stride),
                        pack(off.into(), ti.size)
                    );
                }
            }
            Place::Mem { ptr, off } => self.store_mem(ptr, off, ti, src),
            Place::Abs(at) => match ti.repr {
                Repr::Str => emit!(self, StoreGlobalStr, src, at),
                Repr::Slice => emit!(self, StoreGlobalSlice, src, at),
                Repr::Eface | Repr::Iface => emit!(self, StoreGlobalIface, src, at),
                _ if one => {
                    let form = form_of(Family::StoreGlobal, store_form(ti.repr));
                    self.put(form, &[src.0.into(), at as i64]);
                }
                _ => emit!(self, StoreGlobalTyped, src, at, ti.size_layout()),
            },
            Place::SliceElem {
                s,
                idx,
                stride,
                off,
            } => {
                if let Index::K(k) = idx
                    && one
                    && ti.is_wide()
                    && ti.repr != Repr::Ptr
                    && stride == 8
                {
                    emit!(self, SliceSetImm64, s, k, src);
                    return;
                }
                let i = self.index_slot(idx);
                if stride != ti.size || off != 0 {
                    let p = self.alloc.pointer();
                    emit!(self, SliceElemAddr, p, s, i, stride);
                    self.store_mem(p, off, ti, src);
                } else {
                    match ti.repr {
                        Repr::Str => emit!(self, SliceSetStr, s, i, src),
                        Repr::Slice => emit!(self, SliceSetSlice, s, i, src),
                        Repr::Eface | Repr::Iface => emit!(self, SliceSetIface, s, i, src),
                        _ if one => {
                            let form = form_of(Family::SliceSet, store_form(ti.repr));
                            self.put(form, &[s.0.into(), i.0.into(), src.0.into()]);
                        }
                        _ => emit!(self, SliceSetTyped, s, i, src, ti.size_layout()),
                    }
                }
            }
            Place::PtrElem {
                ptr,
                idx,
                len,
                stride,
                off,
            } => {
                if stride != ti.size || off != 0 {
                    let p = self.alloc.pointer();
                    emit!(self, ArrayElemAddr, p, ptr, idx, len, stride);
                    self.store_mem(p, off, ti, src);
                } else if one {
                    let form = form_of(Family::ArraySet, store_form(ti.repr));
                    self.put(
                        form,
                        &[ptr.0.into(), idx.0.into(), src.0.into(), len as i64],
                    );
                } else {
                    emit!(self, ArraySetTyped, ptr, idx, src, len, ti.size_layout());
                }
            }
            Place::MapElem { m, key, map } => {
                let mi = self.info(map);
                let form = self.map_form(Family::MapSet, map);
                self.put(
                    form,
                    &[
                        m.0.into(),
                        key.0.into(),
                        src.0.into(),
                        mi.rtype.word() as i64,
                    ],
                );
            }
        }
        self.alloc.release(mark);
    }

    pub(super) fn store_mem(&mut self, ptr: Slot, off: u64, ti: &TypeInfo, src: Slot) {
        let (ptr, off) = self.near(ptr, off);
        match ti.repr {
            Repr::Zero => emit!(self, CheckNil, ptr),
            Repr::Huge if off == 0 => emit!(self, CopyTyped, ptr, src, ti.rtype.layout, ti.size),
            Repr::Huge => {
                let p = self.alloc.pointer();
                emit!(self, AddPtr, p, ptr, off);
                emit!(self, CopyTyped, p, src, ti.rtype.layout, ti.size);
            }
            Repr::Str => emit!(self, StoreStr, ptr, src, off),
            Repr::Slice => emit!(self, StoreSlice, ptr, src, off),
            Repr::Eface | Repr::Iface => emit!(self, StoreIface, ptr, src, off),
            r if is_one_word(r) => {
                let form = form_of(Family::Store, store_form(ti.repr));
                self.put(form, &[ptr.0.into(), src.0.into(), off as i64]);
            }
            _ => emit!(self, StoreTyped, ptr, src, off, ti.size_layout()),
        }
    }

    fn store_huge(&mut self, place: Place, ti: &TypeInfo, src: Slot) {
        let mark = self.alloc.mark();
        match place {
            Place::Blank => {}
            Place::Slot(d) => emit!(self, Mov, d, src),
            Place::MapElem { m, key, map } => {
                let p = self.alloc.pointer();
                let word = self.info(map).rtype.word();
                let form = self.map_form(Family::MapAddr, map);
                self.put(form, &[p.0.into(), m.0.into(), key.0.into(), word as i64]);
                emit!(self, CopyTyped, p, src, ti.rtype.layout, ti.size);
            }
            _ => {
                let p = self.address(place);
                emit!(self, CopyTyped, p, src, ti.rtype.layout, ti.size);
            }
        }
        self.alloc.release(mark);
    }

    fn load_map(&mut self, place: Place, _ti: &TypeInfo, d: Slot) {
        let Place::MapElem { m, key, map } = place else {
            return;
        };
        let word = self.info(map).rtype.word();
        let form = self.map_form(Family::MapGet, map);
        self.put(form, &[d.0.into(), m.0.into(), key.0.into(), word as i64]);
    }

    /// `v, ok = m[k]`.
    pub(super) fn load_map_ok(&mut self, place: Place, ti: &TypeInfo, d: Slot, ok: Slot) {
        let Place::MapElem { m, key, map } = place else {
            return;
        };
        let word = self.info(map).rtype.word();
        if ti.repr == Repr::Huge {
            let found = self.alloc.pointer();
            emit!(self, MapFind, found, m, key, word);
            emit!(self, NeImm, ok, found, 0);
            self.load_huge(place, ti, Some(d));
            return;
        }
        let form = self.map_form(Family::MapGetOk, map);
        self.put(
            form,
            &[
                d.0.into(),
                m.0.into(),
                key.0.into(),
                word as i64,
                ok.0.into(),
            ],
        );
    }
}

/// Of an array in the frame.
fn pack(lo: u64, hi: u64) -> u64 {
    Pair::small(lo, hi).word()
}

/// A frame offset as an operand of kind `Fo32`.
fn frame_offset(base: Slot, off: u32) -> i64 {
    (u64::from(base.0) << 32 | u64::from(off)) as i64
}

/// The form of loads for a value of one word or less.
fn load_form(repr: Repr) -> Form {
    match repr {
        Repr::Int(k) if k.bits < 64 => k.form(),
        Repr::F32 => Form::U32,
        _ => Form::I64,
    }
}

/// The form of stores for a value of one word or less.
fn store_form(repr: Repr) -> Form {
    match repr {
        Repr::Int(k) if k.bits < 64 => Form::int(k.bits, false),
        Repr::F32 => Form::U32,
        Repr::Ptr => Form::Ptr,
        _ => Form::I64,
    }
}

fn is_one_word(repr: Repr) -> bool {
    matches!(
        repr,
        Repr::Int(_) | Repr::F32 | Repr::F64 | Repr::C64 | Repr::Ptr
    )
}
