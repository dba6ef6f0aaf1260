// run

// Operations on random numbers of many sizes, also where operands and results are the same: of each
// a digest of what it gives.
package main

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand"
	"strings"
)

var r *rand.Rand

func randInt() *big.Int {
	n := 0
	switch r.Intn(8) {
	case 0:
		n = 0
	case 1:
		n = r.Intn(10)
	case 2, 3:
		n = r.Intn(130)
	case 4, 5:
		n = r.Intn(1000)
	case 6:
		n = r.Intn(6000)
	default:
		n = r.Intn(40000)
	}
	z := new(big.Int)
	if n > 0 {
		b := make([]big.Word, (n+63)/64)
		k := r.Intn(4)
		for i := range b {
			switch k {
			case 0:
				b[i] = ^big.Word(0)
			case 1:
				if r.Intn(3) == 0 {
					b[i] = big.Word(r.Uint64())
				} else if r.Intn(2) == 0 {
					b[i] = ^big.Word(0)
				}
			default:
				b[i] = big.Word(r.Uint64())
			}
		}
		b[len(b)-1] >>= uint(r.Intn(64))
		z.SetBits(b)
	}
	if r.Intn(3) == 0 {
		z.Neg(z)
	}
	return z
}

func try(f func() string) (s string) {
	defer func() {
		if e := recover(); e != nil {
			s = fmt.Sprintf("panic %T %v", e, e)
		}
	}()
	return f()
}

var modes = []big.RoundingMode{big.ToNearestEven, big.ToNearestAway, big.ToZero, big.AwayFromZero, big.ToNegativeInf, big.ToPositiveInf}

func randFloat() *big.Float {
	f := new(big.Float).SetPrec(uint(1 + r.Intn(300))).SetMode(modes[r.Intn(6)])
	switch r.Intn(12) {
	case 0:
		return f.SetFloat64(0)
	case 1:
		return f.SetInf(r.Intn(2) == 0)
	case 2:
		return f.SetFloat64(math.Copysign(0, -1))
	case 3:
		return f.SetInt64(r.Int63() >> uint(r.Intn(63)))
	case 4:
		return f.SetFloat64(math.Float64frombits(r.Uint64() &^ (1 << 62)))
	}
	f.SetInt(randInt())
	return f.SetMantExp(f, r.Intn(2300)-1150)
}

func fl(f *big.Float) string {
	if f == nil {
		return "nil"
	}
	return fmt.Sprint(f.Text('p', 0), " ", f.Prec(), f.Mode(), f.Acc())
}

func sum(s string) string {
	if len(s) < 200 {
		return s
	}
	h := fnv.New64()
	h.Write([]byte(s))
	return fmt.Sprintf("%s..#%x", s[:40], h.Sum64())
}

var digest = fnv.New64()

func show(a ...any) { fmt.Fprintln(digest, a...) }

