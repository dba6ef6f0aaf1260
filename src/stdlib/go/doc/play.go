package doc

// This file makes programs of examples, with what they need of their files.

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// play returns a program with an example as its main function, and with what it needs of its file.
// It is nil if that is not all there is to it, or the package is not one of tests only.
func play(file *ast.File, f *ast.FuncDecl) *ast.File {
	if !strings.HasSuffix(file.Name.Name, "_test") {
		return nil
	}
	u := newUses(file)
	u.follow(f.Body)
	named, blank, ok := u.imports(file.Imports)
	if !ok {
		return nil
	}
	for name := range u.unknown {
		if !IsPredeclared(name) {
			return nil
		}
	}
	var comments []*ast.CommentGroup
	add := func(c *ast.CommentGroup) {
		if c != nil {
			comments = append(comments, c)
		}
	}
	for _, s := range blank {
		add(s.(*ast.ImportSpec).Doc)
	}
	for _, c := range file.Comments {
		if f.Body.Pos() <= c.Pos() && c.End() <= f.Body.End() {
			add(c)
		}
	}
	body, comments := withoutOutput(f.Body, comments)
	decls := []ast.Decl{&ast.GenDecl{
		// Parentheses are printed if they are somewhere.
		Tok: token.IMPORT, Lparen: 1, Rparen: 1, Specs: append(named, blank...),
	}}
	for _, d := range u.needed() {
		switch d := d.(type) {
		case *ast.GenDecl:
			add(d.Doc)
		case *ast.FuncDecl:
			add(d.Doc)
		}
		decls = append(decls, d)
	}
	decls = append(decls, &ast.FuncDecl{Name: ast.NewIdent("main"), Type: f.Type, Body: body})
	slices.SortFunc(decls, byPlace[ast.Decl])
	slices.SortFunc(comments, byPlace[*ast.CommentGroup])
	return &ast.File{Name: ast.NewIdent("main"), Decls: decls, Comments: comments}
}

func byPlace[N ast.Node](a, b N) int { return cmp.Compare(a.Pos(), b.Pos()) }

// playFile returns a file as a program, with its example as the main function.
func playFile(file *ast.File) *ast.File {
	comments := file.Comments
	if len(comments) > 0 {
		if first := comments[0].Text(); strings.HasPrefix(first, "Copyright") {
			comments = comments[1:]
		}
	}
	decls := slices.Clone(file.Decls)
	for i, d := range decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !is(f.Name.Name, "Example") {
			continue
		}
		body, rest := withoutOutput(f.Body, comments)
		decls[i] = &ast.FuncDecl{
			Doc: f.Doc, Recv: f.Recv, Name: &ast.Ident{Name: "main"}, Type: f.Type, Body: body,
		}
		comments = rest
	}
	program := *file
	program.Name = &ast.Ident{Name: "main"}
	program.Decls, program.Comments = decls, comments
	return &program
}

// withoutOutput returns a block up to the comment that says what it prints, and the comments
// without that.
func withoutOutput(
	b *ast.BlockStmt, comments []*ast.CommentGroup,
) (*ast.BlockStmt, []*ast.CommentGroup) {
	if i := lastComment(b, comments); i >= 0 {
		end := comments[i].Pos()
		if _, _, ok := cutOutput(comments[i].Text()); ok {
			shorter := *b
			shorter.Rbrace = end
			return &shorter, slices.Delete(slices.Clone(comments), i, i+1)
		}
	}
	return b, comments
}

// uses are the declarations of a file that code needs, and names that it does not declare.
type uses struct {
	decls   map[*ast.Object]ast.Decl
	methods map[string][]ast.Decl // by the names of types
	objects map[*ast.Object]bool  // that are needed
	seen    map[ast.Decl]bool
	list    []ast.Decl // of needed ones
	unknown map[string]bool
}

func newUses(file *ast.File) *uses {
	u := &uses{
		decls:   map[*ast.Object]ast.Decl{},
		methods: map[string][]ast.Decl{},
		objects: map[*ast.Object]bool{},
		seen:    map[ast.Decl]bool{},
		unknown: map[string]bool{},
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				u.decls[d.Name.Obj] = d
			} else if len(d.Recv.List) == 1 {
				name, _ := typeName(d.Recv.List[0].Type)
				u.methods[name] = append(u.methods[name], d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				for _, name := range declaredBy(spec) {
					u.decls[name.Obj] = d
				}
			}
		}
	}
	return u
}

// declaredBy returns the names of types, constants and variables; imports have none.
func declaredBy(spec ast.Spec) []*ast.Ident {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		return spec.Names
	case *ast.TypeSpec:
		return []*ast.Ident{spec.Name}
	}
	return nil
}

