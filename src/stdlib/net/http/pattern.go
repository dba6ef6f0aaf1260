package http

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"
)

// pattern is what a ServeMux knows handlers by: [METHOD ][HOST]/[PATH].
type pattern struct {
	text     string
	method   string
	host     string
	segments []segment
	// Where it was registered.
	place string
}

func (p *pattern) String() string { return p.text }

func (p *pattern) last() segment { return p.segments[len(p.segments)-1] }

// segment is what lies between slashes: text, or a wildcard's name. The text "/" is {$}.
type segment struct {
	text   string
	isWild bool
	// It matches all that is left. Behind a slash at the end such a one has no name.
	isRest bool
}

func parsePattern(s string) (*pattern, error) {
	p, at, err := scanPattern(s)
	if err != nil {
		if s == "" {
			return nil, err
		}
		return nil, fmt.Errorf("at offset %d: %w", at, err)
	}
	return p, nil
}

// scanPattern also says how far it came.
func scanPattern(s string) (p *pattern, at int, err error) {
	if s == "" {
		return nil, 0, errors.New("empty pattern")
	}
	p = &pattern{text: s}
	rest := s
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		p.method, rest = s[:i], strings.TrimLeft(s[i+1:], " \t")
		if p.method != "" && !isToken(p.method) {
			return nil, 0, fmt.Errorf("invalid method %q", p.method)
		}
		at = i + 1
	}
	slash := strings.IndexByte(rest, '/')
	if slash < 0 {
		return nil, at, errors.New("host/path missing /")
	}
	p.host, rest = rest[:slash], rest[slash:]
	if brace := strings.IndexByte(p.host, '{'); brace >= 0 {
		return nil, at + brace, errors.New("host contains '{' (missing initial '/'?)")
	}
	at += slash
	if p.method != "" && p.method != MethodConnect && rest != cleanPath(rest) {
		return nil, at, errors.New("non-CONNECT pattern with unclean path can never match")
	}
	names := make(map[string]bool)
	for rest != "" {
		rest = rest[1:]
		at = len(s) - len(rest)
		if rest == "" {
			p.segments = append(p.segments, segment{isWild: true, isRest: true})
			break
		}
		end := strings.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		text := rest[:end]
		rest = rest[end:]
		seg, err := parseSegment(text, rest == "")
		if err != nil {
			return nil, at, err
		}
		if seg.isWild {
			if names[seg.text] {
				return nil, at, fmt.Errorf("duplicate wildcard name %q", seg.text)
			}
			names[seg.text] = true
		}
		p.segments = append(p.segments, seg)
	}
	return p, at, nil
}

func parseSegment(text string, isLast bool) (segment, error) {
	switch brace := strings.IndexByte(text, '{'); {
	case brace < 0:
		return segment{text: unescapePath(text)}, nil
	case brace > 0:
		return segment{}, errors.New("bad wildcard segment (must start with '{')")
	case text[len(text)-1] != '}':
		return segment{}, errors.New("bad wildcard segment (must end with '}')")
	}
	name := text[1 : len(text)-1]
	if name == "$" {
		if !isLast {
			return segment{}, errors.New("{$} not at end")
		}
		return segment{text: "/"}, nil
	}
	name, isRest := strings.CutSuffix(name, "...")
	switch {
	case isRest && !isLast:
		return segment{}, errors.New("{...} wildcard not at end")
	case name == "":
		return segment{}, errors.New("empty wildcard")
	case !isName(name):
		return segment{}, fmt.Errorf("bad wildcard name %q", name)
	}
	return segment{text: name, isWild: true, isRest: isRest}, nil
}

