// run

// A compiler from a small language to bytecode, and the machine that runs it.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode"
)

type opcode byte

const (
	push opcode = iota
	load
	store
	add
	sub
	mul
	div
	less
	equal
	jump
	jumpIfNot
	call
	ret
	print
	halt
)

//go:generate echo names would be generated here
var names = [...]string{push: "push", load: "load", store: "store", add: "add", sub: "sub",
	mul: "mul", div: "div",
	less: "less", equal: "equal", jump: "jump", jumpIfNot: "jumpIfNot", call: "call", ret: "ret",
	print: "print", halt: "halt"}

func (o opcode) String() string { return names[o] }

type instr struct {
	op  opcode
	arg int
}

type compiler struct {
	toks  []string
	pos   int
	code  []instr
	vars  map[string]int
	funcs map[string]*function
	calls []fixup
}

type function struct{ entry, params int }
type fixup struct {
	at   int
	name string
	args int
}

type compileError struct {
	tok string
	pos int
	msg string
}

func (e *compileError) Error() string {
	return fmt.Sprintf("token %d (%q): %s", e.pos, e.tok,
		e.msg)
}

func tokenize(src string) (toks []string) {
	for i := 0; i < len(src); {
		c := rune(src[i])
		j := i + 1
		switch {
		case unicode.IsSpace(c):
			i++
			continue
		case unicode.IsLetter(c):
			for j < len(src) && (unicode.IsLetter(rune(src[j])) || unicode.IsDigit(rune(src[j]))) {
				j++
			}
		case unicode.IsDigit(c):
			for j < len(src) && unicode.IsDigit(rune(src[j])) {
				j++
			}
		case c == '=' && j < len(src) && src[j] == '=':
			j++
		}
		toks = append(toks, src[i:j])
		i = j
	}
	return append(toks, "")
}

func (c *compiler) peek() string { return c.toks[c.pos] }
func (c *compiler) next() string { t := c.toks[c.pos]; c.pos++; return t }
func (c *compiler) fail(format string, args ...any) {
	panic(&compileError{c.peek(), c.pos, fmt.Sprintf(format, args...)})
}
func (c *compiler) expect(t string) {
	if c.peek() != t {
		c.fail("expected %q", t)
	}
	c.pos++
}
func (c *compiler) emit(op opcode, arg int) int {
	c.code = append(c.code, instr{op, arg})
	return len(c.code) - 1
}

func (c *compiler) slot(name string) int {
	if n, ok := c.vars[name]; ok {
		return n
	}
	c.vars[name] = len(c.vars)
	return c.vars[name]
}

var precedence = map[string]int{"==": 1, "<": 1, "+": 2, "-": 2, "*": 3, "/": 3}
var operators = map[string]opcode{"==": equal, "<": less, "+": add, "-": sub, "*": mul, "/": div}

func (c *compiler) expr(min int) {
	switch t := c.next(); {
	case t == "(":
		c.expr(0)
		c.expect(")")
	case t == "-":
		c.emit(push, 0)
		c.expr(4)
		c.emit(sub, 0)
	case t != "" && unicode.IsDigit(rune(t[0])):
		var n int
		fmt.Sscan(t, &n)
		c.emit(push, n)
	case t != "" && unicode.IsLetter(rune(t[0])):
		if c.peek() == "(" {
			c.next()
			n := 0
			for c.peek() != ")" {
				if n > 0 {
					c.expect(",")
				}
				c.expr(0)
				n++
			}
			c.next()
			c.calls = append(c.calls, fixup{c.emit(call, 0), t, n})
			break
		}
		n, ok := c.vars[t]
		if !ok {
			c.pos--
			c.fail("undefined variable")
		}
		c.emit(load, n)
	default:
		c.pos--
		c.fail("expected an expression")
	}
	for {
		op := c.peek()
		p, ok := precedence[op]
		if !ok || p <= min {
			return
		}
		c.next()
		c.expr(p)
		c.emit(operators[op], 0)
	}
}

func (c *compiler) block() {
	c.expect("{")
	for c.peek() != "}" {
		c.stmt()
	}
	c.next()
}

