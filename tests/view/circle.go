// Two goroutines each have a lock that the other wants.
package main

import (
	"fmt"
	"sync"
	"time"
)

func take(first, second *sync.Mutex, has, may chan int) {
	first.Lock()
	has <- 1
	<-may
	second.Lock()
}

func main() {
	var a, b sync.Mutex
	has, may := make(chan int), make(chan int)
	go take(&a, &b, has, may)
	go take(&b, &a, has, may)
	<-has
	<-has
	close(may)
	time.Sleep(5 * time.Millisecond)
	fmt.Println("stuck")
}
