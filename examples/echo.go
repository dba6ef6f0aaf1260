// An echo server: what a connection sends comes back. Every connection has a goroutine of its own, and waiting costs no thread.
//
//	gosched examples/echo.go 127.0.0.1:7000
//	nc 127.0.0.1 7000
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/signal"
)

func serve(c net.Conn) {
	defer c.Close()
	n, err := io.Copy(c, c)
	log.Printf("%v: %d bytes, %v", c.RemoteAddr(), n, err)
}

func main() {
	address := "127.0.0.1:0"
	if len(os.Args) > 1 {
		address = os.Args[1]
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", l.Addr())
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		l.Close()
	}()
	for {
		c, err := l.Accept()
		if err != nil {
			fmt.Println("no more:", err)
			return
		}
		go serve(c)
	}
}
