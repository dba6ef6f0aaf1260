package atomic

import "unsafe"

// A Pointer is a *T that several goroutines change. The zero Pointer is nil.
type Pointer[T any] struct {
	_ [0]*T // no conversion between different ones
	v unsafe.Pointer
}

func (p *Pointer[T]) Store(val *T)         { StorePointer(&p.v, unsafe.Pointer(val)) }
func (p *Pointer[T]) Load() *T             { return (*T)(LoadPointer(&p.v)) }
func (p *Pointer[T]) Swap(new *T) (old *T) { return (*T)(SwapPointer(&p.v, unsafe.Pointer(new))) }

func (p *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	return CompareAndSwapPointer(&p.v, unsafe.Pointer(old), unsafe.Pointer(new))
}
