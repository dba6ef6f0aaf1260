// run

// Datagrams of UDP and Unix sockets to and from whom they go, with what is refused; listeners past their deadline and closed.
package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	d, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(d)
	s := func(a ...any) { t := strings.ReplaceAll(fmt.Sprintln(a...), d, "D"); fmt.Print(t) }
	a, _ := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	b, _ := net.DialUDP("udp4", nil, a.LocalAddr().(*net.UDPAddr))
	port := func(t string) string {
		for _, x := range []net.Addr{a.LocalAddr(), b.LocalAddr()} {
			t = strings.ReplaceAll(t, fmt.Sprint(x.(*net.UDPAddr).Port), "P")
		}
		return t
	}
	q := func(a ...any) { fmt.Print(port(fmt.Sprintln(a...))) }
	buf := make([]byte, 10)
	oob := make([]byte, 100)
	q(b.Write([]byte("hi")))
	q(a.ReadFrom(buf))
	q(b.WriteTo([]byte("x"), a.LocalAddr()))
	q(b.WriteToUDP([]byte("x"), nil))
	q(b.WriteMsgUDP([]byte("m"), nil, nil))
	q(a.ReadMsgUDP(buf, oob))
	q(b.WriteMsgUDP([]byte("m"), nil, a.LocalAddr().(*net.UDPAddr)))
	q(a.WriteTo([]byte("r"), b.LocalAddr()))
	q(b.ReadFromUDP(buf))
	q(a.WriteToUDP([]byte("r"), nil))
	q(a.WriteTo([]byte("r"), &net.TCPAddr{}))
	q(a.WriteTo([]byte("r"), nil))
	q(a.WriteToUDP([]byte("r"), &net.UDPAddr{IP: net.ParseIP("::1"), Port: 9}))
	q(a.WriteMsgUDP([]byte("r"), nil, nil))
	q(a.WriteMsgUDP([]byte("r"), nil, b.LocalAddr().(*net.UDPAddr)))
	q(b.Read(buf))
	a.SetReadDeadline(time.Now().Add(-1))
	q(a.ReadFromUDP(buf))
	q(a.ReadFrom(buf))
	a.Close()
	q(a.ReadFrom(buf))
	q(a.WriteTo(nil, b.LocalAddr()))
	ua := &net.UnixAddr{Name: filepath.Join(d, "a"), Net: "unixgram"}
	ub := &net.UnixAddr{Name: filepath.Join(d, "b"), Net: "unixgram"}

	x, e := net.ListenUnixgram("unixgram", ua)
	s(e)
	y, e := net.ListenUnixgram("unixgram", ub)
	s(e)
	z, e := net.DialUnix("unixgram", nil, ua)
	s(e)
	s(y.WriteTo([]byte("abc"), ua))
	s(x.ReadFrom(buf))
	s(z.Write([]byte("n")))
	s(x.ReadFrom(buf))
	s(z.Write([]byte("n")))
	s(x.ReadFromUnix(buf))
	s(y.WriteToUnix([]byte("q"), &net.UnixAddr{Name: ua.Name, Net: "unix"}))
	s(y.WriteToUnix(nil, nil))
	s(y.WriteTo(nil, &net.UDPAddr{}))
	s(z.WriteTo(nil, ua))
	s(y.WriteMsgUnix([]byte("w"), nil, ua))
	s(x.ReadMsgUnix(buf, oob))
	s(y.WriteTo(nil, &net.UnixAddr{Name: filepath.Join(d, "none"), Net: "unixgram"}))
	l, e := net.Listen("unix", filepath.Join(d, "s"))
	s(e)
	go func() {
		c, _ := net.Dial("unix", filepath.Join(d, "s"))
		c.Write([]byte("1"))
		c.(*net.UnixConn).CloseWrite()
		c.(*net.UnixConn).CloseRead()
		time.Sleep(50 * time.Millisecond)
		c.Close()
	}()
	c, e := l.Accept()
	s(e, c.LocalAddr(), c.RemoteAddr())
	s(c.Read(buf))
	s(c.Read(buf))
	s(c.(*net.UnixConn).ReadFrom(buf))
	l.(*net.UnixListener).SetDeadline(time.Now().Add(-1))
	_, e = l.Accept()
	s(e)
	f, e := l.(*net.UnixListener).File()
	s(e, f != nil)
	f.Close()
	rc, e := l.(*net.UnixListener).SyscallConn()
	s(e)
	s(rc.Control(func(fd uintptr) {}))
	s(l.Close())
	s(l.Close())
	_, e = l.Accept()
	s(e)
	_, e = os.Stat(filepath.Join(d, "s"))
	s(os.IsNotExist(e))
	s(rc.Control(func(uintptr) {}))
	_, e = l.(*net.UnixListener).File()
	s(e)
	s(l.(*net.UnixListener).SetDeadline(time.Time{}))
	tl, _ := net.Listen("tcp", "127.0.0.1:0")
	tl.(*net.TCPListener).SetDeadline(time.Now().Add(-1))
	_, e = tl.Accept()
	s(e != nil, e.(*net.OpError).Op, e.(*net.OpError).Err)
	s(tl.Close())
	s(tl.Close() != nil)
	_, e = tl.(*net.TCPListener).AcceptTCP()
	s(e.(*net.OpError).Err)
}
