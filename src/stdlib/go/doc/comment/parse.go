package comment

// This file reads blocks: it cuts lines into spans, each of one kind.

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parser reads comments; the zero Parser knows of no symbols.
type Parser struct {
	// Words are identifiers that are set in italics, and link to the URL if that is not empty.
	Words map[string]string

	// LookupPackage finds the import path of a package by its name; an empty one is that of the
	// package at hand. Where it does not know, DefaultLookupPackage is asked.
	LookupPackage func(name string) (importPath string, ok bool)

	// LookupSym says whether the package at hand has a symbol, or if recv is not empty, a method.
	LookupSym func(recv, name string) (ok bool)
}

// reader reads one comment.
type reader struct {
	*Parser
	doc   *Doc
	links map[string]*LinkDef
	raw   []*Paragraph // each with its text as one Plain, until all links are known
}

// Parse reads a comment's text, without the marks of comments.
func (p *Parser) Parse(text string) *Doc {
	r := reader{Parser: p, doc: new(Doc), links: map[string]*LinkDef{}}
	lines := shift(strings.Split(text, "\n"))
	end := 0
	for _, s := range cut(lines) {
		own := lines[s.from:s.to]
		switch s.kind {
		case code:
			body := strings.Join(shift(own), "\n") + "\n"
			r.doc.Content = append(r.doc.Content, &Code{body})
		case list:
			r.doc.Content = append(r.doc.Content, r.list(own, end < s.from))
		case heading:
			r.heading(own[0][1:])
		case title:
			r.heading(own[0])
		case paragraph:
			r.doc.Content = r.paragraph(r.doc.Content, own)
		}
		end = s.to
	}
	for _, x := range r.raw {
		x.Text = r.linked(string(x.Text[0].(Plain)))
	}
	return r.doc
}

func (r *reader) heading(line string) {
	h := &Heading{[]Text{Plain(strings.TrimSpace(line))}}
	r.doc.Content = append(r.doc.Content, h)
}

// paragraph appends the paragraph of the lines, unless all define links.
func (r *reader) paragraph(to []Block, lines []string) []Block {
	var defs []*LinkDef
	for _, line := range lines {
		def := linkDef(line)
		if def == nil {
			x := &Paragraph{[]Text{Plain(strings.Join(lines, "\n"))}}
			r.raw = append(r.raw, x)
			return append(to, x)
		}
		defs = append(defs, def)
	}
	for _, def := range defs {
		if r.links[def.Text] == nil {
			r.links[def.Text] = def
		}
	}
	r.doc.Links = append(r.doc.Links, defs...)
	return to
}

// linkDef reads a line `[text]: URL`, and returns nil for any other.
func linkDef(line string) *LinkDef {
	rest, ok := strings.CutPrefix(line, "[")
	if !ok {
		return nil
	}
	text, rest, ok := strings.Cut(rest, "]:")
	if !ok || len(rest) < 2 || !indented(rest) {
		return nil
	}
	url := strings.TrimSpace(rest[1:])
	scheme, _, ok := strings.Cut(url, "://")
	if !ok || !isScheme(scheme) {
		return nil
	}
	return &LinkDef{Text: text, URL: url}
}

