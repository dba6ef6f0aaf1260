// run

// Formats put together at random, floats in hexadecimal at all precisions, integers with prefixes. Lines of numbers are digests.
package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand"
	"strconv"
)

func main() {
	r := rand.New(rand.NewSource(7))
	parts := []string{"%", "%%", "d", "s", "v", "x", "q", "w", "[1]", "[2]", "[3]", "[0]", "[", "]", "[x]", "[1", "*", ".", "-", "+", "#", "0", " ", "5", "12", ".3", "T", "e", "é", "世", "%d", "%v", "%[2]*.[1]*d", "%[3]v", "1000001", "10000019", "99999999999", "%.", "X", "U", "c", "t", "g", "[-1]", "[ 1]", "[1000002]"}
	args := [][]any{{}, {1}, {1, 2, 3}, {"a", -5, 3.25}, {nil, 5, -3}, {uint8(7), int64(-2), "z"}, {2000000, -2000000, 7}, {errors.New("e1"), errors.New("e2"), 4}, {[]int{1, 2}, map[string]int{"a": 1}, struct {
		A int
		B string
	}{1, "q"}}, {uint64(1 << 63), 1, 2}}
	for g := 0; g < 300; g++ {
		h := fnv.New64a()
		last := ""
		for i := 0; i < 100; i++ {
			f := ""
			for k := r.Intn(7) + 1; k > 0; k-- {
				f += parts[r.Intn(len(parts))]
			}
			a := args[r.Intn(len(args))]
			last = fmt.Sprintf(f, a...)
			e := fmt.Errorf(f, a...)
			fmt.Fprint(h, f, last, e, errors.Unwrap(e))
			if g < 3 {
				fmt.Printf("%q %q\n", f, last)
			}
		}
		fmt.Println(g, h.Sum64())
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, 1.5, -2.75, math.Pi, 1e300, 5e-324, math.MaxFloat64, 0.1, 1.0 / 3, 255.999999, 0x1.fffffffffffffp0, 0x1.8p0, 0x1.08p0, 0x1.18p0, 3e-310} {
		for _, c := range "xX" {
			for p := -1; p < 20; p++ {
				fmt.Print(strconv.FormatFloat(f, byte(c), p, 64), " ", strconv.FormatFloat(f, byte(c), p, 32), " ")
			}
		}
		fmt.Println()
		fmt.Printf("%x|%X|%.3x|%+.0x|%#x|%30.2x|%-30x|%030x\n", f, f, f, f, f, f, f, f)
	}
	all := fnv.New64a()
	for i := 0; i < 3000; i++ {
		f := math.Float64frombits(r.Uint64())
		g := math.Float32frombits(r.Uint32())
		h := fnv.New64a()
		for p := -1; p < 17; p++ {
			fmt.Fprint(h, strconv.FormatFloat(f, 'x', p, 64), strconv.FormatFloat(float64(g), 'x', p, 32))
		}
		if i%30 == 0 {
			fmt.Println(f, g, h.Sum64())
		}
		all.Write(h.Sum(nil))
	}
	fmt.Println(all.Sum64())
	for _, s := range []string{"", "0", "00", "0x", "0x1", "0b1", "0B", "0o7", "0O17", "017", "08", "0_1", "0x_f", "_1", "1_", "0b12", "0xg", "09", "+0x1", "-0b11", "0xFFFFFFFFFFFFFFFFF"} {
		a, e := strconv.ParseInt(s, 0, 64)
		b, e2 := strconv.ParseUint(s, 0, 64)
		c, e3 := strconv.ParseInt(s, 0, 8)
		fmt.Println(a, e, b, e2, c, e3)
	}
}
