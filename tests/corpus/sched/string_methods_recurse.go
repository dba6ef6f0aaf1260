// run gcstress=2000

// A String method that goes through fmt again, 100,000 deep.
package main

import "fmt"

type depth int

func (d depth) String() string {
	if d == 0 {
		return "end"
	}
	if d%1000 == 0 {
		return fmt.Sprintf("%d:%v", int(d), d-1)
	}
	return fmt.Sprint(d - 1)
}

func main() {
	s := fmt.Sprint(depth(100_000))
	fmt.Println(len(s), s[:40], s[len(s)-20:])
	// And on goroutines, several at once.
	done := make(chan string)
	for range 4 {
		go func() { done <- fmt.Sprint(depth(5_000)) }()
	}
	for range 4 {
		fmt.Println(<-done)
	}
}
