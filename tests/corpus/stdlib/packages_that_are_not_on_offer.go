// errorcheck
package main

import (
	"C"
	"net/http"
	"no/such"
)

func main() {
	http.Get(such.Name)
}
