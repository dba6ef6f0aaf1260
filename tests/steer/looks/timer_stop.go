// Of two that stop a timer, either may be the one that does.
package main

import (
	"sync"
	"time"
)

func main() {
	t := time.AfterFunc(time.Hour, func() {})
	var wg sync.WaitGroup
	wg.Go(func() { t.Stop() })
	if !t.Stop() {
		panic("stopped by the other")
	}
	wg.Wait()
}
