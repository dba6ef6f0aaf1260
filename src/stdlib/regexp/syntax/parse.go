// The parser: it makes a tree of the text of an expression.
package syntax

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error says why an expression is none, and the part of it that is wrong.
type Error struct {
	Code ErrorCode
	Expr string
}

func (e *Error) Error() string {
	return "error parsing regexp: " + string(e.Code) + ": `" + e.Expr + "`"
}

type ErrorCode string

const (
	ErrInternalError ErrorCode = "regexp/syntax: internal error"

	ErrInvalidCharClass      ErrorCode = "invalid character class"
	ErrInvalidCharRange      ErrorCode = "invalid character class range"
	ErrInvalidEscape         ErrorCode = "invalid escape sequence"
	ErrInvalidNamedCapture   ErrorCode = "invalid named capture"
	ErrInvalidPerlOp         ErrorCode = "invalid or unsupported Perl syntax"
	ErrInvalidRepeatOp       ErrorCode = "invalid nested repetition operator"
	ErrInvalidRepeatSize     ErrorCode = "invalid repeat count"
	ErrInvalidUTF8           ErrorCode = "invalid UTF-8"
	ErrMissingBracket        ErrorCode = "missing closing ]"
	ErrMissingParen          ErrorCode = "missing closing )"
	ErrMissingRepeatArgument ErrorCode = "missing argument to repetition operator"
	ErrTrailingBackslash     ErrorCode = "trailing backslash at end of expression"
	ErrUnexpectedParen       ErrorCode = "unexpected )"
	ErrNestingDepth          ErrorCode = "expression nests too deeply"
	ErrLarge                 ErrorCode = "expression too large"
)

func (code ErrorCode) String() string { return string(code) }

// Flags say how an expression is read, and of a node how it was.
type Flags uint16

const (
	FoldCase Flags = 1 << iota
	Literal
	ClassNL
	DotNL
	OneLine
	NonGreedy
	PerlX
	UnicodeGroups
	WasDollar
	Simple

	MatchNL = ClassNL | DotNL

	Perl        = ClassNL | OneLine | PerlX | UnicodeGroups
	POSIX Flags = 0
)

// Limits on the height of a tree, the instructions of its program, and the characters of its
// literals and sets: so many that the tree takes 128 MB.
const (
	maxLevels = 1000
	maxInsts  = 128 << 20 / 40
	maxRunes  = 128 << 20 / 4
)

// A parser reads an expression from left to right. The stack has the nodes that have been read, and
// a scope for each open parenthesis, and for the whole, says which of them are finished
// alternatives of it and which are pieces of the last one. Literals that follow one another are
// joined late, since an operator may yet follow that means the last character only.
//
// It fails by panicking with an *Error.
type parser struct {
	whole, rest string
	flags       Flags
	stack       []*Regexp
	outer       []scope // those around the innermost one
	scope
	groups int

	// For the limits.
	nodes, runes int
	repeats      int64
	sizes        gauge
	heights      gauge
}

// A scope is a group that is being read. Its alternatives begin at first on the stack, the pieces
// of the last one at piece.
type scope struct {
	group        *Regexp // it has a number if the group captures
	first, piece int
}

// Parse makes the tree of an expression.
func Parse(s string, flags Flags) (re *Regexp, err error) {
	p := parser{whole: s, rest: s, flags: flags, repeats: 1}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *Error:
			re, err = nil, e
		default:
			panic(e)
		}
	}()
	if flags&Literal != 0 {
		p.validate(s)
		re := &Regexp{Op: OpLiteral, Flags: flags}
		re.Rune = append(re.Rune0[:0], []rune(s)...)
		return re, nil
	}
	return p.parse(), nil
}

func (p *parser) fail(code ErrorCode, text string) { panic(&Error{code, text}) }

// validate fails if s is not UTF-8.
func (p *parser) validate(s string) {
	for i, r := range s {
		if r == utf8.RuneError && width(s[i:]) == 1 {
			p.fail(ErrInvalidUTF8, s[i:])
		}
	}
}

