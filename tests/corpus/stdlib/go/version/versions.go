// run
package main

import (
	"fmt"
	"go/version"
)

func main() {
	all := []string{
		"", "go", "go1", "go1.0", "go1.2", "go1.20", "go1.20.0", "go1.21", "go1.21rc2", "go1.21.0",
		"go1.21.3", "go1.21.3-x", "go1.21rc10", "go1.21beta", "go1.21-", "go01.2", "go1.02", "1.21",
		"go2", "go2.0", "go1.", "go1.2.", "go1.2.3.4", "go1.99999999999999999999", "go1.2x", "gox",
	}
	for _, x := range all {
		fmt.Printf("%q %v %q:", x, version.IsValid(x), version.Lang(x))
		for _, y := range all {
			fmt.Print(" ", version.Compare(x, y))
		}
		fmt.Println()
	}
}
