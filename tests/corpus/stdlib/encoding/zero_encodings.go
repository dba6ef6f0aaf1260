// run

// Encodings of package base64 and base32 that nobody made, and wrong paddings of base32.
package main

import (
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

func try(what string, f func() any) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Printf("%s: panic %v\n", what, e)
		}
	}()
	fmt.Printf("%s: %v\n", what, f())
}

func main() {
	var e64 base64.Encoding
	var e32 base32.Encoding
	for _, s := range []string{"", "a", "abcd", "abcdefghij"} {
		try("64", func() any { return fmt.Sprintf("%q", e64.EncodeToString([]byte(s))) })
		try("64", func() any { b, err := e64.DecodeString(s); return fmt.Sprintf("%q %v", b, err) })
		try("64", func() any { return fmt.Sprint(e64.EncodedLen(len(s)), e64.DecodedLen(len(s))) })
		try("32", func() any { return fmt.Sprintf("%q", e32.EncodeToString([]byte(s))) })
		try("32", func() any { b, err := e32.DecodeString(s); return fmt.Sprintf("%q %v", b, err) })
		try("32", func() any { return fmt.Sprint(e32.EncodedLen(len(s)), e32.DecodedLen(len(s))) })
	}
	try("64", func() any { return e64.WithPadding('=') })
	try("32", func() any { return e32.WithPadding('=') })
	for _, s := range []string{"AA=", "AA======", "AAA=====", "AAAAAA==", "A=======", "AA==", "AAAA=A==", "AAAA====A",
		"=", "========", "AAAAAAAA=", "AAAAA==", "AAAAAAA", "AA=A====", "AAAAAAAAAA======AA", "aa======"} {
		for _, padding := range []rune{'=', -1, 'a'} {
			e := base32.StdEncoding.WithPadding(padding)
			b, err := e.DecodeString(s)
			fmt.Println(s, b, err)
			b, err = io.ReadAll(base32.NewDecoder(e, strings.NewReader(s)))
			fmt.Println(s, b, err)
		}
	}
}
