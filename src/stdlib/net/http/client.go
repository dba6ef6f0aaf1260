package http

// A Client. Do follows a trail of requests, each made of the answer to the one before; send sends
// one of them with its cookies and within the time that is left, and checks what came back.

import (
	"cmp"
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
	form := strings.NewReader(data.Encode())
	return c.Post(url, "application/x-www-form-urlencoded", form)
}

// transport is what sends the requests.
func (c *Client) transport() RoundTripper { return cmp.Or(c.Transport, DefaultTransport) }

func (c *Client) CloseIdleConnections() {
	if t, ok := c.transport().(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

func Get(url string) (*Response, error)  { return DefaultClient.Get(url) }
func Head(url string) (*Response, error) { return DefaultClient.Head(url) }

func Post(url, contentType string, body io.Reader) (*Response, error) {
	return DefaultClient.Post(url, contentType, body)
}

func PostForm(url string, data url.Values) (*Response, error) {
	return DefaultClient.PostForm(url, data)
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
	text := u.String()
	if _, has := u.User.Password(); !has {
		return text
	}
	shown := u.User.Username() + ":***@"
	return strings.Replace(text, u.User.String()+"@", shown, 1)
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
		return method, first.GetBody != nil || first.lengthToSend() == 0, true
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
	var names [2]string
	for i, u := range [...]*url.URL{u, of} {
		name, err := asciiHostPort(u.Hostname())
		if err != nil {
			return false
		}
		names[i] = strings.ToLower(name)
	}
	before, ok := strings.CutSuffix(names[0], names[1])
	isName := !strings.ContainsAny(names[0], ":%")
	return ok && (before == "" || isName && strings.HasSuffix(before, "."))
}

// refererOf is what the next server is told of the URL that led there: nothing that was secret.
func refererOf(last, next *url.URL, explicit string) string {
	switch {
	case next.Scheme == "http" && last.Scheme == "https":
		return ""
	case explicit != "":
		return explicit
	}
	shown := *last
	shown.User = nil
	return shown.String()
}

// Do sends a request, and gives the last answer of those that redirect.
func (c *Client) Do(r *Request) (*Response, error) {
	if r.URL == nil {
		r.shutBody()
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
				resp.shutBody()
				r.shutBody()
				return nil, fail(err)
			}
			if next == nil {
				return resp, nil
			}
			r = next
			err = c.mayFollow(r, t.sent)
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
				r.shutBody()
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
		r.shutBody()
	}
}

func (c *Client) mayFollow(r *Request, via []*Request) error {
	if c.CheckRedirect != nil {
		return c.CheckRedirect(r, via)
	}
	if len(via) >= 10 {
		return errors.New("stopped after 10 redirects")
	}
	return nil
}

// send sends one request, with the cookies for it, and keeps those of the answer.
func (c *Client) send(r *Request, until time.Time) (*Response, func() bool, error) {
	if c.Jar == nil {
		return send(r, c.transport(), until)
	}
	at := *r.URL
	at.Host = orDefault(r.Host, at.Host)
	for _, cookie := range c.Jar.Cookies(&at) {
		r.AddCookie(cookie)
	}
	resp, isLate, err := send(r, c.transport(), until)
	if err == nil {
		if set := resp.Cookies(); len(set) > 0 {
			c.Jar.SetCookies(&at, set)
		}
	}
	return resp, isLate, err
}

func never() bool { return false }

// toSend is what is sent for a request; a copy if it is changed, since the caller's stays as it is.
func toSend(r *Request, isTimed bool) *Request {
	user := r.URL.User
	if r.Header != nil && user == nil && !isTimed {
		return r
	}
	own := *r
	if own.Header == nil {
		own.Header = make(Header)
	}
	if user != nil && own.Header.Get("Authorization") == "" {
		password, _ := user.Password()
		own.Header = own.Header.Clone()
		own.Header.Set("Authorization", "Basic "+credentials(user.Username(), password))
	}
	return &own
}

func send(r *Request, t RoundTripper, until time.Time) (*Response, func() bool, error) {
	stop, isLate := func() {}, never
	if r.RequestURI != "" {
		r.shutBody()
		return nil, isLate, errors.New("http: Request.RequestURI can't be set in client requests")
	}
	isTimed := !until.IsZero()
	own := toSend(r, isTimed)
	if isTimed {
		stop, isLate = limitTime(own, t, until)
	}
	resp, err := t.RoundTrip(own)
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
	if flaw := flawOf(resp, r.Method == MethodHead); flaw != "" {
		return nil, isLate, fmt.Errorf("http: RoundTripper implementation (%T) returned a %s", t, flaw)
	}
	if isTimed {
		resp.Body = &timedBody{resp.Body, stop, isLate}
	}
	return resp, isLate, nil
}

// flawOf says what is wrong with an answer that a RoundTripper has given. That a body is missing
// is only wrong if there should be something in it.
func flawOf(resp *Response, isHead bool) string {
	switch {
	case resp == nil:
		return "nil *Response with a nil error"
	case resp.Body != nil:
	case resp.ContentLength > 0 && !isHead:
		return fmt.Sprintf("*Response with content length %d but a nil Body", resp.ContentLength)
	default:
		resp.Body = io.NopCloser(strings.NewReader(""))
	}
	return ""
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

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil || err == io.EOF || !b.isLate() {
		return n, err
	}
	const why = " (Client.Timeout or context cancellation while reading body)"
	return n, &timeoutError{err.Error() + why}
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
