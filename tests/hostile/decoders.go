// Feeds mutated inputs to a decoder of the library: `decoders.go CLASS N [FROM]`. Prints how many
// of them gave errors and a digest of all errors and values, which real Go prints, too; with FROM
// each outcome from that input on. `decoders.go list` prints the classes.
//
// An input that panics, one that takes longer than limit, and memory above 200 MB end the program
// with status 1.
package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/lzw"
	"compress/zlib"
	"crypto"
	"crypto/dsa"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/mldsa"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding"
	"encoding/ascii85"
	"encoding/asn1"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	jsonv2 "encoding/json/v2"
	"encoding/pem"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"html"
	htmltemplate "html/template"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"maps"
	"math/big"
	"math/rand"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"net/textproto"
	"net/url"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/scanner"
	"text/template"
	"time"
)

const (
	limit     = 20 * time.Second
	maxMemory = 200 << 10 // KB
	maxText   = 1 << 18
	maxPixels = 1 << 18
)

// A class is a decoder: it says what an input means.
type class struct {
	seeds  [][]byte
	repair func([]byte) // makes check sums right, or nil
	decode func(in []byte) (any, error)
}

func text(seeds ...string) (all [][]byte) {
	for _, s := range seeds {
		all = append(all, []byte(s))
	}
	return all
}

// ---- values that decoders fill

type record struct {
	XMLName xml.Name          `json:"-"`
	A       int               `json:"a" xml:"a,attr"`
	B       []string          `json:"b,omitempty" xml:"b>c"`
	C       map[string]*int   `json:"c" xml:"-"`
	D       float32           `json:"d,string" xml:"d"`
	E       any               `json:"e" xml:"-"`
	F       *record           `json:"f" xml:"f"`
	G       []byte            `json:"g" xml:"g"`
	H       [2]bool           `json:"h" xml:"-"`
	I       time.Time         `json:"i" xml:"i"`
	J       big.Int           `json:"j" xml:"j"`
	K       netip.Addr        `json:"k" xml:"k,attr"`
	L       string            `json:"l" xml:",chardata"`
	M       string            `json:"m" xml:",innerxml"`
	N       []xml.Attr        `json:"-" xml:",any,attr"`
	O       map[uint8]float64 `json:"o" xml:"-"`
}

// shown is a value as text, with what pointers lead to.
func shown(v any) string {
	b, err := json.Marshal(v)
	return fmt.Sprintf("%s %v", b, err)
}

func readAll(r io.Reader, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(r, maxText))
	return string(b), err
}

func packed(w io.WriteCloser, b *bytes.Buffer) []byte {
	io.WriteString(w, strings.Repeat("some text, and some more text; ", 20))
	w.Close()
	return bytes.Clone(b.Bytes())
}

func compressed() map[string][][]byte {
	all := map[string][][]byte{}
	var b bytes.Buffer
	for _, level := range []int{0, 6, -2} {
		b.Reset()
		w, _ := flate.NewWriter(&b, level)
		all["flate"] = append(all["flate"], packed(w, &b))
	}
	b.Reset()
	z := gzip.NewWriter(&b)
	z.Name, z.Comment, z.Extra = "name", "comment", []byte("extra")
	all["gzip"] = append(all["gzip"], packed(z, &b))
	b.Reset()
	all["zlib"] = append(all["zlib"], packed(zlib.NewWriter(&b), &b))
	b.Reset()
	all["lzw"] = append(all["lzw"], packed(lzw.NewWriter(&b, lzw.LSB, 8), &b))
	bz, _ := hex.DecodeString("425a683931415926535987ce2ee900001f99804000000802028c7020003100300a8a26094621" +
		"770fa161a86e1ee0ec2c3b0b8f7e2ee48a70a1210f9c5dd2")
	all["bzip2"] = append(all["bzip2"], bz)
	return all
}

func archives() map[string][][]byte {
	all := map[string][][]byte{}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.SetComment("comment")
	for _, name := range []string{"a.txt", "dir/", "dir/b.bin"} {
		if w, err := z.Create(name); err == nil && !strings.HasSuffix(name, "/") {
			io.WriteString(w, strings.Repeat(name, 30))
		}
	}
	if w, err := z.CreateHeader(&zip.FileHeader{Name: "stored"}); err == nil {
		io.WriteString(w, "stored")
	}
	z.Close()
	all["zip"] = [][]byte{bytes.Clone(b.Bytes())}
	for _, format := range []tar.Format{tar.FormatUSTAR, tar.FormatPAX, tar.FormatGNU} {
		b.Reset()
		t := tar.NewWriter(&b)
		h := &tar.Header{Name: "a", Size: 3, Mode: 0o644, Format: format, Uname: "u"}
		t.WriteHeader(h)
		io.WriteString(t, "abc")
		h = &tar.Header{Name: "b", Linkname: "a", Typeflag: tar.TypeSymlink, Format: format}
		if format != tar.FormatUSTAR {
			h.Name = strings.Repeat("long/", 40) + "é"
			h.AccessTime = time.Unix(1e9, 5)
		}
		t.WriteHeader(h)
		t.Close()
		all["tar"] = append(all["tar"], bytes.Clone(b.Bytes()))
	}
	return all
}

func pictures() map[string][][]byte {
	all := map[string][][]byte{}
	rect := image.Rect(0, 0, 19, 13)
	gray, rgba := image.NewGray(rect), image.NewNRGBA(rect)
	deep := image.NewNRGBA64(rect)
	pal := image.NewPaletted(rect, color.Palette{color.Black, color.White, color.RGBA{9, 8, 7, 6}})
	for i := range 19 * 13 {
		x, y := i%19, i/19
		gray.Set(x, y, color.Gray{uint8(x * y)})
		rgba.Set(x, y, color.NRGBA{uint8(x * 9), uint8(y * 9), uint8(i), uint8(i * 3)})
		deep.Set(x, y, color.NRGBA64{uint16(x * 999), uint16(y * 999), uint16(i), 60000})
		pal.SetColorIndex(x, y, uint8(i%3))
	}
	for _, m := range []image.Image{gray, rgba, deep, pal} {
		var p, j, g bytes.Buffer
		png.Encode(&p, m)
		jpeg.Encode(&j, m, &jpeg.Options{Quality: 60})
		gif.Encode(&g, m, nil)
		all["png"] = append(all["png"], p.Bytes())
		all["jpeg"] = append(all["jpeg"], j.Bytes())
		all["gif"] = append(all["gif"], g.Bytes())
	}
	var g bytes.Buffer
	gif.EncodeAll(&g, &gif.GIF{Image: []*image.Paletted{pal, pal}, Delay: []int{1, 2}})
	all["gif"] = append(all["gif"], g.Bytes())
	return all
}

