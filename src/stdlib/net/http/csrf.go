package http

import (
	"errors"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
)

// CrossOriginProtection refuses what other sites have browsers ask of this one, by what browsers
// say of where a request comes from.
type CrossOriginProtection struct {
	bypass atomic.Pointer[ServeMux]
	deny   atomic.Pointer[Handler]

	mu      sync.RWMutex
	trusted map[string]bool
}

func NewCrossOriginProtection() *CrossOriginProtection { return &CrossOriginProtection{} }

// AddTrustedOrigin takes scheme://host[:port].
func (c *CrossOriginProtection) AddTrustedOrigin(origin string) error {
	u, err := url.Parse(origin)
	switch {
	case err != nil:
		return fmt.Errorf("invalid origin %q: %w", origin, err)
	case u.Scheme == "":
		return fmt.Errorf("invalid origin %q: scheme is required", origin)
	case u.Host == "":
		return fmt.Errorf("invalid origin %q: host is required", origin)
	case u.Path != "" || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("invalid origin %q: path, query, and fragment are not allowed", origin)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.trusted == nil {
		c.trusted = make(map[string]bool)
	}
	c.trusted[origin] = true
	return nil
}

// isExempt is the handler of patterns that are not protected.
type isExempt struct{}

func (isExempt) ServeHTTP(ResponseWriter, *Request) {}

func (c *CrossOriginProtection) AddInsecureBypassPattern(pattern string) {
	c.bypass.CompareAndSwap(nil, NewServeMux())
	c.bypass.Load().mustRegister(pattern, isExempt{})
}

// SetDenyHandler has h answer what is refused.
func (c *CrossOriginProtection) SetDenyHandler(h Handler) {
	if h == nil {
		c.deny.Store(nil)
		return
	}
	c.deny.Store(&h)
}

// Check says why a request is refused.
func (c *CrossOriginProtection) Check(req *Request) error {
	switch req.Method {
	case MethodGet, MethodHead, MethodOptions:
		return nil
	}
	origin := req.Header.Get("Origin")
	var err error
	switch req.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return nil
	case "":
		u, e := url.Parse(origin)
		if origin == "" || e == nil && u.Host == req.Host {
			return nil
		}
		err = errors.New("cross-origin request detected, and/or browser is out of date: " +
			"Sec-Fetch-Site is missing, and Origin does not match Host")
	default:
		err = errors.New("cross-origin request detected from Sec-Fetch-Site header")
	}
	if mux := c.bypass.Load(); mux != nil {
		if h, _ := mux.Handler(req); h == (isExempt{}) {
			return nil
		}
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if origin != "" && c.trusted[origin] {
		return nil
	}
	return err
}

// Handler answers what Check lets pass.
func (c *CrossOriginProtection) Handler(h Handler) Handler {
	return HandlerFunc(func(w ResponseWriter, r *Request) {
		err := c.Check(r)
		switch deny := c.deny.Load(); {
		case err == nil:
			h.ServeHTTP(w, r)
		case deny != nil:
			(*deny).ServeHTTP(w, r)
		default:
			Error(w, err.Error(), StatusForbidden)
		}
	})
}
