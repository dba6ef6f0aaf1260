package http

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"log"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Handler answers requests.
type Handler interface {
	ServeHTTP(ResponseWriter, *Request)
}

// HandlerFunc is a function as a handler.
type HandlerFunc func(ResponseWriter, *Request)

func (f HandlerFunc) ServeHTTP(w ResponseWriter, r *Request) { f(w, r) }

// ResponseWriter is how a handler answers. Its header is sent with the first byte of the body.
type ResponseWriter interface {
	Header() Header
	Write([]byte) (int, error)
	WriteHeader(statusCode int)
}

// Flusher sends what has been written so far.
type Flusher interface {
	Flush()
}

// Hijacker gives the connection away.
type Hijacker interface {
	Hijack() (net.Conn, *bufio.ReadWriter, error)
}

// CloseNotifier is old; the context of the request does it now.
type CloseNotifier interface {
	CloseNotify() <-chan bool
}

// ConnState is what a connection is doing.
type ConnState int

const (
	StateNew ConnState = iota
	StateActive
	StateIdle
	StateHijacked
	StateClosed
)

func (c ConnState) String() string {
	if c < StateNew || c > StateClosed {
		return ""
	}
	return [...]string{"new", "active", "idle", "hijacked", "closed"}[c]
}

const (
	DefaultMaxHeaderBytes      = 1 << 20
	DefaultMaxHeaderValueCount = 500
)

// Server is a server of HTTP/1 and HTTP/2.
type Server struct {
	Addr                         string
	Handler                      Handler
	DisableGeneralOptionsHandler bool
	ReadTimeout                  time.Duration
	ReadHeaderTimeout            time.Duration
	WriteTimeout                 time.Duration
	IdleTimeout                  time.Duration
	MaxHeaderBytes               int
	MaxHeaderValueCount          int
	ConnState                    func(net.Conn, ConnState)
	ErrorLog                     *log.Logger
	BaseContext                  func(net.Listener) context.Context
	ConnContext                  func(ctx context.Context, c net.Conn) context.Context
	HTTP2                        *HTTP2Config
	Protocols                    *Protocols
	DisableClientPriority        bool
	TLSConfig                    *tls.Config
	TLSNextProto                 map[string]func(*Server, *tls.Conn, Handler)

	// Of HTTP/2, once it has been seen whether that is spoken; nil if not.
	prepareOnce sync.Once
	prepareErr  error
	h2          *h2server

	isEnding   atomic.Bool
	closeAlive atomic.Bool
	mu         sync.Mutex
	listeners  map[*closing]struct{}
	conns      map[*conn]struct{}
	atShutdown []func()
	serving    sync.WaitGroup
}

func ListenAndServe(addr string, handler Handler) error {
	s := &Server{Addr: addr, Handler: handler}
	return s.ListenAndServe()
}

func Serve(l net.Listener, handler Handler) error {
	s := &Server{Handler: handler}
	return s.Serve(l)
}

func (s *Server) ListenAndServe() error {
	if s.isEnding.Load() {
		return ErrServerClosed
	}
	l, err := net.Listen("tcp", orDefault(s.Addr, ":http"))
	if err != nil {
		return err
	}
	return s.Serve(l)
}

// closing is a listener that is closed once.
type closing struct {
	net.Listener
	once sync.Once
	err  error
}

func (c *closing) Close() error {
	c.once.Do(func() { c.err = c.Listener.Close() })
	return c.err
}

// begin is false if the server has been shut down.
func (s *Server) begin(l *closing) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isEnding.Load() {
		return false
	}
	if s.listeners == nil {
		s.listeners = make(map[*closing]struct{})
	}
	s.listeners[l] = struct{}{}
	s.serving.Add(1)
	return true
}

func (s *Server) end(l *closing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.listeners, l)
	s.serving.Done()
}

// Serve accepts connections until the server is shut down.
func (s *Server) Serve(listener net.Listener) error {
	l := &closing{Listener: listener}
	defer l.Close()
	if err := s.prepareToServe(); err != nil {
		return err
	}
	if !s.begin(l) {
		return ErrServerClosed
	}
	defer s.end(l)
	base := context.Background()
	if s.BaseContext != nil {
		if base = s.BaseContext(listener); base == nil {
			panic("BaseContext returned a nil context")
		}
	}
	ctx := context.WithValue(base, ServerContextKey, s)
	var pause time.Duration
	for {
		c, err := l.Accept()
		if err != nil {
			if s.isEnding.Load() {
				return ErrServerClosed
			}
			if e, ok := err.(net.Error); !ok || !e.Temporary() {
				return err
			}
			pause = min(max(2*pause, 5*time.Millisecond), time.Second)
			s.logf("http: Accept error: %v; retrying in %v", err, pause)
			time.Sleep(pause)
			continue
		}
		pause = 0
		ctx := ctx
		if s.ConnContext != nil {
			if ctx = s.ConnContext(ctx, c); ctx == nil {
				panic("ConnContext returned nil")
			}
		}
		served := &conn{server: s, conn: c}
		served.setState(StateNew)
		go served.serve(ctx)
	}
}

