// Package constraint reads and writes the build constraints of Go files.
package constraint

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Expr is a constraint: a tag, or something of constraints.
type Expr interface {
	String() string
	// Eval says whether the constraint is met; ok is asked of each tag.
	Eval(ok func(tag string) bool) bool
	isExpr()
}

// TagExpr is a tag.
type TagExpr struct {
	Tag string
}

// NotExpr is `!X`.
type NotExpr struct {
	X Expr
}

// AndExpr is `X && Y`.
type AndExpr struct {
	X, Y Expr
}

// OrExpr is `X || Y`.
type OrExpr struct {
	X, Y Expr
}

func (x *TagExpr) isExpr() {}
func (x *NotExpr) isExpr() {}
func (x *AndExpr) isExpr() {}
func (x *OrExpr) isExpr()  {}

func (x *TagExpr) Eval(ok func(tag string) bool) bool { return ok(x.Tag) }
func (x *NotExpr) Eval(ok func(tag string) bool) bool { return !x.X.Eval(ok) }

// Eval asks for every tag, even if one decides.
func (x *AndExpr) Eval(ok func(tag string) bool) bool {
	left, right := x.X.Eval(ok), x.Y.Eval(ok)
	return left && right
}

// Eval asks for every tag, even if one decides.
func (x *OrExpr) Eval(ok func(tag string) bool) bool {
	left, right := x.X.Eval(ok), x.Y.Eval(ok)
	return left || right
}

func (x *TagExpr) String() string { return x.Tag }

func (x *NotExpr) String() string {
	switch x.X.(type) {
	case *AndExpr, *OrExpr:
		return "!(" + x.X.String() + ")"
	}
	return "!" + x.X.String()
}

func (x *AndExpr) String() string {
	side := func(x Expr) string {
		if _, or := x.(*OrExpr); or {
			return "(" + x.String() + ")"
		}
		return x.String()
	}
	return side(x.X) + " && " + side(x.Y)
}

func (x *OrExpr) String() string {
	side := func(x Expr) string {
		if _, and := x.(*AndExpr); and {
			return "(" + x.String() + ")"
		}
		return x.String()
	}
	return side(x.X) + " || " + side(x.Y)
}

// SyntaxError is an error in a `//go:build` line.
type SyntaxError struct {
	Offset int
	Err    string
}

func (e *SyntaxError) Error() string { return e.Err }

var (
	errNone    = errors.New("not a build constraint")
	errComplex = errors.New("expression too complex for // +build lines")
)

// largest is how many negations or tags an expression may have.
const largest = 1000

// Parse parses a line of either form.
func Parse(line string) (Expr, error) {
	if text, ok := goBuild(line); ok {
		p := parser{text: text}
		return p.parse()
	}
	if text, ok := plusBuild(line); ok {
		return parsePlus(text)
	}
	return nil, errNone
}

// IsGoBuild says whether a line is a `//go:build` line.
func IsGoBuild(line string) bool {
	_, ok := goBuild(line)
	return ok
}

// IsPlusBuild says whether a line is a `// +build` line.
func IsPlusBuild(line string) bool {
	_, ok := plusBuild(line)
	return ok
}

func goBuild(line string) (string, bool) {
	return after(strings.TrimSuffix(line, "\n"), "//go:build", false)
}

func plusBuild(line string) (string, bool) {
	line, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "//")
	if !ok {
		return "", false
	}
	return after(line, "+build", true)
}

// after returns what follows the word that a line begins with, if a space or nothing does.
func after(line, word string, spaced bool) (string, bool) {
	if strings.Contains(line, "\n") {
		return "", false
	}
	if spaced {
		line = strings.TrimSpace(line)
	}
	rest, ok := strings.CutPrefix(line, word)
	if !ok {
		return "", false
	}
	rest = strings.TrimRightFunc(rest, unicode.IsSpace)
	text := strings.TrimSpace(rest)
	if rest != "" && len(rest) == len(text) {
		return "", false
	}
	return text, true
}

func inTag(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' || c == '.'
}

// parser is at a token of a `//go:build` expression.
type parser struct {
	text  string
	next  int // offset behind the token
	pos   int // its own
	tok   string
	isTag bool
	size  int
}

func (p *parser) fail(offset int, msg string) { panic(&SyntaxError{offset, msg}) }

func (p *parser) parse() (x Expr, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *SyntaxError:
			x, err = nil, r
		default:
			panic(r)
		}
	}()
	x = p.or()
	if p.tok != "" {
		p.fail(p.pos, "unexpected token "+p.tok)
	}
	return x, nil
}

func (p *parser) or() Expr {
	x := p.and()
	for p.tok == "||" {
		x = &OrExpr{x, p.and()}
	}
	return x
}

func (p *parser) and() Expr {
	x := p.not()
	for p.tok == "&&" {
		x = &AndExpr{x, p.not()}
	}
	return x
}

func (p *parser) not() Expr {
	if p.size++; p.size > largest {
		p.fail(p.pos, "build expression too large")
	}
	p.lex()
	if p.tok != "!" {
		return p.atom()
	}
	p.lex()
	if p.tok == "!" {
		p.fail(p.pos, "double negation not allowed")
	}
	return &NotExpr{p.atom()}
}

func (p *parser) atom() Expr {
	if p.tok == "(" {
		return p.parens()
	}
	if !p.isTag && p.tok == "" {
		p.fail(p.pos, "unexpected end of expression")
	}
	if !p.isTag {
		p.fail(p.pos, "unexpected token "+p.tok)
	}
	x := &TagExpr{p.tok}
	p.lex()
	return x
}

func (p *parser) parens() Expr {
	pos := p.pos
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(*SyntaxError); ok && e.Err == "unexpected end of expression" {
				e.Err = "missing close paren"
			}
			panic(r)
		}
	}()
	x := p.or()
	if p.tok != ")" {
		p.fail(pos, "missing close paren")
	}
	p.lex()
	return x
}

