// run

// Programs started, connections, pipes closed under their readers and collections, all at once and from all sides: nothing is
// lost.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				io.Copy(c, c)
				c.Close()
			}()
		}
	}()
	var wg sync.WaitGroup
	var commands, conns, pipes, kept atomic.Int64
	stop := time.Now().Add(time.Second)
	forSome := func(least int, f func(k int) bool) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := 0; k < least || time.Now().Before(stop); k++ {
				if !f(k) {
					return
				}
			}
		}()
	}
	for i := range 3 {
		forSome(2, func(k int) bool {
			out, err := exec.Command("echo", fmt.Sprint(i, k)).Output()
			if err != nil || string(out) != fmt.Sprintln(i, k) {
				fmt.Println("command:", err, string(out))
				return false
			}
			commands.Add(1)
			return true
		})
		forSome(2, func(int) bool {
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				fmt.Println("dial:", err)
				return false
			}
			defer c.Close()
			b := make([]byte, 10000)
			for round := range 5 {
				for j := range b {
					b[j] = byte(round + j)
				}
				go c.Write(append([]byte(nil), b...))
				clear(b)
				if _, err := io.ReadFull(c, b); err != nil || b[9999] != byte(round+9999) {
					fmt.Println("read:", err)
					return false
				}
			}
			conns.Add(1)
			return true
		})
		forSome(2, func(int) bool {
			r, w, err := os.Pipe()
			if err != nil {
				fmt.Println("pipe:", err)
				return false
			}
			go func() {
				time.Sleep(time.Millisecond)
				r.Close()
			}()
			if _, err := r.Read(make([]byte, 10)); err == nil {
				fmt.Println("read from a closed pipe")
				return false
			}
			w.Close()
			pipes.Add(1)
			return true
		})
	}
	forSome(1, func(k int) bool {
		x := make([][]byte, 100)
		for j := range x {
			x[j] = make([]byte, 1000)
		}
		kept.Add(int64(len(x)))
		runtime.GC()
		time.Sleep(3 * time.Millisecond)
		return true
	})
	wg.Wait()
	fmt.Println(commands.Load() >= 6, conns.Load() >= 6, pipes.Load() >= 6, kept.Load() > 0)
}
