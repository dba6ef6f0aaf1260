// run
package main

import "fmt"

const (
	Huge  = 1 << 100
	Small = Huge >> 98
	Big   = 123456789012345678901234567890
	Third = 1.0 / 3
)

type Weekday int

const (
	Sunday Weekday = iota
	Monday
	_
	Wednesday
)

const (
	KB = 1 << (10 * (iota + 1))
	MB
	GB
)

const (
	a, b = iota, iota * 10
	c, d
	e, f
)

const s = "hello, " + "world"

func main() {
	fmt.Println(Small, Big/1000000000000000000000, Third)
	fmt.Println(Sunday, Monday, Wednesday, KB, MB, GB, a, b, c, d, e, f)
	fmt.Println(len(s), s[1], 'a'+1, "x"+s)
	const r = 'x' + 1.0
	fmt.Printf("%T %v %T %T %T\n", r, r, 1<<3, 2.0*3, 1i*1i)
	var u8 uint8 = 255
	var f32 float32 = 0.1
	fmt.Println(u8, f32, float64(f32), uint32(1<<32-1), -5/2, -5%2, 5.0/2, 7/2*2.0)
	const big = 1e400 / 1e390
	fmt.Println(big, 0x1p-2, 0b1010, 0o17, 1_000_000, 0x_ff)
	fmt.Println(int64(-1<<63), uint64(1<<64-1), ^0, ^uint8(5), 5&^3)
	fmt.Println(complex(1, 2)*complex(3, 4), real(2i), imag(2+3i))
	var x = 1 << 3.0
	var sh uint = 40
	var y int64 = 1 << sh
	fmt.Println(x, y, len([10]int{}), cap([3]string{}))
	fmt.Println(max(1, 2.5, 'a'), min("b", "a"), max(3, x))
}
