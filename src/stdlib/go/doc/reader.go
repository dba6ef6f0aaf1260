package doc

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// funcs are functions by their names. One without Decl stands for several promoted methods, none of
// which counts.
type funcs map[string]*Func

// typeInfo is what is known of a type, which need not be declared.
type typeInfo struct {
	name     string
	doc      string
	decl     *ast.GenDecl
	isStruct bool
	embedded map[*typeInfo]bool // true, if by a pointer
	embeds   bool               // is it embedded somewhere?
	values   []*Value
	funcs    funcs
	methods  funcs
}

// reader gathers the documentation of a package. What it has taken goes from the trees, so that it
// is not printed twice.
type reader struct {
	mode      Mode
	doc       string
	filenames []string
	notes     map[string][]*Note
	paths     map[string]bool   // that are imported
	byName    map[string]string // those, by names; an empty one if several have the name
	dotImport bool

	values []*Value
	order  int // of all values: some go from types to the package in the end
	types  map[string]*typeInfo
	funcs  funcs

	// Of predeclared types that the package declares itself, without exporting them; and the
	// interfaces in which such names were thought to be the predeclared types.
	shadowed map[string]bool
	doubtful map[string][]*ast.InterfaceType
}

func newReader(mode Mode) *reader {
	return &reader{
		mode:     mode,
		notes:    map[string][]*Note{},
		paths:    map[string]bool{},
		byName:   map[string]string{},
		types:    map[string]*typeInfo{},
		funcs:    funcs{},
		shadowed: map[string]bool{},
		doubtful: map[string][]*ast.InterfaceType{},
	}
}

func (r *reader) keepsTree() bool { return r.mode&PreserveAST != 0 }

func (r *reader) isVisible(name string) bool {
	return r.mode&AllDecls != 0 || token.IsExported(name)
}

// typ returns what is known of a type; nil if it has no name.
func (r *reader) typ(name string) *typeInfo {
	if name == "" || name == "_" {
		return nil
	}
	t := r.types[name]
	if t == nil {
		t = &typeInfo{name: name, embedded: map[*typeInfo]bool{}, funcs: funcs{}, methods: funcs{}}
		r.types[name] = t
	}
	return t
}

// embed notes that a type has an embedded field, and returns that field's name.
func (r *reader) embed(in *typeInfo, x ast.Expr) string {
	name, imported := typeName(x)
	if in == nil || imported {
		return name
	}
	if t := r.typ(name); t != nil {
		t.embeds = true
		_, pointer := x.(*ast.StarExpr)
		in.embedded[t] = pointer
	}
	return name
}

// files reads a package's files in the order of their names, and functions when all types are
// known.
func (r *reader) files(pkg *ast.Package) {
	r.filenames = sortedKeys(pkg.Files)
	for _, name := range r.filenames {
		f := pkg.Files[name]
		if r.mode&AllDecls == 0 {
			f.Decls = keep(f.Decls, r.exportedDecl)
		}
		r.file(f)
	}
	maps.DeleteFunc(r.byName, func(_, path string) bool { return path == "" })
	for _, name := range r.filenames {
		for _, d := range pkg.Files[name].Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				r.function(f)
			}
		}
	}
}

// file reads all but functions.
func (r *reader) file(f *ast.File) {
	if f.Doc != nil {
		if r.doc != "" {
			r.doc += "\n"
		}
		r.doc += f.Doc.Text()
	}
	for _, d := range f.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		switch d.Tok {
		case token.IMPORT:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.ImportSpec); ok {
					r.imported(s)
				}
			}
		case token.CONST, token.VAR:
			r.value(d)
		case token.TYPE:
			r.typeDecl(d)
		}
	}
	r.readNotes(f.Comments)
	if !r.keepsTree() {
		f.Doc, f.Comments = nil, nil
	}
}

func (r *reader) imported(s *ast.ImportSpec) {
	path, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return
	}
	r.paths[path] = true
	name := nameOfPath(path)
	if s.Name != nil && s.Name.Name != "" {
		name = s.Name.Name
	}
	if name == "." && s.Name != nil {
		r.dotImport = true
		return
	}
	if old, ok := r.byName[name]; ok && old != path {
		path = ""
	}
	r.byName[name] = path
}

// value reads constants or variables. If three quarters of them at least have a type, and all of
// these the same one, they belong to it.
func (r *reader) value(d *ast.GenDecl) {
	of, typed, last, n := "", 0, "", 0
	for _, s := range d.Specs {
		s, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		name := ""
		if s.Type != nil {
			if base, imported := typeName(s.Type); !imported {
				name = base
			}
		} else if d.Tok == token.CONST && len(s.Values) == 0 {
			name = last
		}
		if name != "" {
			if of != "" && of != name {
				of = ""
				break
			}
			of = name
			typed++
		}
		last = name
		n++
	}
	if n == 0 {
		return
	}
	v := &Value{Doc: d.Doc.Text(), Names: []string{}, Decl: d, order: r.order}
	r.order++
	for _, s := range d.Specs {
		for _, name := range s.(*ast.ValueSpec).Names {
			v.Names = append(v.Names, name.Name)
		}
	}
	to := &r.values
	if of != "" && r.isVisible(of) && typed >= len(d.Specs)*3/4 {
		if t := r.typ(of); t != nil {
			to = &t.values
		}
	}
	*to = append(*to, v)
	if !r.keepsTree() {
		d.Doc = nil
	}
}

