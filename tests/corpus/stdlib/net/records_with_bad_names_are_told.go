// run

// Hosts that cannot be are left out of what a server of names answers, and an error tells of them
// beside the rest. Listening by a path takes any kind of socket.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"
)

// answer makes the reply to a question for mail exchangers: one good, one bad.
func answer(m []byte) []byte {
	end := 12
	for m[end] != 0 {
		end += int(m[end]) + 1
	}
	end += 5
	out := append([]byte{m[0], m[1], 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 0}, m[12:end]...)
	for i, host := range []string{"\x04good\xc0\x0c", "\x04b!ad\xc0\x0c"} {
		out = append(out, 0xc0, 12, 0, 15, 0, 1, 0, 0, 0, 60, 0, byte(2+len(host)), 0, byte(10*(i+1)))
		out = append(out, host...)
	}
	return out
}

func main() {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := server.ReadFrom(buf)
			if err != nil {
				return
			}
			server.WriteTo(answer(buf[:n]), from)
		}
	}()
	r := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
	list, err := r.LookupMX(context.Background(), "mail.example.")
	for _, mx := range list {
		fmt.Println(mx.Pref, mx.Host)
	}
	fmt.Println(err)
	_, err = r.LookupAddr(context.Background(), "fe80::1%nowhere")
	fmt.Println(err)

	dir, err := os.MkdirTemp("", "paths")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	l, err := net.Listen("unixgram", filepath.Join(dir, "a"))
	fmt.Println(l != nil, err)
	p, err := net.ListenPacket("unix", filepath.Join(dir, "b"))
	fmt.Println(p != nil, err)

	a, b := net.Pipe()
	go func() { a.Write([]byte("hello")); a.Close() }()
	b.SetReadDeadline(time.Now().Add(time.Minute))
	buf := make([]byte, 3)
	for err = nil; err == nil; {
		var n int
		n, err = b.Read(buf)
		fmt.Printf("%q %v\n", buf[:n], err)
	}
}
