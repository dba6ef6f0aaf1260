// run

package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// functions are the lines of a stack that name functions.
func functions(stack []byte) string {
	var names []string
	for _, line := range strings.Split(strings.TrimSpace(string(stack)), "\n") {
		if !strings.HasPrefix(line, "\t") {
			line, _, _ = strings.Cut(line, "(")
			line, _, _ = strings.Cut(line, " ")
			names = append(names, line)
		}
	}
	return strings.Join(names, " ")
}

func stack(all bool) []byte {
	buf := make([]byte, 1<<16)
	return buf[:runtime.Stack(buf, all)]
}

func main() {
	fmt.Println(functions(stack(false)))
	fmt.Println(functions(stack(true)))
	fmt.Println(functions(debug.Stack()))
	func() {
		defer func() {
			recover()
			fmt.Println(functions(debug.Stack()))
		}()
		panic(1)
	}()
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { fmt.Println(functions(stack(false))) }()
		runtime.Goexit()
	}()
	<-done
	late := make(chan []byte)
	time.AfterFunc(1, func() { late <- stack(false) })
	text := <-late
	fmt.Println(functions(text))
	fmt.Println(strings.Contains(string(text), "\ncreated by time.goFunc\n"))
	var deep func(int) []byte
	deep = func(n int) []byte {
		if n == 0 {
			return debug.Stack()
		}
		return deep(n - 1)
	}
	fmt.Println(strings.Count(string(deep(60)), "main.main.func"))
	os.Stdout.Sync()
}
