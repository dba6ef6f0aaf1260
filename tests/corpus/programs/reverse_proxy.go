// run

// A reverse proxy that balances between servers, caches, limits, and takes sick servers out.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type backend struct {
	url     *url.URL
	name    string
	healthy atomic.Bool
	served  atomic.Int64
}

type balancer struct {
	backends []*backend
	next     atomic.Uint64
	proxy    *httputil.ReverseProxy
}

type key struct{}

func (b *balancer) pick() *backend {
	for range b.backends {
		n := b.backends[b.next.Add(1)%uint64(len(b.backends))]
		if n.healthy.Load() {
			return n
		}
	}
	return nil
}

func newBalancer(urls map[string]string) *balancer {
	b := &balancer{}
	for _, name := range slices.Sorted(maps.Keys(urls)) {
		u, _ := url.Parse(urls[name])
		be := &backend{url: u, name: name}
		be.healthy.Store(true)
		b.backends = append(b.backends, be)
	}
	b.proxy = &httputil.ReverseProxy{
		ErrorLog: log.New(io.Discard, "", 0),
		Rewrite: func(r *httputil.ProxyRequest) {
			be := b.pick()
			if be == nil {
				r.Out.URL.Host = ""
				return
			}
			be.served.Add(1)
			r.SetURL(be.url)
			r.SetXForwarded()
			r.Out.Header.Set("X-Backend", be.name)
		},
		ModifyResponse: func(r *http.Response) error {
			r.Header.Set("Via", "1.1 balancer")
			if r.StatusCode == http.StatusTeapot {
				return errors.New("no tea here")
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			for _, be := range b.backends {
				if be.name == r.Header.Get("X-Backend") {
					be.healthy.Store(false)
				}
			}
			w.WriteHeader(http.StatusBadGateway)
			if strings.Contains(err.Error(), "tea") {
				fmt.Fprint(w, "bad gateway: ", err)
				return
			}
			fmt.Fprint(w, "bad gateway")
		},
	}
	return b
}

type cached struct {
	code    int
	header  http.Header
	body    []byte
	expires time.Time
}

type cache struct {
	next http.Handler
	now  func() time.Time
	mu   sync.Mutex
	m    map[string]cached
	hits int
}

type recorder struct {
	http.ResponseWriter
	code int
	body bytes.Buffer
}

func (r *recorder) WriteHeader(code int) { r.code = code; r.ResponseWriter.WriteHeader(code) }
func (r *recorder) Write(b []byte) (int,
	error) {
	r.body.Write(b)
	return r.ResponseWriter.Write(b)
}
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (c *cache) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	e, ok := c.m[r.URL.String()]
	c.mu.Unlock()
	if ok && r.Method == "GET" && c.now().Before(e.expires) {
		c.hits++
		for k, v := range e.header {
			w.Header()[k] = v
		}
		w.Header().Set("X-Cache", "hit")
		w.WriteHeader(e.code)
		w.Write(e.body)
		return
	}
	rec := &recorder{ResponseWriter: w, code: 200}
	c.next.ServeHTTP(rec, r)
	if r.Method == "GET" && strings.Contains(w.Header().Get("Cache-Control"), "max-age") {
		c.mu.Lock()
		c.m[r.URL.String()] = cached{rec.code, w.Header().Clone(), rec.body.Bytes(),
			c.now().Add(time.Minute)}
		c.mu.Unlock()
	}
}

func main() {
	urls := map[string]string{}
	var servers []*httptest.Server
	for _, name := range []string{"a", "b", "c"} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/base/tea":
				w.WriteHeader(http.StatusTeapot)
			case "/base/time":
				w.Header().Set("Cache-Control", "max-age=60")
				fmt.Fprintf(w, "made by %s", name)
			default:
				b, _ := io.ReadAll(r.Body)
				fmt.Fprintf(w, "%s %s %s %q for=%v proto=%s conn=%q", r.Method, r.URL.Path, r.URL.RawQuery, b,
					r.Header.Get("X-Forwarded-For") != "", r.Header.Get("X-Forwarded-Proto"),
					r.Header.Get("Connection"))
			}
		}))
		servers = append(servers, s)
		urls[name] = s.URL + "/base"
	}
	clock := time.Unix(0, 0)
	b := newBalancer(urls)
	c := &cache{next: b.proxy, now: func() time.Time { return clock }, m: map[string]cached{}}
	front := httptest.NewServer(c)
	defer front.Close()
	get := func(path string) string {
		resp, err := http.Get(front.URL + path)
		if err != nil {
			return err.Error()
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return fmt.Sprintln(resp.StatusCode, string(body), resp.Header.Get("Via"),
			resp.Header.Get("X-Cache"))
	}
	fmt.Print(get("/x?q=1&r=%20"))
	resp, _ := http.Post(front.URL+"/post", "text/plain", strings.NewReader("payload"))
	body, _ := io.ReadAll(resp.Body)
	fmt.Println(string(body))
	fmt.Print(get("/tea"))
	for _, be := range b.backends {
		fmt.Print(be.name, be.healthy.Load(), be.served.Load(), " ")
		be.healthy.Store(true)
	}
	fmt.Println()
	first := get("/time")
	fmt.Println(strings.HasPrefix(first, "200 made by"), strings.Replace(get("/time"), " hit", "",
		1) == first, c.hits)
	clock = clock.Add(2 * time.Minute)
	get("/time")
	fmt.Println(c.hits)
	var wg sync.WaitGroup
	codes := make(chan int, 60)
	servers[1].Close()
	for range 60 {
		wg.Go(func() {
			resp, err := http.Get(front.URL + "/y")
			if err != nil {
				fmt.Println(err)
				return
			}
			resp.Body.Close()
			codes <- resp.StatusCode
		})
	}
	wg.Wait()
	close(codes)
	good := 0
	for code := range codes {
		if code == 200 {
			good++
		}
	}
	fmt.Println(good >= 40, b.backends[0].healthy.Load(), b.backends[1].healthy.Load(),
		b.backends[2].healthy.Load())
	servers[0].Close()
	servers[2].Close()
	for range 3 {
		get("/z")
	}
	fmt.Print(get("/z"))
	dump, err := httputil.DumpRequest(httptest.NewRequest("PUT", "/path?x=y",
		strings.NewReader("body")), true)
	fmt.Printf("%q %v\n", dump, err)
}
