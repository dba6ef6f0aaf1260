// Writes a program that calls every exported function and method of packages of Go's library with
// zero values and extreme arguments, and prints what comes of each call in a form that two
// implementations share: results, or the text of a panic, without addresses and without what only
// unexported types say.
//
//	generate GO_SRC FOLDER SEED CALLS PACKAGE...
//
// CALLS is how many calls of a function are made at most. The program is a module in FOLDER: a
// package for each of the library's, and a main package that runs those which it is told. What is
// not called, and why, stands in skip.txt beside this file; made.txt has receivers that are no zero
// values.
package main

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed skip.txt
var skipText string

//go:embed made.txt
var madeText string

//go:embed show.txt
var showText string

// entries reads a table: a name, a blank, and the rest of the line.
func entries(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name != "" && name[0] != '#' {
			all[name] = strings.TrimSpace(rest)
		}
	}
	return all
}

var skip, made = entries(skipText), entries(madeText)

// A pkg is a package of the library.
type pkg struct {
	path  string
	types map[string]*ast.TypeSpec
	files []*ast.File
	// in has the file that a type stands in, for its imports.
	in map[string]*ast.File
}

var (
	source   string
	packages = map[string]*pkg{}
)

// load parses a package; nil if there is none.
func load(at string) *pkg {
	if p, ok := packages[at]; ok {
		return p
	}
	packages[at] = nil
	context := build.Default
	context.CgoEnabled = false
	folder := filepath.Join(source, at)
	list, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	p := &pkg{path: at, types: map[string]*ast.TypeSpec{}, in: map[string]*ast.File{}}
	for _, entry := range list {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if ok, err := context.MatchFile(folder, name); err != nil || !ok {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		if f.Name.Name == "documentation" || f.Name.Name == "main" {
			continue
		}
		p.files = append(p.files, f)
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				for _, s := range d.Specs {
					s := s.(*ast.TypeSpec)
					p.types[s.Name.Name], p.in[s.Name.Name] = s, f
				}
			}
		}
	}
	packages[at] = p
	return p
}

// A scope is where a type is written: its names mean what they mean there.
type scope struct {
	p      *pkg
	file   *ast.File
	params map[string]string // what stands for type parameters
}

// alias is the name of a package in generated files.
func alias(at string) string { return strings.NewReplacer("/", "_", ".", "_").Replace(at) }

// A writer writes a generated file.
type writer struct {
	imports map[string]bool
	rand    *rand.Rand
}

// refuse says that something cannot be written.
type refuse string

func (s scope) imported(name string) string {
	for _, spec := range s.file.Imports {
		at, _ := strconv.Unquote(spec.Path.Value)
		own := path.Base(at)
		if own == "v2" {
			own = path.Base(path.Dir(at))
		}
		if spec.Name != nil {
			own = spec.Name.Name
		}
		if own == name {
			return at
		}
	}
	panic(refuse("import " + name))
}

func isPredeclared(name string) bool {
	switch name {
	case "bool", "string", "error", "any", "byte", "rune", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16",
		"uint32", "uint64", "uintptr", "float32", "float64", "complex64", "complex128":
		return true
	}
	return false
}

// named is a type of a package, as it is written in a generated file.
func (w *writer) named(p *pkg, name string) string {
	if !ast.IsExported(name) || strings.Contains("/"+p.path+"/", "/internal/") || strings.HasPrefix(p.path, "vendor/") {
		panic(refuse("type " + p.path + "." + name))
	}
	if skip[p.path+"."+name] != "" {
		panic(refuse("type " + name))
	}
	w.imports[p.path] = true
	return alias(p.path) + "." + name
}

