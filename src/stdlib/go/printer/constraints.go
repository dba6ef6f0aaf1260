package printer

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
	if len(p.goBuild) == 0 && len(p.plusBuild) == 0 {
		return
	}
	at := p.placeOfConstraints()
	if len(p.goBuild) > 0 && p.goBuild[0] < at {
		at = p.goBuild[0]
	} else if len(p.plusBuild) > 0 {
		at = min(at, p.plusBuild[0])
	}
	block := append(p.constraints(), '\n')

	moved := append(slices.Clone(p.goBuild), p.plusBuild...)
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
func (p *printer) constraints() []byte {
	var x constraint.Expr
	switch len(p.goBuild) {
	case 0:
		for _, at := range p.plusBuild {
			y, err := constraint.Parse(p.commentAt(at))
			if err != nil {
				x = nil
				break
			}
			if x == nil {
				x = y
			} else {
				x = &constraint.AndExpr{X: x, Y: y}
			}
		}
	case 1:
		x, _ = constraint.Parse(p.commentAt(p.goBuild[0]))
	}
	var block []byte
	if x == nil {
		for _, at := range p.goBuild {
			block = append(block, p.lineAt(at)...)
		}
		for _, at := range p.plusBuild {
			block = append(block, p.lineAt(at)...)
		}
		return block
	}
	lines := []string{"//go:build " + x.String()}
	if len(p.plusBuild) > 0 {
		more, err := constraint.PlusBuildLines(x)
		if err != nil {
			more = []string{"// +build error: " + err.Error()}
		}
		lines = append(lines, more...)
	}
	for _, line := range lines {
		block = append(block, tabwriter.Escape)
		block = append(block, line...)
		block = append(block, tabwriter.Escape, '\n')
	}
	return block
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\f' }

func endsBlank(text []byte) bool {
	n := len(text)
	return n >= 2 && isLineEnd(text[n-1]) && isLineEnd(text[n-2])
}

// addLines appends lines, such that no two blank lines meet and none comes first.
func addLines(to, lines []byte) []byte {
	if len(lines) > 0 && isLineEnd(lines[0]) && (len(to) == 0 || endsBlank(to)) {
		lines = lines[1:]
	}
	return append(to, lines...)
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
