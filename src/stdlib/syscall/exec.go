package syscall

import (
	"runtime"
	"sync"
)

// forkExec starts a program; attr is what attributes gives.
func forkExec(path string, argv, env []string, chroot, dir string, fds, attr, groups []int) (pid int, errno int)

// ForkLock is held while a process is started. Whoever opens a descriptor that processes inherit, and
// marks it afterwards, holds it for reading.
var ForkLock sync.RWMutex

type Credential struct {
	Uid         uint32
	Gid         uint32
	Groups      []uint32
	NoSetGroups bool
}

// SysProcAttr is Go's without what belongs to namespaces, cgroups and tracing.
type SysProcAttr struct {
	Chroot     string
	Credential *Credential
	Setsid     bool
	Setpgid    bool
	Setctty    bool
	Noctty     bool
	Ctty       int
	Foreground bool
	Pgid       int
	Pdeathsig  Signal
}

type ProcAttr struct {
	Dir   string
	Env   []string
	Files []uintptr
	Sys   *SysProcAttr
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func attributes(sys *SysProcAttr) (attr, groups []int) {
	attr = []int{number(sys.Setsid), number(sys.Setpgid), sys.Pgid, number(sys.Setctty), number(sys.Noctty), number(sys.Foreground), sys.Ctty, int(sys.Pdeathsig), 0, 0, 0, 0}
	if c := sys.Credential; c != nil {
		attr[8], attr[9], attr[10], attr[11] = 1, int(c.Uid), int(c.Gid), number(!c.NoSetGroups)
		for _, g := range c.Groups {
			groups = append(groups, int(g))
		}
	}
	return attr, groups
}

// again gives what makes gosched run this program with new arguments, if path names it; else nothing.
func again(path string, argv []string) []string

// executed is what has to be executed for argv0 in the folder dir, where that is not the present one.
func executed(argv0 string, argv []string, dir string) (string, []string) {
	path := argv0
	if dir != "" && path != "" && path[0] != '/' {
		path = dir + "/" + path
	}
	if words := again(path, argv); len(words) > 0 {
		return words[0], words
	}
	return argv0, argv
}

func ForkExec(argv0 string, argv []string, attr *ProcAttr) (pid int, err error) {
	if attr == nil {
		attr = &ProcAttr{}
	}
	sys := attr.Sys
	if sys == nil {
		sys = &SysProcAttr{}
	}
	var fds []int
	for _, f := range attr.Files {
		fds = append(fds, int(int32(f)))
	}
	if sys.Chroot == "" {
		argv0, argv = executed(argv0, argv, attr.Dir)
	}
	numbers, groups := attributes(sys)
	ForkLock.Lock()
	defer ForkLock.Unlock()
	pid, errno := forkExec(argv0, argv, attr.Env, sys.Chroot, attr.Dir, fds, numbers, groups)
	return pid, failure(errno)
}

func StartProcess(argv0 string, argv []string, attr *ProcAttr) (pid int, handle uintptr, err error) {
	pid, err = ForkExec(argv0, argv, attr)
	return pid, 0, err
}

type WaitStatus uint32

func (w WaitStatus) CoreDump() bool  { return w&0x80 != 0 && w.Signaled() }
func (w WaitStatus) Continued() bool { return w == 0xffff }
func (w WaitStatus) Stopped() bool   { return w&0xff == 0x7f }
func (w WaitStatus) Exited() bool    { return w&0x7f == 0 }
func (w WaitStatus) Signaled() bool  { return !w.Exited() && w&0x7f != 0x7f }

// above is the second byte, if it tells something, and -1 otherwise.
func (w WaitStatus) above(tells bool) int {
	if tells {
		return int(w >> 8 & 0xff)
	}
	return -1
}

func (w WaitStatus) StopSignal() Signal { return Signal(w.above(w.Stopped())) }
func (w WaitStatus) ExitStatus() int    { return w.above(w.Exited()) }

func (w WaitStatus) Signal() Signal {
	if w.Signaled() {
		return Signal(w & 0x7f)
	}
	return -1
}

func (w WaitStatus) TrapCause() int {
	if w.StopSignal() == SIGTRAP {
		return int(w>>8) >> 8
	}
	return -1
}

type Rusage struct {
	Utime    Timeval
	Stime    Timeval
	Maxrss   int64
	Ixrss    int64
	Idrss    int64
	Isrss    int64
	Minflt   int64
	Majflt   int64
	Nswap    int64
	Inblock  int64
	Oublock  int64
	Msgsnd   int64
	Msgrcv   int64
	Nsignals int64
	Nvcsw    int64
	Nivcsw   int64
}

const (
	RUSAGE_SELF     = 0
	RUSAGE_CHILDREN = -1
	RUSAGE_THREAD   = 1
)

func Getrusage(who int, rusage *Rusage) (err error) {
	err = plain(SYS_GETRUSAGE, uintptr(who), at(rusage))
	runtime.KeepAlive(rusage)
	return err
}

func Wait4(pid int, wstatus *WaitStatus, options int, rusage *Rusage) (wpid int, err error) {
	status := new(WaitStatus)
	wpid, err = outcome(Syscall6(SYS_WAIT4, uintptr(pid), at(status), uintptr(options), at(rusage), 0, 0))
	runtime.KeepAlive(rusage)
	if wstatus != nil && err == nil {
		*wstatus = *status
	}
	return wpid, err
}

// Exec replaces this program.
func Exec(argv0 string, argv []string, envv []string) (err error) {
	argv0, argv = executed(argv0, argv, "")
	var lists [3][]*byte
	for i, words := range [...][]string{{argv0}, argv, envv} {
		if lists[i], err = SlicePtrFromStrings(words); err != nil {
			return err
		}
	}
	_, _, errno := RawSyscall(SYS_EXECVE, at(lists[0][0]), dataOf(lists[1]), dataOf(lists[2]))
	runtime.KeepAlive(&lists)
	return errno
}

// SlicePtrFromStrings gives the strings as the kernel takes a list of them: nil is its end.
func SlicePtrFromStrings(ss []string) (list []*byte, err error) {
	for i := 0; i < len(ss) && err == nil; i++ {
		var text *byte
		text, err = BytePtrFromString(ss[i])
		list = append(list, text)
	}
	if err != nil {
		return nil, err
	}
	return append(list, nil), nil
}

// Getenv is the value of a variable of the environment, and whether there is one.
func Getenv(key string) (value string, found bool)

// Clearenv removes all variables of the environment.
func Clearenv()

// Environ is the environment, each variable as key=value.
func Environ() []string

func setenv(key, value string) bool
func unsetenv(key string)

func Setenv(key, value string) error {
	if !setenv(key, value) {
		return EINVAL
	}
	return nil
}

func Unsetenv(key string) error {
	unsetenv(key)
	return nil
}

func Exit(code int) { rawCall(231, uintptr(code), 0, 0, 0, 0, 0) }
