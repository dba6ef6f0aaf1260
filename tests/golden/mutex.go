// Lockers 0 to 4 of a mutex are queued; main unlocks it.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var ran []int
	mu.Lock()
	wg.Add(5)
	for i := range 5 {
		go func() {
			mu.Lock()
			ran = append(ran, i)
			mu.Unlock()
			wg.Done()
		}()
		runtime.Gosched()
	}
	mu.Unlock()
	wg.Wait()
	fmt.Println(ran)
}
