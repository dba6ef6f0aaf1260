// Package regexp: searching by regular expressions, in time that is linear in the text.
//
// Package regexp/syntax makes the program; the engines are native and know it by a number. Only
// what is read from an io.RuneReader is searched in Go: reader.go.
package regexp

import (
	"io"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// Regexp is a compiled expression.
type Regexp struct {
	expr     string
	prog     *syntax.Prog
	names    []string
	code     []uint32 // prog, for the natives
	number   uint64   // even; the same for the same expression
	least    int      // bytes of any match
	prefix   string
	complete bool
	longest  bool
}

// Natives. id is a Regexp's number, and one more if the longest match counts; code its program.

// all is the first max matches, n slots of each.
func all(id uint64, code []uint32, s string, max, n int) []int

// allStrings is the texts of the first max matches.
func allStrings(id uint64, code []uint32, s string, max int) []string

// find is n slots of the first match, or nil.
func find(id uint64, code []uint32, s string, n int) []int

// match says whether there is a match.
func match(id uint64, code []uint32, s string) bool

// replace is s with each match replaced by parts, behind each of which a group comes (-1: none).
// It looks at n slots.
func replace(id uint64, code []uint32, s string, n int, parts []string, groups []int) []byte

// spans is, of each match, whether it is to be replaced (0: no), and n of its slots.
func spans(id uint64, code []uint32, s string, n int) []int

// numbers has those of expressions, by how they are read: equal ones share what the engines keep,
// and are deeply equal. Of so many expressions that it would be large, it forgets all.
var numbers struct {
	sync.Mutex
	last uint64
	of   map[reading]uint64
}

type reading struct {
	expr string
	mode syntax.Flags
}

const mostNumbers = 1000

func numberOf(expr string, mode syntax.Flags) uint64 {
	numbers.Lock()
	defer numbers.Unlock()
	r := reading{expr, mode}
	if n := numbers.of[r]; n > 0 {
		return n
	}
	if numbers.of == nil || len(numbers.of) == mostNumbers {
		numbers.of = make(map[reading]uint64)
	}
	numbers.last += 2
	numbers.of[r] = numbers.last
	return numbers.last
}

func (re *Regexp) id() uint64 {
	if re.longest {
		return re.number + 1
	}
	return re.number
}

func CompilePOSIX(expr string) (*Regexp, error) { return compile(expr, syntax.POSIX, true) }
func Compile(expr string) (*Regexp, error)      { return compile(expr, syntax.Perl, false) }

func compile(expr string, mode syntax.Flags, longest bool) (*Regexp, error) {
	tree, err := syntax.Parse(expr, mode)
	if err != nil {
		return nil, err
	}
	names := tree.CapNames()
	tree = tree.Simplify()
	prog, err := syntax.Compile(tree)
	if err != nil {
		return nil, err
	}
	re := &Regexp{
		expr: expr, prog: prog, names: names, number: numberOf(expr, mode), least: least(tree),
		longest: longest,
	}
	re.prefix, re.complete = prog.Prefix()
	re.code = encode(prog, re.prefix, re.complete)
	if p, c, ok := onePassPrefix(prog); ok {
		re.prefix, re.complete = p, c
	}
	return re, nil
}

func MustCompile(str string) *Regexp {
	re, err := Compile(str)
	if err != nil {
		panic("regexp: Compile(" + quoted(str) + "): " + err.Error())
	}
	return re
}

func MustCompilePOSIX(str string) *Regexp {
	re, err := CompilePOSIX(str)
	if err != nil {
		panic("regexp: CompilePOSIX(" + quoted(str) + "): " + err.Error())
	}
	return re
}

func quoted(s string) string {
	if !strconv.CanBackquote(s) {
		return strconv.Quote(s)
	}
	return "`" + s + "`"
}

// least is how many bytes a match has at least.
func least(re *syntax.Regexp) (n int) {
	switch re.Op {
	case syntax.OpCharClass, syntax.OpAnyCharNotNL, syntax.OpAnyChar:
		n = 1
	case syntax.OpLiteral:
		n = len(re.Rune)
		for _, r := range re.Rune {
			if r != utf8.RuneError { // which stands for a single byte, too
				n += utf8.RuneLen(r) - 1
			}
		}
	case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
		for _, sub := range re.Sub {
			n += least(sub)
		}
	case syntax.OpAlternate:
		for i, sub := range re.Sub {
			if l := least(sub); i == 0 || l < n {
				n = l
			}
		}
	}
	return n
}

// encode writes a program as the natives read it: see program.rs. Each set is written once, however
// many instructions share it.
func encode(p *syntax.Prog, prefix string, complete bool) []uint32 {
	says := uint32(0)
	switch cond := p.StartCond(); {
	case cond == ^syntax.EmptyOp(0):
		says |= 2
	case cond&syntax.EmptyBeginText != 0:
		says |= 1
	}
	if complete {
		says |= 4
	}
	code := append(make([]uint32, 0, 16+4*len(p.Inst)), uint32(p.Start), says, uint32(len(prefix)))
	for i := range len(prefix) {
		code = append(code, uint32(prefix[i]))
	}

	type key struct {
		at   *rune
		char int64
	}
	numbers := make(map[key]uint32)
	at := len(code)
	code = append(code, 0)
	sets := make([]uint32, len(p.Inst))
	for pc := range p.Inst {
		i := &p.Inst[pc]
		if i.Op < syntax.InstRune {
			continue
		}
		k := key{at: unsafe.SliceData(i.Rune)}
		if len(i.Rune) == 1 {
			k = key{char: int64(i.Rune[0])<<1 + int64(i.Arg&uint32(syntax.FoldCase))}
		}
		n, ok := numbers[k]
		if !ok {
			n = uint32(len(numbers))
			numbers[k] = n
			code = encodeSet(code, i)
		}
		sets[pc] = n
	}
	code[at] = uint32(len(numbers))

	code = append(code, uint32(len(p.Inst)))
	for pc := range p.Inst {
		i := &p.Inst[pc]
		arg := i.Arg
		if i.Op >= syntax.InstRune {
			arg = sets[pc]
		}
		code = append(code, uint32(i.Op), i.Out, arg)
	}
	return code
}

func encodeSet(code []uint32, i *syntax.Inst) []uint32 {
	if len(i.Rune) != 1 {
		code = append(code, uint32(len(i.Rune)/2))
		for _, r := range i.Rune {
			code = append(code, uint32(r))
		}
		return code
	}
	r := i.Rune[0]
	cases := []rune{r}
	if syntax.Flags(i.Arg)&syntax.FoldCase != 0 {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			cases = append(cases, f)
		}
		slices.Sort(cases)
	}
	code = append(code, uint32(len(cases)))
	for _, c := range cases {
		code = append(code, uint32(c), uint32(c))
	}
	return code
}

