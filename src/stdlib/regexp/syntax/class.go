// Sets of characters: how they are collected, cleaned and negated; and how the text names them,
// by \d, [:alpha:], \p{Greek} or one by one in brackets.
package syntax

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A set of characters is a list of pairs, the first and the last of a range. It is clean if the
// ranges are in order and do not touch.
//
// Sets are collected as chars, to which ranges are added in any order; cleaned puts that right once,
// when all are there. All else is done with clean sets.

// Between these are all characters that have other cases.
const (
	firstCased = 'A'
	lastCased  = 0x1e943
)

// otherCases gives the characters that differ from c by case.
func otherCases(c rune) iter.Seq[rune] {
	return func(yield func(rune) bool) {
		for f := unicode.SimpleFold(c); f != c && yield(f); {
			f = unicode.SimpleFold(f)
		}
	}
}

// cleaned makes r clean, in place.
func cleaned(r []rune) []rune {
	isClean := true
	for i := 2; i < len(r); i += 2 {
		if r[i] <= r[i-1]+1 {
			isClean = false
			break
		}
	}
	if isClean {
		return r
	}
	pairs := make([]uint64, len(r)/2)
	for i := range pairs {
		// Of those that begin at one place the longest comes first.
		pairs[i] = uint64(r[2*i])<<32 | uint64(^uint32(r[2*i+1]))
	}
	slices.Sort(pairs)
	n := 0
	for _, pair := range pairs {
		lo, hi := rune(pair>>32), rune(^uint32(pair))
		if n > 0 && lo <= r[n-1]+1 {
			r[n-1] = max(r[n-1], hi)
			continue
		}
		r[n], r[n+1] = lo, hi
		n += 2
	}
	return r[:n]
}

// find is the number of the range of the clean set r that c is in, or -1.
func find(r []rune, c rune) int {
	at := 0
	for left := len(r) / 2; left > 1; {
		half := left / 2
		if r[2*(at+half)] <= c {
			at += half
		}
		left -= half
	}
	if len(r) == 0 || c < r[2*at] || r[2*at+1] < c {
		return -1
	}
	return at
}

// hasAllCases says whether the set r has all cases of what is in it.
func hasAllCases(r []rune) bool {
	for i := 0; i+1 < len(r); i += 2 {
		for c := max(firstCased, r[i]); c <= min(lastCased, r[i+1]); c++ {
			for f := range otherCases(c) {
				if find(r, f) < 0 {
					return false
				}
			}
		}
	}
	return true
}

// chars is a set that ranges are added to.
type chars []rune

// add adds lo to hi. It extends one of the last two ranges if they touch: when both cases of
// letters are added in turn, two ranges grow.
func (s *chars) add(lo, hi rune) {
	last := *s
	last = last[max(0, len(last)-4):]
	for len(last) > 0 {
		r := last[len(last)-2:]
		if r[0]-1 <= hi && lo-1 <= r[1] {
			r[0], r[1] = min(lo, r[0]), max(hi, r[1])
			return
		}
		last = last[:len(last)-2]
	}
	*s = append(*s, lo, hi)
}

// addFlagged adds lo to hi, in all their cases if flags say so.
func (s *chars) addFlagged(lo, hi rune, flags Flags) {
	s.add(lo, hi)
	if flags&FoldCase == 0 || lo <= firstCased && lastCased <= hi {
		return
	}
	for c := max(lo, firstCased); c <= min(hi, lastCased); c++ {
		for f := range otherCases(c) {
			if f < lo || hi < f {
				s.add(f, f)
			}
		}
	}
}

// addAll adds a clean set.
func (s *chars) addAll(r []rune, flags Flags) {
	if len(*s) == 0 && flags&FoldCase == 0 {
		*s = append(*s, r...)
		return
	}
	for i := 0; i < len(r); i += 2 {
		s.addFlagged(r[i], r[i+1], flags)
	}
}

// addTable adds a table of package unicode: first, last and step of each of its ranges.
func (s *chars) addTable(ranges []rune) {
	for i := 0; i < len(ranges); i += 3 {
		s.addSteps(ranges[i], ranges[i+1], ranges[i+2])
	}
}

