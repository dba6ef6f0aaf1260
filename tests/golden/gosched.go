// Two goroutines note their names and give way, in turn.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	var ran []byte
	wg.Add(2)
	for _, name := range []byte("AB") {
		go func() {
			for range 5 {
				ran = append(ran, name)
				runtime.Gosched()
			}
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(string(ran))
}