func width(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

func (p *parser) skip(n int) { p.rest = p.rest[n:] }

// next takes a character from the text.
func (p *parser) next() rune {
	r, n := utf8.DecodeRuneInString(p.rest)
	if r == utf8.RuneError && n == 1 {
		p.fail(ErrInvalidUTF8, p.rest)
	}
	p.skip(n)
	return r
}

// since is the text between at, where the parser was, and where it is.
func (p *parser) since(at string) string { return at[:len(at)-len(p.rest)] }

func isAlnum(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func (p *parser) parse() *Regexp {
	repetition := "" // the text from the operator on that stands before
	for p.rest != "" {
		at := p.rest
		before := repetition
		repetition = ""
		switch at[0] {
		case '(':
			if p.flags&PerlX != 0 && len(at) >= 2 && at[1] == '?' {
				p.extendedGroup()
				continue
			}
			p.skip(1)
			p.capture("")
		case '|':
			p.skip(1)
			p.nodes++
			p.alternative()
		case ')':
			p.skip(1)
			p.shut()
		case '^':
			p.oneOf(OneLine, OpBeginText, OpBeginLine)
		case '$':
			if end := p.oneOf(OneLine, OpEndText, OpEndLine); end.Op == OpEndText {
				end.Flags |= WasDollar
			}
		case '.':
			p.oneOf(DotNL, OpAnyChar, OpAnyCharNotNL)
		case '[':
			p.class()
		case '*', '+', '?':
			p.skip(1)
			p.repeat(OpStar+Op(strings.IndexByte("*+?", at[0])), 0, 0, at, before)
			repetition = at
		case '{':
			lo, hi, ok := p.counts()
			if !ok {
				p.rest = at[1:]
				p.literal('{')
				continue
			}
			if lo < 0 || lo > 1000 || hi > 1000 || hi >= 0 && lo > hi {
				p.fail(ErrInvalidRepeatSize, p.since(at))
			}
			p.repeat(OpRepeat, lo, hi, at, before)
			repetition = at
		case '\\':
			p.backslash()
		default:
			p.literal(p.next())
		}
	}
	re := p.choice()
	if len(p.outer) > 0 {
		p.fail(ErrMissingParen, p.whole)
	}
	return re
}

// backslash takes what begins with one.
func (p *parser) backslash() {
	at := p.rest
	if p.flags&PerlX != 0 && len(at) >= 2 {
		var op Op
		switch at[1] {
		case 'A':
			op = OpBeginText
		case 'z':
			op = OpEndText
		case 'b':
			op = OpWordBoundary
		case 'B':
			op = OpNoWordBoundary
		case 'C':
			p.fail(ErrInvalidEscape, at[:2])
		case 'Q':
			text, after, _ := strings.Cut(at[2:], `\E`)
			for p.rest = text; p.rest != ""; {
				p.literal(p.next())
			}
			p.rest = after
			return
		}
		if op != 0 {
			p.skip(2)
			p.op(op)
			return
		}
	}
	var s chars
	if p.unicodeClass(&s) || p.perlClass(&s) {
		p.pushClass(s)
	} else {
		p.literal(p.escape())
	}
}

// escape takes a backslash and the character that it stands for with what follows.
func (p *parser) escape() rune {
	at := p.rest
	p.skip(1)
	if p.rest == "" {
		p.fail(ErrTrailingBackslash, "")
	}
	isOctal := func() bool { return p.rest != "" && '0' <= p.rest[0] && p.rest[0] <= '7' }
	c := p.next()
	switch {
	case c == '0', '1' <= c && c <= '7' && isOctal():
		// A single digit other than 0 would refer to a group.
		r := c - '0'
		for i := 1; i < 3 && isOctal(); i++ {
			r = r*8 + rune(p.rest[0]-'0')
			p.skip(1)
		}
		return r
	case c == 'x':
		if r, ok := p.hex(); ok {
			return r
		}
	case c < utf8.RuneSelf && !isAlnum(c):
		return c
	default:
		if i := strings.IndexRune("afnrtv", c); i >= 0 {
			return rune("\a\f\n\r\t\v"[i])
		}
	}
	p.fail(ErrInvalidEscape, p.since(at))
	return 0
}

// hex takes what follows \x: two digits, or any number in braces.
func (p *parser) hex() (r rune, ok bool) {
	digit := func() rune {
		c := p.next()
		switch {
		case '0' <= c && c <= '9':
			return c - '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			return c | 0x20 - 'a' + 10
		case c == '}':
			return -2
		}
		return -1
	}
	if p.rest == "" {
		return 0, false
	}
	if p.rest[0] != '{' {
		hi := digit()
		lo := digit()
		return hi*16 + lo, hi >= 0 && lo >= 0
	}
	p.skip(1)
	for n := 0; p.rest != ""; n++ {
		d := digit()
		if d == -2 {
			return r, n > 0
		}
		if r = r*16 + d; d < 0 || r > unicode.MaxRune {
			break
		}
	}
	return 0, false
}

// counts takes {n}, {n,} (hi is -1) or {n,m} from the text; lo is -1 if a number is far too big.
func (p *parser) counts() (lo, hi int, ok bool) {
	p.skip(1)
	if lo, ok = p.number(); !ok || p.rest == "" {
		return 0, 0, false
	}
	hi = lo
	if p.rest[0] == ',' {
		p.skip(1)
		if strings.HasPrefix(p.rest, "}") {
			hi = -1
		} else if hi, ok = p.number(); !ok {
			return 0, 0, false
		} else if hi < 0 {
			lo = -1
		}
	}
	if !strings.HasPrefix(p.rest, "}") {
		return 0, 0, false
	}
	p.skip(1)
	return lo, hi, true
}

// number takes a decimal number without leading zeros: -1 from 100,000,000 or so on.
func (p *parser) number() (n int, ok bool) {
	isDigit := func(i int) bool { return i < len(p.rest) && '0' <= p.rest[i] && p.rest[i] <= '9' }
	if !isDigit(0) || p.rest[0] == '0' && isDigit(1) {
		return 0, false
	}
	for ; isDigit(0); p.skip(1) {
		if n >= 1e8 {
			n = -1
		} else if n >= 0 {
			n = n*10 + int(p.rest[0]-'0')
		}
	}
	return n, true
}

// extendedGroup takes (?flags), (?flags:, (?P<name> or (?<name>.
func (p *parser) extendedGroup() {
	at := p.rest
	for _, head := range []string{"(?P<", "(?<"} {
		if !strings.HasPrefix(at, head) || len(at) == len(head) {
			continue
		}
		name, after, ok := strings.Cut(at[len(head):], ">")
		if !ok {
			p.validate(at)
			p.fail(ErrInvalidNamedCapture, at)
		}
		p.validate(name)
		for _, c := range name {
			ok = ok && (c == '_' || isAlnum(c))
		}
		if !ok || name == "" {
			p.fail(ErrInvalidNamedCapture, at[:len(at)-len(after)])
		}
		p.rest = after
		p.capture(name)
		return
	}

	p.skip(2)
	// Those that are set, or, behind a dash, cleared; and whether one has been named.
	flags := p.flags
	negative, named := false, false
	change := func(f Flags, on bool) {
		if on != negative {
			flags |= f
		} else {
			flags &^= f
		}
		named = true
	}
	for p.rest != "" {
		switch c := p.next(); c {
		case 'i':
			change(FoldCase, true)
			continue
		case 'm':
			change(OneLine, false)
			continue
		case 's':
			change(DotNL, true)
			continue
		case 'U':
			change(NonGreedy, true)
			continue
		case '-':
			if !negative {
				negative, named = true, false
				continue
			}
		case ':', ')':
			if negative && !named {
				break
			}
			if c == ':' {
				p.open()
			}
			p.flags = flags
			return
		}
		break
	}
	p.fail(ErrInvalidPerlOp, p.since(at))
}

// The stack:

func (p *parser) node(op Op) *Regexp {
	p.nodes++
	return &Regexp{Op: op}
}

// op pushes a node of that kind.
func (p *parser) op(op Op) *Regexp {
	re := p.node(op)
	re.Flags = p.flags
	p.push(re)
	return re
}

func (p *parser) pushClass(r []rune) {
	re := p.node(OpCharClass)
	re.Flags = p.flags
	if re.Rune = r; r == nil {
		re.Rune = re.Rune0[:0]
	}
	p.push(re)
}

// literal pushes a character; of those that are equal but for case it is the smallest one.
func (p *parser) literal(r rune) {
	if p.flags&FoldCase != 0 && firstCased <= r && r <= lastCased {
		for f := range otherCases(r) {
			r = min(r, f)
		}
	}
	p.push(p.node(OpLiteral).become(r, p.flags))
}

// become makes re a literal of one character.
func (re *Regexp) become(r rune, flags Flags) *Regexp {
	re.Op, re.Flags, re.Rune = OpLiteral, flags, append(re.Rune0[:0], r)
	return re
}

// push pushes a node. A set of one character, or of one with its other case, becomes a literal.
func (p *parser) push(re *Regexp) {
	p.runes += len(re.Rune)
	flags, isSingle := p.flags, false
	if re.Op == OpCharClass {
		flags, isSingle = single(re.Rune, flags)
	}
	spare := p.join()
	if isSingle && spare != nil {
		p.stack = append(p.stack, spare.become(re.Rune[0], flags))
		return
	}
	if isSingle {
		re.Op, re.Rune, re.Flags = OpLiteral, re.Rune[:1], flags
	}
	p.stack = append(p.stack, re)
	p.check(re)
}

// single says whether a set is one character, in all its cases if the flags that it gives say so.
func single(r []rune, flags Flags) (Flags, bool) {
	if len(r) == 2 && r[0] == r[1] {
		return flags &^ FoldCase, true
	}
	isPair := len(r) == 4 && r[0] == r[1] && r[2] == r[3] || len(r) == 2 && r[0]+1 == r[1]
	if !isPair {
		return flags, false
	}
	lo, hi := r[0], r[len(r)-1]
	return flags | FoldCase, unicode.SimpleFold(lo) == hi && unicode.SimpleFold(hi) == lo
}

// join makes one literal of the two pieces on top, to which no operator can come any more. It gives
// the node that is not needed then.
func (p *parser) join() (spare *Regexp) {
	pieces := p.stack[p.piece:]
	if len(pieces) < 2 {
		return nil
	}
	pieces = pieces[len(pieces)-2:]
	for _, re := range pieces {
		if re.Op != OpLiteral || (re.Flags^pieces[0].Flags)&FoldCase != 0 {
			return nil
		}
	}
	spare = pieces[1]
	pieces[0].Rune = append(pieces[0].Rune, spare.Rune...)
	p.stack = p.stack[:len(p.stack)-1]
	return spare
}

// oneOf reads a character that means the one with the flag, and the other without.
func (p *parser) oneOf(flag Flags, with, without Op) *Regexp {
	p.skip(1)
	if p.flags&flag == 0 {
		with = without
	}
	return p.op(with)
}

// open begins a group.
func (p *parser) open() {
	p.join()
	group := p.node(OpCapture)
	group.Flags = p.flags
	p.check(group)
	p.outer = append(p.outer, p.scope)
	p.scope = scope{group, len(p.stack), len(p.stack)}
}

// capture begins a group with a number.
func (p *parser) capture(name string) {
	p.open()
	p.groups++
	p.group.Cap, p.group.Name = p.groups, name
}

// shut makes one node of a group.
func (p *parser) shut() {
	re := p.choice()
	depth := len(p.outer) - 1
	if depth < 0 {
		p.fail(ErrUnexpectedParen, p.whole)
	}
	group := p.group
	p.stack = p.stack[:p.first]
	p.scope, p.outer = p.outer[depth], p.outer[:depth]
	p.flags = group.Flags
	if group.Cap > 0 {
		group.Sub = append(group.Sub0[:0], re)
		re = group
	}
	p.push(re)
}

// replace puts one node in the place of those from a place of the stack on.
func (p *parser) replace(from int, with *Regexp) {
	p.stack, p.piece = p.stack[:from], from
	p.push(with)
}

// alternative makes one node of the pieces of the last alternative. If that is a set, like the one
// before it, it goes into that.
func (p *parser) alternative() {
	p.join()
	at := p.piece
	pieces := p.stack[at:]
	if len(pieces) == 0 {
		p.replace(at, p.node(OpEmptyMatch))
	} else {
		p.replace(at, p.list(OpConcat, pieces))
	}
	if at > p.first {
		if pair := p.stack[at-1:]; isSet(pair[0]) && isSet(pair[1]) {
			union(pair, false)
			p.stack = p.stack[:at]
		} else {
			// Nothing will be added to it any more.
			tidy(pair[0])
		}
	}
	p.piece = len(p.stack)
}

// choice makes one node of all alternatives of a group, and gives it.
func (p *parser) choice() *Regexp {
	p.alternative()
	tidy(p.stack[len(p.stack)-1])
	p.replace(p.first, p.list(OpAlternate, p.stack[p.first:]))
	return p.stack[p.first]
}

// repeat puts an operator, whose text begins at, around the top node. before is the text from the
// operator on that comes before it.
func (p *parser) repeat(op Op, lo, hi int, at, before string) {
	re := p.node(op)
	re.Min, re.Max, re.Flags = lo, hi, p.flags
	if p.flags&PerlX != 0 {
		if after, isLazy := strings.CutPrefix(p.rest, "?"); isLazy {
			p.rest = after
			re.Flags ^= NonGreedy
		}
		if before != "" {
			p.fail(ErrInvalidRepeatOp, p.since(before))
		}
	}
	if len(p.stack) == p.piece {
		p.fail(ErrMissingRepeatArgument, p.since(at))
	}
	top := &p.stack[len(p.stack)-1]
	re.Sub = append(re.Sub0[:0], *top)
	*top = re
	p.check(re)
	if op == OpRepeat && max(lo, hi) > 1 && copies(re) > maxCopies {
		p.fail(ErrInvalidRepeatSize, p.since(at))
	}
}

const maxCopies = 1000

// copies is how often that part of re is repeated which is so most often, at most one more than is
// allowed.
func copies(re *Regexp) int {
	own, most := 1, 1
	if re.Op == OpRepeat {
		if own = re.Max; own < 0 {
			own = max(re.Min, 1)
		}
	}
	for _, sub := range re.Sub {
		most = max(most, copies(sub))
	}
	return min(own*most, maxCopies+1)
}

// Sets among nodes:

// isSet says whether re matches one character and could be a set.
func isSet(re *Regexp) bool {
	switch re.Op {
	case OpCharClass, OpAnyChar, OpAnyCharNotNL:
		return true
	}
	return re.Op == OpLiteral && len(re.Rune) == 1
}

// union makes the first node match what any of them does; all are sets. The one of the most general
// kind comes to that place, and of those of one kind, if size counts, the one with most ranges.
func union(nodes []*Regexp, sizeCounts bool) {
	best := 0
	for i, re := range nodes {
		most := nodes[best]
		isLonger := sizeCounts && len(re.Rune) > len(most.Rune)
		if re.Op > most.Op || re.Op == most.Op && isLonger {
			best = i
		}
	}
	nodes[0], nodes[best] = nodes[best], nodes[0]
	all := nodes[0]
	for _, re := range nodes[1:] {
		switch all.Op {
		case OpAnyChar:
		case OpAnyCharNotNL:
			if re.takesNewline() {
				all.Op = OpAnyChar
			}
		case OpLiteral:
			if all.Rune[0] == re.Rune[0] && all.Flags == re.Flags {
				continue
			}
			var s chars
			all.addTo(&s)
			re.addTo(&s)
			all.Op, all.Rune = OpCharClass, s
		default:
			re.addTo((*chars)(&all.Rune))
		}
	}
}

// addTo adds what a literal or a set matches.
func (re *Regexp) addTo(s *chars) {
	if re.Op == OpLiteral {
		s.addFlagged(re.Rune[0], re.Rune[0], re.Flags)
	} else {
		s.addAll(re.Rune, 0)
	}
}

func (re *Regexp) takesNewline() bool {
	if re.Op == OpLiteral {
		return re.Rune[0] == '\n'
	}
	isIn := re.Op == OpAnyChar
	if re.Op == OpCharClass {
		for set := re.Rune; len(set) > 0 && !isIn; set = set[2:] {
			isIn = set[0] <= '\n' && set[1] >= '\n'
		}
	}
	return isIn
}

// tidy cleans the set re, to which nothing is added any more.
func tidy(re *Regexp) {
	if re.Op == OpCharClass {
		re.Rune = cleaned(re.Rune)
		if op := kindOf(re.Rune); op == OpAnyChar || op == OpAnyCharNotNL {
			re.Op, re.Rune = op, nil
		}
	}
}

// kindOf is the simplest operator that matches what the clean set r does.
func kindOf(r []rune) Op {
	switch {
	case len(r) == 2 && r[0] == r[1]:
		return OpLiteral
	case slices.Equal(r, anyRunes):
		return OpAnyChar
	case slices.Equal(r, anyRunesNotNL):
		return OpAnyCharNotNL
	}
	return OpCharClass
}

// Lists:

// list is nodes as one node, without lists of the same kind in it.
func (p *parser) list(op Op, nodes []*Regexp) *Regexp {
	if len(nodes) == 1 {
		return nodes[0]
	}
	re := p.node(op)
	all := re.Sub0[:0]
	for i, sub := range nodes {
		flat := nodes[i : i+1]
		if sub.Op == op {
			flat = sub.Sub
		}
		all = append(all, flat...)
	}
	if op == OpAlternate {
		all = p.factor(all)
		if len(all) == 1 {
			return all[0]
		}
	}
	re.Sub = all
	return re
}

// factor takes out what neighbours begin with: abc|abd|b|c becomes ab[cd]|[bc]. The result lies in
// the same memory.
func (p *parser) factor(list []*Regexp) []*Regexp {
	if len(list) < 2 {
		return list
	}
	list = p.factorStrings(list)
	list = p.factorPieces(list)

	// Neighbours that are sets become one.
	out := list[:0]
	for i := 0; i < len(list); {
		j := i
		for j < len(list) && isSet(list[j]) {
			j++
		}
		if j <= i+1 {
			out = append(out, list[i])
			i++
			continue
		}
		run := list[i:j]
		union(run, true)
		tidy(run[0])
		out = append(out, run[0])
		i = j
	}
	list = out

	// Neighbours that match nothing but the empty string become one.
	out = list[:0]
	for i, re := range list {
		if re.Op != OpEmptyMatch || i+1 == len(list) || list[i+1].Op != OpEmptyMatch {
			out = append(out, re)
		}
	}
	return out
}

// factored is head before what remains of the nodes in list, each a copy of it taken away by cut.
func (p *parser) factored(head *Regexp, list []*Regexp, cut func(*Regexp) *Regexp) *Regexp {
	for i, re := range list {
		list[i] = cut(re)
		p.check(list[i])
	}
	tail := p.list(OpAlternate, list)
	re := p.node(OpConcat)
	re.Sub = append(re.Sub0[:0], head, tail)
	return re
}

// factorStrings takes out strings.
func (p *parser) factorStrings(list []*Regexp) []*Regexp {
	out := list[:0]
	for i := 0; i < len(list); {
		text, fold := opening(list[i])
		j := i + 1
		for ; j < len(list); j++ {
			t, f := opening(list[j])
			n := 0
			for f == fold && n < len(t) && n < len(text) && t[n] == text[n] {
				n++
			}
			if n == 0 {
				break
			}
			text = text[:n]
		}
		re := list[i]
		if j > i+1 {
			head := p.node(OpLiteral)
			head.Flags = fold
			head.Rune = append(head.Rune0[:0], text...)
			n := len(text)
			re = p.factored(head, list[i:j], func(re *Regexp) *Regexp {
				return p.cutString(re, n)
			})
		}
		out = append(out, re)
		i = j
	}
	return out
}

// factorPieces takes out sets, and sets that are repeated a fixed number of times. What is not so
// simple keeps its own paths through the machine, which decide what matches first.
func (p *parser) factorPieces(list []*Regexp) []*Regexp {
	isSimple := func(re *Regexp) bool {
		return isSet(re) || re.Op == OpRepeat && re.Min == re.Max && isSet(re.Sub[0])
	}
	out := list[:0]
	for i := 0; i < len(list); {
		head := firstPiece(list[i])
		j := i + 1
		for j < len(list) && head != nil && isSimple(head) && head.Equal(firstPiece(list[j])) {
			j++
		}
		re := list[i]
		if j > i+1 {
			re = p.factored(head, list[i:j], p.cutPiece)
		}
		out = append(out, re)
		i = j
	}
	return out
}

// opening is the characters that re begins with.
func opening(re *Regexp) (text []rune, fold Flags) {
	if first := firstPiece(re); first != nil && first.Op == OpLiteral {
		text, fold = first.Rune, first.Flags&FoldCase
	}
	return text, fold
}

// cutString is re without the first n of them.
func (p *parser) cutString(re *Regexp, n int) *Regexp {
	switch {
	case re.Op == OpLiteral:
		if re.Rune = re.Rune[:copy(re.Rune, re.Rune[n:])]; len(re.Rune) == 0 {
			re.Op = OpEmptyMatch
		}
	case re.Op == OpConcat && len(re.Sub) > 0:
		first := p.cutString(re.Sub[0], n)
		re.Sub[0] = first
		if first.Op != OpEmptyMatch {
			break
		}
		if len(re.Sub) == 2 {
			return re.Sub[1]
		}
		re.Sub = append(re.Sub[:0], re.Sub[1:]...)
	}
	return re
}

// firstPiece is what re begins with, or nil.
func firstPiece(re *Regexp) *Regexp {
	first := re
	if re.Op == OpConcat && len(re.Sub) > 0 {
		first = re.Sub[0]
	}
	if first.Op == OpEmptyMatch {
		first = nil
	}
	return first
}

// cutPiece is re without that.
func (p *parser) cutPiece(re *Regexp) *Regexp {
	if re.Op != OpConcat || len(re.Sub) == 0 {
		return p.node(OpEmptyMatch)
	}
	re.Sub = append(re.Sub[:0], re.Sub[1:]...)
	switch len(re.Sub) {
	case 0:
		re.Op, re.Sub = OpEmptyMatch, nil
	case 1:
		return re.Sub[0]
	}
	return re
}

// Limits:

// A gauge measures nodes by their parts, whose figures it remembers. It begins to do so only when
// there is so much that the limit could be passed.
type gauge struct {
	known map[*Regexp]int64
}

// passes says whether re, or anything on the stack when the gauge begins, measures more than limit.
func (g *gauge) passes(limit int64, re *Regexp, stack []*Regexp, of measure) bool {
	tooLarge := func(re *Regexp) bool { return g.take(re, of) > limit }
	if g.known == nil {
		g.known = make(map[*Regexp]int64)
		if slices.ContainsFunc(stack, tooLarge) {
			return true
		}
	}
	return tooLarge(re)
}

// A measure is the figure of a node, made of those of its parts.
type measure func(re *Regexp, part func(*Regexp) int64) int64

// take measures re, whose own figure may have changed.
func (g *gauge) take(re *Regexp, of measure) int64 {
	n := of(re, func(sub *Regexp) int64 {
		if n, ok := g.known[sub]; ok {
			return n
		}
		return g.take(sub, of)
	})
	g.known[re] = n
	return n
}

// check fails if re is too large.
func (p *parser) check(re *Regexp) {
	if p.runes > maxRunes {
		p.fail(ErrLarge, p.whole)
	}
	if p.sizes.known == nil && re.Op == OpRepeat {
		n := int64(max(re.Max, 1))
		if re.Max == -1 {
			n = int64(max(re.Min, 1))
		}
		// A product beyond the limit is as good as the limit.
		p.repeats = min(p.repeats*n, maxInsts)
	}
	mayBeLarge := p.sizes.known != nil || int64(p.nodes) >= maxInsts/p.repeats
	if mayBeLarge && p.sizes.passes(maxInsts, re, p.stack, size) {
		p.fail(ErrLarge, p.whole)
	}
	if p.nodes >= maxLevels && p.heights.passes(maxLevels, re, p.stack, height) {
		p.fail(ErrNestingDepth, p.whole)
	}
}

// size is how many instructions re comes to, about.
func size(re *Regexp, part func(*Regexp) int64) int64 {
	var n int64
	for _, sub := range re.Sub {
		n += part(sub)
	}
	switch re.Op {
	case OpLiteral:
		n = int64(len(re.Rune))
	case OpCapture, OpStar:
		n += 2
	case OpPlus, OpQuest:
		n++
	case OpAlternate:
		n += max(0, int64(len(re.Sub))-1)
	case OpRepeat:
		lo, hi := int64(re.Min), int64(re.Max)
		switch {
		case hi != -1:
			n = hi*n + hi - lo
		case lo == 0:
			n += 2
		default:
			n = 1 + lo*n
		}
	}
	return max(n, 1)
}

func height(re *Regexp, part func(*Regexp) int64) int64 {
	var most int64
	for _, sub := range re.Sub {
		most = max(most, part(sub))
	}
	return most + 1
}
