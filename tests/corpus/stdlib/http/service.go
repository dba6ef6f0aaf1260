// run
// A service and its clients: routes, forms, cookies, redirections, bodies in pieces, errors.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"sort"
	"strings"
	"time"
)

func show(resp *http.Response, err error) {
	if err != nil {
		fmt.Println("error:", strings.ReplaceAll(err.Error(), addr, "ADDR"))
		return
	}
	b, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	var names []string
	for k := range resp.Header {
		if k != "Date" {
			names = append(names, k)
		}
	}
	sort.Strings(names)
	fmt.Println(resp.Proto, resp.Status, resp.ContentLength, resp.TransferEncoding, resp.Close, resp.Uncompressed)
	for _, k := range names {
		fmt.Println(" ", k, resp.Header[k])
	}
	if len(b) > 200 {
		fmt.Println(" ", len(b), "bytes", err)
	} else {
		fmt.Printf("  %q %v\n", b, err)
	}
	if len(resp.Trailer) > 0 {
		fmt.Println("  trailer", resp.Trailer)
	}
}

var addr string

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello/{name}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "Hello, %s! %s %s", r.PathValue("name"), r.Pattern, r.URL.RawQuery)
	})
	mux.HandleFunc("POST /echo", func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		w.Header().Set("X-Len", fmt.Sprint(r.ContentLength, r.TransferEncoding))
		fmt.Fprintf(w, "%d %v %q", len(b), err, r.Header.Get("Content-Type"))
	})
	mux.HandleFunc("/form", func(w http.ResponseWriter, r *http.Request) {
		err := r.ParseForm()
		fmt.Fprintln(w, r.Form, r.PostForm, err, r.FormValue("a"), r.PostFormValue("q"))
	})
	mux.HandleFunc("/big", func(w http.ResponseWriter, r *http.Request) {
		for i := range 100 {
			fmt.Fprintf(w, "%0100d", i)
		}
	})
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Trailer", "X-Sum")
		for i := range 3 {
			fmt.Fprintf(w, "part %d\n", i)
			w.(http.Flusher).Flush()
		}
		w.Header().Set("X-Sum", "done")
	})
	mux.HandleFunc("/set", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "id", Value: "a b", Path: "/", MaxAge: 60, HttpOnly: true})
		http.Redirect(w, r, "/get?x=1", http.StatusSeeOther)
	})
	mux.HandleFunc("/get", func(w http.ResponseWriter, r *http.Request) {
		c, err := r.Cookie("id")
		fmt.Fprint(w, c, err, r.Referer() != "")
	})
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", 302) })
	mux.HandleFunc("/keep", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/echo", 307) })
	mux.HandleFunc("/none", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) })
	mux.HandleFunc("/fail", func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no way", 418) })
	mux.HandleFunc("/panic", func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	})
	mux.HandleFunc("/auth", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, r.URL.User)
		name, password, ok := r.BasicAuth()
		fmt.Fprintln(w, name, password, ok)
	})
	mux.Handle("/static/", http.StripPrefix("/static", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.URL.Path)
	})))
	mux.HandleFunc("/length", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "3")
		n, err := w.Write([]byte("abcdef"))
		m, err2 := w.Write([]byte("abc"))
		fmt.Println("length:", n, err, m, err2)
	})
	mux.Handle("/limited", http.MaxBytesHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		var e *http.MaxBytesError
		fmt.Fprint(w, err, errors.As(err, &e))
	}), 5))
	mux.Handle("/late", http.TimeoutHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		time.Sleep(10 * time.Millisecond)
	}), 20*time.Millisecond, "too late"))
	mux.HandleFunc("/hijack", func(w http.ResponseWriter, r *http.Request) {
		c, b, err := w.(http.Hijacker).Hijack()
		fmt.Fprintf(b, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nraw %v", err)
		b.Flush()
		line, _ := b.ReadString('\n')
		io.WriteString(c, strings.ToUpper(line))
		c.Close()
	})
	ts := httptest.NewServer(mux)
	defer ts.Close()
	addr = ts.Listener.Addr().String()
	c := ts.Client()

	show(c.Get(ts.URL + "/hello/wörld?q=1"))
	show(c.Get(ts.URL + "/hello/a/b"))
	show(c.Head(ts.URL + "/hello/x"))
	show(c.Post(ts.URL+"/hello/x", "text/plain", nil))
	show(c.Post(ts.URL+"/echo", "text/plain", strings.NewReader("some text")))
	show(c.Post(ts.URL+"/echo", "text/plain", io.MultiReader(strings.NewReader("in "), strings.NewReader("pieces"))))
	show(c.PostForm(ts.URL+"/form?a=1&b=2", url.Values{"a": {"3"}, "q": {"x y"}}))
	show(c.Get(ts.URL + "/form?a=%zz&b;c=1"))
	show(c.Get(ts.URL + "/big"))
	show(c.Get(ts.URL + "/stream"))
	show(c.Get(ts.URL + "/set"))
	jar, _ := cookiejar.New(nil)
	show((&http.Client{Jar: jar}).Get(ts.URL + "/set"))
	u, _ := url.Parse(ts.URL)
	fmt.Println(jar.Cookies(u))
	show(c.Get(ts.URL + "/loop"))
	show((&http.Client{CheckRedirect: func(r *http.Request, via []*http.Request) error { return http.ErrUseLastResponse }}).Get(ts.URL + "/loop"))
	show(c.Post(ts.URL+"/keep", "a/b", strings.NewReader("kept")))
	show(c.Get(ts.URL + "/none"))
	show(c.Get(ts.URL + "/fail"))
	show(c.Get(ts.URL + "/panic"))
	show(c.Get(strings.Replace(ts.URL, "://", "://user:pa%20ss@", 1) + "/auth"))
	show(c.Get(ts.URL + "/static/a/../b//c"))
	show(c.Get(ts.URL + "/static"))
	show(c.Get(ts.URL + "/length"))
	show(c.Post(ts.URL+"/limited", "", strings.NewReader("0123456789")))
	show(c.Post(ts.URL+"/limited", "", strings.NewReader("01234")))
	show(c.Get(ts.URL + "/late"))
	show(c.Get(ts.URL + "/nothing"))

	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	r, _ := http.NewRequestWithContext(ctx, "GET", ts.URL+"/slow", nil)
	resp, err := c.Do(r)
	show(resp, err)
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	cancel()
	short := *c
	short.Timeout = 30 * time.Millisecond
	resp, err = short.Get(ts.URL + "/slow")
	show(resp, err)
	var ne net.Error
	fmt.Println(errors.As(err, &ne) && ne.Timeout())

	r, _ = http.NewRequest("GET", ts.URL+"/hijack", nil)
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "x")
	resp, err = c.Do(r)
	fmt.Println(resp.StatusCode, err)
	rw := resp.Body.(io.ReadWriteCloser)
	io.WriteString(rw, "hello\n")
	b, err := io.ReadAll(rw)
	fmt.Printf("%q %v\n", b, err)
	rw.Close()

	for _, bad := range []string{"http://", "ftp://x/", "http://a b/", "://x", "http://127.0.0.1:1/", "/x", "http://[::1", "http://x:y/"} {
		_, err := c.Get(bad)
		fmt.Println(err)
	}
	r, _ = http.NewRequest("GET", ts.URL, nil)
	r.Header.Set("Bad name", "x")
	show(c.Do(r))
	r.Header = http.Header{"X": {"a\nb"}}
	show(c.Do(r))
	_, err = http.NewRequest("B D", ts.URL, nil)
	fmt.Println(err)

	// By hand.
	say := func(text string) {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer conn.Close()
		io.WriteString(conn, text)
		conn.SetReadDeadline(time.Now().Add(2 * time.Second))
		b, err := io.ReadAll(conn)
		lines := strings.Split(string(b), "\r\n")
		for i, l := range lines {
			if strings.HasPrefix(l, "Date: ") {
				lines[i] = "Date: now"
			}
		}
		fmt.Printf("%q\n  %q %v\n", text, strings.Join(lines, "\r\n"), err != nil)
	}
	for _, text := range []string{
		"GET /hello/x HTTP/1.0\r\n\r\n",
		"GET /hello/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
		"GET /hello/x HTTP/1.1\r\n\r\n",
		"GET /stream HTTP/1.0\r\n\r\n",
		"BAD\r\n\r\n",
		"GET / HTTP/9.9\r\nHost: a\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n",
		"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
		"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
		"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
		"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
		"POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
		"POST /echo HTTP/1.1\r\nHost: a\r\nExpect: magic\r\nContent-Length: 5\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
		"GET /none HTTP/1.1\r\nHost: a\r\n\r\nGET /fail HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
		"HEAD /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
		"CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n",
	} {
		say(text)
	}

	var buf bytes.Buffer
	r, _ = http.NewRequest("PUT", "http://example.com/p?q=1", strings.NewReader("body"))
	r.Header.Set("X-A", "b")
	r.AddCookie(&http.Cookie{Name: "c", Value: "d e"})
	fmt.Println(r.Write(&buf))
	fmt.Printf("%q\n", buf.String())
	r2, err := http.ReadRequest(bufio.NewReader(&buf))
	fmt.Println(r2.Method, r2.URL, r2.Host, r2.Header, r2.ContentLength, err)
	resp, err = http.ReadResponse(bufio.NewReader(strings.NewReader("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX: y\r\n\r\nabcdef")), nil)
	show(resp, err)
}