// track counts a connection among those that Shutdown waits for, or no longer.
func (s *Server) track(c *conn, is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !is {
		delete(s.conns, c)
		return
	}
	if s.conns == nil {
		s.conns = make(map[*conn]struct{})
	}
	s.conns[c] = struct{}{}
}

// closeListeners is called with the lock held.
func (s *Server) closeListeners() (err error) {
	for l := range s.listeners {
		err = cmpError(err, l.Close())
	}
	return err
}

// Close closes all connections but those that were hijacked.
func (s *Server) Close() error {
	s.isEnding.Store(true)
	s.mu.Lock()
	err := s.closeListeners()
	s.mu.Unlock()
	s.serving.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.conn.Close()
		delete(s.conns, c)
	}
	return err
}

// Shutdown waits until each connection is idle, and closes it then.
func (s *Server) Shutdown(ctx context.Context) error {
	s.isEnding.Store(true)
	s.mu.Lock()
	err := s.closeListeners()
	for _, f := range s.atShutdown {
		go f()
	}
	s.mu.Unlock()
	s.serving.Wait()
	pause := time.Millisecond
	next := func() time.Duration {
		d := pause + time.Duration(rand.IntN(int(pause/10)))
		pause = min(2*pause, 500*time.Millisecond)
		return d
	}
	timer := time.NewTimer(next())
	defer timer.Stop()
	for !s.closeIdle() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			timer.Reset(next())
		}
	}
	return err
}

// RegisterOnShutdown has f called by Shutdown, in a goroutine of its own.
func (s *Server) RegisterOnShutdown(f func()) {
	s.mu.Lock()
	s.atShutdown = append(s.atShutdown, f)
	s.mu.Unlock()
}

// closeIdle says whether that were all.
func (s *Server) closeIdle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := true
	for c := range s.conns {
		state, since := c.stateNow()
		if state == StateNew && since < time.Now().Unix()-5 {
			// Nothing was ever sent: nobody is going to.
			state = StateIdle
		}
		if state != StateIdle || since == 0 {
			all = false
			continue
		}
		c.conn.Close()
		delete(s.conns, c)
	}
	return all
}

func (s *Server) SetKeepAlivesEnabled(v bool) {
	s.closeAlive.Store(!v)
	if !v {
		s.closeIdle()
	}
}

func (s *Server) keepsAlive() bool { return !s.closeAlive.Load() && !s.isEnding.Load() }

func (s *Server) headerTimeout() time.Duration {
	if s.ReadHeaderTimeout != 0 {
		return s.ReadHeaderTimeout
	}
	return s.ReadTimeout
}

func (s *Server) idleTimeout() time.Duration {
	if s.IdleTimeout != 0 {
		return s.IdleTimeout
	}
	return s.ReadTimeout
}

// maxHeader is how many bytes are read for a header: some more, for what is buffered.
func (s *Server) maxHeader() int64 {
	if s.MaxHeaderBytes > 0 {
		return int64(s.MaxHeaderBytes) + 4096
	}
	return DefaultMaxHeaderBytes + 4096
}

func (s *Server) maxFields() int64 {
	if s.MaxHeaderValueCount > 0 {
		return int64(s.MaxHeaderValueCount)
	}
	return DefaultMaxHeaderValueCount
}

func (s *Server) logf(format string, args ...any) {
	if s.ErrorLog != nil {
		s.ErrorLog.Printf(format, args...)
		return
	}
	log.Printf(format, args...)
}

// logf logs for the server that got the request.
func logf(r *Request, format string, args ...any) {
	if s, ok := r.Context().Value(ServerContextKey).(*Server); ok {
		s.logf(format, args...)
		return
	}
	log.Printf(format, args...)
}

// serveHTTP calls the handler.
func (s *Server) serveHTTP(w ResponseWriter, r *Request) {
	handler := s.Handler
	if handler == nil {
		handler = DefaultServeMux
	}
	if !s.DisableGeneralOptionsHandler && r.RequestURI == "*" && r.Method == MethodOptions {
		handler = HandlerFunc(generalOptions)
	}
	handler.ServeHTTP(w, r)
}

// statusError is what is answered to a request that cannot be handled.
type statusError struct {
	code int
	text string
}

func (e statusError) Error() string { return StatusText(e.code) + ": " + e.text }

func badRequest(text string) error { return statusError{StatusBadRequest, text} }

var errUnsupportedVersion = statusError{StatusHTTPVersionNotSupported, "unsupported protocol version"}

// isHangUp says whether there is nobody to answer to.
func isHangUp(err error) bool {
	if e, ok := err.(net.Error); ok && e.Timeout() {
		return true
	}
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "read"
}
