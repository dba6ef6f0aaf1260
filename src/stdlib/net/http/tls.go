package http

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"
)

// What there is between HTTP and TLS.

func cloneConfig(c *tls.Config) *tls.Config {
	if c == nil {
		return &tls.Config{}
	}
	return c.Clone()
}

// withProtocols names those protocols that are spoken, and not those that are not.
func withProtocols(names []string, p Protocols) []string {
	names = slices.Clone(names)
	for _, known := range [...]struct {
		name string
		is   bool
	}{{"h2", p.HTTP2()}, {"http/1.1", p.HTTP1()}} {
		if !known.is {
			names = slices.DeleteFunc(names, func(name string) bool { return name == known.name })
		} else if !slices.Contains(names, known.name) {
			names = append(names, known.name)
		}
	}
	return names
}

// ListenAndServeTLS is ListenAndServe over TLS; the files are those of the certificate, unless the
// server's configuration has one.
func (s *Server) ListenAndServeTLS(certFile, keyFile string) error {
	l, err := s.listen(":https")
	if err == nil {
		defer l.Close()
		err = s.ServeTLS(l, certFile, keyFile)
	}
	return err
}

// ServeTLS is Serve over TLS.
func (s *Server) ServeTLS(l net.Listener, certFile, keyFile string) error {
	if err := s.prepare(); err != nil {
		return err
	}
	config := cloneConfig(s.TLSConfig)
	config.NextProtos = withProtocols(config.NextProtos, s.protocols())
	if certFile != "" || keyFile != "" || !hasCertificate(config) {
		own, err := tls.LoadX509KeyPair(certFile, keyFile)
		if err != nil {
			return err
		}
		config.Certificates = []tls.Certificate{own}
	}
	return s.Serve(tls.NewListener(l, config))
}

// hasCertificate says whether a server with that configuration can show who it is.
func hasCertificate(c *tls.Config) bool {
	return c.GetCertificate != nil || c.GetConfigForClient != nil || len(c.Certificates) > 0
}

func ListenAndServeTLS(addr, certFile, keyFile string, handler Handler) error {
	s := &Server{Addr: addr, Handler: handler}
	return s.ListenAndServeTLS(certFile, keyFile)
}

func ServeTLS(l net.Listener, handler Handler, certFile, keyFile string) error {
	s := &Server{Handler: handler}
	return s.ServeTLS(l, certFile, keyFile)
}

// handshakeTimeout is the least of the limits that hold for a request; 0 is none.
func (s *Server) handshakeTimeout() (least time.Duration) {
	for _, d := range []time.Duration{s.ReadHeaderTimeout, s.ReadTimeout, s.WriteTimeout} {
		if d > 0 && (least == 0 || d < least) {
			least = d
		}
	}
	return least
}

// secured is a connection that tells what TLS has agreed on: crypto/tls's, or one of the program's.
type secured interface {
	ConnectionState() tls.ConnectionState
}

// shakeHands begins TLS, unless that has been done.
func shakeHands(ctx context.Context, c secured) error {
	if c, ok := c.(interface{ HandshakeContext(context.Context) error }); ok {
		return c.HandshakeContext(ctx)
	}
	return nil
}

// shakeHands is false if the connection is over, or another protocol's.
func (c *conn) shakeHands(ctx context.Context) bool {
	t, ok := c.conn.(secured)
	if !ok {
		return true
	}
	limit := c.server.handshakeTimeout()
	if limit > 0 {
		c.conn.SetDeadline(time.Now().Add(limit))
	}
	if err := shakeHands(ctx, t); err != nil {
		why := err.Error()
		e, ok := err.(tls.RecordHeaderError)
		if ok && e.Conn != nil && looksLikeHTTP(e.RecordHeader) {
			io.WriteString(e.Conn, "HTTP/1.0 400 Bad Request\r\n\r\n"+
				"Client sent an HTTP request to an HTTPS server.\n")
			e.Conn.Close()
			why = "client sent an HTTP request to an HTTPS server"
		}
		c.server.logf("http: TLS handshake error from %s: %v", c.conn.RemoteAddr(), why)
		return false
	}
	if limit > 0 {
		c.conn.SetDeadline(time.Time{})
	}
	state := t.ConnectionState()
	c.tls = &state
	switch proto := state.NegotiatedProtocol; {
	case proto == "h2" && c.server.h2 != nil:
		c.serveHTTP2(ctx, false)
		return false
	case proto == "", proto == "http/1.0", proto == "http/1.1":
		return true
	default:
		t, ok := t.(*tls.Conn)
		if !ok {
			return true
		}
		if f := c.server.TLSNextProto[proto]; f != nil {
			c.noteState(StateActive)
			f(c.server, t, HandlerFunc(c.server.handlePlain(ctx)))
		}
		return false
	}
}

// handlePlain is what a protocol of the program's hands its requests to.
func (s *Server) handlePlain(ctx context.Context) HandlerFunc {
	return func(w ResponseWriter, r *Request) {
		if r.ctx == nil {
			r.ctx = ctx
		}
		s.serveHTTP(w, r)
	}
}

