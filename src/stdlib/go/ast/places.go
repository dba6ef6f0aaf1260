package ast

import "go/token"

// behind returns the end of the last node, or else what is given.
func behind[N Node](list []N, otherwise token.Pos) token.Pos {
	if n := len(list); n > 0 {
		return list[n-1].End()
	}
	return otherwise
}

// These begin at a token whose place the parser has noted.

func (n *CommentGroup) Pos() token.Pos   { return n.List[0].Slash }
func (n *Comment) Pos() token.Pos        { return n.Slash }
func (n *BadExpr) Pos() token.Pos        { return n.From }
func (n *Ident) Pos() token.Pos          { return n.NamePos }
func (n *Ellipsis) Pos() token.Pos       { return n.Ellipsis }
func (n *BasicLit) Pos() token.Pos       { return n.ValuePos }
func (n *ParenExpr) Pos() token.Pos      { return n.Lparen }
func (n *StarExpr) Pos() token.Pos       { return n.Star }
func (n *UnaryExpr) Pos() token.Pos      { return n.OpPos }
func (n *ArrayType) Pos() token.Pos      { return n.Lbrack }
func (n *StructType) Pos() token.Pos     { return n.Struct }
func (n *InterfaceType) Pos() token.Pos  { return n.Interface }
func (n *MapType) Pos() token.Pos        { return n.Map }
func (n *ChanType) Pos() token.Pos       { return n.Begin }
func (n *BadStmt) Pos() token.Pos        { return n.From }
func (n *EmptyStmt) Pos() token.Pos      { return n.Semicolon }
func (n *GoStmt) Pos() token.Pos         { return n.Go }
func (n *DeferStmt) Pos() token.Pos      { return n.Defer }
func (n *ReturnStmt) Pos() token.Pos     { return n.Return }
func (n *BranchStmt) Pos() token.Pos     { return n.TokPos }
func (n *BlockStmt) Pos() token.Pos      { return n.Lbrace }
func (n *IfStmt) Pos() token.Pos         { return n.If }
func (n *CaseClause) Pos() token.Pos     { return n.Case }
func (n *SwitchStmt) Pos() token.Pos     { return n.Switch }
func (n *TypeSwitchStmt) Pos() token.Pos { return n.Switch }
func (n *CommClause) Pos() token.Pos     { return n.Case }
func (n *SelectStmt) Pos() token.Pos     { return n.Select }
func (n *ForStmt) Pos() token.Pos        { return n.For }
func (n *RangeStmt) Pos() token.Pos      { return n.For }
func (n *BadDecl) Pos() token.Pos        { return n.From }
func (n *GenDecl) Pos() token.Pos        { return n.TokPos }
func (n *File) Pos() token.Pos           { return n.Package }

// These begin where their first part does.

func (n *FuncLit) Pos() token.Pos        { return n.Type.Pos() }
func (n *SelectorExpr) Pos() token.Pos   { return n.X.Pos() }
func (n *IndexExpr) Pos() token.Pos      { return n.X.Pos() }
func (n *IndexListExpr) Pos() token.Pos  { return n.X.Pos() }
func (n *SliceExpr) Pos() token.Pos      { return n.X.Pos() }
func (n *TypeAssertExpr) Pos() token.Pos { return n.X.Pos() }
func (n *CallExpr) Pos() token.Pos       { return n.Fun.Pos() }
func (n *BinaryExpr) Pos() token.Pos     { return n.X.Pos() }
func (n *KeyValueExpr) Pos() token.Pos   { return n.Key.Pos() }
func (n *DeclStmt) Pos() token.Pos       { return n.Decl.Pos() }
func (n *LabeledStmt) Pos() token.Pos    { return n.Label.Pos() }
func (n *ExprStmt) Pos() token.Pos       { return n.X.Pos() }
func (n *SendStmt) Pos() token.Pos       { return n.Chan.Pos() }
func (n *IncDecStmt) Pos() token.Pos     { return n.X.Pos() }
func (n *AssignStmt) Pos() token.Pos     { return n.Lhs[0].Pos() }
func (n *ValueSpec) Pos() token.Pos      { return n.Names[0].Pos() }
func (n *TypeSpec) Pos() token.Pos       { return n.Name.Pos() }
func (n *FuncDecl) Pos() token.Pos       { return n.Type.Pos() }
func (n *Package) Pos() token.Pos        { return token.NoPos }

// Where these begin depends on which of their parts are there.

func (n *FieldList) Pos() token.Pos {
	if !n.Opening.IsValid() && len(n.List) > 0 {
		return n.List[0].Pos()
	}
	return n.Opening
}

func (n *Field) Pos() (at token.Pos) {
	switch {
	case len(n.Names) > 0:
		at = n.Names[0].NamePos
	case n.Type != nil:
		at = n.Type.Pos()
	}
	return at
}

func (n *CompositeLit) Pos() token.Pos {
	if n.Type == nil {
		return n.Lbrace
	}
	return n.Type.Pos()
}

func (n *FuncType) Pos() token.Pos {
	if !n.Func.IsValid() && n.Params != nil {
		return n.Params.Pos() // a method of an interface
	}
	return n.Func
}

func (n *ImportSpec) Pos() token.Pos {
	if n.Name == nil {
		return n.Path.Pos()
	}
	return n.Name.Pos()
}

// These end behind a token or text of theirs.

