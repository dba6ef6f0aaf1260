package doc

// This file reads the declarations of a package, and says what belongs to which type.

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

func (r *reader) isVisible(name string) bool {
	return token.IsExported(name) || r.mode&AllDecls != 0
}

func (r *reader) keepsTree() bool { return r.mode&PreserveAST != 0 }

// embed notes that a type, which can be nil, has an embedded field, if that is of the package.
func (r *reader) embed(in *typeInfo, field *ast.Field) {
	if name, imported := typeName(field.Type); in != nil && !imported {
		if t := r.typ(name); t != nil {
			_, in.embedded[t] = field.Type.(*ast.StarExpr)
			t.embeds = true
		}
	}
}

// typ returns what is known of a type; nil if it has no name.
func (r *reader) typ(name string) *typeInfo {
	t := r.types[name]
	if t == nil && name != "" && name != "_" {
		t = &typeInfo{name: name, funcs: funcs{}, methods: funcs{}, embedded: map[*typeInfo]bool{}}
		r.types[name] = t
	}
	return t
}

// files reads a package's files in the order of their names, and functions when all types are
// known.
func (r *reader) files(pkg *ast.Package) {
	r.filenames = sortedKeys(pkg.Files)
	for _, name := range r.filenames {
		f := pkg.Files[name]
		if r.mode&AllDecls == 0 {
			f.Decls = keep(f.Decls, func(d ast.Decl) bool { return r.isShown(d) })
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
	r.notesOf(f.Comments)
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

// value reads constants or variables, which belong to the package or to a type.
func (r *reader) value(d *ast.GenDecl) {
	types := typesOf(d)
	if len(types) == 0 {
		return
	}
	v := &Value{Decl: d, Doc: d.Doc.Text(), Names: []string{}, order: r.order}
	r.order++
	for _, s := range d.Specs {
		for _, x := range s.(*ast.ValueSpec).Names {
			v.Names = append(v.Names, x.Name)
		}
	}
	if !r.keepsTree() {
		d.Doc = nil
	}
	if name := ownerOf(types); name != "" && r.isVisible(name) {
		if t := r.typ(name); t != nil {
			t.values = append(t.values, v)
			return
		}
	}
	r.values = append(r.values, v)
}

// typesOf returns for each of the constants or variables of a declaration the name of its type,
// which is that of the constant before if there is neither type nor value; empty if it has none, or
// that of another package.
func typesOf(d *ast.GenDecl) []string {
	types, last := make([]string, 0, len(d.Specs)), ""
	for _, s := range d.Specs {
		v, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if v.Type != nil || len(v.Values) > 0 || d.Tok == token.VAR {
			last = ""
		}
		if name, imported := typeName(v.Type); !imported && v.Type != nil {
			last = name
		}
		types = append(types, last)
	}
	return types
}

// ownerOf returns the type that values belong to: that of three quarters of them at least, if the
// others have none.
func ownerOf(types []string) string {
	n := len(types)
	typed := slices.DeleteFunc(types, func(name string) bool { return name == "" })
	if len(typed) == 0 || len(typed) < n*3/4 || len(slices.Compact(typed)) > 1 {
		return ""
	}
	return typed[0]
}

// typeDecl reads types. Each has a declaration of its own, without parentheses.
func (r *reader) typeDecl(d *ast.GenDecl) {
	alone := len(d.Specs) == 1 && !d.Lparen.IsValid()
	for _, s := range d.Specs {
		t, ok := s.(*ast.TypeSpec)
		if !ok {
			continue
		}
		own := d
		if !alone {
			own = &ast.GenDecl{Tok: d.Tok, TokPos: t.Pos(), Doc: d.Doc, Specs: []ast.Spec{t}}
		}
		r.typeSpec(own, t)
	}
}

func (r *reader) typeSpec(d *ast.GenDecl, s *ast.TypeSpec) {
	t := r.typ(s.Name.Name)
	if t == nil {
		return
	}
	docs := []*ast.CommentGroup{s.Doc, d.Doc}
	t.decl, t.doc = d, cmp.Or(docs...).Text()
	if !r.keepsTree() {
		d.Doc, s.Doc = nil, nil
	}
	for _, field := range fieldsOf(s.Type) {
		if len(field.Names) == 0 {
			r.embed(t, field)
		}
	}
	_, t.isStruct = s.Type.(*ast.StructType)
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
	to[name] = &Func{Name: name, Doc: f.Doc.Text(), Recv: recv, Orig: recv, Decl: f}
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

// notesOf reads notes. Each begins with a comment and goes up to the next, or to the end of the
// group.
func (r *reader) notesOf(groups []*ast.CommentGroup) {
	for _, g := range groups {
		rest := g.List
		for len(rest) > 0 {
			n := 1 + slices.IndexFunc(rest[1:], beginsNote)
			if n == 0 {
				n = len(rest)
			}
			if beginsNote(rest[0]) {
				r.note(rest[:n])
			}
			rest = rest[n:]
		}
	}
}

func beginsNote(c *ast.Comment) bool {
	if len(c.Text) < 2 || c.Text[0] != '/' {
		return false
	}
	_, _, _, ok := cutMarker(c.Text[2:])
	return ok
}

func (r *reader) note(list []*ast.Comment) {
	g := &ast.CommentGroup{List: list}
	marker, uid, rest, ok := cutMarker(g.Text())
	if rest = oneSpaced(rest); !ok || rest == "" {
		return
	}
	x := &Note{UID: uid, Body: rest, Pos: g.Pos(), End: g.End()}
	r.notes[marker] = append(r.notes[marker], x)
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
			t.promote()
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

// way is a way to a type through embedded fields.
type way struct {
	to      *typeInfo
	pointer bool // is a field on it a pointer?
}

// promote gives a type the methods of what it embeds, level by level: a method hides those of its
// name at deeper levels, and of several at one level none counts. What is reached once more at a
// deeper level has nothing to add there.
func (t *typeInfo) promote() {
	reached := map[*typeInfo]bool{}
	ways := []way{{to: t}}
	for level := 1; len(ways) > 0; level++ {
		for _, w := range ways {
			reached[w.to] = true
		}
		var deeper []way
		for _, w := range ways {
			for inner, pointer := range w.to.embedded {
				if !reached[inner] {
					deeper = append(deeper, way{inner, pointer || w.pointer})
				}
			}
		}
		found := funcs{}
		for _, w := range deeper {
			for name, m := range w.to.methods {
				if m.Level > 0 || t.methods[name] != nil {
					continue
				}
				if found[name] == nil {
					found[name] = m.promotedTo(t.name, w.pointer, level)
				} else {
					found[name] = &Func{Name: name, Level: level}
				}
			}
		}
		maps.Copy(t.methods, found)
		ways = deeper
	}
}

// promotedTo returns a method as it is promoted to a type; its receiver is a pointer if it was one,
// unless a pointer led to it.
func (f *Func) promotedTo(name string, pointer bool, level int) *Func {
	if f.Decl == nil || f.Decl.Recv == nil {
		return f
	}
	recv := f.Decl.Recv
	if len(recv.List) != 1 {
		return f
	}
	field := recv.List[0]
	id := &ast.Ident{Name: name, NamePos: field.Type.Pos()}
	var typ ast.Expr = id
	if star, ok := field.Type.(*ast.StarExpr); ok && !pointer {
		typ = &ast.StarExpr{Star: star.Star, X: id}
		id.NamePos++
	}
	decl := *f.Decl
	decl.Recv = &ast.FieldList{
		Opening: recv.Opening, Closing: recv.Closing,
		List: []*ast.Field{{
			Doc: field.Doc, Names: field.Names, Type: typ, Tag: field.Tag, Comment: field.Comment,
		}},
	}
	return &Func{
		Name: f.Name, Doc: f.Doc, Decl: &decl, Examples: f.Examples,
		Recv: receiver(typ), Orig: f.Orig, Level: level,
	}
}

// settle takes types out that are not declared or not shown. What belongs to one that is declared
// elsewhere, perhaps in a file that is missing, goes to the package.
func (r *reader) settle() {
	for name, t := range r.types {
		isShown := r.isVisible(name)
		if t.decl == nil {
			isPredeclared := predeclaredTypes[name]
			if isPredeclared || isShown && (r.dotImport || t.embeds) {
				r.adopt(t, !isPredeclared)
			}
		}
		if t.decl == nil || !isShown {
			delete(r.types, name)
		}
	}
}

// adopt gives the package what belongs to a type; methods only under names that it has not.
func (r *reader) adopt(t *typeInfo, methods bool) {
	r.values = append(r.values, t.values...)
	maps.Copy(r.funcs, t.funcs)
	if !methods {
		return
	}
	for name, m := range t.methods {
		if _, taken := r.funcs[name]; !taken {
			r.funcs[name] = m
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
	name := func(v *Value) (only string) {
		if specs := v.Decl.Specs; len(specs) == 1 {
			if spec, ok := specs[0].(*ast.ValueSpec); ok {
				only = spec.Names[0].Name
			}
		}
		return only
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
