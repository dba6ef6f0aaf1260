package parser

import (
	"go/ast"
	"go/token"
)

// The resolver gives names their objects, as far as one file tells. It walks the tree once. For
// each name it has a slot with the object that the name means at the place it has come to; what
// a scope changes in slots it notes in a log, and leaving the scope puts it back. So a look-up
// costs the same however deep scopes are nested. The package's own objects are in an ast.Scope as
// well, which is handed out; names that mean nothing yet may be declared in it further down, and
// are looked at again at the end.

// mostScopes is how deep scopes may be nested, the package's included.
const mostScopes = 1000

// slot is what a name means: an object, and how deep the scope is that declares it.
type slot struct {
	obj   *ast.Object
	depth int
}

// change is a log entry: a slot, and what it had before.
type change struct {
	of     *slot
	before slot
}

// level is a place to go back to: how deep scopes are, and how long the log is.
type level struct{ depth, changes int }

type resolver struct {
	p     *parser
	pkg   *ast.Scope
	slots map[string]*slot
	log   []change
	depth int
	later []*ast.Ident // names that mean nothing yet

	labels map[string]*ast.Object // of the function at work
	gotos  []*ast.Ident           // labels that branches name, in the functions around too
}

func (p *parser) resolve(f *ast.File) {
	r := &resolver{p: p, pkg: ast.NewScope(nil), slots: map[string]*slot{}, depth: 1}
	for _, decl := range f.Decls {
		r.walk(decl)
	}
	f.Scope, f.Unresolved = r.pkg, r.later[:0]
	for _, name := range r.later {
		if name.Obj = r.pkg.Objects[name.Name]; name.Obj == nil {
			f.Unresolved = append(f.Unresolved, name)
		}
	}
}

// open begins a scope; close leaves all that were opened since the level it gets.
func (r *resolver) open(n ast.Node) level {
	outer := level{r.depth, len(r.log)}
	if r.depth++; r.depth > mostScopes {
		panic(bailout{n.Pos(), "exceeded max scope depth during object resolution"})
	}
	return outer
}

func (r *resolver) close(to level) {
	for i := len(r.log); i > to.changes; i-- {
		*r.log[i-1].of = r.log[i-1].before
	}
	r.log, r.depth = r.log[:to.changes], to.depth
}

// insert puts an object into the scope at work. If that has one of the name, it stays, and is
// returned.
func (r *resolver) insert(obj *ast.Object) *ast.Object {
	s := r.slots[obj.Name]
	if s == nil {
		s = new(slot)
		r.slots[obj.Name] = s
	} else if s.depth == r.depth {
		return s.obj
	}
	if r.depth == 1 {
		r.pkg.Objects[obj.Name] = obj
	} else {
		r.log = append(r.log, change{s, *s})
	}
	*s = slot{obj, r.depth}
	return nil
}

// use gives a name its object. Unless the name may be none of a variable, it is looked at again
// if it means nothing yet.
func (r *resolver) use(name *ast.Ident, certain bool) {
	s := r.slots[name.Name]
	switch {
	case s != nil && s.obj != nil:
		if !ofReceiver(s.obj.Decl) {
			name.Obj = s.obj
		}
	case certain && name.Name != "_":
		r.later = append(r.later, name)
	}
}

// ofReceiver says whether a declaration is that of a type parameter by a receiver, which hides
// other objects but is given to no name.
func ofReceiver(decl any) bool {
	_, ok := decl.(*ast.Ident)
	return ok
}

func (r *resolver) error(pos token.Pos, msg string) {
	if r.p.mode&DeclarationErrors != 0 {
		r.p.error(pos, msg)
	}
}

// redeclared notes that a name is declared again in the scope of its first object.
func (r *resolver) redeclared(name *ast.Ident, first *ast.Object) {
	msg := name.Name + " redeclared in this block"
	if pos := first.Pos(); pos.IsValid() {
		msg += "\n\tprevious declaration at " + r.p.file.Position(pos).String()
	}
	r.error(name.NamePos, msg)
}

// declare declares names in the scope at work.
func (r *resolver) declare(decl, data any, kind ast.ObjKind, names ...*ast.Ident) {
	for _, name := range names {
		obj := &ast.Object{Name: name.Name, Kind: kind, Decl: decl, Data: data}
		if !ofReceiver(decl) {
			name.Obj = obj
		}
		if obj.Name != "_" {
			if first := r.insert(obj); first != nil {
				r.redeclared(name, first)
			}
		}
	}
}