// typeDecl reads types. Each has a declaration of its own, without parentheses.
func (r *reader) typeDecl(d *ast.GenDecl) {
	if len(d.Specs) == 1 && !d.Lparen.IsValid() {
		if s, ok := d.Specs[0].(*ast.TypeSpec); ok {
			r.typeSpec(d, s)
		}
		return
	}
	for _, s := range d.Specs {
		if s, ok := s.(*ast.TypeSpec); ok {
			own := &ast.GenDecl{
				Doc: d.Doc, TokPos: s.Pos(), Tok: token.TYPE, Specs: []ast.Spec{s},
			}
			r.typeSpec(own, s)
		}
	}
}

func (r *reader) typeSpec(d *ast.GenDecl, s *ast.TypeSpec) {
	t := r.typ(s.Name.Name)
	if t == nil {
		return
	}
	t.decl = d
	if t.doc = d.Doc.Text(); s.Doc != nil {
		t.doc = s.Doc.Text()
	}
	if !r.keepsTree() {
		s.Doc, d.Doc = nil, nil
	}
	_, t.isStruct = s.Type.(*ast.StructType)
	for _, field := range fieldsOf(s.Type) {
		if len(field.Names) == 0 {
			r.embed(t, field.Type)
		}
	}
}

// function reads a function or method, which belongs to its receiver's type, or to the only type
// that it returns of those that the package declares and shows.
func (r *reader) function(f *ast.FuncDecl) {
	if !r.keepsTree() {
		f.Body = nil
	}
	to := r.funcs
	if f.Recv != nil {
		if len(f.Recv.List) == 0 {
			return
		}
		name, imported := typeName(f.Recv.List[0].Type)
		if imported {
			return
		}
		t := r.typ(name)
		if t == nil {
			return
		}
		to = t.methods
	} else if t := r.made(f.Type); t != nil {
		to = t.funcs
	}

	// One with a comment stays: the next is the same for another system.
	name := f.Name.Name
	if old := to[name]; old != nil && old.Doc != "" {
		return
	}
	recv := ""
	if f.Recv != nil {
		recv = "BADRECV"
		if len(f.Recv.List) == 1 {
			recv = receiver(f.Recv.List[0].Type)
		}
	}
	to[name] = &Func{Doc: f.Doc.Text(), Name: name, Decl: f, Recv: recv, Orig: recv}
	if !r.keepsTree() {
		f.Doc = nil
	}
}

// made returns the type that a function makes, or nil.
func (r *reader) made(f *ast.FuncType) *typeInfo {
	if f.Results == nil {
		return nil
	}
	var made *typeInfo
	for _, result := range f.Results.List {
		x := result.Type
		if array, ok := x.(*ast.ArrayType); ok {
			x = array.Elt
		}
		name, imported := typeName(x)
		if imported || !r.isVisible(name) || predeclaredTypes[name] && r.types[name] == nil ||
			isParameter(name, f.TypeParams) {
			continue
		}
		if t := r.typ(name); t != nil {
			if made != nil {
				return nil
			}
			made = t
		}
	}
	return made
}

func isParameter(name string, list *ast.FieldList) bool {
	if list != nil {
		for _, field := range list.List {
			for _, id := range field.Names {
				if id.Name == name {
					return true
				}
			}
		}
	}
	return false
}

// readNotes reads notes. Each begins with a comment and goes up to the next, or to the end of the
// group.
func (r *reader) readNotes(groups []*ast.CommentGroup) {
	for _, g := range groups {
		from := -1
		for i, c := range g.List {
			if len(c.Text) < 2 || c.Text[0] != '/' {
				continue
			}
			if _, _, _, ok := cutMarker(c.Text[2:]); ok {
				if from >= 0 {
					r.note(g.List[from:i])
				}
				from = i
			}
		}
		if from >= 0 {
			r.note(g.List[from:])
		}
	}
}

func (r *reader) note(list []*ast.Comment) {
	marker, uid, rest, ok := cutMarker((&ast.CommentGroup{List: list}).Text())
	if body := oneSpaced(rest); ok && body != "" {
		r.notes[marker] = append(r.notes[marker], &Note{
			Pos: list[0].Pos(), End: list[len(list)-1].End(), UID: uid, Body: body,
		})
	}
}

