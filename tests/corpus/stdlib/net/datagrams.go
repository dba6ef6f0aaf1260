// run

// Messages over UDP and Unix sockets: to and from, connected and not, cut ones, deadlines, errors.
package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"time"
)

func main() {
	a, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	b, _ := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	defer b.Close()
	buf := make([]byte, 16)
	n, err := a.WriteTo([]byte("hello"), b.LocalAddr())
	fmt.Println(n, err)
	n, from, err := b.ReadFromUDP(buf)
	fmt.Println(string(buf[:n]), from.String() == a.LocalAddr().String(), err)
	n, err = b.WriteToUDP([]byte("a message longer than the buffer"), from)
	fmt.Println(n, err)
	n, addr, err := a.ReadFrom(buf)
	fmt.Println(n, string(buf[:n]), addr.String() == b.LocalAddr().String(), addr.Network(), err)
	// Empty messages are messages.
	n, err = b.WriteToUDP(nil, from)
	fmt.Println(n, err)
	n, _, err = a.ReadFrom(buf)
	fmt.Println(n, err)

	c, err := net.Dial("udp", a.LocalAddr().String())
	fmt.Println(err)
	defer c.Close()
	fmt.Fprint(c, "one")
	fmt.Fprint(c, "two")
	for range 2 {
		n, addr, err = a.ReadFrom(buf)
		fmt.Println(string(buf[:n]), addr.String() == c.LocalAddr().String(), err)
	}
	_, err = c.(*net.UDPConn).WriteTo([]byte("x"), a.LocalAddr())
	fmt.Println(errors.Is(err, net.ErrWriteToConnected))
	_, err = a.WriteTo([]byte("x"), nil)
	fmt.Println(err != nil)
	_, err = a.WriteTo([]byte("x"), &net.TCPAddr{})
	fmt.Println(err != nil)
	_, err = b.Write([]byte("x"))
	var op *net.OpError
	fmt.Println(errors.As(err, &op), op.Op, op.Net, op.Err)

	start := time.Now()
	a.SetReadDeadline(start.Add(20 * time.Millisecond))
	_, _, err = a.ReadFrom(buf)
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded), time.Since(start) >= 20*time.Millisecond)
	a.SetReadDeadline(time.Time{})
	go func() {
		time.Sleep(10 * time.Millisecond)
		a.Close()
	}()
	_, _, err = a.ReadFrom(buf)
	fmt.Println(errors.Is(err, net.ErrClosed))

	// Unix sockets.
	dir, _ := os.MkdirTemp("", "gosock")
	defer os.RemoveAll(dir)
	name := (dir + "/" + "s")
	l, err := net.Listen("unix", name)
	fmt.Println(err, l.Addr().Network(), l.Addr().String() == name)
	peers := make(chan string, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			b := make([]byte, 10)
			n, _ := c.Read(b)
			c.Write(append([]byte("got "), b[:n]...))
			peers <- fmt.Sprintf("%q %q", c.RemoteAddr().String(), c.RemoteAddr().Network())
			c.Close()
		}
	}()
	u, err := net.Dial("unix", name)
	fmt.Println(err)
	fmt.Printf("%q %t\n", u.LocalAddr().String(), u.RemoteAddr().String() == name)
	u.Write([]byte("ping"))
	n, err = u.Read(buf)
	fmt.Println(string(buf[:n]), err)
	n, err = u.Read(buf)
	fmt.Println(n, err)
	fmt.Println(<-peers)
	u.Close()
	fmt.Println(l.Close())
	_, err = os.Stat(name)
	fmt.Println(errors.Is(err, os.ErrNotExist))

	g1, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: (dir + "/" + "g1"), Net: "unixgram"})
	fmt.Println(err)
	g2, _ := net.DialUnix("unixgram", &net.UnixAddr{Name: (dir + "/" + "g2"), Net: "unixgram"}, &net.UnixAddr{Name: (dir + "/" + "g1"), Net: "unixgram"})
	g2.Write([]byte("gram"))
	n, ua, err := g1.ReadFromUnix(buf)
	fmt.Println(string(buf[:n]), ua.Name[len(dir)+1:], ua.Net, err)
	n, err = g1.WriteToUnix([]byte("back"), ua)
	fmt.Println(n, err)
	n, err = g2.Read(buf)
	fmt.Println(string(buf[:n]), err)

	// An abstract name, and a descriptor handed on.
	al, err := net.Listen("unix", fmt.Sprintf("@gosched-test-%d", os.Getpid()))
	fmt.Println(err)
	ac, err := net.Dial("unix", al.Addr().String())
	fmt.Println(err)
	f, err := ac.(*net.UnixConn).File()
	fmt.Println(err)
	fc, err := net.FileConn(f)
	fmt.Println(err)
	f.Close()
	peer, _ := al.Accept()
	fc.Write([]byte("via file"))
	n, err = peer.Read(buf)
	fmt.Println(string(buf[:n]), err)

	// Pipes in memory.
	p, q := net.Pipe()
	go func() {
		p.Write([]byte("abcdef"))
		p.Close()
	}()
	for {
		n, err := q.Read(buf[:4])
		fmt.Println(string(buf[:n]), err)
		if err != nil {
			break
		}
	}
	_, err = q.Write([]byte("x"))
	fmt.Println(err, q.LocalAddr(), q.RemoteAddr().Network())
	p, q = net.Pipe()
	q.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	_, err = q.Read(buf)
	fmt.Println(err)
	p.SetWriteDeadline(time.Now().Add(-time.Second))
	_, err = p.Write(buf)
	fmt.Println(err)
}
