// run

// Contexts made, ended and looked at by many goroutines at once: nothing is lost, and nothing hangs.
package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	var ended, afters, stopped atomic.Int64
	for round := range 60 {
		root, end := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := range 25 {
					ctx, cancel := context.WithTimeout(root, time.Hour)
					mid, cancel2 := context.WithCancelCause(context.WithValue(ctx, g, i))
					done := make(chan struct{})
					stop := context.AfterFunc(mid, func() { afters.Add(1); close(done) })
					switch (i + g + round) % 4 {
					case 0:
						cancel()
					case 1:
						cancel2(nil)
					case 2:
						if stop() {
							stopped.Add(1)
							close(done)
						}
						cancel2(fmt.Errorf("x"))
					case 3:
						if i > 20 {
							end()
						}
						cancel()
					}
					<-mid.Done()
					<-done
					if mid.Err() != nil {
						ended.Add(1)
					}
					cancel()
					cancel2(nil)
				}
			}()
		}
		wg.Wait()
		end()
	}
	fmt.Println(ended.Load(), afters.Load()+stopped.Load())
}
