// run
//
// The digests: sums of all lengths around their blocks, clones, states as bytes, and their register.
package main

import (
	"bytes"
	"crypto"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding"
	"fmt"
	"hash"
	"hash/crc64"
	"hash/maphash"
	"io"
)

var data = bytes.Repeat([]byte("The quick brown fox. "), 40)

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func states(name string, h, other hash.Hash) {
	h.Write(data[:77])
	state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	appended, _ := h.(encoding.BinaryAppender).AppendBinary([]byte("x"))
	fmt.Printf("%s %x %v %v\n", name, state, err, string(appended) == "x"+string(state))
	c, err := h.(hash.Cloner).Clone()
	h.Write(data[77:300])
	c.Write(data[77:300])
	u := other.(encoding.BinaryUnmarshaler)
	err2 := u.UnmarshalBinary(state)
	other.Write(data[77:300])
	fmt.Println(err, err2, bytes.Equal(h.Sum(nil), c.Sum(nil)), bytes.Equal(h.Sum(nil), other.Sum(nil)))
	fmt.Println(u.UnmarshalBinary(nil), u.UnmarshalBinary(state[:20]), u.UnmarshalBinary(append(state, 0)))
	state[3] ^= 0x10
	fmt.Println(u.UnmarshalBinary(state))
	h.Reset()
	fmt.Printf("%x %d %d\n", h.Sum([]byte("p")), h.Size(), h.BlockSize())
}

