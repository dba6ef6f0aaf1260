package regexp

import (
	"io"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// A machine follows all paths through a program while it reads: its threads are in order of
// preference, and it reads one character further than they are.
type machine struct {
	re    *Regexp
	slots int // of each thread
	best  []int
	found bool
}

// A thread is at an instruction; m is its slots.
type thread struct {
	pc uint32
	m  []int
}

// threads are those at one position, and which instructions have been seen there.
type threads struct {
	list []thread
	seen map[uint32]bool
}

func (re *Regexp) MatchReader(r io.RuneReader) bool { return re.read(r, 0) != nil }

func (re *Regexp) FindReaderIndex(r io.RuneReader) (loc []int) { return re.read(r, 2) }

func (re *Regexp) FindReaderSubmatchIndex(r io.RuneReader) []int {
	return re.padded(re.read(r, re.slots()))
}

// read is n slots of the first match in what r gives, or nil.
func (re *Regexp) read(r io.RuneReader, n int) []int {
	cond := re.prog.StartCond()
	if cond == ^syntax.EmptyOp(0) {
		return nil
	}
	next := func() (rune, int) {
		c, width, err := r.ReadRune()
		if err != nil {
			return -1, 0
		}
		return c, width
	}
	onePass := cond&syntax.EmptyBeginText != 0 && isOnePass(re.prog)
	m := machine{re: re, slots: n, best: make([]int, n)}
	now, then := threads{seen: map[uint32]bool{}}, threads{seen: map[uint32]bool{}}
	before, pos := rune(-1), 0
	c, width := next()
	c1, width1 := rune(-1), 0
	if c >= 0 {
		c1, width1 = next()
	}
	for {
		if len(now.list) == 0 &&
			(m.found || pos > 0 && cond&syntax.EmptyBeginText != 0) {
			break
		}
		if !m.found {
			start := make([]int, n)
			for i := range start {
				start[i] = -1
			}
			if n > 0 {
				start[0] = pos
			}
			m.add(&now, uint32(re.prog.Start), pos, start, syntax.EmptyOpContext(before, c))
		}
		m.step(&now, &then, pos, width, c, c1)
		if onePass && len(then.list) == 0 {
			// Go's machine for such programs reads no further.
			break
		}
		if width == 0 || n == 0 && m.found {
			break
		}
		pos += width
		before, c, width = c, c1, width1
		if c >= 0 {
			c1, width1 = next()
		}
		now, then = then, now
		then.list = then.list[:0]
		clear(then.seen)
	}
	if !m.found {
		return nil
	}
	return m.best
}

// step lets the threads read c.
func (m *machine) step(now, then *threads, pos, width int, c, c1 rune) {
	longest := m.re.longest
	holding := syntax.EmptyOpContext(c, c1)
	for _, t := range now.list {
		if longest && m.found && m.slots > 0 && m.best[0] < t.m[0] {
			continue
		}
		i := &m.re.prog.Inst[t.pc]
		if i.Op == syntax.InstMatch {
			if m.slots > 0 && (!longest || !m.found || m.best[1] < pos) {
				copy(m.best, t.m)
				m.best[1] = pos
			}
			m.found = true
			if !longest {
				return
			}
		} else if c >= 0 && i.MatchRune(c) {
			m.add(then, i.Out, pos+width, t.m, holding)
		}
	}
}

// add adds the threads that pc leads to.
func (m *machine) add(to *threads, pc uint32, pos int, slots []int, holding syntax.EmptyOp) {
	for !to.seen[pc] {
		to.seen[pc] = true
		i := &m.re.prog.Inst[pc]
		switch i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			m.add(to, i.Out, pos, slots, holding)
			pc = i.Arg
			continue
		case syntax.InstNop:
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(i.Arg)&^holding != 0 {
				return
			}
		case syntax.InstCapture:
			if int(i.Arg) < len(slots) {
				slots = append([]int(nil), slots...)
				slots[i.Arg] = pos
			}
		case syntax.InstFail:
			return
		default:
			to.list = append(to.list, thread{pc, append([]int(nil), slots...)})
			return
		}
		pc = i.Out
	}
}

