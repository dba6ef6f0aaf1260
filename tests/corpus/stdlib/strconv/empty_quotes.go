// run

package main

import (
	"fmt"
	"strconv"
)

func main() {
	// An empty pair of single quotes is taken for the empty string.
	for _, s := range []string{"''", "'a'", "'ab'", "'", "''x", "'''", `'\''`, "'\n'", "'\xff'", `'\`, "'é"} {
		u, err := strconv.Unquote(s)
		p, e := strconv.QuotedPrefix(s)
		fmt.Printf("%q: %q %v, %q %v\n", s, u, err, p, e)
	}
	_, _, tail, err := strconv.UnquoteChar("'", '\'')
	fmt.Printf("%q %v\n", tail, err)
}
