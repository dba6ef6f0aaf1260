package httptest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Server is a server on a port of this machine.
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

func (s *Server) Start() {
	s.begin(false)
	addr := s.Listener.Addr().String()
	s.client = &http.Client{Transport: s.transport(":80", addr)}
	s.URL = "http://" + addr
	s.wait.Go(func() { s.Config.Serve(s.Listener) })
}

// begin notes that the server has started.
func (s *Server) begin(secure bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		panic("Server already started")
	}
	if s.closed {
		if secure {
			panic("StartTLS of closed Server")
		}
		panic("Start of closed Server")
	}
	s.started = true
	s.follow()
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
	own, err := tls.X509KeyPair([]byte(serverCert), []byte(serverKey))
	if err != nil {
		panic(fmt.Sprintf("httptest: NewTLSServer: %v", err))
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
		panic(fmt.Sprintf("httptest: NewTLSServer: %v", err))
	}
	roots := x509.NewCertPool()
	roots.AddCert(s.certificate)
	addr := s.Listener.Addr().String()
	t := s.transport(":443", addr)
	t.TLSClientConfig = &tls.Config{RootCAs: roots}
	t.ForceAttemptHTTP2 = s.EnableHTTP2
	s.client = &http.Client{Transport: t}
	s.Listener = tls.NewListener(s.Listener, s.TLS)
	s.URL = "https://" + addr
	s.wait.Go(func() { s.Config.Serve(s.Listener) })
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
func (s *Server) Client() *http.Client { return s.client }

// Close waits for what is being answered.
func (s *Server) Close() {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		s.Listener.Close()
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
