// What sockets of the loopback answer, in most cases; the same with every network.
package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"time"
)

func pair(ln net.Listener) (a, b net.Conn) {
	a, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		panic(err)
	}
	b, err = ln.Accept()
	if err != nil {
		panic(err)
	}
	return
}

func main() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	fmt.Println(err)
	// refused
	_, err = net.Dial("tcp", "127.0.0.1:1")
	fmt.Println("refused", err)
	// in use
	_, err = net.Listen("tcp", ln.Addr().String())
	fmt.Println("inuse", errors.Is(err, syscall.EADDRINUSE))
	// half close
	a, b := pair(ln)
	a.Write([]byte("hello"))
	a.(*net.TCPConn).CloseWrite()
	data, err := io.ReadAll(b)
	fmt.Printf("%q %v\n", data, err)
	b.Write([]byte("bye"))
	b.Close()
	data, err = io.ReadAll(a)
	fmt.Printf("%q %v\n", data, err)
	_, err = a.Write([]byte("x"))
	fmt.Println("closed for writing:", errors.Is(err, syscall.EPIPE))
	a.Close()
	_, err = a.Write([]byte("x"))
	fmt.Println(errors.Is(err, net.ErrClosed))
	// writes to a peer that is gone
	a, b = pair(ln)
	b.Close()
	time.Sleep(10 * time.Millisecond)
	_, err = a.Write([]byte("1"))
	time.Sleep(10 * time.Millisecond)
	fmt.Println("first", err)
	_, err = a.Write([]byte("2"))
	fmt.Println("second", errors.Is(err, syscall.EPIPE))
	n, err := a.Read(make([]byte, 1))
	fmt.Println(n, err)
	// reset
	a, b = pair(ln)
	a.Write([]byte("unread"))
	time.Sleep(10 * time.Millisecond)
	b.Close()
	time.Sleep(10 * time.Millisecond)
	n, err = a.Read(make([]byte, 1))
	fmt.Println("reset", n, errors.Is(err, syscall.ECONNRESET))
	// deadline
	a, b = pair(ln)
	a.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	_, err = a.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded))
	a.SetReadDeadline(time.Time{})
	go func() { time.Sleep(time.Millisecond); b.Write([]byte("z")) }()
	buf := make([]byte, 1)
	n, err = a.Read(buf)
	fmt.Println(n, err, string(buf))
	// big transfer, both directions slower reader
	go func() { a.Write(make([]byte, 1<<22)); a.Close() }()
	total, err := io.Copy(io.Discard, b)
	fmt.Println(total, err)
	tc := b.(*net.TCPConn)
	fmt.Println(tc.SetNoDelay(true), tc.SetKeepAlive(true), tc.SetLinger(0), tc.SetReadBuffer(4096), tc.SetWriteBuffer(4096), tc.SetKeepAlivePeriod(time.Second))
	b.Close()
	// listener close unblocks accept
	go func() { time.Sleep(time.Millisecond); ln.Close() }()
	_, err = ln.Accept()
	fmt.Println(errors.Is(err, net.ErrClosed))
	// udp
	u, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	fmt.Println(err)
	v, err := net.Dial("udp", u.LocalAddr().String())
	fmt.Println(err)
	fmt.Fprint(v, "one")
	fmt.Fprint(v, "two")
	buf = make([]byte, 10)
	n, from, err := u.ReadFrom(buf)
	fmt.Println(string(buf[:n]), from.String() == v.LocalAddr().String(), err)
	n, _, err = u.ReadFrom(buf[:2])
	fmt.Println(string(buf[:n]), err)
	u.WriteTo([]byte("back"), from)
	n, err = v.Read(buf)
	fmt.Println(string(buf[:n]), err)
	u.Close()
	v.Write([]byte("nobody"))
	v.SetReadDeadline(time.Now().Add(time.Second))
	_, err = v.Read(buf)
	fmt.Println("udp refused", errors.Is(err, syscall.ECONNREFUSED))
	// unix
	dir, _ := os.MkdirTemp("", "sock")
	defer os.RemoveAll(dir)
	path := dir + "/s"
	ul, err := net.Listen("unix", path)
	fmt.Println(err)
	st, err := os.Stat(path)
	fmt.Println(err, st.Mode()&os.ModeSocket != 0)
	_, err = net.Listen("unix", path)
	fmt.Println(errors.Is(err, syscall.EADDRINUSE))
	uc, err := net.Dial("unix", path)
	fmt.Println(err)
	us, err := ul.Accept()
	fmt.Println(err, us.RemoteAddr(), us.LocalAddr().String() == path)
	fmt.Fprint(uc, "unix")
	n, _ = us.Read(buf)
	fmt.Println(string(buf[:n]))
	us.Close()
	_, err = uc.Write([]byte("x"))
	fmt.Println(errors.Is(err, syscall.EPIPE))
	ul.Close()
	_, err = os.Stat(path)
	fmt.Println(os.IsNotExist(err))
	_, err = net.Dial("unix", path)
	fmt.Println(errors.Is(err, syscall.ENOENT))
	// all addresses
	al, err := net.Listen("tcp", ":0")
	fmt.Println(err)
	for _, host := range []string{"127.0.0.1", "[::1]", "localhost", ""} {
		_, port, _ := net.SplitHostPort(al.Addr().String())
		c, err := net.Dial("tcp", host+":"+port)
		if err != nil {
			fmt.Println(err)
			continue
		}
		s, _ := al.Accept()
		fmt.Println(s.RemoteAddr().String() == c.LocalAddr().String(), s.LocalAddr().(*net.TCPAddr).IP, c.RemoteAddr().(*net.TCPAddr).IP)
		f, err := c.(*net.TCPConn).File()
		fc, err2 := net.FileConn(f)
		f.Close()
		c.Close()
		fmt.Println(err, err2)
		fmt.Fprint(fc, "dup")
		fc.Close()
		d, err := io.ReadAll(s)
		fmt.Println(string(d), err)
	}
	pipes()
	packets()
	ports()
}

