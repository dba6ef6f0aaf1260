// run
package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	before := runtime.NumGoroutine()
	done := make(chan bool)
	go func() {
		defer close(done)
		for i := 1; i <= 3; i++ {
			defer func() { fmt.Println("deferred", i, recover()) }()
		}
		func() {
			defer fmt.Println("inner")
			runtime.Goexit()
		}()
		fmt.Println("never")
	}()
	<-done
	for i := 0; i < 1000 && runtime.NumGoroutine() != before; i++ {
		time.Sleep(time.Millisecond)
	}
	fmt.Println("goroutines left:", runtime.NumGoroutine()-before)

	panicked := make(chan bool)
	go func() {
		defer close(panicked)
		defer fmt.Println("and again")
		defer runtime.Goexit()
		panic("lost")
	}()
	<-panicked
}
