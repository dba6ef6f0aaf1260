// Signatures. A table of schemes says what each is; what a key, a version or a peer can do with
// them is a choice from that table.

package tls

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/mldsa"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"
	"internal/godebug"
	"io"
	"slices"
	"strings"
)

// A signing is what a scheme does; no hash means that the message itself is signed.
type signing uint8

const (
	pkcs1 signing = iota
	pss
	withECDSA
	withEd25519
	withMLDSA
)

// A scheme is one that this package can sign with and verify.
type scheme struct {
	id   SignatureScheme
	how  signing
	hash crypto.Hash
}

// schemes is all of them, in the order in which they are offered.
var schemes = []scheme{
	{MLDSA44, withMLDSA, 0},
	{MLDSA65, withMLDSA, 0},
	{MLDSA87, withMLDSA, 0},
	{PSSWithSHA256, pss, crypto.SHA256},
	{ECDSAWithP256AndSHA256, withECDSA, crypto.SHA256},
	{Ed25519, withEd25519, 0},
	{PSSWithSHA384, pss, crypto.SHA384},
	{PSSWithSHA512, pss, crypto.SHA512},
	{PKCS1WithSHA256, pkcs1, crypto.SHA256},
	{PKCS1WithSHA384, pkcs1, crypto.SHA384},
	{PKCS1WithSHA512, pkcs1, crypto.SHA512},
	{ECDSAWithP384AndSHA384, withECDSA, crypto.SHA384},
	{ECDSAWithP521AndSHA512, withECDSA, crypto.SHA512},
	{PKCS1WithSHA1, pkcs1, crypto.SHA1},
	{ECDSAWithSHA1, withECDSA, crypto.SHA1},
}

func schemeByID(id SignatureScheme) (scheme, error) {
	for _, s := range schemes {
		if s.id == id {
			return s, nil
		}
	}
	return scheme{}, fmt.Errorf("unsupported signature algorithm: %v", id)
}

// usable says whether handshakes of that version may be signed so.
func (s scheme) usable(version uint16) bool {
	if s.how == withMLDSA {
		return version >= VersionTLS13
	}
	if version >= VersionTLS13 {
		return s.how != pkcs1 && s.hash != crypto.SHA1
	}
	return s.hash != crypto.SHA1 || godebug.Is("tlssha1", "1")
}

// usableSchemes is those that one version of a range can use.
func usableSchemes(least, most uint16) []SignatureScheme {
	return schemeIDs(func(s scheme) bool { return s.usable(least) || s.usable(most) })
}

// allSchemes is those with which certificates may be signed, up to that version.
func allSchemes(most uint16) []SignatureScheme {
	return schemeIDs(func(s scheme) bool { return s.how != withMLDSA || s.usable(most) })
}

// suits says whether a key can sign so.
func (s scheme) suits(version uint16, public crypto.PublicKey) bool {
	switch key := public.(type) {
	case *rsa.PublicKey:
		return s.ofRSA() && key.Size() >= s.leastRSA()
	case *ecdsa.PublicKey:
		// Any curve goes with any hash before TLS 1.3.
		return s.how == withECDSA && (version < VersionTLS13 || s.isOn(key.Curve))
	case *mldsa.PublicKey:
		return s.how == withMLDSA && s.id == schemeOfMLDSA(key.Parameters())
	case ed25519.PublicKey:
		return s.how == withEd25519
	}
	return false
}

// leastRSA is how many bytes a key must have, for what a signature holds besides the hash: a salt
// as long as that and two bytes, or the name of the hash and eleven bytes.
func (s scheme) leastRSA() int {
	switch n := s.hash.Size(); {
	case s.how == pss:
		return n + n + 2
	case s.hash == crypto.SHA1:
		return n + 15 + 11
	default:
		return n + 19 + 11
	}
}

// isOn says whether the scheme of ECDSA is the one that TLS 1.3 has for that curve.
func (s scheme) isOn(curve elliptic.Curve) bool {
	var own elliptic.Curve
	switch s.id {
	case ECDSAWithP521AndSHA512:
		own = elliptic.P521()
	case ECDSAWithP384AndSHA384:
		own = elliptic.P384()
	case ECDSAWithP256AndSHA256:
		own = elliptic.P256()
	}
	return own != nil && own == curve
}

