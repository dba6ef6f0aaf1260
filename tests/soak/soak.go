// A soak: for the minutes given (10 if none), goroutines are made and end, wait in system calls, on pipes, on connections and for
// timers, allocate and collect, while GOMAXPROCS goes from 1 to 8 and back once a second. Every ten seconds it prints how often
// each kind of work was done, and fails if one stands still or is not finished a minute after the end: then a wake-up was lost.
// Kinds named after the minutes are the only ones.
//
// What the process takes is measured from outside by soak.py, which starts this program:
//
//	tests/soak/soak.py [--gosched BINARY] [--minutes 10] [kind…]
package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var stop atomic.Bool

// A kind of work, and how often it was done.
type kind struct {
	name string
	work func()
	done atomic.Int64
}

var kinds = []*kind{
	{name: "spawn", work: spawn},
	{name: "syscall", work: call},
	{name: "pipe", work: pipe},
	{name: "tcp", work: tcp},
	{name: "timer", work: timers},
	{name: "allocate", work: allocate},
	{name: "channel", work: channels},
	{name: "lock", work: locks},
	{name: "stack", work: stacks},
}

func spawn() {
	var wg sync.WaitGroup
	for range 1000 {
		wg.Add(1)
		go wg.Done()
	}
	wg.Wait()
}

func call() {
	ts := syscall.Timespec{Nsec: 2_000_000}
	syscall.Nanosleep(&ts, nil)
}

func pipe() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	defer r.Close()
	go func() {
		defer w.Close()
		for i := range 20 {
			w.Write([]byte(strconv.Itoa(i) + "\n"))
			if i%5 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
	}()
	buf := make([]byte, 64)
	n := 0
	for {
		k, err := r.Read(buf)
		n += k
		if err != nil {
			break
		}
	}
	if n != 50 {
		panic(fmt.Sprint("read ", n, " bytes from the pipe"))
	}
}

// echo is a server for all connections of tcp, on the loopback.
var echo = sync.OnceValue(func() net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				panic(err)
			}
			go func() {
				defer c.Close()
				io.Copy(c, c)
			}()
		}
	}()
	return l
})

// tcp opens connections, has every message echoed, and closes them: by either side, and under a goroutine that reads.
func tcp() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			connect(i)
		}()
	}
	wg.Wait()
	// Closed connections keep their ports for a while: no more of them than there are ports.
	time.Sleep(20 * time.Millisecond)
}

func connect(i int) {
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	conn, err := net.Dial("tcp", echo().Addr().String())
	must(err)
	c := conn.(*net.TCPConn)
	defer c.Close()
	out, in := make([]byte, 1000<<i), make([]byte, 1000<<i)
	for j := range out {
		out[j] = byte(i + j)
	}
	must(c.SetDeadline(time.Now().Add(time.Minute)))
	for range 5 {
		_, err = c.Write(out)
		must(err)
		clear(in)
		_, err = io.ReadFull(c, in)
		must(err)
		if string(in) != string(out) {
			panic("the echo is not what was sent")
		}
	}
	switch i {
	case 0: // a deadline passes
		c.SetReadDeadline(time.Now().Add(2 * time.Millisecond))
		if _, err = c.Read(in); !errors.Is(err, os.ErrDeadlineExceeded) {
			panic(fmt.Sprint("read past the deadline: ", err))
		}
	case 1: // closed while a goroutine reads
		ended := make(chan error)
		go func() {
			_, err := c.Read(in)
			ended <- err
		}()
		time.Sleep(time.Millisecond)
		c.Close()
		if err = <-ended; !errors.Is(err, net.ErrClosed) {
			panic(fmt.Sprint("read while closing: ", err))
		}
	default: // the server closes after the end of what it reads
		must(c.CloseWrite())
		if _, err = c.Read(in); err != io.EOF {
			panic(fmt.Sprint("read at the end: ", err))
		}
	}
}

