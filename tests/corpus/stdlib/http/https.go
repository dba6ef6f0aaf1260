// run

// HTTP over TLS: test servers, transports, what requests and answers tell of it, and what goes
// wrong. All here speak HTTP/1.1.

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// A lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

var port = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// lines waits for so many lines of the log, which come from several goroutines, and hides ports.
func (b *lockedBuffer) lines(n int) string {
	for range 500 {
		b.Lock()
		text := b.String()
		b.Unlock()
		if strings.Count(text, "\n") >= n {
			lines := strings.SplitAfter(port.ReplaceAllString(text, "HOST"), "\n")
			slices.Sort(lines)
			return strings.Join(lines, "")
		}
		time.Sleep(10 * time.Millisecond)
	}
	return "too few lines: " + b.String()
}

func get(c *http.Client, url string) *http.Response {
	resp, err := c.Get(url)
	if err != nil {
		fmt.Printf("%s\n", port.ReplaceAllString(err.Error(), "HOST"))
		return nil
	}
	text, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	fmt.Println(resp.Status, resp.Proto, port.ReplaceAllString(string(text), "HOST"), err)
	return resp
}

func handler(w http.ResponseWriter, r *http.Request) {
	if r.TLS == nil {
		fmt.Fprint(w, "plain ", r.URL)
		return
	}
	fmt.Fprint(w, r.URL, " ", r.Host, " ", tls.VersionName(r.TLS.Version), " ",
		r.TLS.ServerName, " ", r.TLS.NegotiatedProtocol, " ", len(r.TLS.PeerCertificates))
}

