// run

// Source code made by templates from a description: types, constructors, tests, and SQL.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/template"
	"unicode"
)

const schema = `{"package": "model", "types": [
  {"name": "user_account", "doc": "UserAccount is one who may log in.\nThere are many.", "fields": [
    {"name": "id", "type": "int64", "key": true}, {"name": "email", "type": "string", "unique": true},
    {"name": "born_at", "type": "time"}, {"name": "scores", "type": "float64", "list": true}]},
  {"name": "blog_post", "fields": [{"name": "id", "type": "int64", "key": true},
    {"name": "title", "type": "string", "default": "un\"titled\""}, {"name": "author", "type": "ref", "ref": "user_account"}]}
]}`

type Field struct {
	Name, Type, Ref, Default string
	Key, Unique, List        bool
}

func (f Field) Go() (string, error) {
	t, ok := map[string]string{"int64": "int64", "string": "string", "time": "time.Time",
		"float64": "float64"}[f.Type]
	switch {
	case f.Type == "ref":
		t = "*" + camel(f.Ref)
	case !ok:
		return "", fmt.Errorf("field %s: unknown type %q", f.Name, f.Type)
	}
	if f.List {
		t = "[]" + t
	}
	return t, nil
}

type Type struct {
	Name, Doc string
	Fields    []Field
}

func (t Type) Keys() (keys []Field) {
	for _, f := range t.Fields {
		if f.Key {
			keys = append(keys, f)
		}
	}
	return
}

type Schema struct {
	Package string
	Types   []Type
}

func camel(s string) string {
	var b strings.Builder
	up := true
	for _, r := range s {
		if r == '_' {
			up = true
			continue
		}
		if up {
			r = unicode.ToUpper(r)
		}
		up = false
		b.WriteRune(r)
	}
	return strings.ReplaceAll(b.String(), "Id", "ID")
}

const source = `{{- /* the whole file */ -}}
{{define "doc"}}{{range lines .}}// {{.}}
{{end}}{{end -}}
{{define "args"}}{{range $i, $f := .}}{{if $i}}, {{end}}{{$f.Name}} {{$f.Go}}{{end}}{{end -}}
// Code generated; DO NOT EDIT.

package {{.Package}}
{{with imports .}}
import (
{{- range .}}
	{{printf "%q" .}}
{{- end}}
)
{{end}}
{{- range $n, $t := .Types}}
{{with .Doc}}{{template "doc" .}}{{else}}// {{camel .Name}} has no description.
{{end -}}
type {{camel .Name}} struct {
{{- range .Fields}}
	{{camel .Name | printf "%-8s"}} {{.Go}}{{if or .Unique .Key}} ` + "`db:\"{{.Name}}{{if .Key}},key{{end}}{{if .Unique}},unique{{end}}\"`" + `{{end}}
{{- end}}
}

func New{{camel .Name}}({{template "args" .Keys}}) *{{camel .Name}} {
	return &{{camel .Name}}{
	{{- range .Fields}}{{if .Key}}{{camel .Name}}: {{.Name}}, {{else if .Default}}{{camel .Name}}: {{.Default | printf "%q"}}, {{end}}{{end -}}
	}
}
{{if lt $n (last $.Types)}}
{{end}}{{end -}}
`

const ddl = `{{range .Types}}CREATE TABLE {{.Name}} (
{{- $first := true}}{{range .Fields}}{{if .List}}{{continue}}{{end}}{{if not $first}},{{end}}{{$first = false}}
  {{.Name}} {{index $.SQL .Type}}{{if .Key}} PRIMARY KEY{{else if and .Unique (ne .Type "time")}} UNIQUE{{end}}
{{- if eq .Type "ref"}} REFERENCES {{.Ref}}{{end}}{{with .Default}} DEFAULT '{{js .}}'{{end}}
{{- end}}
);
{{end}}`

