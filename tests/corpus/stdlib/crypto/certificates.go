// run

// Certificates, requests and lists: fixed keys give fixed ones, whose chains are verified.
package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"time"
)

func main() {
	ca := ed25519.NewKeyFromSeed(make([]byte, 32))
	u, _ := url.Parse("https://example.com/x")
	t0 := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Root, \"x\"", Organization: []string{"Org"}, Country: []string{"DE", "FR"}},
		NotBefore: t0, NotAfter: t0.AddDate(40, 0, 0), IsCA: true, BasicConstraintsValid: true, MaxPathLen: 3,
		KeyUsage:            x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		PermittedDNSDomains: []string{"example.com", "localhost"}, PermittedIPRanges: []*net.IPNet{{IP: net.IP{127, 0, 0, 0}, Mask: net.CIDRMask(8, 32)}},
		ExcludedDNSDomains: []string{"bad.example.com"}, PermittedDNSDomainsCritical: true,
		PermittedURIDomains: []string{"example.com"}, PermittedEmailAddresses: []string{"example.com", "a@b.org"},
	}
	der, err := x509.CreateCertificate(nil, root, root, ca.Public(), ca)
	fmt.Printf("%x %v\n", der, err)
	rc, err := x509.ParseCertificate(der)
	fmt.Println(err, rc.Subject, rc.Issuer, rc.KeyUsage, rc.SignatureAlgorithm, rc.PublicKeyAlgorithm)
	leafKey := ed25519.NewKeyFromSeed([]byte("01234567890123456789012345678901"))
	mk := func(dns []string, f func(*x509.Certificate)) *x509.Certificate {
		leaf := &x509.Certificate{
			SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "leaf"},
			NotBefore: t0, NotAfter: t0.AddDate(40, 0, 0), DNSNames: dns,
			IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
			URIs:        []*url.URL{u}, EmailAddresses: []string{"x@example.com"},
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
			KeyUsage:    x509.KeyUsageDigitalSignature,
			OCSPServer:  []string{"http://ocsp"}, IssuingCertificateURL: []string{"http://issuer"}, CRLDistributionPoints: []string{"http://crl"},
		}
		if f != nil {
			f(leaf)
		}
		der, err := x509.CreateCertificate(nil, leaf, rc, leafKey.Public(), ca)
		fmt.Printf("%x %v\n", der, err)
		c, err := x509.ParseCertificate(der)
		if err != nil {
			fmt.Println(err)
		}
		return c
	}
	pool := x509.NewCertPool()
	pool.AddCert(rc)
	try := func(c *x509.Certificate, host string) {
		chains, err := c.Verify(x509.VerifyOptions{Roots: pool, DNSName: host, CurrentTime: t0.AddDate(5, 0, 0)})
		fmt.Println(len(chains), err)
	}
	c := mk([]string{"example.com", "*.foo.example.com"}, nil)
	fmt.Printf("%+v\n", c.DNSNames)
	for _, h := range []string{"example.com", "a.foo.example.com", "foo.example.com", "127.0.0.1", "127.0.0.2", "[127.0.0.1]", "EXAMPLE.com.", "b.a.foo.example.com", ""} {
		try(c, h)
	}
	try(mk([]string{"bad.example.com"}, nil), "")
	try(mk([]string{"x.bad.example.com"}, nil), "")
	try(mk([]string{"other.com"}, nil), "")
	try(mk([]string{"*.example.com"}, nil), "")
	try(mk(nil, func(c *x509.Certificate) { c.EmailAddresses = []string{"x@y.org"} }), "")
	try(mk(nil, func(c *x509.Certificate) { c.EmailAddresses = []string{"a@B.org"} }), "")
	try(mk(nil, func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.ParseIP("::1")} }), "")
	try(mk(nil, func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(128, 0, 0, 1)} }), "")
	try(mk(nil, func(c *x509.Certificate) { c.NotAfter = t0.AddDate(1, 0, 0) }), "")
	try(mk(nil, func(c *x509.Certificate) { c.ExtKeyUsage = c.ExtKeyUsage[1:] }), "")
	try(mk(nil, func(c *x509.Certificate) {
		c.ExtraExtensions = []pkix.Extension{{Id: []int{1, 2, 3}, Critical: true, Value: []byte{5, 0}}}
	}), "")
	other := x509.NewCertPool()
	_, err = c.Verify(x509.VerifyOptions{Roots: other, CurrentTime: t0})
	fmt.Println(err)
	ek, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	rk, _ := rsa.GenerateKey(rand.Reader, 2048)
	for _, k := range []crypto.Signer{ek, rk, ca} {
		b, err := x509.MarshalPKCS8PrivateKey(k)
		k2, err2 := x509.ParsePKCS8PrivateKey(b)
		fmt.Println(err, err2, k2.(interface{ Equal(crypto.PrivateKey) bool }).Equal(k))
		b, err = x509.MarshalPKIXPublicKey(k.Public())
		p2, err2 := x509.ParsePKIXPublicKey(b)
		fmt.Println(err, err2, p2.(interface{ Equal(crypto.PublicKey) bool }).Equal(k.Public()))
		csr, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{Subject: pkix.Name{CommonName: "r"}, DNSNames: []string{"a.b"}}, k)
		r, err2 := x509.ParseCertificateRequest(csr)
		fmt.Println(err, err2, r.Subject, r.DNSNames, r.CheckSignature(), len(r.Attributes), r.SignatureAlgorithm)
		crl, err := x509.CreateRevocationList(rand.Reader, &x509.RevocationList{Number: big.NewInt(5), ThisUpdate: t0, NextUpdate: t0.AddDate(1, 0, 0),
			RevokedCertificateEntries: []x509.RevocationListEntry{{SerialNumber: big.NewInt(7), RevocationTime: t0, ReasonCode: 3}}}, rc, k)
		l, err2 := x509.ParseRevocationList(crl)
		fmt.Println(err, err2)
		if err2 == nil {
			fmt.Println(l.Number, l.Issuer, len(l.RevokedCertificateEntries), l.RevokedCertificateEntries[0].ReasonCode)
		}
	}
	b, err := x509.MarshalECPrivateKey(ek)
	k, err2 := x509.ParseECPrivateKey(b)
	fmt.Println(err, err2, k.Equal(ek))
	_, err = x509.ParsePKCS1PrivateKey(b)
	fmt.Println(err)
	_, err = x509.ParsePKCS8PrivateKey(b)
	fmt.Println(err)
	b = x509.MarshalPKCS1PrivateKey(rk)
	k1, err := x509.ParsePKCS1PrivateKey(b)
	fmt.Println(err, k1.Equal(rk))
	_, err = x509.ParseECPrivateKey(b)
	fmt.Println(err)
	blk, err := x509.EncryptPEMBlock(rand.Reader, "X", []byte("secret"), []byte("pw"), x509.PEMCipherAES256)
	d, err2 := x509.DecryptPEMBlock(blk, []byte("pw"))
	fmt.Println(err, err2, string(d))
	for _, alg := range []x509.SignatureAlgorithm{x509.SHA256WithRSAPSS, x509.SHA512WithRSA, x509.SHA384WithRSAPSS} {
		t := *root
		t.SignatureAlgorithm = alg
		der, err := x509.CreateCertificate(rand.Reader, &t, &t, rk.Public(), rk)
		c, err2 := x509.ParseCertificate(der)
		fmt.Println(err, err2, c.SignatureAlgorithm, c.CheckSignatureFrom(c))
	}
	pemd := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rc.Raw})
	fmt.Println(x509.NewCertPool().AppendCertsFromPEM(pemd))
	oid, err := x509.ParseOID("2.5.29.99999999999999999999999.1")
	fmt.Println(oid, err)
}
