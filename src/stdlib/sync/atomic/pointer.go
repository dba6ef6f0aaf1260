package atomic

import "unsafe"

// A Pointer is a *T that several goroutines change. The zero Pointer is nil.
type Pointer[T any] struct {
	_ [0]*T // no conversion between different ones
	v unsafe.Pointer
}

func (x *Pointer[T]) Load() *T             { return (*T)(LoadPointer(&x.v)) }
func (x *Pointer[T]) Store(val *T)         { StorePointer(&x.v, unsafe.Pointer(val)) }
func (x *Pointer[T]) Swap(new *T) (old *T) { return (*T)(SwapPointer(&x.v, unsafe.Pointer(new))) }

func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	return CompareAndSwapPointer(&x.v, unsafe.Pointer(old), unsafe.Pointer(new))
}
