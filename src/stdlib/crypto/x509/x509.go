// Package x509: certificates, requests for them, lists of revoked ones, and keys, as they are
// encoded. RFC 5280.
//
// Parsing is done by a cursor over the encoding, internal/der, that the functions of parse.go move
// from field to field; fields keep to the input's memory where they can. Extensions are read in
// extensions.go and written in create.go. What is to be known of an algorithm lies in tables that
// parsing, signing and checking share: algorithms (ways to sign), keyKinds and keyForms (keys),
// namedCurves, extKeyUsages and pemCiphers.
//
// Whatever is signed goes through an author (create.go), which settles the algorithm first, then
// encodes, signs and checks. Verify searches for chains with a budget of signatures (verify.go) and
// then drops those which policies (policy.go), usages or constraints on names (constraints.go)
// forbid. Hosts and the patterns that match them have a file of their own, hostname.go.
package x509

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/mldsa"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"hash"
	"math/big"
	"net"
	"net/url"
	"time"
)

type Certificate struct {
	Raw                     []byte
	RawTBSCertificate       []byte
	RawSubjectPublicKeyInfo []byte
	RawSubject              []byte
	RawIssuer               []byte
	RawSignatureAlgorithm   []byte

	Signature          []byte
	SignatureAlgorithm SignatureAlgorithm

	PublicKeyAlgorithm PublicKeyAlgorithm
	PublicKey          any

	Version             int
	SerialNumber        *big.Int
	Issuer              pkix.Name
	Subject             pkix.Name
	NotBefore, NotAfter time.Time
	KeyUsage            KeyUsage

	Extensions                  []pkix.Extension
	ExtraExtensions             []pkix.Extension
	UnhandledCriticalExtensions []asn1.ObjectIdentifier

	ExtKeyUsage        []ExtKeyUsage
	UnknownExtKeyUsage []asn1.ObjectIdentifier

	BasicConstraintsValid bool
	IsCA                  bool
	MaxPathLen            int
	MaxPathLenZero        bool

	SubjectKeyId   []byte
	AuthorityKeyId []byte

	OCSPServer            []string
	IssuingCertificateURL []string

	DNSNames       []string
	EmailAddresses []string
	IPAddresses    []net.IP
	URIs           []*url.URL

	PermittedDNSDomainsCritical bool
	PermittedDNSDomains         []string
	ExcludedDNSDomains          []string
	PermittedIPRanges           []*net.IPNet
	ExcludedIPRanges            []*net.IPNet
	PermittedEmailAddresses     []string
	ExcludedEmailAddresses      []string
	PermittedURIDomains         []string
	ExcludedURIDomains          []string

	CRLDistributionPoints []string

	PolicyIdentifiers []asn1.ObjectIdentifier
	Policies          []OID

	InhibitAnyPolicy          int
	InhibitAnyPolicyZero      bool
	InhibitPolicyMapping      int
	InhibitPolicyMappingZero  bool
	RequireExplicitPolicy     int
	RequireExplicitPolicyZero bool
	PolicyMappings            []PolicyMapping
}

type PolicyMapping struct {
	IssuerDomainPolicy  OID
	SubjectDomainPolicy OID
}

var ErrUnsupportedAlgorithm = errors.New(
	"x509: cannot verify signature: algorithm unimplemented")

type InsecureAlgorithmError SignatureAlgorithm

func (e InsecureAlgorithmError) Error() string {
	return "x509: cannot verify signature: insecure algorithm " + SignatureAlgorithm(e).String()
}

type ConstraintViolationError struct{}

func (ConstraintViolationError) Error() string {
	return "x509: invalid signature: parent certificate cannot sign this kind of certificate"
}

func (c *Certificate) Equal(other *Certificate) bool {
	if c != nil && other != nil {
		return bytes.Equal(c.Raw, other.Raw)
	}
	return c == other
}

type UnhandledCriticalExtension struct{}

func (UnhandledCriticalExtension) Error() string {
	return "x509: unhandled critical extension"
}

