// run

// Headers that end early, or are none.
package main

import (
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
)

func main() {
	for _, s := range []string{"", "B", "X", "XX", "XXX", "BZ", "BZh", "BZx", "BZx9", "BZh0", "BZh9",
		"BZh91", "BZh9123456", "BZh91234567"} {
		_, err := io.ReadAll(bzip2.NewReader(bytes.NewReader([]byte(s))))
		fmt.Printf("%q %v\n", s, err)
	}
}
