// Package cookiejar keeps cookies in memory, for clients: RFC 6265.
//
// Cookies lie together by the part of their domain that somebody has, which is one look for each
// request; of those the ones whose domain and path fit are sent.
package cookiejar

import (
	"cmp"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// PublicSuffixList knows below which domains anybody can have one, such as co.uk.
type PublicSuffixList interface {
	PublicSuffix(domain string) string
	String() string
}

type Options struct {
	PublicSuffixList PublicSuffixList
}

// Jar keeps cookies.
type Jar struct {
	suffixes PublicSuffixList

	mu sync.Mutex
	// By the domain that somebody has, and by what tells them apart.
	cookies map[string]map[id]cookie
	// How many there have been.
	count uint64
}

type id struct{ domain, path, name string }

type cookie struct {
	value  string
	quoted bool
	secure bool
	// For that host alone.
	hostOnly bool
	// Zero if it never does.
	expires time.Time
	made    time.Time
	number  uint64
}

func New(o *Options) (*Jar, error) {
	jar := &Jar{cookies: make(map[string]map[id]cookie)}
	if o != nil {
		jar.suffixes = o.PublicSuffixList
	}
	return jar, nil
}

// hostOf is the host of a URL with which cookies have to do.
func (j *Jar) hostOf(u *url.URL) (host, key string, ok bool) {
	if u.Scheme != "http" && u.Scheme != "https" {
		return "", "", false
	}
	host = u.Host
	if n := strings.Count(host, ":"); n == 1 || n > 1 && host[0] == '[' && strings.Contains(host, "]:") {
		name, _, err := net.SplitHostPort(host)
		if err != nil {
			return "", "", false
		}
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ascii, err := http_asciiHost(host); err == nil {
		host = ascii
	}
	return host, j.key(host), true
}

// isNumber says whether a host is an address.
func isNumber(host string) bool { return strings.ContainsAny(host, ":%") || net.ParseIP(host) != nil }

// key is the part of a host that somebody has: a name below what is for everybody.
func (j *Jar) key(host string) string {
	if isNumber(host) {
		return host
	}
	suffix := host[strings.LastIndexByte(host, '.')+1:]
	if j.suffixes != nil {
		suffix = j.suffixes.PublicSuffix(host)
	}
	own, ok := strings.CutSuffix(host, "."+suffix)
	if !ok || own == "" {
		return host
	}
	return host[strings.LastIndexByte(own, '.')+1:]
}

// isBelow says whether host is in domain, and not the domain itself.
func isBelow(host, domain string) bool { return domain != "" && strings.HasSuffix(host, "."+domain) }

// Cookies has those that are to be sent to u, those with the longest path first.
func (j *Jar) Cookies(u *url.URL) (cookies []*http.Cookie) {
	host, key, ok := j.hostOf(u)
	if !ok {
		return nil
	}
	path := u.Path
	if path == "" {
		path = "/"
	}
	now := time.Now()
	j.mu.Lock()
	defer j.mu.Unlock()
	all := j.cookies[key]
	var ids []id
	for i, c := range all {
		switch {
		case !c.expires.IsZero() && !c.expires.After(now):
			delete(all, i)
		case i.fits(c, host, path) && (!c.secure || u.Scheme == "https" || isLocal(i.domain)):
			ids = append(ids, i)
		}
	}
	if len(all) == 0 {
		delete(j.cookies, key)
	}
	slices.SortFunc(ids, func(a, b id) int {
		return cmp.Or(
			cmp.Compare(b.path, a.path),
			all[a].made.Compare(all[b].made),
			cmp.Compare(all[a].number, all[b].number),
		)
	})
	for _, i := range ids {
		cookies = append(cookies, &http.Cookie{Name: i.name, Value: all[i].value, Quoted: all[i].quoted})
	}
	return cookies
}

func (i id) fits(c cookie, host, path string) bool {
	if host != i.domain && (c.hostOnly || !isBelow(host, i.domain)) {
		return false
	}
	rest, ok := strings.CutPrefix(path, i.path)
	return ok && (rest == "" || rest[0] == '/' || strings.HasSuffix(i.path, "/"))
}

// isLocal says whether nothing is sent over a net.
func isLocal(domain string) bool {
	if ip := net.ParseIP(domain); ip != nil {
		return ip.IsLoopback()
	}
	name := strings.TrimSuffix(domain, ".")
	return strings.EqualFold(name[strings.LastIndexByte(name, '.')+1:], "localhost")
}

// SetCookies keeps what the server at u has set.
func (j *Jar) SetCookies(u *url.URL, cookies []*http.Cookie) {
	if len(cookies) == 0 {
		return
	}
	host, key, ok := j.hostOf(u)
	if !ok {
		return
	}
	now := time.Now()
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, set := range cookies {
		domain, hostOnly, ok := j.domainOf(host, set.Domain)
		if !ok {
			continue
		}
		i := id{domain, set.Path, set.Name}
		if !strings.HasPrefix(i.path, "/") {
			i.path = folder(u.Path)
		}
		c := cookie{value: set.Value, quoted: set.Quoted, secure: set.Secure, hostOnly: hostOnly, made: now, number: j.count}
		switch {
		case set.MaxAge > 0:
			c.expires = now.Add(time.Duration(set.MaxAge) * time.Second)
		case set.MaxAge == 0:
			c.expires = set.Expires
		}
		if set.MaxAge < 0 || !c.expires.IsZero() && !c.expires.After(now) {
			delete(j.cookies[key], i)
			continue
		}
		if old, ok := j.cookies[key][i]; ok {
			c.made, c.number = old.made, old.number
		} else {
			j.count++
		}
		if j.cookies[key] == nil {
			j.cookies[key] = make(map[id]cookie)
		}
		j.cookies[key][i] = c
	}
	if len(j.cookies[key]) == 0 {
		delete(j.cookies, key)
	}
}

// folder is where a cookie belongs that does not say.
func folder(path string) string {
	if !strings.HasPrefix(path, "/") {
		return "/"
	}
	if i := strings.LastIndexByte(path, '/'); i > 0 {
		return path[:i]
	}
	return "/"
}

// domainOf is the domain that a cookie set by host is for, and whether it is for that host alone.
// It is not ok if a host may not set a cookie for such a domain.
func (j *Jar) domainOf(host, domain string) (of string, hostOnly, ok bool) {
	if domain == "" || isNumber(host) {
		return host, true, domain == "" || domain == host
	}
	domain = strings.ToLower(strings.TrimPrefix(domain, "."))
	isBad := strings.HasPrefix(domain, ".") || strings.HasSuffix(domain, ".") || domain == "" ||
		strings.ContainsFunc(domain, func(r rune) bool { return r >= 0x80 })
	switch {
	case isBad:
		return "", false, false
	case j.isPublic(domain):
		return host, true, host == domain
	}
	return domain, false, host == domain || isBelow(host, domain)
}

// isPublic says whether anybody can have a name right below a domain.
func (j *Jar) isPublic(domain string) bool {
	if j.suffixes == nil {
		return false
	}
	suffix := j.suffixes.PublicSuffix(domain)
	return suffix != "" && !isBelow(domain, suffix)
}

// http_asciiHost is a host in the letters of the domain name system.
func http_asciiHost(host string) (string, error)