// addSteps adds every step-th character from lo to hi.
func (s *chars) addSteps(lo, hi, step rune) {
	width := rune(0)
	if step == 1 {
		width = hi - lo
	}
	for ; lo <= hi; lo += width + step {
		s.add(lo, lo+width)
	}
}

// negated is what is not in the clean set r: the gaps between its ranges.
func negated(r []rune) []rune {
	gaps := make([]rune, 0, len(r)+2)
	from := rune(0)
	for i := 0; i <= len(r); i += 2 {
		to, next := rune(unicode.MaxRune), rune(0)
		if i < len(r) {
			to, next = r[i]-1, r[i+1]+1
		}
		if from <= to {
			gaps = append(gaps, from, to)
		}
		from = next
	}
	return gaps
}

// A named set; lists of characters are first and last of each range.
func set(ranges string) []rune { return []rune(ranges) }

var backslashSets = map[byte][]rune{
	'd': set("09"),
	's': set("\t\n\f\r  "),
	'w': set("09AZ__az"),
}

var posixSets = map[string][]rune{
	"alnum":  set("09AZaz"),
	"alpha":  set("AZaz"),
	"ascii":  set("\x00\x7f"),
	"blank":  set("\t\t  "),
	"cntrl":  set("\x00\x1f\x7f\x7f"),
	"digit":  set("09"),
	"graph":  set("!~"),
	"lower":  set("az"),
	"print":  set(" ~"),
	"punct":  set("!/:@[`{~"),
	"space":  set("\t\r  "),
	"upper":  set("AZ"),
	"word":   set("09AZ__az"),
	"xdigit": set("09AFaf"),
}

// addNamed adds the named set r, or what is not in it.
func (p *parser) addNamed(s *chars, r []rune, negate bool) {
	if p.flags&FoldCase != 0 || negate {
		var all chars
		all.addAll(r, p.flags)
		r = cleaned(all)
	}
	if negate {
		r = negated(r)
	}
	s.addAll(r, 0)
}

var (
	everything = []rune{0, unicode.MaxRune, 1}
	ascii      = []rune{0, 0x7f, 1}
	// The long s and the sign of Kelvin are cases of s and k.
	asciiFold = []rune{0x17f, 0x17f, 1, 0x212a, 0x212a, 1}
)

// Natives: what unicode's maps hold, without the maps, which take a program long to make. The map
// is named by its kind.
const (
	categories   = "C"
	scripts      = "S"
	foldCategory = "F"
	foldScript   = "G"
)

// rangesOf is the table of that kind and name; nil if there is none.
func rangesOf(kind, name string) []rune

// scriptNames is the keys of unicode.Scripts.
func scriptNames() []string

// categoryAliases is unicode.CategoryAliases, each key with its value behind it.
func categoryAliases() []string

// otherNames has the keys of package unicode's maps, and other names of theirs, as canonical writes
// them.
var otherNames = sync.OnceValue(func() map[string]string {
	keys := map[string]string{"Lc": "LC"}
	aliases := categoryAliases()
	for i := 0; i < len(aliases); i += 2 {
		keys[canonical(aliases[i])] = aliases[i+1]
	}
	for _, name := range scriptNames() {
		keys[canonical(name)] = name
	}
	return keys
})

// canonical is name with a capital in front, small letters behind it, and no separators.
func canonical(name string) string {
	isCanonical := true
	for i := range len(name) {
		c := name[i]
		if c == '_' || c == '-' || c == ' ' || i == 0 && 'a' <= c && c <= 'z' ||
			i > 0 && 'A' <= c && c <= 'Z' {
			isCanonical = false
		}
	}
	if isCanonical {
		return name
	}
	var letters []byte
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_' || c == '-' || c == ' ':
		case len(letters) == 0 && 'a' <= c && c <= 'z':
			letters = append(letters, c-'a'+'A')
		case len(letters) > 0 && 'A' <= c && c <= 'Z':
			letters = append(letters, c-'A'+'a')
		default:
			letters = append(letters, c)
		}
	}
	return string(letters)
}