// typ writes a type.
func (w *writer) typ(s scope, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return "(" + w.typ(s, e.X) + ")"
	case *ast.Ident:
		if t, ok := s.params[e.Name]; ok {
			return t
		}
		if _, own := s.p.types[e.Name]; !own && isPredeclared(e.Name) {
			return e.Name
		}
		return w.named(s.p, e.Name)
	case *ast.SelectorExpr:
		at := s.imported(e.X.(*ast.Ident).Name)
		if at == "unsafe" {
			w.imports["unsafe"] = true
			return "unsafe." + e.Sel.Name
		}
		p := load(at)
		if p == nil {
			panic(refuse("package " + at))
		}
		return w.named(p, e.Sel.Name)
	case *ast.StarExpr:
		return "*" + w.typ(s, e.X)
	case *ast.ArrayType:
		if e.Len == nil {
			return "[]" + w.typ(s, e.Elt)
		}
		if lit, ok := e.Len.(*ast.BasicLit); ok {
			return "[" + lit.Value + "]" + w.typ(s, e.Elt)
		}
		if id, ok := e.Len.(*ast.Ident); ok && ast.IsExported(id.Name) {
			w.imports[s.p.path] = true
			return "[" + alias(s.p.path) + "." + id.Name + "]" + w.typ(s, e.Elt)
		}
	case *ast.MapType:
		return "map[" + w.typ(s, e.Key) + "]" + w.typ(s, e.Value)
	case *ast.ChanType:
		words := map[ast.ChanDir]string{ast.SEND: "chan<- ", ast.RECV: "<-chan "}
		word := words[e.Dir]
		if word == "" {
			word = "chan "
		}
		return word + "(" + w.typ(s, e.Value) + ")"
	case *ast.Ellipsis:
		return "[]" + w.typ(s, e.Elt)
	case *ast.FuncType:
		if e.TypeParams == nil {
			return "func" + w.signature(s, e)
		}
	case *ast.InterfaceType:
		if len(e.Methods.List) == 0 {
			return "any"
		}
	case *ast.StructType:
		if len(e.Fields.List) == 0 {
			return "struct{}"
		}
	case *ast.IndexExpr:
		return w.typ(s, e.X) + "[" + w.typ(s, e.Index) + "]"
	case *ast.IndexListExpr:
		var args []string
		for _, x := range e.Indices {
			args = append(args, w.typ(s, x))
		}
		return w.typ(s, e.X) + "[" + strings.Join(args, ", ") + "]"
	}
	panic(refuse(fmt.Sprintf("type %T", e)))
}

func (w *writer) signature(s scope, f *ast.FuncType) string {
	list := func(fields *ast.FieldList) (all []string) {
		for _, t := range flat(fields) {
			text := w.typ(s, t)
			if _, ok := t.(*ast.Ellipsis); ok {
				text = "..." + strings.TrimPrefix(text, "[]")
			}
			all = append(all, text)
		}
		return all
	}
	return "(" + strings.Join(list(f.Params), ", ") + ") (" + strings.Join(list(f.Results), ", ") + ")"
}

// flat are the types of parameters or results, each as often as it counts.
func flat(fields *ast.FieldList) (all []ast.Expr) {
	if fields == nil {
		return nil
	}
	for _, f := range fields.List {
		for range max(1, len(f.Names)) {
			all = append(all, f.Type)
		}
	}
	return all
}

const long = `strings.Repeat("ab, 1\n", 200)`

var basic = map[string][]string{
	"bool":       {"false", "true"},
	"string":     {`""`, `"x"`, `"-1"`, `"\xff\x00é%s"`, `"a/b.c:d@e"`, `"2006-01-02"`, "LONG"},
	"error":      {"nil", `errors.New("e")`, "io.EOF"},
	"any":        {"nil", "0", `"x"`, "struct{}{}", "[]int{1}", `errors.New("e")`, "math.NaN()", "(*int)(nil)"},
	"byte":       {"0", "'a'", "255"},
	"uint8":      {"0", "'a'", "255"},
	"rune":       {"0", "'a'", "-1", "math.MaxInt32", "math.MinInt32", "0xd800", "0x10ffff"},
	"int":        {"0", "-1", "1", "math.MaxInt64", "math.MinInt64", "7"},
	"int8":       {"0", "-1", "math.MaxInt8", "math.MinInt8"},
	"int16":      {"0", "-1", "math.MaxInt16", "math.MinInt16"},
	"int32":      {"0", "-1", "math.MaxInt32", "math.MinInt32"},
	"int64":      {"0", "-1", "1", "math.MaxInt64", "math.MinInt64", "7"},
	"uint":       {"0", "1", "math.MaxUint64", "7"},
	"uint16":     {"0", "1", "math.MaxUint16"},
	"uint32":     {"0", "1", "math.MaxUint32"},
	"uint64":     {"0", "1", "math.MaxUint64", "7"},
	"uintptr":    {"0"},
	"float32":    {"0", "-1", "float32(math.NaN())", "math.MaxFloat32", "float32(math.Inf(1))"},
	"float64":    {"0", "-1", "math.NaN()", "math.Inf(1)", "math.Inf(-1)", "math.MaxFloat64", "math.SmallestNonzeroFloat64", "0.5"},
	"complex64":  {"0", "1i"},
	"complex128": {"0", "1i", "complex(math.NaN(), 0)", "complex(math.Inf(1), -1)"},
}

