package httptest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server is a server for tests: on a port of this machine, or, if NewTestServer has made it and
// nobody has called Start or StartTLS, in memory.
type Server struct {
	URL         string
	Listener    net.Listener
	EnableHTTP2 bool
	Config      *http.Server
	// TLS is the configuration, of which StartTLS fills in what is missing.
	TLS *tls.Config

	client      *http.Client
	certificate *x509.Certificate
	wait        sync.WaitGroup

	test          testing.TB // nil unless NewTestServer has made it
	once          sync.Once  // starts it in memory
	plain, secure *memoryListener

	mu      sync.Mutex
	started bool
	closed  bool
	conns   map[net.Conn]http.ConnState
}

func listen() net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		if l, err = net.Listen("tcp6", "[::1]:0"); err != nil {
			panic(fmt.Sprintf("httptest: failed to listen on a port: %v", err))
		}
	}
	return l
}

func NewServer(handler http.Handler) *Server {
	s := NewUnstartedServer(handler)
	s.Start()
	return s
}

func NewUnstartedServer(handler http.Handler) *Server {
	return &Server{Listener: listen(), Config: &http.Server{Handler: handler}}
}

// NewTestServer is a server that ends with the test, and whose handler's panics fail it. Its Client
// reaches it by any address of http and https, and starts it in memory unless it has been started.
func NewTestServer(t testing.TB, handler http.Handler) *Server {
	s := &Server{test: t, Config: &http.Server{Handler: tested{t, handler}}}
	t.Cleanup(s.Close)
	return s
}

// tested tells a test of panics.
type tested struct {
	test    testing.TB
	handler http.Handler
}

func (h tested) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		e := recover()
		if e == nil {
			return
		}
		if e != http.ErrAbortHandler {
			stack := make([]byte, 64<<10)
			stack = stack[:runtime.Stack(stack, false)]
			h.test.Errorf("httptest: panic in server handler: %v\n%s", e, stack)
		}
		// Of this one the server says nothing.
		panic(http.ErrAbortHandler)
	}()
	if h.handler == nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	h.handler.ServeHTTP(w, r)
}

func (s *Server) Start() {
	s.begin(true)
	addr := s.Listener.Addr().String()
	s.client = &http.Client{Transport: s.transport(":80", addr)}
	s.URL = "http://" + addr
	s.serve(s.Listener)
}

func (s *Server) serve(l net.Listener) {
	s.wait.Go(func() { s.Config.Serve(l) })
}

// begin notes that the server has started, on a port or in memory.
func (s *Server) begin(onPort bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		panic("Server already started")
	}
	if s.closed {
		panic("Start of closed Server")
	}
	s.started = true
	if s.test != nil && onPort {
		// Client need not start it.
		s.once.Do(func() {})
		if s.Listener != nil {
			panic("Server.Listener is unexpectedly set")
		}
		s.Listener = listen()
	}
	s.follow()
}

// startInMemory starts the server with and without TLS. The client does not look at names in the
// certificate, since any address leads there.
func (s *Server) startInMemory() {
	s.begin(false)
	config, err := s.secured()
	if err != nil {
		panic(fmt.Sprintf("httptest: NewTestServer: %v", err))
	}
	config.InsecureSkipVerify = true
	s.plain, s.secure = listenInMemory(), listenInMemory()
	s.client = &http.Client{Transport: &http.Transport{
		TLSClientConfig:   config,
		ForceAttemptHTTP2: s.EnableHTTP2,
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			return s.plain.dial(), nil
		},
		DialTLSContext: func(context.Context, string, string) (net.Conn, error) {
			return tls.Client(s.secure.dial(), config), nil
		},
	}}
	s.URL = "http://example.com"
	s.serve(s.plain)
	s.serve(tls.NewListener(s.secure, s.TLS))
}

// transport is one to which the server also is example.com on that port.
func (s *Server) transport(port, addr string) *http.Transport {
	t := &http.Transport{}
	t.DialContext = func(ctx context.Context, network, to string) (net.Conn, error) {
		if t.Dial != nil {
			return t.Dial(network, to)
		}
		if to == "example.com"+port || strings.HasSuffix(to, ".example.com"+port) {
			to = addr
		}
		return new(net.Dialer).DialContext(ctx, network, to)
	}
	return t
}

