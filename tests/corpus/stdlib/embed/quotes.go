// errorcheck
package main

import _ "embed"

//go:embed "data/a.txt
var quoted string

//go:embed `data/a.txt`x
var behind string

//go:embed
var none string

func main() {}