// assign declares what is new on the left of a `:=`, and uses the left of another assignment.
func (r *resolver) assign(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE {
		each(r, s.Lhs)
		return
	}
	declared := 0
	for _, x := range s.Lhs {
		if name, ok := x.(*ast.Ident); ok {
			name.Obj = &ast.Object{Name: name.Name, Kind: ast.Var, Decl: s}
			if name.Name == "_" {
				continue
			}
			if known := r.insert(name.Obj); known != nil {
				name.Obj = known
			} else {
				declared++
			}
		}
	}
	if declared == 0 {
		r.error(s.Lhs[0].Pos(), "no new variables on left side of :=")
	}
}

// walk walks a node.
func (r *resolver) walk(n ast.Node) {
	if r.Visit(n) != nil {
		ast.Walk(parts{r}, n)
	}
}

// parts has ast.Walk go on to the parts of a node at once.
type parts struct{ r *resolver }

func (p parts) Visit(ast.Node) ast.Visitor { return p.r }

// each walks all nodes of a list.
func each[N ast.Node](r *resolver, list []N) {
	for _, n := range list {
		r.walk(n)
	}
}

// maybe walks the nodes that are there.
func (r *resolver) maybe(nodes ...ast.Node) {
	for _, n := range nodes {
		if n != nil {
			r.walk(n)
		}
	}
}

// Visit does what nodes ask for that have names of their own, or scopes. Others are walked as
// ast.Walk does, and so would be a few that are frequent.
func (r *resolver) Visit(node ast.Node) ast.Visitor {
	switch n := node.(type) {
	case *ast.Ident:
		r.use(n, true)
	case *ast.BasicLit:
	case *ast.SelectorExpr:
		r.walk(n.X)
	case *ast.CallExpr:
		r.walk(n.Fun)
		each(r, n.Args)
	case *ast.BinaryExpr:
		r.walk(n.X)
		r.walk(n.Y)
	case *ast.ExprStmt:
		r.walk(n.X)
	case *ast.AssignStmt:
		each(r, n.Rhs)
		r.assign(n)
	case *ast.CompositeLit:
		r.literal(n)
	case *ast.GenDecl:
		r.genDecl(n)
	case *ast.LabeledStmt:
		r.label(n)
		r.walk(n.Stmt)
	case *ast.BranchStmt:
		if n.Label != nil {
			r.gotos = append(r.gotos, n.Label)
		}
	case *ast.SelectStmt:
		each(r, n.Body.List)
	case *ast.CaseClause:
		each(r, n.List)
		outer := r.open(n)
		each(r, n.Body)
		r.close(outer)
	case *ast.TypeSwitchStmt:
		r.typeSwitch(n)
	case *ast.FuncDecl:
		outer := r.open(n)
		r.method(n)
		r.close(outer)
		if n.Name.Name != "init" && n.Recv == nil {
			r.declare(n, nil, ast.Fun, n.Name)
		}
	case *ast.BlockStmt, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt,
		*ast.CommClause, *ast.FuncLit, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		outer := r.open(n)
		r.within(n)
		r.close(outer)
	default:
		return r
	}
	return nil
}

// within walks a node in a scope of its own.
func (r *resolver) within(node ast.Node) {
	switch n := node.(type) {
	case *ast.BlockStmt:
		each(r, n.List)
	case *ast.IfStmt:
		r.maybe(n.Init, n.Cond, n.Body, n.Else)
	case *ast.ForStmt:
		r.maybe(n.Init, n.Cond, n.Post, n.Body)
	case *ast.RangeStmt:
		r.walk(n.X)
		r.variables(n)
		r.walk(n.Body)
	case *ast.SwitchStmt:
		r.maybe(n.Init)
		if n.Init != nil && n.Tag != nil {
			r.open(n.Tag)
		}
		r.maybe(n.Tag)
		each(r, n.Body.List)
	case *ast.CommClause:
		r.maybe(n.Comm)
		each(r, n.Body)
	case *ast.FuncLit:
		r.fields(ast.Var, n.Type.Params, n.Type.Results)
		r.body(n.Body)
	case *ast.FuncType:
		r.fields(ast.Var, n.Params, n.Results)
	case *ast.StructType:
		r.fields(ast.Var, n.Fields)
	case *ast.InterfaceType:
		r.fields(ast.Fun, n.Methods)
	}
}

// typeSwitch walks a switch over types, in one scope or, with an initializer, in two.
func (r *resolver) typeSwitch(n *ast.TypeSwitchStmt) {
	if n.Init != nil {
		defer r.close(r.open(n))
		r.walk(n.Init)
	}
	guarded := r.open(n.Assign)
	r.walk(n.Assign)
	each(r, n.Body.List)
	r.close(guarded)
}

