// run exit=2

// A lexer and a parser that fail by panics of their own errors.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode"
)

type tokenKind byte

const (
	num tokenKind = iota + 'a'
	op
	lparen
	rparen
	ident
)

type token struct {
	kind tokenKind
	text string
	pos  int
}

type lexer struct {
	in  []rune
	pos int
}

type SyntaxError struct {
	Pos int
	Msg string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("at %d: %s", e.Pos, e.Msg) }

func (l *lexer) next() (t token, ok bool, err error) {
	for l.pos < len(l.in) && unicode.IsSpace(l.in[l.pos]) {
		l.pos++
	}
	if l.pos == len(l.in) {
		return
	}
	start := l.pos
	c := l.in[l.pos]
	take := func(f func(rune) bool) string {
		for l.pos < len(l.in) && f(l.in[l.pos]) {
			l.pos++
		}
		return string(l.in[start:l.pos])
	}
	switch {
	case unicode.IsDigit(c):
		return token{num, take(func(r rune) bool { return unicode.IsDigit(r) || r == '.' }), start}, true, nil
	case unicode.IsLetter(c):
		return token{ident, take(unicode.IsLetter), start}, true, nil
	case strings.ContainsRune("+-*/^%", c):
		l.pos++
		return token{op, string(c), start}, true, nil
	case c == '(':
		l.pos++
		return token{lparen, "(", start}, true, nil
	case c == ')':
		l.pos++
		return token{rparen, ")", start}, true, nil
	}
	return t, false, &SyntaxError{start, fmt.Sprintf("unexpected %q", c)}
}

type parser struct {
	toks []token
	i    int
	vars map[string]float64
}

var prec = map[string]int{"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "^": 3}

var ErrDivZero = errors.New("division by zero")

func (p *parser) expr(min int) float64 {
	lhs := p.atom()
	for p.i < len(p.toks) && p.toks[p.i].kind == op && prec[p.toks[p.i].text] >= min {
		o := p.toks[p.i]
		p.i++
		q := prec[o.text] + 1
		if o.text == "^" {
			q--
		}
		rhs := p.expr(q)
		switch o.text {
		case "+":
			lhs += rhs
		case "-":
			lhs -= rhs
		case "*":
			lhs *= rhs
		case "/":
			if rhs == 0 {
				panic(fmt.Errorf("at %d: %w", o.pos, ErrDivZero))
			}
			lhs /= rhs
		case "%":
			lhs = float64(int(lhs) % int(rhs))
		case "^":
			r := 1.0
			for range int(rhs) {
				r *= lhs
			}
			lhs = r
		}
	}
	return lhs
}

func (p *parser) atom() float64 {
	if p.i >= len(p.toks) {
		panic(&SyntaxError{-1, "unexpected end"})
	}
	t := p.toks[p.i]
	p.i++
	switch t.kind {
	case num:
		var f float64
		if _, err := fmt.Sscan(t.text, &f); err != nil {
			panic(&SyntaxError{t.pos, err.Error()})
		}
		return f
	case ident:
		v, ok := p.vars[t.text]
		if !ok {
			panic(&SyntaxError{t.pos, "undefined " + t.text})
		}
		return v
	case lparen:
		v := p.expr(1)
		if p.i >= len(p.toks) || p.toks[p.i].kind != rparen {
			panic(&SyntaxError{t.pos, "unclosed"})
		}
		p.i++
		return v
	case op:
		if t.text == "-" {
			return -p.expr(3)
		}
		fallthrough
	default:
		panic(&SyntaxError{t.pos, "unexpected " + t.text})
	}
}

func eval(s string, vars map[string]float64) (v float64, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *SyntaxError:
			err = r
		case error:
			if errors.Is(r, ErrDivZero) {
				err = r
				return
			}
			panic(r)
		default:
			panic(r)
		}
	}()
	l := lexer{in: []rune(s)}
	p := parser{vars: vars}
	for {
		t, ok, err := l.next()
		if err != nil {
			return 0, err
		}
		if !ok {
			break
		}
		p.toks = append(p.toks, t)
	}
	v = p.expr(1)
	if p.i < len(p.toks) {
		return 0, &SyntaxError{p.toks[p.i].pos, "trailing " + p.toks[p.i].text}
	}
	return v, nil
}

func main() {
	vars := map[string]float64{"pi": 3.14159, "x": 2}
	for _, s := range []string{"1+2*3", "(1+2)*3", "2^3^2", "-x^2", "10/4-1", "7%4", "1/0", "2+", "(1", "y", "1 $ 2", "3 4", "1.2.3", "pi*x", ""} {
		v, err := eval(s, vars)
		var se *SyntaxError
		fmt.Printf("%-10q %v %v %t\n", s, v, err, errors.As(err, &se))
	}
	if len(os.Args) > 3 {
		return
	}
	eval("1%0", vars)
}
