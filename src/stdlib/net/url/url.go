// Package url takes URLs apart and puts them together: RFC 3986.
package url

import (
	"errors"
	"fmt"
	"internal/godebug"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Error is an error with what was being done.
type Error struct {
	Op  string
	URL string
	Err error
}

func (e *Error) Unwrap() error { return e.Err }
func (e *Error) Error() string { return fmt.Sprintf("%s %q: %s", e.Op, e.URL, e.Err) }

func (e *Error) Timeout() bool {
	t, ok := e.Err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

func (e *Error) Temporary() bool {
	t, ok := e.Err.(interface{ Temporary() bool })
	return ok && t.Temporary()
}

type EscapeError string

func (e EscapeError) Error() string { return "invalid URL escape " + strconv.Quote(string(e)) }

type InvalidHostError string

func (e InvalidHostError) Error() string {
	return "invalid character " + strconv.Quote(string(e)) + " in host name"
}

// The parts of a URL, in which different bytes must be escaped.
const (
	inPath = iota
	inSegment
	inHost
	inZone
	inUser
	inQuery
	inFragment
)

// escape writes what would mean something else in such a part as %XX, and blanks of queries as +.
func escape(s string, part int) string

// isPlain says whether all bytes mean themselves in such a part, or are among these.
func isPlain(s string, part int, also string) bool

// unescape_ gives what is wrong in place of the text: an escape if kind is 1, a byte of a host if 2.
func unescape_(s string, part int) (text string, kind int)

func unescape(s string, part int) (string, error) {
	text, kind := unescape_(s, part)
	switch kind {
	case 1:
		return "", EscapeError(text)
	case 2:
		return "", InvalidHostError(text)
	}
	return text, nil
}

func QueryEscape(s string) string            { return escape(s, inQuery) }
func QueryUnescape(s string) (string, error) { return unescape(s, inQuery) }
func PathEscape(s string) string             { return escape(s, inSegment) }
func PathUnescape(s string) (string, error)  { return unescape(s, inSegment) }

// URL is [scheme:][//[user@]host][/]path[?query][#fragment], or scheme:opaque[?query][#fragment].
// What begins with Raw is as it was written, where that is not how it would be written.
type URL struct {
	Scheme      string
	Opaque      string
	User        *Userinfo
	Host        string
	Path        string
	Fragment    string
	RawQuery    string
	RawPath     string
	RawFragment string
	ForceQuery  bool
	OmitHost    bool
}

// Userinfo is a name, perhaps with a password.
type Userinfo struct {
	username    string
	password    string
	passwordSet bool
}

func User(username string) *Userinfo { return &Userinfo{username: username} }

func UserPassword(username, password string) *Userinfo {
	return &Userinfo{username, password, true}
}

func (u *Userinfo) Username() string {
	if u == nil {
		return ""
	}
	return u.username
}

func (u *Userinfo) Password() (string, bool) {
	if u == nil {
		return "", false
	}
	return u.password, u.passwordSet
}

func (u *Userinfo) String() string {
	if u == nil {
		return ""
	}
	s := escape(u.username, inUser)
	if u.passwordSet {
		s += ":" + escape(u.password, inUser)
	}
	return s
}

func Parse(rawURL string) (*URL, error) {
	text, fragment, _ := strings.Cut(rawURL, "#")
	u, err := parse(text, false)
	if err != nil {
		return nil, &Error{"parse", text, err}
	}
	if fragment != "" {
		if u.Fragment, err = unescape(fragment, inFragment); err != nil {
			return nil, &Error{"parse", rawURL, err}
		}
		if escape(u.Fragment, inFragment) != fragment {
			u.RawFragment = fragment
		}
	}
	return u, nil
}

// ParseRequestURI parses what a client asks a server for: a URL or a path.
func ParseRequestURI(rawURL string) (*URL, error) {
	u, err := parse(rawURL, true)
	if err != nil {
		return nil, &Error{"parse", rawURL, err}
	}
	return u, nil
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// cutScheme cuts off letters, digits and signs before a colon.
func cutScheme(s string) (scheme, rest string, err error) {
	for i, c := range []byte(s) {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case c == ':' && i == 0:
			return "", "", errors.New("missing protocol scheme")
		case c == ':':
			return strings.ToLower(s[:i]), s[i+1:], nil
		default:
			return "", s, nil
		}
	}
	return "", s, nil
}

func parse(text string, isRequest bool) (*URL, error) {
	switch {
	case hasControl(text):
		return nil, errors.New("net/url: invalid control character in URL")
	case text == "" && isRequest:
		return nil, errors.New("empty url")
	case text == "*":
		return &URL{Path: "*"}, nil
	}
	scheme, rest, err := cutScheme(text)
	if err != nil {
		return nil, err
	}
	u := &URL{Scheme: scheme}
	var hasQuery bool
	rest, u.RawQuery, hasQuery = strings.Cut(rest, "?")
	u.ForceQuery = hasQuery && u.RawQuery == ""
	if !strings.HasPrefix(rest, "/") {
		switch first, _, _ := strings.Cut(rest, "/"); {
		case scheme != "":
			u.Opaque = rest
			return u, nil
		case isRequest:
			return nil, errors.New("invalid URI for request")
		case strings.Contains(first, ":"):
			return nil, errors.New("first path segment in URL cannot contain colon")
		}
	}
	authority, hasHost := strings.CutPrefix(rest, "//")
	if scheme == "" && (isRequest || strings.HasPrefix(authority, "/")) {
		hasHost = false
	}
	if hasHost {
		rest = ""
		if i := strings.IndexByte(authority, '/'); i >= 0 {
			authority, rest = authority[:i], authority[i:]
		}
		if err := u.setAuthority(authority); err != nil {
			return nil, err
		}
	} else {
		u.OmitHost = scheme != "" && strings.HasPrefix(rest, "/")
	}
	return u, u.setPath(rest)
}

func (u *URL) setAuthority(authority string) error {
	at := strings.LastIndexByte(authority, '@')
	host, err := parseHost(u.Scheme, authority[at+1:])
	if err != nil {
		return err
	}
	if at >= 0 {
		info := authority[:at]
		if !isPlain(info, inUser, "@:!'()*%") {
			return errors.New("net/url: invalid userinfo")
		}
		name, password, hasPassword := strings.Cut(info, ":")
		if name, err = unescape(name, inUser); err != nil {
			return err
		}
		if password, err = unescape(password, inUser); err != nil {
			return err
		}
		u.User = &Userinfo{name, password, hasPassword}
	}
	u.Host = host
	return nil
}

// isPort says whether s is empty or a colon with digits behind it.
func isPort(s string) bool {
	if s == "" {
		return true
	}
	return s[0] == ':' && strings.Trim(s[1:], "0123456789") == ""
}

func badPort(port string) error { return fmt.Errorf("invalid port %q after host", port) }

// parseHost reads a host, perhaps with a port; addresses of IPv6 are between brackets.
func parseHost(scheme, host string) (string, error) {
	open := strings.LastIndexByte(host, '[')
	if open > 0 {
		return "", errors.New("invalid IP-literal")
	}
	if open == 0 {
		return parseLiteral(host[1:])
	}
	if colon := strings.IndexByte(host, ':'); colon >= 0 {
		last := strings.LastIndexByte(host, ':')
		if scheme != "http" && scheme != "https" || godebug.Value("urlstrictcolons") == "0" {
			colon = last
		}
		if port := host[colon:]; !isPort(port) {
			return "", badPort(port)
		}
	}
	return unescape(host, inHost)
}

func parseLiteral(s string) (string, error) {
	end := strings.LastIndexByte(s, ']')
	if end < 0 {
		return "", errors.New("missing ']' in host")
	}
	addr, port := s[:end], s[end+1:]
	if !isPort(port) {
		return "", badPort(port)
	}
	zone := ""
	if i := strings.Index(addr, "%25"); i >= 0 {
		var err error
		if zone, err = unescape(addr[i:], inZone); err != nil {
			return "", err
		}
		addr = addr[:i]
	}
	addr, err := unescape(addr, inHost)
	if err != nil {
		return "", err
	}
	if err := checkLiteral(addr + zone); err != nil {
		return "", err
	}
	return "[" + addr + zone + "]" + port, nil
}

func (u *URL) setPath(p string) error {
	text, err := unescape(p, inPath)
	if err != nil {
		return err
	}
	u.Path, u.RawPath = text, ""
	if escape(text, inPath) != p {
		u.RawPath = p
	}
	return nil
}

// escaped is raw if that is a way to write text, and else the usual way.
func escaped(text, raw string, part int) string {
	if raw != "" && isPlain(raw, part, "!$&'()*+,;=:@[]%") {
		if t, err := unescape(raw, part); err == nil && t == text {
			return raw
		}
	}
	return escape(text, part)
}

func (u *URL) EscapedPath() string {
	if u.Path == "*" && u.RawPath == "" {
		return "*"
	}
	return escaped(u.Path, u.RawPath, inPath)
}

func (u *URL) EscapedFragment() string { return escaped(u.Fragment, u.RawFragment, inFragment) }

func (u *URL) String() string {
	var b strings.Builder
	if u.Scheme != "" {
		b.WriteString(u.Scheme + ":")
	}
	if u.Opaque != "" {
		b.WriteString(u.Opaque)
	} else {
		u.writeHier(&b)
	}
	if u.ForceQuery || u.RawQuery != "" {
		b.WriteString("?" + u.RawQuery)
	}
	if u.Fragment != "" {
		b.WriteString("#" + u.EscapedFragment())
	}
	return b.String()
}

// writeHier writes host and path.
func (u *URL) writeHier(b *strings.Builder) {
	hasHost := u.Host != "" || u.User != nil
	if hasHost || u.Scheme != "" && !u.OmitHost && u.Path != "" {
		b.WriteString("//")
	}
	if u.User != nil {
		b.WriteString(u.User.String() + "@")
	}
	b.WriteString(escape(u.Host, inHost))
	path := u.EscapedPath()
	switch {
	case u.OmitHost && !hasHost && strings.HasPrefix(path, "//"):
		// It would be taken for a host.
		path = "%2F" + path[1:]
	case path != "" && path[0] != '/' && u.Host != "":
		b.WriteByte('/')
	case b.Len() == 0:
		// Nor is it a scheme.
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ":") {
			b.WriteString("./")
		}
	}
	b.WriteString(path)
}

// Redacted is String with another password.
func (u *URL) Redacted() string {
	if u == nil {
		return ""
	}
	c := *u
	if _, has := c.User.Password(); has {
		c.User = UserPassword(c.User.Username(), "xxxxx")
	}
	return c.String()
}

func (u *URL) Clone() *URL {
	if u == nil {
		return nil
	}
	c := *u
	if u.User != nil {
		user := *u.User
		c.User = &user
	}
	return &c
}

func (u *URL) IsAbs() bool { return u.Scheme != "" }

func (u *URL) Query() Values {
	v, _ := ParseQuery(u.RawQuery)
	return v
}

// RequestURI is what a client asks the server for.
func (u *URL) RequestURI() string {
	text := u.Opaque
	switch {
	case text == "":
		if text = u.EscapedPath(); text == "" {
			text = "/"
		}
	case strings.HasPrefix(text, "//"):
		text = u.Scheme + ":" + text
	}
	if u.ForceQuery || u.RawQuery != "" {
		text += "?" + u.RawQuery
	}
	return text
}

func (u *URL) Hostname() string {
	host, _ := u.hostPort()
	return host
}

func (u *URL) Port() string {
	_, port := u.hostPort()
	return port
}

func (u *URL) hostPort() (host, port string) {
	host = u.Host
	if colon := strings.LastIndexByte(host, ':'); colon >= 0 && isPort(host[colon:]) {
		host, port = host[:colon], host[colon+1:]
	}
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		host = host[1 : len(host)-1]
	}
	return host, port
}

