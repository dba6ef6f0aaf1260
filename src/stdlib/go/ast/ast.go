// Package ast has the types of Go's syntax trees.
package ast

import (
	"go/token"
	"slices"
	"strings"
)

// Node is a node of a tree.
type Node interface {
	Pos() token.Pos // of its first character
	End() token.Pos // behind its last
}

// Expr is an expression or a type.
type Expr interface {
	Node
	exprNode()
}

// Stmt is a statement.
type Stmt interface {
	Node
	stmtNode()
}

// Decl is a declaration.
type Decl interface {
	Node
	declNode()
}

// Spec is a part of an import, const, type or var declaration.
type Spec interface {
	Node
	specNode()
}

// Comment is a comment of either form, without carriage returns and the newline at its end.
type Comment struct {
	Slash token.Pos
	Text  string
}

// CommentGroup is a run of comments with neither tokens nor empty lines between them.
type CommentGroup struct {
	List []*Comment
}

// Field is a line of parameters, of fields, or of an interface.
type Field struct {
	Doc     *CommentGroup
	Names   []*Ident
	Type    Expr
	Tag     *BasicLit
	Comment *CommentGroup
}

// FieldList is a list of fields in parentheses, brackets or braces.
type FieldList struct {
	Opening token.Pos
	List    []*Field
	Closing token.Pos
}

// Expressions.
type (
	// BadExpr stands where no expression could be read.
	BadExpr struct {
		From, To token.Pos
	}

	// Ident is a name.
	Ident struct {
		NamePos token.Pos
		Name    string
		Obj     *Object
	}

	// Ellipsis is the `...` of a parameter or of an array's length.
	Ellipsis struct {
		Ellipsis token.Pos
		Elt      Expr
	}

	// BasicLit is a literal of one token.
	BasicLit struct {
		ValuePos token.Pos
		ValueEnd token.Pos
		Kind     token.Token
		Value    string
	}

	// FuncLit is a function literal.
	FuncLit struct {
		Type *FuncType
		Body *BlockStmt
	}

	// CompositeLit is `T{…}`.
	CompositeLit struct {
		Type       Expr
		Lbrace     token.Pos
		Elts       []Expr
		Rbrace     token.Pos
		Incomplete bool
	}

	// ParenExpr is `(x)`.
	ParenExpr struct {
		Lparen token.Pos
		X      Expr
		Rparen token.Pos
	}

	// SelectorExpr is `x.f`.
	SelectorExpr struct {
		X   Expr
		Sel *Ident
	}

	// IndexExpr is `x[i]`.
	IndexExpr struct {
		X      Expr
		Lbrack token.Pos
		Index  Expr
		Rbrack token.Pos
	}

	// IndexListExpr is `x[A, B]`.
	IndexListExpr struct {
		X       Expr
		Lbrack  token.Pos
		Indices []Expr
		Rbrack  token.Pos
	}

	// SliceExpr is `x[i:j]` or `x[i:j:k]`.
	SliceExpr struct {
		X      Expr
		Lbrack token.Pos
		Low    Expr
		High   Expr
		Max    Expr
		Slice3 bool
		Rbrack token.Pos
	}

	// TypeAssertExpr is `x.(T)`, or `x.(type)` without a type.
	TypeAssertExpr struct {
		X      Expr
		Lparen token.Pos
		Type   Expr
		Rparen token.Pos
	}

	// CallExpr is a call or a conversion.
	CallExpr struct {
		Fun      Expr
		Lparen   token.Pos
		Args     []Expr
		Ellipsis token.Pos
		Rparen   token.Pos
	}

	// StarExpr is `*x`: a pointer's type, or what it points to.
	StarExpr struct {
		Star token.Pos
		X    Expr
	}

	// UnaryExpr is any other operator before its operand.
	UnaryExpr struct {
		OpPos token.Pos
		Op    token.Token
		X     Expr
	}

	// BinaryExpr is an operator between its operands.
	BinaryExpr struct {
		X     Expr
		OpPos token.Pos
		Op    token.Token
		Y     Expr
	}

	// KeyValueExpr is `key: value` in a composite literal.
	KeyValueExpr struct {
		Key   Expr
		Colon token.Pos
		Value Expr
	}
)

