// run

package main

import (
	"fmt"
	"runtime"
	"time"
)

type big struct{ data [100]int }

type pair struct {
	a, b *big
}

var died = make(chan int, 100)

func watched(n int) *big {
	b := new(big)
	b.data[0] = n
	runtime.SetFinalizer(b, func(b *big) { died <- b.data[0] })
	return b
}

// dead says which object has died, 0 if none has.
//
//go:noinline
func dead() int {
	for i := 0; i < 4; i++ {
		runtime.GC()
		select {
		case n := <-died:
			return n
		case <-time.After(2 * time.Millisecond):
		}
	}
	return 0
}

//go:noinline
func use(b *big) int { return b.data[0] }

func straight() {
	b := watched(1)
	fmt.Println("straight", dead(), use(b))
	fmt.Println("straight", dead())
}

func branches(yes bool) {
	b := watched(2)
	if yes {
		fmt.Println("branch", dead())
	} else {
		fmt.Println("branch", dead(), use(b))
	}
}

func loops() {
	b := watched(3)
	for i := 0; i < 2; i++ {
		fmt.Println("loop", dead(), use(b))
	}
	fmt.Println("loop", dead())
}

func structs() {
	p := pair{watched(4), watched(5)}
	fmt.Println("struct", dead(), use(p.a), use(p.b))
	p.a = nil
	fmt.Println("struct", dead(), use(p.b))
	fmt.Println("struct", dead())
}

func parameters(b *big, s []*big) {
	fmt.Println("parameter", dead(), use(b))
	fmt.Println("parameter", dead())
	fmt.Println("parameter", dead(), use(s[0]))
}

func deferred() {
	b := watched(8)
	defer func() { fmt.Println("deferred", use(b)) }()
	fmt.Println("deferred", dead())
}

func kept() {
	b := watched(9)
	fmt.Println("kept", dead())
	runtime.KeepAlive(b)
}

// idle waits with nothing in its hands.
func idle() {
	jobs, ready := make(chan *big), make(chan bool)
	go func() {
		for job := range jobs {
			use(job)
			ready <- true
		}
		close(ready)
	}()
	jobs <- watched(10)
	<-ready
	time.Sleep(5 * time.Millisecond)
	fmt.Println("idle receiver", dead())
	close(jobs)
	<-ready
}

func sending() {
	c := make(chan *big)
	go func() { c <- watched(11) }()
	time.Sleep(5 * time.Millisecond)
	fmt.Println("sender", dead())
	fmt.Println("sender", use(<-c))
	fmt.Println("sender", dead())
}

func panicking() (n int) {
	b := watched(12)
	defer func() {
		recover()
		n = dead()
	}()
	panic(use(b))
}

func main() {
	straight()
	branches(true)
	branches(false)
	fmt.Println("branch", dead())
	loops()
	structs()
	parameters(watched(6), []*big{watched(7)})
	fmt.Println("parameter", dead())
	deferred()
	fmt.Println("deferred", dead())
	kept()
	fmt.Println("kept", dead())
	idle()
	sending()
	fmt.Println("panicking", panicking())
}
