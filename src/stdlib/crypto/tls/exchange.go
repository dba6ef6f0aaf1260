// Exchanges of keys before TLS 1.3: an agreement on a curve, signed, or a secret encrypted with
// RSA.

package tls

import (
	"crypto"
	"crypto/md5"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
)

func speaksECDHE(c *Config, version uint16, theirs []CurveID, points []uint8) (bool, error) {
	plain := len(points) == 0 || slices.Contains(points, wholePoints)
	if !plain {
		return false, errors.New("tls: client offered only incompatible point formats")
	}
	return slices.ContainsFunc(theirs, func(id CurveID) bool { return c.allows(version, id) }), nil
}

// The exchanges of keys before TLS 1.3.

var (
	errClientShare = errors.New("tls: invalid ClientKeyExchange message")
	errServerShare = errors.New("tls: invalid ServerKeyExchange message")
	errWrongSuite  = errors.New(
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
}

// offer is the server's share, signed.
func (a *agreement) offer(
	c *Conn, s *suite, cert *Certificate, client *clientHelloMsg, server []byte,
) (*serverKeyExchangeMsg, error) {
	allows := func(id CurveID) bool { return c.config.allows(c.version, id) }
	group, found := firstOf(client.curves, allows)
	if !found {
		return nil, errors.New("tls: no supported elliptic curves offered")
	}
	key, err := newKey(c.config.rand(), group)
	if err != nil {
		return nil, err
	}
	a.key = key
	w := &builder{}
	w.u8(curveTypeNamed)
	w.u16(uint16(key.group))
	w.sized(1, key.onCurve())
	signed := slices.Concat(client.random, server, w.b)

	signer, signs := cert.PrivateKey.(crypto.Signer)
	if !signs {
		return nil, fmt.Errorf("tls: certificate private key of type %T does not implement crypto.Signer",
			cert.PrivateKey)
	}
	var how scheme
	if c.version >= VersionTLS12 {
		a.scheme, err = selectScheme(c.version, cert, client.signatures)
		if err == nil {
			how, err = schemeByID(a.scheme)
		}
	} else {
		how, err = oldScheme(signer.Public())
	}
	if err != nil {
		return nil, err
	}
	if how.ofRSA() != (s.signs == signsRSA) {
		return nil, errWrongSuite
	}
	var sig []byte
	if c.version >= VersionTLS12 {
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
) (err error) {
	r := &reader{b: msg}
	if len(msg) < 4 {
		return errServerShare
	}
	if r.u8() != curveTypeNamed {
		return errors.New("tls: server selected unsupported curve")
	}
	id := CurveID(r.u16())
	theirs := r.sized(1)
	params := msg[:len(msg)-len(r.b)]
	if c.version >= VersionTLS12 {
		a.scheme = SignatureScheme(r.u16())
		switch a.scheme {
		case MLDSA44, MLDSA65, MLDSA87:
			return errors.New("tls: server selected ML-DSA with TLS version < 1.3")
		}
	}
	sig := r.sized(2)
	if !r.done() {
		return errServerShare
	}
	if !slices.Contains(client.curves, id) {
		return errors.New("tls: server selected unoffered curve")
	}
	if curveOf(id) == nil {
		return errors.New("tls: server selected unsupported curve")
	}
	if a.key, err = newKey(c.config.rand(), id); err != nil {
		return err
	}
	if a.secret, err = a.key.curveSecret(theirs); err != nil {
		return errServerShare
	}

	signed := slices.Concat(client.random, server, params)
	var how scheme
	if c.version >= VersionTLS12 {
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
	if how.ofRSA() != (s.signs == signsRSA) {
		return errServerShare
	}
	if c.version >= VersionTLS12 {
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
		w.sized(1, a.key.onCurve())
		return a.secret, &clientKeyExchangeMsg{w.b}, nil
	}
	secret := make([]byte, masterSize)
	secret[0], secret[1] = byte(client.vers>>8), byte(client.vers)
	if err := c.fillRandom(secret[2:]); err != nil {
		return nil, nil, err
	}
	key, isRSA := cert.PublicKey.(*rsa.PublicKey)
	if !isRSA {
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
			return nil, errClientShare
		}
		secret, err := a.key.curveSecret(theirs)
		if err != nil {
			return nil, errClientShare
		}
		return secret, nil
	}
	coded := r.sized(2)
	if !r.done() {
		return nil, errClientShare
	}
	key, decrypts := cert.PrivateKey.(crypto.Decrypter)
	if !decrypts {
		return nil, errors.New("tls: certificate private key does not implement crypto.Decrypter")
	}
	// What cannot be decrypted becomes a random secret: see RFC 5246, section 7.4.7.1.
	opts := &rsa.PKCS1v15DecryptOptions{SessionKeyLen: masterSize}
	return key.Decrypt(c.config.rand(), coded, opts)
}
