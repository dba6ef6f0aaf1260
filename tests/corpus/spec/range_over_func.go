// run
package main

import "fmt"

func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		defer fmt.Println("count done")
		for i := 0; i < n; i++ {
			if !yield(i) {
				fmt.Println("stopped at", i)
				return
			}
		}
	}
}

func pairs(yield func(string, int) bool) {
	for i, s := range []string{"a", "b", "c"} {
		if !yield(s, i) {
			return
		}
	}
}

func forever(yield func() bool) {
	for yield() {
	}
}

func search(want int) (found int) {
	defer func() { found *= 2 }()
	for i := range count(10) {
		defer fmt.Println("defer in loop", i)
		if i == want {
			return i
		}
	}
	return -1
}

func nested() string {
outer:
	for i := range count(3) {
		for s, j := range pairs {
			if j == 1 {
				continue outer
			}
			if i == 2 {
				break outer
			}
			fmt.Println(i, s, j)
		}
	}
	return "end"
}

func main() {
	for i := range count(3) {
		fmt.Println(i)
	}
	for i := range count(5) {
		if i == 2 {
			break
		}
	}
	for s, i := range pairs {
		if i == 1 {
			continue
		}
		fmt.Println(s, i)
	}
	n := 0
	for range forever {
		if n++; n > 3 {
			break
		}
	}
	fmt.Println(n, search(2), nested())
	var x int
	for x = range count(2) {
	}
	fmt.Println(x)
	func() {
		defer func() { fmt.Println("recovered", recover()) }()
		for i := range count(3) {
			panic(i)
		}
	}()
}
