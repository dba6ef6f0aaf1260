package syscall

import (
	"runtime"
	"sync"
	"unsafe"
)

// Mapped memory, by the address of the last byte that a slice could have.
var mapped struct {
	sync.Mutex
	of map[*byte][]byte
}

func Mmap(fd int, offset int64, length int, prot int, flags int) (data []byte, err error) {
	if length <= 0 {
		return nil, EINVAL
	}
	addr, _, errno := Syscall6(SYS_MMAP, 0, uintptr(length), uintptr(prot), uintptr(flags),
		uintptr(fd), uintptr(offset))
	if errno != 0 {
		return nil, errno
	}
	data = unsafe.Slice((*byte)(unsafe.Pointer(addr)), length)
	mapped.Lock()
	defer mapped.Unlock()
	if mapped.of == nil {
		mapped.of = map[*byte][]byte{}
	}
	mapped.of[&data[length-1]] = data
	return data, nil
}

// Munmap takes what Mmap gave, and nothing else.
func Munmap(b []byte) (err error) {
	if len(b) == 0 || len(b) != cap(b) {
		return EINVAL
	}
	last := &b[cap(b)-1]
	mapped.Lock()
	defer mapped.Unlock()
	if whole := mapped.of[last]; whole == nil || &whole[0] != &b[0] {
		return EINVAL
	}
	err = outcome1(Syscall(SYS_MUNMAP, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), 0))
	if err == nil {
		delete(mapped.of, last)
	}
	return err
}

func onMemory(trap uintptr, b []byte, arg int) error {
	err := outcome1(Syscall(trap, dataOf(b), uintptr(len(b)), uintptr(arg)))
	runtime.KeepAlive(b)
	return err
}

func Madvise(b []byte, advice int) (err error) { return onMemory(SYS_MADVISE, b, advice) }
func Mprotect(b []byte, prot int) (err error)  { return onMemory(SYS_MPROTECT, b, prot) }
func Mlock(b []byte) (err error)               { return onMemory(SYS_MLOCK, b, 0) }
func Munlock(b []byte) (err error)             { return onMemory(SYS_MUNLOCK, b, 0) }
func Mlockall(flags int) (err error)           { return plain(SYS_MLOCKALL, uintptr(flags), 0) }
func Munlockall() (err error)                  { return plain(SYS_MUNLOCKALL, 0, 0) }
