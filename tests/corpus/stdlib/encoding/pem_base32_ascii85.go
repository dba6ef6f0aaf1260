// run
//
// Packages pem, base32 and ascii85: both directions, streams, and bad input, also mutated.
package main

import (
	"bytes"
	"encoding/ascii85"
	"encoding/base32"
	"encoding/pem"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand"
	"strings"
)

func try(f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("panic:", r)
		}
	}()
	f()
}

type dribble struct {
	r io.Reader
	n int
}

func (d dribble) Read(p []byte) (int, error) { return d.r.Read(p[:min(d.n, len(p))]) }

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func showPem(data string) {
	rest := []byte(data)
	for {
		var b *pem.Block
		b, rest = pem.Decode(rest)
		if b == nil {
			fmt.Printf("rest %q\n", rest)
			return
		}
		fmt.Printf("%q %v %q; ", b.Type, b.Headers, b.Bytes)
	}
}

func pems() {
	b := &pem.Block{Type: "TEST", Bytes: []byte(strings.Repeat("0123456789", 12)), Headers: map[string]string{
		"Z": "last", "A": "first", "Proc-Type": "4,ENCRYPTED", "DEK-Info": "DES",
	}}
	text := pem.EncodeToMemory(b)
	fmt.Printf("%s", text)
	showPem("before\n" + string(text) + "after\n" + string(text))
	b.Headers["a:b"] = "c"
	fmt.Println(pem.Encode(io.Discard, b), pem.EncodeToMemory(b))
	fmt.Printf("%s", pem.EncodeToMemory(&pem.Block{Type: "EMPTY"}))
	for left := 10; left < 90; left += 15 {
		fmt.Print(pem.Encode(&full{left}, &pem.Block{Type: "X", Bytes: make([]byte, 60)}), " ")
	}
	fmt.Println()
	for _, s := range []string{
		"", "-----BEGIN X-----", "-----BEGIN X-----\n-----END X-----\n",
		"-----BEGIN X-----\nYQ==\n-----END X-----", "-----BEGIN X-----\r\nYQ==\r\n-----END X-----\r\nrest",
		"-----BEGIN X-----\nYQ==\n-----END Y-----\n", "-----BEGIN X-----\n Y Q\t= = \n-----END X-----  \nr",
		"-----BEGIN X----- \nk: v:w\nk2:\n\nYQ==\n-----END X-----\n", "x-----BEGIN X-----\nYQ==\n-----END X-----\n",
		"-----BEGIN X-----\nY\n-----END X-----\n-----BEGIN X-----\nYg==\n-----END X-----\n",
		"-----BEGIN X-----\nYQ==\n-----END X-----x\n", "-----BEGIN \nYQ==\n-----END -----\n",
		"-----BEGIN X-----\nk: v\n-----END X-----\n", "-----BEGIN X-----\nYQ==-----END X-----\n",
		"-----BEGIN A-----\n-----BEGIN X-----\nYQ==\n-----END X-----\n", "-----BEGIN X-----\nk: v\n",
		"-----BEGIN -----\n-----END -----\n", "-----BEGIN X--\nYQ==\n-----END X-----\n",
	} {
		showPem(s)
	}
}

func base32s() {
	hello := base32.StdEncoding
	raw := base32.HexEncoding.WithPadding(base32.NoPadding)
	odd := base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding('!')
	for _, enc := range []*base32.Encoding{hello, raw, odd} {
		for n := range 12 {
			src := []byte("Hello, \x00\xffworld")[:n]
			s := enc.EncodeToString(src)
			back, err := enc.DecodeString(s)
			fmt.Print(s, " ", enc.EncodedLen(n), enc.DecodedLen(n), bytes.Equal(back, src), err, "; ")
		}
		fmt.Println()
	}
	for _, s := range []string{
		"", "!!!!", "x===", "AA=A====", "AAA=AAAA", "MMMMMMMMM", "MMMMMM", "A=", "AA=", "AA==", "AA===", "AA====",
		"AA=====", "AA======", "A=======", "AAA=====", "AAAA====", "AAAAA===", "AAAAAA==", "AAAAAAA=", "AAAAAAAA",
		"NBSWY3DP\nO5XX\r\nE3DE", "NBSWY3DP======", "AA======AA======", "aaaaaaaa", "AAAAAAAA\n\n", "AAAAAAAA=",
		"AAAAAA=A", "NBSWY3DPFQQHO33SNRSA====", "NBSWY3DPFQQHO33SNRSA", "AAAA=AAA", "AB======", "\n",
	} {
		out, err := base32.StdEncoding.DecodeString(s)
		raw, rerr := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(s)
		fmt.Printf("%q %q %v | %q %v\n", s, out, err, raw, rerr)
		for _, n := range []int{1, 3, 8, 50} {
			got, err := io.ReadAll(base32.NewDecoder(base32.StdEncoding, dribble{strings.NewReader(s), n}))
			fmt.Printf(" %q %v", got, err)
		}
		fmt.Println()
	}
	fmt.Printf("%s\n", hello.AppendEncode([]byte("pre-"), []byte("abc")))
	fmt.Println(hello.AppendDecode([]byte("pre-"), []byte("MFRGG===")))
	fmt.Println(hello.AppendDecode(nil, []byte("MFRGG=")))
	var out bytes.Buffer
	w := base32.NewEncoder(hello, &out)
	for i := range 40 {
		fmt.Fprint(w, strings.Repeat("ab", i))
	}
	w.Close()
	w.Close()
	fmt.Println(out.Len(), crc32.ChecksumIEEE(out.Bytes()))
	got, err := io.ReadAll(base32.NewDecoder(hello, dribble{&out, 7}))
	fmt.Println(len(got), err)
	w = base32.NewEncoder(hello, &full{1100})
	n, err := w.Write(make([]byte, 1000))
	fmt.Println(n, err, w.Close())
	for _, f := range []func(){
		func() { base32.NewEncoding("abc") },
		func() { base32.NewEncoding("aacdefghijklmnopqrstuvwxyz234567") },
		func() { base32.NewEncoding("\nbcdefghijklmnopqrstuvwxyz234567") },
		func() { hello.WithPadding('\r') }, func() { hello.WithPadding(256) }, func() { hello.WithPadding('A') },
		func() { hello.WithPadding(-2) }, func() { hello.Encode(make([]byte, 7), []byte("a")) },
		func() { hello.Decode(make([]byte, 0), []byte("AAAAAAAA")) },
	} {
		try(f)
	}
}

