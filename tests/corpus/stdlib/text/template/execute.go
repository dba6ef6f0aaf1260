// run

// Templates executed on data of many kinds, and what goes wrong.
package main

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"text/template"
)

type point struct{ X, Y int }

func (p point) Sum(more ...int) int {
	n := p.X + p.Y
	for _, m := range more {
		n += m
	}
	return n
}

func (p *point) Scale(k int) *point { return &point{p.X * k, p.Y * k} }

type named string

func (n named) String() string { return "<" + string(n) + ">" }

type inner struct{ Deep string }

type data struct {
	*inner
	Name    string
	N       int
	U       uint8
	F       float64
	C       complex128
	On      bool
	List    []string
	Array   [2]int
	Map     map[string]int
	Any     any
	Nil     *point
	P       *point
	Fn      func(int) (string, error)
	Named   named
	Err     error
	hidden  int
	Nested  map[string]map[string]int
	Ch      chan int
	Seq     iter.Seq[int]
	Seq2    iter.Seq2[string, int]
	Structs map[point]string
}

func (d data) Fail() (string, error) { return "", errors.New("failed") }
func (d data) Panic() string         { panic("oh no") }

var texts = []string{
	"{{.Name}} {{.N}} {{.U}} {{.F}} {{.C}} {{.On}} {{.List}} {{.Array}} {{.Map}} {{.Any}} " +
		"{{.Nil}} {{.P.X}} {{.Named}}",
	"{{if .On}}on{{else}}off{{end}}{{if and .N .U}}both{{else if .N}}n{{end}}{{if not .Nil" +
		"}}nil{{end}}",
	"{{range .List}}[{{.}}]{{else}}none{{end}}{{range $i, $e := .List}}{{$i}}={{$e}},{{end}}",
	"{{range $k, $v := .Map}}{{$k}}:{{$v}} {{end}}{{range .Structs}}{{.}}{{end}}",
	"{{range 3}}{{.}}{{end}}{{range $i := .U}}{{$i}}{{break}}{{end}}{{range .List}}{{if eq" +
		" . \"b\"}}{{continue}}{{end}}{{.}}{{end}}",
	"{{range .Seq}}{{.}};{{end}}{{range $k, $v := .Seq2}}{{$k}}{{$v}};{{end}}{{range .Seq2" +
		"}}{{.}}{{break}}{{end}}",
	"{{with .P}}{{.X}}{{.Y}}{{else}}no{{end}}{{with .Nil}}yes{{else with .Name}}{{.}}{{end}}",
	"{{$x := 1}}{{$x}}{{$x = 2}}{{$x}}{{if true}}{{$x := 3}}{{$x}}{{end}}{{$x}}{{$.Name}}",
	"{{.P.Sum}} {{.P.Sum 1 2}} {{(.P.Scale 3).X}} {{.P.Scale 2 | printf \"%v\"}} {{call .F" +
		"n 5}} {{.Deep}}",
	"{{index .List 1}} {{index .Map \"a\"}} {{index .Map \"zz\"}} {{index .Nested \"x\" \"" +
		"y\"}} {{slice .Name 1 3}} {{len .List}} {{slice .List 1 | len}}",
	"{{printf \"%q %d\" .Name .N}} {{print 1 2 \"a\" \"b\"}} {{println .F}}{{html \"<a&'>" +
		"\"}} {{js \"it's <b>\\u2028\"}} {{urlquery \"a b&c\"}}",
	"{{eq .N 7}} {{eq .N 1 7}} {{ne .Name \"x\"}} {{lt 1 2}} {{le 1.5 1.5}} {{gt \"b\" \"a" +
		"\"}} {{ge .U 3}} {{eq .U 3}} {{eq .Nil nil}} {{lt -1 .U}}",
	"{{or 0 \"\" .Name}} {{and 1 0 .Missing}} {{1 | printf \"%d-%d\" 2}} {{\"quoted\" | le" +
		"n}} {{'a'}} {{0x10}} {{1e3}} {{1+2i}} {{true}} {{`raw`}}",
	"a {{- 1 -}} b {{/* comment */ -}} c\n{{- \"x\" }}",
	"{{define \"t\"}}<{{.}}>{{end}}{{template \"t\" .Name}}{{template \"t\"}}{{block \"b\"" +
		" .N}}b{{.}}{{end}}",
	"{{.Any}}{{.Missing}}", "{{.Name.X}}", "{{.hidden}}", "{{.Nil.X}}", "{{.Fail}}",
	"{{.Panic}}", "{{index .List 9}}", "{{index .Map 1}}", "{{len 3}}", "{{call .Name}}",
	"{{.N 1}}", "{{.P.Sum \"x\"}}", "{{.P.Scale}}", "{{lt 1 \"a\"}}",
	"{{eq .List .List}}", "{{range .N}}{{end}}{{range .F}}{{end}}",
	"{{template \"none\"}}", "{{.Ch}}", "{{nil}}",
	"{{slice .Name 3 1}}", "{{1 | 2}}", "{{printf}}", "{{$y}}",
	"{{if}}", "{{end}}", "{{range}}", "{{.A", "{{nofunc 1}}",
	"{{template \"loop\" .}}{{define \"loop\"}}{{if .}}{{end}}{{.X.Y}}{{end}}",
	"{{call .Fn 13}}", "{{.Err}}", "{{with $x := 5}}{{$x}}{{end}}{{range $i, $c := \"ab\"}" +
		"}{{end}}", "{{not}}", "{{99999999999999999999}}", "{{(index .List 0).Foo}}",
	"{{printf \"%d\" 9223372036854775808}}",
}