func schemeOfMLDSA(p mldsa.Parameters) SignatureScheme {
	switch p {
	case mldsa.MLDSA87():
		return MLDSA87
	case mldsa.MLDSA65():
		return MLDSA65
	case mldsa.MLDSA44():
		return MLDSA44
	}
	return 0
}

// selectScheme is the first of the peer's schemes that the certificate's key can do.
func selectScheme(
	version uint16, c *Certificate, theirs []SignatureScheme,
) (SignatureScheme, error) {
	able := c.able(version)
	switch {
	case len(able) == 0:
		return 0, unsupportedCertificate(c)
	case len(theirs) > 0 || version != VersionTLS12:
	case !godebug.Is("tlssha1", "1"):
		return 0, errors.New("tls: missing signature_algorithms from TLS 1.2 peer")
	default:
		// A peer that names none means the two of SHA-1.
		theirs = []SignatureScheme{PKCS1WithSHA1, ECDSAWithSHA1}
	}
	id, found := firstOf(theirs, isIn(able))
	if found {
		return id, nil
	}
	return 0, errors.New("tls: peer doesn't support any of the certificate's signature algorithms")
}

// able is the schemes with which the certificate's key can sign in that version.
func (c *Certificate) able(version uint16) []SignatureScheme {
	key, ok := c.PrivateKey.(crypto.Signer)
	if !ok {
		return nil
	}
	public, limit := key.Public(), c.SupportedSignatureAlgorithms
	return schemeIDs(func(s scheme) bool {
		return s.suits(version, public) && (limit == nil || slices.Contains(limit, s.id)) &&
			s.usable(version)
	})
}

// unsupportedCertificate says why a certificate's key can sign nothing.
func unsupportedCertificate(c *Certificate) error {
	if want := otherForm(c.PrivateKey); want != "" {
		return fmt.Errorf("tls: unsupported certificate: private key is %T, expected %s",
			c.PrivateKey, want)
	}
	key, signs := c.PrivateKey.(crypto.Signer)
	if !signs {
		return fmt.Errorf("tls: certificate private key (%T) does not implement crypto.Signer",
			c.PrivateKey)
	}
	if err := unfit(key.Public()); err != nil {
		return err
	}
	if c.SupportedSignatureAlgorithms == nil {
		return fmt.Errorf("tls: internal error: unsupported key (%T)", c.PrivateKey)
	}
	return errors.New("tls: peer doesn't support the certificate custom signature algorithms")
}

// otherForm is the type that the program should have given in place of that key's, or "". Keys are
// pointers, save those of Ed25519.
func otherForm(key crypto.PrivateKey) string {
	name := fmt.Sprintf("%T", key)
	switch key.(type) {
	case *ed25519.PrivateKey:
		return name[1:]
	case ecdsa.PrivateKey, rsa.PrivateKey:
		return "*" + name
	}
	return ""
}

// unfit says why a key of that kind signs nothing in the connection's version, if it is the kind.
func unfit(public crypto.PublicKey) error {
	switch key := public.(type) {
	case ed25519.PublicKey:
		return nil
	case *ecdsa.PublicKey:
		isKnown := func(s scheme) bool { return s.isOn(key.Curve) }
		if slices.ContainsFunc(schemes, isKnown) {
			return nil
		}
		return fmt.Errorf("tls: unsupported certificate curve (%s)", key.Curve.Params().Name)
	case *mldsa.PublicKey:
		return errors.New("tls: ML-DSA certificates require TLS 1.3")
	case *rsa.PublicKey:
		return errors.New(
			"tls: certificate RSA key size too small for supported signature algorithms")
	}
	return fmt.Errorf("tls: unsupported certificate key (%T)", public)
}

// sign signs a message, which it hashes first.
func (s scheme) sign(key crypto.Signer, random io.Reader, message []byte) ([]byte, error) {
	opts := crypto.SignerOpts(s.hash)
	if s.how == pss {
		opts = &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: s.hash}
	}
	return crypto.SignMessage(key, random, message, opts)
}

