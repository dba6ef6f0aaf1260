// run
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/format"
	"go/parser"
	"go/token"
	"sort"
	"strings"
)

// The program writes String methods for the types of constants, as stringer does.

const source = `package painkiller

type Pill int

const (
	Placebo Pill = iota
	Aspirin
	Ibuprofen // with water
	Paracetamol
	_
	Acetaminophen = Paracetamol
)

type Level uint8

const (
	Low  Level = 1 << (iota * 2)
	Mid
	High
	Max = High | Mid | Low
)

const other = "x"
`

type value struct {
	name string
	val  constant.Value
}

type env struct {
	iota   int
	consts map[string]constant.Value
}

func (e env) eval(x ast.Expr) constant.Value {
	switch x := x.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(x.Value, x.Kind, 0)
	case *ast.ParenExpr:
		return e.eval(x.X)
	case *ast.Ident:
		if x.Name == "iota" {
			return constant.MakeInt64(int64(e.iota))
		}
		return e.consts[x.Name]
	case *ast.BinaryExpr:
		l, r := e.eval(x.X), e.eval(x.Y)
		if x.Op == token.SHL {
			n, _ := constant.Uint64Val(r)
			return constant.Shift(l, x.Op, uint(n))
		}
		return constant.BinaryOp(l, x.Op, r)
	}
	return constant.MakeUnknown()
}

func main() {
	file, err := parser.ParseFile(token.NewFileSet(), "pill.go", source, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	byType := map[string][]value{}
	e := env{consts: map[string]constant.Value{}}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		typ, values := "", []ast.Expr(nil)
		for i, s := range g.Specs {
			s := s.(*ast.ValueSpec)
			if s.Values != nil {
				values = s.Values
				if id, ok := s.Type.(*ast.Ident); ok {
					typ = id.Name
				}
			}
			e.iota = i
			for j, name := range s.Names {
				v := e.eval(values[j])
				e.consts[name.Name] = v
				if name.Name != "_" && typ != "" {
					byType[typ] = append(byType[typ], value{name.Name, v})
				}
			}
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated; DO NOT EDIT.\n\npackage %s\n\nimport \"strconv\"\n", file.Name)
	var types []string
	for t := range byType {
		types = append(types, t)
	}
	sort.Strings(types)
	for _, t := range types {
		generate(&b, t, byType[t])
	}
	out, err := format.Source(b.Bytes())
	fmt.Printf("%s%v\n", out, err)
}

func generate(b *bytes.Buffer, typ string, values []value) {
	sort.SliceStable(values, func(i, j int) bool {
		return constant.Compare(values[i].val, token.LSS, values[j].val)
	})
	fmt.Fprintf(b, "func _() {\n// A message \"invalid array index\" says that values changed.\nvar x [1]struct{}\n")
	for _, v := range values {
		fmt.Fprintf(b, "_ = x[%s - %s]\n", v.name, v.val)
	}
	fmt.Fprintf(b, "}\nconst _%s_name = \"", typ)
	var index []string
	at := 0
	fmt.Fprint(b, joined(values, &index, &at), "\"\n")
	fmt.Fprintf(b, "var _%s_index = map[%s]string {\n%s}\n", typ, typ, strings.Join(index, ""))
	fmt.Fprintf(b, "func (i %s) String() string {\nif s,ok:=_%s_index[i];ok { return s }\n", typ, typ)
	fmt.Fprintf(b, "return \"%s(\"+strconv.FormatInt(int64(i),10)+\")\"}\n", typ)
}

func joined(values []value, index *[]string, at *int) string {
	names, seen := "", map[string]bool{}
	for _, v := range values {
		if seen[v.val.String()] {
			continue
		}
		seen[v.val.String()] = true
		*index = append(*index, fmt.Sprintf("%s: \"%s\"[%d:%d], // %s\n", v.val, v.name, 0, len(v.name), v.name))
		names += v.name
		*at += len(v.name)
	}
	return names
}
