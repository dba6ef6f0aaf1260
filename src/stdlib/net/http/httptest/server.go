package httptest

// Servers for tests. A server is claimed once, by Start, StartTLS, or the first use of its Client,
// which starts one of NewTestServer in memory. Then entries are opened: a goroutine serves each
// listener. The server keeps a list of its connections with what they do, which Close and
// CloseClientConnections go through.

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
	wait        sync.WaitGroup // for entries and connections

	test     testing.TB // nil unless NewTestServer has made it
	once     sync.Once  // starts it in memory
	inMemory []*memoryListener

	mu      sync.Mutex
	started bool
	closed  bool
	conns   map[net.Conn]http.ConnState
}

// NewServer makes a server and starts it.
func NewServer(handler http.Handler) *Server {
	s := NewUnstartedServer(handler)
	s.Start()
	return s
}

// NewTLSServer is NewServer over TLS.
func NewTLSServer(handler http.Handler) *Server {
	s := NewUnstartedServer(handler)
	s.StartTLS()
	return s
}

// NewUnstartedServer makes a server that has a port already, and waits to be started.
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
	defer h.report()
	if h.handler != nil {
		h.handler.ServeHTTP(w, r)
	} else {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// report makes a panic one of which the server says nothing.
func (h tested) report() {
	switch e := recover(); e {
	case nil:
		return
	case http.ErrAbortHandler:
	default:
		var stack [64 << 10]byte
		n := runtime.Stack(stack[:], false)
		h.test.Errorf("httptest: panic in server handler: %v\n%s", e, stack[:n])
	}
	panic(http.ErrAbortHandler)
}

// listen finds a free port of this machine.
func listen() net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		return l
	}
	if l, err = net.Listen("tcp6", "[::1]:0"); err == nil {
		return l
	}
	panic(fmt.Sprintf("httptest: failed to listen on a port: %v", err))
}

// claim notes that the server starts, on a port or in memory, and has it follow its connections.
func (s *Server) claim(onPort bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.started:
		panic("Server already started")
	case s.closed:
		panic("Start of closed Server")
	}
	s.started = true
	if onPort && s.test != nil {
		s.once.Do(func() {})
		if s.Listener == nil {
			s.Listener = listen()
		} else {
			panic("Server.Listener is unexpectedly set")
		}
	}
	told := s.Config.ConnState
	s.Config.ConnState = func(c net.Conn, state http.ConnState) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.note(c, state) {
			defer s.wait.Done()
		}
		if told != nil {
			told(c, state)
		}
	}
}

// open makes the client with what leads to the server, and serves all entries.
func (s *Server) open(url string, to *http.Transport, entries ...net.Listener) {
	s.client, s.URL = &http.Client{Transport: to}, url
	for _, l := range entries {
		s.wait.Go(func() { s.Config.Serve(l) })
	}
}

// Start serves on the port.
func (s *Server) Start() {
	s.claim(true)
	s.publish("http", ":80", nil)
}

// StartTLS is Start over TLS, with a certificate of our own unless s.TLS has one.
func (s *Server) StartTLS() {
	s.claim(true)
	s.publish("https", ":443", s.secured("NewTLSServer"))
}

// publish serves on the port, and makes a client that takes example.com's port for it too. The
// server speaks TLS if there is a configuration for the client.
func (s *Server) publish(scheme, port string, trust *tls.Config) {
	own := s.Listener.Addr().String()
	t := &http.Transport{TLSClientConfig: trust}
	t.DialContext = func(ctx context.Context, network, to string) (net.Conn, error) {
		if t.Dial != nil {
			return t.Dial(network, to)
		}
		if host, ok := strings.CutSuffix(to, "example.com"+port); ok && (host == "" || strings.HasSuffix(host, ".")) {
			to = own
		}
		return new(net.Dialer).DialContext(ctx, network, to)
	}
	if trust != nil {
		t.ForceAttemptHTTP2 = s.EnableHTTP2
		s.Listener = tls.NewListener(s.Listener, s.TLS)
	}
	s.open(scheme+"://"+own, t, s.Listener)
}