func (u *URL) MarshalBinary() (text []byte, err error) { return u.AppendBinary(nil) }
func (u *URL) AppendBinary(b []byte) ([]byte, error)   { return append(b, u.String()...), nil }

func (u *URL) UnmarshalBinary(text []byte) error {
	v, err := Parse(string(text))
	if err != nil {
		return err
	}
	*u = *v
	return nil
}

// Parse parses a reference, seen from u.
func (u *URL) Parse(ref string) (*URL, error) {
	r, err := Parse(ref)
	if err != nil {
		return nil, err
	}
	return u.ResolveReference(r), nil
}

// ResolveReference: RFC 3986, section 5.2.
func (u *URL) ResolveReference(ref *URL) *URL {
	to := *ref
	if ref.Scheme == "" {
		to.Scheme = u.Scheme
	}
	if ref.Scheme != "" || ref.Host != "" || ref.User != nil {
		to.setPath(withoutDots(ref.EscapedPath()))
		return &to
	}
	if ref.Opaque != "" {
		to.User, to.Host, to.Path = nil, "", ""
		return &to
	}
	if ref.Path == "" && !ref.ForceQuery && ref.RawQuery == "" {
		to.RawQuery = u.RawQuery
		if ref.Fragment == "" {
			to.Fragment, to.RawFragment = u.Fragment, u.RawFragment
		}
	}
	if ref.Path == "" && u.Opaque != "" {
		to.Opaque = u.Opaque
		to.User, to.Host, to.Path = nil, "", ""
		return &to
	}
	to.Host, to.User = u.Host, u.User
	base, path := u.EscapedPath(), ref.EscapedPath()
	switch {
	case path == "":
		path = base
	case path[0] != '/':
		path = base[:strings.LastIndexByte(base, '/')+1] + path
	}
	to.setPath(withoutDots(path))
	return &to
}

