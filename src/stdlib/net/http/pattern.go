package http

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// The patterns of a ServeMux: how they are read, and how two of them lie to one another. For that
// each pair of parts, two methods or two segments, has an overlap, and that of the whole is what its
// parts have together.

// pattern is what a ServeMux knows handlers by: [METHOD ][HOST]/[PATH].
type pattern struct {
	text     string
	method   string
	host     string
	segments []segment
	// Of its wildcards, but for one behind a slash at the end.
	names []string
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

// misfit is an error in a pattern, and where it lies.
type misfit struct {
	at  int
	err error
}

func misfitAt(at int, format string, args ...any) *misfit {
	return &misfit{at, fmt.Errorf(format, args...)}
}

func readPattern(text string) (*pattern, error) {
	if text == "" {
		return nil, errors.New("empty pattern")
	}
	p := &pattern{text: text}
	path, bad := p.readHead()
	if bad == nil {
		bad = p.readPath(path)
	}
	if bad != nil {
		return nil, fmt.Errorf("at offset %d: %w", bad.at, bad.err)
	}
	return p, nil
}

// readHead reads what comes before the path.
func (p *pattern) readHead() (path string, bad *misfit) {
	before, begin := p.text, 0
	if end := strings.IndexAny(p.text, " \t"); end >= 0 {
		p.method, begin = p.text[:end], end+1
		before = strings.TrimLeft(p.text[begin:], " \t")
	}
	host, _, hasPath := strings.Cut(before, "/")
	path = before[len(host):]
	switch brace := strings.IndexByte(host, '{'); {
	case p.method != "" && !isToken(p.method):
		return "", misfitAt(0, "invalid method %q", p.method)
	case !hasPath:
		return "", misfitAt(begin, "host/path missing /")
	case brace >= 0:
		return "", misfitAt(begin+brace, "host contains '{' (missing initial '/'?)")
	case p.method != "" && p.method != MethodConnect && path != tidyPath(path):
		return "", misfitAt(begin+len(host), "non-CONNECT pattern with unclean path can never match")
	}
	p.host = host
	return path, nil
}

// readPath reads a path, which begins with a slash and goes up to the end of the text.
func (p *pattern) readPath(path string) *misfit {
	parts := strings.Split(path[1:], "/")
	at := len(p.text) - len(path)
	for i, part := range parts {
		at++
		isLast := i == len(parts)-1
		s := segment{isWild: true, isRest: true}
		if part != "" || !isLast {
			var err error
			if s, err = parseSegment(part, isLast); err != nil {
				return &misfit{at, err}
			}
			if s.isWild {
				if slices.Contains(p.names, s.text) {
					return misfitAt(at, "duplicate wildcard name %q", s.text)
				}
				p.names = append(p.names, s.text)
			}
		}
		p.segments = append(p.segments, s)
		at += len(part)
	}
	return nil
}

// isAny says whether any text may stand there: nothing between two slashes counts as that, too.
func (s segment) isAny() bool { return s.isWild || s.text == "" }

func parseSegment(text string, isLast bool) (s segment, err error) {
	before, name, isWild := strings.Cut(text, "{")
	if !isWild {
		return segment{text: unescapePath(text)}, nil
	}
	name, isClosed := strings.CutSuffix(name, "}")
	name, isRest := strings.CutSuffix(name, "...")
	isEnd := name == "$" && !isRest
	why := ""
	switch {
	case before != "":
		why = "bad wildcard segment (must start with '{')"
	case !isClosed:
		why = "bad wildcard segment (must end with '}')"
	case isEnd && !isLast:
		why = "{$} not at end"
	case isEnd:
		return segment{text: "/"}, nil
	case isRest && !isLast:
		why = "{...} wildcard not at end"
	case name == "":
		why = "empty wildcard"
	case !isName(name):
		why = fmt.Sprintf("bad wildcard name %q", name)
	default:
		return segment{text: name, isWild: true, isRest: isRest}, nil
	}
	return s, errors.New(why)
}

func isName(s string) bool {
	isFirst := true
	for _, c := range s {
		if c != '_' && !unicode.IsLetter(c) && (isFirst || !unicode.IsDigit(c)) {
			return false
		}
		isFirst = false
	}
	return true
}

// unescapePath leaves what cannot be unescaped as it is.
func unescapePath(path string) string {
	if strings.IndexByte(path, '%') < 0 {
		return path
	}
	if u, err := url.PathUnescape(path); err == nil {
		return u
	}
	return path
}

// overlap says what there is among the requests that two patterns, or parts of them, match.
type overlap uint8

const (
	matchedByBoth overlap = 1 << iota
	onlyByFirst
	onlyBySecond

	apart    = onlyByFirst | onlyBySecond
	crossing = apart | matchedByBoth
)

// overlapOf knows it of parts of which each matches all that the other does, or nothing of it.
func overlapOf(firstCovers, secondCovers bool) (o overlap) {
	if firstCovers || secondCovers {
		o = matchedByBoth
	}
	if !firstCovers {
		o |= onlyBySecond
	}
	if !secondCovers {
		o |= onlyByFirst
	}
	return o
}

// and is the overlap of what has both of two parts.
func (o overlap) and(p overlap) overlap {
	if o&p&matchedByBoth == 0 {
		return apart
	}
	return o | p
}

// conflicts says whether it is not clear which of two patterns is narrower.
func (p *pattern) conflicts(q *pattern) bool {
	o := p.methods(q).and(p.paths(q))
	return p.host == q.host && (o == matchedByBoth || o == crossing)
}

// coversMethod says whether one method, or any, is meant where the other is.
func coversMethod(one, other string) bool {
	return one == "" || one == other || one == MethodGet && other == MethodHead
}

func (p *pattern) methods(q *pattern) overlap {
	return overlapOf(coversMethod(p.method, q.method), coversMethod(q.method, p.method))
}

// covers says whether a segment matches all that the other does.
func (s segment) covers(t segment) bool {
	switch {
	case s.isRest || t.isRest:
		return s.isRest
	case s.isWild:
		return t.isWild || t.text != "/"
	}
	return s == t
}

// paths compares them segment by segment; only one that matches all that is left can stand for more.
func (p *pattern) paths(q *pattern) overlap {
	all := matchedByBoth
	n := min(len(p.segments), len(q.segments))
	for i, s := range p.segments[:n] {
		t := q.segments[i]
		all = all.and(overlapOf(s.covers(t), t.covers(s)))
	}
	if len(p.segments) == len(q.segments) {
		return all
	}
	return all.and(overlapOf(
		len(p.segments) == n && p.last().isRest, len(q.segments) == n && q.last().isRest))
}

// explain says of two patterns in what they conflict.
func (p *pattern) explain(q *pattern) string {
	methods, paths := p.methods(q), p.paths(q)
	if methods|paths == matchedByBoth {
		return fmt.Sprintf("%s matches the same requests as %s", p, q)
	}
	if paths == crossing {
		both := sample(p, q, func(s, t segment) (segment, string) {
			if s.isWild {
				s = t
			}
			return s, ""
		})
		return fmt.Sprintf("%[1]s and %[2]s both match some paths, like %[3]q.\n"+
			"But neither is more specific than the other.\n"+
			"%[1]s matches %[4]q, but %[2]s doesn't.\n"+
			"%[2]s matches %[5]q, but %[1]s doesn't.",
			p, q, both, sample(p, q, otherThan), sample(q, p, otherThan))
	}
	methodsAre, pathIs := "fewer", "general"
	if methods&onlyByFirst != 0 {
		methodsAre, pathIs = "more", "specific"
	}
	return fmt.Sprintf("%s matches %s methods than %s, but has a more %s path pattern",
		p, methodsAre, q, pathIs)
}

// sample makes a path of what pick finds for segments that stand at the same place, and of those
// that only the longer pattern has. What pick says comes at the end ends the path.
func sample(p, q *pattern, pick func(s, t segment) (example segment, end string)) string {
	path := ""
	n := min(len(p.segments), len(q.segments))
	for i := range n {
		s, end := pick(p.segments[i], q.segments[i])
		if end != "" {
			return path + end
		}
		path += s.example()
	}
	for _, s := range slices.Concat(p.segments[n:], q.segments[n:]) {
		path += s.example()
	}
	return path
}

// example is a path's part that matches the segment.
func (s segment) example() string {
	if s.isRest || s.text == "/" {
		return "/"
	}
	return "/" + s.text
}

// otherThan picks what s matches and t, if possible, does not.
func otherThan(s, t segment) (example segment, end string) {
	switch {
	case s.isRest && !t.isRest && t.text == "/":
		return s, "/" + orDefault(s.text, "x")
	case s.isRest:
		return s, "/"
	case s.isWild && !t.isWild && s.text == t.text:
		s.text += "x"
	}
	return s, ""
}