func main() {
	r = rand.New(rand.NewSource(1))
	type op2 struct {
		name string
		f    func(z, x, y *big.Int) *big.Int
	}
	ops := []op2{
		{"add", (*big.Int).Add}, {"sub", (*big.Int).Sub}, {"mul", (*big.Int).Mul}, {"quo", (*big.Int).Quo}, {"rem", (*big.Int).Rem},
		{"div", (*big.Int).Div}, {"mod", (*big.Int).Mod}, {"and", (*big.Int).And}, {"or", (*big.Int).Or}, {"xor", (*big.Int).Xor}, {"andnot", (*big.Int).AndNot},
		{"modinv", (*big.Int).ModInverse},
		{"gcd", func(z, x, y *big.Int) *big.Int { return z.GCD(nil, nil, x, y) }},
	}
	for i := range 120 {
		x, y, m := randInt(), randInt(), randInt()
		s := uint(r.Intn(300))
		al := r.Intn(6)
		get := func() (z, a, b *big.Int) {
			a, b = new(big.Int).Set(x), new(big.Int).Set(y)
			switch al {
			case 0:
				return a, a, b
			case 1:
				return b, a, b
			case 2:
				return a, a, a
			case 3:
				return new(big.Int), a, a
			case 4:
				return new(big.Int).Set(m), a, b
			}
			return new(big.Int), a, b
		}
		for _, op := range ops {
			z, a, b := get()
			show(op.name, sum(try(func() string { w := op.f(z, a, b); return fmt.Sprint(w, z, a, b, len(z.Bits())) })))
		}
		show("gcdx", sum(try(func() string {
			z, a, b := get()
			p, q := new(big.Int), new(big.Int)
			switch al {
			case 0:
				p = a
			case 1:
				q = b
			case 2:
				q = a
			case 3:
				p = nil
			}
			z.GCD(p, q, a, b)
			return fmt.Sprint(z, p, q)
		})))
		z, a, b := get()
		show("quorem", sum(try(func() string { q, t := z.QuoRem(a, b, new(big.Int)); return fmt.Sprint(q, t) })))
		z, a, b = get()
		show("divmod", sum(try(func() string { q, t := z.DivMod(a, b, new(big.Int)); return fmt.Sprint(q, t) })))
		for mo := range 6 {
			z, a, b = get()
			show("divide", mo, sum(try(func() string { q, t := z.Divide(a, b, new(big.Int), big.RoundingMode(mo)); return fmt.Sprint(q, t) })))
		}
		z, a, b = get()
		show("lsh", sum(fmt.Sprint(z.Lsh(a, s))))
		z, a, b = get()
		show("rsh", sum(fmt.Sprint(z.Rsh(a, s))))
		z, a, b = get()
		show("not", sum(fmt.Sprint(z.Not(a))))
		z, a, b = get()
		show("setbit", sum(fmt.Sprint(z.SetBit(a, int(s), 1), z.SetBit(z, int(s/2), 0), z.Bit(int(s)), z.Bit(3), z.BitLen(), z.TrailingZeroBits())))
		z, a, b = get()
		show("sqrt", sum(try(func() string { return fmt.Sprint(z.Sqrt(a)) })))
		show("cmp", x.Cmp(y), x.CmpAbs(y), x.Sign(), x.Int64(), x.Uint64(), x.IsInt64(), x.IsUint64())
		f64, acc := x.Float64()
		show("float64", f64, acc)
		base := 2 + r.Intn(61)
		t := x.Text(base)
		w, ok := new(big.Int).SetString(t, base)
		show("text", base, sum(t), ok && w.Cmp(x) == 0, sum(string(x.Append([]byte("q"), 10))))
		show(sum(fmt.Sprintf("%d|%x|%#X|%o|%O|%#b|%+d|% d|%0100d|%-50d|%.80d|%s|%v|%q", x, x, x, x, x, x, x, x, x, x, x, x, x, x)))
		show(sum(fmt.Sprint(x.Bytes(), new(big.Int).SetBytes(x.Bytes()))))
		if x.BitLen() < 3000 && y.BitLen() < 400 && m.BitLen() < 3000 {
			z, a, b = get()
			mm := new(big.Int).Set(m)
			if al == 0 {
				z = mm
			}
			show("exp", sum(try(func() string {
				if mm.Sign() == 0 {
					b.Rsh(b, uint(max(b.BitLen()-5, 0)))
				}
				return fmt.Sprint(z.Exp(a, b, mm))
			})))
		}
		if y.BitLen() < 2000 {
			show("jacobi", sum(try(func() string { return fmt.Sprint(big.Jacobi(x, y)) })))
			show("prime", y.ProbablyPrime(r.Intn(3)))
		}
		show("rand", sum(fmt.Sprint(new(big.Int).Rand(r, x))))
		nn, kk := int64(r.Intn(400)-20), int64(r.Intn(300)-10)
		show("binomial", sum(fmt.Sprint(new(big.Int).Binomial(nn, kk), new(big.Int).MulRange(nn, nn+kk/2), new(big.Int).MulRange(-nn, kk))))
		// Rat
		if x.BitLen() < 3000 && y.BitLen() < 3000 && y.Sign() != 0 && m.Sign() != 0 {
			p, q := new(big.Rat).SetFrac(x, y), new(big.Rat).SetFrac(y, m)
			zz := new(big.Rat)
			switch al {
			case 0:
				zz = p
			case 1:
				zz = q
			case 2:
				q = p
			case 3:
				q = p
				zz = p
			}
			switch r.Intn(4) {
			case 0:
				zz.Add(p, q)
			case 1:
				zz.Sub(p, q)
			case 2:
				zz.Mul(p, q)
			case 3:
				if q.Sign() != 0 {
					zz.Quo(p, q)
				}
			}
			show("rat", sum(zz.String()), zz.Sign(), p.Cmp(q), zz.IsInt(), sum(zz.RatString()), sum(zz.FloatString(r.Intn(50)-3)))
			a, e := zz.Float64()
			c, g := zz.Float32()
			fp, fe := zz.FloatPrec()
			show(a, e, c, g, fp, fe)
			ff, e2 := new(big.Float).SetPrec(uint(s)).SetRat(zz).Float64()
			show(ff, e2)
			sm := new(big.Rat).SetFrac64(r.Int63n(1000)-500, 1+int64(r.Intn(1<<uint(r.Intn(20)))))
			fp, fe = sm.FloatPrec()
			show(sm, fp, fe, sm.FloatString(10))
			e3 := r.Intn(1200)
			tiny := new(big.Rat).SetFrac(big.NewInt(r.Int63n(1<<62)), new(big.Int).Lsh(big.NewInt(r.Int63()|1), uint(e3)))
			a, e = tiny.Float64()
			c, g = tiny.Float32()
			show(a, e, c, g)
			fr := math.Float64frombits(r.Uint64())
			show(new(big.Rat).SetFloat64(fr))
		}
		// Float
		f, g := randFloat(), randFloat()
		for k, op := range []func(z, x, y *big.Float) *big.Float{(*big.Float).Add, (*big.Float).Sub, (*big.Float).Mul, (*big.Float).Quo} {
			a, b := new(big.Float).Copy(f), new(big.Float).Copy(g)
			z := new(big.Float)
			switch al {
			case 0:
				z = a
			case 1:
				z = b
			case 2:
				b = a
			case 3:
				b = a
				z = a
			case 4:
				z = new(big.Float).SetPrec(uint(r.Intn(200))).SetMode(modes[r.Intn(6)])
			}
			show("f", k, sum(try(func() string { op(z, a, b); return fl(z) })), fl(z) != "")
		}
		show("fcmp", f.Cmp(g), f.Sign(), f.IsInt(), f.MinPrec(), f.Signbit())
		v1, a1 := f.Float64()
		v2, a2 := f.Float32()
		v3, a3 := f.Int64()
		v4, a4 := f.Uint64()
		show(v1, a1, v2, a2, v3, a3, v4, a4)
		v5, a5 := f.Int(nil)
		v6, a6 := f.Rat(nil)
		show(sum(fmt.Sprint(v5, a5, v6, a6)))
		show("fsqrt", sum(try(func() string {
			z := new(big.Float).SetPrec(uint(r.Intn(300)))
			if al == 0 {
				z = f
			}
			z.Sqrt(f)
			return fl(z)
		})))
		pr := r.Intn(40) - 2
		for _, c := range "eEfgGbpxz" {
			show(string(c), sum(f.Text(byte(c), pr)), sum(f.Text(byte(c), -1)))
		}
		show(sum(fmt.Sprintf("%v|%g|%10.3f|%+e|% .5G|%020.4f|%-30.2e|%s|%x|%F|%d|%+.3g|% 15v", f, f, f, f, f, f, f, f, f, f, f, f, f)))
		tx := f.Text("gefpxb"[r.Intn(6)], -1)
		pf, pb, pe := big.ParseFloat(tx, 0, uint(r.Intn(200)), modes[r.Intn(6)])
		show(fl(pf), pb, pe)
		gb, _ := f.GobEncode()
		var gf big.Float
		show(sum(fmt.Sprint(gb)), gf.GobDecode(gb), sum(fl(&gf)))
		f.SetPrec(uint(r.Intn(100)))
		show(sum(fl(f)))
		// numbers as text
		alphabet := "0123456789abcdefxXobBpPeE_-+./ ZzAF"
		var sb strings.Builder
		for range r.Intn(14) {
			if r.Intn(2) == 0 {
				sb.WriteByte("0123456789"[r.Intn(10)])
			} else {
				sb.WriteByte(alphabet[r.Intn(len(alphabet))])
			}
		}
		str := sb.String()
		bs := []int{0, 0, 2, 8, 10, 16, 36, 37, 62, 7}[r.Intn(10)]
		zi, ok := new(big.Int).SetString(str, bs)
		show(str, bs, zi, ok)
		zr, ok := new(big.Rat).SetString(str)
		if ok && len(zr.String()) > 1000 {
			show("long rat")
		} else {
			show(zr, ok)
		}
		zf, bb, err := big.ParseFloat(str, 0, 100, big.ToNearestEven)
		show(fl(zf), bb, err)
		var si big.Int
		nsc, err := fmt.Sscanf(str, "%"+string("bodxvs"[r.Intn(6)]), &si)
		show(nsc, err, &si)
		var sr big.Rat
		var sf big.Float
		nsc, err = fmt.Sscan(str, &sf)
		show(nsc, err, fl(&sf))
		nsc, err = fmt.Sscan(str, &sr)
		if len(sr.String()) > 1000 {
			show("long rat")
		} else {
			show(nsc, err, &sr)
		}
		fmt.Printf("%d %x\n", i, digest.Sum64())
	}
}