func pipes() {
	r, w, _ := os.Pipe()
	go func() { time.Sleep(time.Hour / 3600000); w.Write([]byte("pipe")); w.Close() }()
	d, err := io.ReadAll(r)
	fmt.Println(string(d), err)
}

// packets are messages over Unix sockets, with and without connections.
func packets() {
	dir, _ := os.MkdirTemp("", "sock")
	defer os.RemoveAll(dir)
	l, err := net.Listen("unixpacket", dir+"/packets")
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := net.Dial("unixpacket", dir+"/packets")
	b, err2 := l.Accept()
	fmt.Println(err, err2)
	a.Write([]byte("first"))
	a.Write([]byte("second"))
	buf := make([]byte, 10)
	for range 2 {
		n, err := b.Read(buf)
		fmt.Println(string(buf[:n]), err)
	}
	a.Close()
	n, err := b.Read(buf)
	fmt.Println(n, err)
	one, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: "@loopback-test", Net: "unixgram"})
	fmt.Println(err)
	two, err := net.Dial("unixgram", "@loopback-test")
	fmt.Println(err)
	fmt.Fprint(two, "message")
	n, from, err := one.ReadFrom(buf)
	fmt.Println(string(buf[:n]), from, err)
	one.Close()
	_, err = two.Write([]byte("x"))
	fmt.Println(errors.Is(err, syscall.ECONNREFUSED))
}

// ports tells what the ports of two sockets have to do with each other.
func ports() {
	a, err := net.ListenPacket("udp4", "127.0.0.1:0")
	fmt.Println(err)
	_, err = net.ListenPacket("udp4", a.LocalAddr().String())
	fmt.Println(errors.Is(err, syscall.EADDRINUSE))
	_, port, _ := net.SplitHostPort(a.LocalAddr().String())
	other, err := net.ListenPacket("udp4", "127.0.0.2:"+port)
	fmt.Println(err)
	_, err = net.ListenPacket("udp4", "0.0.0.0:"+port)
	fmt.Println(errors.Is(err, syscall.EADDRINUSE))
	a.WriteTo([]byte("over"), other.LocalAddr())
	buf := make([]byte, 10)
	n, from, err := other.ReadFrom(buf)
	fmt.Println(string(buf[:n]), from.String() == a.LocalAddr().String(), err)
	_, err = a.WriteTo(make([]byte, 70000), other.LocalAddr())
	fmt.Println(errors.Is(err, syscall.EMSGSIZE))
}