var funcs = template.FuncMap{
	"camel": camel,
	"lines": func(s string) []string { return strings.Split(s, "\n") },
	"last":  func(t []Type) int { return len(t) - 1 },
	"imports": func(s Schema) (out []string) {
		for _, t := range s.Types {
			for _, f := range t.Fields {
				if f.Type == "time" {
					return []string{"time"}
				}
			}
		}
		return nil
	},
}

func main() {
	var s Schema
	if err := json.Unmarshal([]byte(schema), &s); err != nil {
		fmt.Println(err)
		return
	}
	t := template.Must(template.New("source").Funcs(funcs).Parse(source))
	if err := t.Execute(os.Stdout, s); err != nil {
		fmt.Println(err)
	}
	d := template.Must(template.New("ddl").Parse(ddl))
	err := d.Execute(os.Stdout, map[string]any{"Types": s.Types,
		"SQL": map[string]string{"int64": "BIGINT", "string": "TEXT", "time": "TIMESTAMP",
			"ref": "BIGINT"}})
	fmt.Println(err)
	fmt.Println(len(t.DefinedTemplates()), t.Lookup("none") == nil)

	s.Types[0].Fields[1].Type = "strange"
	var buf bytes.Buffer
	err = t.Execute(&buf, s)
	var ee template.ExecError
	fmt.Println(err, errors.As(err, &ee) && ee.Name == "source", strings.Count(buf.String(), "\n"))
	for _, bad := range []string{"{{", "{{.A", "{{if}}x{{end}}", "{{range .}}", "{{end}}",
		"{{nofunc 1}}", "{{template}}", "{{$x}}", "{{1 | 2}}",
		"{{define \"a\"}}", "{{break}}", "{{else}}", "{{\"open}}", "{{/* open", "{{.A.B | | .C}}",
		"{{(.A}}", "{{with $x := 1, 2}}{{end}}"} {
		_, err := template.New("bad").Parse(bad)
		fmt.Println(err)
	}
	data := map[string]any{"M": map[string]int{"b": 2, "a": 1}, "S": []int{3, 4},
		"F": func(n int) (int, error) {
			if n < 0 {
				return 0, errors.New("negative")
			}
			return n * 2, nil
		}, "N": nil, "P": &s.Types[1], "C": make(chan int)}
	for _, text := range []string{"{{range $k, $v := .M}}{{$k}}={{$v}};{{end}}",
		"{{index .M \"b\"}} {{index .S 1}} {{slice .S 1}} {{len .S}}",
		"{{call .F 4}}", "{{call .F -1}}", "{{index .S 9}}", "{{.N.X}}", "{{.P.Name}} {{.P.Keys}}",
		"{{.P.Nothing}}", "{{.M.zz}}|{{.Q}}",
		"{{1.5 | printf \"%05.1f\"}} {{'x'}} {{0x10}} {{1i}} {{nil}}", "{{print nil true \"a\" 1}}",
		"{{html \"<&>\"}} {{urlquery \"a b&c\"}} {{js \"'x'\"}}",
		"{{eq 1 2 3 1}} {{ne \"a\" \"b\"}} {{lt 1.5 2.5}} {{eq .S .S}}",
		"{{range 3}}{{.}}{{end}} {{range .N}}x{{else}}none{{end}}", "{{and 0 1}} {{or 0 5}} {{not 3}}",
		"{{with $x := 5}}{{$x}}{{end}} {{$y := 1}}{{if true}}{{$y = 2}}{{end}}{{$y}}",
		"{{lt 1 \"a\"}}", "{{template \"none\"}}",
		"{{range .S}}{{if eq . 4}}{{break}}{{end}}{{.}}{{end}}"} {
		var b strings.Builder
		tt, err := template.New("t").Option("missingkey=zero").Parse(text)
		if err == nil {
			err = tt.Execute(&b, data)
		}
		fmt.Printf("%q %v\n", b.String(), err)
	}
}
