// run

// What Go's own tests ask of corners: shared readers, sizes beyond all memory, odd patterns, panics that pass through.
package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

type info struct{ size int64 }

func (info) Name() string       { return "name" }
func (i info) Size() int64      { return i.size }
func (info) Mode() fs.FileMode  { return 0o644 | fs.ModeSetuid }
func (info) ModTime() time.Time { return time.Unix(0, 0).UTC() }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }

type panics struct{}

func (panics) Write([]byte) (int, error) { panic("cannot write") }

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	const maxInt = 1<<63 - 1
	r := strings.NewReader("one two three")
	outer := io.MultiReader(io.MultiReader(io.LimitReader(r, 4), r))
	again := io.MultiReader(outer)
	a, err := io.ReadAll(again)
	b, err2 := io.ReadAll(outer)
	fmt.Printf("%q %v %q %v\n", a, err, b, err2)

	for _, s := range []string{"${", "${}", "$", "a$", "${a", "${a}", "$*-$1x-$$", "${*}${1}${12}", "$a${b}c", "$ a"} {
		fmt.Printf("%q ", os.Expand(s, func(n string) string { return "<" + n + ">" }))
	}
	fmt.Println()
	for _, n := range []int64{0, 7, 1234, -1, -1 << 63} {
		fmt.Println(fs.FormatFileInfo(info{n}))
	}
	w := tabwriter.NewWriter(panics{}, 0, 8, 1, ' ', 0)
	try(func() { w.Write([]byte("a\n\n")) })
	try(func() {
		io.WriteString(w, "a")
		w.Flush()
	})
	try(func() { strings.Repeat("-", maxInt) })
	try(func() { strings.Repeat("ab", maxInt) })
	try(func() { bytes.NewBuffer(make([]byte, 1)).Grow(maxInt) })
	try(func() { new(bytes.Buffer).Grow(1 << 60) })
	try(func() { slices.Repeat([]int{1}, -1) })
	try(func() { slices.Repeat([]int{1, 2}, maxInt) })
	fmt.Println(len(slices.Repeat([]struct{}{{}}, maxInt)), slices.Repeat([]int{1, 2}, 3), strings.Repeat("", maxInt) == "")
}
