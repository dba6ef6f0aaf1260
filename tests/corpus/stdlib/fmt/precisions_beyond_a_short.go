// run

// Widths and precisions of more than 65,535.
package main

import "fmt"

func main() {
	for _, p := range []int{65535, 65536, 70000, 999999, 1000000} {
		for _, verb := range "UdxXobeEfFgGsqvc" {
			for _, v := range []any{'x', 1.5, "text", uint8(7), true, complex(1, 2), []byte("ab")} {
				s := fmt.Sprintf("%.*"+string(verb), p, v)
				t := fmt.Sprintf("%*"+string(verb), p, v)
				u := fmt.Sprintf("%-#0*.*"+string(verb), p, p/2, v)
				fmt.Println(p, string(verb), len(s), len(t), len(u))
			}
		}
	}
}
