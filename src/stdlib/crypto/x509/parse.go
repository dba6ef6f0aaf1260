// Parsing certificates and lists of revoked ones. A function named read takes what is next from a
// cursor and moves it on.

package x509

import (
	"bytes"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"internal/der"
	"internal/godebug"
	"net"
	"net/url"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// malformed and invalid are errors on what they name.
func malformed(what string) error { return errors.New("x509: malformed " + what) }
func invalid(what string) error   { return errors.New("x509: invalid " + what) }

const (
	letters   = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits    = "0123456789"
	printable = letters + digits + " '()+,-./:=?*&"
	numeric   = digits + " "
)

// A byteSet says which bytes are in it.
type byteSet [256]bool

func newByteSet(bytes string) *byteSet {
	var set byteSet
	for i := range len(bytes) {
		set[bytes[i]] = true
	}
	return &set
}

var printableSet, numericSet = newByteSet(printable), newByteSet(numeric)

// hasAll says whether each byte is in the set.
func (set *byteSet) hasAll(b []byte) bool {
	for _, c := range b {
		if !set[c] {
			return false
		}
	}
	return true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func checkIA5(s string) error {
	// What is no UTF-8 counts as a character beyond.
	if !isASCII(s) {
		return fmt.Errorf("x509: %q cannot be encoded as an IA5String", s)
	}
	return nil
}

// text reads a string, whose kind must be one of those that value knows.
func text(tag byte, value []byte) (string, error) {
	switch tag {
	case der.T61String:
		// Taken for Latin-1.
		runes := make([]rune, len(value))
		for i, b := range value {
			runes[i] = rune(b)
		}
		return string(runes), nil
	case der.PrintableString:
		if !printableSet.hasAll(value) {
			return "", errors.New("invalid PrintableString")
		}
	case der.UTF8String:
		if !utf8.Valid(value) {
			return "", errors.New("invalid UTF-8 string")
		}
	case asn1.TagNumericString:
		if !numericSet.hasAll(value) {
			return "", errors.New("invalid NumericString")
		}
	case der.BMPString:
		return wideText(value)
	case der.IA5String:
		if !isASCII(string(value)) {
			return "", errors.New("invalid IA5String")
		}
	}
	return string(value), nil
}

// wideText reads characters of two bytes, of which a zero may be last. Those that are none are bad.
func wideText(value []byte) (string, error) {
	bad := errors.New("invalid BMPString")
	if len(value)%2 != 0 {
		return "", bad
	}
	var wide []uint16
	for i := 0; i < len(value); i += 2 {
		c := uint16(value[i])<<8 | uint16(value[i+1])
		if c == 0 && i == len(value)-2 {
			break
		}
		if c >= 0xfffe || 0xfdd0 <= c && c <= 0xfdef || 0xd800 <= c && c <= 0xdfff {
			return "", bad
		}
		wide = append(wide, c)
	}
	return string(utf16.Decode(wide)), nil
}

// value reads what a name's attribute is.
func value(t *der.Text) (any, error) {
	element, content, ok := t.AnyParts()
	if !ok {
		return nil, errors.New("invalid ASN.1 element")
	}
	tag := element[0]
	switch tag {
	case der.T61String, der.PrintableString, der.UTF8String, der.BMPString, der.IA5String,
		asn1.TagNumericString:
		return text(tag, content)
	}
	var v any
	what := "element"
	switch tag {
	case der.Integer:
		var n int
		n, ok = element.Int(der.Integer)
		v, what = int64(n), "integer"
	case der.BitString:
		v, ok = element.BitString()
		what = "BIT STRING"
	case der.OctetString:
		v = []byte(content)
	case der.ObjectID:
		v, ok = element.OID()
		what = "OBJECT IDENTIFIER"
	case der.UTCTime, der.GeneralizedTime:
		return readTime(&element)
	case der.Boolean:
		v, ok = element.Bool()
		what = "BOOLEAN"
	case asn1.TagNull:
	default:
		raw := asn1.RawValue{Class: int(tag >> 6), Tag: int(tag & 0x1f), FullBytes: element}
		raw.IsCompound, raw.Bytes = tag&der.Constructed != 0, content
		v = raw
	}
	if !ok {
		return nil, errors.New("invalid ASN.1 " + what)
	}
	return v, nil
}

func readRDNs(raw der.Text) (*pkix.RDNSequence, error) {
	const what = "RDNSequence"
	rest, ok := raw.Read(der.Sequence)
	if !ok {
		return nil, invalid(what)
	}
	var name pkix.RDNSequence
	if len(rest) > 0 {
		name = make(pkix.RDNSequence, 0, 4)
	}
	for len(rest) > 0 {
		set, ok := rest.Read(der.Set)
		if !ok {
			return nil, invalid(what)
		}
		var attributes pkix.RelativeDistinguishedNameSET
		for len(set) > 0 {
			pair, ok := set.Read(der.Sequence)
			if !ok {
				return nil, invalid(what + ": invalid attribute")
			}
			id, ok := pair.OID()
			if !ok {
				return nil, invalid(what + ": invalid attribute type")
			}
			v, err := value(&pair)
			if err != nil {
				return nil, invalid(what + ": invalid attribute value: " + err.Error())
			}
			attributes = append(attributes, pkix.AttributeTypeAndValue{Type: id, Value: v})
		}
		name = append(name, attributes)
	}
	return &name, nil
}

// readName reads a name and how it is encoded. Whoever it is of, Go calls it that of the issuer.
func readName(t *der.Text, raw *[]byte, name *pkix.Name) error {
	encoded, ok := t.Element(der.Sequence)
	if !ok {
		return malformed("issuer")
	}
	rdns, err := readRDNs(encoded)
	if err == nil {
		*raw = encoded
		name.FillFromRDNSequence(rdns)
	}
	return err
}

func readAlgorithm(t der.Text) (ai pkix.AlgorithmIdentifier, err error) {
	var ok bool
	if ai.Algorithm, ok = t.OID(); !ok {
		return ai, malformed("OID")
	}
	if len(t) == 0 {
		return ai, nil
	}
	parameters, tag, ok := t.AnyElement()
	if !ok {
		return ai, malformed("parameters")
	}
	ai.Parameters = asn1.RawValue{Tag: int(tag), FullBytes: parameters}
	return ai, nil
}

// readSigned reads the algorithm that both a signed part and what is around it tell.
func readSigned(t, around *der.Text) (raw []byte, algo SignatureAlgorithm, err error) {
	element, ok := t.Element(der.Sequence)
	if !ok {
		return nil, 0, malformed("signature algorithm identifier")
	}
	raw = element
	inner, _ := element.Read(der.Sequence)
	outer, ok := around.Read(der.Sequence)
	if !ok {
		return nil, 0, malformed("algorithm identifier")
	}
	if !bytes.Equal(outer, inner) {
		return nil, 0, errors.New(
			"x509: inner and outer signature algorithm identifiers don't match")
	}
	ai, err := readAlgorithm(inner)
	if err != nil {
		return nil, 0, err
	}
	return raw, signatureAlgorithm(ai), nil
}

func readTime(t *der.Text) (time.Time, error) {
	when, kind, ok := t.Time()
	switch {
	case ok:
		return when, nil
	case kind == "":
		return when, errors.New("x509: unsupported time format")
	}
	return when, malformed(kind)
}

// readExtension reads the next of a sequence of extensions.
func readExtension(t *der.Text) (e pkix.Extension, err error) {
	extension, ok := t.Read(der.Sequence)
	if !ok {
		return e, malformed("extension")
	}
	if e.Id, ok = extension.OID(); !ok {
		return e, malformed("extension OID field")
	}
	if extension.Peek(der.Boolean) {
		if e.Critical, ok = extension.Bool(); !ok {
			return e, malformed("extension critical field")
		}
	}
	value, ok := extension.Read(der.OctetString)
	if !ok {
		return e, malformed("extension value field")
	}
	e.Value = value
	return e, nil
}

// readCertificate reads the next of some certificates.
func readCertificate(t *der.Text) (*Certificate, error) {
	raw, ok := t.Element(der.Sequence)
	if !ok {
		return nil, malformed("certificate")
	}
	cert := &Certificate{Raw: raw}
	input, _ := raw.Read(der.Sequence)
	whole, ok := input.Element(der.Sequence)
	if !ok {
		return nil, malformed("tbs certificate")
	}
	cert.RawTBSCertificate = whole
	part, _ := whole.Read(der.Sequence)

	version, present, ok := part.Optional(der.Context | der.Constructed)
	if ok && present {
		cert.Version, ok = version.Int(der.Integer)
		ok = ok && len(version) == 0
	}
	if !ok || cert.Version < 0 {
		return nil, malformed("version")
	}
	if cert.Version++; cert.Version > 3 {
		return nil, invalid("version")
	}
	if cert.SerialNumber, ok = part.Big(); !ok {
		return nil, malformed("serial number")
	}
	if cert.SerialNumber.Sign() < 0 && !godebug.Is("x509negativeserial", "1") {
		return nil, errors.New("x509: negative serial number")
	}

	var err error
	cert.RawSignatureAlgorithm, cert.SignatureAlgorithm, err = readSigned(&part, &input)
	if err != nil {
		return nil, err
	}
	if err := readName(&part, &cert.RawIssuer, &cert.Issuer); err != nil {
		return nil, err
	}
	validity, ok := part.Read(der.Sequence)
	if !ok {
		return nil, malformed("validity")
	}
	if cert.NotBefore, err = readTime(&validity); err != nil {
		return nil, err
	}
	if cert.NotAfter, err = readTime(&validity); err != nil {
		return nil, err
	}
	if err := readName(&part, &cert.RawSubject, &cert.Subject); err != nil {
		return nil, err
	}
	if err := cert.readKey(&part); err != nil {
		return nil, err
	}
	if err := cert.readExtensions(&part); err != nil {
		return nil, err
	}
	signature, ok := input.BitString()
	if !ok {
		return nil, malformed("signature")
	}
	cert.Signature = signature.RightAlign()
	return cert, nil
}

func (c *Certificate) readKey(t *der.Text) error {
	raw, ok := t.Element(der.Sequence)
	if !ok {
		return malformed("spki")
	}
	c.RawSubjectPublicKeyInfo = raw
	info, _ := raw.Read(der.Sequence)
	algorithm, ok := info.Read(der.Sequence)
	if !ok {
		return malformed("public key algorithm identifier")
	}
	ai, err := readAlgorithm(algorithm)
	if err != nil {
		return err
	}
	c.PublicKeyAlgorithm = kindOfKey(ai.Algorithm).is
	key, ok := info.BitString()
	if !ok {
		return malformed("subjectPublicKey")
	}
	if c.PublicKeyAlgorithm == UnknownPublicKeyAlgorithm {
		return nil
	}
	c.PublicKey, err = readKey(&publicKeyInfo{Algorithm: ai, PublicKey: key})
	return err
}

// readExtensions reads what only later versions have.
func (c *Certificate) readExtensions(t *der.Text) error {
	if c.Version == 1 {
		return nil
	}
	if !t.SkipOptional(der.Context | 1) {
		return malformed("issuerUniqueID")
	}
	if !t.SkipOptional(der.Context | 2) {
		return malformed("subjectUniqueID")
	}
	if c.Version < 3 {
		return nil
	}
	extensions, present, ok := t.Optional(der.Context | der.Constructed | 3)
	if ok && present {
		extensions, ok = extensions.Read(der.Sequence)
	}
	if !ok {
		return malformed("extensions")
	}
	var seen extensionSet
	for len(extensions) > 0 {
		e, err := readExtension(&extensions)
		if err != nil {
			return err
		}
		if !seen.add(e.Id) {
			return fmt.Errorf(
				"x509: certificate contains duplicate extension with OID %q", e.Id.String())
		}
		if c.Extensions == nil {
			c.Extensions = make([]pkix.Extension, 0, 10)
		}
		c.Extensions = append(c.Extensions, e)
	}
	return c.takeExtensions()
}

// An extensionSet has the identifiers of extensions: those that certificates mostly have, which
// differ in their last number, as bits, the others as text.
type extensionSet struct {
	usual  uint64
	others map[string]bool
}

// add is false if the identifier has been there.
func (s *extensionSet) add(id identifier) bool {
	if n, ok := isUsual(id); ok && n < 64 {
		before := s.usual
		s.usual |= 1 << n
		return s.usual != before
	}
	if s.others == nil {
		s.others = make(map[string]bool)
	}
	before := len(s.others)
	s.others[id.String()] = true
	return len(s.others) > before
}

func ParseCertificate(data []byte) (*Certificate, error) {
	rest := der.Text(data)
	cert, err := readCertificate(&rest)
	if err == nil && len(rest) > 0 {
		cert, err = nil, errors.New("x509: trailing data")
	}
	return cert, err
}

func ParseCertificates(data []byte) (certs []*Certificate, err error) {
	for rest := der.Text(data); len(rest) > 0; {
		cert, err := readCertificate(&rest)
		if err != nil {
			return nil, err
		}
		certs = append(certs, cert)
	}
	return certs, nil
}

func ParseRevocationList(data []byte) (*RevocationList, error) {
	list := new(RevocationList)
	input := der.Text(data)
	raw, ok := input.Element(der.Sequence)
	if !ok {
		return nil, malformed("crl")
	}
	list.Raw = raw
	input, _ = raw.Read(der.Sequence)
	whole, ok := input.Element(der.Sequence)
	if !ok {
		return nil, malformed("tbs crl")
	}
	list.RawTBSRevocationList = whole
	t, _ := whole.Read(der.Sequence)

	if !t.Peek(der.Integer) {
		return nil, errors.New("x509: unsupported crl version")
	}
	version, ok := t.Int(der.Integer)
	if !ok {
		return nil, malformed("crl")
	}
	if version != 1 {
		return nil, fmt.Errorf("x509: unsupported crl version: %d", version)
	}
	var err error
	list.RawSignatureAlgorithm, list.SignatureAlgorithm, err = readSigned(&t, &input)
	if err != nil {
		return nil, err
	}
	signature, ok := input.BitString()
	if !ok {
		return nil, malformed("signature")
	}
	list.Signature = signature.RightAlign()
	if err := readName(&t, &list.RawIssuer, &list.Issuer); err != nil {
		return nil, err
	}
	if list.ThisUpdate, err = readTime(&t); err != nil {
		return nil, err
	}
	if t.Peek(der.GeneralizedTime) || t.Peek(der.UTCTime) {
		if list.NextUpdate, err = readTime(&t); err != nil {
			return nil, err
		}
	}
	revoked, _, ok := t.Optional(der.Sequence)
	if !ok {
		return nil, malformed("crl")
	}
	for len(revoked) > 0 {
		entry, err := readRevoked(&revoked)
		if err != nil {
			return nil, err
		}
		list.RevokedCertificateEntries = append(list.RevokedCertificateEntries, entry)
		list.RevokedCertificates = append(list.RevokedCertificates, pkix.RevokedCertificate{
			SerialNumber:   entry.SerialNumber,
			RevocationTime: entry.RevocationTime,
			Extensions:     entry.Extensions,
		})
	}
	return list, list.readExtensions(&t)
}

func readRevoked(t *der.Text) (entry RevocationListEntry, err error) {
	raw, ok := t.Element(der.Sequence)
	if !ok {
		return entry, malformed("crl")
	}
	entry.Raw = raw
	cert, _ := raw.Read(der.Sequence)
	if entry.SerialNumber, ok = cert.Big(); !ok {
		return entry, malformed("serial number")
	}
	if entry.RevocationTime, err = readTime(&cert); err != nil {
		return entry, err
	}
	extensions, _, ok := cert.Optional(der.Sequence)
	if !ok {
		return entry, malformed("extensions")
	}
	for len(extensions) > 0 {
		e, err := readExtension(&extensions)
		if err != nil {
			return entry, err
		}
		if e.Id.Equal(idReasonCode) {
			reason := der.Text(e.Value)
			if entry.ReasonCode, ok = reason.Int(der.Enum); !ok {
				return entry, malformed("reasonCode extension")
			}
		}
		entry.Extensions = append(entry.Extensions, e)
	}
	return entry, nil
}

func (list *RevocationList) readExtensions(t *der.Text) error {
	extensions, present, ok := t.Optional(der.Context | der.Constructed)
	if ok && present {
		extensions, ok = extensions.Read(der.Sequence)
	}
	if !ok {
		return malformed("extensions")
	}
	for len(extensions) > 0 {
		e, err := readExtension(&extensions)
		if err != nil {
			return err
		}
		value := der.Text(e.Value)
		if e.Id.Equal(idAuthorityKeyId) {
			if list.AuthorityKeyId, err = authorityKey(e); err != nil {
				return err
			}
		} else if e.Id.Equal(idCRLNumber) {
			if list.Number, ok = value.Big(); !ok {
				return malformed("crl number")
			}
		}
		list.Extensions = append(list.Extensions, e)
	}
	return nil
}

// isDomain says whether s may be the name of a domain, or, with a dot before it, of those below.
func isDomain(s string, constraint bool) bool {
	if s == "" {
		return true
	}
	if constraint {
		s = strings.TrimPrefix(s, ".")
	}
	isOther := func(c rune) bool { return c < 33 || c > 126 }
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || strings.ContainsFunc(label, isOther) {
			return false
		}
	}
	return true
}

// names are what a certificate is for.
type names struct {
	dns    []string
	emails []string
	ips    []net.IP
	uris   []*url.URL
}

// The tags of names in an alternative name or a constraint.
const (
	emailName = 1
	dnsName   = 2
	uriName   = 6
	ipName    = 7
)

func parseNames(data der.Text) (n names, err error) {
	list, ok := data.Read(der.Sequence)
	if !ok {
		return n, invalid("subject alternative names")
	}
	for len(list) > 0 {
		content, tag, ok := list.Any()
		if !ok {
			return n, invalid("subject alternative name")
		}
		name := string(content)
		switch tag ^ der.Context {
		case emailName:
			if !isASCII(name) {
				return n, errors.New("x509: SAN rfc822Name is malformed")
			}
			n.emails = append(n.emails, name)
		case dnsName:
			if !isASCII(name) {
				return n, errors.New("x509: SAN dNSName is malformed")
			}
			n.dns = append(n.dns, name)
		case uriName:
			if !isASCII(name) {
				return n, errors.New("x509: SAN uniformResourceIdentifier is malformed")
			}
			uri, err := url.Parse(name)
			if err != nil {
				return n, fmt.Errorf("x509: cannot parse URI %q: %s", name, err)
			}
			if !isDomain(uri.Host, false) {
				return n, fmt.Errorf("x509: cannot parse URI %q: invalid domain", name)
			}
			n.uris = append(n.uris, uri)
		case ipName:
			ip := net.IP(content)
			if len(ip) != net.IPv4len && len(ip) != net.IPv6len {
				return n, fmt.Errorf("x509: cannot parse IP address of length %d", len(ip))
			}
			if len(ip) == net.IPv6len && ip.To4() != nil {
				return n, errors.New("x509: SAN iPAddress contains IPv4-mapped IPv6 address")
			}
			n.ips = append(n.ips, ip)
		}
	}
	return n, nil
}
