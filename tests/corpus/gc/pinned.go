// run

// What a runtime.Pinner takes, and that it keeps it until it lets go.
package main

import (
	"fmt"
	"runtime"
	"time"
	"unsafe"
)

type object [320]byte

//go:noinline
func pinned(p *runtime.Pinner, died chan string, name string) {
	x := new(object)
	runtime.SetFinalizer(x, func(*object) { died <- name })
	p.Pin(x)
}

func collect(died chan string, most time.Duration) string {
	runtime.GC()
	select {
	case name := <-died:
		return name + " died"
	case <-time.After(most):
		return "nothing died"
	}
}

//go:noinline
func compared(died chan string) bool {
	x := new(object)
	runtime.SetFinalizer(x, func(*object) { died <- "what was compared" })
	return uintptr(unsafe.Pointer(x))+unsafe.Sizeof(*x) == 1
}

func main() {
	died := make(chan string, 1)
	p := new(runtime.Pinner)
	p.Unpin()
	pinned(p, died, "x")
	fmt.Println(collect(died, 20*time.Millisecond))
	p.Unpin()
	p.Unpin()
	fmt.Println(collect(died, time.Minute))

	for _, x := range []any{nil, 1, "s", []int{1}, new(int), unsafe.Pointer(new(int)), (*int)(nil)} {
		func() {
			defer func() {
				if r := recover(); r != nil {
					fmt.Println(r)
				}
			}()
			p.Pin(x)
			p.Unpin()
			fmt.Printf("%T\n", x)
		}()
	}

	// A number that was a pointer keeps nothing.
	y := new(object)
	n := uintptr(unsafe.Pointer(y))
	runtime.SetFinalizer(y, func(*object) { died <- "y" })
	fmt.Println(collect(died, time.Minute), n != 0)
	fmt.Println(compared(died))
	fmt.Println(collect(died, time.Minute))
}
