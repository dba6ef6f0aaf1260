// run

// Puzzles with large numbers: factorials, Fibonacci, primes, digits of pi and e, fractions.
package main

import (
	"fmt"
	"math/big"
	"strings"
)

func digitSum(n *big.Int) int {
	sum := 0
	for _, c := range n.String() {
		sum += int(c - '0')
	}
	return sum
}

func fib(n uint) *big.Int {
	a, b := big.NewInt(0), big.NewInt(1)
	for i := 63; i >= 0; i-- {
		// F(2k) and F(2k+1) from F(k) and F(k+1).
		t := new(big.Int).Lsh(b, 1)
		t.Sub(t, a).Mul(t, a)
		b.Mul(b, b)
		a.Mul(a, a).Add(a, b)
		a, b = t, a
		if n>>uint(i)&1 == 1 {
			a, b = b, a.Add(a, b)
		}
	}
	return a
}

// piDigits gives the first n digits by Gibbons' spigot.
func piDigits(n int) string {
	var out strings.Builder
	one, ten := big.NewInt(1), big.NewInt(10)
	num, acc, den := big.NewInt(1), big.NewInt(0), big.NewInt(1)
	var t1, t2 big.Int
	extract := func(k int64) int64 {
		t1.Mul(t1.SetInt64(k), num)
		t2.Add(&t1, acc)
		return t1.Quo(&t2, den).Int64()
	}
	for k := int64(1); out.Len() < n; k++ {
		y := 2*k + 1
		t1.Lsh(num, 1)
		acc.Add(acc, &t1)
		acc.Mul(acc, t1.SetInt64(y))
		den.Mul(den, t1.SetInt64(y))
		num.Mul(num, t1.Mul(one, t2.SetInt64(k)))
		if num.Cmp(acc) > 0 {
			continue
		}
		d := extract(3)
		if d != extract(4) {
			continue
		}
		out.WriteByte(byte('0' + d))
		acc.Sub(acc, t1.Mul(den, t2.SetInt64(d)))
		acc.Mul(acc, ten)
		num.Mul(num, ten)
	}
	return out.String()
}

func isSquare(n *big.Int) (root *big.Int, ok bool) {
	root = new(big.Int).Sqrt(n)
	return root, new(big.Int).Mul(root, root).Cmp(n) == 0
}

// continued gives the terms of a continued fraction.
func continued(r *big.Rat, n int) (terms []string) {
	r = new(big.Rat).Set(r)
	for range n {
		q := new(big.Int).Div(r.Num(), r.Denom())
		terms = append(terms, q.String())
		r.Sub(r, new(big.Rat).SetInt(q))
		if r.Sign() == 0 {
			break
		}
		r.Inv(r)
	}
	return terms
}

func main() {
	f := new(big.Int).MulRange(1, 1000)
	fmt.Println(len(f.String()), digitSum(f), f.TrailingZeroBits())
	fmt.Println(fib(300), len(fib(100000).String()), new(big.Int).Mod(fib(1<<20), big.NewInt(1e18)))
	first := 0
	for limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(999),
		nil); fib(uint(first)).Cmp(limit) < 0; {
		first += 10
	}
	fmt.Println(first)
	pi := piDigits(300)
	fmt.Println(pi[:50], pi[len(pi)-10:])
	sum := new(big.Int)
	for i := int64(1); i <= 1000; i++ {
		sum.Add(sum, new(big.Int).Exp(big.NewInt(i), big.NewInt(i), nil))
	}
	fmt.Println(new(big.Int).Mod(sum, big.NewInt(1e10)))

	var exps []int
	for p := 2; p < 700; p++ {
		m := new(big.Int).Lsh(big.NewInt(1), uint(p))
		if m.Sub(m, big.NewInt(1)).ProbablyPrime(10) {
			exps = append(exps, p)
		}
	}
	fmt.Println("Mersenne:", exps)
	p, _ := new(big.Int).SetString("170141183460469231731687303715884105727", 0)
	a := big.NewInt(123456789)
	inv := new(big.Int).ModInverse(a, p)
	fmt.Println(inv, new(big.Int).Mod(new(big.Int).Mul(inv, a), p))
	fmt.Println(new(big.Int).ModSqrt(big.NewInt(4), p), big.Jacobi(big.NewInt(7), p))
	var x, y big.Int
	g := new(big.Int).GCD(&x, &y, big.NewInt(240), big.NewInt(46))
	fmt.Println(g, &x, &y)
	root, ok := isSquare(new(big.Int).Exp(big.NewInt(12345678901), big.NewInt(6), nil))
	fmt.Println(root, ok)

	h := new(big.Rat)
	for i := int64(1); i <= 50; i++ {
		h.Add(h, big.NewRat(1, i))
	}
	fmt.Println(h, h.FloatString(30))
	e := new(big.Rat)
	for i, fact := int64(0), big.NewInt(1); i < 40; i++ {
		if i > 0 {
			fact.Mul(fact, big.NewInt(i))
		}
		e.Add(e, new(big.Rat).SetFrac(big.NewInt(1), fact))
	}
	fmt.Println(e.FloatString(40), continued(e, 12), continued(big.NewRat(355, 113), 9))
	two := new(big.Float).SetPrec(400).SetInt64(2)
	s := new(big.Float).SetPrec(400).Sqrt(two)
	fmt.Println(s.Text('f', 100))
	fmt.Printf("%.20g %x %v\n", s, big.NewInt(-255), new(big.Int).Not(big.NewInt(255)))
	n, _ := new(big.Int).SetString("zz", 36)
	fmt.Println(n, n.Text(2), new(big.Int).Xor(n, big.NewInt(1000)), n.Bit(3), n.BitLen())
	collatz := new(big.Int).Lsh(big.NewInt(1), 200)
	collatz.Sub(collatz, big.NewInt(1))
	steps := 0
	for collatz.BitLen() > 1 {
		if collatz.Bit(0) == 0 {
			collatz.Rsh(collatz, 1)
		} else {
			collatz.Add(collatz.Mul(collatz, big.NewInt(3)), big.NewInt(1))
		}
		steps++
	}
	fmt.Println(steps)
}
