// Package poll: descriptors that several goroutines use at once. Reads and writes park the goroutine where the poller knows the
// descriptor, and block in the kernel elsewhere. Packages os and net stand on it; programs cannot import it.
package poll

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Natives. A pd is the poller's handle, 0 for none. A code or errno is 0, the kernel's number, or one of those below.
func pollOpen(fd int) (pd uintptr, errno int)
func pollEvict(pd uintptr)
func pollPrepare(pd uintptr, write bool) (code int)
func pollWait(pd uintptr, write bool) (code int)
func pollDeadline(pd uintptr, write bool, at int64)
func nanotime() int64

// concerns is called before a call by which goroutines can meet each other at whom.
func concerns(whom uintptr)

// AsksForNames says that a server of names is asked, which is never in this process: by this socket, or, if it is −1, soon.
func AsksForNames(fd int)

// IsTaped tells whether what is written to the descriptor shows outside of a recorded run, so that it has to come by here.
func IsTaped(fd int) bool

// obeyInterrupt is runtime.Goexit if the goroutine was interrupted at a prompt.
func obeyInterrupt()

// MakePoller makes the poller before the descriptors that it needs are used up.
func MakePoller()

// begin counts one more use of the descriptor, unless it has been closed.
func begin(fd *FD) bool

// end ends a use; the last one of a closed FD closes the descriptor.
func end(fd *FD)

// readOnce and writeAll are for one reader and one writer at a time, as the poller demands. If a write ends early without a code,
// the descriptor took nothing.
func readOnce(fd *FD, p []byte) (n, code int)
func writeAll(fd *FD, p []byte) (n, code int)

const (
	codeClosing     = -1
	codeTimeout     = -2
	codeInterrupted = -3
)

type errNetClosing struct{}

func (errNetClosing) Error() string   { return "use of closed network connection" }
func (errNetClosing) Timeout() bool   { return false }
func (errNetClosing) Temporary() bool { return false }

type DeadlineExceededError struct{}

func (*DeadlineExceededError) Error() string   { return "i/o timeout" }
func (*DeadlineExceededError) Timeout() bool   { return true }
func (*DeadlineExceededError) Temporary() bool { return true }

var (
	ErrNetClosing             = errNetClosing{}
	ErrFileClosing            = errors.New("use of closed file")
	ErrNoDeadline             = errors.New("file type does not support deadline")
	ErrNotPollable            = errors.New("not pollable")
	ErrDeadlineExceeded error = &DeadlineExceededError{}
)

// An FD is a descriptor with its users counted: it is closed in the kernel once it has been closed here and nobody uses it. The
// natives know its layout.
type FD struct {
	state   int64         // by atomic operations: twice the number of uses; odd once closed
	reading sync.Mutex    // by who reads
	writing sync.Mutex    // by who writes
	gone    chan struct{} // of one in the poller: closed when it is closed in the kernel
	pd      uintptr

	errno int // of the close in the kernel

	Sysfd         int
	IsStream      bool // reads and writes may be cut; else each is one message
	ZeroReadIsEOF bool
	Closed        error // what uses fail with when it has been closed
	Blocking      bool  // not in the poller

	Meets uintptr // a number that those who use the same name share
}

const (
	closedBit = 1
	oneUse    = 2
)

// Init puts the descriptor, which must be non-blocking then, into the poller if asked to.
func (fd *FD) Init(pollable bool) error {
	errno := 0
	if pollable {
		fd.pd, errno = pollOpen(fd.Sysfd)
	}
	if fd.Blocking = fd.pd == 0; !fd.Blocking {
		fd.gone = make(chan struct{})
	}
	if errno != 0 {
		return syscall.Errno(errno)
	}
	return nil
}

// InPoller tells whether waits park the goroutine.
func (fd *FD) InPoller() bool { return fd.pd != 0 }

// failure makes an error of what a native gave. It is called when nothing is held that no deferred call gives back.
func (fd *FD) failure(code int) error {
	switch code {
	case 0:
		return nil
	case codeClosing:
		return fd.Closed
	case codeTimeout:
		return ErrDeadlineExceeded
	case codeInterrupted:
		obeyInterrupt()
	}
	return syscall.Errno(code)
}

// Begin begins a use of the descriptor, which End ends.
func (fd *FD) Begin() error {
	if begin(fd) {
		return nil
	}
	return fd.Closed
}

func (fd *FD) End() { end(fd) }

// Close ends all waits on the descriptor and closes it when they are over, which it waits for if they park.
func (fd *FD) Close() error {
	for {
		s := atomic.LoadInt64(&fd.state)
		if s&closedBit != 0 {
			return fd.Closed
		}
		if atomic.CompareAndSwapInt64(&fd.state, s, s+oneUse|closedBit) {
			break
		}
	}
	pollEvict(fd.pd)
	parks := !fd.Blocking && fd.gone != nil
	fd.End()
	if parks {
		<-fd.gone
	}
	return fd.failure(fd.errno)
}

// SetBlocking makes the kernel block again, for a descriptor that leaves our hands.
func (fd *FD) SetBlocking() error {
	if err := fd.Begin(); err != nil {
		return err
	}
	fd.Blocking = true
	err := syscall.SetNonblock(fd.Sysfd, false)
	fd.End()
	return err
}

