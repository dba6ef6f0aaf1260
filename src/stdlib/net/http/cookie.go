package http

import (
	"errors"
	"fmt"
	"internal/godebug"
	"log"
	"net"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"
)

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

type SameSite int

const (
	SameSiteDefaultMode SameSite = iota + 1
	SameSiteLaxMode
	SameSiteStrictMode
	SameSiteNoneMode
)

// CookieJar keeps cookies.
type CookieJar interface {
	SetCookies(u *url.URL, cookies []*Cookie)
	Cookies(u *url.URL) []*Cookie
}

var (
	errBlankCookie = errors.New("http: blank cookie")
	errNoEquals    = errors.New("http: '=' not found in cookie")
	errCookieName  = errors.New("http: invalid cookie name")
	errCookieValue = errors.New("http: invalid cookie value")
	errManyCookies = errors.New("http: number of cookies exceeded limit")
)

// areTooMany says whether there are more cookies than GODEBUG allows.
func areTooMany(n int) bool {
	limit := 3000
	if set, err := strconv.Atoi(godebug.Value("httpcookiemaxnum")); err == nil {
		limit = set
	}
	return limit != 0 && n > limit
}

// ParseCookie reads what a client sends.
func ParseCookie(line string) ([]*Cookie, error) {
	parts := strings.Split(line, ";")
	if areTooMany(len(parts)) {
		return nil, errManyCookies
	}
	if len(parts) == 1 && textproto.TrimString(line) == "" {
		return nil, errBlankCookie
	}
	cookies := make([]*Cookie, 0, len(parts))
	for _, part := range parts {
		name, value, hasValue := strings.Cut(textproto.TrimString(part), "=")
		c, err := newCookie(name, value, hasValue)
		if err != nil {
			return nil, err
		}
		cookies = append(cookies, c)
	}
	return cookies, nil
}

func newCookie(name, value string, hasValue bool) (*Cookie, error) {
	if !hasValue {
		return nil, errNoEquals
	}
	if !isToken(name) {
		return nil, errCookieName
	}
	value, isQuoted := unquoteCookie(value)
	if !consistsOf(value, isCookieValue) {
		return nil, errCookieValue
	}
	return &Cookie{Name: name, Value: value, Quoted: isQuoted}, nil
}

func unquoteCookie(v string) (string, bool) {
	if len(v) > 1 && v[0] == '"' && v[len(v)-1] == '"' {
		return v[1 : len(v)-1], true
	}
	return v, false
}

// ParseSetCookie reads what a server sends.
func ParseSetCookie(line string) (*Cookie, error) {
	first, rest, _ := strings.Cut(textproto.TrimString(line), ";")
	if first == "" && rest == "" && !strings.Contains(line, ";") {
		return nil, errBlankCookie
	}
	name, value, hasValue := strings.Cut(textproto.TrimString(first), "=")
	c, err := newCookie(textproto.TrimString(name), value, hasValue)
	if err != nil {
		return nil, err
	}
	c.Raw = line
	for part := range strings.SplitSeq(rest, ";") {
		part = textproto.TrimString(part)
		name, value, _ := strings.Cut(part, "=")
		if part == "" || !isASCII(name) {
			continue
		}
		if !consistsOf(value, isCookieValue) || !c.setAttribute(strings.ToLower(name), value) {
			c.Unparsed = append(c.Unparsed, part)
		}
	}
	return c, nil
}

// setAttribute is false if the attribute is not understood.
func (c *Cookie) setAttribute(name, value string) bool {
	switch name {
	case "samesite":
		switch strings.ToLower(value) {
		case "lax":
			c.SameSite = SameSiteLaxMode
		case "strict":
			c.SameSite = SameSiteStrictMode
		case "none":
			c.SameSite = SameSiteNoneMode
		default:
			c.SameSite = SameSiteDefaultMode
		}
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
	case "max-age":
		seconds, err := strconv.Atoi(value)
		if err != nil || seconds != 0 && value[0] == '0' {
			return false
		}
		if seconds <= 0 {
			seconds = -1
		}
		c.MaxAge = seconds
	case "expires":
		c.RawExpires = value
		t, err := time.Parse(time.RFC1123, value)
		if err != nil {
			if t, err = time.Parse("Mon, 02-Jan-2006 15:04:05 MST", value); err != nil {
				return false
			}
		}
		c.Expires = t.UTC()
	default:
		return false
	}
	return true
}

// setCookies reads the cookies that a server sets; bad ones are passed over.
func setCookies(h Header) []*Cookie {
	lines := h["Set-Cookie"]
	cookies := []*Cookie{}
	if areTooMany(len(lines)) {
		return cookies
	}
	for _, line := range lines {
		if c, err := ParseSetCookie(line); err == nil {
			cookies = append(cookies, c)
		}
	}
	return cookies
}

