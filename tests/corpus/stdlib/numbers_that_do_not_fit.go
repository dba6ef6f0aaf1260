// run
package main

import (
	"fmt"
	"net"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// Numbers of 64 bits for what the kernel or the runtime keeps in fewer: none is cut off where Go does not cut it off.

const big = 1 << 32

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panics:", r)
		}
	}()
	f()
}

//go:noinline
func deep(n int) (sum int) {
	var a [100]int
	if n > 0 {
		a[n%100] = deep(n-1) + 1
	}
	return a[n%100]
}

func main() {
	fmt.Println(syscall.Errno(0), syscall.Errno(2), syscall.Errno(big+2), syscall.Errno(1<<63), syscall.Errno(132), syscall.Errno(133))
	fmt.Println(syscall.Signal(big+9), syscall.Signal(-1))

	fmt.Println(debug.SetGCPercent(big+50), debug.SetGCPercent(big-1), debug.SetGCPercent(-5), debug.SetGCPercent(100))
	debug.SetMaxStack(-1)
	fmt.Println(deep(1000), debug.SetMaxStack(1<<29))
	runtime.GOMAXPROCS(big + 2)
	fmt.Println(runtime.GOMAXPROCS(-big), runtime.GOMAXPROCS(0))

	try("WaitGroup", func() {
		var wg sync.WaitGroup
		wg.Add(big)
		wg.Wait()
		wg.Add(1 << 31)
	})
	for _, n := range []int{1 << 62, 1<<63 - 1, -1 << 62} {
		try("Repeat", func() { _ = strings.Repeat("x", n) })
		try("Repeat", func() { _ = strings.Repeat("xx", n) })
		try("Repeat", func() { fmt.Println(len(strings.Repeat("", n))) })
	}

	for _, port := range []int{-1, 1 << 16, big + 80} {
		_, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
		fmt.Println(err)
		_, err = net.ListenTCP("tcp6", &net.TCPAddr{IP: net.IPv6loopback, Port: port})
		fmt.Println(err)
		_, err = net.DialUDP("udp", nil, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
		fmt.Println(err)
	}
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		panic(err)
	}
	_, err = c.WriteTo([]byte("x"), &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: big + 80})
	fmt.Println(strings.Replace(err.Error(), c.LocalAddr().String(), "local", 1))

	try("FormatFloat", func() { fmt.Println(strconv.FormatFloat(1.1, 'e', -1, big+32)) })
	try("AppendFloat", func() { fmt.Println(strconv.AppendFloat(nil, 1.1, 'e', -1, big+32)) })
	try("FormatInt", func() { fmt.Println(strconv.FormatInt(5, big+10)) })
	fmt.Println(strings.SplitN("a,b,c", ",", big+1), strings.SplitN("a,b,c", ",", -big), strings.Replace("aaa", "a", "b", big+1))
}