func (n *Comment) End() token.Pos        { return n.Slash + token.Pos(len(n.Text)) }
func (n *BadExpr) End() token.Pos        { return n.To }
func (n *Ident) End() token.Pos          { return n.NamePos + token.Pos(len(n.Name)) }
func (n *CompositeLit) End() token.Pos   { return n.Rbrace + 1 }
func (n *ParenExpr) End() token.Pos      { return n.Rparen + 1 }
func (n *IndexExpr) End() token.Pos      { return n.Rbrack + 1 }
func (n *IndexListExpr) End() token.Pos  { return n.Rbrack + 1 }
func (n *SliceExpr) End() token.Pos      { return n.Rbrack + 1 }
func (n *TypeAssertExpr) End() token.Pos { return n.Rparen + 1 }
func (n *CallExpr) End() token.Pos       { return n.Rparen + 1 }
func (n *BadStmt) End() token.Pos        { return n.To }
func (n *IncDecStmt) End() token.Pos     { return n.TokPos + token.Pos(len("++")) }
func (n *BadDecl) End() token.Pos        { return n.To }

// These end where their last part does.

func (n *CommentGroup) End() token.Pos   { return n.List[len(n.List)-1].End() }
func (n *FuncLit) End() token.Pos        { return n.Body.End() }
func (n *SelectorExpr) End() token.Pos   { return n.Sel.End() }
func (n *StarExpr) End() token.Pos       { return n.X.End() }
func (n *UnaryExpr) End() token.Pos      { return n.X.End() }
func (n *BinaryExpr) End() token.Pos     { return n.Y.End() }
func (n *KeyValueExpr) End() token.Pos   { return n.Value.End() }
func (n *ArrayType) End() token.Pos      { return n.Elt.End() }
func (n *StructType) End() token.Pos     { return n.Fields.End() }
func (n *InterfaceType) End() token.Pos  { return n.Methods.End() }
func (n *MapType) End() token.Pos        { return n.Value.End() }
func (n *ChanType) End() token.Pos       { return n.Value.End() }
func (n *DeclStmt) End() token.Pos       { return n.Decl.End() }
func (n *LabeledStmt) End() token.Pos    { return n.Stmt.End() }
func (n *ExprStmt) End() token.Pos       { return n.X.End() }
func (n *SendStmt) End() token.Pos       { return n.Value.End() }
func (n *AssignStmt) End() token.Pos     { return n.Rhs[len(n.Rhs)-1].End() }
func (n *GoStmt) End() token.Pos         { return n.Call.End() }
func (n *DeferStmt) End() token.Pos      { return n.Call.End() }
func (n *SwitchStmt) End() token.Pos     { return n.Body.End() }
func (n *TypeSwitchStmt) End() token.Pos { return n.Body.End() }
func (n *SelectStmt) End() token.Pos     { return n.Body.End() }
func (n *ForStmt) End() token.Pos        { return n.Body.End() }
func (n *RangeStmt) End() token.Pos      { return n.Body.End() }
func (n *TypeSpec) End() token.Pos       { return n.Type.End() }
func (n *Package) End() token.Pos        { return token.NoPos }

// Where these end depends on which of their parts are there.

func (n *FieldList) End() token.Pos {
	if !n.Closing.IsValid() {
		return behind(n.List, token.NoPos)
	}
	return n.Closing + 1
}

func (n *Field) End() token.Pos {
	switch {
	case n.Tag != nil:
		return n.Tag.End()
	case n.Type != nil:
		return n.Type.End()
	}
	return behind(n.Names, token.NoPos)
}

func (n *Ellipsis) End() token.Pos {
	if n.Elt == nil {
		return n.Ellipsis + token.Pos(len("..."))
	}
	return n.Elt.End()
}

func (n *BasicLit) End() token.Pos {
	if n.ValueEnd.IsValid() {
		return n.ValueEnd
	}
	return n.ValuePos + token.Pos(len(n.Value))
}

func (n *FuncType) End() token.Pos {
	if n.Results == nil {
		return n.Params.End()
	}
	return n.Results.End()
}

func (n *EmptyStmt) End() token.Pos {
	if n.Implicit {
		return n.Semicolon
	}
	return n.Semicolon + 1
}

func (n *ReturnStmt) End() token.Pos {
	return behind(n.Results, n.Return+token.Pos(len("return")))
}

func (n *BranchStmt) End() token.Pos {
	if n.Label == nil {
		return n.TokPos + token.Pos(len(n.Tok.String()))
	}
	return n.Label.End()
}

func (n *BlockStmt) End() token.Pos {
	if !n.Rbrace.IsValid() {
		return behind(n.List, n.Lbrace+1)
	}
	return n.Rbrace + 1
}

func (n *IfStmt) End() token.Pos {
	if n.Else == nil {
		return n.Body.End()
	}
	return n.Else.End()
}

func (n *CaseClause) End() token.Pos { return behind(n.Body, n.Colon+1) }

func (n *CommClause) End() token.Pos { return behind(n.Body, n.Colon+1) }

func (n *ImportSpec) End() token.Pos {
	if n.EndPos == token.NoPos {
		return n.Path.End()
	}
	return n.EndPos
}

func (n *ValueSpec) End() token.Pos {
	switch last := len(n.Values) - 1; {
	case last >= 0:
		return n.Values[last].End()
	case n.Type != nil:
		return n.Type.End()
	}
	return n.Names[len(n.Names)-1].End()
}

func (n *GenDecl) End() token.Pos {
	if !n.Rparen.IsValid() {
		return n.Specs[0].End()
	}
	return n.Rparen + 1
}

func (n *FuncDecl) End() token.Pos {
	if n.Body == nil {
		return n.Type.End()
	}
	return n.Body.End()
}

func (n *File) End() token.Pos { return behind(n.Decls, n.Name.End()) }
