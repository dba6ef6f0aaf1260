// run exit=0
package main

func main() {
	var p *int
	var e error
	println(1, -2, 3.5, "s", true, 'x', 1e100, float32(0.1), complex(1, -2), p, e == nil, uint8(200))
	print("a", 1, "b\n")
}
