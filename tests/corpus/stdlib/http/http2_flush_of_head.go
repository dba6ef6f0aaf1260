// run

// Flushing an answer of HTTP/2 that has no body is no error.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
)

func main() {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/none" {
			w.WriteHeader(http.StatusNoContent)
		}
		fmt.Println(r.Method, r.URL.Path, http.NewResponseController(w).Flush())
	}))
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	s.Config.Protocols = &protocols
	s.Start()
	defer s.Close()
	client := &http.Client{Transport: &http.Transport{Protocols: &protocols}}
	for _, path := range []string{"/", "/none"} {
		resp, err := client.Head(s.URL + path)
		if err != nil {
			fmt.Println(err)
			return
		}
		resp.Body.Close()
		fmt.Println(resp.Proto, resp.Status)
	}
}
