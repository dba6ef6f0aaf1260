// F23: a program sleeps. Prints how often a thread of it was woken in two seconds.
package main

import (
	"fmt"
	"syscall"
	"time"
)

func main() {
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	time.Sleep(2 * time.Second)
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	fmt.Println(after.Nvcsw - before.Nvcsw)
}
