// errorcheck
package main

import "a\x1b[31mb"

func main() {}
