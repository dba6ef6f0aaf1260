// Package oneliner: what code on the command line is put into. Programs cannot import it.
package oneliner

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

var input = bufio.NewReader(os.Stdin)

// Next reads a line of standard input, without its end; false: there is none.
func Next(line *string) bool {
	text, err := input.ReadString('\n')
	if err != nil && err != io.EOF {
		fmt.Fprintln(os.Stderr, "gosched: reading standard input:", err)
		os.Exit(1)
	}
	*line = strings.TrimSuffix(text, "\n")
	return text != ""
}

// Fields cuts a line at white space.
func Fields(line string) []string {
	return strings.Fields(line)
}

// Put prints a line.
func Put(line string) {
	if _, err := os.Stdout.WriteString(line + "\n"); err != nil {
		fmt.Fprintln(os.Stderr, "gosched:", err)
		os.Exit(1)
	}
}

// Print prints values, each on a line.
func Print(values ...any) {
	for _, v := range values {
		fmt.Println(v)
	}
}
