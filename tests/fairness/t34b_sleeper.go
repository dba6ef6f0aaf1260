// How late a sleeper is beside two loops on one P: the median in microseconds, of 20 sleeps of a millisecond.
package main

import (
	"fmt"
	"sort"
	"time"
)

func main() {
	for i := 0; i < 2; i++ {
		go func() {
			for {
			}
		}()
	}
	var took []time.Duration
	for i := 0; i < 20; i++ {
		start := time.Now()
		time.Sleep(time.Millisecond)
		took = append(took, time.Since(start))
	}
	sort.Slice(took, func(i, j int) bool { return took[i] < took[j] })
	fmt.Println(took[10].Microseconds())
}
