package http

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log"
	"maps"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Servers: what they accept, how they end, and what they are told by programs.

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
	listeners  set[*closing]
	conns      set[*conn]
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

// ListenAndServe listens at Addr, and serves.
func (s *Server) ListenAndServe() error {
	l, err := s.listen(":http")
	if err != nil {
		return err
	}
	return s.Serve(l)
}

// listen listens at Addr, or at the usual port.
func (s *Server) listen(usual string) (net.Listener, error) {
	if s.isEnding.Load() {
		return nil, ErrServerClosed
	}
	return net.Listen("tcp", orDefault(s.Addr, usual))
}

// closing is a listener that is closed once.
type closing struct {
	net.Listener
	close func() error
}

func (c *closing) Close() error { return c.close() }

// set has what it has as keys; the zero set is empty.
type set[T comparable] map[T]struct{}

func (s *set[T]) add(x T) {
	if *s == nil {
		*s = make(set[T])
	}
	(*s)[x] = struct{}{}
}

// use takes a listener in, unless the server has been shut down; then leave is to be called at last.
func (s *Server) use(l *closing) (leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isEnding.Load() {
		return nil, false
	}
	s.listeners.add(l)
	s.serving.Add(1)
	return func() { s.release(l) }, true
}

func (s *Server) release(l *closing) {
	s.mu.Lock()
	delete(s.listeners, l)
	s.mu.Unlock()
	s.serving.Done()
}

// Serve accepts connections until the server is shut down.
func (s *Server) Serve(listener net.Listener) error {
	l := &closing{listener, sync.OnceValue(listener.Close)}
	defer l.Close()
	if err := s.prepareToServe(); err != nil {
		return err
	}
	leave, ok := s.use(l)
	if !ok {
		return ErrServerClosed
	}
	defer leave()
	base := s.baseOf(listener)
	for {
		c, err := s.accept(l)
		if err != nil {
			return err
		}
		ctx := base
		if of := s.ConnContext; of != nil {
			if ctx = of(base, c); ctx == nil {
				panic("ConnContext returned nil")
			}
		}
		served := &conn{server: s, conn: c}
		served.become(StateNew)
		go served.serve(ctx)
	}
}

// baseOf is the context of all that comes from a listener.
func (s *Server) baseOf(l net.Listener) context.Context {
	ctx := context.Background()
	if s.BaseContext != nil {
		ctx = s.BaseContext(l)
	}
	if ctx == nil {
		panic("BaseContext returned a nil context")
	}
	return context.WithValue(ctx, ServerContextKey, s)
}

// accept waits for a connection; after an error that may pass it tries again, ever more rarely.
func (s *Server) accept(l net.Listener) (net.Conn, error) {
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		c, err := l.Accept()
		if err == nil {
			return c, nil
		}
		if s.isEnding.Load() {
			return nil, ErrServerClosed
		}
		if mayPass, ok := err.(net.Error); !ok || !mayPass.Temporary() {
			return nil, err
		}
		s.logf("http: Accept error: %v; retrying in %v", err, pause)
		time.Sleep(pause)
	}
}

// track takes a connection in among those that Shutdown waits for, or out.
func (s *Server) track(c *conn, isOwn bool) {
	s.mu.Lock()
	if isOwn {
		s.conns.add(c)
	} else {
		delete(s.conns, c)
	}
	s.mu.Unlock()
}

// stopServing has nothing accepted any more, and waits until nothing is; hooks are called before.
func (s *Server) stopServing(hooks *[]func()) (err error) {
	s.isEnding.Store(true)
	s.mu.Lock()
	for l := range s.listeners {
		err = cmp.Or(err, l.Close())
	}
	if hooks != nil {
		for _, f := range *hooks {
			go f()
		}
	}
	s.mu.Unlock()
	s.serving.Wait()
	return err
}

// closeConns closes connections, and says whether that were all.
func (s *Server) closeConns(may func(c *conn) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.conns, func(c *conn, _ struct{}) bool {
		goes := may(c)
		if goes {
			c.conn.Close()
		}
		return goes
	})
	return len(s.conns) == 0
}

// Close closes all connections but those that were hijacked.
func (s *Server) Close() error {
	err := s.stopServing(nil)
	s.closeConns(func(*conn) bool { return true })
	return err
}

// RegisterOnShutdown has f called by Shutdown, in a goroutine of its own.
func (s *Server) RegisterOnShutdown(f func()) {
	s.mu.Lock()
	s.atShutdown = append(s.atShutdown, f)
	s.mu.Unlock()
}

// Shutdown waits until each connection is idle, and closes it then.
func (s *Server) Shutdown(ctx context.Context) error {
	err := s.stopServing(&s.atShutdown)
	for pause := time.Millisecond; !s.closeConns((*conn).isIdle); pause = min(2*pause, 500*time.Millisecond) {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

// SetKeepAlivesEnabled says whether connections are kept for further requests.
func (s *Server) SetKeepAlivesEnabled(v bool) {
	s.closeAlive.Store(!v)
	if !v {
		s.closeConns((*conn).isIdle)
	}
}

func (s *Server) keepsAlive() bool { return !s.closeAlive.Load() && !s.isEnding.Load() }

func (s *Server) headerTimeout() time.Duration { return cmp.Or(s.ReadHeaderTimeout, s.ReadTimeout) }
func (s *Server) idleLimit() time.Duration     { return cmp.Or(s.IdleTimeout, s.ReadTimeout) }

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

// logf logs for the server that got the request.
func logf(r *Request, format string, args ...any) {
	s, _ := r.Context().Value(ServerContextKey).(*Server)
	s.logf(format, args...)
}

func (s *Server) logf(format string, args ...any) {
	if s == nil || s.ErrorLog == nil {
		log.Printf(format, args...)
	} else {
		s.ErrorLog.Printf(format, args...)
	}
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

// denied is what is answered to a request that cannot be handled.
type denied struct {
	code int
	text string
}

func (e denied) Error() string { return StatusText(e.code) + ": " + e.text }

var errUnsupportedVersion = denied{StatusHTTPVersionNotSupported, "unsupported protocol version"}

func hasTimedOut(err error) bool {
	e, ok := err.(net.Error)
	return ok && e.Timeout()
}

// isHangUp says whether there is nobody to answer to.
func isHangUp(err error) bool {
	var op *net.OpError
	return hasTimedOut(err) || errors.As(err, &op) && op.Op == "read"
}
