// Package url: URLs and their parts, escaped and not. RFC 3986.
package url

import (
	"cmp"
	"errors"
	"fmt"
	"internal/godebug"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

type Error struct {
	Op  string
	URL string
	Err error
}

func (e *Error) Error() string { return fmt.Sprintf("%s %q: %s", e.Op, e.URL, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

func (e *Error) Timeout() bool {
	why, knows := e.Err.(interface{ Timeout() bool })
	return knows && why.Timeout()
}

func (e *Error) Temporary() bool {
	why, knows := e.Err.(interface{ Temporary() bool })
	return knows && why.Temporary()
}

type (
	EscapeError      string
	InvalidHostError string
)

func (what EscapeError) Error() string { return "invalid URL escape " + strconv.Quote(string(what)) }

func (what InvalidHostError) Error() string {
	return "invalid character " + strconv.Quote(string(what)) + " in host name"
}

// A mode is a part of a URL, which has rules of its own for what is escaped.
type mode uint8

const (
	inPath mode = iota
	inSegment
	inHost
	inZone
	inUser
	inQuery
	inFragment
)

// Characters that stand for themselves besides letters and digits, in each mode.
var bare = [...]string{
	inPath:     "-_.~$&+,/:;=@",
	inSegment:  "-_.~$&+:=@",
	inHost:     "-_.~!$&'()*+,;=:[]<>\"",
	inZone:     "-_.~!$&'()*+,;=:[]<>\"",
	inUser:     "-_.~$&+,;=",
	inQuery:    "-_.~",
	inFragment: "-_.~$&+,/:;=?@!()*",
}

// isBare says of each character in which modes it is not escaped: a bit for each.
var isBare = func() (t [256]uint8) {
	for m, set := range bare {
		for c := range t {
			if c := byte(c); isAlnum(c) || strings.IndexByte(set, c) >= 0 {
				t[c] |= 1 << m
			}
		}
	}
	return
}()

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' && c < 0x80
}

// digit is the value of a hexadecimal digit, or -1.
func digit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

func QueryEscape(s string) string { return escape(s, inQuery) }
func PathEscape(s string) string  { return escape(s, inSegment) }

func escape(s string, m mode) string {
	n := 0
	for i := range len(s) {
		if isBare[s[i]]>>m&1 == 0 {
			n++
		}
	}
	if n == 0 {
		return s
	}
	const hex = "0123456789ABCDEF"
	b := make([]byte, 0, len(s)+2*n)
	for i := range len(s) {
		switch c := s[i]; {
		case isBare[c]>>m&1 != 0:
			b = append(b, c)
		case c == ' ' && m == inQuery:
			b = append(b, '+')
		default:
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(b)
}

func QueryUnescape(s string) (string, error) { return unescape(s, inQuery) }
func PathUnescape(s string) (string, error)  { return unescape(s, inSegment) }

func unescape(s string, m mode) (string, error) {
	inName := m == inHost || m == inZone
	if !inName && !strings.ContainsAny(s, "%+") {
		return s, nil
	}
	meant := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '%':
			if i+2 >= len(s) || digit(s[i+1]) < 0 || digit(s[i+2]) < 0 {
				return "", EscapeError(s[i:min(len(s), i+3)])
			}
			c = byte(digit(s[i+1])<<4 | digit(s[i+2]))
			// In names of hosts only what is not ASCII is escaped, and a percent sign; in zones
			// what Windows has there, too.
			if c != '%' && (m == inHost && c < 0x80 ||
				m == inZone && c != ' ' && isBare[c]>>inHost&1 == 0) {
				return "", EscapeError(s[i : i+3])
			}
			i += 2
		case c == '+' && m == inQuery:
			c = ' '
		case inName && c < 0x80 && isBare[c]>>m&1 == 0:
			return "", InvalidHostError(s[i : i+1])
		}
		meant = append(meant, c)
	}
	return string(meant), nil
}

type URL struct {
	Scheme   string
	Opaque   string
	User     *Userinfo
	Host     string
	Path     string
	Fragment string

	RawQuery    string
	RawPath     string
	RawFragment string
	ForceQuery  bool
	OmitHost    bool
}

type Userinfo struct {
	username    string
	password    string
	passwordSet bool
}

func UserPassword(name, password string) *Userinfo {
	return &Userinfo{username: name, password: password, passwordSet: true}
}

func User(name string) *Userinfo { return &Userinfo{username: name} }

// orNobody is u, or somebody without a name where there is nobody.
func (u *Userinfo) orNobody() *Userinfo {
	if u == nil {
		return &nobody
	}
	return u
}

var nobody Userinfo

func (u *Userinfo) Username() string { return u.orNobody().username }

func (u *Userinfo) Password() (string, bool) {
	u = u.orNobody()
	return u.password, u.passwordSet
}

func (u *Userinfo) String() string {
	password, hasPassword := u.Password()
	if hasPassword {
		password = ":" + escape(password, inUser)
	}
	return escape(u.Username(), inUser) + password
}

// cutScheme takes what stands before a colon off s, if it is a scheme.
func cutScheme(s string) (scheme, rest string, err error) {
	for i := range len(s) {
		switch c := s[i]; {
		case c == ':' && i == 0:
			return "", "", errors.New("missing protocol scheme")
		case c == ':':
			return s[:i], s[i+1:], nil
		case !isAlnum(c) && c != '+' && c != '-' && c != '.', i == 0 && c < 'A':
			return "", s, nil
		}
	}
	return "", s, nil
}

func Parse(rawURL string) (*URL, error) {
	told, fragment, _ := strings.Cut(rawURL, "#")
	u, err := parse(told, false)
	if fragment != "" && err == nil {
		told, err = rawURL, u.takeFragment(fragment)
	}
	return parsed(told, u, err)
}

// parsed is what callers get of text that has been parsed.
func parsed(text string, u *URL, err error) (*URL, error) {
	if err == nil {
		return u, nil
	}
	return nil, &Error{"parse", text, err}
}

func ParseRequestURI(rawURL string) (*URL, error) {
	u, err := parse(rawURL, true)
	return parsed(rawURL, u, err)
}

// parse parses s, which has no fragment; one of a request is absolute, or a path.
func parse(s string, ofRequest bool) (*URL, error) {
	isControl := func(r rune) bool { return r < ' ' || r == 0x7f }
	switch {
	case strings.IndexFunc(s, isControl) >= 0:
		return nil, errors.New("net/url: invalid control character in URL")
	case s == "" && ofRequest:
		return nil, errors.New("empty url")
	case s == "*":
		return &URL{Path: s}, nil
	}
	scheme, rest, err := cutScheme(s)
	if err != nil {
		return nil, err
	}
	hierarchy, query, hasQuery := strings.Cut(rest, "?")
	u := &URL{
		Scheme: strings.ToLower(scheme), RawQuery: query, ForceQuery: hasQuery && query == "",
	}
	if err := u.setHierarchy(hierarchy, ofRequest); err != nil {
		return nil, err
	}
	return u, nil
}

// setHierarchy reads what lies between scheme and query: host and path, or something opaque.
func (u *URL) setHierarchy(s string, ofRequest bool) error {
	hasScheme := u.Scheme != ""
	if !strings.HasPrefix(s, "/") {
		switch {
		case hasScheme:
			u.Opaque = s
			return nil
		case ofRequest:
			return errors.New("invalid URI for request")
		case colonFirst(s):
			return errors.New("first path segment in URL cannot contain colon")
		}
		return u.takePath(s)
	}
	after, hasHost := strings.CutPrefix(s, "//")
	if !hasScheme && (ofRequest || strings.HasPrefix(after, "/")) {
		hasHost = false
	}
	u.OmitHost = hasScheme && !hasHost
	if !hasHost {
		return u.takePath(s)
	}
	host, path := after, ""
	if slash := strings.IndexByte(after, '/'); slash >= 0 {
		host, path = after[:slash], after[slash:]
	}
	if err := u.setAuthority(host); err != nil {
		return err
	}
	return u.takePath(path)
}

// colonFirst says whether the first part of a path has a colon.
func colonFirst(path string) bool {
	segment, _, _ := strings.Cut(path, "/")
	return strings.Contains(segment, ":")
}

func (u *URL) setAuthority(s string) error {
	i := strings.LastIndexByte(s, '@')
	host, err := checkHost(u.Scheme, s[i+1:])
	if err != nil {
		return err
	}
	u.Host = host
	if i < 0 {
		return nil
	}
	for j := range i {
		if c := s[j]; !isAlnum(c) && strings.IndexByte("-._:~!$&'()*+,;=%@", c) < 0 {
			return errors.New("net/url: invalid userinfo")
		}
	}
	name, password, hasPassword := strings.Cut(s[:i], ":")
	if name, err = unescape(name, inUser); err != nil {
		return err
	}
	if password, err = unescape(password, inUser); err != nil {
		return err
	}
	u.User = &Userinfo{name, password, hasPassword}
	return nil
}

func checkPort(colonPort string) error {
	if !isPort(colonPort) {
		return fmt.Errorf("invalid port %q after host", colonPort)
	}
	return nil
}

// isPort says whether s is empty, or a colon with digits.
func isPort(s string) bool {
	if s == "" {
		return true
	}
	return s[0] == ':' && strings.Trim(s[1:], "0123456789") == ""
}

func checkHost(scheme, host string) (string, error) {
	switch open := strings.LastIndexByte(host, '['); {
	case open > 0:
		return "", errors.New("invalid IP-literal")
	case open == 0:
		return parseLiteral(host)
	}
	if i := strings.IndexByte(host, ':'); i >= 0 {
		if last := strings.LastIndexByte(host, ':'); last != i {
			isHTTP := scheme == "http" || scheme == "https"
			if !isHTTP {
				i = last
			} else if godebug.Is("urlstrictcolons", "0") {
				i = last
			}
		}
		if err := checkPort(host[i:]); err != nil {
			return "", err
		}
	}
	return unescape(host, inHost)
}

// parseLiteral reads an address of IPv6 in brackets, with a zone and a port perhaps.
func parseLiteral(host string) (string, error) {
	end := strings.LastIndexByte(host, ']')
	if end < 0 {
		return "", errors.New("missing ']' in host")
	}
	port := host[end+1:]
	if err := checkPort(port); err != nil {
		return "", err
	}
	name, zone := host[1:end], ""
	if i := strings.Index(name, "%25"); i >= 0 {
		name, zone = name[:i], name[i:]
	}
	name, err := unescape(name, inHost)
	if err != nil {
		return "", err
	}
	if zone, err = unescape(zone, inZone); err != nil {
		return "", err
	}
	switch addr, err := netip.ParseAddr(name + zone); {
	case err != nil:
		return "", fmt.Errorf("invalid host: %w", err)
	case addr.Is4():
		return "", errors.New("invalid IP-literal")
	}
	return "[" + name + zone + "]" + port, nil
}

// split is what p stands for, and p itself if it is not what one would write for that.
func split(p string, m mode) (plain, raw string, err error) {
	if plain, err = unescape(p, m); err != nil {
		return "", "", err
	}
	if p != escape(plain, m) {
		raw = p
	}
	return plain, raw, nil
}

func (u *URL) takePath(p string) error {
	plain, raw, err := split(p, inPath)
	if err == nil {
		u.Path, u.RawPath = plain, raw
	}
	return err
}

func (u *URL) takeFragment(f string) error {
	plain, raw, err := split(f, inFragment)
	if err == nil {
		u.Fragment, u.RawFragment = plain, raw
	}
	return err
}

// isEncoded says whether raw is one way to write plain.
func isEncoded(raw, plain string, m mode) bool {
	for i := range len(raw) {
		if c := raw[i]; isBare[c]>>m&1 == 0 && strings.IndexByte("!$&'()*+,;=:@[]%", c) < 0 {
			return false
		}
	}
	p, err := unescape(raw, m)
	return raw != "" && err == nil && p == plain
}

func (u *URL) EscapedPath() string {
	if isEncoded(u.RawPath, u.Path, inPath) {
		return u.RawPath
	}
	if u.Path == "*" {
		return "*"
	}
	return escape(u.Path, inPath)
}

func (u *URL) EscapedFragment() string {
	if isEncoded(u.RawFragment, u.Fragment, inFragment) {
		return u.RawFragment
	}
	return escape(u.Fragment, inFragment)
}

func (u *URL) String() string {
	var b strings.Builder
	if u.Scheme != "" {
		b.WriteString(u.Scheme + ":")
	}
	if u.Opaque != "" {
		b.WriteString(u.Opaque)
	} else {
		u.writeHierarchy(&b)
	}
	if u.hasQuery() {
		b.WriteString("?" + u.RawQuery)
	}
	if u.Fragment != "" {
		b.WriteString("#" + u.EscapedFragment())
	}
	return b.String()
}

// writeHierarchy writes host and path, so that they are read as such.
func (u *URL) writeHierarchy(b *strings.Builder) {
	path := u.EscapedPath()
	hasHost := u.Host != "" || u.User != nil
	if hasHost || u.Scheme != "" && !u.OmitHost && u.Path != "" {
		b.WriteString("//")
		if u.User != nil {
			b.WriteString(u.User.String() + "@")
		}
		b.WriteString(escape(u.Host, inHost))
	}
	if u.OmitHost && !hasHost && strings.HasPrefix(path, "//") {
		b.WriteString("%2F")
		path = path[1:]
	}
	if u.Host != "" && path != "" && path[0] != '/' {
		b.WriteByte('/')
	}
	if b.Len() == 0 && colonFirst(path) {
		b.WriteString("./")
	}
	b.WriteString(path)
}

func (u *URL) Redacted() string {
	if u == nil {
		return ""
	}
	c := *u
	if _, ok := c.User.Password(); ok {
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

func (u *URL) Parse(ref string) (*URL, error) {
	r, err := Parse(ref)
	if err == nil {
		r = u.ResolveReference(r)
	}
	return r, err
}

func (u *URL) ResolveReference(ref *URL) *URL {
	r := *ref
	isElsewhere := ref.Scheme != "" || ref.Host != "" || ref.User != nil
	if ref.Scheme == "" {
		r.Scheme = u.Scheme
	}
	if !isElsewhere && ref.Opaque == "" && ref.Path == "" && !ref.ForceQuery && ref.RawQuery == "" {
		r.RawQuery = u.RawQuery
		if ref.Fragment == "" {
			r.Fragment, r.RawFragment = u.Fragment, u.RawFragment
		}
	}
	isOpaque := ref.Opaque != ""
	if ref.Path == "" && !isElsewhere && !isOpaque && u.Opaque != "" {
		r.Opaque, isOpaque = u.Opaque, true
	}
	switch {
	case isElsewhere:
		r.takePath(pathSeenFrom(ref.EscapedPath(), ""))
	case isOpaque:
		r.User, r.Host, r.Path = nil, "", ""
	default:
		r.User, r.Host = u.User, u.Host
		r.takePath(pathSeenFrom(u.EscapedPath(), ref.EscapedPath()))
	}
	return &r
}

// pathSeenFrom is ref seen from base, without dots. RFC 3986, section 5.2.
func pathSeenFrom(base, ref string) string {
	full := ref
	switch {
	case ref == "":
		full = base
	case ref[0] != '/':
		full = base[:strings.LastIndexByte(base, '/')+1] + ref
	}
	if full == "" {
		return ""
	}
	var kept []string
	last := ""
	for last = range strings.SplitSeq(full, "/") {
		switch n := len(kept); {
		case last == "..":
			// What is left of a rooted path without parts is nothing.
			if kept = kept[:max(0, n-1)]; len(kept) == 1 && kept[0] == "" {
				kept = kept[:0]
			}
		case last != ".":
			kept = append(kept, last)
		case n == 0:
			kept = append(kept, "")
		}
	}
	path := "/" + strings.Join(kept, "/")
	if last == "." || last == ".." {
		path += "/"
	}
	if strings.HasPrefix(path, "//") {
		path = path[1:]
	}
	return path
}

func (u *URL) Query() Values {
	params, _ := ParseQuery(u.RawQuery)
	return params
}

func (u *URL) RequestURI() string {
	var target string
	switch {
	case u.Opaque == "":
		target = cmp.Or(u.EscapedPath(), "/")
	case strings.HasPrefix(u.Opaque, "//"):
		target = u.Scheme + ":" + u.Opaque
	default:
		target = u.Opaque
	}
	if u.hasQuery() {
		return target + "?" + u.RawQuery
	}
	return target
}

// hasQuery says whether there is a question mark.
func (u *URL) hasQuery() bool { return u.ForceQuery || u.RawQuery != "" }

// hostPort is name and port, the former without brackets.
func (u *URL) hostPort() (host, port string) {
	host = u.Host
	if i := strings.LastIndexByte(host, ':'); i >= 0 && isPort(host[i:]) {
		host, port = host[:i], host[i+1:]
	}
	if inner, isOpen := strings.CutPrefix(host, "["); isOpen {
		if inner, isShut := strings.CutSuffix(inner, "]"); isShut {
			return inner, port
		}
	}
	return host, port
}

func (u *URL) Port() string {
	_, port := u.hostPort()
	return port
}

func (u *URL) Hostname() string {
	host, _ := u.hostPort()
	return host
}

func (u *URL) AppendBinary(to []byte) ([]byte, error)  { return append(to, u.String()...), nil }
func (u *URL) MarshalBinary() (text []byte, err error) { return u.AppendBinary(nil) }

func (u *URL) UnmarshalBinary(text []byte) error {
	parsed, err := Parse(string(text))
	if err == nil {
		*u = *parsed
	}
	return err
}

// withElements is u with its path and more behind it, without dots. The path ends with a slash if
// the last of them does; no path at all is one.
func (u *URL) withElements(elem []string) (*URL, error) {
	base := u.EscapedPath()
	last := "/" + base
	if n := len(elem); n > 0 {
		last = elem[n-1]
	}
	var kept []string
	for part := range strings.SplitSeq(base+"/"+strings.Join(elem, "/"), "/") {
		switch part {
		case "", ".":
		case "..":
			kept = kept[:max(0, len(kept)-1)]
		default:
			kept = append(kept, part)
		}
	}
	if strings.HasSuffix(last, "/") && len(kept) > 0 {
		kept = append(kept, "")
	}
	joined := strings.Join(kept, "/")
	if strings.HasPrefix(base, "/") || joined == "" && strings.HasSuffix(last, "/") {
		joined = "/" + joined
	}
	out := *u
	return &out, out.takePath(joined)
}

func (u *URL) JoinPath(elem ...string) *URL {
	joined, _ := u.withElements(elem)
	return joined
}

func JoinPath(base string, elem ...string) (result string, err error) {
	u, err := Parse(base)
	if err != nil {
		return "", err
	}
	joined, err := u.withElements(elem)
	if err != nil {
		return "", err
	}
	return joined.String(), nil
}

// Values is what a query says.
type Values map[string][]string

func (params Values) Has(key string) bool {
	_, has := params[key]
	return has
}

// Get gives the first value, "" if there is none.
func (params Values) Get(key string) (first string) {
	if all := params[key]; len(all) > 0 {
		first = all[0]
	}
	return first
}

func (params Values) Del(key string)        { delete(params, key) }
func (params Values) Add(key, value string) { params[key] = append(params[key], value) }
func (params Values) Set(key, value string) { params[key] = []string{value} }

func (params Values) Clone() Values {
	if params == nil {
		return nil
	}
	c := make(Values, len(params))
	for key, list := range params {
		c[key] = slices.Clone(list)
	}
	return c
}

func (params Values) Encode() string {
	var keys []string
	for key := range params {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	var pairs []byte
	for _, key := range keys {
		begin := "&" + QueryEscape(key) + "="
		for _, value := range params[key] {
			pairs = append(append(pairs, begin...), QueryEscape(value)...)
		}
	}
	// The first pair has nothing to be set apart from.
	return strings.TrimPrefix(string(pairs), "&")
}

// tooMany says whether a query may not have n parameters.
func tooMany(n int) bool {
	const usual = 10000
	most, err := strconv.Atoi(godebug.Value("urlmaxqueryparams"))
	if err != nil {
		return n > usual
	}
	if n > usual && !(most != 0 && n >= most) {
		godebug.Count("urlmaxqueryparams")
	}
	return most != 0 && n >= most
}

func ParseQuery(query string) (Values, error) {
	v := make(Values)
	if tooMany(strings.Count(query, "&") + 1) {
		return v, errors.New("number of URL query parameters exceeded limit")
	}
	var first error
	for param := range strings.SplitSeq(query, "&") {
		switch key, value, err := parameter(param); {
		case strings.Contains(param, ";"):
			first = errors.New("invalid semicolon separator in query")
		case param == "":
		case err == nil:
			v[key] = append(v[key], value)
		case first == nil:
			first = err
		}
	}
	return v, first
}

// parameter takes key=value apart.
func parameter(s string) (key, value string, err error) {
	key, value, _ = strings.Cut(s, "=")
	if key, err = QueryUnescape(key); err == nil {
		value, err = QueryUnescape(value)
	}
	return key, value, err
}
