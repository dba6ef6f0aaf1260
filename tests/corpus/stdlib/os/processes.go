// run

// What a process that has been waited for, released, or never was says; the kind of a RawConn.
package main

import (
	"fmt"
	"os"
	"syscall"
)

func start(command string) *os.Process {
	p, err := os.StartProcess("/bin/sh", []string{"sh", "-c", command}, &os.ProcAttr{})
	if err != nil {
		panic(err)
	}
	return p
}

// tell asks everything of the process.
func tell(p *os.Process) {
	fmt.Println("signal:", p.Signal(syscall.Signal(0)))
	fmt.Println("kill:", p.Kill())
	wasCalled := false
	err := p.WithHandle(func(uintptr) { wasCalled = true })
	fmt.Println("handle:", wasCalled, err)
	state, err := p.Wait()
	fmt.Println("wait:", state, err)
}

func main() {
	fmt.Println("waited for")
	p := start("exit 3")
	state, err := p.Wait()
	fmt.Println(state, err, state.Pid() == p.Pid)
	tell(p)
	fmt.Println("then released")
	fmt.Println(p.Release(), p.Pid)
	tell(p)
	fmt.Println(p.Release(), p.Pid)

	fmt.Println("released")
	p = start("exit 4")
	fmt.Println(p.Release(), p.Release(), p.Pid)
	tell(p)

	fmt.Println("not there")
	p, err = os.FindProcess(1 << 30)
	fmt.Println(err, p.Pid)
	tell(p)
	fmt.Println(p.Release(), p.Pid)
	tell(p)

	fmt.Println("no number of a process")
	for _, pid := range []int{0, -1, -7} {
		p, err := os.FindProcess(pid)
		fmt.Println(err, p.Pid)
		fmt.Println(p.WithHandle(func(uintptr) {}))
		fmt.Println(p.Wait())
		if pid != 0 {
			fmt.Println(p.Signal(syscall.Signal(0)), p.Kill())
		}
		fmt.Println(p.Release(), p.Pid)
		tell(p)
	}

	fmt.Println("made by the program")
	tell(&os.Process{})
	tell(&os.Process{Pid: 1 << 30})
	p = &os.Process{Pid: 1 << 30}
	fmt.Println(p.Release(), p.Pid)
	tell(p)

	fmt.Println("another's")
	p, err = os.FindProcess(os.Getppid())
	fmt.Println(err, p.Signal(syscall.Signal(0)))
	state, err = p.Wait()
	fmt.Println(state, err)
	fmt.Println(p.Signal(syscall.Signal(0)), p.Release())

	fmt.Println("a handle")
	p = start("exec sleep 10")
	var got uintptr
	err = p.WithHandle(func(handle uintptr) {
		got = handle
		const pidfdSendSignal = 424
		_, _, errno := syscall.Syscall6(pidfdSendSignal, handle, uintptr(syscall.SIGTERM), 0, 0, 0, 0)
		fmt.Println(errno)
		fmt.Println(p.Wait())
	})
	fmt.Println(got > 2, err)
	tell(p)

	conn, _ := os.Stdout.SyscallConn()
	fmt.Printf("%T\n", conn)
	defer func() { fmt.Println(recover()) }()
	p = nil
	p.Wait()
}
