// run gcstress=0

// A finalizer that is due has run before whoever asks for collections has asked ten times, however busy the machine is.
package main

import "runtime"

type object [4]int

//go:noinline
func drop(done chan<- struct{}) {
	o := &object{1}
	runtime.SetFinalizer(o, func(*object) { close(done) })
}

//go:noinline
func wipe(n int) int {
	var words [64]int
	for i := range words {
		words[i] = n
	}
	return words[n]
}

func isSoon(done <-chan struct{}) bool {
	for range 10 {
		runtime.GC()
		select {
		case <-done:
			return true
		default:
		}
	}
	return false
}

func main() {
	late := 0
	for range 3000 {
		done := make(chan struct{})
		drop(done)
		wipe(1)
		if !isSoon(done) {
			late++
		}
	}
	if late > 0 {
		println(late, "finalizers of 3000 came late")
		panic("late")
	}
}
