// run

// Statistics of a text: words, letters, sentences, anagrams, Markov chains, in several scripts.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const text = `It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness... Was it? "Yes," said Dr. Smith; "it's Mr. O'Neil's view!"
Être ou ne pas être — voilà la question. ÇA VA? Straße, ΑΒΓ αβγ, Привет мир. 漢字 and 日本語!
stop pots tops opts spot; listen silent enlist. Time emit item mite.
`

// scanWords gives words with their inner apostrophes.
func scanWords(data []byte, atEOF bool) (advance int, token []byte, err error) {
	start := 0
	for start < len(data) {
		r, n := utf8.DecodeRune(data[start:])
		if r == utf8.RuneError && n < 2 && !atEOF && !utf8.FullRune(data[start:]) {
			return start, nil, nil
		}
		if unicode.IsLetter(r) {
			break
		}
		start += n
	}
	for i := start; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if !atEOF && !utf8.FullRune(data[i:]) {
			return start, nil, nil
		}
		if r == '\'' {
			next, _ := utf8.DecodeRune(data[min(i+1, len(data)):])
			if i+1 >= len(data) && !atEOF {
				return start, nil, nil
			}
			if unicode.IsLetter(next) {
				i += n
				continue
			}
		}
		if !unicode.IsLetter(r) {
			return i + n, data[start:i], nil
		}
		i += n
	}
	if atEOF && len(data) > start {
		return len(data), data[start:], nil
	}
	return start, nil, nil
}

type byteAtATime struct{ r io.Reader }

func (b byteAtATime) Read(p []byte) (int, error) { return b.r.Read(p[:1]) }

func words(r io.Reader) (out []string, err error) {
	sc := bufio.NewScanner(r)
	sc.Split(scanWords)
	for sc.Scan() {
		out = append(out, sc.Text())
	}
	return out, sc.Err()
}

func ranked[K cmp.Ordered](counts map[K]int) []K {
	return slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		return cmp.Or(-cmp.Compare(counts[a], counts[b]), cmp.Compare(a, b))
	})
}

func key(word string) string {
	rs := []rune(strings.ToLower(word))
	slices.Sort(rs)
	return string(rs)
}

func syllables(word string) (n int) {
	vowel := false
	for _, r := range strings.ToLower(word) {
		is := strings.ContainsRune("aeiouyàâéèêëîïôùü", r)
		if is && !vowel {
			n++
		}
		vowel = is
	}
	return max(n, 1)
}

func chain(list []string, n int, r *rand.Rand) string {
	next := map[string][]string{}
	for i := range len(list) - 1 {
		next[list[i]] = append(next[list[i]], list[i+1])
	}
	w := list[0]
	out := []string{w}
	for range n {
		opts := next[w]
		if len(opts) == 0 {
			break
		}
		w = opts[r.IntN(len(opts))]
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

func main() {
	list, err := words(strings.NewReader(text))
	slow, err2 := words(byteAtATime{strings.NewReader(text)})
	fmt.Println(len(list), err, slices.Equal(list, slow), err2)
	counts := map[string]int{}
	letters := map[rune]int{}
	scripts := map[string]int{}
	anagrams := map[string][]string{}
	total := 0
	for _, w := range list {
		counts[strings.ToLower(w)]++
		total += syllables(w)
		if k := key(w); !slices.Contains(anagrams[k], strings.ToLower(w)) {
			anagrams[k] = append(anagrams[k], strings.ToLower(w))
		}
	}
	for _, r := range text {
		switch {
		case unicode.IsLetter(r):
			letters[unicode.ToLower(r)]++
			for _, name := range []string{"Latin", "Greek", "Cyrillic", "Han"} {
				if unicode.Is(unicode.Scripts[name], r) {
					scripts[name]++
				}
			}
		case unicode.IsPunct(r):
			scripts["punct"]++
		case unicode.IsSpace(r):
			scripts["space"]++
		}
	}
	for _, w := range ranked(counts)[:8] {
		fmt.Printf("%-8s %s\n", w, strings.Repeat("*", counts[w]))
	}
	for _, r := range ranked(letters)[:6] {
		fmt.Printf("%c=%d ", r, letters[r])
	}
	fmt.Println(total)
	fmt.Println(scripts)
	for _, k := range slices.Sorted(maps.Keys(anagrams)) {
		if len(anagrams[k]) > 1 {
			fmt.Println(k, anagrams[k])
		}
	}
	sentences := strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune(".!?\n",
			r)
	})
	fmt.Println(len(sentences), utf8.RuneCountInString(text), len(text),
		len(utf16.Encode([]rune(text))))
	r := rand.New(rand.NewPCG(3, 4))
	for range 3 {
		fmt.Println(chain(list, 10, r))
	}
	fmt.Println(strings.ToUpper("straße ǆ ﬀ"), strings.ToTitle("ǆ"), strings.EqualFold("ΣΑΣ",
		"σας"), strings.Title("hello wörld"))
	fmt.Println(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r == ' ':
			return -1
		}
		return r
	}, "hello world"), strings.ToValidUTF8("a\xffb\xc0\xafc", "?"))
	sc := bufio.NewScanner(strings.NewReader(strings.Repeat("x", 70000)))
	sc.Split(scanWords)
	for sc.Scan() {
	}
	fmt.Println(sc.Err(), errors.Is(sc.Err(), bufio.ErrTooLong))
	var b bytes.Buffer
	w := bufio.NewWriterSize(&b, 16)
	n, err := w.WriteString("longer than the buffer of the writer")
	fmt.Println(n, err, w.Buffered(), b.Len(), w.Flush(), b.Len())
}
