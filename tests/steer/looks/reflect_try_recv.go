// A receive by reflection takes what another wants.
package main

import (
	"reflect"
	"sync"
)

func main() {
	c := make(chan int, 1)
	c <- 1
	var wg sync.WaitGroup
	wg.Go(func() {
		reflect.ValueOf(c).TryRecv()
	})
	if _, ok := reflect.ValueOf(c).TryRecv(); !ok {
		panic("empty")
	}
	wg.Wait()
}
