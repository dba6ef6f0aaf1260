// Package syntax: regular expressions as trees, and the programs that they become.
//
// parse.go makes the tree, class.go sets of characters, compile.go the program.
package syntax

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Regexp is a node of the tree.
type Regexp struct {
	Op       Op
	Flags    Flags
	Sub      []*Regexp
	Sub0     [1]*Regexp
	Rune     []rune
	Rune0    [2]rune
	Min, Max int
	Cap      int
	Name     string
}

type Op uint8

const (
	OpNoMatch Op = iota + 1
	OpEmptyMatch
	OpLiteral
	OpCharClass
	OpAnyCharNotNL
	OpAnyChar
	OpBeginLine
	OpEndLine
	OpBeginText
	OpEndText
	OpWordBoundary
	OpNoWordBoundary
	OpCapture
	OpStar
	OpPlus
	OpQuest
	OpRepeat
	OpConcat
	OpAlternate

	// From here on a node only stands on the parser's stack.
	opPseudo Op = 128
)

var opNames = strings.Fields("NoMatch EmptyMatch Literal CharClass AnyCharNotNL AnyChar " +
	"BeginLine EndLine BeginText EndText WordBoundary NoWordBoundary Capture Star Plus Quest " +
	"Repeat Concat Alternate")

func (i Op) String() string {
	switch {
	case i == opPseudo:
		return "opPseudo"
	case i >= OpNoMatch && i <= OpAlternate:
		return opNames[i-OpNoMatch]
	}
	return "Op(" + strconv.Itoa(int(i)) + ")"
}

func (x *Regexp) Equal(y *Regexp) bool {
	switch {
	case x == nil || y == nil:
		return x == y
	case x.Op != y.Op:
		return false
	}
	differs := func(f Flags) bool { return (x.Flags^y.Flags)&f != 0 }
	switch x.Op {
	case OpLiteral, OpCharClass:
		return !differs(FoldCase) && slices.Equal(x.Rune, y.Rune)
	case OpEndText:
		return !differs(WasDollar)
	case OpConcat, OpAlternate:
		return slices.EqualFunc(x.Sub, y.Sub, (*Regexp).Equal)
	case OpRepeat:
		if x.Min != y.Min || x.Max != y.Max {
			return false
		}
		fallthrough
	case OpStar, OpPlus, OpQuest:
		return !differs(NonGreedy) && x.Sub[0].Equal(y.Sub[0])
	case OpCapture:
		return x.Cap == y.Cap && x.Name == y.Name && x.Sub[0].Equal(y.Sub[0])
	}
	return true
}

// MaxCap is the highest number of a group.
func (re *Regexp) MaxCap() int {
	most := 0
	if re.Op == OpCapture {
		most = re.Cap
	}
	for _, sub := range re.Sub {
		most = max(most, sub.MaxCap())
	}
	return most
}

// CapNames is the names of the groups by their numbers.
func (re *Regexp) CapNames() []string {
	all := make([]string, re.MaxCap()+1)
	re.nameGroups(all)
	return all
}

// nameGroups puts the names of the groups that have one into the list.
func (re *Regexp) nameGroups(all []string) {
	if re.Op == OpCapture {
		all[re.Cap] = re.Name
	}
	for i := range re.Sub {
		re.Sub[i].nameGroups(all)
	}
}

// Simplify is re without counted repetitions. What is as it was is shared.
func (re *Regexp) Simplify() *Regexp {
	if re == nil {
		return nil
	}
	switch re.Op {
	case OpStar, OpPlus, OpQuest:
		return repeated(re.Op, re.Flags, re.Sub[0].Simplify(), re)
	case OpRepeat:
		return re.unrolled()
	case OpCapture, OpConcat, OpAlternate:
		simple := re
		for i, sub := range re.Sub {
			s := sub.Simplify()
			if s != sub && simple == re {
				simple = new(Regexp)
				*simple = *re
				simple.Rune = nil
				simple.Sub = append(simple.Sub0[:0], re.Sub[:i]...)
			}
			if simple != re {
				simple.Sub = append(simple.Sub, s)
			}
		}
		return simple
	}
	return re
}

