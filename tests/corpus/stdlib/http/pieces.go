// run
// Headers, cookies, patterns, and what is wrong with them.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"time"
)

// placeless is a text without the lines of files.
func placeless(s string) string {
	parts := strings.Split(s, "registered at ")
	for i := range parts[1:] {
		_, parts[i+1], _ = strings.Cut(parts[i+1], ")")
	}
	return strings.Join(parts, "X)")
}

func register(mux *http.ServeMux, p string) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(placeless(fmt.Sprint(e)))
		}
	}()
	mux.HandleFunc(p, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, p) })
}

func main() {
	h := http.Header{}
	h.Add("x-a", "1")
	h.Add("X-A", "2")
	h.Set("b", " two\r\nlines ")
	h["raw name"] = []string{"x"}
	fmt.Println(h, h.Get("X-a"), h.Values("x-A"), h.Clone())
	h.Write(os.Stdout)
	h.WriteSubset(os.Stdout, map[string]bool{"B": true})
	h.Del("x-a")
	fmt.Println(h)
	for _, s := range []string{"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "x"} {
		fmt.Println(http.ParseTime(s))
	}
	for _, s := range []string{"HTTP/1.1", "HTTP/2.0", "HTTP/1", "HTTP/1.10", "http/1.1", "HTTP/a.b"} {
		fmt.Println(http.ParseHTTPVersion(s))
	}
	for _, c := range []int{200, 404, 418, 599, 0} {
		fmt.Printf("%q ", http.StatusText(c))
	}
	fmt.Println(http.StateNew, http.StateClosed, http.ConnState(9))

	at := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []*http.Cookie{
		{Name: "a", Value: "b"}, {Name: "a", Value: "b c"}, {Name: "a", Value: "b", Quoted: true}, {Name: "a b", Value: "c"}, {Name: "a", Value: "x", Path: "/p", Domain: ".example.com", Expires: at, MaxAge: 5, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode, Partitioned: true},
		{Name: "a", MaxAge: -1, SameSite: http.SameSiteNoneMode}, {Name: "a", Domain: "1.2.3.4"}, {Name: "a", Domain: "::1"}, {Name: "a", Expires: time.Unix(0, 0)}, {Name: "", Value: "x"}, {Name: "a", Partitioned: true}, {Name: "a", Value: "\""}, {Name: "a", Path: ";"}, {Name: "a", Domain: "-x.com"},
	} {
		fmt.Printf("%v\n", c.Valid())
		if c.Valid() == nil {
			fmt.Printf("%q\n", c.String())
		}
	}
	for _, s := range []string{"a=b", "a=\"b c\"; Path=/; HttpOnly; x=y", "a", "", "a b=c", "a=b; Expires=Wed, 23-Nov-2011 01:05:03 GMT; Max-Age=10; SameSite=strict; Secure; Domain=.x.org", "a=b; max-age=01; expires=never; samesite=odd", "a=b\x01", "a=b;", ";", "=b"} {
		c, err := http.ParseSetCookie(s)
		fmt.Printf("%q %+v %v\n", s, c, err)
		cs, err := http.ParseCookie(s)
		for _, c := range cs {
			fmt.Printf("  %s=%s %v\n", c.Name, c.Value, c.Quoted)
		}
		fmt.Println(" ", err)
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.Header["Cookie"] = []string{"a=1; b=2; a=3; bad name=4; c=\"x y\"", "d"}
	for _, c := range r.Cookies() {
		fmt.Print(c.Name, "=", c.Value, " ")
	}
	fmt.Println(len(r.CookiesNamed("a")), len(r.CookiesNamed("")))
	_, err := r.Cookie("zz")
	fmt.Println(err)

	jar, _ := cookiejar.New(nil)
	u := func(s string) *url.URL { u, _ := url.Parse(s); return u }
	jar.SetCookies(u("http://www.example.com/a/b"), []*http.Cookie{
		{Name: "host", Value: "1"}, {Name: "dom", Value: "2", Domain: "example.com", Path: "/"}, {Name: "sec", Value: "3", Secure: true, Path: "/"}, {Name: "other", Value: "4", Domain: "other.com"}, {Name: "old", Value: "5", MaxAge: -1}, {Name: "deep", Value: "6", Path: "/a/b/c"},
	})
	for _, s := range []string{"http://www.example.com/a/b/c/d", "https://www.example.com/a", "http://example.com/", "http://x.example.com/", "http://www.example.com/ab", "ftp://www.example.com/", "http://other.com/"} {
		fmt.Println(s, jar.Cookies(u(s)))
	}

	mux := http.NewServeMux()
	for _, p := range []string{
		"/", "/a", "GET /a/{id}", "POST /a/{id}", "/a/{id}/x", "/b/{rest...}", "/c/{$}", "example.com/", "example.com/a", "GET /h", "/{x}/{y}/z", "/d/",
		"/a", "GET  /a/{other}", "/{a}/b", "", "a", "GET", "/{", "/{x", "/{}", "/{x}y", "/{a}/{a}", "/{a...}/b", "/{$}/x", "/{1}", "B@D /x", "{h}/x", "/a//b", "GET /a/../b", "/{x...}", "/b/{q}/c", "GET /{x}/{y}/z", "POST /{x}/y", "/{z}/y",
	} {
		register(mux, p)
	}
	register(mux, "GET /nil")
	func() {
		defer func() { fmt.Println(recover()) }()
		mux.Handle("/q", nil)
	}()
	for _, t := range []string{"GET /", "GET /a", "GET /a/", "GET /a/7", "POST /a/7", "PUT /a/7", "GET /a/7/x", "GET /b/", "GET /b/x/y%2Fz", "GET /c/", "GET /c", "GET /c/d", "HEAD /h", "POST /h", "GET /d", "GET /d/e", "GET /1/2/z", "GET //a", "GET /x/../a", "GET http://example.com/a", "GET http://example.com:80/zz", "CONNECT /a", "GET /b"} {
		m, p, _ := strings.Cut(t, " ")
		req := httptest.NewRequest(m, p, nil)
		if !strings.HasPrefix(p, "http") {
			req.Host = "localhost"
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, req)
		_, pattern := mux.Handler(req)
		fmt.Printf("%s: %d %q %q %q %q %q\n", t, w.Code, w.Body, w.Header().Get("Location"), w.Header().Get("Allow"), req.Pattern, pattern)
	}
	req := httptest.NewRequest("GET", "/b/x/y%2Fz", nil)
	mux.ServeHTTP(httptest.NewRecorder(), req)
	fmt.Println(req.PathValue("rest"), req.PathValue("zz"))
	req.SetPathValue("rest", "new")
	req.SetPathValue("zz", "other")
	fmt.Println(req.PathValue("rest"), req.PathValue("zz"))

	for _, s := range []string{
		"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://h:80/p?q HTTP/1.0\r\n\r\n", "CONNECT h:80 HTTP/1.1\r\nHost: h:80\r\n\r\n", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", "G T / HTTP/1.1\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/x\r\n\r\n",
		"POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: \r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTrailer: X, Y\r\n\r\n1\r\na\r\n0\r\nX: z\r\n\r\n", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTrailer: Content-Length\r\n\r\n", "GET / HTTP/1.1\r\n", "", "GET /%zz HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nA\r\n\r\n",
	} {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(s)))
		if err != nil {
			fmt.Printf("%q: %v\n", s, err)
			continue
		}
		b, err := io.ReadAll(r.Body)
		fmt.Printf("%q: %s %s %q %q %d %v %v %q %v %v\n", s, r.Method, r.URL, r.Host, r.RequestURI, r.ContentLength, r.TransferEncoding, r.Close, b, err, r.Trailer)
	}
	for _, s := range []string{
		"HTTP/1.1 200 OK\r\n\r\nrest", "HTTP/1.0 204 No\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n", "HTTP/1.1 200\r\n\r\n", "HTTP/1.1 20 X\r\n\r\n", "HTTP/1.1 abc X\r\n\r\n", "HTTX 200 OK\r\n\r\n", "x\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "HTTP/1.1 200 OK\r\nConnection: close\r\nPragma: no-cache\r\n\r\n", "",
	} {
		r, err := http.ReadResponse(bufio.NewReader(strings.NewReader(s)), nil)
		if err != nil {
			fmt.Printf("%q: %v\n", s, err)
			continue
		}
		var w strings.Builder
		fmt.Printf("%q: %s %d %v %v %v\n", s, r.Status, r.ContentLength, r.TransferEncoding, r.Close, r.Header)
		fmt.Printf("  %v %q\n", r.Write(&w), w.String())
	}

	p := http.NewCrossOriginProtection()
	fmt.Println(p.AddTrustedOrigin("https://ok.com"), p.AddTrustedOrigin("ok.com"), p.AddTrustedOrigin("https://"), p.AddTrustedOrigin("https://a/b"))
	p.AddInsecureBypassPattern("/free/")
	for _, t := range [][4]string{{"GET", "/", "cross-site", ""}, {"POST", "/", "cross-site", ""}, {"POST", "/", "same-origin", ""}, {"POST", "/", "", "https://example.com"}, {"POST", "/", "", "https://evil.com"}, {"POST", "/", "cross-site", "https://ok.com"}, {"POST", "/free/x", "cross-site", ""}} {
		r := httptest.NewRequest(t[0], t[1], nil)
		r.Header.Set("Sec-Fetch-Site", t[2])
		r.Header.Set("Origin", t[3])
		fmt.Println(t, p.Check(r))
	}
}
