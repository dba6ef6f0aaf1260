// What is said of directives while the file is parsed: beside the errors of the checker.

package main

//go:noinline
var (
	a int
)

//go:noinline

//go:unknown
var b = 1 //go:nosplit

//go:embed
var c string

//go:embed x.txt
var (
	d string
)

//go:linkname e
//go:linkname
//go:linkname e f g
//go:systemstack
//go:nowritebarrier
//go:nowritebarrierrec
//go:yeswritebarrierrec
//go:uintptrkeepalive
//go:cgo_ldflag x
//go:cgo_import_dynamic a b "-l"
//go:wasmimport a
//go:wasmexport a b
//go:build linux
func e() {
	//go:noinline
	println(a)
	if a > 0 {
		//go:nosplit
	}
	f := func() {
		//go:noinline
		_ = b
	}
	f()
	g := /* a comment */ 2 //go:norace
	h()
}

type t struct {
	//go:noinline
	f int
}

func main() {
	_ = func(x int) int {
		//go:embed y
		return x
	}
	e()
}

//go:noinline
