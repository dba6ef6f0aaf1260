package x509

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/mldsa"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"internal/der"
	"internal/godebug"
	"io"
	"math/big"
	"math/bits"
	"net"
	"time"
)

// What is signed, and around it the algorithm and the signature.
type (
	signedPart struct {
		Part      asn1.RawValue
		Algorithm pkix.AlgorithmIdentifier
		Signature asn1.BitString
	}

	certificatePart struct {
		Version    int `asn1:"optional,explicit,default:0,tag:0"`
		Serial     *big.Int
		Algorithm  pkix.AlgorithmIdentifier
		Issuer     asn1.RawValue
		Validity   validity
		Subject    asn1.RawValue
		PublicKey  publicKeyInfo
		Extensions []pkix.Extension `asn1:"omitempty,optional,explicit,tag:3"`
	}

	validity struct {
		NotBefore, NotAfter time.Time
	}

	listPart struct {
		Version    int `asn1:"optional,default:0"`
		Algorithm  pkix.AlgorithmIdentifier
		Issuer     asn1.RawValue
		ThisUpdate time.Time
		NextUpdate time.Time                 `asn1:"optional"`
		Revoked    []pkix.RevokedCertificate `asn1:"optional"`
		Extensions []pkix.Extension          `asn1:"tag:0,optional,explicit"`
	}
)

// element is an element with that tag.
func element(tag byte, contents ...[]byte) []byte {
	content := bytes.Join(contents, nil)
	raw := asn1.RawValue{Class: int(tag >> 6), Tag: int(tag & 0x1f), Bytes: content}
	raw.IsCompound = tag&der.Constructed != 0
	encoded, _ := asn1.Marshal(raw)
	return encoded
}

// signingParameters is the algorithm that is asked for, or the usual one of the key.
func signingParameters(
	key crypto.Signer, algo SignatureAlgorithm,
) (*algorithm, pkix.AlgorithmIdentifier, error) {
	var kind PublicKeyAlgorithm
	var usual SignatureAlgorithm
	fail := func(text string) (*algorithm, pkix.AlgorithmIdentifier, error) {
		return nil, pkix.AlgorithmIdentifier{}, errors.New("x509: " + text)
	}
	switch pub := key.Public().(type) {
	case *rsa.PublicKey:
		kind, usual = RSA, SHA256WithRSA
	case *ecdsa.PublicKey:
		kind = ECDSA
		switch pub.Curve {
		case elliptic.P224(), elliptic.P256():
			usual = ECDSAWithSHA256
		case elliptic.P384():
			usual = ECDSAWithSHA384
		case elliptic.P521():
			usual = ECDSAWithSHA512
		default:
			return fail("unsupported elliptic curve")
		}
	case ed25519.PublicKey:
		kind, usual = Ed25519, PureEd25519
	case *mldsa.PublicKey:
		kind, usual = MLDSA, mldsaAlgorithm(pub)
	default:
		return fail("only RSA, ECDSA, ML-DSA and Ed25519 keys supported")
	}
	if algo == 0 {
		algo = usual
	}
	details := algo.details()
	switch {
	case details.key == UnknownPublicKeyAlgorithm:
		return fail("unknown SignatureAlgorithm")
	case details.key != kind:
		return fail("requested SignatureAlgorithm does not match private key type")
	case kind == MLDSA && algo != usual:
		return fail("requested SignatureAlgorithm does not match ML-DSA parameters")
	case details.hash == crypto.MD5:
		return fail("signing with MD5 is not supported")
	}
	ai := pkix.AlgorithmIdentifier{Algorithm: details.id, Parameters: details.parameters}
	return details, ai, nil
}

// sign encodes the part, its signature, which it checks, and what they are signed with.
func sign(
	rand io.Reader, part any, key crypto.Signer, how *algorithm, ai pkix.AlgorithmIdentifier,
) ([]byte, error) {
	encoded, err := asn1.Marshal(part)
	if err != nil {
		return nil, err
	}
	var opts crypto.SignerOpts = how.hash
	if how.is.isPSS() {
		opts = &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: how.hash}
	}
	signature, err := crypto.SignMessage(key, rand, encoded, opts)
	if err != nil {
		return nil, err
	}
	if err := checkSignature(how.is, encoded, signature, key.Public(), true); err != nil {
		return nil, fmt.Errorf("x509: signature returned by signer is invalid: %w", err)
	}
	return asn1.Marshal(signedPart{asn1.RawValue{FullBytes: encoded}, ai, wholeBits(signature)})
}

