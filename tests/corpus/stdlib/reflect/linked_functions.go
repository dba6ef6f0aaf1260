// run

// Functions of Go's runtime that it keeps open for those who link to them.
package main

import (
	"fmt"
	"reflect"
	"sort"
	"unsafe"
)

//go:linkname nanotime runtime.nanotime
func nanotime() int64

//go:linkname now time.now
func now() (sec int64, nsec int32, mono int64)

//go:linkname fastrand runtime.fastrand
func fastrand() uint32

//go:linkname fastrandn runtime.fastrandn
func fastrandn(n uint32) uint32

//go:linkname fastrand64 runtime.fastrand64
func fastrand64() uint64

//go:linkname memhash runtime.memhash
func memhash(p unsafe.Pointer, seed, size uintptr) uintptr

//go:linkname strhash runtime.strhash
func strhash(p unsafe.Pointer, seed uintptr) uintptr

//go:linkname memmove runtime.memmove
func memmove(to, from unsafe.Pointer, n uintptr)

//go:linkname typedmemmove reflect.typedmemmove
func typedmemmove(t, dst, src unsafe.Pointer)

//go:linkname unsafeNew reflect.unsafe_New
func unsafeNew(t unsafe.Pointer) unsafe.Pointer

//go:linkname unsafeNewArray reflect.unsafe_NewArray
func unsafeNewArray(t unsafe.Pointer, n int) unsafe.Pointer

//go:linkname typedslicecopy reflect.typedslicecopy
func typedslicecopy(t unsafe.Pointer, dst, src header) int

//go:linkname makemap reflect.makemap
func makemap(t unsafe.Pointer, n int) unsafe.Pointer

//go:linkname mapassign reflect.mapassign
func mapassign(t, m, key, val unsafe.Pointer)

//go:linkname mapaccess reflect.mapaccess
func mapaccess(t, m, key unsafe.Pointer) unsafe.Pointer

//go:linkname mapiterinit reflect.mapiterinit
func mapiterinit(t, m unsafe.Pointer, it *iter)

//go:linkname mapiternext reflect.mapiternext
func mapiternext(it *iter)

type header struct {
	data     unsafe.Pointer
	len, cap int
}

// An iter is what older versions of Go have.
type iter struct {
	key, val                           unsafe.Pointer
	t, h, buckets, bptr, overflow, old unsafe.Pointer
	start                              uintptr
	offset                             uint8
	wrapped                            bool
	b, i                               uint8
	bucket, check                      uintptr
	more                               [4]uintptr
}

func descriptor(t reflect.Type) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1] }

func main() {
	a := nanotime()
	fmt.Println(nanotime() >= a && a > 0)
	sec, _, mono := now()
	fmt.Println(sec > 1e9, mono > 0)
	fmt.Println(fastrandn(1), fastrandn(5) < 5, fastrand() != fastrand() || fastrand64() != fastrand64())
	x, y := "abc", "abd"
	z := string([]byte("abc"))
	fmt.Println(strhash(unsafe.Pointer(&x), 1) == strhash(unsafe.Pointer(&z), 1), strhash(unsafe.Pointer(&x), 1) == strhash(unsafe.Pointer(&y), 1))
	fmt.Println(memhash(unsafe.Pointer(unsafe.StringData(x)), 1, 2) == memhash(unsafe.Pointer(unsafe.StringData(y)), 1, 2))
	b := []byte("hello")
	memmove(unsafe.Pointer(&b[1]), unsafe.Pointer(&b[0]), 4)
	fmt.Println(string(b))

	t := descriptor(reflect.TypeFor[string]())
	p := (*string)(unsafeNew(t))
	typedmemmove(t, unsafe.Pointer(p), unsafe.Pointer(&x))
	fmt.Println(*p)
	l := unsafe.Slice((*string)(unsafeNewArray(t, 3)), 3)
	from := []string{"p", "q"}
	n := typedslicecopy(t, header{unsafe.Pointer(&l[0]), 3, 3}, header{unsafe.Pointer(&from[0]), 2, 2})
	fmt.Println(n, l)

	mt := descriptor(reflect.TypeFor[map[string]int]())
	m := makemap(mt, 10)
	for i, k := range []string{"x", "y", "z"} {
		mapassign(mt, m, unsafe.Pointer(&k), unsafe.Pointer(&i))
	}
	k := "y"
	fmt.Println(*(*int)(mapaccess(mt, m, unsafe.Pointer(&k))))
	k = "none"
	fmt.Println(mapaccess(mt, m, unsafe.Pointer(&k)) == nil, *(*map[string]int)(unsafe.Pointer(&m)))
	var it iter
	var all []string
	for mapiterinit(mt, m, &it); it.key != nil; mapiternext(&it) {
		all = append(all, fmt.Sprint(*(*string)(it.key), *(*int)(it.val)))
	}
	sort.Strings(all)
	fmt.Println(all)
}
