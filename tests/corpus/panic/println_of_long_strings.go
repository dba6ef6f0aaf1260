// run
package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// Strings of any length are printed whole, in the order of the arguments.
func main() {
	file, err := os.CreateTemp("", "long")
	if err != nil {
		panic(err)
	}
	os.Remove(file.Name())
	for _, n := range []int{1, 1 << 16, 1<<16 + 1, 5<<20 + 7} {
		long := strings.Repeat("long ", n/5+1)[:n]
		stderr, _ := syscall.Dup(2)
		syscall.Dup2(int(file.Fd()), 2)
		println("a", long, 1, long, long)
		println()
		print(long, "b")
		syscall.Dup2(stderr, 2)
		syscall.Close(stderr)
		got := make([]byte, 5*n+100)
		length, _ := file.ReadAt(got, 0)
		want := "a " + long + " 1 " + long + " " + long + "\n\n" + long + "b"
		fmt.Println(n, length, string(got[:length]) == want)
		file.Truncate(0)
		file.Seek(0, 0)
	}
}