// verify says what is wrong with the signature of a message.
func (s scheme) verify(public crypto.PublicKey, message, sig []byte) error {
	sum := message
	if s.hash != 0 {
		h := s.hash.New()
		h.Write(message)
		sum = h.Sum(nil)
	}
	return s.verifySum(public, sum, sig)
}

// verifySum says what is wrong with the signature of a sum.
func (s scheme) verifySum(public crypto.PublicKey, sum, sig []byte) error {
	switch s.how {
	case pss:
		return verifyWith(public, "an RSA", "", func(key *rsa.PublicKey) error {
			opts := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}
			return rsa.VerifyPSS(key, s.hash, sum, sig, opts)
		})
	case pkcs1:
		return verifyWith(public, "an RSA", "", func(key *rsa.PublicKey) error {
			return rsa.VerifyPKCS1v15(key, s.hash, sum, sig)
		})
	case withMLDSA:
		return verifyWith(public, "an ML-DSA", "ML-DSA verification failure: %w",
			func(key *mldsa.PublicKey) error { return mldsa.Verify(key, sum, sig, nil) })
	case withEd25519:
		return verifyWith(public, "an Ed25519", "", func(key ed25519.PublicKey) error {
			return unless(ed25519.Verify(key, sum, sig), "Ed25519 verification failure")
		})
	}
	return verifyWith(public, "an ECDSA", "", func(key *ecdsa.PublicKey) error {
		return unless(ecdsa.VerifyASN1(key, sum, sig), "ECDSA verification failure")
	})
}

func unless(isGood bool, text string) error {
	if isGood {
		return nil
	}
	return errors.New(text)
}

// verifyWith has a key of the right type verify; the error gets that format if there is one.
func verifyWith[K any](
	public crypto.PublicKey, kind, format string, verify func(K) error,
) error {
	key, ok := public.(K)
	if !ok {
		return fmt.Errorf("expected %s public key, got %T", kind, public)
	}
	err := verify(key)
	if err != nil && format != "" {
		err = fmt.Errorf(format, err)
	}
	return err
}

// oldScheme is how that key signs before TLS 1.2.
func oldScheme(public crypto.PublicKey) (s scheme, err error) {
	newer := ""
	switch public.(type) {
	case *mldsa.PublicKey:
		newer = "ML-DSA public keys are not supported before TLS 1.3"
	case ed25519.PublicKey:
		newer = "Ed25519 public keys are not supported before TLS 1.2"
	case *ecdsa.PublicKey:
		s.how, s.hash = withECDSA, crypto.SHA1
	case *rsa.PublicKey:
		s.how, s.hash = pkcs1, crypto.MD5SHA1
	default:
		newer = fmt.Sprintf("unsupported public key: %T", public)
	}
	if newer != "" {
		err = errors.New("tls: " + newer)
	}
	return s, err
}

// ofRSA says whether the scheme goes with suites of RSA.
func (s scheme) ofRSA() bool { return s.how == pss || s.how == pkcs1 }

const (
	serverContext = "TLS 1.3, server CertificateVerify\x00"
	clientContext = "TLS 1.3, client CertificateVerify\x00"
)

// signed13 is what a CertificateVerify of TLS 1.3 signs.
func signed13(context string, sum []byte) []byte {
	return append([]byte(strings.Repeat(" ", 64)+context), sum...)
}

// schemeIDs is those of all schemes that want is true of, in their order.
func schemeIDs(want func(scheme) bool) (ids []SignatureScheme) {
	for _, s := range schemes {
		if want(s) {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// fits says whether the peer's key is of a kind that this version has; unfit tells what else it is.
func (c *Conn) fits(leaf *x509.Certificate, whose, unfit string) error {
	switch key := leaf.PublicKey.(type) {
	default:
		return c.complain(certificateUnfit, whose+" certificate "+unfit, key)
	case *mldsa.PublicKey:
		if c.version < VersionTLS13 {
			return c.complain(illegalValue, whose+" certificate uses ML-DSA, which requires TLS 1.3")
		}
	case ed25519.PublicKey, *ecdsa.PublicKey, *rsa.PublicKey:
	}
	return nil
}