// repairPNG makes the check sums of chunks right.
func repairPNG(b []byte) {
	for i := 8; i+12 <= len(b); {
		n := int(binary.BigEndian.Uint32(b[i:]))
		if n > len(b)-i-12 {
			return
		}
		binary.BigEndian.PutUint32(b[i+8+n:], crc32.ChecksumIEEE(b[i+4:i+8+n]))
		i += 12 + n
	}
}

// repairTar makes the check sums of what may be headers right.
func repairTar(b []byte) {
	for i := 0; i+512 <= len(b); i += 512 {
		h := b[i : i+512]
		if h[257] != 'u' {
			continue
		}
		copy(h[148:156], "        ")
		sum := 0
		for _, c := range h {
			sum += int(c)
		}
		copy(h[148:156], fmt.Sprintf("%06o\x00 ", sum))
	}
}

func picture(config func(io.Reader) (image.Config, error),
	decode func(io.Reader) (image.Image, error)) func([]byte) (any, error) {
	return func(in []byte) (any, error) {
		c, err := config(bytes.NewReader(in))
		if err != nil {
			return nil, err
		}
		if c.Width*c.Height > maxPixels || c.Width > maxPixels || c.Height > maxPixels {
			return [2]int{c.Width, c.Height}, nil
		}
		m, err := decode(bytes.NewReader(in))
		if err != nil {
			return nil, err
		}
		h := fnv.New64()
		fmt.Fprint(h, m)
		return h.Sum64(), nil
	}
}

// A short writer takes so much and no more.
type short struct{ left int }

func (s *short) Write(b []byte) (int, error) {
	if s.left -= len(b); s.left < 0 {
		return 0, errors.New("enough")
	}
	return len(b), nil
}

type data struct {
	Name  string
	List  []int
	Table map[string]string
	Next  any // a data, not a pointer: a template prints an inner pointer as an address
}

func (data) Twice(n int) int          { return 2 * n }
func (d *data) Fail() (string, error) { return "", errors.New("failed") }

var given = &data{"<a & b>", []int{1, 2, 3}, map[string]string{"k": "v", "l": "'w'"}, data{Name: "n"}}

var templates = text(
	"{{range $i, $e := .List}}{{if $i}}, {{end}}{{$e | printf \"%03d\"}}{{else}}none{{end}}",
	"{{define \"t\"}}[{{.Name}}]{{end}}{{template \"t\" .Next}}{{with .Table}}{{.k}}{{index . \"l\"}}{{end}}",
	"{{- /* c */ -}} {{$x := len .List}}{{while}}{{if and (eq $x 3) (lt 1 2.5)}}{{.Twice 4}}{{end}}{{.Fail}}",
	"<a href=\"/x?q={{.Name}}\" onclick='f({{.List}})' style=\"color: {{.Name}}\">{{.Name}}</a>{{block \"b\" .}}x{{end}}",
	"<script>var x = {{.Table}}; /* {{.Name}} */ `{{.Name}}`</script><style>{{.Name}}</style><!-- {{.Name}} -->{{break}}",
	"<textarea>{{.Name}}</textarea><a {{.Name}}=x data-y={{.Name}}>{{slice .Name 1 2 | html | js | urlquery}}{{not 1 | call}}",
)

func request(b []byte) (any, error) {
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(b)))
	if err != nil {
		return nil, err
	}
	r.ParseForm()
	body, err := readAll(r.Body, nil)
	return fmt.Sprint(r.Method, r.URL, r.Proto, r.Host, r.Header, r.ContentLength, r.TransferEncoding,
		r.Close, r.Form, r.Trailer, body, r.Cookies(), r.UserAgent()), err
}

func response(b []byte) (any, error) {
	r, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(b)), nil)
	if err != nil {
		return nil, err
	}
	body, err := readAll(r.Body, nil)
	return fmt.Sprint(r.Status, r.Proto, r.Header, r.ContentLength, r.TransferEncoding, r.Close,
		r.Trailer, body, r.Cookies(), r.Uncompressed), err
}

func parts(b []byte) (any, error) {
	r := multipart.NewReader(bytes.NewReader(b), "b1")
	form, err := r.ReadForm(1 << 20)
	if err != nil {
		return nil, err
	}
	defer form.RemoveAll()
	var all []any
	for _, key := range slices.Sorted(maps.Keys(form.File)) {
		for _, f := range form.File[key] {
			file, err := f.Open()
			if err != nil {
				return nil, err
			}
			content, err := readAll(file, nil)
			all = append(all, key, f.Filename, f.Header, f.Size, content, err)
			file.Close()
		}
	}
	return fmt.Sprint(form.Value, all), nil
}

func tokens(in []byte) (any, error) {
	d := xml.NewDecoder(bytes.NewReader(in))
	d.Strict = len(in)%2 == 0
	d.AutoClose, d.Entity = xml.HTMLAutoClose, xml.HTMLEntity
	n := 0
	for {
		t, err := d.Token()
		if err != nil {
			return n, err
		}
		n += len(fmt.Sprintf("%T%s", t, t))
	}
}

func unzipped(in []byte) (any, error) {
	z, err := zip.NewReader(bytes.NewReader(in), int64(len(in)))
	if err != nil {
		return nil, err
	}
	all := []any{z.Comment}
	for _, f := range z.File {
		r, err := f.Open()
		content, err := readAll(r, err)
		all = append(all, f.Name, f.Mode(), f.Modified.Unix(), content, err)
	}
	return fmt.Sprint(all...), nil
}

func untarred(in []byte) (any, error) {
	t := tar.NewReader(bytes.NewReader(in))
	var all []any
	for {
		h, err := t.Next()
		if err != nil {
			return fmt.Sprint(all...), err
		}
		content, err := readAll(t, nil)
		all = append(all, h.Name, h.Linkname, h.Size, h.Mode, h.ModTime.Unix(), h.PAXRecords, h.Uname,
			h.Typeflag, h.Format, h.Devmajor, content, err)
	}
}

type sequence struct {
	Raw asn1.RawContent
	A   int
	B   string `asn1:"utf8,optional"`
	C   asn1.ObjectIdentifier
	D   time.Time
	E   []struct{ X, Y *big.Int }
	F   asn1.BitString `asn1:"explicit,tag:1,optional"`
	G   asn1.RawValue  `asn1:"optional"`
	H   bool           `asn1:"tag:2,default:1,optional"`
	I   []int          `asn1:"set,optional"`
}

