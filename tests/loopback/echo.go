// An echo server and five clients; it prints in which order things happened.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

var mu sync.Mutex
var order []string

func note(format string, args ...any) {
	mu.Lock()
	order = append(order, fmt.Sprintf(format, args...))
	mu.Unlock()
}

func main() {
	ln, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(ln.Addr())
	var served sync.WaitGroup
	accepted := make(chan bool)
	go func() {
		defer close(accepted)
		for {
			c, err := ln.Accept()
			if err != nil {
				note("accept: %v", err)
				return
			}
			note("from %v", c.RemoteAddr())
			served.Add(1)
			go func() {
				defer served.Done()
				defer c.Close()
				r := bufio.NewReader(c)
				for {
					line, err := r.ReadString('\n')
					if err != nil {
						note("end %v %v", c.RemoteAddr(), err)
						return
					}
					note("got %q", line)
					io.WriteString(c, "echo "+line)
				}
			}()
		}
	}()
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c, err := net.Dial("tcp", ln.Addr().String())
			if err != nil {
				note("dial: %v", err)
				return
			}
			defer c.Close()
			c.SetDeadline(time.Now().Add(time.Second))
			r := bufio.NewReader(c)
			for k := range 3 {
				fmt.Fprintf(c, "%d.%d\n", i, k)
				line, err := r.ReadString('\n')
				note("%s %q %v", c.LocalAddr(), line, err)
			}
		}()
	}
	wg.Wait()
	served.Wait()
	ln.Close()
	<-accepted
	mu.Lock()
	defer mu.Unlock()
	for _, l := range order {
		fmt.Println(l)
	}
}
