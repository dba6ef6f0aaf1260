package syntax

import (
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

func (e ErrorCode) String() string { return string(e) }

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

// What stands on the stack besides nodes.
const (
	opLeftParen = opPseudo + iota
	opVerticalBar
)

// Limits on the height of a tree, the instructions of its program, and the characters of its
// literals and sets: so many that the tree takes 128 MB.
const (
	maxHeight = 1000
	maxSize   = 128 << 20 / 40
	maxRunes  = 128 << 20 / 4
)

// A parser reads an expression from left to right. The stack has what has been read: nodes, with
// an open parenthesis below those of a group, and a bar between the alternatives so far and the
// nodes of the last one. Literals that follow one another are joined late, since an operator may
// yet follow that means the last character only.
//
// It fails by panicking with an *Error.
type parser struct {
	whole, rest string
	flags       Flags
	stack       []*Regexp
	groups      int

	// For the limits. heights and sizes are there once an expression is so large that it matters.
	nodes, runes int
	repeats      int64
	heights      map[*Regexp]int
	sizes        map[*Regexp]int64
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
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
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
				p.perlGroup()
				continue
			}
			p.skip(1)
			p.open("")
		case '|':
			p.skip(1)
			p.concat()
			if !p.swapBar() {
				p.op(opVerticalBar)
			}
		case ')':
			p.skip(1)
			p.close()
		case '^':
			p.skip(1)
			if p.flags&OneLine != 0 {
				p.op(OpBeginText)
			} else {
				p.op(OpBeginLine)
			}
		case '$':
			p.skip(1)
			if p.flags&OneLine != 0 {
				p.op(OpEndText).Flags |= WasDollar
			} else {
				p.op(OpEndLine)
			}
		case '.':
			p.skip(1)
			if p.flags&DotNL != 0 {
				p.op(OpAnyChar)
			} else {
				p.op(OpAnyCharNotNL)
			}
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
	p.alternatives()
	if len(p.stack) != 1 {
		p.fail(ErrMissingParen, p.whole)
	}
	return p.stack[0]
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
	if r, ok := p.unicodeClass(nil); ok {
		p.pushClass(r)
	} else if r, ok := p.perlClass(nil); ok {
		p.pushClass(r)
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

// perlGroup takes (?flags), (?flags:, (?P<name> or (?<name>.
func (p *parser) perlGroup() {
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
		p.open(name)
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
				p.op(opLeftParen)
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
	re := p.node(OpLiteral)
	re.Flags = p.flags
	if p.flags&FoldCase != 0 && minFold <= r && r <= maxFold {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		r = least
	}
	re.Rune = append(re.Rune0[:0], r)
	p.push(re)
}

// push pushes a node. A set of one character, or of one with its other case, becomes a literal.
func (p *parser) push(re *Regexp) {
	p.runes += len(re.Rune)
	r := re.Rune
	cases := func(a, b rune) bool { return unicode.SimpleFold(a) == b && unicode.SimpleFold(b) == a }
	flags := p.flags
	switch {
	case re.Op == OpCharClass && len(r) == 2 && r[0] == r[1]:
		flags &^= FoldCase
	case re.Op == OpCharClass && len(r) == 4 && r[0] == r[1] && r[2] == r[3] && cases(r[0], r[2]),
		re.Op == OpCharClass && len(r) == 2 && r[0]+1 == r[1] && cases(r[0], r[1]):
		flags |= FoldCase
	default:
		p.join(-1, 0)
		p.add(re)
		return
	}
	if p.join(r[0], flags) {
		return
	}
	re.Op, re.Rune, re.Flags = OpLiteral, r[:1], flags
	p.add(re)
}

func (p *parser) add(re *Regexp) {
	p.stack = append(p.stack, re)
	p.check(re)
}

// join makes one literal of the two on top, to which no operator can come any more. If it has done
// so and r is a character, the place on top becomes a literal with that.
func (p *parser) join(r rune, flags Flags) bool {
	n := len(p.stack)
	if n < 2 {
		return false
	}
	a, b := p.stack[n-2], p.stack[n-1]
	if a.Op != OpLiteral || b.Op != OpLiteral || (a.Flags^b.Flags)&FoldCase != 0 {
		return false
	}
	a.Rune = append(a.Rune, b.Rune...)
	if r < 0 {
		p.stack = p.stack[:n-1]
		return false
	}
	b.Rune = append(b.Rune0[:0], r)
	b.Flags = flags
	return true
}

// open begins a group with a number.
func (p *parser) open(name string) {
	p.groups++
	re := p.op(opLeftParen)
	re.Cap = p.groups
	re.Name = name
}

// close makes one node of a group.
func (p *parser) close() {
	p.alternatives()
	n := len(p.stack)
	if n < 2 || p.stack[n-2].Op != opLeftParen {
		p.fail(ErrUnexpectedParen, p.whole)
	}
	inner, group := p.stack[n-1], p.stack[n-2]
	p.stack = p.stack[:n-2]
	p.flags = group.Flags
	if group.Cap == 0 {
		p.push(inner)
		return
	}
	group.Op = OpCapture
	group.Sub = append(group.Sub0[:0], inner)
	p.push(group)
}

// top takes the nodes above the last parenthesis or bar off the stack.
func (p *parser) top() []*Regexp {
	i := len(p.stack)
	for i > 0 && p.stack[i-1].Op < opPseudo {
		i--
	}
	nodes := p.stack[i:]
	p.stack = p.stack[:i]
	return nodes
}

// concat makes one node of the last alternative.
func (p *parser) concat() {
	p.join(-1, 0)
	if nodes := p.top(); len(nodes) > 0 {
		p.push(p.collapse(nodes, OpConcat))
	} else {
		p.push(p.node(OpEmptyMatch))
	}
}

// alternatives makes one node of all alternatives of a group.
func (p *parser) alternatives() {
	p.concat()
	if p.swapBar() {
		p.stack = p.stack[:len(p.stack)-1]
	}
	nodes := p.top()
	if len(nodes) == 0 {
		p.push(p.node(OpNoMatch))
		return
	}
	tidy(nodes[len(nodes)-1])
	p.push(p.collapse(nodes, OpAlternate))
}

// swapBar brings the alternative on top below the bar, if one is there: into the set that lies
// there, if both are sets.
func (p *parser) swapBar() bool {
	n := len(p.stack)
	if n < 2 || p.stack[n-2].Op != opVerticalBar {
		return false
	}
	if n >= 3 {
		a, b := p.stack[n-3], p.stack[n-1]
		if isSet(a) && isSet(b) {
			if b.Op > a.Op {
				a, b = b, a
				p.stack[n-3] = a
			}
			merge(a, b)
			p.stack = p.stack[:n-1]
			return true
		}
		// Nothing will be merged into it any more.
		tidy(a)
	}
	p.stack[n-2], p.stack[n-1] = p.stack[n-1], p.stack[n-2]
	return true
}

// repeat puts an operator, whose text begins at, around the top node. before is the text from the
// operator on that comes before it.
func (p *parser) repeat(op Op, lo, hi int, at, before string) {
	flags := p.flags
	if p.flags&PerlX != 0 {
		if strings.HasPrefix(p.rest, "?") {
			p.skip(1)
			flags ^= NonGreedy
		}
		if before != "" {
			p.fail(ErrInvalidRepeatOp, p.since(before))
		}
	}
	n := len(p.stack)
	if n == 0 || p.stack[n-1].Op >= opPseudo {
		p.fail(ErrMissingRepeatArgument, p.since(at))
	}
	re := p.node(op)
	re.Min, re.Max, re.Flags = lo, hi, flags
	re.Sub = append(re.Sub0[:0], p.stack[n-1])
	p.stack[n-1] = re
	p.check(re)
	if op == OpRepeat && (lo >= 2 || hi >= 2) && !fits(re, 1000) {
		p.fail(ErrInvalidRepeatSize, p.since(at))
	}
}

// fits says whether nested repetitions come to n copies at most.
func fits(re *Regexp, n int) bool {
	if re.Op == OpRepeat {
		m := re.Max
		if m == 0 {
			return true
		}
		if m < 0 {
			m = re.Min
		}
		if m > n {
			return false
		}
		if m > 0 {
			n /= m
		}
	}
	for _, sub := range re.Sub {
		if !fits(sub, n) {
			return false
		}
	}
	return true
}

// Sets among nodes:

// isSet says whether re matches one character and could be a set.
func isSet(re *Regexp) bool {
	switch re.Op {
	case OpLiteral:
		return len(re.Rune) == 1
	case OpCharClass, OpAnyChar, OpAnyCharNotNL:
		return true
	}
	return false
}

// merge adds what b matches to a. Neither is more than a set, and b no more than a.
func merge(a, b *Regexp) {
	switch a.Op {
	case OpAnyCharNotNL:
		isNewline := func() bool {
			switch b.Op {
			case OpLiteral:
				return b.Rune[0] == '\n'
			case OpCharClass:
				for i := 0; i < len(b.Rune); i += 2 {
					if b.Rune[i] <= '\n' && '\n' <= b.Rune[i+1] {
						return true
					}
				}
			}
			return b.Op == OpAnyChar
		}
		if isNewline() {
			a.Op = OpAnyChar
		}
	case OpCharClass:
		if b.Op == OpLiteral {
			a.Rune = addChar(a.Rune, b.Rune[0], b.Flags)
		} else {
			a.Rune = addSet(a.Rune, b.Rune, false)
		}
	case OpLiteral:
		if a.Rune[0] == b.Rune[0] && a.Flags == b.Flags {
			break
		}
		a.Op = OpCharClass
		a.Rune = addChar(addChar(nil, a.Rune[0], a.Flags), b.Rune[0], b.Flags)
	}
}

// tidy cleans the set re, to which nothing is added any more.
func tidy(re *Regexp) {
	if re.Op != OpCharClass {
		return
	}
	r := cleaned(re.Rune)
	n := len(r)
	isWhole := n > 0 && r[0] == 0 && r[n-1] == unicode.MaxRune
	switch {
	case n == 2 && isWhole:
		re.Op, r = OpAnyChar, nil
	case n == 4 && isWhole && r[1] == '\n'-1 && r[2] == '\n'+1:
		re.Op, r = OpAnyCharNotNL, nil
	}
	re.Rune = r
}

// Lists:

// collapse is a list of nodes as one node, without lists of the same kind in it.
func (p *parser) collapse(nodes []*Regexp, op Op) *Regexp {
	if len(nodes) == 1 {
		return nodes[0]
	}
	re := p.node(op)
	re.Sub = re.Sub0[:0]
	for _, sub := range nodes {
		if sub.Op == op {
			re.Sub = append(re.Sub, sub.Sub...)
		} else {
			re.Sub = append(re.Sub, sub)
		}
	}
	if op == OpAlternate {
		if re.Sub = p.factor(re.Sub); len(re.Sub) == 1 {
			return re.Sub[0]
		}
	}
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
		most := 0
		for k, re := range run {
			m := run[most]
			if m.Op < re.Op || m.Op == re.Op && len(m.Rune) < len(re.Rune) {
				most = k
			}
		}
		run[0], run[most] = run[most], run[0]
		for _, re := range run[1:] {
			merge(run[0], re)
		}
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
	tail := p.collapse(list, OpAlternate)
	re := p.node(OpConcat)
	re.Sub = append(re.Sub0[:0], head, tail)
	return re
}

// factorStrings takes out strings.
func (p *parser) factorStrings(list []*Regexp) []*Regexp {
	out := list[:0]
	for i := 0; i < len(list); {
		text, fold := leadingString(list[i])
		j := i + 1
		for ; j < len(list); j++ {
			t, f := leadingString(list[j])
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
		head := leadingPiece(list[i])
		j := i + 1
		for j < len(list) && head != nil && isSimple(head) && head.Equal(leadingPiece(list[j])) {
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

// leadingString is the characters that re begins with.
func leadingString(re *Regexp) ([]rune, Flags) {
	if re.Op == OpConcat && len(re.Sub) > 0 {
		re = re.Sub[0]
	}
	if re.Op != OpLiteral {
		return nil, 0
	}
	return re.Rune, re.Flags & FoldCase
}

// cutString is re without the first n of them.
func (p *parser) cutString(re *Regexp, n int) *Regexp {
	switch {
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
	case re.Op == OpLiteral:
		re.Rune = append(re.Rune[:0], re.Rune[n:]...)
		if len(re.Rune) == 0 {
			re.Op = OpEmptyMatch
		}
	}
	return re
}

// leadingPiece is what re begins with, or nil.
func leadingPiece(re *Regexp) *Regexp {
	if re.Op == OpConcat && len(re.Sub) > 0 {
		re = re.Sub[0]
	}
	if re.Op == OpEmptyMatch {
		return nil
	}
	return re
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

// check fails if re is too large. Heights and sizes of all that is on the stack are computed only
// when there is so much that they could be too large.
func (p *parser) check(re *Regexp) {
	if p.runes > maxRunes {
		p.fail(ErrLarge, p.whole)
	}
	p.checkSize(re)
	p.checkHeight(re)
}

func (p *parser) checkSize(re *Regexp) {
	if p.sizes == nil {
		if re.Op == OpRepeat {
			n := int64(re.Max)
			if n == -1 {
				n = int64(re.Min)
			}
			if n = max(n, 1); n > maxSize/p.repeats {
				p.repeats = maxSize
			} else {
				p.repeats *= n
			}
		}
		if int64(p.nodes) < maxSize/p.repeats {
			return
		}
		p.sizes = make(map[*Regexp]int64)
		for _, re := range p.stack {
			p.checkSize(re)
		}
	}
	if p.size(re, true) > maxSize {
		p.fail(ErrLarge, p.whole)
	}
}

// size is how many instructions re comes to, about; it looks again if it is to be fresh.
func (p *parser) size(re *Regexp, fresh bool) int64 {
	if n, ok := p.sizes[re]; ok && !fresh {
		return n
	}
	var n int64
	for _, sub := range re.Sub {
		n += p.size(sub, false)
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
	n = max(n, 1)
	p.sizes[re] = n
	return n
}

func (p *parser) checkHeight(re *Regexp) {
	if p.nodes < maxHeight {
		return
	}
	if p.heights == nil {
		p.heights = make(map[*Regexp]int)
		for _, re := range p.stack {
			p.checkHeight(re)
		}
	}
	if p.height(re, true) > maxHeight {
		p.fail(ErrNestingDepth, p.whole)
	}
}

func (p *parser) height(re *Regexp, fresh bool) int {
	if h, ok := p.heights[re]; ok && !fresh {
		return h
	}
	h := 0
	for _, sub := range re.Sub {
		h = max(h, p.height(sub, false))
	}
	p.heights[re] = h + 1
	return h + 1
}
