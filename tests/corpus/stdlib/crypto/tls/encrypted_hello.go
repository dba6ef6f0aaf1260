// run

// Encrypted Client Hello: what is accepted, rejected and retried, and what both sides know then.

package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hpke"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"slices"
	"strings"
	"time"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func sized(n int, p []byte) []byte {
	size := binary.BigEndian.AppendUint64(nil, uint64(len(p)))[8-n:]
	return append(size, p...)
}

func u16s(list ...uint16) (p []byte) {
	for _, v := range list {
		p = binary.BigEndian.AppendUint16(p, v)
	}
	return p
}

// A draft is a configuration, and the key that belongs to it.
type draft struct {
	version, kem uint16
	id           byte
	ciphers      []uint16
	nameSize     byte
	name         string
	extensions   []byte
}

func (d draft) private() hpke.PrivateKey {
	kem := must(hpke.NewKEM(d.kem))
	return must(kem.DeriveKeyPair(bytes.Repeat([]byte{d.id}, 64)))
}

func (d draft) config() []byte {
	body := append([]byte{d.id}, u16s(d.kem)...)
	body = append(body, sized(2, d.private().PublicKey().Bytes())...)
	body = append(body, sized(2, u16s(d.ciphers...))...)
	body = append(body, d.nameSize)
	body = append(body, sized(1, []byte(d.name))...)
	body = append(body, sized(2, d.extensions)...)
	return append(u16s(d.version), sized(2, body)...)
}

func (d draft) key(retry bool) tls.EncryptedClientHelloKey {
	private := must(d.private().Bytes())
	return tls.EncryptedClientHelloKey{Config: d.config(), PrivateKey: private, SendAsRetry: retry}
}

func list(configs ...[]byte) []byte { return sized(2, slices.Concat(configs...)) }

// A counter counts what is written.
type counter struct {
	net.Conn
	n []int
}

func (c *counter) Write(p []byte) (int, error) {
	c.n = append(c.n, len(p))
	return c.Conn.Write(p)
}

var (
	cert tls.Certificate
	pool = x509.NewCertPool()
)

func shake(what string, client, server *tls.Config) (rejected *tls.ECHRejectionError) {
	if client.RootCAs == nil {
		client.RootCAs = pool
	}
	if client.ServerName == "" {
		client.ServerName = "secret.example"
	}
	if server.Certificates == nil {
		server.Certificates = []tls.Certificate{cert}
	}
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	a := &counter{Conn: must(net.Dial("tcp", l.Addr().String()))}
	b := must(l.Accept())
	l.Close()
	limit := time.Now().Add(20 * time.Second)
	a.SetDeadline(limit)
	b.SetDeadline(limit)
	sc := tls.Server(b, server)
	done := make(chan error)
	go func() {
		err := sc.Handshake()
		if err == nil {
			_, err = io.WriteString(sc, "hi")
		}
		if err == nil {
			_, err = io.ReadAll(sc)
		}
		sc.Close()
		done <- err
	}()
	cc := tls.Client(a, client)
	err := cc.Handshake()
	if err == nil {
		_, err = cc.Read(make([]byte, 2))
		cc.Close()
	}
	a.Close()
	serr := <-done
	if serr != nil && strings.Contains(serr.Error(), "reset by peer") {
		serr = nil
	}
	fmt.Printf("%s: %v | %v\n", what, err, serr)
	c, s := cc.ConnectionState(), sc.ConnectionState()
	fmt.Println("\t", c.ECHAccepted, s.ECHAccepted, s.ServerName, c.DidResume, c.HelloRetryRequest,
		c.CurveID, len(c.VerifiedChains), len(s.PeerCertificates), c.HandshakeComplete)
	if len(a.n) > 0 {
		fmt.Println("\t hello", a.n[0])
	}
	if errors.As(err, &rejected) {
		fmt.Println("\t retry with", len(rejected.RetryConfigList))
	}
	return rejected
}

