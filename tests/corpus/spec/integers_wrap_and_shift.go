// run
package main

import "fmt"

func shifts(n uint) {
	var i8 int8 = -128
	var u8 uint8 = 200
	var i16 int16 = 0x7fff
	var u16 uint16 = 0xffff
	var i32 int32 = -1 << 31
	var u32 uint32 = 1 << 31
	var i64 int64 = -1 << 63
	var u64 uint64 = 1 << 63
	fmt.Println(i8<<n, u8<<n, i16<<n, u16<<n, i32<<n, u32<<n, i64<<n, u64<<n)
	fmt.Println(i8>>n, u8>>n, i16>>n, u16>>n, i32>>n, u32>>n, i64>>n, u64>>n)
}

func main() {
	for _, n := range []uint{0, 1, 7, 8, 15, 16, 31, 32, 63, 64, 100} {
		shifts(n)
	}
	var i8 int8 = 127
	i8++
	fmt.Println(i8, -i8, i8*i8, i8/-1, i8%-1)
	var u8 uint8 = 0
	u8--
	fmt.Println(u8, -u8, ^u8, u8*u8, u8/7, u8%7)
	var i16 int16 = -32768
	fmt.Println(-i16, i16-1, i16/-1, i16*2)
	var i32 int32 = -2147483648
	fmt.Println(-i32, i32-1, i32/-1, i32%-1, i32*i32)
	var i64 int64 = -9223372036854775808
	fmt.Println(-i64, i64-1, i64/-1, i64%-1, i64*i64)
	var u16 uint16 = 65535
	u16 += 2
	fmt.Println(u16, u16-2, u16*u16)
	var u32 uint32 = 4294967295
	fmt.Println(u32+1, u32*u32, u32/3, u32%10, u32>>3)
	var u64 uint64 = 18446744073709551615
	fmt.Println(u64+1, u64*u64, u64/3, u64%10, u64>>3)
	x, y := -7, 2
	fmt.Println(x/y, x%y, x/-y, x%-y, -x/y, -x%y, x>>1, uint(x)>>60)
	x <<= 3
	x |= 5
	x ^= 0xff
	x &^= 3
	x &= 0xffff
	x %= 1000
	fmt.Println(x)
	var z uint = 3
	fmt.Println(1<<z == 8, int8(1)<<(z+4), uint8(1)<<z<<z<<z)
	fmt.Println(int8(-3)>>1, int32(x)<<28, uint32(z)<<31)
}
