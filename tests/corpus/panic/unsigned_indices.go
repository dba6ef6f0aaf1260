// run

// An index of unsigned type is reported as the number it is, however large; a signed one as negative.
package main

import "fmt"

type pair struct{ a, b int }

var (
	global [4]int
	minus  = -1
	huge   = ^uint64(0)
	top    = uint(1) << 63
	word   = ^uintptr(0)
	small  = ^uint32(0)
	byte1  = uint8(255)
)

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func at[I int | uint64 | int8](s []string, i I) string { return s[i] }

//go:noinline
func cut[I int | uint64 | uint16](s []string, i, j I) []string { return s[i:j] }

func plus(i uint64) uint64 { return i + 1 }

func main() {
	s := []int{1, 2, 3}
	text := "text"
	floats := []float64{1, 2}
	words := []string{"a", "b"}
	pairs := []pair{{1, 2}}
	array := [4]int{}
	grid := [3][4]int{}
	rows := [][]int{{1}, {2, 3}}
	p := &array
	m := map[string][]int{"x": {1}}
	n := 0
	bytes := []byte("bytes")

	try(func() { n = s[huge] })
	try(func() { n = s[minus] })
	try(func() { n = s[top] })
	try(func() { n = s[word] })
	try(func() { n = s[small] })
	try(func() { n = s[byte1] })
	try(func() { s[huge] = 1 })
	try(func() { s[huge]++ })
	try(func() { s[minus]++ })
	try(func() { s[plus(huge-1)] += 2 })
	try(func() { n += s[huge] })
	try(func() { n = n*2 + s[minus] })
	try(func() { floats[huge] += 2 })
	try(func() { floats[0] = 1 + floats[huge] })
	try(func() { words[top] = "c" })
	try(func() { fmt.Println(words[huge-1]) })
	try(func() { pairs[huge].b = 3 })
	try(func() { pairs[minus].b = 3 })
	try(func() { n = pairs[huge].a })
	try(func() { fmt.Println(&pairs[huge]) })
	try(func() { n = array[huge] })
	try(func() { n = array[minus] })
	try(func() { array[huge] = 1 })
	try(func() { n = global[huge] })
	try(func() { global[top]-- })
	try(func() { n = p[huge] })
	try(func() { p[huge] = 2 })
	try(func() { p[minus] = 2 })
	try(func() { n = grid[huge][0] })
	try(func() { n = grid[0][huge] })
	try(func() { n = grid[minus][huge] })
	try(func() { n = grid[2][minus] })
	try(func() { n = rows[huge][0] })
	try(func() { n = rows[1][huge] })
	try(func() { n = rows[minus][huge] })
	try(func() { n = rows[1][minus] })
	try(func() { rows[huge][0] = 1 })
	try(func() { rows[0][huge] = 1 })
	try(func() { n = m["x"][huge] })
	try(func() { n = int(text[huge]) })
	try(func() { n = int(text[minus]) })
	try(func() { n = int("constant"[huge]) })
	try(func() { bytes[huge] = 'x' })
	try(func() { bytes[minus], bytes[huge] = 1, 2 })
	try(func() { fmt.Println(at(words, huge), n) })
	try(func() { fmt.Println(at(words, minus)) })
	try(func() { fmt.Println(at(words, int8(-128))) })

	try(func() { s = s[huge:] })
	try(func() { s = s[:huge] })
	try(func() { s = s[minus:] })
	try(func() { s = s[:minus] })
	try(func() { s = s[minus:huge] })
	try(func() { s = s[huge:minus] })
	try(func() { s = s[huge:2] })
	try(func() { s = s[top:word] })
	try(func() { s = s[1:2:huge] })
	try(func() { s = s[1:2:minus] })
	try(func() { s = s[1:huge:3] })
	try(func() { s = s[1:minus:3] })
	try(func() { s = s[huge:2:3] })
	try(func() { s = s[minus:2:3] })
	try(func() { s = array[huge:] })
	try(func() { s = array[:huge] })
	try(func() { s = p[:huge:4] })
	try(func() { s = p[1:2:top] })
	try(func() { text = text[huge:] })
	try(func() { text = text[:huge] })
	try(func() { text = text[:minus] })
	try(func() { text = text[plus(huge-1):1] })
	try(func() { fmt.Println(cut(words, huge, 1)) })
	try(func() { fmt.Println(cut(words, 0, huge)) })
	try(func() { fmt.Println(cut(words, 0, minus)) })
	try(func() { fmt.Println(cut(words, 0, ^uint16(0))) })
	fmt.Println(len(s), text, n)
}
