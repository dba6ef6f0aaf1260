// A hundred times: sleep, then two jobs at once.
package main

import (
	"fmt"
	"sort"
	"sync"
	"time"
)

func spin(d time.Duration) {
	for t := time.Now(); time.Since(t) < d; {
	}
}

func job(wg *sync.WaitGroup, asked time.Time, delay *time.Duration) {
	*delay = time.Since(asked)
	spin(5 * time.Millisecond)
	wg.Done()
}

func main() {
	var delays []int
	for range 100 {
		time.Sleep(time.Millisecond)
		var wg sync.WaitGroup
		var d1, d2 time.Duration
		wg.Add(2)
		go job(&wg, time.Now(), &d1)
		go job(&wg, time.Now(), &d2)
		wg.Wait()
		delays = append(delays, int(max(d1, d2).Microseconds()))
	}
	sort.Ints(delays)
	fmt.Println(delays[50])
}
