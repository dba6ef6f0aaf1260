// run
package main

import "fmt"

func f(s string) string { fmt.Print(s, " "); return s }

func main() {
	a, b := make(chan int, 1), make(chan string, 1)
	counts := [3]int{}
	for i := range 3000 {
		a <- i
		b <- "x"
		select {
		case <-a:
			counts[0]++
			<-b
		case <-b:
			counts[1]++
			<-a
		}
	}
	fmt.Println(counts[0] > 1300, counts[1] > 1300)
	m := map[string]int{}
	arr := []int{0, 0}
	a <- 7
	select {
	case m["k"] = <-a:
	}
	a <- 8
	var ok bool
	select {
	case arr[1], ok = <-a:
	}
	fmt.Println(m, arr, ok)
	select {
	case a <- 1:
		fmt.Println("sent")
	default:
		fmt.Println("full")
	}
	select {
	case a <- 2:
		fmt.Println("sent")
	default:
		fmt.Println("full")
	}
	close(b)
	select {
	case s, ok := <-b:
		fmt.Printf("%q %v\n", s, ok)
	}
	done := make(chan bool)
	data := make(chan int)
	go func() {
		defer close(done)
		sum := 0
		for {
			select {
			case v, ok := <-data:
				if !ok {
					fmt.Println("sum", sum)
					return
				}
				sum += v
			}
		}
	}()
	for i := range 1000 {
		select {
		case data <- i:
		case <-done:
			fmt.Println("early")
		}
	}
	close(data)
	<-done
loop:
	for i := 0; ; i++ {
		select {
		default:
			if i == 3 {
				break loop
			}
			continue
		}
	}
	x, y := make(chan int), make(chan int)
	go func() {
		for i := range 500 {
			select {
			case x <- i:
			case y <- -i:
			}
		}
		close(x)
	}()
	n := 0
	for open := true; open; {
		select {
		case _, open = <-x:
			n++
		case <-y:
			n++
		}
	}
	fmt.Println(n)
	func() {
		defer func() { fmt.Println(recover()) }()
		c := make(chan int)
		close(c)
		select {
		case c <- 1:
		}
	}()
}
