// run

package main

import (
	"fmt"
	"io"
	"runtime"
)

type writer func(p []byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

func main() {
	w := writer(func(p []byte) (int, error) {
		pcs := make([]uintptr, 100)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
		for {
			frame, more := frames.Next()
			fmt.Println(frame.Function)
			if !more {
				return len(p), nil
			}
		}
	})
	all := io.MultiWriter(w, io.MultiWriter(w))
	all.Write(nil)
	io.WriteString(all, "x")
}
