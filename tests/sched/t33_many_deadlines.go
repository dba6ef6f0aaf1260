// run

// Ten thousand deadlines on pipes and sockets, some set before the read, some moved nearer or away or taken back while it waits:
// none fires early, none is lost.
package main

import (
	"errors"
	"fmt"
	"math/rand"
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type conn interface {
	Read([]byte) (int, error)
	SetReadDeadline(time.Time) error
	SetDeadline(time.Time) error
	Close() error
}

const (
	conns  = 250
	rounds = 40
)

func main() {
	var early, odd, fired atomic.Int64
	var wg sync.WaitGroup
	var writers []*os.File // open as long as their readers wait
	for i := range conns {
		var c conn
		if i%2 == 0 {
			r, w, err := os.Pipe()
			if err != nil {
				fmt.Println(err)
				return
			}
			c = r
			writers = append(writers, w)
		} else {
			u, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
			if err != nil {
				fmt.Println(err)
				return
			}
			c = u
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer c.Close()
			b := make([]byte, 1)
			rng := rand.New(rand.NewSource(int64(i)))
			for k := range rounds {
				d := time.Duration(rng.Intn(30_000)) * time.Microsecond
				start := time.Now()
				due := start.Add(d)
				switch k % 5 {
				case 0, 1: // as is
					c.SetReadDeadline(due)
				case 2: // nearer, while we wait
					c.SetReadDeadline(start.Add(time.Hour))
					time.AfterFunc(d/2, func() { c.SetReadDeadline(due) })
				case 3: // later, before it comes
					c.SetReadDeadline(start.Add(d + time.Hour))
					c.SetDeadline(due)
				case 4: // taken away, and given again
					c.SetReadDeadline(start.Add(d / 2))
					c.SetReadDeadline(time.Time{})
					time.AfterFunc(d/2, func() { c.SetReadDeadline(due) })
				}
				_, err := c.Read(b)
				if !errors.Is(err, os.ErrDeadlineExceeded) {
					odd.Add(1)
				}
				if time.Since(start) < d {
					early.Add(1)
				}
				fired.Add(1)
			}
		}()
	}
	wg.Wait()
	runtime.KeepAlive(writers)
	fmt.Println(fired.Load(), "fired,", early.Load(), "early,", odd.Load(), "odd")
}
