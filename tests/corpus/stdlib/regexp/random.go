// run

// Random expressions on random texts, bad UTF-8 among them: a sum of all that the methods say.
// With an argument it prints that, too.
package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand"
	"os"
	"regexp"
	"strings"
)

var pieces = []string{
	"a", "b", "c", "ab", "ba", "(a)", "(b|ab)", "a*", "b+", "(a*)", "(a|b)*", "(a*)*", "(a*)+",
	"(|a)*", "x*", ".", ".*", ".*?", "[ab]", "[^a]", "[^\\n]", "\\w+", "\\W", "\\b", "\\B",
	"^", "$", "(?m)^", "(?m)$", "\\A", "\\z", "é", "[é-ü]", "\\pL", "(?i)a", "(?s).", "|",
	"a{2}", "(ab){1,2}", "b{2,}?", "a??", "(?P<n>b)", "☺", "\\x{fffd}", "(?i)k", "\n", "日",
	"(?U)a+", "(", ")", "c|", "[a-z]+", "\\d", "(?:a|ab)(?:c|bcd)", "(abc)",
}
var bits = []string{
	"a", "b", "c", "ab", "aab", "abc", "é", "☺", "\xff", "\xe2", "\xe2\x98", "\xf0\x9f", "\n",
	" ", "1", "K", "\u212a", "日本", "\ufffd", "_", "", "abcd", "A",
}

func gen(r *rand.Rand, from []string, n int) string {
	var b strings.Builder
	for k := r.Intn(n) + 1; k > 0; k-- {
		b.WriteString(from[r.Intn(len(from))])
	}
	return b.String()
}

func main() {
	r := rand.New(rand.NewSource(int64(len(os.Args))))
	verbose := len(os.Args) > 1
	h := fnv.New64a()
	say := func(f string, a ...any) {
		fmt.Fprintf(h, f, a...)
		if verbose {
			fmt.Printf(f, a...)
		}
	}
	count := 0
	for i := 0; i < 1500; i++ {
		e := gen(r, pieces, 6)
		re, err := regexp.Compile(e)
		if i%5 == 0 {
			re, err = regexp.CompilePOSIX(e)
		}
		if err != nil {
			say("%q %v\n", e, err)
			continue
		}
		if i%7 == 0 {
			re.Longest()
		}
		p, c := re.LiteralPrefix()
		say("%q %v %q %v\n", e, re.SubexpNames(), p, c)
		for j := 0; j < 6; j++ {
			count++
			s := gen(r, bits, 12)
			if j == 5 {
				s = strings.Repeat(s, 30)
			}
			say("%q\n", s)
			say("%v %q %v\n", re.MatchString(s), re.FindString(s), re.FindStringSubmatchIndex(s))
			say("%q\n", re.FindAllStringSubmatch(s, -1))
			say("%v\n", re.FindAllStringIndex(s, r.Intn(5)-1))
			say("%q %q\n", re.FindAllString(s, -1), re.Split(s, r.Intn(5)-1))
			say("%q\n", re.ReplaceAllString(s, "<$0$1${n}$$$x>"))
			say("%q\n", re.ReplaceAllStringFunc(s, strings.ToUpper))
			say("%q\n", re.ReplaceAll([]byte(s), []byte("$1-")))
			say("%v\n", re.FindReaderSubmatchIndex(strings.NewReader(s)))
			say("%v\n", re.FindReaderIndex(bytes.NewBufferString(s)))
		}
	}
	fmt.Println(count, h.Sum64())
}
