// errorcheck
package main

import _ "embed"

//go:embed data/a.txt
var good string

//go:embed data/sub/s.txt data/_none
var bad string

func main() {}
