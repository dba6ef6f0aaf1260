// run
package main

import (
	"fmt"
	"runtime"
	"strings"
)

func header() string {
	buf := make([]byte, 128)
	text := string(buf[:runtime.Stack(buf, false)])
	return text[:strings.Index(text, "\n")]
}

func init() {
	c := make(chan string)
	go func() { c <- header()[strings.Index(header(), "["):] }()
	fmt.Println("another:", <-c)
	fmt.Println(header())
}

func main() {
	fmt.Println(header())
}
