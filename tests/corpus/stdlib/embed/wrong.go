// errorcheck
package main

import "embed"

//go:embed data/a.txt data/b.bin
var several string

//go:embed data/a.txt
var array [3]int

//go:embed data
var bytes []byte

//go:embed data/a.txt
var words []string

type (
	tree   embed.FS
	letter byte
)

//go:embed data/a.txt
var mine tree

//go:embed data/a.txt
var letters []letter

func main() {}
