package http

import (
	"errors"
	"fmt"
	"internal/godebug"
	"iter"
	"log"
	"net"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Cookies: RFC 6265. What comes in is read as a row of pairs between semicolons; what goes out is
// written as such a row, and what cannot stand in it is dropped, and logged.

// Cookie is what a server asks a client to keep, or what the client sends of it.
type Cookie struct {
	Name        string
	Value       string
	Quoted      bool
	Path        string
	Domain      string
	Expires     time.Time
	RawExpires  string
	MaxAge      int
	Secure      bool
	HttpOnly    bool
	SameSite    SameSite
	Partitioned bool
	Raw         string
	Unparsed    []string
}

// SameSite says whether a cookie is sent when another site has led to this one.
type SameSite int

const (
	SameSiteDefaultMode SameSite = iota + 1
	SameSiteLaxMode
	SameSiteStrictMode
	SameSiteNoneMode
)

// siteModes are the modes as they are written; that of the default stands for all others.
var siteModes = [...]string{
	SameSiteLaxMode:    "Lax",
	SameSiteStrictMode: "Strict",
	SameSiteNoneMode:   "None",
}

// CookieJar keeps cookies.
type CookieJar interface {
	SetCookies(u *url.URL, cookies []*Cookie)
	Cookies(u *url.URL) []*Cookie
}

var (
	errNoCookieText = errors.New("http: blank cookie")
	errNoEquals     = errors.New("http: '=' not found in cookie")
	errCookieName   = errors.New("http: invalid cookie name")
	errCookieValue  = errors.New("http: invalid cookie value")
	errManyCookies  = errors.New("http: number of cookies exceeded limit")
)

// areTooMany says whether there are more cookies than GODEBUG allows.
func areTooMany(n int) bool {
	limit := 3000
	if set, err := strconv.Atoi(godebug.Value("httpcookiemaxnum")); err == nil {
		limit = set
		if n > 3000 && (limit == 0 || n <= limit) {
			godebug.Count("httpcookiemaxnum")
		}
	}
	return limit != 0 && n > limit
}

// piece is what stands between two semicolons: perhaps a name and a value.
type piece struct {
	text, name, value string
	hasValue          bool
}

// pieces cuts a row up.
func pieces(row string) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		for text := range strings.SplitSeq(row, ";") {
			p := piece{text: textproto.TrimString(text)}
			p.name, p.value, p.hasValue = strings.Cut(p.text, "=")
			if !yield(p) {
				return
			}
		}
	}
}

// cookie is the piece as a cookie, if it can be one.
func (p piece) cookie() (*Cookie, error) {
	c := &Cookie{Name: p.name, Value: p.value}
	if inner, ok := strings.CutPrefix(p.value, `"`); ok && strings.HasSuffix(inner, `"`) {
		c.Value, c.Quoted = inner[:len(inner)-1], true
	}
	switch {
	case !p.hasValue:
		return nil, errNoEquals
	case !isToken(c.Name):
		return nil, errCookieName
	case !consistsOf(c.Value, isCookieValue):
		return nil, errCookieValue
	}
	return c, nil
}

// ParseCookie reads what a client sends.
func ParseCookie(line string) ([]*Cookie, error) {
	n := strings.Count(line, ";") + 1
	switch {
	case areTooMany(n):
		return nil, errManyCookies
	case n == 1 && textproto.TrimString(line) == "":
		return nil, errNoCookieText
	}
	return readRow(line, true, "")
}

// readRow reads a row of cookies, of one name if only is not empty. What is none ends it, or, if that
// is not strict, is passed over.
func readRow(row string, isStrict bool, only string) ([]*Cookie, error) {
	all := make([]*Cookie, 0, strings.Count(row, ";")+1)
	for p := range pieces(row) {
		if !isStrict {
			p.name, p.hasValue = textproto.TrimString(p.name), true
		}
		if only != "" && only != p.name {
			continue
		}
		c, err := p.cookie()
		if err == nil {
			all = append(all, c)
		} else if isStrict {
			return nil, err
		}
	}
	return all, nil
}

// ParseSetCookie reads what a server sends: the first piece is the cookie, the others say more of it.
func ParseSetCookie(line string) (c *Cookie, err error) {
	if textproto.TrimString(line) == "" {
		return nil, errNoCookieText
	}
	for p := range pieces(textproto.TrimString(line)) {
		switch {
		case c == nil:
			p.name = textproto.TrimString(p.name)
			if c, err = p.cookie(); err != nil {
				return nil, err
			}
			c.Raw = line
		case p.text == "" || !isASCII(p.name):
		case !consistsOf(p.value, isCookieValue) || !c.learn(strings.ToLower(p.name), p.value):
			c.Unparsed = append(c.Unparsed, p.text)
		}
	}
	return c, nil
}

// learn is false if what is said of the cookie is not understood.
func (c *Cookie) learn(name, value string) bool {
	switch name {
	case "secure":
		c.Secure = true
	case "httponly":
		c.HttpOnly = true
	case "partitioned":
		c.Partitioned = true
	case "domain":
		c.Domain = value
	case "path":
		c.Path = value
	case "samesite":
		c.SameSite = SameSiteDefaultMode
		for mode, text := range siteModes {
			if text != "" && equalFold(value, text) {
				c.SameSite = SameSite(mode)
			}
		}
	case "max-age":
		n, err := strconv.Atoi(value)
		if err != nil || n != 0 && value[0] == '0' {
			return false
		}
		if c.MaxAge = n; n <= 0 {
			c.MaxAge = -1
		}
	case "expires":
		c.RawExpires = value
		for _, layout := range [...]string{time.RFC1123, "Mon, 02-Jan-2006 15:04:05 MST"} {
			if t, err := time.Parse(layout, value); err == nil {
				c.Expires = t.UTC()
				return true
			}
		}
		return false
	default:
		return false
	}
	return true
}