// cutMarker reads `MARKER(uid)` and a colon, which may be missing.
func cutMarker(text string) (marker, uid, rest string, ok bool) {
	text = strings.TrimLeft(text, " \t")
	rest = strings.TrimLeft(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	marker = text[:len(text)-len(rest)]
	if len(marker) < 2 || !strings.HasPrefix(rest, "(") {
		return "", "", "", false
	}
	uid, rest, ok = strings.Cut(rest[1:], ")")
	return marker, uid, strings.TrimPrefix(rest, ":"), ok && uid != ""
}

// oneSpaced makes one space of several, of tabs and of carriage returns.
func oneSpaced(text string) string {
	isSpace := func(c rune) bool { return c == ' ' || c == '\t' || c == '\r' }
	return strings.Join(strings.FieldsFunc(text, isSpace), " ")
}

// promote gives structs the methods of what they embed.
func (r *reader) promote() {
	for _, t := range r.types {
		if t.isStruct {
			promoted{t, map[*typeInfo]bool{}}.from(t, false, 1)
		}
	}
	for name := range r.shadowed {
		for _, x := range r.doubtful[name] {
			n := len(x.Methods.List)
			x.Methods.List = keep(x.Methods.List, func(field *ast.Field) bool {
				base, _ := typeName(field.Type)
				return len(field.Names) > 0 || base != name
			})
			x.Incomplete = x.Incomplete || len(x.Methods.List) < n
		}
	}
}

// promoted gives a type methods; visiting are types that were not left yet.
type promoted struct {
	to       *typeInfo
	visiting map[*typeInfo]bool
}

// from takes the methods of what t embeds; pointer, if a pointer led to t.
func (p promoted) from(t *typeInfo, pointer bool, level int) {
	p.visiting[t] = true
	defer delete(p.visiting, t)
	for embedded, by := range t.embedded {
		by = by || pointer
		for _, m := range embedded.methods {
			if m.Level == 0 {
				p.add(withReceiver(m, p.to.name, by, level))
			}
		}
		if !p.visiting[embedded] {
			p.from(embedded, by, level+1)
		}
	}
}

// add adds a method, unless there is one at a lower level. Of several at one level none counts.
func (p promoted) add(m *Func) {
	old := p.to.methods[m.Name]
	switch {
	case old == nil || m.Level < old.Level:
		p.to.methods[m.Name] = m
	case m.Level == old.Level:
		p.to.methods[m.Name] = &Func{Name: m.Name, Level: m.Level}
	}
}

// withReceiver returns a method as it is promoted to a type; its receiver is a pointer, unless a
// pointer led to it.
func withReceiver(m *Func, name string, pointer bool, level int) *Func {
	if m == nil || m.Decl == nil || m.Decl.Recv == nil || len(m.Decl.Recv.List) != 1 {
		return m
	}
	field := *m.Decl.Recv.List[0]
	pos := field.Type.Pos()
	id := &ast.Ident{NamePos: pos, Name: name}
	if _, star := field.Type.(*ast.StarExpr); star && !pointer {
		id.NamePos++
		field.Type = &ast.StarExpr{Star: pos, X: id}
	} else {
		field.Type = id
	}
	recv, decl, promoted := *m.Decl.Recv, *m.Decl, *m
	recv.List = []*ast.Field{&field}
	decl.Recv = &recv
	promoted.Decl = &decl
	promoted.Recv = receiver(field.Type)
	promoted.Level = level
	return &promoted
}

// settle takes types out that are not declared or not shown. What belongs to one that is declared
// elsewhere, perhaps in a file that is missing, goes to the package.
func (r *reader) settle() {
	for name, t := range r.types {
		visible, predeclared := r.isVisible(name), predeclaredTypes[name]
		if t.decl == nil && (predeclared || visible && (t.embeds || r.dotImport)) {
			r.values = append(r.values, t.values...)
			maps.Copy(r.funcs, t.funcs)
			for name, m := range t.methods {
				if r.funcs[name] == nil && !predeclared {
					r.funcs[name] = m
				}
			}
		}
		if t.decl == nil || !visible {
			delete(r.types, name)
		}
	}
}

// sortedValues returns those that a keyword declares: declarations of several in the order of the
// text, then those of one by their names.
func sortedValues(all []*Value, tok token.Token) []*Value {
	list := make([]*Value, 0, len(all))
	for _, v := range all {
		if v.Decl.Tok == tok {
			list = append(list, v)
		}
	}
	name := func(v *Value) string {
		if len(v.Decl.Specs) == 1 {
			if s, ok := v.Decl.Specs[0].(*ast.ValueSpec); ok {
				return s.Names[0].Name
			}
		}
		return ""
	}
	slices.SortFunc(list, func(a, b *Value) int {
		return cmp.Or(strings.Compare(name(a), name(b)), cmp.Compare(a.order, b.order))
	})
	return list
}

// sortedFuncs returns functions by their names; without all, promoted methods are left out if the
// type that they come from is shown.
func sortedFuncs(m funcs, all bool) []*Func {
	list := make([]*Func, 0, len(m))
	for _, name := range sortedKeys(m) {
		f := m[name]
		if f.Decl != nil &&
			(all || f.Level == 0 || !token.IsExported(strings.TrimPrefix(f.Orig, "*"))) {
			list = append(list, f)
		}
	}
	return list
}
