// run gcstress=0

// Of a deep stack only the ends are shown, and the frames between them take no memory.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

// peak is the most memory that the process has had, in KB.
func peak() (kb int) {
	status, _ := os.ReadFile("/proc/self/status")
	_, text, _ := strings.Cut(string(status), "VmHWM:")
	fmt.Sscan(text, &kb)
	return kb
}

func down(n int) int {
	if n > 0 {
		return down(n-1) + 1
	}
	before := peak()
	lines := strings.Count(string(debug.Stack()), "\n")
	if grown := peak() - before; grown > 20_000 {
		fmt.Println("grown by KB", grown)
	}
	return lines
}

func main() {
	fmt.Println(down(1_000_000) < 1_000_300)
}