// looksLikeHTTP says whether what should be a handshake is a request.
func looksLikeHTTP(begin [5]byte) bool {
	method, _, _ := strings.Cut(string(begin[:]), "/")
	return slices.Contains([]string{"GET ", "PUT ", "HEAD ", "POST ", "OPTIO"}, method)
}

// handshakeTimeoutError says that TLSHandshakeTimeout is over.
type handshakeTimeoutError struct{}

func (handshakeTimeoutError) Error() string   { return "net/http: TLS handshake timeout" }
func (handshakeTimeoutError) Timeout() bool   { return true }
func (handshakeTimeoutError) Temporary() bool { return true }

// secure has the link speak TLS to the host of that name.
func (t *Transport) secure(w *want, l *link, host string) error {
	config := cloneConfig(t.TLSClientConfig)
	if config.ServerName == "" {
		config.ServerName = host
	}
	if w.route.onlyHTTP1 {
		config.NextProtos = nil
	}
	plain := l.conn
	c := tls.Client(plain, config)
	if err := t.shakeHands(w, l, c); err != nil {
		plain.Close()
		return err
	}
	l.conn = c
	return nil
}

// shakeHands tells the trace, too.
func (t *Transport) shakeHands(w *want, l *link, c *tls.Conn) error {
	trace := w.trace
	if trace != nil && trace.TLSHandshakeStart != nil {
		trace.TLSHandshakeStart()
	}
	result := make(chan error, 2)
	if d := t.TLSHandshakeTimeout; d > 0 {
		timer := time.AfterFunc(d, func() { result <- handshakeTimeoutError{} })
		defer timer.Stop()
	}
	go func() { result <- c.HandshakeContext(w.ctx) }()
	err := <-result
	var state tls.ConnectionState
	if err == nil {
		state = c.ConnectionState()
		l.tls = &state
	} else if err == error(handshakeTimeoutError{}) {
		// The handshake holds a lock until it is over.
		c.NetConn().Close()
		<-result
	}
	if trace != nil && trace.TLSHandshakeDone != nil {
		trace.TLSHandshakeDone(state, err)
	}
	return err
}

// speaksHTTP2 says whether HTTP/2 is spoken: the two ends have agreed on it, or it is all that the
// transport speaks without TLS.
func (t *Transport) speaksHTTP2(l *link) bool {
	if l.tls != nil {
		return l.tls.NegotiatedProtocol == "h2"
	}
	return t.Protocols != nil && t.Protocols.UnencryptedHTTP2() && !t.Protocols.HTTP1()
}

// otherProto gives the connection away if HTTP/2 is spoken over it, or the two have agreed on a
// protocol of the program's.
func (t *Transport) otherProto(l *link) (RoundTripper, error) {
	isHTTP2 := t.speaksHTTP2(l)
	if isHTTP2 && t.h2 != nil {
		return t.h2, t.h2.add(l.target, l.conn)
	}
	if isHTTP2 && l.tls == nil {
		return nil, errors.New("http: Transport does not support unencrypted HTTP/2")
	}
	c, ok := l.conn.(*tls.Conn)
	if !ok || l.tls == nil || l.tls.NegotiatedProtocol == "" {
		return nil, nil
	}
	f, ok := t.TLSNextProto[l.tls.NegotiatedProtocol]
	if !ok {
		return nil, nil
	}
	other := f(l.target, c)
	if failed, ok := other.(interface{ RoundTripErr() error }); ok {
		return nil, failed.RoundTripErr()
	}
	return other, nil
}

// tunnel has the proxy connect the link to the host.
func (t *Transport) tunnel(w *want, l *link) error {
	header := t.ProxyConnectHeader
	if t.GetProxyConnectHeader != nil {
		var err error
		if header, err = t.GetProxyConnectHeader(w.ctx, w.proxy, w.route.addr); err != nil {
			l.conn.Close()
			return err
		}
	}
	header = header.Clone()
	if header == nil {
		header = make(Header)
	}
	if l.proxyCredentials != "" {
		header.Set("Proxy-Authorization", l.proxyCredentials)
	}
	r := &Request{
		Method: MethodConnect,
		URL:    &url.URL{Opaque: w.route.addr},
		Host:   w.route.addr,
		Header: header,
	}
	ctx, cancel := context.WithTimeout(w.ctx, time.Minute)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { l.conn.Close() })
	err := r.Write(l.conn)
	var resp *Response
	if err == nil {
		resp, err = ReadResponse(bufio.NewReader(l.conn), r)
	}
	if !stop() {
		return ctx.Err()
	}
	if err == nil && t.OnProxyConnectResponse != nil {
		err = t.OnProxyConnectResponse(w.ctx, w.proxy, r, resp)
	}
	if err == nil && resp.StatusCode != StatusOK {
		_, text, ok := strings.Cut(resp.Status, " ")
		if !ok {
			text = "unknown status code"
		}
		err = errors.New(text)
	}
	if err != nil {
		l.conn.Close()
	}
	return err
}
