// run

// Names by the DNS: a server of our own answers; records of all kinds, names that are not there, cut answers, dead servers.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sort"
	"strings"
	"time"
)

func u16(b []byte) int             { return int(b[0])<<8 | int(b[1]) }
func add16(b []byte, n int) []byte { return append(b, byte(n>>8), byte(n)) }

func label(b []byte, name string) []byte {
	for _, l := range strings.Split(strings.TrimSuffix(name, "."), ".") {
		if l != "" {
			b = append(append(b, byte(len(l))), l...)
		}
	}
	return append(b, 0)
}

// answer makes the reply to a query; tcp answers are never cut.
func answer(q []byte, tcp bool) []byte {
	at := 12
	var parts []string
	for q[at] != 0 {
		parts = append(parts, string(q[at+1:at+1+int(q[at])]))
		at += 1 + int(q[at])
	}
	name := strings.ToLower(strings.Join(parts, "."))
	kind := u16(q[at+1:])
	question := q[12 : at+5]
	flags := 0x8180
	var records [][]byte
	record := func(kind int, data []byte) {
		r := []byte{0xc0, 12} // the name asked for
		r = add16(add16(r, kind), 1)
		r = append(r, 0, 0, 0, 60)
		records = append(records, append(add16(r, len(data)), data...))
	}
	switch {
	case name == "both.test" && kind == 1:
		record(1, []byte{192, 0, 2, 1})
		record(1, []byte{192, 0, 2, 2})
	case name == "both.test" && kind == 28:
		record(28, net.ParseIP("2001:db8::1"))
	case name == "four.test" && kind == 1:
		record(1, []byte{192, 0, 2, 4})
	case name == "four.test", name == "both.test":
	case name == "alias.test":
		record(5, label(nil, "four.test"))
		if kind == 1 {
			r := label(nil, "four.test")
			r = add16(add16(r, 1), 1)
			r = append(append(r, 0, 0, 0, 60, 0, 4), 192, 0, 2, 4)
			records = append(records, r)
		}
	case name == "mail.test" && kind == 15:
		record(15, label([]byte{0, 20}, "second.test"))
		record(15, label([]byte{0, 10}, "first.test"))
	case name == "mail.test" && kind == 2:
		record(2, label(nil, "ns1.test"))
	case name == "mail.test" && kind == 16:
		record(16, []byte("\x05hello\x06 world"))
		record(16, []byte("\x03two"))
	case name == "_http._tcp.srv.test" && kind == 33:
		record(33, label([]byte{0, 2, 0, 0, 0, 80}, "b.test"))
		record(33, label([]byte{0, 1, 0, 0, 0, 81}, "a.test"))
	case name == "1.2.0.192.in-addr.arpa" && kind == 12:
		record(12, label(nil, "both.test"))
	case name == "long.test" && kind == 1:
		if !tcp {
			flags |= 0x0200
		} else {
			for i := range 100 {
				record(1, []byte{192, 0, 2, byte(i)})
			}
		}
	case name == "long.test":
	case name == "broken.test":
		flags |= 2
	case name == "refused.test":
		flags |= 5
	default:
		flags |= 3
	}
	r := append([]byte(nil), q[:2]...)
	r = add16(r, flags)
	r = add16(add16(r, 1), len(records))
	r = append(r, 0, 0, 0, 0)
	r = append(r, question...)
	for _, x := range records {
		r = append(r, x...)
	}
	return r
}

func main() {
	var u net.PacketConn
	var l net.Listener
	var err error
	for range 20 { // the port must be free for both
		if u, err = net.ListenPacket("udp", "127.0.0.1:0"); err != nil {
			break
		}
		if l, err = net.Listen("tcp", u.LocalAddr().String()); err == nil {
			break
		}
		u.Close()
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	go func() {
		b := make([]byte, 2000)
		for {
			n, from, err := u.ReadFrom(b)
			if err != nil {
				return
			}
			if b[12] == 6 && string(b[13:19]) == "silent" {
				continue
			}
			u.WriteTo([]byte("what is not a reply is passed over"), from)
			u.WriteTo(answer(b[:n], false), from)
		}
	}()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			size := make([]byte, 2)
			io.ReadFull(c, size)
			q := make([]byte, u16(size))
			io.ReadFull(c, q)
			a := answer(q, true)
			c.Write(append(add16(nil, len(a)), a...))
			c.Close()
		}
	}()

	server := u.LocalAddr().String()
	r := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, server)
	}}
	show := func(what string, v any, err error) {
		var de *net.DNSError
		if errors.As(err, &de) {
			fmt.Printf("%s: %q %q timeout=%t temporary=%t notfound=%t\n", what, de.Err, de.Name, de.IsTimeout, de.IsTemporary, de.IsNotFound)
			return
		}
		fmt.Println(what, v, err)
	}
	ctx := context.Background()
	for _, name := range []string{"both.test.", "four.test.", "alias.test.", "nowhere.test.", "broken.test.", "refused.test.", "BOTH.test.", "bad name", "192.0.2.9", "::5",
		"x..y", "", "-x.test."} {
		list, err := r.LookupHost(ctx, name)
		sort.Strings(list)
		show(name, list, err)
	}
	ips, err := r.LookupIP(ctx, "ip4", "both.test.")
	fmt.Println(len(ips), err)
	ips, err = r.LookupIP(ctx, "ip6", "both.test.")
	fmt.Println(ips, err)
	_, err = r.LookupIP(ctx, "ip6", "four.test.")
	show("ip6 of four", nil, err)
	_, err = r.LookupIP(ctx, "tcp", "four.test.")
	fmt.Println(err)
	long, err := r.LookupHost(ctx, "long.test.")
	fmt.Println(len(long), err)
	cname, err := r.LookupCNAME(ctx, "alias.test.")
	show("cname", cname, err)
	cname, err = r.LookupCNAME(ctx, "four.test.")
	show("cname", cname, err)
	_, err = r.LookupCNAME(ctx, "nowhere.test.")
	show("cname", nil, err)
	mx, err := r.LookupMX(ctx, "mail.test.")
	for _, m := range mx {
		fmt.Println(m.Host, m.Pref)
	}
	show("mx", len(mx), err)
	_, err = r.LookupMX(ctx, "four.test.")
	show("no mx", nil, err)
	ns, err := r.LookupNS(ctx, "mail.test.")
	for _, n := range ns {
		fmt.Println(n.Host)
	}
	show("ns", len(ns), err)
	txt, err := r.LookupTXT(ctx, "mail.test.")
	show("txt", fmt.Sprintf("%q", txt), err)
	cname, srv, err := r.LookupSRV(ctx, "http", "tcp", "srv.test.")
	for _, s := range srv {
		fmt.Println(s.Target, s.Port, s.Priority, s.Weight)
	}
	show("srv", cname, err)
	names, err := r.LookupAddr(ctx, "192.0.2.1")
	show("addr", names, err)
	_, err = r.LookupAddr(ctx, "192.0.2.77")
	show("addr", nil, err)
	_, err = r.LookupAddr(ctx, "nonsense")
	show("addr", nil, err)

	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	_, err = r.LookupHost(short, "silent.test.")
	var silent *net.DNSError
	fmt.Println(errors.As(err, &silent), silent.Name, silent.IsTimeout, silent.IsTemporary)
	cancel()
	d := net.Dialer{Resolver: r}
	_, err = d.Dial("tcp", "nowhere.test.:80")
	var op *net.OpError
	fmt.Println(errors.As(err, &op), op.Op, op.Net, op.Source, op.Addr)

	addrs, err := net.LookupHost("localhost")
	fmt.Println(len(addrs) > 0, err)
}
