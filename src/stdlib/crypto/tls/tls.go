// Ways to begin: from a connection, a listener or a dialer, and from the files of a key pair.

package tls

import (
	"cmp"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/mldsa"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

// Server is the server's side of a connection.
func Server(conn net.Conn, config *Config) *Conn { return &Conn{conn: conn, config: config} }

// Client is the client's side.
func Client(conn net.Conn, config *Config) *Conn {
	c := Server(conn, config)
	c.asClient = true
	return c
}

// A listener has the connections that it accepts be those of a server.
type listener struct {
	net.Listener
	config *Config
}

func (l *listener) Accept() (net.Conn, error) {
	inner, err := l.Listener.Accept()
	if err == nil {
		return Server(inner, l.config), nil
	}
	return nil, err
}

// showsNothing says whether a server has no way to come to a certificate.
func (c *Config) showsNothing() bool {
	return c == nil ||
		len(c.Certificates) == 0 && c.GetCertificate == nil && c.GetConfigForClient == nil
}

// NewListener has the connections of inner encrypted.
func NewListener(inner net.Listener, config *Config) net.Listener {
	return &listener{inner, config}
}

func Listen(network, laddr string, config *Config) (net.Listener, error) {
	if config.showsNothing() {
		return nil, errors.New(
			"tls: neither Certificates, GetCertificate, nor GetConfigForClient set in Config")
	}
	inner, err := net.Listen(network, laddr)
	if err == nil {
		inner = NewListener(inner, config)
	}
	return inner, err
}

// endOf is when a dialer gives up that starts now; never if that is zero.
func endOf(d *net.Dialer) time.Time {
	if d.Timeout == 0 {
		return d.Deadline
	}
	end := time.Now().Add(d.Timeout)
	if !d.Deadline.IsZero() && d.Deadline.Before(end) {
		end = d.Deadline
	}
	return end
}

// forHost is the configuration of a client that speaks with that address.
func (c *Config) forHost(addr string) *Config {
	if c == nil {
		c = &noConfig
	}
	if c.ServerName != "" {
		return c
	}
	own := c.Clone()
	own.ServerName = addr
	if colon := strings.LastIndexByte(addr, ':'); colon >= 0 {
		own.ServerName = addr[:colon]
	}
	return own
}

func dial(
	ctx context.Context, by *net.Dialer, network, addr string, config *Config,
) (*Conn, error) {
	if end := endOf(by); !end.IsZero() {
		limited, stop := context.WithDeadline(ctx, end)
		defer stop()
		ctx = limited
	}
	inner, err := by.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	c := Client(inner, config.forHost(addr))
	if err = c.HandshakeContext(ctx); err != nil {
		inner.Close()
		c = nil
	}
	return c, err
}

// DialWithDialer has the dialer's limits hold for the handshake too.
func DialWithDialer(by *net.Dialer, network, address string, config *Config) (*Conn, error) {
	return dial(context.Background(), by, network, address, config)
}

// Dial has no limits.
func Dial(network, address string, config *Config) (*Conn, error) {
	return DialWithDialer(&net.Dialer{}, network, address, config)
}

// A Dialer connects, and shakes hands.
type Dialer struct {
	NetDialer *net.Dialer
	Config    *Config
}

func (d *Dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

func (d *Dialer) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	by := d.NetDialer
	if by == nil {
		by = &net.Dialer{}
	}
	// A nil Conn is not a nil interface.
	if c, err := dial(ctx, by, network, addr, d.Config); err != nil {
		return nil, err
	} else {
		return c, nil
	}
}

// LoadX509KeyPair is X509KeyPair of two files.
func LoadX509KeyPair(certFile, keyFile string) (Certificate, error) {
	var texts [2][]byte
	for i, name := range [...]string{certFile, keyFile} {
		text, err := os.ReadFile(name)
		if err != nil {
			return Certificate{}, err
		}
		texts[i] = text
	}
	return X509KeyPair(texts[0], texts[1])
}

// X509KeyPair is the chain in the first text with the key in the second.
func X509KeyPair(certPEMBlock, keyPEMBlock []byte) (Certificate, error) {
	cert, err := keyPair(certPEMBlock, keyPEMBlock)
	if err != nil {
		cert = Certificate{}
	}
	return cert, err
}

func keyPair(certText, keyText []byte) (cert Certificate, err error) {
	var skipped []string
	for b, rest := pem.Decode(certText); b != nil; b, rest = pem.Decode(rest) {
		if b.Type == "CERTIFICATE" {
			cert.Certificate = append(cert.Certificate, b.Bytes)
		} else {
			skipped = append(skipped, b.Type)
		}
	}
	const in = " PEM data in certificate input"
	switch {
	case len(cert.Certificate) > 0:
	case len(skipped) == 0:
		return cert, errors.New("tls: failed to find any" + in)
	case len(skipped) == 1 && strings.HasSuffix(skipped[0], "PRIVATE KEY"):
		return cert, errors.New("tls: failed to find certificate" + in +
			", but did find a private key; PEM inputs may have been switched")
	default:
		return cert, fmt.Errorf("tls: failed to find \"CERTIFICATE\" PEM block in certificate input"+
			" after skipping PEM blocks of the following types: %v", skipped)
	}

	der, err := keyBlock(keyText)
	if err != nil {
		return cert, err
	}
	if cert.Leaf, err = x509.ParseCertificate(cert.Certificate[0]); err != nil {
		return cert, err
	}
	if cert.PrivateKey, err = parseKey(der); err != nil {
		return cert, err
	}
	return cert, matches(cert.Leaf.PublicKey, cert.PrivateKey)
}

func keyBlock(text []byte) ([]byte, error) {
	var skipped []string
	for b, rest := pem.Decode(text); b != nil; b, rest = pem.Decode(rest) {
		if b.Type == "PRIVATE KEY" || strings.HasSuffix(b.Type, " PRIVATE KEY") {
			return b.Bytes, nil
		}
		skipped = append(skipped, b.Type)
	}
	switch {
	case len(skipped) == 0:
		return nil, errors.New("tls: failed to find any PEM data in key input")
	case len(skipped) == 1 && skipped[0] == "CERTIFICATE":
		return nil, errors.New(
			"tls: found a certificate rather than a key in the PEM for the private key")
	}
	return nil, fmt.Errorf("tls: failed to find PEM block with type ending in \"PRIVATE KEY\""+
		" in key input after skipping PEM blocks of the following types: %v", skipped)
}

// parseKey tries all forms; if it is none, the error is that of the first.
func parseKey(der []byte) (crypto.PrivateKey, error) {
	var first error
	for _, parse := range [...]func([]byte) (crypto.PrivateKey, error){
		keyForm(x509.ParsePKCS8PrivateKey),
		keyForm(x509.ParsePKCS1PrivateKey),
		keyForm(x509.ParseECPrivateKey),
	} {
		key, err := parse(der)
		if err != nil {
			first = cmp.Or(first, err)
			continue
		}
		switch key.(type) {
		case *mldsa.PrivateKey, ed25519.PrivateKey, *ecdsa.PrivateKey, *rsa.PrivateKey:
			return key, nil
		}
		return nil, errors.New("tls: found unknown private key type in PKCS#8 wrapping")
	}
	return nil, fmt.Errorf("tls: failed to parse private key: %w", first)
}

// keyForm is the routine that parses a form, without the type of its keys.
func keyForm[K any](parse func([]byte) (K, error)) func([]byte) (crypto.PrivateKey, error) {
	return func(der []byte) (crypto.PrivateKey, error) { return parse(der) }
}

// matches says whether the two are one pair.
func matches(public crypto.PublicKey, private crypto.PrivateKey) error {
	var same, kind bool
	switch public := public.(type) {
	case *rsa.PublicKey:
		var key *rsa.PrivateKey
		if key, kind = private.(*rsa.PrivateKey); kind {
			same = key.PublicKey.Equal(public)
		}
	case *ecdsa.PublicKey:
		var key *ecdsa.PrivateKey
		if key, kind = private.(*ecdsa.PrivateKey); kind {
			same = key.PublicKey.Equal(public)
		}
	case ed25519.PublicKey:
		var key ed25519.PrivateKey
		if key, kind = private.(ed25519.PrivateKey); kind {
			same = public.Equal(key.Public())
		}
	case *mldsa.PublicKey:
		var key *mldsa.PrivateKey
		if key, kind = private.(*mldsa.PrivateKey); kind {
			same = public.Equal(key.Public())
		}
	default:
		return errors.New("tls: unknown public key algorithm")
	}
	if !kind {
		return errors.New("tls: private key type does not match public key type")
	}
	if !same {
		return errors.New("tls: private key does not match public key")
	}
	return nil
}
