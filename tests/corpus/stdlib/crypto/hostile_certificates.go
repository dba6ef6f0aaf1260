// run

// Certificates, requests, lists and keys that are changed at random: the same errors as Go's.
package main

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"hash/fnv"
	"math/big"
	"net"
	"net/url"
	"os"
	"regexp"
	"sort"
	"strconv"
	"time"
)

var pointer = regexp.MustCompile("tag:0x[0-9a-f]+")

var state uint64 = 1

func random(n int) int {
	state = state*6364136223846793005 + 1442695040888963407
	return int(state>>33) % n
}

// changed is b with a few bytes changed, inserted or removed.
func changed(b []byte) []byte {
	b = append([]byte(nil), b...)
	for range 1 + random(3) {
		i := random(len(b))
		switch random(6) {
		case 0:
			b[i] ^= 1 << random(8)
		case 1:
			b[i] = byte(random(256))
		case 2:
			b[i]++
		case 3:
			b = append(b[:i], b[min(len(b), i+1+random(3)):]...)
		case 4:
			b = append(b[:i], append([]byte{byte(random(256))}, b[i:]...)...)
		case 5:
			b[i] = []byte{0, 1, 0x30, 0x80, 0xff, 0x7f, 0xa0, 0x06, 0x82}[random(9)]
		}
		if len(b) == 0 {
			return b
		}
	}
	return b
}

func main() {
	rounds := 2000
	if len(os.Args) > 1 {
		rounds, _ = strconv.Atoi(os.Args[1])
	}
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	start := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	uri, _ := url.Parse("https://example.com/path")
	policy, _ := x509.ParseOID("1.2.3.4")
	template := &x509.Certificate{
		SerialNumber: big.NewInt(77),
		Subject: pkix.Name{
			CommonName: "Näme", Organization: []string{"Org"}, Country: []string{"DE"},
			ExtraNames: []pkix.AttributeTypeAndValue{{Type: []int{1, 2, 3}, Value: 5}},
		},
		NotBefore: start, NotAfter: start.AddDate(40, 0, 0), IsCA: true, BasicConstraintsValid: true, MaxPathLen: 3,
		KeyUsage:                    x509.KeyUsageCertSign | x509.KeyUsageCRLSign | x509.KeyUsageDecipherOnly,
		ExtKeyUsage:                 []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		UnknownExtKeyUsage:          []asn1.ObjectIdentifier{{1, 2, 3}},
		DNSNames:                    []string{"example.com"},
		EmailAddresses:              []string{"a@example.com"},
		IPAddresses:                 []net.IP{net.IPv4(1, 2, 3, 4), net.ParseIP("::1")},
		URIs:                        []*url.URL{uri},
		Policies:                    []x509.OID{policy},
		OCSPServer:                  []string{"http://a"},
		IssuingCertificateURL:       []string{"http://b"},
		CRLDistributionPoints:       []string{"http://c"},
		PermittedDNSDomains:         []string{"example.com"},
		PermittedIPRanges:           []*net.IPNet{{IP: net.IP{1, 2, 0, 0}, Mask: net.CIDRMask(16, 32)}},
		ExcludedEmailAddresses:      []string{"b@example.com"},
		ExcludedURIDomains:          []string{".example.org"},
		PermittedDNSDomainsCritical: true,
		ExtraExtensions: []pkix.Extension{
			{Id: []int{2, 5, 29, 33}, Value: []byte{0x30, 10, 0x30, 8, 6, 2, 0x2a, 3, 6, 2, 0x2a, 4}},
			{Id: []int{2, 5, 29, 36}, Value: []byte{0x30, 6, 0x80, 1, 3, 0x81, 1, 0}},
			{Id: []int{2, 5, 29, 54}, Value: []byte{2, 1, 5}},
		},
	}
	cert, err := x509.CreateCertificate(nil, template, template, key.Public(), key)
	check(err)
	parsed, err := x509.ParseCertificate(cert)
	check(err)
	request, err := x509.CreateCertificateRequest(nil, &x509.CertificateRequest{
		Subject: template.Subject, DNSNames: template.DNSNames, EmailAddresses: template.EmailAddresses,
	}, key)
	check(err)
	list, err := x509.CreateRevocationList(nil, &x509.RevocationList{
		Number: big.NewInt(5), ThisUpdate: start, NextUpdate: start.AddDate(1, 0, 0),
		RevokedCertificateEntries: []x509.RevocationListEntry{
			{SerialNumber: big.NewInt(7), RevocationTime: start, ReasonCode: 3},
		},
	}, parsed, key)
	check(err)
	small := make([]byte, 32)
	small[31] = 9
	curveKey, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), small)
	check(err)
	sec1, err := x509.MarshalECPrivateKey(curveKey)
	check(err)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(curveKey)
	check(err)
	public, err := x509.MarshalPKIXPublicKey(&curveKey.PublicKey)
	check(err)
	for _, kind := range []struct {
		name string
		data []byte
		do   func(b []byte) (any, error)
	}{
		{"certificate", cert, func(b []byte) (any, error) {
			c, err := x509.ParseCertificate(b)
			if err != nil {
				return nil, err
			}
			c.PublicKey = nil // its type has another name
			_, failed := c.Verify(x509.VerifyOptions{
				Roots: x509.NewCertPool(), CurrentTime: start.AddDate(1, 0, 0),
			})
			return fmt.Sprint(*c, failed), nil
		}},
		{"request", request, func(b []byte) (any, error) {
			r, err := x509.ParseCertificateRequest(b)
			if err != nil {
				return nil, err
			}
			return fmt.Sprint(r.Subject, r.DNSNames, r.Attributes, r.Extensions, r.CheckSignature()), nil
		}},
		{"list", list, func(b []byte) (any, error) {
			l, err := x509.ParseRevocationList(b)
			if err != nil {
				return nil, err
			}
			return fmt.Sprint(*l, l.CheckSignatureFrom(parsed)), nil
		}},
		{"old list", list, func(b []byte) (any, error) { return x509.ParseDERCRL(b) }},
		{"sec1", sec1, func(b []byte) (any, error) { return x509.ParseECPrivateKey(b) }},
		{"pkcs8", pkcs8, func(b []byte) (any, error) { return x509.ParsePKCS8PrivateKey(b) }},
		{"public", public, func(b []byte) (any, error) { return x509.ParsePKIXPublicKey(b) }},
	} {
		sum := fnv.New64a()
		errors := make(map[string]int)
		good := 0
		for range rounds {
			b := changed(kind.data)
			v, err := kind.do(b)
			if err != nil {
				// Some texts show pointers.
				errors[pointer.ReplaceAllString(err.Error(), "tag:*")]++
			} else {
				good++
				if text, ok := v.(string); ok {
					sum.Write([]byte(text))
				}
			}
		}
		fmt.Println(kind.name, good, len(errors), sum.Sum64())
		var texts []string
		for text, n := range errors {
			texts = append(texts, fmt.Sprint(text, " ", n))
		}
		sort.Strings(texts)
		for _, text := range texts {
			fmt.Printf("%q\n", text)
		}
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
