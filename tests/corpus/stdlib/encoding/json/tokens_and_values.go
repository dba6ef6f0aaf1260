// run

package main

import (
	"bytes"
	"encoding/json/jsontext"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

type slow struct {
	s string
	n int
}

func (r *slow) Read(p []byte) (int, error) {
	if r.s == "" {
		return 0, io.EOF
	}
	n := copy(p[:min(r.n, len(p))], r.s)
	r.s = r.s[n:]
	return n, nil
}

type failing struct{ n int }

func (f *failing) Read(p []byte) (int, error) {
	if f.n == 0 {
		return 0, errors.New("broken")
	}
	f.n--
	return copy(p, `[1,`), nil
}

func show(err error) string {
	var se *jsontext.SyntacticError
	if errors.As(err, &se) {
		return fmt.Sprintf("%v | %d %q %v", err, se.ByteOffset, se.JSONPointer, se.Err)
	}
	return fmt.Sprint(err)
}

func tokens(name string, d *jsontext.Decoder) {
	fmt.Printf("%s:", name)
	for {
		k := d.PeekKind()
		t, err := d.ReadToken()
		if err != nil {
			fmt.Printf(" peek=%v err=%s off=%d\n", k, show(err), d.InputOffset())
			return
		}
		i, n := d.StackIndex(d.StackDepth())
		fmt.Printf(" %v(%v,%v %d/%d %q)", t, k, i, d.StackDepth(), n, d.StackPointer())
	}
}

var texts = []string{
	`null`, ` true `, `false`, `"hello"`, `12`, `-0.5e+10`, `{}`, `[]`, `[1,2,3]`, `{"a":1,"b":[true,{"c":null}]}`,
	``, ` `, `nul`, `nulx`, `tru`, `[`, `{`, `[1`, `[1,`, `[1,]`, `[1 2]`, `[,1]`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`,
	`{"a" 1}`, `{a:1}`, `{1:2}`, `{"a":1 "b":2}`, `{"a":1]`, `[1}`, `]`, `}`, `1 2`, `01`, `-`, `1.`, `1e`, `1e+`, `-x`, `1.x`, `2ex`,
	`"abc`, `"\`, `"\u`, `"\u12`, `"\u12x4"`, `"\x"`, "\"a\nb\"", "\"\xff\"", "\"\xe2\x82\"", `"\ud800"`, `"\ud800\u"`, `"\ud800\udc00"`, `"\ud800x"`, `"\udc00"`, `"\uD83D\uDE00é/\/"`,
	`{"a":1,"a":2}`, `{"x":{"a":1,"\u0061":2}}`, `[[[{"k":[1,2,tru]}]]]`, `[{"a~b/c":[0,{"é":x}]}]`, `@`, `[1,2` + "\x00" + `]`, "\u00e9", `{"a":{"b":{"c":"d\q"}}}`, `{"":{"":0,"":1}}`, `[1,-]`, `[1.]`, `[-`, `["a`, `["\ud800`, `[tr`, `{"a":1}}`, `[]]`, `[null,nul]`, `:`, `,`, `{"a"::1}`, `{"a",}`, `[1:2]`, `[1,,2]`, `{,}`,
	"\t[ 1 ,\n 2 ]\r\n", `"` + strings.Repeat("x", 300) + `"`, `123456789012345678901234567890`, `{"a":"b"` + strings.Repeat(" ", 100) + `,"c":1e5}`,
}

func main() {
	for _, s := range texts {
		tokens(fmt.Sprintf("%.40q", s), jsontext.NewDecoder(strings.NewReader(s)))
		tokens("  slow", jsontext.NewDecoder(&slow{s, 1}))
		tokens("  dup", jsontext.NewDecoder(&slow{s, 3}, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)))
		tokens("  buf", jsontext.NewDecoder(bytes.NewBufferString(s)))
		d := jsontext.NewDecoder(&slow{s, 2})
		v, err := d.ReadValue()
		fmt.Printf("  value %.60s %s %d", v, show(err), d.InputOffset())
		if err == nil {
			fmt.Printf(" %q", d.UnreadBuffer())
		}
		v, err = d.ReadValue()
		fmt.Printf(" then %.20s %s\n", v, show(err))
		d = jsontext.NewDecoder(bytes.NewBufferString("[0," + s))
		d.ReadToken()
		d.ReadToken()
		v, err = d.ReadValue()
		fmt.Printf("  nested %.60s %s\n", v, show(err))
		fmt.Println("  valid", jsontext.Value(s).IsValid(), jsontext.Value(s).IsValid(jsontext.AllowDuplicateNames(true)), jsontext.Value(s).IsValid(jsontext.AllowInvalidUTF8(true)), jsontext.Value(s).Kind())
		for i, o := range [][]jsontext.Options{nil, {jsontext.Multiline(true)}, {jsontext.WithIndent(" "), jsontext.WithIndentPrefix("\t")}, {jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true)}, {jsontext.AllowInvalidUTF8(true), jsontext.EscapeForHTML(true), jsontext.EscapeForJS(true)}, {jsontext.PreserveRawStrings(true)}} {
			b, err := jsontext.AppendFormat([]byte("> "), s, o...)
			fmt.Printf("  fmt%d %.80q %s\n", i, b, show(err))
		}
		v = jsontext.Value(s)
		err = v.Compact()
		fmt.Printf("  compact %.80q %s\n", v, show(err))
		err = v.Indent(jsontext.WithIndent("  "))
		fmt.Printf("  indent %.80q %s\n", v, show(err))
		v = jsontext.Value(s)
		err = v.Canonicalize()
		fmt.Printf("  canon %.80q %s\n", v, show(err))
		u, err := jsontext.AppendUnquote(nil, s)
		fmt.Printf("  unq %.80q %s\n", u, show(err))
		u, err = jsontext.AppendQuote(nil, s)
		fmt.Printf("  quo %.80q %s\n", u, show(err))
		d = jsontext.NewDecoder(strings.NewReader(s))
		fmt.Println("  skip", show(d.SkipValue()), show(d.SkipValue()))
		var out bytes.Buffer
		e := jsontext.NewEncoder(&out, jsontext.Multiline(true))
		e.WriteToken(jsontext.BeginObject)
		e.WriteToken(jsontext.String("k/~"))
		fmt.Println("  enc", show(e.WriteValue(jsontext.Value(s))), e.OutputOffset(), e.StackPointer())
		fmt.Println("  enc", show(e.WriteValue(jsontext.Value(s))), show(e.WriteToken(jsontext.EndObject)))
		fmt.Printf("  out %.200q\n", out.String())
	}
	f := &failing{2}
	d := jsontext.NewDecoder(f)
	tokens("failing", d)
	_, err := d.ReadValue()
	fmt.Println(err, errors.Unwrap(err))
	f.n = 1
	_, err = d.ReadValue()
	fmt.Println(err, errors.Unwrap(err))

	v := jsontext.Value(`{"b":1,"a":[{"z":1,"y":2}], "\u20ac": 1e3,"é":-0, "\ud83d\ude00":12345678901234567890,  "" : 0.1e-7,"c":{"q":1.0,"p":1E400}}`)
	fmt.Println(v.Canonicalize(), v)
	v = jsontext.Value("{ \"b\" : 1 ,\n \"a\" : 2 , \"b0\":3, \"A\":4}")
	fmt.Println(v.Format(jsontext.ReorderRawObjects(true), jsontext.Multiline(true)), v)
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -1.5, 1e20, 1e21, 1e-6, 1e-7, 123456789.125, math.MaxFloat64, math.SmallestNonzeroFloat64, math.NaN(), math.Inf(1), math.Inf(-1), 1 << 63, -1 << 63, 1 << 64, 0.5} {
		t := jsontext.Float(f)
		fmt.Print(t, " ", t.Kind(), " ", string(jsontext.AppendFloat(nil, f, 64)), " ", string(jsontext.AppendFloat(nil, f, 32)), " ")
		if t.Kind() == '0' {
			i, err := t.Int()
			u, err2 := t.Uint()
			g, err3 := t.Float32()
			fmt.Print(i, " ", err, " ", u, " ", err2, " ", g, " ", err3)
		}
		g, err := t.Float()
		fmt.Println(" ", g, err, jsontext.Float32(float32(f)))
	}
	for _, s := range []string{"0", "-1", "1.5", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1e400", "-0", "1e2", "3.4e39"} {
		d := jsontext.NewDecoder(strings.NewReader(s))
		t, err := d.ReadToken()
		c := t.Clone()
		i, err1 := t.Int()
		u, err2 := t.Uint()
		f, err3 := t.Float()
		g, err4 := t.Float32()
		fmt.Println(t, err, i, err1, u, err2, f, err3, g, err4, c.Kind())
		d.ReadToken()
		fmt.Println(c)
	}
	for _, t := range []jsontext.Token{jsontext.Int(-5), jsontext.Uint(1 << 63), jsontext.Int(0), jsontext.Bool(true), jsontext.String(""), jsontext.String("a\"b"), {}, jsontext.BeginArray} {
		func() {
			defer func() { fmt.Println(recover()) }()
			fmt.Print(t, " ", t.Kind(), " ")
			fmt.Print(t.Int())
			fmt.Print(t.Uint())
			fmt.Print(t.Float())
			fmt.Print(t.Bool())
		}()
	}
	p := jsontext.Pointer("/a/b~1c/~0/0")
	for t := range p.Tokens() {
		fmt.Printf("%q ", t)
	}
	fmt.Println(p.IsValid(), p.Parent(), p.LastToken(), p.AppendToken("x/~y"), p.Contains("/a/b~1c/~0/0/1"), p.Contains("/a"), jsontext.Pointer("a").IsValid(), jsontext.Pointer("/~2").IsValid(), jsontext.Pointer("").Parent())
	for _, k := range []jsontext.Kind{0, 'n', '"', '{', 'x', 200} {
		fmt.Print(k, " ")
	}
	fmt.Println()
	var w strings.Builder
	e := jsontext.NewEncoder(&w)
	for _, t := range []jsontext.Token{jsontext.BeginArray, jsontext.EndObject, jsontext.Null, jsontext.BeginObject, jsontext.Null, jsontext.String("x"), jsontext.EndObject, jsontext.Int(1), jsontext.String("x"), jsontext.String("\xff"), jsontext.String("y"), jsontext.Float(1e30), jsontext.EndArray, jsontext.EndObject, jsontext.EndArray, jsontext.EndArray, {}} {
		fmt.Println(t, show(e.WriteToken(t)), e.StackPointer(), e.StackDepth())
	}
	fmt.Printf("%q %d\n", w.String(), len(e.AvailableBuffer()))
	deep := strings.Repeat("[", 10001)
	_, err = jsontext.NewDecoder(strings.NewReader(deep)).ReadValue()
	fmt.Println(len(show(err)), show(err)[:60])
	d = jsontext.NewDecoder(strings.NewReader(strings.Repeat("[", 10000) + strings.Repeat("]", 10000)))
	v, err = d.ReadValue()
	fmt.Println(len(v), err)
	func() {
		defer func() { fmt.Println(recover()) }()
		jsontext.WithIndent("x")
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		jsontext.NewEncoder(nil)
	}()
	long := strings.Repeat(`{"some long name":[0,`, 30)
	_, err = jsontext.NewDecoder(strings.NewReader(long)).ReadValue()
	fmt.Println(err)
}
