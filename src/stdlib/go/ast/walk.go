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

// all walks the nodes of a list.
func all[N Node](v Visitor, list []N) {
	for i := range list {
		Walk(v, list[i])
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
	below := v.Visit(node)
	if below == nil {
		return
	}
	switch n := node.(type) {
	case *Comment, *BadExpr, *Ident, *BasicLit, *BadStmt, *EmptyStmt, *BadDecl:
	case *SelectorExpr:
		Walk(below, n.X)
		Walk(below, n.Sel)
	case *CallExpr:
		Walk(below, n.Fun)
		all(below, n.Args)
	case *ExprStmt:
		Walk(below, n.X)
	case *AssignStmt:
		all(below, n.Lhs)
		all(below, n.Rhs)
	case *Field:
		some(below, n.Doc)
		all(below, n.Names)
		maybe(below, n.Type)
		some(below, n.Tag)
		some(below, n.Comment)
	case *UnaryExpr:
		Walk(below, n.X)
	case *BinaryExpr:
		Walk(below, n.X)
		Walk(below, n.Y)
	case *StarExpr:
		Walk(below, n.X)
	case *BlockStmt:
		all(below, n.List)
	case *IfStmt:
		maybe(below, n.Init)
		Walk(below, n.Cond)
		Walk(below, n.Body)
		maybe(below, n.Else)
	case *IndexExpr:
		Walk(below, n.X)
		Walk(below, n.Index)
	case *ReturnStmt:
		all(below, n.Results)
	case *FieldList:
		all(below, n.List)
	case *KeyValueExpr:
		Walk(below, n.Key)
		Walk(below, n.Value)
	case *CompositeLit:
		maybe(below, n.Type)
		all(below, n.Elts)
	case *FuncType:
		some(below, n.TypeParams)
		some(below, n.Params)
		some(below, n.Results)
	case *ParenExpr:
		Walk(below, n.X)
	case *ArrayType:
		maybe(below, n.Len)
		Walk(below, n.Elt)
	case *CaseClause:
		all(below, n.List)
		all(below, n.Body)
	case *RangeStmt:
		maybe(below, n.Key)
		maybe(below, n.Value)
		Walk(below, n.X)
		Walk(below, n.Body)
	case *DeclStmt:
		Walk(below, n.Decl)
	case *ValueSpec:
		some(below, n.Doc)
		all(below, n.Names)
		maybe(below, n.Type)
		all(below, n.Values)
		some(below, n.Comment)
	case *GenDecl:
		some(below, n.Doc)
		all(below, n.Specs)
	case *FuncDecl:
		some(below, n.Doc)
		some(below, n.Recv)
		Walk(below, n.Name)
		Walk(below, n.Type)
		some(below, n.Body)
	case *SliceExpr:
		Walk(below, n.X)
		maybe(below, n.Low)
		maybe(below, n.High)
		maybe(below, n.Max)
	case *ForStmt:
		maybe(below, n.Init)
		maybe(below, n.Cond)
		maybe(below, n.Post)
		Walk(below, n.Body)
	case *MapType:
		Walk(below, n.Key)
		Walk(below, n.Value)
	case *IncDecStmt:
		Walk(below, n.X)
	case *CommentGroup:
		all(below, n.List)
	case *TypeSpec:
		some(below, n.Doc)
		Walk(below, n.Name)
		some(below, n.TypeParams)
		Walk(below, n.Type)
		some(below, n.Comment)
	case *FuncLit:
		Walk(below, n.Type)
		Walk(below, n.Body)
	case *SwitchStmt:
		maybe(below, n.Init)
		maybe(below, n.Tag)
		Walk(below, n.Body)
	case *StructType:
		Walk(below, n.Fields)
	case *BranchStmt:
		some(below, n.Label)
	case *TypeAssertExpr:
		Walk(below, n.X)
		maybe(below, n.Type)
	case *InterfaceType:
		Walk(below, n.Methods)
	case *DeferStmt:
		Walk(below, n.Call)
	case *ImportSpec:
		some(below, n.Doc)
		some(below, n.Name)
		Walk(below, n.Path)
		some(below, n.Comment)
	case *Ellipsis:
		maybe(below, n.Elt)
	case *TypeSwitchStmt:
		maybe(below, n.Init)
		Walk(below, n.Assign)
		Walk(below, n.Body)
	case *ChanType:
		Walk(below, n.Value)
	case *GoStmt:
		Walk(below, n.Call)
	case *CommClause:
		maybe(below, n.Comm)
		all(below, n.Body)
	case *SendStmt:
		Walk(below, n.Chan)
		Walk(below, n.Value)
	case *IndexListExpr:
		Walk(below, n.X)
		all(below, n.Indices)
	case *SelectStmt:
		Walk(below, n.Body)
	case *LabeledStmt:
		Walk(below, n.Label)
		Walk(below, n.Stmt)
	case *File:
		some(below, n.Doc)
		Walk(below, n.Name)
		all(below, n.Decls)
	case *Package:
		for _, file := range n.Files {
			Walk(below, file)
		}
	default:
		panic(fmt.Sprintf("ast.Walk: unexpected node type %T", n))
	}
	below.Visit(nil)
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
		goOn := true
		Inspect(root, func(n Node) bool {
			goOn = goOn && (n == nil || yield(n))
			return goOn
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
