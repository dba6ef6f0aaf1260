package http

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// RoundTripper sends a request and gives its answer.
type RoundTripper interface {
	RoundTrip(*Request) (*Response, error)
}

// Client sends requests, follows redirections, and keeps cookies if it has a jar.
type Client struct {
	Transport     RoundTripper
	CheckRedirect func(req *Request, via []*Request) error
	Jar           CookieJar
	Timeout       time.Duration
}

// DefaultClient is what Get and its kin use.
var DefaultClient = &Client{}

func Get(url string) (resp *Response, err error)  { return DefaultClient.Get(url) }
func Head(url string) (resp *Response, err error) { return DefaultClient.Head(url) }

func Post(url, contentType string, body io.Reader) (resp *Response, err error) {
	return DefaultClient.Post(url, contentType, body)
}

func PostForm(url string, data url.Values) (resp *Response, err error) {
	return DefaultClient.PostForm(url, data)
}

func (c *Client) Get(url string) (resp *Response, err error)  { return c.simple(MethodGet, url) }
func (c *Client) Head(url string) (resp *Response, err error) { return c.simple(MethodHead, url) }

func (c *Client) simple(method, url string) (*Response, error) {
	r, err := NewRequest(method, url, nil)
	if err != nil {
		return nil, err
	}
	return c.Do(r)
}

