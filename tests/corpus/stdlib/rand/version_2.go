// run

// Package math/rand/v2: the numbers of a seeded source are Go's; those of the unseeded functions lie where they must.
package main

import (
	"fmt"
	"math/rand/v2"
	"time"
)

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	p := rand.NewPCG(1, 2)
	r := rand.New(p)
	for range 20 {
		fmt.Println(r.Uint64(), r.Int64(), r.Uint32(), r.Int32(), r.Int(), r.Uint(), r.Float64(), r.Float32())
		fmt.Println(r.IntN(10), r.Int64N(1e15), r.Uint64N(1<<40), r.Int32N(7), r.Uint32N(1000), r.UintN(3), r.IntN(1<<62+12345))
	}
	for range 500 {
		fmt.Print(r.NormFloat64(), r.ExpFloat64(), " ")
	}
	fmt.Println(r.Perm(20))
	z := rand.NewZipf(r, 1.5, 2, 1000)
	for range 30 {
		fmt.Print(z.Uint64(), " ")
	}
	state, err := p.MarshalBinary()
	q := new(rand.PCG)
	fmt.Println(err, q.UnmarshalBinary(state), q.Uint64() == p.Uint64(), q.UnmarshalBinary(state[1:]))
	q.Seed(3, 4)
	fmt.Println(q.Uint64())

	seed := [32]byte([]byte("a seed of thirty-two bytes, just"))
	c := rand.NewChaCha8(seed)
	sum := uint64(0)
	for i := range 1000 {
		u := c.Uint64()
		sum = sum*31 + u
		if i%37 == 0 {
			fmt.Println(i, u)
		}
		if i%50 == 7 {
			state, err := c.MarshalBinary()
			var d rand.ChaCha8
			fmt.Printf("%q %v %v\n", state, err, d.UnmarshalBinary(state))
			for range 200 {
				sum += d.Uint64()
			}
			fmt.Println(sum)
		}
	}
	r = rand.New(c)
	fmt.Println(r.N(10), r.N(time.Hour), r.N(uint8(200)), r.N(int64(1e12)), r.Perm(8))
	c.Seed(seed)
	for n := range 40 {
		b := make([]byte, n)
		k, err := c.Read(b)
		fmt.Printf("%x %d %v", b, k, err)
		state, _ := c.AppendBinary([]byte("x"))
		d := rand.NewChaCha8([32]byte{})
		fmt.Printf(" %q %v %d\n", state, d.UnmarshalBinary(state[1:]), d.Uint64())
		for _, cut := range []int{0, 5, 8, 9, 12, 20, len(state) - 1} {
			if err := d.UnmarshalBinary(state[1:][:min(cut, len(state)-2)]); err != nil {
				fmt.Print(err, " ")
			}
		}
		fmt.Println(d.Uint64())
	}
	try(func() { r.N(0) })
	try(func() { r.N(int8(-1)) })

	for range 1000 {
		if n := rand.IntN(5); n < 0 || n >= 5 {
			fmt.Println("IntN", n)
		}
		if d := rand.N(10 * time.Second); d < 0 || d >= 10*time.Second {
			fmt.Println("N", d)
		}
		if f := rand.Float64(); f < 0 || f >= 1 {
			fmt.Println("Float64", f)
		}
		if n := rand.Uint32N(3); n >= 3 {
			fmt.Println("Uint32N", n)
		}
	}
	fmt.Printf("%T %v\n", rand.N(uint8(1)), rand.Uint64() != rand.Uint64())
	try(func() { rand.IntN(0) })
	try(func() { rand.N(-1) })
	try(func() { rand.Shuffle(-1, nil) })
	try(func() { rand.Uint64N(0) })
}
