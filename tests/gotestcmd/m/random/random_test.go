package random

import (
	"bytes"
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hpke"
	"crypto/mldsa"
	"crypto/mlkem"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"fmt"
	"math/big"
	"testing"
	"testing/cryptotest"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func sum(p []byte) string { return fmt.Sprintf("%d %x", len(p), sha256.Sum256(p))[:20] }

func TestSameEachTime(t *testing.T) {
	show := func(what string, f func() []byte) {
		cryptotest.SetGlobalRandom(t, 7)
		t.Log(what, sum(f()))
	}
	show("bytes", func() []byte {
		b := make([]byte, 100)
		rand.Read(b)
		return b
	})
	show("text", func() []byte { return []byte(rand.Text()) })
	show("int", func() []byte { return must(rand.Int(rand.Reader, big.NewInt(1e18))).Bytes() })
	show("prime", func() []byte { return must(rand.Prime(rand.Reader, 64)).Bytes() })
	for _, c := range []elliptic.Curve{
		elliptic.P224(), elliptic.P256(), elliptic.P384(), elliptic.P521(),
	} {
		show(c.Params().Name, func() []byte { return must(must(ecdsa.GenerateKey(c, nil)).Bytes()) })
		cryptotest.SetGlobalRandom(t, 8)
		key := must(ecdsa.GenerateKey(c, nil))
		show("sign", func() []byte { return must(ecdsa.SignASN1(nil, key, make([]byte, 32))) })
	}
	for _, c := range []ecdh.Curve{ecdh.X25519(), ecdh.P256(), ecdh.P384(), ecdh.P521()} {
		show(fmt.Sprint(c), func() []byte { return must(c.GenerateKey(nil)).Bytes() })
	}
	show("ed25519", func() []byte {
		_, key, _ := ed25519.GenerateKey(nil)
		return key
	})
	cryptotest.SetGlobalRandom(t, 7)
	key := must(rsa.GenerateKey(nil, 1024))
	t.Log("rsa", sum(key.D.Bytes()))
	show("pkcs1", func() []byte {
		return must(rsa.EncryptPKCS1v15(nil, &key.PublicKey, []byte("x")))
	})
	show("oaep", func() []byte {
		return must(rsa.EncryptOAEP(sha256.New(), rand.Reader, &key.PublicKey, []byte("x"), nil))
	})
	show("pss", func() []byte {
		return must(rsa.SignPSS(rand.Reader, key, crypto.SHA256, make([]byte, 32), nil))
	})
	show("mlkem", func() []byte {
		key := must(mlkem.GenerateKey768())
		secret, text := key.EncapsulationKey().Encapsulate()
		return bytes.Join([][]byte{key.Bytes(), secret, text}, nil)
	})
	show("mldsa", func() []byte {
		key := must(mldsa.GenerateKey(mldsa.MLDSA44()))
		return append(key.Bytes(), must(key.Sign(nil, []byte("x"), nil))...)
	})
	for _, k := range []hpke.KEM{
		hpke.DHKEM(ecdh.X25519()), hpke.DHKEM(ecdh.P256()), hpke.MLKEM768X25519(), hpke.MLKEM1024(),
	} {
		show(fmt.Sprint("hpke ", k.ID()), func() []byte {
			key := must(k.GenerateKey())
			text := must(hpke.Seal(key.PublicKey(), hpke.HKDFSHA256(), hpke.AES128GCM(), nil, nil))
			return append(must(key.Bytes()), text...)
		})
	}
}

func caught(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func TestRefused(t *testing.T) {
	t.Run("first", func(t *testing.T) {
		t.Parallel()
		caught(func() { cryptotest.SetGlobalRandom(t, 1) })
		t.Run("below", func(t *testing.T) { caught(func() { cryptotest.SetGlobalRandom(t, 1) }) })
	})
	t.Run("then", func(t *testing.T) {
		cryptotest.SetGlobalRandom(t, 1)
		caught(t.Parallel)
	})
	caught(func() { cryptotest.SetGlobalRandom(nil, 1) })
}

func TestRestored(t *testing.T) {
	before := rand.Reader
	t.Run("within", func(t *testing.T) {
		cryptotest.SetGlobalRandom(t, 1)
		fmt.Println(rand.Reader == before)
		t.Setenv("GODEBUG", "cryptocustomrand=1")
		fmt.Println(sum(must(ecdh.P256().GenerateKey(rand.Reader)).Bytes()))
	})
	fmt.Println(rand.Reader == before)
	a, b := make([]byte, 20), make([]byte, 20)
	rand.Read(a)
	rand.Read(b)
	fmt.Println(bytes.Equal(a, b))
}
