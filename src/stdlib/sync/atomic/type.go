package atomic

import "unsafe"

type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

type align64 struct{}

type Int32 struct {
	_ noCopy
	v int32
}

func (x *Int32) Add(delta int32) (new int32)
func (x *Int32) And(mask int32) (old int32)
func (x *Int32) Or(mask int32) (old int32)
func (x *Int32) CompareAndSwap(old, new int32) (swapped bool)
func (x *Int32) Load() int32
func (x *Int32) Store(val int32)
func (x *Int32) Swap(new int32) (old int32)

type Int64 struct {
	_ noCopy
	_ align64
	v int64
}

func (x *Int64) Add(delta int64) (new int64)
func (x *Int64) And(mask int64) (old int64)
func (x *Int64) Or(mask int64) (old int64)
func (x *Int64) CompareAndSwap(old, new int64) (swapped bool)
func (x *Int64) Load() int64
func (x *Int64) Store(val int64)
func (x *Int64) Swap(new int64) (old int64)

type Uint32 struct {
	_ noCopy
	v uint32
}

func (x *Uint32) Add(delta uint32) (new uint32)
func (x *Uint32) And(mask uint32) (old uint32)
func (x *Uint32) Or(mask uint32) (old uint32)
func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool)
func (x *Uint32) Load() uint32
func (x *Uint32) Store(val uint32)
func (x *Uint32) Swap(new uint32) (old uint32)

type Uint64 struct {
	_ noCopy
	_ align64
	v uint64
}

func (x *Uint64) Add(delta uint64) (new uint64)
func (x *Uint64) And(mask uint64) (old uint64)
func (x *Uint64) Or(mask uint64) (old uint64)
func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool)
func (x *Uint64) Load() uint64
func (x *Uint64) Store(val uint64)
func (x *Uint64) Swap(new uint64) (old uint64)

type Uintptr struct {
	_ noCopy
	v uintptr
}

func (x *Uintptr) Add(delta uintptr) (new uintptr)
func (x *Uintptr) And(mask uintptr) (old uintptr)
func (x *Uintptr) Or(mask uintptr) (old uintptr)
func (x *Uintptr) CompareAndSwap(old, new uintptr) (swapped bool)
func (x *Uintptr) Load() uintptr
func (x *Uintptr) Store(val uintptr)
func (x *Uintptr) Swap(new uintptr) (old uintptr)

type Bool struct {
	_ noCopy
	v uint32
}

func (x *Bool) Store(val bool)           { StoreUint32(&x.v, word(val)) }
func (x *Bool) Load() bool               { return LoadUint32(&x.v) != 0 }
func (x *Bool) Swap(new bool) (old bool) { return SwapUint32(&x.v, word(new)) != 0 }

func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	return CompareAndSwapUint32(&x.v, word(old), word(new))
}

func word(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// Value holds an interface whose dynamic type is fixed by the first Store. Its type word is published last; while the first Store is
// under way it holds a mark.
type Value struct {
	v any
}

type words struct {
	typ, data unsafe.Pointer
}

var underWay byte

func (v *Value) words() *words { return (*words)(unsafe.Pointer(v)) }

// settled is the type of what is held; nil if that is nothing yet.
func (v *Value) settled() unsafe.Pointer {
	if typ := LoadPointer(&v.words().typ); typ != unsafe.Pointer(&underWay) {
		return typ
	}
	return nil
}

func (v *Value) Load() (val any) {
	if typ := v.settled(); typ != nil {
		out := (*words)(unsafe.Pointer(&val))
		out.typ, out.data = typ, LoadPointer(&v.words().data)
	}
	return val
}

// claim makes the first Store: it is false once there is a value, of whose type new must be.
func (v *Value) claim(new *words, what string) bool {
	w := v.words()
	for {
		typ := LoadPointer(&w.typ)
		switch {
		case typ == nil:
			if !CompareAndSwapPointer(&w.typ, nil, unsafe.Pointer(&underWay)) {
				continue
			}
			StorePointer(&w.data, new.data)
			StorePointer(&w.typ, new.typ)
			return true
		case typ == unsafe.Pointer(&underWay):
			continue // soon done
		case typ != new.typ:
			panic("sync/atomic: " + what + " of inconsistently typed value into Value")
		}
		return false
	}
}

func (v *Value) Store(val any) {
	if val == nil {
		panic("sync/atomic: store of nil value into Value")
	}
	new := (*words)(unsafe.Pointer(&val))
	if !v.claim(new, "store") {
		StorePointer(&v.words().data, new.data)
	}
}

func (v *Value) Swap(new any) (old any) {
	if new == nil {
		panic("sync/atomic: swap of nil value into Value")
	}
	in, out := (*words)(unsafe.Pointer(&new)), (*words)(unsafe.Pointer(&old))
	if !v.claim(in, "swap") {
		out.typ, out.data = in.typ, SwapPointer(&v.words().data, in.data)
	}
	return old
}

func (v *Value) CompareAndSwap(old, new any) (swapped bool) {
	if new == nil {
		panic("sync/atomic: compare and swap of nil value into Value")
	}
	n := (*words)(unsafe.Pointer(&new))
	if o := (*words)(unsafe.Pointer(&old)); old != nil && o.typ != n.typ {
		panic("sync/atomic: compare and swap of inconsistently typed values")
	}
	w := v.words()
	for {
		typ := LoadPointer(&w.typ)
		switch {
		case typ == nil:
			return old == nil && v.claim(n, "compare and swap")
		case typ == unsafe.Pointer(&underWay):
			continue
		case typ != n.typ:
			panic("sync/atomic: compare and swap of inconsistently typed value into Value")
		}
		var now any
		have := (*words)(unsafe.Pointer(&now))
		have.typ = typ
		have.data = LoadPointer(&w.data)
		if now != old {
			return false
		}
		if CompareAndSwapPointer(&w.data, have.data, n.data) {
			return true
		}
	}
}
