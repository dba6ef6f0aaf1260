// run

// Values of all kinds there and back, what is refused, and elements that have been altered.
package main

import (
	"encoding/asn1"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math/big"
	"math/rand"
	"strings"
	"time"
)

type inner struct {
	A int `asn1:"tag:1"`
	B int `asn1:"explicit,tag:2"`
}

type numbersSET []int

type all struct {
	Raw   asn1.RawContent
	I     int
	I8    int64 `asn1:"optional,default:7"`
	B     bool
	S     string
	P     string `asn1:"printable"`
	IA    string `asn1:"ia5,tag:5"`
	N     string `asn1:"numeric,optional"`
	U     string `asn1:"utf8"`
	T     time.Time
	G     time.Time `asn1:"generalized,optional"`
	O     asn1.ObjectIdentifier
	Bits  asn1.BitString
	Bytes []byte
	Big   *big.Int
	E     asn1.Enumerated
	In    inner `asn1:"application,tag:3"`
	L     []string
	Set   numbersSET
	Set2  []int     `asn1:"set"`
	F     asn1.Flag `asn1:"explicit,optional,tag:9"`
	R     asn1.RawValue
	Omit  []int `asn1:"omitempty,optional,explicit,tag:11"`
	Priv  int   `asn1:"private,tag:40"`
	Any   any
}

func full() all {
	n, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	return all{
		I: -129, I8: 7, B: true, S: "plain *", P: "a*b", IA: "a@b", N: "12 3", U: "é",
		T: time.Date(1999, 12, 31, 23, 59, 58, 0, time.FixedZone("", -5400)),
		G: time.Date(2050, 1, 2, 3, 4, 5, 0, time.UTC),
		O: asn1.ObjectIdentifier{2, 100, 3, 113549}, Bits: asn1.BitString{Bytes: []byte{0xa8}, BitLength: 5},
		Bytes: []byte("octets"), Big: n, E: 3, In: inner{1, 2}, L: []string{"a", "b&c"}, Set: numbersSET{3, -1, 2}, Set2: []int{500, 1},
		R: asn1.RawValue{Class: 2, Tag: 31, IsCompound: true, Bytes: []byte{5, 0}}, Priv: 1 << 40, Any: "any",
	}
}

func there(v any, params string) {
	b, err := asn1.MarshalWithParams(v, params)
	text := hex.EncodeToString(b)
	if len(text) > 300 {
		text = text[:300] + "…"
	}
	fmt.Printf("%T %q %s %v\n", v, params, text, err)
}

func marshalled() {
	for _, n := range []int64{0, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, 1<<63 - 1, -1 << 63} {
		there(n, "")
		there(big.NewInt(n), "")
	}
	for _, s := range []string{"128", "-128", "-129", "18446744073709551616", "-18446744073709551616"} {
		n, _ := new(big.Int).SetString(s, 10)
		there(n, "")
	}
	for _, p := range []string{
		"", "tag:3", "explicit,tag:3", "application,tag:3", "private,tag:200", "explicit", "explicit,application", "optional", "optional,default:5", "set",
		"ia5", "utc", "default:x,tag:y,unknown",
	} {
		there(5, p)
		there("text", p)
		there([]int{2, 1}, p)
	}
	there(struct{}{}, "")
	there([]any{1, "a", nil}, "")
	there([]any{1, "a", []byte{1}, true}, "")
	there(nil, "")
	there(struct{ a int }{1}, "")
	there(1.5, "")
	there(uint(1), "")
	there(map[int]int{}, "")
	there((*big.Int)(nil), "")
	there("\xff", "")
	there("a&b", "printable")
	there("é", "ia5")
	there("1a", "numeric")
	there("with & and *", "")
	there(asn1.ObjectIdentifier{1}, "")
	there(asn1.ObjectIdentifier{3, 1}, "")
	there(asn1.ObjectIdentifier{1, 40}, "")
	there(asn1.ObjectIdentifier{1, 39, 0, 128}, "")
	there(asn1.ObjectIdentifier(nil), "optional")
	there(asn1.NullRawValue, "")
	there(asn1.RawValue{FullBytes: []byte{1, 2}}, "")
	there(asn1.Flag(true), "")
	there(asn1.Enumerated(-3), "")
	there(strings.Repeat("x", 200), "")
	there(make([]byte, 70000), "")
	for _, year := range []int{-1, 0, 1949, 1950, 2000, 2049, 2050, 9999, 10000} {
		t := time.Date(year, 2, 3, 4, 5, 6, 789, time.FixedZone("", 3599))
		there(t, "")
		there(t.In(time.FixedZone("", 19800)), "generalized")
	}
	fmt.Println(asn1.NullBytes, asn1.ObjectIdentifier{1, 2, 840}, asn1.ObjectIdentifier{1}.Equal(asn1.ObjectIdentifier{1}))
	s := asn1.BitString{Bytes: []byte{0x82, 0x40}, BitLength: 10}
	fmt.Println(s.At(0), s.At(1), s.At(9), s.At(10), s.At(-1), s.RightAlign(), asn1.BitString{Bytes: []byte{1}, BitLength: 8}.RightAlign())
}

