package os

import (
	"errors"
	"internal/testlog"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Other processes.

var (
	ErrNoHandle     = errors.New("os: process handle unavailable")
	releasedProcess = errors.New("os: process already released")
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
	if pid > 0 {
		p.isOne = syscall.Kill(pid, 0) != syscall.ESRCH
		if !p.isOne {
			p.state.Store(processDone)
		}
	}
	return p, nil
}

func StartProcess(name string, argv []string, attr *ProcAttr) (*Process, error) {
	testlog.Note("open", name)
	if attr.Dir != "" && attr.Sys == nil {
		// Clearer than the same failure of the new process.
		testlog.Note("stat", attr.Dir)
		if _, err := describe("chdir", attr.Dir, syscall.Stat); err != nil {
			return nil, err
		}
	}
	reapAbandoned()
	pid, _, err := syscall.StartProcess(name, argv, attr.forKernel())
	runtime.KeepAlive(attr)
	if err != nil {
		return nil, onPath("fork/exec", name, err)
	}
	return &Process{Pid: pid, isOne: true}, nil
}

// forKernel is what package syscall takes: the environment is ours if none is given.
func (a *ProcAttr) forKernel() *syscall.ProcAttr {
	env, files := a.Env, make([]uintptr, len(a.Files))
	if env == nil {
		env = Environ()
	}
	for i, f := range a.Files {
		files[i] = f.Fd()
	}
	return &syscall.ProcAttr{Dir: a.Dir, Env: env, Files: files, Sys: a.Sys}
}

func (p *Process) Release() error {
	p.Pid = -1
	p.state.CompareAndSwap(processLives, processReleased)
	return nil
}

func (p *Process) Kill() error { return p.Signal(Kill) }

func (p *Process) Signal(sig Signal) error {
	number, known := sig.(syscall.Signal)
	if !known {
		return errors.New("os: unsupported signal type")
	}
	p.gone.RLock()
	defer p.gone.RUnlock()
	err := p.isThere()
	if !p.isOne && p.Pid == -1 {
		err = releasedProcess
	} else if !p.isOne && p.Pid == 0 {
		err = errors.New("os: process not initialized")
	}
	if err == nil {
		err = syscall.Kill(p.Pid, number)
	}
	if err == syscall.ESRCH {
		err = ErrProcessDone
	}
	return err
}

// isThere says why nothing can be asked of the process any more.
func (p *Process) isThere() error {
	switch p.state.Load() {
	case processDone:
		return ErrProcessDone
	case processReleased:
		return releasedProcess
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

// open makes a handle.
func (p *Process) open() (handle uintptr, err error) {
	const pidfdOpen = 434
	p.gone.RLock()
	defer p.gone.RUnlock()
	if err = p.isThere(); err != nil {
		return 0, err
	}
	handle, _, errno := syscall.Syscall(pidfdOpen, uintptr(p.Pid), 0, 0)
	if errno == syscall.ESRCH {
		err = ErrProcessDone
	} else if errno != 0 {
		err = ErrNoHandle
	}
	return handle, err
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
	err := again(func() error {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPid, uintptr(p.Pid), address(info), syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		return kernels(int(errno))
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
	err = again(func() error {
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

// ExitCode is -1 of no process, and of one that a signal has ended.
func (p *ProcessState) ExitCode() (code int) {
	if code = -1; p != nil {
		code = p.status.ExitStatus()
	}
	return code
}

func (p *ProcessState) String() string {
	if p == nil {
		return "<nil>"
	}
	text := fate(p.status)
	if p.status.CoreDump() {
		text += " (core dumped)"
	}
	return text
}

// fate is what has become of a process.
func fate(w syscall.WaitStatus) string {
	if w.Exited() {
		return "exit status " + decimal(w.ExitStatus())
	}
	if w.Signaled() {
		return "signal: " + w.Signal().String()
	}
	if w.Continued() {
		return "continued"
	}
	if !w.Stopped() {
		return ""
	}
	by, trap := w.StopSignal(), ""
	if cause := w.TrapCause(); by == syscall.SIGTRAP && cause != 0 {
		trap = " (trap " + decimal(cause) + ")"
	}
	return "stop signal: " + by.String() + trap
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
