// run

// Signatures: deterministic ones are the same each time, others verify, and what is not right is
// told.
package main

import (
	"bytes"
	"crypto"
	"crypto/dsa"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	_ "crypto/sha3"
	"crypto/sha512"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
)

type counter struct{ n byte }

func (c *counter) Read(p []byte) (int, error) {
	for i := range p {
		c.n++
		p[i] = c.n
	}
	return len(p), nil
}

// try prints what f panics with.
func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func edwards() {
	k := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32))
	pub := k.Public().(ed25519.PublicKey)
	fmt.Printf("%x %x\n", k, k.Seed())
	message := []byte("a message")
	sig := ed25519.Sign(k, message)
	fmt.Printf("%x %v\n", sig, ed25519.Verify(pub, message, sig))
	hash := sha512.Sum512(message)
	for _, opts := range []*ed25519.Options{
		{}, {Context: "c"}, {Hash: crypto.SHA512}, {Hash: crypto.SHA512, Context: "context"},
		{Hash: crypto.SHA256}, {Context: strings.Repeat("x", 256)},
		{Hash: crypto.SHA512, Context: strings.Repeat("x", 256)},
	} {
		for _, m := range [][]byte{message, hash[:]} {
			sig, err := k.Sign(nil, m, opts)
			fmt.Printf("%x %v\n", sig, err)
			fmt.Println(ed25519.VerifyWithOptions(pub, m, sig, opts))
			fmt.Println(ed25519.VerifyWithOptions(pub, m, make([]byte, 64), opts))
		}
	}
	for i := range sig {
		bad := bytes.Clone(sig)
		bad[i] ^= 0x80
		if ed25519.Verify(pub, message, bad) {
			fmt.Println("verified", i)
		}
	}
	fmt.Println(ed25519.Verify(pub, message, sig[:63]), ed25519.Verify(pub, nil, sig))
	none := bytes.Repeat([]byte{2}, 32)
	fmt.Println(ed25519.VerifyWithOptions(none, message, sig, &ed25519.Options{}))
	// Encodings of small points that are not canonical count, as in Go.
	for _, first := range []byte{0, 1, 0xec, 0xed, 0xee} {
		for _, last := range []byte{0, 0x80, 0x7f, 0xff} {
			p := bytes.Repeat([]byte{0xff}, 32)
			if last&0x7f == 0 {
				clear(p)
			}
			p[0], p[31] = first, last
			fmt.Print(ed25519.VerifyWithOptions(p, message, sig, &ed25519.Options{}), ";")
			small := append(bytes.Clone(p), make([]byte, 32)...)
			fmt.Println(ed25519.Verify(p, message, small))
		}
	}
	try(func() { ed25519.Sign(k[:63], nil) })
	try(func() { ed25519.NewKeyFromSeed(nil) })
	try(func() { ed25519.Verify(nil, nil, nil) })
	_, err := k[:10].Sign(nil, nil, crypto.Hash(0))
	fmt.Println(err)
	pub, k, err = ed25519.GenerateKey(&counter{})
	fmt.Printf("%x %v %v\n", pub, k.Equal(k), err)
	pub2, k2, _ := ed25519.GenerateKey(nil)
	fmt.Println(pub.Equal(pub2), k.Equal(k2), pub.Equal(k.Public()))
}

