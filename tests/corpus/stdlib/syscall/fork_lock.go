// run

// Whoever holds syscall.ForkLock for reading keeps processes from being started.
package main

import (
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

func main() {
	syscall.ForkLock.RLock()
	done := make(chan error)
	go func() { done <- exec.Command("/bin/true").Run() }()
	select {
	case <-done:
		fmt.Println("started")
	case <-time.After(100 * time.Millisecond):
		fmt.Println("waits")
	}
	syscall.ForkLock.RUnlock()
	fmt.Println(<-done)
}