// values are expressions of a type, the zero value first.
func (w *writer) values(s scope, e ast.Expr, depth int) []string {
	text := w.typ(s, e)
	switch e := e.(type) {
	case *ast.ParenExpr:
		return w.values(s, e.X, depth)
	case *ast.Ident:
		if t, ok := s.params[e.Name]; ok {
			if list := basic[t]; list != nil {
				return w.convert(t, list)
			}
			return []string{"*new(" + t + ")"}
		}
		if own := s.p.types[e.Name]; own != nil {
			return w.ofType(s.p, own, text, depth)
		}
		if list := basic[e.Name]; list != nil {
			return w.convert(e.Name, list)
		}
	case *ast.SelectorExpr:
		at := s.imported(e.X.(*ast.Ident).Name)
		if p := load(at); p != nil && p.types[e.Sel.Name] != nil {
			return w.ofType(p, p.types[e.Sel.Name], text, depth)
		}
	case *ast.StarExpr:
		all := []string{"(" + text + ")(nil)", "new(" + w.typ(s, e.X) + ")"}
		return append(all, w.made(text)...)
	case *ast.ArrayType:
		if e.Len != nil {
			return []string{text + "{}"}
		}
		if text == "[]byte" || text == "[]uint8" {
			return []string{"[]byte(nil)", "[]byte{}", "[]byte{0, 255}", `[]byte("abc\n")`, "[]byte(LONG)"}
		}
		all := []string{"(" + text + ")(nil)", text + "{}"}
		if depth < 2 {
			for _, v := range w.values(s, e.Elt, depth+1)[:1] {
				all = append(all, text+"{"+v+"}", text+"{"+v+", "+v+"}")
			}
		}
		return all
	case *ast.Ellipsis:
		return append([]string{""}, w.values(s, e.Elt, depth+1)...)
	case *ast.MapType:
		return []string{"(" + text + ")(nil)", text + "{}"}
	case *ast.InterfaceType:
		return basic["any"]
	}
	return []string{"*new(" + text + ")"}
}

func (w *writer) convert(t string, list []string) []string {
	for _, v := range list {
		for _, at := range []string{"errors", "io", "math"} {
			if strings.Contains(v, at+".") {
				w.imports[at] = true
			}
		}
	}
	if t == "string" || t == "bool" || t == "error" || t == "any" {
		return list
	}
	var all []string
	for _, v := range list {
		all = append(all, t+"("+v+")")
	}
	return all
}

// made are the values of made.txt.
func (w *writer) made(t string) []string {
	list, ok := made[t]
	if !ok {
		return nil
	}
	var all []string
	for v := range strings.SplitSeq(list, " | ") {
		for _, at := range strings.FieldsFunc(v, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
			if p := strings.ReplaceAll(at, "_", "/"); strings.Contains(v, at+".") && load(p) != nil {
				w.imports[p] = true
			}
		}
		all = append(all, v)
	}
	return all
}