func curves() {
	all := []elliptic.Curve{elliptic.P224(), elliptic.P256(), elliptic.P384(), elliptic.P521()}
	other := *elliptic.P256().Params()
	for _, c := range append(all, &other) {
		name := c.Params().Name
		key, err := ecdsa.GenerateKey(c, rand.Reader)
		if err != nil {
			fmt.Println(err)
			continue
		}
		for _, n := range []int{1, 20, 32, 64, 100} {
			hash := bytes.Repeat([]byte{255}, n)
			sig, err := ecdsa.SignASN1(rand.Reader, key, hash)
			r, s, err2 := ecdsa.Sign(&counter{}, key, hash)
			fmt.Println(name, n, err, err2, ecdsa.VerifyASN1(&key.PublicKey, hash, sig), ecdsa.Verify(&key.PublicKey, hash, r, s))
			hash[0] ^= 1
			fmt.Println(ecdsa.VerifyASN1(&key.PublicKey, hash, sig), ecdsa.Verify(&key.PublicKey, hash, r, s))
			fmt.Println(ecdsa.Verify(&key.PublicKey, hash, r, new(big.Int)), ecdsa.Verify(&key.PublicKey, hash, c.Params().N, s))
			for i := range sig {
				if c == elliptic.Curve(&other) && i%16 != 0 {
					continue // which takes long
				}
				bad := bytes.Clone(sig)
				bad[i]++
				if ecdsa.VerifyASN1(&key.PublicKey, hash, bad) {
					fmt.Println("verified", i)
				}
			}
		}
		_, err = ecdsa.SignASN1(rand.Reader, key, nil)
		fmt.Println(err, ecdsa.VerifyASN1(&key.PublicKey, nil, nil))
		_, err = key.Sign(nil, make([]byte, 32), nil)
		_, err2 := key.Sign(nil, make([]byte, 31), crypto.SHA256)
		_, err3 := key.Sign(nil, make([]byte, 31), crypto.Hash(0))
		_, err4 := key.Sign(nil, make([]byte, 20), crypto.RIPEMD160)
		fmt.Println(err, err2, err3, err4)
		_, err = key.ECDH()
		_, err2 = key.PublicKey.ECDH()
		_, err3 = key.Bytes()
		fmt.Println(err, err2, err3)

		size := (c.Params().BitSize + 7) / 8
		d := make([]byte, size)
		d[size-1] = 5
		fixed, err := ecdsa.ParseRawPrivateKey(c, d)
		if err != nil {
			fmt.Println(err)
			continue
		}
		for _, h := range []crypto.Hash{crypto.SHA1, crypto.SHA256, crypto.SHA384, crypto.SHA512, crypto.SHA3_256} {
			sum := h.New()
			sum.Write([]byte("sample"))
			sig, err := fixed.Sign(nil, sum.Sum(nil), h)
			fmt.Printf("%x %v %v\n", sig, err, ecdsa.VerifyASN1(&fixed.PublicKey, sum.Sum(nil), sig))
		}
		public, err := fixed.PublicKey.Bytes()
		back, err2 := ecdsa.ParseUncompressedPublicKey(c, public)
		fmt.Printf("%x %v %v %v\n", public, err, err2, back.Equal(&fixed.PublicKey))
		_, err = ecdsa.ParseUncompressedPublicKey(c, nil)
		public[3] ^= 1
		_, err2 = ecdsa.ParseUncompressedPublicKey(c, public)
		_, err3 = ecdsa.ParseUncompressedPublicKey(c, public[:9])
		fmt.Println(err, err2, err3)
		for _, b := range [][]byte{nil, make([]byte, size), bytes.Repeat([]byte{255}, size), c.Params().N.FillBytes(make([]byte, size))} {
			_, err := ecdsa.ParseRawPrivateKey(c, b)
			fmt.Println(err)
		}
		wrong := *fixed
		wrong.D = new(big.Int).Lsh(wrong.D, 600)
		_, err = wrong.Bytes()
		wrong.D = big.NewInt(-1)
		_, err2 = wrong.Bytes()
		wrong.X = big.NewInt(1)
		_, err3 = wrong.PublicKey.Bytes()
		wrong.X = big.NewInt(-1)
		_, err4 = wrong.PublicKey.Bytes()
		fmt.Println(err, err2, err3, err4)
	}
}

