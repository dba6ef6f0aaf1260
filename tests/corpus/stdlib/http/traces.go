// run

// A trace is told of names that are looked up and of addresses that are tried, for a client's
// request and for dialing alone.

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"regexp"
	"strings"
)

var address = regexp.MustCompile(`(127\.0\.0\.1|localhost):\d+`)

func clean(v any) string { return address.ReplaceAllString(fmt.Sprint(v), "$1:PORT") }

func trace(name string) *httptrace.ClientTrace {
	say := func(what string, args ...any) {
		fmt.Print(clean("  " + name + " " + what + " " + fmt.Sprintln(args...)))
	}
	return &httptrace.ClientTrace{
		DNSStart: func(i httptrace.DNSStartInfo) { say("DNSStart", i.Host) },
		DNSDone: func(i httptrace.DNSDoneInfo) {
			var e *net.DNSError
			has := false
			for _, a := range i.Addrs {
				has = has || a.IP.String() == "127.0.0.1"
			}
			say("DNSDone", has, errors.As(i.Err, &e))
		},
		ConnectStart:      func(network, addr string) { say("ConnectStart", network, addr) },
		ConnectDone:       func(network, addr string, err error) { say("ConnectDone", network, addr, err) },
		TLSHandshakeStart: func() { say("TLSHandshakeStart") },
		GetConn:           func(to string) { say("GetConn", to) },
		GotConn:           func(i httptrace.GotConnInfo) { say("GotConn", i.Reused) },
	}
}

func main() {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer s.Close()
	get := func(url string, traces ...*httptrace.ClientTrace) {
		ctx := context.Background()
		for _, t := range traces {
			ctx = httptrace.WithClientTrace(ctx, t)
		}
		r, err := http.NewRequestWithContext(ctx, "GET", url, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		// By version 4 alone, so that localhost is one address.
		t := &http.Transport{DialContext: func(
			ctx context.Context, _, addr string,
		) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp4", addr)
		}}
		defer t.CloseIdleConnections()
		for range 2 {
			resp, err := t.RoundTrip(r)
			if err != nil {
				fmt.Println("error", clean(err))
				return
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			fmt.Println(resp.Status)
		}
	}
	fmt.Println("by number")
	get(s.URL, trace("a"))
	fmt.Println("by name")
	get(strings.Replace(s.URL, "127.0.0.1", "localhost", 1), trace("a"))
	fmt.Println("two traces")
	get(s.URL, trace("a"), trace("b"))
	fmt.Println("some functions")
	get(s.URL, &httptrace.ClientTrace{
		ConnectDone: func(network, addr string, err error) { fmt.Println("  done", err) },
	})
	fmt.Println("no such name")
	get("http://a..b/", trace("a"))
	fmt.Println("nobody there")
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	l.Close()
	get("http://"+l.Addr().String(), trace("a"))
	fmt.Println("dialing")
	ctx := httptrace.WithClientTrace(context.Background(), trace("a"))
	c, err := new(net.Dialer).DialContext(ctx, "tcp", s.Listener.Addr().String())
	if err == nil {
		c.Close()
	}
	_, err = new(net.Dialer).DialContext(ctx, "unix", "/nowhere/there")
	fmt.Println(err)
	fmt.Println("looking up")
	addrs, err := net.DefaultResolver.LookupIPAddr(ctx, "localhost")
	fmt.Println(len(addrs) > 0, err)
	_, err = net.DefaultResolver.LookupIPAddr(ctx, "1.2.3.4")
	fmt.Println(err)
	_, err = net.DefaultResolver.LookupHost(ctx, "localhost")
	fmt.Println(err)
}
