// run

// Handshakes of each version and suite, with each kind of key, and what both sides know then.

package main

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"strings"
	"time"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func certificate(key crypto.Signer, names ...string) (tls.Certificate, *x509.CertPool) {
	t := &x509.Certificate{
		SerialNumber:          big.NewInt(7),
		Subject:               pkix.Name{CommonName: "test of " + names[0]},
		NotBefore:             time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:              time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC),
		DNSNames:              names,
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature |
			x509.KeyUsageKeyEncipherment,
		ExtKeyUsage: []x509.ExtKeyUsage{
			x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth,
		},
	}
	der := must(x509.CreateCertificate(rand.Reader, t, t, key.Public(), key))
	leaf := must(x509.ParseCertificate(der))
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, pool
}

// shake has two sides shake hands, and each send some text.
func shake(client, server *tls.Config) (c, s tls.ConnectionState, cerr, serr error) {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	a := must(net.Dial("tcp", l.Addr().String()))
	b := must(l.Accept())
	l.Close()
	limit := time.Now().Add(20 * time.Second)
	a.SetDeadline(limit)
	b.SetDeadline(limit)
	done := make(chan error)
	sc := tls.Server(b, server)
	go func() {
		defer b.Close()
		if err := sc.Handshake(); err != nil {
			done <- err
			return
		}
		buf := make([]byte, 100)
		n, err := sc.Read(buf)
		if err == nil {
			_, err = sc.Write(bytes.ToUpper(buf[:n]))
		}
		done <- err
	}()
	cc := tls.Client(a, client)
	cerr = cc.Handshake()
	if cerr == nil {
		_, cerr = cc.Write([]byte("hello"))
	}
	if cerr == nil {
		buf := make([]byte, 100)
		var n int
		n, cerr = cc.Read(buf)
		if cerr == nil && string(buf[:n]) != "HELLO" {
			cerr = fmt.Errorf("got %q", buf[:n])
		}
	}
	if cerr != nil {
		a.Close()
	}
	serr = <-done
	c, s = cc.ConnectionState(), sc.ConnectionState()
	a.Close()
	return c, s, cerr, serr
}

func show(what string, client, server *tls.Config) {
	c, s, cerr, serr := shake(client, server)
	if cerr != nil || serr != nil {
		if cerr != nil {
			var e *net.OpError
			fmt.Printf("%s: client: %v (%T %v)\n", what, cerr, cerr, errors.As(cerr, &e))
		}
		if serr != nil && !strings.Contains(serr.Error(), "reset by peer") {
			fmt.Printf("%s: server: %v (%T)\n", what, serr, serr)
		}
		return
	}
	same := c.Version == s.Version && c.CipherSuite == s.CipherSuite && c.CurveID == s.CurveID &&
		c.DidResume == s.DidResume && bytes.Equal(c.TLSUnique, s.TLSUnique) &&
		c.NegotiatedProtocol == s.NegotiatedProtocol && c.HelloRetryRequest == s.HelloRetryRequest
	fmt.Println(what+":", tls.VersionName(c.Version), tls.CipherSuiteName(c.CipherSuite),
		"resumed", c.DidResume, "proto", c.NegotiatedProtocol, "server", s.ServerName,
		"certs", len(c.PeerCertificates), len(s.PeerCertificates),
		"chains", len(c.VerifiedChains), len(s.VerifiedChains), "same", same)
}