// NewTLSServer is NewServer over TLS.
func NewTLSServer(handler http.Handler) *Server {
	s := NewUnstartedServer(handler)
	s.StartTLS()
	return s
}

// StartTLS is Start over TLS, with a certificate of our own unless s.TLS has one.
func (s *Server) StartTLS() {
	s.begin(true)
	config, err := s.secured()
	if err != nil {
		panic(fmt.Sprintf("httptest: NewTLSServer: %v", err))
	}
	addr := s.Listener.Addr().String()
	t := s.transport(":443", addr)
	t.TLSClientConfig = config
	t.ForceAttemptHTTP2 = s.EnableHTTP2
	s.client = &http.Client{Transport: t}
	s.Listener = tls.NewListener(s.Listener, s.TLS)
	s.URL = "https://" + addr
	s.serve(s.Listener)
}

// secured fills in what is missing in s.TLS, and makes the configuration of a client that trusts
// the server.
func (s *Server) secured() (*tls.Config, error) {
	own, err := tls.X509KeyPair([]byte(serverCert), []byte(serverKey))
	if err != nil {
		return nil, err
	}
	if s.TLS == nil {
		s.TLS = new(tls.Config)
	} else {
		s.TLS = s.TLS.Clone()
	}
	if s.TLS.NextProtos == nil {
		s.TLS.NextProtos = []string{"http/1.1"}
		if s.EnableHTTP2 {
			s.TLS.NextProtos = []string{"h2"}
		}
	}
	if len(s.TLS.Certificates) == 0 {
		s.TLS.Certificates = []tls.Certificate{own}
	}
	s.certificate, err = x509.ParseCertificate(s.TLS.Certificates[0].Certificate[0])
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(s.certificate)
	return &tls.Config{RootCAs: roots}, nil
}

// Certificate is the server's, nil if it does not speak TLS.
func (s *Server) Certificate() *x509.Certificate { return s.certificate }

// follow notes what connections do.
func (s *Server) follow() {
	old := s.Config.ConnState
	s.Config.ConnState = func(c net.Conn, state http.ConnState) {
		s.mu.Lock()
		defer s.mu.Unlock()
		was, isKnown := s.conns[c]
		switch state {
		case http.StateNew:
			if s.conns == nil {
				s.conns = make(map[net.Conn]http.ConnState)
			}
			s.wait.Add(1)
			s.conns[c] = state
		case http.StateActive, http.StateIdle:
			if isKnown && was == state {
				panic("invalid state transition")
			}
			if isKnown {
				s.conns[c] = state
			}
		default:
			if isKnown {
				delete(s.conns, c)
				defer s.wait.Done()
			}
		}
		if s.closed && (state == http.StateNew || state == http.StateIdle) {
			c.Close()
		}
		if old != nil {
			old(c, state)
		}
	}
}

// Client is a client that knows the server, also as example.com; Close closes its connections.
func (s *Server) Client() *http.Client {
	if s.test != nil {
		s.once.Do(s.startInMemory)
	}
	return s.client
}

// Close waits for what is being answered.
func (s *Server) Close() {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		if s.Listener != nil {
			s.Listener.Close()
		}
		if s.plain != nil {
			s.plain.Close()
			s.secure.Close()
		}
		s.Config.SetKeepAlivesEnabled(false)
		for c, state := range s.conns {
			if state == http.StateIdle || state == http.StateNew {
				c.Close()
			}
		}
		timer := time.AfterFunc(5*time.Second, s.complain)
		defer timer.Stop()
	}
	s.mu.Unlock()
	closeIdle(http.DefaultTransport)
	if s.client != nil {
		closeIdle(s.client.Transport)
	}
	s.wait.Wait()
}

func closeIdle(t http.RoundTripper) {
	if t, ok := t.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

func (s *Server) complain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	b.WriteString("httptest.Server blocked in Close after 5 seconds, waiting for connections:\n")
	for c, state := range s.conns {
		fmt.Fprintf(&b, "  %T %p %v in state %v\n", c, c, c.RemoteAddr(), state)
	}
	log.Print(b.String())
}

// CloseClientConnections closes all connections, whatever they are doing.
func (s *Server) CloseClientConnections() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.Close()
	}
}
