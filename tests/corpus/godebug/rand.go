// run
//go:debug randautoseed=0
//go:debug randseednop=0

// With randautoseed=0 the top-level functions draw as if from seed 1; with randseednop=0 Seed counts.
package main

import (
	"fmt"
	"math/rand"
)

func main() {
	fmt.Println(rand.Int(), rand.Int())
	rand.Seed(99)
	a := rand.Int()
	rand.Seed(99)
	fmt.Println(a == rand.Int(), a)
}