// list reads lines of which the first begins an item. What begins an item of the other kind, with
// or without number, is text.
func (r *reader) list(lines []string, blank bool) *List {
	l := &List{ForceBlankBefore: blank, ForceBlankBetween: slices.ContainsFunc(lines, isBlank)}
	first, _, _ := mark(lines[0])
	begins := func(line string) bool {
		number, _, ok := mark(line)
		return ok && (number == "") == (first == "")
	}
	for len(lines) > 0 {
		size := 1 + slices.IndexFunc(lines[1:], begins)
		if size == 0 {
			size = len(lines)
		}
		number, text, _ := mark(lines[0])
		item := &ListItem{Number: number}
		r.fill(item, text, lines[1:size])
		l.Items = append(l.Items, item)
		lines = lines[size:]
	}
	return l
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// fill reads the paragraphs of an item, which blank lines end.
func (r *reader) fill(item *ListItem, first string, more []string) {
	text := []string{strings.TrimSpace(first)}
	for _, line := range more {
		if !isBlank(line) {
			text = append(text, strings.TrimSpace(line))
		}
		if isBlank(line) && len(text) > 0 {
			item.Content = r.paragraph(item.Content, text)
			text = nil
		}
	}
	if len(text) > 0 {
		item.Content = r.paragraph(item.Content, text)
	}
}

// mark reads what begins an item: a bullet, or a number with a dot or parenthesis, then space and
// text.
func mark(line string) (number, rest string, ok bool) {
	if line = strings.TrimSpace(line); line == "" {
		return number, rest, ok
	}
	switch c := line[0]; {
	case c == '*' || c == '+' || c == '-':
		rest = line[1:]
	case isDigit(c):
		rest = strings.TrimLeft(line, "0123456789")
		if rest == "" || rest[0] != '.' && rest[0] != ')' {
			return "", "", false
		}
		number, rest = line[:len(line)-len(rest)], rest[1:]
	default:
		if rest, ok = strings.CutPrefix(line, "•"); !ok {
			return "", "", false
		}
	}
	if !indented(rest) {
		return "", "", false
	}
	return number, rest, true
}

func isItem(line string) bool {
	_, _, ok := mark(line)
	return ok
}

type kind int

const (
	code kind = iota
	heading
	list
	title // a heading of the older form, without a mark
	paragraph
)

// span is lines of one kind.
type span struct {
	from, to int
	kind     kind
}

// cut finds the spans of lines, between which are blank lines only. What a writer forgot to indent
// is taken along with the indented lines behind it.
func cut(lines []string) []span {
	var all []span
	hung := 0 // lines before it count as indented
	for i := 0; ; {
		blank := slices.IndexFunc(lines[i:], func(line string) bool { return line != "" })
		if blank < 0 {
			return all
		}
		i += blank
		var s span
		if i < hung || indented(lines[i]) {
			s = inner(lines, i, hung)
		} else {
			s, hung = outer(lines, i, hung)
		}
		if s.from == s.to {
			continue // all of it hangs
		}
		all = append(all, s)
		i = s.to
	}
}

// inner returns the span of indented lines at from.
func inner(lines []string, from, hung int) span {
	s := span{from, from + 1, code}
	if isItem(lines[from]) {
		s.kind = list
	}
	// Items of a list that was not indented follow, as long as no line is blank.
	loose := s.kind == list && from < hung
	for i := s.to; i < len(lines); i++ {
		if lines[i] == "" {
			loose = false
			continue
		}
		if !(i < hung || indented(lines[i]) || loose && isItem(lines[i])) {
			break
		}
		s.to = i + 1
	}
	// A brace that closes what was pasted without indentation belongs to it.
	if s.to < len(lines) && strings.HasPrefix(lines[s.to], "}") {
		s.to++
	}
	return s
}

// outer returns the span of lines at from that are not indented, and up to which line all that
// follow count as indented: if code or the rest of an item comes behind, the last lines can belong
// to that.
func outer(lines []string, from, hung int) (span, int) {
	to := from + 1
	for to < len(lines) && lines[to] != "" && !indented(lines[to]) {
		to++
	}
	if to < len(lines) && lines[to] != "" && !isItem(lines[to]) {
		last := lines[to-1]
		switch {
		case isItem(last):
			hung = to
			for to > from && isItem(lines[to-1]) {
				to--
			}
		case strings.HasSuffix(last, "{") || strings.HasSuffix(last, `\`):
			hung = to
			to--
		}
	}
	s := span{from, to, paragraph}
	if to-from == 1 {
		if isHeading(lines[from]) {
			s.kind = heading
		} else if isTitle(lines, from) {
			s.kind = title
		}
	}
	return s, hung
}

// shift returns the lines without what space all begin with, without space in blank lines, and
// without blank lines at both ends.
func shift(lines []string) []string {
	lines = trimmed(lines, isEmpty)
	if len(lines) == 0 {
		return nil
	}
	common := space(lines[0])
	for _, line := range lines {
		for !isEmpty(line) && !strings.HasPrefix(space(line), common) {
			common, _ = strings.CutSuffix(common, common[len(common)-1:])
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			out[i] = strings.TrimPrefix(line, common)
		}
	}
	return trimmed(out, func(line string) bool { return line == "" })
}

// trimmed returns the lines from the first to the last that is not empty.
func trimmed(lines []string, empty func(string) bool) []string {
	full := func(line string) bool { return !empty(line) }
	first := slices.IndexFunc(lines, full)
	if first < 0 {
		return nil
	}
	last := len(lines) - 1
	for empty(lines[last]) {
		last--
	}
	return lines[first : last+1]
}

func indented(line string) bool { return line != "" && (line[0] == ' ' || line[0] == '\t') }

func isEmpty(line string) bool { return line == "" || line == "\n" }

// space returns the space that a line begins with.
func space(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

func isHeading(line string) bool {
	rest, marked := strings.CutPrefix(line, "#")
	return marked && indented(rest) && strings.TrimSpace(rest) != ""
}

// isTitle says whether a line stands alone before text, and looks like a title: a capital letter
// begins it, a letter or digit ends it, and in between is hardly any punctuation.
func isTitle(lines []string, at int) bool {
	if at == 0 || lines[at-1] != "" || at+2 >= len(lines) || lines[at+1] != "" ||
		indented(lines[at+2]) {
		return false
	}
	line := strings.TrimSpace(lines[at])
	first, _ := utf8.DecodeRuneInString(line)
	last, _ := utf8.DecodeLastRuneInString(line)
	// Dots stand inside words only, and quotes before the last letter.
	return unicode.IsUpper(first) && unicode.IsLetter(first) &&
		(unicode.IsLetter(last) || unicode.IsDigit(last)) &&
		!strings.ContainsAny(line, ";:!?+*/=[]{}_^°&§~%#@<\">\\") && !strings.Contains(line, ". ") &&
		strings.Count(line, "'") == strings.Count(line+" ", "'s ")
}
