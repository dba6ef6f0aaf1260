// run
//go:debug tlssha1=1

// With tlssha1=1 a signature of TLS 1.2 may be one of SHA-1.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"
)

func offered() {
	key, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, _ := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	cert := tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	a, b := net.Pipe()
	server := tls.Server(a, &tls.Config{GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
		fmt.Println(h.SignatureSchemes)
		return &cert, nil
	}})
	client := tls.Client(b, &tls.Config{InsecureSkipVerify: true})
	go func() {
		server.Handshake()
		a.Close()
	}()
	fmt.Println(client.Handshake())
	b.Close()
}

func main() {
	offered()
	os.Setenv("GODEBUG", "tlssha1=0")
	offered()
}
