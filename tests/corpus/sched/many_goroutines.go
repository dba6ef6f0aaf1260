// run gcstress=10
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func deep(n int) int {
	var pad [20]int
	pad[n%20] = n
	if n == 0 {
		return 0
	}
	return deep(n-1) + pad[n%20] - n + 1
}

func main() {
	var n atomic.Int64
	var wg sync.WaitGroup
	for i := range 10000 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if i%100 == 0 {
				runtime.Gosched()
			}
			if i%1000 == 0 {
				time.Sleep(time.Millisecond)
			}
			n.Add(int64(i))
		}()
	}
	wg.Wait()
	fmt.Println(n.Load())
	for range 4 {
		wg.Add(1)
		go func() { defer wg.Done(); n.Store(int64(deep(20000))) }()
	}
	wg.Wait()
	fmt.Println(n.Load())
	stop := false
	go func() {
		for !stop {
		}
	}()
	time.Sleep(30 * time.Millisecond)
	for range 3 {
		runtime.Gosched()
	}
	fmt.Println("still here", runtime.NumGoroutine() >= 1)
	var once sync.Once
	var rw sync.RWMutex
	cond := sync.NewCond(&sync.Mutex{})
	ready := 0
	m := map[int]int{}
	for i := range 50 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			once.Do(func() { fmt.Println("once") })
			rw.Lock()
			m[i] = i
			rw.Unlock()
			rw.RLock()
			_ = m[i]
			rw.RUnlock()
			cond.L.Lock()
			ready++
			cond.Broadcast()
			cond.L.Unlock()
		}()
	}
	cond.L.Lock()
	for ready < 50 {
		cond.Wait()
	}
	cond.L.Unlock()
	wg.Wait()
	fmt.Println(len(m), ready)
	old := runtime.GOMAXPROCS(3)
	fmt.Println(old >= 1, runtime.GOMAXPROCS(0))
	tk := time.NewTicker(2 * time.Millisecond)
	for range 3 {
		<-tk.C
	}
	tk.Stop()
	fired := make(chan bool)
	time.AfterFunc(time.Millisecond, func() { close(fired) })
	<-fired
	fmt.Println("done")
}
