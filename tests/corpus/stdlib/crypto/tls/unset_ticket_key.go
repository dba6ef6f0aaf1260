// run

// A server fills a SessionTicketKey that is not set, and draws two keys of 32 bytes for that.

package main

import (
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"net"
	"time"
)

// A source gives the same bytes, and says how many were asked for.
type source struct{ sizes []int }

func (s *source) Read(p []byte) (int, error) {
	s.sizes = append(s.sizes, len(p))
	for i := range p {
		p[i] = byte(len(s.sizes))
	}
	return len(p), nil
}

func main() {
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	t := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	der, err := x509.CreateCertificate(nil, t, t, key.Public(), key)
	if err != nil {
		panic(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	for _, set := range []func(*tls.Config){
		func(*tls.Config) {},
		func(c *tls.Config) { c.SessionTicketKey[3] = 1 },
		func(c *tls.Config) { c.SetSessionTicketKeys([][32]byte{{1}}) },
		func(c *tls.Config) { copy(c.SessionTicketKey[:], "DEPRECATED") },
		func(c *tls.Config) { c.SessionTicketsDisabled = true },
	} {
		random := &source{}
		server := &tls.Config{
			Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, Rand: random,
		}
		set(server)
		done := make(chan error)
		go func() {
			c, err := l.Accept()
			if err != nil {
				panic(err)
			}
			s := tls.Server(c, server)
			err = s.Handshake()
			s.Write([]byte("x"))
			s.Close()
			done <- err
		}()
		c, err := tls.Dial("tcp", l.Addr().String(), &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			panic(err)
		}
		c.Read(make([]byte, 1))
		c.Close()
		fmt.Println(<-done, random.sizes)
		fmt.Printf("%q\n", server.SessionTicketKey)
		fmt.Printf("%q\n", server.Clone().SessionTicketKey[:12])
	}
}
