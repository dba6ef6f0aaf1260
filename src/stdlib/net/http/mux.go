package http

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A ServeMux has a tree for each host. From its root on, each segment of a path leads to a node, and
// where a pattern ends there are its entries, by method. Of patterns that match the same request one
// is narrower than all others, or they could not have been registered; so what a walk finds first,
// if it tries texts before wildcards, and these before wildcards for all that is left, is right.
// What wildcards stand for is cut out of the path when the pattern is known.

// ServeMux hands requests to the handler whose pattern matches most narrowly.
type ServeMux struct {
	mu       sync.RWMutex
	anyHost  node
	hosts    map[string]*node
	patterns []*pattern
	// A pattern names a host.
	hasHosts atomic.Bool
	// Those of before Go 1.22, in place of all of these.
	plain plainPatterns
}

func NewServeMux() *ServeMux { return &ServeMux{} }

var defaultMux ServeMux

// DefaultServeMux is what Handle and HandleFunc register with.
var DefaultServeMux = &defaultMux

// entry is a pattern with its handler.
type entry struct {
	*pattern
	handler Handler
}

// node is a place in the tree.
type node struct {
	// Those that end here.
	entries []*entry
	// Where the next segment leads: one of that text, any, or any with all that is behind it.
	texts     map[string]*node
	one, rest *node
}

// next is where a segment of a pattern leads, which is made if it is not there.
func (n *node) next(s segment) *node {
	at := &n.one
	switch {
	case s.isRest:
		at = &n.rest
	case !s.isAny():
		if c := n.texts[s.text]; c != nil {
			return c
		}
		if n.texts == nil {
			n.texts = make(map[string]*node)
		}
		c := &node{}
		n.texts[s.text] = c
		return c
	}
	if *at == nil {
		*at = &node{}
	}
	return *at
}

// search looks for what serves a method, or, if seen is not nil, for all methods that are served.
type search struct {
	method string
	seen   map[string]bool
}

// at is the entry of a node that serves the method.
func (s search) at(n *node) (best *entry) {
	for _, r := range n.entries {
		if s.seen != nil {
			s.seen[r.method] = true
		} else if coversMethod(r.method, s.method) && (best == nil || coversMethod(best.method, r.method)) {
			best = r
		}
	}
	return best
}

// below looks for an entry for what is left of a path.
func (s search) below(n *node, path string) *entry {
	if path == "" {
		return s.at(n)
	}
	text, rest := cutSegment(path)
	if c := n.texts[text]; c != nil {
		if r := s.below(c, rest); r != nil {
			return r
		}
	}
	if n.one != nil && text != "/" {
		if r := s.below(n.one, rest); r != nil {
			return r
		}
	}
	if n.rest != nil {
		return s.at(n.rest)
	}
	return nil
}

// cutSegment cuts a path behind its first segment; a slash at the end is one of its own.
func cutSegment(path string) (text, rest string) {
	if path == "/" {
		return path, ""
	}
	text, _, _ = strings.Cut(path[1:], "/")
	return unescapePath(text), path[len("/")+len(text):]
}

// valuesIn has what the wildcards stand for in a path that matches.
func (p *pattern) valuesIn(path string) (values []string) {
	for _, s := range p.segments {
		text, rest := path, ""
		if s.isRest {
			text = unescapePath(path[1:])
		} else {
			text, rest = cutSegment(path)
		}
		if s.isAny() && !s.isRest || s.isRest && s.text != "" {
			values = append(values, text)
		}
		path = rest
	}
	return values
}

// walk looks below the host, and then below any; the lock is held.
func (mux *ServeMux) walk(s search, host, path string) *entry {
	if n := mux.hosts[host]; n != nil {
		if r := s.below(n, path); r != nil {
			return r
		}
	}
	return s.below(&mux.anyHost, path)
}

// Handle registers a handler.
func (mux *ServeMux) Handle(pattern string, handler Handler) { mux.mustRegister(pattern, handler) }

