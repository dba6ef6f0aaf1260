// run
//go:debug httpmuxgo121=1

// With httpmuxgo121=1 patterns of a ServeMux are those of before Go 1.22.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
)

func main() {
	mux := http.NewServeMux()
	var got string
	for _, pattern := range []string{
		"/", "/a", "/a/b/", "/tree/", "/{id}", "GET /get", "/x%2fy", "/é",
		"host.example/", "host.example/a", "host.example/only/", "host.example:80/port",
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			got = fmt.Sprintf("%q by %q, pattern %q, value %q", r.URL.Path, pattern, r.Pattern, r.PathValue("id"))
		})
	}
	for _, c := range [][3]string{
		{"GET", "", "/"}, {"GET", "", "/a"}, {"POST", "", "/a"}, {"GET", "", "/a/"}, {"GET", "", "/a/b"},
		{"GET", "", "/a/b/c"}, {"GET", "", "/tree"}, {"GET", "", "/tree?q=1&r=a%20b"}, {"GET", "", "/tree/x/y"},
		{"GET", "", "/7"}, {"GET", "", "/{id}"}, {"GET", "", "/get"}, {"GET", "", "/a//b"}, {"GET", "", "/a/../tree/x"},
		{"GET", "", "/a/./b/?z"}, {"GET", "", "/x%2fy"}, {"GET", "", "/%C3%A9"}, {"GET", "", "/a%2fb"},
		{"GET", "host.example", "/"}, {"GET", "host.example:8080", "/a"}, {"GET", "host.example", "/only"},
		{"GET", "host.example", "/tree"}, {"GET", "host.example", "/only/x"}, {"GET", "other.example", "/only/x"},
		{"GET", "host.example:80", "/port"}, {"OPTIONS", "", "/tree"}, {"HEAD", "", "//a"},
		{"CONNECT", "host.example", "/only"}, {"CONNECT", "", "/a//b"}, {"CONNECT", "", "/tree"},
	} {
		got = ""
		r := httptest.NewRequest(c[0], "http://h"+c[2], nil)
		if c[1] != "" {
			r.Host = c[1]
		} else {
			r.Host = "h"
		}
		w := httptest.NewRecorder()
		_, pattern := mux.Handler(r)
		mux.ServeHTTP(w, r)
		fmt.Println(c, w.Code, w.Header().Get("Location"), got, "Handler says", pattern)
	}
	star := &http.Request{Method: "OPTIONS", RequestURI: "*", URL: &url.URL{Path: "*"}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, star)
	fmt.Println(w.Code, w.Header())

	bare := http.NewServeMux()
	w = httptest.NewRecorder()
	bare.ServeHTTP(w, httptest.NewRequest("GET", "/none", nil))
	fmt.Println(w.Code, w.Body.String())
	for _, f := range []func(){
		func() { mux.Handle("", http.NotFoundHandler()) },
		func() { mux.Handle("/new", nil) },
		func() { mux.HandleFunc("/new", nil) },
		func() { mux.Handle("/a", http.NotFoundHandler()) },
		func() { mux.Handle("{", http.NotFoundHandler()) },
	} {
		func() {
			defer func() { v := recover(); fmt.Printf("%T %v\n", v, v) }()
			f()
		}()
	}
}
