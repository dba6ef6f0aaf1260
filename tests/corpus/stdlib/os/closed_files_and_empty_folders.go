// run

package main

import (
	"fmt"
	"errors"
	"io/fs"
	"net"
	"os"
	"time"
)

// Closed files say so in two wordings, and a folder without entries has a list of none.
func main() {
	f, _ := os.CreateTemp("", "x")
	defer os.Remove(f.Name())
	fmt.Println(f.Close(), f.Close() != nil)
	err := f.Close()
	fmt.Println(errors.Is(err, fs.ErrClosed))
	fmt.Println(f.SetDeadline(time.Now()))
	_, err = f.Write([]byte("x"))
	fmt.Println(errors.Is(err, os.ErrClosed))
	fmt.Println(errors.Unwrap(err))
	c, _ := f.SyscallConn()
	fmt.Println(c.Control(func(uintptr) {}))
	fmt.Println(c.Read(func(uintptr) bool { return true }))
	r, w, _ := os.Pipe()
	go func() { time.Sleep(10 * time.Millisecond); r.Close() }()
	_, err = r.Read(make([]byte, 1))
	fmt.Println(err)
	w.Close()
	d, _ := os.MkdirTemp("", "d")
	defer os.RemoveAll(d)
	es, err := os.ReadDir(d)
	fmt.Println(es == nil, err)
	dir, _ := os.Open(d)
	es, err = dir.ReadDir(-1)
	fmt.Println(es == nil, err)
	es, err = dir.ReadDir(1)
	fmt.Println(es == nil, err)
	es, err = dir.ReadDir(-1)
	fmt.Println(es == nil, err)
	os.WriteFile(d+"/a", nil, 0o600)
	os.WriteFile(d+"/b", nil, 0o600)
	dir, _ = os.Open(d)
	for {
		es, err := dir.ReadDir(1)
		fmt.Println(len(es), err)
		if err != nil {
			break
		}
	}
	l, _ := net.Listen("tcp", "127.0.0.1:0")
	lf, err := l.(*net.TCPListener).File()
	fmt.Println(lf != nil, err, lf.Fd() > 2)
	l.Close()
	_, err = l.Accept()
	fmt.Println(errors.Is(err, net.ErrClosed))
	lf.Close()
}
