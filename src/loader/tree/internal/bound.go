// Package bound has the bodies of functions that Go has in assembly, or gives a package by
// go:linkname: list.txt says whose.
package bound

import (
	"os"
	"syscall"
	"time"
	"unsafe"
)

// Nothing does nothing.
func Nothing() {}

// IsBypassed says that FIPS mode is not switched off for a while: there is none.
func IsBypassed() bool { return false }

// Indicator and SetIndicator keep no notes on FIPS services.
func Indicator() uint8 { return 0 }

// SetIndicator does nothing.
func SetIndicator(uint8) {}

// Fatal ends the process as the runtime does.
func Fatal(text string) {
	os.Stderr.WriteString("fatal error: " + text + "\n")
	os.Exit(2)
}

var start = time.Now()

// MonoTime is a monotonic clock in nanoseconds.
func MonoTime() int64 { return int64(time.Since(start)) }

// Cpuid finds a processor without any extension.
func Cpuid(eaxArg, ecxArg uint32) (eax, ebx, ecx, edx uint32) { return }

// Xgetbv finds nothing switched on.
func Xgetbv() (eax, edx uint32) { return }

// Auxv gives nothing of what the kernel told the process.
func Auxv() []uintptr { return nil }

// Vgetrandom says that the kernel's random numbers come by a system call only.
func Vgetrandom(p []byte, flags uint32) (ret int, supported bool) { return -1, false }

// SyscallNoError makes a system call that cannot fail.
func SyscallNoError(trap, a1, a2, a3 uintptr) (r1, r2 uintptr) {
	r1, r2, _ = syscall.Syscall(trap, a1, a2, a3)
	return r1, r2
}

// RawSyscallNoError makes a system call that cannot fail and does not block.
func RawSyscallNoError(trap, a1, a2, a3 uintptr) (r1, r2 uintptr) {
	r1, r2, _ = syscall.RawSyscall(trap, a1, a2, a3)
	return r1, r2
}

const (
	sysMmap         = 9
	sysSetsockopt   = 54
	sysGetsockopt   = 55
	sysFcntl        = 72
	sysGettimeofday = 96
	sysPrlimit64    = 302
)

// Gettimeofday fills a Timeval.
func Gettimeofday(tv unsafe.Pointer) syscall.Errno {
	_, _, errno := syscall.RawSyscall(sysGettimeofday, uintptr(tv), 0, 0)
	return errno
}

// Fcntl gives a result, or -1 and an error number.
func Fcntl(fd, cmd, arg int32) (int32, int32) {
	r, _, errno := syscall.Syscall(sysFcntl, uintptr(fd), uintptr(cmd), uintptr(arg))
	if errno != 0 {
		return -1, int32(errno)
	}
	return int32(r), 0
}

// Prlimit reads and sets limits of a process.
func Prlimit(pid, resource int, newlimit, old unsafe.Pointer) error {
	_, _, errno := syscall.RawSyscall6(sysPrlimit64, uintptr(pid), uintptr(resource),
		uintptr(newlimit), uintptr(old), 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// Getsockopt reads an option of a socket; n is how much room there is at val, and then how much is
// used.
func Getsockopt(s, level, name int, val unsafe.Pointer, n *uint32) error {
	_, _, errno := syscall.Syscall6(sysGetsockopt, uintptr(s), uintptr(level), uintptr(name),
		uintptr(val), uintptr(unsafe.Pointer(n)), 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// Setsockopt sets an option of a socket to the n bytes at val.
func Setsockopt(s, level, name int, val unsafe.Pointer, n uintptr) error {
	_, _, errno := syscall.Syscall6(sysSetsockopt, uintptr(s), uintptr(level), uintptr(name),
		uintptr(val), n, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// Mmap maps memory, at an address of the caller's if the flags say so.
func Mmap(addr, length uintptr, prot, flags, fd int, offset int64) (uintptr, error) {
	at, _, errno := syscall.Syscall6(sysMmap, addr, length, uintptr(prot), uintptr(flags),
		uintptr(fd), uintptr(offset))
	if errno != 0 {
		return at, errno
	}
	return at, nil
}