type brokenWriter struct{}

func (brokenWriter) Write(p []byte) (int, error) { return 0, errors.New("broken pipe") }

func main() {
	d := data{
		inner: &inner{"deep"}, Name: "gopher", N: 7, U: 3, F: 2.5, C: 1i, On: true,
		List: []string{"a", "b", "c"}, Array: [2]int{1, 2}, Map: map[string]int{"b": 2, "a": 1},
		Any: []int{1}, P: &point{1, 2}, Named: "n",
		Nested: map[string]map[string]int{"x": {"y": 5}}, Structs: map[point]string{{2,
			1}: "2", {1, 9}: "1"},
		Fn: func(n int) (string, error) {
			if n == 13 {
				return "", os.ErrPermission
			}
			return strings.Repeat("f", n), nil
		},
		Seq:  func(yield func(int) bool) { _ = yield(1) && yield(2) },
		Seq2: func(yield func(string, int) bool) { _ = yield("a", 1) && yield("b", 2) },
	}
	for _, text := range texts {
		t, err := template.New("t").Parse(text)
		if err != nil {
			fmt.Println("parse:", err)
			continue
		}
		var b strings.Builder
		err = t.Execute(&b, d)
		fmt.Printf("%q %v\n", b.String(), err)
		if err != nil {
			var e template.ExecError
			fmt.Println(errors.As(err, &e), errors.Is(err, os.ErrPermission))
		}
	}

	m := map[string]any{"a": 1, "m": map[string]int{"x": 1}}
	for _, option := range []string{"missingkey=default", "missingkey=zero", "missingkey=error"} {
		t := template.Must(template.New("o").Option(option).Parse("{{.a}} {{.b}} {{.m.y}} " +
			"{{.b.c}}\n"))
		fmt.Println(t.Execute(os.Stdout, m))
	}
	root := template.Must(template.New("root").Funcs(template.FuncMap{
		"upper": strings.ToUpper, "div": func(a, b int) (int, error) {
			if b == 0 {
				return 0, errors.New("division by zero")
			}
			return a / b, nil
		},
	}).Delims("<<",
		">>").Parse(`<<define "x">>x:<<upper .>><<end>><<template "x" "abc">> <<div 6 2>> {{}}` +
		"\n"))
	fmt.Println(root.Execute(os.Stdout, nil), root.DefinedTemplates() != "",
		len(root.Templates()), root.Name())
	c := template.Must(root.Clone())
	template.Must(c.New("x").Delims("", "").Parse("other"))
	fmt.Println(c.Execute(os.Stdout, nil), root.Execute(os.Stdout, nil),
		c.Lookup("x") != root.Lookup("x"), c.Lookup("none"))
	fmt.Println(root.ExecuteTemplate(os.Stdout, "none", 1),
		template.New("empty").Execute(os.Stdout, 1))
	fmt.Println(template.Must(template.New("d").Funcs(template.FuncMap{"div": func(a,
		b int) (int, error) {
		return 0,
			errors.New("zero")
	}}).Parse("{{div 1 0}}")).Execute(os.Stdout, nil))
	fmt.Println(template.Must(template.New("w").Parse("x")).Execute(brokenWriter{}, nil))
	fmt.Println(template.ParseFiles("/no/such/file"))
	fmt.Println(template.ParseGlob("/no/such/*.tmpl"))
	fmt.Println(template.ParseFiles())
	for _, f := range []func(){
		func() { template.New("p").Funcs(template.FuncMap{"a-b": 1}) },
		func() { template.New("p").Funcs(template.FuncMap{"f": 1}) },
		func() { template.New("p").Funcs(template.FuncMap{"f": func() {}}) },
		func() { template.New("p").Option("x") }, func() {
			template.Must(nil,
				errors.New("e"))
		},
	} {
		func() {
			defer func() { fmt.Println("panic:", recover()) }()
			f()
		}()
	}
	fmt.Println(template.HTMLEscapeString("<\x00\"'&>"),
		template.JSEscapeString("a'b\\<>&=\n\u2028é\x7f"),
		template.HTMLEscaper(1, "a", nil),
		template.URLQueryEscaper("a", 1))
	fmt.Println(template.IsTrue([]int{}))
	fmt.Println(template.IsTrue(struct{}{}))
}
