// run

// A small bank that speaks TLS: an authority of its own, certificates for both sides, a protocol
// of lines, and the same accounts over https.
package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"sort"
	"strings"
	"sync"
	"time"
)

// An authority signs certificates.
type authority struct {
	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
	serial int64
}

func newAuthority(name string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: name, Organization: []string{"Savings"}},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	return &authority{cert: cert, key: key, serial: 1}, err
}

// issue makes a certificate for a host, or for a client of that name.
func (a *authority) issue(name string, hosts ...string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	a.serial++
	template := &x509.Certificate{
		SerialNumber: big.NewInt(a.serial),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	for _, h := range hosts {
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
		if ip := net.ParseIP(h); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, h)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}

func (a *authority) pool() *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(a.cert)
	return p
}

// A bank keeps accounts by name.
type bank struct {
	mu       sync.Mutex
	accounts map[string]int
}

var errPoor = errors.New("not enough money")

func (b *bank) move(from, to string, amount int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.accounts[from] < amount {
		return fmt.Errorf("move %d from %s: %w", amount, from, errPoor)
	}
	b.accounts[from] -= amount
	b.accounts[to] += amount
	return nil
}

func (b *bank) list() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var lines []string
	for name, money := range b.accounts {
		lines = append(lines, fmt.Sprintf("%s=%d", name, money))
	}
	sort.Strings(lines)
	return lines
}

// serve answers lines until the client says bye.
func (b *bank) serve(c *tls.Conn) error {
	defer c.Close()
	if err := c.Handshake(); err != nil {
		return err
	}
	who := c.ConnectionState().PeerCertificates[0].Subject.CommonName
	fmt.Fprintf(c, "hello %s\n", who)
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 1 && words[0] == "list":
			fmt.Fprintln(c, strings.Join(b.list(), " "))
		case len(words) == 3 && words[0] == "pay":
			var amount int
			if _, err := fmt.Sscan(words[2], &amount); err != nil {
				fmt.Fprintln(c, "bad amount:", err)
				continue
			}
			if err := b.move(who, words[1], amount); err != nil {
				fmt.Fprintln(c, "refused:", err)
				continue
			}
			fmt.Fprintln(c, "done")
		case len(words) == 1 && words[0] == "bye":
			fmt.Fprintln(c, "bye")
			return c.CloseWrite()
		default:
			fmt.Fprintf(c, "what is %q?\n", lines.Text())
		}
	}
	return lines.Err()
}

func talk(addr string, config *tls.Config, says ...string) error {
	c, err := tls.Dial("tcp", addr, config)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := io.WriteString(c, strings.Join(says, "\n")+"\n"); err != nil {
		return err
	}
	answers, err := io.ReadAll(c)
	fmt.Print(string(answers))
	return err
}

func main() {
	log.SetFlags(0)
	ca, err := newAuthority("Savings Root")
	if err != nil {
		log.Fatal(err)
	}
	stranger, err := newAuthority("Stranger")
	if err != nil {
		log.Fatal(err)
	}
	host, err := ca.issue("bank", "bank.example", "127.0.0.1")
	if err != nil {
		log.Fatal(err)
	}
	b := &bank{accounts: map[string]int{"ann": 100, "bob": 20, "cy": 0}}
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{host},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    ca.pool(),
	})
	if err != nil {
		log.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				close(ended)
				return
			}
			go func() { ended <- b.serve(c.(*tls.Conn)) }()
		}
	}()
	addr := l.Addr().String()

	for _, name := range []string{"ann", "bob"} {
		cert, err := ca.issue(name)
		if err != nil {
			log.Fatal(err)
		}
		config := &tls.Config{
			RootCAs:      ca.pool(),
			ServerName:   "bank.example",
			Certificates: []tls.Certificate{cert},
		}
		err = talk(addr, config, "list", "pay cy 30", "pay cy x", "steal", "list", "bye")
		fmt.Println(name, err, <-ended)
	}

	// Whom nobody knows.
	cert, _ := stranger.issue("eve")
	err = talk(addr, &tls.Config{RootCAs: stranger.pool(), ServerName: "bank.example"})
	fmt.Println(err)
	fmt.Println(<-ended)
	err = talk(addr, &tls.Config{RootCAs: ca.pool(), ServerName: "bank.test"})
	fmt.Println(err)
	fmt.Println(<-ended)
	old := &tls.Config{
		RootCAs:      ca.pool(),
		ServerName:   "bank.example",
		Certificates: []tls.Certificate{cert},
		MaxVersion:   tls.VersionTLS12,
	}
	fmt.Println(talk(addr, old, "list"))
	fmt.Println(<-ended)
	l.Close()
	<-ended

	// The same by https.
	mux := http.NewServeMux()
	mux.HandleFunc("GET /accounts/{name}", func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		money, ok := b.accounts[r.PathValue("name")]
		b.mu.Unlock()
		if !ok {
			http.Error(w, "no such account", http.StatusNotFound)
			return
		}
		answer := map[string]any{"money": money, "tls": r.TLS != nil, "for": r.TLS.ServerName}
		json.NewEncoder(w).Encode(answer)
	})
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{
		Handler:   mux,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{host}},
		ErrorLog:  log.New(io.Discard, "", 0),
	}
	go server.ServeTLS(plain, "", "")
	config := &tls.Config{RootCAs: ca.pool(), ServerName: "bank.example"}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
	for _, name := range []string{"ann", "cy", "dan"} {
		r, err := client.Get("https://" + plain.Addr().String() + "/accounts/" + name)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		fmt.Print(r.Status, " ", r.TLS.PeerCertificates[0].Subject, " ", string(body))
		if err != nil {
			log.Fatal(err)
		}
	}
	_, err = http.Get("https://" + plain.Addr().String() + "/")
	fmt.Println(strings.ReplaceAll(err.Error(), plain.Addr().String(), "ADDR"))
	server.Close()
}
