// run

// What is wrong in a pattern is told by path.Match always, by filepath.Match as far as the name matches.
package main

import (
	"fmt"
	"hash/crc32"
	"math/rand"
	"path"
	"path/filepath"
)

func main() {
	for _, pattern := range []string{"a*[", "*[", "a*b*\\", "[]*", "[a-]", "x*y[", "a*?[[-/]"} {
		for _, name := range []string{"", "a", "ab", "b", "a/b", "xay"} {
			in, err := path.Match(pattern, name)
			there, wrong := filepath.Match(pattern, name)
			fmt.Printf("%q %q: %v %v, %v %v\n", pattern, name, in, err, there, wrong)
		}
	}
	r := rand.New(rand.NewSource(7))
	text := func(most int) (s string) {
		const of = "ab*?[]^-\\/\xc3\xa9\xff"
		for range r.Intn(most) {
			i := r.Intn(len(of))
			s += of[i : i+1]
		}
		return s
	}
	sum := crc32.NewIEEE()
	for range 20000 {
		pattern, name := text(9), text(6)
		in, err := path.Match(pattern, name)
		there, wrong := filepath.Match(pattern, name)
		fmt.Fprintln(sum, in, err, there, wrong)
	}
	fmt.Println(sum.Sum32())
}
