// run

// Chat rooms on loopback: a hub goroutine, rooms, nicknames, slow readers dropped, an orderly end.
package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

type (
	join  struct{ c *member }
	leave struct{ c *member }
	say   struct {
		c    *member
		text string
	}
	command struct {
		c         *member
		name, arg string
	}
)

type member struct {
	name, room string
	out        chan string
	conn       net.Conn
}

type hub struct {
	events  chan any
	members map[*member]bool
	dropped int
}

func (h *hub) send(to *member, format string, args ...any) {
	select {
	case to.out <- fmt.Sprintf(format, args...):
	default:
		h.dropped++
		delete(h.members, to)
		close(to.out)
	}
}

func (h *hub) toRoom(room string, except *member, format string, args ...any) {
	var list []*member
	for m := range h.members {
		if m.room == room && m != except {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b *member) int { return strings.Compare(a.name, b.name) })
	for _, m := range list {
		h.send(m, format, args...)
	}
}

func (h *hub) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			for m := range h.members {
				m.out <- "* closing"
				close(m.out)
			}
			return
		case e := <-h.events:
			switch e := e.(type) {
			case join:
				h.members[e.c] = true
				h.send(e.c, "* hello %s", e.c.name)
				h.toRoom(e.c.room, e.c, "* %s joined", e.c.name)
			case leave:
				if h.members[e.c] {
					delete(h.members, e.c)
					close(e.c.out)
					h.toRoom(e.c.room, nil, "* %s left", e.c.name)
				}
			case say:
				h.toRoom(e.c.room, e.c, "%s: %s", e.c.name, e.text)
			case command:
				h.command(e)
			}
		}
	}
}

func (h *hub) command(e command) {
	switch e.name {
	case "who":
		var names []string
		for m := range h.members {
			if m.room == e.c.room {
				names = append(names, m.name)
			}
		}
		slices.Sort(names)
		h.send(e.c, "* in %s: %s", e.c.room, strings.Join(names, ", "))
	case "room":
		h.toRoom(e.c.room, e.c, "* %s went to %s", e.c.name, e.arg)
		e.c.room = e.arg
		h.toRoom(e.c.room, e.c, "* %s came", e.c.name)
		h.send(e.c, "* now in %s", e.arg)
	default:
		h.send(e.c, "* no command %q", e.name)
	}
}

func (h *hub) serve(conn net.Conn, wg *sync.WaitGroup) {
	m := &member{room: "lobby", out: make(chan string, 16), conn: conn}
	in := bufio.NewScanner(conn)
	fmt.Fprintln(conn, "name?")
	if !in.Scan() {
		conn.Close()
		return
	}
	m.name = strings.TrimSpace(in.Text())
	wg.Go(func() {
		defer conn.Close()
		for line := range m.out {
			conn.SetWriteDeadline(time.Now().Add(time.Minute))
			if _, err := fmt.Fprintln(conn, line); err != nil {
				return
			}
		}
	})
	h.events <- join{m}
	for in.Scan() {
		if name, ok := strings.CutPrefix(in.Text(), "/"); ok {
			name, arg, _ := strings.Cut(name, " ")
			if name == "quit" {
				break
			}
			h.events <- command{m, name, arg}
			continue
		}
		h.events <- say{m, in.Text()}
	}
	h.events <- leave{m}
}

type user struct {
	net.Conn
	in *bufio.Scanner
}

func connect(network, addr, name string) *user {
	c, err := net.Dial(network, addr)
	if err != nil {
		panic(err)
	}
	u := &user{c, bufio.NewScanner(c)}
	u.in.Scan()
	fmt.Fprintln(u, name)
	return u
}

func (u *user) read(n int) (lines []string) {
	u.SetReadDeadline(time.Now().Add(time.Minute))
	for range n {
		if !u.in.Scan() {
			return append(lines, "EOF")
		}
		lines = append(lines, u.in.Text())
	}
	return lines
}

func main() {
	dir, _ := os.MkdirTemp("", "chat")
	defer os.RemoveAll(dir)
	h := &hub{events: make(chan any), members: map[*member]bool{}}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	var hubDone sync.WaitGroup
	hubDone.Go(func() { h.run(ctx) })
	var addrs [][2]string
	for _, where := range [][2]string{{"tcp", "127.0.0.1:0"}, {"unix", filepath.Join(dir, "sock")}} {
		l, err := net.Listen(where[0], where[1])
		if err != nil {
			panic(err)
		}
		defer l.Close()
		addrs = append(addrs, [2]string{l.Addr().Network(), l.Addr().String()})
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				go h.serve(c, &wg)
			}
		}()
	}
	ann := connect(addrs[0][0], addrs[0][1], "ann")
	fmt.Println(ann.read(1))
	bob := connect(addrs[1][0], addrs[1][1], "bob")
	fmt.Println(bob.read(1), ann.read(1))
	cy := connect(addrs[0][0], addrs[0][1], "cy")
	fmt.Println(cy.read(1), ann.read(1), bob.read(1))
	fmt.Fprintln(ann, "hi all")
	fmt.Println(bob.read(1), cy.read(1))
	fmt.Fprintln(bob, "/who")
	fmt.Println(bob.read(1))
	fmt.Fprintln(bob, "/room tea")
	fmt.Println(bob.read(1), ann.read(1), cy.read(1))
	fmt.Fprintln(cy, "/room tea")
	fmt.Println(cy.read(1), bob.read(1), ann.read(1))
	fmt.Fprint(cy, "two\nlines\n")
	fmt.Println(bob.read(2))
	fmt.Fprintln(ann, "/dance")
	fmt.Println(ann.read(1))
	fmt.Fprintln(cy, "/quit")
	fmt.Println(cy.read(1), bob.read(1))
	ann.Close()
	fmt.Fprintln(bob, "/who")
	fmt.Println(bob.read(1))
	cancel()
	hubDone.Wait()
	wg.Wait()
	fmt.Println(bob.read(2), h.dropped)
}
