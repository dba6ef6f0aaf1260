// run

// A polite crawler over a site of its own: links by a tokenizer, robots, depth, duplicates, a report.
package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

type page struct {
	url    string
	status int
	title  string
	links  []string
	err    error
	depth  int
	size   int
}

var (
	titleRE  = regexp.MustCompile(`(?is)<title>\s*(.*?)\s*</title>`)
	tagRE    = regexp.MustCompile(`(?is)<(a|link|img|base)\b([^>]*)>`)
	attrRE   = regexp.MustCompile(`(?is)\b(href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))`)
	commentR = regexp.MustCompile(`(?s)<!--.*?-->`)
)

func parse(base *url.URL, body string) (title string, links []string) {
	body = commentR.ReplaceAllString(body, "")
	if m := titleRE.FindStringSubmatch(body); m != nil {
		title = html.UnescapeString(m[1])
	}
	for _, m := range tagRE.FindAllStringSubmatch(body, -1) {
		a := attrRE.FindStringSubmatch(m[2])
		if a == nil {
			continue
		}
		ref, err := base.Parse(html.UnescapeString(strings.TrimSpace(a[2] + a[3] + a[4])))
		if err != nil {
			links = append(links, "!"+err.Error())
			continue
		}
		if strings.EqualFold(m[1], "base") {
			base = ref
			continue
		}
		if ref.Scheme != "http" || ref.Host != base.Host {
			continue
		}
		ref.Fragment = ""
		q := ref.Query()
		q.Del("session")
		ref.RawQuery = q.Encode()
		if !slices.Contains(links, ref.String()) {
			links = append(links, ref.String())
		}
	}
	return title, links
}

type robots []string

func (r robots) allows(path string) bool {
	best, ok := "", true
	for _, rule := range r {
		kind, prefix, _ := strings.Cut(rule, " ")
		if strings.HasPrefix(path, prefix) && len(prefix) > len(best) {
			best, ok = prefix, kind == "allow"
		}
	}
	return ok
}

func fetchRobots(c *http.Client, base string) (r robots, err error) {
	resp, err := c.Get(base + "/robots.txt")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	ours := false
	for line := range strings.Lines(string(b)) {
		line, _, _ = strings.Cut(line, "#")
		k, v, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		k, v = strings.ToLower(strings.TrimSpace(k)), strings.TrimSpace(v)
		switch k {
		case "user-agent":
			ours = v == "*"
		case "allow", "disallow":
			if ours && v != "" {
				r = append(r, k+" "+v)
			}
		}
	}
	return r, err
}

type crawler struct {
	client *http.Client
	robots robots
	limit  int
	sem    chan struct{}
	mu     sync.Mutex
	seen   map[string]bool
	pages  []page
	wg     sync.WaitGroup
}

var errRobots = errors.New("excluded by robots.txt")

func (c *crawler) visit(ctx context.Context, raw string, depth int) {
	c.mu.Lock()
	if c.seen[raw] || depth > c.limit {
		c.mu.Unlock()
		return
	}
	c.seen[raw] = true
	c.mu.Unlock()
	c.wg.Go(func() {
		c.sem <- struct{}{}
		p := c.get(ctx, raw)
		<-c.sem
		p.depth = depth
		c.mu.Lock()
		c.pages = append(c.pages, p)
		c.mu.Unlock()
		for _, l := range p.links {
			if !strings.HasPrefix(l, "!") {
				c.visit(ctx, l, depth+1)
			}
		}
	})
}

func (c *crawler) get(ctx context.Context, raw string) (p page) {
	p.url = raw
	u, err := url.Parse(raw)
	if err != nil {
		p.err = err
		return
	}
	if !c.robots.allows(u.Path) {
		p.err = errRobots
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, "GET", raw, nil)
	req.Header.Set("User-Agent", "corpus-crawler")
	resp, err := c.client.Do(req)
	if err != nil {
		p.err = err
		return
	}
	defer resp.Body.Close()
	p.status = resp.StatusCode
	b, err := io.ReadAll(io.LimitReader(resp.Body, 10000))
	p.size, p.err = len(b), err
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		p.title, p.links = parse(resp.Request.URL, string(b))
	}
	return
}

func site() *httptest.Server {
	pages := map[string]string{
		"/":            `<title> Home &amp; more </title><a href="/a">A</a> <A HREF='b/?session=1&amp;x=2'>B</A> <a href=c>C</a><!-- <a href="/hidden"> --><a href="http://elsewhere.example/">x</a>`,
		"/a":           `<title>A</title><a href="/#top">home</a><a href="/a?b=2&a=1#x">self</a><img src="pic.png"><a href="/private/x">no</a><a href="%zz">bad</a>`,
		"/b/":          `<base href="/deep/"><title>B</title><a href="one">1</a><a href="../two">2</a><a href="?q=%20%2B">q</a>`,
		"/deep/one":    `<title>Deep</title><a href="/deep/two">x</a>`,
		"/deep/two":    `<title>Deeper</title><a href="/deep/three">x</a>`,
		"/two":         `<a name=anchor>no link</a><a href="mailto:x@y">m</a><a href=" /moved ">m</a>`,
		"/private/ok":  `<title>allowed</title>`,
		"/deep/":       `no title`,
		"/landed/here": `<title>Landed</title><a href="rel">r</a><a href="/private/ok">ok</a>`,
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, body)
	})
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "User-agent: other\nDisallow: /\n\nUser-Agent: * # all\nDisallow: /private/\nAllow: /private/ok\nDisallow:\nnonsense\n")
	})
	mux.Handle("/moved", http.RedirectHandler("/landed/here", http.StatusMovedPermanently))
	mux.HandleFunc("/pic.png", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		w.Write([]byte("\x89PNG<a href='/trap'>"))
	})
	mux.HandleFunc("/c", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "50")
		io.WriteString(w, "short")
	})
	return httptest.NewServer(mux)
}

func main() {
	srv := site()
	defer srv.Close()
	r, err := fetchRobots(srv.Client(), srv.URL)
	fmt.Println(r, err, r.allows("/private/ok/x"), r.allows("/private"), r.allows("/private/"))
	c := &crawler{client: srv.Client(), robots: r, limit: 4, sem: make(chan struct{}, 3),
		seen: map[string]bool{}}
	c.visit(context.Background(), srv.URL+"/", 0)
	c.wg.Wait()
	slices.SortFunc(c.pages, func(a, b page) int { return strings.Compare(a.url, b.url) })
	inbound := map[string]int{}
	for _, p := range c.pages {
		path := strings.TrimPrefix(p.url, srv.URL)
		fmt.Println(path, p.status, p.size, fmt.Sprintf("%q", p.title), len(p.links), p.err)
		for _, l := range p.links {
			if strings.HasPrefix(l, "!") {
				fmt.Println("  bad link", strings.ReplaceAll(l, srv.URL, ""))
				continue
			}
			inbound[strings.TrimPrefix(l, srv.URL)]++
		}
	}
	for _, k := range slices.Sorted(maps.Keys(inbound)) {
		if inbound[k] > 1 {
			fmt.Println("popular", k, inbound[k])
		}
	}
	base, _ := url.Parse("http://h/a/b/c?x=1#f")
	for _, ref := range []string{"", "d", "./d", "../d", "../../../d", "/d", "//o/d", "?y", "#g",
		"d;p/../e", "g:h", "../", "."} {
		u, err := base.Parse(ref)
		fmt.Println(ref, "=>", u, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := c.get(ctx, srv.URL+"/a")
	fmt.Println(errors.Is(p.err, context.Canceled), c.get(ctx, "http://[bad").err)
}