func (re *Regexp) String() string { return re.expr }

func (re *Regexp) Copy() *Regexp {
	c := *re
	return &c
}

func (re *Regexp) Longest()                                      { re.longest = true }
func (re *Regexp) NumSubexp() int                                { return len(re.names) - 1 }
func (re *Regexp) SubexpNames() []string                         { return re.names }
func (re *Regexp) LiteralPrefix() (prefix string, complete bool) { return re.prefix, re.complete }

func (re *Regexp) SubexpIndex(name string) int {
	if name == "" {
		return -1
	}
	return slices.Index(re.names, name)
}

func (re *Regexp) AppendText(b []byte) ([]byte, error) { return append(b, re.expr...), nil }
func (re *Regexp) MarshalText() ([]byte, error)        { return re.AppendText(nil) }

func (re *Regexp) UnmarshalText(text []byte) error {
	compiled, err := Compile(string(text))
	if err == nil {
		*re = *compiled
	}
	return err
}

// str is b as a string in the same memory.
func str(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// whole is the same of bytes all of which are read, for the detector of races: a comparison reads what it makes a string of.
func whole(b []byte) string {
	if string(b) == "" {
		return ""
	}
	return str(b)
}

// slots is how many the groups of the program take, which those that cannot match are not part of.
func (re *Regexp) slots() int { return re.prog.NumCap }

// padded is m with the slots of groups that cannot match.
func (re *Regexp) padded(m []int) []int {
	for m != nil && len(m) < 2*len(re.names) {
		m = append(m, -1)
	}
	return m
}

func (re *Regexp) MatchString(s string) bool {
	_ = re.prog.Inst
	return len(s) >= re.least && match(re.id(), re.code, s)
}

func (re *Regexp) Match(b []byte) bool {
	matches := re.MatchString(str(b))
	if !matches {
		whole(b)
	}
	return matches
}

func MatchString(pattern string, s string) (matched bool, err error) {
	re, err := Compile(pattern)
	if err == nil {
		matched = re.MatchString(s)
	}
	return matched, err
}

func Match(pattern string, b []byte) (matched bool, err error) {
	re, err := Compile(pattern)
	if err == nil {
		matched = re.Match(b)
	}
	return matched, err
}

func MatchReader(pattern string, r io.RuneReader) (matched bool, err error) {
	re, err := Compile(pattern)
	if err == nil {
		matched = re.MatchReader(r)
	}
	return matched, err
}

// One match:

func (re *Regexp) find(s string, n int) []int {
	_ = re.prog.Inst
	if len(s) < re.least {
		return nil
	}
	return find(re.id(), re.code, s, n)
}

// findIn finds in bytes that are read as far as the match goes.
func (re *Regexp) findIn(b []byte, n int) []int {
	m := re.find(str(b), n)
	if m != nil {
		b = b[:m[1]]
	}
	whole(b)
	return m
}

func (re *Regexp) Find(b []byte) []byte {
	if m := re.findIn(b, 2); m != nil {
		return b[m[0]:m[1]:m[1]]
	}
	return nil
}

func (re *Regexp) FindString(s string) string {
	if m := re.find(s, 2); m != nil {
		return s[m[0]:m[1]]
	}
	return ""
}

func (re *Regexp) FindIndex(b []byte) (loc []int)       { return re.findIn(b, 2) }
func (re *Regexp) FindStringIndex(s string) (loc []int) { return re.find(s, 2) }

func (re *Regexp) FindSubmatchIndex(b []byte) []int {
	return re.padded(re.findIn(b, re.slots()))
}

func (re *Regexp) FindStringSubmatchIndex(s string) []int {
	return re.padded(re.find(s, re.slots()))
}

func (re *Regexp) FindSubmatch(b []byte) [][]byte {
	m := re.FindSubmatchIndex(b)
	if m == nil {
		return nil
	}
	return bytesOf(b, m)
}

func (re *Regexp) FindStringSubmatch(s string) []string {
	m := re.FindStringSubmatchIndex(s)
	if m == nil {
		return nil
	}
	return stringsOf(s, m)
}

// bytesOf is the parts of b that the slots of m name.
func bytesOf(b []byte, m []int) [][]byte {
	parts := make([][]byte, len(m)/2)
	for i := range parts {
		if from, to := m[2*i], m[2*i+1]; from >= 0 {
			parts[i] = b[from:to:to]
		}
	}
	return parts
}

func stringsOf(s string, m []int) []string {
	parts := make([]string, len(m)/2)
	for i := range parts {
		if from := m[2*i]; from >= 0 {
			parts[i] = s[from:m[2*i+1]]
		}
	}
	return parts
}

// All matches:

// each is f of n slots of each of the first max matches, or nil.
func each[T any](re *Regexp, s string, max, n int, f func(m []int) T) []T {
	_ = re.prog.Inst
	if max == 0 || len(s) < re.least {
		return nil
	}
	m := all(re.id(), re.code, s, max, n)
	if len(m) == 0 {
		return nil
	}
	list := make([]T, 0, len(m)/n)
	for i := 0; i < len(m); i += n {
		list = append(list, f(m[i:i+n:i+n]))
	}
	return list
}

func (re *Regexp) FindAllString(s string, n int) []string {
	_ = re.prog.Inst
	if n == 0 || len(s) < re.least {
		return nil
	}
	return allStrings(re.id(), re.code, s, n)
}

func (re *Regexp) FindAll(b []byte, n int) [][]byte {
	return each(re, whole(b), n, 2, func(m []int) []byte { return b[m[0]:m[1]:m[1]] })
}

func (re *Regexp) FindAllIndex(b []byte, n int) [][]int { return re.FindAllStringIndex(whole(b), n) }

func (re *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return each(re, s, n, 2, func(m []int) []int { return m })
}

func (re *Regexp) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return re.FindAllStringSubmatchIndex(whole(b), n)
}

