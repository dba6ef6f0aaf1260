// run

// A year of two digits may have a sign for one of them.
package main

import (
	"fmt"
	"time"
)

func main() {
	for _, s := range []string{"-00101000000Z", "-200101000000", "+10101000000Z", "-10101000000Z", "0-0101000000Z", " 10101000000Z", "--0101000000Z"} {
		t, err := time.Parse("060102150405Z0700", s)
		fmt.Println(t, err)
	}
}
