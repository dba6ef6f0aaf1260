// Every native that is not short, and every operation on much memory, on 100 MB beside a goroutine that stamps: how long the
// stamps stop. `natives.go list` prints the names of the cases, `natives.go NAME…` runs those.
package main

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/lzw"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/md5"
	"crypto/mlkem"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/rc4"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"encoding/json"
	"encoding/json/jsontext"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"hash/crc64"
	"image"
	"image/color/palette"
	"image/draw"
	"image/jpeg"
	"image/png"
	"index/suffixarray"
	"io"
	"math/big"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"
)

const size = 100 << 20

var (
	last, longest atomic.Int64

	text   string // 100 MB of lines
	other  string // the same in other memory
	spaces string
	data   []byte
	ints   []int
	sink   any
)

// number is one of so many words.
func number(words int) *big.Int {
	bits := make([]big.Word, words)
	for i, x := 0, big.Word(1); i < words; i++ {
		x = x*6364136223846793005 + 1442695040888963407
		bits[i] = x
	}
	return new(big.Int).SetBits(bits)
}

func onNumbers(words int, f func(z, x, y *big.Int) *big.Int) func() func() {
	return func() func() {
		x, y := number(words), number(words-1)
		return func() { sink = f(new(big.Int), x, y) }
	}
}

func stamp() {
	for {
		now := time.Now().UnixNano()
		if gap := now - last.Load(); last.Load() != 0 && gap > longest.Load() {
			longest.Store(gap)
		}
		last.Store(now)
		time.Sleep(time.Millisecond)
	}
}

// letters are many, without anything between them.
func letters() string { return strings.Repeat("a", size) }

// decodeJPEG decodes a wide picture.
func decodeJPEG() func() {
	m := &image.Gray{Pix: data[:32000*100], Stride: 32000, Rect: image.Rect(0, 0, 32000, 100)}
	var file bytes.Buffer
	jpeg.Encode(&file, m, nil)
	return func() { jpeg.Decode(&file) }
}

// wide is a key on the largest curve.
var wide, _ = ecdsa.GenerateKey(elliptic.P521(), nil)

// withKey does something with a key of so many primes.
func withKey(primes int, f func(k *rsa.PrivateKey)) func() func() {
	return func() func() {
		k, err := rsa.GenerateMultiPrimeKey(nil, primes, 2048)
		check(err)
		return func() { f(k) }
	}
}

func encrypts(k *rsa.PrivateKey) { rsa.EncryptPKCS1v15(nil, &k.PublicKey, nil) }
func decrypts(k *rsa.PrivateKey) { rsa.SignPKCS1v15(nil, k, 0, data[:32]) }

