// run

// Connections of HTTP/2: many requests over one, what is spoken under which settings, servers that
// shut down, requests that are sent once more, states and traces.

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

func read(resp *http.Response, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Sprintf("%s %q error: %v", resp.Proto, b, err)
	}
	return fmt.Sprintf("%s %s %q", resp.Proto, resp.Status, b)
}

// counted counts the connections that are accepted.
type counted struct {
	net.Listener
	n atomic.Int32
}

func (c *counted) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.n.Add(1)
	}
	return conn, err
}

func start(h http.HandlerFunc, change func(s *httptest.Server)) (*httptest.Server, *counted) {
	s := httptest.NewUnstartedServer(h)
	c := &counted{Listener: s.Listener}
	s.Listener = c
	s.EnableHTTP2 = true
	if change != nil {
		change(s)
	}
	s.StartTLS()
	return s, c
}

func hide(s *httptest.Server, text string) string { return strings.ReplaceAll(text, s.URL, "") }

func many() {
	fmt.Println("many at once")
	var running atomic.Int32
	all := make(chan bool)
	s, c := start(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" {
			return
		}
		if running.Add(1) == 200 {
			close(all)
		}
		<-all
		body, _ := io.ReadAll(r.Body)
		w.Write(bytes.Repeat(body, 100))
	}, nil)
	defer s.Close()
	var wait sync.WaitGroup
	var good atomic.Int32
	read(s.Client().Get(s.URL))
	for i := range 200 {
		wait.Go(func() {
			text := fmt.Sprint(i, " ")
			resp, err := s.Client().Post(s.URL, "x", strings.NewReader(text))
			if err != nil {
				fmt.Println(err)
				return
			}
			b, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if string(b) == strings.Repeat(text, 100) {
				good.Add(1)
			}
		})
	}
	wait.Wait()
	fmt.Println("  ", good.Load(), c.n.Load())
}

func limited() {
	fmt.Println("no more than that")
	var running, most atomic.Int32
	s, c := start(func(w http.ResponseWriter, r *http.Request) {
		n := running.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(time.Millisecond)
		running.Add(-1)
	}, func(s *httptest.Server) {
		s.Config.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: 2}
	})
	defer s.Close()
	read(s.Client().Get(s.URL))
	var wait sync.WaitGroup
	var good atomic.Int32
	for range 10 {
		wait.Go(func() {
			if !strings.Contains(read(s.Client().Get(s.URL)), "error") {
				good.Add(1)
			}
		})
	}
	wait.Wait()
	// What one connection does not take goes over others.
	fmt.Println("  ", good.Load(), most.Load() <= 2*c.n.Load())
}

func spoken() {
	fmt.Println("what is spoken")
	hello := func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }
	ask := func(name string, server func(*httptest.Server), client func(*http.Transport)) {
		s, _ := start(hello, server)
		defer s.Close()
		t := s.Client().Transport.(*http.Transport)
		if client != nil {
			client(t)
		}
		text := hide(s, read(s.Client().Get(s.URL)))
		if strings.HasPrefix(text, "error: ") {
			// It depends on who is first.
			text = "error"
		}
		fmt.Println("  ", name, text, t.TLSClientConfig.NextProtos,
			s.TLS.NextProtos, len(t.TLSNextProto), len(s.Config.TLSNextProto))
	}
	protocols := func(f func(p *http.Protocols)) *http.Protocols {
		p := new(http.Protocols)
		f(p)
		return p
	}
	ask("usual", nil, nil)
	ask("client not forced", nil, func(t *http.Transport) { t.ForceAttemptHTTP2 = false })
	ask("client switched off", nil, func(t *http.Transport) {
		t.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	})
	ask("server switched off", func(s *httptest.Server) {
		s.EnableHTTP2 = false
	}, nil)
	ask("client of both", nil, func(t *http.Transport) {
		t.Protocols = protocols(func(p *http.Protocols) { p.SetHTTP1(true); p.SetHTTP2(true) })
	})
	ask("client of HTTP/2", nil, func(t *http.Transport) {
		t.Protocols = protocols(func(p *http.Protocols) { p.SetHTTP2(true) })
	})
	ask("client of HTTP/1", func(s *httptest.Server) {
		s.TLS = &tls.Config{NextProtos: []string{"h2", "http/1.1"}}
	}, func(t *http.Transport) {
		t.Protocols = protocols(func(p *http.Protocols) { p.SetHTTP1(true) })
	})
	os.Setenv("GODEBUG", "http2client=0")
	ask("client switched off by GODEBUG", nil, nil)
	os.Setenv("GODEBUG", "http2server=0")
	ask("server switched off by GODEBUG", func(s *httptest.Server) {
		s.TLS = &tls.Config{NextProtos: []string{"http/1.1"}}
	}, nil)
	os.Setenv("GODEBUG", "")
	ask("TLS 1.2", func(s *httptest.Server) {
		s.TLS = &tls.Config{MaxVersion: tls.VersionTLS12}
	}, nil)
	ask("a bad suite", func(s *httptest.Server) {
		s.TLS = &tls.Config{
			MaxVersion:   tls.VersionTLS12,
			CipherSuites: []uint16{tls.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA},
			NextProtos:   []string{"h2"},
		}
		s.Config.TLSNextProto = nil
	}, nil)

	s := &http.Server{TLSConfig: &tls.Config{
		CipherSuites: []uint16{tls.TLS_RSA_WITH_AES_128_CBC_SHA},
	}}
	fmt.Println("  ", s.ServeTLS(nil, "", ""))

	fmt.Println("without TLS")
	for _, name := range []string{"both", "HTTP/2"} {
		s := httptest.NewUnstartedServer(http.HandlerFunc(hello))
		s.Config.Protocols = protocols(func(p *http.Protocols) {
			p.SetUnencryptedHTTP2(true)
			p.SetHTTP1(name == "both")
		})
		s.Start()
		t := &http.Transport{Protocols: protocols(func(p *http.Protocols) {
			p.SetUnencryptedHTTP2(true)
		})}
		c := &http.Client{Transport: t}
		fmt.Println("  ", name, read(c.Get(s.URL)), read(c.Post(s.URL, "x", strings.NewReader("y"))))
		resp, err := s.Client().Get(s.URL)
		if err == nil {
			fmt.Println("  ", read(resp, err))
		} else {
			fmt.Println("  ", errors.Is(err, io.EOF))
		}
		t.CloseIdleConnections()
		s.Close()
	}
}

