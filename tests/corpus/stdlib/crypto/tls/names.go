// run

// Names of suites, versions, curves and schemes, and configurations without connections.

package main

import (
	"crypto/ed25519"
	"crypto/tls"
	"fmt"
)

func main() {
	for _, list := range [][]*tls.CipherSuite{tls.CipherSuites(), tls.InsecureCipherSuites()} {
		for _, s := range list {
			fmt.Printf("%04x %s %x %v\n", s.ID, s.Name, s.SupportedVersions, s.Insecure)
		}
	}
	fmt.Println(tls.CipherSuiteName(0x1301), tls.CipherSuiteName(0xabc))
	for _, v := range []uint16{0x300, 0x301, 0x302, 0x303, 0x304, 0x305, 2} {
		fmt.Println(tls.VersionName(v))
	}
	for _, c := range []tls.CurveID{23, 24, 25, 29, 30, 514, 4587, 4588, 4589, 1000} {
		fmt.Println(c)
	}
	for s := tls.SignatureScheme(0); s < 0x1000; s++ {
		if text := s.String(); text[len(text)-1] != ')' {
			fmt.Printf("%04x %s\n", uint16(s), text)
		}
	}
	fmt.Println(tls.SignatureScheme(5), tls.ClientAuthType(9))
	for a := tls.NoClientCert; a <= tls.RequireAndVerifyClientCert; a++ {
		fmt.Println(a)
	}
	for a := range 256 {
		fmt.Println(tls.AlertError(a))
	}
	cache := tls.NewLRUClientSessionCache(2)
	put := func(key string) {
		s, err := tls.NewResumptionState([]byte(key), &tls.SessionState{Extra: [][]byte{{1}}})
		if err != nil {
			panic(err)
		}
		cache.Put(key, s)
	}
	get := func(key string) {
		s, ok := cache.Get(key)
		ticket, state, err := s.ResumptionState()
		fmt.Println(key, ok, string(ticket), state != nil, err)
	}
	put("a")
	put("b")
	get("a")
	put("c")
	get("a")
	get("b")
	get("c")
	cache.Put("c", nil)
	get("c")

	var none *tls.Config
	fmt.Println(none.Clone())
	c := &tls.Config{ServerName: "x", NextProtos: []string{"a"}, MinVersion: 5}
	d := c.Clone()
	fmt.Println(d.ServerName, d.NextProtos, d.MinVersion)
	func() {
		defer func() { fmt.Println(recover()) }()
		c.SetSessionTicketKeys(nil)
	}()
	_, key, _ := ed25519.GenerateKey(nil)
	info := &tls.ClientHelloInfo{
		CipherSuites:      []uint16{tls.TLS_AES_128_GCM_SHA256},
		SupportedVersions: []uint16{tls.VersionTLS13},
		SignatureSchemes:  []tls.SignatureScheme{tls.Ed25519},
	}
	fmt.Println(info.SupportsCertificate(&tls.Certificate{PrivateKey: key}))
	fmt.Println(info.SupportsCertificate(&tls.Certificate{PrivateKey: &key}))
	fmt.Println(info.SupportsCertificate(&tls.Certificate{PrivateKey: "no key"}))
	info.SignatureSchemes = []tls.SignatureScheme{tls.PSSWithSHA256}
	fmt.Println(info.SupportsCertificate(&tls.Certificate{PrivateKey: key}))
	info.SupportedVersions = []uint16{tls.VersionTLS12}
	info.SignatureSchemes = []tls.SignatureScheme{tls.Ed25519}
	fmt.Println(info.SupportsCertificate(&tls.Certificate{PrivateKey: key}))
	info.SupportedCurves = []tls.CurveID{tls.X25519}
	fmt.Println(info.SupportsCertificate(&tls.Certificate{PrivateKey: key}))
	info.SupportedPoints = []uint8{1}
	fmt.Println(info.SupportsCertificate(&tls.Certificate{PrivateKey: key}))
	info.SupportedPoints = []uint8{0}
	info.CipherSuites = []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}
	fmt.Println(info.SupportsCertificate(&tls.Certificate{PrivateKey: key}))
	info.SupportedVersions = []uint16{tls.VersionTLS10}
	fmt.Println(info.SupportsCertificate(&tls.Certificate{PrivateKey: key}))
	request := &tls.CertificateRequestInfo{Version: tls.VersionTLS13}
	fmt.Println(request.SupportsCertificate(&tls.Certificate{PrivateKey: key}))
	request.SignatureSchemes = []tls.SignatureScheme{tls.Ed25519}
	fmt.Println(request.SupportsCertificate(&tls.Certificate{PrivateKey: key}))
	request.AcceptableCAs = [][]byte{{1}}
	fmt.Println(request.SupportsCertificate(&tls.Certificate{PrivateKey: key}))
	for _, text := range [][]byte{nil, {3, 3}, make([]byte, 100)} {
		_, err := tls.ParseSessionState(text)
		fmt.Println(err)
	}
}
