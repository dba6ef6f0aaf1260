package mldsa

import (
	"math/bits"
	"sync"
)

// Polynomials of 256 coefficients modulo q, where the 256th power of the variable is −1.
//
// A coefficient is an int that is congruent to it. Where nothing else is said it can be negative
// and some multiples of q large: only products are reduced, and sums where they could grow too
// large for the next product.

const (
	q = 8380417
	n = 256
)

type poly [n]int

// roots is the powers of 1753, a 512th root of one, in the order in which they are needed: that of
// exponents with their eight bits reversed.
var roots = sync.OnceValue(func() *poly {
	var list poly
	power := 1
	for i := range list {
		reversed := 0
		for bit := range 8 {
			reversed |= i >> bit & 1 << (7 - bit)
		}
		list[reversed] = power
		power = power * 1753 % q
	}
	return &list
})

// halves are the two parts of f that root number i brings together: the roots of a level, which are
// twice as many as those of the one before, share out the coefficients.
func (f *poly) halves(i int) (low, high []int) {
	size := n >> bits.Len(uint(i))
	middle := 2*size*i - n + size
	return f[middle-size : middle], f[middle : middle+size]
}

// transform replaces f by its values at the roots of −1, where products are those of the values.
// The coefficients must be between −q and q; the values are between −9q and 9q.
func (f *poly) transform() {
	for number, root := range roots() {
		if number == 0 {
			continue
		}
		low, high := f.halves(number)
		high = high[:len(low)]
		for i, a := range low {
			t := root * high[i] % q
			low[i], high[i] = a+t, a-t
		}
	}
}

// restore undoes transform. The values must be between −q and q; the coefficients are from 0 to
// q−1. The roots go backwards, and are those of the opposite places in a level, with other signs.
func (f *poly) restore() {
	roots := roots()
	for number := n - 1; number > 0; number-- {
		level := 1 << (bits.Len(uint(number)) - 1)
		root := roots[number]
		low, high := f.halves(3*level - 1 - number)
		high = high[:len(low)]
		for i, a := range low {
			b := high[i]
			low[i], high[i] = a+b, root*(b-a)%q
		}
	}
	const inverse = 8347681 // of 256
	for i, c := range f {
		f[i] = positive(c * inverse)
	}
}

// positive is c from 0 to q−1.
func positive(c int) int {
	if c %= q; c < 0 {
		c += q
	}
	return c
}

// centred is c from −q/2 to q/2.
func centred(c int) int {
	if c = positive(c); c > q/2 {
		c -= q
	}
	return c
}

// addProduct adds the product of two transforms to f.
func (f *poly) addProduct(a, b *poly) {
	for i, c := range a {
		f[i] = (f[i] + c*b[i]) % q
	}
}

// product is the polynomial whose transform is the product of those two.
func product(a, b *poly) *poly {
	f := new(poly)
	f.addProduct(a, b)
	f.restore()
	return f
}

// exceeds says whether a coefficient is so far from zero.
func (f *poly) exceeds(bound int) bool {
	for _, c := range f {
		if c = centred(c); c >= bound || c <= -bound {
			return true
		}
	}
	return false
}

// decompose takes c, from 0 to q−1, apart: it is congruent to high parts of twice gamma2, and low,
// which is at most gamma2 from zero.
func (s *set) decompose(c int) (high, low int) {
	step := 2 * s.gamma2
	high, low = c/step, c%step
	if low > s.gamma2 {
		high++
		low -= step
	}
	if high == s.highParts() {
		// The last part is that of −1.
		return 0, low - 1
	}
	return high, low
}
