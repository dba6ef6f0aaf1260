// run
//go:debug netedns0=0

// With netedns0=0 questions to name servers say nothing of how large an answer may be.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"
)

func main() {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return net.Dial("udp", server.LocalAddr().String())
	}}
	ask := func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		go r.LookupTXT(ctx, "a.example.")
		var b [1000]byte
		n, from, err := server.ReadFrom(b[:])
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(n, b[4:12])
		b[2], b[3] = 0x81, 0x83
		server.WriteTo(b[:n], from)
	}
	ask()
	os.Setenv("GODEBUG", "netedns0=1")
	ask()
}
