// run

// Services that find one another by datagrams, with lost packets sent again and late ones dropped.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type packet struct {
	Kind string   `json:"k"`
	Seq  uint32   `json:"s"`
	From string   `json:"f,omitempty"`
	Body []string `json:"b,omitempty"`
}

// lossy drops the packets that it is told to.
type lossy struct {
	net.PacketConn
	sent atomic.Int32
	drop func(n int32, p packet) bool
}

func (l *lossy) WriteTo(b []byte, to net.Addr) (int, error) {
	var p packet
	json.Unmarshal(b, &p)
	if l.drop != nil && l.drop(l.sent.Add(1), p) {
		return len(b), nil
	}
	return l.PacketConn.WriteTo(b, to)
}

type node struct {
	name  string
	conn  *lossy
	mu    sync.Mutex
	peers map[string]string
	seen  map[string]bool
	got   []string
	wait  map[uint32]chan packet
	seq   uint32
	dups  int
	done  chan struct{}
}

func start(name string, drop func(int32, packet) bool) (*node, error) {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	n := &node{name: name, conn: &lossy{PacketConn: c, drop: drop}, peers: map[string]string{},
		seen: map[string]bool{},
		wait: map[uint32]chan packet{}, done: make(chan struct{})}
	go n.loop()
	return n, nil
}

func (n *node) addr() string { return n.conn.LocalAddr().String() }

func (n *node) loop() {
	defer close(n.done)
	buf := make([]byte, 2048)
	for {
		m, from, err := n.conn.ReadFrom(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		var p packet
		if json.Unmarshal(buf[:m], &p) != nil {
			continue
		}
		n.handle(p, from)
	}
}

func (n *node) handle(p packet, from net.Addr) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch p.Kind {
	case "ack":
		if ch := n.wait[p.Seq]; ch != nil {
			delete(n.wait, p.Seq)
			ch <- p
		}
		return
	case "hello":
		n.peers[p.From] = from.String()
	case "say":
		id := fmt.Sprint(p.From, p.Seq)
		if n.seen[id] {
			n.dups++
		} else {
			n.seen[id] = true
			n.got = append(n.got, p.From+": "+strings.Join(p.Body, " "))
		}
	}
	b, _ := json.Marshal(packet{Kind: "ack", Seq: p.Seq, From: n.name,
		Body: slices.Sorted(maps.Keys(n.peers))})
	n.conn.WriteTo(b, from)
}

var errNoAnswer = errors.New("no answer")

func (n *node) request(to string, kind string, tries int, body ...string) (packet, int, error) {
	addr, err := net.ResolveUDPAddr("udp", to)
	if err != nil {
		return packet{}, 0, err
	}
	n.mu.Lock()
	n.seq++
	p := packet{Kind: kind, Seq: n.seq, From: n.name, Body: body}
	ch := make(chan packet, 1)
	n.wait[p.Seq] = ch
	n.mu.Unlock()
	b, _ := json.Marshal(p)
	for i := range tries {
		if _, err := n.conn.WriteTo(b, addr); err != nil {
			return p, i, err
		}
		select {
		case answer := <-ch:
			return answer, i + 1, nil
		case <-time.After(100 * time.Millisecond):
		}
	}
	return p, tries, fmt.Errorf("%s to %s: %w", kind, n.name, errNoAnswer)
}

func (n *node) stop() {
	n.conn.Close()
	<-n.done
}

func main() {
	a, err := start("a", nil)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	b, _ := start("b", func(n int32, p packet) bool { return p.Kind == "hello" && n <= 2 })
	c, _ := start("c", nil)
	for _, n := range []*node{b, c} {
		answer, tries, err := n.request(a.addr(), "hello", 20)
		fmt.Println(n.name, answer.From, answer.Body, tries >= 1, err)
	}
	acks := 0
	a.conn.drop = func(n int32, p packet) bool {
		if p.Kind == "ack" {
			acks++
		}
		return acks == 1 // the first answer is lost
	}
	_, tries, err := c.request(a.addr(), "say", 20, "once", "only")
	fmt.Println(tries >= 2, err)
	a.mu.Lock()
	fmt.Println(a.got, a.dups >= 1)
	a.mu.Unlock()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, _, err := b.request(a.addr(), "say", 50, "n", fmt.Sprint(i)); err != nil {
				fmt.Println(err)
			}
		})
	}
	wg.Wait()
	a.mu.Lock()
	fmt.Println(len(a.got), slices.Sorted(maps.Keys(a.peers)))
	a.mu.Unlock()
	raw, err := net.Dial("udp", a.addr())
	if err != nil {
		fmt.Println(err)
		return
	}
	raw.Write([]byte("not json"))
	raw.Write(nil)
	raw.Write([]byte(`{"k":"ping","s":7}`))
	buf := make([]byte, 8)
	raw.SetReadDeadline(time.Now().Add(10 * time.Second))
	m, err := raw.Read(buf)
	fmt.Println(string(buf[:m]), err)
	raw.SetReadDeadline(time.Now().Add(-time.Second))
	_, err = raw.Read(buf)
	var ne net.Error
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &ne) && ne.Timeout())
	fmt.Println(raw.RemoteAddr().Network(), raw.RemoteAddr().String() == a.addr())
	_, err = raw.Write(make([]byte, 70000))
	fmt.Println(err != nil)
	c.stop()
	_, _, err = b.request(c.addr(), "say", 1, "anyone?")
	fmt.Println(err != nil)
	_, _, err = b.request("nonsense:port", "say", 1)
	fmt.Println(err)
	a.stop()
	b.stop()
	_, err = b.conn.PacketConn.WriteTo([]byte("x"), a.conn.LocalAddr())
	fmt.Println(errors.Is(err, net.ErrClosed))
}
