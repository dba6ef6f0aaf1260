// run

// HTTP/2 between a client and a server of net/http: what requests and answers are like, bodies in
// both directions, trailers, answers that come before the answer, and what a trace tells.

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

func check(err error) {
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

func show(resp *http.Response, err error) {
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	var names []string
	for name := range resp.Header {
		if name != "Date" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	fmt.Println(resp.Proto, resp.ProtoMajor, resp.ProtoMinor, resp.Status, resp.ContentLength,
		resp.TLS != nil && resp.TLS.NegotiatedProtocol == "h2", resp.Uncompressed,
		resp.Request.Method)
	for _, name := range names {
		fmt.Printf("  %s: %q\n", name, resp.Header[name])
	}
	if len(body) > 100 {
		fmt.Printf("  %d bytes, %v\n", len(body), err)
	} else {
		fmt.Printf("  %q %v\n", body, err)
	}
	if resp.Trailer != nil {
		fmt.Println("  trailer", resp.Trailer)
	}
}

func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i * 7)
	}
	return b
}

func handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var names []string
		for name := range r.Header {
			names = append(names, name)
		}
		slices.Sort(names)
		fmt.Fprintln(w, r.Method, r.URL, r.RequestURI, r.Proto, r.ProtoMajor, r.Host != "",
			r.ContentLength, r.TransferEncoding, r.TLS != nil, len(body), err)
		for _, name := range names {
			fmt.Fprintf(w, "%s: %q\n", name, r.Header[name])
		}
	})
	mux.HandleFunc("/status/", func(w http.ResponseWriter, r *http.Request) {
		code := http.StatusTeapot
		switch r.URL.Path {
		case "/status/204":
			code = http.StatusNoContent
		case "/status/304":
			code = http.StatusNotModified
		case "/status/404":
			code = http.StatusNotFound
		}
		w.WriteHeader(code)
		w.WriteHeader(200)
		n, err := io.WriteString(w, "text")
		w.Header().Set("Late", "x")
		fmt.Println("  wrote", n, err)
	})
	mux.HandleFunc("/big", func(w http.ResponseWriter, r *http.Request) {
		w.Write(pattern(3 << 20))
	})
	mux.HandleFunc("/sum", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		fmt.Fprint(w, len(body), bytes.Equal(body, pattern(len(body))), err)
	})
	mux.HandleFunc("/both", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		line := make([]byte, 100)
		for {
			n, err := r.Body.Read(line)
			if n > 0 {
				fmt.Fprintf(w, "got %q", line[:n])
				w.(http.Flusher).Flush()
			}
			if err != nil {
				fmt.Fprintf(w, " %v", err)
				return
			}
		}
	})
	mux.HandleFunc("/trailers", func(w http.ResponseWriter, r *http.Request) {
		fmt.Println("  announced", r.Trailer)
		io.Copy(io.Discard, r.Body)
		fmt.Println("  has", r.Trailer)
		w.Header().Set("Trailer", "First, Second, Content-Length")
		w.Header().Add("Trailer", "Third")
		io.WriteString(w, "body")
		w.Header().Set("First", "1")
		w.Header().Set("Second", "2")
		w.Header().Set(http.TrailerPrefix+"Other", "3")
	})
	mux.HandleFunc("/early", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "</style.css>; rel=preload")
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Set("Link", "</more.css>; rel=preload")
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Del("Link")
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, "late")
	})
	mux.HandleFunc("/zip", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "gzip" {
			io.WriteString(w, "plain "+r.Header.Get("Accept-Encoding"))
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		io.WriteString(z, strings.Repeat("zipped ", 9))
		z.Close()
	})
	mux.HandleFunc("/length", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "4")
		n, err := io.WriteString(w, "four")
		fmt.Println("  wrote", n, err)
		w.(http.Flusher).Flush()
		n, err = io.WriteString(w, "more")
		fmt.Println("  wrote", n, err)
	})
	mux.HandleFunc("/short", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "10")
		io.WriteString(w, "short")
	})
	mux.HandleFunc("/panic", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "" {
			io.WriteString(w, "begun")
			w.(http.Flusher).Flush()
		}
		panic(http.ErrAbortHandler)
	})
	mux.HandleFunc("/fields", func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Connection", "x")
		h.Set("Upgrade", "y")
		h["lower"] = []string{"1", "2"}
		h["Wrong Name"] = []string{"x"}
		h.Set("Wrong-Value", "a\nb")
		h.Set("Content-Type", "text/x")
		h.Set("Set-Cookie", "a=b")
		h.Add("Set-Cookie", "c=d")
		http.SetCookie(w, &http.Cookie{Name: "e", Value: "f"})
		for _, c := range r.Cookies() {
			fmt.Fprintln(w, c.Name, c.Value)
		}
	})
	mux.HandleFunc("/controller", func(w http.ResponseWriter, r *http.Request) {
		defer close(controlled)
		c := http.NewResponseController(w)
		_, _, err := c.Hijack()
		fmt.Println("  hijack:", err, errors.Is(err, http.ErrNotSupported))
		fmt.Println("  duplex:", c.EnableFullDuplex())
		fmt.Println("  read:", c.SetReadDeadline(time.Now().Add(-time.Second)))
		_, err = r.Body.Read(make([]byte, 1))
		fmt.Println("  read:", err, errors.Is(err, os.ErrDeadlineExceeded))
		fmt.Println("  flush:", c.Flush())
		fmt.Println("  write:", c.SetWriteDeadline(time.Now().Add(-time.Second)))
		_, err = w.Write(make([]byte, 10000))
		fmt.Println("  write:", err)
		fmt.Println("  flush:", c.Flush())
	})
	mux.HandleFunc("/push", func(w http.ResponseWriter, r *http.Request) {
		p, ok := w.(http.Pusher)
		fmt.Println("  pusher", ok)
		for _, to := range []string{"/x", "x", "ftp://a/b", "https:///", "https://b/c", "%"} {
			fmt.Println("  push", to, p.Push(to, nil))
		}
		fmt.Println("  push", p.Push("/x", &http.PushOptions{Method: "POST"}))
		for _, name := range []string{"Te", ":x", "Host", "Connection"} {
			fmt.Println("  push", name,
				p.Push("/x", &http.PushOptions{Header: http.Header{name: {"x"}}}))
		}
	})
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/echo", http.StatusTemporaryRedirect)
	})
	return mux
}

