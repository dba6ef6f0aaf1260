package parser

import (
	"fmt"
	"go/ast"
	"go/token"
)

// mostScopes is how deep scopes may be nested.
const mostScopes = 1000

// unresolved marks names that may be declared further down.
var unresolved = new(ast.Object)

// resolver gives names their objects, as far as one file tells.
type resolver struct {
	p          *parser
	pkg, top   *ast.Scope
	depth      int
	unresolved []*ast.Ident
	labels     *ast.Scope     // of the function at work
	targets    [][]*ast.Ident // of branches, in the functions around
}

func (p *parser) resolve(f *ast.File) {
	pkg := ast.NewScope(nil)
	r := &resolver{p: p, pkg: pkg, top: pkg, depth: 1}
	for _, decl := range f.Decls {
		ast.Walk(r, decl)
	}
	left := r.unresolved[:0]
	for _, name := range r.unresolved {
		if name.Obj = pkg.Lookup(name.Name); name.Obj == nil {
			left = append(left, name)
		}
	}
	f.Scope, f.Unresolved = pkg, left
}

func (r *resolver) error(pos token.Pos, msg string) {
	if r.p.mode&DeclarationErrors != 0 {
		r.p.error(pos, msg)
	}
}

// open opens a scope for a node; Visit closes it.
func (r *resolver) open(n ast.Node) {
	r.depth++
	if r.depth > mostScopes {
		panic(bailout{n.Pos(), "exceeded max scope depth during object resolution"})
	}
	r.top = ast.NewScope(r.top)
}

func (r *resolver) declare(
	decl, data any, scope *ast.Scope, kind ast.ObjKind, names ...*ast.Ident,
) {
	for _, name := range names {
		assert(name.Obj == nil, "identifier already declared or resolved")
		obj := &ast.Object{Kind: kind, Name: name.Name, Decl: decl, Data: data}
		if _, ok := decl.(*ast.Ident); !ok {
			name.Obj = obj // a receiver's type parameter stays without
		}
		if name.Name == "_" {
			continue
		}
		if other := scope.Insert(obj); other != nil && r.p.mode&DeclarationErrors != 0 {
			msg := name.Name + " redeclared in this block"
			if pos := other.Pos(); pos.IsValid() {
				msg += fmt.Sprintf("\n\tprevious declaration at %v", r.p.file.Position(pos))
			}
			r.error(name.Pos(), msg)
		}
	}
}

// define declares the names of a `:=` that are new.
func (r *resolver) define(s *ast.AssignStmt) {
	fresh := false
	for _, x := range s.Lhs {
		name, ok := x.(*ast.Ident)
		if !ok {
			continue
		}
		assert(name.Obj == nil, "identifier already declared or resolved")
		name.Obj = &ast.Object{Kind: ast.Var, Name: name.Name, Decl: s}
		if name.Name == "_" {
			continue
		}
		if other := r.top.Insert(name.Obj); other != nil {
			name.Obj = other
		} else {
			fresh = true
		}
	}
	if !fresh {
		r.error(s.Lhs[0].Pos(), "no new variables on left side of :=")
	}
}

func (r *resolver) use(name *ast.Ident, collect bool) {
	assert(name.Obj == nil, "identifier already declared or resolved")
	if name.Name == "_" {
		return
	}
	for s := r.top; s != nil; s = s.Outer {
		if obj := s.Lookup(name.Name); obj != nil {
			if _, ok := obj.Decl.(*ast.Ident); !ok {
				name.Obj = obj
			}
			return
		}
	}
	if collect {
		name.Obj = unresolved
		r.unresolved = append(r.unresolved, name)
	}
}

func walk[N ast.Node](r *resolver, list []N) {
	for _, node := range list {
		ast.Walk(r, node)
	}
}

// maybe walks a node if there is one.
func (r *resolver) maybe(node ast.Node) {
	if node != nil {
		ast.Walk(r, node)
	}
}