func main() {
	news := []func() hash.Hash{
		md5.New, sha1.New, sha256.New, sha256.New224, sha512.New, sha512.New384, sha512.New512_224, sha512.New512_256,
		func() hash.Hash { return sha3.New224() }, func() hash.Hash { return sha3.New256() },
		func() hash.Hash { return sha3.New384() }, func() hash.Hash { return sha3.New512() },
	}
	names := []string{"md5", "sha1", "sha256", "sha224", "sha512", "sha384", "512/224", "512/256", "3-224", "3-256", "3-384", "3-512"}
	for i, f := range news {
		all := md5.New()
		for n := range 300 {
			h := f()
			h.Write(data[:n/2])
			h.Write(data[n/2 : n])
			all.Write(h.Sum(nil))
		}
		fmt.Printf("%x\n", all.Sum(nil))
		states(names[i], f(), f())
	}
	fmt.Printf("%x\n%x\n%x\n%x\n", md5.Sum(data), sha1.Sum(data), sha256.Sum256(data), sha256.Sum224(data))
	fmt.Printf("%x\n%x\n%x\n%x\n", sha512.Sum512(data), sha512.Sum384(data), sha512.Sum512_224(data), sha512.Sum512_256(data))
	fmt.Printf("%x\n%x\n%x\n%x\n", sha3.Sum224(data), sha3.Sum256(data), sha3.Sum384(data), sha3.Sum512(data))
	fmt.Printf("%x\n%x\n", sha3.SumSHAKE128(data, 11), sha3.SumSHAKE256(data, 500))
	fmt.Println(sha512.Size, sha512.Size224, sha512.Size256, sha512.Size384, sha512.BlockSize)

	var zero sha3.SHA3
	zero.Write(data)
	fmt.Printf("%x %d %d\n", zero.Sum(nil), zero.Size(), zero.BlockSize())
	for i, s := range []*sha3.SHAKE{
		sha3.NewSHAKE128(), sha3.NewSHAKE256(), sha3.NewCSHAKE128([]byte("N"), []byte("custom")), new(sha3.SHAKE),
		sha3.NewCSHAKE256(nil, bytes.Repeat([]byte("long"), 100)), sha3.NewCSHAKE256(nil, nil),
	} {
		out := make([]byte, 20)
		s.Write(data[:200])
		state, err := s.MarshalBinary()
		s.Read(out)
		fmt.Printf("%d %x %v", i, out, err)
		s.Read(out)
		middle, _ := s.MarshalBinary()
		fmt.Printf(" %x %x %d\n", out, md5.Sum(middle), s.BlockSize())
		try(func() { s.Write(data) })
		fmt.Println(s.UnmarshalBinary(state), s.UnmarshalBinary(state[:9]))
		s.Read(out)
		fmt.Printf("%x\n", out)
		s.Reset()
		s.Write([]byte("x"))
		io.ReadFull(s, out)
		fmt.Printf("%x\n", out)
		full := make([]byte, s.BlockSize()-20)
		s.Read(full)
		state, _ = s.MarshalBinary()
		fmt.Printf("%x\n", md5.Sum(state))
		s.Read(out)
		fmt.Printf("%x\n", out)
	}
	bad := make([]byte, 207)
	copy(bad, "sha\x08\x88")
	bad[205] = 0x89
	h := sha3.New256()
	fmt.Println(h.UnmarshalBinary(bad), h.UnmarshalBinary(bad[:3]))
	bad[205], bad[206] = 1, 2
	fmt.Println(h.UnmarshalBinary(bad))
	bad[4] = 7
	fmt.Println(h.UnmarshalBinary(bad))

	for h := crypto.Hash(0); h < 23; h++ {
		fmt.Print(h, " ", h.Available(), h.HashFunc() == h)
		try(func() { fmt.Print(" ", h.Size()) })
		try(func() { fmt.Printf("%x\n", h.New().Sum(nil)) })
	}
	try(func() { crypto.RegisterHash(0, md5.New) })
	try(func() { crypto.RegisterHash(crypto.MLDSAMu, md5.New) })
	crypto.RegisterHash(crypto.MD4, md5.New)
	fmt.Println(crypto.MD4.Available(), crypto.MD4.New().Size())

	for _, poly := range []uint64{crc64.ISO, crc64.ECMA, 0x123456789abcdef1} {
		tab := crc64.MakeTable(poly)
		fmt.Printf("%x %x ", crc64.Checksum(data, tab), crc64.Update(7, tab, bytes.Repeat(data, 30)))
		h := crc64.New(tab)
		io.WriteString(h, "abc")
		state, _ := h.(encoding.BinaryMarshaler).MarshalBinary()
		fmt.Printf("%x %x %d %d %x\n", h.Sum([]byte{1}), h.Sum64(), h.Size(), h.BlockSize(), state)
		u := crc64.New(tab).(encoding.BinaryUnmarshaler)
		fmt.Println(u.UnmarshalBinary(state), u.(hash.Hash64).Sum64() == h.Sum64(), u.UnmarshalBinary(state[:9]), u.UnmarshalBinary(nil))
		state[5]++
		fmt.Println(u.UnmarshalBinary(state))
		c, _ := h.(hash.Cloner).Clone()
		h.Reset()
		fmt.Printf("%x %x\n", h.Sum64(), c.Sum(nil))
	}

	seed := maphash.MakeSeed()
	var a, b maphash.Hash
	a.SetSeed(seed)
	b.SetSeed(seed)
	a.Write(data)
	for _, c := range data {
		b.WriteByte(c)
	}
	fmt.Println(a.Sum64() == b.Sum64(), a.Sum64() == maphash.Bytes(seed, data), a.Sum64() == maphash.String(seed, string(data)))
	fmt.Println(a.Size(), a.BlockSize(), len(a.Sum([]byte("x"))), a.Seed() == seed)
	a.Reset()
	a.WriteString(string(data[:500]))
	c, err := a.Clone()
	a.WriteString(string(data[500:]))
	c.Write(data[500:])
	fmt.Println(a.Sum64() == b.Sum64(), c.(hash.Hash64).Sum64() == a.Sum64(), err)
	type key struct {
		s string
		i any
		f float64
	}
	x, y := key{"a", 1, 0}, key{string([]byte("a")), 1, -1 / 1e400 * 0}
	fmt.Println(maphash.Comparable(seed, x) == maphash.Comparable(seed, key{"a", 1, 0}), x == y)
	fmt.Println(maphash.Comparable(seed, x) == maphash.Comparable(seed, key{"a", 2, 0}))
	fmt.Println(maphash.Comparable[any](seed, nil) == maphash.Comparable[any](seed, nil))
	a.Reset()
	b.Reset()
	maphash.WriteComparable(&a, x)
	maphash.WriteComparable(&b, x)
	fmt.Println(a.Sum64() == b.Sum64())
	try(func() { maphash.Comparable(seed, key{i: []int{}}) })
	try(func() { maphash.Comparable[any](seed, map[int]int{}) })
	try(func() { maphash.Bytes(maphash.Seed{}, nil) })
	try(func() { a.SetSeed(maphash.Seed{}) })
}
