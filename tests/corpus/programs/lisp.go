// run

// A small Lisp: reader, closures, tail calls, macros by quoting, errors with their place.
package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

type (
	Symbol string
	List   []any
	Proc   func(args []any) (any, error)
	Lambda struct {
		params []Symbol
		rest   Symbol
		body   any
		env    *Env
		macro  bool
	}
	Env struct {
		vars  map[Symbol]any
		outer *Env
	}
	SyntaxError struct {
		Line int
		Msg  string
	}
)

func (e SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

func (e *Env) find(s Symbol) *Env {
	for ; e != nil; e = e.outer {
		if _, ok := e.vars[s]; ok {
			return e
		}
	}
	return nil
}

type reader struct {
	src  []rune
	pos  int
	line int
}

func (r *reader) skip() {
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		switch {
		case c == '\n':
			r.line++
		case c == ';':
			for r.pos < len(r.src) && r.src[r.pos] != '\n' {
				r.pos++
			}
			continue
		case !unicode.IsSpace(c):
			return
		}
		r.pos++
	}
}

func (r *reader) read() (any, error) {
	r.skip()
	if r.pos >= len(r.src) {
		return nil, SyntaxError{r.line, "unexpected end"}
	}
	switch c := r.src[r.pos]; c {
	case '(':
		r.pos++
		list := List{}
		for {
			r.skip()
			if r.pos < len(r.src) && r.src[r.pos] == ')' {
				r.pos++
				return list, nil
			}
			x, err := r.read()
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
	case ')':
		return nil, SyntaxError{r.line, "unexpected )"}
	case '\'':
		r.pos++
		x, err := r.read()
		return List{Symbol("quote"), x}, err
	case '"':
		end := r.pos + 1
		for end < len(r.src) && r.src[end] != '"' {
			if r.src[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(r.src) {
			return nil, SyntaxError{r.line, "string without end"}
		}
		s, err := strconv.Unquote(string(r.src[r.pos : end+1]))
		r.pos = end + 1
		return s, err
	}
	start := r.pos
	for r.pos < len(r.src) && !unicode.IsSpace(r.src[r.pos]) && !strings.ContainsRune("()'",
		r.src[r.pos]) {
		r.pos++
	}
	word := string(r.src[start:r.pos])
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return f, nil
	}
	switch word {
	case "#t":
		return true, nil
	case "#f":
		return false, nil
	}
	return Symbol(word), nil
}

func eval(x any, env *Env) (any, error) {
	for {
		switch v := x.(type) {
		case Symbol:
			if e := env.find(v); e != nil {
				return e.vars[v], nil
			}
			return nil, fmt.Errorf("unbound: %s", v)
		case List:
			if len(v) == 0 {
				return v, nil
			}
			switch head, _ := v[0].(Symbol); head {
			case "quote":
				return v[1], nil
			case "if":
				c, err := eval(v[1], env)
				if err != nil {
					return nil, err
				}
				if c != false {
					x = v[2]
				} else if len(v) > 3 {
					x = v[3]
				} else {
					return List{}, nil
				}
				continue
			case "define", "macro":
				if sig, ok := v[1].(List); ok {
					l := Lambda{body: append(List{Symbol("begin")}, v[2:]...), env: env, macro: head == "macro"}
					for i, p := range sig[1:] {
						if p == Symbol(".") {
							l.rest = sig[i+2].(Symbol)
							break
						}
						l.params = append(l.params, p.(Symbol))
					}
					env.vars[sig[0].(Symbol)] = &l
					return sig[0], nil
				}
				val, err := eval(v[2], env)
				env.vars[v[1].(Symbol)] = val
				return v[1], err
			case "set!":
				e := env.find(v[1].(Symbol))
				if e == nil {
					return nil, fmt.Errorf("unbound: %s", v[1])
				}
				val, err := eval(v[2], env)
				e.vars[v[1].(Symbol)] = val
				return val, err
			case "lambda":
				l := &Lambda{body: append(List{Symbol("begin")}, v[2:]...), env: env}
				for _, p := range v[1].(List) {
					l.params = append(l.params, p.(Symbol))
				}
				return l, nil
			case "begin":
				for _, e := range v[1 : len(v)-1] {
					if _, err := eval(e, env); err != nil {
						return nil, err
					}
				}
				x = v[len(v)-1]
				continue
			}
			f, err := eval(v[0], env)
			if err != nil {
				return nil, err
			}
			args := v[1:]
			l, isLambda := f.(*Lambda)
			if !isLambda || !l.macro {
				args = make(List, len(v)-1)
				for i, a := range v[1:] {
					if args[i], err = eval(a, env); err != nil {
						return nil, err
					}
				}
			}
			if !isLambda {
				p, ok := f.(Proc)
				if !ok {
					return nil, fmt.Errorf("not a procedure: %s", show(f))
				}
				return p(args)
			}
			inner := &Env{map[Symbol]any{}, l.env}
			if len(args) < len(l.params) || len(args) > len(l.params) && l.rest == "" {
				return nil, fmt.Errorf("%s wants %d arguments, got %d", show(v[0]), len(l.params), len(args))
			}
			for i, p := range l.params {
				inner.vars[p] = args[i]
			}
			if l.rest != "" {
				inner.vars[l.rest] = List(args[len(l.params):])
			}
			if l.macro {
				if x, err = eval(l.body, inner); err != nil {
					return nil, err
				}
				continue
			}
			x, env = l.body, inner
		default:
			return x, nil
		}
	}
}

func show(x any) string {
	switch v := x.(type) {
	case List:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = show(e)
		}
		return "(" + strings.Join(parts, " ") + ")"
	case string:
		return strconv.Quote(v)
	case bool:
		return map[bool]string{true: "#t", false: "#f"}[v]
	case *Lambda:
		return fmt.Sprintf("#<lambda/%d>", len(v.params))
	case Proc:
		return "#<proc>"
	}
	return fmt.Sprint(x)
}

func fold(f func(a, b float64) float64) Proc {
	return func(args []any) (any, error) {
		var acc float64
		for i, a := range args {
			n, ok := a.(float64)
			if !ok {
				return nil, fmt.Errorf("not a number: %s", show(a))
			}
			if i == 0 {
				acc = n
			} else {
				acc = f(acc, n)
			}
		}
		return acc, nil
	}
}

func global() *Env {
	return &Env{vars: map[Symbol]any{
		"+": fold(func(a, b float64) float64 { return a + b }), "-": fold(func(a,
			b float64) float64 {
			return a - b
		}),
		"*": fold(func(a, b float64) float64 { return a * b }), "/": fold(func(a,
			b float64) float64 {
			return a / b
		}),
		"expt": fold(math.Pow), "mod": fold(math.Mod),
		"<":    Proc(func(a []any) (any, error) { return a[0].(float64) < a[1].(float64), nil }),
		"=":    Proc(func(a []any) (any, error) { return show(a[0]) == show(a[1]), nil }),
		"list": Proc(func(a []any) (any, error) { return List(a), nil }),
		"car": Proc(func(a []any) (any, error) {
			if l, ok := a[0].(List); ok && len(l) > 0 {
				return l[0], nil
			}
			return nil, errors.New("car of nothing")
		}),
		"cdr":  Proc(func(a []any) (any, error) { return a[0].(List)[1:], nil }),
		"cons": Proc(func(a []any) (any, error) { return append(List{a[0]}, a[1].(List)...), nil }),
		"null": Proc(func(a []any) (any, error) { return len(a[0].(List)) == 0, nil }),
	}}
}

const program = `
(define (fact n) (if (< n 2) 1 (* n (fact (- n 1)))))
(fact 20)
(define (loop n acc) (if (= n 0) acc (loop (- n 1) (+ acc n)))) ; tail calls
(loop 30000 0)
(define (map f l) (if (null l) '() (cons (f (car l)) (map f (cdr l)))))
(map (lambda (x) (* x x)) '(1 2 3 4))
(define (counter) (begin (define n 0) (lambda () (set! n (+ n 1)))))
(define c (counter)) (c) (c)
(macro (unless c . body) (list 'if c '() (cons 'begin body)))
(unless (< 2 1) "first" "second \"quoted\"")
(define (hanoi n a b c) (if (= n 0) 0 (+ 1 (hanoi (- n 1) a c b) (hanoi (- n 1) c b a))))
(hanoi 10 'a 'b 'c)
(list 'a "b" #t '(1 . 2) map +)
(expt 2 0.5)
(/ 1 0)
(undefined 1)
(fact)
("text" 1)
(car '())
(+ 1 'x)
(set! nowhere 1)
`

func main() {
	env := global()
	r := &reader{src: []rune(program), line: 1}
	for {
		if r.skip(); r.pos >= len(r.src) {
			break
		}
		line := r.line
		x, err := r.read()
		if err == nil {
			x, err = eval(x, env)
		}
		if err != nil {
			fmt.Println(line, "error:", err)
			continue
		}
		fmt.Println(line, show(x))
	}
	for _, bad := range []string{"(1 2", "\n\n)", `"open`, "'"} {
		_, err := (&reader{src: []rune(bad), line: 1}).read()
		var s SyntaxError
		fmt.Println(err, errors.As(err, &s), s.Line)
	}
}
