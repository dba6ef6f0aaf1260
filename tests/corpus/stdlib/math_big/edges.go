// run

// What big numbers print, refuse and panic with.
package main

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand"
)

func try(name string, f func()) {
	defer func() {
		if e := recover(); e != nil {
			var nan big.ErrNaN
			err, _ := e.(error)
			fmt.Printf("%s: %T %v, a NaN: %v\n", name, e, e, errors.As(err, &nan))
		}
	}()
	f()
	fmt.Println(name, "is fine")
}

func number(s string) *big.Int {
	z, ok := new(big.Int).SetString(s, 0)
	if !ok {
		panic(s)
	}
	return z
}

func panics() {
	one, zero, minus := big.NewInt(1), new(big.Int), big.NewInt(-1)
	z := new(big.Int)
	try("Quo", func() { z.Quo(one, zero) })
	try("Rem", func() { z.Rem(one, zero) })
	try("Mod", func() { z.Mod(one, zero) })
	try("Div", func() { z.Div(one, zero) })
	try("Divide", func() { z.Divide(big.NewInt(3), big.NewInt(2), nil, 9) })
	try("Divide exactly", func() { z.Divide(big.NewInt(4), big.NewInt(2), nil, 9) })
	try("Sqrt", func() { z.Sqrt(minus) })
	try("Bit", func() { z.Bit(-1) })
	try("SetBit", func() { z.SetBit(one, -1, 0) })
	try("SetBit to 2", func() { z.SetBit(one, 1, 2) })
	try("Jacobi", func() { big.Jacobi(one, big.NewInt(-8)) })
	try("FillBytes", func() { big.NewInt(1 << 20).FillBytes(make([]byte, 2)) })
	try("Text", func() { _ = one.Text(1) })
	try("Text 63", func() { _ = one.Text(63) })
	try("SetString", func() { z.SetString("1", 1) })
	try("ParseFloat", func() { big.ParseFloat("1", 7, 10, 0) })
	try("Lsh", func() { z.Lsh(one, 1<<63) })
	try("ProbablyPrime", func() { one.ProbablyPrime(-1) })
	try("ModInverse", func() { fmt.Println(z.ModInverse(big.NewInt(2), big.NewInt(4))) })
	try("ModInverse of 0", func() { fmt.Println(z.ModInverse(big.NewInt(-3), zero)) })
	try("Exp", func() { fmt.Println(z.Exp(big.NewInt(2), big.NewInt(-3), big.NewInt(4)) == nil) })
	try("NewRat", func() { big.NewRat(1, 0) })
	try("SetFrac", func() { new(big.Rat).SetFrac(one, zero) })
	try("Inv", func() { new(big.Rat).Inv(new(big.Rat)) })
	try("Rat.Quo", func() { new(big.Rat).Quo(big.NewRat(1, 2), new(big.Rat)) })
	nan, inf, null := math.NaN(), math.Inf(1), big.NewFloat(0)
	pos, neg := big.NewFloat(inf), big.NewFloat(-inf)
	f := new(big.Float)
	try("NewFloat", func() { big.NewFloat(nan) })
	try("SetFloat64", func() { f.SetFloat64(nan) })
	try("Add", func() { f.Add(pos, neg) })
	try("Sub", func() { f.Sub(pos, pos) })
	try("Mul", func() { f.Mul(pos, null) })
	try("Float.Quo", func() { f.Quo(null, null) })
	try("Float.Sqrt", func() { f.Sqrt(big.NewFloat(-1)) })
	var nilInt *big.Int
	try("nil", func() { nilInt.Sign() })
	fmt.Println(nilInt, nilInt.String(), nilInt.Text(7), fmt.Sprintf("%d %x %s", nilInt, nilInt, nilInt))
	fmt.Println(new(big.Rat).SetFloat64(inf), new(big.Rat).SetFloat64(nan))
}