// key2048 is a test key, made for this.
const key2048 = `-----BEGIN TEST KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCyhy7FSJ725EBK
rZGtduFC4gZ4bQ6PIh+jcUxYfRDM2zGlRyxzBTk+8ihvthocCefs+ZbCkMiOBh7Z
Topu9gednmuygSdnR70en1LsiWKxe/rhYanHpUJz2VOw5jVK4nL8ysjROWtplhqo
c8X0wVNHF8Q7Z39Ec6AXU0mnc7+WfzyzXXbIK54IUCiAXQL/fWFK/FITs3OeLamn
GLGLBbG6sA5uvf9qwo9R9bT1w9gxAYJ8Iu25K3cqXpbbYRcImgO4okgAlS7aikd9
l5y1cjh+WGpwkDVHlkSUnBK5hLd+pAwISYC8O3hgnL/1wePpkEB6QKj6p8ZnBloV
bYHy46WdAgMBAAECggEAJ94a4nkdcLaXqeWZXOKpmslFVyLJh8q/xHzSZwdk106S
x109zqDJwCYNRCcnLQBET+4Lzf7NnrO8s1v/+5gLKtZ8J/SCI2UIlXxQZRyoEskE
RU0NQFWGIb9UWnKKT6MCuTOixWBcfYuE//28pPQAQCXNT1PFPrjQdS0HC3NEg1ud
rg86fZd2TfXlfxQeC6BNG5WL+8FleOXJ7BU6hlcNMX9Gstj14/wCzHuJOyPYaweq
MLlfGxOcbLhF/VMypstODypI5TtBqCRcC2PvC10ANUm2+j1Dvl9SL432Vk2TZbjk
VRPe8S9ebOVVtMo0SA9OTSRbv/3WLf/CfaGZWfbgOQKBgQD24zDBfb/sDsx2RV+6
Ero2+fpK9OWE7RhO1zSTAiQEsyi7YtFSatXFW1zM7C0iIIWPztASs7jwr+zrsIIO
43v0I19/JxYja6Lb9D14fvCHm8h8TCLdXTzyRJrJvJ46gVNUMDZm4RjNHZyu7vCf
9nqxNzaK+7nvq0qAy4VW2j/DZQKBgQC5HhKTADGzxxcWy/zJ3gqIcoUZQjXaU202
Jquzhq47Nl9tEpGWGWh96rbgDto71Ratr6UG+sg9kxUaAh2s7bvtyfwKmy2lxFxm
JiRk3fB60Qcf+3Kl7omAlME6FH6FXOvtnpDpdp7xhcNCE5D6Bg/AFT87yq3MK8jI
yFMSMxsh2QKBgCg6tvwgeICHnMt83G9ek9dXfnBuXWP+mmJmcNuvkpztcKqwHHm4
jOLe001VArm34OuhAIi7nlwh3pI9LcQtT0pl5S67+MCGzn/W2Zlj3d/LA601Xs0B
X2f+w9YxlPrljeV/Aa5b6YWq2JgsuSrnp/BulcWp5Q9nsvkvsKeJYrB9AoGAPp0M
XUpohU1m4uAWXdVLrMFHgbaibnlfbDyCQRPh5MdMWaE5OxLXBBgayQhdCnXV2OOb
JxQ2HJWeQpDKps42jYSPSqsYMoSLWEW4c6GaEICZL1kmezeGrMYj4VhDPyqh5lqG
22Cy/DBpTfU+SUM5mpfVLo0sYe3BWSBg8Lv2hmkCgYEA3F/45tDZ9mM6R/s2gmqy
urvcgj7hJbooqIWNbc/tJQEtmGt4/Dg4EpfrBRtD2d16lFVj+xph9tLuiHXlIMrx
aKFLfyRB0OM2EDI4GNZNJxcCzLed+wk72DCGn2A09LSebiip75SwRLGCtSbz6Ljg
+h2nP0FJe3kCEth4W0Yk0iQ=
-----END TEST KEY-----
`

