// run
package main

import (
	"fmt"
	"sync"
	"time"
)

type msg struct {
	id   int
	text string
	back chan<- int
}

func worker(in <-chan msg, wg *sync.WaitGroup) {
	defer wg.Done()
	for m := range in {
		m.back <- m.id * len(m.text)
	}
}

func main() {
	in := make(chan msg)
	back := make(chan int, 10)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go worker(in, &wg)
	}
	for i := range 10 {
		in <- msg{i, "abc", back}
	}
	close(in)
	wg.Wait()
	sum := 0
	for range 10 {
		sum += <-back
	}
	fmt.Println(sum, len(back), cap(back))
	c := make(chan int, 2)
	c <- 1
	c <- 2
	close(c)
	v, ok := <-c
	fmt.Println(v, ok)
	fmt.Println(<-c)
	v, ok = <-c
	fmt.Println(v, ok)
	unb := make(chan string)
	go func() { defer close(unb); unb <- "hello"; unb <- "world" }()
	for s := range unb {
		fmt.Println(s)
	}
	big := make(chan [100]int, 1)
	var arr [100]int
	arr[99] = 7
	big <- arr
	fmt.Println((<-big)[99])
	cc := make(chan chan int, 1)
	ci := make(chan int, 1)
	cc <- ci
	(<-cc) <- 5
	fmt.Println(<-ci)
	var mu sync.Mutex
	total := 0
	var wg2 sync.WaitGroup
	for i := range 100 {
		wg2.Add(1)
		go func() {
			defer wg2.Done()
			mu.Lock()
			defer mu.Unlock()
			total += i
		}()
	}
	wg2.Wait()
	fmt.Println(total)
	timeout := time.After(10 * time.Millisecond)
	never := make(chan int)
	select {
	case <-never:
		fmt.Println("?")
	case <-timeout:
		fmt.Println("timeout")
	}
	zero := make(chan struct{})
	go close(zero)
	<-zero
	var nilc chan int
	select {
	case nilc <- 1:
	case <-nilc:
	default:
		fmt.Println("default")
	}
	any := make(chan interface{}, 3)
	any <- 1
	any <- "two"
	any <- nil
	fmt.Println(<-any, <-any, <-any)
	res := make(chan int)
	go func() {
		a := make(chan int)
		go func() { a <- 1 }()
		res <- <-a + 1
	}()
	fmt.Println(<-res)
}
