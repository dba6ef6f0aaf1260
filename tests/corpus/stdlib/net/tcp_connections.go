// run

// Connections over TCP: data both ways, half-close, deadlines, closing under a reader, and what the errors say.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

// masked hides port numbers, which differ from run to run.
func masked(v any) string {
	s := fmt.Sprint(v)
	var out []byte
	for i := 0; i < len(s); i++ {
		out = append(out, s[i])
		if s[i] == ':' && i > 0 && (s[i-1] == ']' || s[i-1] >= '0' && s[i-1] <= '9') {
			j := i + 1
			for j < len(s) && s[j] >= '0' && s[j] <= '9' {
				j++
			}
			if j > i+1 {
				out = append(out, "PORT"...)
				i = j - 1
			}
		}
	}
	return string(out)
}

func show(what string, err error) {
	var ne net.Error
	fmt.Printf("%s: %s\n", what, masked(err))
	if errors.As(err, &ne) {
		fmt.Println("  timeout:", ne.Timeout(), "closed:", errors.Is(err, net.ErrClosed), "deadline:", errors.Is(err, os.ErrDeadlineExceeded))
	}
}

func echo(l net.Listener, wg *sync.WaitGroup) {
	defer wg.Done()
	for {
		c, err := l.Accept()
		if err != nil {
			show("accept", err)
			return
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer c.Close()
			n, err := io.Copy(c, c)
			_ = n
			if err != nil {
				show("echo", err)
			}
		}()
	}
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(masked(l.Addr()), l.Addr().Network())
	var wg sync.WaitGroup
	wg.Add(1)
	go echo(l, &wg)

	// Lines there and back.
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(masked(c.LocalAddr()), masked(c.RemoteAddr()), c.RemoteAddr().String() == l.Addr().String())
	r := bufio.NewReader(c)
	for i := range 3 {
		fmt.Fprintf(c, "line %d\n", i)
		s, err := r.ReadString('\n')
		fmt.Printf("%q %v\n", s, err)
	}

	// A large message, read while it is written.
	go func() {
		c.Write([]byte(strings.Repeat("0123456789", 300000)))
		c.(*net.TCPConn).CloseWrite()
	}()
	n, err := io.Copy(io.Discard, r)
	fmt.Println(n, err)
	k, err := c.Read(make([]byte, 8))
	fmt.Println(k, err)
	fmt.Println(c.Close())
	show("close twice", c.Close())
	_, err = c.Read(make([]byte, 1))
	show("read closed", err)
	_, err = c.Write(make([]byte, 1))
	show("write closed", err)
	show("deadline closed", c.SetDeadline(time.Now()))

	// Deadlines.
	c, _ = net.Dial("tcp4", l.Addr().String())
	start := time.Now()
	c.SetReadDeadline(start.Add(30 * time.Millisecond))
	_, err = c.Read(make([]byte, 1))
	show("deadline", err)
	late := time.Since(start)
	fmt.Println(late >= 30*time.Millisecond, late < 2*time.Second)
	_, err = c.Read(make([]byte, 1))
	show("still past", err)
	c.SetReadDeadline(time.Time{})
	c.Write([]byte("x"))
	b := make([]byte, 4)
	n1, err := c.Read(b)
	fmt.Println(n1, err, string(b[:n1]))

	// A deadline set under a waiting reader, and one moved away under it.
	go func() {
		time.Sleep(10 * time.Millisecond)
		c.SetReadDeadline(time.Now())
	}()
	_, err = c.Read(b)
	show("moved here", err)
	c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	go func() {
		c.SetReadDeadline(time.Now().Add(time.Hour))
		time.Sleep(100 * time.Millisecond)
		c.Write([]byte("y"))
	}()
	n1, err = c.Read(b)
	fmt.Println(n1, err, string(b[:n1]))

	// Writes that nobody reads.
	quiet, _ := net.Listen("tcp", "127.0.0.1:0")
	deaf, _ := net.Dial("tcp", quiet.Addr().String())
	peer, _ := quiet.Accept()
	deaf.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	_, err = deaf.Write(make([]byte, 64<<20))
	show("full", err)
	peer.Close()
	deaf.Close()
	quiet.Close()

	// Closing under a reader.
	go func() {
		time.Sleep(10 * time.Millisecond)
		c.Close()
	}()
	_, err = c.Read(b)
	show("closed under", err)

	// Closing the listener.
	err = l.Close()
	wg.Wait()
	show("close listener", err)
	show("close listener again", l.Close())

	// Nobody there.
	_, err = net.Dial("tcp", l.Addr().String())
	show("refused", err)
	_, err = net.DialTimeout("tcp", l.Addr().String(), time.Nanosecond)
	show("no time", err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var d net.Dialer
	_, err = d.DialContext(ctx, "tcp", l.Addr().String())
	show("canceled", err)
	fmt.Println(errors.Is(err, context.Canceled))

	// The address is taken.
	l, _ = net.Listen("tcp", "127.0.0.1:0")
	_, err = net.Listen("tcp", l.Addr().String())
	show("taken", err)
	l.(*net.TCPListener).SetDeadline(time.Now().Add(20 * time.Millisecond))
	_, err = l.Accept()
	show("accept deadline", err)
	l.Close()

	// Bad addresses.
	for _, a := range [][2]string{{"tcp", "nowhere"}, {"foo", "127.0.0.1:1"}, {"tcp", ""}, {"tcp", "127.0.0.1:99999"}, {"tcp", "127.0.0.1:nosuchservice"},
		{"tcp", "1:2:3:4"}, {"tcp4", "[::1]:80"}, {"tcp", "[::1:80"}, {"tcp", "a b:80"}, {"unix", "/nonexistent/socket"}, {"udp", "x"}, {"ip", "127.0.0.1"}} {
		_, err := net.Dial(a[0], a[1])
		fmt.Println(err)
		_, err = net.Listen(a[0], a[1])
		fmt.Println(err)
	}

	// A reset connection.
	l, _ = net.Listen("tcp", "127.0.0.1:0")
	c, _ = net.Dial("tcp", l.Addr().String())
	s, _ := l.Accept()
	s.(*net.TCPConn).SetLinger(0)
	s.Close()
	_, err = c.Read(b)
	show("reset", err)
	l.Close()
	c.Close()

	// Wildcards.
	for _, network := range []string{"tcp", "tcp4"} {
		l, err := net.Listen(network, ":0")
		if err != nil {
			fmt.Println(err)
			continue
		}
		_, port, _ := net.SplitHostPort(l.Addr().String())
		c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", port))
		fmt.Println(network, err)
		if err == nil {
			c.Close()
		}
		l.Close()
	}
}