// onePassPrefix is what Go says of the prefix where it has a machine for programs that need not
// look back. ok is false where it has not. There a match begins where the text begins, and the next
// character always tells which way to go.
func onePassPrefix(p *syntax.Prog) (prefix string, complete, ok bool) {
	first := &p.Inst[p.Start]
	if first.Op != syntax.InstEmptyWidth || syntax.EmptyOp(first.Arg)&syntax.EmptyBeginText == 0 {
		return "", false, false
	}
	i := &p.Inst[first.Out]
	for i.Op == syntax.InstNop {
		i = &p.Inst[i.Out]
	}
	if i.Op == syntax.InstMatch {
		complete = true
	} else if !isLetter(i) {
		return "", false, false
	}
	if !isOnePass(p) {
		return "", false, false
	}
	if complete {
		return "", true, true
	}
	var text []rune
	for ; isLetter(i) && isPlain(i); i = &p.Inst[i.Out] {
		text = append(text, i.Rune...)
	}
	isEnd := i.Op == syntax.InstEmptyWidth && syntax.EmptyOp(i.Arg)&syntax.EmptyEndText != 0
	return string(text), isEnd && p.Inst[i.Out].Op == syntax.InstMatch, true
}

// isLetter says whether i reads one character, in any case; isPlain, that it is just that one.
func isLetter(i *syntax.Inst) bool { return i.Op >= syntax.InstRune && len(i.Rune) == 1 }
func isPlain(i *syntax.Inst) bool {
	return i.Rune[0] != utf8.RuneError && syntax.Flags(i.Arg)&syntax.FoldCase == 0
}

// isOnePass says whether at each choice the next character decides; if there is one, matches end
// with the text.
func isOnePass(p *syntax.Prog) bool {
	if len(p.Inst) >= 1000 {
		return false
	}
	hasChoice := slices.ContainsFunc(p.Inst, func(i syntax.Inst) bool {
		return i.Op == syntax.InstAlt || i.Op == syntax.InstAltMatch
	})
	for _, i := range p.Inst {
		leads := func(pc uint32) bool { return p.Inst[pc].Op == syntax.InstMatch }
		switch i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			if leads(i.Out) || leads(i.Arg) {
				return false
			}
		case syntax.InstEmptyWidth:
			if leads(i.Out) && syntax.EmptyOp(i.Arg)&syntax.EmptyEndText == 0 {
				return false
			}
		case syntax.InstMatch, syntax.InstFail:
		default:
			if hasChoice && leads(i.Out) {
				return false
			}
		}
	}
	// What pc can read next, and whether it can match without.
	type reads struct {
		set     []rune
		matches bool
		ok      bool
	}
	known := make(map[uint32]*reads)
	var look func(pc uint32) *reads
	look = func(pc uint32) *reads {
		if r := known[pc]; r != nil {
			return r
		}
		r := &reads{}
		known[pc] = r // a loop without a character is not one-pass
		i := &p.Inst[pc]
		switch i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			a, b := *look(i.Out), *look(i.Arg)
			r.ok = a.ok && b.ok && !(a.matches && b.matches) && disjoint(a.set, b.set)
			r.set = append(append(r.set, a.set...), b.set...)
			r.matches = a.matches || b.matches
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			*r = *look(i.Out)
		case syntax.InstMatch, syntax.InstFail:
			*r = reads{matches: i.Op == syntax.InstMatch, ok: true}
		default:
			r.ok = true
			r.set = i.Rune
			if len(i.Rune) == 1 {
				c := i.Rune[0]
				r.set = []rune{c, c}
				for f := simpleFold(i, c); f != c; f = simpleFold(i, f) {
					r.set = append(r.set, f, f)
				}
			}
		}
		return r
	}
	for pc := range p.Inst {
		if p.Inst[pc].Op >= syntax.InstRune && !look(p.Inst[pc].Out).ok {
			return false
		}
	}
	return look(uint32(p.Start)).ok
}

func disjoint(a, b []rune) bool {
	for i := 0; i+1 < len(a); i += 2 {
		for j := 0; j+1 < len(b); j += 2 {
			if a[i] <= b[j+1] && b[j] <= a[i+1] {
				return false
			}
		}
	}
	return true
}

// simpleFold is the next case of c, if the instruction does not tell cases apart.
func simpleFold(i *syntax.Inst, c rune) rune {
	if syntax.Flags(i.Arg)&syntax.FoldCase == 0 {
		return c
	}
	return unicode.SimpleFold(c)
}
