package poll

import (
	"runtime"
	"syscall"
	"unsafe"
)

// Socket calls. Addresses are as the kernel lays them out; an errno of 0 means success. What only a number points to is kept
// alive by hand.

func call(trap uintptr, a, b, c, d, e, f uintptr) (r, errno int) {
	for {
		r, _, err := syscall.RawSyscall6(trap, a, b, c, d, e, f)
		if err != syscall.EINTR {
			return int(r), int(err)
		}
	}
}

func start(p []byte) uintptr { return at(unsafe.SliceData(p)) }

func at[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// A room is where the kernel puts an address, and its size.
type room struct {
	bytes [128]byte
	size  uint32
}

func newRoom() *room { return &room{size: uint32(len(room{}.bytes))} }

// address is what the kernel has put there.
func (r *room) address() []byte { return r.bytes[:min(int(r.size), len(r.bytes))] }

// Socket makes a non-blocking socket that programs started from here do not inherit.
func Socket(family, kind, proto int) (fd, errno int) {
	return call(syscall.SYS_SOCKET, uintptr(family), uintptr(kind|syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC), uintptr(proto), 0, 0, 0)
}

func Bind(fd int, address []byte) (errno int) {
	concerns(Meets(address))
	_, errno = call(syscall.SYS_BIND, uintptr(fd), start(address), uintptr(len(address)), 0, 0, 0)
	runtime.KeepAlive(address)
	return errno
}

// Meets is a number for an address, by which goroutines can meet: that of its port, or of its path.
func Meets(address []byte) (n uintptr) {
	if len(address) < 4 {
		return 0
	}
	if address[0] != syscall.AF_UNIX {
		return 1<<32 | uintptr(address[2])<<8 | uintptr(address[3])
	}
	for _, c := range address[2:] {
		if c != 0 {
			n = n*31 + uintptr(c)
		}
	}
	return 1<<33 | n&(1<<32-1)
}

func Connect(fd int, address []byte) (errno int) {
	concerns(Meets(address))
	_, errno = call(syscall.SYS_CONNECT, uintptr(fd), start(address), uintptr(len(address)), 0, 0, 0)
	runtime.KeepAlive(address)
	return errno
}

func Listen(fd, backlog int) (errno int) {
	_, errno = call(syscall.SYS_LISTEN, uintptr(fd), uintptr(backlog), 0, 0, 0, 0)
	return errno
}

func Shutdown(fd, how int) (errno int) {
	concerns(0)
	_, errno = call(syscall.SYS_SHUTDOWN, uintptr(fd), uintptr(how), 0, 0, 0, 0)
	return errno
}

// named makes a call that fills in an address.
func named(trap uintptr, fd int, flags int) (r int, address []byte, errno int) {
	to := newRoom()
	r, errno = call(trap, uintptr(fd), at(&to.bytes), at(&to.size), uintptr(flags), 0, 0)
	if errno == 0 {
		address = to.address()
	}
	runtime.KeepAlive(to)
	return r, address, errno
}

func Getsockname(fd int) (address []byte, errno int) {
	_, address, errno = named(syscall.SYS_GETSOCKNAME, fd, 0)
	return address, errno
}

func Getpeername(fd int) (address []byte, errno int) {
	_, address, errno = named(syscall.SYS_GETPEERNAME, fd, 0)
	return address, errno
}

func SetOption(fd, level, option, value int) (errno int) {
	word := [4]byte{byte(value), byte(value >> 8), byte(value >> 16), byte(value >> 24)}
	return SetOptionBytes(fd, level, option, word[:])
}

// SetOptionBytes sets an option that is a structure.
func SetOptionBytes(fd, level, option int, value []byte) (errno int) {
	_, errno = call(syscall.SYS_SETSOCKOPT, uintptr(fd), uintptr(level), uintptr(option), start(value), uintptr(len(value)), 0)
	runtime.KeepAlive(value)
	return errno
}

func Option(fd, level, option int) (value, errno int) {
	word := &struct{ value, size int32 }{size: 4}
	_, errno = call(syscall.SYS_GETSOCKOPT, uintptr(fd), uintptr(level), uintptr(option), at(&word.value), at(&word.size), 0)
	runtime.KeepAlive(word)
	return int(word.value), errno
}

// Accept waits for a connection; one that has gone before it was accepted is none.
func (fd *FD) Accept() (conn int, peer []byte, err error) {
	const flags = syscall.SOCK_CLOEXEC | syscall.SOCK_NONBLOCK
	concerns(fd.Meets)
	err = fd.reads(func(sysfd int) int {
		errno := int(syscall.ECONNABORTED)
		for errno == int(syscall.ECONNABORTED) {
			conn, peer, errno = named(syscall.SYS_ACCEPT4, sysfd, flags)
		}
		return errno
	})
	return conn, peer, err
}

// ReadFrom receives a message and its sender's address, empty if there is none.
func (fd *FD) ReadFrom(p []byte) (n int, from []byte, err error) {
	concerns(fd.Meets)
	sender := newRoom()
	whole := sender.size
	err = fd.reads(func(sysfd int) (errno int) {
		sender.size = whole
		n, errno = call(syscall.SYS_RECVFROM, uintptr(sysfd), start(p), uintptr(len(p)), 0, at(&sender.bytes), at(&sender.size))
		return errno
	})
	runtime.KeepAlive(p)
	if err == nil {
		return n, sender.address(), nil
	}
	return 0, nil, err
}

// WriteTo sends a message, to the socket's peer if the address is empty.
func (fd *FD) WriteTo(p []byte, address []byte) (n int, err error) {
	concerns(Meets(address))
	where, size := start(address), uintptr(len(address))
	err = fd.writes(func(sysfd int) (errno int) {
		n, errno = call(syscall.SYS_SENDTO, uintptr(sysfd), start(p), uintptr(len(p)), syscall.MSG_NOSIGNAL, where, size)
		return errno
	})
	runtime.KeepAlive(address)
	runtime.KeepAlive(p)
	if err != nil {
		n = 0
	}
	return n, err
}

// A message header as the kernel has it.
type header struct {
	name       uintptr
	nameSize   uint32
	_          uint32
	parts      uintptr
	partsCount uintptr
	control    uintptr
	controlLen uintptr
	flags      int32
	_          int32
}

type part struct{ base, size uintptr }

// beside is p, or a byte that is nobody's: streams carry no control data without one. As in Go, it
// counts as received, not as sent.
func beside(sysfd int, p, oob []byte) []byte {
	if len(p) > 0 || len(oob) == 0 {
		return p
	}
	kind, errno := Option(sysfd, syscall.SOL_SOCKET, syscall.SO_TYPE)
	if errno != 0 || kind == syscall.SOCK_DGRAM {
		return p
	}
	return make([]byte, 1)
}

// ReadMsg receives a message with its control data.
func (fd *FD) ReadMsg(p, oob []byte, flags int) (n, oobn, recvflags int, from []byte, err error) {
	concerns(fd.Meets)
	err = fd.reads(func(sysfd int) (errno int) {
		buf := make([]byte, 128)
		bytes := beside(sysfd, p, oob)
		vec := &part{start(bytes), uintptr(len(bytes))}
		h := &header{name: start(buf), nameSize: uint32(len(buf)), parts: uintptr(unsafe.Pointer(vec)), partsCount: 1}
		if len(oob) > 0 {
			h.control, h.controlLen = start(oob), uintptr(len(oob))
		}
		n, errno = call(syscall.SYS_RECVMSG, uintptr(sysfd), uintptr(unsafe.Pointer(h)), uintptr(flags), 0, 0, 0)
		runtime.KeepAlive(bytes)
		runtime.KeepAlive(oob)
		runtime.KeepAlive(vec)
		oobn, recvflags, from = int(h.controlLen), int(h.flags), buf[:min(int(h.nameSize), len(buf))]
		return errno
	})
	if err != nil {
		return 0, 0, 0, nil, err
	}
	return n, oobn, recvflags, from, nil
}

// WriteMsg sends a message with control data.
func (fd *FD) WriteMsg(p, oob, address []byte) (n, oobn int, err error) {
	concerns(Meets(address))
	err = fd.writes(func(sysfd int) (errno int) {
		bytes := beside(sysfd, p, oob)
		vec := &part{start(bytes), uintptr(len(bytes))}
		h := &header{parts: uintptr(unsafe.Pointer(vec)), partsCount: 1}
		if len(address) > 0 {
			h.name, h.nameSize = start(address), uint32(len(address))
		}
		if len(oob) > 0 {
			h.control, h.controlLen = start(oob), uintptr(len(oob))
		}
		n, errno = call(syscall.SYS_SENDMSG, uintptr(sysfd), uintptr(unsafe.Pointer(h)), syscall.MSG_NOSIGNAL, 0, 0, 0)
		runtime.KeepAlive(bytes)
		runtime.KeepAlive(oob)
		runtime.KeepAlive(address)
		runtime.KeepAlive(vec)
		runtime.KeepAlive(h)
		return errno
	})
	if err != nil {
		return 0, 0, err
	}
	return min(n, len(p)), len(oob), nil
}
