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

// Walk shows v a node and what is below it, in the order of the source text.
func Walk(v Visitor, node Node) {
	v = v.Visit(node)
	if v == nil {
		return
	}
	switch n := node.(type) {
	case *Comment, *BadExpr, *Ident, *BasicLit, *BadStmt, *EmptyStmt, *BadDecl:
	case *File:
		some(v, n.Doc)
		Walk(v, n.Name)
		all(v, n.Decls)
	case *FuncDecl:
		some(v, n.Doc)
		some(v, n.Recv)
		Walk(v, n.Name)
		Walk(v, n.Type)
		some(v, n.Body)
	case *GenDecl:
		some(v, n.Doc)
		all(v, n.Specs)
	case *Package:
		for _, file := range n.Files {
			Walk(v, file)
		}
	case *ImportSpec:
		some(v, n.Doc)
		some(v, n.Name)
		Walk(v, n.Path)
		some(v, n.Comment)
	case *TypeSpec:
		some(v, n.Doc)
		Walk(v, n.Name)
		some(v, n.TypeParams)
		Walk(v, n.Type)
		some(v, n.Comment)
	case *ValueSpec:
		some(v, n.Doc)
		all(v, n.Names)
		maybe(v, n.Type)
		all(v, n.Values)
		some(v, n.Comment)
	case *AssignStmt:
		all(v, n.Lhs)
		all(v, n.Rhs)
	case *BlockStmt:
		all(v, n.List)
	case *BranchStmt:
		some(v, n.Label)
	case *CaseClause:
		all(v, n.List)
		all(v, n.Body)
	case *CommClause:
		maybe(v, n.Comm)
		all(v, n.Body)
	case *DeclStmt:
		Walk(v, n.Decl)
	case *DeferStmt:
		Walk(v, n.Call)
	case *ExprStmt:
		Walk(v, n.X)
	case *ForStmt:
		maybe(v, n.Init)
		maybe(v, n.Cond)
		maybe(v, n.Post)
		Walk(v, n.Body)
	case *GoStmt:
		Walk(v, n.Call)
	case *IfStmt:
		maybe(v, n.Init)
		Walk(v, n.Cond)
		Walk(v, n.Body)
		maybe(v, n.Else)
	case *IncDecStmt:
		Walk(v, n.X)
	case *LabeledStmt:
		Walk(v, n.Label)
		Walk(v, n.Stmt)
	case *RangeStmt:
		maybe(v, n.Key)
		maybe(v, n.Value)
		Walk(v, n.X)
		Walk(v, n.Body)
	case *ReturnStmt:
		all(v, n.Results)
	case *SelectStmt:
		Walk(v, n.Body)
	case *SendStmt:
		Walk(v, n.Chan)
		Walk(v, n.Value)
	case *SwitchStmt:
		maybe(v, n.Init)
		maybe(v, n.Tag)
		Walk(v, n.Body)
	case *TypeSwitchStmt:
		maybe(v, n.Init)
		Walk(v, n.Assign)
		Walk(v, n.Body)
	case *BinaryExpr:
		Walk(v, n.X)
		Walk(v, n.Y)
	case *CallExpr:
		Walk(v, n.Fun)
		all(v, n.Args)
	case *CompositeLit:
		maybe(v, n.Type)
		all(v, n.Elts)
	case *Ellipsis:
		maybe(v, n.Elt)
	case *FuncLit:
		Walk(v, n.Type)
		Walk(v, n.Body)
	case *IndexExpr:
		Walk(v, n.X)
		Walk(v, n.Index)
	case *IndexListExpr:
		Walk(v, n.X)
		all(v, n.Indices)
	case *KeyValueExpr:
		Walk(v, n.Key)
		Walk(v, n.Value)
	case *ParenExpr:
		Walk(v, n.X)
	case *SelectorExpr:
		Walk(v, n.X)
		Walk(v, n.Sel)
	case *SliceExpr:
		Walk(v, n.X)
		maybe(v, n.Low)
		maybe(v, n.High)
		maybe(v, n.Max)
	case *StarExpr:
		Walk(v, n.X)
	case *TypeAssertExpr:
		Walk(v, n.X)
		maybe(v, n.Type)
	case *UnaryExpr:
		Walk(v, n.X)
	case *ArrayType:
		maybe(v, n.Len)
		Walk(v, n.Elt)
	case *ChanType:
		Walk(v, n.Value)
	case *FuncType:
		some(v, n.TypeParams)
		some(v, n.Params)
		some(v, n.Results)
	case *InterfaceType:
		Walk(v, n.Methods)
	case *MapType:
		Walk(v, n.Key)
		Walk(v, n.Value)
	case *StructType:
		Walk(v, n.Fields)
	case *CommentGroup:
		all(v, n.List)
	case *Field:
		some(v, n.Doc)
		all(v, n.Names)
		maybe(v, n.Type)
		some(v, n.Tag)
		some(v, n.Comment)
	case *FieldList:
		all(v, n.List)
	default:
		panic(fmt.Sprintf("ast.Walk: unexpected node type %T", n))
	}
	v.Visit(nil)
}

type inspector func(Node) bool

func (f inspector) Visit(node Node) Visitor {
	if !f(node) {
		return nil
	}
	return f
}

// Inspect calls f with a node and, as long as it returns true, with its children and nil.
func Inspect(node Node, f func(Node) bool) { Walk(inspector(f), node) }

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
