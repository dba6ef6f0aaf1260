// run

// An echo server and its load: `echo serve ADDRESS`, `echo load ADDRESS CONNECTIONS SECONDS`. The load keeps one message of 64 bytes
// on its way on every connection and prints messages per second and percentiles of the round trip in microseconds. Without
// arguments both run in this process, for a moment.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const size = 64

func serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go echo(c)
	}
}

func echo(c net.Conn) {
	defer c.Close()
	b := make([]byte, 4096)
	for {
		n, err := c.Read(b)
		if err != nil {
			return
		}
		if _, err := c.Write(b[:n]); err != nil {
			return
		}
	}
}

// load returns the round trips of all connections that began after a quarter of the time.
func load(address string, conns int, d time.Duration) ([]time.Duration, time.Duration) {
	var mu sync.Mutex
	var all []time.Duration
	var wg sync.WaitGroup
	var stop atomic.Bool
	ready := make(chan struct{})
	var measured time.Time
	for range conns {
		c, err := net.Dial("tcp", address)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer c.Close()
			b := make([]byte, size)
			var mine []time.Duration
			<-ready
			// The last begins after the end, so that there is one in any case.
			for last := false; !last; {
				last = stop.Load()
				start := time.Now()
				if _, err := c.Write(b); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				if _, err := io.ReadFull(c, b); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				if start.After(measured) {
					mine = append(mine, time.Since(start))
				}
			}
			mu.Lock()
			all = append(all, mine...)
			mu.Unlock()
		}()
	}
	measured = time.Now().Add(d / 4)
	close(ready)
	time.Sleep(d)
	stop.Store(true)
	took := time.Since(measured)
	wg.Wait()
	return all, took
}

func main() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "serve":
		l, err := net.Listen("tcp", os.Args[2])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(l.Addr())
		serve(l)
	case len(os.Args) == 5 && os.Args[1] == "load":
		conns, _ := strconv.Atoi(os.Args[3])
		seconds, _ := strconv.ParseFloat(os.Args[4], 64)
		all, took := load(os.Args[2], conns, time.Duration(seconds*float64(time.Second)))
		sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
		at := func(q float64) int64 { return all[int(q*float64(len(all)-1))].Microseconds() }
		fmt.Printf("%.0f %d %d %d\n", float64(len(all))/took.Seconds(), at(0.5), at(0.99), at(1))
	default:
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			fmt.Println(err)
			return
		}
		go serve(l)
		const conns = 50
		all, _ := load(l.Addr().String(), conns, 300*time.Millisecond)
		fmt.Println(len(all) >= conns)
		l.Close()
	}
}