func (w *writer) ofType(p *pkg, t *ast.TypeSpec, text string, depth int) []string {
	if t.TypeParams != nil {
		panic(refuse("generic type"))
	}
	own := w.made(text)
	within := scope{p: p, file: p.in[t.Name.Name]}
	switch u := t.Type.(type) {
	case *ast.InterfaceType:
		return append([]string{text + "(nil)"}, own...)
	case *ast.StructType:
		return append([]string{text + "{}"}, own...)
	case *ast.Ident:
		if list := basic[u.Name]; list != nil && p.types[u.Name] == nil {
			var all []string
			for _, v := range w.convert(u.Name, list) {
				all = append(all, text+"("+v+")")
			}
			return append(all, own...)
		}
		if depth < 4 && p.types[u.Name] != nil && t.Assign.IsValid() {
			return w.values(within, u, depth+1)
		}
	case *ast.ArrayType:
		if u.Len == nil && depth < 2 {
			var all []string
			func() {
				defer func() {
					if _, ok := recover().(refuse); ok {
						all = []string{text + "(nil)"}
					}
				}()
				for _, v := range w.values(within, u, depth+1) {
					all = append(all, text+"("+v+")")
				}
			}()
			return append(all, own...)
		}
	}
	return append([]string{"*new(" + text + ")"}, own...)
}

// arguments are lists of arguments: all zero values; each extreme beside zero values; random ones.
func (w *writer) arguments(choices [][]string, most int) [][]string {
	zero := make([]string, len(choices))
	total := 1
	for i, c := range choices {
		zero[i] = c[0]
		total = min(total*len(c), 1<<20)
	}
	all := [][]string{zero}
	seen := map[string]bool{strings.Join(zero, "\x00"): true}
	add := func(list []string) {
		if key := strings.Join(list, "\x00"); !seen[key] {
			seen[key] = true
			all = append(all, list)
		}
	}
	for i, c := range choices {
		for _, v := range c[1:] {
			one := slices.Clone(zero)
			one[i] = v
			add(one)
		}
	}
	for tries := 0; len(all) < min(total, most) && tries < 10*most; tries++ {
		one := slices.Clone(zero)
		for i, c := range choices {
			one[i] = c[w.rand.IntN(len(c))]
		}
		add(one)
	}
	if len(all) > most {
		rest := all[1:]
		w.rand.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		all = all[:most]
	}
	return all
}

// instances says what stands for type parameters: ints, and slices and maps of them.
func (w *writer) instances(s *scope, list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	s.params = map[string]string{}
	for _, f := range list.List {
		for _, n := range f.Names {
			s.params[n.Name] = "int"
		}
	}
	var args []string
	for _, f := range list.List {
		t := w.instance(*s, f.Type)
		for _, n := range f.Names {
			s.params[n.Name] = t
			args = append(args, t)
		}
	}
	return "[" + strings.Join(args, ", ") + "]"
}

// instance is a type that keeps to a constraint.
func (w *writer) instance(s scope, constraint ast.Expr) string {
	switch c := constraint.(type) {
	case *ast.UnaryExpr:
		return w.typ(s, c.X)
	case *ast.BinaryExpr:
		return w.instance(s, c.Y)
	case *ast.Ident:
		if c.Name == "error" || c.Name == "string" {
			return c.Name
		}
	case *ast.SelectorExpr:
		if c.Sel.Name != "Ordered" {
			return w.typ(s, c)
		}
	}
	return "int"
}

// calls writes the calls of a function or method.
func (w *writer) calls(b *strings.Builder, p *pkg, file *ast.File, d *ast.FuncDecl, most int) (n int) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(refuse); !ok {
				panic(r)
			}
		}
	}()
	s := scope{p: p, file: file}
	name := d.Name.Name
	full := p.path + "." + name
	w.imports[p.path] = true
	callee := alias(p.path) + "." + name
	var choices [][]string
	if d.Recv != nil {
		recv := d.Recv.List[0].Type
		base := recv
		star, isPointer := recv.(*ast.StarExpr)
		if isPointer {
			base = star.X
		}
		id, ok := base.(*ast.Ident)
		if !ok || !ast.IsExported(id.Name) {
			return 0
		}
		full = p.path + "." + id.Name + "." + name
		if skip[p.path+"."+id.Name] != "" {
			return 0
		}
		list := w.values(s, recv, 0)
		if isPointer {
			list[0], list[1] = list[1], list[0] // nil gives little to see
		}
		choices = append(choices, list)
	}
	if skip[full] != "" || skip[p.path] != "" {
		return 0
	}
	callee += w.instances(&s, d.Type.TypeParams)
	params := flat(d.Type.Params)
	for _, t := range params {
		choices = append(choices, w.values(s, t, 0))
	}
	results := len(flat(d.Type.Results))
	for _, args := range w.arguments(choices, most) {
		f := callee
		if d.Recv != nil {
			f, args = "("+args[0]+")."+name, args[1:]
		}
		if len(args) > 0 && args[len(args)-1] == "" {
			args = args[:len(args)-1] // no variadic arguments
		}
		call := f + "(" + strings.Join(args, ", ") + ")"
		label := strconv.Quote(full + " " + call)
		call = strings.ReplaceAll(call, "LONG", long)
		if strings.Contains(call, "strings.Repeat") {
			call = strings.ReplaceAll(call, "strings.Repeat", "strings_Repeat")
		}
		if results == 0 {
			fmt.Fprintf(b, "\tshow.Call(%s, func() []any { %s; return nil })\n", label, call)
		} else {
			fmt.Fprintf(b, "\tshow.Call(%s, func() []any { return show.Pack(%s) })\n", label, call)
		}
		n++
	}
	return n
}

