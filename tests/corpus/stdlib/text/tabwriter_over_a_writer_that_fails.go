// run

// An error of the output is told by each call that meets it, also by those after it.
package main

import (
	"errors"
	"fmt"
	"text/tabwriter"
)

type full struct{ left int }

func (w *full) Write(p []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

type none struct{}

func (none) Write(p []byte) (int, error) { return 0, nil }

func main() {
	text := []byte("a\tb\nccc\tdd\n\n")
	for n := range 5 {
		w := tabwriter.NewWriter(&full{n}, 8, 8, 1, '.', tabwriter.Debug)
		for range 3 {
			k, err := w.Write(text)
			fmt.Println(n, k, err)
		}
		fmt.Println(w.Flush(), w.Flush())
	}
	w := tabwriter.NewWriter(none{}, 8, 8, 1, '.', 0)
	k, err := w.Write(text)
	fmt.Println(k, err, w.Flush())
}