func (mux *ServeMux) HandleFunc(pattern string, handler func(ResponseWriter, *Request)) {
	mux.mustRegister(pattern, HandlerFunc(handler))
}

// Handle registers with DefaultServeMux.
func Handle(pattern string, handler Handler) { DefaultServeMux.mustRegister(pattern, handler) }

func HandleFunc(pattern string, handler func(ResponseWriter, *Request)) {
	DefaultServeMux.mustRegister(pattern, HandlerFunc(handler))
}

// mustRegister is called by what the program calls.
func (mux *ServeMux) mustRegister(pattern string, handler Handler) {
	if hasPlainPatterns {
		mux.mu.Lock()
		defer mux.mu.Unlock()
		mux.plain.register(pattern, handler)
		return
	}
	e, err := newEntry(pattern, handler)
	if err == nil {
		e.place = placeOfCaller()
		err = mux.register(e)
	}
	if err != nil {
		panic(err)
	}
}

// placeOfCaller is where the program has called what calls mustRegister.
func placeOfCaller() string {
	_, file, line, ok := runtime.Caller(3)
	if !ok {
		return "unknown location"
	}
	return fmt.Sprintf("%s:%d", file, line)
}

func newEntry(text string, h Handler) (*entry, error) {
	if text == "" {
		return nil, errors.New("http: invalid pattern")
	}
	if isNil(h) {
		return nil, errors.New("http: nil handler")
	}
	p, err := readPattern(text)
	if err != nil {
		err = fmt.Errorf("parsing %q: %w", text, err)
	}
	return &entry{p, h}, err
}

func isNil(h Handler) bool {
	f, isFunc := h.(HandlerFunc)
	return h == nil || isFunc && f == nil
}

func (mux *ServeMux) register(e *entry) error {
	mux.mu.Lock()
	defer mux.mu.Unlock()
	p := e.pattern
	if q := mux.inConflict(p); q != nil {
		return fmt.Errorf("pattern %q (registered at %s) conflicts with pattern %q (registered at %s):\n%s",
			p, p.place, q, q.place, p.explain(q))
	}
	mux.patterns = append(mux.patterns, p)
	mux.plant(e)
	return nil
}

// inConflict is a pattern with which another cannot be registered, if there is one. Those that match
// all that is left of a path are told of first.
func (mux *ServeMux) inConflict(p *pattern) *pattern {
	for _, isRest := range [...]bool{true, false} {
		for _, q := range mux.patterns {
			if q.last().isRest == isRest && p.conflicts(q) {
				return q
			}
		}
	}
	return nil
}

// plant puts an entry into the tree.
func (mux *ServeMux) plant(r *entry) {
	n := &mux.anyHost
	if r.host != "" {
		mux.hasHosts.Store(true)
		if mux.hosts == nil {
			mux.hosts = make(map[string]*node)
		}
		if n = mux.hosts[r.host]; n == nil {
			n = &node{}
			mux.hosts[r.host] = n
		}
	}
	for _, s := range r.segments {
		n = n.next(s)
	}
	n.entries = append(n.entries, r)
}

// tidyPath is a path without dots and doubled slashes; a slash at the end stays.
func tidyPath(p string) string {
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return cleaned(p)
}

// choice is what serves a request, with the text of its pattern; the pattern itself is known if it
// is not a redirection.
type choice struct {
	handler Handler
	text    string
	pattern *pattern
	values  []string
}

// Handler is what serves a request, and its pattern: perhaps a redirection, or an error.
func (mux *ServeMux) Handler(r *Request) (h Handler, pattern string) {
	if hasPlainPatterns {
		c := mux.choosePlain(r)
		return c.handler, c.text
	}
	c := mux.choose(r)
	return c.handler, c.text
}

// redirection sends the client to a path that is already escaped.
func redirection(r *Request, path, text string) choice {
	to := url.URL{Path: unescapePath(path), RawPath: path, RawQuery: r.URL.RawQuery}
	return choice{handler: RedirectHandler(to.String(), StatusTemporaryRedirect), text: text}
}