// withoutDots follows . and .. in a path; the result begins with a slash.
func withoutDots(path string) string {
	if path == "" {
		return ""
	}
	var kept []string
	elements := strings.Split(path, "/")
	for i, e := range elements {
		isLast := i == len(elements)-1
		switch {
		case e == "." || e == "..":
			if e == ".." && len(kept) > 0 {
				kept = kept[:len(kept)-1]
			}
			if isLast {
				kept = append(kept, "")
			}
		case i > 0 || e != "":
			kept = append(kept, e)
		}
	}
	return "/" + strings.TrimPrefix(strings.Join(kept, "/"), "/")
}

// JoinPath adds elements to the path, which is cleaned.
func (u *URL) JoinPath(elem ...string) *URL {
	joined, _ := u.join(elem)
	return joined
}

func (u *URL) join(elem []string) (*URL, error) {
	elem = append([]string{u.EscapedPath()}, elem...)
	last := elem[len(elem)-1]
	isRelative := !strings.HasPrefix(elem[0], "/")
	if isRelative {
		// So that .. does not lead out of it.
		elem[0] = "/" + elem[0]
		last = elem[len(elem)-1]
	}
	p := path.Join(elem...)
	if isRelative {
		p = p[1:]
	}
	if strings.HasSuffix(last, "/") && !strings.HasSuffix(p, "/") {
		p += "/"
	}
	joined := *u
	err := joined.setPath(p)
	return &joined, err
}

