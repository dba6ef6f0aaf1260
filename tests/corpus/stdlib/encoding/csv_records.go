// run
//
// Package csv: fields with and without quotes, positions, what is wrong, and writing.
package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

type setup func(*csv.Reader)

func show(name, text string, set setup) {
	r := csv.NewReader(strings.NewReader(text))
	if set != nil {
		set(r)
	}
	fmt.Printf("%s:", name)
	for {
		rec, err := r.Read()
		if err == io.EOF {
			break
		}
		fmt.Printf(" %q", rec)
		for i := range rec {
			l, c := r.FieldPos(i)
			fmt.Printf("@%d:%d", l, c)
		}
		fmt.Printf(" +%d", r.InputOffset())
		if err != nil {
			var p *csv.ParseError
			fmt.Printf(" error %v", err)
			if errors.As(err, &p) {
				fmt.Printf(" %d %d %d %v", p.StartLine, p.Line, p.Column, errors.Unwrap(err) == p.Err)
			}
			if !errors.Is(err, csv.ErrFieldCount) {
				break
			}
		}
	}
	fmt.Println()
}

type slow struct{ r io.Reader }

func (s slow) Read(p []byte) (int, error) { return s.r.Read(p[:min(1, len(p))]) }

type failing struct{}

func (failing) Read(p []byte) (int, error)  { return copy(p, "a,b\nc,\"d"), errors.New("broken") }
func (failing) Write(p []byte) (int, error) { return 0, errors.New("full") }

func write(w *csv.Writer, out *bytes.Buffer, records ...[]string) {
	err := w.WriteAll(records)
	fmt.Printf("%q %v %v\n", out.String(), err, w.Error())
	out.Reset()
}

func main() {
	lazy := func(r *csv.Reader) { r.LazyQuotes = true }
	any := func(r *csv.Reader) { r.FieldsPerRecord = -1 }
	trim := func(r *csv.Reader) { r.TrimLeadingSpace = true }
	show("simple", "a,b,c\nd,e,f\n", nil)
	show("crlf", "a,b\r\nc,d\r\n", nil)
	show("bare cr", "a,b\rc,d\r\n", nil)
	show("no end", "a,b", nil)
	show("cr at end", "a,b\r", nil)
	show("empty", "", nil)
	show("blank lines", "\n\n\na,b\n\n\nc,d\n\n", nil)
	show("quoted", "\"a\",\"b,c\",\"d\"\"e\"\n", nil)
	show("lines", "\"one\ntwo\r\nthree\",x\ny,\"z\n\"\n", nil)
	show("empty fields", ",,\n\"\",,\n", nil)
	show("count", "a,b\nc\nd,e,f\ng,h\n", nil)
	show("any count", "a,b\nc\nd,e,f\n", any)
	show("three", "a,b\nc,d,e\n", func(r *csv.Reader) { r.FieldsPerRecord = 3 })
	show("bare quote", "a,b\"c,d\n", nil)
	show("bare lazy", "a \"word\",\"1\"2\",a\",\"b\n", lazy)
	show("extra quote", "a,\"b\"c,d\n", nil)
	show("open quote", "a,\"b\nc,d\n", nil)
	show("open at once", "\"", nil)
	show("open lazy", "a,\"b\nc,d", lazy)
	show("late error", "x,y\n\"a\nb\" ,c\n", nil)
	show("trim", " a,  b,\tc\n   \n d , \"e\" , f\n", trim)
	show("trim ok", " a,  b,\tc\n d , \"e\", f\n , ,\n", trim)
	show("semicolons", "a;b;'c'\n", func(r *csv.Reader) { r.Comma = ';' })
	show("wide comma", "aλb\nλ\"cλ\"\n", func(r *csv.Reader) { r.Comma = 'λ' })
	show("comments", "#a\nb,#c\n #d,e\n#f", func(r *csv.Reader) { r.Comment = '#' })
	show("wide comment", "θ x\na\n", func(r *csv.Reader) { r.Comment = 'θ' })
	for _, c := range []rune{0, '"', '\n', '\r', 0xfffd, 0x110000, ','} {
		show("bad comment", "a,b\n", func(r *csv.Reader) { r.Comment = c })
		show("bad comma", "a,b\n", func(r *csv.Reader) { r.Comma = c })
	}
	show("invalid utf8", "\xff,\xfe\"\n", nil)
	show("nul", "a\x00b,\x00\n", nil)
	long := strings.Repeat("x", 5000)
	show("long", "\""+long+"\n"+long+"\","+long+"\r\n1,2\n", nil)
	show("many", strings.Repeat("ab,", 3000)+"\n", nil)

	r := csv.NewReader(slow{strings.NewReader("a,\"b\r\nc\"\r\nd,e\r")})
	all, err := r.ReadAll()
	fmt.Printf("%q %v\n", all, err)
	_, err = r.Read()
	fmt.Println(err == io.EOF)
	all, err = csv.NewReader(failing{}).ReadAll()
	fmt.Printf("%q %v\n", all, err)
	r = csv.NewReader(strings.NewReader("a,b\nc,d\ne,f,g\n"))
	r.ReuseRecord = true
	first, _ := r.Read()
	second, _ := r.Read()
	fmt.Println(first, second, &first[0] == &second[0])
	fmt.Println(r.Read())
	func() {
		defer func() { fmt.Println(recover()) }()
		r.FieldPos(7)
	}()
	fmt.Println(&csv.ParseError{StartLine: 3, Line: 5, Column: 7, Err: csv.ErrQuote})
	fmt.Println(&csv.ParseError{StartLine: 3, Line: 3, Column: 7, Err: csv.ErrTrailingComma})

	var out bytes.Buffer
	w := csv.NewWriter(&out)
	write(w, &out, []string{"a", "b c", ""}, nil, []string{""}, []string{" lead", "tail ", "\tx"})
	write(w, &out, []string{"q\"q", "c,c", "l\nl", "r\rr", "x\r\ny", `\.`, `\.x`, "é", "\xff"})
	w.UseCRLF = true
	write(w, &out, []string{"q\"q", "l\nl", "r\rr", "x\r\ny"}, []string{"plain", ""})
	w.Comma = '|'
	write(w, &out, []string{"a,b", "c|d", "\u00a0x", "\u2003"})
	w.Comma = 'é'
	write(w, &out, []string{"a", "é", "c"})
	w.Comma = '"'
	fmt.Println(w.Write([]string{"a"}))
	w = csv.NewWriter(failing{})
	fmt.Println(w.Write([]string{"a", "b"}), w.Error())
	w.Flush()
	fmt.Println(w.Error(), w.Write([]string{"c"}))
}
