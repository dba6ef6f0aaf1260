// run gcstress=0

// The stack of a goroutine that has returned from deep calls is halved by each collection.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

//go:noinline
func deep(n int) int {
	var room [128]int
	room[n&127] = n
	if n == 0 {
		return 0
	}
	return deep(n-1) + room[n&127]
}

//go:noinline
func inUse() int {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int(s.StackInuse)
}

func main() {
	debug.SetGCPercent(-1)
	runtime.GC()
	base := inUse()
	ready, gate := make(chan int), make(chan bool)
	go func() {
		ready <- deep(2500)
		<-gate
	}()
	<-ready
	runtime.Gosched()
	size := inUse() - base
	fmt.Println("grown:", size >= 4<<20 && size < 5<<20)
	for want := size; want > 512<<10; {
		runtime.GC()
		want /= 2
		got := inUse() - base
		if got < want*8/10 || got > want*12/10+192<<10 {
			fmt.Println("in use", got, "instead of about", want)
		}
	}
	for range 8 {
		runtime.GC()
	}
	fmt.Println("small again:", inUse()-base <= 256<<10)
	close(gate)
}
