package narrow

import (
	"fmt"
	"sync"
	"testing"
)

// All but one are well whatever the order, and each takes many decisions.
func TestMany(t *testing.T) {
	for i := range 8 {
		t.Run(fmt.Sprint("well ", i), func(t *testing.T) {
			t.Parallel()
			c := make(chan int)
			var wg sync.WaitGroup
			for j := range 4 {
				wg.Go(func() { c <- j })
			}
			for range 4 {
				<-c
			}
			wg.Wait()
		})
	}
	t.Run("first (and last)", func(t *testing.T) {
		t.Parallel()
		var mu sync.Mutex
		var order []int
		var wg sync.WaitGroup
		for i := range 2 {
			wg.Go(func() { mu.Lock(); order = append(order, i); mu.Unlock() })
		}
		wg.Wait()
		if order[0] != 0 {
			t.Errorf("got %v", order)
		}
	})
}