// mentions says whether a text has something of a package.
func mentions(text, name string) bool {
	for {
		before, after, ok := strings.Cut(text, name+".")
		if !ok {
			return false
		}
		last := byte(' ')
		if before != "" {
			last = before[len(before)-1]
		}
		if last != '_' && (last < 'a' || last > 'z') && (last < '0' || last > '9') {
			return true
		}
		text = after
	}
}

func write(name, text string) {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err == nil {
		err = os.WriteFile(name, []byte(text), 0o666)
		if err == nil {
			return
		}
	}
	panic("cannot write " + name)
}

func main() {
	source = os.Args[1]
	folder := os.Args[2]
	seed, _ := strconv.ParseUint(os.Args[3], 10, 64)
	most, _ := strconv.Atoi(os.Args[4])
	write(filepath.Join(folder, "go.mod"), "module arguments\n\ngo 1.27\n")
	write(filepath.Join(folder, "show", "show.go"), showText)
	var main strings.Builder
	main.WriteString("package main\n\nimport (\n\t\"os\"\n\t\"slices\"\n\n")
	var runs strings.Builder
	total := 0
	for _, at := range os.Args[5:] {
		p := load(at)
		if p == nil || skip[at] != "" {
			continue
		}
		h := fnv.New64a()
		h.Write([]byte(at))
		w := &writer{imports: map[string]bool{}, rand: rand.New(rand.NewPCG(seed, h.Sum64()))}
		n := 0
		var body strings.Builder
		for i, f := range p.files {
			for j, d := range f.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok || !ast.IsExported(d.Name.Name) {
					continue
				}
				var calls strings.Builder
				if k := w.calls(&calls, p, f, d, most); k > 0 {
					n += k
					fmt.Fprintf(&body, "func f%d_%d() {\n%s}\n\n", i, j, calls.String())
					fmt.Fprintf(&body, "func init() { all = append(all, f%d_%d) }\n\n", i, j)
				}
			}
		}
		if n == 0 {
			continue
		}
		total += n
		var text strings.Builder
		own := alias(at)
		fmt.Fprintf(&text, "package p_%s\n\nimport (\n\t\"arguments/show\"\n", own)
		w.imports["strings"] = true
		for _, at := range slices.Sorted(maps.Keys(w.imports)) {
			if at == "strings" || mentions(body.String(), alias(at)) {
				fmt.Fprintf(&text, "\t%s %q\n", alias(at), at)
			}
		}
		fmt.Fprintf(&text, ")\n\nvar all []func()\n\nvar strings_Repeat = strings.Repeat\n\n// Run makes all calls.\nfunc Run() {\n\tfor _, f := range all {\n\t\tf()\n\t}\n}\n\n%s", body.String())
		write(filepath.Join(folder, "p_"+own, "calls.go"), text.String())
		fmt.Fprintf(&main, "\t\"arguments/p_%s\"\n", own)
		fmt.Fprintf(&runs, "\tif len(os.Args) == 1 || slices.Contains(os.Args, %q) {\n\t\tp_%s.Run()\n\t}\n", at, own)
	}
	fmt.Fprintf(&main, ")\n\nfunc main() {\n%s}\n", runs.String())
	write(filepath.Join(folder, "main.go"), main.String())
	fmt.Println(total)
}
