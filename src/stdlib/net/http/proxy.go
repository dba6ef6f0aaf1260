package http

import (
	"errors"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
)

// ProxyFromEnvironment goes by HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or the same in lower case, as
// they were when it was first asked.
func ProxyFromEnvironment(req *Request) (*url.URL, error) { return proxies().of(req.URL) }

var proxies = sync.OnceValue(func() *proxySettings {
	env := func(name string) string { return orDefault(os.Getenv(name), os.Getenv(strings.ToLower(name))) }
	s := &proxySettings{isCGI: os.Getenv("REQUEST_METHOD") != ""}
	s.http, s.https = proxyAt(env("HTTP_PROXY")), proxyAt(env("HTTPS_PROXY"))
	for p := range strings.SplitSeq(env("NO_PROXY"), ",") {
		if p = strings.ToLower(strings.TrimSpace(p)); p != "" {
			s.direct = append(s.direct, newDirect(p))
		}
	}
	return s
})

type proxySettings struct {
	http, https *url.URL
	isCGI       bool
	direct      []direct
}

// proxyAt is the proxy of such an address, which may lack its scheme; nil if it is none.
func proxyAt(text string) *url.URL {
	if text == "" {
		return nil
	}
	given, _ := url.Parse(text)
	if given == nil || given.Host == "" || !given.IsAbs() {
		if whole, err := url.Parse("http://" + text); err == nil {
			return whole
		}
	}
	return given
}

func (s *proxySettings) of(u *url.URL) (*url.URL, error) {
	proxy := s.http
	port := orDefault(u.Port(), "80")
	if u.Scheme == "https" {
		proxy = s.https
		port = orDefault(u.Port(), "443")
	}
	if proxy == nil {
		return nil, nil
	}
	if u.Scheme == "http" && s.isCGI {
		// There a client may have set HTTP_PROXY, by a field of its request.
		return nil, errors.New("refusing to use HTTP_PROXY value in CGI environment; see golang.org/s/cgihttpproxy")
	}
	host := strings.ToLower(strings.TrimSpace(u.Hostname()))
	ip := net.ParseIP(host)
	if host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil, nil
	}
	for _, d := range s.direct {
		if d.has(host, port, ip) {
			return nil, nil
		}
	}
	return proxy, nil
}

// direct is what needs no proxy: everything, a net, an address, or a domain with or without what is below.
type direct struct {
	all  bool
	net  *net.IPNet
	ip   net.IP
	name string
	port string
	self bool
}

func newDirect(text string) direct {
	if text == "*" {
		return direct{all: true}
	}
	if _, n, err := net.ParseCIDR(text); err == nil {
		return direct{net: n}
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		host, port = text, ""
	}
	if ip := net.ParseIP(strings.Trim(host, "[]")); ip != nil {
		return direct{ip: ip, port: port}
	}
	host = strings.TrimPrefix(host, "*")
	name := strings.TrimPrefix(host, ".")
	return direct{name: name, port: port, self: name == host}
}

func (d direct) has(host, port string, ip net.IP) bool {
	switch {
	case d.all:
		return true
	case d.net != nil:
		return ip != nil && d.net.Contains(ip)
	case d.port != "" && d.port != port:
		return false
	case d.ip != nil:
		return ip != nil && d.ip.Equal(ip)
	}
	return ip == nil && d.name != "" && (strings.HasSuffix(host, "."+d.name) || d.self && host == d.name)
}

// ProxyURL has all requests go through one proxy.
func ProxyURL(fixedURL *url.URL) func(*Request) (*url.URL, error) {
	return func(*Request) (*url.URL, error) { return fixedURL, nil }
}
