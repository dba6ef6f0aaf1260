package tls

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/mldsa"
	"crypto/rsa"
	"errors"
	"fmt"
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
	return s.hash != crypto.SHA1 || setting("tlssha1") == "1"
}

// usableSchemes is those that one version of a range can use.
func usableSchemes(least, most uint16) (ids []SignatureScheme) {
	for _, s := range schemes {
		if s.usable(least) || s.usable(most) {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// allSchemes is those with which certificates may be signed, up to that version.
func allSchemes(most uint16) (ids []SignatureScheme) {
	for _, s := range schemes {
		if s.how != withMLDSA || s.usable(most) {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// schemesOf is what a key can do, in the order in which that is preferred.
func schemesOf(version uint16, public crypto.PublicKey) (ids []SignatureScheme) {
	switch key := public.(type) {
	case *ecdsa.PublicKey:
		if version < VersionTLS13 {
			// Any curve goes with any hash there.
			return []SignatureScheme{
				ECDSAWithP256AndSHA256, ECDSAWithP384AndSHA384, ECDSAWithP521AndSHA512, ECDSAWithSHA1,
			}
		}
		switch key.Curve {
		case elliptic.P256():
			return []SignatureScheme{ECDSAWithP256AndSHA256}
		case elliptic.P384():
			return []SignatureScheme{ECDSAWithP384AndSHA384}
		case elliptic.P521():
			return []SignatureScheme{ECDSAWithP521AndSHA512}
		}
	case *rsa.PublicKey:
		// What a signature holds besides the hash: a salt as long as that and two bytes, or the
		// name of the hash and eleven bytes.
		for _, s := range schemes {
			if !s.isRSA() {
				continue
			}
			n := 2*s.hash.Size() + 2
			if s.how == pkcs1 {
				n = s.hash.Size() + 19 + 11
				if s.hash == crypto.SHA1 {
					n -= 4
				}
			}
			if key.Size() >= n {
				ids = append(ids, s.id)
			}
		}
	case ed25519.PublicKey:
		return []SignatureScheme{Ed25519}
	case *mldsa.PublicKey:
		return []SignatureScheme{mldsaSchemes[key.Parameters()]}
	}
	return ids
}

var mldsaSchemes = map[mldsa.Parameters]SignatureScheme{
	mldsa.MLDSA44(): MLDSA44, mldsa.MLDSA65(): MLDSA65, mldsa.MLDSA87(): MLDSA87,
}

// selectScheme is the first of the peer's schemes that the certificate's key can do.
func selectScheme(
	version uint16, c *Certificate, theirs []SignatureScheme,
) (SignatureScheme, error) {
	key, ok := c.PrivateKey.(crypto.Signer)
	if !ok {
		return 0, unsupportedCertificate(c)
	}
	ours := schemesOf(version, key.Public())
	ours = slices.DeleteFunc(ours, func(id SignatureScheme) bool {
		s, _ := schemeByID(id)
		return !s.usable(version) || c.SupportedSignatureAlgorithms != nil &&
			!slices.Contains(c.SupportedSignatureAlgorithms, id)
	})
	if len(ours) == 0 {
		return 0, unsupportedCertificate(c)
	}
	if len(theirs) == 0 && version == VersionTLS12 {
		if setting("tlssha1") != "1" {
			return 0, errors.New("tls: missing signature_algorithms from TLS 1.2 peer")
		}
		theirs = []SignatureScheme{PKCS1WithSHA1, ECDSAWithSHA1}
	}
	for _, id := range theirs {
		if slices.Contains(ours, id) {
			return id, nil
		}
	}
	return 0, errors.New("tls: peer doesn't support any of the certificate's signature algorithms")
}

// unsupportedCertificate says why a certificate's key can sign nothing.
func unsupportedCertificate(c *Certificate) error {
	const prefix = "tls: unsupported certificate: private key is "
	switch c.PrivateKey.(type) {
	case rsa.PrivateKey, ecdsa.PrivateKey:
		return fmt.Errorf(prefix+"%T, expected *%T", c.PrivateKey, c.PrivateKey)
	case *ed25519.PrivateKey:
		return errors.New(prefix + "*ed25519.PrivateKey, expected ed25519.PrivateKey")
	}
	key, ok := c.PrivateKey.(crypto.Signer)
	if !ok {
		return fmt.Errorf("tls: certificate private key (%T) does not implement crypto.Signer",
			c.PrivateKey)
	}
	switch public := key.Public().(type) {
	case *ecdsa.PublicKey:
		switch public.Curve {
		case elliptic.P256(), elliptic.P384(), elliptic.P521():
		default:
			return fmt.Errorf("tls: unsupported certificate curve (%s)", public.Curve.Params().Name)
		}
	case *rsa.PublicKey:
		return errors.New(
			"tls: certificate RSA key size too small for supported signature algorithms")
	case ed25519.PublicKey:
	case *mldsa.PublicKey:
		return errors.New("tls: ML-DSA certificates require TLS 1.3")
	default:
		return fmt.Errorf("tls: unsupported certificate key (%T)", public)
	}
	if c.SupportedSignatureAlgorithms != nil {
		return errors.New("tls: peer doesn't support the certificate custom signature algorithms")
	}
	return fmt.Errorf("tls: internal error: unsupported key (%T)", c.PrivateKey)
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

func (s scheme) verifySum(public crypto.PublicKey, sum, sig []byte) error {
	switch s.how {
	case withECDSA:
		key, ok := public.(*ecdsa.PublicKey)
		if !ok {
			return fmt.Errorf("expected an ECDSA public key, got %T", public)
		}
		if !ecdsa.VerifyASN1(key, sum, sig) {
			return errors.New("ECDSA verification failure")
		}
	case withEd25519:
		key, ok := public.(ed25519.PublicKey)
		if !ok {
			return fmt.Errorf("expected an Ed25519 public key, got %T", public)
		}
		if !ed25519.Verify(key, sum, sig) {
			return errors.New("Ed25519 verification failure")
		}
	case withMLDSA:
		key, ok := public.(*mldsa.PublicKey)
		if !ok {
			return fmt.Errorf("expected an ML-DSA public key, got %T", public)
		}
		if err := mldsa.Verify(key, sum, sig, nil); err != nil {
			return fmt.Errorf("ML-DSA verification failure: %w", err)
		}
	default:
		key, ok := public.(*rsa.PublicKey)
		if !ok {
			return fmt.Errorf("expected an RSA public key, got %T", public)
		}
		if s.how == pss {
			opts := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}
			return rsa.VerifyPSS(key, s.hash, sum, sig, opts)
		}
		return rsa.VerifyPKCS1v15(key, s.hash, sum, sig)
	}
	return nil
}

// oldScheme is how that key signs before TLS 1.2.
func oldScheme(public crypto.PublicKey) (scheme, error) {
	switch public.(type) {
	case *rsa.PublicKey:
		return scheme{how: pkcs1, hash: crypto.MD5SHA1}, nil
	case *ecdsa.PublicKey:
		return scheme{how: withECDSA, hash: crypto.SHA1}, nil
	case ed25519.PublicKey:
		return scheme{}, errors.New("tls: Ed25519 public keys are not supported before TLS 1.2")
	case *mldsa.PublicKey:
		return scheme{}, errors.New("tls: ML-DSA public keys are not supported before TLS 1.3")
	}
	return scheme{}, fmt.Errorf("tls: unsupported public key: %T", public)
}

// isRSA says whether the scheme goes with suites of RSA.
func (s scheme) isRSA() bool { return s.how == pss || s.how == pkcs1 }

const (
	serverContext = "TLS 1.3, server CertificateVerify\x00"
	clientContext = "TLS 1.3, client CertificateVerify\x00"
)

// signed13 is what a CertificateVerify of TLS 1.3 signs.
func signed13(context string, sum []byte) []byte {
	return append([]byte(strings.Repeat(" ", 64)+context), sum...)
}
