// A timer is stopped before it is set anew, or is running then.
package main

import (
	"sync"
	"time"
)

func main() {
	t := time.NewTimer(time.Hour)
	var wg sync.WaitGroup
	wg.Go(func() { t.Stop() })
	if !t.Reset(time.Minute) {
		panic("was stopped")
	}
	wg.Wait()
}
