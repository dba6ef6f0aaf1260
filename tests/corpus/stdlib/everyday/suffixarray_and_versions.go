// run

// index/suffixarray against a search without an index, its stored form, and go/version.
package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/version"
	"index/suffixarray"
	"math/rand"
	"regexp"
	"slices"
	"strings"
)

func places(text, s string) (all []int) {
	for i := range text {
		if strings.HasPrefix(text[i:], s) {
			all = append(all, i)
		}
	}
	return all
}

func main() {
	r := rand.New(rand.NewSource(3))
	for range 400 {
		letters := 1 + r.Intn(4)
		b := make([]byte, r.Intn(200))
		for i := range b {
			b[i] = byte('a' + r.Intn(letters))
		}
		text := string(b)
		x := suffixarray.New(b)
		for range 10 {
			s := string(b[min(len(b), r.Intn(200)):])
			s = s[:min(len(s), 1+r.Intn(5))]
			if s == "" {
				continue
			}
			got := x.Lookup([]byte(s), -1)
			slices.Sort(got)
			if !slices.Equal(got, places(text, s)) {
				fmt.Println("wrong", text, s, got)
			}
		}
	}
	for _, text := range []string{"", "a", "\x00\xff\x00", strings.Repeat("ab", 500), strings.Repeat("a", 999), "mississippi"} {
		x := suffixarray.New([]byte(text))
		var b bytes.Buffer
		fmt.Println(x.Write(&b), b.Len(), fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))[:16])
		var y suffixarray.Index
		fmt.Println(y.Read(bytes.NewReader(b.Bytes())), string(y.Bytes()) == text, len(y.Lookup([]byte("a"), -1)))
		fmt.Println(y.Read(bytes.NewReader(b.Bytes()[:b.Len()/2])))
	}
	x := suffixarray.New([]byte("banana bandana"))
	fmt.Println(x.Lookup([]byte("ana"), 2), x.Lookup(nil, -1), x.Lookup([]byte("x"), -1), x.Lookup([]byte("a"), 0))
	for _, e := range []string{"an", "an+a", "[bd]an", "ana", "b.n", "zz", "(?:ana)+"} {
		for _, n := range []int{-1, 0, 1, 2, 9} {
			fmt.Print(x.FindAllIndex(regexp.MustCompile(e), n), " ")
		}
		fmt.Println()
	}
	var y suffixarray.Index
	fmt.Println(y.Read(strings.NewReader("\x03" + strings.Repeat("\x00", 9))))
	fmt.Println(y.Read(strings.NewReader("\x04" + strings.Repeat("\x00", 9) + "ab" + "\x18" + strings.Repeat("\x00", 9) + "\x05\x06")))

	versions := []string{"", "go", "go1", "go1.0", "go1.20", "go1.20.0", "go1.21", "go1.21rc2", "go1.21.0", "go1.21.5-custom",
		"go1.9", "go01.2", "go1.02", "go1.2.3.4", "go1.2x", "1.21", "go1.21alpha", "go1.21-x", "go2", "go1.999999999999999999999"}
	for _, v := range versions {
		fmt.Printf("%q %v %q", v, version.IsValid(v), version.Lang(v))
		for _, w := range versions {
			fmt.Print(" ", version.Compare(v, w))
		}
		fmt.Println()
	}
}