// unrolled is x{2,} as xx+, and x{2,4} as xx(x(x)?)?, which costs a machine less than xxx?x?.
func (re *Regexp) unrolled() *Regexp {
	if re.Min == 0 && re.Max == 0 {
		return &Regexp{Op: OpEmptyMatch}
	}
	x := re.Sub[0].Simplify()
	switch {
	case re.Max == -1 && re.Min == 0:
		return repeated(OpStar, re.Flags, x, nil)
	case re.Max == -1 && re.Min == 1:
		return repeated(OpPlus, re.Flags, x, nil)
	case re.Min == 1 && re.Max == 1:
		return x
	case re.Max >= 0 && re.Max < re.Min || re.Max < -1:
		if re.Min <= 0 {
			return &Regexp{Op: OpNoMatch}
		}
	}
	list := &Regexp{Op: OpConcat}
	list.Sub = list.Sub0[:0]
	if re.Max == -1 {
		for range re.Min - 1 {
			list.Sub = append(list.Sub, x)
		}
		list.Sub = append(list.Sub, repeated(OpPlus, re.Flags, x, nil))
		return list
	}
	for range re.Min {
		list.Sub = append(list.Sub, x)
	}
	if re.Max > re.Min {
		tail := repeated(OpQuest, re.Flags, x, nil)
		for range re.Max - re.Min - 1 {
			pair := &Regexp{Op: OpConcat}
			pair.Sub = append(pair.Sub0[:0], x, tail)
			tail = repeated(OpQuest, re.Flags, pair, nil)
		}
		if re.Min <= 0 {
			return tail
		}
		list.Sub = append(list.Sub, tail)
	}
	return list
}

// repeated is x with operator op; old, if it is that already.
func repeated(op Op, flags Flags, x, old *Regexp) *Regexp {
	same := func(re *Regexp) bool { return re.Op == op && (re.Flags^flags)&NonGreedy == 0 }
	if x.Op == OpEmptyMatch || same(x) {
		return x
	}
	if old != nil && same(old) && old.Sub[0] == x {
		return old
	}
	around := &Regexp{Op: op, Flags: flags}
	around.Sub = append(around.Sub0[:0], x)
	return around
}

// What is written around a node: flags that are set, a negated flag by its shifted bit, and
// parentheses.
type marks uint8

const (
	markI marks = 1 << iota
	markM
	markS
	markClose // the flags end behind the node
	markGroup // (?:…)

	notShift = 5
)

// printer writes a tree. around says which nodes begin and end a span with flags of its own.
type printer struct {
	strings.Builder
	around map[*Regexp]marks
}

func (re *Regexp) String() string {
	var p printer
	must, cant := p.plan(re)
	must |= (cant &^ markI) << notShift
	if must != 0 {
		must |= markClose
	}
	p.write(re, must)
	return p.Builder.String()
}

// folds says whether r has other cases.
func folds(r rune) bool {
	return firstCased <= r && r <= lastCased && unicode.SimpleFold(r) != r
}

// plan finds the flags that must be set and those that must not be set for re to mean what it
// does. Where two parts of a list do not agree it encloses spans.
func (p *printer) plan(re *Regexp) (must, cant marks) {
	switch re.Op {
	case OpLiteral:
		if slices.ContainsFunc(re.Rune, folds) {
			if re.Flags&FoldCase != 0 {
				return markI, 0
			}
			return 0, markI
		}
	case OpCharClass:
		if !hasAllCases(re.Rune) {
			return 0, markI
		}
	case OpAnyCharNotNL:
		return 0, markS
	case OpAnyChar:
		return markS, 0
	case OpBeginLine, OpEndLine:
		return markM, 0
	case OpEndText:
		if re.Flags&WasDollar != 0 {
			return 0, markM
		}
	case OpCapture, OpStar, OpPlus, OpQuest, OpRepeat:
		return p.plan(re.Sub[0])
	case OpConcat, OpAlternate:
		return p.planList(re.Sub)
	}
	return 0, 0
}

func (p *printer) planList(list []*Regexp) (must, cant marks) {
	first, last := 0, 0
	conflict := false
	var never marks
	enclose := func() {
		if must == 0 {
			return
		}
		if p.around == nil {
			p.around = make(map[*Regexp]marks)
		}
		p.around[list[first]] = must
		p.around[list[last]] |= markClose
	}
	for i, sub := range list {
		m, c := p.plan(sub)
		if must&c != 0 || m&cant != 0 {
			enclose()
			must, cant, first, conflict = 0, 0, i, true
		}
		must |= m
		cant |= c
		never |= c
		if m != 0 {
			last = i
		}
		if must == 0 && first == i {
			first++
		}
	}
	if conflict {
		enclose()
		return 0, never
	}
	return must, cant
}

