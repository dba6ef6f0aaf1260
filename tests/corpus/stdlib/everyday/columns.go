// run

// Package text/tabwriter: texts, widths and flags in many combinations.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
)

var texts = []string{
	"", "a", "\n", "a\tb\tc\n", "a\tb\tc\naa\tbb\tcc\naaa\t\n", "a\n\nb\tc\n", "x\ty\n\nlong cell\tz\nb\tlonger cell\tq\n", "a\t\tb\n\t\tc\nddd\teee\tf\n",
	"a\v\vb\nc\v\vd\n", "a\t\vb\nc\t\vd\n", "1\t2\t3\f4444\t5\t6\n", "日本\tx\nabc\ty\n", "<b>bold</b>\tx&amp;y\tz\nplain\t&lt;\tq\n", "\xffesc\taped\xff\tb\ncc\tdd\n",
	"\t\tindent\n\tone\nzero\n", "no newline\tat end", "a\tb\nonly\nc\td\n", "\xffopen", "tab\t", "a\tb\tc\td\ne\tf\ng\th\ti\n\tj\n",
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken") }

func main() {
	for _, c := range []struct {
		min, tab, pad int
		char          byte
		flags         uint
	}{{0, 8, 0, '\t', 0}, {8, 8, 1, ' ', 0}, {0, 4, 1, '.', tabwriter.AlignRight}, {5, 0, 0, ' ', tabwriter.Debug}, {0, 8, 2, ' ', tabwriter.TabIndent},
		{0, 8, 1, '*', tabwriter.DiscardEmptyColumns}, {0, 8, 1, ' ', tabwriter.FilterHTML | tabwriter.StripEscape}, {1, 4, 1, '\t', tabwriter.AlignRight | tabwriter.Debug},
		{0, 0, 0, '\t', 0}, {3, 8, 1, '-', tabwriter.FilterHTML | tabwriter.Debug | tabwriter.DiscardEmptyColumns | tabwriter.AlignRight}} {
		for _, t := range texts {
			var b strings.Builder
			w := tabwriter.NewWriter(&b, c.min, c.tab, c.pad, c.char, c.flags)
			n, err := w.Write([]byte(t))
			err2 := w.Flush()
			// In pieces it is the same.
			var b2 strings.Builder
			w.Init(&b2, c.min, c.tab, c.pad, c.char, c.flags)
			for i := range len(t) {
				w.Write([]byte{t[i]})
			}
			w.Flush()
			fmt.Printf("%q %v %v %v %v\n", b.String(), n == len(t), err, err2, b.String() == b2.String())
		}
	}
	w := tabwriter.NewWriter(broken{}, 0, 8, 1, ' ', 0)
	_, err := fmt.Fprintln(w, "a\tb\nc")
	fmt.Println(err, w.Flush())
	w = tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight|tabwriter.Debug)
	fmt.Fprintln(w, "name\tcount\tshare\t")
	fmt.Fprintln(w, "one\t1\t0.5\t")
	fmt.Fprintln(w, "twenty\t20\t12.25\t")
	w.Flush()
}