// ChanDir is a set of SEND and RECV.
type ChanDir int

const (
	SEND ChanDir = 1 << iota
	RECV
)

// Types.
type (
	// ArrayType is `[n]T`, `[...]T` or, without a length, `[]T`.
	ArrayType struct {
		Lbrack token.Pos
		Len    Expr
		Elt    Expr
	}

	// StructType is a struct type.
	StructType struct {
		Struct     token.Pos
		Fields     *FieldList
		Incomplete bool
	}

	// FuncType is a function type, a signature.
	FuncType struct {
		Func       token.Pos
		TypeParams *FieldList
		Params     *FieldList
		Results    *FieldList
	}

	// InterfaceType is an interface type.
	InterfaceType struct {
		Interface  token.Pos
		Methods    *FieldList
		Incomplete bool
	}

	// MapType is a map type.
	MapType struct {
		Map   token.Pos
		Key   Expr
		Value Expr
	}

	// ChanType is a channel type.
	ChanType struct {
		Begin token.Pos
		Arrow token.Pos
		Dir   ChanDir
		Value Expr
	}
)

// Statements.
type (
	// BadStmt stands where no statement could be read.
	BadStmt struct {
		From, To token.Pos
	}

	// DeclStmt is a declaration.
	DeclStmt struct {
		Decl Decl
	}

	// EmptyStmt is nothing before a semicolon.
	EmptyStmt struct {
		Semicolon token.Pos
		Implicit  bool
	}

	// LabeledStmt has a label.
	LabeledStmt struct {
		Label *Ident
		Colon token.Pos
		Stmt  Stmt
	}

	// ExprStmt is an expression.
	ExprStmt struct {
		X Expr
	}

	// SendStmt is `c <- x`.
	SendStmt struct {
		Chan  Expr
		Arrow token.Pos
		Value Expr
	}

	// IncDecStmt is `x++` or `x--`.
	IncDecStmt struct {
		X      Expr
		TokPos token.Pos
		Tok    token.Token
	}

	// AssignStmt assigns, or declares with `:=`.
	AssignStmt struct {
		Lhs    []Expr
		TokPos token.Pos
		Tok    token.Token
		Rhs    []Expr
	}

	// GoStmt is a go statement.
	GoStmt struct {
		Go   token.Pos
		Call *CallExpr
	}

	// DeferStmt is a defer statement.
	DeferStmt struct {
		Defer token.Pos
		Call  *CallExpr
	}

	// ReturnStmt is a return statement.
	ReturnStmt struct {
		Return  token.Pos
		Results []Expr
	}

	// BranchStmt is break, continue, goto or fallthrough.
	BranchStmt struct {
		TokPos token.Pos
		Tok    token.Token
		Label  *Ident
	}

	// BlockStmt is a list of statements in braces.
	BlockStmt struct {
		Lbrace token.Pos
		List   []Stmt
		Rbrace token.Pos
	}

	// IfStmt is an if statement.
	IfStmt struct {
		If   token.Pos
		Init Stmt
		Cond Expr
		Body *BlockStmt
		Else Stmt
	}

	// CaseClause is a case of a switch; the default has no list.
	CaseClause struct {
		Case  token.Pos
		List  []Expr
		Colon token.Pos
		Body  []Stmt
	}

	// SwitchStmt is a switch over values.
	SwitchStmt struct {
		Switch token.Pos
		Init   Stmt
		Tag    Expr
		Body   *BlockStmt
	}

	// TypeSwitchStmt is a switch over types.
	TypeSwitchStmt struct {
		Switch token.Pos
		Init   Stmt
		Assign Stmt
		Body   *BlockStmt
	}

	// CommClause is a case of a select; the default has no statement.
	CommClause struct {
		Case  token.Pos
		Comm  Stmt
		Colon token.Pos
		Body  []Stmt
	}

	// SelectStmt is a select statement.
	SelectStmt struct {
		Select token.Pos
		Body   *BlockStmt
	}

	// ForStmt is a for statement without range.
	ForStmt struct {
		For  token.Pos
		Init Stmt
		Cond Expr
		Post Stmt
		Body *BlockStmt
	}

	// RangeStmt is a for statement with range.
	RangeStmt struct {
		For        token.Pos
		Key, Value Expr
		TokPos     token.Pos
		Tok        token.Token
		Range      token.Pos
		X          Expr
		Body       *BlockStmt
	}
)