// setCookies reads the cookies that a server sets; bad ones are passed over.
func setCookies(h Header) []*Cookie {
	lines := h["Set-Cookie"]
	if areTooMany(len(lines)) {
		lines = nil
	}
	all := []*Cookie{}
	for _, line := range lines {
		if c, _ := ParseSetCookie(line); c != nil {
			all = append(all, c)
		}
	}
	return all
}

// SetCookie adds a cookie to what is answered; a cookie without a proper name is dropped.
func SetCookie(w ResponseWriter, cookie *Cookie) {
	if line := cookie.String(); line != "" {
		w.Header().Add("Set-Cookie", line)
	}
}

// sentCookies reads the cookies that a client sends, of one name if only is not empty.
func sentCookies(h Header, only string) []*Cookie {
	row := strings.Join(h["Cookie"], ";")
	if row == "" || areTooMany(strings.Count(row, ";")+1) {
		return []*Cookie{}
	}
	all, _ := readRow(row, false, only)
	return all
}

// Valid says what of a cookie cannot be sent.
func (c *Cookie) Valid() error {
	if c == nil {
		return errors.New("http: nil Cookie")
	}
	why := ""
	bytesOf := func(field, s string, is func(byte) bool) string {
		for i := range len(s) {
			if !is(s[i]) {
				return fmt.Sprintf("invalid byte %q in %s", s[i], field)
			}
		}
		return ""
	}
	switch {
	case !isToken(c.Name):
		why = "invalid Cookie.Name"
	case !c.Expires.IsZero() && !isCookieTime(c.Expires):
		why = "invalid Cookie.Expires"
	case !consistsOf(c.Value, isCookieValue):
		why = bytesOf("Cookie.Value", c.Value, isCookieValue)
	case !consistsOf(c.Path, isCookiePath):
		why = bytesOf("Cookie.Path", c.Path, isCookiePath)
	case c.Domain != "" && !isCookieDomain(c.Domain):
		why = "invalid Cookie.Domain"
	case c.Partitioned && !c.Secure:
		why = "partitioned cookies must be set with Secure"
	default:
		return nil
	}
	return errors.New("http: " + why)
}

// String is the cookie as it is sent: with a name and a value only, or with what else is set.
func (c *Cookie) String() string {
	if c == nil || !isToken(c.Name) {
		return ""
	}
	var row strings.Builder
	row.WriteString(c.Name + "=" + cookieValue(c.Value, c.Quoted))
	say := func(is bool, what, value string) {
		if is {
			row.WriteString("; ")
			row.WriteString(what)
			row.WriteString(value)
		}
	}
	say(c.Path != "", "Path=", keepOnly("Cookie.Path", c.Path, isCookiePath))
	hasDomain := isCookieDomain(c.Domain)
	if c.Domain != "" && !hasDomain {
		log.Printf("net/http: invalid Cookie.Domain %q; dropping domain attribute", c.Domain)
	}
	say(hasDomain, "Domain=", strings.TrimPrefix(c.Domain, "."))
	if isCookieTime(c.Expires) {
		say(true, "Expires=", c.Expires.UTC().Format(TimeFormat))
	}
	if c.MaxAge != 0 {
		say(true, "Max-Age=", strconv.Itoa(max(c.MaxAge, 0)))
	}
	say(c.HttpOnly, "HttpOnly", "")
	say(c.Secure, "Secure", "")
	if SameSiteLaxMode <= c.SameSite && c.SameSite <= SameSiteNoneMode {
		say(true, "SameSite=", siteModes[c.SameSite])
	}
	say(c.Partitioned, "Partitioned", "")
	return row.String()
}

func isCookieTime(t time.Time) bool { return t.Year() >= 1601 }

func isCookieValue(c byte) bool { return isCookiePath(c) && c != '"' && c != '\\' }

func isCookiePath(c byte) bool { return ' ' <= c && c < 0x7f && c != ';' }

func consistsOf(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if !is(s[i]) {
			return false
		}
	}
	return true
}

// keepOnly drops bytes that cannot be sent, and tells of the first.
func keepOnly(what, s string, is func(byte) bool) string {
	if consistsOf(s, is) {
		return s
	}
	var kept strings.Builder
	isFirst := true
	for i := range len(s) {
		switch {
		case is(s[i]):
			kept.WriteByte(s[i])
		case isFirst:
			log.Printf("net/http: invalid byte %q in %s; dropping invalid bytes", s[i], what)
			isFirst = false
		}
	}
	return kept.String()
}

func cookieName(name string) string {
	return strings.NewReplacer("\n", "-", "\r", "-").Replace(name)
}

func cookieValue(v string, isQuoted bool) string {
	v = keepOnly("Cookie.Value", v, isCookieValue)
	if isQuoted || strings.ContainsAny(v, " ,") {
		return `"` + v + `"`
	}
	return v
}

// isCookieDomain says whether it is a name of a host, perhaps behind a dot, or an IPv4 address.
func isCookieDomain(v string) bool {
	return isDomainName(v) || net.ParseIP(v) != nil && !strings.Contains(v, ":")
}

// isDomainName says whether a text, perhaps behind a dot, consists of labels, of which one has a
// letter; only the last may be empty.
func isDomainName(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if s == "" || len(s) > 255 || !strings.ContainsAny(s, letters) {
		return false
	}
	rest, more := strings.TrimPrefix(s, "."), true
	for more {
		var label string
		label, rest, more = strings.Cut(rest, ".")
		inner := strings.Trim(label, letters+"0123456789-")
		if inner != "" || len(label) > 63 || label == "" && more ||
			strings.Trim(label, "-") != label {
			return false
		}
	}
	return true
}