// quiet has back show some lines only; lines is a digest of all.
var (
	quiet bool
	lines = fnv.New64()
)

// back reads text into a new value of the type of v.
func back[T any](text, params string) {
	b, _ := hex.DecodeString(text)
	var v T
	rest, err := asn1.UnmarshalWithParams(b, &v, params)
	line := fmt.Sprintf("%+v %x %v", v, rest, err)
	if i := strings.Index(line, "0x"); i >= 0 {
		line = line[:i] // the address of a parameter
	}
	if !quiet || len(line)%16 == 0 {
		fmt.Printf("%T %s %q %s\n", v, text, params, line)
	}
	fmt.Fprintln(lines, line)
}

func unmarshalled() {
	for _, s := range []string{
		"", "02", "0201", "020105", "02010500", "020200ff", "0202007f", "0202ffff", "0200", "0209010000000000000000", "02080100000000000000", "82010a",
		"028101ff", "02820001ff", "0280", "0285ffffffffff", "1f020105", "1f1f0105", "1f850105", "22030201ff", "0205ffffffffff", "0204ffffffff", "02047fffffff",
		"a303020105", "63030201ff", "a300", "a3",
	} {
		back[int](s, "")
		back[int32](s, "")
		back[*big.Int](s, "")
		back[any](s, "")
		back[asn1.RawValue](s, "")
		back[int](s, "explicit,tag:3")
		back[int](s, "application,explicit,tag:3")
		back[asn1.Flag](s, "explicit,tag:3,optional")
		back[int](s, "optional,default:9")
	}
	quiet = true
	for _, s := range []string{
		"0101ff", "010100", "010101", "01020000", "0c03616263", "0c02c3a9", "0c01ff", "130161", "130140", "130126", "1601ff", "160161", "1201ff", "120131", "1402e9ff",
		"1b01e9", "1e0400610062", "1e0400610000", "1e03006100", "1e02d800", "1e02fffe", "0603550403", "0600", "06028001", "060188", "0607888888888801ff", "0604ffffff7f",
		"030206a0", "030100", "0300", "030208ff", "030101", "030203ff", "0403010203", "0a0105", "0500",
		"170d3939313233313233353935395a", "170b393931323331323335395a", "17113939313233313233353935392b30313030", "170d3530303130313030303030305a", "170d3939313333313233353935395a",
		"180f32303530303130323033303430355a", "181332303530303130323033303430352e3132335a", "181332303530303130323033303430352e3132305a", "17023939", "1800",
		"3000", "3003020105", "3006020105020106", "31060201050c0161", "30060c01611301ff", "300402010502", "3005020105020106",
	} {
		back[bool](s, "")
		back[string](s, "")
		back[string](s, "utf8,tag:12")
		back[asn1.ObjectIdentifier](s, "")
		back[asn1.BitString](s, "")
		back[[]byte](s, "")
		back[asn1.Enumerated](s, "")
		back[time.Time](s, "")
		back[any](s, "")
		back[[]int](s, "")
		back[[]any](s, "")
		back[[]string](s, "set")
		back[struct{ A, B int }](s, "")
		back[struct {
			A int    `asn1:"optional"`
			B string `asn1:"optional"`
		}](s, "")
	}
	fmt.Printf("%x\n", lines.Sum64())
	quiet = false
	back[struct{ a int }]("3003020105", "")
	back[uint]("020105", "")
	back[[]float64]("3003020105", "")
	back[int8]("020105", "")
	for _, v := range []any{nil, 1, (*int)(nil), struct{}{}} {
		_, err := asn1.Unmarshal([]byte{2, 1, 1}, v)
		fmt.Println(err)
	}
}

func altered() {
	v := full()
	b, err := asn1.Marshal(v)
	fmt.Println(hex.EncodeToString(b), err)
	var w all
	rest, err := asn1.Unmarshal(append(b, 1, 2), &w)
	w.Raw = w.Raw[:2]
	fmt.Printf("%+v %x %v\n", w, rest, err)
	r := rand.New(rand.NewSource(3))
	digest := fnv.New64()
	failed := 0
	for range 3000 {
		c := append([]byte{}, b...)
		for range 1 + r.Intn(3) {
			c[r.Intn(len(c))] = byte(r.Intn(256))
		}
		if r.Intn(4) == 0 {
			c = c[:r.Intn(len(c))]
		}
		var w all
		_, err := asn1.Unmarshal(c, &w)
		if err != nil {
			failed++
			if s := err.Error(); strings.Contains(s, "0x") || strings.Contains(s, "time") {
				continue // addresses of parameters, or texts of package time
			}
		}
		fmt.Fprintln(digest, w, err)
	}
	fmt.Printf("%d %x\n", failed, digest.Sum64())
}

func main() {
	marshalled()
	unmarshalled()
	altered()
}
