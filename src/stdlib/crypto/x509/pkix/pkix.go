// Package pkix: the parts of certificates and of lists of revoked ones, as ASN.1 has them.
package pkix

import (
	"encoding/asn1"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

type AlgorithmIdentifier struct {
	Algorithm  asn1.ObjectIdentifier
	Parameters asn1.RawValue `asn1:"optional"`
}

type RDNSequence []RelativeDistinguishedNameSET

type RelativeDistinguishedNameSET []AttributeTypeAndValue

type AttributeTypeAndValue struct {
	Type  asn1.ObjectIdentifier
	Value any
}

type AttributeTypeAndValueSET struct {
	Type  asn1.ObjectIdentifier
	Value [][]AttributeTypeAndValue `asn1:"set"`
}

// The last component of the identifiers 2.5.4.n that a Name has fields for.
const (
	commonName         = 3
	serialNumber       = 5
	country            = 6
	locality           = 7
	province           = 8
	streetAddress      = 9
	organization       = 10
	organizationalUnit = 11
	postalCode         = 17
)

var shortNames = map[int]string{
	commonName:         "CN",
	serialNumber:       "SERIALNUMBER",
	country:            "C",
	locality:           "L",
	province:           "ST",
	streetAddress:      "STREET",
	organization:       "O",
	organizationalUnit: "OU",
	postalCode:         "POSTALCODE",
}

// kind is which field an attribute belongs to, or 0.
func kind(id asn1.ObjectIdentifier) int {
	if len(id) != 4 || id[0] != 2 || id[1] != 5 || id[2] != 4 {
		return 0
	}
	switch n := id[3]; n {
	case commonName, serialNumber, country, locality, province, streetAddress, organization,
		organizationalUnit, postalCode:
		return n
	}
	return 0
}

// String has the last first, as RFC 2253 does.
func (r RDNSequence) String() string {
	var b strings.Builder
	for i, set := range slices.Backward(r) {
		for j, attribute := range set {
			if j > 0 {
				b.WriteByte('+')
			}
			b.WriteString(attribute.text())
		}
		if i > 0 {
			b.WriteByte(',')
		}
	}
	return b.String()
}

func (a AttributeTypeAndValue) text() string {
	name := shortNames[kind(a.Type)]
	if name == "" {
		name = a.Type.String()
		if _, ok := a.Value.(string); !ok {
			if der, err := asn1.Marshal(a.Value); err == nil {
				return name + "=#" + hex.EncodeToString(der)
			}
		}
	}
	var text strings.Builder
	text.WriteString(name + "=")
	value := fmt.Sprint(a.Value)
	for i, c := range value {
		atEnd := i == 0 || i == len(value)-1
		if strings.ContainsRune(`,+"\<>;`, c) || c == ' ' && atEnd || c == '#' && i == 0 {
			text.WriteByte('\\')
		}
		text.WriteRune(c)
	}
	return text.String()
}

type Extension struct {
	Id       asn1.ObjectIdentifier
	Critical bool `asn1:"optional"`
	Value    []byte
}

type Name struct {
	Country, Organization, OrganizationalUnit []string
	Locality, Province                        []string
	StreetAddress, PostalCode                 []string
	SerialNumber, CommonName                  string

	Names      []AttributeTypeAndValue
	ExtraNames []AttributeTypeAndValue
}

func (n *Name) FillFromRDNSequence(rdns *RDNSequence) {
	if n.Names == nil && len(*rdns) > 0 && len((*rdns)[0]) > 0 {
		n.Names = make([]AttributeTypeAndValue, 0, len(*rdns))
	}
	for _, set := range *rdns {
		n.Names = append(n.Names, set...)
		for _, attribute := range set {
			value, ok := attribute.Value.(string)
			if !ok {
				continue
			}
			switch of := kind(attribute.Type); of {
			case 0:
			case commonName:
				n.CommonName = value
			case serialNumber:
				n.SerialNumber = value
			default:
				field := n.list(of)
				*field = append(*field, value)
			}
		}
	}
}

// list is the field for attributes of which there may be several.
func (n *Name) list(kind int) *[]string {
	fields := [...]*[]string{
		country:            &n.Country,
		organization:       &n.Organization,
		organizationalUnit: &n.OrganizationalUnit,
		locality:           &n.Locality,
		province:           &n.Province,
		streetAddress:      &n.StreetAddress,
		postalCode:         &n.PostalCode,
	}
	return fields[kind]
}

// ToRDNSequence takes a field only if there is no attribute of its kind among the extra names.
func (n Name) ToRDNSequence() (ret RDNSequence) {
	add := func(of int, values ...string) {
		id := asn1.ObjectIdentifier{2, 5, 4, of}
		replaced := slices.ContainsFunc(n.ExtraNames, func(a AttributeTypeAndValue) bool {
			return a.Type.Equal(id)
		})
		if len(values) == 0 || replaced {
			return
		}
		set := make([]AttributeTypeAndValue, len(values))
		for i, value := range values {
			set[i] = AttributeTypeAndValue{id, value}
		}
		ret = append(ret, set)
	}
	for _, of := range []int{
		country, province, locality, streetAddress, postalCode, organization, organizationalUnit,
	} {
		add(of, *n.list(of)...)
	}
	if n.CommonName != "" {
		add(commonName, n.CommonName)
	}
	if n.SerialNumber != "" {
		add(serialNumber, n.SerialNumber)
	}
	for _, attribute := range n.ExtraNames {
		ret = append(ret, []AttributeTypeAndValue{attribute})
	}
	return ret
}

// String shows the parsed names that no field has, too, if there are no extra ones.
func (n Name) String() string {
	var others RDNSequence
	if n.ExtraNames == nil {
		for _, attribute := range n.Names {
			if kind(attribute.Type) == 0 {
				others = append(others, []AttributeTypeAndValue{attribute})
			}
		}
	}
	return append(others, n.ToRDNSequence()...).String()
}

type CertificateList struct {
	TBSCertList        TBSCertificateList
	SignatureAlgorithm AlgorithmIdentifier
	SignatureValue     asn1.BitString
}

func (certList *CertificateList) HasExpired(now time.Time) bool {
	return !now.Before(certList.TBSCertList.NextUpdate)
}

type TBSCertificateList struct {
	Raw                 asn1.RawContent
	Version             int `asn1:"optional,default:0"`
	Signature           AlgorithmIdentifier
	Issuer              RDNSequence
	ThisUpdate          time.Time
	NextUpdate          time.Time            `asn1:"optional"`
	RevokedCertificates []RevokedCertificate `asn1:"optional"`
	Extensions          []Extension          `asn1:"tag:0,optional,explicit"`
}

type RevokedCertificate struct {
	SerialNumber   *big.Int
	RevocationTime time.Time
	Extensions     []Extension `asn1:"optional"`
}
