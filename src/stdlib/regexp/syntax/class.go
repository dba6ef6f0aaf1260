package syntax

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A set of characters is a list of pairs, the first and the last of a range. It is clean if the
// ranges are in order and do not touch.

// Between these are all characters that have other cases.
const (
	minFold = 'A'
	maxFold = 0x1e943
)

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

// contains says whether c is in the clean set r.
func contains(r []rune, c rune) bool {
	lo, hi := 0, len(r)/2
	for lo < hi {
		m := (lo + hi) / 2
		if r[2*m] > c {
			hi = m
		} else if r[2*m+1] < c {
			lo = m + 1
		} else {
			return true
		}
	}
	return false
}

// closedUnderFolding says whether the set r has all cases of what is in it.
func closedUnderFolding(r []rune) bool {
	for i := 0; i+1 < len(r); i += 2 {
		lo, hi := max(minFold, r[i]), min(maxFold, r[i+1])
		for c := lo; c <= hi; c++ {
			for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
				if (f < lo || f > hi) && !contains(r, f) {
					return false
				}
			}
		}
	}
	return true
}

// addRange adds lo to hi. It extends one of the last two ranges if they touch: when both cases of
// letters are added in turn, two ranges grow.
func addRange(r []rune, lo, hi rune) []rune {
	for i := len(r) - 2; i >= 0 && i >= len(r)-4; i -= 2 {
		if lo <= r[i+1]+1 && r[i] <= hi+1 {
			r[i], r[i+1] = min(r[i], lo), max(r[i+1], hi)
			return r
		}
	}
	return append(r, lo, hi)
}

// addFolded adds lo to hi in all their cases.
func addFolded(r []rune, lo, hi rune) []rune {
	if lo <= minFold && hi >= maxFold || hi < minFold || lo > maxFold {
		return addRange(r, lo, hi)
	}
	if lo < minFold {
		r = addRange(r, lo, minFold-1)
		lo = minFold
	}
	if hi > maxFold {
		r = addRange(r, maxFold+1, hi)
		hi = maxFold
	}
	for c := lo; c <= hi; c++ {
		r = addRange(r, c, c)
		for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
			r = addRange(r, f, f)
		}
	}
	return r
}

// addChar adds c, in all its cases if flags say so.
func addChar(r []rune, c rune, flags Flags) []rune {
	if flags&FoldCase != 0 {
		return addFolded(r, c, c)
	}
	return addRange(r, c, c)
}

// addSet adds the clean set x, or what is not in it.
func addSet(r, x []rune, negate bool) []rune {
	if !negate {
		for i := 0; i < len(x); i += 2 {
			r = addRange(r, x[i], x[i+1])
		}
		return r
	}
	next := rune(0)
	for i := 0; i < len(x); i += 2 {
		if next < x[i] {
			r = addRange(r, next, x[i]-1)
		}
		next = x[i+1] + 1
	}
	if next <= unicode.MaxRune {
		r = addRange(r, next, unicode.MaxRune)
	}
	return r
}

// negated is what is not in the clean set r.
func negated(r []rune) []rune { return addSet(nil, r, true) }

// addTable adds a table of package unicode.
func addTable(r []rune, t *unicode.RangeTable) []rune {
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			r = addRange(r, lo, hi)
			return
		}
		for c := lo; c <= hi; c += stride {
			r = addRange(r, c, c)
		}
	}
	for _, x := range t.R16 {
		add(rune(x.Lo), rune(x.Hi), rune(x.Stride))
	}
	for _, x := range t.R32 {
		add(rune(x.Lo), rune(x.Hi), rune(x.Stride))
	}
	return r
}

// A named set; lists of characters are first and last of each range.
func set(ranges string) []rune { return []rune(ranges) }

var perlSets = map[byte][]rune{
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

// addNamed adds the named set x, or what is not in it.
func (p *parser) addNamed(r, x []rune, negate bool) []rune {
	if p.flags&FoldCase != 0 {
		var all []rune
		for i := 0; i < len(x); i += 2 {
			all = addFolded(all, x[i], x[i+1])
		}
		x = cleaned(all)
	}
	return addSet(r, x, negate)
}

var (
	everything = &unicode.RangeTable{
		R16: []unicode.Range16{{Lo: 0, Hi: 0xffff, Stride: 1}},
		R32: []unicode.Range32{{Lo: 0x10000, Hi: unicode.MaxRune, Stride: 1}},
	}
	ascii = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0, Hi: 0x7f, Stride: 1}}}
	// The long s and the sign of Kelvin are cases of s and k.
	asciiFold = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0, Hi: 0x7f, Stride: 1}, {Lo: 0x17f, Hi: 0x17f, Stride: 1},
		{Lo: 0x212a, Hi: 0x212a, Stride: 1},
	}}
)

