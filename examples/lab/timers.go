// F17: main sets a hundred timers and computes for 90 ms without a call, so its P does not look at them; the other P is idle and
// may. Prints how many microseconds they were late, in the middle.
package main

import (
	"fmt"
	"sort"
	"sync/atomic"
	"time"
)

func compute(rounds int) int {
	n := 0
	for i := range rounds {
		n += i & 3
	}
	return n
}

func main() {
	// How many rounds take 90 ms, as near as a million tell.
	began := time.Now()
	compute(1_000_000)
	rounds := int(1_000_000 * 90 * time.Millisecond / time.Since(began))

	var late [100]atomic.Int64
	began = time.Now()
	for i := range late {
		due := 5*time.Millisecond + time.Duration(i)*100*time.Microsecond
		time.AfterFunc(time.Until(began.Add(due)), func() { late[i].Store(int64(time.Since(began) - due)) })
	}
	compute(rounds)
	time.Sleep(20 * time.Millisecond)
	all := make([]int64, len(late))
	for i := range late {
		all[i] = late[i].Load() / 1000
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	fmt.Println(all[len(all)/2])
}
