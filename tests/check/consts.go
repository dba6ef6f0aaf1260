package main

const (
	c0 = iota
	c1
	c2 = "s" + 1
	c3 = 1 / 0
	c4 = 1.0 / 0.0
	c5 = 5 % 0
	c6 = 1 << 600
	c7 = 1 << -1
	c8 = 1.5 << 1
	c9 = len("abc")
	c10 uint = -1
	c11 = ^uint8(0)
	c12 byte = 255 + 1
	c13 = byte(300)
	c14 = int64(1) << 63
	c15 = float32(1e39)
	c16 = 'a' + 1.5
	c17 int = 'a' + 1.5
	c18 = !1
	c19 = -"x"
	c20 = 1 == "a"
	c21 = main
	c22 = c23
	c23 = c22
	c24 int = 1 << 63
	c25 = uint64(1<<64 - 1)
	c26 = uint64(1 << 64)
	c27 = 10000000000 * 10000000000 * 10000000000
	c28 int32 = c27
	c29 = "abc"[1]
	c30 = "abc"[5]
	c31 = len([10]int{})
	c32 = cap([...]int{1, 2})
	c33 = real(1i)
	c34 = complex(1, 2)
	c35 = complex("a", 1)
	c36 = string(65)
	c37 float64 = "x"
	c38 = 0x1p-2
	c39 int = 0x1p-2
	c40 = 1_000
	c41 = 07 + 0b11 + 0o7
	c42 = true && 1
	c43 = "a" < "b"
	c44 = nil
	c45 []int = nil
	c46 = max(1, 2.5, 'a')
	c47 int = max(1, 2.5)
	c48 = min("a", 1)
	c49 = 1 +
		2*c50
	c50 = 1e400
	c51 float64 = c50
	c52 = 1e-400
	c53 float32 = c52
)

var (
	x1 int8  = 1 << 7
	x2 uint  = ^0
	x3       = 1 << 64
	x4       = 1.0 << 3
	s  uint  = 3
	x5       = 1.0 << s
	x6 int   = 1.0 << s
	x7       = "a" << 1
	x8       = 1 << 2.0
	x9       = 1 << 2.5
	x10      = 1 << "a"
	x11      = uint8(1) << 8
	x12      = uint8(255) + 1
	x13 byte = 'ä'
	x14 byte = 'é' + 100
	x15      = int8(-128) / -1
	x16      = -int8(-128)
	x17 rune = 1 << 31
	x18      = [2]int{}[2]
	x19      = [...]int{5: 1}[6]
)

func main() {}
