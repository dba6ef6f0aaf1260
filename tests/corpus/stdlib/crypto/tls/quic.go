// run

// Handshakes for QUIC: the events of both sides, sessions, early data, and what goes wrong.

package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	"net"
	"slices"
	"time"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var (
	cert tls.Certificate
	pool = x509.NewCertPool()
)

var kinds = []string{
	"nothing", "read secret", "write secret", "data", "parameters", "parameters required",
	"early data rejected", "done", "resume", "store", "error",
}

// A side is one end of a connection.
type side struct {
	name    string
	conn    *tls.QUICConn
	secrets map[string]string
	out     []tls.QUICEvent
	isDone  bool
	edit    func(*tls.SessionState)
	late    []byte // parameters that are not there at first
	ticket  *tls.QUICSessionTicketOptions
	chunk   int
	quiet   bool
	spoil   func(e *tls.QUICEvent)
	extra   []byte
	failed  error
}

func told(err error) string {
	var a tls.AlertError
	if errors.As(err, &a) {
		return fmt.Sprintf("%v (alert %d %v)", err, uint8(a), a)
	}
	return fmt.Sprint(err)
}

func (s *side) say(args ...any) {
	if !s.quiet {
		fmt.Println(append([]any{"\t" + s.name + ":"}, args...)...)
	}
}

// drain takes all events that there are.
func (s *side) drain() {
	for {
		e := s.conn.NextEvent()
		switch e.Kind {
		case tls.QUICNoEvent:
			return
		case tls.QUICSetReadSecret, tls.QUICSetWriteSecret:
			s.say(kinds[e.Kind], e.Level, tls.CipherSuiteName(e.Suite), len(e.Data))
			s.secrets[fmt.Sprint(e.Kind == tls.QUICSetReadSecret, e.Level)] = string(e.Data)
		case tls.QUICWriteData:
			s.say(kinds[e.Kind], e.Level)
			e.Data = bytes.Clone(e.Data)
			s.out = append(s.out, e)
		case tls.QUICTransportParameters:
			s.say(kinds[e.Kind], fmt.Sprintf("%q", e.Data))
		case tls.QUICTransportParametersRequired:
			s.say(kinds[e.Kind])
			s.conn.SetTransportParameters(s.late)
		case tls.QUICResumeSession:
			s.say(kinds[e.Kind], e.SessionState.EarlyData, fmt.Sprintf("%q", e.SessionState.Extra))
			if s.edit != nil {
				s.edit(e.SessionState)
			}
		case tls.QUICStoreSession:
			s.say(kinds[e.Kind], e.SessionState.EarlyData)
			if s.edit != nil {
				s.edit(e.SessionState)
			}
			s.say("stored", s.conn.StoreSession(e.SessionState))
		case tls.QUICErrorEvent:
			s.say(kinds[e.Kind], told(e.Err))
			s.failed = e.Err
		case tls.QUICHandshakeDone:
			s.say(kinds[e.Kind])
			s.isDone = true
			if s.ticket != nil {
				s.say("ticket", told(s.conn.SendSessionTicket(*s.ticket)))
			}
		default:
			s.say(kinds[e.Kind], e.Level)
		}
	}
}

// hand gives the other side what there is for it.
func (s *side) hand(other *side) (moved bool) {
	for len(s.out) > 0 {
		e := s.out[0]
		s.out = s.out[1:]
		if s.spoil != nil {
			s.spoil(&e)
		}
		n := s.chunk
		if n == 0 {
			n = len(e.Data)
		}
		for piece := range slices.Chunk(e.Data, max(n, 1)) {
			if err := other.conn.HandleData(e.Level, piece); err != nil {
				other.say("failed", told(err))
				other.failed = err
				other.drain()
				return true
			}
			other.drain()
		}
		moved = true
	}
	return moved
}