// variables declares or uses the variables of a range. The objects that it declares have an
// assignment as their declaration.
func (r *resolver) variables(n *ast.RangeStmt) {
	a := &ast.AssignStmt{Tok: n.Tok, TokPos: n.TokPos}
	for _, x := range [...]ast.Expr{n.Key, n.Value} {
		if x == nil {
			continue
		}
		a.Lhs = append(a.Lhs, x)
		if bare := ast.Unparen(x); n.Tok == token.DEFINE && bare != nil {
			if _, ok := bare.(*ast.Ident); !ok {
				r.walk(bare)
			}
		}
	}
	if a.Lhs != nil {
		a.Rhs = []ast.Expr{&ast.UnaryExpr{Op: token.RANGE, X: n.X}}
		r.assign(a)
	}
}

// literal walks a composite literal. A name that is a key may be one of a field.
func (r *resolver) literal(n *ast.CompositeLit) {
	r.maybe(n.Type)
	for _, x := range n.Elts {
		if pair, ok := x.(*ast.KeyValueExpr); ok {
			x = pair.Value
			if key, ok := pair.Key.(*ast.Ident); ok {
				r.use(key, false)
			} else {
				r.walk(pair.Key)
			}
		}
		r.walk(x)
	}
}

func (r *resolver) genDecl(d *ast.GenDecl) {
	var opened []level
	kind := ast.Con
	if d.Tok == token.VAR {
		kind = ast.Var
	}
	for i, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.ValueSpec:
			each(r, s.Values)
			r.maybe(s.Type)
			r.declare(s, i, kind, s.Names...)
		case *ast.TypeSpec:
			r.declare(s, nil, ast.Typ, s.Name)
			if s.TypeParams != nil {
				// As in Go, this scope has the rest of the group's types as well.
				opened = append(opened, r.open(s))
				r.names(ast.Typ, s.TypeParams)
				r.types(s.TypeParams)
			}
			r.walk(s.Type)
		}
	}
	if opened != nil {
		r.close(opened[0])
	}
}

// fields walks the types of lists of fields, and then declares the names.
func (r *resolver) fields(kind ast.ObjKind, lists ...*ast.FieldList) {
	r.types(lists...)
	r.names(kind, lists...)
}

// types walks the types of lists of fields. A list may be nil.
func (r *resolver) types(lists ...*ast.FieldList) {
	for _, list := range lists {
		if list != nil {
			for _, f := range list.List {
				r.maybe(f.Type)
			}
		}
	}
}

// names declares the names of lists of fields. A list may be nil.
func (r *resolver) names(kind ast.ObjKind, lists ...*ast.FieldList) {
	for _, list := range lists {
		if list != nil {
			for _, f := range list.List {
				r.declare(f, nil, kind, f.Names...)
			}
		}
	}
}

// method walks a function or method; the function's own name is declared elsewhere.
func (r *resolver) method(d *ast.FuncDecl) {
	r.receiver(d.Recv)
	r.names(ast.Typ, d.Type.TypeParams)
	r.types(d.Type.TypeParams, d.Type.Params, d.Type.Results)
	r.names(ast.Var, d.Recv, d.Type.Params, d.Type.Results)
	r.body(d.Body)
}

// receiver declares the type parameters that a receiver names, and walks the rest of its type.
func (r *resolver) receiver(list *ast.FieldList) {
	if list == nil {
		return
	}
	for i, f := range list.List {
		if i > 0 {
			r.maybe(f.Type)
			continue
		}
		t := f.Type
		if star, ok := t.(*ast.StarExpr); ok {
			t = star.X
		}
		var args, uses []ast.Expr
		if one, ok := t.(*ast.IndexExpr); ok {
			t, args = one.X, []ast.Expr{one.Index}
		} else if many, ok := t.(*ast.IndexListExpr); ok {
			t, args = many.X, many.Indices
		}
		for _, x := range args {
			if name, ok := x.(*ast.Ident); ok {
				r.declare(name, nil, ast.Typ, name)
			} else {
				uses = append(uses, x)
			}
		}
		r.maybe(t)
		each(r, uses)
	}
}

// body walks a function's statements, which have labels of their own.
func (r *resolver) body(b *ast.BlockStmt) {
	if b == nil {
		return
	}
	labels, first := r.labels, len(r.gotos)
	r.labels = nil
	each(r, b.List)
	for _, name := range r.gotos[first:] {
		if name.Obj = r.labels[name.Name]; name.Obj == nil {
			r.error(name.NamePos, "label "+name.Name+" undefined")
		}
	}
	r.labels, r.gotos = labels, r.gotos[:first]
}

// label declares a label in the function at work.
func (r *resolver) label(s *ast.LabeledStmt) {
	name := s.Label
	name.Obj = &ast.Object{Name: name.Name, Kind: ast.Lbl, Decl: s}
	if name.Name == "_" {
		return
	}
	if first := r.labels[name.Name]; first != nil {
		r.redeclared(name, first)
		return
	}
	if r.labels == nil {
		r.labels = map[string]*ast.Object{}
	}
	r.labels[name.Name] = name.Obj
}