func sequences() [][]byte {
	v := sequence{A: 300, B: "é", C: asn1.ObjectIdentifier{1, 2, 840, 113549},
		D: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), I: []int{3, 1}, H: true,
		F: asn1.BitString{Bytes: []byte{0xA0}, BitLength: 3}}
	v.E = append(v.E, struct{ X, Y *big.Int }{big.NewInt(-1), big.NewInt(1 << 40)})
	b, err := asn1.Marshal(v)
	if err != nil {
		panic(err)
	}
	return [][]byte{b}
}

func words(in []byte) (any, error) {
	var s scanner.Scanner
	s.Init(bytes.NewReader(in))
	var all []any
	s.Error = func(s *scanner.Scanner, msg string) { all = append(all, msg, s.Pos()) }
	for t := s.Scan(); t != scanner.EOF; t = s.Scan() {
		all = append(all, t, s.TokenText(), s.Position)
	}
	return fmt.Sprint(all...), nil
}

// ---- certificates, and what belongs to them

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// start is when all certificates begin.
var start = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// prime is the first prime number behind 2 to that power and a little more.
func prime(power uint, more int64) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), power)
	for n.Add(n, big.NewInt(more|1)); !n.ProbablyPrime(0); n.Add(n, big.NewInt(2)) {
	}
	return n
}

// rsaKey is always the same key of 1024 bits.
func rsaKey() *rsa.PrivateKey {
	p, q := prime(511, 1<<40), prime(512, 1<<50)
	one := big.NewInt(1)
	phi := new(big.Int).Mul(new(big.Int).Sub(p, one), new(big.Int).Sub(q, one))
	key := &rsa.PrivateKey{Primes: []*big.Int{p, q}}
	key.N, key.E = new(big.Int).Mul(p, q), 65537
	key.D = new(big.Int).ModInverse(big.NewInt(65537), phi)
	key.Precompute()
	return key
}

func certificateTemplate() *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(77),
		Subject: pkix.Name{
			CommonName: "Näme", Organization: []string{"Org"}, Country: []string{"DE"},
			ExtraNames: []pkix.AttributeTypeAndValue{{Type: []int{1, 2, 3}, Value: 5}},
		},
		NotBefore: start, NotAfter: start.AddDate(40, 0, 0),
		IsCA: true, BasicConstraintsValid: true, MaxPathLen: 3,
		KeyUsage:                    x509.KeyUsageCertSign | x509.KeyUsageCRLSign | x509.KeyUsageDecipherOnly,
		ExtKeyUsage:                 []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		UnknownExtKeyUsage:          []asn1.ObjectIdentifier{{1, 2, 3}},
		DNSNames:                    []string{"example.com", "*.example.org"},
		EmailAddresses:              []string{"a@example.com"},
		IPAddresses:                 []net.IP{net.IPv4(1, 2, 3, 4), net.ParseIP("::1")},
		URIs:                        []*url.URL{must(url.Parse("https://example.com/path"))},
		Policies:                    []x509.OID{must(x509.ParseOID("1.2.3.4"))},
		OCSPServer:                  []string{"http://a"},
		IssuingCertificateURL:       []string{"http://b"},
		CRLDistributionPoints:       []string{"http://c"},
		PermittedDNSDomains:         []string{"example.com"},
		PermittedIPRanges:           []*net.IPNet{{IP: net.IP{1, 2, 0, 0}, Mask: net.CIDRMask(16, 32)}},
		ExcludedEmailAddresses:      []string{"b@example.com"},
		ExcludedURIDomains:          []string{".example.org"},
		PermittedDNSDomainsCritical: true,
		ExtraExtensions: []pkix.Extension{
			{Id: []int{2, 5, 29, 33}, Value: []byte{0x30, 10, 0x30, 8, 6, 2, 0x2a, 3, 6, 2, 0x2a, 4}},
			{Id: []int{2, 5, 29, 36}, Value: []byte{0x30, 6, 0x80, 1, 3, 0x81, 1, 0}},
			{Id: []int{2, 5, 29, 54}, Value: []byte{2, 1, 5}},
		},
	}
}

// x509Seeds has certificates, requests, lists of what is revoked, private and public keys, and PEM.
func x509Seeds() map[string][][]byte {
	all := map[string][][]byte{}
	add := func(kind string, b []byte) { all[kind] = append(all[kind], b) }
	scalar := bytes.Repeat([]byte{3}, 32)
	ec := must(ecdsa.ParseRawPrivateKey(elliptic.P256(), scalar))
	r := rsaKey()
	full := certificateTemplate()
	plain := &x509.Certificate{
		SerialNumber: big.NewInt(1 << 40), Subject: pkix.Name{CommonName: "plain"},
		NotBefore: start, NotAfter: start.AddDate(40, 0, 0), DNSNames: []string{"a.example"},
	}
	var issuer *x509.Certificate
	for i, key := range []crypto.Signer{ed25519.NewKeyFromSeed(scalar), ec, r} {
		t := full
		if i > 0 {
			t = plain
		}
		der := must(x509.CreateCertificate(nil, t, t, key.Public(), key))
		add("certificate", der)
		if i == 0 {
			issuer = must(x509.ParseCertificate(der))
		}
		add("certrequest", must(x509.CreateCertificateRequest(nil, &x509.CertificateRequest{
			Subject: t.Subject, DNSNames: t.DNSNames, EmailAddresses: t.EmailAddresses,
			ExtraExtensions: t.ExtraExtensions,
		}, key)))
		add("revocations", must(x509.CreateRevocationList(nil, &x509.RevocationList{
			Number: big.NewInt(5), ThisUpdate: start, NextUpdate: start.AddDate(1, 0, 0),
			RevokedCertificateEntries: []x509.RevocationListEntry{
				{SerialNumber: big.NewInt(7), RevocationTime: start, ReasonCode: 3},
				{SerialNumber: big.NewInt(1 << 50), RevocationTime: start.AddDate(40, 0, 0)},
			},
		}, issuer, ed25519.NewKeyFromSeed(scalar))))
		private := must(x509.MarshalPKCS8PrivateKey(key))
		add("privatekey", private)
		add("publickey", must(x509.MarshalPKIXPublicKey(key.Public())))
		add("keypair", slices.Concat(
			pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
			pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	}
	add("privatekey", x509.MarshalPKCS1PrivateKey(r))
	add("privatekey", must(x509.MarshalECPrivateKey(ec)))
	exchange := must(ecdh.X25519().NewPrivateKey(scalar))
	add("privatekey", must(x509.MarshalPKCS8PrivateKey(exchange)))
	lattice := must(mldsa.NewPrivateKey(mldsa.MLDSA44(), scalar))
	add("privatekey", must(x509.MarshalPKCS8PrivateKey(lattice)))
	add("publickey", must(x509.MarshalPKIXPublicKey(exchange.PublicKey())))
	add("publickey", x509.MarshalPKCS1PublicKey(&r.PublicKey))
	locked := must(x509.EncryptPEMBlock(fixed{}, "RSA PRIVATE KEY", []byte("a key that is locked"),
		[]byte("word"), x509.PEMCipherAES128))
	add("keypair", pem.EncodeToMemory(locked))
	return all
}

// A fixed reader gives the same byte for ever.
type fixed struct{}

func (fixed) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 5
	}
	return len(p), nil
}

