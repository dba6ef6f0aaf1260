// run

// A key-value store over TCP with a line protocol, transactions and watchers, and its client.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
)

type store struct {
	mu       sync.RWMutex
	data     map[string]string
	watchers map[string][]chan string
}

func (s *store) set(k, v string) {
	s.data[k] = v
	for _, w := range s.watchers[k] {
		select {
		case w <- v:
		default:
		}
	}
}

type session struct {
	s      *store
	conn   net.Conn
	w      *bufio.Writer
	queued [][]string
	inTx   bool
}

var commands = map[string]struct {
	args int
	run  func(*session, []string) string
}{
	"GET": {1, func(c *session, a []string) string {
		if v, ok := c.s.data[a[0]]; ok {
			return "$" + v
		}
		return "-nil"
	}},
	"SET": {2, func(c *session, a []string) string { c.s.set(a[0], a[1]); return "+OK" }},
	"DEL": {1, func(c *session, a []string) string {
		_, ok := c.s.data[a[0]]
		delete(c.s.data, a[0])
		return fmt.Sprint(":", ok)
	}},
	"INCR": {1, func(c *session, a []string) string {
		n, err := strconv.Atoi(c.s.data[a[0]])
		if err != nil && c.s.data[a[0]] != "" {
			return "-ERR " + err.Error()
		}
		c.s.set(a[0], strconv.Itoa(n+1))
		return ":" + strconv.Itoa(n+1)
	}},
	"KEYS": {0, func(c *session, a []string) string {
		keys := []string{}
		for k := range c.s.data {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		return "*" + strings.Join(keys, ",")
	}},
}

func (c *session) line(text string) (answer string, quit bool) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return "-ERR empty", false
	}
	name, args := strings.ToUpper(words[0]), words[1:]
	switch name {
	case "QUIT":
		return "+BYE", true
	case "MULTI":
		c.inTx = true
		return "+OK", false
	case "EXEC":
		c.s.mu.Lock()
		defer c.s.mu.Unlock()
		var out []string
		for _, q := range c.queued {
			out = append(out, commands[q[0]].run(c, q[1:]))
		}
		c.queued, c.inTx = nil, false
		return "*" + strings.Join(out, " "), false
	case "WATCH":
		ch := make(chan string, 8)
		c.s.mu.Lock()
		c.s.watchers[args[0]] = append(c.s.watchers[args[0]], ch)
		c.s.mu.Unlock()
		fmt.Fprintln(c.w, "+OK")
		c.w.Flush()
		return "!" + <-ch, false
	}
	cmd, ok := commands[name]
	if !ok {
		return fmt.Sprintf("-ERR unknown command %q", name), false
	}
	if len(args) != cmd.args {
		return fmt.Sprintf("-ERR %s wants %d arguments", name, cmd.args), false
	}
	if c.inTx {
		c.queued = append(c.queued, append([]string{name}, args...))
		return "+QUEUED", false
	}
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return cmd.run(c, args), false
}

func serve(l net.Listener, s *store, wg *sync.WaitGroup) {
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		} else if err != nil {
			panic(err)
		}
		wg.Go(func() {
			defer conn.Close()
			c := &session{s: s, conn: conn, w: bufio.NewWriter(conn)}
			in := bufio.NewScanner(conn)
			for in.Scan() {
				answer, quit := c.line(in.Text())
				fmt.Fprintln(c.w, answer)
				if c.w.Flush() != nil || quit {
					return
				}
			}
		})
	}
}

type client struct {
	net.Conn
	r *bufio.Reader
}

func dial(addr string) *client {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		panic(err)
	}
	return &client{c, bufio.NewReader(c)}
}

func (c *client) do(text string) string {
	fmt.Fprintln(c, text)
	answer, err := c.r.ReadString('\n')
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(answer)
}

func main() {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		panic(err)
	}
	s := &store{data: map[string]string{}, watchers: map[string][]chan string{}}
	var wg sync.WaitGroup
	go serve(l, s, &wg)
	addr := l.Addr().String()
	a, b := dial(addr), dial(addr)
	for _, t := range []string{"get x", "SET x 1", "GET x", "incr x", "INCR x", "set y abc",
		"incr y", "keys",
		"del x", "del x", "nonsense", "set onlyone", "", "MULTI", "set p 1", "incr p", "get p",
		"EXEC", "keys"} {
		fmt.Printf("%-10s %s\n", t, a.do(t))
	}
	fmt.Println(b.do("WATCH color"))
	fmt.Println(a.do("SET color blue"))
	line, err := b.r.ReadString('\n')
	fmt.Printf("%q %v\n", line, err)

	var clients sync.WaitGroup
	for range 50 {
		clients.Go(func() {
			c := dial(addr)
			defer c.Close()
			for range 20 {
				c.do("INCR total")
			}
			if c.do("QUIT") != "+BYE" {
				fmt.Println("no bye")
			}
		})
	}
	clients.Wait()
	fmt.Println(a.do("GET total"))
	fmt.Println(b.do("QUIT"))
	_, err = b.r.ReadByte()
	fmt.Println(err == io.EOF)
	a.Close()
	l.Close()
	wg.Wait()
	_, err = net.Dial("tcp", addr)
	fmt.Println(err != nil)
}