// Parts of declarations.
type (
	// ImportSpec imports a package.
	ImportSpec struct {
		Doc     *CommentGroup
		Name    *Ident
		Path    *BasicLit
		Comment *CommentGroup
		EndPos  token.Pos
	}

	// ValueSpec declares constants or variables.
	ValueSpec struct {
		Doc     *CommentGroup
		Names   []*Ident
		Type    Expr
		Values  []Expr
		Comment *CommentGroup
	}

	// TypeSpec declares a type.
	TypeSpec struct {
		Doc        *CommentGroup
		Name       *Ident
		TypeParams *FieldList
		Assign     token.Pos
		Type       Expr
		Comment    *CommentGroup
	}
)

// Declarations.
type (
	// BadDecl stands where no declaration could be read.
	BadDecl struct {
		From, To token.Pos
	}

	// GenDecl is any declaration but that of a function.
	GenDecl struct {
		Doc    *CommentGroup
		TokPos token.Pos
		Tok    token.Token
		Lparen token.Pos
		Specs  []Spec
		Rparen token.Pos
	}

	// FuncDecl declares a function or a method.
	FuncDecl struct {
		Doc  *CommentGroup
		Recv *FieldList
		Name *Ident
		Type *FuncType
		Body *BlockStmt
	}
)

// File is a source file.
type File struct {
	Doc     *CommentGroup
	Package token.Pos
	Name    *Ident
	Decls   []Decl

	FileStart, FileEnd token.Pos
	Scope              *Scope
	Imports            []*ImportSpec
	Unresolved         []*Ident
	Comments           []*CommentGroup
	GoVersion          string
}

// Package is a set of files.
type Package struct {
	Name    string
	Scope   *Scope
	Imports map[string]*Object
	Files   map[string]*File
}

func (*BadExpr) exprNode()        {}
func (*Ident) exprNode()          {}
func (*Ellipsis) exprNode()       {}
func (*BasicLit) exprNode()       {}
func (*FuncLit) exprNode()        {}
func (*CompositeLit) exprNode()   {}
func (*ParenExpr) exprNode()      {}
func (*SelectorExpr) exprNode()   {}
func (*IndexExpr) exprNode()      {}
func (*IndexListExpr) exprNode()  {}
func (*SliceExpr) exprNode()      {}
func (*TypeAssertExpr) exprNode() {}
func (*CallExpr) exprNode()       {}
func (*StarExpr) exprNode()       {}
func (*UnaryExpr) exprNode()      {}
func (*BinaryExpr) exprNode()     {}
func (*KeyValueExpr) exprNode()   {}
func (*ArrayType) exprNode()      {}
func (*StructType) exprNode()     {}
func (*FuncType) exprNode()       {}
func (*InterfaceType) exprNode()  {}
func (*MapType) exprNode()        {}
func (*ChanType) exprNode()       {}

