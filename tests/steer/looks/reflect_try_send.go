// A send by reflection does not wait, and does not get through.
package main

import (
	"reflect"
	"sync"
)

func main() {
	c := make(chan int, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		reflect.ValueOf(c).TrySend(reflect.ValueOf(1))
	})
	if !reflect.ValueOf(c).TrySend(reflect.ValueOf(2)) {
		panic("full")
	}
	wg.Wait()
}
