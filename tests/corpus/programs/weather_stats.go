// run

// Numbers: descriptive statistics, regression, smoothing, histograms, interpolation, integration.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"
	"strings"
)

type Series []float64

func (s Series) Mean() (m float64) {
	for i, x := range s {
		m += (x - m) / float64(i+1)
	}
	return
}

func (s Series) Var() float64 {
	m, sum := s.Mean(), 0.0
	for _, x := range s {
		sum += (x - m) * (x - m)
	}
	return sum / float64(len(s)-1)
}

func (s Series) Quantile(q float64) float64 {
	c := slices.Sorted(slices.Values(s))
	if len(c) == 0 {
		return math.NaN()
	}
	pos := q * float64(len(c)-1)
	lo := int(pos)
	if lo+1 >= len(c) {
		return c[len(c)-1]
	}
	return c[lo] + (pos-float64(lo))*(c[lo+1]-c[lo])
}

func (s Series) Histogram(bins int) string {
	lo, hi := slices.Min(s), slices.Max(s)
	counts := make([]int, bins)
	for _, x := range s {
		counts[min(bins-1, int((x-lo)/(hi-lo)*float64(bins)))]++
	}
	var b strings.Builder
	for i, n := range counts {
		fmt.Fprintf(&b, "%7.2f %s\n", lo+(hi-lo)*float64(i)/float64(bins), strings.Repeat("▇", n))
	}
	return b.String()
}

func (s Series) Smooth(alpha float64) Series {
	out := make(Series, len(s))
	for i, x := range s {
		if i == 0 {
			out[i] = x
			continue
		}
		out[i] = alpha*x + (1-alpha)*out[i-1]
	}
	return out
}

type Matrix [][]float64

var errSingular = errors.New("matrix is singular")

func (m Matrix) Solve(b []float64) ([]float64, error) {
	n := len(m)
	a := make(Matrix, n)
	for i := range m {
		a[i] = append(slices.Clone(m[i]), b[i])
	}
	for c := range n {
		p := c
		for r := c; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[p][c]) {
				p = r
			}
		}
		if math.Abs(a[p][c]) < 1e-12 {
			return nil, fmt.Errorf("column %d: %w", c, errSingular)
		}
		a[c], a[p] = a[p], a[c]
		for r := range n {
			if r == c {
				continue
			}
			f := a[r][c] / a[c][c]
			for k := c; k <= n; k++ {
				a[r][k] -= f * a[c][k]
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = a[i][n] / a[i][i]
	}
	return x, nil
}

func PolyFit(xs, ys []float64, degree int) ([]float64, error) {
	n := degree + 1
	m, b := make(Matrix, n), make([]float64, n)
	for i := range n {
		m[i] = make([]float64, n)
		for k, x := range xs {
			b[i] += ys[k] * math.Pow(x, float64(i))
			for j := range n {
				m[i][j] += math.Pow(x, float64(i+j))
			}
		}
	}
	return m.Solve(b)
}

func FFT(a []complex128) []complex128 {
	n := len(a)
	if n == 1 {
		return a
	}
	var even, odd []complex128
	for i, x := range a {
		if i%2 == 0 {
			even = append(even, x)
		} else {
			odd = append(odd, x)
		}
	}
	even, odd = FFT(even), FFT(odd)
	out := make([]complex128, n)
	for k := range n / 2 {
		t := cmplx.Rect(1, -2*math.Pi*float64(k)/float64(n)) * odd[k]
		out[k], out[k+n/2] = even[k]+t, even[k]-t
	}
	return out
}

func simpson(f func(float64) float64, a, b, eps float64) float64 {
	s := func(a, b float64) float64 { return (b - a) / 6 * (f(a) + 4*f((a+b)/2) + f(b)) }
	var rec func(a, b, whole, eps float64) float64
	rec = func(a, b, whole, eps float64) float64 {
		m := (a + b) / 2
		l, r := s(a, m), s(m, b)
		if math.Abs(l+r-whole) <= 15*eps {
			return l + r + (l+r-whole)/15
		}
		return rec(a, m, l, eps/2) + rec(m, b, r, eps/2)
	}
	return rec(a, b, s(a, b), eps)
}

