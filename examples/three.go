// Three goroutines are made one after the other, on one P, and each prints its number. Which comes first?
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	runtime.GOMAXPROCS(1)
	var all sync.WaitGroup
	for i := 1; i <= 3; i++ {
		all.Go(func() { fmt.Print(i, " ") })
	}
	all.Wait()
	fmt.Println()
}
