// run

// A document written and parsed without help.
package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

type Value any
type Object map[string]Value
type Array []Value

type encoder struct {
	w      io.StringWriter
	indent string
	depth  int
}

type UnsupportedError struct{ Value Value }

func (e *UnsupportedError) Error() string { return fmt.Sprintf("unsupported value %v of type %T", e.Value, e.Value) }

func (e *encoder) nl() {
	if e.indent != "" {
		e.w.WriteString("\n" + strings.Repeat(e.indent, e.depth))
	}
}

func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20:
			fmt.Fprintf(&b, "\\u%04x", r)
		case r == utf8.RuneError && n == 1:
			b.WriteString("\\ufffd")
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	b.WriteByte('"')
	return b.String()
}

func (e *encoder) encode(v Value) error {
	switch v := v.(type) {
	case nil:
		e.w.WriteString("null")
	case bool:
		e.w.WriteString(strconv.FormatBool(v))
	case int:
		e.w.WriteString(strconv.Itoa(v))
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &UnsupportedError{v}
		}
		e.w.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
	case string:
		e.w.WriteString(quote(v))
	case Array:
		e.w.WriteString("[")
		e.depth++
		for i, x := range v {
			if i > 0 {
				e.w.WriteString(",")
			}
			e.nl()
			if err := e.encode(x); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		e.depth--
		if len(v) > 0 {
			e.nl()
		}
		e.w.WriteString("]")
	case Object:
		ks := make([]string, 0, len(v))
		for k := range v {
			ks = append(ks, k)
		}
		sort.Strings(ks)
		e.w.WriteString("{")
		e.depth++
		for i, k := range ks {
			if i > 0 {
				e.w.WriteString(",")
			}
			e.nl()
			e.w.WriteString(quote(k) + ":")
			if e.indent != "" {
				e.w.WriteString(" ")
			}
			if err := e.encode(v[k]); err != nil {
				return fmt.Errorf("%s: %w", k, err)
			}
		}
		e.depth--
		if len(v) > 0 {
			e.nl()
		}
		e.w.WriteString("}")
	default:
		return &UnsupportedError{v}
	}
	return nil
}

type parser struct {
	s   string
	pos int
}

func (p *parser) fail(f string, a ...any) { panic(fmt.Errorf("offset %d: "+f, append([]any{p.pos}, a...)...)) }

func (p *parser) ws() {
	for p.pos < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.pos]) >= 0 {
		p.pos++
	}
}

func (p *parser) value() Value {
	p.ws()
	if p.pos == len(p.s) {
		p.fail("unexpected end")
	}
	switch c := p.s[p.pos]; {
	case c == '{':
		p.pos++
		o := Object{}
		for p.ws(); p.s[p.pos] != '}'; p.ws() {
			k, ok := p.value().(string)
			if !ok {
				p.fail("key is no string")
			}
			p.ws()
			if p.s[p.pos] != ':' {
				p.fail("expected ':', got %q", p.s[p.pos])
			}
			p.pos++
			o[k] = p.value()
			if p.ws(); p.s[p.pos] == ',' {
				p.pos++
			}
		}
		p.pos++
		return o
	case c == '[':
		p.pos++
		a := Array{}
		for p.ws(); p.s[p.pos] != ']'; p.ws() {
			a = append(a, p.value())
			if p.ws(); p.s[p.pos] == ',' {
				p.pos++
			}
		}
		p.pos++
		return a
	case c == '"':
		for i := p.pos + 1; i < len(p.s); i++ {
			if p.s[i] == '\\' {
				i++
			} else if p.s[i] == '"' {
				s, err := strconv.Unquote(p.s[p.pos : i+1])
				if err != nil {
					p.fail("%w", err)
				}
				p.pos = i + 1
				return s
			}
		}
		p.fail("unterminated string")
	case c == '-' || '0' <= c && c <= '9':
		i := p.pos
		for i < len(p.s) && strings.IndexByte("+-.eE0123456789", p.s[i]) >= 0 {
			i++
		}
		f, err := strconv.ParseFloat(p.s[p.pos:i], 64)
		if err != nil {
			p.fail("%w", err)
		}
		p.pos = i
		return f
	}
	for w, v := range map[string]Value{"true": true, "false": false, "null": nil} {
		if strings.HasPrefix(p.s[p.pos:], w) {
			p.pos += len(w)
			return v
		}
	}
	p.fail("unexpected %q", p.s[p.pos])
	return nil
}

func parse(s string) (v Value, err error) {
	p := &parser{s: s}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case error:
			err = fmt.Errorf("parse: %w", r)
		default:
			panic(r)
		}
	}()
	v = p.value()
	if p.ws(); p.pos < len(p.s) {
		p.fail("trailing data")
	}
	return
}

func main() {
	doc := Object{"name": "Gö\"pher\n", "n": 3, "pi": 3.14, "ok": true, "none": nil, "list": Array{1, "two", Array{}, Object{}}, "big": 1e21, "bad": "a\xffz"}
	for _, ind := range []string{"", "  "} {
		var b strings.Builder
		e := &encoder{w: &b, indent: ind}
		fmt.Println(e.encode(doc))
		fmt.Println(b.String())
	}
	e := &encoder{w: os.Stdout}
	fmt.Println(e.encode(Array{1, Object{"x": math.NaN()}}))
	fmt.Println(e.encode(Array{struct{ A int }{1}}))
	for _, s := range []string{`{"a":[1,2.5,-3e2,{"b":null}],"c":"x\ty"}`, `[1,`, `{"a" 1}`, `{1:2}`, `nope`, `"abc`, `[true,false,null] x`, `1.2.3`, ``} {
		v, err := parse(s)
		fmt.Printf("%v | %v\n", v, err)
	}
}
