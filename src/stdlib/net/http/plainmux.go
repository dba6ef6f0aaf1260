package http

import (
	"internal/godebug"
	"net/url"
	"strings"
)

// With GODEBUG=httpmuxgo121=1, as a program of a module before go1.22 has it, patterns are what they
// were then: a path, or the path of a tree with a slash at its end, perhaps with a host in front;
// methods and wildcards mean nothing. What is longer is narrower, and a host goes before none.

// hasPlainPatterns is asked once.
var hasPlainPatterns = askForPlainPatterns()

func askForPlainPatterns() bool {
	return godebug.Is("httpmuxgo121", "1")
}

// plainPatterns are the patterns of a ServeMux.
type plainPatterns struct {
	handlers map[string]Handler
	hasHosts bool
}

func (p *plainPatterns) register(pattern string, h Handler) {
	switch {
	case pattern == "":
		panic("http: invalid pattern")
	case isNil(h):
		panic("http: nil handler")
	case p.handlers[pattern] != nil:
		panic("http: multiple registrations for " + pattern)
	}
	if p.handlers == nil {
		p.handlers = make(map[string]Handler)
	}
	p.handlers[pattern] = h
	p.hasHosts = p.hasHosts || pattern[0] != '/'
}

// longest is the pattern of that name, or else the longest tree above it.
func (p *plainPatterns) longest(name string) string {
	if p.handlers[name] != nil {
		return name
	}
	for {
		at := strings.LastIndexByte(name, '/')
		if at < 0 {
			return ""
		}
		if p.handlers[name[:at+1]] != nil {
			return name[:at+1]
		}
		name = name[:at]
	}
}

// serves chooses for a path that is as it should be.
func (p *plainPatterns) serves(host, path string) choice {
	found := ""
	if p.hasHosts {
		found = p.longest(host + path)
	}
	if found == "" {
		found = p.longest(path)
	}
	if found == "" {
		return choice{handler: NotFoundHandler()}
	}
	return choice{handler: p.handlers[found], text: found}
}

// missesSlash says whether there is a pattern only for the path with a slash behind it.
func (p *plainPatterns) missesSlash(host, path string) bool {
	names := [...]string{path, host + path}
	for _, name := range names {
		if p.handlers[name] != nil {
			return false
		}
	}
	for _, name := range names {
		if p.handlers[name+"/"] != nil {
			return path != "" && !strings.HasSuffix(path, "/")
		}
	}
	return false
}

// moved sends the client elsewhere for good.
func moved(r *Request, path, text string) choice {
	to := url.URL{Path: path, RawQuery: r.URL.RawQuery}
	return choice{handler: RedirectHandler(to.String(), StatusMovedPermanently), text: text}
}

func (mux *ServeMux) choosePlain(r *Request) choice {
	mux.mu.RLock()
	defer mux.mu.RUnlock()
	p := &mux.plain
	if r.Method == MethodConnect {
		if p.missesSlash(r.URL.Host, r.URL.Path) {
			return moved(r, r.URL.Path+"/", r.URL.Path+"/")
		}
		return p.serves(r.Host, r.URL.Path)
	}
	host, path := bareHost(r.Host), tidyPath(r.URL.Path)
	switch {
	case p.missesSlash(host, path):
		return moved(r, path+"/", path+"/")
	case path != r.URL.Path:
		return moved(r, path, p.serves(host, path).text)
	}
	return p.serves(host, path)
}
