// run procs=1
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	var order []int
	for i := 0; i < 10; i++ {
		wg.Add(1)
		go func() {
			order = append(order, i)
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(order)
}
