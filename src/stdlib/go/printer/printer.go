// Package printer prints trees of Go's syntax, as gofmt does.
//
// Printing is one walk over the tree, whose text goes through three hands.
//
// The walk (decls.go, stmts.go, exprs.go, fields.go) says what comes next, and knows nothing of
// white space that was printed or of comments. It has three words for that: marks, which are the
// fixed texts of the syntax ("(", ",", " else "), names and literals; gaps, which are white space
// and changes of the margin; and turns, places where a line of the source ended, and where one may
// end now. Things that go on lines of their own are rows; things with commas between them are a
// series, which indents what is behind its first turn (layout.go).
//
// The pen (pen.go) writes marks. It keeps gaps back until the next mark comes, because comments
// that stand before the mark in the source go between them: a cursor over the comments (notes.go)
// knows which is next, and rules there say which of the gaps are put before it, and which are lost.
// The pen knows where in the source it is, so that line ends and comments fall where they did.
//
// What it has written has tabs for the cells of columns and escapes around what may hold tabs;
// text/tabwriter makes columns of it, and trim takes space off the ends of lines (output.go).
//
// Some things go on one line if they fit there; a second printer without comments measures them
// (sizes.go). Doc comments are formatted by go/doc/comment (docs.go), and lines of build
// constraints move to where they count (constraints.go).
package printer

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"slices"
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
	var p printer
	p.reset(cfg, fset, make(map[ast.Node]int))
	err := p.all(node)
	if err == nil && cfg.Mode&RawFormat == 0 {
		p.out, err = cfg.columns(p.out)
	}
	if err != nil {
		return err
	}
	_, err = output.Write(trim(nil, p.out))
	return err
}

// Fprint prints a node with tabs of 8 characters, both to indent lines and in columns.
func Fprint(output io.Writer, fset *token.FileSet, node any) error {
	return (&Config{Tabwidth: 8}).Fprint(output, fset, node)
}

// columns lays columns out.
func (cfg *Config) columns(text []byte) ([]byte, error) {
	flags, least, pad := tabwriter.DiscardEmptyColumns, cfg.Tabwidth, byte('\t')
	if cfg.Mode&TabIndent != 0 {
		flags, least = flags|tabwriter.TabIndent, 0
	}
	if cfg.Mode&UseSpaces != 0 {
		pad = ' '
	}
	var laid bytes.Buffer
	laid.Grow(len(text))
	w := tabwriter.NewWriter(&laid, least, cfg.Tabwidth, 1, pad, flags)
	_, err := w.Write(text)
	if err == nil {
		err = w.Flush()
	}
	return laid.Bytes(), err
}

// printer prints one node.
type printer struct {
	Config
	fset *token.FileSet

	lookup
	output
	pen
	notes
	rule

	literals int // how many composite literals we are in
}

// endless is more than any offset, line or size.
const endless = 1 << 30

// reset makes a printer ready for a node. It keeps the room it has.
func (p *printer) reset(cfg *Config, fset *token.FileSet, sizes map[ast.Node]int) {
	out, gaps, gauge := p.out[:0], p.gaps[:0], p.gauge
	*p = printer{Config: *cfg, fset: fset}
	p.out, p.gaps = out, gaps
	p.sizes, p.gauge = sizes, gauge
	p.line, p.column = 1, 1
	p.pos.Line, p.pos.Column = 1, 1
}

// all prints a node and what comments are left.
func (p *printer) all(node any) error {
	tree, comments := node, []*ast.CommentGroup(nil)
	if c, ok := node.(*CommentedNode); ok {
		tree, comments = c.Node, c.Comments
	}
	n, ok := tree.(ast.Node)
	f, _ := n.(*ast.File)
	switch {
	case comments != nil && !ok:
		return unknown(tree)
	case comments != nil:
		comments = within(n, comments)
	case f != nil:
		comments = f.Comments
	}
	p.groups, p.ofNodes = comments, comments == nil
	p.step()

	if !p.tree(tree) {
		return unknown(tree)
	}
	if p.lineErr != nil {
		return p.lineErr
	}
	p.semi = false
	if p.over {
		return nil
	}
	p.flush(token.Position{Offset: endless, Line: endless}, atEnd)
	p.moveConstraints()
	return nil
}

// tree prints what all takes, without comments, and says whether it knows it.
func (p *printer) tree(tree any) bool {
	switch n := tree.(type) {
	case *ast.File:
		p.file(n)
	case ast.Expr:
		p.expr(n)
	case ast.Spec:
		p.spec(n, true, false)
	case ast.Decl:
		p.decl(n)
	case []ast.Decl:
		p.decls(n)
	case []ast.Stmt:
		// Labels go to the left.
		if slices.ContainsFunc(n, func(s ast.Stmt) bool { return labelsOf(s) > 0 }) {
			p.margin = 1
		}
		p.stmts(n, false, false)
	case ast.Stmt:
		p.margin = min(labelsOf(n), 1)
		p.stmt(n, false)
	default:
		return false
	}
	return true
}

func unknown(node any) error { return fmt.Errorf("go/printer: unsupported node type %T", node) }

// within returns the comments that stand from the doc comment of a node to its end, or the comment
// behind it; nil if there are none.
func within(node ast.Node, comments []*ast.CommentGroup) []*ast.CommentGroup {
	from, to := node.Pos(), node.End()
	doc, behind := commentsOf(node)
	if doc != nil {
		from = doc.Pos()
	}
	if behind != nil {
		to = max(to, behind.End())
	}
	reaches := func(g *ast.CommentGroup) bool { return g.End() >= from }
	behindAll := func(g *ast.CommentGroup) bool { return g.Pos() >= to }
	first := slices.IndexFunc(comments, reaches)
	if first < 0 {
		return nil
	}
	comments = comments[first:]
	switch n := slices.IndexFunc(comments, behindAll); {
	case n == 0:
		return nil
	case n > 0:
		return comments[:n]
	}
	return comments
}

// commentsOf returns the doc comment of a node and the comment behind it, of those that it has.
func commentsOf(n ast.Node) (doc, behind *ast.CommentGroup) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		doc = n.Doc
	case *ast.GenDecl:
		if k := len(n.Specs); k > 0 {
			_, behind = commentsOf(n.Specs[k-1])
		}
		doc = n.Doc
	case *ast.File:
		if k := len(n.Comments); k > 0 {
			behind = n.Comments[k-1]
		}
		doc = n.Doc
	case *ast.TypeSpec:
		doc, behind = n.Doc, n.Comment
	case *ast.ValueSpec:
		doc, behind = n.Doc, n.Comment
	case *ast.ImportSpec:
		doc, behind = n.Doc, n.Comment
	case *ast.Field:
		doc, behind = n.Doc, n.Comment
	}
	return doc, behind
}
