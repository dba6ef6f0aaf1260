// run
package main

import "fmt"

func main() {
	s := "日本語\x00\xffabc"
	for i, r := range s {
		fmt.Print(i, ":", r, " ")
	}
	fmt.Println(len(s), []rune(s), []byte(s)[:4])
	for i := 0; i < len(s); i++ {
		fmt.Print(s[i], " ")
	}
	fmt.Println()
	t := ""
	for i := 0; i < 300; i++ {
		t += string(rune('a' + i%26))
	}
	fmt.Println(len(t), t[100:110], t < "b", t == t[:300], t != t[1:], "abc" < "abd", "ab" < "abc", "" < "a")
	raw := `raw\n"x"
line2`
	fmt.Println(raw, "\u00e9\U0001F600\x41\101\a\b\f\v\\\""[0:2])
	b := []byte("mutable")
	u := string(b)
	b[0] = 'M'
	fmt.Println(u, string(b), string(b[2:4]))
	switch u {
	case "immutable", "mutable":
		fmt.Println("ok")
	}
	x, y := "left", "right"
	fmt.Println(x+"-"+y+"-"+x+fmt.Sprint(len(x+y)), max(x, y))
	m := map[string]int{string(b): 1}
	fmt.Println(m[string([]byte("Mutable"))])
	println := fmt.Println
	println("shadow", 'x', '\'', '\n', '世')
	c := 'a'
	c += 2
	fmt.Printf("%c %d %q %U\n", c, c, c, '⌘')
	fmt.Println(string([]rune{'x', -1, 0x10FFFF + 1, 0xD800}) == "x\uFFFD\uFFFD\uFFFD")
}
