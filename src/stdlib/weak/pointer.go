// Package weak: pointers that do not keep alive what they point to.
package weak

import (
	"runtime"
	"sync"
	"unsafe"
)

// A Pointer leads to a value by way of a handle, a word that the collector clears when the value is
// gone.
type Pointer[T any] struct {
	_      [0]*T
	handle unsafe.Pointer
}

// Make gives equal pointers for equal ptr.
func Make[T any](ptr *T) Pointer[T] {
	if ptr == nil {
		return Pointer[T]{}
	}
	p := Pointer[T]{handle: handle(unsafe.Pointer(ptr))}
	runtime.KeepAlive(ptr)
	return p
}

// Value returns the pointer that Make was given, or nil if what it points to is gone.
func (p Pointer[T]) Value() *T {
	if p.handle == nil {
		return nil
	}
	return (*T)(value(p.handle))
}

// value returns what the handle holds, which is reachable from now on.
func value(handle unsafe.Pointer) unsafe.Pointer

// share returns the handle of the object at at, which is fresh if it had none; 0 if it is no object
// of the heap.
func share(at, fresh uintptr) uintptr

// lasting has the handles of what is never gone, such as variables of packages.
var lasting sync.Map

func handle(ptr unsafe.Pointer) unsafe.Pointer {
	at := uintptr(ptr)
	// Without pointers, so that the collector does not follow it, and in no object with others.
	fresh := &[2]uintptr{at}
	h := unsafe.Pointer(share(at, uintptr(unsafe.Pointer(fresh))))
	runtime.KeepAlive(ptr)
	if h == nil {
		found, _ := lasting.LoadOrStore(at, fresh)
		return unsafe.Pointer(found.(*[2]uintptr))
	}
	runtime.KeepAlive(fresh)
	return h
}
