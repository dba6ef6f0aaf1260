// run
//go:debug x509negativeserial=1
//go:debug x509sha256skid=0
//go:debug x509usepolicies=0

// With x509negativeserial=1 a serial number may be negative; with x509sha256skid=0 the identifier of a
// key is its SHA-1; with x509usepolicies=0 PolicyIdentifiers count when a certificate is made.
package main

import (
	"bytes"
	"crypto/ed25519"
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
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	make := func() *x509.Certificate {
		oid, _ := x509.OIDFromInts([]uint64{1, 2, 3})
		der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
			SerialNumber:          big.NewInt(0x1234),
			Subject:               pkix.Name{CommonName: "a"},
			NotAfter:              time.Unix(4e9, 0),
			IsCA:                  true,
			BasicConstraintsValid: true,
			PolicyIdentifiers:     []asn1.ObjectIdentifier{{2, 5, 29, 32, 0}},
			Policies:              []x509.OID{oid},
		}, &x509.Certificate{Subject: pkix.Name{CommonName: "a"}}, key.Public(), key)
		if err != nil {
			fmt.Println(err)
			return nil
		}
		c, err := x509.ParseCertificate(der)
		if err != nil {
			fmt.Println(err)
			return nil
		}
		fmt.Printf("%x %v %v\n", c.SubjectKeyId, c.PolicyIdentifiers, c.Policies)
		negative := bytes.Replace(der, []byte{2, 2, 0x12, 0x34}, []byte{2, 2, 0x92, 0x34}, 1)
		n, err := x509.ParseCertificate(negative)
		if err == nil {
			fmt.Println(n.SerialNumber)
		}
		fmt.Println(err)
		return c
	}
	make()
	os.Setenv("GODEBUG", "x509negativeserial=0,x509sha256skid=1,x509usepolicies=1")
	make()
}
