// run gcstress=0

// Threads that end and changes of GOMAXPROCS leave no memory behind.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
)

// resident is the memory that the process has, in KB.
func resident() (kb int) {
	status, _ := os.ReadFile("/proc/self/status")
	_, text, _ := strings.Cut(string(status), "VmRSS:")
	fmt.Sscan(text, &kb)
	return kb
}

func endThreads(n int) {
	for range n / 20 {
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(runtime.LockOSThread)
		}
		wg.Wait()
	}
}

func changeProcs(n int) {
	for i := range n {
		runtime.GOMAXPROCS(1 + i%16)
	}
}

func main() {
	for _, f := range []func(int){endThreads, changeProcs} {
		f(4000)
		before := resident()
		f(8000)
		if grown := resident() - before; grown > 1500 {
			fmt.Println("grown by KB", grown)
		}
	}
	fmt.Println("done")
}
