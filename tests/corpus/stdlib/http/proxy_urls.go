// run

// What a proxy tells the server: the paths that it joins, and how the client came.
package main

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
)

func main() {
	for _, to := range []string{"http://to", "http://to/a/", "http://to/a%2F", "http://to/a%2F/?x=1"} {
		for _, from := range []string{"http://from", "http://from/b?y=2", "http://from/%2Fb"} {
			target, _ := url.Parse(to)
			r, _ := http.NewRequest("GET", from, nil)
			(&httputil.ProxyRequest{In: r, Out: r}).SetURL(target)
			fmt.Printf("%s + %s: %s %q %q\n", to, from, r.URL, r.URL.Path, r.URL.RawPath)
		}
	}
	for _, state := range []*tls.ConnectionState{nil, {}} {
		in := &http.Request{Host: "h", RemoteAddr: "1.2.3.4:5", TLS: state}
		out := &http.Request{Header: http.Header{"X-Forwarded-For": {"a", "b"}}}
		(&httputil.ProxyRequest{In: in, Out: out}).SetXForwarded()
		fmt.Println(out.Header)
	}
}
