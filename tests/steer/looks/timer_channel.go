// A tick that is due is taken by a receive, or by who stops the timer.
package main

import (
	"sync"
	"time"
)

func main() {
	t := time.NewTimer(time.Second)
	time.Sleep(time.Minute)
	var wg sync.WaitGroup
	wg.Go(func() {
		select {
		case <-t.C:
		default:
		}
	})
	if !t.Stop() {
		panic("the tick was taken")
	}
	wg.Wait()
}
