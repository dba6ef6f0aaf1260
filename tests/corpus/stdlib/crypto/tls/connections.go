// run

// Data over connections: Listen and Dial, large writes, ends, deadlines, exported keys, key logs.

package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	t := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, t, t, &key.PublicKey, key)
	check(err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	check(err)
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
	dir, err := os.MkdirTemp("", "tls")
	check(err)
	defer os.RemoveAll(dir)
	certFile, keyFile := filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	check(os.WriteFile(certFile, certPEM, 0o600))
	check(os.WriteFile(keyFile, keyPEM, 0o600))
	cert, err := tls.LoadX509KeyPair(certFile, keyFile)
	check(err)
	fmt.Println(cert.Leaf.DNSNames)
	_, err = tls.LoadX509KeyPair(filepath.Join(dir, "none"), keyFile)
	fmt.Println(errors.Is(err, os.ErrNotExist))
	pair := func(cert, key []byte) {
		c, err := tls.X509KeyPair(cert, key)
		fmt.Println(len(c.Certificate), err)
	}
	pair(nil, nil)
	pair(keyPEM, certPEM)
	pair(certPEM, certPEM)
	pair(certPEM, nil)
	pair(pem.EncodeToMemory(&pem.Block{Type: "A"}), keyPEM)
	pair(certPEM, pem.EncodeToMemory(&pem.Block{Type: "B"}))
	pair(certPEM, append(pem.EncodeToMemory(&pem.Block{Type: "EC PARAMETERS"}), keyPEM...))
	another, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	anotherDER, _ := x509.MarshalECPrivateKey(another)
	pair(certPEM, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: anotherDER}))

	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certPEM)
	_, err = tls.Listen("tcp", "127.0.0.1:0", &tls.Config{})
	fmt.Println(err)
	var log bytes.Buffer
	for _, v := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		log.Reset()
		server := &tls.Config{Certificates: []tls.Certificate{cert}, MaxVersion: v}
		l, err := tls.Listen("tcp", "127.0.0.1:0", server)
		check(err)
		var wait sync.WaitGroup
		wait.Go(func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				wait.Go(func() {
					// An echo that ends when the other side does.
					n, err := io.Copy(c, c)
					state := c.(*tls.Conn).ConnectionState()
					_ = state
					if n != 0 || err == nil {
						check(err)
					}
					c.Close()
				})
			}
		})
		client := &tls.Config{RootCAs: pool, KeyLogWriter: &log}
		c, err := tls.Dial("tcp", l.Addr().String(), client)
		check(err)
		data := make([]byte, 3<<20+17)
		rand.Read(data)
		done := make(chan bool)
		go func() {
			for p := data; len(p) > 0; {
				n := min(len(p), 50_000)
				_, err := c.Write(p[:n])
				check(err)
				p = p[n:]
			}
			check(c.CloseWrite())
			_, err := c.Write([]byte("more"))
			fmt.Println(err)
			close(done)
		}()
		got, err := io.ReadAll(c)
		<-done
		fmt.Println(sha256.Sum256(got) == sha256.Sum256(data), err)
		state := c.ConnectionState()
		k1, err := state.ExportKeyingMaterial("label", []byte("context"), 40)
		fmt.Println(len(k1), err, tls.VersionName(state.Version), state.HandshakeComplete)
		if v == tls.VersionTLS12 {
			_, err = state.ExportKeyingMaterial("master secret", nil, 40)
			fmt.Println(err)
		}
		for line := range strings.Lines(log.String()) {
			f := strings.Fields(line)
			fmt.Println(f[0], len(f[1]), len(f[2]))
		}
		fmt.Println(c.VerifyHostname("localhost"), c.VerifyHostname("elsewhere"))
		n, err := c.Read(make([]byte, 1))
		fmt.Println(n, err)
		fmt.Println(c.Close())
		fmt.Println(c.Close())
		_, err = c.Write([]byte("x"))
		fmt.Println(err)

		d := &tls.Dialer{Config: client}
		conn, err := d.DialContext(context.Background(), "tcp", l.Addr().String())
		check(err)
		conn.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		_, err = conn.Read(make([]byte, 1))
		fmt.Println(errors.Is(err, os.ErrDeadlineExceeded), err.(net.Error).Timeout())
		conn.SetReadDeadline(time.Time{})
		fmt.Fprint(conn, "again")
		text := make([]byte, 5)
		_, err = io.ReadFull(conn, text)
		fmt.Println(string(text), err)
		_, isTCP := conn.(*tls.Conn).NetConn().(*net.TCPConn)
		fmt.Println(isTCP, conn.LocalAddr().Network())
		conn.Close()
		l.Close()
		wait.Wait()
	}

	// A handshake that takes too long.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	go func() {
		c, err := l.Accept()
		check(err)
		io.Copy(io.Discard, c)
	}()
	_, err = tls.DialWithDialer(
		&net.Dialer{Timeout: 50 * time.Millisecond}, "tcp", l.Addr().String(), nil)
	fmt.Println(err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a, _ := net.Pipe()
	fmt.Println(tls.Client(a, &tls.Config{InsecureSkipVerify: true}).HandshakeContext(ctx))
	b, _ := net.Pipe()
	c := tls.Client(b, &tls.Config{})
	fmt.Println(c.Handshake())
	fmt.Println(c.CloseWrite())
	fmt.Println(c.VerifyHostname("x"), tls.Server(b, nil).VerifyHostname("x"))
}