// address is what differs between runs in the texts of errors.
var address = regexp.MustCompile("0x[0-9a-f]{8,}")

// publicKey is a key as text, without what pointers lead to.
func publicKey(key any) string {
	b, err := x509.MarshalPKIXPublicKey(key)
	if d, ok := key.(*dsa.PublicKey); ok {
		return fmt.Sprint(d.P, d.Q, d.G, d.Y)
	}
	return fmt.Sprintf("%T %x %v", key, b, err)
}

// unaddressed has no addresses in errors.
func unaddressed(v any, err error) (any, error) {
	if err != nil {
		err = errors.New(address.ReplaceAllString(err.Error(), "*"))
	}
	return v, err
}

func certificate(in []byte) (any, error) {
	c, err := x509.ParseCertificate(in)
	if err != nil {
		return unaddressed(nil, err)
	}
	key := publicKey(c.PublicKey)
	check := c.CheckSignatureFrom(c)
	_, name := c.Verify(x509.VerifyOptions{
		Roots: x509.NewCertPool(), CurrentTime: start.AddDate(1, 0, 0), DNSName: "example.com",
	})
	own := x509.NewCertPool()
	own.AddCert(c)
	chains, chain := c.Verify(x509.VerifyOptions{Roots: own, CurrentTime: start.AddDate(1, 0, 0)})
	c.PublicKey = nil
	return fmt.Sprint(*c, key, check, name, len(chains), chain), nil
}

func revocations(in []byte) (any, error) {
	old, failed := x509.ParseCRL(in)
	l, err := x509.ParseRevocationList(in)
	if err != nil {
		_, failed = unaddressed(nil, failed)
		return unaddressed(fmt.Sprint(old != nil, failed), err)
	}
	return fmt.Sprint(*l, old != nil, failed != nil), nil
}

func certrequest(in []byte) (any, error) {
	r, err := x509.ParseCertificateRequest(in)
	if err != nil {
		return unaddressed(nil, err)
	}
	key, check := publicKey(r.PublicKey), r.CheckSignature()
	r.PublicKey = nil
	return fmt.Sprint(*r, key, check), nil
}

// private is what each form makes of the input.
func private(in []byte) (any, error) {
	var all []any
	note := func(key any, err error) error {
		if err != nil {
			_, err = unaddressed(nil, err)
			all = append(all, err)
			return err
		}
		b, failed := x509.MarshalPKCS8PrivateKey(key)
		all = append(all, fmt.Sprintf("%T %x %v", key, b, failed))
		return nil
	}
	key, err := x509.ParsePKCS8PrivateKey(in)
	err = note(key, err)
	key1, err1 := x509.ParsePKCS1PrivateKey(in)
	note(key1, err1)
	key2, err2 := x509.ParseECPrivateKey(in)
	note(key2, err2)
	return fmt.Sprint(all...), err
}

func public(in []byte) (any, error) {
	old, failed := x509.ParsePKCS1PublicKey(in)
	text := fmt.Sprint(address.ReplaceAllString(fmt.Sprint(failed), "*"))
	if failed == nil {
		text = publicKey(old)
	}
	key, err := x509.ParsePKIXPublicKey(in)
	if err != nil {
		return unaddressed(text, err)
	}
	return text + publicKey(key), nil
}

func keypair(in []byte) (any, error) {
	var all []any
	pool := x509.NewCertPool()
	for b, rest := pem.Decode(in); b != nil; b, rest = pem.Decode(rest) {
		text, err := x509.DecryptPEMBlock(b, []byte("word"))
		all = append(all, b.Type, b.Headers, x509.IsEncryptedPEMBlock(b), text, err)
	}
	all = append(all, pool.AppendCertsFromPEM(in))
	pair, err := tls.X509KeyPair(in, in)
	return unaddressed(fmt.Sprint(append(all, len(pair.Certificate))...), err)
}

// ---- messages of crypto/tls

// sized is what has its length in n bytes before it.
func sized(n int, parts ...[]byte) []byte {
	p := slices.Concat(parts...)
	return append(binary.BigEndian.AppendUint64(nil, uint64(len(p)))[8-n:], p...)
}

func u16s(list ...uint16) (p []byte) {
	for _, v := range list {
		p = binary.BigEndian.AppendUint16(p, v)
	}
	return p
}

// handshake is a record with a message.
func handshake(kind byte, body ...[]byte) []byte {
	message := append([]byte{kind}, sized(3, body...)...)
	return append([]byte{22, 3, 3}, sized(2, message)...)
}

func extension(id uint16, body ...[]byte) []byte { return append(u16s(id), sized(2, body...)...) }

