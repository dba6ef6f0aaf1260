// run
//
// HMAC, HKDF, PBKDF2, crypto/subtle and crypto/rand.
package main

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/md5"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"strings"
)

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

// plain is a hash of the program's own, without states or clones.
type plain struct{ h hash.Hash }

func (p *plain) Write(b []byte) (int, error) { return p.h.Write(b) }
func (p *plain) Sum(b []byte) []byte         { return p.h.Sum(b) }
func (p *plain) Reset()                      { p.h.Reset() }
func (p *plain) Size() int                   { return p.h.Size() }
func (p *plain) BlockSize() int              { return p.h.BlockSize() }

type seven struct{}

func (seven) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(7 * i)
	}
	return len(p), nil
}

func main() {
	news := []func() hash.Hash{
		md5.New, sha1.New, sha256.New224, sha256.New, sha512.New384, sha512.New, sha512.New512_224, sha512.New512_256,
		func() hash.Hash { return sha3.New256() }, func() hash.Hash { return &plain{sha256.New()} },
		func() hash.Hash { return fnv.New64a() },
	}
	for i, f := range news {
		for _, n := range []int{0, 5, 64, 65, 200} {
			m := hmac.New(f, bytes.Repeat([]byte("k"), n))
			io.WriteString(m, "message")
			a := m.Sum([]byte("p"))
			m.Reset()
			io.WriteString(m, "mess")
			c, err := m.(hash.Cloner).Clone()
			if m.BlockSize() == 136 {
				err = errors.ErrUnsupported
			}
			io.WriteString(m, "age")
			fmt.Printf("%x %v %d %d", a, bytes.Equal(a[1:], m.Sum(nil)), m.Size(), m.BlockSize())
			if err == nil {
				io.WriteString(c, "age")
				fmt.Println("", hmac.Equal(a[1:], c.Sum(nil)))
			} else {
				fmt.Println("", err, errors.Is(err, errors.ErrUnsupported))
			}
		}
		for _, iter := range []int{-1, 1, 2, 100} {
			key, err := pbkdf2.Key(f, "password", []byte("salt"), iter, 40+i)
			fmt.Printf("%x %v\n", key, err)
		}
		key, err := hkdf.Key(f, []byte("secret"), []byte("salt"), "info", 50)
		fmt.Printf("%x %v\n", key, err)
		key, err = hkdf.Extract(f, []byte("secret"), nil)
		fmt.Printf("%x %v\n", key, err)
		key, err = hkdf.Expand(f, key, "", 3*i)
		fmt.Printf("%x %v\n", key, err)
	}
	key, err := pbkdf2.Key(sha3.New512, "pässword", nil, 3, 100)
	fmt.Printf("%x %v\n", key, err)
	fmt.Println(pbkdf2.Key(sha1.New, "", nil, 1, 0))
	fmt.Println(pbkdf2.Key(sha1.New, "", nil, 1, 1<<63-1))
	fmt.Println(hkdf.Key(sha1.New, nil, nil, "", 255*20+1))
	fmt.Println(hkdf.Expand(sha1.New, nil, "", 255*20+1))
	one := sha1.New()
	try(func() { hmac.New(func() hash.Hash { return one }, nil) })
	fmt.Println(hmac.Equal([]byte("a"), []byte("a")), hmac.Equal([]byte("a"), []byte("b")), hmac.Equal(nil, []byte("b")), hmac.Equal(nil, nil))

	fmt.Println(subtle.ConstantTimeCompare([]byte("abc"), []byte("abc")), subtle.ConstantTimeCompare([]byte("abc"), []byte("abd")))
	fmt.Println(subtle.ConstantTimeByteEq(3, 3), subtle.ConstantTimeByteEq(3, 4), subtle.ConstantTimeEq(-1, -1), subtle.ConstantTimeEq(1, 2))
	fmt.Println(subtle.ConstantTimeLessOrEq(1, 2), subtle.ConstantTimeLessOrEq(2, 2), subtle.ConstantTimeLessOrEq(3, 2))
	fmt.Println(subtle.ConstantTimeSelect(1, 5, 6), subtle.ConstantTimeSelect(0, 5, 6), subtle.ConstantTimeSelect(9, 5, 6))
	x, y := []byte("hello"), []byte("world")
	subtle.ConstantTimeCopy(0, x, y)
	fmt.Printf("%s ", x)
	subtle.ConstantTimeCopy(1, x, y)
	fmt.Printf("%s\n", x)
	try(func() { subtle.ConstantTimeCopy(1, x, y[:2]) })
	long, dst := bytes.Repeat([]byte("0123456789"), 20), make([]byte, 300)
	fmt.Println(subtle.XORBytes(dst, long, []byte(strings.Repeat("x", 150))), hex.EncodeToString(dst[140:160]))
	fmt.Println(subtle.XORBytes(long, long, long), long[0], long[199], subtle.XORBytes(nil, nil, x))
	try(func() { subtle.XORBytes(dst[:3], long, long) })
	try(func() { subtle.XORBytes(dst[1:], dst, long[:10]) })
	try(func() { subtle.XORBytes(dst, long[:10], dst[3:]) })
	fmt.Println(subtle.XORBytes(dst[100:], dst, dst[:50]))
	subtle.WithDataIndependentTiming(func() { fmt.Println("run") })

	a, b := make([]byte, 3<<20), make([]byte, 32)
	n, err := rand.Read(a)
	m, err2 := io.ReadFull(rand.Reader, b)
	fmt.Println(n, err, m, err2, bytes.Count(a, []byte{0}) < 14000, bytes.Contains(a, b[:9]))
	text := rand.Text()
	fmt.Println(len(text), strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == "", text != rand.Text())
	rand.Reader = seven{}
	rand.Read(b)
	fmt.Println(b, rand.Text())
}
