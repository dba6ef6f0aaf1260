// errorcheck
package main

import "syscall"

func main() {
	syscall.LsfSocket(0, 0)
	syscall.NoSuchName(0)
	_ = syscall.lsfSocket
	var x syscall.PtraceRegs
	_ = x
}