func signer(priv any) (crypto.Signer, error) {
	if key, ok := priv.(crypto.Signer); ok {
		return key, nil
	}
	return nil, errors.New("x509: certificate private key does not implement crypto.Signer")
}

func (c *Certificate) encodedSubject() ([]byte, error) {
	if len(c.RawSubject) > 0 {
		return c.RawSubject, nil
	}
	return asn1.Marshal(c.Subject.ToRDNSequence())
}

func CreateCertificate(
	rand io.Reader, template, parent *Certificate, pub, priv any,
) ([]byte, error) {
	key, err := signer(priv)
	if err != nil {
		return nil, err
	}
	serial := template.SerialNumber
	if serial == nil {
		// Twenty bytes are the most that it may have, and the first is positive.
		b := make([]byte, 20)
		if _, err := io.ReadFull(rand, b); err != nil {
			return nil, err
		}
		b[0] &= 0x7f
		serial = new(big.Int).SetBytes(b)
	}
	if serial.Sign() < 0 {
		return nil, errors.New("x509: serial number must be positive")
	}
	if n := template.MaxPathLen; template.BasicConstraintsValid {
		if n < -1 {
			return nil, errors.New("x509: invalid MaxPathLen, must be greater or equal to -1")
		}
		if !template.IsCA && n != -1 && (n != 0 || template.MaxPathLenZero) {
			return nil, errors.New("x509: only CAs are allowed to specify MaxPathLen")
		}
	}
	how, ai, err := signingParameters(key, template.SignatureAlgorithm)
	if err != nil {
		return nil, err
	}
	public, publicAlgorithm, err := marshalPublicKey(pub)
	if err != nil {
		return nil, err
	}
	if keyAlgorithm(publicAlgorithm.Algorithm) == UnknownPublicKeyAlgorithm {
		return nil, fmt.Errorf("x509: unsupported public key type: %T", pub)
	}
	issuer, err := parent.encodedSubject()
	if err != nil {
		return nil, err
	}
	subject, err := template.encodedSubject()
	if err != nil {
		return nil, err
	}
	authorityKeyID := template.AuthorityKeyId
	if !bytes.Equal(issuer, subject) && len(parent.SubjectKeyId) > 0 {
		authorityKeyID = parent.SubjectKeyId
	}
	subjectKeyID := template.SubjectKeyId
	if len(subjectKeyID) == 0 && template.IsCA {
		subjectKeyID = keyID(public)
	}
	own, ok := key.Public().(interface{ Equal(crypto.PublicKey) bool })
	if !ok {
		return nil, errors.New(
			"x509: internal error: supported public key does not implement Equal")
	}
	if parent.PublicKey != nil && !own.Equal(parent.PublicKey) {
		return nil, errors.New("x509: provided PrivateKey doesn't match parent's PublicKey")
	}
	// A certificate without a subject is one for its alternative names.
	nameless := bytes.Equal(subject, []byte{der.Sequence, 0})
	extensions, err := template.extensions(nameless, subjectKeyID, authorityKeyID)
	if err != nil {
		return nil, err
	}
	return sign(rand, certificatePart{
		Version:    2,
		Serial:     serial,
		Algorithm:  ai,
		Issuer:     asn1.RawValue{FullBytes: issuer},
		Validity:   validity{template.NotBefore.UTC(), template.NotAfter.UTC()},
		Subject:    asn1.RawValue{FullBytes: subject},
		PublicKey:  publicKeyInfo{Algorithm: publicAlgorithm, PublicKey: wholeBits(public)},
		Extensions: extensions,
	}, key, how, ai)
}

