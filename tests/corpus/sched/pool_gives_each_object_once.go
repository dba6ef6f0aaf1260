// run

// What some goroutines get from a pool others put back, so that the rings of one P are filled and another's are robbed: nobody gets
// what is still held, and what was put back is given out again.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

type object struct {
	held atomic.Int32
	next *object
}

const (
	pairs  = 4
	rounds = 6000
	most   = 90 // objects in a list
)

func main() {
	var pool sync.Pool
	var made, twice atomic.Int64
	get := func() *object {
		o, _ := pool.Get().(*object)
		if o == nil {
			made.Add(1)
			o = new(object)
		}
		if o.held.Add(1) != 1 {
			twice.Add(1)
		}
		return o
	}
	put := func(o *object) {
		o.held.Add(-1)
		pool.Put(o)
	}
	var wg sync.WaitGroup
	lists := make(chan *object, pairs)
	for i := range pairs {
		wg.Go(func() {
			for n := range rounds {
				// Many at once, so that rings fill.
				var list *object
				for range 1 + (n*7+i)%most {
					o := get()
					o.next = list
					list = o
				}
				lists <- list
			}
		})
		wg.Go(func() {
			for range rounds {
				for o := <-lists; o != nil; {
					next := o.next
					o.next = nil
					put(o)
					o = next
				}
			}
		})
	}
	runtime.GC()
	wg.Wait()
	// A collection may empty the pool. Between two of them no more are made than are ever held at once: a list with each who gets, with
	// each who puts, and as many under way. Twice as many, should one look for an object while another puts it back.
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	enough := (int64(stats.NumGC) + 1) * (3 * pairs * most) * 2
	fmt.Println("held twice:", twice.Load(), "more made than needed:", made.Load() > enough)
}