func main() {
	rsaKey := must(rsa.GenerateKey(rand.Reader, 2048))
	ecKey := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	ecKey384 := must(ecdsa.GenerateKey(elliptic.P384(), rand.Reader))
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	keys := []crypto.Signer{rsaKey, ecKey, ecKey384, edKey}
	all := append(tls.CipherSuites(), tls.InsecureCipherSuites()...)
	for _, key := range keys {
		cert, pool := certificate(key, "example.com", "*.example.org")
		base := func() (client, server *tls.Config) {
			client = &tls.Config{RootCAs: pool, ServerName: "example.com"}
			server = &tls.Config{Certificates: []tls.Certificate{cert}, ClientCAs: pool}
			return client, server
		}
		fmt.Printf("%T\n", key)
		client, server := base()
		show("default", client, server)
		for _, v := range []uint16{
			tls.VersionTLS10, tls.VersionTLS11, tls.VersionTLS12, tls.VersionTLS13,
		} {
			client, server := base()
			client.MinVersion, client.MaxVersion = v, v
			server.MinVersion = tls.VersionTLS10
			show("client of "+tls.VersionName(v), client, server)
			for _, curve := range []tls.CurveID{
				tls.X25519, tls.CurveP256, tls.CurveP384, tls.CurveP521,
			} {
				client, server := base()
				client.MinVersion, client.MaxVersion = v, v
				server.MinVersion = tls.VersionTLS10
				server.CurvePreferences = []tls.CurveID{curve}
				c, _, cerr, serr := shake(client, server)
				fmt.Println(curve, c.CurveID, cerr, serr == nil)
			}
			client, server = base()
			client.MinVersion, client.MaxVersion = v, v
			server.MinVersion = tls.VersionTLS10
			client.Certificates = []tls.Certificate{cert}
			server.ClientAuth = tls.RequireAndVerifyClientCert
			show("with a client's certificate", client, server)
		}
		for _, suite := range all {
			for _, v := range suite.SupportedVersions {
				if v == tls.VersionTLS13 {
					continue
				}
				client, server := base()
				client.MinVersion, client.MaxVersion = v, v
				server.MinVersion = tls.VersionTLS10
				client.CipherSuites = []uint16{suite.ID}
				server.CipherSuites = []uint16{suite.ID}
				show(fmt.Sprint(suite.Name, suite.Insecure), client, server)
			}
		}
	}

	fmt.Println("names, protocols, sessions")
	cert, pool := certificate(ecKey, "example.com", "*.example.org")
	other, otherPool := certificate(rsaKey, "other.net")
	both := x509.NewCertPool()
	both.AddCert(cert.Leaf)
	both.AddCert(other.Leaf)
	for _, name := range []string{
		"example.com", "a.example.org", "other.net", "wrong.net", "EXAMPLE.com",
	} {
		client := &tls.Config{RootCAs: both, ServerName: name}
		server := &tls.Config{Certificates: []tls.Certificate{cert, other}}
		show(name, client, server)
		server = &tls.Config{GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
			switch h.ServerName {
			case "other.net":
				return &other, nil
			case "wrong.net":
				return nil, errors.New("nobody is called that")
			case "EXAMPLE.com":
				return nil, nil
			}
			return &cert, nil
		}}
		show("by func "+name, client, server)
	}
	for _, protos := range [][2]string{
		{"h2 http/1.1", "http/1.1"}, {"a b", "b a"}, {"a", "b"}, {"", "a"}, {"a", ""},
		{"http/1.1", "h2"}, {"h2", "http/1.1"},
	} {
		client := &tls.Config{RootCAs: pool, ServerName: "example.com"}
		server := &tls.Config{Certificates: []tls.Certificate{cert}}
		client.NextProtos, server.NextProtos = strings.Fields(protos[0]), strings.Fields(protos[1])
		show(fmt.Sprintf("%q", protos), client, server)
		client.MaxVersion = tls.VersionTLS12
		show(fmt.Sprintf("%q", protos), client, server)
	}
	for _, v := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		client := &tls.Config{RootCAs: pool, ServerName: "example.com", MaxVersion: v}
		client.ClientSessionCache = tls.NewLRUClientSessionCache(1)
		server := &tls.Config{Certificates: []tls.Certificate{cert}}
		for i := range 3 {
			show(fmt.Sprint("session ", i), client, server)
		}
		server.SetSessionTicketKeys([][32]byte{{1}})
		show("with another key", client, server)
		show("with another key", client, server)
		server.SetSessionTicketKeys([][32]byte{{2}, {1}})
		show("with two keys", client, server)
		server.SessionTicketsDisabled = true
		show("without tickets", client, server)
		kept, ok := client.ClientSessionCache.Get("example.com")
		ticket, state, err := kept.ResumptionState()
		text, err2 := state.Bytes()
		back, err3 := tls.ParseSessionState(text)
		text2, err4 := back.Bytes()
		fmt.Println(ok, len(ticket) > 100, err, err2, err3, err4, bytes.Equal(text, text2))
		for n := range text {
			if _, err := tls.ParseSessionState(text[:n]); err == nil {
				fmt.Println("parsed", n, "bytes of", len(text))
			}
		}
	}

	fmt.Println("what goes wrong")
	good := func() (client, server *tls.Config) {
		return &tls.Config{RootCAs: pool, ServerName: "example.com"},
			&tls.Config{Certificates: []tls.Certificate{cert}, ClientCAs: pool}
	}
	for _, v := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		try := func(what string, change func(client, server *tls.Config)) {
			client, server := good()
			client.MaxVersion = v
			change(client, server)
			show(what, client, server)
		}
		fmt.Println(tls.VersionName(v))
		try("unknown root", func(c, s *tls.Config) { c.RootCAs = otherPool })
		try("wrong name", func(c, s *tls.Config) { c.ServerName = "example.net" })
		try("no name", func(c, s *tls.Config) { c.ServerName = "" })
		try("skip", func(c, s *tls.Config) { c.ServerName, c.InsecureSkipVerify = "", true })
		try("too old", func(c, s *tls.Config) { c.Time = func() time.Time { return time.Unix(0, 0) } })
		try("no certificate", func(c, s *tls.Config) { s.Certificates = nil })
		try("no mutual version", func(c, s *tls.Config) {
			s.MinVersion = tls.VersionTLS13
			c.MaxVersion = tls.VersionTLS12
		})
		try("client without certificate", func(c, s *tls.Config) {
			s.ClientAuth = tls.RequireAnyClientCert
		})
		try("client of unknown root", func(c, s *tls.Config) {
			s.ClientAuth = tls.RequireAndVerifyClientCert
			s.ClientCAs = otherPool
			c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
				return &cert, nil
			}
		})
		try("client without one, if given", func(c, s *tls.Config) {
			s.ClientAuth = tls.VerifyClientCertIfGiven
		})
		try("VerifyPeerCertificate", func(c, s *tls.Config) {
			c.VerifyPeerCertificate = func(raw [][]byte, chains [][]*x509.Certificate) error {
				return fmt.Errorf("not these %d, %d", len(raw), len(chains))
			}
		})
		try("VerifyConnection", func(c, s *tls.Config) {
			s.VerifyConnection = func(cs tls.ConnectionState) error {
				return errors.New("not this one: " + cs.ServerName)
			}
		})
		try("suites", func(c, s *tls.Config) {
			c.CipherSuites = []uint16{tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256}
		})
		try("config for client", func(c, s *tls.Config) {
			s.GetConfigForClient = func(h *tls.ClientHelloInfo) (*tls.Config, error) {
				fmt.Println(h.ServerName, h.SupportedProtos, h.SupportsCertificate(&cert))
				return nil, errors.New("no")
			}
		})
		try("bad protocols", func(c, s *tls.Config) { c.NextProtos = []string{""} })
	}
	client, server := good()
	client.MinVersion, client.MaxVersion = tls.VersionTLS13, tls.VersionTLS12
	show("no version", client, server)

	fmt.Println("not TLS")
	a, b := net.Pipe()
	go io.WriteString(a, "GET / HTTP/1.0\r\n\r\n")
	err = tls.Server(b, server).Handshake()
	var header tls.RecordHeaderError
	fmt.Println(err, errors.As(err, &header), string(header.RecordHeader[:]), header.Conn == b)
	client, server = good()
	a, b = net.Pipe()
	go func(a net.Conn) {
		a.Read(make([]byte, 5000))
		io.WriteString(a, "HTTP/1.0 400 Bad Request\r\n\r\n")
	}(a)
	err = tls.Client(b, client.Clone()).Handshake()
	fmt.Println(err)
	a, b = net.Pipe()
	go func(a net.Conn) {
		a.Read(make([]byte, 5000))
		a.Write([]byte{21, 3, 1, 0, 2, 2, 40})
	}(a)
	err = tls.Client(b, client).Handshake()
	fmt.Printf("%v %T\n", err, err)
	var alert tls.AlertError
	fmt.Println(errors.As(err, &alert), tls.AlertError(40), tls.AlertError(200))
	a, b = net.Pipe()
	a.Close()
	fmt.Println(tls.Client(b, client).Handshake())
	a, b = net.Pipe()
	b.SetDeadline(time.Now().Add(10 * time.Millisecond))
	err = tls.Server(b, server).Handshake()
	e, ok := err.(net.Error)
	fmt.Println(err, ok, ok && e.Timeout())
}
