// run

// A byte goes beside what a stream carries as control data; it counts as received.
package main

import (
	"fmt"
	"syscall"
)

func main() {
	p, err := syscall.Socketpair(syscall.AF_LOCAL, syscall.SOCK_STREAM, 0)
	fmt.Println(err)
	oob := syscall.UnixRights(1)
	n, err := syscall.SendmsgN(p[0], nil, oob, nil, 0)
	fmt.Println(n, err)
	b := make([]byte, 100)
	n, oobn, _, _, err := syscall.Recvmsg(p[1], nil, b, 0)
	fmt.Println(n, oobn, err)
}
