// run

// Every method of a Regexp, and the functions of the package.
package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

type reader struct {
	s string
	n int
}

func (r *reader) ReadRune() (rune, int, error) {
	for i, c := range r.s {
		r.n++
		w := len(string(c))
		r.s = r.s[i+w:]
		return c, w, nil
	}
	return 0, 0, errors.New("broken")
}

func try(f func()) {
	defer func() { fmt.Println("panic:", recover()) }()
	f()
}

func main() {
	re := regexp.MustCompile(`(?P<year>\d{4})-(?P<month>\d\d)(x)?`)
	s := "from 2024-05 to 2025-11x."
	b := []byte(s)
	fmt.Println(re, re.NumSubexp(), re.SubexpNames(), re.SubexpIndex("month"), re.SubexpIndex("no"))
	fmt.Println(re.Match(b), re.MatchString(s), re.MatchReader(strings.NewReader(s)))
	fmt.Printf("%q %q %v %v\n", re.Find(b), re.FindString(s), re.FindIndex(b),
		re.FindStringIndex(s))
	fmt.Printf("%q %q\n", re.FindSubmatch(b), re.FindStringSubmatch(s))
	fmt.Println(re.FindSubmatchIndex(b), re.FindStringSubmatchIndex(s))
	fmt.Println(re.FindReaderIndex(strings.NewReader(s)),
		re.FindReaderSubmatchIndex(strings.NewReader(s)))
	fmt.Printf("%q %q\n", re.FindAll(b, -1), re.FindAllString(s, 1))
	fmt.Println(re.FindAllIndex(b, -1), re.FindAllStringIndex(s, -1))
	fmt.Printf("%q %q\n", re.FindAllSubmatch(b, -1), re.FindAllStringSubmatch(s, -1))
	fmt.Println(re.FindAllSubmatchIndex(b, 1), re.FindAllStringSubmatchIndex(s, 7))
	fmt.Println(re.FindAll(b, 0) == nil, re.FindAllString("none", -1) == nil, re.Find(nil) == nil)
	fmt.Println(re.FindStringSubmatch("none") == nil, re.FindStringSubmatchIndex("") == nil)
	fmt.Println(cap(re.Find(b)), cap(re.FindSubmatch(b)[1]))

	for _, t := range []string{"$month/$year", "${month}$$", "$monthx", "${1}0$3|", "$", "$$$",
		"${", "${x", "$9", "$-",
		"${year}s$01", "ä$ä", "${3}"} {
		fmt.Printf("%s: %q %q\n", t, re.ReplaceAllString(s, t), re.ReplaceAllLiteralString(s, t))
		fmt.Printf("%q\n", re.Expand([]byte("<"), []byte(t), b, re.FindSubmatchIndex(b)))
	}
	fmt.Printf("%q\n", re.ReplaceAll(b, []byte("[$0]")))
	fmt.Printf("%q\n", re.ReplaceAllLiteral(b, []byte("[$0]")))
	fmt.Printf("%q\n", re.ReplaceAllFunc(b, func(b []byte) []byte { return append(b, '!') }))
	fmt.Printf("%q\n", re.ReplaceAllStringFunc(s, func(s string) string { return s[5:] }))
	fmt.Println(re.ReplaceAll(nil, nil) == nil, re.ReplaceAll([]byte{}, nil) == nil)
	two := regexp.MustCompile(`(?P<a>x)|(?P<a>y)`)
	fmt.Println(two.ReplaceAllString("xyz", "<$a>"), two.SubexpIndex("a"))
	empty := regexp.MustCompile(`a*`)
	fmt.Println(empty.ReplaceAllString("baac", "-"), empty.FindAllStringIndex("baac", -1))
	for n := -1; n < 5; n++ {
		fmt.Printf("%q %q\n", empty.Split("abaabaccadaaae", n),
			regexp.MustCompile("").Split("añb", n))
	}
	fmt.Printf("%q %q\n", empty.Split("", -1), regexp.MustCompile("").Split("", -1))

	fmt.Println(regexp.QuoteMeta(`a.b\c[d]{2}^$+?*|()é`), regexp.QuoteMeta("plain"))
	fmt.Println(regexp.MatchString("a+", "baa"))
	fmt.Println(regexp.Match("a(", nil))
	fmt.Println(regexp.MatchReader("[z-a]", nil))
	fmt.Println(regexp.MatchReader("b$", strings.NewReader("ab")))

	longest := regexp.MustCompile(`a+|a+b`)
	copied := longest.Copy()
	fmt.Println(longest.FindString("aab"))
	longest.Longest()
	fmt.Println(longest.FindString("aab"), copied.FindString("aab"))
	fmt.Println(regexp.MustCompilePOSIX(`(a|ab)(c|bcd)`).FindStringSubmatch("abcd"))
	_, err := regexp.CompilePOSIX(`\d`)
	fmt.Println(err)
	try(func() { regexp.MustCompile("*") })
	try(func() { regexp.MustCompilePOSIX("a`(") })
	try(func() { new(regexp.Regexp).MatchString("") })

	text, err := re.MarshalText()
	fmt.Println(string(text), err)
	text, err = re.AppendText([]byte("re:"))
	fmt.Println(string(text), err)
	var other regexp.Regexp
	fmt.Println(other.UnmarshalText([]byte("x(y)")), other.FindStringSubmatch("axy"))
	fmt.Println(other.UnmarshalText([]byte("x(y")), &other)
	_, err = regexp.Compile("a**")
	var e *syntax.Error
	fmt.Println(errors.As(err, &e), e.Code, e.Expr)

	for _, x := range []string{"abc", "^abc$", "^abc", "abc|abd", "(abc)d", "a", "", "^$",
		"(?i)abc", "abc+", "^ab(c|d)$", "^ab(c|cd)$",
		`\Aab\z`, "ab\ufffd", "^a*b$", "[a]b"} {
		p, complete := regexp.MustCompile(x).LiteralPrefix()
		fmt.Printf("%s: %q %v\n", x, p, complete)
	}

	r := &reader{s: "xaab and much more of it"}
	fmt.Println(regexp.MustCompile("a+").FindReaderIndex(r), r.n, r.s)
	r = &reader{s: "xyz"}
	fmt.Println(regexp.MustCompile("^a").MatchReader(r), r.n)
	fmt.Println(regexp.MustCompile("(y)(z)$").FindReaderSubmatchIndex(&reader{s: "xyz"}))
	fmt.Println(regexp.MustCompile("b").FindReaderIndex(io.RuneReader(&reader{s: "é\ufffdb"})))

	// Many goroutines with one Regexp.
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum := 0
	for i := range 20 {
		wg.Go(func() {
			n := 0
			for j := range 50 {
				m := re.FindAllStringSubmatchIndex(strings.Repeat(s, 1+(i+j)%7), -1)
				n += len(m)
			}
			mu.Lock()
			sum += n
			mu.Unlock()
		})
	}
	wg.Wait()
	fmt.Println(sum)

	// What would be hard for others: nested repetitions, many states, long texts.
	long := strings.Repeat("a", 20000)
	fmt.Println(regexp.MustCompile(`(a*)*b`).MatchString(long),
		regexp.MustCompile(`(a?){30}a{30}`).FindStringIndex(long))
	fmt.Println(len(regexp.MustCompile(`(x+x+)+y|(a|aa)+$`).FindStringSubmatch(long)[2]))
	fmt.Println(regexp.MustCompile(`[ab]*a[ab]{12}c`).FindStringIndex(strings.Repeat("ababbab",
		3000) + "c"))
	fmt.Println(regexp.MustCompile(`(?s)^.*(\d+).*$`).FindStringSubmatchIndex(long + "12" + long))
	n := 0
	for i := range 3000 {
		if regexp.MustCompile(fmt.Sprintf(`^(\pL+)%d$`, i)).MatchString(fmt.Sprint("añ", i)) {
			n++
		}
	}
	fmt.Println(n)
}
