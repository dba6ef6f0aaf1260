// run

// What signals do that nobody has asked for: most do nothing, some end the process, some with a dump; what a program ignores, or its
// parent, stays ignored. The program starts itself for each.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

var nothing = []syscall.Signal{
	syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGPIPE, syscall.SIGALRM, syscall.SIGXCPU, syscall.SIGXFSZ, syscall.SIGVTALRM,
	syscall.SIGPROF, syscall.SIGIO, syscall.SIGPWR, syscall.SIGCHLD, syscall.SIGWINCH, syscall.SIGURG, syscall.SIGCONT, 40, 64,
}

func raise(s syscall.Signal) {
	syscall.Kill(syscall.Getpid(), s)
	time.Sleep(time.Millisecond)
}

// child runs one part in a process of its own and prints how it ended, and what it said first.
func child(part string, s syscall.Signal) {
	// What starts this program once more, whether it is one or is interpreted.
	line, _ := os.ReadFile("/proc/self/cmdline")
	args := strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
	cmd := exec.Command("/proc/self/exe", append(args[1:], part, fmt.Sprint(int(s)))...)
	out, err := cmd.CombinedOutput()
	first, rest, _ := strings.Cut(string(out), "\n")
	second, _, _ := strings.Cut(rest, "\n")
	if i := strings.Index(second, " sigcode="); strings.HasPrefix(second, "PC=0x") && i > 0 {
		second = "PC" + strings.TrimRight(second[i:], "0123456789abcdefx")
	}
	fmt.Printf("%s %v: %v %q %q\n", part, s, err, first, second)
}

func parent() {
	for _, s := range nothing {
		raise(s)
		fmt.Println("nothing:", s, signal.Ignored(s))
	}
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM} {
		child("default", s)
		child("again", s)
		child("ignored", s)
	}
	for _, s := range []syscall.Signal{
		syscall.SIGQUIT, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGABRT, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGSEGV,
		syscall.SIGSTKFLT, syscall.SIGSYS,
	} {
		child("default", s)
		child("again", s)
	}
	child("ignored", syscall.SIGQUIT)

	// What is ignored after Reset, and what a child inherits.
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGCHLD} {
		signal.Ignore(s)
		raise(s)
		signal.Reset(s)
		raise(s)
		fmt.Println(s, signal.Ignored(s))
		out, err := exec.Command("grep", "SigIgn", "/proc/self/status").Output()
		fmt.Println(strings.Fields(string(out)), err)
		c := make(chan os.Signal, 1)
		signal.Notify(c, s)
		raise(s)
		fmt.Println(<-c, signal.Ignored(s))
		signal.Stop(c)
	}
	out, err := exec.Command("grep", "SigIgn", "/proc/self/status").Output()
	fmt.Println(strings.Fields(string(out)), err)
}

func main() {
	if len(os.Args) < 3 {
		parent()
		return
	}
	part, n := os.Args[len(os.Args)-2], 0
	fmt.Sscan(os.Args[len(os.Args)-1], &n)
	s := syscall.Signal(n)
	switch part {
	case "again":
		c := make(chan os.Signal, 1)
		signal.Notify(c, s)
		raise(s)
		fmt.Println("came:", <-c)
		signal.Stop(c)
	case "ignored":
		signal.Ignore(s)
	}
	raise(s)
	time.Sleep(100 * time.Millisecond)
	fmt.Println("lives on")
}
