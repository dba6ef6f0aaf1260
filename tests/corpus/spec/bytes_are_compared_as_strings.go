// run

// A string that is made of bytes for a comparison is what they are when it is made.
package main

import "fmt"

type text string
type list []byte

var shared = []byte("shared")

func change(b []byte) string {
	b[0] = 'X'
	return "abc"
}

func same[S ~string, B ~[]byte](s S, b B) (bool, bool, bool) {
	return s == S(b), S(b) != s, S(b) < s
}

func which(b []byte) string {
	switch string(b) {
	case "one":
		return "1"
	case string(shared):
		return "shared"
	}
	return "none"
}

func main() {
	b := []byte("abc")
	fmt.Println(string(b) == "abc", "abc" == string(b), string(b) != "abd", string(b) < "abd", string(b) >= "abd")
	fmt.Println(string(b) == change(b), string(b))
	b = []byte("abc")
	fmt.Println(change(b) == string(b), string(b))
	fmt.Println(string(b) == string(append(b, "def"...)), string(b[:0]) == "", string(b[1:]) == "bc")

	var none []byte
	fmt.Println(string(none) == "", string(none) == string([]byte{}), string([]byte{1: 0}) == "")
	fmt.Println(text(list("xyz")) == text("xyz"), string(list("xyz")) > "xy")
	fmt.Println(same("abc", []byte("abc")))
	fmt.Println(same(text("b"), list("a")))
	fmt.Println(which([]byte("one")), which(shared), which(nil))

	if string(b[:2]) == "Xb" && string(shared) == "shared" {
		fmt.Println("both")
	}
	n := 0
	for string(b) != "Xbc\x00\x00" {
		b = append(b, 0)
		n++
	}
	fmt.Println(n)
	func() {
		defer func() { fmt.Println(recover()) }()
		i := 7
		fmt.Println(string(b[i:]) == "a")
	}()
	r := []rune("äöü")
	fmt.Println(string(r) == "äöü", string(r[1]) == "ö", string([]rune{-1}) == "\ufffd")
	m := map[string]int{"Xbc": 1}
	fmt.Println(m[string(b[:3])], string(b[:3]) == "Xbc" && m[string(b[:3])] == 1)
}