func rsas() {
	block, _ := pem.Decode([]byte(key2048))
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		fmt.Println(err)
		return
	}
	key := parsed.(*rsa.PrivateKey)
	fmt.Println(key.N, key.D, key.Primes, key.Precomputed.Dp, key.Precomputed.Dq, key.Precomputed.Qinv)
	sum := sha256.Sum256([]byte("sample"))
	for _, h := range []crypto.Hash{0, crypto.MD5, crypto.SHA1, crypto.SHA224, crypto.SHA256, crypto.SHA384, crypto.SHA512,
		crypto.SHA512_256, crypto.SHA3_384, crypto.MD5SHA1, crypto.RIPEMD160, crypto.BLAKE2b_256} {
		hash := bytes.Repeat([]byte{3}, 32)
		if h != 0 {
			hash = bytes.Repeat([]byte{3}, h.Size())
		}
		sig, err := rsa.SignPKCS1v15(nil, key, h, hash)
		fmt.Printf("%v %x %v %v\n", h, sig, err, rsa.VerifyPKCS1v15(&key.PublicKey, h, hash, sig))
	}
	_, err = rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:9])
	_, err2 := rsa.SignPKCS1v15(nil, key, 0, make([]byte, 300))
	fmt.Println(err, err2)
	for _, n := range []int{0, -1, 5, 64, -2, 300} {
		opts := &rsa.PSSOptions{SaltLength: n}
		sig, err := rsa.SignPSS(&counter{}, key, crypto.SHA256, sum[:], opts)
		fmt.Printf("%x %v\n", sig, err)
		for _, m := range []int{0, -1, 5, -2} {
			fmt.Println(rsa.VerifyPSS(&key.PublicKey, crypto.SHA256, sum[:], sig, &rsa.PSSOptions{SaltLength: m}))
		}
	}
	_, err = key.Sign(rand.Reader, sum[:], &rsa.PSSOptions{Hash: crypto.BLAKE2b_512})
	_, err2 = key.Sign(rand.Reader, sum[:3], &rsa.PSSOptions{Hash: crypto.SHA256})
	fmt.Println(err, err2)
	for _, text := range []string{"", "x", "hello", strings.Repeat("y", 190), strings.Repeat("z", 191), strings.Repeat("z", 300)} {
		c, err := rsa.EncryptOAEP(sha256.New(), &counter{}, &key.PublicKey, []byte(text), []byte("label"))
		p, err2 := rsa.DecryptOAEP(sha256.New(), nil, key, c, []byte("label"))
		_, err3 := rsa.DecryptOAEP(sha256.New(), nil, key, c, nil)
		_, err4 := rsa.DecryptOAEP(sha1.New(), nil, key, c, []byte("label"))
		fmt.Printf("%x %v %v %v %v %v\n", c, err, string(p) == text, err2, err3, err4)
		opts := &rsa.OAEPOptions{Hash: crypto.SHA1, MGFHash: crypto.SHA256}
		c, err = rsa.EncryptOAEPWithOptions(&counter{}, &key.PublicKey, []byte(text), opts)
		p, err2 = key.Decrypt(nil, c, opts)
		fmt.Printf("%x %v %v %v\n", c, err, string(p) == text, err2)
		c, err = rsa.EncryptPKCS1v15(rand.Reader, &key.PublicKey, []byte(text))
		p, err2 = rsa.DecryptPKCS1v15(nil, key, c)
		fmt.Println(err, string(p) == text, err2)
		session := []byte("what is there")
		fmt.Println(rsa.DecryptPKCS1v15SessionKey(nil, key, c, session), string(session))
		p, err = key.Decrypt(&counter{}, c, &rsa.PKCS1v15DecryptOptions{SessionKeyLen: 5})
		fmt.Printf("%x %v\n", p, err)
		_, err = rsa.DecryptPKCS1v15(nil, key, append([]byte{255}, c...))
		fmt.Println(err)
	}
	_, err = key.Decrypt(nil, nil, 5)
	_, err2 = key.Decrypt(nil, nil, &rsa.OAEPOptions{Hash: crypto.MD4})
	_, err3 := rsa.EncryptOAEPWithOptions(nil, &key.PublicKey, nil, &rsa.OAEPOptions{Hash: crypto.SHA1, MGFHash: crypto.MD4})
	fmt.Println(err, err2, err3)

	for _, bits := range []int{-5, 0, 31, 512, 1023} {
		_, err := rsa.GenerateKey(rand.Reader, bits)
		fmt.Println(err)
	}
	for _, primes := range []int{2, 3, 4} {
		key, err := rsa.GenerateMultiPrimeKey(nil, primes, 1024)
		fmt.Println(err, key.N.BitLen(), len(key.Primes), key.Validate(), len(key.Precomputed.CRTValues))
		sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
		fmt.Println(len(sig), err, rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, sum[:], sig))
		der, _ := x509.MarshalPKCS8PrivateKey(key)
		again, err := x509.ParsePKCS8PrivateKey(der)
		fmt.Println(key.Equal(again), err)
	}
	_, err = rsa.GenerateMultiPrimeKey(nil, 1, 1024)
	_, err2 = rsa.GenerateMultiPrimeKey(nil, 5, 20)
	fmt.Println(err, err2)
	change := func(f func(k *rsa.PrivateKey)) {
		k := &rsa.PrivateKey{PublicKey: key.PublicKey, D: key.D, Primes: []*big.Int{key.Primes[0], key.Primes[1]}}
		f(k)
		_, err := rsa.SignPKCS1v15(nil, k, crypto.SHA256, sum[:])
		fmt.Println(k.Validate(), err)
	}
	one := big.NewInt(1)
	change(func(k *rsa.PrivateKey) {})
	change(func(k *rsa.PrivateKey) { k.N = nil })
	change(func(k *rsa.PrivateKey) { k.N = new(big.Int).Add(k.N, one) })
	change(func(k *rsa.PrivateKey) { k.N = new(big.Int).Add(k.N, big.NewInt(2)) })
	change(func(k *rsa.PrivateKey) { k.D = nil })
	change(func(k *rsa.PrivateKey) { k.D = new(big.Int).Add(k.D, one) })
	change(func(k *rsa.PrivateKey) { k.D = new(big.Int).Lsh(k.D, 90) })
	change(func(k *rsa.PrivateKey) { k.D = new(big.Int).Add(k.N, k.D) })
	change(func(k *rsa.PrivateKey) { k.E = 1 })
	change(func(k *rsa.PrivateKey) { k.E = 4 })
	change(func(k *rsa.PrivateKey) { k.E = 3 })
	change(func(k *rsa.PrivateKey) { k.E = 1<<40 + 1 })
	change(func(k *rsa.PrivateKey) { k.Primes = nil })
	change(func(k *rsa.PrivateKey) { k.Primes = k.Primes[:1] })
	change(func(k *rsa.PrivateKey) { k.Primes[0] = nil })
	change(func(k *rsa.PrivateKey) { k.Primes[1] = nil })
	change(func(k *rsa.PrivateKey) { k.Primes[0] = one })
	change(func(k *rsa.PrivateKey) { k.Primes[0] = k.Primes[1] })
	change(func(k *rsa.PrivateKey) { k.Primes[0] = new(big.Int).Add(k.Primes[0], one) })
	change(func(k *rsa.PrivateKey) { k.Precompute(); k.Precomputed.Dp = one })
	change(func(k *rsa.PrivateKey) {
		k.Precomputed = rsa.PrecomputedValues{Dp: one, Dq: one, Qinv: one}
	})
}

