// run gcstress=0
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

type object struct{ n [100]int }

var pool sync.Pool

func main() {
	runtime.GOMAXPROCS(4)
	dead := make(chan int, 1000)
	// From all Ps, and more than one place holds at once; nobody asks the pool again.
	var wg sync.WaitGroup
	for k := range 8 {
		wg.Go(func() {
			for i := range 100 {
				x := new(object)
				runtime.AddCleanup(x, func(n int) { dead <- n }, 100*k+i)
				pool.Put(x)
			}
		})
	}
	wg.Wait()
	runtime.GC()
	time.Sleep(10 * time.Millisecond)
	fmt.Println("after one collection, few:", len(dead) <= 8)
	// What the stopped goroutines have left in registers may keep one or the other.
	for i := 0; i < 20 && len(dead) < 800; i++ {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	fmt.Println("then all:", len(dead))
	runtime.KeepAlive(&pool)
}
