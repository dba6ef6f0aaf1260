// run

// A descriptor in non-blocking mode says EAGAIN to who reads or writes by number; a file waits.
package main

import (
	"fmt"
	"os"
	"syscall"
)

func main() {
	var p [2]int
	if err := syscall.Pipe(p[:]); err != nil {
		panic(err)
	}
	for _, fd := range p {
		if err := syscall.SetNonblock(fd, true); err != nil {
			panic(err)
		}
	}
	n, err := syscall.Read(p[0], make([]byte, 10))
	fmt.Println(n, err, err == syscall.EAGAIN)

	total := 0
	for {
		n, err = syscall.Write(p[1], make([]byte, 4096))
		if err != nil {
			break
		}
		total += n
	}
	fmt.Println(n, err, total > 0)

	from, to := os.NewFile(uintptr(p[0]), "from"), os.NewFile(uintptr(p[1]), "to")
	to.Fd()
	written := make(chan error)
	go func() {
		_, err := to.Write([]byte("more"))
		written <- err
	}()
	rest := make([]byte, total+4)
	for read := 0; read < len(rest); {
		n, err := from.Read(rest[read:])
		if err != nil {
			panic(err)
		}
		read += n
	}
	fmt.Println(<-written, string(rest[total:]))
}
