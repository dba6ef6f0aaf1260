// run

// The certificate of a server is parsed once, however many connections show it.

package main

import (
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"net"
	"runtime"
	"time"
)

func main() {
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	t := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"a.example"},
		NotAfter: time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	der, err := x509.CreateCertificate(nil, t, t, key.Public(), key)
	if err != nil {
		panic(err)
	}
	cert := tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	shake := func(client *tls.Config) (ofClient, ofServer tls.ConnectionState) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(err)
		}
		defer l.Close()
		done := make(chan tls.ConnectionState)
		go func() {
			c, err := l.Accept()
			if err != nil {
				panic(err)
			}
			s := tls.Server(c, &tls.Config{
				Certificates: []tls.Certificate{cert}, ClientAuth: tls.RequireAnyClientCert,
			})
			if err := s.Handshake(); err != nil {
				panic(err)
			}
			s.Write([]byte("x"))
			done <- s.ConnectionState()
			s.Close()
		}()
		client.InsecureSkipVerify = true
		client.Certificates = []tls.Certificate{cert}
		c, err := tls.Dial("tcp", l.Addr().String(), client)
		if err != nil {
			panic(err)
		}
		defer c.Close()
		c.Read(make([]byte, 1))
		return c.ConnectionState(), <-done
	}
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		c, s := shake(&tls.Config{MaxVersion: version})
		d, u := shake(&tls.Config{MaxVersion: version})
		fmt.Println(c.PeerCertificates[0] == d.PeerCertificates[0],
			s.PeerCertificates[0] == u.PeerCertificates[0],
			c.PeerCertificates[0] == s.PeerCertificates[0])
		runtime.KeepAlive(c)
	}
	for range 3 {
		runtime.GC()
	}
	c, _ := shake(&tls.Config{})
	fmt.Println(c.PeerCertificates[0].DNSNames)
}
