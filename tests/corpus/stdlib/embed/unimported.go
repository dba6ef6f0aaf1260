// errorcheck
package main

//go:embed data/a.txt
var text string

func main() {}