func (p *parser) lex() {
	p.isTag = false
	for p.next < len(p.text) && (p.text[p.next] == ' ' || p.text[p.next] == '\t') {
		p.next++
	}
	start := p.next
	rest := p.text[start:]
	n := 0
	switch {
	case rest == "":
	case strings.IndexByte("()!", rest[0]) >= 0:
		n = 1
	case rest[0] == '&' || rest[0] == '|':
		if len(rest) < 2 || rest[1] != rest[0] {
			p.fail(start, "invalid syntax at "+rest[:1])
		}
		n = 2
	default:
		n = strings.IndexFunc(rest, func(c rune) bool { return !inTag(c) })
		if n < 0 {
			n = len(rest)
		}
		if n == 0 {
			c, _ := utf8.DecodeRuneInString(rest)
			p.fail(start, "invalid syntax at "+string(c))
		}
		p.isTag = true
	}
	p.pos, p.next, p.tok = start, start+n, rest[:n]
}

// parsePlus parses what follows `+build`: terms with commas between them must all be met, of
// terms with spaces between them one.
func parsePlus(text string) (Expr, error) {
	size := 0
	var x Expr
	for clause := range strings.FieldsSeq(text) {
		var all Expr
		for word := range strings.SplitSeq(clause, ",") {
			term := plusTerm(word)
			if all == nil {
				all = term
				continue
			}
			if size++; size > 100 {
				return nil, errComplex
			}
			all = &AndExpr{all, term}
		}
		if x == nil {
			x = all
			continue
		}
		if size++; size > 100 {
			return nil, errComplex
		}
		x = &OrExpr{x, all}
	}
	if x == nil {
		return &TagExpr{"ignore"}, nil
	}
	return x, nil
}

// plusTerm returns the tag of a word; "ignore" for one that is none.
func plusTerm(word string) Expr {
	if word == "!" || strings.HasPrefix(word, "!!") {
		return &TagExpr{"ignore"}
	}
	word, negated := strings.CutPrefix(word, "!")
	if word == "" || strings.IndexFunc(word, func(c rune) bool { return !inTag(c) }) >= 0 {
		word = "ignore"
	}
	if negated {
		return &NotExpr{&TagExpr{word}}
	}
	return &TagExpr{word}
}

// PlusBuildLines returns the `// +build` lines that say the same as x.
func PlusBuildLines(x Expr) ([]string, error) {
	var lines [][]string // alternatives, with commas
	single := true
	for _, line := range operands[*AndExpr](nil, inward(x, false)) {
		var words []string
		for _, clause := range operands[*OrExpr](nil, line) {
			var terms []string
			for _, term := range operands[*AndExpr](nil, clause) {
				switch term.(type) {
				case *TagExpr, *NotExpr:
				default:
					return nil, errComplex
				}
				terms = append(terms, term.String())
			}
			words = append(words, strings.Join(terms, ","))
		}
		single = single && len(words) == 1
		lines = append(lines, words)
	}
	if single {
		var all []string
		for _, words := range lines {
			all = append(all, words[0])
		}
		lines = [][]string{{strings.Join(all, ",")}}
	}
	var texts []string
	for _, words := range lines {
		texts = append(texts, "// +build "+strings.Join(words, " "))
	}
	return texts, nil
}

// inward moves negations to the tags.
func inward(x Expr, not bool) Expr {
	switch x := x.(type) {
	case *NotExpr:
		return inward(x.X, !not)
	case *TagExpr:
		if not {
			return &NotExpr{x}
		}
	case *AndExpr:
		left, right := inward(x.X, not), inward(x.Y, not)
		if not {
			return &OrExpr{left, right}
		}
		return &AndExpr{left, right}
	case *OrExpr:
		left, right := inward(x.X, not), inward(x.Y, not)
		if not {
			return &AndExpr{left, right}
		}
		return &OrExpr{left, right}
	}
	return x
}

// operands appends what an operator, nested or not, connects.
func operands[Op Expr](list []Expr, x Expr) []Expr {
	if _, ok := x.(Op); !ok {
		return append(list, x)
	}
	left, right := sides(x)
	return operands[Op](operands[Op](list, left), right)
}

func sides(x Expr) (Expr, Expr) {
	switch x := x.(type) {
	case *AndExpr:
		return x.X, x.Y
	case *OrExpr:
		return x.X, x.Y
	}
	return nil, nil
}

// GoVersion returns the least version of Go with which x can be met, "" if x says nothing of it.
func GoVersion(x Expr) string {
	switch minor := least(x, false); {
	case minor < 0:
		return ""
	case minor == 0:
		return "go1"
	default:
		return "go1." + strconv.Itoa(minor)
	}
}

// least returns the least minor version with which x, or its negation, can be met.
func least(x Expr, not bool) int {
	// Both operands must be met, or else one.
	both := func(x, y Expr, all bool) int {
		a, b := least(x, not), least(y, not)
		if all {
			return max(a, b)
		}
		return min(a, b)
	}
	switch x := x.(type) {
	case *TagExpr:
		if !not {
			return minorOf(x.Tag)
		}
	case *NotExpr:
		return least(x.X, !not)
	case *OrExpr:
		return both(x.X, x.Y, not)
	case *AndExpr:
		return both(x.X, x.Y, !not)
	}
	return -1
}

// minorOf returns the minor version that a tag stands for, or -1.
func minorOf(tag string) int {
	if tag == "go1" {
		return 0
	}
	if _, minor, ok := strings.Cut(tag, "go1."); ok {
		if n, err := strconv.Atoi(minor); err == nil {
			return n
		}
	}
	return -1
}
