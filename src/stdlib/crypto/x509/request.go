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
	return checkSignature(c.SignatureAlgorithm, part, signature, c.PublicKey, true)
}

// wanted are the extensions that a template asks for.
func (c *CertificateRequest) wanted() ([]pkix.Extension, error) {
	var made []pkix.Extension
	n := names{c.DNSNames, c.EmailAddresses, c.IPAddresses, c.URIs}
	if !n.empty() && extension(idSubjectAltName, c.ExtraExtensions) == nil {
		encoded, err := n.encoded()
		if err != nil {
			return nil, err
		}
		made = []pkix.Extension{{Id: idSubjectAltName, Value: encoded}}
	}
	return append(made, c.ExtraExtensions...), nil
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
	if err != nil {
		return nil, errors.New("x509: failed to serialise extensions attribute: " + err.Error())
	}
	return append(raw, asn1.RawValue{FullBytes: encoded}), nil
}

func CreateCertificateRequest(
	rand io.Reader, template *CertificateRequest, priv any,
) (csr []byte, err error) {
	key, err := signer(priv)
	if err != nil {
		return nil, err
	}
	how, ai, err := signingParameters(key, template.SignatureAlgorithm)
	if err != nil {
		return nil, err
	}
	public, publicAlgorithm, err := marshalPublicKey(key.Public())
	if err != nil {
		return nil, err
	}
	extensions, err := template.wanted()
	if err != nil {
		return nil, err
	}
	attributes, err := template.attributes(extensions)
	if err != nil {
		return nil, err
	}
	subject := template.RawSubject
	if len(subject) == 0 {
		if subject, err = asn1.Marshal(template.Subject.ToRDNSequence()); err != nil {
			return nil, err
		}
	}
	return sign(rand, tbsCertificateRequest{
		Subject:    asn1.RawValue{FullBytes: subject},
		PublicKey:  publicKeyInfo{Algorithm: publicAlgorithm, PublicKey: wholeBits(public)},
		Attributes: attributes,
	}, key, how, ai)
}

func ParseCertificateRequest(asn1Data []byte) (*CertificateRequest, error) {
	var in certificateRequest
	rest, err := asn1.Unmarshal(asn1Data, &in)
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 {
		return nil, asn1.SyntaxError{Msg: "trailing data"}
	}
	algorithm := pkix.AlgorithmIdentifier{
		Algorithm: in.Algorithm.Algorithm, Parameters: in.Algorithm.Parameters,
	}
	out := &CertificateRequest{
		Raw:                      in.Raw,
		RawTBSCertificateRequest: in.Part.Raw,
		RawSubjectPublicKeyInfo:  in.Part.PublicKey.Raw,
		RawSubject:               in.Part.Subject.FullBytes,
		RawSignatureAlgorithm:    in.Algorithm.Raw,
		Version:                  in.Part.Version,
		Signature:                in.Signature.RightAlign(),
		SignatureAlgorithm:       signatureAlgorithm(algorithm),
		PublicKeyAlgorithm:       keyAlgorithm(in.Part.PublicKey.Algorithm.Algorithm),
	}
	for _, raw := range in.Part.Attributes {
		var set pkix.AttributeTypeAndValueSET
		if rest, err := asn1.Unmarshal(raw.FullBytes, &set); err == nil && len(rest) == 0 {
			out.Attributes = append(out.Attributes, set)
		}
	}
	if out.PublicKeyAlgorithm != UnknownPublicKeyAlgorithm {
		if out.PublicKey, err = parsePublicKey(&in.Part.PublicKey); err != nil {
			return nil, err
		}
	}
	subject, err := parseName(der.Text(in.Part.Subject.FullBytes))
	if err != nil {
		return nil, err
	}
	out.Subject.FillFromRDNSequence(subject)
	if out.Extensions, err = requested(in.Part.Attributes); err != nil {
		return nil, err
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

// requested are the extensions that attributes ask for.
func requested(attributes []asn1.RawValue) ([]pkix.Extension, error) {
	var all []pkix.Extension
	seen := make(map[string]bool)
	for _, raw := range attributes {
		var attribute struct {
			ID     asn1.ObjectIdentifier
			Values []asn1.RawValue `asn1:"set"`
		}
		rest, err := asn1.Unmarshal(raw.FullBytes, &attribute)
		if err != nil || len(rest) > 0 || len(attribute.Values) == 0 ||
			!attribute.ID.Equal(idRequest) {
			continue
		}
		var extensions []pkix.Extension
		if _, err := asn1.Unmarshal(attribute.Values[0].FullBytes, &extensions); err != nil {
			return nil, err
		}
		for _, e := range extensions {
			id := e.Id.String()
			if seen[id] {
				return nil, errors.New(
					"x509: certificate request contains duplicate requested extensions")
			}
			seen[id] = true
		}
		all = append(all, extensions...)
	}
	return all, nil
}
