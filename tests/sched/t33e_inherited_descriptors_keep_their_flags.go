// run

// A goroutine that reads standard input, a blocking pipe, is in a system call; one that reads a pipe of our own waits in the poller.
// The mode of what we were given stays as it was.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func flags(fd int) uintptr {
	f, _, _ := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFL, 0)
	return f
}

func readInherited(f *os.File, done chan<- string) {
	b := make([]byte, 10)
	n, err := f.Read(b)
	done <- fmt.Sprintf("%q %v", b[:n], err)
}

func readOwn(f *os.File, done chan<- string) {
	b := make([]byte, 10)
	n, err := f.Read(b)
	done <- fmt.Sprintf("%q %v", b[:n], err)
}

// state is what the dump says of the goroutine that runs the function.
func state(dump, function string) string {
	for _, g := range strings.Split(dump, "\n\n") {
		if strings.Contains(g, "main."+function+"(") && strings.HasPrefix(g, "goroutine ") {
			_, rest, _ := strings.Cut(g, "[")
			s, _, _ := strings.Cut(rest, "]")
			return s
		}
	}
	return "none"
}

func main() {
	var p [2]int
	if err := syscall.Pipe(p[:]); err != nil {
		fmt.Println(err)
		return
	}
	before := flags(p[0])
	done := make(chan string)
	given := os.NewFile(uintptr(p[0]), "given")
	go readInherited(given, done)
	r, w, _ := os.Pipe()
	go readOwn(r, done)
	buf := make([]byte, 1<<16)
	for range 500 {
		time.Sleep(time.Millisecond)
		dump := string(buf[:runtime.Stack(buf, true)])
		if state(dump, "readInherited") == "syscall" && state(dump, "readOwn") == "IO wait" {
			break
		}
	}
	dump := string(buf[:runtime.Stack(buf, true)])
	fmt.Println(state(dump, "readInherited"), "|", state(dump, "readOwn"))
	syscall.Write(p[1], []byte("one"))
	fmt.Println(<-done)
	w.Write([]byte("two"))
	fmt.Println(<-done)
	fmt.Println(before == flags(p[0]), before&syscall.O_NONBLOCK != 0)
	runtime.KeepAlive(given) // else it may be closed by now
}
