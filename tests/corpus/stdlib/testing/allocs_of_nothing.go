// run

// What measuring allocates itself is not counted.
package main

import (
	"fmt"
	"testing"
)

var kept []*int

func main() {
	fmt.Println(testing.AllocsPerRun(1, func() {}), testing.AllocsPerRun(100, func() {}))
	fmt.Println(testing.AllocsPerRun(1, func() { kept = append(kept[:0], new(int)) }))
	fmt.Println(testing.AllocsPerRun(10, func() { kept = append(kept[:0], new(int)) }))
}
