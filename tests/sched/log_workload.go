// run
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

// A little of everything that the scheduler decides about.
func main() {
	var wg sync.WaitGroup
	for i := 0; i < 200; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := 0; j < 20; j++ {
				switch i % 5 {
				case 0:
					runtime.Gosched()
				case 1:
					time.Sleep(100 * time.Microsecond)
				case 2:
					os.Getwd()
				case 3:
					c := make(chan int)
					go func() { c <- j }()
					<-c
				case 4:
					for k := 0; k < 20000; k++ {
					}
				}
			}
		}()
	}
	wg.Wait()
	runtime.GOMAXPROCS(2)
	runtime.GC()
	fmt.Println("done")
}
