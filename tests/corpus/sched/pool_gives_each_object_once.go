// run
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
	for i := range 8 {
		wg.Go(func() {
			for n := range 3000 {
				// Many at once, so that rings fill, and are emptied by others.
				var list *object
				for range 1 + (n*7+i)%90 {
					o := get()
					o.next = list
					list = o
				}
				if n%64 == 0 {
					runtime.Gosched()
				}
				for o := list; o != nil; {
					next := o.next
					o.next = nil
					put(o)
					o = next
				}
			}
		})
		if i == 4 {
			runtime.GC()
		}
	}
	wg.Wait()
	fmt.Println("held twice:", twice.Load(), "far fewer made than used:", made.Load() < 8*3000*45/10)
}