func (p *printer) write(re *Regexp, m marks) {
	m |= p.around[re]
	const flags = ^(markClose | markGroup)
	if m&flags != 0 {
		if m&markClose != 0 {
			m &^= markGroup
		}
		p.WriteString("(?")
		for i, c := range "ims" {
			if m&(1<<i) != 0 {
				p.WriteRune(c)
			}
		}
		if off := m >> notShift & (markM | markS); off != 0 {
			p.WriteByte('-')
			if off&markM != 0 {
				p.WriteByte('m')
			}
			if off&markS != 0 {
				p.WriteByte('s')
			}
		}
		p.WriteByte(':')
	}
	if m&markGroup != 0 {
		p.WriteString("(?:")
	}
	p.writeNode(re)
	if m&markGroup != 0 {
		p.WriteByte(')')
	}
	if m&markClose != 0 {
		p.WriteByte(')')
	}
}

// Operators that are written as they are.
var plain = map[Op]string{
	OpNoMatch:        `[^\x00-\x{10FFFF}]`,
	OpEmptyMatch:     `(?:)`,
	OpAnyChar:        `.`,
	OpAnyCharNotNL:   `.`,
	OpBeginLine:      `^`,
	OpEndLine:        `$`,
	OpBeginText:      `\A`,
	OpEndText:        `\z`,
	OpWordBoundary:   `\b`,
	OpNoWordBoundary: `\B`,
}

func (p *printer) writeNode(re *Regexp) {
	switch re.Op {
	case OpEndText:
		if re.Flags&WasDollar != 0 {
			p.WriteByte('$')
			return
		}
		fallthrough
	default:
		if text, ok := plain[re.Op]; ok {
			p.WriteString(text)
			return
		}
		p.WriteString("<invalid op" + strconv.Itoa(int(re.Op)) + ">")
	case OpLiteral:
		for _, r := range re.Rune {
			p.char(r, false)
		}
	case OpCharClass:
		p.class(re.Rune)
	case OpCapture:
		p.WriteByte('(')
		if re.Name != "" {
			p.WriteString("?P<" + re.Name + ">")
		}
		if sub := re.Sub[0]; sub.Op != OpEmptyMatch {
			p.write(sub, p.around[sub])
		}
		p.WriteByte(')')
	case OpStar, OpPlus, OpQuest, OpRepeat:
		switch sub := re.Sub[0]; {
		case sub.Op > OpCapture, sub.Op == OpLiteral && len(sub.Rune) > 1:
			p.write(sub, markGroup)
		default:
			p.write(sub, 0)
		}
		if re.Op == OpRepeat {
			p.WriteString("{" + strconv.Itoa(re.Min))
			if re.Max != re.Min {
				p.WriteByte(',')
				if re.Max >= 0 {
					p.WriteString(strconv.Itoa(re.Max))
				}
			}
			p.WriteByte('}')
		} else {
			p.WriteByte("*+?"[re.Op-OpStar])
		}
		if re.Flags&NonGreedy != 0 {
			p.WriteByte('?')
		}
	case OpConcat:
		for _, sub := range re.Sub {
			if sub.Op == OpAlternate {
				p.write(sub, markGroup)
			} else {
				p.write(sub, 0)
			}
		}
	case OpAlternate:
		for i, sub := range re.Sub {
			if i > 0 {
				p.WriteByte('|')
			}
			p.write(sub, 0)
		}
	}
}

// class writes a set in brackets; what reaches from 0 to the last character with gaps is written as
// what it leaves out.
func (p *printer) class(r []rune) {
	n := len(r)
	if n%2 != 0 {
		p.WriteString("[invalid char class]")
		return
	}
	p.WriteByte('[')
	if n == 0 {
		p.WriteString(`^\x00-\x{10FFFF}`)
	} else if n > 2 && r[0] == 0 && r[n-1] == unicode.MaxRune {
		p.WriteByte('^')
		for i := 1; i < n-1; i += 2 {
			p.span(r[i]+1, r[i+1]-1)
		}
	} else {
		for i := 0; i < n; i += 2 {
			p.span(r[i], r[i+1])
		}
	}
	p.WriteByte(']')
}

func (p *printer) span(lo, hi rune) {
	p.char(lo, lo == '-')
	if lo == hi {
		return
	}
	if hi != lo+1 {
		p.WriteByte('-')
	}
	p.char(hi, hi == '-')
}

// char writes r so that it means itself.
func (p *printer) char(r rune, quote bool) {
	if unicode.IsPrint(r) {
		if quote || strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			p.WriteByte('\\')
		}
		p.WriteRune(r)
		return
	}
	const short = "\a\f\n\r\t\v"
	if i := strings.IndexRune(short, r); i >= 0 {
		p.WriteByte('\\')
		p.WriteByte("afnrtv"[i])
		return
	}
	hex := strconv.FormatInt(int64(r), 16)
	switch {
	case r >= 0x100:
		p.WriteString(`\x{` + hex + `}`)
	case len(hex) == 1:
		p.WriteString(`\x0` + hex)
	default:
		p.WriteString(`\x` + hex)
	}
}
