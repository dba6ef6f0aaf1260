// run

// The groups in which two sides agree, the shares that a client sends, and hellos that are retried.

package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"strings"
	"time"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A tap keeps what is written.
type tap struct {
	net.Conn
	wrote bytes.Buffer
	edit  func([]byte) []byte
}

func (t *tap) Write(p []byte) (int, error) {
	t.wrote.Write(p)
	if t.edit != nil {
		if _, err := t.Conn.Write(t.edit(p)); err != nil {
			return 0, err
		}
		return len(p), nil
	}
	return t.Conn.Write(p)
}

// shares is the groups, and the sizes of the shares, in the hellos of a client.
func shares(records []byte) (list []string) {
	for len(records) >= 5 {
		n := int(binary.BigEndian.Uint16(records[3:]))
		m := records[5 : 5+n]
		kind := records[0]
		records = records[5+n:]
		if kind != 22 || m[0] != 1 {
			continue
		}
		m = m[4+34:]
		m = m[1+int(m[0]):]
		m = m[2+int(binary.BigEndian.Uint16(m)):]
		m = m[1+int(m[0])+2:]
		for len(m) > 0 {
			id, n := binary.BigEndian.Uint16(m), int(binary.BigEndian.Uint16(m[2:]))
			body := m[4 : 4+n]
			m = m[4+n:]
			switch id {
			case 10:
				s := "groups"
				for body = body[2:]; len(body) > 0; body = body[2:] {
					s += " " + tls.CurveID(binary.BigEndian.Uint16(body)).String()
				}
				list = append(list, s)
			case 51:
				for body = body[2:]; len(body) > 0; {
					n := int(binary.BigEndian.Uint16(body[2:]))
					list = append(list, fmt.Sprint(tls.CurveID(binary.BigEndian.Uint16(body)), " ", n))
					body = body[4+n:]
				}
			}
		}
	}
	return list
}

var cert tls.Certificate

// connect is the two ends of a connection.
func connect() (a, b net.Conn) {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	a = must(net.Dial("tcp", l.Addr().String()))
	b = must(l.Accept())
	limit := time.Now().Add(20 * time.Second)
	a.SetDeadline(limit)
	b.SetDeadline(limit)
	return a, b
}

// shake has two sides shake hands, and tells of it.
func shake(what string, client, server *tls.Config, edit func([]byte) []byte) {
	client.InsecureSkipVerify = true
	server.Certificates = []tls.Certificate{cert}
	a, b := connect()
	ta, tb := &tap{Conn: a}, &tap{Conn: b, edit: edit}
	done := make(chan error)
	sc := tls.Server(tb, server)
	go func() {
		err := sc.Handshake()
		if err == nil {
			_, err = io.WriteString(sc, "hi")
		}
		sc.Close()
		b.Close()
		done <- err
	}()
	cc := tls.Client(ta, client)
	err := cc.Handshake()
	if err == nil {
		_, err = io.ReadAll(cc)
	}
	a.Close()
	serr := <-done
	fmt.Println(what)
	if err != nil || serr != nil {
		fmt.Println("\tclient:", err, "server:", serr)
	}
	c, s := cc.ConnectionState(), sc.ConnectionState()
	fmt.Println("\t"+tls.VersionName(c.Version), c.CurveID, s.CurveID, c.DidResume,
		c.HelloRetryRequest, s.HelloRetryRequest)
	for _, line := range shares(ta.wrote.Bytes()) {
		fmt.Println("\t" + line)
	}
}

func main() {
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	t := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"a.example"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	der := must(x509.CreateCertificate(rand.Reader, t, t, key.Public(), key))
	cert = tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}

	lists := [][]tls.CurveID{
		nil,
		{tls.SecP256r1MLKEM768},
		{tls.SecP384r1MLKEM1024, tls.MLKEM1024},
		{tls.X25519},
		{tls.CurveP256, tls.SecP256r1MLKEM768},
		{tls.CurveP384, tls.X25519MLKEM768, 77},
		{77},
	}
	for _, client := range lists {
		for _, server := range lists {
			shake(fmt.Sprint(client, " ", server),
				&tls.Config{CurvePreferences: client}, &tls.Config{CurvePreferences: server}, nil)
		}
	}
	for _, setting := range []string{
		"", "tlsmlkem=0", "tlssecpmlkem=0", "tlsmlkem=0,tlssecpmlkem=1", "tlsmlkem=1",
	} {
		os.Setenv("GODEBUG", setting)
		shake("GODEBUG="+setting, &tls.Config{}, &tls.Config{}, nil)
		shake("GODEBUG="+setting+" and a list",
			&tls.Config{CurvePreferences: []tls.CurveID{tls.SecP384r1MLKEM1024, tls.CurveP521}},
			&tls.Config{CurvePreferences: []tls.CurveID{tls.CurveP521, tls.SecP384r1MLKEM1024}}, nil)
	}
	os.Setenv("GODEBUG", "")

	shake("TLS 1.2", &tls.Config{MaxVersion: tls.VersionTLS12}, &tls.Config{}, nil)
	shake("a server of TLS 1.2", &tls.Config{}, &tls.Config{MaxVersion: tls.VersionTLS12}, nil)
	shake("TLS 1.2, hybrids only",
		&tls.Config{CurvePreferences: []tls.CurveID{tls.X25519MLKEM768}},
		&tls.Config{MaxVersion: tls.VersionTLS12}, nil)

	cache := tls.NewLRUClientSessionCache(1)
	server := &tls.Config{}
	for _, group := range []tls.CurveID{tls.X25519MLKEM768, tls.X25519MLKEM768, tls.CurveP384} {
		server.CurvePreferences = []tls.CurveID{group}
		shake("session "+group.String(),
			&tls.Config{ClientSessionCache: cache, ServerName: "a.example"}, server, nil)
	}

	// What a server says is spoilt: the group it names, the length of its share, the share.
	for _, group := range []tls.CurveID{tls.X25519MLKEM768, tls.SecP256r1MLKEM768, tls.MLKEM1024} {
		name := binary.BigEndian.AppendUint16([]byte{0, 51, 4}, 0)[:2]
		for _, other := range []tls.CurveID{tls.X25519, tls.CurveP256, tls.X25519MLKEM768, 99} {
			edit := func(p []byte) []byte {
				if p[0] != 22 || p[5] != 2 {
					return p
				}
				p = bytes.Clone(p)
				i := bytes.Index(p, append(name, 4))
				if i < 0 {
					return p
				}
				binary.BigEndian.PutUint16(p[i+4:], uint16(other))
				return p
			}
			spoiled := func(err error) string { return strings.ReplaceAll(fmt.Sprint(err), "\n", " ") }
			client := &tls.Config{CurvePreferences: []tls.CurveID{group, tls.X25519, tls.CurveP256}}
			server := &tls.Config{
				CurvePreferences: []tls.CurveID{group}, Certificates: []tls.Certificate{cert},
			}
			client.InsecureSkipVerify = true
			a, b := connect()
			go func() {
				tls.Server(&tap{Conn: b, edit: edit}, server).Handshake()
				b.Close()
			}()
			fmt.Println(group, "named", other, spoiled(tls.Client(a, client).Handshake()))
			a.Close()
		}
	}
}
