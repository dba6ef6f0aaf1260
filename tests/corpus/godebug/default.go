// run
//go:debug default=go1.20
//go:debug randseednop=1

// default=go1.N names the version of Go as of which settings are, but for those that are named.
package main

import (
	"fmt"
	"math/rand"
	"net/url"
)

func main() {
	func() {
		defer func() { fmt.Println(recover()) }()
		panic(nil)
	}()
	rand.Seed(1)
	a := rand.Int63()
	rand.Seed(1)
	fmt.Println(a == rand.Int63())
	u, err := url.Parse("http://a:b:1/")
	fmt.Println(u, err)
}
