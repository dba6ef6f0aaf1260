package syscall

import "runtime"

// The machine, the process and its limits, and waiting for several descriptors.

// filled makes a call that fills v.
func filled[T any](trap, arg uintptr, v *T) error {
	args := [2]uintptr{arg, at(v)}
	if arg == none {
		args = [2]uintptr{at(v)}
	}
	err := plain(trap, args[0], args[1])
	runtime.KeepAlive(v)
	return err
}

const none = ^uintptr(0)

func Uname(buf *Utsname) (err error)      { return filled(SYS_UNAME, none, buf) }
func Sysinfo(info *Sysinfo_t) (err error) { return filled(SYS_SYSINFO, none, info) }

func Gettimeofday(tv *Timeval) (err error) { return filled(SYS_GETTIMEOFDAY, none, tv) }

func Settimeofday(tv *Timeval) (err error) { return filled(SYS_SETTIMEOFDAY, none, tv) }

func Time(t *Time_t) (tt Time_t, err error) {
	var now Timeval
	if err = Gettimeofday(&now); err == nil {
		tt = Time_t(now.Sec)
		if t != nil {
			*t = tt
		}
	}
	return tt, err
}

func Times(tms *Tms) (ticks uintptr, err error) {
	r, _, errno := RawSyscall(SYS_TIMES, at(tms), 0, 0)
	runtime.KeepAlive(tms)
	return r, failure(int(errno))
}

func Adjtimex(buf *Timex) (state int, err error) {
	state, err = outcome(RawSyscall(SYS_ADJTIMEX, at(buf), 0, 0))
	runtime.KeepAlive(buf)
	return state, err
}

func Getrlimit(resource int, rlim *Rlimit) (err error) {
	return filled(SYS_GETRLIMIT, uintptr(resource), rlim)
}

func Setrlimit(resource int, rlim *Rlimit) error {
	return filled(SYS_SETRLIMIT, uintptr(resource), rlim)
}

func Ustat(dev int, ubuf *Ustat_t) (err error) { return filled(SYS_USTAT, uintptr(dev), ubuf) }

func Getpgid(pid int) (pgid int, err error) {
	return outcome(RawSyscall(SYS_GETPGID, uintptr(pid), 0, 0))
}

func Getpgrp() (pid int) {
	pid, _ = Getpgid(0)
	return pid
}

func Setpgid(pid int, pgid int) (err error) {
	return plain(SYS_SETPGID, uintptr(pid), uintptr(pgid))
}

func Setsid() (pid int, err error) { return outcome(RawSyscall(SYS_SETSID, 0, 0, 0)) }

// Getpriority gives 20 less the nice value, as the kernel does.
func Getpriority(which int, who int) (prio int, err error) {
	return outcome(Syscall(SYS_GETPRIORITY, uintptr(which), uintptr(who), 0))
}

func Setpriority(which int, who int, prio int) (err error) {
	return outcome1(Syscall(SYS_SETPRIORITY, uintptr(which), uintptr(who), uintptr(prio)))
}

func Tgkill(tgid int, tid int, sig Signal) (err error) {
	return outcome1(RawSyscall(SYS_TGKILL, uintptr(tgid), uintptr(tid), uintptr(sig)))
}

func Pause() (err error) { return outcome1(Syscall(SYS_PAUSE, 0, 0, 0)) }

func Reboot(cmd int) (err error) {
	const magic1, magic2 = 0xfee1dead, 0x28121969
	return outcome1(Syscall(SYS_REBOOT, magic1, magic2, uintptr(cmd)))
}

func withBytes(trap uintptr, b []byte) error {
	err := outcome1(Syscall(trap, dataOf(b), uintptr(len(b)), 0))
	runtime.KeepAlive(b)
	return err
}

func Sethostname(p []byte) (err error)   { return withBytes(SYS_SETHOSTNAME, p) }
func Setdomainname(p []byte) (err error) { return withBytes(SYS_SETDOMAINNAME, p) }

func Klogctl(typ int, buf []byte) (n int, err error) {
	n, err = outcome(Syscall(SYS_SYSLOG, uintptr(typ), dataOf(buf), uintptr(len(buf))))
	runtime.KeepAlive(buf)
	return n, err
}

func EpollCreate(size int) (fd int, err error) {
	return outcome(RawSyscall(SYS_EPOLL_CREATE, uintptr(size), 0, 0))
}

func EpollCreate1(flag int) (fd int, err error) {
	return outcome(RawSyscall(SYS_EPOLL_CREATE1, uintptr(flag), 0, 0))
}

func EpollCtl(epfd int, op int, fd int, event *EpollEvent) (err error) {
	err = outcome1(RawSyscall6(SYS_EPOLL_CTL, uintptr(epfd), uintptr(op), uintptr(fd),
		at(event), 0, 0))
	runtime.KeepAlive(event)
	return err
}

func EpollWait(epfd int, events []EpollEvent, msec int) (n int, err error) {
	room := dataOf(events)
	n, err = outcome(Syscall6(SYS_EPOLL_WAIT, uintptr(epfd), room, uintptr(len(events)), uintptr(msec), 0, 0))
	runtime.KeepAlive(events)
	return n, err
}

func Select(nfd int, r *FdSet, w *FdSet, e *FdSet, timeout *Timeval) (n int, err error) {
	sets := [...]*FdSet{r, w, e}
	n, err = outcome(Syscall6(SYS_SELECT, uintptr(nfd), at(sets[0]), at(sets[1]), at(sets[2]), at(timeout), 0))
	runtime.KeepAlive(sets)
	runtime.KeepAlive(timeout)
	return n, err
}

func StringByteSlice(s string) []byte {
	b, err := ByteSliceFromString(s)
	if err != nil {
		panic("syscall: string with NUL passed to StringByteSlice")
	}
	return b
}

func StringBytePtr(s string) *byte { return &StringByteSlice(s)[0] }

func StringSlicePtr(ss []string) []*byte {
	var list []*byte
	for _, s := range ss {
		list = append(list, StringBytePtr(s))
	}
	return append(list, nil)
}
