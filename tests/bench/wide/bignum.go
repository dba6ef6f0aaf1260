package main

import "fmt"

// Large numbers as limbs of base 10^9, the lowest first: added, multiplied limb by limb
// and divided by small ones, for factorials, Fibonacci numbers, powers and e.

const base = 1_000_000_000

type nat []uint32

func (a nat) norm() nat {
	for len(a) > 0 && a[len(a)-1] == 0 {
		a = a[:len(a)-1]
	}
	return a
}

func (a nat) add(b nat) nat {
	if len(a) < len(b) {
		a, b = b, a
	}
	sum := make(nat, len(a)+1)
	carry := uint32(0)
	for i := range a {
		s := a[i] + carry
		if i < len(b) {
			s += b[i]
		}
		carry = 0
		if s >= base {
			s -= base
			carry = 1
		}
		sum[i] = s
	}
	sum[len(a)] = carry
	return sum.norm()
}

func (a nat) mul(b nat) nat {
	out := make(nat, len(a)+len(b))
	for i, x := range a {
		carry := uint64(0)
		for j, y := range b {
			s := uint64(x)*uint64(y) + uint64(out[i+j]) + carry
			out[i+j] = uint32(s % base)
			carry = s / base
		}
		out[i+len(b)] = uint32(carry)
	}
	return out.norm()
}

// div divides in place.
func (a nat) div(d uint32) nat {
	rest := uint64(0)
	for i := len(a) - 1; i >= 0; i-- {
		rest = rest*base + uint64(a[i])
		a[i] = uint32(rest / uint64(d))
		rest %= uint64(d)
	}
	return a.norm()
}

func (a nat) String() string {
	if len(a) == 0 {
		return "0"
	}
	text := []byte(fmt.Sprint(a[len(a)-1]))
	for i := len(a) - 2; i >= 0; i-- {
		var digits [9]byte
		for v, k := a[i], 8; k >= 0; k-- {
			digits[k] = byte('0' + v%10)
			v /= 10
		}
		text = append(text, digits[:]...)
	}
	return string(text)
}

func show(what string, n nat) {
	text, sum := n.String(), 0
	for _, c := range text {
		sum += int(c - '0')
	}
	fmt.Println(what, len(text), sum, text[:12], text[len(text)-12:])
}

func main() {
	product := nat{1}
	for i := uint32(2); i <= 3000; i++ {
		product = product.mul(nat{i})
	}
	show("3000!", product)
	a, b := nat{}, nat{1}
	for i := 0; i < 18000; i++ {
		a, b = b, a.add(b)
	}
	show("fib(18000)", a)
	power := nat{3}
	for i := 0; i < 16; i++ {
		power = power.mul(power)
	}
	show("3^65536", power)
	term, sum := make(nat, 301), nat{}
	term[300] = 1
	for i := uint32(1); len(term) > 0; i++ {
		sum = sum.add(term)
		term = term.div(i)
	}
	show("e", sum)
}
