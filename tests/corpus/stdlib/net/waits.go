// run

// Look-ups that wait: deadlines and cancelling end them, by a server of names of our own; and what a cut message tells.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// answer is what the server of names says: it knows a.test and not nx.test, and is silent about slow.test.
func answer(q []byte) []byte {
	kind := q[len(q)-3]
	for i := 12; i+6 < len(q); i++ {
		if q[i] == 0 {
			kind = q[i+2]
			q = q[:i+5]
			break
		}
	}
	r := append([]byte(nil), q...)
	r[2], r[3] = 0x81, 0x80
	r[7], r[9], r[11] = 0, 0, 0
	switch name := string(q[12:]); {
	case strings.Contains(name, "slow"):
		return nil
	case strings.Contains(name, "nx"):
		r[3] |= 3
	case kind == 1:
		r[7] = 1
		r = append(r, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, 1)
	}
	return r
}

func main() {
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	address := server.LocalAddr().String()
	go func() {
		b := make([]byte, 1500)
		for {
			n, from, err := server.ReadFrom(b)
			if err != nil {
				return
			}
			if r := answer(b[:n]); r != nil {
				server.WriteTo(r, from)
			}
		}
	}()
	names := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, address)
	}}
	begin := time.Now()
	show := func(what string, v any, err error) {
		fmt.Print(what, ": ", v, " ")
		var d *net.DNSError
		if errors.As(err, &d) {
			text := strings.ReplaceAll(d.Err, address, "SERVER")
			fmt.Println(text, d.Name, d.IsNotFound, d.IsTimeout, d.IsTemporary, time.Since(begin) < 3*time.Second)
			return
		}
		fmt.Println(err)
	}
	within := func(d time.Duration) context.Context {
		ctx, cancel := context.WithTimeout(context.Background(), d)
		time.AfterFunc(10*time.Second, cancel)
		return ctx
	}
	cancelled := func() context.Context {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		return ctx
	}
	hosts, err := names.LookupHost(within(time.Second), "a.test.")
	show("host", hosts, err)
	list, err := names.LookupIP(within(time.Second), "ip4", "a.test.")
	show("IP", list, err)
	list, err = names.LookupIP(within(time.Second), "ip", "nx.test.")
	show("unknown", list, err)
	hosts, err = names.LookupHost(within(50*time.Millisecond), "slow.test.")
	show("host, too late", hosts, err)
	list, err = names.LookupIP(within(50*time.Millisecond), "ip", "slow.test.")
	show("IP, too late", list, err)
	list, err = names.LookupIP(cancelled(), "ip", "slow.test.")
	show("IP, cancelled", list, err)
	d := net.Dialer{Resolver: names, Timeout: 50 * time.Millisecond}
	_, err = d.Dial("tcp", "slow.test.:80")
	show("dial, too late", nil, err)
	d.Timeout = 0
	_, err = d.DialContext(cancelled(), "tcp", "slow.test.:80")
	show("dial, cancelled", nil, err)
	_, err = d.Dial("tcp", "nx.test.:80")
	show("dial, unknown", nil, err)

	a, _ := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	a.WriteTo([]byte("abc"), a.LocalAddr())
	n, oobn, flags, _, err := a.ReadMsgUDP(make([]byte, 2), nil)
	fmt.Println(n, oobn, flags, err)
}