func JoinPath(base string, elem ...string) (result string, err error) {
	u, err := Parse(base)
	if err != nil {
		return "", err
	}
	joined, err := u.join(elem)
	if err != nil {
		return "", err
	}
	return joined.String(), nil
}

// Values has the values of a query or a form, by their names.
type Values map[string][]string

func (v Values) Get(key string) string {
	if all := v[key]; len(all) > 0 {
		return all[0]
	}
	return ""
}

func (v Values) Set(key, value string) { v[key] = []string{value} }
func (v Values) Add(key, value string) { v[key] = append(v[key], value) }
func (v Values) Del(key string)        { delete(v, key) }

func (v Values) Has(key string) bool {
	_, ok := v[key]
	return ok
}

func (vs Values) Clone() Values {
	if vs == nil {
		return nil
	}
	c := make(Values, len(vs))
	for k, v := range vs {
		c[k] = slices.Clone(v)
	}
	return c
}

// ParseQuery gives what could be parsed, and the first error.
func ParseQuery(query string) (Values, error) {
	values := make(Values)
	limit := 10000
	if n, err := strconv.Atoi(godebug.Value("urlmaxqueryparams")); err == nil {
		// Such a limit is one more than may be.
		limit = n - 1
	}
	if limit >= 0 && strings.Count(query, "&")+1 > limit {
		return values, errors.New("number of URL query parameters exceeded limit")
	}
	var first error
	fail := func(err error) {
		if first == nil {
			first = err
		}
	}
	for query != "" {
		var part string
		part, query, _ = strings.Cut(query, "&")
		if strings.Contains(part, ";") {
			// Whoever asks is told of the last of these.
			first = errors.New("invalid semicolon separator in query")
			continue
		}
		if part == "" {
			continue
		}
		key, value, _ := strings.Cut(part, "=")
		key, err := QueryUnescape(key)
		if err != nil {
			fail(err)
			continue
		}
		if value, err = QueryUnescape(value); err != nil {
			fail(err)
			continue
		}
		values[key] = append(values[key], value)
	}
	return values, first
}

// Encode writes the values in the order of their names.
func (v Values) Encode() string {
	keys := make([]string, 0, len(v))
	for k := range v {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var b strings.Builder
	for _, k := range keys {
		name := QueryEscape(k)
		for _, value := range v[k] {
			if b.Len() > 0 {
				b.WriteByte('&')
			}
			b.WriteString(name + "=" + QueryEscape(value))
		}
	}
	return b.String()
}

// checkLiteral says what is wrong with an address between brackets.
func checkLiteral(addr string) error {
	if !strings.Contains(addr, ":") {
		return errors.New("invalid IP-literal")
	}
	return nil
}