func (re *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return each(re, s, n, re.slots(), re.padded)
}

func (re *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte {
	return each(re, whole(b), n, re.slots(), func(m []int) [][]byte { return bytesOf(b, re.padded(m)) })
}

func (re *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return each(re, s, n, re.slots(), func(m []int) []string { return stringsOf(s, re.padded(m)) })
}

func (re *Regexp) Split(s string, n int) []string {
	if n == 0 {
		return nil
	}
	if s == "" && re.expr != "" {
		return []string{""}
	}
	cuts := re.FindAllStringIndex(s, n)
	if len(cuts) > 0 && cuts[0][1] == 0 {
		cuts = cuts[1:] // there is nothing before it
	}
	if n > 0 {
		cuts = cuts[:min(n-1, len(cuts))]
	}
	parts := make([]string, 0, len(cuts)+1)
	rest, end := s, 0
	for _, cut := range cuts {
		end = cut[0]
		parts = append(parts, s[len(s)-len(rest):end])
		rest = s[cut[1]:]
	}
	if end < len(s) {
		parts = append(parts, rest)
	}
	return parts
}

// Replacing:

// A reference in a template: what comes before it, and the groups that it can mean, of which the
// first one counts that has matched.
type reference struct {
	before string
	groups []int
}

// parse reads a template for matches of n slots. rest is what comes behind the last reference.
func (re *Regexp) parse(text string, n int) (list []reference, rest string) {
	before := ""
	for {
		head, after, ok := strings.Cut(text, "$")
		before += head
		if !ok {
			return list, before
		}
		if text, ok = strings.CutPrefix(after, "$"); ok {
			before += "$"
			continue
		}
		name, behind, ok := cutName(after)
		if !ok {
			before += "$"
			continue
		}
		text = behind
		var groups []int
		if group := number(name); group >= 0 {
			if 2*group+1 < n {
				groups = []int{group}
			}
		} else {
			for i, own := range re.names {
				if own == name && 2*i+1 < n {
					groups = append(groups, i)
				}
			}
		}
		list = append(list, reference{before, groups})
		before = ""
	}
}

// cutName takes name or {name} off s.
func cutName(s string) (name, after string, ok bool) {
	s, brace := strings.CutPrefix(s, "{")
	n := strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if n < 0 {
		n = len(s)
	}
	name, after = s[:n], s[n:]
	if brace {
		if after, ok = strings.CutPrefix(after, "}"); !ok {
			return "", "", false
		}
	}
	return name, after, name != ""
}

// number is the number that a name is, or -1.
func number(name string) int {
	n := 0
	for i := range len(name) {
		c := name[i]
		if c < '0' || c > '9' || n >= 1e8 {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	if name[0] == '0' && len(name) > 1 {
		return -1
	}
	return n
}

func (re *Regexp) Expand(dst []byte, template []byte, src []byte, match []int) []byte {
	return re.ExpandString(dst, string(template), str(src), match)
}

func (re *Regexp) ExpandString(dst []byte, template string, src string, match []int) []byte {
	list, rest := re.parse(template, len(match))
	return append(expand(dst, list, src, match), rest...)
}

func expand(dst []byte, list []reference, src string, match []int) []byte {
	for _, r := range list {
		dst = append(dst, r.before...)
		for _, g := range r.groups {
			if from := match[2*g]; from >= 0 {
				dst = append(dst, src[from:match[2*g+1]]...)
				break
			}
		}
	}
	return dst
}

// replaced is src with what is put for each match.
func (re *Regexp) replaced(src string, put func(b []byte, match []int) []byte) []byte {
	n := re.slots()
	m := spans(re.id(), re.code, src, n)
	var b []byte
	last := 0
	for i := 0; i < len(m); i += n + 1 {
		at := m[i+1 : i+1+n]
		b = append(b, src[last:at[0]]...)
		if m[i] != 0 {
			b = put(b, at)
		}
		last = at[1]
	}
	return append(b, src[last:]...)
}

func (re *Regexp) replaceAll(src, template string) []byte {
	list, rest := re.parse(template, re.slots())
	parts, groups, n := make([]string, len(list)+1), make([]int, len(list)+1), 2
	for i, r := range list {
		parts[i], groups[i] = r.before, -1
		switch len(r.groups) {
		case 0:
		case 1:
			groups[i] = r.groups[0]
			n = max(n, 2*groups[i]+2)
		default:
			return re.replaced(src, func(b []byte, match []int) []byte {
				return append(expand(b, list, src, match), rest...)
			})
		}
	}
	parts[len(list)], groups[len(list)] = rest, -1
	return replace(re.id(), re.code, src, n, parts, groups)
}

func (re *Regexp) replaceAllLiteral(src, repl string) []byte {
	_ = re.prog.Inst
	return replace(re.id(), re.code, src, 2, []string{repl}, []int{-1})
}

func (re *Regexp) ReplaceAllString(src, repl string) string {
	return str(re.replaceAll(src, repl))
}

func (re *Regexp) ReplaceAll(src, repl []byte) []byte {
	return re.replaceAll(whole(src), string(repl))
}

func (re *Regexp) ReplaceAllLiteralString(src, repl string) string {
	return str(re.replaceAllLiteral(src, repl))
}

func (re *Regexp) ReplaceAllLiteral(src, repl []byte) []byte {
	return re.replaceAllLiteral(whole(src), whole(repl))
}

func (re *Regexp) ReplaceAllStringFunc(src string, repl func(string) string) string {
	return str(re.replaced(src, func(b []byte, m []int) []byte {
		return append(b, repl(src[m[0]:m[1]])...)
	}))
}

func (re *Regexp) ReplaceAllFunc(src []byte, repl func([]byte) []byte) []byte {
	return re.replaced(whole(src), func(b []byte, m []int) []byte {
		return append(b, repl(src[m[0]:m[1]])...)
	})
}

func QuoteMeta(s string) string {
	const meta = `\.+*?()|[]{}^$`
	i := strings.IndexAny(s, meta)
	if i < 0 {
		return s
	}
	b := make([]byte, 0, 2*len(s))
	for ; i >= 0; i = strings.IndexAny(s, meta) {
		b = append(append(b, s[:i]...), '\\', s[i])
		s = s[i+1:]
	}
	return string(append(b, s...))
}