func (r *resolver) Visit(node ast.Node) ast.Visitor {
	// What a case opens is closed behind it.
	depth, top := r.depth, r.top
	defer func() { r.depth, r.top = depth, top }()
	switch n := node.(type) {
	default:
		return r
	case *ast.Ident:
		r.use(n, true)
	case *ast.SelectorExpr:
		ast.Walk(r, n.X)
	case *ast.FuncLit:
		r.open(n)
		r.signature(n.Type)
		r.body(n.Body)
	case *ast.FuncType:
		r.open(n)
		r.signature(n)
	case *ast.StructType:
		r.open(n)
		r.types(n.Fields)
		r.fields(n.Fields, ast.Var)
	case *ast.InterfaceType:
		r.open(n)
		r.types(n.Methods)
		r.fields(n.Methods, ast.Fun)
	case *ast.CompositeLit:
		r.maybe(n.Type)
		for _, x := range n.Elts {
			pair, ok := x.(*ast.KeyValueExpr)
			if !ok {
				ast.Walk(r, x)
				continue
			}
			if name, ok := pair.Key.(*ast.Ident); ok {
				r.use(name, false) // it may be a field
			} else {
				ast.Walk(r, pair.Key)
			}
			ast.Walk(r, pair.Value)
		}
	case *ast.LabeledStmt:
		r.declare(n, nil, r.labels, ast.Lbl, n.Label)
		ast.Walk(r, n.Stmt)
	case *ast.BranchStmt:
		if n.Label != nil {
			last := len(r.targets) - 1
			r.targets[last] = append(r.targets[last], n.Label)
		}
	case *ast.AssignStmt:
		walk(r, n.Rhs)
		r.assign(n)
	case *ast.BlockStmt:
		r.open(n)
		walk(r, n.List)
	case *ast.IfStmt:
		r.open(n)
		r.maybe(n.Init)
		ast.Walk(r, n.Cond)
		ast.Walk(r, n.Body)
		r.maybe(n.Else)
	case *ast.CaseClause:
		walk(r, n.List)
		r.open(n)
		walk(r, n.Body)
	case *ast.SwitchStmt:
		r.open(n)
		r.maybe(n.Init)
		if n.Tag != nil {
			if n.Init != nil {
				r.open(n.Tag)
			}
			ast.Walk(r, n.Tag)
		}
		walk(r, n.Body.List)
	case *ast.TypeSwitchStmt:
		if n.Init != nil {
			r.open(n)
			ast.Walk(r, n.Init)
		}
		r.open(n.Assign)
		ast.Walk(r, n.Assign)
		walk(r, n.Body.List)
	case *ast.CommClause:
		r.open(n)
		r.maybe(n.Comm)
		walk(r, n.Body)
	case *ast.SelectStmt:
		walk(r, n.Body.List)
	case *ast.ForStmt:
		r.open(n)
		r.maybe(n.Init)
		r.maybe(n.Cond)
		r.maybe(n.Post)
		ast.Walk(r, n.Body)
	case *ast.RangeStmt:
		r.open(n)
		ast.Walk(r, n.X)
		r.rangeHead(n)
		ast.Walk(r, n.Body)
	case *ast.GenDecl:
		r.genDecl(n)
	case *ast.FuncDecl:
		r.open(n)
		r.receiver(n.Recv)
		r.fields(n.Type.TypeParams, ast.Typ)
		r.types(n.Type.TypeParams)
		r.types(n.Type.Params)
		r.types(n.Type.Results)
		r.fields(n.Recv, ast.Var)
		r.fields(n.Type.Params, ast.Var)
		r.fields(n.Type.Results, ast.Var)
		r.body(n.Body)
		if n.Recv == nil && n.Name.Name != "init" {
			r.declare(n, nil, r.pkg, ast.Fun, n.Name)
		}
	}
	return nil
}

// assign declares or uses what is on the left of an assignment.
func (r *resolver) assign(s *ast.AssignStmt) {
	if s.Tok == token.DEFINE {
		r.define(s)
	} else {
		walk(r, s.Lhs)
	}
}

func (r *resolver) rangeHead(n *ast.RangeStmt) {
	var left []ast.Expr
	for _, x := range []ast.Expr{n.Key, n.Value} {
		if x != nil {
			left = append(left, x)
		}
	}
	if len(left) == 0 {
		return
	}
	if n.Tok == token.DEFINE {
		for _, x := range left {
			if x := ast.Unparen(x); x != nil {
				if _, ok := x.(*ast.Ident); !ok {
					ast.Walk(r, x)
				}
			}
		}
	}
	right := []ast.Expr{&ast.UnaryExpr{Op: token.RANGE, X: n.X}}
	r.assign(&ast.AssignStmt{Lhs: left, Tok: n.Tok, TokPos: n.TokPos, Rhs: right})
}

func (r *resolver) genDecl(d *ast.GenDecl) {
	for i, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.ValueSpec:
			kind := ast.Con
			if d.Tok == token.VAR {
				kind = ast.Var
			}
			walk(r, s.Values)
			r.maybe(s.Type)
			r.declare(s, i, r.top, kind, s.Names...)
		case *ast.TypeSpec:
			r.declare(s, nil, r.top, ast.Typ, s.Name)
			if s.TypeParams != nil {
				// As in Go, this scope has the rest of the group's types as well.
				r.open(s)
				r.fields(s.TypeParams, ast.Typ)
				r.types(s.TypeParams)
			}
			ast.Walk(r, s.Type)
		}
	}
}

func (r *resolver) signature(t *ast.FuncType) {
	r.types(t.Params)
	r.types(t.Results)
	r.fields(t.Params, ast.Var)
	r.fields(t.Results, ast.Var)
}

// types resolves the types of a list of fields.
func (r *resolver) types(list *ast.FieldList) {
	if list != nil {
		for _, f := range list.List {
			r.maybe(f.Type)
		}
	}
}

// fields declares the names of a list of fields.
func (r *resolver) fields(list *ast.FieldList, kind ast.ObjKind) {
	if list != nil {
		for _, f := range list.List {
			r.declare(f, nil, r.top, kind, f.Names...)
		}
	}
}

// receiver declares the type parameters that a receiver names, and resolves its type.
func (r *resolver) receiver(list *ast.FieldList) {
	if list == nil || len(list.List) == 0 {
		return
	}
	t := list.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	uses := []ast.Expr{t}
	var args []ast.Expr
	switch t := t.(type) {
	case *ast.IndexExpr:
		uses, args = []ast.Expr{t.X}, []ast.Expr{t.Index}
	case *ast.IndexListExpr:
		uses, args = []ast.Expr{t.X}, t.Indices
	}
	for _, x := range args {
		if name, ok := x.(*ast.Ident); ok {
			r.declare(x, nil, r.top, ast.Typ, name)
		} else {
			uses = append(uses, x)
		}
	}
	for _, x := range uses {
		r.maybe(x)
	}
	for _, f := range list.List[1:] {
		r.maybe(f.Type)
	}
}

// body walks a function's statements, which have their own labels.
func (r *resolver) body(b *ast.BlockStmt) {
	if b == nil {
		return
	}
	r.labels = ast.NewScope(r.labels)
	r.targets = append(r.targets, nil)
	walk(r, b.List)
	last := len(r.targets) - 1
	for _, name := range r.targets[last] {
		if name.Obj = r.labels.Lookup(name.Name); name.Obj == nil {
			r.error(name.Pos(), "label "+name.Name+" undefined")
		}
	}
	r.targets = r.targets[:last]
	r.labels = r.labels.Outer
}
