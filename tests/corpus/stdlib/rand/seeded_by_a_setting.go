// run

package main

import (
	"fmt"
	"math/rand"
	"os"
)

func main() {
	// It counts when the first function is called.
	os.Setenv("GODEBUG", "randautoseed=0")
	fmt.Println(rand.Intn(1000), rand.Intn(1000), rand.Float64())
	os.Setenv("GODEBUG", "randseednop=0")
	rand.Seed(1)
	fmt.Println(rand.Intn(1000), rand.Intn(1000), rand.Float64())
}