// controlled is closed when the handler of /controller has said all.
var controlled = make(chan bool)

// slow gives one piece after the other.
type slow struct {
	pieces []string
	wait   chan bool
}

func (s *slow) Read(p []byte) (int, error) {
	if len(s.pieces) == 0 {
		return 0, io.EOF
	}
	<-s.wait
	n := copy(p, s.pieces[0])
	s.pieces = s.pieces[1:]
	return n, nil
}

func main() {
	log.SetFlags(0)
	log.SetOutput(os.Stdout)
	s := httptest.NewUnstartedServer(handler())
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	c := s.Client()

	fmt.Println("simple")
	show(c.Get(s.URL + "/echo?a=b%20c"))
	show(c.Head(s.URL + "/echo"))
	show(c.Post(s.URL+"/echo", "text/plain", strings.NewReader("12345")))
	show(c.Post(s.URL+"/echo", "text/plain", struct{ io.Reader }{strings.NewReader("12345")}))
	show(c.Post(s.URL+"/echo", "text/plain", http.NoBody))
	r, _ := http.NewRequest("DELETE", s.URL+"/echo", nil)
	r.Header = http.Header{
		"User-Agent": {"me"}, "Cookie": {"a=b; c=d", "e=f"}, "Accept": {"x", "y"},
		"Te": {"trailers"}, "Connection": {"keep-alive"}, "Accept-Encoding": {"br"},
	}
	show(c.Do(r))
	r, _ = http.NewRequest("GET", s.URL+"/echo", nil)
	r.Header["User-Agent"] = nil
	r.Header.Set("Te", "gzip")
	show(c.Do(r))
	for _, path := range []string{"418", "204", "304", "404"} {
		show(c.Get(s.URL + "/status/" + path))
	}
	show(c.Post(s.URL+"/redirect", "text/plain", strings.NewReader("again")))
	show(c.Get(s.URL + "/fields"))

	fmt.Println("refused")
	for _, h := range []http.Header{
		{"Upgrade": {"x"}}, {"Connection": {"upgrade"}}, {"Transfer-Encoding": {"x"}},
		{"A b": {"x"}}, {"A": {"x\n"}},
	} {
		r, _ := http.NewRequest("GET", s.URL+"/echo", nil)
		r.Header = h
		_, err := c.Do(r)
		fmt.Println("  " + strings.ReplaceAll(err.Error(), s.URL, ""))
	}
	r, _ = http.NewRequest("POST", s.URL+"/echo", strings.NewReader("longer"))
	r.ContentLength = 3
	_, err := c.Do(r)
	fmt.Println("  " + strings.ReplaceAll(err.Error(), s.URL, ""))
	r, _ = http.NewRequest("POST", s.URL+"/echo", strings.NewReader("x"))
	r.Trailer = http.Header{"Content-Length": {"x"}}
	_, err = c.Do(r)
	fmt.Println("  " + strings.ReplaceAll(err.Error(), s.URL, ""))

	fmt.Println("bodies")
	resp, err := c.Get(s.URL + "/big")
	check(err)
	body, err := io.ReadAll(resp.Body)
	fmt.Println("  ", bytes.Equal(body, pattern(3<<20)), err, resp.ContentLength)
	for _, n := range []int{0, 1, 16384, 65535, 65536, 3 << 20} {
		show(c.Post(s.URL+"/sum", "x", bytes.NewReader(pattern(n))))
	}
	both := &slow{[]string{"one", "two", "three"}, make(chan bool, 3)}
	both.wait <- true
	resp, err = c.Post(s.URL+"/both", "x", both)
	check(err)
	for _, n := range []int{9, 9, 11} {
		line := make([]byte, n)
		_, err := io.ReadFull(resp.Body, line)
		fmt.Printf("  %s %v\n", line, err)
		both.wait <- true
	}
	body, err = io.ReadAll(resp.Body)
	fmt.Printf("  %s %v\n", body, err)
	show(c.Get(s.URL + "/zip"))
	r, _ = http.NewRequest("GET", s.URL+"/zip", nil)
	r.Header.Set("Range", "bytes=0-")
	show(c.Do(r))
	show(c.Get(s.URL + "/length"))
	show(c.Get(s.URL + "/short"))
	for _, path := range []string{"/panic", "/panic?begun"} {
		resp, err := c.Get(s.URL + path)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
		}
		fmt.Println("  " + strings.ReplaceAll(err.Error(), s.URL, ""))
	}

	fmt.Println("trailers")
	r, _ = http.NewRequest("POST", s.URL+"/trailers", strings.NewReader("x"))
	r.Trailer = http.Header{"Before": {"b"}, "And": nil}
	resp, err = c.Do(r)
	check(err)
	fmt.Println("  trailer", resp.Trailer)
	show(resp, nil)

	fmt.Println("before the answer")
	var wrote atomic.Bool
	trace := &httptrace.ClientTrace{
		GetConn:              func(string) { fmt.Println("  GetConn") },
		GotConn:              func(i httptrace.GotConnInfo) { fmt.Println("  GotConn", i.Reused, i.WasIdle) },
		PutIdleConn:          func(error) { fmt.Println("  PutIdleConn") },
		GotFirstResponseByte: func() { fmt.Println("  first byte") },
		Got100Continue:       func() { fmt.Println("  100") },
		Got1xxResponse: func(code int, h textproto.MIMEHeader) error {
			fmt.Println("  1xx", code, h)
			return nil
		},
		WroteHeaderField: func(k string, v []string) {
			if k != ":authority" {
				fmt.Println("  field", k, v)
			}
		},
		WroteHeaders:    func() { wrote.Store(true) },
		Wait100Continue: func() { fmt.Println("  wait") },
	}
	r, _ = http.NewRequest("GET", s.URL+"/early", nil)
	r = r.WithContext(httptrace.WithClientTrace(context.Background(), trace))
	show(c.Do(r))
	fmt.Println("  wrote headers", wrote.Load())
	c.Transport.(*http.Transport).ExpectContinueTimeout = time.Minute
	r, _ = http.NewRequest("POST", s.URL+"/sum", strings.NewReader("body"))
	r.Header.Set("Expect", "100-continue")
	show(c.Do(r))
	r, _ = http.NewRequest("POST", s.URL+"/status/404", strings.NewReader("body"))
	r.Header.Set("Expect", "100-continue")
	show(c.Do(r))

	fmt.Println("controller and push")
	resp, err = c.Post(s.URL+"/controller", "x", &slow{[]string{"x"}, make(chan bool)})
	<-controlled
	check(err)
	_, err = io.ReadAll(resp.Body)
	fmt.Println("  ", err)
	show(c.Get(s.URL + "/push"))
}
