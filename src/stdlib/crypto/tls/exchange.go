package tls

import (
	"crypto"
	"crypto/ecdh"
	"crypto/md5"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"slices"
)

// groups is the ways to a shared secret that this package knows, in the order in which they are
// preferred.
var groups = []CurveID{X25519, CurveP256, CurveP384, CurveP521}

// curves is what the configuration allows in that version.
func (c *Config) curves(version uint16) (list []CurveID) {
	for _, id := range groups {
		if c.allows(version, id) {
			list = append(list, id)
		}
	}
	return list
}

func (c *Config) allows(version uint16, id CurveID) bool {
	return slices.Contains(groups, id) &&
		(len(c.CurvePreferences) == 0 || slices.Contains(c.CurvePreferences, id))
}

func curveOf(id CurveID) ecdh.Curve {
	switch id {
	case X25519:
		return ecdh.X25519()
	case CurveP256:
		return ecdh.P256()
	case CurveP384:
		return ecdh.P384()
	case CurveP521:
		return ecdh.P521()
	}
	return nil
}

// A shareKey is what stays here of a share.
type shareKey struct {
	group CurveID
	ecdh  *ecdh.PrivateKey
}

// newShare is a share to send.
func newShare(random io.Reader, id CurveID) (*shareKey, keyShare, error) {
	key, err := curveOf(id).GenerateKey(random)
	if err != nil {
		return nil, keyShare{}, err
	}
	return &shareKey{id, key}, keyShare{id, key.PublicKey().Bytes()}, nil
}

// secret is what the key and the peer's share make.
func (k *shareKey) secret(theirs []byte) ([]byte, error) {
	public, err := k.ecdh.Curve().NewPublicKey(theirs)
	if err != nil {
		return nil, err
	}
	return k.ecdh.ECDH(public)
}

// answer is the share that answers the peer's, and the secret of both.
func answer(random io.Reader, theirs keyShare) ([]byte, keyShare, error) {
	key, ours, err := newShare(random, theirs.group)
	if err != nil {
		return nil, keyShare{}, err
	}
	secret, err := key.secret(theirs.data)
	return secret, ours, err
}

func supportsECDHE(c *Config, version uint16, theirs []CurveID, points []uint8) (bool, error) {
	plain := len(points) == 0 || slices.Contains(points, pointFormatUncompressed)
	if !plain {
		return false, errors.New("tls: client offered only incompatible point formats")
	}
	return slices.ContainsFunc(theirs, func(id CurveID) bool { return c.allows(version, id) }), nil
}

// The exchanges of keys before TLS 1.3.

var (
	errClientKeyExchange = errors.New("tls: invalid ClientKeyExchange message")
	errServerKeyExchange = errors.New("tls: invalid ServerKeyExchange message")
	errWrongSuite        = errors.New(
		"tls: certificate cannot be used with the selected cipher suite")
)

// oldSum is what is signed before TLS 1.2.
func oldSum(s scheme, message []byte) []byte {
	short := sha1.Sum(message)
	if s.how == withECDSA {
		return short[:]
	}
	long := md5.Sum(message)
	return append(long[:], short[:]...)
}

// An agreement is one of ECDHE.
type agreement struct {
	key    *shareKey
	scheme SignatureScheme
	secret []byte
	ours   keyShare
}

// offer is the server's share, signed.
func (a *agreement) offer(
	c *Conn, s *suite, cert *Certificate, client *clientHelloMsg, server []byte,
) (*serverKeyExchangeMsg, error) {
	i := slices.IndexFunc(client.curves, func(id CurveID) bool { return c.config.allows(c.vers, id) })
	if i < 0 {
		return nil, errors.New("tls: no supported elliptic curves offered")
	}
	key, share, err := newShare(c.config.rand(), client.curves[i])
	if err != nil {
		return nil, err
	}
	a.key = key
	w := &builder{}
	w.u8(curveTypeNamed)
	w.u16(uint16(share.group))
	w.sized(1, share.data)
	signed := slices.Concat(client.random, server, w.b)

	signer, ok := cert.PrivateKey.(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("tls: certificate private key of type %T does not implement crypto.Signer",
			cert.PrivateKey)
	}
	var how scheme
	if c.vers >= VersionTLS12 {
		a.scheme, err = selectScheme(c.vers, cert, client.signatures)
		if err == nil {
			how, err = schemeByID(a.scheme)
		}
	} else {
		how, err = oldScheme(signer.Public())
	}
	if err != nil {
		return nil, err
	}
	if how.isRSA() != (s.signs == signsRSA) {
		return nil, errWrongSuite
	}
	var sig []byte
	if c.vers >= VersionTLS12 {
		w.u16(uint16(a.scheme))
		sig, err = how.sign(signer, c.config.rand(), signed)
	} else {
		sig, err = signer.Sign(c.config.rand(), oldSum(how, signed), how.hash)
	}
	if err != nil {
		return nil, errors.New("tls: failed to sign ECDHE parameters: " + err.Error())
	}
	w.sized(2, sig)
	return &serverKeyExchangeMsg{w.b}, nil
}

