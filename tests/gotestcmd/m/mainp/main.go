package main

import "fmt"

type T struct{}

func main() { fmt.Println("hi") }

func twice(x int) int { return 2 * x }