func shutdown() {
	fmt.Println("shutdown")
	begun, goOn := make(chan bool), make(chan bool)
	s, _ := start(func(w http.ResponseWriter, r *http.Request) {
		begun <- true
		<-goOn
		io.WriteString(w, "done")
	}, nil)
	result := make(chan string)
	go func() { result <- read(s.Client().Get(s.URL)) }()
	<-begun
	down := make(chan error)
	hook := make(chan bool)
	s.Config.RegisterOnShutdown(func() { close(hook) })
	go func() { down <- s.Config.Shutdown(context.Background()) }()
	for {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			break
		}
		c.Close()
	}
	<-hook
	close(goOn)
	fmt.Println("  ", <-result)
	fmt.Println("  ", <-down)

	closed := make(chan string, 1)
	s, _ = start(func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		begun <- true
		_, err := r.Body.Read(make([]byte, 1))
		closed <- fmt.Sprint(err)
	}, nil)
	in, out := io.Pipe()
	go func() { result <- read(s.Client().Post(s.URL, "x", in)) }()
	<-begun
	s.Config.Close()
	text := <-result
	fmt.Println("  ", strings.Contains(text, "error"), <-closed)
	out.Close()
}

func again() {
	fmt.Println("once more")
	var n atomic.Int32
	s, c := start(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if n.Add(1) == 1 {
			w.Header().Set("Connection", "close")
		}
		fmt.Fprintf(w, "%s %s", r.Method, body)
	}, nil)
	defer s.Close()
	post := func(body io.Reader) string {
		return read(s.Client().Post(s.URL, "x", body))
	}
	fmt.Println("  ", post(strings.NewReader("first")))
	// The server says so, and closes the connection.
	time.Sleep(20 * time.Millisecond)
	fmt.Println("  ", post(strings.NewReader("second")), c.n.Load() > 1)
	fmt.Println("  ", post(struct{ io.Reader }{strings.NewReader("third")}))
	r, _ := http.NewRequest("GET", s.URL, nil)
	r.Close = true
	fmt.Println("  ", read(s.Client().Do(r)))
	before := c.n.Load()
	fmt.Println("  ", post(nil), c.n.Load()-before)
	s.Client().CloseIdleConnections()
	fmt.Println("  ", post(nil), c.n.Load()-before)
	s.Client().Transport.(*http.Transport).DisableKeepAlives = true
	s.Client().CloseIdleConnections()
	fmt.Println("  ", post(nil), c.n.Load()-before)
	fmt.Println("  ", post(nil), c.n.Load()-before)
}

func states() {
	fmt.Println("states")
	var mu sync.Mutex
	var seen []string
	closed := make(chan bool)
	s, _ := start(func(w http.ResponseWriter, r *http.Request) {}, func(s *httptest.Server) {
		s.Config.ConnState = func(c net.Conn, state http.ConnState) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, state.String())
			if state == http.StateClosed {
				close(closed)
			}
		}
	})
	read(s.Client().Get(s.URL))
	read(s.Client().Get(s.URL))
	s.Client().CloseIdleConnections()
	<-closed
	fmt.Println("  ", seen)
	s.Close()

	told := make(chan string, 1)
	s, _ = start(func(w http.ResponseWriter, r *http.Request) {
		told <- fmt.Sprintln("  ", r.Context().Value(http.ServerContextKey) == s.Config,
			r.Context().Value(http.LocalAddrContextKey) != nil, r.TLS.NegotiatedProtocol,
			r.RemoteAddr != "")
	}, nil)
	defer s.Close()
	trace := &httptrace.ClientTrace{
		GetConn: func(string) { fmt.Println("  GetConn") },
		GotConn: func(i httptrace.GotConnInfo) {
			_, isTLS := i.Conn.(*tls.Conn)
			fmt.Println("  GotConn", i.Reused, i.WasIdle, isTLS)
		},
		PutIdleConn:  func(error) { fmt.Println("  PutIdleConn") },
		WroteRequest: func(i httptrace.WroteRequestInfo) { fmt.Println("  WroteRequest", i.Err) },
	}
	for range 2 {
		r, _ := http.NewRequest("HEAD", s.URL, nil)
		r = r.WithContext(httptrace.WithClientTrace(context.Background(), trace))
		read(s.Client().Do(r))
		fmt.Print(<-told)
	}
}

func main() {
	log.SetOutput(io.Discard)
	many()
	limited()
	spoken()
	shutdown()
	again()
	states()
}
