// run

// Who makes a descriptor non-blocking is told EAGAIN, unless the poller knows the file.
package main

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

func main() {
	var p [2]int
	fmt.Println(syscall.Pipe2(p[:], syscall.O_NONBLOCK))
	fmt.Println(syscall.Read(p[0], make([]byte, 1)))
	for {
		n, err := syscall.Write(p[1], make([]byte, 1<<20))
		fmt.Println(n > 0, err)
		if err != nil {
			break
		}
	}

	fmt.Println(syscall.Pipe(p[:]))
	r, w := os.NewFile(uintptr(p[0]), "r"), os.NewFile(uintptr(p[1]), "w")
	syscall.SetNonblock(p[0], true)
	syscall.SetNonblock(p[1], true)
	fmt.Println(r.Read(make([]byte, 1)))
	n, err := w.Write(make([]byte, 1<<20))
	fmt.Println(n > 0, n < 1<<20, err)
	fmt.Println(r.Read(make([]byte, 10)))

	r, w, _ = os.Pipe()
	fd := int(r.Fd())
	syscall.SetNonblock(fd, true)
	go func() {
		time.Sleep(10 * time.Millisecond)
		w.Write([]byte("x"))
	}()
	fmt.Println(r.Read(make([]byte, 10)))
}
