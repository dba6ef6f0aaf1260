// run exit=2

// A nil pointer points to no object that a finalizer could wait for.
package main

import "runtime"

var global int

func main() {
	runtime.SetFinalizer(&global, func(*int) {}) // lives for ever: ignored
	runtime.SetFinalizer((*int)(nil), func(*int) {})
}