func main() {
	var logged lockedBuffer
	s := httptest.NewUnstartedServer(http.HandlerFunc(handler))
	s.Config.ErrorLog = log.New(&logged, "", 0)
	s.StartTLS()
	defer s.Close()
	fmt.Println(strings.HasPrefix(s.URL, "https://127.0.0.1:"), s.TLS.NextProtos,
		s.Certificate().DNSNames, s.Certificate().IPAddresses)
	resp := get(s.Client(), s.URL+"/a?b=c")
	state := resp.TLS
	fmt.Println(tls.VersionName(state.Version), state.HandshakeComplete, state.NegotiatedProtocol,
		len(state.VerifiedChains), state.PeerCertificates[0].Equal(s.Certificate()))
	resp = get(s.Client(), "https://example.com/name")
	fmt.Println(resp.Request.URL, resp.TLS.ServerName)
	get(s.Client(), "https://www.example.com/")

	// Nobody knows who has signed the certificate.
	get(&http.Client{}, s.URL)
	get(http.DefaultClient, strings.Replace(s.URL, "https", "http", 1))
	skip := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	get(&http.Client{Transport: skip}, s.URL+"/skip")
	fmt.Print(logged.lines(2))

	plain := httptest.NewServer(http.HandlerFunc(handler))
	get(&http.Client{Transport: skip}, strings.Replace(plain.URL, "http", "https", 1))
	_, err := skip.RoundTrip(must(http.NewRequest("GET",
		strings.Replace(plain.URL, "http", "https", 1), nil)))
	var header tls.RecordHeaderError
	fmt.Println(err, errors.As(err, &header))
	plain.Close()

	// The same connection serves several requests; the trace tells when it shakes hands.
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	t := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	client := &http.Client{Transport: t}
	trace := &httptrace.ClientTrace{
		TLSHandshakeStart: func() { fmt.Println("handshake") },
		TLSHandshakeDone: func(s tls.ConnectionState, err error) {
			fmt.Println("done", s.HandshakeComplete, s.NegotiatedProtocol, err)
		},
		GotConn: func(i httptrace.GotConnInfo) {
			_, isTLS := i.Conn.(*tls.Conn)
			fmt.Println("connection", i.Reused, isTLS)
		},
	}
	for range 2 {
		ctx := httptrace.WithClientTrace(context.Background(), trace)
		r, _ := http.NewRequestWithContext(ctx, "POST", s.URL, strings.NewReader("text"))
		resp, err := client.Do(r)
		if err != nil {
			fmt.Println(err)
			continue
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	t.CloseIdleConnections()

	// A server of which only TCP answers.
	silent := must(net.Listen("tcp", "127.0.0.1:0"))
	quick := &http.Transport{TLSHandshakeTimeout: 30 * time.Millisecond}
	get(&http.Client{Transport: quick}, "https://"+silent.Addr().String())
	silent.Close()

	// The program's own connections.
	own := &http.Transport{
		DialTLSContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := net.Dial(network, addr)
			if err != nil {
				return nil, err
			}
			return tls.Client(c, &tls.Config{RootCAs: pool, ServerName: "example.com"}), nil
		},
	}
	resp = get(&http.Client{Transport: own}, s.URL+"/own")
	fmt.Println(resp.TLS.HandshakeComplete)

	// A proxy that connects.
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			http.Error(w, "only CONNECT", http.StatusMethodNotAllowed)
			return
		}
		fmt.Println(r.Method, port.ReplaceAllString(r.RequestURI, "HOST"),
			r.Header.Get("Proxy-Authorization"), r.Header.Get("X"))
		if r.Header.Get("X") == "no" {
			http.Error(w, "not you", http.StatusForbidden)
			return
		}
		to, err := net.Dial("tcp", r.RequestURI)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.WriteHeader(http.StatusOK)
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			fmt.Println(err)
			return
		}
		go func() {
			io.Copy(to, c)
			to.Close()
		}()
		io.Copy(c, to)
		c.Close()
	}))
	at := must(url.Parse(proxy.URL))
	at.User = url.UserPassword("u", "p")
	by := &http.Transport{
		Proxy:              http.ProxyURL(at),
		TLSClientConfig:    &tls.Config{RootCAs: pool},
		ProxyConnectHeader: http.Header{"X": {"yes"}},
	}
	get(&http.Client{Transport: by}, s.URL+"/proxied")
	by.CloseIdleConnections()
	by = by.Clone()
	by.ProxyConnectHeader = http.Header{"X": {"no"}}
	get(&http.Client{Transport: by}, s.URL+"/proxied")
	proxy.CloseClientConnections()
	proxy.Close()

	// A server with files, and clients that must show a certificate.
	cert := s.TLS.Certificates[0]
	dir := must(os.MkdirTemp("", "https"))
	defer os.RemoveAll(dir)
	certFile, keyFile := filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	write := func(name, kind string, der []byte) {
		os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
	}
	write(certFile, "CERTIFICATE", cert.Certificate[0])
	write(keyFile, "PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(cert.PrivateKey)))
	var errors2 lockedBuffer
	server := &http.Server{
		Handler:   http.HandlerFunc(handler),
		TLSConfig: &tls.Config{ClientAuth: tls.RequireAnyClientCert},
		ErrorLog:  log.New(&errors2, "", 0),
	}
	server.Protocols = new(http.Protocols)
	server.Protocols.SetHTTP1(true)
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	ended := make(chan error)
	go func() { ended <- server.ServeTLS(l, certFile, keyFile) }()
	with := &http.Transport{TLSClientConfig: &tls.Config{
		RootCAs: pool, Certificates: []tls.Certificate{cert},
	}}
	get(&http.Client{Transport: with}, "https://"+l.Addr().String()+"/with")
	c := must(tls.Dial("tcp", l.Addr().String(), &tls.Config{RootCAs: pool}))
	_, err = c.Read(make([]byte, 1))
	fmt.Println(err)
	fmt.Print(errors2.lines(1))
	fmt.Println(server.Shutdown(context.Background()), <-ended)
	fmt.Println(server.ListenAndServeTLS("", ""))
	none := &http.Server{}
	fmt.Println(none.ServeTLS(must(net.Listen("tcp", "127.0.0.1:0")), "nothing", "nothing"))
	r := httptest.NewRequest("GET", "https://example.com/x", nil)
	fmt.Println(r.TLS.ServerName, tls.VersionName(r.TLS.Version))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
