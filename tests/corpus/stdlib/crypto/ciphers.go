// run
//
// AES, DES and RC4 in all modes, in one piece and in several, and what they panic at.
package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/rc4"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand"
)

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

// own hides what the library knows of a cipher.
type own struct{ cipher.Block }

func data(n int) []byte {
	b := make([]byte, n)
	rand.New(rand.NewSource(int64(n))).Read(b)
	return b
}

func streams(name string, b cipher.Block) {
	iv := data(b.BlockSize())
	text := data(10000)
	for i, f := range []func() cipher.Stream{
		func() cipher.Stream { return cipher.NewCTR(b, iv) }, func() cipher.Stream { return cipher.NewOFB(b, iv) },
		func() cipher.Stream { return cipher.NewCFBEncrypter(b, iv) }, func() cipher.Stream { return cipher.NewCFBDecrypter(b, iv) },
		func() cipher.Stream { return cipher.NewCTR(b, bytes.Repeat([]byte{255}, b.BlockSize())) },
	} {
		whole := make([]byte, len(text))
		f().XORKeyStream(whole, text)
		parts := bytes.Clone(text)
		s := f()
		for at, n := 0, 1; at < len(parts); n = n*3%70 + 1 {
			to := min(len(parts), at+n)
			s.XORKeyStream(parts[at:to], parts[at:to])
			at = to
		}
		fmt.Println(name, i, crc32.ChecksumIEEE(whole), bytes.Equal(whole, parts))
		try(func() { f().XORKeyStream(whole[:5], text) })
		try(func() { f().XORKeyStream(whole[1:], whole[:9]) })
	}
	for _, decrypts := range []bool{false, true} {
		f := cipher.NewCBCEncrypter
		if decrypts {
			f = cipher.NewCBCDecrypter
		}
		text := text[:8192]
		whole := make([]byte, len(text)+3)
		m := f(b, iv)
		m.CryptBlocks(whole, text)
		parts := bytes.Clone(text)
		p := f(b, iv)
		for at := 0; at < len(parts); at += 64 {
			p.CryptBlocks(parts[at:at+64], parts[at:at+64])
		}
		fmt.Println(name, decrypts, crc32.ChecksumIEEE(whole), bytes.Equal(whole[:8192], parts), m.BlockSize())
		m.(interface{ SetIV([]byte) }).SetIV(iv)
		m.CryptBlocks(whole, text[:64])
		m.CryptBlocks(nil, nil)
		fmt.Println(hex.EncodeToString(whole[:64]))
		try(func() { m.CryptBlocks(whole, text[:9]) })
		try(func() { m.CryptBlocks(whole[:16], text[:64]) })
		try(func() { m.CryptBlocks(whole[8:], whole[:64]) })
		try(func() { m.(interface{ SetIV([]byte) }).SetIV(iv[1:]) })
		try(func() { f(b, iv[1:]) })
	}
	try(func() { cipher.NewCTR(b, iv[1:]) })
	try(func() { cipher.NewOFB(b, iv[1:]) })
	try(func() { cipher.NewCFBEncrypter(b, iv[1:]) })
	dst := make([]byte, b.BlockSize())
	b.Encrypt(dst, text)
	fmt.Print(hex.EncodeToString(dst), " ")
	b.Decrypt(dst, dst)
	fmt.Println(bytes.Equal(dst, text[:len(dst)]), b.BlockSize())
	try(func() { b.Encrypt(dst, text[:3]) })
	try(func() { b.Decrypt(dst[:3], text) })
	long := make([]byte, 64)
	try(func() { b.Encrypt(long[1:], long) })
}

