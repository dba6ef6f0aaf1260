package http

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// ServeMux hands requests to the handler whose pattern matches most narrowly.
type ServeMux struct {
	mu       sync.RWMutex
	root     node
	patterns []*pattern
	// A pattern names a host.
	hasHosts atomic.Bool
}

func NewServeMux() *ServeMux { return &ServeMux{} }

var defaultMux ServeMux

// DefaultServeMux is what Handle and HandleFunc register with.
var DefaultServeMux = &defaultMux

// node is a place in the tree of hosts, methods and segments of paths, in this order.
type node struct {
	pattern *pattern
	handler Handler
	// By text.
	children map[string]*node
	// For any host, any method, or one segment whatever it is.
	any *node
	// For all that is left of a path.
	rest *node
}

// child makes one if there is none.
func (n *node) child(text string) *node {
	if text == "" {
		if n.any == nil {
			n.any = &node{}
		}
		return n.any
	}
	c := n.children[text]
	if c == nil {
		if n.children == nil {
			n.children = make(map[string]*node)
		}
		c = &node{}
		n.children[text] = c
	}
	return c
}

// find gives nil if there is none.
func (n *node) find(text string) *node {
	if text == "" {
		return n.any
	}
	return n.children[text]
}

func (n *node) add(p *pattern, h Handler) {
	n = n.child(p.host).child(p.method)
	for _, s := range p.segments {
		switch {
		case s.isRest:
			n.rest = &node{}
			n = n.rest
		case s.isWild:
			n = n.child("")
		default:
			n = n.child(s.text)
		}
	}
	n.pattern, n.handler = p, h
}

// match also gives what wildcards stand for.
func (n *node) match(host, method, path string) (*node, []string) {
	if host != "" {
		if at, values := n.find(host).matchMethod(method, path); at != nil {
			return at, values
		}
	}
	return n.any.matchMethod(method, path)
}

func (n *node) matchMethod(method, path string) (*node, []string) {
	if n == nil {
		return nil, nil
	}
	if at, values := n.find(method).matchPath(path, nil); at != nil {
		return at, values
	}
	if method == MethodHead {
		if at, values := n.find(MethodGet).matchPath(path, nil); at != nil {
			return at, values
		}
	}
	return n.any.matchPath(path, nil)
}

func (n *node) matchPath(path string, values []string) (*node, []string) {
	switch {
	case n == nil || path == "" && n.pattern == nil:
		return nil, nil
	case path == "":
		return n, values
	}
	text, rest := firstSegment(path)
	if at, all := n.find(text).matchPath(rest, values); at != nil {
		return at, all
	}
	if text != "/" {
		if at, all := n.any.matchPath(rest, append(values, text)); at != nil {
			return at, all
		}
	}
	if n.rest != nil && n.rest.pattern.last().text != "" {
		values = append(values, unescapePath(path[1:]))
	}
	return n.rest, values
}

// firstSegment cuts a path behind its first segment; a slash at the end is one of its own.
func firstSegment(path string) (text, rest string) {
	if path == "/" {
		return "/", ""
	}
	end := strings.IndexByte(path[1:], '/') + 1
	if end == 0 {
		end = len(path)
	}
	return unescapePath(path[1:end]), path[end:]
}

// methods adds those for which there is a handler.
func (n *node) methods(path string, found map[string]bool) {
	if n == nil {
		return
	}
	for method, c := range n.children {
		if at, _ := c.matchPath(path, nil); at != nil {
			found[method] = true
		}
	}
}

func (mux *ServeMux) Handle(pattern string, handler Handler) { mux.mustRegister(pattern, handler) }

func (mux *ServeMux) HandleFunc(pattern string, handler func(ResponseWriter, *Request)) {
	mux.mustRegister(pattern, HandlerFunc(handler))
}

func Handle(pattern string, handler Handler) { DefaultServeMux.mustRegister(pattern, handler) }

func HandleFunc(pattern string, handler func(ResponseWriter, *Request)) {
	DefaultServeMux.mustRegister(pattern, HandlerFunc(handler))
}

// mustRegister is called by what the program calls.
func (mux *ServeMux) mustRegister(pattern string, handler Handler) {
	if err := mux.register(pattern, handler); err != nil {
		panic(err)
	}
}