func (c *Client) Post(url, contentType string, body io.Reader) (resp *Response, err error) {
	r, err := NewRequest(MethodPost, url, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", contentType)
	return c.Do(r)
}

func (c *Client) PostForm(url string, data url.Values) (resp *Response, err error) {
	return c.Post(url, "application/x-www-form-urlencoded", strings.NewReader(data.Encode()))
}

func (c *Client) transport() RoundTripper {
	if c.Transport != nil {
		return c.Transport
	}
	return DefaultTransport
}

func (c *Client) CloseIdleConnections() {
	if t, ok := c.transport().(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// errorOp is how errors call a method.
func errorOp(method string) string {
	if method == "" {
		return "Get"
	}
	if !isASCII(method) {
		return method
	}
	return method[:1] + strings.ToLower(method[1:])
}

// withoutPassword is a URL as it may be shown.
func withoutPassword(u *url.URL) string {
	if _, has := u.User.Password(); has {
		return strings.Replace(u.String(), u.User.String()+"@", u.User.Username()+":***@", 1)
	}
	return u.String()
}

// redirected says how a request goes on after an answer.
func redirected(method string, resp *Response, first *Request) (next string, follows, keepsBody bool) {
	switch resp.StatusCode {
	case StatusMovedPermanently, StatusFound, StatusSeeOther:
		if method != MethodGet && method != MethodHead {
			method = MethodGet
		}
		return method, true, false
	case StatusTemporaryRedirect, StatusPermanentRedirect:
		// A body that cannot be had again cannot be sent again.
		return method, first.GetBody != nil || first.outgoingLength() == 0, true
	}
	return "", false, false
}

// trail is what is known of a request that was redirected.
type trail struct {
	client *Client
	sent   []*Request
	header Header
	// Of the first request, by name; only if there is a jar.
	cookies map[string][]*Cookie
	// The header's secrets are not for this host.
	isElsewhere bool
	keepsBody   bool
}

func newTrail(c *Client, r *Request) *trail {
	t := &trail{client: c, header: r.Header.Clone(), keepsBody: true}
	if c.Jar != nil && r.Header.Get("Cookie") != "" {
		t.cookies = make(map[string][]*Cookie)
		for _, c := range r.Cookies() {
			t.cookies[c.Name] = append(t.cookies[c.Name], c)
		}
	}
	return t
}

// next makes the request to which resp sends us; nil if it does not say where.
func (t *trail) next(method string, resp *Response) (*Request, error) {
	to := resp.Header.Get("Location")
	if to == "" {
		return nil, nil
	}
	first, last := t.sent[0], t.sent[len(t.sent)-1]
	u, err := last.URL.Parse(to)
	if err != nil {
		return nil, fmt.Errorf("failed to parse Location header %q: %v", to, err)
	}
	r := &Request{Method: method, Response: resp, URL: u, Header: make(Header), Cancel: first.Cancel, ctx: first.Context()}
	if last.Host != "" && last.Host != last.URL.Host {
		// A host of its own is kept within the host.
		if u, _ := url.Parse(to); u != nil && !u.IsAbs() {
			r.Host = last.Host
		}
	}
	if t.keepsBody && first.GetBody != nil {
		if r.Body, err = first.GetBody(); err != nil {
			return nil, err
		}
		r.GetBody, r.ContentLength = first.GetBody, first.ContentLength
	}
	if first.URL.Host != u.Host && !isBelow(u, first.URL) {
		t.isElsewhere = true
	}
	t.copyHeader(r)
	if referer := refererOf(last.URL, u, r.Header.Get("Referer")); referer != "" {
		r.Header.Set("Referer", referer)
	}
	return r, nil
}

func (t *trail) copyHeader(r *Request) {
	changed := false
	for _, c := range r.Response.Cookies() {
		if _, ok := t.cookies[c.Name]; ok {
			delete(t.cookies, c.Name)
			changed = true
		}
	}
	if changed {
		var all []string
		for _, same := range t.cookies {
			for _, c := range same {
				all = append(all, c.Name+"="+c.Value)
			}
		}
		slices.Sort(all)
		t.header.Set("Cookie", strings.Join(all, "; "))
	}
	for name, values := range t.header {
		switch CanonicalHeaderKey(name) {
		case "Authorization", "Www-Authenticate", "Cookie", "Cookie2", "Proxy-Authorization", "Proxy-Authenticate":
			if t.isElsewhere {
				continue
			}
		case "Content-Encoding", "Content-Language", "Content-Location", "Content-Type":
			if !t.keepsBody {
				continue
			}
		}
		r.Header[name] = values
	}
}

// isBelow says whether a host is the other one, or a part of it.
func isBelow(u, of *url.URL) bool {
	host, err := asciiHostPort(u.Hostname())
	parent, err2 := asciiHostPort(of.Hostname())
	if err != nil || err2 != nil {
		return false
	}
	host, parent = strings.ToLower(host), strings.ToLower(parent)
	return host == parent || !strings.ContainsAny(host, ":%") && strings.HasSuffix(host, "."+parent)
}

func refererOf(last, next *url.URL, explicit string) string {
	if last.Scheme == "https" && next.Scheme == "http" {
		return ""
	}
	if explicit != "" {
		return explicit
	}
	text := last.String()
	if last.User != nil {
		text = strings.Replace(text, last.User.String()+"@", "", 1)
	}
	return text
}

// Do sends a request, and gives the last answer of those that redirect.
func (c *Client) Do(r *Request) (*Response, error) {
	if r.URL == nil {
		r.closeBody()
		return nil, &url.Error{Op: errorOp(r.Method), Err: errNilURL}
	}
	var until time.Time
	if c.Timeout > 0 {
		until = time.Now().Add(c.Timeout)
	}
	t := newTrail(c, r)
	op := errorOp(r.Method)
	var resp *Response
	fail := func(err error) error {
		u := r.URL
		if resp != nil && resp.Request != nil {
			u = resp.Request.URL
		}
		return &url.Error{Op: op, URL: withoutPassword(u), Err: err}
	}
	method, follows := "", false
	for {
		if follows {
			next, err := t.next(method, resp)
			if err != nil {
				resp.closeBody()
				r.closeBody()
				return nil, fail(err)
			}
			if next == nil {
				return resp, nil
			}
			r = next
			err = c.checkRedirect(r, t.sent)
			if err == ErrUseLastResponse {
				return resp, nil
			}
			// So that the connection can be used again.
			const some = 2 << 10
			if resp.ContentLength <= some {
				io.CopyN(io.Discard, resp.Body, some)
			}
			resp.Body.Close()
			if err != nil {
				r.closeBody()
				return resp, &url.Error{Op: op, URL: resp.Header.Get("Location"), Err: err}
			}
		}
		t.sent = append(t.sent, r)
		got, isLate, err := c.send(r, until)
		if err != nil {
			if isLate() {
				err = &timeoutError{err.Error() + " (Client.Timeout exceeded while awaiting headers)"}
			}
			return nil, fail(err)
		}
		resp = got
		var keepsBody bool
		method, follows, keepsBody = redirected(r.Method, resp, t.sent[0])
		if !follows {
			return resp, nil
		}
		t.keepsBody = t.keepsBody && keepsBody
		r.closeBody()
	}
}

func (c *Client) checkRedirect(r *Request, via []*Request) error {
	if c.CheckRedirect != nil {
		return c.CheckRedirect(r, via)
	}
	if len(via) >= 10 {
		return errors.New("stopped after 10 redirects")
	}
	return nil
}

// send sends one request, with the cookies for it, and keeps those of the answer.
func (c *Client) send(r *Request, until time.Time) (resp *Response, isLate func() bool, err error) {
	u := r.URL
	if r.Host != "" {
		u = cloneURL(u)
		u.Host = r.Host
	}
	if c.Jar != nil {
		for _, cookie := range c.Jar.Cookies(u) {
			r.AddCookie(cookie)
		}
	}
	resp, isLate, err = send(r, c.transport(), until)
	if err == nil && c.Jar != nil {
		if cookies := resp.Cookies(); len(cookies) > 0 {
			c.Jar.SetCookies(u, cookies)
		}
	}
	return resp, isLate, err
}

func never() bool { return false }

func send(r *Request, t RoundTripper, until time.Time) (resp *Response, isLate func() bool, err error) {
	if r.RequestURI != "" {
		r.closeBody()
		return nil, never, errors.New("http: Request.RequestURI can't be set in client requests")
	}
	// The caller's request stays as it is.
	own := *r
	if own.Header == nil {
		own.Header = make(Header)
	}
	if user := r.URL.User; user != nil && own.Header.Get("Authorization") == "" {
		password, _ := user.Password()
		own.Header = own.Header.Clone()
		own.Header.Set("Authorization", "Basic "+basicAuth(user.Username(), password))
	}
	sent := r
	stop, isLate := func() {}, never
	if !until.IsZero() || r.Header == nil || r.URL.User != nil {
		sent = &own
	}
	if !until.IsZero() {
		stop, isLate = limitTime(sent, t, until)
	}
	resp, err = t.RoundTrip(sent)
	if err != nil {
		stop()
		if resp != nil {
			log.Printf("RoundTripper returned a response & error; ignoring response")
		}
		if e, ok := err.(tls.RecordHeaderError); ok && string(e.RecordHeader[:]) == "HTTP/" {
			err = ErrSchemeMismatch
		}
		return nil, isLate, err
	}
	if resp == nil {
		return nil, isLate, fmt.Errorf("http: RoundTripper implementation (%T) returned a nil *Response with a nil error", t)
	}
	if resp.Body == nil {
		if resp.ContentLength > 0 && r.Method != MethodHead {
			return nil, isLate, fmt.Errorf("http: RoundTripper implementation (%T) returned a *Response with content length %d but a nil Body", t, resp.ContentLength)
		}
		resp.Body = io.NopCloser(strings.NewReader(""))
	}
	if !until.IsZero() {
		resp.Body = &timedBody{resp.Body, stop, isLate}
	}
	return resp, isLate, nil
}

// knowsContexts says whether the request is given up at the end of its context: ours are.
func knowsContexts(rt RoundTripper, r *Request) bool {
	switch t := rt.(type) {
	case *Transport:
		if other := t.otherFor(r); other != nil {
			return knowsContexts(other, r)
		}
		return true
	case h2cached, *h2transport:
		return true
	}
	return false
}

// limitTime lets a request take until then; who does not know of contexts is told otherwise.
func limitTime(r *Request, t RoundTripper, until time.Time) (stop func(), isLate func() bool) {
	if at, ok := r.Context().Deadline(); ok && !until.Before(at) {
		return func() {}, never
	}
	ctx, cancel := context.WithDeadline(r.Context(), until)
	r.ctx = ctx
	if knowsContexts(t, r) && r.Cancel == nil {
		return cancel, func() bool { return time.Now().After(until) }
	}
	var late atomic.Bool
	given, done := r.Cancel, make(chan struct{})
	cancelled := make(chan struct{})
	r.Cancel = cancelled
	timer := time.NewTimer(time.Until(until))
	go func() {
		defer timer.Stop()
		select {
		case <-done:
			return
		case <-timer.C:
			late.Store(true)
		case <-given:
		}
		close(cancelled)
		if old, ok := t.(interface{ CancelRequest(*Request) }); ok {
			old.CancelRequest(r)
		}
	}()
	return sync.OnceFunc(func() { close(done); cancel() }), late.Load
}

// timedBody is the body of an answer that must have come by some time.
type timedBody struct {
	io.ReadCloser
	stop   func()
	isLate func() bool
}

func (b *timedBody) Read(p []byte) (n int, err error) {
	n, err = b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && b.isLate() {
		err = &timeoutError{err.Error() + " (Client.Timeout or context cancellation while reading body)"}
	}
	return n, err
}

func (b *timedBody) Close() error {
	err := b.ReadCloser.Close()
	b.stop()
	return err
}

// timeoutError is a timeout that net.Error tells of.
type timeoutError struct{ text string }

func (e *timeoutError) Error() string        { return e.text }
func (e *timeoutError) Timeout() bool        { return true }
func (e *timeoutError) Temporary() bool      { return true }
func (e *timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }
