package ast

import "go/token"

// behind returns the end of the last node, or else what is given.
func behind[N Node](list []N, otherwise token.Pos) token.Pos {
	if n := len(list); n > 0 {
		return list[n-1].End()
	}
	return otherwise
}

func (f *FieldList) Pos() token.Pos {
	if !f.Opening.IsValid() && len(f.List) > 0 {
		return f.List[0].Pos()
	}
	return f.Opening
}
func (f *FieldList) End() token.Pos {
	if !f.Closing.IsValid() {
		return behind(f.List, token.NoPos)
	}
	return f.Closing + 1
}

func (f *Field) Pos() (at token.Pos) {
	switch {
	case len(f.Names) > 0:
		at = f.Names[0].NamePos
	case f.Type != nil:
		at = f.Type.Pos()
	}
	return at
}
func (f *Field) End() token.Pos {
	switch {
	case f.Tag != nil:
		return f.Tag.End()
	case f.Type != nil:
		return f.Type.End()
	}
	return behind(f.Names, token.NoPos)
}

func (g *CommentGroup) Pos() token.Pos { return g.List[0].Slash }
func (g *CommentGroup) End() token.Pos { return g.List[len(g.List)-1].End() }

func (c *Comment) Pos() token.Pos { return c.Slash }
func (c *Comment) End() token.Pos { return c.Slash + token.Pos(len(c.Text)) }

func (x *BadExpr) Pos() token.Pos { return x.From }
func (x *BadExpr) End() token.Pos { return x.To }

func (x *Ident) Pos() token.Pos { return x.NamePos }
func (x *Ident) End() token.Pos { return x.NamePos + token.Pos(len(x.Name)) }

func (x *Ellipsis) Pos() token.Pos { return x.Ellipsis }
func (x *Ellipsis) End() token.Pos {
	if x.Elt == nil {
		return x.Ellipsis + token.Pos(len("..."))
	}
	return x.Elt.End()
}

func (x *BasicLit) Pos() token.Pos { return x.ValuePos }
func (x *BasicLit) End() token.Pos {
	if x.ValueEnd.IsValid() {
		return x.ValueEnd
	}
	return x.ValuePos + token.Pos(len(x.Value))
}

func (x *FuncLit) Pos() token.Pos { return x.Type.Pos() }
func (x *FuncLit) End() token.Pos { return x.Body.End() }

func (x *CompositeLit) Pos() token.Pos {
	if x.Type == nil {
		return x.Lbrace
	}
	return x.Type.Pos()
}
func (x *CompositeLit) End() token.Pos { return x.Rbrace + 1 }

func (x *ParenExpr) Pos() token.Pos { return x.Lparen }
func (x *ParenExpr) End() token.Pos { return x.Rparen + 1 }

func (x *SelectorExpr) Pos() token.Pos { return x.X.Pos() }
func (x *SelectorExpr) End() token.Pos { return x.Sel.End() }

func (x *IndexExpr) Pos() token.Pos { return x.X.Pos() }
func (x *IndexExpr) End() token.Pos { return x.Rbrack + 1 }

func (x *IndexListExpr) Pos() token.Pos { return x.X.Pos() }
func (x *IndexListExpr) End() token.Pos { return x.Rbrack + 1 }

func (x *SliceExpr) Pos() token.Pos { return x.X.Pos() }
func (x *SliceExpr) End() token.Pos { return x.Rbrack + 1 }

func (x *TypeAssertExpr) Pos() token.Pos { return x.X.Pos() }
func (x *TypeAssertExpr) End() token.Pos { return x.Rparen + 1 }

func (x *CallExpr) Pos() token.Pos { return x.Fun.Pos() }
func (x *CallExpr) End() token.Pos { return x.Rparen + 1 }

func (x *StarExpr) Pos() token.Pos { return x.Star }
func (x *StarExpr) End() token.Pos { return x.X.End() }

func (x *UnaryExpr) Pos() token.Pos { return x.OpPos }
func (x *UnaryExpr) End() token.Pos { return x.X.End() }

func (x *BinaryExpr) Pos() token.Pos { return x.X.Pos() }
func (x *BinaryExpr) End() token.Pos { return x.Y.End() }

func (x *KeyValueExpr) Pos() token.Pos { return x.Key.Pos() }
func (x *KeyValueExpr) End() token.Pos { return x.Value.End() }

func (x *ArrayType) Pos() token.Pos { return x.Lbrack }
func (x *ArrayType) End() token.Pos { return x.Elt.End() }

func (x *StructType) Pos() token.Pos { return x.Struct }
func (x *StructType) End() token.Pos { return x.Fields.End() }

func (x *FuncType) Pos() token.Pos {
	if !x.Func.IsValid() && x.Params != nil {
		return x.Params.Pos() // a method of an interface
	}
	return x.Func
}
func (x *FuncType) End() token.Pos {
	if x.Results == nil {
		return x.Params.End()
	}
	return x.Results.End()
}

func (x *InterfaceType) Pos() token.Pos { return x.Interface }
func (x *InterfaceType) End() token.Pos { return x.Methods.End() }

func (x *MapType) Pos() token.Pos { return x.Map }
func (x *MapType) End() token.Pos { return x.Value.End() }

func (x *ChanType) Pos() token.Pos { return x.Begin }
func (x *ChanType) End() token.Pos { return x.Value.End() }

func (s *BadStmt) Pos() token.Pos { return s.From }
func (s *BadStmt) End() token.Pos { return s.To }

func (s *DeclStmt) Pos() token.Pos { return s.Decl.Pos() }
func (s *DeclStmt) End() token.Pos { return s.Decl.End() }

func (s *EmptyStmt) Pos() token.Pos { return s.Semicolon }
func (s *EmptyStmt) End() token.Pos {
	if s.Implicit {
		return s.Semicolon
	}
	return s.Semicolon + 1
}

func (s *LabeledStmt) Pos() token.Pos { return s.Label.Pos() }
func (s *LabeledStmt) End() token.Pos { return s.Stmt.End() }

func (s *ExprStmt) Pos() token.Pos { return s.X.Pos() }
func (s *ExprStmt) End() token.Pos { return s.X.End() }

func (s *SendStmt) Pos() token.Pos { return s.Chan.Pos() }
func (s *SendStmt) End() token.Pos { return s.Value.End() }

func (s *IncDecStmt) Pos() token.Pos { return s.X.Pos() }
func (s *IncDecStmt) End() token.Pos { return s.TokPos + token.Pos(len("++")) }

func (s *AssignStmt) Pos() token.Pos { return s.Lhs[0].Pos() }
func (s *AssignStmt) End() token.Pos { return s.Rhs[len(s.Rhs)-1].End() }

func (s *GoStmt) Pos() token.Pos { return s.Go }
func (s *GoStmt) End() token.Pos { return s.Call.End() }

func (s *DeferStmt) Pos() token.Pos { return s.Defer }
func (s *DeferStmt) End() token.Pos { return s.Call.End() }

func (s *ReturnStmt) Pos() token.Pos { return s.Return }
func (s *ReturnStmt) End() token.Pos {
	return behind(s.Results, s.Return+token.Pos(len("return")))
}

func (s *BranchStmt) Pos() token.Pos { return s.TokPos }
func (s *BranchStmt) End() token.Pos {
	if s.Label == nil {
		return s.TokPos + token.Pos(len(s.Tok.String()))
	}
	return s.Label.End()
}

func (s *BlockStmt) Pos() token.Pos { return s.Lbrace }
func (s *BlockStmt) End() token.Pos {
	if !s.Rbrace.IsValid() {
		return behind(s.List, s.Lbrace+1)
	}
	return s.Rbrace + 1
}

func (s *IfStmt) Pos() token.Pos { return s.If }
func (s *IfStmt) End() token.Pos {
	if s.Else == nil {
		return s.Body.End()
	}
	return s.Else.End()
}

func (s *CaseClause) Pos() token.Pos { return s.Case }
func (s *CaseClause) End() token.Pos { return behind(s.Body, s.Colon+1) }

func (s *SwitchStmt) Pos() token.Pos { return s.Switch }
func (s *SwitchStmt) End() token.Pos { return s.Body.End() }

func (s *TypeSwitchStmt) Pos() token.Pos { return s.Switch }
func (s *TypeSwitchStmt) End() token.Pos { return s.Body.End() }

func (s *CommClause) Pos() token.Pos { return s.Case }
func (s *CommClause) End() token.Pos { return behind(s.Body, s.Colon+1) }

func (s *SelectStmt) Pos() token.Pos { return s.Select }
func (s *SelectStmt) End() token.Pos { return s.Body.End() }

func (s *ForStmt) Pos() token.Pos { return s.For }
func (s *ForStmt) End() token.Pos { return s.Body.End() }

func (s *RangeStmt) Pos() token.Pos { return s.For }
func (s *RangeStmt) End() token.Pos { return s.Body.End() }

func (s *ImportSpec) Pos() token.Pos {
	if s.Name == nil {
		return s.Path.Pos()
	}
	return s.Name.Pos()
}
func (s *ImportSpec) End() token.Pos {
	if s.EndPos == token.NoPos {
		return s.Path.End()
	}
	return s.EndPos
}

func (s *ValueSpec) Pos() token.Pos { return s.Names[0].Pos() }
func (s *ValueSpec) End() token.Pos {
	switch last := len(s.Values) - 1; {
	case last >= 0:
		return s.Values[last].End()
	case s.Type != nil:
		return s.Type.End()
	}
	return s.Names[len(s.Names)-1].End()
}

func (s *TypeSpec) Pos() token.Pos { return s.Name.Pos() }
func (s *TypeSpec) End() token.Pos { return s.Type.End() }

func (d *BadDecl) Pos() token.Pos { return d.From }
func (d *BadDecl) End() token.Pos { return d.To }

func (d *GenDecl) Pos() token.Pos { return d.TokPos }
func (d *GenDecl) End() token.Pos {
	if !d.Rparen.IsValid() {
		return d.Specs[0].End()
	}
	return d.Rparen + 1
}

func (d *FuncDecl) Pos() token.Pos { return d.Type.Pos() }
func (d *FuncDecl) End() token.Pos {
	if d.Body == nil {
		return d.Type.End()
	}
	return d.Body.End()
}

func (f *File) Pos() token.Pos { return f.Package }
func (f *File) End() token.Pos { return behind(f.Decls, f.Name.End()) }

func (p *Package) Pos() token.Pos { return token.NoPos }
func (p *Package) End() token.Pos { return token.NoPos }