func ascii85s() {
	for _, s := range []string{"", "a", "ab", "abc", "abcd", "abcde", "\x00\x00\x00\x00", "\x00\x00\x00", "\xff\xff\xff\xff\xff"} {
		dst := make([]byte, ascii85.MaxEncodedLen(len(s)))
		n := ascii85.Encode(dst, []byte(s))
		fmt.Printf("%q %s ", s, dst[:n])
		back := make([]byte, 4*n)
		a, b, err := ascii85.Decode(back, dst[:n], true)
		fmt.Printf("%q %d %v\n", back[:a], b, err)
	}
	for _, s := range []string{"", "!", "!!", "v", "z", "!z", "zz!!", " a\nb c d\te", "uuuuu", "s8W-!", "87cURD_*#TDfTZ)", "~>", "!!!!!!"} {
		for _, flush := range []bool{false, true} {
			dst := make([]byte, 40)
			a, b, err := ascii85.Decode(dst, []byte(s), flush)
			fmt.Printf("%q %v: %q %d %v; ", s, flush, dst[:a], b, err)
		}
		got, err := io.ReadAll(ascii85.NewDecoder(dribble{strings.NewReader(s), 2}))
		fmt.Printf("%q %v\n", got, err)
	}
	fmt.Println(ascii85.Decode(make([]byte, 5), []byte("87cURD_*#TDfTZ)"), true))
	var out bytes.Buffer
	w := ascii85.NewEncoder(&out)
	for i := range 60 {
		fmt.Fprint(w, strings.Repeat("\x00x", i))
	}
	w.Close()
	fmt.Println(out.Len(), crc32.ChecksumIEEE(out.Bytes()))
	got, err := io.ReadAll(ascii85.NewDecoder(strings.NewReader(strings.ReplaceAll(out.String(), "!", " !\n"))))
	fmt.Println(len(got), crc32.ChecksumIEEE(got), err)
	w = ascii85.NewEncoder(&full{1100})
	n, err := w.Write(make([]byte, 9999))
	fmt.Println(n, err)
	w = ascii85.NewEncoder(&full{1})
	n, err = w.Write([]byte("abcdefgh"))
	fmt.Println(n, err, w.Close())
	try(func() { ascii85.Encode(make([]byte, 4), []byte("a")) })
}

// mutated is what the decoders say of bad input, in one number.
func mutated() {
	rng := rand.New(rand.NewSource(1))
	sum := crc32.NewIEEE()
	text := string(pem.EncodeToMemory(&pem.Block{Type: "T", Headers: map[string]string{"k": "v"}, Bytes: make([]byte, 70)}))
	b32 := base32.StdEncoding.EncodeToString([]byte("hello, world, what a day"))
	a85 := make([]byte, 40)
	a85 = a85[:ascii85.Encode(a85, []byte("hello, world, what a day"))]
	bits := "-=\n :AZz!\x00\xff~"
	mutate := func(s string) []byte {
		b := []byte(s)
		for range 1 + rng.Intn(3) {
			i := rng.Intn(len(b))
			switch c := bits[rng.Intn(len(bits))]; rng.Intn(3) {
			case 0:
				b[i] = c
			case 1:
				b = append(b[:i], b[i+1:]...)
			case 2:
				b = append(b[:i], append([]byte{c}, b[i:]...)...)
			}
		}
		return b
	}
	for range 2000 {
		b, rest := pem.Decode(mutate(text + text))
		fmt.Fprint(sum, b, rest)
		m := mutate(b32)
		out, err := base32.StdEncoding.DecodeString(string(m))
		fmt.Fprint(sum, out, err)
		out, err = io.ReadAll(base32.NewDecoder(base32.StdEncoding, dribble{bytes.NewReader(m), 1 + rng.Intn(20)}))
		fmt.Fprint(sum, out, err)
		m = mutate(string(a85))
		n, k, err := ascii85.Decode(make([]byte, 99), m, true)
		fmt.Fprint(sum, n, k, err)
	}
	fmt.Println(sum.Sum32())
}

func main() {
	pems()
	base32s()
	ascii85s()
	mutated()
}