// accept takes the server's share, and makes ours.
func (a *agreement) accept(
	c *Conn, s *suite, client *clientHelloMsg, server []byte, cert *x509.Certificate, msg rest,
) error {
	r := &reader{b: msg}
	if len(msg) < 4 {
		return errServerKeyExchange
	}
	if r.u8() != curveTypeNamed {
		return errors.New("tls: server selected unsupported curve")
	}
	id := CurveID(r.u16())
	theirs := r.sized(1)
	params := msg[:len(msg)-len(r.b)]
	if c.vers >= VersionTLS12 {
		a.scheme = SignatureScheme(r.u16())
		switch a.scheme {
		case MLDSA44, MLDSA65, MLDSA87:
			return errors.New("tls: server selected ML-DSA with TLS version < 1.3")
		}
	}
	sig := r.sized(2)
	if !r.done() {
		return errServerKeyExchange
	}
	if !slices.Contains(client.curves, id) {
		return errors.New("tls: server selected unoffered curve")
	}
	key, ours, err := newShare(c.config.rand(), id)
	if err != nil {
		return err
	}
	a.key, a.ours = key, ours
	if a.secret, err = key.secret(theirs); err != nil {
		return errServerKeyExchange
	}

	signed := slices.Concat(client.random, server, params)
	var how scheme
	if c.vers >= VersionTLS12 {
		if !slices.Contains(client.signatures, a.scheme) {
			return errors.New("tls: certificate used with invalid signature algorithm")
		}
		how, err = schemeByID(a.scheme)
	} else {
		how, err = oldScheme(cert.PublicKey)
	}
	if err != nil {
		return err
	}
	if how.isRSA() != (s.signs == signsRSA) {
		return errServerKeyExchange
	}
	if c.vers >= VersionTLS12 {
		err = how.verify(cert.PublicKey, signed, sig)
	} else {
		err = how.verifySum(cert.PublicKey, oldSum(how, signed), sig)
	}
	if err != nil {
		return errors.New("tls: invalid signature by the server certificate: " + err.Error())
	}
	return nil
}

// clientSecret is the client's secret before the master, and the message that tells the server;
// a is nil if the exchange is one with RSA.
func (a *agreement) clientSecret(
	c *Conn, client *clientHelloMsg, cert *x509.Certificate, byRSA bool,
) ([]byte, *clientKeyExchangeMsg, error) {
	w := &builder{}
	if !byRSA {
		if a.key == nil {
			return nil, nil, errors.New("tls: missing ServerKeyExchange message")
		}
		w.sized(1, a.ours.data)
		return a.secret, &clientKeyExchangeMsg{w.b}, nil
	}
	secret := make([]byte, masterSize)
	secret[0], secret[1] = byte(client.vers>>8), byte(client.vers)
	if _, err := io.ReadFull(c.config.rand(), secret[2:]); err != nil {
		return nil, nil, err
	}
	key, ok := cert.PublicKey.(*rsa.PublicKey)
	if !ok {
		return nil, nil, errors.New(
			"tls: server certificate contains incorrect key type for selected ciphersuite")
	}
	coded, err := rsa.EncryptPKCS1v15(c.config.rand(), key, secret)
	if err != nil {
		return nil, nil, err
	}
	w.sized(2, coded)
	return secret, &clientKeyExchangeMsg{w.b}, nil
}

// serverSecret is the same secret, from the client's message.
func (a *agreement) serverSecret(c *Conn, cert *Certificate, msg rest, byRSA bool) ([]byte, error) {
	r := &reader{b: msg}
	if !byRSA {
		theirs := r.sized(1)
		if !r.done() {
			return nil, errClientKeyExchange
		}
		secret, err := a.key.secret(theirs)
		if err != nil {
			return nil, errClientKeyExchange
		}
		return secret, nil
	}
	coded := r.sized(2)
	if !r.done() {
		return nil, errClientKeyExchange
	}
	key, ok := cert.PrivateKey.(crypto.Decrypter)
	if !ok {
		return nil, errors.New("tls: certificate private key does not implement crypto.Decrypter")
	}
	// What cannot be decrypted becomes a random secret: see RFC 5246, section 7.4.7.1.
	opts := &rsa.PKCS1v15DecryptOptions{SessionKeyLen: masterSize}
	return key.Decrypt(c.config.rand(), coded, opts)
}
