// As many goroutines as the argument says note their numbers and end; main waits.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var wg sync.WaitGroup
	ran := make([]int, 0, n)
	wg.Add(n)
	for i := range n {
		go func() {
			ran = append(ran, i)
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(ran)
}
