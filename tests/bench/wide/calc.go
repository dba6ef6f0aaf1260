package main

import "fmt"

// A calculator: expressions with names, calls and the usual precedence are parsed by
// precedence climbing and evaluated as they are read, over and over with other values.

type parser struct {
	text string // with a 0 at its end
	pos  int
	vars map[string]float64
}

type syntaxError string

func (e syntaxError) Error() string { return "syntax error " + string(e) }

func (p *parser) fail(what string) { panic(syntaxError(fmt.Sprintf("at %d: %s", p.pos, what))) }

func (p *parser) peek() byte {
	for p.text[p.pos] == ' ' {
		p.pos++
	}
	return p.text[p.pos]
}

func (p *parser) expect(c byte) {
	if p.peek() != c {
		p.fail("missing " + string(c))
	}
	p.pos++
}

var levels = map[byte]int{'+': 1, '-': 1, '*': 2, '/': 2}

func (p *parser) binary(level int) float64 {
	v := p.factor()
	for {
		op := p.peek()
		above := levels[op]
		if above < level || above == 0 {
			return v
		}
		p.pos++
		w := p.binary(above + 1)
		switch op {
		case '+':
			v += w
		case '-':
			v -= w
		case '*':
			v *= w
		case '/':
			v /= w
		}
	}
}

func (p *parser) factor() (v float64) {
	switch c := p.peek(); {
	case c == '-':
		p.pos++
		return -p.factor()
	case c == '(':
		p.pos++
		v = p.binary(1)
		p.expect(')')
		return v
	case c >= '0' && c <= '9':
		for ; p.text[p.pos] >= '0' && p.text[p.pos] <= '9'; p.pos++ {
			v = v*10 + float64(p.text[p.pos]-'0')
		}
		return v
	}
	start := p.pos
	for p.text[p.pos] >= 'a' && p.text[p.pos] <= 'z' {
		p.pos++
	}
	name := p.text[start:p.pos]
	if name == "square" {
		v = p.factor()
		return v * v
	}
	v, ok := p.vars[name]
	if !ok {
		p.fail(fmt.Sprintf("unknown %q", name))
	}
	return v
}

func evaluate(text string, vars map[string]float64) (v float64, err error) {
	defer func() {
		if e, ok := recover().(syntaxError); ok {
			err = e
		}
	}()
	p := &parser{text: text + "\x00", vars: vars}
	v = p.binary(1)
	p.expect(0)
	return v, nil
}

func main() {
	lines := []string{"1 + 2 * 3 - x / 4", "(x + y) * (x - y) + 25 * square(x - 17)", "12 * (x + ",
		"-(x * x + 325) / (1 + square y) - -y", "x + unknown * 2", "((((x + 1) * x + 2) * x + 3) * x + 4) / 1000"}
	vars := map[string]float64{}
	total := 0.0
	failed := map[string]int{}
	for round := 0; round < 100000; round++ {
		vars["x"], vars["y"] = float64(round%101), float64(round%37)
		v, err := evaluate(lines[round%len(lines)], vars)
		if err != nil {
			failed[err.Error()]++
		}
		total += v
	}
	fmt.Printf("total %.6f\n", total)
	fmt.Println("failed", failed)
}
