package os

import (
	"errors"
	"internal/testlog"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// Other processes.

var (
	ErrNoHandle        = errors.New("os: process handle unavailable")
	errProcessReleased = errors.New("os: process already released")
)

type ProcAttr struct {
	Dir   string
	Env   []string
	Files []*File
	Sys   *syscall.SysProcAttr
}

// A Process is known by its number, which the kernel keeps until somebody has waited for it.
type Process struct {
	Pid   int
	isOne bool // there was one when this was made; else the number means what the kernel makes of it
	state atomic.Int32
	gone  sync.RWMutex  // held by who takes the number from the kernel, shared by who uses it
	last  *ProcessState // of one that nobody waited for when it ended
}

const (
	processLives    = 0
	processDone     = 1
	processReleased = 2
)

func FindProcess(pid int) (*Process, error) {
	p := &Process{Pid: pid}
	switch {
	case pid <= 0:
	case syscall.Kill(pid, 0) == syscall.ESRCH:
		p.state.Store(processDone)
	default:
		p.isOne = true
	}
	return p, nil
}

func StartProcess(name string, argv []string, attr *ProcAttr) (*Process, error) {
	testlog.Note("open", name)
	if attr.Sys == nil && attr.Dir != "" {
		// Clearer than the same failure of the new process.
		if _, err := Stat(attr.Dir); err != nil {
			err.(*PathError).Op = "chdir"
			return nil, err
		}
	}
	sys := &syscall.ProcAttr{Dir: attr.Dir, Env: attr.Env, Sys: attr.Sys}
	if sys.Env == nil {
		sys.Env = Environ()
	}
	for _, f := range attr.Files {
		sys.Files = append(sys.Files, f.Fd())
	}
	reapAbandoned()
	pid, _, err := syscall.StartProcess(name, argv, sys)
	runtime.KeepAlive(attr)
	if err != nil {
		return nil, &PathError{Op: "fork/exec", Path: name, Err: err}
	}
	return &Process{Pid: pid, isOne: true}, nil
}

func (p *Process) Release() error {
	p.Pid = -1
	p.state.CompareAndSwap(processLives, processReleased)
	return nil
}

func (p *Process) Kill() error { return p.Signal(Kill) }

func (p *Process) Signal(sig Signal) error {
	s, ok := sig.(syscall.Signal)
	if !ok {
		return errors.New("os: unsupported signal type")
	}
	p.gone.RLock()
	defer p.gone.RUnlock()
	switch {
	case p.isOne:
	case p.Pid == -1:
		return errProcessReleased
	case p.Pid == 0:
		return errors.New("os: process not initialized")
	}
	if err := p.isThere(); err != nil {
		return err
	}
	if err := syscall.Kill(p.Pid, s); err != syscall.ESRCH {
		return err
	}
	return ErrProcessDone
}

// isThere says why nothing can be asked of the process any more.
func (p *Process) isThere() error {
	switch p.state.Load() {
	case processDone:
		return ErrProcessDone
	case processReleased:
		return errProcessReleased
	}
	return nil
}

// WithHandle opens a handle for the time of the call.
func (p *Process) WithHandle(f func(handle uintptr)) error {
	if !p.isOne {
		return ErrNoHandle
	}
	handle, err := p.open()
	if err != nil {
		return err
	}
	defer syscall.Close(int(handle))
	f(handle)
	return nil
}

func (p *Process) open() (handle uintptr, err error) {
	p.gone.RLock()
	defer p.gone.RUnlock()
	if err := p.isThere(); err != nil {
		return 0, err
	}
	const pidfdOpen = 434
	handle, _, errno := syscall.Syscall(pidfdOpen, uintptr(p.Pid), 0, 0)
	switch errno {
	case 0:
		return handle, nil
	case syscall.ESRCH:
		return 0, ErrProcessDone
	}
	return 0, ErrNoHandle
}

// retry repeats a call while signals interrupt it.
func retry(call func() error) error {
	for {
		if err := call(); err != syscall.EINTR {
			return err
		}
	}
}

// abandoned are processes that somebody has waited for who was interrupted, at a prompt.
var abandoned struct {
	sync.Mutex
	all []*Process
}

// reapAbandoned has the kernel forget those that have ended.
func reapAbandoned() {
	abandoned.Lock()
	defer abandoned.Unlock()
	var left []*Process
	for _, p := range abandoned.all {
		if !p.reap() {
			left = append(left, p)
		}
	}
	abandoned.all = left
}

// reap takes the number from the kernel if the process has ended, and keeps its state for who waits later.
func (p *Process) reap() bool {
	p.gone.Lock()
	defer p.gone.Unlock()
	if p.Pid == -1 || p.state.Load() == processDone {
		return true
	}
	state := &ProcessState{rusage: new(syscall.Rusage)}
	pid, err := syscall.Wait4(p.Pid, &state.status, syscall.WNOHANG, state.rusage)
	if pid == 0 {
		return false
	}
	p.state.Store(processDone)
	if err == nil {
		state.pid = pid
		p.last = state
	}
	return true
}

func (p *Process) Wait() (*ProcessState, error) {
	if p.state.Load() == processReleased {
		return nil, syscall.EINVAL
	}
	if p.isOne && p.state.Load() == processDone {
		return p.known()
	}
	over := false
	defer func() {
		if !over {
			abandoned.Lock()
			defer abandoned.Unlock()
			abandoned.all = append(abandoned.all, p)
		}
	}()
	state, err := p.wait()
	over = true
	return state, err
}

// known is for who waits when the kernel knows the process no more.
func (p *Process) known() (*ProcessState, error) {
	p.gone.RLock()
	defer p.gone.RUnlock()
	if p.last != nil {
		return p.last, nil
	}
	return nil, NewSyscallError("wait", syscall.ECHILD)
}

func (p *Process) wait() (*ProcessState, error) {
	// First without taking its number from the kernel, so that nobody signals another process under that number.
	const byPid = 1
	info := new([16]uint64)
	err := retry(func() error {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPid, uintptr(p.Pid), uintptr(unsafe.Pointer(info)), syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if errno != 0 {
			return errno
		}
		return nil
	})
	runtime.KeepAlive(info)
	if err == nil {
		p.gone.Lock()
		defer p.gone.Unlock()
		p.state.Store(processDone)
	} else if p.isOne && p.state.Load() == processDone { // by who waited at the same time
		return p.known()
	} else {
		return nil, NewSyscallError("waitid", err)
	}
	state := &ProcessState{rusage: new(syscall.Rusage)}
	err = retry(func() error {
		pid, err := syscall.Wait4(p.Pid, &state.status, 0, state.rusage)
		state.pid = pid
		return err
	})
	if err != nil {
		return nil, NewSyscallError("waitid", err)
	}
	return state, nil
}

type ProcessState struct {
	pid    int
	status syscall.WaitStatus
	rusage *syscall.Rusage
}

func (p *ProcessState) Pid() int                  { return p.pid }
func (p *ProcessState) Exited() bool              { return p.status.Exited() }
func (p *ProcessState) Success() bool             { return p.status.ExitStatus() == 0 }
func (p *ProcessState) Sys() any                  { return p.status }
func (p *ProcessState) SysUsage() any             { return p.rusage }
func (p *ProcessState) UserTime() time.Duration   { return time.Duration(p.rusage.Utime.Nano()) }
func (p *ProcessState) SystemTime() time.Duration { return time.Duration(p.rusage.Stime.Nano()) }

func (p *ProcessState) ExitCode() int {
	if p == nil {
		return -1
	}
	return p.status.ExitStatus()
}

func (p *ProcessState) String() string {
	if p == nil {
		return "<nil>"
	}
	text := ""
	switch w := p.status; {
	case w.Exited():
		text = "exit status " + decimal(w.ExitStatus())
	case w.Signaled():
		text = "signal: " + w.Signal().String()
	case w.Stopped():
		text = "stop signal: " + w.StopSignal().String()
		if cause := w.TrapCause(); w.StopSignal() == syscall.SIGTRAP && cause != 0 {
			text += " (trap " + decimal(cause) + ")"
		}
	case w.Continued():
		text = "continued"
	}
	if p.status.CoreDump() {
		text += " (core dumped)"
	}
	return text
}

func decimal(n int) string {
	if n < 0 {
		return "-" + decimal(-n)
	}
	if n < 10 {
		return string(rune('0' + n))
	}
	return decimal(n/10) + string(rune('0'+n%10))
}