func tlsSeeds(certificate []byte) map[string][][]byte {
	random, point := bytes.Repeat([]byte{5}, 32), bytes.Repeat([]byte{9}, 32)
	schemes := sized(2, u16s(0x0804, 0x0403, 0x0807, 0x0904, 0x0401))
	common := slices.Concat(
		extension(0, sized(2, []byte{0}, sized(2, []byte("a.example")))),
		extension(11, sized(1, []byte{0})),
		extension(35, []byte("no ticket of ours, which is long enough to be one of theirs, perhaps")),
		extension(65281, sized(1)), extension(23), extension(18),
		extension(5, []byte{1, 0, 0, 0, 0}),
		extension(10, sized(2, u16s(4588, 29, 23, 24))),
		extension(13, schemes), extension(50, schemes),
		extension(16, sized(2, sized(1, []byte("h2")), sized(1, []byte("http/1.1")))))
	hello := func(extensions ...[]byte) []byte {
		return handshake(1, []byte{3, 3}, random, sized(1, random),
			sized(2, u16s(0x1301, 0x1303, 0xc02b, 0xc02f, 0x0a0a, 0x5600)), sized(1, []byte{0}),
			sized(2, extensions...))
	}
	ech := slices.Concat([]byte{0}, u16s(1, 1), []byte{7}, sized(2, point), sized(2, random))
	server := func(suite uint16, extensions ...[]byte) []byte {
		return handshake(2, []byte{3, 3}, random, sized(1, random), u16s(suite), []byte{0},
			sized(2, extensions...))
	}
	retry := server(0x1301, extension(43, u16s(0x304)), extension(51, u16s(23)))
	copy(retry[11:], "\xcf\x21\xad\x74\xe5\x9a\x61\x11\xbe\x1d\x8c\x02\x1e\x65\xb8\x91"+
		"\xc2\xa2\x11\x16\x7a\xbb\x8c\x5e\x07\x9e\x09\xe2\xc8\xa8\x33\x9c")
	old := slices.Concat(
		handshake(2, []byte{3, 3}, random, sized(1), u16s(0xc02b), []byte{0},
			sized(2, extension(65281, sized(1)), extension(23), extension(11, sized(1, []byte{0})))),
		handshake(11, sized(3, sized(3, certificate))),
		handshake(12, []byte{3}, u16s(29), sized(1, point), u16s(0x0403), sized(2, random)),
		handshake(14))
	session := func(version uint16, kind byte, more ...[]byte) []byte {
		return slices.Concat(u16s(version), []byte{kind}, u16s(0x1301),
			[]byte{0, 0, 0, 0, 1, 2, 3, 4}, sized(1, random), sized(3, sized(3, []byte("extra"))),
			[]byte{1, 0}, sized(3, sized(3, certificate), sized(2,
				extension(5, []byte{1}, sized(3, []byte("staple"))),
				extension(18, sized(2, sized(2, []byte("sct")))))),
			sized(3, sized(3, sized(3, certificate))), slices.Concat(more...))
	}
	return map[string][][]byte{
		"clienthello": {
			hello(common),
			hello(common, extension(43, sized(1, u16s(0x304, 0x303))), extension(45, sized(1, []byte{1})),
				extension(51, sized(2, u16s(29), sized(2, point))), extension(44, sized(2, []byte("cookie")))),
			hello(common, extension(43, sized(1, u16s(0x304))), extension(0xfe0d, ech),
				extension(51, sized(2, u16s(23), sized(2, point))), extension(57, []byte("quic")),
				extension(41, sized(2, sized(2, []byte("ticket")), []byte{0, 0, 0, 1}),
					sized(2, sized(1, random)))),
		},
		"serverhello": {
			old, append(retry, server(0x1301)...),
			server(0x1301, extension(43, u16s(0x304)), extension(51, u16s(29), sized(2, point))),
			slices.Concat(server(0x1303, extension(43, u16s(0x304)), extension(51, u16s(29), sized(2, point))),
				[]byte{20, 3, 3, 0, 1, 1}, []byte{23, 3, 3, 0, 32}, random),
			{21, 3, 3, 0, 2, 2, 40},
		},
		"tlssession": {
			session(0x304, 1), session(0x304, 2, []byte{0, 0, 0, 0, 9, 9, 9, 9, 1, 2, 3, 4}),
			session(0x303, 2, u16s(29)),
		},
	}
}

// repairHello makes the lengths of the record, the message and the extensions right.
func repairHello(b []byte) {
	const head = 5 + 4 + 2 + 32
	if len(b) < head+1 || len(b) > 1<<14 {
		return
	}
	binary.BigEndian.PutUint16(b[3:], uint16(len(b)-5))
	b[6] = 0
	binary.BigEndian.PutUint16(b[7:], uint16(len(b)-9))
	// The session, the suites and the compressions are before the extensions.
	at := head + 1 + int(b[head])
	if at+2 > len(b) {
		return
	}
	at += 2 + int(binary.BigEndian.Uint16(b[at:]))
	if at >= len(b) {
		return
	}
	at += 1 + int(b[at])
	if at+2 <= len(b) {
		binary.BigEndian.PutUint16(b[at:], uint16(len(b)-at-2))
	}
}

// A feed is a connection from which bytes come, and to which they go in vain.
type feed struct {
	net.Conn
	in *bytes.Reader
}

func (f feed) Read(p []byte) (int, error)  { return f.in.Read(p) }
func (f feed) Write(p []byte) (int, error) { return len(p), nil }
func (f feed) Close() error                { return nil }

// tlsKey is a certificate with its key, of which no session ever is resumed.
var tlsKey = sync.OnceValue(func() *tls.Certificate {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{4}, 32))
	der := must(x509.CreateCertificate(nil, certificateTemplate(), certificateTemplate(), key.Public(), key))
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
})

func clientHello(in []byte) (any, error) {
	var seen string
	err := tls.Server(feed{in: bytes.NewReader(in)}, &tls.Config{
		Rand: fixed{}, Certificates: []tls.Certificate{*tlsKey()}, NextProtos: []string{"h2"},
		MinVersion: tls.VersionTLS10,
		GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
			seen = fmt.Sprint(h.CipherSuites, h.ServerName, h.SupportedCurves, h.SupportedPoints,
				h.SignatureSchemes, h.SupportedProtos, h.SupportedVersions, h.Extensions,
				h.SupportsCertificate(tlsKey()))
			return nil, nil
		},
	}).Handshake()
	return seen, err
}

func serverHello(in []byte) (any, error) {
	var seen string
	err := tls.Client(feed{in: bytes.NewReader(in)}, &tls.Config{
		Rand: fixed{}, ServerName: "a.example", InsecureSkipVerify: true,
		MinVersion: tls.VersionTLS10, CurvePreferences: []tls.CurveID{tls.X25519, tls.CurveP256},
		VerifyPeerCertificate: func(certs [][]byte, _ [][]*x509.Certificate) error {
			seen = fmt.Sprintf("%x", certs)
			return nil
		},
	}).Handshake()
	_, err = unaddressed(nil, err)
	return seen, err
}

func tlsSession(in []byte) (any, error) {
	s, err := tls.ParseSessionState(in)
	if err != nil {
		return unaddressed(nil, err)
	}
	b, err := s.Bytes()
	return fmt.Sprintf("%q %v %x", s.Extra, s.EarlyData, b), err
}

// ---- streams of package gob

type shape interface{ Area() float64 }

type square struct{ Side float64 }

func (s square) Area() float64 { return s.Side * s.Side }

type circle struct {
	Radius *float32
	Inner  shape
}

func (c *circle) Area() float64 { return 3 }

// An odd value decodes itself.
type odd string

