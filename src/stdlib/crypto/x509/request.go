// Requests for certificates, RFC 2986: what a template asks for becomes attributes, and what
// attributes ask for becomes fields.

package x509

import (
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"internal/der"
	"io"
	"net"
	"net/url"
	"slices"
)

type CertificateRequest struct {
	Raw                      []byte
	RawTBSCertificateRequest []byte
	RawSubjectPublicKeyInfo  []byte
	RawSubject               []byte
	RawSignatureAlgorithm    []byte

	Version            int
	Signature          []byte
	SignatureAlgorithm SignatureAlgorithm

	PublicKeyAlgorithm PublicKeyAlgorithm
	PublicKey          any

	Subject         pkix.Name
	Attributes      []pkix.AttributeTypeAndValueSET
	Extensions      []pkix.Extension
	ExtraExtensions []pkix.Extension

	DNSNames       []string
	EmailAddresses []string
	IPAddresses    []net.IP
	URIs           []*url.URL
}

// How a request is encoded. RFC 2986.
type (
	tbsCertificateRequest struct {
		Raw        asn1.RawContent
		Version    int
		Subject    asn1.RawValue
		PublicKey  publicKeyInfo
		Attributes []asn1.RawValue `asn1:"tag:0"`
	}

	certificateRequest struct {
		Raw       asn1.RawContent
		Part      tbsCertificateRequest
		Algorithm struct {
			Raw        asn1.RawContent
			Algorithm  asn1.ObjectIdentifier
			Parameters asn1.RawValue `asn1:"optional"`
		}
		Signature asn1.BitString
	}
)

// idRequest is the attribute that asks for extensions.
var idRequest = identifier{1, 2, 840, 113549, 1, 9, 14}

func (c *CertificateRequest) CheckSignature() error {
	part, signature := c.RawTBSCertificateRequest, c.Signature
	return verifySignature(c.SignatureAlgorithm, part, signature, c.PublicKey, true)
}

// wanted are the extensions that a template asks for.
func (c *CertificateRequest) wanted() ([]pkix.Extension, error) {
	n := names{c.DNSNames, c.EmailAddresses, c.IPAddresses, c.URIs}
	if n.empty() || extension(idSubjectAltName, c.ExtraExtensions) != nil {
		return slices.Clone(c.ExtraExtensions), nil
	}
	encoded, err := n.encoded()
	own := pkix.Extension{Id: idSubjectAltName, Value: encoded}
	return slices.Insert(slices.Clone(c.ExtraExtensions), 0, own), err
}

// attributes are the template's with what is asked for: in that of them which asks for extensions,
// or in one behind them.
func (c *CertificateRequest) attributes(extensions []pkix.Extension) ([]asn1.RawValue, error) {
	sets := make([]pkix.AttributeTypeAndValueSET, len(c.Attributes))
	for i, set := range c.Attributes {
		sets[i] = pkix.AttributeTypeAndValueSET{Type: set.Type, Value: slices.Clone(set.Value)}
	}
	for _, set := range sets {
		if len(extensions) == 0 || !set.Type.Equal(idRequest) || len(set.Value) == 0 {
			continue
		}
		has := make(map[string]bool)
		for _, values := range set.Value {
			for _, value := range values {
				has[value.Type.String()] = true
			}
		}
		first := slices.Clone(set.Value[0])
		for _, e := range extensions {
			if !has[e.Id.String()] {
				first = append(first, pkix.AttributeTypeAndValue{Type: e.Id, Value: e.Value})
			}
		}
		set.Value[0] = first
		extensions = nil
	}
	encoded, err := asn1.Marshal(sets)
	if err != nil {
		return nil, err
	}
	var raw []asn1.RawValue
	if _, err := asn1.Unmarshal(encoded, &raw); err != nil {
		return nil, err
	}
	if len(extensions) == 0 {
		return raw, nil
	}
	encoded, err = asn1.Marshal(struct {
		Type  asn1.ObjectIdentifier
		Value [][]pkix.Extension `asn1:"set"`
	}{idRequest, [][]pkix.Extension{extensions}})
	if err == nil {
		return append(raw, asn1.RawValue{FullBytes: encoded}), nil
	}
	return nil, errors.New("x509: failed to serialise extensions attribute: " + err.Error())
}

