package syntax

import "unicode"

// An exit is a place where an instruction says what comes next, which is not known yet: the
// instruction's number twice, and one more if it is Arg that says it. Those of a fragment form a
// chain: each holds the next one until it is known where they lead; 0 ends it.
type exits struct{ first, last uint32 }

func exit(i uint32, inArg bool) exits {
	e := i << 1
	if inArg {
		e |= 1
	}
	return exits{e, e}
}

// place is where the exit e is stored.
func (p *Prog) place(e uint32) *uint32 {
	inst := &p.Inst[e>>1]
	if e&1 != 0 {
		return &inst.Arg
	}
	return &inst.Out
}

// lead makes the exits lead to the instruction to.
func (p *Prog) lead(x exits, to uint32) {
	for e := x.first; e != 0; {
		place := p.place(e)
		e, *place = *place, to
	}
}

func (p *Prog) chained(x, y exits) exits {
	if x.first == 0 {
		return y
	}
	if y.first == 0 {
		return x
	}
	*p.place(x.last) = y.first
	return exits{x.first, y.last}
}

// A fragment is a part of a program: its first instruction (0, which fails, if it cannot match),
// what leads out of it, and whether it can match the empty string.
type fragment struct {
	first    uint32
	out      exits
	nullable bool
}

// Compile makes the program of a tree without counted repetitions.
func Compile(re *Regexp) (*Prog, error) {
	p := &Prog{NumCap: 2}
	p.add(InstFail)
	f := p.compile(re)
	p.lead(f.out, p.add(InstMatch))
	p.Start = int(f.first)
	return p, nil
}

func (p *Prog) add(op InstOp) uint32 {
	p.Inst = append(p.Inst, Inst{Op: op})
	return uint32(len(p.Inst) - 1)
}

// single is an instruction that goes on, if it does, with the next one.
func (p *Prog) single(op InstOp, arg uint32) fragment {
	i := p.add(op)
	p.Inst[i].Arg = arg
	return fragment{i, exit(i, false), true}
}

// What each operator that looks at a position asks for.
var conditions = map[Op]EmptyOp{
	OpBeginLine:      EmptyBeginLine,
	OpEndLine:        EmptyEndLine,
	OpBeginText:      EmptyBeginText,
	OpEndText:        EmptyEndText,
	OpWordBoundary:   EmptyWordBoundary,
	OpNoWordBoundary: EmptyNoWordBoundary,
}

// Every character, and every one but a newline.
var (
	anyRunes      = []rune{0, unicode.MaxRune}
	anyRunesNotNL = []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
)

func (p *Prog) compile(re *Regexp) fragment {
	lazy := re.Flags&NonGreedy != 0
	switch re.Op {
	case OpNoMatch:
		return fragment{}
	case OpEmptyMatch:
		return p.single(InstNop, 0)
	case OpLiteral:
		return p.sequence(len(re.Rune), func(i int) fragment {
			return p.char(re.Rune[i:i+1], re.Flags)
		})
	case OpConcat:
		return p.sequence(len(re.Sub), func(i int) fragment { return p.compile(re.Sub[i]) })
	case OpCharClass:
		return p.char(re.Rune, re.Flags)
	case OpAnyChar:
		return p.char(anyRunes, 0)
	case OpAnyCharNotNL:
		return p.char(anyRunesNotNL, 0)
	case OpCapture:
		slot := uint32(2 * re.Cap)
		p.NumCap = max(p.NumCap, int(slot)+2)
		open := p.single(InstCapture, slot)
		inner := p.compile(re.Sub[0])
		shut := p.single(InstCapture, slot+1)
		return p.then(p.then(open, inner), shut)
	case OpStar:
		x := p.compile(re.Sub[0])
		if x.nullable {
			// (x+)? looks for matches in the order in which x* should.
			return p.either(p.plus(x, lazy), lazy)
		}
		return p.loop(x, lazy)
	case OpPlus:
		return p.plus(p.compile(re.Sub[0]), lazy)
	case OpQuest:
		return p.either(p.compile(re.Sub[0]), lazy)
	case OpAlternate:
		var all fragment
		for _, sub := range re.Sub {
			all = p.or(all, p.compile(sub))
		}
		return all
	}
	if c, ok := conditions[re.Op]; ok {
		return p.single(InstEmptyWidth, uint32(c))
	}
	panic("regexp: unhandled case in compile")
}

// sequence is n fragments, one after the other.
func (p *Prog) sequence(n int, part func(int) fragment) fragment {
	if n == 0 {
		return p.single(InstNop, 0)
	}
	all := part(0)
	for i := 1; i < n; i++ {
		all = p.then(all, part(i))
	}
	return all
}

func (p *Prog) then(x, y fragment) fragment {
	if x.first == 0 || y.first == 0 {
		return fragment{}
	}
	p.lead(x.out, y.first)
	return fragment{x.first, y.out, x.nullable && y.nullable}
}

// or is a choice between x and y, if both can match.
func (p *Prog) or(x, y fragment) fragment {
	switch {
	case x.first == 0:
		return y
	case y.first == 0:
		return x
	}
	choice := p.single(InstAlt, y.first)
	p.Inst[choice.first].Out = x.first
	choice.out, choice.nullable = p.chained(x.out, y.out), x.nullable || y.nullable
	return choice
}

// fork is a choice between x and going on, the latter first if it is lazy.
func (p *Prog) fork(x fragment, lazy bool) (uint32, exits) {
	i := p.add(InstAlt)
	if lazy {
		p.Inst[i].Arg = x.first
	} else {
		p.Inst[i].Out = x.first
	}
	return i, exit(i, !lazy)
}

func (p *Prog) either(x fragment, lazy bool) fragment {
	i, out := p.fork(x, lazy)
	return fragment{i, p.chained(out, x.out), true}
}

func (p *Prog) loop(x fragment, lazy bool) fragment {
	i, out := p.fork(x, lazy)
	p.lead(x.out, i)
	return fragment{i, out, true}
}

func (p *Prog) plus(x fragment, lazy bool) fragment {
	return fragment{x.first, p.loop(x, lazy).out, x.nullable}
}

// The instructions for what kindOf gives.
var runeInsts = [...]InstOp{
	OpLiteral:      InstRune1,
	OpAnyChar:      InstRuneAny,
	OpAnyCharNotNL: InstRuneAnyNotNL,
	OpCharClass:    InstRune,
}

// char matches one character: r is that, or a set.
func (p *Prog) char(r []rune, flags Flags) fragment {
	op, arg := InstRune1, Flags(0)
	if len(r) != 1 {
		op = runeInsts[kindOf(r)]
	} else if unicode.SimpleFold(r[0]) != r[0] && flags&FoldCase != 0 {
		op, arg = InstRune, FoldCase
	}
	f := p.single(op, uint32(arg))
	f.nullable = false
	p.Inst[f.first].Rune = r
	return f
}