func keyID(public []byte) []byte {
	if godebug.Value("x509sha256skid") == "0" {
		sum := sha1.Sum(public)
		return sum[:]
	}
	sum := sha256.Sum256(public)
	return sum[:20]
}

// keyIdentifier is how a list and a certificate tell the key of who has signed them.
type keyIdentifier struct {
	ID []byte `asn1:"optional,tag:0"`
}

// extensions are those that the template's fields ask for, but for what its own are, then its own.
func (c *Certificate) extensions(
	nameless bool, subjectKeyID, authorityKeyID []byte,
) ([]pkix.Extension, error) {
	var made []pkix.Extension
	var failed error
	add := func(wanted bool, id identifier, critical bool, value func() ([]byte, error)) {
		if failed != nil || !wanted || extension(id, c.ExtraExtensions) != nil {
			return
		}
		var encoded []byte
		encoded, failed = value()
		made = append(made, pkix.Extension{Id: id, Critical: critical, Value: encoded})
	}
	add(c.KeyUsage != 0, idKeyUsage, true, c.KeyUsage.encoded)
	usages := len(c.ExtKeyUsage) + len(c.UnknownExtKeyUsage)
	add(usages > 0, idExtKeyUsage, false, func() ([]byte, error) {
		ids := make([]identifier, 0, usages)
		for _, usage := range c.ExtKeyUsage {
			if !usage.isKnown() {
				return nil, errors.New("x509: unknown extended key usage")
			}
			ids = append(ids, extKeyUsages[usage].id)
		}
		return asn1.Marshal(append(ids, c.UnknownExtKeyUsage...))
	})
	add(c.BasicConstraintsValid, idBasicConstraints, true, func() ([]byte, error) {
		n := c.MaxPathLen
		if n == 0 && !c.MaxPathLenZero {
			n = -1
		}
		return asn1.Marshal(struct {
			IsCA       bool `asn1:"optional"`
			MaxPathLen int  `asn1:"optional,default:-1"`
		}{c.IsCA, n})
	})
	add(len(subjectKeyID) > 0, idSubjectKeyId, false, func() ([]byte, error) {
		return asn1.Marshal(subjectKeyID)
	})
	add(len(authorityKeyID) > 0, idAuthorityKeyId, false, func() ([]byte, error) {
		return asn1.Marshal(keyIdentifier{authorityKeyID})
	})
	access := len(c.OCSPServer)+len(c.IssuingCertificateURL) > 0
	add(access, idAuthorityInfo, false, c.encodedAccess)
	n := c.names()
	add(!n.empty(), idSubjectAltName, nameless, n.encoded)
	usesOIDs := godebug.Value("x509usepolicies") != "0"
	hasPolicies := usesOIDs && len(c.Policies) > 0 || !usesOIDs && len(c.PolicyIdentifiers) > 0
	add(hasPolicies, idPolicies, false, func() ([]byte, error) {
		return c.encodedPolicies(usesOIDs)
	})
	permitted := limits{c.PermittedDNSDomains, c.PermittedIPRanges, c.PermittedEmailAddresses,
		c.PermittedURIDomains}
	excluded := limits{c.ExcludedDNSDomains, c.ExcludedIPRanges, c.ExcludedEmailAddresses,
		c.ExcludedURIDomains}
	add(
		!permitted.empty() || !excluded.empty(),
		idNameConstraints,
		c.PermittedDNSDomainsCritical,
		func() ([]byte, error) { return encodedConstraints(permitted, excluded) },
	)
	add(len(c.CRLDistributionPoints) > 0, idCRLDistribution, false, func() ([]byte, error) {
		var points [][]byte
		for _, uri := range c.CRLDistributionPoints {
			name := element(der.Context|uriName, []byte(uri))
			const wrap = der.Context | der.Constructed
			points = append(points, element(der.Sequence, element(wrap, element(wrap, name))))
		}
		return element(der.Sequence, points...), nil
	})
	if failed != nil {
		return nil, failed
	}
	return append(made, c.ExtraExtensions...), nil
}

