// Lists of revoked certificates: the older form of crypto/x509/pkix, which encoding/asn1 decodes,
// and RevocationList.

package x509

import (
	"bytes"
	"crypto"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"time"
)

type RevocationListEntry struct {
	Raw             []byte
	SerialNumber    *big.Int
	RevocationTime  time.Time
	ReasonCode      int
	Extensions      []pkix.Extension
	ExtraExtensions []pkix.Extension
}

type RevocationList struct {
	Raw                   []byte
	RawTBSRevocationList  []byte
	RawIssuer             []byte
	RawSignatureAlgorithm []byte

	Issuer         pkix.Name
	AuthorityKeyId []byte

	Signature          []byte
	SignatureAlgorithm SignatureAlgorithm

	RevokedCertificateEntries []RevocationListEntry
	RevokedCertificates       []pkix.RevokedCertificate

	Number *big.Int

	ThisUpdate time.Time
	NextUpdate time.Time

	Extensions      []pkix.Extension
	ExtraExtensions []pkix.Extension
}

func (rl *RevocationList) CheckSignatureFrom(parent *Certificate) error {
	if err := parent.mayIssue(KeyUsageCRLSign); err != nil {
		return err
	}
	return parent.CheckSignature(rl.SignatureAlgorithm, rl.RawTBSRevocationList, rl.Signature)
}

// fromPEM is what the first block has if the data begin with one of that kind, or else the data.
func fromPEM(data []byte, kind string) []byte {
	if bytes.HasPrefix(data, []byte("-----BEGIN "+kind)) {
		if block, _ := pem.Decode(data); block != nil && block.Type == kind {
			return block.Bytes
		}
	}
	return data
}

func ParseCRL(crlBytes []byte) (*pkix.CertificateList, error) {
	return ParseDERCRL(fromPEM(crlBytes, "X509 CRL"))
}

func ParseDERCRL(derBytes []byte) (*pkix.CertificateList, error) {
	list := new(pkix.CertificateList)
	rest, err := asn1.Unmarshal(derBytes, list)
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 {
		return nil, errors.New("x509: trailing data after CRL")
	}
	return list, nil
}

// inUTC has the times in UTC, as they are encoded.
func inUTC(revoked []pkix.RevokedCertificate) []pkix.RevokedCertificate {
	all := make([]pkix.RevokedCertificate, len(revoked))
	for i, cert := range revoked {
		cert.RevocationTime = cert.RevocationTime.UTC()
		all[i] = cert
	}
	return all
}

func (c *Certificate) CreateCRL(
	rand io.Reader, priv any, revokedCerts []pkix.RevokedCertificate, now, expiry time.Time,
) (crlBytes []byte, err error) {
	key, err := signer(priv)
	if err != nil {
		return nil, err
	}
	by, err := newAuthor(key, 0)
	if err != nil {
		return nil, err
	}
	issuer, err := asn1.Marshal(c.Subject.ToRDNSequence())
	if err != nil {
		return nil, err
	}
	list := listPart{
		Version:    1,
		Algorithm:  by.ai,
		Issuer:     asn1.RawValue{FullBytes: issuer},
		ThisUpdate: now.UTC(),
		NextUpdate: expiry.UTC(),
		Revoked:    inUTC(revokedCerts),
	}
	if len(c.SubjectKeyId) > 0 {
		id, err := asn1.Marshal(keyIdentifier{c.SubjectKeyId})
		if err != nil {
			return nil, err
		}
		list.Extensions = []pkix.Extension{{Id: idAuthorityKeyId, Value: id}}
	}
	return by.sign(rand, list)
}

// encoded is the entry as a list has it.
func (entry *RevocationListEntry) encoded() (cert pkix.RevokedCertificate, err error) {
	const prefix = "x509: template contains entry with "
	if entry.SerialNumber == nil {
		return cert, errors.New(prefix + "nil SerialNumber field")
	}
	if entry.RevocationTime.IsZero() {
		return cert, errors.New(prefix + "zero RevocationTime field")
	}
	cert.SerialNumber, cert.RevocationTime = entry.SerialNumber, entry.RevocationTime.UTC()
	if extension(idReasonCode, entry.ExtraExtensions) != nil {
		return cert, errors.New(prefix + "ReasonCode ExtraExtension; use ReasonCode field instead")
	}
	cert.Extensions = append(cert.Extensions, entry.ExtraExtensions...)
	if entry.ReasonCode != 0 {
		reason, err := asn1.Marshal(asn1.Enumerated(entry.ReasonCode))
		if err != nil {
			return cert, err
		}
		cert.Extensions = append(cert.Extensions, pkix.Extension{Id: idReasonCode, Value: reason})
	}
	return cert, nil
}

// checkList says what a template lacks.
func checkList(template *RevocationList, issuer *Certificate) error {
	switch {
	case template == nil:
		return errors.New("x509: template can not be nil")
	case issuer == nil:
		return errors.New("x509: issuer can not be nil")
	case issuer.KeyUsage&KeyUsageCRLSign == 0:
		return errors.New("x509: issuer must have the crlSign key usage bit set")
	case len(issuer.SubjectKeyId) == 0:
		return errors.New("x509: issuer certificate doesn't contain a subject key identifier")
	case template.NextUpdate.Before(template.ThisUpdate):
		return errors.New("x509: template.ThisUpdate is after template.NextUpdate")
	case template.Number == nil:
		return errors.New("x509: template contains nil Number field")
	}
	return nil
}

func CreateRevocationList(
	rand io.Reader, template *RevocationList, issuer *Certificate, priv crypto.Signer,
) ([]byte, error) {
	if err := checkList(template, issuer); err != nil {
		return nil, err
	}
	by, err := newAuthor(priv, template.SignatureAlgorithm)
	if err != nil {
		return nil, err
	}
	var revoked []pkix.RevokedCertificate
	if len(template.RevokedCertificateEntries) == 0 {
		revoked = inUTC(template.RevokedCertificates)
	}
	for i := range template.RevokedCertificateEntries {
		cert, err := template.RevokedCertificateEntries[i].encoded()
		if err != nil {
			return nil, err
		}
		revoked = append(revoked, cert)
	}
	id, err := asn1.Marshal(keyIdentifier{issuer.SubjectKeyId})
	if err != nil {
		return nil, err
	}
	if template.Number.BitLen() >= 8*20 {
		return nil, errors.New("x509: CRL number exceeds 20 octets")
	}
	number, err := asn1.Marshal(template.Number)
	if err != nil {
		return nil, err
	}
	name, err := subject(issuer.RawSubject, &issuer.Subject)
	if err != nil {
		return nil, err
	}
	if len(revoked) == 0 {
		revoked = nil
	}
	return by.sign(rand, listPart{
		Version:    1,
		Algorithm:  by.ai,
		Issuer:     name,
		ThisUpdate: template.ThisUpdate.UTC(),
		NextUpdate: template.NextUpdate.UTC(),
		Revoked:    revoked,
		Extensions: append([]pkix.Extension{
			{Id: idAuthorityKeyId, Value: id},
			{Id: idCRLNumber, Value: number},
		}, template.ExtraExtensions...),
	})
}
