// run
// A proxy before a server: paths, fields, trailers, what fails, another protocol.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetOutput(os.Stdout)
	back := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/base/up":
			c, b, _ := w.(http.Hijacker).Hijack()
			fmt.Fprintf(b, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n")
			b.Flush()
			line, _ := b.ReadString('\n')
			io.WriteString(c, "got "+line)
			c.Close()
			return
		case "/base/cut":
			w.Header().Set("Content-Length", "10")
			io.WriteString(w, "abc")
			return
		case "/base/trailer":
			w.Header().Set("Trailer", "X-T")
			io.WriteString(w, "body")
			w.Header().Set("X-T", "yes")
			return
		case "/base/early":
			w.Header().Set("Link", "x")
			w.WriteHeader(http.StatusEarlyHints)
		}
		w.Header().Set("Connection", "X-Hop")
		w.Header().Set("X-Hop", "gone")
		w.Header().Set("X-Kept", "1")
		fmt.Fprintf(w, "%s %s ua=%q fwd=%q te=%q hop=%q %v", r.Method, r.URL, r.UserAgent(), r.Header["X-Forwarded-For"], r.Header["Te"], r.Header["X-Hop-In"], r.Host != "front.example")
	}))
	defer back.Close()
	target, _ := url.Parse(back.URL + "/base/?t=1")
	old := httputil.NewSingleHostReverseProxy(target)
	rewrite := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.SetXForwarded()
		},
		ModifyResponse: func(r *http.Response) error {
			if r.Request.URL.Path == "/base/refuse" {
				return errors.New("refused")
			}
			r.Header.Set("X-Modified", "1")
			return nil
		},
		FlushInterval: -1,
	}
	for i, p := range []*httputil.ReverseProxy{old, rewrite} {
		front := httptest.NewServer(p)
		for _, path := range []string{"/a", "/a/b?q=1", "/a%2Fb", "/x?a=%zz&b;c", "/trailer", "/early", "/refuse", "/cut"} {
			r, _ := http.NewRequest("GET", front.URL+path, nil)
			r.Header.Set("Connection", "X-Hop-In")
			r.Header.Set("X-Hop-In", "1")
			r.Header.Set("Te", "trailers")
			resp, err := front.Client().Do(r)
			if err != nil {
				fmt.Println(i, path, err != nil)
				continue
			}
			b, err := io.ReadAll(resp.Body)
			fmt.Println(i, path, resp.Status, string(b), err, resp.Header["X-Kept"], resp.Header["X-Hop"], resp.Header["X-Modified"], resp.Trailer)
		}
		r, _ := http.NewRequest("GET", front.URL+"/up", nil)
		r.Header.Set("Connection", "Upgrade")
		r.Header.Set("Upgrade", "echo")
		resp, err := front.Client().Do(r)
		if err != nil {
			fmt.Println(err)
			continue
		}
		rw := resp.Body.(io.ReadWriteCloser)
		io.WriteString(rw, "line\n")
		b, err := io.ReadAll(rw)
		fmt.Printf("%d %q %v\n", resp.StatusCode, b, err)
		rw.Close()
		front.Close()
	}
	both := &httputil.ReverseProxy{}
	w := httptest.NewRecorder()
	both.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	fmt.Println(w.Code)
	gone, _ := url.Parse("http://127.0.0.1:1")
	p := httputil.NewSingleHostReverseProxy(gone)
	p.ErrorHandler = func(w http.ResponseWriter, r *http.Request, err error) {
		fmt.Println(strings.Contains(err.Error(), "connection refused"))
		w.WriteHeader(599)
	}
	w = httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader("x")))
	fmt.Println(w.Code)
}
