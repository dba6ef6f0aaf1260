// Package printer prints trees of Go's syntax, as gofmt does.
//
// A walk over the tree (exprs.go, lists.go, stmts.go, decls.go) gives tokens, and white space that
// stays pending until the next token comes (pending.go): comments are put into it (comments.go).
// What comes out (output.go) has tabs for columns and escapes around what may hold tabs; package
// text/tabwriter makes columns of it, and trim takes space off the ends of lines.
package printer

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"text/tabwriter"
)

// Mode is a set of flags.
type Mode uint

const (
	RawFormat Mode = 1 << iota // columns stay as they are, with a tab each
	TabIndent                  // lines are indented with tabs, even with UseSpaces
	UseSpaces                  // columns are filled with spaces, not tabs
	SourcePos                  // `//line` comments say where lines come from
)

// normal is a flag that gofmt and go/format set: prefixes and exponents of numbers are made small,
// and imaginary integers lose zeros in front.
const normal Mode = 1 << 30

// Config says how to print.
type Config struct {
	Mode     Mode
	Tabwidth int // in characters
	Indent   int // by how many tabs all lines are indented
}

// CommentedNode is a node with the comments among which those are that belong into it.
type CommentedNode struct {
	Node     any // *ast.File, ast.Expr, ast.Decl, ast.Spec or ast.Stmt
	Comments []*ast.CommentGroup
}

// Fprint prints a node: *ast.File, *CommentedNode, []ast.Decl, []ast.Stmt, ast.Expr, ast.Decl,
// ast.Spec or ast.Stmt. Positions are of fset. Errors are those of output, or say that the node has
// another type.
func (cfg *Config) Fprint(output io.Writer, fset *token.FileSet, node any) error {
	p := newPrinter(cfg, fset, map[ast.Node]int{})
	if err := p.all(node); err != nil {
		return err
	}
	text := p.out
	if cfg.Mode&RawFormat == 0 {
		var err error
		if text, err = cfg.columns(text); err != nil {
			return err
		}
	}
	_, err := output.Write(trim(nil, text))
	return err
}

// Fprint prints a node with tabs of 8 characters, both to indent lines and in columns.
func Fprint(output io.Writer, fset *token.FileSet, node any) error {
	return (&Config{Tabwidth: 8}).Fprint(output, fset, node)
}

// columns lays columns out.
func (cfg *Config) columns(text []byte) ([]byte, error) {
	var b bytes.Buffer
	least, pad, flags := cfg.Tabwidth, byte('\t'), tabwriter.DiscardEmptyColumns
	if cfg.Mode&UseSpaces != 0 {
		pad = ' '
	}
	if cfg.Mode&TabIndent != 0 {
		least = 0
		flags |= tabwriter.TabIndent
	}
	w := tabwriter.NewWriter(&b, least, cfg.Tabwidth, 1, pad, flags)
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err := w.Flush()
	return b.Bytes(), err
}

// printer prints one node.
type printer struct {
	Config
	fset  *token.FileSet
	sizes map[ast.Node]int // of nodes that were measured

	lookup
	output
	pending

	comments  []*ast.CommentGroup
	ofNodes   bool // do comments come from nodes?
	next      int  // index of the comment group after the current one
	group     *ast.CommentGroup
	offset    int  // of the current group in the text, or endless
	breaks    bool // does the current group end a line?
	goBuild   []int
	plusBuild []int // where such lines begin in the output

	literals int // how many composite literals we are in
}

// endless is more than any offset, line or size.
const endless = 1 << 30

func newPrinter(cfg *Config, fset *token.FileSet, sizes map[ast.Node]int) *printer {
	p := &printer{Config: *cfg, fset: fset, sizes: sizes}
	p.pos.Line, p.pos.Column = 1, 1
	p.line, p.column = 1, 1
	p.spaces = make([]space, 0, mostPending)
	return p
}

// all prints a node and what comments are left.
func (p *printer) all(node any) error {
	if err := p.node(node); err != nil {
		return err
	}
	p.semi = false
	p.flush(token.Position{Offset: endless, Line: endless}, token.EOF)
	p.moveConstraints()
	return nil
}

// node prints a node.
func (p *printer) node(node any) error {
	commented, ok := node.(*CommentedNode)
	if ok {
		node = commented.Node
	}
	if ok && commented.Comments != nil {
		n, ok := node.(ast.Node)
		if !ok {
			return unknown(node)
		}
		p.comments = within(n, commented.Comments)
	} else if f, ok := node.(*ast.File); ok {
		p.comments = f.Comments
	}
	p.ofNodes = p.comments == nil
	p.nextGroup()

	switch n := node.(type) {
	case ast.Expr:
		p.expr(n)
	case ast.Stmt:
		p.roomForLabel(n)
		p.stmt(n, false)
	case ast.Decl:
		p.decl(n)
	case ast.Spec:
		p.spec(n, 1, false)
	case []ast.Stmt:
		for _, s := range n {
			p.roomForLabel(s)
		}
		p.stmts(n, 0, false)
	case []ast.Decl:
		p.decls(n)
	case *ast.File:
		p.file(n)
	default:
		return unknown(node)
	}
	return p.lineErr
}

func unknown(node any) error { return fmt.Errorf("go/printer: unsupported node type %T", node) }

// roomForLabel indents if a label, which goes to the left, comes.
func (p *printer) roomForLabel(s ast.Stmt) {
	if _, ok := s.(*ast.LabeledStmt); ok {
		p.margin = 1
	}
}

// within returns the comments that stand from the doc comment of a node to its end, or the comment
// behind it.
func within(node ast.Node, comments []*ast.CommentGroup) []*ast.CommentGroup {
	from, to := node.Pos(), node.End()
	if doc := docOf(node); doc != nil {
		from = doc.Pos()
	}
	if last := lastCommentOf(node); last != nil {
		to = max(to, last.End())
	}
	for len(comments) > 0 && comments[0].End() < from {
		comments = comments[1:]
	}
	n := 0
	for n < len(comments) && comments[n].Pos() < to {
		n++
	}
	if n == 0 {
		return nil
	}
	return comments[:n]
}

func docOf(n ast.Node) *ast.CommentGroup {
	switch n := n.(type) {
	case *ast.Field:
		return n.Doc
	case *ast.ImportSpec:
		return n.Doc
	case *ast.ValueSpec:
		return n.Doc
	case *ast.TypeSpec:
		return n.Doc
	case *ast.GenDecl:
		return n.Doc
	case *ast.FuncDecl:
		return n.Doc
	case *ast.File:
		return n.Doc
	}
	return nil
}

func lastCommentOf(n ast.Node) *ast.CommentGroup {
	switch n := n.(type) {
	case *ast.Field:
		return n.Comment
	case *ast.ImportSpec:
		return n.Comment
	case *ast.ValueSpec:
		return n.Comment
	case *ast.TypeSpec:
		return n.Comment
	case *ast.GenDecl:
		if last := len(n.Specs) - 1; last >= 0 {
			return lastCommentOf(n.Specs[last])
		}
	case *ast.File:
		if last := len(n.Comments) - 1; last >= 0 {
			return n.Comments[last]
		}
	}
	return nil
}