func (o odd) MarshalBinary() ([]byte, error) { return []byte("odd" + o), nil }
func (o *odd) UnmarshalBinary(b []byte) error {
	if !bytes.HasPrefix(b, []byte("odd")) {
		return fmt.Errorf("not odd: %q", b)
	}
	*o = odd(b[3:])
	return nil
}

var _ encoding.BinaryUnmarshaler = (*odd)(nil)

type wide struct {
	A int8
	B uint16
	C []string
	D map[string][]int
	E *wide
	F shape
	G complex64
	H [3]bool
	I time.Time
	J *big.Int
	K odd
	L []byte
	M any
	N struct{ X, Y float32 }
	O []shape
	P map[int]wideTip
}

type wideTip struct {
	Name string
	Next *wideTip
}

// A narrow value takes what it knows of a wide one.
type narrow struct {
	A int64
	C []string
	F shape
	K odd
	P map[int]struct{ Name string }
	Z int
}

func gobSeeds() (all [][]byte) {
	gob.Register(square{})
	gob.Register(&circle{})
	gob.Register([]int(nil))
	gob.Register(map[string]any(nil))
	half := float32(0.5)
	full := wide{
		A: -7, B: 65535, C: []string{"a", "", "long text, long text"}, D: map[string][]int{"k": {1, -1}},
		E: &wide{A: 1, M: []int{1, 2}}, F: &circle{&half, square{2}}, G: 1 - 2i,
		H: [3]bool{true, false, true}, I: start, J: big.NewInt(1 << 62), K: "even", L: []byte{1, 2, 3},
		M: map[string]any{"m": square{3}}, O: []shape{square{1}, nil, &circle{}},
		P: map[int]wideTip{-3: {"n", &wideTip{Name: "o"}}},
	}
	full.N.X = 1.5
	for _, values := range [][]any{
		{full}, {wide{}, full}, {narrow{A: 1 << 40, Z: 3}}, {[]string{"x", "y"}}, {map[string]int{"a": 1}},
		{int64(-5), 3.5, "text", []byte("bytes"), true, uint8(9)}, {[]wide{{A: 1}, {A: 2}}},
	} {
		var b bytes.Buffer
		e := gob.NewEncoder(&b)
		for _, v := range values {
			if err := e.Encode(v); err != nil {
				continue
			}
		}
		all = append(all, b.Bytes())
	}
	return all
}

// gobText is a value as text, with what pointers lead to.
func gobText(v any) string {
	text := fmt.Sprintf("%+v", v)
	if b, err := json.Marshal(v); err == nil {
		text = string(b)
	}
	return address.ReplaceAllString(text, "*")
}

func gobs(in []byte) (any, error) {
	var all []string
	var first error
	for i, v := range []any{
		new(wide), new(narrow), new([]string), new(map[string]int), new(int), new(any), new([]wide),
		nil, new(string),
	} {
		d := gob.NewDecoder(bytes.NewReader(in))
		for range 3 {
			err := d.Decode(v)
			if i == 0 && first == nil && err != io.EOF {
				first = err
			}
			all = append(all, fmt.Sprint(err))
			if v != nil {
				all = append(all, gobText(v))
			}
			if err != nil {
				break
			}
		}
	}
	return strings.Join(all, "; "), first
}