func shake(what string, client, server *tls.QUICConfig, change func(c, s *side)) (c, s *side) {
	fmt.Println(what)
	if client.TLSConfig.RootCAs == nil {
		client.TLSConfig.RootCAs = pool
		client.TLSConfig.ServerName = "a.example"
	}
	if server.TLSConfig.Certificates == nil {
		server.TLSConfig.Certificates = []tls.Certificate{cert}
	}
	c = &side{name: "client", conn: tls.QUICClient(client), secrets: map[string]string{}}
	s = &side{name: "server", conn: tls.QUICServer(server), secrets: map[string]string{}}
	c.late, s.late = []byte("of client"), []byte("of server")
	if change != nil {
		change(c, s)
	}
	for _, x := range []*side{c, s} {
		if err := x.conn.Start(context.Background()); err != nil {
			x.say("start", told(err))
		}
		x.drain()
	}
	for c.failed == nil && s.failed == nil {
		if a, b := c.hand(s), s.hand(c); !a && !b {
			break
		}
	}
	same := true
	for key, secret := range c.secrets {
		other := "true" + key[len("false"):]
		if key[:4] == "true" {
			other = "false" + key[4:]
		}
		if got, ok := s.secrets[other]; ok && got != secret {
			same = false
		}
	}
	cs, ss := c.conn.ConnectionState(), s.conn.ConnectionState()
	fmt.Println("\t", c.isDone, s.isDone, "same", same, cs.DidResume, ss.DidResume,
		cs.NegotiatedProtocol, cs.HelloRetryRequest, cs.CurveID, ss.ServerName,
		len(cs.PeerCertificates), len(ss.PeerCertificates), cs.ECHAccepted)
	if c.isDone && s.isDone {
		a := must(cs.ExportKeyingMaterial("label", nil, 10))
		fmt.Println("\t", bytes.Equal(a, must(ss.ExportKeyingMaterial("label", nil, 10))))
	}
	return c, s
}

func config() *tls.QUICConfig {
	return &tls.QUICConfig{TLSConfig: &tls.Config{NextProtos: []string{"h3"}}}
}