// follow notes what a block needs, and what that needs.
func (u *uses) follow(body *ast.BlockStmt) {
	ast.Inspect(body, u.visit)
	for i := 0; i < len(u.list); i++ {
		switch d := u.list[i].(type) {
		case *ast.FuncDecl:
			u.fields(d.Type.TypeParams)
			u.fields(d.Type.Params)
			u.fields(d.Type.Results)
			if d.Body != nil {
				ast.Inspect(d.Body, u.visit)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				u.spec(spec)
			}
		}
	}
}

func (u *uses) spec(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		if spec.Type != nil {
			ast.Inspect(spec.Type, u.visit)
		}
		for _, x := range spec.Values {
			ast.Inspect(x, u.visit)
		}
	case *ast.TypeSpec:
		u.fields(spec.TypeParams)
		ast.Inspect(spec.Type, u.visit)
		u.list = append(u.list, u.methods[spec.Name.Name]...)
	}
}

func (u *uses) fields(l *ast.FieldList) {
	if l != nil {
		for _, field := range l.List {
			ast.Inspect(field.Type, u.visit)
		}
	}
}

// visit looks at a name. Those behind dots, and keys, which are thought to be fields, do not count.
func (u *uses) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Ident:
		if n.Obj == nil && n.Name != "_" {
			u.unknown[n.Name] = true
		} else if d := u.decls[n.Obj]; d != nil {
			u.objects[n.Obj] = true
			if !u.seen[d] {
				u.seen[d] = true
				u.list = append(u.list, d)
			}
		}
	case *ast.SelectorExpr:
		ast.Inspect(n.X, u.visit)
		return false
	case *ast.KeyValueExpr:
		ast.Inspect(n.Value, u.visit)
		return false
	}
	return true
}

// imports returns the imports that are needed, each at the place where its group begins, and those
// named `_`. It is not ok with dots, and where there is no system to import the package from.
func (u *uses) imports(list []*ast.ImportSpec) (named, blank []ast.Spec, ok bool) {
	starts := groups(list)
	for _, s := range list {
		path, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			continue
		}
		if path == "syscall/js" {
			return nil, nil, false
		}
		name := nameOfPath(path)
		if s.Name != nil {
			name = s.Name.Name
		}
		switch {
		case s.Name != nil && name == "_":
			blank = append(blank, s)
		case s.Name != nil && name == ".":
			return nil, nil, false
		case u.unknown[name]:
			delete(u.unknown, name)
			moved, lit := *s, *s.Path
			moved.Path = &lit
			size := lit.End() - lit.Pos()
			for _, start := range starts {
				if start <= s.Path.ValuePos {
					lit.ValuePos = start
				}
			}
			if lit.ValueEnd.IsValid() {
				lit.ValueEnd = lit.ValuePos + size
			}
			named = append(named, &moved)
		}
	}
	return named, blank, true
}

// groups returns where groups of imports begin: more than a line end and a tab is between them.
func groups(list []*ast.ImportSpec) (starts []token.Pos) {
	list = slices.SortedFunc(slices.Values(list), byPlace[*ast.ImportSpec])
	for i, s := range list {
		if i == 0 || s.Pos() > endOf(list[i-1])+token.Pos(len("\n\t")) {
			starts = append(starts, s.Pos())
		}
	}
	return starts
}

// endOf returns where an import ends, with the comment behind it.
func endOf(s *ast.ImportSpec) token.Pos {
	if s.Comment == nil {
		return s.End()
	}
	return s.Comment.End()
}

// needed returns the needed declarations, without what else they declare.
func (u *uses) needed() []ast.Decl {
	var list []ast.Decl
	for _, d := range u.list {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			list = append(list, d)
			continue
		}
		iota := false
		var specs []ast.Spec
		for _, spec := range g.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				iota = iota || hasIota(spec)
				if used := u.values(spec); len(used.Names) > 0 {
					specs = append(specs, used)
				}
			case *ast.TypeSpec:
				if u.objects[spec.Name.Obj] {
					specs = append(specs, spec)
				}
			}
		}
		switch {
		case len(specs) == 0:
		case iota && g.Tok == token.CONST:
			list = append(list, g)
		default:
			part := *g
			part.Specs = specs
			if len(specs) == 1 {
				part.Lparen = 0
			}
			list = append(list, &part)
		}
	}
	return list
}

// values returns the needed ones of variables or constants; all, if one value is that of several.
func (u *uses) values(s *ast.ValueSpec) *ast.ValueSpec {
	if len(s.Names) > 1 && len(s.Values) == 1 {
		return s
	}
	part := *s
	part.Names, part.Values = nil, nil
	for i, name := range s.Names {
		if u.objects[name.Obj] {
			part.Names = append(part.Names, name)
			if s.Values != nil {
				part.Values = append(part.Values, s.Values[i])
			}
		}
	}
	return &part
}

func hasIota(s ast.Spec) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "iota" && id.Obj == nil
		return !found
	})
	return found
}
