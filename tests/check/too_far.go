// Elements of array literals that no int counts.

package main

func main() {
	c := [...]int{9223372036854775806: 1, 2}
	a := [...]struct{}{9223372036854775806: {}, {}, {}}
	_ = [...]struct{}{9223372036854775807: {}}
	d := [...]int8{9223372036854775806: 1}
	_, _, _ = a, c, d
	_ = []struct{}{9223372036854775807: {}, {}}
}
