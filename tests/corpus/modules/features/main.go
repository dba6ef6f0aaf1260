// errorcheck of=dir
package main

// What the version of go.mod lacks.
func main() {
	clear([]int{min(1, 2)})
	for range 3 {
	}
}