// Names of categories and scripts that are not keys of package unicode's maps as canonical writes
// them, and what they stand for.
var otherNames = sync.OnceValues(func() (categories, scripts map[string]string) {
	categories, scripts = make(map[string]string), make(map[string]string)
	for name, key := range unicode.CategoryAliases {
		categories[canonical(name)] = key
	}
	for name := range unicode.Scripts {
		scripts[canonical(name)] = name
	}
	return
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
	var b []byte
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '_' || c == '-' || c == ' ':
			continue
		case len(b) == 0:
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return string(b)
}

// table finds what \p{name} means: a table, what is added to it where case does not count, and
// whether what is not in it is meant.
func table(name string) (t, fold *unicode.RangeTable, negate bool) {
	name = canonical(name)
	switch name {
	case "Any":
		return everything, everything, false
	case "Ascii":
		return ascii, asciiFold, false
	case "Assigned":
		return unicode.Cn, unicode.Cn, true
	case "Lc":
		return unicode.Categories["LC"], unicode.FoldCategory["LC"], false
	}
	if t := unicode.Categories[name]; t != nil {
		return t, unicode.FoldCategory[name], false
	}
	if t := unicode.Scripts[name]; t != nil {
		return t, unicode.FoldScript[name], false
	}
	categories, scripts := otherNames()
	if key := categories[name]; key != "" {
		return unicode.Categories[key], unicode.FoldCategory[key], false
	}
	if key := scripts[name]; key != "" {
		return unicode.Scripts[key], unicode.FoldScript[key], false
	}
	return nil, nil, false
}

// perlClass takes \d and its like from the text, if it is there.
func (p *parser) perlClass(r []rune) ([]rune, bool) {
	if p.flags&PerlX == 0 || len(p.rest) < 2 || p.rest[0] != '\\' {
		return r, false
	}
	c := p.rest[1]
	x := perlSets[c|0x20]
	if x == nil || !isAlnum(rune(c)) {
		return r, false
	}
	p.skip(2)
	return p.addNamed(r, x, c < 'a'), true
}

// posixClass takes [:alpha:] and its like from the text, if it is there.
func (p *parser) posixClass(r []rune) ([]rune, bool) {
	if len(p.rest) <= 2 || p.rest[:2] != "[:" {
		return r, false
	}
	end := strings.Index(p.rest[2:], ":]")
	if end < 0 {
		return r, false
	}
	whole, name := p.rest[:end+4], p.rest[2:end+2]
	name, negate := strings.CutPrefix(name, "^")
	x := posixSets[name]
	if x == nil {
		p.fail(ErrInvalidCharRange, whole)
	}
	p.skip(len(whole))
	return p.addNamed(r, x, negate), true
}

// unicodeClass takes \pL, \P{Greek} and their like from the text, if it is there.
func (p *parser) unicodeClass(r []rune) ([]rune, bool) {
	at := p.rest
	if p.flags&UnicodeGroups == 0 || len(at) < 2 || at[0] != '\\' || at[1]|0x20 != 'p' {
		return r, false
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
	x := addTable(nil, t)
	if p.flags&FoldCase != 0 && fold != nil {
		x = cleaned(addTable(x, fold))
	}
	return addSet(r, x, negate != opposite), true
}

// class takes a set in brackets from the text.
func (p *parser) class() {
	whole := p.rest
	p.skip(1)
	var r []rune
	negate := false
	if strings.HasPrefix(p.rest, "^") {
		p.skip(1)
		negate = true
		if p.flags&ClassNL == 0 {
			r = append(r, '\n', '\n')
		}
	}
	for first := true; first || !strings.HasPrefix(p.rest, "]"); first = false {
		at := p.rest
		// A dash may stand first and last; Perl has it anywhere.
		if !first && p.flags&PerlX == 0 && at != "" && at[0] == '-' &&
			(len(at) == 1 || at[1] != ']') {
			p.fail(ErrInvalidCharRange, "-"+at[1:1+width(at[1:])])
		}
		var ok bool
		if r, ok = p.posixClass(r); ok {
			continue
		}
		if r, ok = p.unicodeClass(r); ok {
			continue
		}
		if r, ok = p.perlClass(r); ok {
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
		if p.flags&FoldCase != 0 {
			r = addFolded(r, lo, hi)
		} else {
			r = addRange(r, lo, hi)
		}
	}
	p.skip(1)
	r = cleaned(r)
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
