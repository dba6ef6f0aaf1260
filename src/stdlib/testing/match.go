package testing

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// This file has the filter by which flags choose tests. It is made once of the texts of two flags
// and holds them as alternatives, each with a pattern for each level of a name.

// A filter says which tests run, and gives those below others names that no other has.
type filter struct {
	want, skip alternatives
	hit        func(pat, str string) (bool, error)

	mu    sync.Mutex
	names givenNames
}

type alternatives [][]string

// The function that looks for a pattern may not be called by several at once.
var hitLock sync.Mutex

func readFilter(hit func(pat, str string) (bool, error), want, flag, skip string) *filter {
	f := &filter{hit: hit, names: givenNames{}}
	f.want = f.read(want, flag)
	f.skip = f.read(skip, "-test.skip")
	return f
}

// read takes a flag apart; the program ends if it is wrong.
func (f *filter) read(text, flag string) alternatives {
	if text == "" {
		return nil
	}
	all := cut(text)
	for i, levels := range all {
		for j, pattern := range levels {
			levels[j] = printable(pattern)
		}
		for j, pattern := range levels {
			_, err := f.hit(pattern, "non-empty")
			if err == nil {
				continue
			}
			why := fmt.Sprintf("element %d of %s (%q): %s", j, flag, pattern, err)
			if len(all) > 1 {
				why = fmt.Sprintf("alternation %d of %s", i, flag)
			}
			fmt.Fprintf(os.Stderr, "testing: invalid regexp for %s\n", why)
			os.Exit(1)
		}
	}
	return all
}

// cut divides a pattern at slashes and bars that are in no brackets.
func cut(text string) alternatives {
	all := alternatives{nil}
	square, round := 0, 0
	from := 0
	end := func(at int) {
		last := len(all) - 1
		all[last] = append(all[last], text[from:at])
		from = at + 1
	}
	for i := 0; i < len(text); i++ {
		isOutside := square == 0 && round == 0
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '[':
			square++
		case c == ']':
			square = max(square-1, 0)
		case c == '(' && square == 0:
			round++
		case c == ')' && square == 0:
			round--
		case c == '/' && isOutside:
			end(i)
		case c == '|' && isOutside:
			end(i)
			all = append(all, nil)
		}
	}
	end(len(text))
	return all
}

// A claim is what alternatives have to do with a name.
type claim int

const (
	foreign claim = iota
	above         // tests below the one of this name may be meant
	meant
)

// claim looks at the levels that both the name and an alternative have.
func (f *filter) claim(all alternatives, name []string) claim {
	for _, levels := range all {
		fits := true
		for i := 0; fits && i < min(len(levels), len(name)); i++ {
			fits, _ = f.hit(levels[i], name[i])
		}
		switch {
		case !fits:
		case len(levels) > len(name):
			return above
		default:
			return meant
		}
	}
	return foreign
}

// admit gives the full name of a test below c, and whether it is to run; with partial, because of
// tests below it.
func (f *filter) admit(c *common, name string) (full string, ok, partial bool) {
	if c != nil && c.level > 0 {
		name = printable(name)
		f.mu.Lock()
		name = f.names.give(c.name, name)
		f.mu.Unlock()
	}
	hitLock.Lock()
	defer hitLock.Unlock()
	levels := strings.Split(name, "/")
	wanted := meant
	if f.want != nil {
		wanted = f.claim(f.want, levels)
	}
	// If only something below the test is to be skipped, that is seen there.
	if wanted == foreign || f.claim(f.skip, levels) == meant {
		return name, false, false
	}
	return name, true, wanted == above
}

// wants says whether a test is to run that is below no other.
func (f *filter) wants(name string) bool {
	_, ok, _ := f.admit(nil, name)
	return ok
}

// forget gives all names free.
func (f *filter) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.names)
}

// givenNames counts for each name how many have asked for it. The first gets the name itself, if
// it is not empty, and the others get it with their numbers.
type givenNames map[string]int32

func withNumber(name string, n int32) string { return fmt.Sprintf("%s#%02d", name, n) }

// give finds the first name that is free, from the number on that is next.
func (g givenNames) give(parent, name string) string {
	wish := parent + "/" + name
	for n := g[wish]; n >= 0; n++ {
		full := wish
		if n > 0 || name == "" {
			full = withNumber(wish, n)
		}
		if !g.has(full) {
			g[wish] = n + 1
			return full
		}
	}
	panic("subtest count overflow")
}

// has says whether somebody has asked for the name, or has got it because of its number.
func (g givenNames) has(full string) bool {
	if g[full] > 0 {
		return true
	}
	at := strings.LastIndexByte(full, '#')
	if at < 0 {
		return false
	}
	name := full[:at]
	parsed, err := strconv.ParseInt(full[at+1:], 10, 32)
	n := int32(parsed)
	isNumber := err == nil && n >= 0 && withNumber(name, n) == full
	// The first has a number only if its name is empty.
	return isNumber && n < g[name] && (n > 0 || strings.HasSuffix(name, "/"))
}

// printable writes a name without white space and without what cannot be printed.
func printable(name string) string {
	isOdd := func(r rune) bool {
		return r == utf8.RuneError || unicode.IsSpace(r) || !strconv.IsPrint(r)
	}
	var out []byte
	for {
		at := strings.IndexFunc(name, isOdd)
		if at < 0 {
			return string(out) + name
		}
		r, size := utf8.DecodeRuneInString(name[at:])
		out = append(out, name[:at]...)
		name = name[at+size:]
		if unicode.IsSpace(r) {
			out = append(out, '_')
		} else {
			// That is the rune itself if it can be printed.
			out = append(out, strings.Trim(strconv.QuoteRune(r), "'")...)
		}
	}
}