func (*BadStmt) stmtNode()        {}
func (*DeclStmt) stmtNode()       {}
func (*EmptyStmt) stmtNode()      {}
func (*LabeledStmt) stmtNode()    {}
func (*ExprStmt) stmtNode()       {}
func (*SendStmt) stmtNode()       {}
func (*IncDecStmt) stmtNode()     {}
func (*AssignStmt) stmtNode()     {}
func (*GoStmt) stmtNode()         {}
func (*DeferStmt) stmtNode()      {}
func (*ReturnStmt) stmtNode()     {}
func (*BranchStmt) stmtNode()     {}
func (*BlockStmt) stmtNode()      {}
func (*IfStmt) stmtNode()         {}
func (*CaseClause) stmtNode()     {}
func (*SwitchStmt) stmtNode()     {}
func (*TypeSwitchStmt) stmtNode() {}
func (*CommClause) stmtNode()     {}
func (*SelectStmt) stmtNode()     {}
func (*ForStmt) stmtNode()        {}
func (*RangeStmt) stmtNode()      {}

func (*ImportSpec) specNode() {}
func (*ValueSpec) specNode()  {}
func (*TypeSpec) specNode()   {}

func (*BadDecl) declNode()  {}
func (*GenDecl) declNode()  {}
func (*FuncDecl) declNode() {}

// IsExported says whether a name begins with an upper-case letter.
func IsExported(name string) bool { return token.IsExported(name) }

// NewIdent returns a name that is nowhere.
func NewIdent(name string) *Ident { return &Ident{Name: name} }

func (n *Ident) String() string {
	if n != nil {
		return n.Name
	}
	return "<nil>"
}

// IsExported is the function of that name.
func (n *Ident) IsExported() bool { return IsExported(n.Name) }

// NumFields counts parameters or fields, those without name too.
func (n *FieldList) NumFields() int {
	count := 0
	if n != nil {
		for _, field := range n.List {
			count += max(1, len(field.Names))
		}
	}
	return count
}

// Text returns what the comments say: without their marks, directives, spaces at the ends of
// lines, and empty lines at both ends or after one another.
func (n *CommentGroup) Text() string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	begun, gap := false, false
	for _, comment := range n.List {
		text := comment.Text
		if text[1] == '/' {
			text = text[2:]
			if rest, spaced := strings.CutPrefix(text, " "); spaced {
				text = rest
			} else if isDirective(text) {
				continue
			}
		} else {
			text = text[2 : len(text)-2]
		}
		for line := range strings.SplitSeq(text, "\n") {
			line = strings.TrimRight(line, " \t\n\r")
			if line == "" {
				gap = begun
				continue
			}
			if gap {
				b.WriteByte('\n')
			}
			begun, gap = true, false
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func isToolByte(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

// isDirective says whether a comment, without its slashes, speaks to a tool.
func isDirective(text string) bool {
	for _, word := range []string{"line ", "extern ", "export "} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return directiveColon(text) > 0
}

// directiveColon returns the index of the colon of `tool:name`, or 0.
func directiveColon(text string) int {
	colon := strings.IndexByte(text, ':')
	if colon <= 0 || colon+1 >= len(text) || !isToolByte(text[colon+1]) {
		return 0
	}
	for i := range colon {
		if !isToolByte(text[i]) {
			return 0
		}
	}
	return colon
}

// IsGenerated says whether a comment before the package clause says that a program wrote the
// file.
func IsGenerated(file *File) bool {
	early := func(c *Comment) bool { return c.Slash <= file.Package }
	return slices.ContainsFunc(file.Comments, func(group *CommentGroup) bool {
		return slices.ContainsFunc(group.List, func(c *Comment) bool {
			return early(c) && saysGenerated(c.Text)
		})
	})
}

// saysGenerated says whether a line of text is the mark of generated files.
func saysGenerated(text string) bool {
	const begin, end = "// Code generated ", " DO NOT EDIT."
	for more := strings.Contains(text, begin); more; {
		var line string
		line, text, more = strings.Cut(text, "\n")
		if len(line) >= len(begin+end) && strings.HasPrefix(line, begin) &&
			strings.HasSuffix(line, end) {
			return true
		}
	}
	return false
}

// Unparen takes off the parentheses around e.
func Unparen(e Expr) Expr {
	paren, inside := e.(*ParenExpr)
	for inside {
		e = paren.X
		paren, inside = e.(*ParenExpr)
	}
	return e
}