func classes() map[string]class {
	objects := text(
		`{"a":1,"b":["x","\u00e9\ud83d\ude00\n"],"c":{"k":2,"n":null},"d":"1.5","e":[1e3,true,{"z":[]}],`+
			`"f":{"a":-2},"g":"AQID","h":[true,false],"i":"2020-01-02T03:04:05Z","j":123456789012345678901,`+
			`"k":"1.2.3.4","l":"<&>","o":{"3":0.5}}`,
		`[1,2.5e-3,"a",null,[[[]]],{"":{}}]`, "  \t\n{ \"a\" : \"b\" }\r\n", `"\ud800\udc00\b\f"`)
	documents := text(
		`<?xml version="1.0" encoding="UTF-8"?><r xmlns="u" xmlns:p="v" a="3" p:q="w" k="::1">t&lt;&#65;`+
			`<b><c>x</c><c>y</c></b><d>1.5</d><f a="4"><f/></f><g>z</g><i>2020-01-02T03:04:05Z</i>`+
			`<j>99</j><!-- c --><![CDATA[<&]]></r>`,
		"<!DOCTYPE a [<!ENTITY x \"y\"><!-- z -->]><a><br><p class=x disabled>b&nbsp;</P></a>",
		"<a>\r\n\r<b attr='\r\n'>é</b></a>")
	addresses := text(`"A \"B" <a@b.c>, d.e@f (x (y) z), G: h@i, "j k"@l;`,
		"=?utf-8?q?=C3=A9?= =?utf-8?b?w6k=?= x <a@[127.0.0.1]>", "a@[IPv6:::1] (=?utf-8?q?e?=)",
		"Fri, 21 Nov 1997 09:55:06 -0600 (MDT)", "Subject: x\r\nTo: a@b\r\n c\r\nDate: 1 Jan 20 00:00 UT\r\n\r\nbody")
	c, a, p := compressed(), archives(), pictures()
	k := x509Seeds()
	m := tlsSeeds(k["certificate"][0])
	all := map[string]class{
		"json": {objects, nil, func(in []byte) (any, error) {
			var r record
			var v any
			err := json.Unmarshal(in, &r)
			return fmt.Sprint(shown(r), json.Unmarshal(in, &v), shown(v), json.Valid(in)), err
		}},
		"jsonv2": {objects, nil, func(in []byte) (any, error) {
			var v any
			if err := jsonv2.Unmarshal(in, &v); err != nil {
				return nil, err
			}
			b, err := jsonv2.Marshal(v, jsonv2.Deterministic(true))
			return string(b), err
		}},
		"xml": {documents, nil, func(in []byte) (any, error) {
			var r record
			err := xml.Unmarshal(in, &r)
			return shown(r), err
		}},
		"xmltokens":   {documents, nil, tokens},
		"gob":         {gobSeeds(), nil, gobs},
		"certificate": {k["certificate"], nil, certificate},
		"certrequest": {k["certrequest"], nil, certrequest},
		"revocations": {k["revocations"], nil, revocations},
		"privatekey":  {k["privatekey"], nil, private},
		"publickey":   {k["publickey"], nil, public},
		"keypair":     {k["keypair"], nil, keypair},
		"clienthello": {m["clienthello"], repairHello, clientHello},
		"serverhello": {m["serverhello"], nil, serverHello},
		"tlssession":  {m["tlssession"], nil, tlsSession},
		"zip":         {a["zip"], nil, unzipped},
		"tar":         {a["tar"], repairTar, untarred},
		"png":         {p["png"], repairPNG, picture(png.DecodeConfig, png.Decode)},
		"jpeg":        {p["jpeg"], nil, picture(jpeg.DecodeConfig, jpeg.Decode)},
		"gif": {p["gif"], nil, picture(gif.DecodeConfig, func(r io.Reader) (image.Image, error) {
			all, err := gif.DecodeAll(r)
			if err != nil {
				return nil, err
			}
			return all.Image[len(all.Image)-1], nil
		})},
		"flate": {c["flate"], nil, func(in []byte) (any, error) {
			return readAll(flate.NewReader(bytes.NewReader(in)), nil)
		}},
		"gzip": {c["gzip"], nil, func(in []byte) (any, error) {
			r, err := gzip.NewReader(bytes.NewReader(in))
			return readAll(r, err)
		}},
		"zlib": {c["zlib"], nil, func(in []byte) (any, error) {
			r, err := zlib.NewReader(bytes.NewReader(in))
			return readAll(r, err)
		}},
		"lzw": {c["lzw"], nil, func(in []byte) (any, error) {
			return readAll(lzw.NewReader(bytes.NewReader(in), lzw.LSB, 8), nil)
		}},
		"bzip2": {c["bzip2"], nil, func(in []byte) (any, error) {
			return readAll(bzip2.NewReader(bytes.NewReader(in)), nil)
		}},
		"asn1": {sequences(), nil, func(in []byte) (any, error) {
			var s sequence
			rest, err := asn1.Unmarshal(in, &s)
			return fmt.Sprint(s.A, s.B, s.C, s.D, s.E, s.F, s.G, s.H, s.I, rest), err
		}},
		"request": {text("GET /a/b?q=1&r=%20x HTTP/1.1\r\nHost: h:80\r\nCookie: a=b; c=\"d\"\r\nX: y\r\n z\r\n\r\n",
			"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\na=b&c",
			"PUT http://u:p@h/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: v\r\n\r\n",
			"CONNECT h:443 HTTP/1.1\r\n\r\n"), nil, request},
		"response": {text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nSet-Cookie: a=b; Path=/; Max-Age=3\r\n\r\nabc",
			"HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n1a\r\n"+
				"abcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n", "HTTP/1.0 204\r\n\r\n"), nil, response},
		"url": {text("http://u:p%20w@h.example:80/a%2Fb/../c;d?q=1&r=a+b#f", "mailto:a@b", "//[fe80::1%25en0]:8/",
			"../x?y=%zz", "a=b&c=d;e&%41=%"), nil, func(in []byte) (any, error) {
			u, err := url.Parse(string(in))
			q, e := url.ParseQuery(string(in))
			if err != nil {
				return fmt.Sprint(q, e), err
			}
			return fmt.Sprint(u, u.Host, u.Port(), u.Path, u.RawPath, u.RawQuery, u.Fragment, u.User, q, e,
				u.JoinPath("..", "x"), u.ResolveReference(&url.URL{Path: "../y"})), nil
		}},
		"multipart": {text("--b1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nvalue\r\n--b1\r\n" +
			"Content-Disposition: form-data; name=f; filename=\"x.txt\"\r\nContent-Type: text/plain\r\n" +
			"Content-Transfer-Encoding: quoted-printable\r\n\r\nfile=20=\r\nx\r\n--b1--\r\n"), nil, parts},
		"mime": {text("text/html; charset=\"utf-8\"; a*0=b; a*1*=%20c; d*=utf-8''%C3%A9", "form-data; name=x",
			"=?utf-8?q?=C3=A9_a?= =?iso-8859-1?b?6Q==?="), nil, func(in []byte) (any, error) {
			t, params, err := mime.ParseMediaType(string(in))
			word, e := new(mime.WordDecoder).DecodeHeader(string(in))
			return fmt.Sprint(t, params, word, e), err
		}},
		"header": {text("A: b\r\nc-d: e\r\n f\r\nA: g\r\n\r\nrest"), nil, func(in []byte) (any, error) {
			return textproto.NewReader(bufio.NewReader(bytes.NewReader(in))).ReadMIMEHeader()
		}},
		"quotedprintable": {text("a=20b=\r\nc=C3=A9 \t\r\n=\n=x"), nil, func(in []byte) (any, error) {
			return readAll(quotedprintable.NewReader(bytes.NewReader(in)), nil)
		}},
		"mail": {addresses, nil, func(in []byte) (any, error) {
			list, err := mail.ParseAddressList(string(in))
			date, e := mail.ParseDate(string(in))
			out := fmt.Sprint(list, date.Unix(), e)
			m, e := mail.ReadMessage(bytes.NewReader(in))
			if e == nil {
				body, _ := readAll(m.Body, nil)
				out += fmt.Sprint(m.Header, body)
			}
			return out, err
		}},
		"texttemplate": {templates, nil, func(in []byte) (any, error) {
			t, err := template.New("x").Parse(string(in))
			if err != nil {
				return nil, err
			}
			var b bytes.Buffer
			err = t.Execute(io.MultiWriter(&short{1 << 14}, &b), given)
			return b.String(), err
		}},
		"htmltemplate": {templates, nil, func(in []byte) (any, error) {
			t, err := htmltemplate.New("x").Parse(string(in))
			if err != nil {
				return nil, err
			}
			var b bytes.Buffer
			err = t.Execute(io.MultiWriter(&short{1 << 14}, &b), given)
			return b.String(), err
		}},
		"regexp": {text(`(?i)^(a|b+?)*[^c-e\d\pL]{2,5}(?P<n>x\b|\x{10FFFF})$`, `(?s:.)\Q.\E[[:alpha:]]|`,
			`(a*)*b`, `\A(?:x{0,9}){3}\z`), nil, func(in []byte) (any, error) {
			const subject = "aab ABBA xyz 12 é\n\u2028 aaaaaaaaaaaaaaaaaaaaaaaaaaaaac"
			e, err := regexp.Compile(string(in))
			if err != nil {
				return nil, err
			}
			prefix, whole := e.LiteralPrefix()
			return fmt.Sprint(e.FindAllStringSubmatchIndex(subject, 5), e.SubexpNames(), prefix, whole,
				e.ReplaceAllString(subject, "<$1>")), nil
		}},
		"csv": {text("a,b,c\n\"d \"\"e\"\"\",f,\"g\nh\"\n# no\n,,\r\n", "a;b\n"), nil, func(in []byte) (any, error) {
			r := csv.NewReader(bytes.NewReader(in))
			r.Comment = '#'
			r.LazyQuotes = len(in)%3 == 0
			r.TrimLeadingSpace = len(in)%2 == 0
			return r.ReadAll()
		}},
		"pem": {text("x\n-----BEGIN A B-----\nProc-Type: 4,ENCRYPTED\nK: v\n\nAQIDBAUG\n-----END A B-----\ny\n",
			"-----BEGIN C-----\n-----END C-----"), nil, func(in []byte) (any, error) {
			b, rest := pem.Decode(in)
			return fmt.Sprint(b, string(rest)), nil
		}},
		"encodings": {text("SGVsbG8=", "JBSWY3DP", "87cURD]i,\"Ebo80~>", "48656c6c6f", "&lt;&eacute;&#x41;&notin;&#0;"), nil,
			func(in []byte) (any, error) {
				b, err := base64.StdEncoding.DecodeString(string(in))
				c, e := base32.StdEncoding.DecodeString(string(in))
				d, f := hex.DecodeString(string(in))
				g := make([]byte, 4*len(in)+4)
				n, m, h := ascii85.Decode(g, in, true)
				return fmt.Sprint(b, c, e, d, f, g[:n], m, h, html.UnescapeString(string(in))), err
			}},
		"numbers": {text("-12345", "0x1p-3", "1_000", "1e400", "+Inf", "1/3", "0b101", "NaN"), nil,
			func(in []byte) (any, error) {
				s := string(in)
				i, err := strconv.ParseInt(s, 0, 64)
				x, e := strconv.ParseFloat(s, 64)
				var n big.Int
				var r big.Rat
				_, isInt := n.SetString(s, 0)
				ratio := ""
				// A large exponent makes a large number, as it should.
				if !strings.ContainsAny(s, "eEpP") {
					if _, ok := r.SetString(s); ok {
						ratio = r.String()
					}
				}
				u, f := strconv.Unquote(s)
				return fmt.Sprint(i, x, e, isInt, &n, ratio, u, f), err
			}},
		"times": {text("2006-01-02T15:04:05.999999999+07:00", "1h2m3.5s", "Mon, 02 Jan 2006 15:04:05 MST"), nil,
			func(in []byte) (any, error) {
				t, err := time.Parse(time.RFC3339Nano, string(in))
				u, e := time.Parse(time.RFC1123, string(in))
				d, f := time.ParseDuration(string(in))
				return fmt.Sprint(t.UnixNano(), u.Unix(), e, d, f), err
			}},
		"addresses": {text("1.2.3.4", "fe80::1%eth0", "::ffff:1.2.3.4", "[::1]:80", "10.0.0.0/8"), nil,
			func(in []byte) (any, error) {
				s := string(in)
				a, err := netip.ParseAddr(s)
				p, e := netip.ParseAddrPort(s)
				q, f := netip.ParsePrefix(s)
				return fmt.Sprint(a, p, e, q, f), err
			}},
		"scanner": {text("abc 0x1_f 0b12 .5e+3 'x' \"\\u1234\\n\" `raw` // c\n/* d */ _é 1__2 0o17.5 08"), nil, words},
	}
	return all
}