func main() {
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	t := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"secret.example", "public.example"},
		NotAfter: time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC), IsCA: true, BasicConstraintsValid: true,
	}
	der := must(x509.CreateCertificate(nil, t, t, key.Public(), key))
	cert = tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	pool.AddCert(must(x509.ParseCertificate(der)))

	base := draft{0xfe0d, 0x20, 7, []uint16{1, 1}, 40, "public.example", nil}
	client := func(configs ...[]byte) *tls.Config {
		return &tls.Config{EncryptedClientHelloConfigList: list(configs...)}
	}
	server := func(keys ...tls.EncryptedClientHelloKey) *tls.Config {
		return &tls.Config{EncryptedClientHelloKeys: keys}
	}
	shake("accepted", client(base.config()), server(base.key(true)))
	for _, kem := range []uint16{0x10, 0x12, 0x41, 0x647a} {
		for _, ciphers := range [][]uint16{{3, 2}, {9, 9, 16, 3}} {
			other := base
			other.kem, other.ciphers = kem, ciphers
			shake(fmt.Sprintf("%#x %v", kem, ciphers), client(other.config()), server(other.key(true)))
		}
	}
	for _, name := range []string{"s.example", strings.Repeat("long", 12) + ".example", "127.0.0.1"} {
		config := client(base.config())
		config.ServerName, config.InsecureSkipVerify = name, true
		shake("name "+name, config, server(base.key(true)))
	}

	// What is not accepted.
	other := base
	other.id = 8
	shake("no key", client(base.config()), server())
	r := shake("another key", client(base.config()), server(other.key(true)))
	again := &tls.Config{EncryptedClientHelloConfigList: r.RetryConfigList}
	shake("retried", again, server(other.key(true)))
	shake("no retry", client(base.config()), server(other.key(false)))
	shake("several", client(base.config()), server(other.key(true), base.key(false)))
	hidden := base
	hidden.name = "hidden.example"
	shake("name of the certificate", client(hidden.config()), server(other.key(true)))
	config := client(hidden.config())
	config.InsecureSkipVerify = true
	shake("not skipped", config, server(other.key(true)))
	config.EncryptedClientHelloRejectionVerify = func(s tls.ConnectionState) error {
		fmt.Println("\t verify", s.ServerName, len(s.PeerCertificates), s.ECHAccepted)
		return nil
	}
	config.VerifyConnection = func(tls.ConnectionState) error { panic("called") }
	shake("verified", config, server(other.key(true)))
	config.EncryptedClientHelloRejectionVerify = func(tls.ConnectionState) error {
		return errors.New("no, thanks")
	}
	shake("verified in vain", config, server(other.key(true)))

	// Hellos that are retried, sessions, certificates of clients.
	wide := server(base.key(true))
	wide.CurvePreferences = []tls.CurveID{tls.CurveP384}
	shake("hello retried", client(base.config()), wide)
	wide.EncryptedClientHelloKeys = []tls.EncryptedClientHelloKey{other.key(true)}
	shake("hello retried and rejected", client(base.config()), wide)
	kept := server(base.key(true))
	kept.ClientAuth = tls.RequireAnyClientCert
	config = client(base.config())
	config.ClientSessionCache = tls.NewLRUClientSessionCache(1)
	config.Certificates = []tls.Certificate{cert}
	shake("session", config, kept)
	shake("resumed", config, kept)
	kept.CurvePreferences = []tls.CurveID{tls.CurveP521}
	shake("resumed with another hello", config, kept)
	kept.EncryptedClientHelloKeys = []tls.EncryptedClientHelloKey{other.key(true)}
	shake("not resumed", config, kept)

	// What the server may choose by.
	chosen := &tls.Config{
		GetEncryptedClientHelloKeys: func(h *tls.ClientHelloInfo) (
			[]tls.EncryptedClientHelloKey, error,
		) {
			fmt.Println("\t keys for", h.ServerName, h.Extensions)
			return []tls.EncryptedClientHelloKey{base.key(true)}, nil
		},
		GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
			fmt.Println("\t config for", h.ServerName, h.Extensions, h.SupportedVersions)
			return nil, nil
		},
		NextProtos: []string{"b"},
	}
	config = client(base.config())
	config.NextProtos = []string{"a", "b"}
	shake("chosen", config, chosen)
	shake("chosen without", &tls.Config{}, chosen)
	chosen.GetEncryptedClientHelloKeys = func(*tls.ClientHelloInfo) (
		[]tls.EncryptedClientHelloKey, error,
	) {
		return nil, errors.New("no keys today")
	}
	shake("failed", config, chosen)

	// Versions.
	old := server(base.key(true))
	old.MaxVersion = tls.VersionTLS12
	shake("server of 1.2", client(base.config()), old)
	config = client(base.config())
	config.MinVersion = tls.VersionTLS12
	shake("least 1.2", config, server())
	config = client(base.config())
	config.MaxVersion = tls.VersionTLS12
	shake("most 1.2", config, server())

	// Configurations that are none.
	raw := list(base.config())
	for _, n := range []int{0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 40, 42, 44, 46, 48, 49, 50, 60, 62, 64} {
		cut := slices.Clone(raw[:min(n, len(raw))])
		if n >= 2 {
			binary.BigEndian.PutUint16(cut, uint16(len(cut)-2))
		}
		if n >= 6 {
			binary.BigEndian.PutUint16(cut[4:], uint16(len(cut)-6))
		}
		shake(fmt.Sprint("cut at ", n), &tls.Config{EncryptedClientHelloConfigList: cut}, server())
	}
	shake("long", &tls.Config{EncryptedClientHelloConfigList: append(raw, 0)}, server())
	for _, change := range []func(*draft){
		func(d *draft) { d.version = 0xfe0c },
		func(d *draft) { d.ciphers = nil },
		func(d *draft) { d.ciphers = []uint16{1, 0xffff, 9, 1} },
		func(d *draft) { d.extensions = append(u16s(0x8001), sized(2, nil)...) },
		func(d *draft) { d.extensions = append(u16s(1), sized(2, []byte("x"))...) },
		func(d *draft) { d.name = "single" },
		func(d *draft) { d.name = "-a.example" },
		func(d *draft) { d.name = "a-.example" },
		func(d *draft) { d.name = "a..example" },
		func(d *draft) { d.name = "a_b.example" },
		func(d *draft) { d.name = "A-b.EXAMPLE" },
	} {
		d := base
		change(&d)
		shake(fmt.Sprintf("%v", d), client(d.config()), server(d.key(true)))
		shake("and a good one", client(d.config(), base.config()), server(d.key(true), base.key(true)))
	}

	// Keys that are none.
	for _, change := range []func(*tls.EncryptedClientHelloKey){
		func(k *tls.EncryptedClientHelloKey) { k.Config = k.Config[:9] },
		func(k *tls.EncryptedClientHelloKey) { k.Config = nil },
		func(k *tls.EncryptedClientHelloKey) { k.PrivateKey = k.PrivateKey[1:] },
		func(k *tls.EncryptedClientHelloKey) { k.Config[5]++; k.Config[6]++ },
		func(k *tls.EncryptedClientHelloKey) { k.Config[0]++ },
	} {
		k := base.key(true)
		change(&k)
		shake("bad key", client(base.config()), server(k))
	}
}
