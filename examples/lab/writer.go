// F20: eight readers hold a lock nearly all the time, one or the other of them, and a writer wants it. Prints how many
// milliseconds it has waited; -1 if it still does after two seconds.
package main

import (
	"fmt"
	"sync"
	"time"
)

func main() {
	var lock sync.RWMutex
	for i := range 8 {
		go func() {
			time.Sleep(time.Duration(i) * 250 * time.Microsecond)
			for {
				lock.RLock()
				time.Sleep(2 * time.Millisecond)
				lock.RUnlock()
			}
		}()
	}
	time.Sleep(10 * time.Millisecond)
	waited := make(chan time.Duration)
	go func() {
		began := time.Now()
		lock.Lock()
		waited <- time.Since(began)
	}()
	select {
	case d := <-waited:
		fmt.Println(d.Milliseconds())
	case <-time.After(2 * time.Second):
		fmt.Println(-1)
	}
}
