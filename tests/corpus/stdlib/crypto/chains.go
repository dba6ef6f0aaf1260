// run

// Chains over authorities in between, templates that are none, and what GODEBUG changes.
package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"math/big"
	"os"
	"time"
)

func main() {
	os.Setenv("GODEBUG", "cryptocustomrand=1")
	k, err := ecdsa.GenerateKey(elliptic.P256(), z{})
	fmt.Println(k.D, err)
	os.Setenv("GODEBUG", "")
	fmt.Printf("%T\n", rand.Reader)
	t0 := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	mk := func(name string, parent *x509.Certificate, pk crypto.Signer, own crypto.Signer, f func(c *x509.Certificate)) *x509.Certificate {
		c := &x509.Certificate{SerialNumber: big.NewInt(3), Subject: pkix.Name{CommonName: name}, NotBefore: t0, NotAfter: t0.AddDate(30, 0, 0), BasicConstraintsValid: true, IsCA: true}
		f(c)
		if parent == nil {
			parent = c
		}
		der, err := x509.CreateCertificate(rand.Reader, c, parent, own.Public(), pk)
		if err != nil {
			fmt.Println(err)
			return nil
		}
		p, err := x509.ParseCertificate(der)
		if err != nil {
			fmt.Println(err)
		}
		return p
	}
	a, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	b, _ := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	c, _ := ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	root := mk("root", nil, a, a, func(c *x509.Certificate) { c.MaxPathLen = 1 })
	mid := mk("mid", root, a, b, func(c *x509.Certificate) {
		c.MaxPathLenZero = true
		c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	})
	leaf := mk("leaf", mid, b, c, func(c *x509.Certificate) { c.IsCA = false; c.MaxPathLen = -1; c.DNSNames = []string{"x.y"} })
	roots, mids := x509.NewCertPool(), x509.NewCertPool()
	roots.AddCert(root)
	mids.AddCert(mid)
	for _, u := range [][]x509.ExtKeyUsage{nil, {x509.ExtKeyUsageAny}, {x509.ExtKeyUsageClientAuth}} {
		ch, err := leaf.Verify(x509.VerifyOptions{Roots: roots, Intermediates: mids, KeyUsages: u, CurrentTime: t0})
		fmt.Println(len(ch), err)
		if len(ch) > 0 {
			fmt.Println(len(ch[0]))
		}
	}
	_, err = leaf.Verify(x509.VerifyOptions{Roots: mids, Intermediates: roots, KeyUsages: []x509.ExtKeyUsage{0}, CurrentTime: t0})
	fmt.Println(err)
	_, err = leaf.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: t0})
	fmt.Println(err)
	fake := mk("mid", root, a, c, func(c *x509.Certificate) {})
	fakes := x509.NewCertPool()
	fakes.AddCert(fake)
	_, err = leaf.Verify(x509.VerifyOptions{Roots: roots, Intermediates: fakes, CurrentTime: t0})
	fmt.Println(err)
	fmt.Println(leaf.CheckSignatureFrom(root), leaf.CheckSignatureFrom(leaf), leaf.CheckSignatureFrom(mid))
	fmt.Println(leaf.SubjectKeyId, leaf.AuthorityKeyId != nil)
	fmt.Println(mk("x", root, b, b, func(c *x509.Certificate) {}))
	fmt.Println(mk("x", root, a, b, func(c *x509.Certificate) { c.IsCA = false; c.MaxPathLen = 5 }))
	fmt.Println(mk("x", root, a, b, func(c *x509.Certificate) { c.MaxPathLen = -5 }))
	fmt.Println(mk("x", root, a, b, func(c *x509.Certificate) { c.SerialNumber = big.NewInt(-1) }))
	fmt.Println(mk("x", root, a, b, func(c *x509.Certificate) { c.SignatureAlgorithm = x509.SHA256WithRSA }))
	fmt.Println(mk("x", root, a, b, func(c *x509.Certificate) { c.SignatureAlgorithm = 99 }))
	fmt.Println(mk("x", root, a, b, func(c *x509.Certificate) { c.DNSNames = []string{"ä"} }))
	fmt.Println(mk("x", root, a, b, func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{77} }))
	q := mk("x", root, a, b, func(c *x509.Certificate) {
		c.SerialNumber = nil
		c.UnknownExtKeyUsage = []asn1.ObjectIdentifier{{1, 2, 3}}
	})
	fmt.Println(q.SerialNumber.BitLen() <= 159, q.UnknownExtKeyUsage, q.ExtKeyUsage)
	for i := range 20 {
		fmt.Println(x509.SignatureAlgorithm(i), x509.PublicKeyAlgorithm(i), x509.KeyUsage(1<<i), x509.ExtKeyUsage(i))
	}
	fmt.Println(x509.KeyUsage(3), x509.ExtKeyUsage(-1), x509.ExtKeyUsageOCSPSigning.OID())
	_, err = x509.CreateCertificate(rand.Reader, root, root, 5, a)
	_, err2 := x509.CreateCertificate(rand.Reader, root, root, a.Public(), 5)
	fmt.Println(err, err2)
	_, err = x509.MarshalPKIXPublicKey(5)
	_, err2 = x509.MarshalPKCS8PrivateKey(5)
	fmt.Println(err, err2)
	fmt.Println(roots.Equal(mids), roots.Equal(roots.Clone()), (*x509.CertPool)(nil).Equal(nil), len(roots.Subjects()))
	defer func() { fmt.Println(recover()) }()
	roots.AddCert(nil)
}

type z struct{}

func (z) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 7
	}
	return len(p), nil
}