func dsas() {
	var key dsa.PrivateKey
	fmt.Println(dsa.GenerateKey(&key, rand.Reader))
	fmt.Println(dsa.GenerateParameters(&key.Parameters, rand.Reader, 9))
	number := func(digits string) *big.Int {
		b, _ := hex.DecodeString(digits)
		return new(big.Int).SetBytes(b)
	}
	key.P = number("A9B5B793FB4785793D246BAE77E8FF63CA52F442DA763C440259919FE1BC1D6065A9350637A04F75A2F039401D49F08E066C4D275A5A65DA5684BC563C14289D7AB8A67163BFBF79D85972619AD2CFF55AB0EE77A9002B0EF96293BDD0F42685EBB2C66C327079F6C98000FBCB79AACDE1BC6F9D5C7B1A97E3D9D54ED7951FEF")
	key.Q = number("E1D3391245933D68A0714ED34BBCB7A1F422B9C1")
	key.G = number("634364FC25248933D01D1993ECABD0657CC0CB2CEED7ED2E3E8AECDFCDC4A25C3B15E9E3B163ACA2984B5539181F3EFF1A5E8903D71D5B95DA4F27202B77D2C44B430BB53741A8D59A8F86887525C9F2A6A5980A195EAA7F2FF910064301DEF89D3AA213E1FAC7768D89365318E370AF54A112EFBA9246D9158386BA1B4EEFDA")
	fmt.Println(dsa.GenerateKey(&key, &counter{}), key.X, key.Y)
	hash := sha1.Sum([]byte("x"))
	r, s, err := dsa.Sign(rand.Reader, &key, hash[:])
	fmt.Println(err, dsa.Verify(&key.PublicKey, hash[:], r, s), dsa.Verify(&key.PublicKey, hash[1:], r, s))
	fmt.Println(dsa.Verify(&key.PublicKey, hash[:], s, r), dsa.Verify(&key.PublicKey, hash[:], key.Q, s))
	key.X = new(big.Int)
	_, _, err = dsa.Sign(rand.Reader, &key, hash[:])
	fmt.Println(err)
}

func main() {
	edwards()
	curves()
	rsas()
	dsas()
}
