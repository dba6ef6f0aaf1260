// Making certificates: an author settles how to sign, the template's fields become the signed part,
// and the fields that are told by extensions become those.

package x509

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
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

// An author signs, with a key and the algorithm that was settled for it.
type author struct {
	key crypto.Signer
	how *algorithm
	ai  pkix.AlgorithmIdentifier
}

func signer(priv any) (crypto.Signer, error) {
	if key, ok := priv.(crypto.Signer); ok {
		return key, nil
	}
	return nil, errors.New("x509: certificate private key does not implement crypto.Signer")
}

// usualAlgorithm is how such a key signs if nothing else is asked for. Unknown: such a key cannot.
func usualAlgorithm(pub crypto.PublicKey) (SignatureAlgorithm, error) {
	switch pub := pub.(type) {
	case *rsa.PublicKey:
		return SHA256WithRSA, nil
	case ed25519.PublicKey:
		return PureEd25519, nil
	case *mldsa.PublicKey:
		return latticeKind(pub).signs, nil
	case *ecdsa.PublicKey:
		if curve := signingCurve(pub.Curve); curve.id != nil {
			return curve.usually, nil
		}
		return 0, errors.New("x509: unsupported elliptic curve")
	}
	return 0, errors.New("x509: only RSA, ECDSA, ML-DSA and Ed25519 keys supported")
}

// newAuthor takes the algorithm that is asked for, or the usual one of the key.
func newAuthor(key crypto.Signer, asked SignatureAlgorithm) (*author, error) {
	usual, err := usualAlgorithm(key.Public())
	if err != nil {
		return nil, err
	}
	a := &author{key: key, how: cmp.Or(asked, usual).details()}
	wanted := usual.details()
	for _, rule := range []struct {
		broken bool
		text   string
	}{
		{a.how.key == UnknownPublicKeyAlgorithm, "unknown SignatureAlgorithm"},
		{a.how.key != wanted.key, "requested SignatureAlgorithm does not match private key type"},
		{a.how.key == MLDSA && a.how != wanted,
			"requested SignatureAlgorithm does not match ML-DSA parameters"},
		{a.how.hash == crypto.MD5, "signing with MD5 is not supported"},
	} {
		if rule.broken {
			return nil, errors.New("x509: " + rule.text)
		}
	}
	a.ai = pkix.AlgorithmIdentifier{Algorithm: a.how.id, Parameters: a.how.parameters}
	return a, nil
}

// sign encodes the part, its signature, which it checks, and what they are signed with.
func (a *author) sign(rand io.Reader, part any) ([]byte, error) {
	var out signedPart
	var err error
	if out.Part.FullBytes, err = asn1.Marshal(part); err != nil {
		return nil, err
	}
	signature, err := crypto.SignMessage(a.key, rand, out.Part.FullBytes, a.options())
	if err != nil {
		return nil, err
	}
	err = verifySignature(a.how.is, out.Part.FullBytes, signature, a.key.Public(), true)
	if err != nil {
		return nil, fmt.Errorf("x509: signature returned by signer is invalid: %w", err)
	}
	out.Algorithm, out.Signature = a.ai, wholeBits(signature)
	return asn1.Marshal(out)
}

func (a *author) options() crypto.SignerOpts {
	if a.how.is.isPSS() {
		return &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: a.how.hash}
	}
	return a.how.hash
}

// checkOwner says whether a certificate has the author's key, if it has one.
func (a *author) checkOwner(cert *Certificate) error {
	own, ok := a.key.Public().(interface{ Equal(crypto.PublicKey) bool })
	switch {
	case !ok:
		return errors.New("x509: internal error: supported public key does not implement Equal")
	case cert.PublicKey != nil && !own.Equal(cert.PublicKey):
		return errors.New("x509: provided PrivateKey doesn't match parent's PublicKey")
	}
	return nil
}

// subject is the name as it is encoded already, or else as the fields tell it.
func subject(encoded []byte, name *pkix.Name) (raw asn1.RawValue, err error) {
	if raw.FullBytes = encoded; len(encoded) == 0 {
		raw.FullBytes, err = asn1.Marshal(name.ToRDNSequence())
	}
	return raw, err
}

// serial is the template's number, or one made up.
func (c *Certificate) serial(rand io.Reader) (*big.Int, error) {
	n := c.SerialNumber
	if n == nil {
		// Twenty bytes are the most that it may have, and the first is positive.
		var random [20]byte
		if _, err := io.ReadFull(rand, random[:]); err != nil {
			return nil, err
		}
		random[0] &= 0x7f
		n = new(big.Int).SetBytes(random[:])
	}
	if n.Sign() < 0 {
		return nil, errors.New("x509: serial number must be positive")
	}
	return n, nil
}

