// A channel is closed by reflection before another sends.
package main

import (
	"reflect"
	"sync"
)

func main() {
	c := make(chan int, 1)
	var wg sync.WaitGroup
	wg.Go(func() { reflect.ValueOf(c).Close() })
	c <- 1
	wg.Wait()
}
