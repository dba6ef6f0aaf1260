package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Prog is a program for a machine that follows all paths at once.
type Prog struct {
	Inst   []Inst
	Start  int
	NumCap int
}

type InstOp uint8

const (
	InstAlt InstOp = iota
	InstAltMatch
	InstCapture
	InstEmptyWidth
	InstMatch
	InstFail
	InstNop
	InstRune
	InstRune1
	InstRuneAny
	InstRuneAnyNotNL
)

var instNames = strings.Fields("InstAlt InstAltMatch InstCapture InstEmptyWidth InstMatch " +
	"InstFail InstNop InstRune InstRune1 InstRuneAny InstRuneAnyNotNL")

func (i InstOp) String() string {
	if int(i) < len(instNames) {
		return instNames[i]
	}
	return ""
}

// Inst is an instruction. Out is the next one; Arg the other choice, the slot, or the condition.
type Inst struct {
	Op   InstOp
	Out  uint32
	Arg  uint32
	Rune []rune
}

// EmptyOp is a set of conditions on a position.
type EmptyOp uint8

const (
	EmptyBeginLine EmptyOp = 1 << iota
	EmptyEndLine
	EmptyBeginText
	EmptyEndText
	EmptyWordBoundary
	EmptyNoWordBoundary
)

// EmptyOpContext is the conditions that hold between two characters; -1 is beyond the text.
func EmptyOpContext(r1, r2 rune) EmptyOp {
	op := EmptyNoWordBoundary
	if IsWordChar(r1) != IsWordChar(r2) {
		op = EmptyWordBoundary
	}
	if r1 < 0 {
		op |= EmptyBeginText | EmptyBeginLine
	} else if r1 == '\n' {
		op |= EmptyBeginLine
	}
	if r2 < 0 {
		op |= EmptyEndText | EmptyEndLine
	} else if r2 == '\n' {
		op |= EmptyEndLine
	}
	return op
}

func IsWordChar(r rune) bool { return r == '_' || isAlnum(r) }

// isRune says whether i matches a character.
func (i *Inst) isRune() bool { return i.Op >= InstRune && i.Op <= InstRuneAnyNotNL }

// behind is the first instruction from pc on that does something to a match as a whole.
func (p *Prog) behind(pc uint32) *Inst {
	for {
		switch i := &p.Inst[pc]; i.Op {
		case InstCapture, InstNop:
			pc = i.Out
		default:
			return i
		}
	}
}

// Prefix is what every match begins with, and whether that is all.
func (p *Prog) Prefix() (prefix string, complete bool) {
	var text []rune
	i := p.behind(uint32(p.Start))
	for i.isRune() && len(i.Rune) == 1 {
		if i.Rune[0] == utf8.RuneError || i.Arg&uint32(FoldCase) != 0 {
			break
		}
		text = append(text, i.Rune...)
		i = p.behind(i.Out)
	}
	return string(text), i.Op == InstMatch
}

// StartCond is the conditions that hold where a match begins; all of them, even those that there
// are not, if there is none.
func (p *Prog) StartCond() (all EmptyOp) {
	i := p.behind(uint32(p.Start))
	for ; i.Op == InstEmptyWidth; i = p.behind(i.Out) {
		all |= EmptyOp(i.Arg)
	}
	if i.Op == InstFail {
		all = ^EmptyOp(0)
	}
	return all
}

// MatchRune says whether the instruction matches r.
func (i *Inst) MatchRune(r rune) bool { return i.MatchRunePos(r) >= 0 }

// MatchRunePos is the number of the range that r is in, or -1.
func (i *Inst) MatchRunePos(r rune) int {
	if len(i.Rune) != 1 {
		return find(i.Rune, r)
	}
	c := i.Rune[0]
	if r == c {
		return 0
	}
	if i.Arg&uint32(FoldCase) != 0 {
		for f := range otherCases(c) {
			if f == r {
				return 0
			}
		}
	}
	return -1
}

// MatchEmptyWidth says whether the instruction's condition holds between two characters.
func (i *Inst) MatchEmptyWidth(before rune, after rune) bool {
	switch op := EmptyOp(i.Arg); op {
	case EmptyBeginLine, EmptyEndLine, EmptyBeginText, EmptyEndText, EmptyWordBoundary,
		EmptyNoWordBoundary:
		// Go takes only -1 for what is beyond the text.
		if before < -1 {
			before = 0
		}
		if after < -1 {
			after = 0
		}
		return EmptyOpContext(before, after)&op != 0
	}
	panic("unknown empty width arg")
}

func (p *Prog) String() string {
	var b strings.Builder
	for pc := range p.Inst {
		n := strconv.Itoa(pc)
		for range 3 - len(n) {
			b.WriteByte(' ')
		}
		b.WriteString(n)
		if pc == p.Start {
			b.WriteByte('*')
		}
		b.WriteString("\t" + p.Inst[pc].String() + "\n")
	}
	return b.String()
}

func (i *Inst) String() string {
	number := func(n uint32) string { return strconv.FormatUint(uint64(n), 10) }
	to := " -> " + number(i.Out)
	quoted := strconv.QuoteToASCII(string(i.Rune))
	switch i.Op {
	case InstAlt:
		return "alt" + to + ", " + number(i.Arg)
	case InstAltMatch:
		return "altmatch" + to + ", " + number(i.Arg)
	case InstCapture:
		return "cap " + number(i.Arg) + to
	case InstEmptyWidth:
		return "empty " + number(i.Arg) + to
	case InstMatch:
		return "match"
	case InstFail:
		return "fail"
	case InstNop:
		return "nop" + to
	case InstRune:
		text := "rune " + quoted
		if i.Rune == nil {
			text = "rune <nil>" + text
		}
		if Flags(i.Arg)&FoldCase != 0 {
			text += "/i"
		}
		return text + to
	case InstRune1:
		return "rune1 " + quoted + to
	case InstRuneAny:
		return "any" + to
	case InstRuneAnyNotNL:
		return "anynotnl" + to
	}
	return ""
}
