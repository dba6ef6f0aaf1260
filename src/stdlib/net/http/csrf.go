package http

import (
	"errors"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
)

// What other sites have browsers ask of this one. Browsers say where a request comes from, in
// Sec-Fetch-Site, or, if they are old, at least in Origin.

// CrossOriginProtection refuses what other sites have browsers ask of this one, by what browsers
// say of where a request comes from.
type CrossOriginProtection struct {
	bypass atomic.Pointer[ServeMux]
	deny   atomic.Pointer[Handler]
	// Has the origins as keys.
	trusted sync.Map
}

func NewCrossOriginProtection() *CrossOriginProtection { return &CrossOriginProtection{} }

// isExempt is the handler of patterns that are not protected.
type isExempt struct{}

func (isExempt) ServeHTTP(ResponseWriter, *Request) {}

// AddInsecureBypassPattern lets pass what the pattern matches.
func (c *CrossOriginProtection) AddInsecureBypassPattern(pattern string) {
	c.bypass.CompareAndSwap(nil, NewServeMux())
	c.bypass.Load().mustRegister(pattern, isExempt{})
}

// AddTrustedOrigin takes scheme://host[:port].
func (c *CrossOriginProtection) AddTrustedOrigin(origin string) error {
	u, err := url.Parse(origin)
	if err == nil {
		err = originFault(u)
	}
	if err != nil {
		return fmt.Errorf("invalid origin %q: %w", origin, err)
	}
	c.trusted.Store(origin, nil)
	return nil
}

// originFault says why an origin is not scheme://host[:port].
func originFault(u *url.URL) error {
	for _, part := range [...]struct{ name, text string }{{"scheme", u.Scheme}, {"host", u.Host}} {
		if part.text == "" {
			return errors.New(part.name + " is required")
		}
	}
	if u.Path+u.RawQuery+u.Fragment != "" {
		return errors.New("path, query, and fragment are not allowed")
	}
	return nil
}

// SetDenyHandler has h answer what is refused.
func (c *CrossOriginProtection) SetDenyHandler(h Handler) {
	to := &h
	if h == nil {
		to = nil
	}
	c.deny.Store(to)
}

// Check says why a request is refused.
func (c *CrossOriginProtection) Check(req *Request) error {
	why := suspicion(req)
	if why == "" {
		return nil
	}
	if mux := c.bypass.Load(); mux != nil && mux.choose(req).handler == (isExempt{}) {
		return nil
	}
	if origin := req.Header.Get("Origin"); origin != "" {
		if _, is := c.trusted.Load(origin); is {
			return nil
		}
	}
	return errors.New("cross-origin request detected" + why)
}

// suspicion says by what it is seen that a request may come from another site, and change something.
func suspicion(r *Request) string {
	if r.Method == MethodGet || r.Method == MethodHead || r.Method == MethodOptions {
		return ""
	}
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	if site == "same-origin" || site == "none" || site == "" && origin == "" {
		return ""
	}
	if site != "" {
		return " from Sec-Fetch-Site header"
	}
	if u, err := url.Parse(origin); err == nil && u.Host == r.Host {
		return ""
	}
	return ", and/or browser is out of date: " +
		"Sec-Fetch-Site is missing, and Origin does not match Host"
}

// denial answers what is refused.
func (c *CrossOriginProtection) denial(why error) Handler {
	if set := c.deny.Load(); set != nil {
		return *set
	}
	return HandlerFunc(func(w ResponseWriter, _ *Request) {
		Error(w, why.Error(), StatusForbidden)
	})
}

// Handler answers what Check lets pass.
func (c *CrossOriginProtection) Handler(h Handler) Handler {
	return HandlerFunc(func(w ResponseWriter, r *Request) {
		answer := h
		if err := c.Check(r); err != nil {
			answer = c.denial(err)
		}
		answer.ServeHTTP(w, r)
	})
}
