package main

import "fmt"

func main() {
	fmt.Println("Hello from a goroutine on a real scheduler.")
}
