// run

// A package that is imported for its init functions alone has them run.
package main

import (
	"fmt"
	"image"
	_ "image/png"
	"strings"
)

func main() {
	_, s, err := image.Decode(strings.NewReader("\x89PNG\r\n\x1a\n"))
	fmt.Println(s, err)
}
