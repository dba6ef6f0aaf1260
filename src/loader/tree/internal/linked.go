// Package linked has what programs get that link to functions of Go's runtime (go:linkname): those
// that Go keeps open since much is built on them. list.txt says which. Types come as the addresses
// of their descriptors.
package linked

import (
	"hash/maphash"
	"math/rand/v2"
	"reflect"
	"time"
	"unsafe"
)

var start = time.Now()

// Now is the time of day, and a monotonic clock.
func Now() (sec int64, nsec int32, mono int64) {
	t := time.Now()
	return t.Unix(), int32(t.Nanosecond()), int64(t.Sub(start)) + 1
}

// Rand, Rand32 and Rand32n draw random numbers.
func Rand() uint64 { return rand.Uint64() }

// Rand32 is one of 32 bits.
func Rand32() uint32 { return rand.Uint32() }

// Rand32n is one below n.
func Rand32n(n uint32) uint32 { return rand.Uint32N(max(n, 1)) }

var seed = maphash.MakeSeed()

// Memhash is a hash of size bytes, of those for that seed.
func Memhash(p unsafe.Pointer, seed, size uintptr) uintptr {
	return mixed(unsafe.Slice((*byte)(p), size), seed)
}

// StringHash is the same of a string.
func StringHash(s string, seed uintptr) uintptr {
	return mixed(unsafe.Slice(unsafe.StringData(s), len(s)), seed)
}

// Strhash is the same of the string at p.
func Strhash(p unsafe.Pointer, seed uintptr) uintptr { return StringHash(*(*string)(p), seed) }

func mixed(b []byte, s uintptr) uintptr {
	h := maphash.Bytes(seed, b) ^ uint64(s)*0x9e3779b97f4a7c15
	h *= 0xff51afd7ed558ccd
	return uintptr(h ^ h>>32)
}

// Memmove copies bytes.
func Memmove(to, from unsafe.Pointer, n uintptr) {
	copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(from), n))
}

// Memequal compares bytes.
func Memequal(a, b unsafe.Pointer, size uintptr) bool {
	return string(unsafe.Slice((*byte)(a), size)) == string(unsafe.Slice((*byte)(b), size))
}

// typeAt is the type with that descriptor: the second word of a reflect.Type.
func typeAt(descriptor unsafe.Pointer) reflect.Type {
	t := reflect.TypeFor[int]()
	(*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1] = descriptor
	return t
}

// at is the variable of a type at p.
func at(t, p unsafe.Pointer) reflect.Value { return reflect.NewAt(typeAt(t), p).Elem() }

// New makes a variable.
func New(t unsafe.Pointer) unsafe.Pointer { return reflect.New(typeAt(t)).UnsafePointer() }

// NewArray makes variables that lie side by side.
func NewArray(t unsafe.Pointer, n int) unsafe.Pointer {
	return reflect.MakeSlice(reflect.SliceOf(typeAt(t)), n, n).UnsafePointer()
}

// Typedmemmove copies a variable.
func Typedmemmove(t, dst, src unsafe.Pointer) { at(t, dst).Set(at(t, src)) }

type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// Typedslicecopy copies elements.
func Typedslicecopy(t unsafe.Pointer, dst, src slice) int {
	of := reflect.SliceOf(typeAt(t))
	to := reflect.NewAt(of, unsafe.Pointer(&dst)).Elem()
	return reflect.Copy(to, reflect.NewAt(of, unsafe.Pointer(&src)).Elem())
}

// Makemap makes a map.
func Makemap(t unsafe.Pointer, n int) unsafe.Pointer {
	return reflect.MakeMapWithSize(typeAt(t), n).UnsafePointer()
}

// mapAt is a map, with the types of its keys and entries.
func mapAt(t unsafe.Pointer, m *unsafe.Pointer) (v reflect.Value, key, elem unsafe.Pointer) {
	v = at(t, unsafe.Pointer(m))
	return v, descriptor(v.Type().Key()), descriptor(v.Type().Elem())
}

func descriptor(t reflect.Type) unsafe.Pointer {
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1]
}

// kept is a variable with that value.
func kept(v reflect.Value) unsafe.Pointer {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.UnsafePointer()
}

// Mapaccess is a copy of the entry for a key, nil if there is none.
func Mapaccess(t, m, key unsafe.Pointer) unsafe.Pointer {
	v, k, _ := mapAt(t, &m)
	found := v.MapIndex(at(k, key))
	if !found.IsValid() {
		return nil
	}
	return kept(found)
}

// Mapassign sets an entry.
func Mapassign(t, m, key, elem unsafe.Pointer) {
	v, k, e := mapAt(t, &m)
	v.SetMapIndex(at(k, key), at(e, elem))
}

// Mapdelete takes an entry away.
func Mapdelete(t, m, key unsafe.Pointer) {
	v, k, _ := mapAt(t, &m)
	v.SetMapIndex(at(k, key), reflect.Value{})
}

// Maplen is how many entries there are.
func Maplen(m unsafe.Pointer) int {
	if m == nil {
		return 0
	}
	return len(*(*map[int]int)(unsafe.Pointer(&m)))
}

// An iterator goes over a map; whoever made it knows the first two words, and gives room for more.
type iterator struct {
	key, elem unsafe.Pointer
	iter      *reflect.MapIter
}

// Mapiterinit begins, with the first entry.
func Mapiterinit(t, m unsafe.Pointer, it *iterator) {
	it.iter = at(t, kept(at(t, unsafe.Pointer(&m)))).MapRange()
	Mapiternext(it)
}

// Mapiternext goes on; at the end there is no key.
func Mapiternext(it *iterator) {
	it.key, it.elem = nil, nil
	if it.iter.Next() {
		it.key, it.elem = kept(it.iter.Key()), kept(it.iter.Value())
	}
}

// Mapiterkey and Mapiterelem are what an iterator is at.
func Mapiterkey(it *iterator) unsafe.Pointer { return it.key }

// Mapiterelem is the entry.
func Mapiterelem(it *iterator) unsafe.Pointer { return it.elem }

// IfaceE2I converts to an interface.
func IfaceE2I(t unsafe.Pointer, src any, dst unsafe.Pointer) {
	at(t, dst).Set(reflect.ValueOf(src))
}

// An eface is what Go has for an interface without methods: the data is a pointer to the value, or
// the value itself if it is a pointer, however deep in structs and arrays of one element.
type eface struct{ rtype, data unsafe.Pointer }

func isPointer(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return true
	case reflect.Struct:
		return t.NumField() == 1 && isPointer(t.Field(0).Type)
	case reflect.Array:
		return t.Len() == 1 && isPointer(t.Elem())
	}
	return false
}

// UnpackEFace gives the words that Go would have.
func UnpackEFace(x any) *eface {
	if x == nil {
		return new(eface)
	}
	v := reflect.ValueOf(x)
	e := &eface{rtype: descriptor(v.Type())}
	if e.data = kept(v); isPointer(v.Type()) {
		e.data = *(*unsafe.Pointer)(e.data)
	}
	return e
}

// PackEFace makes an interface of such words.
func PackEFace(t, data unsafe.Pointer) any {
	if t == nil {
		return nil
	}
	if isPointer(typeAt(t)) {
		return at(t, unsafe.Pointer(&data)).Interface()
	}
	return at(t, data).Interface()
}
