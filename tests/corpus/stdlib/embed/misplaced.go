// errorcheck
package main

import _ "embed"

//go:embed data/a.txt
var a, b string

//go:embed data/a.txt
var given = ""

func main() {
	//go:embed data/a.txt
	var local string
	_ = local
}