func timers() {
	c := make(chan int, 100)
	for i := range 100 {
		time.AfterFunc(time.Duration(i%7)*time.Millisecond, func() { c <- i })
	}
	stopped := time.AfterFunc(time.Hour, func() { panic("an hour has passed") })
	for range 100 {
		<-c
	}
	stopped.Stop()
}

type tree struct{ left, right *tree }

func grow(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{grow(depth - 1), grow(depth - 1)}
}

func (t *tree) count() int {
	if t == nil {
		return 0
	}
	return 1 + t.left.count() + t.right.count()
}

func allocate() {
	t := grow(12)
	big := make([]byte, 1<<20)
	big[len(big)-1] = 1
	runtime.GC()
	if n := t.count(); n != 8191 {
		panic(n)
	}
}

func channels() {
	const n = 8
	ring := make([]chan int, n)
	for i := range ring {
		ring[i] = make(chan int)
	}
	for i := range n - 1 {
		go func() {
			for v := range ring[i] {
				ring[i+1] <- v + 1
			}
			close(ring[i+1])
		}()
	}
	go func() {
		for i := range 200 {
			ring[0] <- i
		}
		close(ring[0])
	}()
	sum := 0
	for {
		select {
		case v, ok := <-ring[n-1]:
			if !ok {
				if sum != 200*199/2+200*(n-1) {
					panic(sum)
				}
				return
			}
			sum += v
		case <-time.After(time.Minute):
			panic("a minute without a value")
		}
	}
}

func locks() {
	var mu sync.RWMutex
	var wg sync.WaitGroup
	n := 0
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 200 {
				if i%4 == 0 {
					mu.Lock()
					n++
					mu.Unlock()
				} else {
					mu.RLock()
					_ = n
					mu.RUnlock()
				}
			}
		}()
	}
	wg.Wait()
	if n != 400 {
		panic(n)
	}
}

//go:noinline
func deep(n int) int {
	var room [16]int
	room[n&15] = n
	if n == 0 {
		return 0
	}
	return deep(n-1) + room[n&15] - n
}

func stacks() {
	c := make(chan int)
	for i := range 10 {
		go func() { c <- deep(1000 * i) }()
	}
	for range 10 {
		<-c
	}
}

func main() {
	minutes := 10.0
	if len(os.Args) > 1 {
		minutes, _ = strconv.ParseFloat(os.Args[1], 64)
	}
	total := time.Duration(minutes * float64(time.Minute))
	if len(os.Args) > 2 {
		chosen := kinds[:0]
		for _, k := range kinds {
			for _, name := range os.Args[2:] {
				if k.name == name {
					chosen = append(chosen, k)
				}
			}
		}
		kinds = chosen
	}
	var workers sync.WaitGroup
	for _, k := range kinds {
		for range 2 {
			workers.Add(1)
			go func() {
				defer workers.Done()
				for !stop.Load() {
					k.work()
					k.done.Add(1)
				}
			}()
		}
	}
	go func() {
		for i := 0; !stop.Load(); i++ {
			runtime.GOMAXPROCS(1 + i%8)
			time.Sleep(time.Second)
		}
	}()
	last := make([]int64, len(kinds))
	failed := false
	begin := time.Now()
	for time.Since(begin) < total {
		time.Sleep(min(10*time.Second, total))
		fmt.Printf("%4.0fs goroutines=%d", time.Since(begin).Seconds(), runtime.NumGoroutine())
		for i, k := range kinds {
			n := k.done.Load()
			fmt.Printf(" %s=%d", k.name, n-last[i])
			if n == last[i] {
				fmt.Printf("(STANDS STILL)")
				failed = true
			}
			last[i] = n
		}
		fmt.Println()
	}
	stop.Store(true)
	late := time.AfterFunc(time.Minute, func() { panic("a worker does not end") })
	workers.Wait()
	late.Stop()
	if failed {
		fmt.Println("FAILED")
		os.Exit(1)
	}
	fmt.Println("done")
}
