// run

// A TCP proxy that shapes, counts and records what passes, with half-closed connections and limits.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type direction int

const (
	up direction = iota
	down
)

func (d direction) String() string { return [...]string{"up", "down"}[d] }

type proxy struct {
	target  string
	l       net.Listener
	limit   chan struct{}
	bytes   [2]atomic.Int64
	refused atomic.Int64
	filter  func(d direction, b []byte) ([]byte, error)
	wg      sync.WaitGroup
	mu      sync.Mutex
	conns   map[net.Conn]bool
}

var errBlocked = errors.New("blocked by filter")

func newProxy(target string, limit int) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{target: target, l: l, limit: make(chan struct{}, limit), conns: map[net.Conn]bool{}}
	p.wg.Go(p.serve)
	return p, nil
}

func (p *proxy) serve() {
	for {
		c, err := p.l.Accept()
		if err != nil {
			return
		}
		select {
		case p.limit <- struct{}{}:
		default:
			p.refused.Add(1)
			fmt.Fprintln(c, "busy")
			c.Close()
			continue
		}
		p.wg.Go(func() {
			defer func() { <-p.limit }()
			p.handle(c.(*net.TCPConn))
		})
	}
}

func (p *proxy) track(c net.Conn, add bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if add {
		p.conns[c] = true
	} else {
		delete(p.conns, c)
	}
}

func (p *proxy) handle(c *net.TCPConn) {
	defer c.Close()
	var d net.Dialer
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	t, err := d.DialContext(ctx, "tcp", p.target)
	if err != nil {
		fmt.Fprintln(c, "unreachable")
		return
	}
	defer t.Close()
	p.track(c, true)
	defer p.track(c, false)
	var wg sync.WaitGroup
	wg.Go(func() { p.pump(up, t.(*net.TCPConn), c) })
	wg.Go(func() { p.pump(down, c, t.(*net.TCPConn)) })
	wg.Wait()
}

func (p *proxy) pump(d direction, to, from *net.TCPConn) {
	defer to.CloseWrite()
	buf := make([]byte, 512)
	for {
		n, err := from.Read(buf)
		p.bytes[d].Add(int64(n))
		if n > 0 {
			b := buf[:n]
			if p.filter != nil {
				var ferr error
				if b, ferr = p.filter(d, b); ferr != nil {
					to.Close()
					from.Close()
					return
				}
			}
			if _, werr := to.Write(b); werr != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *proxy) close() {
	p.l.Close()
	p.mu.Lock()
	for c := range p.conns {
		c.Close()
	}
	p.mu.Unlock()
	p.wg.Wait()
}

func echo(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			var all bytes.Buffer
			n, _ := io.Copy(io.MultiWriter(&all, c), c)
			fmt.Fprintf(c, "|%d bytes, %d lines", n, bytes.Count(all.Bytes(), []byte("\n")))
		}()
	}
}

func ask(addr, text string) (string, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return "", err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(c, text); err != nil {
		return "", err
	}
	c.(*net.TCPConn).CloseWrite()
	b, err := io.ReadAll(c)
	return string(b), err
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go echo(l)
	p, err := newProxy(l.Addr().String(), 8)
	if err != nil {
		fmt.Println(err)
		return
	}
	addr := p.l.Addr().String()
	fmt.Println(ask(addr, "hello\nworld\n"))
	big := strings.Repeat("0123456789abcdef", 8192)
	got, err := ask(addr, big)
	fmt.Println(len(got), got[:len(big)] == big, got[len(big):], err, p.bytes[up].Load(),
		p.bytes[down].Load())
	var wg sync.WaitGroup
	var good atomic.Int32
	sem := make(chan struct{}, 8)
	for i := range 64 {
		sem <- struct{}{}
		wg.Go(func() {
			defer func() { <-sem }()
			text := strings.Repeat(fmt.Sprint("line ", i, "\n"), 20)
			for {
				got, err := ask(addr, text)
				if got == "busy\n" || err != nil && strings.Contains(err.Error(), "reset") {
					continue
				}
				if err == nil && strings.HasPrefix(got, text) {
					good.Add(1)
				}
				return
			}
		})
	}
	wg.Wait()
	fmt.Println(good.Load())

	// Too many at once.
	var held []net.Conn
	for range 8 {
		c, _ := net.Dial("tcp", addr)
		fmt.Fprintln(c, "x")
		bufio.NewReader(c).ReadString('\n')
		held = append(held, c)
	}
	c, _ := net.Dial("tcp", addr)
	line, err := bufio.NewReader(c).ReadString('\n')
	fmt.Printf("%q %v\n", line, err)
	for _, c := range held {
		c.Close()
	}
	for len(p.limit) > 0 {
		time.Sleep(time.Millisecond)
	}
	p.filter = func(d direction, b []byte) ([]byte, error) {
		if bytes.Contains(b, []byte("forbidden")) {
			return nil, errBlocked
		}
		if d == down {
			return bytes.ToUpper(b), nil
		}
		return b, nil
	}
	fmt.Println(ask(addr, "shout"))
	got, err = ask(addr, "forbidden words")
	fmt.Printf("%q %v\n", got, err == nil || strings.Contains(err.Error(), "reset"))
	idle, _ := net.Dial("tcp", addr)
	fmt.Fprint(idle, "wait")
	buf := make([]byte, 4)
	io.ReadFull(idle, buf)
	p.close()
	_, err = idle.Read(buf)
	fmt.Println(string(buf), err != nil)
	l.Close()
	p2, _ := newProxy(l.Addr().String(), 1)
	fmt.Println(ask(p2.l.Addr().String(), ""))
	p2.close()
	_, err = net.DialTimeout("tcp", p2.l.Addr().String(), time.Second)
	var op *net.OpError
	fmt.Println(errors.As(err, &op), op.Op, op.Net, op.Timeout())
}
