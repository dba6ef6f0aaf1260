package testing

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// A matcher says which tests run, and gives those below others names that no other has.
type matcher struct {
	only, skip patterns
	match      func(pat, str string) (bool, error)

	mu    sync.Mutex
	names map[string]int32 // how many have asked for a name
}

// patterns are alternatives, each a pattern for each element of a name.
type patterns [][]string

// The function may not be called by several at once.
var matchMutex sync.Mutex

func newMatcher(match func(pat, str string) (bool, error), only, flag, skip string) *matcher {
	m := &matcher{match: match, names: map[string]int32{}}
	m.only = m.read(only, flag)
	m.skip = m.read(skip, "-test.skip")
	return m
}

// read takes a flag apart; the program ends if it is wrong.
func (m *matcher) read(text, flag string) patterns {
	if text == "" {
		return nil
	}
	all := cut(text)
	for i, one := range all {
		for j := range one {
			one[j] = printable(one[j])
		}
		for j, pattern := range one {
			_, err := m.match(pattern, "non-empty")
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
func cut(text string) patterns {
	all := patterns{nil}
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

// match says whether a name is meant; with partial there are patterns for names below it.
func (p patterns) match(m *matcher, name []string) (ok, partial bool) {
alternatives:
	for _, one := range p {
		for i, element := range name {
			if i == len(one) {
				break
			}
			if ok, _ := m.match(one[i], element); !ok {
				continue alternatives
			}
		}
		return true, len(name) < len(one)
	}
	return false, false
}

// fullName is the name of a test below c, and whether it is to run; with partial, because of tests
// below it.
func (m *matcher) fullName(c *common, name string) (full string, ok, partial bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c != nil && c.level > 0 {
		name = m.unique(c.name, printable(name))
	}
	matchMutex.Lock()
	defer matchMutex.Unlock()
	elements := strings.Split(name, "/")
	ok = true
	if m.only != nil {
		ok, partial = m.only.match(m, elements)
	}
	if !ok {
		return name, false, false
	}
	// What is to be skipped below a test is not for now.
	if skipped, below := m.skip.match(m, elements); skipped && !below {
		return name, false, false
	}
	return name, ok, partial
}

// forget gives all names free.
func (m *matcher) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.names)
}

// unique is the name below parent, with a number behind it if it has been taken.
func (m *matcher) unique(parent, name string) string {
	base := parent + "/" + name
	for {
		n := m.names[base]
		if n < 0 {
			panic("subtest count overflow")
		}
		m.names[base] = n + 1
		if n == 0 && name != "" {
			// It may look like one that a number was given to, or will be.
			if prefix, number := numbered(base); prefix != base && number < m.names[prefix] {
				continue
			}
			return base
		}
		full := fmt.Sprintf("%s#%02d", base, n)
		if m.names[full] == 0 {
			return full
		}
	}
}

// numbered takes from a name the number that unique may have given it.
func numbered(name string) (prefix string, n int32) {
	at := strings.LastIndexByte(name, '#')
	if at < 0 {
		return name, 0
	}
	prefix, digits := name[:at], name[at+1:]
	isPlain := len(digits) == 2 || len(digits) > 2 && digits[0] != '0'
	// The first name has a number only if it is empty.
	if !isPlain || digits == "00" && !strings.HasSuffix(prefix, "/") {
		return name, 0
	}
	number, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || number < 0 {
		return name, 0
	}
	return prefix, int32(number)
}

// printable writes a name without white space and without what cannot be printed.
func printable(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte('_')
		case !strconv.IsPrint(r):
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