func (mux *ServeMux) register(text string, handler Handler) error {
	if text == "" {
		return errors.New("http: invalid pattern")
	}
	if f, isFunc := handler.(HandlerFunc); handler == nil || isFunc && f == nil {
		return errors.New("http: nil handler")
	}
	p, err := parsePattern(text)
	if err != nil {
		return fmt.Errorf("parsing %q: %w", text, err)
	}
	p.place = "unknown location"
	if _, file, line, ok := runtime.Caller(3); ok {
		p.place = fmt.Sprintf("%s:%d", file, line)
	}
	mux.mu.Lock()
	defer mux.mu.Unlock()
	// Those that match all that is left of a path come first.
	byRest := func(a, b *pattern) int {
		switch x, y := a.last().isRest, b.last().isRest; {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	}
	for _, q := range slices.SortedStableFunc(slices.Values(mux.patterns), byRest) {
		if p.conflicts(q) {
			return fmt.Errorf("pattern %q (registered at %s) conflicts with pattern %q (registered at %s):\n%s",
				p, p.place, q, q.place, p.explain(q))
		}
	}
	mux.root.add(p, handler)
	if p.host != "" {
		mux.hasHosts.Store(true)
	}
	mux.patterns = append(mux.patterns, p)
	return nil
}

// cleanPath is a path without dots and doubled slashes; a slash at the end stays.
func cleanPath(p string) string {
	if p == "" {
		return "/"
	}
	if p[0] != '/' {
		p = "/" + p
	}
	clean := path.Clean(p)
	if p[len(p)-1] == '/' && clean != "/" {
		clean += "/"
	}
	return clean
}

// Handler is what serves a request, and its pattern: perhaps a redirection, or an error.
func (mux *ServeMux) Handler(r *Request) (h Handler, pattern string) {
	h, pattern, _, _ = mux.find(r)
	return h, pattern
}

func (mux *ServeMux) find(r *Request) (h Handler, text string, p *pattern, values []string) {
	host, path := r.URL.Host, r.URL.Path
	isPlain := r.URL.RawPath == "" && isPlainPath(path)
	if !isPlain {
		path = r.URL.EscapedPath()
	}
	clean := path
	redirect := func(to *url.URL) Handler { return RedirectHandler(to.String(), StatusTemporaryRedirect) }
	if r.Method != MethodConnect {
		if !isPlain {
			clean = cleanPath(path)
		}
		host = r.Host
		if mux.hasHosts.Load() && strings.Contains(host, ":") {
			if name, _, err := net.SplitHostPort(host); err == nil {
				host = name
			}
		}
	}
	at, values, to := mux.look(host, r.Method, clean, r.URL)
	switch {
	case to != nil && r.Method == MethodConnect:
		return redirect(to), to.Path, nil, nil
	case to != nil:
		return redirect(to), at.pattern.text, nil, nil
	case r.Method == MethodConnect:
		host = r.Host
		at, values, _ = mux.look(host, r.Method, clean, nil)
	case clean != path:
		if at != nil {
			text = at.pattern.text
		}
		return redirect(escapedURL(clean, r.URL.RawQuery)), text, nil, nil
	}
	if at != nil {
		return at.handler, at.pattern.text, at.pattern, values
	}
	if allowed := mux.allowed(host, clean); len(allowed) > 0 {
		return HandlerFunc(func(w ResponseWriter, r *Request) {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			Error(w, StatusText(StatusMethodNotAllowed), StatusMethodNotAllowed)
		}), "", nil, nil
	}
	return NotFoundHandler(), "", nil, nil
}

// look also says where the request should go if only a slash at its end is missing.
func (mux *ServeMux) look(host, method, path string, u *url.URL) (at *node, values []string, to *url.URL) {
	mux.mu.RLock()
	defer mux.mu.RUnlock()
	at, values = mux.root.match(host, method, path)
	if !at.isExact(path) && u != nil && path != "" && !strings.HasSuffix(path, "/") {
		path += "/"
		if with, _ := mux.root.match(host, method, path); with.isExact(path) {
			return with, nil, escapedURL(path, u.RawQuery)
		}
	}
	return at, values, nil
}

func escapedURL(path, query string) *url.URL {
	return &url.URL{Path: unescapePath(path), RawPath: path, RawQuery: query}
}

// isExact says whether a pattern matches a path without taking several segments at once.
func (n *node) isExact(path string) bool {
	switch {
	case n == nil:
		return false
	case !n.pattern.last().isRest:
		return true
	case path != "" && path[len(path)-1] != '/':
		return false
	}
	return len(n.pattern.segments) == strings.Count(path, "/")
}

// allowed has the methods for which there is a handler.
func (mux *ServeMux) allowed(host, path string) []string {
	mux.mu.RLock()
	defer mux.mu.RUnlock()
	found := make(map[string]bool)
	paths := []string{path}
	if !strings.HasSuffix(path, "/") {
		paths = append(paths, path+"/")
	}
	for _, path := range paths {
		if host != "" {
			mux.root.find(host).methods(path, found)
		}
		mux.root.any.methods(path, found)
		if found[MethodGet] {
			found[MethodHead] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func (mux *ServeMux) ServeHTTP(w ResponseWriter, r *Request) {
	if r.RequestURI == "*" {
		if r.ProtoAtLeast(1, 1) {
			w.Header().Set("Connection", "close")
		}
		w.WriteHeader(StatusBadRequest)
		return
	}
	var h Handler
	h, r.Pattern, r.pattern, r.values = mux.find(r)
	h.ServeHTTP(w, r)
}
