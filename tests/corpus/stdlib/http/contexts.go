// run

// The context of a request ends when its client goes, or its handler returns; deadlines that a
// handler sets do not last.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"
)

func check(err error) {
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

func dial(s *httptest.Server) (net.Conn, *bufio.Reader) {
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	check(err)
	c.SetDeadline(time.Now().Add(20 * time.Second))
	return c, bufio.NewReader(c)
}

func answer(r *bufio.Reader) string {
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		return err.Error()
	}
	body, err := io.ReadAll(resp.Body)
	return fmt.Sprint(resp.StatusCode, " ", string(body), " ", err)
}

type key struct{}

func main() {
	began, ended := make(chan bool), make(chan string)
	kept := make(chan *http.Request, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("/wait", func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), key{}, "value")
		r = r.WithContext(ctx)
		began <- true
		<-r.Context().Done()
		ended <- fmt.Sprint(r.Context().Err(), " ", r.Context().Value(key{}))
	})
	mux.HandleFunc("/notify", func(w http.ResponseWriter, r *http.Request) {
		gone := w.(http.CloseNotifier).CloseNotify()
		began <- true
		ended <- fmt.Sprint("gone: ", <-gone)
	})
	mux.HandleFunc("/late", func(w http.ResponseWriter, r *http.Request) {
		began <- true
		// The client goes, and nobody has asked for it so far.
		<-began
		select {
		case <-r.Context().Done():
			ended <- "late: " + r.Context().Err().Error()
		case <-time.After(10 * time.Second):
			ended <- "late: not told"
		}
	})
	mux.HandleFunc("/body", func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		body, err := io.ReadAll(r.Body)
		fmt.Fprint(w, string(body), " ", err, " ", ctx.Err())
	})
	mux.HandleFunc("/keep", func(w http.ResponseWriter, r *http.Request) {
		kept <- r
		io.WriteString(w, "kept")
	})
	mux.HandleFunc("/two", func(w http.ResponseWriter, r *http.Request) {
		same := r.Context() == r.Context()
		_, isServer := r.Context().Value(http.ServerContextKey).(*http.Server)
		_, isAddr := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		copied := *r
		fmt.Fprint(w, same, isServer, isAddr, copied.Context() == r.Context(), r.Context().Err())
	})
	mux.HandleFunc("/deadline", func(w http.ResponseWriter, r *http.Request) {
		limit, err := time.ParseDuration(r.FormValue("in"))
		check(err)
		c, end := http.NewResponseController(w), time.Now().Add(limit)
		fmt.Fprint(w, c.SetReadDeadline(end), c.SetWriteDeadline(end))
	})
	mux.HandleFunc("/plain", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.URL.Path)
	})
	mux.HandleFunc("/a/{rest...}", func(w http.ResponseWriter, r *http.Request) {
		u := r.URL
		fmt.Fprintf(w, "%q %q %q %q", u.Path, u.RawPath, u.String(), r.PathValue("rest"))
	})
	s := httptest.NewServer(mux)
	defer s.Close()

	get := func(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: h:80\r\n\r\n" }
	for _, path := range []string{"/wait", "/notify"} {
		c, _ := dial(s)
		io.WriteString(c, get(path))
		<-began
		c.Close()
		fmt.Println(<-ended)
	}
	c, _ := dial(s)
	io.WriteString(c, get("/late"))
	<-began
	c.Close()
	began <- true
	fmt.Println(<-ended)

	c, r := dial(s)
	io.WriteString(c, "POST /body HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhello")
	time.Sleep(10 * time.Millisecond)
	// The rest, and two more requests at once.
	io.WriteString(c, "world"+get("/two")+get("/keep"))
	fmt.Println(answer(r))
	fmt.Println(answer(r))
	fmt.Println(answer(r))
	old := <-kept
	for old.Context().Err() == nil {
		time.Sleep(time.Millisecond)
	}
	cause := context.Cause(old.Context())
	fmt.Println("kept:", old.Context().Err(), errors.Is(cause, context.Canceled))

	// Who is too slow to answer within the deadline gets a later one.
	for limit := 20 * time.Millisecond; ; limit *= 2 {
		io.WriteString(c, get("/deadline?in="+limit.String()))
		text := answer(r)
		if limit < 10*time.Second && strings.Contains(text, "EOF") {
			c, r = dial(s)
			continue
		}
		fmt.Println(text)
		time.Sleep(limit + 30*time.Millisecond)
		break
	}
	for _, path := range []string{
		"/plain", "/plain?x=1", "/%70lain", "//plain", "/./plain", "/a/b/c", "/a/b%2Fc", "/a/b//c",
		"/a/../plain", "/a/b.c/.d", "/a/~x-y_z", "/a/b:c@d", "http://h/plain",
		"/none", "/plain/",
	} {
		io.WriteString(c, get(path))
		resp, err := http.ReadResponse(r, nil)
		check(err)
		body, err := io.ReadAll(resp.Body)
		check(err)
		to := resp.Header.Get("Location")
		fmt.Println(path, resp.StatusCode, to, strings.TrimSpace(string(body)))
	}
	c.Close()

	for _, text := range []string{
		"", "x", "  <html>", "<!-- x", "\x00\x01\x02", "a\x01", "\xef\xbb\xbfx", "GIF89a...",
		"RIFF....WEBPVP", "....ftypmp4.", "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp41isom",
		"%PDF-1.4", "\t%PDF-1.4", "\x1f\x8b\x08", "{\"a\":1}", strings.Repeat(".", 34) + "LP",
		"BM", "true", "wOFF", "OTTO", "Rar", "\n\n plain", "<?xml ?>",
	} {
		fmt.Printf("%q %s\n", text, http.DetectContentType([]byte(text)))
	}
}
