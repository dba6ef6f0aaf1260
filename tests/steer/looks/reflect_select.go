// A select by reflection with a default, beside a send.
package main

import (
	"reflect"
	"sync"
)

func main() {
	a, b := make(chan int, 1), make(chan int, 1)
	var wg sync.WaitGroup
	wg.Go(func() { b <- 1 })
	chosen, _, _ := reflect.Select([]reflect.SelectCase{
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(a)},
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(b)},
		{Dir: reflect.SelectDefault},
	})
	if chosen == 1 {
		panic("received")
	}
	wg.Wait()
}