// table finds what \p{name} means: a table, what is added to it where case does not count, and
// whether what is not in it is meant.
func table(name string) (t, fold []rune, negate bool) {
	name = canonical(name)
	switch name {
	case "Assigned":
		return rangesOf(categories, "Cn"), nil, true
	case "Ascii":
		return ascii, asciiFold, false
	case "Any":
		return everything, nil, false
	}
	for range 2 {
		if t = rangesOf(scripts, name); t != nil {
			return t, rangesOf(foldScript, name), false
		}
		if t = rangesOf(categories, name); t != nil {
			return t, rangesOf(foldCategory, name), false
		}
		// Most names are keys already.
		name = otherNames()[name]
	}
	return nil, nil, false
}

// perlClass takes \d and its like from the text, if it is there.
func (p *parser) perlClass(s *chars) bool {
	if p.flags&PerlX == 0 || len(p.rest) < 2 || p.rest[0] != '\\' {
		return false
	}
	letter := p.rest[1]
	r, ok := backslashSets[letter|0x20]
	if ok = ok && isAlnum(rune(letter)); ok {
		p.addNamed(s, r, letter <= 'Z')
		p.skip(2)
	}
	return ok
}

// posixClass takes [:alpha:] and its like from the text, if it is there.
func (p *parser) posixClass(s *chars) bool {
	inner, isOpen := strings.CutPrefix(p.rest, "[:")
	name, after, isShut := strings.Cut(inner, ":]")
	if !isOpen || !isShut {
		return false
	}
	at := p.rest
	p.rest = after
	name, negate := strings.CutPrefix(name, "^")
	r, ok := posixSets[name]
	if !ok {
		p.fail(ErrInvalidCharRange, p.since(at))
	}
	p.addNamed(s, r, negate)
	return true
}

// unicodeClass takes \pL, \P{Greek} and their like from the text, if it is there.
func (p *parser) unicodeClass(s *chars) bool {
	at := p.rest
	if p.flags&UnicodeGroups == 0 || len(at) < 2 || at[0] != '\\' || at[1]|0x20 != 'p' {
		return false
	}
	negate := at[1] == 'P'
	p.skip(2)
	var name string
	if c := p.next(); c == '{' {
		var ok bool
		if name, _, ok = strings.Cut(p.rest, "}"); !ok {
			p.validate(at)
			p.fail(ErrInvalidCharRange, at)
		}
		p.validate(name)
		p.skip(len(name) + 1)
	} else {
		name = p.since(at)[2:]
	}
	whole := p.since(at)
	if n, ok := strings.CutPrefix(name, "^"); ok {
		name, negate = n, !negate
	}
	t, fold, opposite := table(name)
	if t == nil {
		p.fail(ErrInvalidCharRange, whole)
	}
	var all chars
	all.addTable(t)
	if p.flags&FoldCase != 0 && fold != nil {
		all.addTable(fold)
	}
	r := cleaned(all)
	if negate != opposite {
		r = negated(r)
	}
	s.addAll(r, 0)
	return true
}

// class takes a set in brackets from the text.
func (p *parser) class() {
	whole := p.rest
	p.skip(1)
	var s chars
	negate := false
	if strings.HasPrefix(p.rest, "^") {
		p.skip(1)
		negate = true
		if p.flags&ClassNL == 0 {
			s.add('\n', '\n')
		}
	}
	for first := true; first || !strings.HasPrefix(p.rest, "]"); first = false {
		at := p.rest
		// A dash may stand first and last; Perl has it anywhere.
		if !first && p.flags&PerlX == 0 && at != "" && at[0] == '-' &&
			(len(at) == 1 || at[1] != ']') {
			p.fail(ErrInvalidCharRange, "-"+at[1:1+width(at[1:])])
		}
		if p.posixClass(&s) || p.unicodeClass(&s) || p.perlClass(&s) {
			continue
		}
		lo := p.classChar(whole)
		hi := lo
		if len(p.rest) >= 2 && p.rest[0] == '-' && p.rest[1] != ']' {
			p.skip(1)
			if hi = p.classChar(whole); hi < lo {
				p.fail(ErrInvalidCharRange, p.since(at))
			}
		}
		s.addFlagged(lo, hi, p.flags)
	}
	p.skip(1)
	r := cleaned(s)
	if negate {
		r = negated(r)
	}
	p.pushClass(r)
}

func (p *parser) classChar(whole string) rune {
	if p.rest == "" {
		p.fail(ErrMissingBracket, whole)
	}
	if p.rest[0] == '\\' {
		return p.escape()
	}
	return p.next()
}