func texts() {
	for _, s := range []string{
		"", "+", "-", "0", "-0", "+0", "00", "08", "07", "0b101", "0B2", "0o17", "0O8", "0xfF", "0Xg", "0x", "0b", "0_1", "_1", "1_",
		"1__0", "1_000", "0x_ff", "0_", "12 ", " 12", "1.0", "1e3", "--1", "+-1", "zZ", "٣", "12345678901234567890123456789",
	} {
		for _, base := range []int{0, 2, 8, 10, 16, 36, 62} {
			z, ok := new(big.Int).SetString(s, base)
			if ok {
				fmt.Print(s, " in ", base, " is ", z, "; ")
			}
		}
		q, ok := new(big.Rat).SetString(s)
		var f big.Float
		_, b, err := f.Parse(s, 0)
		fmt.Printf("%q %v %v %v %d %v\n", s, q, ok, &f, b, err)
	}
	for _, s := range []string{
		"1/2", "-4/6", "4/-6", "1/0", "1/", "/2", "1/2/3", "0x10/0b11", "1.5/2", "1e2/3", ".5", "5.", ".", "1.5e-3", "1e+", "1e", "1e1_0",
		"1e_1", "0x1.8p1", "0x1.8p-1", "0x1.8", "0b1.1p2", "0o1.4", "1p3", "1e1000001", "0e99999999999", "1e99999999999999999999",
		"Inf", "-inf", "+Inf", "INF", "NaN", "1_0.5", "1_.5", "1._5", "0_1.5",
	} {
		q, ok := new(big.Rat).SetString(s)
		f, b, err := big.ParseFloat(s, 0, 64, big.ToZero)
		fmt.Printf("%q %v %v %v %d %v\n", s, q, ok, f, b, err)
		for _, base := range []int{2, 8, 10, 16} {
			f, b, err := big.ParseFloat(s, base, 0, 0)
			fmt.Print(f, " ", b, " ", err, "; ")
		}
		fmt.Println()
	}
	var z, w big.Int
	var q big.Rat
	var f big.Float
	fmt.Println(fmt.Sscan("  12_3 0x1F 7/8 -1.25e3", &z, &w, &q, &f))
	fmt.Println(&z, &w, &q, &f)
	fmt.Println(fmt.Sscanf("ff 0101 17", "%x %b %o", &z, &w, &z))
	fmt.Println(&z, &w)
	fmt.Println(fmt.Sscanf("5", "%q", &z))
	fmt.Println(fmt.Sscanf("5", "%d", &q))
	fmt.Println(fmt.Sscanf("x", "%v", &q))
	fmt.Println(fmt.Sscan("é", &z))
	fmt.Println(fmt.Sscan("", &f))
}

func formats() {
	for _, s := range []string{"0", "1", "-1", "255", "-123456789012345678901234567890"} {
		z := number(s)
		for _, f := range []string{
			"%b", "%o", "%O", "%d", "%x", "%X", "%s", "%v", "%c", "%q", "%e", "%#b", "%#o", "%#O", "%#x", "%#X", "%+d", "% d", "%+x", "%10d",
			"%-10d|", "%010d", "%-010d|", "%.0d", "%.5d", "%10.5d", "%-10.5d|", "%010.5d", "%+10.3x", "%#10x", "%#010x", "%+v", "%#v", "%T",
		} {
			fmt.Printf(f+" ", z)
		}
		fmt.Println()
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1.5, 1e100, 3.0e-7, math.Inf(1), math.Inf(-1), 123456789.125, 0.1} {
		f := big.NewFloat(x)
		for _, v := range []string{
			"%b", "%e", "%E", "%f", "%F", "%g", "%G", "%v", "%s", "%d", "%x", "%.3e", "%.0f", "%.1g", "%.20g", "%.5x", "%10.2f", "%-10.2f|",
			"%010.2f", "%+.2f", "% .2f", "%+v", "%+010.1e", "% 012g", "%#v", "%X",
		} {
			fmt.Printf(v+" ", f)
		}
		fmt.Println(f.String(), f.Text('g', -1), f.Text('q', 2))
	}
	fmt.Println(big.NewRat(-6, 4), big.NewRat(6, 3), big.NewRat(6, 3).RatString(), big.NewRat(2, 3).FloatString(5), big.NewRat(-1, 3).FloatString(0))
	fmt.Println(big.Below, big.Exact, big.Above, big.Accuracy(5), big.ToNearestEven, big.ToPositiveInf, big.RoundingMode(9), big.MaxBase)
	fmt.Println([]*big.Int{big.NewInt(1), nil}, map[string]*big.Int{"a": big.NewInt(2)}, struct{ X *big.Rat }{big.NewRat(1, 2)})
}

