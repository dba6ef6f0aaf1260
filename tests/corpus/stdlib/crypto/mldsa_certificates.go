// run

// Keys and certificates of ML-DSA in crypto/x509, and handshakes of crypto/tls with them.

package main

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/mldsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"time"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func sum(p []byte) string { return fmt.Sprintf("%d %x", len(p), sha256.Sum256(p))[:20] }

var names = []string{"a.example"}

func template(name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: name}, DNSNames: names,
		NotBefore: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:  time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC),
		IsCA:      true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign | x509.KeyUsageDigitalSignature,
	}
}

func shake(what string, client, server *tls.Config) {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	a := must(net.Dial("tcp", l.Addr().String()))
	b := must(l.Accept())
	l.Close()
	defer a.Close()
	limit := time.Now().Add(20 * time.Second)
	a.SetDeadline(limit)
	b.SetDeadline(limit)
	sc := tls.Server(b, server)
	done := make(chan error)
	go func() {
		err := sc.Handshake()
		if err == nil {
			_, err = io.WriteString(sc, "hi")
		}
		sc.Close()
		done <- err
	}()
	cc := tls.Client(a, client)
	err := cc.Handshake()
	if err == nil {
		_, err = io.ReadAll(cc)
	}
	a.Close()
	fmt.Println(what+":", err, "|", <-done)
	c, s := cc.ConnectionState(), sc.ConnectionState()
	fmt.Println("\t", tls.VersionName(c.Version), len(c.PeerCertificates), len(s.PeerCertificates))
}

