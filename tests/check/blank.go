// The blank identifier names nothing.
package main

import "fmt"

type T struct{ _ int }

func main() {
	fmt._(1)
	_ = fmt._
	var x fmt._
	var t T
	t._ = 1
	_ = t._
	_ = T._
	var p *T
	p._()
	_ = _
	_()
	_ = T{_: 1}
}