// A case may prepare something and returns what is measured.
var cases = map[string]func() func(){
	"strings.Index":         func() func() { return func() { sink = strings.Index(text, "zz") } },
	"strings.IndexByte":     func() func() { return func() { sink = strings.IndexByte(text, 'z') } },
	"strings.IndexRune":     func() func() { return func() { sink = strings.IndexRune(text, 'é') } },
	"strings.IndexAny":      func() func() { return func() { sink = strings.IndexAny(text, "z!é") } },
	"strings.LastIndex":     func() func() { return func() { sink = strings.LastIndex(text, "zz") } },
	"strings.LastIndexByte": func() func() { return func() { sink = strings.LastIndexByte(text, 'z') } },
	"strings.LastIndexAny":  func() func() { return func() { sink = strings.LastIndexAny(text, "z!é") } },
	"strings.Count":         func() func() { return func() { sink = strings.Count(text, "a") } },
	"strings.EqualFold":     func() func() { return func() { sink = strings.EqualFold(text, other) } },
	"strings.split":         func() func() { return func() { sink = strings.Split(text, "\n") } },
	"strings.Compare":       func() func() { return func() { sink = strings.Compare(text, other) } },
	"strings.Clone":         func() func() { return func() { sink = strings.Clone(text) } },
	"strings.Fields":        func() func() { return func() { sink = strings.Fields(text) } },
	"strings.Join": func() func() {
		list := strings.Split(text, "\n")
		return func() { sink = strings.Join(list, ", ") }
	},
	"strings.repeat":      func() func() { return func() { sink = strings.Repeat("ab", size/2) } },
	"strings.Replace":     func() func() { return func() { sink = strings.Replace(text, "k", "cc", -1) } },
	"strings.ToUpper":     func() func() { return func() { sink = strings.ToUpper(text) } },
	"strings.ToLower":     func() func() { return func() { sink = strings.ToLower(strings.ToUpper(text)) } },
	"strings.ToTitle":     func() func() { return func() { sink = strings.ToTitle(text) } },
	"strings.ToValidUTF8": func() func() { bad := text + "\xff"; return func() { sink = strings.ToValidUTF8(bad, "?") } },
	"strings.TrimSpace":   func() func() { return func() { sink = strings.TrimSpace(spaces) } },
	"strings.Trim":        func() func() { return func() { sink = strings.Trim(spaces, " ") } },
	"strings.TrimLeft":    func() func() { return func() { sink = strings.TrimLeft(spaces, "xy ") } },
	"strings.TrimRight":   func() func() { return func() { sink = strings.TrimRight(spaces, "xy ") } },

	"regexp.match": func() func() {
		re := regexp.MustCompile("[a-z]+!!")
		return func() { sink = re.MatchString(text) }
	},
	"regexp.find": func() func() {
		re := regexp.MustCompile("([a-z]+)(!!)")
		return func() { sink = re.FindStringSubmatch(text) }
	},
	"regexp.all": func() func() {
		re := regexp.MustCompile("\\w+\\n")
		return func() { sink = len(re.FindAllStringIndex(text, -1)) }
	},
	"regexp.allStrings": func() func() {
		re := regexp.MustCompile("\\w+\\n")
		return func() { sink = len(re.FindAllString(text, -1)) }
	},
	"regexp.replace": func() func() {
		re := regexp.MustCompile("(k)k*")
		return func() { sink = re.ReplaceAllString(text, "<$1>") }
	},
	"regexp.spans": func() func() {
		re := regexp.MustCompile("\\w+\\n")
		return func() {
			n := 0
			sink = re.ReplaceAllStringFunc(text, func(s string) string { n++; return "" })
		}
	},

	"unicode/utf8.RuneCount":         func() func() { return func() { sink = utf8.RuneCount(data) } },
	"unicode/utf8.RuneCountInString": func() func() { return func() { sink = utf8.RuneCountInString(text) } },
	"unicode/utf8.Valid":             func() func() { return func() { sink = utf8.Valid(data) } },
	"unicode/utf8.ValidString":       func() func() { return func() { sink = utf8.ValidString(text) } },

	"sort.Ints": func() func() { x := append([]int(nil), ints...); return func() { sort.Ints(x) } },
	"sort.Float64s": func() func() {
		x := make([]float64, len(ints))
		for i, n := range ints {
			x[i] = float64(n)
		}
		return func() { sort.Float64s(x) }
	},
	"reflect.callFunc": func() func() {
		f := reflect.ValueOf(func() {
			for range 100_000_000 {
			}
		})
		return func() { f.Call(nil) }
	},
	"reflect.copyObjects": func() func() {
		to, from := make([]byte, size), reflect.ValueOf(data)
		return func() { reflect.Copy(reflect.ValueOf(to), from) }
	},
	"reflect.growSlice": func() func() {
		x := reflect.New(reflect.TypeFor[[]byte]()).Elem()
		x.SetBytes(data)
		return func() { x.Grow(size) }
	},
	"net/http.isFieldValue": func() func() {
		r := &http.Request{URL: &url.URL{Scheme: "http"}, Header: http.Header{"X": {letters()}}}
		return func() { http.DefaultTransport.RoundTrip(r) }
	},
	"net/http.isHost": func() func() {
		r := &http.Request{Host: letters(), URL: &url.URL{Path: "/"}}
		return func() { r.Write(io.Discard) }
	},
	"net/http.isPlainPath": func() func() {
		r := &http.Request{Method: "GET", URL: &url.URL{Path: "/" + letters()}}
		return func() { http.NewServeMux().Handler(r) }
	},
	"net/http.isToken": func() func() {
		c := &http.Cookie{Name: letters()}
		return func() { sink = c.Valid() }
	},
	"net/textproto.canonical": func() func() {
		name := letters()
		return func() { sink = textproto.CanonicalMIMEHeaderKey(name) }
	},
	"net/textproto.isValue": func() func() {
		r := bufio.NewReaderSize(strings.NewReader("A: "+letters()+"\n\n"), 2*size)
		return func() { textproto.NewReader(r).ReadMIMEHeader() }
	},
	"reflect.DeepEqual": func() func() {
		x, y := bytes.Clone(data), bytes.Clone(data)
		return func() { sink = reflect.DeepEqual(x, y) }
	},
	"reflect.clearObjects": func() func() {
		x := make([]*int, size/8)
		return func() { reflect.ValueOf(x).Clear() }
	},
	"reflect.allZero": func() func() {
		x := reflect.New(reflect.ArrayOf(size, reflect.TypeFor[byte]())).Elem()
		return func() { sink = x.IsZero() }
	},
	"sort.Strings": func() func() {
		x := make([]string, len(ints)/2)
		for i := range x {
			at := uint(ints[i]) % (size - 16)
			x[i] = text[at : at+16]
		}
		return func() { sort.Strings(x) }
	},

	"strconv.atoi":             func() func() { s := zeros() + "7"; return func() { sink, _ = strconv.Atoi(s) } },
	"strconv.parseInt":         func() func() { s := zeros() + "7"; return func() { sink, _ = strconv.ParseInt(s, 16, 64) } },
	"strconv.parseUint":        func() func() { s := zeros() + "7"; return func() { sink, _ = strconv.ParseUint(s, 8, 64) } },
	"strconv.parseFloat":       func() func() { s := "1." + zeros(); return func() { sink, _ = strconv.ParseFloat(s, 64) } },
	"strconv.parseFloatPrefix": func() func() { s := zeros() + "+1i"; return func() { sink, _ = strconv.ParseComplex(s, 128) } },
	"strconv.FormatFloat":      func() func() { return func() { sink = strconv.FormatFloat(1.0/3, 'f', size, 64) } },
	"strconv.AppendInt":        func() func() { return func() { sink = strconv.AppendInt(full(), 5, 10) } },
	"strconv.AppendUint":       func() func() { return func() { sink = strconv.AppendUint(full(), 5, 10) } },
	"strconv.AppendFloat":      func() func() { return func() { sink = strconv.AppendFloat(full(), 5, 'g', -1, 64) } },
	"strconv.Quote":            func() func() { return func() { sink = strconv.Quote(text) } },
	"strconv.QuoteToASCII":     func() func() { return func() { sink = strconv.QuoteToASCII(text) } },
	"strconv.QuoteToGraphic":   func() func() { return func() { sink = strconv.QuoteToGraphic(text) } },
	"strconv.AppendQuote":      func() func() { return func() { sink = strconv.AppendQuote(nil, text) } },
	"strconv.AppendQuoteToASCII": func() func() {
		return func() { sink = strconv.AppendQuoteToASCII(nil, text) }
	},
	"strconv.AppendQuoteToGraphic": func() func() {
		return func() { sink = strconv.AppendQuoteToGraphic(nil, text) }
	},
	"strconv.AppendQuoteRune": func() func() { return func() { sink = strconv.AppendQuoteRune(full(), 'x') } },
	"strconv.AppendQuoteRuneToASCII": func() func() {
		return func() { sink = strconv.AppendQuoteRuneToASCII(full(), 'x') }
	},
	"strconv.AppendQuoteRuneToGraphic": func() func() {
		return func() { sink = strconv.AppendQuoteRuneToGraphic(full(), 'x') }
	},
	"strconv.CanBackquote": func() func() { s := strings.Repeat("x", size); return func() { sink = strconv.CanBackquote(s) } },
	"strconv.unquotePrefix": func() func() {
		s := strconv.Quote(text)
		return func() { sink, _ = strconv.Unquote(s) }
	},

	"fmt.sprintf":  func() func() { return func() { sink = fmt.Sprintf("%x", text) } },
	"fmt.sprint":   func() func() { return func() { sink = fmt.Sprint(ints) } },
	"fmt.sprintln": func() func() { return func() { sink = fmt.Sprintln(text, text) } },
	"fmt.appendf":  func() func() { return func() { sink = fmt.Appendf(full(), "%q", text) } },
	"fmt.append_":  func() func() { return func() { sink = fmt.Append(full(), text) } },
	"fmt.appendln": func() func() { return func() { sink = fmt.Appendln(full(), text) } },
	"fmt.wrapf": func() func() {
		err := errors.New("an error")
		return func() { sink = fmt.Errorf("%w %50s", err, text) }
	},

	"crypto/sha256.block": func() func() { return func() { sink = sha256.Sum256(data) } },
	"crypto/sha512.block": func() func() { return func() { sink = sha512.Sum512(data) } },
	"crypto/rc4.code": func() func() {
		c, _ := rc4.NewCipher([]byte("key"))
		return func() { c.XORKeyStream(data, data) }
	},
	"internal/blocks.cbc": func() func() {
		b, _ := aes.NewCipher(make([]byte, 16))
		return func() { cipher.NewCBCDecrypter(b, make([]byte, 16)).CryptBlocks(data, data) }
	},
	"internal/blocks.ctr": func() func() {
		b, _ := aes.NewCipher(make([]byte, 16))
		return func() { cipher.NewCTR(b, make([]byte, 16)).XORKeyStream(data, data) }
	},
	// One block at a time.
	"internal/blocks.ecb": func() func() {
		b, _ := aes.NewCipher(make([]byte, 16))
		return func() { b.Encrypt(data, data) }
	},
	"internal/aead.seal": func() func() {
		b, _ := aes.NewCipher(make([]byte, 16))
		g, _ := cipher.NewGCM(b)
		return func() { sink = g.Seal(nil, make([]byte, 12), nil, data) }
	},
	"internal/aead.open": func() func() {
		b, _ := aes.NewCipher(make([]byte, 16))
		g, _ := cipher.NewGCM(b)
		coded := g.Seal(nil, make([]byte, 12), data, nil)
		return func() { sink, _ = g.Open(nil, make([]byte, 12), coded, nil) }
	},
	"internal/blocks.ghash": func() func() {
		b, _ := aes.NewCipher(make([]byte, 16))
		g, _ := cipher.NewGCMWithTagSize(b, 12)
		return func() { sink = g.Seal(nil, make([]byte, 12), nil, data) }
	},
	"image/draw.nearest": func() func() {
		m := &image.Gray{Pix: data[:size/400], Stride: size / 400, Rect: image.Rect(0, 0, size/400, 1)}
		p := image.NewPaletted(m.Rect, palette.Plan9)
		return func() { draw.FloydSteinberg.Draw(p, m.Rect, m, image.Point{}) }
	},
	"image/jpeg.encode": func() func() {
		m := &image.Gray{Pix: data[:32000*100], Stride: 32000, Rect: image.Rect(0, 0, 32000, 100)}
		return func() { jpeg.Encode(io.Discard, m, nil) }
	},
	"image/jpeg.reconstruct": func() func() { return decodeJPEG() },
	"image/jpeg.scan":        func() func() { return decodeJPEG() },
	"image/png.filter": func() func() {
		m := &image.Gray{Pix: data[:size/8], Stride: size / 8, Rect: image.Rect(0, 0, size/8, 1)}
		return func() { png.Encode(io.Discard, m) }
	},
	"image/png.unfilter": func() func() {
		var file bytes.Buffer
		png.Encode(&file, &image.Gray{Pix: data[:size/8], Stride: size / 8, Rect: image.Rect(0, 0, size/8, 1)})
		return func() { png.Decode(&file) }
	},
	"crypto/sha3.absorb":  func() func() { return func() { sink = sha3.Sum256(data) } },
	"crypto/sha3.squeeze": func() func() { return func() { sink = sha3.SumSHAKE128(nil, size) } },
	"internal/rand.fill":  func() func() { return func() { rand.Read(data) } },
	"internal/curves.point": func() func() {
		p := elliptic.MarshalCompressed(elliptic.P521(), wide.X, wide.Y)
		return func() { sink, _ = elliptic.UnmarshalCompressed(elliptic.P521(), p) }
	},
	"internal/curves.add": func() func() {
		return func() { sink, _ = elliptic.P521().Double(wide.X, wide.Y) }
	},
	"internal/curves.mul": func() func() {
		k, _ := wide.ECDH()
		return func() { sink, _ = k.ECDH(k.PublicKey()) }
	},
	"internal/curves.base": func() func() {
		return func() { sink, _ = ecdsa.GenerateKey(elliptic.P521(), nil) }
	},
	"internal/curves.sign": func() func() {
		return func() { sink, _ = wide.Sign(nil, data[:64], crypto.SHA512) }
	},
	"internal/curves.signHedged": func() func() {
		return func() { sink, _ = ecdsa.SignASN1(nil, wide, data[:64]) }
	},
	"internal/curves.verify": func() func() {
		sig, _ := ecdsa.SignASN1(nil, wide, data[:64])
		return func() { sink = ecdsa.VerifyASN1(&wide.PublicKey, data[:64], sig) }
	},
	"internal/curves.x25519": func() func() {
		k, _ := ecdh.X25519().GenerateKey(nil)
		return func() { sink, _ = k.ECDH(k.PublicKey()) }
	},
	"internal/curves.x25519Base": func() func() {
		return func() { sink, _ = ecdh.X25519().GenerateKey(nil) }
	},
	"internal/curves.edPublic": func() func() {
		return func() { sink = ed25519.NewKeyFromSeed(data[:32]) }
	},
	"internal/curves.edSign": func() func() {
		k := ed25519.NewKeyFromSeed(data[:32])
		return func() { sink = ed25519.Sign(k, data) }
	},
	"internal/curves.edVerify": func() func() {
		k := ed25519.NewKeyFromSeed(data[:32])
		sig := ed25519.Sign(k, data)
		return func() { sink = ed25519.Verify(k.Public().(ed25519.PublicKey), data, sig) }
	},
	"internal/curves.edPoint": func() func() {
		return func() { sink = ed25519.Verify(data[:32], nil, data[:64]) }
	},
	"internal/lattice.keys": func() func() { return func() { sink, _ = mlkem.GenerateKey1024() } },
	"internal/lattice.isKey": func() func() {
		k, _ := mlkem.GenerateKey1024()
		return func() { sink, _ = mlkem.NewEncapsulationKey1024(k.EncapsulationKey().Bytes()) }
	},
	"internal/lattice.encapsulate": func() func() {
		k, _ := mlkem.GenerateKey1024()
		return func() { sink, _ = k.EncapsulationKey().Encapsulate() }
	},
	"internal/lattice.decapsulate": func() func() {
		k, _ := mlkem.GenerateKey1024()
		_, c := k.EncapsulationKey().Encapsulate()
		return func() { sink, _ = k.Decapsulate(c) }
	},
	"internal/modular.exp":      withKey(3, decrypts),
	"internal/modular.expShort": withKey(2, encrypts),
	"internal/modular.root":     withKey(2, decrypts),
	"internal/modular.strong":   func() func() { return func() { sink, _ = rsa.GenerateKey(nil, 2048) } },
	"crypto/subtle.equal": func() func() {
		same := bytes.Clone(data)
		return func() { sink = subtle.ConstantTimeCompare(data, same) }
	},
	"crypto/subtle.xor": func() func() {
		out := make([]byte, size)
		return func() { sink = subtle.XORBytes(out, data, data) }
	},
	"internal/digest.stretch": func() func() {
		return func() { sink, _ = pbkdf2.Key(sha256.New, "password", nil, 1000000, 32) }
	},
	"hash/crc64.update": func() func() {
		tab := crc64.MakeTable(crc64.ECMA)
		return func() { sink = crc64.Checksum(data, tab) }
	},
	"compress/flate.encode": func() func() {
		return func() {
			w, _ := flate.NewWriter(io.Discard, -1)
			w.Write(data)
			w.Close()
		}
	},
	"compress/flate.decode": func() func() {
		var packed bytes.Buffer
		w, _ := flate.NewWriter(&packed, -1)
		w.Write(data)
		w.Close()
		return func() { io.Copy(io.Discard, flate.NewReader(&packed)) }
	},
	"compress/lzw.encode": func() func() {
		return func() {
			w := lzw.NewWriter(io.Discard, lzw.LSB, 8)
			w.Write(data[:size/4])
			w.Close()
		}
	},
	"compress/lzw.decode": func() func() {
		var packed bytes.Buffer
		w := lzw.NewWriter(&packed, lzw.LSB, 8)
		w.Write(data[:size/4])
		w.Close()
		return func() { io.Copy(io.Discard, lzw.NewReader(&packed, lzw.LSB, 8)) }
	},
	// No block is long: this reads the header of one that is not there, and what follows it.
	"compress/bzip2.block": func() func() {
		bad := append([]byte("BZh9\x31\x41\x59\x26\x53\x59\x00\x00\x00\x00\x00\x00\x00\x00\x80\x00\x80\x00\x5f"), data...)
		return func() { sink, _ = io.Copy(io.Discard, bzip2.NewReader(bytes.NewReader(bad))) }
	},
	"compress/bzip2.unfold": func() func() {
		return func() { sink, _ = io.Copy(io.Discard, bzip2.NewReader(bytes.NewReader(nil))) }
	},
	"math/big.decimalOf": func() func() {
		f := new(big.Float).SetInt(number(20 << 10))
		return func() { sink = f.Text('g', 10) }
	},
	"math/big.gcd": func() func() {
		x, y := number(8<<10), number(8<<10)
		return func() { sink = new(big.Int).GCD(nil, nil, x, y) }
	},
	"math/big.jacobi": func() func() {
		x, y := number(4<<10), number(4<<10)
		return func() { sink = big.Jacobi(x, y.SetBit(y, 0, 1)) }
	},
	"math/big.nat.add":    onNumbers(8<<20, (*big.Int).Add),
	"math/big.nat.and":    onNumbers(8<<20, (*big.Int).And),
	"math/big.nat.andNot": onNumbers(8<<20, (*big.Int).AndNot),
	"math/big.nat.cmp": func() func() {
		x, y := number(8<<20), number(8<<20)
		return func() { sink = x.Cmp(y) }
	},
	"math/big.nat.div": func() func() {
		x, y := number(80<<10), number(40<<10)
		return func() { sink, _ = new(big.Int).QuoRem(x, y, new(big.Int)) }
	},
	"math/big.nat.exp": func() func() {
		x, y, m := number(100), number(100), number(100)
		return func() { sink = new(big.Int).Exp(x, y, m) }
	},
	"math/big.nat.isProbablyPrime": func() func() {
		x := new(big.Int).Lsh(big.NewInt(1), 4423)
		return func() { sink = x.Sub(x, big.NewInt(1)).ProbablyPrime(0) }
	},
	"math/big.nat.lsh": func() func() {
		x := number(8 << 20)
		return func() { sink = new(big.Int).Lsh(x, 5) }
	},
	"math/big.nat.mul":      onNumbers(100<<10, (*big.Int).Mul),
	"math/big.nat.mulRange": func() func() { return func() { sink = new(big.Int).MulRange(1, 200<<10) } },
	"math/big.nat.or":       onNumbers(8<<20, (*big.Int).Or),
	"math/big.nat.parse": func() func() {
		s := strings.Repeat("7", 1<<20)
		return func() { sink, _ = new(big.Int).SetString(s, 10) }
	},
	"math/big.nat.putBytes": func() func() {
		x := number(8 << 20)
		return func() { sink = x.Bytes() }
	},
	"math/big.nat.quo": func() func() {
		x, y := number(80<<10), number(40<<10)
		return func() { sink = new(big.Int).Quo(x, y) }
	},
	"math/big.nat.rem": func() func() {
		x, y := number(80<<10), number(40<<10)
		return func() { sink = new(big.Int).Rem(x, y) }
	},
	"math/big.nat.round": func() func() {
		x := new(big.Float).SetInt(number(8 << 20))
		return func() { sink = x.SetPrec(64 << 20) }
	},
	"math/big.nat.rsh": func() func() {
		x := number(8 << 20)
		return func() { sink = new(big.Int).Rsh(x, 5) }
	},
	"math/big.nat.setBytes": func() func() { return func() { sink = new(big.Int).SetBytes(data) } },
	"math/big.nat.sqrt": func() func() {
		x := number(80 << 10)
		return func() { sink = new(big.Int).Sqrt(x) }
	},
	"math/big.nat.sub": onNumbers(8<<20, (*big.Int).Sub),
	"math/big.nat.text": func() func() {
		x := number(60 << 10)
		return func() { sink = x.String() }
	},
	"math/big.nat.trailingZeroBits": func() func() {
		x := new(big.Int).Lsh(big.NewInt(1), 512<<20)
		return func() { sink = x.TrailingZeroBits() }
	},
	"math/big.nat.xor":    onNumbers(8<<20, (*big.Int).Xor),
	"crypto/sha1.block":   func() func() { return func() { sink = sha1.Sum(data) } },
	"crypto/md5.block":    func() func() { return func() { sink = md5.Sum(data) } },
	"hash/adler32.update": func() func() { return func() { sink = adler32.Checksum(data) } },
	"hash/crc32.update":   func() func() { return func() { sink = crc32.ChecksumIEEE(data) } },

	"encoding/json/internal/jsonwire.skipSpace": func() func() {
		v := jsontext.Value(spaces)
		return func() { sink = v.Kind() }
	},
	"encoding/json/internal/jsonwire.scanString": func() func() {
		d := jsontext.NewDecoder(bytes.NewBuffer(quoted()))
		return func() { d.ReadToken() }
	},
	"encoding/json/internal/jsonwire.scanNumber": func() func() {
		n := json.Number(strings.Repeat("7", size))
		return func() { sink, _ = json.Marshal(n) }
	},
	"encoding/json/internal/jsonwire.unquote": func() func() {
		b := quoted()
		return func() { sink, _ = jsontext.AppendUnquote(nil, b) }
	},
	"encoding/json/internal/jsonwire.quote": func() func() {
		return func() { sink, _ = jsontext.AppendQuote(nil, text) }
	},
	"encoding/json/internal/jsonwire.needEscape": func() func() {
		tok := token(quoted())
		return func() { jsontext.NewEncoder(io.Discard).WriteToken(tok) }
	},
	"encoding/json/internal/jsonwire.rewriteString": func() func() {
		tok := token(quoted())
		e := jsontext.NewEncoder(io.Discard, jsontext.EscapeForHTML(true))
		return func() { e.WriteToken(tok) }
	},
	"encoding/xml.plain": func() func() {
		doc := []byte("<a>" + text + "</a>")
		return func() { sink = xml.Unmarshal(doc, new(string)) }
	},
	"encoding/xml.nameLength": func() func() {
		doc := []byte("<" + letters() + "/>")
		return func() { sink = xml.Unmarshal(doc, new(string)) }
	},
	"encoding/xml.unescaped": func() func() {
		b := []byte(letters())
		return func() { sink = xml.EscapeText(io.Discard, b) }
	},
	"index/suffixarray.sort32": func() func() {
		return func() { sink = suffixarray.New(data[:size/10]) }
	},
	"encoding/json/internal/jsonwire.rewriteNumber": func() func() {
		tok := token(bytes.Repeat([]byte("7"), size))
		e := jsontext.NewEncoder(io.Discard, jsontext.CanonicalizeRawInts(true))
		return func() { e.WriteToken(tok) }
	},
	"encoding/json/internal/jsonwire.rewriteValue": func() func() {
		b := array()
		return func() { sink, _ = jsontext.AppendFormat(nil, b, jsontext.Multiline(true)) }
	},
	"encoding/json/internal/jsonwire.scanValue": func() func() {
		b := array()
		return func() { sink = json.Valid(b) }
	},
	"encoding/json/internal/jsonwire.HasDuplicates": func() func() {
		b := jsontext.Value(array())
		return func() { sink = b.IsValid() }
	},
	"encoding/json/v2.writeValue": func() func() {
		return func() { sink, _ = json.Marshal([]string{text}) }
	},
	"encoding/json/v2.readValue": func() func() {
		b := array()
		var v []float64
		return func() { json.Unmarshal(b, &v) }
	},
	"encoding/binary.shape": func() func() { x := new(records); return func() { sink = binary.Size(x) } },
	"encoding/binary.pattern": func() func() {
		x, b := new(records), make([]byte, 5<<20)
		return func() { sink, _ = binary.Encode(b, binary.BigEndian, x) }
	},
	"encoding/binary.pack": func() func() {
		x := make([]int64, size/8)
		return func() { sink, _ = binary.Encode(data, binary.LittleEndian, x) }
	},
	"encoding/binary.unpack": func() func() {
		x := make([]int64, size/8)
		return func() { sink, _ = binary.Decode(data, binary.LittleEndian, x) }
	},

	"internal/poll.readOnce": func() func() { return func() { file("/dev/zero").Read(data) } },
	"internal/poll.writeAll": func() func() { return func() { temporary().Write(data) } },
	"syscall.sysRead": func() func() {
		fd := int(file("/dev/zero").Fd())
		return func() { syscall.Read(fd, data) }
	},
	"syscall.forkExec": func() func() { return func() { exec.Command("/bin/true").Run() } },
	"syscall.sysPread": func() func() { return func() { file("/dev/zero").ReadAt(data, 0) } },
	"syscall.sysWrite": func() func() {
		fd := int(temporary().Fd())
		return func() { syscall.Write(fd, data) }
	},
	"syscall.sysPwrite": func() func() {
		return func() { temporary().WriteAt(data, 0) }
	},
	"syscall.sysOpen": func() func() { return func() { file("/dev/null").Close() } },
	"os.fsync": func() func() {
		f := temporary()
		f.Write(data)
		return func() { f.Sync() }
	},
	"os.chdir":    func() func() { return func() { os.Chdir(".") } },
	"os.mkdir":    func() func() { name := folder + "/new"; return func() { os.Mkdir(name, 0o700) } },
	"os.remove":   func() func() { name := temporary().Name(); return func() { os.Remove(name) } },
	"os.rename":   func() func() { name := temporary().Name(); return func() { os.Rename(name, name+"2") } },
	"os.link":     func() func() { name := temporary().Name(); return func() { os.Link(name, name+"l") } },
	"os.readlink": func() func() { return func() { os.Readlink("/proc/self/exe") } },
	"os.chmod":    func() func() { name := temporary().Name(); return func() { os.Chmod(name, 0o600) } },
	"os.truncate": func() func() { name := temporary().Name(); return func() { os.Truncate(name, size) } },
	"time.readFile": func() func() {
		return func() { time.LoadLocation("No/Where") }
	},

	"op make":             func() func() { return func() { sink = make([]byte, size) } },
	"op make of pointers": func() func() { return func() { sink = make([]*int, size/8) } },
	"op new": func() func() {
		return func() { sink = new([size]byte) }
	},
	"op copy": func() func() { to := make([]byte, size); return func() { copy(to, data) } },
	"op copy of pointers": func() func() {
		from, to := pointers(), make([]*int, size/8)
		return func() { copy(to, from) }
	},
	"op copy of a string":   func() func() { to := make([]byte, size); return func() { copy(to, text) } },
	"op append":             func() func() { return func() { sink = append(full(), 1) } },
	"op append of many":     func() func() { return func() { sink = append([]byte{1}, data...) } },
	"op append of a string": func() func() { return func() { sink = append([]byte{1}, text...) } },
	"op append of pointers": func() func() { from := pointers(); return func() { sink = append(from, nil) } },
	"op clear":              func() func() { x := append([]byte(nil), data...); return func() { clear(x) } },
	"op clear of pointers":  func() func() { x := pointers(); return func() { clear(x) } },
	"op growth of a map": func() func() {
		m := map[int]int{}
		return func() {
			for i := 0; i < 5_000_000; i++ {
				m[i] = i
			}
		}
	},
	"op growth of a map of pointers": func() func() {
		m := map[string]*int{}
		p := new(int)
		return func() {
			for i := 0; i < 3_000_000; i++ {
				m[text[i:i+12]] = p
			}
		}
	},
	"op make of a map":  func() func() { return func() { sink = make(map[int]int, 5_000_000) } },
	"op clear of a map": func() func() { m := numbers(); return func() { clear(m) } },
	"op x + y":          func() func() { x, y := text[:size/2], text[size/2:]; return func() { sink = x + y } },
	"op x + y + z":      func() func() { x, y := text[:size/2], text[size/2:]; return func() { sink = x + "," + y } },
	"op x == y":         func() func() { x, y := text, other; return func() { sink = x == y } },
	"op x < y":          func() func() { x, y := text, other; return func() { sink = x < y } },
	"op comparison of arrays": func() func() {
		x, y := new([size]byte), new([size]byte)
		return func() { sink = *x == *y }
	},
	"op comparison of arrays of floats": func() func() {
		x, y := new([size / 8]float64), new([size / 8]float64)
		return func() { sink = *x == *y }
	},
	"op comparison of arrays of strings": func() func() {
		x, y := new([size / 16]string), new([size / 16]string)
		return func() { sink = *x == *y }
	},
	"op string(bytes)":  func() func() { return func() { sink = string(data) } },
	"op []byte(string)": func() func() { return func() { sink = []byte(text) } },
	"op []rune(string)": func() func() { return func() { sink = []rune(text) } },
	"op string(runes)":  func() func() { r := []rune(text[:size/4]); return func() { sink = string(r) } },
	"op copy of an array": func() func() {
		x, y := new([size]byte), new([size]byte)
		return func() { *x = *y }
	},
}