// mutate changes a seed in up to six places.
func mutate(r *rand.Rand, seeds [][]byte) []byte {
	b := bytes.Clone(seeds[r.Intn(len(seeds))])
	for n := 1 + r.Intn(6); n > 0 && len(b) > 0; n-- {
		i := r.Intn(len(b))
		j := min(len(b), i+1+r.Intn(9))
		switch r.Intn(9) {
		case 0:
			b[i] = byte(r.Intn(256))
		case 1:
			b[i] ^= 1 << r.Intn(8)
		case 2:
			b = slices.Delete(b, i, j)
		case 3:
			b = slices.Insert(b, i, b[i:j]...)
		case 4:
			other := seeds[r.Intn(len(seeds))]
			k := r.Intn(len(other))
			b = slices.Insert(b, i, other[k:min(len(other), k+r.Intn(30))]...)
		case 5:
			const special = "<>&;'\"-!?[]{}()/\\=:,.#*+|^$@% \n\r\t\x00\x7f\x80\xff"
			b[i] = special[r.Intn(len(special))]
		case 6:
			if r.Intn(4) == 0 {
				b = b[:i]
			}
		case 7:
			copy(b[i:], [][]byte{{0xFF, 0xFF, 0xFF, 0xFF}, {0, 0, 0, 0}, {0x7F, 0xFF}, {0x80}}[r.Intn(4)])
		case 8:
			k := r.Intn(len(b))
			b[i], b[k] = b[k], b[i]
		}
	}
	return b
}

var (
	index atomic.Int64 // of the input at work
	input atomic.Pointer[[]byte]
)

func watch(name string) {
	at, since := int64(-1), time.Now()
	for {
		time.Sleep(time.Second)
		if now := index.Load(); now != at {
			at, since = now, time.Now()
		} else if time.Since(since) > limit {
			fmt.Printf("%s: input %d takes too long: %q\n", name, at, *input.Load())
			os.Exit(1)
		}
	}
}

// peak is the most memory that the process has had, in KB.
func peak() int {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n
		}
	}
	return 0
}

func try(c class, name string, i int, in []byte) (v any, err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Printf("%s: input %d: panic: %v\n%q\n%s", name, i, p, in, debug.Stack())
			os.Exit(1)
		}
	}()
	return c.decode(in)
}

func main() {
	all := classes()
	if len(os.Args) < 3 {
		fmt.Println(strings.Join(slices.Sorted(maps.Keys(all)), "\n"))
		return
	}
	name := os.Args[1]
	n, _ := strconv.Atoi(os.Args[2])
	from := n
	if len(os.Args) > 3 {
		from, _ = strconv.Atoi(os.Args[3])
	}
	c := all[name]
	go watch(name)
	r := rand.New(rand.NewSource(1))
	digest := fnv.New64()
	failed := 0
	for i := range n {
		in := mutate(r, c.seeds)
		if c.repair != nil && r.Intn(4) > 0 {
			c.repair(in)
		}
		input.Store(&in)
		index.Store(int64(i))
		v, err := try(c, name, i, bytes.Clone(in))
		if err != nil {
			failed++
		}
		outcome := fmt.Sprintf("%v %v", v, err)
		fmt.Fprintln(digest, outcome)
		if i >= from {
			fmt.Printf("%d %q %s\n", i, in, strconv.Quote(outcome))
		}
	}
	fmt.Printf("%s %d %d %016x\n", name, n, failed, digest.Sum64())
	if p := peak(); p > maxMemory {
		fmt.Fprintf(os.Stderr, "%s: %d MB of memory\n", name, p>>10)
		os.Exit(1)
	}
}