// startInMemory starts the server with and without TLS. The client does not look at names in the
// certificate, since any address leads there.
func (s *Server) startInMemory() {
	s.claim(false)
	trust := s.secured("NewTestServer")
	trust.InsecureSkipVerify = true
	plain, secure := listenInMemory(), listenInMemory()
	s.inMemory = []*memoryListener{plain, secure}
	to := &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) { return plain.dial(), nil },
		DialTLSContext: func(context.Context, string, string) (net.Conn, error) {
			return tls.Client(secure.dial(), trust), nil
		},
	}
	to.TLSClientConfig, to.ForceAttemptHTTP2 = trust, s.EnableHTTP2
	s.open("http://example.com", to, plain, tls.NewListener(secure, s.TLS))
}

// secured fills in what is missing in s.TLS, and makes the configuration of a client that trusts
// the server. It panics, in the name of who, if the certificate is of no use.
func (s *Server) secured(who string) *tls.Config {
	must := func(err error) {
		if err != nil {
			panic(fmt.Sprintf("httptest: %s: %v", who, err))
		}
	}
	c := s.TLS.Clone()
	if c == nil {
		c = new(tls.Config)
	}
	s.TLS = c
	switch {
	case c.NextProtos != nil:
	case s.EnableHTTP2:
		c.NextProtos = []string{"h2"}
	default:
		c.NextProtos = []string{"http/1.1"}
	}
	var err error
	if len(c.Certificates) == 0 {
		c.Certificates = make([]tls.Certificate, 1)
		c.Certificates[0], err = tls.X509KeyPair([]byte(serverCert), []byte(serverKey))
		must(err)
	}
	s.certificate, err = x509.ParseCertificate(c.Certificates[0].Certificate[0])
	must(err)
	trusted := x509.NewCertPool()
	trusted.AddCert(s.certificate)
	return &tls.Config{RootCAs: trusted}
}

// Certificate is the server's, nil if it does not speak TLS.
func (s *Server) Certificate() *x509.Certificate { return s.certificate }

// Client is a client that knows the server, also as example.com; Close closes its connections.
func (s *Server) Client() *http.Client {
	if s.test != nil {
		s.once.Do(s.startInMemory)
	}
	return s.client
}

// note keeps what a connection does now, and says whether the server need wait for it no longer.
func (s *Server) note(c net.Conn, now http.ConnState) (isOver bool) {
	before, isKnown := s.conns[c]
	isNew := now == http.StateNew
	if s.conns == nil && isNew {
		s.conns = map[net.Conn]http.ConnState{}
	}
	if s.closed && isUnused(now) {
		defer c.Close()
	}
	switch now {
	case http.StateHijacked, http.StateClosed:
		delete(s.conns, c)
		return isKnown
	case before:
		if isKnown && !isNew {
			panic("invalid state transition")
		}
	}
	if isNew {
		s.wait.Add(1)
	}
	if isNew || isKnown {
		s.conns[c] = now
	}
	return false
}

// isUnused says whether nothing is being answered on a connection.
func isUnused(state http.ConnState) bool { return state == http.StateNew || state == http.StateIdle }

// Close waits for what is being answered.
func (s *Server) Close() {
	if s.shut() {
		timer := time.AfterFunc(5*time.Second, s.complain)
		defer timer.Stop()
	}
	clients := []*http.Client{{Transport: http.DefaultTransport}}
	if s.client != nil {
		clients = append(clients, s.client)
	}
	for _, c := range clients {
		if t, ok := c.Transport.(interface{ CloseIdleConnections() }); ok {
			t.CloseIdleConnections()
		}
	}
	s.wait.Wait()
}

// shut closes the entries, and the connections that nobody uses; it has nothing to do twice.
func (s *Server) shut() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.closed = true
	if s.Listener != nil {
		s.Listener.Close()
	}
	for _, l := range s.inMemory {
		l.Close()
	}
	s.Config.SetKeepAlivesEnabled(false)
	for c, state := range s.conns {
		if isUnused(state) {
			c.Close()
		}
	}
	return true
}

// complain logs for what Close still waits.
func (s *Server) complain() {
	lines := []string{"httptest.Server blocked in Close after 5 seconds, waiting for connections:\n"}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c, state := range s.conns {
		lines = append(lines, fmt.Sprintf("  %T %p %v in state %v\n", c, c, c.RemoteAddr(), state))
	}
	log.Print(strings.Join(lines, ""))
}

// CloseClientConnections closes all connections, whatever they are doing.
func (s *Server) CloseClientConnections() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.Close()
	}
}
