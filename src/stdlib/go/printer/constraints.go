package printer

// This file puts lines of build constraints where they count.

import (
	"bytes"
	"go/build/constraint"
	"slices"
	"text/tabwriter"
)

// moveConstraints puts `//go:build` and `// +build` lines, which were noted when they were printed,
// where they count: in front of the first blank line that is behind comments only. The former say
// what the latter are.
func (p *printer) moveConstraints() {
	if len(p.buildLines) == 0 && len(p.olderLines) == 0 {
		return
	}
	at := p.placeOfConstraints()
	if len(p.buildLines) > 0 && p.buildLines[0] < at {
		at = p.buildLines[0]
	} else if len(p.olderLines) > 0 {
		at = min(at, p.olderLines[0])
	}
	block := append(p.constraints(), '\n')

	moved := append(slices.Clone(p.buildLines), p.olderLines...)
	slices.Sort(moved)
	var rest []byte
	from := at
	for _, line := range moved {
		if line >= from {
			rest = addLines(rest, p.out[from:line])
			from = line + len(p.lineAt(line))
		}
	}
	rest = addLines(rest, p.out[from:])
	if endsBlank(rest) {
		rest = rest[:len(rest)-1]
	}
	p.out = slices.Concat(p.out[:at], block, rest)
}

// placeOfConstraints returns where the first line begins that is behind comments and blank lines
// only, the last of which is blank.
func (p *printer) placeOfConstraints() int {
	place := 0
	for i := 0; ; {
		line := p.lineAt(i)
		i += len(line)
		text := bytes.TrimLeft(line, " \t")
		comment := len(text) > 3 && text[0] == tabwriter.Escape && text[1] == '/' && text[2] == '/'
		if len(line) == 0 || !isLineEnd(line[len(line)-1]) || !comment && len(text) != 1 {
			return place
		}
		if !comment {
			place = i
		}
	}
}

// constraints returns the lines. If they do not say one thing, they are as they were.
func (p *printer) constraints() (block []byte) {
	x := p.condition()
	if x == nil {
		for _, at := range slices.Concat(p.buildLines, p.olderLines) {
			block = append(block, p.lineAt(at)...)
		}
		return block
	}
	var older []string
	if len(p.olderLines) > 0 {
		var err error
		if older, err = constraint.PlusBuildLines(x); err != nil {
			older = []string{"// +build error: " + err.Error()}
		}
	}
	for _, line := range slices.Concat([]string{"//go:build " + x.String()}, older) {
		block = append(block, "\xff"+line+"\xff\n"...)
	}
	return block
}

// condition returns what the lines say; nil if that is not one thing.
func (p *printer) condition() (all constraint.Expr) {
	lines := p.buildLines
	if len(lines) == 0 {
		lines = p.olderLines
	} else if len(lines) > 1 {
		return nil
	}
	for _, at := range lines {
		x, err := constraint.Parse(p.commentAt(at))
		switch {
		case err != nil:
			return nil
		case all == nil:
			all = x
		default:
			all = &constraint.AndExpr{X: all, Y: x}
		}
	}
	return all
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\f' }

// endsBlank says whether the last line is blank.
func endsBlank(text []byte) bool {
	return len(text)-len(bytes.TrimRight(text, "\n\f")) > 1
}

// addLines appends lines, such that no two blank lines meet and none comes first.
func addLines(to, lines []byte) []byte {
	if full := len(to) > 0 && !endsBlank(to); full || len(lines) == 0 || !isLineEnd(lines[0]) {
		return append(to, lines...)
	}
	return append(to, lines[1:]...)
}

// lineAt returns what is from an offset on up to a line end, and that.
func (p *printer) lineAt(from int) []byte {
	to := from
	for to < len(p.out) && !isLineEnd(p.out[to]) {
		to++
	}
	return p.out[from:min(to+1, len(p.out))]
}

// commentAt returns the text of a comment.
func (p *printer) commentAt(from int) string {
	text := bytes.TrimRight(p.lineAt(from), "\n\f")
	text = bytes.TrimPrefix(text, []byte{tabwriter.Escape})
	if end := bytes.IndexByte(text, tabwriter.Escape); end >= 0 {
		text = text[:end]
	}
	return string(text)
}