// encoded has the first usage in the highest bit, and no zeros behind the last.
func (i KeyUsage) encoded() ([]byte, error) {
	b := []byte{bits.Reverse8(byte(i)), bits.Reverse8(byte(i >> 8))}
	n := bits.Len16(uint16(i))
	return asn1.Marshal(asn1.BitString{Bytes: b[:max(n+7, 8)/8], BitLength: n})
}

func (c *Certificate) encodedAccess() ([]byte, error) {
	var list [][]byte
	for _, kind := range []struct {
		id   identifier
		uris []string
	}{{idOCSP, c.OCSPServer}, {idIssuers, c.IssuingCertificateURL}} {
		id, err := asn1.Marshal(kind.id)
		if err != nil {
			return nil, err
		}
		for _, uri := range kind.uris {
			name := element(der.Context|uriName, []byte(uri))
			list = append(list, element(der.Sequence, id, name))
		}
	}
	return element(der.Sequence, list...), nil
}

func (c *Certificate) encodedPolicies(usesOIDs bool) ([]byte, error) {
	var list [][]byte
	if usesOIDs {
		for _, policy := range c.Policies {
			if len(policy.der) == 0 {
				return nil, errors.New("invalid policy object identifier")
			}
			list = append(list, element(der.Sequence, element(der.ObjectID, policy.der)))
		}
		return element(der.Sequence, list...), nil
	}
	for _, policy := range c.PolicyIdentifiers {
		id, err := asn1.Marshal(policy)
		if err != nil {
			return nil, fmt.Errorf("cryptobyte: invalid OID: %v", policy)
		}
		list = append(list, element(der.Sequence, id))
	}
	return element(der.Sequence, list...), nil
}

func (c *Certificate) names() names {
	return names{c.DNSNames, c.EmailAddresses, c.IPAddresses, c.URIs}
}

func (n names) empty() bool { return len(n.dns)+len(n.emails)+len(n.ips)+len(n.uris) == 0 }

func (n names) encoded() ([]byte, error) {
	var list [][]byte
	add := func(tag byte, name string) error {
		list = append(list, element(der.Context|tag, []byte(name)))
		return checkIA5(name)
	}
	for _, name := range n.dns {
		if err := add(dnsName, name); err != nil {
			return nil, err
		}
	}
	for _, name := range n.emails {
		if err := add(emailName, name); err != nil {
			return nil, err
		}
	}
	for _, ip := range n.ips {
		if short := ip.To4(); short != nil {
			ip = short
		}
		list = append(list, element(der.Context|ipName, ip))
	}
	for _, uri := range n.uris {
		if err := add(uriName, uri.String()); err != nil {
			return nil, err
		}
	}
	return element(der.Sequence, list...), nil
}

func (l limits) empty() bool { return len(l.dns)+len(l.ips)+len(l.emails)+len(l.uris) == 0 }

func (l limits) encoded() ([]byte, error) {
	var list []byte
	add := func(tag byte, names ...string) error {
		for _, name := range names {
			if err := checkIA5(name); err != nil {
				return err
			}
			name := element(der.Context|tag, []byte(name))
			list = append(list, element(der.Sequence, name)...)
		}
		return nil
	}
	if err := add(dnsName, l.dns...); err != nil {
		return nil, err
	}
	for _, network := range l.ips {
		ip := network.IP.Mask(network.Mask)
		if len(ip) == net.IPv6len && ip.To4() != nil {
			return nil, errors.New(
				"x509: IP constraint contained IPv4-mapped IPv6 address with a IPv6 mask")
		}
		list = append(list, element(der.Sequence, element(der.Context|ipName, ip, network.Mask))...)
	}
	if err := add(emailName, l.emails...); err != nil {
		return nil, err
	}
	return list, add(uriName, l.uris...)
}

func encodedConstraints(permitted, excluded limits) ([]byte, error) {
	var parts [][]byte
	for i, l := range []limits{permitted, excluded} {
		encoded, err := l.encoded()
		if err != nil {
			return nil, err
		}
		if len(encoded) > 0 {
			parts = append(parts, element(der.Context|der.Constructed|byte(i), encoded))
		}
	}
	return element(der.Sequence, parts...), nil
}
