// run gcstress=1000

// A parked goroutine costs its stack of 2 KB and little more.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
)

const n = 100_000

// kilobytes reads a line of /proc/self/status.
func kilobytes(name string) (kb int) {
	text, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			fmt.Sscan(rest, &kb)
		}
	}
	return kb
}

func main() {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	rss := kilobytes("VmRSS")
	gate := make(chan bool)
	var parked sync.WaitGroup
	parked.Add(n)
	for range n {
		go func() {
			parked.Done()
			<-gate
		}()
	}
	parked.Wait()
	runtime.ReadMemStats(&after)
	stack := (after.StackInuse - before.StackInuse) / n
	sys := (after.Sys - before.Sys) / n
	resident := (kilobytes("VmRSS") - rss) * 1024 / n
	fmt.Println(stack >= 2000 && stack <= 4096, sys <= 4096, resident <= 4096)
	if kb := kilobytes("VmHWM"); kb > 400<<10 {
		fmt.Println(kb, "KB in all")
	}
	close(gate)
}