// checkPathLen says whether the template's length of paths goes with what it is.
func (c *Certificate) checkPathLen() error {
	isSet := c.MaxPathLen > 0 || c.MaxPathLen == 0 && c.MaxPathLenZero
	switch {
	case !c.BasicConstraintsValid:
	case c.MaxPathLen < -1:
		return errors.New("x509: invalid MaxPathLen, must be greater or equal to -1")
	case isSet && !c.IsCA:
		return errors.New("x509: only CAs are allowed to specify MaxPathLen")
	}
	return nil
}

func CreateCertificate(
	rand io.Reader, template, parent *Certificate, pub, priv any,
) ([]byte, error) {
	key, err := signer(priv)
	if err != nil {
		return nil, err
	}
	part := certificatePart{
		Version:  2,
		Validity: validity{template.NotBefore.UTC(), template.NotAfter.UTC()},
	}
	if part.Serial, err = template.serial(rand); err != nil {
		return nil, err
	}
	if err := template.checkPathLen(); err != nil {
		return nil, err
	}
	by, err := newAuthor(key, template.SignatureAlgorithm)
	if err != nil {
		return nil, err
	}
	part.Algorithm = by.ai
	if part.PublicKey, err = encodeKey(pub); err != nil {
		return nil, err
	}
	if kindOfKey(part.PublicKey.Algorithm.Algorithm).is == UnknownPublicKeyAlgorithm {
		return nil, fmt.Errorf("x509: unsupported public key type: %T", pub)
	}
	if part.Issuer, err = subject(parent.RawSubject, &parent.Subject); err != nil {
		return nil, err
	}
	if part.Subject, err = subject(template.RawSubject, &template.Subject); err != nil {
		return nil, err
	}
	if err := by.checkOwner(parent); err != nil {
		return nil, err
	}
	own, above := template.SubjectKeyId, template.AuthorityKeyId
	if len(own) == 0 && template.IsCA {
		own = keyID(part.PublicKey.PublicKey.Bytes)
	}
	isSelfIssued := bytes.Equal(part.Issuer.FullBytes, part.Subject.FullBytes)
	if !isSelfIssued && len(parent.SubjectKeyId) > 0 {
		above = parent.SubjectKeyId
	}
	// A certificate without a subject is one for its alternative names.
	nameless := string(part.Subject.FullBytes) == "\x30\x00"
	if part.Extensions, err = template.extensions(nameless, own, above); err != nil {
		return nil, err
	}
	return by.sign(rand, part)
}

func keyID(public []byte) []byte {
	if godebug.Is("x509sha256skid", "0") {
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
	usesOIDs := !godebug.Is("x509usepolicies", "0")
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

// generalName is a name of text in an alternative name or a constraint.
func generalName(tag byte, name string) ([]byte, error) {
	return element(der.Context|tag, []byte(name)), checkIA5(name)
}

func (n names) encoded() ([]byte, error) {
	var list [][]byte
	var failed error
	add := func(tag byte, name string) {
		if failed == nil {
			var encoded []byte
			encoded, failed = generalName(tag, name)
			list = append(list, encoded)
		}
	}
	for _, name := range n.dns {
		add(dnsName, name)
	}
	for _, name := range n.emails {
		add(emailName, name)
	}
	for _, ip := range n.ips {
		if short := ip.To4(); short != nil {
			ip = short
		}
		list = append(list, element(der.Context|ipName, ip))
	}
	for i := 0; i < len(n.uris) && failed == nil; i++ {
		add(uriName, n.uris[i].String())
	}
	if failed != nil {
		return nil, failed
	}
	return element(der.Sequence, list...), nil
}

func (l limits) empty() bool { return len(l.dns)+len(l.ips)+len(l.emails)+len(l.uris) == 0 }

func (l limits) encoded() (list []byte, err error) {
	add := func(tag byte, names []string) {
		for i := 0; i < len(names) && err == nil; i++ {
			var name []byte
			name, err = generalName(tag, names[i])
			list = append(list, element(der.Sequence, name)...)
		}
	}
	add(dnsName, l.dns)
	for i := 0; i < len(l.ips) && err == nil; i++ {
		network := l.ips[i]
		ip := network.IP.Mask(network.Mask)
		if len(ip) == net.IPv6len && ip.To4() != nil {
			err = errors.New("x509: IP constraint contained IPv4-mapped IPv6 address with a IPv6 mask")
		}
		list = append(list, element(der.Sequence, element(der.Context|ipName, ip, network.Mask))...)
	}
	add(emailName, l.emails)
	add(uriName, l.uris)
	return list, err
}

// tagged is a list of limits in a constraint under its tag, or nothing if there are none.
func (l limits) tagged(tag byte) ([]byte, error) {
	list, err := l.encoded()
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return element(tag, list), nil
}

func encodedConstraints(permitted, excluded limits) ([]byte, error) {
	yes, err := permitted.tagged(der.Context | der.Constructed)
	if err != nil {
		return nil, err
	}
	no, err := excluded.tagged(der.Context | der.Constructed | 1)
	return element(der.Sequence, yes, no), err
}