func isName(s string) bool {
	for i, c := range s {
		if !unicode.IsLetter(c) && c != '_' && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return true
}

func unescapePath(path string) string {
	if u, err := url.PathUnescape(path); err == nil {
		return u
	}
	return path
}

// relation is how the requests that one pattern matches lie to those of another.
type relation int

const (
	same relation = iota
	wider
	narrower
	apart
	// Some match both, some only one of them.
	crossing
)

// and joins what is known of two parts.
func (r relation) and(other relation) relation {
	switch {
	case r == apart || other == apart:
		return apart
	case r == same:
		return other
	case other == same || other == r:
		return r
	}
	return crossing
}

func (p *pattern) conflicts(q *pattern) bool {
	if p.host != q.host {
		return false
	}
	r := p.methods(q).and(p.paths(q))
	return r == same || r == crossing
}

func (p *pattern) methods(q *pattern) relation {
	switch {
	case p.method == q.method:
		return same
	case p.method == "":
		return wider
	case q.method == "":
		return narrower
	case p.method == MethodGet && q.method == MethodHead:
		return wider
	case p.method == MethodHead && q.method == MethodGet:
		return narrower
	}
	return apart
}

func (p *pattern) paths(q *pattern) relation {
	n := min(len(p.segments), len(q.segments))
	r := same
	for i := range n {
		r = r.and(p.segments[i].to(q.segments[i]))
	}
	switch {
	case len(p.segments) < len(q.segments):
		if !p.last().isRest {
			return apart
		}
		return r.and(wider)
	case len(p.segments) > len(q.segments):
		if !q.last().isRest {
			return apart
		}
		return r.and(narrower)
	}
	return r
}

func (s segment) to(t segment) relation {
	switch {
	case s.isRest && t.isRest:
		return same
	case s.isRest:
		return wider
	case t.isRest:
		return narrower
	case s.isWild && t.isWild:
		return same
	case s.isWild && t.text != "/":
		return wider
	case t.isWild && s.text != "/":
		return narrower
	case s == t:
		return same
	}
	return apart
}

// explain says of two patterns in what they conflict.
func (p *pattern) explain(q *pattern) string {
	methods, paths := p.methods(q), p.paths(q)
	switch {
	case methods.and(paths) == same:
		return fmt.Sprintf("%s matches the same requests as %s", p, q)
	case paths == crossing:
		return fmt.Sprintf("%[1]s and %[2]s both match some paths, like %[3]q.\n"+
			"But neither is more specific than the other.\n"+
			"%[1]s matches %[4]q, but %[2]s doesn't.\n"+
			"%[2]s matches %[5]q, but %[1]s doesn't.",
			p, q, commonPath(p, q), onlyPath(p, q), onlyPath(q, p))
	case methods == wider:
		return fmt.Sprintf("%s matches more methods than %s, but has a more specific path pattern", p, q)
	}
	return fmt.Sprintf("%s matches fewer methods than %s, but has a more general path pattern", p, q)
}

// example is a path's part that matches the segment.
func (s segment) example() string {
	if s.isRest || s.text == "/" {
		return "/"
	}
	return "/" + s.text
}

func examples(b *strings.Builder, segments []segment) string {
	for _, s := range segments {
		b.WriteString(s.example())
	}
	return b.String()
}

// commonPath matches both.
func commonPath(p, q *pattern) string {
	var b strings.Builder
	n := min(len(p.segments), len(q.segments))
	for i := range n {
		s := p.segments[i]
		if s.isWild {
			s = q.segments[i]
		}
		b.WriteString(s.example())
	}
	return examples(&b, append(p.segments[n:], q.segments[n:]...))
}

// onlyPath matches p and not q.
func onlyPath(p, q *pattern) string {
	var b strings.Builder
	n := min(len(p.segments), len(q.segments))
	for i := range n {
		s, t := p.segments[i], q.segments[i]
		switch {
		case s.isRest && t.isRest:
			return b.String() + "/"
		case s.isRest:
			b.WriteByte('/')
			if t.text == "/" {
				b.WriteString(orDefault(s.text, "x"))
			}
			return b.String()
		case s.isWild && !t.isWild && s.text == t.text:
			b.WriteString("/" + t.text + "x")
		default:
			b.WriteString(s.example())
		}
	}
	return examples(&b, append(p.segments[n:], q.segments[n:]...))
}