func main() {
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	t := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"a.example"},
		NotAfter: time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC), IsCA: true, BasicConstraintsValid: true,
	}
	der := must(x509.CreateCertificate(nil, t, t, key.Public(), key))
	cert = tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	pool.AddCert(must(x509.ParseCertificate(der)))

	c, s := shake("plain", config(), config(), nil)
	fmt.Println(c.conn.Close(), s.conn.Close())
	shake("in pieces", config(), config(), func(c, s *side) { c.chunk, s.chunk = 3, 17 })
	shake("parameters set before", config(), config(), func(c, s *side) {
		c.conn.SetTransportParameters(nil)
		s.conn.SetTransportParameters([]byte("early"))
	})
	server := config()
	server.TLSConfig.ClientAuth = tls.RequireAnyClientCert
	client := config()
	client.TLSConfig.Certificates = []tls.Certificate{cert}
	shake("certificate of the client", client, server, nil)
	shake("none", config(), server, nil)
	server = config()
	server.TLSConfig.CurvePreferences = []tls.CurveID{tls.CurveP384}
	shake("hello retried", config(), server, nil)

	// Sessions.
	client, server = config(), config()
	client.TLSConfig.ClientSessionCache = tls.NewLRUClientSessionCache(1)
	early := &tls.QUICSessionTicketOptions{EarlyData: true, Extra: [][]byte{[]byte("more")}}
	giving := func(c, s *side) { s.ticket = early }
	shake("session", client, server, giving)
	shake("early data", client, server, giving)
	other := config()
	other.TLSConfig.NextProtos = []string{"h4", "h3"}
	client.TLSConfig.NextProtos = []string{"h3", "h4"}
	shake("early data of another protocol", client, other, nil)
	client.TLSConfig.NextProtos = []string{"h3"}
	shake("session again", client, server, func(c, s *side) {
		s.ticket = &tls.QUICSessionTicketOptions{}
	})
	shake("no early data", client, server, nil)
	client.EnableSessionEvents, server.EnableSessionEvents = true, true
	shake("session with events", client, server, func(c, s *side) {
		s.ticket = early
		c.edit = func(s *tls.SessionState) { s.Extra = append(s.Extra, []byte("kept")) }
	})
	shake("resumed with events", client, server, giving)
	shake("turned down", client, server, func(c, s *side) {
		s.edit = func(s *tls.SessionState) { s.EarlyData = false }
	})
	shake("session with events", client, server, giving)
	shake("not asked for", client, server, func(c, s *side) {
		c.edit = func(s *tls.SessionState) { s.EarlyData = false }
	})
	disabled := config()
	disabled.TLSConfig.SessionTicketsDisabled = true
	_, s = shake("tickets disabled", client, disabled, giving)

	// What is refused.
	fmt.Println(told(s.conn.Start(context.Background())))
	fmt.Println(told(s.conn.StoreSession(nil)))
	c, s = shake("plain", config(), config(), func(c, s *side) { c.quiet, s.quiet = true, true })
	fmt.Println(told(c.conn.SendSessionTicket(*early)))
	fmt.Println(told(s.conn.SendSessionTicket(*early)))
	fmt.Println(told(s.conn.SendSessionTicket(*early)))
	fmt.Println(told(c.conn.HandleData(tls.QUICEncryptionLevelHandshake, []byte{1})))
	for _, message := range [][]byte{
		{24, 0, 0, 1, 1}, {20, 0, 0, 0}, {1, 0, 0, 0}, {99, 0, 0, 0}, {4, 0, 0, 1, 0},
		{4, 1, 0, 1}, {4, 0, 0},
	} {
		c, s = shake("plain", config(), config(), func(c, s *side) { c.quiet, s.quiet = true, true })
		level := tls.QUICEncryptionLevelApplication
		fmt.Println(message, told(c.conn.HandleData(level, message)),
			told(s.conn.HandleData(level, message)))
	}
	quietly := func(c, s *side) { c.quiet, s.quiet = false, false }
	old := config()
	old.TLSConfig.MaxVersion = tls.VersionTLS12
	shake("client of 1.2", old, config(), quietly)
	shake("server of 1.2", config(), old, quietly)
	none := config()
	none.TLSConfig.NextProtos = nil
	shake("client without protocols", none, config(), quietly)
	shake("server without protocols", config(), none, quietly)
	different := config()
	different.TLSConfig.NextProtos = []string{"different"}
	shake("different protocols", config(), different, quietly)
	shake("wrong level", config(), config(), func(c, s *side) {
		c.spoil = func(e *tls.QUICEvent) { e.Level = tls.QUICEncryptionLevelHandshake }
	})
	shake("more than a hello", config(), config(), func(c, s *side) {
		c.spoil = func(e *tls.QUICEvent) { e.Data = append(e.Data, 20, 0, 0) }
	})
	shake("nonsense", config(), config(), func(c, s *side) {
		c.spoil = func(e *tls.QUICEvent) { e.Data = []byte{1, 0, 0, 3, 1, 2, 3} }
	})
	shake("too long", config(), config(), func(c, s *side) {
		c.spoil = func(e *tls.QUICEvent) { e.Data = []byte{1, 2, 0, 0} }
	})
	shake("spoilt", config(), config(), func(c, s *side) {
		s.spoil = func(e *tls.QUICEvent) {
			if e.Level == tls.QUICEncryptionLevelHandshake {
				e.Data[len(e.Data)-1] ^= 1
			}
		}
	})
	unverified := config()
	unverified.TLSConfig.RootCAs = x509.NewCertPool()
	unverified.TLSConfig.ServerName = "a.example"
	shake("unknown authority", unverified, config(), nil)
	unnamed := config()
	unnamed.TLSConfig.RootCAs = pool
	shake("no name", unnamed, config(), nil)

	// What the server is told of the client.
	a, b := net.Pipe()
	info := config()
	info.ClientHelloInfoConn = a
	info.TLSConfig.GetConfigForClient = func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		fmt.Println("\tinfo", h.Conn == a, h.ServerName, h.SupportedVersions, h.Extensions,
			h.SupportsCertificate(&cert))
		return nil, nil
	}
	shake("info", config(), info, nil)
	b.Close()

	// A handshake that ends before its end.
	ctx, cancel := context.WithCancel(context.Background())
	q := tls.QUICClient(&tls.QUICConfig{TLSConfig: &tls.Config{ServerName: "a.example"}})
	fmt.Println(q.Close())
	q.SetTransportParameters(nil)
	fmt.Println(q.Start(ctx), q.NextEvent().Kind == tls.QUICWriteData, q.NextEvent().Kind)
	cancel()
	fmt.Println(told(q.HandleData(tls.QUICEncryptionLevelInitial, []byte{2})))
	fmt.Println(told(q.NextEvent().Err), q.NextEvent().Kind)
	q = tls.QUICServer(config())
	fmt.Println(q.Start(context.Background()), told(q.Close()), told(q.Close()))
	fmt.Println(told(q.HandleData(tls.QUICEncryptionLevelInitial, []byte{2})))
	for level := tls.QUICEncryptionLevelInitial - 1; level < 5; level++ {
		fmt.Print(level, " ")
	}
	fmt.Println()
}