func main() {
	kinds := []mldsa.Parameters{mldsa.MLDSA44(), mldsa.MLDSA65(), mldsa.MLDSA87()}
	var keys []*mldsa.PrivateKey
	var certs []tls.Certificate
	pool := x509.NewCertPool()
	for i, kind := range kinds {
		key := must(mldsa.NewPrivateKey(kind, bytes.Repeat([]byte{byte(i)}, 32)))
		keys = append(keys, key)
		private := must(x509.MarshalPKCS8PrivateKey(key))
		fmt.Printf("%x\n", private)
		again, err := x509.ParsePKCS8PrivateKey(private)
		fmt.Println(key.Equal(again), err)
		public := must(x509.MarshalPKIXPublicKey(key.Public()))
		fmt.Println(sum(public))
		parsed, err := x509.ParsePKIXPublicKey(public)
		fmt.Println(key.PublicKey().Equal(parsed), err)
		_, err = x509.ParsePKIXPublicKey(append(public[:len(public)-1:len(public)-1], 1, 2))
		fmt.Println(err)

		t := template(kind.String())
		der := must(x509.CreateCertificate(rand.Reader, t, t, key.Public(), key))
		cert := must(x509.ParseCertificate(der))
		fmt.Println(cert.PublicKeyAlgorithm, cert.SignatureAlgorithm, sum(cert.RawTBSCertificate),
			len(cert.Signature), cert.CheckSignatureFrom(cert))
		pool.AddCert(cert)
		certs = append(certs, must(tls.X509KeyPair(
			pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
			pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))))
		for _, algo := range []x509.SignatureAlgorithm{
			x509.MLDSA44, x509.MLDSA65, x509.MLDSA87, x509.PureEd25519, x509.SHA256WithRSA,
		} {
			fmt.Println(algo, cert.CheckSignature(algo, cert.RawTBSCertificate, cert.Signature))
			t.SignatureAlgorithm = algo
			_, err := x509.CreateCertificate(rand.Reader, t, t, key.Public(), key)
			fmt.Println(err)
		}
		fmt.Println(cert.CheckSignature(cert.SignatureAlgorithm, nil, cert.Signature))
		fmt.Println(cert.CheckSignature(cert.SignatureAlgorithm, nil, cert.Signature[1:]))
		request := must(x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{
			Subject: t.Subject, DNSNames: names,
		}, key))
		req := must(x509.ParseCertificateRequest(request))
		fmt.Println(req.PublicKeyAlgorithm, req.SignatureAlgorithm, req.CheckSignature())
		list := must(x509.ParseRevocationList(must(x509.CreateRevocationList(rand.Reader,
			&x509.RevocationList{Number: big.NewInt(1), ThisUpdate: t.NotBefore, NextUpdate: t.NotAfter},
			cert, key))))
		fmt.Println(list.SignatureAlgorithm, list.CheckSignatureFrom(cert))
	}
	_, err := tls.X509KeyPair(
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certs[0].Certificate[0]}),
		pem.EncodeToMemory(&pem.Block{
			Type: "PRIVATE KEY", Bytes: must(x509.MarshalPKCS8PrivateKey(keys[1])),
		}))
	fmt.Println(err)

	// Private keys in other forms.
	id := asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 3, 17}
	for _, inner := range [][]byte{
		nil, {0x80}, {0x80, 31}, append([]byte{0x80, 33}, make([]byte, 32)...), {4, 0}, {0x30, 0}, {5, 0},
		append([]byte{0x80, 32}, make([]byte, 32)...),
	} {
		for _, parameters := range []asn1.RawValue{{}, asn1.NullRawValue} {
			der := must(asn1.Marshal(struct {
				Version int
				Algo    pkix.AlgorithmIdentifier
				Key     []byte
			}{0, pkix.AlgorithmIdentifier{Algorithm: id, Parameters: parameters}, inner}))
			_, err := x509.ParsePKCS8PrivateKey(der)
			fmt.Println(err)
		}
	}
	der := must(asn1.Marshal(struct {
		Algo pkix.AlgorithmIdentifier
		Key  asn1.BitString
	}{pkix.AlgorithmIdentifier{Algorithm: id, Parameters: asn1.NullRawValue}, asn1.BitString{}}))
	_, err = x509.ParsePKIXPublicKey(der)
	fmt.Println(err)

	// A chain of several kinds.
	_, ed, _ := ed25519.GenerateKey(rand.Reader)
	root := must(x509.ParseCertificate(certs[0].Certificate[0]))
	leaf := template("leaf")
	leaf.IsCA = false
	der = must(x509.CreateCertificate(rand.Reader, leaf, root, ed.Public(), keys[0]))
	cert := must(x509.ParseCertificate(der))
	chains, err := cert.Verify(x509.VerifyOptions{Roots: pool, DNSName: names[0]})
	fmt.Println(len(chains), err, cert.SignatureAlgorithm, cert.PublicKeyAlgorithm)
	fmt.Println(cert.CheckSignature(x509.MLDSA44, nil, nil))

	for i := range kinds {
		client := &tls.Config{
			RootCAs: pool, ServerName: names[0], Certificates: certs[i : i+1],
		}
		server := &tls.Config{
			Certificates: certs[i : i+1], ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert,
		}
		var got [2][]tls.SignatureScheme
		client.GetClientCertificate = func(r *tls.CertificateRequestInfo) (*tls.Certificate, error) {
			got[0] = r.SignatureSchemes
			return &certs[i], r.SupportsCertificate(&certs[i])
		}
		server.GetConfigForClient = func(h *tls.ClientHelloInfo) (*tls.Config, error) {
			got[1] = h.SignatureSchemes
			fmt.Println("\tfits:", h.SupportsCertificate(&certs[i]))
			return nil, nil
		}
		shake("1.3", client, server)
		fmt.Println("\t", got)
		old := client.Clone()
		old.MaxVersion = tls.VersionTLS12
		shake("client of 1.2", old, server)
		fmt.Println("\t", got[1])
		mixed := server.Clone()
		mixed.MaxVersion = tls.VersionTLS12
		mixed.Certificates = []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: ed, Leaf: cert}}
		shake("server of 1.2", client, mixed)
		fmt.Println("\t", got)
		lie := client.Clone()
		lie.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return &certs[i], nil
		}
		shake("certificate of 1.3", lie, mixed)
	}

	// A certificate that signs with another key.
	server := &tls.Config{Certificates: []tls.Certificate{{
		Certificate: certs[0].Certificate, PrivateKey: wrong{keys[0], keys[1]},
	}}}
	shake("wrong key", &tls.Config{RootCAs: pool, ServerName: names[0]}, server)
}

// A wrong key says that it is another one.
type wrong struct{ public, private crypto.Signer }

func (w wrong) Public() crypto.PublicKey { return w.public.Public() }
func (w wrong) Sign(r io.Reader, m []byte, o crypto.SignerOpts) ([]byte, error) {
	return w.private.Sign(r, m, o)
}
