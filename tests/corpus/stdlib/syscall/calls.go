// run

// The calls of package syscall: results, errors, and what a goroutine in one does to the others.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"
)

func main() {
	var p [2]int
	fmt.Println(syscall.Pipe(p[:]), p[0] != p[1], p[0] > 2)
	n, err := syscall.Write(p[1], []byte("hello"))
	fmt.Println(n, err)
	buf := make([]byte, 3)
	n, err = syscall.Read(p[0], buf)
	fmt.Println(n, err, string(buf[:n]))
	n, err = syscall.Read(p[0], buf)
	fmt.Println(n, err, string(buf[:n]))

	// A read that waits keeps its goroutine, not the others.
	got := make(chan string)
	go func() {
		b := make([]byte, 8)
		n, err := syscall.Read(p[0], b)
		got <- fmt.Sprint(n, err, string(b[:n]))
	}()
	time.Sleep(5 * time.Millisecond)
	sum := 0
	for i := range 1000 {
		sum += i
	}
	syscall.Write(p[1], []byte("late"))
	fmt.Println(<-got, sum)

	fmt.Println(syscall.Close(p[1]))
	n, err = syscall.Read(p[0], buf)
	fmt.Println(n, err)
	fmt.Println(syscall.Close(p[0]), syscall.Close(p[0]))

	n, err = syscall.Read(-1, buf)
	fmt.Println(n, err, err == syscall.EBADF, errors.Is(err, fs.ErrPermission))
	n, err = syscall.Write(1<<20, buf)
	fmt.Println(n, err)
	_, err = syscall.Open("/no/such/file", syscall.O_RDONLY, 0)
	fmt.Println(err, errors.Is(err, fs.ErrNotExist), err.(syscall.Errno).Temporary())
	fmt.Println(syscall.Pipe(make([]int, 3)))

	fmt.Println(syscall.Getpid() == os.Getpid(), syscall.Kill(syscall.Getpid(), 0))
	fmt.Println(syscall.Kill(1<<30, 0), syscall.Kill(syscall.Getpid(), syscall.Signal(1000)))

	start := time.Now()
	ts := syscall.NsecToTimespec(int64(3 * time.Millisecond))
	fmt.Println(ts.Sec, ts.Nsec, syscall.Nanosleep(&ts, nil), time.Since(start) >= 3*time.Millisecond)
	bad := syscall.Timespec{Nsec: -1}
	fmt.Println(syscall.Nanosleep(&bad, nil))
	fmt.Println(syscall.SIGINT, syscall.SIGURG, syscall.Signal(99), syscall.Errno(4095), syscall.ENOTDIR)
}
