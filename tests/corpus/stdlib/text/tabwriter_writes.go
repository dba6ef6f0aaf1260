// run

// What a tabwriter writes to its output, call by call: padding comes eight characters at a time, and
// WriteString is not called.
package main

import (
	"fmt"
	"text/tabwriter"
)

type output struct{}

func (output) Write(p []byte) (int, error) {
	fmt.Printf("%q ", p)
	return len(p), nil
}

func (output) WriteString(s string) (int, error) { panic(s) }

func main() {
	for _, padding := range []byte{' ', '\t'} {
		for _, flags := range []uint{0, tabwriter.AlignRight, tabwriter.Debug, tabwriter.TabIndent} {
			w := tabwriter.NewWriter(output{}, 8, 8, 1, padding, flags)
			fmt.Fprint(w, "a\tb\ncccccccccccccccccccc\td\n\t\tx\n\ny\fz")
			fmt.Println(w.Flush())
		}
	}
}
