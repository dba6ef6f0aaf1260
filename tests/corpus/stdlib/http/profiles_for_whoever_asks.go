// run

// The handlers of net/http/pprof: statuses, headers, and what is text.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"regexp"
	rp "runtime/pprof"
	"strings"
	"time"
)

func show(method, url string, h http.Handler, body string) {
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	b := w.Body.Bytes()
	fmt.Println(method, url, w.Code, w.Header())
	switch {
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err == nil {
			_, err = io.Copy(io.Discard, z)
		}
		fmt.Println("gzip", err)
	case bytes.HasPrefix(b, []byte("go 1.")):
		fmt.Println("trace")
	default:
		// Counts vary.
		b = regexp.MustCompile(`<tr><td>\d+|cycles/second=\d+`).ReplaceAll(b, []byte("N"))
		fmt.Printf("%s\n", bytes.ReplaceAll(b, []byte(os.Args[0]), []byte("program")))
	}
}

func main() {
	d := http.DefaultServeMux
	rp.NewProfile("a<b>&\"c").Add(1, 0)
	rp.NewProfile("custom").Add(2, 0)
	for _, p := range []string{"", "cmdline", "nothing", "symbol", "symbol?0x0", "symbol?zz+0x1", "heap", "heap?gc=1",
		"goroutine?seconds=x", "goroutine?seconds=0", "goroutine?seconds=-1", "mutex?seconds=1&debug=1",
		"heap?debug=1&seconds=1", "block?debug=x", "block?debug=1", "mutex?debug=1", "goroutine", "threadcreate",
		"custom?seconds=1", "custom", "xx/yy"} {
		show("GET", "/debug/pprof/"+p, d, "")
	}
	show("GET", "/debug/pprof", d, "")
	for _, m := range []string{"POST", "HEAD", "PUT"} {
		for _, p := range []string{"", "cmdline", "symbol", "profile", "trace", "heap"} {
			if m != "HEAD" || p == "cmdline" || p == "symbol" || p == "heap" {
				show(m, "/debug/pprof/"+p, d, "0x1+0x2")
			}
		}
	}
	show("POST", "/x", http.HandlerFunc(pprof.Symbol), "0x1+0x2+xx+")
	show("GET", "/x/y", http.HandlerFunc(pprof.Index), "")
	show("GET", "/x/y", pprof.Handler("none"), "")
	show("GET", "/x/y", pprof.Handler("custom"), "")
	show("GET", "/x?seconds=20", http.HandlerFunc(pprof.Profile), "")
	show("GET", "/x?seconds=20", http.HandlerFunc(pprof.Trace), "")
	if rp.StartCPUProfile(io.Discard) == nil {
		show("GET", "/x?seconds=20", http.HandlerFunc(pprof.Profile), "")
		rp.StopCPUProfile()
	}
}
