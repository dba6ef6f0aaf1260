// run
//go:debug http2server=0

// With http2server=0 servers speak HTTP/1.1 alone, with http2client=0 clients do.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
)

func ask() {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Proto)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	c := s.Client()
	own := c.Transport.(*http.Transport)
	t := &http.Transport{TLSClientConfig: own.TLSClientConfig.Clone(), ForceAttemptHTTP2: true}
	t.TLSClientConfig.NextProtos = nil
	for _, client := range []*http.Client{c, {Transport: t}} {
		res, err := client.Get(s.URL)
		if err != nil {
			// Who notices first that the server hangs up tells of it in words of its own.
			fmt.Println("no answer")
			continue
		}
		body, _ := io.ReadAll(res.Body)
		fmt.Println(res.Proto, string(body))
	}
	t.CloseIdleConnections()
}

func main() {
	ask()
	os.Setenv("GODEBUG", "http2server=1,http2client=0")
	ask()
	os.Setenv("GODEBUG", "http2server=1")
	ask()
}