// mayIssue says whether the certificate is one of an authority, and that of the usage.
func (c *Certificate) mayIssue(usage KeyUsage) error {
	// Old versions do not tell whether they are.
	if !c.IsCA && c.BasicConstraintsValid || c.Version == 3 && !c.BasicConstraintsValid ||
		c.KeyUsage != 0 && c.KeyUsage&usage == 0 {
		return ConstraintViolationError{}
	}
	if c.PublicKeyAlgorithm == UnknownPublicKeyAlgorithm {
		return ErrUnsupportedAlgorithm
	}
	return nil
}

func (c *Certificate) CheckSignatureFrom(parent *Certificate) error {
	if err := parent.mayIssue(KeyUsageCertSign); err != nil {
		return err
	}
	algo := c.SignatureAlgorithm
	return verifySignature(algo, c.RawTBSCertificate, c.Signature, parent.PublicKey, false)
}

func (c *Certificate) CheckCRLSignature(crl *pkix.CertificateList) error {
	algo, signature := signatureAlgorithm(crl.SignatureAlgorithm), crl.SignatureValue.RightAlign()
	return c.CheckSignature(algo, crl.TBSCertList.Raw, signature)
}

func (c *Certificate) CheckSignature(algo SignatureAlgorithm, signed, signature []byte) error {
	return verifySignature(algo, signed, signature, c.PublicKey, true)
}

// newHash makes one of the hash functions that signatures have but for MD5.
func newHash(h crypto.Hash) hash.Hash {
	switch h {
	case crypto.SHA1:
		return sha1.New()
	case crypto.SHA256:
		return sha256.New()
	case crypto.SHA384:
		return sha512.New384()
	}
	return sha512.New()
}

// digested is what a signature of the algorithm signs: the message itself or its hash.
func (a *algorithm) digested(message []byte) []byte {
	if a.hash == 0 {
		return message
	}
	h := newHash(a.hash)
	h.Write(message)
	return h.Sum(nil)
}

// verifySignature takes SHA-1 for unsafe unless it is allowed.
func verifySignature(
	algo SignatureAlgorithm, message, signature []byte, key crypto.PublicKey, allowSHA1 bool,
) error {
	a := algo.details()
	if a.hash == crypto.MD5 || a.hash == crypto.SHA1 && !allowSHA1 {
		return InsecureAlgorithmError(algo)
	}
	if a.key == UnknownPublicKeyAlgorithm {
		return ErrUnsupportedAlgorithm
	}
	message = a.digested(message)
	switch pub := key.(type) {
	case *rsa.PublicKey:
		if a.key != RSA {
			break
		}
		if !algo.isPSS() {
			return rsa.VerifyPKCS1v15(pub, a.hash, message, signature)
		}
		opts := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}
		return rsa.VerifyPSS(pub, a.hash, message, signature, opts)
	case *ecdsa.PublicKey:
		if a.key == ECDSA {
			return verified(ecdsa.VerifyASN1(pub, message, signature), a.key)
		}
	case ed25519.PublicKey:
		if a.key == Ed25519 {
			return verified(ed25519.Verify(pub, message, signature), a.key)
		}
	case *mldsa.PublicKey:
		if a.key != MLDSA {
			break
		}
		if latticeKind(pub).signs != algo {
			return fmt.Errorf("x509: signature algorithm specifies an ML-DSA public key with %s "+
				"parameters, but have a public key with %s parameters", algo, pub.Parameters())
		}
		if err := mldsa.Verify(pub, message, signature, nil); err != nil {
			return fmt.Errorf("x509: ML-DSA verification failure: %w", err)
		}
		return nil
	default:
		return ErrUnsupportedAlgorithm
	}
	return fmt.Errorf("x509: signature algorithm specifies an %s public key, "+
		"but have public key of type %T", a.key, key)
}

func verified(ok bool, kind PublicKeyAlgorithm) error {
	if ok {
		return nil
	}
	return errors.New("x509: " + kind.String() + " verification failure")
}