func CreateCertificateRequest(
	rand io.Reader, template *CertificateRequest, priv any,
) (csr []byte, err error) {
	key, err := signer(priv)
	if err != nil {
		return nil, err
	}
	by, err := newAuthor(key, template.SignatureAlgorithm)
	if err != nil {
		return nil, err
	}
	var part tbsCertificateRequest
	if part.PublicKey, err = encodeKey(key.Public()); err != nil {
		return nil, err
	}
	extensions, err := template.wanted()
	if err != nil {
		return nil, err
	}
	if part.Attributes, err = template.attributes(extensions); err != nil {
		return nil, err
	}
	if part.Subject, err = subject(template.RawSubject, &template.Subject); err != nil {
		return nil, err
	}
	return by.sign(rand, part)
}

func ParseCertificateRequest(asn1Data []byte) (*CertificateRequest, error) {
	var in certificateRequest
	rest, err := asn1.Unmarshal(asn1Data, &in)
	if err == nil && len(rest) > 0 {
		err = asn1.SyntaxError{Msg: "trailing data"}
	}
	if err != nil {
		return nil, err
	}
	out := &CertificateRequest{
		Raw:                      in.Raw,
		RawTBSCertificateRequest: in.Part.Raw,
		RawSubjectPublicKeyInfo:  in.Part.PublicKey.Raw,
		RawSubject:               in.Part.Subject.FullBytes,
		RawSignatureAlgorithm:    in.Algorithm.Raw,
		Version:                  in.Part.Version,
		Signature:                in.Signature.RightAlign(),
		SignatureAlgorithm: signatureAlgorithm(pkix.AlgorithmIdentifier{
			Algorithm: in.Algorithm.Algorithm, Parameters: in.Algorithm.Parameters,
		}),
		PublicKeyAlgorithm: kindOfKey(in.Part.PublicKey.Algorithm.Algorithm).is,
	}
	for _, raw := range in.Part.Attributes {
		var set pkix.AttributeTypeAndValueSET
		if rest, err := asn1.Unmarshal(raw.FullBytes, &set); err == nil && len(rest) == 0 {
			out.Attributes = append(out.Attributes, set)
		}
	}
	if out.PublicKeyAlgorithm != UnknownPublicKeyAlgorithm {
		if out.PublicKey, err = readKey(&in.Part.PublicKey); err != nil {
			return nil, err
		}
	}
	subject, err := readRDNs(der.Text(in.Part.Subject.FullBytes))
	if err != nil {
		return nil, err
	}
	out.Subject.FillFromRDNSequence(subject)
	var seen extensionSet
	for _, raw := range in.Part.Attributes {
		if err := out.takeRequested(raw.FullBytes, &seen); err != nil {
			return nil, err
		}
	}
	for _, e := range out.Extensions {
		if !e.Id.Equal(idSubjectAltName) {
			continue
		}
		n, err := parseNames(e.Value)
		if err != nil {
			return nil, err
		}
		out.DNSNames, out.EmailAddresses, out.IPAddresses, out.URIs = n.dns, n.emails, n.ips, n.uris
	}
	return out, nil
}

// takeRequested takes the extensions that an attribute asks for, if it is one to do so: the first
// of its values lists them.
func (c *CertificateRequest) takeRequested(attribute []byte, seen *extensionSet) error {
	var in struct {
		ID     asn1.ObjectIdentifier
		Values []asn1.RawValue `asn1:"set"`
	}
	rest, err := asn1.Unmarshal(attribute, &in)
	if asks := err == nil && len(rest) == 0 && in.ID.Equal(idRequest); !asks || len(in.Values) == 0 {
		return nil
	}
	var list []pkix.Extension
	if _, err = asn1.Unmarshal(in.Values[0].FullBytes, &list); err != nil {
		return err
	}
	c.Extensions = append(c.Extensions, list...)
	isTwice := func(e pkix.Extension) bool { return !seen.add(e.Id) }
	if slices.ContainsFunc(list, isTwice) {
		return errors.New("x509: certificate request contains duplicate requested extensions")
	}
	return nil
}
