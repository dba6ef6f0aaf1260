// run
package main

import "fmt"

func main() {
	for _, p := range []int{0, 3, 4, 5, 8, 300, 65535, 65536, 70000, 999999, 1000000, 1000001, -1} {
		for _, format := range []string{"%.*U", "%#.*U", "%.*d", "%.*x", "%.*q", "%.*s", "%.*b", "%.*o"} {
			s := fmt.Sprintf(format, p, 'x')
			fmt.Print(len(s), " ", s[max(0, len(s)-8):], " ")
		}
		fmt.Println()
		for _, format := range []string{"%*U", "%-*U|", "%0*U", "%*d", "%0*d", "%*q", "%*v"} {
			s := fmt.Sprintf(format, p, 0x1F600)
			fmt.Print(len(s), " ", s[max(0, len(s)-8):], " ")
		}
		fmt.Println()
		for _, format := range []string{"%.*f", "%.*e", "%.*g", "%.*x", "%#.*g"} {
			s := fmt.Sprintf(format, p, 1.5)
			fmt.Print(len(s), " ", s[:min(8, len(s))], " ")
		}
		fmt.Println()
	}
}
