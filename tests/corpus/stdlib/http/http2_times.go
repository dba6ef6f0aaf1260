// run

// Requests of HTTP/2 that are given up, limits of time, and pings.

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
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

func cancelled() {
	fmt.Println("given up")
	ends := make(chan string)
	s, c := start(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/begun" {
			io.WriteString(w, "begun")
			w.(http.Flusher).Flush()
		}
		_, err := io.ReadAll(r.Body)
		<-r.Context().Done()
		_, werr := w.Write(make([]byte, 5000))
		ends <- fmt.Sprint(r.Context().Err(), err, werr)
	}, nil)
	defer s.Close()
	client := s.Client()
	ctx, cancel := context.WithCancel(context.Background())
	r, _ := http.NewRequestWithContext(ctx, "GET", s.URL+"/begun", nil)
	resp, err := client.Do(r)
	fmt.Println("  ", err)
	cancel()
	b, err := io.ReadAll(resp.Body)
	fmt.Printf("  %q %v %v\n", b, err, resp.Body.Close())
	fmt.Println("  ", <-ends)

	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
	r, _ = http.NewRequestWithContext(ctx, "GET", s.URL, nil)
	_, err = client.Do(r)
	fmt.Println("  ", hide(s, err.Error()), errors.Is(err, context.DeadlineExceeded))
	fmt.Println("  ", <-ends)
	cancel()

	client.Timeout = 20 * time.Millisecond
	_, err = client.Get(s.URL)
	fmt.Println("  ", hide(s, err.Error()), err.(net.Error).Timeout())
	fmt.Println("  ", <-ends)
	client.Timeout = 0

	resp, err = client.Get(s.URL + "/begun")
	fmt.Println("  ", err, resp.Body.Close())
	_, err = resp.Body.Read(make([]byte, 1))
	fmt.Println("  ", err)
	fmt.Println("  ", <-ends)

	t := client.Transport.(*http.Transport)
	t.ResponseHeaderTimeout = 20 * time.Millisecond
	_, err = client.Get(s.URL)
	fmt.Println("  ", hide(s, err.Error()), err.(net.Error).Timeout())
	fmt.Println("  ", <-ends)
	stop := make(chan struct{})
	t.ResponseHeaderTimeout = 0
	r, _ = http.NewRequest("GET", s.URL, nil)
	r.Cancel = stop
	time.AfterFunc(20*time.Millisecond, func() { close(stop) })
	_, err = client.Do(r)
	fmt.Println("  ", hide(s, err.Error()))
	fmt.Println("  ", <-ends, c.n.Load())
}

func times() {
	fmt.Println("limits of time")
	wrote := make(chan error, 1)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/read":
			_, err := io.ReadAll(r.Body)
			fmt.Fprint(w, err, errors.Is(err, os.ErrDeadlineExceeded))
		case "/write":
			<-r.Context().Done()
			_, err := w.Write(make([]byte, 10000))
			wrote <- err
		}
	}))
	s.Config.ReadTimeout = 100 * time.Millisecond
	s.Config.WriteTimeout = 150 * time.Millisecond
	s.Config.IdleTimeout = time.Minute
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	defer s.Close()
	s.Client().Transport = &http.Transport{Protocols: s.Config.Protocols}
	in, out := io.Pipe()
	fmt.Println("  ", hide(s, read(s.Client().Post(s.URL+"/read", "x", in))))
	out.Close()
	fmt.Println("  ", hide(s, read(s.Client().Get(s.URL+"/write"))), <-wrote)

	idle, c := start(func(w http.ResponseWriter, r *http.Request) {}, func(s *httptest.Server) {
		s.Config.IdleTimeout = 50 * time.Millisecond
	})
	defer idle.Close()
	fmt.Println("  ", read(idle.Client().Get(idle.URL)))
	time.Sleep(120 * time.Millisecond)
	fmt.Println("  ", read(idle.Client().Get(idle.URL)), c.n.Load())

	quiet := make(chan bool)
	lost, _ := start(func(w http.ResponseWriter, r *http.Request) { <-quiet }, nil)
	t := lost.Client().Transport.(*http.Transport)
	t.HTTP2 = &http.HTTP2Config{
		SendPingTimeout: 10 * time.Millisecond,
		PingTimeout:     10 * time.Millisecond,
	}
	var deaf atomic.Bool
	dial := t.DialContext
	t.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		return &half{c, &deaf}, err
	}
	time.AfterFunc(50*time.Millisecond, func() { deaf.Store(true) })
	fmt.Println("  ", hide(lost, read(lost.Client().Get(lost.URL))))
	close(quiet)
	lost.CloseClientConnections()
	lost.Close()
}

// half is a connection that no longer sends once it is deaf.
type half struct {
	net.Conn
	isDeaf *atomic.Bool
}

func (h *half) Write(p []byte) (int, error) {
	if h.isDeaf.Load() {
		return len(p), nil
	}
	return h.Conn.Write(p)
}

func main() {
	log.SetOutput(io.Discard)
	cancelled()
	times()
}
