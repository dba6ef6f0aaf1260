package ast

import (
	"fmt"
	"iter"
)

// Visitor is shown nodes by Walk.
type Visitor interface {
	// Visit is shown a node, and returns who is to see its children and then nil, if anybody.
	Visit(node Node) (w Visitor)
}

func all[N Node](v Visitor, list []N) {
	for _, node := range list {
		Walk(v, node)
	}
}

// some walks nodes that may be nil pointers; the types of the fields say which can be.
func some[T any, P interface {
	*T
	Node
}](v Visitor, node P) {
	if node != nil {
		Walk(v, node)
	}
}

// maybe walks a node if there is one.
func maybe(v Visitor, node Node) {
	if node != nil {
		Walk(v, node)
	}
}

// Walk shows v a node and what is below it, in the order of the source text. Its cases are in the
// order of how often such nodes are met.
func Walk(v Visitor, node Node) {
	v = v.Visit(node)
	if v == nil {
		return
	}
	switch n := node.(type) {
	case *Comment, *BadExpr, *Ident, *BasicLit, *BadStmt, *EmptyStmt, *BadDecl:
	case *SelectorExpr:
		Walk(v, n.X)
		Walk(v, n.Sel)
	case *CallExpr:
		Walk(v, n.Fun)
		all(v, n.Args)
	case *ExprStmt:
		Walk(v, n.X)
	case *AssignStmt:
		all(v, n.Lhs)
		all(v, n.Rhs)
	case *Field:
		some(v, n.Doc)
		all(v, n.Names)
		maybe(v, n.Type)
		some(v, n.Tag)
		some(v, n.Comment)
	case *UnaryExpr:
		Walk(v, n.X)
	case *BinaryExpr:
		Walk(v, n.X)
		Walk(v, n.Y)
	case *StarExpr:
		Walk(v, n.X)
	case *BlockStmt:
		all(v, n.List)
	case *IfStmt:
		maybe(v, n.Init)
		Walk(v, n.Cond)
		Walk(v, n.Body)
		maybe(v, n.Else)
	case *IndexExpr:
		Walk(v, n.X)
		Walk(v, n.Index)
	case *ReturnStmt:
		all(v, n.Results)
	case *FieldList:
		all(v, n.List)
	case *KeyValueExpr:
		Walk(v, n.Key)
		Walk(v, n.Value)
	case *CompositeLit:
		maybe(v, n.Type)
		all(v, n.Elts)
	case *FuncType:
		some(v, n.TypeParams)
		some(v, n.Params)
		some(v, n.Results)
	case *ParenExpr:
		Walk(v, n.X)
	case *ArrayType:
		maybe(v, n.Len)
		Walk(v, n.Elt)
	case *CaseClause:
		all(v, n.List)
		all(v, n.Body)
	case *RangeStmt:
		maybe(v, n.Key)
		maybe(v, n.Value)
		Walk(v, n.X)
		Walk(v, n.Body)
	case *DeclStmt:
		Walk(v, n.Decl)
	case *ValueSpec:
		some(v, n.Doc)
		all(v, n.Names)
		maybe(v, n.Type)
		all(v, n.Values)
		some(v, n.Comment)
	case *GenDecl:
		some(v, n.Doc)
		all(v, n.Specs)
	case *FuncDecl:
		some(v, n.Doc)
		some(v, n.Recv)
		Walk(v, n.Name)
		Walk(v, n.Type)
		some(v, n.Body)
	case *SliceExpr:
		Walk(v, n.X)
		maybe(v, n.Low)
		maybe(v, n.High)
		maybe(v, n.Max)
	case *ForStmt:
		maybe(v, n.Init)
		maybe(v, n.Cond)
		maybe(v, n.Post)
		Walk(v, n.Body)
	case *MapType:
		Walk(v, n.Key)
		Walk(v, n.Value)
	case *IncDecStmt:
		Walk(v, n.X)
	case *CommentGroup:
		all(v, n.List)
	case *TypeSpec:
		some(v, n.Doc)
		Walk(v, n.Name)
		some(v, n.TypeParams)
		Walk(v, n.Type)
		some(v, n.Comment)
	case *FuncLit:
		Walk(v, n.Type)
		Walk(v, n.Body)
	case *SwitchStmt:
		maybe(v, n.Init)
		maybe(v, n.Tag)
		Walk(v, n.Body)
	case *StructType:
		Walk(v, n.Fields)
	case *BranchStmt:
		some(v, n.Label)
	case *TypeAssertExpr:
		Walk(v, n.X)
		maybe(v, n.Type)
	case *InterfaceType:
		Walk(v, n.Methods)
	case *DeferStmt:
		Walk(v, n.Call)
	case *ImportSpec:
		some(v, n.Doc)
		some(v, n.Name)
		Walk(v, n.Path)
		some(v, n.Comment)
	case *Ellipsis:
		maybe(v, n.Elt)
	case *TypeSwitchStmt:
		maybe(v, n.Init)
		Walk(v, n.Assign)
		Walk(v, n.Body)
	case *ChanType:
		Walk(v, n.Value)
	case *GoStmt:
		Walk(v, n.Call)
	case *CommClause:
		maybe(v, n.Comm)
		all(v, n.Body)
	case *SendStmt:
		Walk(v, n.Chan)
		Walk(v, n.Value)
	case *IndexListExpr:
		Walk(v, n.X)
		all(v, n.Indices)
	case *SelectStmt:
		Walk(v, n.Body)
	case *LabeledStmt:
		Walk(v, n.Label)
		Walk(v, n.Stmt)
	case *File:
		some(v, n.Doc)
		Walk(v, n.Name)
		all(v, n.Decls)
	case *Package:
		for _, file := range n.Files {
			Walk(v, file)
		}
	default:
		panic(fmt.Sprintf("ast.Walk: unexpected node type %T", n))
	}
	v.Visit(nil)
}

// Inspect calls f with a node and, as long as it returns true, with its children and nil.
func Inspect(node Node, f func(Node) bool) { Walk(inspector(f), node) }

type inspector func(Node) bool

func (f inspector) Visit(node Node) (below Visitor) {
	if f(node) {
		below = f
	}
	return below
}

// Preorder yields a node and what is below it.
func Preorder(root Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		more := true
		Inspect(root, func(n Node) bool {
			more = more && (n == nil || yield(n))
			return more
		})
	}
}

// PreorderStack is Inspect without the nils; f is told what encloses the node, too.
func PreorderStack(root Node, stack []Node, f func(n Node, stack []Node) bool) {
	Inspect(root, func(n Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if !f(n, stack) {
			return false
		}
		stack = append(stack, n)
		return true
	})
}
