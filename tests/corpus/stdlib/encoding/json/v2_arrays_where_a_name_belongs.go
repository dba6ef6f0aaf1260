// run

// An array or object where a name of an object belongs is an error, whatever it is read into.
package main

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"strings"
)

func main() {
	for _, text := range []string{"{[1,2]", "{{}", "{1", `{"a"`} {
		d := jsontext.NewDecoder(strings.NewReader(text))
		d.ReadToken()
		var v any
		err := json.UnmarshalDecode(d, &v)
		fmt.Println(v, err, d.InputOffset(), d.StackDepth())
	}
}
