// run

// Functions of package syscall that Go keeps open for those who link to them.
package main

import (
	"fmt"
	"syscall"
	"unsafe"
)

//go:linkname getsockopt syscall.getsockopt
func getsockopt(s, level, name int, val unsafe.Pointer, n *uint32) error

//go:linkname setsockopt syscall.setsockopt
func setsockopt(s, level, name int, val unsafe.Pointer, n uintptr) error

//go:linkname mmap syscall.mmap
func mmap(addr, length uintptr, prot, flags, fd int, offset int64) (uintptr, error)

//go:linkname prlimit syscall.prlimit
func prlimit(pid, resource int, newlimit, old *syscall.Rlimit) error

//go:linkname gettimeofday syscall.gettimeofday
func gettimeofday(tv *syscall.Timeval) syscall.Errno

func main() {
	s, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	fmt.Println(err)
	const level, name = syscall.SOL_SOCKET, syscall.SO_BROADCAST
	var val int32 = 1
	fmt.Println(setsockopt(s, level, name, unsafe.Pointer(&val), unsafe.Sizeof(val)))
	var got [2]int32
	n := uint32(unsafe.Sizeof(got))
	fmt.Println(getsockopt(s, level, name, unsafe.Pointer(&got), &n), n, got)
	fmt.Println(setsockopt(-1, level, name, unsafe.Pointer(&val), unsafe.Sizeof(val)))
	fmt.Println(getsockopt(s, level, 9999, unsafe.Pointer(&got), &n))
	syscall.Close(s)

	const prot, flags = syscall.PROT_READ | syscall.PROT_WRITE, syscall.MAP_ANON | syscall.MAP_PRIVATE
	at, err := mmap(0, 8192, prot, flags, -1, 0)
	fmt.Println(at%4096, err)
	b := unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), 8192)
	b[8191] = 7
	fmt.Println(b[0], b[8191])
	fmt.Println(mmap(0, 0, prot, flags, -1, 0))

	var a, c syscall.Rlimit
	fmt.Println(prlimit(0, syscall.RLIMIT_CORE, nil, &a), syscall.Getrlimit(syscall.RLIMIT_CORE, &c), a == c)
	fmt.Println(prlimit(0, 99, nil, &a))
	var tv syscall.Timeval
	fmt.Println(gettimeofday(&tv), tv.Sec > 1e9)
}
