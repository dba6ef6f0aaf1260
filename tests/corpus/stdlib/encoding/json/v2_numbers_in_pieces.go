// run

// A number whose digits come from a reader one by one is one number.
package main

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"strings"
	"testing/iotest"
)

func main() {
	for _, text := range []string{"1234 56", "1e999", "-5", "[12,34]", "12x"} {
		for _, to := range []any{new(int), new(any), new(float32), new([]int)} {
			r := iotest.OneByteReader(strings.NewReader(text))
			d := jsontext.NewDecoder(r)
			err := json.UnmarshalDecode(d, to)
			fmt.Printf("%q %T %v %d\n", text, to, err != nil, d.InputOffset())
			if p, ok := to.(*any); ok {
				fmt.Println(*p)
			}
		}
	}
}
