// Waiters 0 to 5 of a condition variable are queued; main broadcasts.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	done := make(chan bool, 6)
	var ran []int
	for i := range 6 {
		go func() {
			mu.Lock()
			cond.Wait()
			ran = append(ran, i)
			mu.Unlock()
			done <- true
		}()
		runtime.Gosched()
	}
	cond.Broadcast()
	for range 6 {
		<-done
	}
	fmt.Println(ran)
}
