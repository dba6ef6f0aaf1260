// Package x509: certificates, requests for them, lists of revoked ones, and keys, as they are
// encoded. RFC 5280.
package x509

import (
	"bytes"
	"crypto"
	"crypto/ecdh"
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

// publicKeyInfo is how public keys of all kinds are encoded.
type publicKeyInfo struct {
	Raw       asn1.RawContent
	Algorithm pkix.AlgorithmIdentifier
	PublicKey asn1.BitString
}

// wholeBits is a bit string of whole bytes.
func wholeBits(b []byte) asn1.BitString { return asn1.BitString{Bytes: b, BitLength: 8 * len(b)} }

func ParsePKIXPublicKey(derBytes []byte) (pub any, err error) {
	var info publicKeyInfo
	rest, err := asn1.Unmarshal(derBytes, &info)
	if err != nil {
		if _, other := asn1.Unmarshal(derBytes, &pkcs1PublicKey{}); other == nil {
			return nil, wrongForm("public", "PKCS1PublicKey")
		}
		return nil, err
	}
	if len(rest) > 0 {
		return nil, errors.New("x509: trailing data after ASN.1 of public-key")
	}
	return parsePublicKey(&info)
}

// wrongForm says which function parses such a key.
func wrongForm(kind, name string) error {
	return errors.New("x509: failed to parse " + kind + " key (use Parse" + name +
		" instead for this key format)")
}

func MarshalPKIXPublicKey(pub any) ([]byte, error) {
	key, algorithm, err := marshalPublicKey(pub)
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(publicKeyInfo{Algorithm: algorithm, PublicKey: wholeBits(key)})
}

// curveAlgorithm is what keys on a curve with that identifier are for.
func curveAlgorithm(curve identifier) (ai pkix.AlgorithmIdentifier, err error) {
	if curve == nil {
		return ai, errors.New("x509: unsupported elliptic curve")
	}
	encoded, err := asn1.Marshal(curve)
	ai.Algorithm, ai.Parameters.FullBytes = idKeyECDSA, encoded
	return ai, err
}

func marshalPublicKey(pub any) (key []byte, ai pkix.AlgorithmIdentifier, err error) {
	switch pub := pub.(type) {
	case *rsa.PublicKey:
		ai.Algorithm, ai.Parameters = idKeyRSA, asn1.NullRawValue
		key, err = asn1.Marshal(pkcs1PublicKey{pub.N, pub.E})
	case *ecdsa.PublicKey:
		if ai, err = curveAlgorithm(idOfCurve(pub.Curve)); err == nil {
			key, err = pub.Bytes()
		}
	case ed25519.PublicKey:
		key, ai.Algorithm = pub, idKeyEd25519
	case *mldsa.PublicKey:
		key, ai.Algorithm = pub.Bytes(), mldsaAlgorithm(pub).details().id
	case *ecdh.PublicKey:
		key = pub.Bytes()
		if pub.Curve() == ecdh.X25519() {
			ai.Algorithm = idKeyX25519
		} else {
			ai, err = curveAlgorithm(idOfExchange(pub.Curve()))
		}
	default:
		err = fmt.Errorf("x509: unsupported public key type: %T", pub)
	}
	if err != nil {
		return nil, pkix.AlgorithmIdentifier{}, err
	}
	return key, ai, nil
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

type UnhandledCriticalExtension struct{}

func (h UnhandledCriticalExtension) Error() string {
	return "x509: unhandled critical extension"
}

func (c *Certificate) Equal(other *Certificate) bool {
	if c == nil || other == nil {
		return c == other
	}
	return bytes.Equal(c.Raw, other.Raw)
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
	return checkSignature(algo, c.RawTBSCertificate, c.Signature, parent.PublicKey, false)
}

func (c *Certificate) CheckSignature(algo SignatureAlgorithm, signed, signature []byte) error {
	return checkSignature(algo, signed, signature, c.PublicKey, true)
}

func (c *Certificate) CheckCRLSignature(crl *pkix.CertificateList) error {
	algo := signatureAlgorithm(crl.SignatureAlgorithm)
	return c.CheckSignature(algo, crl.TBSCertList.Raw, crl.SignatureValue.RightAlign())
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

// checkSignature takes SHA-1 for unsafe unless it is allowed.
func checkSignature(
	algo SignatureAlgorithm, signed, signature []byte, key crypto.PublicKey, allowSHA1 bool,
) error {
	details := algo.details()
	switch h := details.hash; {
	case h == crypto.MD5 || h == crypto.SHA1 && !allowSHA1:
		return InsecureAlgorithmError(algo)
	case h != 0:
		sum := newHash(h)
		sum.Write(signed)
		signed = sum.Sum(nil)
	case details.key != Ed25519 && details.key != MLDSA:
		return ErrUnsupportedAlgorithm
	}
	kind := UnknownPublicKeyAlgorithm
	switch key.(type) {
	case *rsa.PublicKey:
		kind = RSA
	case *ecdsa.PublicKey:
		kind = ECDSA
	case ed25519.PublicKey:
		kind = Ed25519
	case *mldsa.PublicKey:
		kind = MLDSA
	default:
		return ErrUnsupportedAlgorithm
	}
	if kind != details.key {
		return fmt.Errorf("x509: signature algorithm specifies an %s public key, "+
			"but have public key of type %T", details.key, key)
	}
	switch pub := key.(type) {
	case *rsa.PublicKey:
		if algo.isPSS() {
			opts := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}
			return rsa.VerifyPSS(pub, details.hash, signed, signature, opts)
		}
		return rsa.VerifyPKCS1v15(pub, details.hash, signed, signature)
	case *ecdsa.PublicKey:
		if !ecdsa.VerifyASN1(pub, signed, signature) {
			return errors.New("x509: ECDSA verification failure")
		}
	case ed25519.PublicKey:
		if !ed25519.Verify(pub, signed, signature) {
			return errors.New("x509: Ed25519 verification failure")
		}
	case *mldsa.PublicKey:
		if mldsaAlgorithm(pub) != algo {
			return fmt.Errorf("x509: signature algorithm specifies an ML-DSA public key with %s "+
				"parameters, but have a public key with %s parameters", algo, pub.Parameters())
		}
		if err := mldsa.Verify(pub, signed, signature, nil); err != nil {
			return fmt.Errorf("x509: ML-DSA verification failure: %w", err)
		}
	}
	return nil
}