func newton(f, df func(float64) float64, x float64) (float64, int, error) {
	for i := range 50 {
		d := f(x) / df(x)
		if math.IsNaN(d) || math.IsInf(d, 0) {
			return x, i, errors.New("no slope")
		}
		x -= d
		if math.Abs(d) < 1e-14*math.Max(1, math.Abs(x)) {
			return x, i, nil
		}
	}
	return x, 50, errors.New("does not converge")
}

func main() {
	r := rand.New(rand.NewPCG(42, 7))
	var temps Series
	for d := range 120 {
		temps = append(temps, 10+12*math.Sin(float64(d)/19)+r.NormFloat64())
	}
	fmt.Printf("%.6f %.6f %.4f %.4f %.4f\n", temps.Mean(), math.Sqrt(temps.Var()),
		temps.Quantile(0.5), temps.Quantile(0.9), slices.Max(temps))
	fmt.Print(temps.Histogram(8))
	fmt.Printf("%.3f\n", temps.Smooth(0.2)[110:115])
	xs := []float64{-2, -1, 0, 1, 2, 3}
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = 3 - 2*x + 0.5*x*x
	}
	c, err := PolyFit(xs, ys, 2)
	fmt.Printf("%.6f %v\n", c, err)
	_, err = Matrix{{1, 2}, {2, 4}}.Solve([]float64{1, 2})
	fmt.Println(err, errors.Is(err, errSingular))
	signal := make([]complex128, 64)
	for i := range signal {
		t := float64(i) / 64
		signal[i] = complex(math.Sin(2*math.Pi*5*t)+0.5*math.Cos(2*math.Pi*12*t), 0)
	}
	spec := FFT(signal)
	var peaks []int
	for k := range 32 {
		if cmplx.Abs(spec[k]) > 1 {
			peaks = append(peaks, k)
		}
	}
	fmt.Println(peaks, math.Round(cmplx.Abs(spec[5])), math.Round(cmplx.Phase(spec[12])*1e6)/1e6)
	fmt.Printf("%.10f %.10f\n", simpson(math.Sin, 0, math.Pi, 1e-10),
		simpson(func(x float64) float64 { return math.Exp(-x * x) }, -5, 5, 1e-10))
	fmt.Println(newton(func(x float64) float64 { return x*x - 2 },
		func(x float64) float64 { return 2 * x }, 1))
	_, _, err = newton(func(x float64) float64 { return x*x + 1 },
		func(x float64) float64 { return 0 }, 1)
	fmt.Println(err)
	inside := 0
	for range 100000 {
		x, y := r.Float64(), r.Float64()
		if math.Hypot(x, y) < 1 {
			inside++
		}
	}
	fmt.Println(math.Abs(4*float64(inside)/100000-math.Pi) < 0.02, inside)
	weights := map[string]float64{"a": 1, "b": 2, "c": 7}
	names := []string{"a", "b", "c"}
	picks := map[string]int{}
	for range 1000 {
		x := r.Float64() * 10
		i := sort.Search(len(names), func(i int) bool {
			sum := 0.0
			for _, n := range names[:i+1] {
				sum += weights[n]
			}
			return sum > x
		})
		picks[names[i]]++
	}
	fmt.Println(picks)
	for _, f := range []float64{0, math.Copysign(0, -1), 1.0 / 3, 1e21, 1e20, 123456789, 5e-324,
		math.MaxFloat64, math.NaN(), math.Inf(-1)} {
		fmt.Println(f, strconv.FormatFloat(f, 'g', 5, 64), strconv.FormatFloat(f, 'f', 3, 64),
			strconv.FormatFloat(f, 'e', -1, 32), strconv.FormatFloat(f, 'x', -1, 64))
	}
	fmt.Printf("%8.3f|%-8.2e|%+g|%08.3f|%x|%6d|%-6d|%+d|%b|%o|%#x|%U|%q|%c\n", math.Pi, math.E,
		1.0, -3.14159, 255, 42, 42, 42, 5, 64, 255, 0x1F600, 'x', 0x4E16)
	fmt.Println(math.Float64bits(1.5), math.Float32frombits(0x40490fdb), math.FMA(2, 3, 4),
		math.Remainder(5, 3), math.Cbrt(27), math.Log1p(1e-10), math.Gamma(5), math.Nextafter(1, 2))
	perm := r.Perm(8)
	slices.SortFunc(perm, func(a, b int) int {
		return cmp.Or(cmp.Compare(a%3, b%3), cmp.Compare(a,
			b))
	})
	fmt.Println(perm, r.IntN(1000), r.Uint64(), r.Int32N(50))
}