func (c *compiler) stmt() {
	switch t := c.next(); t {
	case "print":
		c.expr(0)
		c.emit(print, 0)
	case "return":
		c.expr(0)
		c.emit(ret, 0)
	case "if":
		c.expr(0)
		skip := c.emit(jumpIfNot, 0)
		c.block()
		if c.peek() == "else" {
			c.next()
			end := c.emit(jump, 0)
			c.code[skip].arg = len(c.code)
			c.block()
			c.code[end].arg = len(c.code)
			return
		}
		c.code[skip].arg = len(c.code)
	case "while":
		top := len(c.code)
		c.expr(0)
		end := c.emit(jumpIfNot, 0)
		c.block()
		c.emit(jump, top)
		c.code[end].arg = len(c.code)
	case "func":
		name := c.next()
		over := c.emit(jump, 0)
		outer := c.vars
		c.vars = map[string]int{}
		c.expect("(")
		for c.peek() != ")" {
			if len(c.vars) > 0 {
				c.expect(",")
			}
			c.slot(c.next())
		}
		c.next()
		c.funcs[name] = &function{len(c.code), len(c.vars)}
		c.block()
		c.emit(push, 0)
		c.emit(ret, 0)
		c.vars = outer
		c.code[over].arg = len(c.code)
	default:
		if t == "" || !unicode.IsLetter(rune(t[0])) {
			c.pos--
			c.fail("expected a statement")
		}
		c.expect("=")
		c.expr(0)
		c.emit(store, c.slot(t))
	}
}

func compile(src string) (code []instr, funcs map[string]*function, err error) {
	c := &compiler{toks: tokenize(src), vars: map[string]int{}, funcs: map[string]*function{}}
	defer func() {
		if p := recover(); p != nil {
			ce, ok := p.(*compileError)
			if !ok {
				panic(p)
			}
			err = ce
		}
	}()
	for c.peek() != "" {
		c.stmt()
	}
	c.emit(halt, 0)
	for _, f := range c.calls {
		fn := c.funcs[f.name]
		if fn == nil {
			return nil, nil, fmt.Errorf("undefined function %s", f.name)
		}
		if fn.params != f.args {
			return nil, nil, fmt.Errorf("%s wants %d arguments, not %d", f.name, fn.params, f.args)
		}
		c.code[f.at].arg = fn.entry<<8 | fn.params
	}
	return c.code, c.funcs, nil
}

var errSteps = errors.New("too many steps")

func run(code []instr, out *strings.Builder, limit int) (steps int, err error) {
	type frame struct {
		pc   int
		vars [16]int
	}
	stack, frames, cur := []int{}, []frame{}, frame{}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("at %d (%v): %v", cur.pc-1, code[cur.pc-1].op, p)
		}
	}()
	pop := func() int {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return v
	}
	for ; steps < limit; steps++ {
		in := code[cur.pc]
		cur.pc++
		switch in.op {
		case push:
			stack = append(stack, in.arg)
		case load:
			stack = append(stack, cur.vars[in.arg])
		case store:
			cur.vars[in.arg] = pop()
		case add, sub, mul, div, less, equal:
			b, a := pop(), pop()
			var r int
			switch in.op {
			case add:
				r = a + b
			case sub:
				r = a - b
			case mul:
				r = a * b
			case div:
				r = a / b
			case less:
				if a < b {
					r = 1
				}
			case equal:
				if a == b {
					r = 1
				}
			}
			stack = append(stack, r)
		case jump:
			cur.pc = in.arg
		case jumpIfNot:
			if pop() == 0 {
				cur.pc = in.arg
			}
		case call:
			frames = append(frames, cur)
			cur = frame{pc: in.arg >> 8}
			for i := in.arg&255 - 1; i >= 0; i-- {
				cur.vars[i] = pop()
			}
		case ret:
			cur = frames[len(frames)-1]
			frames = frames[:len(frames)-1]
		case print:
			fmt.Fprintln(out, pop())
		case halt:
			return steps, nil
		}
	}
	return steps, errSteps
}

func main() {
	programs := []string{
		`func fib(n) { if n < 2 { return n } return fib(n-1) + fib(n-2) } print fib(15)`,
		`i = 0 s = 0 while i < 1000 { s = s + i * i i = i + 1 } print s print -s / 7`,
		`func gcd(a, b) { while (b == 0) == 0 { t = a - a / b * b a = b b = t } return a } print gcd(1071, 462)`,
		`if 1 == 2 { print 1 } else { print 2 * (3 + 4) - 1 }`,
		`print 1 / 0`, `while 1 { x = 1 }`, `print y`, `print (1`, `f(1)`,
		`func f(a) { return a } print f(1, 2)`, `{`,
		`print nothing()`, `return 1`,
	}
	for i, src := range programs {
		code, _, err := compile(src)
		if err != nil {
			var ce *compileError
			fmt.Println(i, "compile:", err, errors.As(err, &ce))
			continue
		}
		var out strings.Builder
		steps, err := run(code, &out, 100000)
		fmt.Println(i, len(code), steps, err, strings.Fields(out.String()))
	}
	code, funcs, _ := compile(programs[0])
	for pc, in := range code {
		if pc == funcs["fib"].entry {
			fmt.Fprintln(os.Stdout, "fib:")
		}
		fmt.Printf("%3d %-9v %d\n", pc, in.op, in.arg)
	}
}