func marshalled() {
	for _, s := range []string{"0", "-1", "18446744073709551616"} {
		z := number(s)
		b, err := z.GobEncode()
		j, _ := z.MarshalJSON()
		t, _ := z.MarshalText()
		var w big.Int
		fmt.Println(b, err, string(j), string(t), w.GobDecode(b), &w, w.UnmarshalJSON(j), &w, w.UnmarshalText(t), &w)
		q := new(big.Rat).SetFrac(z, big.NewInt(6))
		b, err = q.GobEncode()
		t, _ = q.MarshalText()
		var p big.Rat
		fmt.Println(b, err, string(t), p.GobDecode(b), &p, p.UnmarshalText(t), &p)
		f := new(big.Float).SetPrec(70).SetMode(big.ToZero).SetInt(z)
		b, err = f.GobEncode()
		t, _ = f.MarshalText()
		var g big.Float
		fmt.Println(b, err, string(t), g.GobDecode(b), &g, g.Prec(), g.Mode(), g.UnmarshalText(t), &g)
	}
	var z big.Int
	var q big.Rat
	var f big.Float
	for _, b := range [][]byte{{}, {0}, {9, 1}, {2}, {3, 5}, {2, 0, 0, 0}, {2, 0, 0, 0, 9, 1}, {2, 0, 0, 0, 1, 7, 2}, {1, 0, 0, 0, 0}} {
		fmt.Println(z.GobDecode(b), &z, q.GobDecode(b), q.Num())
	}
	for _, b := range [][]byte{
		{}, {1}, {2, 0, 0, 0, 0, 0}, {1, 2, 0, 0, 0, 9}, {1, 2, 0, 0, 0, 9, 0, 0, 0, 1}, {1, 2, 0, 0, 0, 9, 0, 0, 0, 1, 5},
		{1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0x80, 0, 0, 0, 0, 0, 0, 1}, {1, 4, 0, 0, 0, 9},
	} {
		var f big.Float
		fmt.Println(f.GobDecode(b), f.IsInf())
	}
	fmt.Println(f.UnmarshalText([]byte("1x")), q.UnmarshalText([]byte("x")), z.UnmarshalText([]byte("")), z.UnmarshalJSON([]byte("null")))
	var ni *big.Int
	var nr *big.Rat
	var nf *big.Float
	a, _ := ni.MarshalJSON()
	b, _ := ni.GobEncode()
	c, _ := nr.GobEncode()
	d, _ := nf.GobEncode()
	e, _ := nf.MarshalText()
	fmt.Println(string(a), b, c, d, string(e))
}

