package syscall

import (
	"runtime"
	"sync"
	"unsafe"
)

// mapped is how much Mmap has mapped, by where it begins.
var mapped struct {
	sync.Mutex
	sizes map[*byte]int
}

func Mmap(fd int, offset int64, length int, prot int, flags int) (data []byte, err error) {
	if length < 1 {
		return nil, EINVAL
	}
	size, from := uintptr(length), uintptr(offset)
	start, _, errno := Syscall6(SYS_MMAP, 0, size, uintptr(prot), uintptr(flags), uintptr(fd), from)
	if errno != 0 {
		return nil, errno
	}
	first := (*byte)(unsafe.Pointer(start))
	mapped.Lock()
	if mapped.sizes == nil {
		mapped.sizes = make(map[*byte]int)
	}
	mapped.sizes[first] = length
	mapped.Unlock()
	return unsafe.Slice(first, length), nil
}

// Munmap takes what Mmap gave, and nothing else.
func Munmap(b []byte) (err error) {
	mapped.Lock()
	defer mapped.Unlock()
	first := unsafe.SliceData(b)
	if size, isMapped := mapped.sizes[first]; !isMapped || size != len(b) || size != cap(b) {
		return EINVAL
	}
	if err = onMemory(SYS_MUNMAP, b, 0); err == nil {
		delete(mapped.sizes, first)
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
