// run exit=2
package main

import "unsafe"

// A string that is longer than the memory behind it has none of it printed, and the fault is no panic that could be recovered.
func main() {
	defer func() { println("recovered", recover() != nil) }()
	b := []byte("abc")
	n := uint64(1<<63 - 1)
	s := unsafe.String(&b[0], n)
	println(len(s), s[0])
	println("before", s)
}