func gcms(name string, b cipher.Block) {
	for nonce := 1; nonce < 40; nonce += 11 {
		for n := 0; n < 5000; n = n*3 + 7 {
			g, err := cipher.NewGCMWithNonceSize(b, nonce)
			if err != nil {
				fmt.Println(err)
				return
			}
			sealed := g.Seal([]byte("head"), data(nonce), data(n), data(n/3))
			text, err := g.Open([]byte("x"), data(nonce), sealed[4:], data(n/3))
			fmt.Print(crc32.ChecksumIEEE(sealed), len(sealed), bytes.Equal(text[1:], data(n)), err, " ")
			sealed[4+n/2] ^= 1
			text, err = g.Open(nil, data(nonce), sealed[4:], data(n/3))
			fmt.Print(text, err, " ")
		}
	}
	fmt.Println(name)
	for tag := 11; tag < 18; tag++ {
		g, err := cipher.NewGCMWithTagSize(b, tag)
		if err != nil {
			fmt.Println(tag, err)
			continue
		}
		fmt.Println(g.NonceSize(), g.Overhead(), hex.EncodeToString(g.Seal(nil, data(12), []byte("text"), nil)))
	}
	_, err := cipher.NewGCMWithNonceSize(b, 0)
	fmt.Println(err)
	g, _ := cipher.NewGCM(b)
	buf := make([]byte, 100)
	try(func() { g.Seal(nil, buf[:5], buf, nil) })
	try(func() { g.Open(nil, buf[:5], buf, nil) })
	try(func() { g.Seal(buf[:10], buf[:12], buf[11:20], nil) })
	try(func() { g.Seal(buf[:10], data(12), data(8), buf[12:20]) })
	same := bytes.Clone(buf)
	fmt.Println(hex.EncodeToString(g.Seal(same[:0], data(12), same[:20], nil)))
	text, err := g.Open(same[:0], data(12), same[:36], nil)
	fmt.Println(hex.EncodeToString(text), err)
	text, err = g.Open(nil, data(12), same[:9], nil)
	fmt.Println(text, err)
	r, err := cipher.NewGCMWithRandomNonce(b)
	if err != nil {
		fmt.Println(err)
		return
	}
	sealed := r.Seal([]byte("h"), nil, []byte("secret"), []byte("ad"))
	text, err = r.Open(nil, nil, sealed[1:], []byte("ad"))
	fmt.Println(r.NonceSize(), r.Overhead(), len(sealed), string(text), err)
	text, err = g.Open(nil, sealed[1:13], sealed[13:], []byte("ad"))
	fmt.Println(string(text), err)
	_, err = r.Open(nil, nil, sealed[2:], []byte("ad"))
	_, err2 := r.Open(nil, nil, sealed[:20], nil)
	fmt.Println(err, err2)
	try(func() { r.Seal(nil, data(12), nil, nil) })
}

type shortWriter struct{}

func (shortWriter) Write(p []byte) (int, error) { return len(p) / 2, nil }
func (shortWriter) Close() error                { return errors.New("closed") }

func main() {
	for _, n := range []int{16, 24, 32} {
		b, err := aes.NewCipher(data(n))
		fmt.Println(err)
		streams(fmt.Sprint("aes", n), b)
		gcms(fmt.Sprint("aes", n), b)
	}
	b, _ := aes.NewCipher(data(16))
	streams("own", own{b})
	gcms("own", own{b})
	d, err := des.NewCipher(data(8))
	fmt.Println(err)
	streams("des", d)
	gcms("des", d)
	t, err := des.NewTripleDESCipher(data(24))
	fmt.Println(err)
	streams("3des", t)
	for _, n := range []int{0, 7, 15, 33} {
		_, err := aes.NewCipher(data(n))
		_, err2 := des.NewCipher(data(n))
		_, err3 := des.NewTripleDESCipher(data(n))
		_, err4 := rc4.NewCipher(data(n * 16))
		fmt.Println(err, err2, err3, err4)
	}
	c, _ := rc4.NewCipher([]byte("Key"))
	out := make([]byte, 9)
	c.XORKeyStream(out, []byte("Plain"))
	c.XORKeyStream(out[5:], []byte("text"))
	fmt.Println(hex.EncodeToString(out))
	c.XORKeyStream(nil, nil)
	try(func() { c.XORKeyStream(out[:2], out) })
	try(func() { c.XORKeyStream(out[1:], out[:5]) })
	big := data(100000)
	c.XORKeyStream(big, big)
	fmt.Println(crc32.ChecksumIEEE(big))
	c.Reset()
	c.XORKeyStream(out, make([]byte, 9))
	fmt.Println(out)

	iv := data(16)
	var buf bytes.Buffer
	w := cipher.StreamWriter{S: cipher.NewCTR(b, iv), W: &buf}
	io.WriteString(w, "hello, ")
	io.WriteString(w, "world")
	text, err := io.ReadAll(cipher.StreamReader{S: cipher.NewCTR(b, iv), R: &buf})
	fmt.Println(string(text), err, w.Close())
	w.W = shortWriter{}
	n, err := w.Write([]byte("abcd"))
	fmt.Println(n, err, w.Close())
}
