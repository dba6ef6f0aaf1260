// What is put into a pool is there for the next who takes something.
package main

import "sync"

func main() {
	var p sync.Pool
	done := make(chan bool, 1)
	go func() {
		p.Put(1)
		done <- true
	}()
	if p.Get() != nil {
		panic("used before")
	}
	<-done
}
