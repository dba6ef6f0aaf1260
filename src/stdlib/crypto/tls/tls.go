package tls

import (
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
)

// Server is the server's side of a connection.
func Server(conn net.Conn, config *Config) *Conn {
	c := &Conn{conn: conn, config: config}
	c.handshake = c.serverHandshake
	return c
}

// Client is the client's side.
func Client(conn net.Conn, config *Config) *Conn {
	c := &Conn{conn: conn, config: config, isClient: true}
	c.handshake = c.clientHandshake
	return c
}

type listener struct {
	net.Listener
	config *Config
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return Server(c, l.config), nil
}

// NewListener has the connections of inner encrypted.
func NewListener(inner net.Listener, config *Config) net.Listener {
	return &listener{inner, config}
}

func Listen(network, laddr string, config *Config) (net.Listener, error) {
	if config == nil || len(config.Certificates) == 0 &&
		config.GetCertificate == nil && config.GetConfigForClient == nil {
		return nil, errors.New(
			"tls: neither Certificates, GetCertificate, nor GetConfigForClient set in Config")
	}
	l, err := net.Listen(network, laddr)
	if err != nil {
		return nil, err
	}
	return NewListener(l, config), nil
}

// A Dialer connects, and shakes hands.
type Dialer struct {
	NetDialer *net.Dialer
	Config    *Config
}

func (d *Dialer) Dial(network, addr string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, addr)
}

func (d *Dialer) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	dialer := d.NetDialer
	if dialer == nil {
		dialer = new(net.Dialer)
	}
	c, err := dial(ctx, dialer, network, addr, d.Config)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func Dial(network, addr string, config *Config) (*Conn, error) {
	return DialWithDialer(new(net.Dialer), network, addr, config)
}

// DialWithDialer has the dialer's limits hold for the handshake too.
func DialWithDialer(dialer *net.Dialer, network, addr string, config *Config) (*Conn, error) {
	return dial(context.Background(), dialer, network, addr, config)
}

func dial(
	ctx context.Context, dialer *net.Dialer, network, addr string, config *Config,
) (*Conn, error) {
	if dialer.Timeout != 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, dialer.Timeout)
		defer cancel()
	}
	if !dialer.Deadline.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, dialer.Deadline)
		defer cancel()
	}
	raw, err := dialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	if config == nil {
		config = &emptyConfig
	}
	if config.ServerName == "" {
		host := addr
		if i := strings.LastIndexByte(addr, ':'); i >= 0 {
			host = addr[:i]
		}
		config = config.Clone()
		config.ServerName = host
	}
	c := Client(raw, config)
	if err := c.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, err
	}
	return c, nil
}

// LoadX509KeyPair is X509KeyPair of two files.
func LoadX509KeyPair(certFile, keyFile string) (Certificate, error) {
	cert, err := os.ReadFile(certFile)
	if err != nil {
		return Certificate{}, err
	}
	key, err := os.ReadFile(keyFile)
	if err != nil {
		return Certificate{}, err
	}
	return X509KeyPair(cert, key)
}

// X509KeyPair is the chain in the first text with the key in the second.
func X509KeyPair(certPEMBlock, keyPEMBlock []byte) (Certificate, error) {
	cert, err := keyPair(certPEMBlock, keyPEMBlock)
	if err != nil {
		return Certificate{}, err
	}
	return cert, nil
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
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		if key, err := x509.ParsePKCS1PrivateKey(der); err == nil {
			return key, nil
		}
		if key, err := x509.ParseECPrivateKey(der); err == nil {
			return key, nil
		}
		return nil, fmt.Errorf("tls: failed to parse private key: %w", err)
	}
	switch key.(type) {
	case *rsa.PrivateKey, *ecdsa.PrivateKey, ed25519.PrivateKey, *mldsa.PrivateKey:
		return key, nil
	}
	return nil, errors.New("tls: found unknown private key type in PKCS#8 wrapping")
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