// records is a type of a million parts of two sizes.
type records struct {
	List [1 << 20]struct {
		A uint8
		B uint32
	}
}

var folder string

func temporary() *os.File {
	f, err := os.CreateTemp(folder, "")
	check(err)
	return f
}

func file(name string) *os.File {
	f, err := os.Open(name)
	check(err)
	return f
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func zeros() string { return strings.Repeat("0", size) }

// full has no room for one more.
func full() []byte { return data[:len(data):len(data)] }

func pointers() []*int {
	p := new(int)
	list := make([]*int, size/8)
	for i := range list {
		list[i] = p
	}
	return list
}

func numbers() map[int]int {
	m := make(map[int]int)
	for i := 0; i < 3_000_000; i++ {
		m[i] = i
	}
	return m
}

// quoted is a JSON string of 100 MB.
func quoted() []byte {
	b, err := jsontext.AppendQuote(nil, text)
	check(err)
	return b
}

// array is a JSON array of 100 MB.
func array() []byte {
	b := bytes.Repeat([]byte("1234567.5,"), size/10)
	b[0], b[len(b)-1] = '[', ']'
	return b
}

func token(b []byte) jsontext.Token {
	tok, err := jsontext.NewDecoder(bytes.NewBuffer(b)).ReadToken()
	check(err)
	return tok
}

func prepare() {
	line := "the quick brown fox jumps over the lay dog and goes on for a while\n"
	text = strings.Repeat(line, size/len(line)+1)[:size]
	other = strings.Clone(text)
	spaces = strings.Repeat(" ", size)
	data = bytes.Repeat([]byte{1, 2, 3, 4}, size/4)
	ints = make([]int, size/8)
	x := uint64(1)
	for i := range ints {
		x = x*6364136223846793005 + 1442695040888963407
		ints[i] = int(x >> 20)
	}
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "list" {
		for name := range cases {
			fmt.Println(name)
		}
		return
	}
	var err error
	folder, err = os.MkdirTemp("", "natives")
	check(err)
	defer os.RemoveAll(folder)
	prepare()
	// The pauses of the collector are another matter.
	debug.SetGCPercent(-1)
	go stamp()
	for _, name := range os.Args[1:] {
		best, took := time.Hour, time.Duration(0)
		// Another process may take the CPU: the best of a few tries counts.
		for try := 0; try < 4 && best > 60*time.Millisecond; try++ {
			f := cases[name]()
			sink = nil
			runtime.GC()
			time.Sleep(5 * time.Millisecond)
			longest.Store(0)
			begin := time.Now()
			f()
			took = time.Since(begin)
			time.Sleep(3 * time.Millisecond)
			best = min(best, time.Duration(longest.Load()))
		}
		fmt.Printf("%s\t%d\t%d\n", name, best.Microseconds(), took.Microseconds())
	}
}