// memory shows what happens to the words below numbers.
func memory() {
	x := number("0x1234567890abcdef1234567890abcdef")
	fmt.Println(x.Bits(), len(x.Bits()))
	b := []big.Word{1, 2, 0, 0}
	z := new(big.Int).SetBits(b)
	fmt.Println(z, len(z.Bits()), cap(z.Bits()))
	z.Add(z, big.NewInt(5))
	fmt.Println(b)
	z.Mul(z, big.NewInt(3))
	fmt.Println(b)
	z.Neg(z).Lsh(z, 64)
	fmt.Println(b, z.Bits())
	old := z.Bits()
	z.Mul(z, z)
	fmt.Println(old, z.Bits())
	z.SetInt64(0)
	fmt.Println(z.Bits() == nil, len(z.Bits()), new(big.Int).Bits() == nil, cap(new(big.Int).SetBytes(make([]byte, 17)).Bits()))
	for _, n := range []uint{0, 1, 63, 64, 65, 200} {
		w := new(big.Int).Lsh(big.NewInt(1), n)
		fmt.Print(len(w.Bits()), " ", cap(w.Bits()), " ", w.TrailingZeroBits(), " ", w.BitLen(), "; ")
	}
	fmt.Println()
	fmt.Println(x.FillBytes(make([]byte, 20)), x.Bytes(), new(big.Int).FillBytes([]byte{1, 2}))
	q := big.NewRat(3, 4)
	q.Num().SetInt64(9)
	q.Denom().SetInt64(12)
	fmt.Println(q, q.Add(q, new(big.Rat)))
}

func others() {
	r := rand.New(rand.NewSource(7))
	limit := number("1000000000000000000000000000000")
	for range 3 {
		fmt.Println(new(big.Int).Rand(r, limit), new(big.Int).Rand(r, big.NewInt(10)), new(big.Int).Rand(r, big.NewInt(-1)))
	}
	for _, p := range []int64{3, 7, 13, 17, 73, 97, 257, 65537, 1000003} {
		for x := int64(-2); x < 6; x++ {
			fmt.Print(new(big.Int).ModSqrt(big.NewInt(x), big.NewInt(p)), " ")
		}
		fmt.Println()
	}
	for _, s := range []string{
		"2", "3", "4", "561", "3215031751", "18446744073709551557", "18446744073709551629", "2305843009213693951", "-7", "0", "1",
		"170141183460469231731687303715884105727", "170141183460469231731687303715884105729", "3825123056546413051", "341550071728321",
		"1195068768795265792518361315725116351898245581",
	} {
		fmt.Print(number(s).ProbablyPrime(1), " ")
	}
	fmt.Println()
	for _, x := range []float64{2, 0.5, 1e-300, 1e300, 3, 0, math.Inf(1)} {
		for _, prec := range []uint{0, 1, 24, 53, 64, 200} {
			f := new(big.Float).SetPrec(prec).Sqrt(big.NewFloat(x))
			fmt.Print(f.Text('g', 70), " ", f.Acc(), "; ")
		}
		fmt.Println()
	}
	f := new(big.Float).SetMantExp(big.NewFloat(0.5), big.MaxExp)
	g := new(big.Float).Mul(f, f)
	fmt.Println(f.MantExp(nil), g, g.Acc(), new(big.Float).Quo(big.NewFloat(1), g), new(big.Float).SetMantExp(f, math.MinInt32).MantExp(nil))
	h := new(big.Float).SetMantExp(big.NewFloat(-0.5), big.MinExp)
	fmt.Println(new(big.Float).Mul(h, h), new(big.Float).Mul(h, h).Acc(), h.IsInt(), f.IsInt())
	a, b := new(big.Int), new(big.Int)
	for _, p := range [][2]int64{{0, 0}, {0, 5}, {-5, 0}, {12, 18}, {-12, 18}, {12, -18}, {-12, -18}, {7, 7}, {1, 100}, {100, 1}} {
		d := new(big.Int).GCD(a, b, big.NewInt(p[0]), big.NewInt(p[1]))
		fmt.Print(d, " ", a, " ", b, "; ")
	}
	fmt.Println()
	for n := int64(0); n < 12; n++ {
		fmt.Print(new(big.Int).Binomial(n, n/2), " ", new(big.Int).MulRange(1, n), " ")
	}
	fmt.Println(new(big.Int).MulRange(-4, -1), new(big.Int).MulRange(-3, -1), new(big.Int).Binomial(5, 6), new(big.Int).Binomial(5, -1))
}

func main() {
	panics()
	texts()
	formats()
	marshalled()
	memory()
	others()
}
