// run

// Keys that two agree on, and points of curves: fixed keys have fixed results, others agree.
package main

import (
	"bytes"
	"crypto/ecdh"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
)

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

type broken struct{}

func (broken) Read(p []byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func exchanges() {
	all := []ecdh.Curve{ecdh.X25519(), ecdh.P256(), ecdh.P384(), ecdh.P521()}
	for i, c := range all {
		a, err := c.GenerateKey(rand.Reader)
		b, err2 := c.GenerateKey(broken{}) // is not asked
		fmt.Println(c, err, err2)
		s, err := a.ECDH(b.PublicKey())
		t, err2 := b.ECDH(a.PublicKey())
		fmt.Println(bytes.Equal(s, t), len(s), err, err2, a.Equal(b), a.PublicKey().Equal(a.Public()))

		size := len(a.Bytes())
		k, err := c.NewPrivateKey(bytes.Repeat([]byte{1}, size))
		fmt.Printf("%x %v\n", k.PublicKey().Bytes(), err)
		l, _ := c.NewPrivateKey(append(bytes.Repeat([]byte{0}, size-1), 3))
		s, err = l.ECDH(k.PublicKey())
		fmt.Printf("%x %v\n", s, err)
		_, err = k.ECDH(mustKey(all[(i+1)%4]).PublicKey())
		fmt.Println(err)

		for _, n := range []int{0, 1, size - 1, size, size + 1} {
			_, err := c.NewPrivateKey(make([]byte, n))
			_, err2 := c.NewPrivateKey(bytes.Repeat([]byte{255}, n))
			fmt.Println(n, err, err2)
		}
		point := k.PublicKey().Bytes()
		try := func(b []byte) {
			p, err := c.NewPublicKey(b)
			fmt.Println(p != nil, err)
			if err == nil {
				_, err = k.ECDH(p)
				fmt.Println(err)
			}
		}
		try(nil)
		try(point)
		try(point[:len(point)-1])
		try(append(bytes.Clone(point), 0))
		try([]byte{0})
		wrong := bytes.Clone(point)
		wrong[len(wrong)-1] ^= 1
		try(wrong)
		wrong = bytes.Repeat([]byte{255}, len(point))
		wrong[0] = 4
		try(wrong)
		wrong = make([]byte, len(point))
		wrong[0] = 4
		try(wrong)
		clear(wrong)
		try(wrong)
	}
}

func mustKey(c ecdh.Curve) *ecdh.PrivateKey {
	k, err := c.GenerateKey(nil)
	if err != nil {
		panic(err)
	}
	return k
}

// try prints what f panics with.
func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func points() {
	for _, c := range []elliptic.Curve{elliptic.P224(), elliptic.P256(), elliptic.P384(), elliptic.P521()} {
		p := c.Params()
		fmt.Println(p.Name, p.BitSize, p.P, p.N, p.B, p.Gx, p.Gy, c.IsOnCurve(p.Gx, p.Gy))
		// Generic arithmetic comes to the same.
		generic := *p
		g := &generic
		for _, k := range [][]byte{{}, {0}, {1}, {2}, {3}, {1, 0, 255}, p.N.Bytes(),
			new(big.Int).Sub(p.N, big.NewInt(1)).Bytes(), bytes.Repeat([]byte{255}, 70)} {
			x, y := c.ScalarBaseMult(k)
			x2, y2 := g.ScalarBaseMult(k)
			fmt.Println(x, y, x.Cmp(x2), y.Cmp(y2))
			dx, dy := c.Double(x, y)
			sx, sy := c.Add(x, y, x, y)
			gx, gy := g.Add(x, y, x, y)
			fmt.Println(dx.Cmp(sx), dy.Cmp(sy), dx.Cmp(gx), dy.Cmp(gy))
			mx, my := c.ScalarMult(p.Gx, p.Gy, k)
			fmt.Println(mx.Cmp(x), my.Cmp(y))
		}
		negative := new(big.Int).Sub(p.P, p.Gy)
		fmt.Println(c.Add(p.Gx, p.Gy, p.Gx, negative))
		fmt.Println(g.Add(p.Gx, p.Gy, p.Gx, negative))
		x, y := c.ScalarBaseMult([]byte{7})
		for _, encoded := range [][]byte{elliptic.Marshal(c, x, y), elliptic.MarshalCompressed(c, x, y)} {
			fmt.Printf("%x\n", encoded)
			ux, uy := elliptic.Unmarshal(c, encoded)
			vx, vy := elliptic.UnmarshalCompressed(c, encoded)
			wx, wy := elliptic.UnmarshalCompressed(g, encoded)
			fmt.Println(ux, uy, vx, vy, wx, wy)
			encoded[0] ^= 1
			vx, vy = elliptic.UnmarshalCompressed(c, encoded)
			fmt.Println(vx, vy)
		}
		one := big.NewInt(1)
		fmt.Println(c.IsOnCurve(one, one), c.IsOnCurve(new(big.Int), new(big.Int)), g.IsOnCurve(one, one))
		fmt.Println(c.IsOnCurve(big.NewInt(-1), one), c.IsOnCurve(new(big.Int).Add(p.Gx, p.P), p.Gy))
		try(func() { c.Add(one, one, x, y) })
		try(func() { c.Double(one, one) })
		try(func() { c.ScalarMult(one, one, []byte{1}) })
		try(func() { elliptic.Marshal(c, one, one) })
		try(func() { g.Double(one, one) })
		priv, x, y, err := elliptic.GenerateKey(c, zeros{})
		fmt.Printf("%x %v %v %v\n", priv, x, y, err)
		_, _, _, err = elliptic.GenerateKey(c, broken{})
		fmt.Println(err)
	}
}

func numbers() {
	for _, max := range []int64{1, 2, 3, 255, 256, 257, 1 << 40} {
		for range 20 {
			n, err := rand.Int(rand.Reader, big.NewInt(max))
			if err != nil || n.Sign() < 0 || n.Cmp(big.NewInt(max)) >= 0 {
				fmt.Println(n, err)
			}
		}
	}
	fmt.Println(rand.Int(zeros{}, big.NewInt(1000)))
	fmt.Println(rand.Int(broken{}, big.NewInt(1000)))
	fmt.Println(rand.Int(broken{}, big.NewInt(1)))
	try(func() { rand.Int(rand.Reader, new(big.Int)) })
	for _, bits := range []int{-1, 0, 1, 2, 3, 8, 9, 10, 64, 100} {
		p, err := rand.Prime(rand.Reader, bits)
		if err != nil {
			fmt.Println(bits, err)
			continue
		}
		fmt.Println(bits, p.BitLen(), p.ProbablyPrime(20), p.Bit(bits-2))
	}
}

func main() {
	exchanges()
	points()
	numbers()
}
