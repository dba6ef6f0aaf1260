// run exit=2
package main

import (
	"runtime"
	"runtime/debug"
)

func main() {
	defer func() { println("not recoverable", recover()) }()
	debug.SetMaxThreads(20)
	for i := 0; i < 100; i++ {
		go func() {
			runtime.LockOSThread()
			select {}
		}()
	}
	for {
		runtime.Gosched()
	}
}
