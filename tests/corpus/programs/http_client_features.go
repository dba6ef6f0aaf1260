// run

// A client with cookies, redirects, retries, compression, uploads, streams and timeouts.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

type loggingTransport struct {
	next http.RoundTripper
	log  []string
}

func (t *loggingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(r)
	line := r.Method + " " + r.URL.Path
	if err == nil {
		line += " " + strconv.Itoa(resp.StatusCode)
	}
	t.log = append(t.log, line)
	return resp, err
}

type retrying struct {
	next  http.RoundTripper
	tries int
}

func (t retrying) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	for i := range t.tries {
		if i > 0 && r.GetBody != nil {
			r.Body, _ = r.GetBody()
		}
		resp, err = t.next.RoundTrip(r)
		if err == nil && resp.StatusCode != http.StatusServiceUnavailable {
			break
		}
		if err == nil && i < t.tries-1 {
			resp.Body.Close()
		}
	}
	return resp, err
}

func server() *httptest.Server {
	var flaky atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "s-" + r.FormValue("user"), Path: "/",
			HttpOnly: true})
		http.SetCookie(w, &http.Cookie{Name: "theme", Value: "dark mode", MaxAge: 60,
			SameSite: http.SameSiteLaxMode})
		http.Redirect(w, r, "/home?from=login", http.StatusSeeOther)
	})
	mux.HandleFunc("/home", func(w http.ResponseWriter, r *http.Request) {
		c, err := r.Cookie("session")
		if err != nil {
			http.Error(w, "log in first: "+err.Error(), http.StatusUnauthorized)
			return
		}
		names := []string{}
		for _, c := range r.Cookies() {
			names = append(names, c.Name+"="+c.Value)
		}
		slices.Sort(names)
		fmt.Fprintf(w, "hello %s, %s %v referer %q", c.Value, r.URL.RawQuery, names,
			r.Header.Get("X-None"))
	})
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r,
			"/loop", http.StatusFound)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/echo", http.StatusPermanentRedirect)
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %q %v %s %d %v", r.Method, b, err, r.Header.Get("Content-Type"),
			r.ContentLength, r.TransferEncoding)
	})
	mux.HandleFunc("/flaky", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if flaky.Add(1)%3 != 0 {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintf(w, "at last %s", b)
	})
	mux.HandleFunc("/gzip", func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			io.WriteString(w, "plain")
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		zw := gzip.NewWriter(w)
		io.WriteString(zw, strings.Repeat("compressed ", 100))
		zw.Close()
	})
	mux.HandleFunc("/upload", func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseMultipartForm(1 << 20); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		f, h, err := r.FormFile("file")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		b, _ := io.ReadAll(f)
		fmt.Fprintf(w, "%s %d %s %q %q", h.Filename, h.Size, h.Header.Get("Content-Type"), b,
			r.FormValue("note"))
	})
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		rc := http.NewResponseController(w)
		for i := range 3 {
			fmt.Fprintf(w, "data: %d\n\n", i)
			rc.Flush()
		}
		w.Header().Set(http.TrailerPrefix+"X-Count", "3")
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/abort", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "part")
		panic(http.ErrAbortHandler)
	})
	mux.HandleFunc("/auth", func(w http.ResponseWriter, r *http.Request) {
		u, p, ok := r.BasicAuth()
		fmt.Fprint(w, u, p, ok, r.UserAgent(), r.Host == r.Header.Get("X-Want"))
	})
	return httptest.NewServer(mux)
}

func main() {
	srv := server()
	defer srv.Close()
	jar, _ := cookiejar.New(nil)
	lt := &loggingTransport{next: http.DefaultTransport}
	c := &http.Client{Transport: lt, Jar: jar}
	show := func(resp *http.Response, err error) {
		if err != nil {
			fmt.Println("error:", strings.ReplaceAll(err.Error(), srv.URL, "URL"))
			return
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		fmt.Println(resp.Status, len(b), string(b[:min(len(b), 120)]), err)
	}
	show(c.Get(srv.URL + "/home"))
	show(c.PostForm(srv.URL+"/login", url.Values{"user": {"ann"}}))
	u, _ := url.Parse(srv.URL)
	for _, k := range jar.Cookies(u) {
		fmt.Println(k.Name, k.Value)
	}
	show(c.Get(srv.URL + "/loop"))
	show(c.Post(srv.URL+"/moved", "text/plain", strings.NewReader("kept body")))
	show(c.Post(srv.URL+"/echo", "text/x", io.MultiReader(strings.NewReader("chun"),
		strings.NewReader("ked"))))
	c.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		fmt.Println("redirect", r.URL.Path, len(via))
		return http.ErrUseLastResponse
	}
	show(c.Get(srv.URL + "/loop"))
	fmt.Println(lt.log)

	r := &http.Client{Transport: retrying{http.DefaultTransport, 5}}
	show(r.Post(srv.URL+"/flaky", "text/plain", bytes.NewReader([]byte("body"))))
	show(http.Get(srv.URL + "/gzip"))
	req, _ := http.NewRequest("GET", srv.URL+"/gzip", nil)
	req.Header.Set("Accept-Encoding", "identity")
	show(http.DefaultClient.Do(req))

	var form bytes.Buffer
	mw := multipart.NewWriter(&form)
	mw.SetBoundary("the-boundary")
	mw.WriteField("note", "with \"quotes\"")
	w, _ := mw.CreateFormFile("file", "näme.txt")
	io.WriteString(w, "contents\r\nof the file")
	mw.Close()
	fmt.Printf("%q\n", form.String())
	show(http.Post(srv.URL+"/upload", mw.FormDataContentType(), &form))
	show(http.Post(srv.URL+"/upload", "multipart/form-data", strings.NewReader("x")))
	show(http.PostForm(srv.URL+"/upload", nil))

	resp, err := http.Get(srv.URL + "/events")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		fmt.Printf("%q ", sc.Text())
	}
	fmt.Println(resp.TransferEncoding, resp.ContentLength, resp.Trailer)
	resp.Body.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	req, _ = http.NewRequestWithContext(ctx, "GET", srv.URL+"/slow", nil)
	_, err = http.DefaultClient.Do(req)
	fmt.Println(errors.Is(err, context.DeadlineExceeded), err.(*url.Error).Timeout())
	_, err = (&http.Client{Timeout: 20 * time.Millisecond}).Get(srv.URL + "/slow")
	fmt.Println(err.(*url.Error).Timeout(), os.IsTimeout(err))
	resp, err = http.Get(srv.URL + "/abort")
	if err == nil {
		b, err := io.ReadAll(resp.Body)
		fmt.Println(string(b), err, errors.Is(err, io.ErrUnexpectedEOF))
	}
	req, _ = http.NewRequest("GET", srv.URL+"/auth", nil)
	req.SetBasicAuth("user", "pa:ss")
	req.Header.Set("User-Agent", "corpus/1")
	req.Host = "example.com"
	req.Header.Set("X-Want", "example.com")
	show(http.DefaultClient.Do(req))
	show(http.Head(srv.URL + "/home"))
	for _, bad := range []string{"http://[::1", "ftp://x/", "http://", "nohost", "http://a b/"} {
		_, err := http.Get(bad)
		fmt.Println(err)
	}
	_, err = http.NewRequest("BAD METHOD", srv.URL, nil)
	fmt.Println(err)
}