func (mux *ServeMux) choose(r *Request) choice {
	isConnect := r.Method == MethodConnect
	host, path := r.URL.Host, r.URL.Path
	clean := path
	if r.URL.RawPath != "" || !isPlainPath(path) {
		path = r.URL.EscapedPath()
		if clean = path; !isConnect {
			clean = tidyPath(path)
		}
	}
	if !isConnect {
		host = mux.hostOf(r)
	}
	mux.mu.RLock()
	defer mux.mu.RUnlock()
	s := search{method: r.Method}
	found := mux.walk(s, host, clean)
	if with := mux.missesSlash(s, host, clean, found); with != nil {
		to := clean + "/"
		if isConnect {
			return redirection(r, to, unescapePath(to))
		}
		return redirection(r, to, with.text)
	}
	if isConnect {
		found = mux.walk(s, r.Host, clean)
	} else if clean != path {
		text := ""
		if found != nil {
			text = found.text
		}
		return redirection(r, clean, text)
	}
	if found != nil {
		return choice{found.handler, found.text, found.pattern, found.valuesIn(clean)}
	}
	if allowed := mux.allowed(host, clean); allowed != "" {
		return choice{handler: notAllowed(allowed)}
	}
	return choice{handler: NotFoundHandler()}
}

// hostOf is the host that a client has named, without its port; if no pattern has one it does not
// matter.
func (mux *ServeMux) hostOf(r *Request) string {
	if mux.hasHosts.Load() {
		return bareHost(r.Host)
	}
	return r.Host
}

// bareHost is a host without its port.
func bareHost(host string) string {
	if strings.IndexByte(host, ':') >= 0 {
		if name, _, err := net.SplitHostPort(host); err == nil {
			return name
		}
	}
	return host
}

// missesSlash is the entry that matches only if a slash comes behind the path, where none matches the
// path as it is.
func (mux *ServeMux) missesSlash(s search, host, path string, found *entry) *entry {
	if path == "" || path[len(path)-1] == '/' || found.isExact(path) {
		return nil
	}
	path += "/"
	if with := mux.walk(s, host, path); with.isExact(path) {
		return with
	}
	return nil
}

// isExact says whether a pattern matches a path without taking several segments at once.
func (r *entry) isExact(path string) bool {
	if r == nil || !r.last().isRest {
		return r != nil
	}
	return strings.HasSuffix(path, "/") && strings.Count(path, "/") == len(r.segments)
}

// allowed has the methods for which there is a handler, perhaps behind a slash. The lock is held.
func (mux *ServeMux) allowed(host, path string) string {
	all := search{seen: make(map[string]bool)}
	mux.walk(all, host, path)
	if !strings.HasSuffix(path, "/") {
		mux.walk(all, host, path+"/")
	}
	delete(all.seen, "")
	if all.seen[MethodGet] {
		all.seen[MethodHead] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(all.seen)), ", ")
}

// notAllowed answers that only other methods are served.
func notAllowed(methods string) Handler {
	return HandlerFunc(func(w ResponseWriter, r *Request) {
		w.Header().Set("Allow", methods)
		Error(w, StatusText(StatusMethodNotAllowed), StatusMethodNotAllowed)
	})
}

// ServeHTTP has the handler answer that matches most narrowly.
func (mux *ServeMux) ServeHTTP(w ResponseWriter, r *Request) {
	c := choice{handler: HandlerFunc(badStar)}
	if r.RequestURI != "*" && hasPlainPatterns {
		c = mux.choosePlain(r)
	} else if r.RequestURI != "*" {
		c = mux.choose(r)
		r.Pattern, r.pattern, r.values = c.text, c.pattern, c.values
	}
	c.handler.ServeHTTP(w, r)
}

// badStar answers a request for the server itself, of which nothing is known here.
func badStar(w ResponseWriter, r *Request) {
	h := w.Header()
	if r.ProtoAtLeast(1, 1) {
		h.Set("Connection", "close")
	}
	w.WriteHeader(StatusBadRequest)
}
