// run

// A server finds a certificate by the client's name for it, or by that with a star for its first
// label, even if the name has one label only.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"time"
)

func certificate(name string) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: name},
		NotAfter:     time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func main() {
	label, domain, whole := certificate("label"), certificate("domain"), certificate("whole")
	config := &tls.Config{
		Certificates: []tls.Certificate{certificate("first"), certificate("second")},
		NameToCertificate: map[string]*tls.Certificate{
			"*": &label, "*.example.com": &domain, "a.example.com": &whole,
		},
	}
	for _, name := range []string{
		"localhost", "LOCALHOST", "a.example.com", "B.Example.com", "example.com", "a.b.example.com",
		"127.0.0.1",
	} {
		a, b := net.Pipe()
		go tls.Server(a, config).Handshake()
		c := tls.Client(b, &tls.Config{ServerName: name, InsecureSkipVerify: true})
		if err := c.Handshake(); err != nil {
			fmt.Println(name, err)
			continue
		}
		fmt.Println(name, c.ConnectionState().PeerCertificates[0].Subject.CommonName)
	}
}
