// run

// Requests by way of a proxy that speaks SOCKS 5, and what is said when it does not let them through.

package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
)

var address = regexp.MustCompile(`127\.0\.0\.1:\d+`)

func clean(v any) string { return address.ReplaceAllString(fmt.Sprint(v), "ADDRESS") }

// proxy is a proxy that says what it is told to, and what it is asked; it connects everybody to one
// address.
type proxy struct {
	to            string
	method, login string
	answer        string
	asked         chan string
}

func (p *proxy) serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			take := func(n int) []byte {
				b := make([]byte, n)
				io.ReadFull(c, b)
				return b
			}
			said := ""
			defer func() { p.asked <- said }()
			head := take(2)
			said = fmt.Sprint("methods ", take(int(head[1])))
			io.WriteString(c, p.method)
			if p.login != "" {
				name := take(int(take(2)[1]))
				password := take(int(take(1)[0]))
				said += fmt.Sprintf(" login %q %q", name, password)
				io.WriteString(c, p.login)
			}
			if p.answer == "" {
				return
			}
			ask := take(4)
			switch ask[3] {
			case 1:
				said += fmt.Sprint(" ", ask, " ", take(4))
			case 3:
				said += fmt.Sprintf(" %v %q", ask, take(int(take(1)[0])))
			case 4:
				said += fmt.Sprint(" ", ask, " ", net.IP(take(16)))
			}
			take(2)
			io.WriteString(c, p.answer)
			if !strings.HasPrefix(p.answer, "\x05\x00\x00\x01") || len(p.answer) < 10 {
				return
			}
			to, err := net.Dial("tcp", p.to)
			if err != nil {
				return
			}
			go func() {
				io.Copy(to, c)
				to.Close()
			}()
			io.Copy(c, to)
		}()
	}
}

func main() {
	hello := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Proto, " ", r.RequestURI, " ", r.Header.Get("Proxy-Authorization"))
	})
	plain := httptest.NewServer(hello)
	defer plain.Close()
	secure := httptest.NewUnstartedServer(hello)
	secure.EnableHTTP2 = true
	secure.StartTLS()
	defer secure.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	p := &proxy{asked: make(chan string, 9)}
	go p.serve(l)

	const good = "\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"
	for _, k := range []struct{ name, proxy, url, method, login, answer string }{
		{"by name", "socks5://P", "http://example.com/a", "\x05\x00", "", good},
		{"by number", "socks5h://P", "http://10.0.0.1:99/a", "\x05\x00", "", good},
		{"by long number", "socks5://P", "http://[fe80::1]/a", "\x05\x00", "", good},
		{"over TLS", "socks5://P", "https://example.com/a", "\x05\x00", "", good},
		{"with a password", "socks5://u:pw@P", "http://a/", "\x05\x02", "\x01\x00", good},
		{"without need of it", "socks5://u:pw@P", "http://a/", "\x05\x00", "", good},
		{"a wrong password", "socks5://u:pw@P", "http://a/", "\x05\x02", "\x01\x01", good},
		{"a wrong version of it", "socks5://u:pw@P", "http://a/", "\x05\x02", "\x02\x01", good},
		{"another method", "socks5://u:pw@P", "http://a/", "\x05\x07", "", ""},
		{"no method", "socks5://P", "http://a/", "\x05\xff", "", ""},
		{"a wrong version", "socks5://P", "http://a/", "\x04\x00", "", ""},
		{"refused", "socks5://P", "http://a/", "\x05\x00", "", "\x05\x05\x00\x01"},
		{"refused somehow", "socks5://P", "http://a/", "\x05\x00", "", "\x05\x63\x00\x01"},
		{"a wrong answer", "socks5://P", "http://a/", "\x05\x00", "", "\x06\x00\x00\x01"},
		{"a wrong address", "socks5://P", "http://a/", "\x05\x00", "", "\x05\x00\x00\x09"},
		{"a wrong field", "socks5://P", "http://a/", "\x05\x00", "", "\x05\x00\x01\x01"},
		{"an end", "socks5://P", "http://a/", "\x05\x00", "", "\x05"},
		{"a long name", "socks5://P", "http://" + strings.Repeat("a", 300) + "/", "\x05\x00", "",
			"x"},
	} {
		p.to, p.method, p.login, p.answer = plain.Listener.Addr().String(), k.method, k.login, k.answer
		t := secure.Client().Transport.(*http.Transport).Clone()
		t.DialContext = nil
		if strings.HasPrefix(k.url, "https") {
			p.to = secure.Listener.Addr().String()
		}
		u, err := url.Parse(strings.Replace(k.proxy, "P", l.Addr().String(), 1))
		if err != nil {
			fmt.Println(err)
			return
		}
		t.Proxy = http.ProxyURL(u)
		fmt.Println(k.name)
		resp, err := (&http.Client{Transport: t}).Get(k.url)
		if err != nil {
			text := clean(err)
			if len(text) > 200 {
				text = text[:20] + "…" + text[len(text)-40:]
			}
			fmt.Println("  ", text)
			if e := new(net.OpError); errors.As(err, &e) {
				fmt.Println("  ", e.Op, e.Net, e.Source.Network())
			}
		} else {
			b, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			fmt.Printf("   %q %v\n", b, err)
		}
		t.CloseIdleConnections()
		fmt.Println("  ", <-p.asked)
	}
}
