// errorcheck
package main

import (
	"C"
	"no/such"
	"plugin"
)

func main() {
	plugin.Open(such.Name)
}