// sentCookies reads the cookies that a client sends, of one name if filter is not empty.
func sentCookies(h Header, filter string) []*Cookie {
	lines := h["Cookie"]
	cookies := []*Cookie{}
	count := 0
	for _, line := range lines {
		count += strings.Count(line, ";") + 1
	}
	if areTooMany(count) {
		return cookies
	}
	for _, line := range lines {
		for part := range strings.SplitSeq(line, ";") {
			name, value, _ := strings.Cut(textproto.TrimString(part), "=")
			name = textproto.TrimString(name)
			if filter != "" && filter != name {
				continue
			}
			if c, err := newCookie(name, value, true); err == nil {
				cookies = append(cookies, c)
			}
		}
	}
	return cookies
}

// SetCookie adds a cookie to what is answered; a cookie without a proper name is dropped.
func SetCookie(w ResponseWriter, cookie *Cookie) {
	if v := cookie.String(); v != "" {
		w.Header().Add("Set-Cookie", v)
	}
}

// String is the cookie as it is sent: with a name and a value only, or with what else is set.
func (c *Cookie) String() string {
	if c == nil || !isToken(c.Name) {
		return ""
	}
	var b strings.Builder
	b.WriteString(c.Name + "=" + cookieValue(c.Value, c.Quoted))
	if c.Path != "" {
		b.WriteString("; Path=" + keepOnly("Cookie.Path", c.Path, isCookiePath))
	}
	if c.Domain != "" {
		if isCookieDomain(c.Domain) {
			b.WriteString("; Domain=" + strings.TrimPrefix(c.Domain, "."))
		} else {
			log.Printf("net/http: invalid Cookie.Domain %q; dropping domain attribute", c.Domain)
		}
	}
	if isCookieTime(c.Expires) {
		b.WriteString("; Expires=" + c.Expires.UTC().Format(TimeFormat))
	}
	if c.MaxAge != 0 {
		b.WriteString("; Max-Age=" + strconv.Itoa(max(c.MaxAge, 0)))
	}
	if c.HttpOnly {
		b.WriteString("; HttpOnly")
	}
	if c.Secure {
		b.WriteString("; Secure")
	}
	switch c.SameSite {
	case SameSiteNoneMode:
		b.WriteString("; SameSite=None")
	case SameSiteLaxMode:
		b.WriteString("; SameSite=Lax")
	case SameSiteStrictMode:
		b.WriteString("; SameSite=Strict")
	}
	if c.Partitioned {
		b.WriteString("; Partitioned")
	}
	return b.String()
}

// Valid says what of a cookie cannot be sent.
func (c *Cookie) Valid() error {
	if c == nil {
		return errors.New("http: nil Cookie")
	}
	if !isToken(c.Name) {
		return errors.New("http: invalid Cookie.Name")
	}
	if !c.Expires.IsZero() && !isCookieTime(c.Expires) {
		return errors.New("http: invalid Cookie.Expires")
	}
	for i := range len(c.Value) {
		if !isCookieValue(c.Value[i]) {
			return fmt.Errorf("http: invalid byte %q in Cookie.Value", c.Value[i])
		}
	}
	for i := range len(c.Path) {
		if !isCookiePath(c.Path[i]) {
			return fmt.Errorf("http: invalid byte %q in Cookie.Path", c.Path[i])
		}
	}
	if c.Domain != "" && !isCookieDomain(c.Domain) {
		return errors.New("http: invalid Cookie.Domain")
	}
	if c.Partitioned && !c.Secure {
		return errors.New("http: partitioned cookies must be set with Secure")
	}
	return nil
}

func isCookieTime(t time.Time) bool { return t.Year() >= 1601 }

func isCookieValue(c byte) bool {
	return ' ' <= c && c < 0x7f && c != '"' && c != ';' && c != '\\'
}

func isCookiePath(c byte) bool { return ' ' <= c && c < 0x7f && c != ';' }

func consistsOf(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if !is(s[i]) {
			return false
		}
	}
	return true
}

// keepOnly drops bytes that cannot be sent, and says so.
func keepOnly(what, s string, is func(byte) bool) string {
	kept := make([]byte, 0, len(s))
	for _, c := range []byte(s) {
		if is(c) {
			kept = append(kept, c)
			continue
		}
		if what != "" {
			log.Printf("net/http: invalid byte %q in %s; dropping invalid bytes", c, what)
			what = ""
		}
	}
	return string(kept)
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

func isDomainName(s string) bool {
	if s == "" || len(s) > 255 {
		return false
	}
	s = strings.TrimPrefix(s, ".")
	hasLetter := false
	labels := strings.Split(s, ".")
	for i, label := range labels {
		isLast := i == len(labels)-1
		if len(label) > 63 || label == "" && !isLast {
			return false
		}
		if strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
			return false
		}
		for _, c := range []byte(label) {
			isLetter := 'a' <= c|0x20 && c|0x20 <= 'z'
			if !isLetter && !('0' <= c && c <= '9') && c != '-' {
				return false
			}
			hasLetter = hasLetter || isLetter
		}
	}
	return hasLetter
}
