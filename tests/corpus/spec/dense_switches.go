// run
// Switches on many integers: every kind of integer, numbers outside, gaps, fallthrough, loops.
package main

import (
	"fmt"
	"math"
)

type color uint8

func kind(c color) string {
	switch c {
	case 0:
		return "black"
	case 1, 3, 5:
		return "odd"
	case 2:
		return "two"
	case 4:
		return "four"
	case 250:
		return "far"
	case 7, 8, 9, 10:
		return "more"
	case 12:
		return "dozen"
	}
	return "none"
}

func signed(k int) int {
	switch k {
	case -4:
		return 1
	case -3:
		return 2
	case -2:
		return 3
	case -1:
		return 4
	case 0:
		return 5
	case 1:
		return 6
	case 3:
		return 7
	case 8:
		return 8
	case 9:
		return 9
	default:
		return -1
	}
}

func low(k int64) int {
	switch k {
	case math.MinInt64:
		return 0
	case math.MinInt64 + 1:
		return 1
	case math.MinInt64 + 2:
		return 2
	case math.MinInt64 + 3:
		return 3
	case math.MinInt64 + 5:
		return 5
	case math.MinInt64 + 6:
		return 6
	case math.MinInt64 + 7:
		return 7
	case math.MinInt64 + 8:
		return 8
	}
	return 99
}

func high(k int64) int {
	switch k {
	case math.MaxInt64:
		return 0
	case math.MaxInt64 - 1:
		return 1
	case math.MaxInt64 - 2:
		return 2
	case math.MaxInt64 - 3:
		return 3
	case math.MaxInt64 - 5:
		return 5
	case math.MaxInt64 - 6:
		return 6
	case math.MaxInt64 - 7:
		return 7
	case math.MaxInt64 - 8:
		return 8
	}
	return 99
}

func wide(k uint64) int {
	switch k {
	case 1:
		return 1
	case 2:
		return 2
	case 3:
		return 3
	case 4:
		return 4
	case 5:
		return 5
	case 6:
		return 6
	case 7:
		return 7
	case math.MaxUint64:
		return 8
	}
	return 0
}

// A machine: the loop, its jumps and what it computes with are in one function.
func run(code []byte, x int) (trail string, steps int) {
	stack := make([]int, 0, 8)
	f := 0.5
	pc := 0
loop:
	for ; pc < len(code); pc++ {
		steps++
		switch op := code[pc]; op {
		case 'p':
			stack = append(stack, x)
		case 'q':
			n := len(stack)
			stack[n-1] += stack[n-2]
			fallthrough
		case 'r':
			f *= 1.5
		case 's':
			x--
			if x > 0 {
				pc = -1
				continue loop
			}
		case 't':
			continue
		case 'u':
			break loop
		case 'v':
			stack = stack[:max(1, len(stack))-1]
		case 'w':
			func() { x += 1000 }()
		case 'x':
			trail += fmt.Sprint(len(stack), " ")
		default:
			trail += string(rune(op))
		}
	}
	return fmt.Sprint(trail, stack, f, x), steps
}

func main() {
	for c := range 256 {
		if s := kind(color(c)); s != "none" || c < 20 {
			fmt.Print(c, s, " ")
		}
	}
	fmt.Println()
	for k := -8; k < 14; k++ {
		fmt.Print(signed(k), " ")
	}
	fmt.Println(signed(math.MinInt), signed(math.MaxInt), signed(1<<32), signed(-4+1<<32))
	for k := range int64(11) {
		fmt.Print(low(math.MinInt64+k), " ", high(math.MaxInt64-k), " ", low(math.MaxInt64-k), " ", high(math.MinInt64+k), " ")
	}
	fmt.Println(low(0), high(0))
	fmt.Println(wide(0), wide(3), wide(math.MaxUint64), wide(8), wide(1<<63))
	fmt.Println(run([]byte("pptrqx?svs"), 5))
	fmt.Println(run([]byte("pppqqxrvs"), 300))
	fmt.Println(run([]byte("pwxu!"), 3))
	sum := 0
	for i := range 100000 {
		switch i % 11 {
		case 0:
			sum += 1
		case 1:
			sum ^= i
		case 2:
			sum -= 3
		case 3:
			sum += i
		case 4:
			continue
		case 5:
			sum <<= 1
		case 6:
			sum &= 0xffffff
		case 7:
			sum++
		case 9:
			sum += 9
		}
	}
	fmt.Println(sum)
}
