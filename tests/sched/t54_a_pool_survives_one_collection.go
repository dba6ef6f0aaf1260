// run gcstress=0
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type object struct{ n int }

func main() {
	runtime.GOMAXPROCS(1)
	made := 0
	pool := sync.Pool{New: func() any { made++; return &object{made} }}
	same := true
	for range 1000 {
		x := pool.Get().(*object)
		pool.Put(x)
		same = same && pool.Get() == any(x)
		pool.Put(x)
	}
	fmt.Println("the same object:", same, made)
	runtime.GC()
	fmt.Println("after one collection:", pool.Get().(*object).n)
	pool.Put(&object{100})
	runtime.GC()
	runtime.GC()
	fmt.Println("after two:", pool.Get().(*object).n)
}
