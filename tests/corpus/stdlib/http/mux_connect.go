// run

// A ServeMux answers CONNECT of a path that only other methods have.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
)

func main() {
	mux := http.NewServeMux()
	for _, p := range []string{"GET h.com/a", "POST h.com/a/{x}", "GET /b", "CONNECT /c/"} {
		mux.HandleFunc(p, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "%s x=%q", r.Pattern, r.PathValue("x"))
		})
	}
	for _, path := range []string{"/a", "/a/1", "/b", "/c", "/c/d", "/d"} {
		for _, method := range []string{"CONNECT", "GET", "PUT"} {
			r := httptest.NewRequest(method, "/", nil)
			r.URL.Path, r.Host = path, "h.com"
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, r)
			fmt.Printf("%s %s: %d %q %q\n", method, path, w.Code, w.Header()["Allow"], w.Body)
		}
	}
}
