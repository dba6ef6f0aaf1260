// errorcheck
package main

import (
	"C"
	"debug/elf"
	"no/such"
)

func main() {
	elf.Open(such.Name)
}
