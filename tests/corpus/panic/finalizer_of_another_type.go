// run exit=2

// A finalizer that cannot take the object is a fault that nobody recovers, and the dump names the G and its M.
package main

import "runtime"

type node struct{ next *node }

func main() {
	defer func() { recover() }()
	runtime.SetFinalizer(new(struct{}), func(*struct{}) {}) // has no size: ignored
	runtime.SetFinalizer(new(node), func(*int) {})
}
