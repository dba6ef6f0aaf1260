// run
//go:debug tlsmlkem=0
//go:debug tlsmaxrsasize=1024

// With tlsmlkem=0 and tlssecpmlkem=0 no key is agreed upon by ML-KEM; tlsmaxrsasize=N is how long an
// RSA key may be.
package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"
)

var key, _ = rsa.GenerateKey(rand.Reader, 2048)

func certificate() tls.Certificate {
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"h"}}
	der, _ := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func shake(cert tls.Certificate, curves ...tls.CurveID) {
	a, b := net.Pipe()
	server := tls.Server(a, &tls.Config{Certificates: []tls.Certificate{cert}, CurvePreferences: curves})
	client := tls.Client(b, &tls.Config{InsecureSkipVerify: true, CurvePreferences: curves})
	go func() {
		server.Handshake()
		a.Close()
	}()
	err := client.Handshake()
	fmt.Println(client.ConnectionState().CurveID, err)
	b.Close()
}

func main() {
	cert := certificate()
	shake(cert)
	os.Setenv("GODEBUG", "tlsmaxrsasize=8192")
	shake(cert)
	shake(cert, tls.X25519MLKEM768, tls.CurveP256)
	os.Setenv("GODEBUG", "tlsmaxrsasize=8192,tlsmlkem=1")
	shake(cert)
	shake(cert, tls.SecP256r1MLKEM768, tls.CurveP256)
	os.Setenv("GODEBUG", "tlsmaxrsasize=8192,tlsmlkem=1,tlssecpmlkem=0")
	shake(cert, tls.SecP256r1MLKEM768, tls.CurveP256)
}
