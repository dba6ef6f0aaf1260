// run

// Seeded generators of both versions give the numbers that they give in Go; a line is a digest of what one seed yields.
package main

import (
	"fmt"
	"math/rand"
	r2 "math/rand/v2"
)

func main() {
	for seed := int64(0); seed < 30; seed++ {
		r := rand.New(rand.NewSource(seed * 977))
		var h uint64
		mix := func(a ...any) {
			for _, c := range []byte(fmt.Sprint(a...)) {
				h = h*1099511628211 ^ uint64(c)
			}
		}
		for i := 1; i < 2000; i++ {
			mix(r.Int63n(int64(i)), r.Int31n(int32(i)), r.Int63n(1<<62+int64(i)), r.Int31n(1<<30+int32(i)), r.Intn(1<<40+i), r.Intn(i))
			mix(r.NormFloat64(), r.ExpFloat64(), r.Float32(), r.Float64(), r.Int63n(1<<62), r.Int31n(1<<30), r.Int31n(1<<31-1), r.Int63n(1<<63-1))
		}
		mix(r.Perm(33))
		a := make([]int, 50)
		r.Shuffle(50, func(i, j int) { a[i] += j; a[j] *= i + 1 })
		mix(a)
		z := rand.NewZipf(r, 1.0+float64(seed+1)/7, 1+float64(seed)/3, uint64(seed*seed*10))
		for i := 0; i < 300; i++ {
			mix(z.Uint64(), " ")
		}
		b := make([]byte, 13)
		r.Read(b)
		mix(b)
		q := r2.New(r2.NewPCG(uint64(seed), 5))
		for i := 1; i < 3000; i++ {
			mix(q.NormFloat64(), q.ExpFloat64(), q.IntN(i), q.Uint64N(1<<63+uint64(i)), q.Int64N(3<<61), q.Uint32N(1<<31+uint32(i)))
		}
		zz := r2.NewZipf(q, 1.0+float64(seed+1)/7, 1+float64(seed)/3, uint64(seed*seed*10))
		for i := 0; i < 300; i++ {
			mix(zz.Uint64(), " ")
		}
		mix(q.Perm(33))
		fmt.Println(seed, h, r.NormFloat64(), r.ExpFloat64())
	}
	fmt.Println(rand.NewZipf(rand.New(rand.NewSource(1)), 1, 1, 1) == nil, rand.NewZipf(nil, 2, .5, 1) == nil)
	func() { defer func() { fmt.Println(recover()) }(); (*rand.Zipf)(nil).Uint64() }()
	func() { defer func() { fmt.Println(recover()) }(); rand.Shuffle(-1, nil) }()
	func() { defer func() { fmt.Println(recover()) }(); rand.Int31n(0) }()
}