// turn begins a use by one of those who do the same, when it is their turn. What it gives is to be
// unlocked at the end; nil if the descriptor has been closed.
func (fd *FD) turn(of *sync.Mutex) *sync.Mutex {
	// Who is interrupted while it waits for the lock has begun no use.
	if fd.state&closedBit != 0 {
		return nil
	}
	of.Lock()
	if begin(fd) {
		return of
	}
	of.Unlock()
	return nil
}

func (fd *FD) Read(p []byte) (int, error) {
	mine := fd.turn(&fd.reading)
	if mine == nil {
		return 0, fd.Closed
	}
	n, code := 0, 0
	if len(p) > 0 {
		n, code = readOnce(fd, p)
	}
	mine.Unlock()
	end(fd)
	if code != 0 {
		return n, fd.failure(code)
	}
	return n, fd.ended(n, p)
}

// ended is EOF if nothing was read where that says so.
func (fd *FD) ended(n int, p []byte) error {
	if n == 0 && fd.ZeroReadIsEOF && len(p) > 0 {
		return io.EOF
	}
	return nil
}

func (fd *FD) Write(p []byte) (int, error) {
	mine := fd.turn(&fd.writing)
	if mine == nil {
		return 0, fd.Closed
	}
	n, code := writeAll(fd, p)
	mine.Unlock()
	end(fd)
	if n < len(p) && code == 0 {
		return n, io.ErrUnexpectedEOF
	}
	return n, fd.failure(code)
}

func (fd *FD) Pread(p []byte, offset int64) (n int, err error) {
	if !begin(fd) {
		return 0, fd.Closed
	}
	n, err = syscall.Pread(fd.Sysfd, p, offset)
	end(fd)
	if err == nil {
		err = fd.ended(n, p)
	}
	return max(n, 0), err
}

func (fd *FD) Pwrite(p []byte, offset int64) (done int, err error) {
	if !begin(fd) {
		return 0, fd.Closed
	}
	for first := true; err == nil && (first || done < len(p)); first = false {
		n, fault := syscall.Pwrite(fd.Sysfd, p[done:], offset+int64(done))
		if err = fault; n > 0 {
			done += n
		} else if err == nil && len(p) > 0 {
			err = io.ErrUnexpectedEOF
		}
	}
	end(fd)
	return done, err
}

func (fd *FD) Seek(offset int64, whence int) (int64, error) {
	if err := fd.Begin(); err != nil {
		return 0, err
	}
	at, err := syscall.Seek(fd.Sysfd, offset, whence)
	fd.End()
	return at, err
}

// reads makes call, which must not block, until it does not say EAGAIN.
func (fd *FD) reads(call func(fd int) (errno int)) error {
	return fd.persist(fd.turn(&fd.reading), false, call)
}

func (fd *FD) writes(call func(fd int) (errno int)) error {
	return fd.persist(fd.turn(&fd.writing), true, call)
}

// persist makes the call again and again, in our turn.
func (fd *FD) persist(mine *sync.Mutex, write bool, call func(fd int) (errno int)) error {
	if mine == nil {
		return fd.Closed
	}
	defer mine.Unlock()
	defer end(fd)
	code := 0
	for isOver := false; !isOver; {
		if fd.pd != 0 {
			code = pollPrepare(fd.pd, write)
		}
		if code == 0 {
			code = call(fd.Sysfd)
		}
		isOver = code != int(syscall.EINTR)
		if code == int(syscall.EAGAIN) && fd.pd != 0 {
			code = pollWait(fd.pd, write)
			isOver = code != 0
		}
	}
	return fd.failure(code)
}

// WaitWrite waits until the descriptor can be written to: a connection has been made, or not.
func (fd *FD) WaitWrite() error {
	return fd.failure(pollWait(fd.pd, true))
}

// Prepare forgets earlier readiness to be written to.
func (fd *FD) Prepare() error {
	return fd.failure(pollPrepare(fd.pd, true))
}

func (fd *FD) RawControl(f func(uintptr)) error {
	err := fd.Begin()
	if err == nil {
		defer fd.End()
		f(uintptr(fd.Sysfd))
	}
	return err
}

// again is what retry goes on after.
func again(done bool) int {
	if done {
		return 0
	}
	return int(syscall.EAGAIN)
}

func (fd *FD) RawRead(f func(uintptr) bool) error {
	return fd.reads(func(sysfd int) int { return again(f(uintptr(sysfd))) })
}

func (fd *FD) RawWrite(f func(uintptr) bool) error {
	return fd.writes(func(sysfd int) int { return again(f(uintptr(sysfd))) })
}

// Which of a descriptor's deadlines are set.
const (
	forReads  = 1
	forWrites = 2
)

func (fd *FD) SetReadDeadline(t time.Time) error  { return fd.limit(forReads, t) }
func (fd *FD) SetWriteDeadline(t time.Time) error { return fd.limit(forWrites, t) }
func (fd *FD) SetDeadline(t time.Time) error      { return fd.limit(forReads|forWrites, t) }

// onClock is a time on the runtime's clock: 0 for never, −1 for what has passed.
func onClock(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	left := time.Until(t)
	if left <= 0 {
		return -1
	}
	const end = 1<<63 - 1
	return int64(min(uint64(nanotime())+uint64(left), end))
}

func (fd *FD) limit(which int, t time.Time) error {
	at := onClock(t)
	if !begin(fd) {
		return fd.Closed
	}
	defer end(fd)
	if fd.pd == 0 {
		return ErrNoDeadline
	}
	for _, d := range [...]int{forReads, forWrites} {
		if which&d != 0 {
			pollDeadline(fd.pd, d == forWrites, at)
		}
	}
	return nil
}
