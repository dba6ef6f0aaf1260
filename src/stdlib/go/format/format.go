// Package format formats Go source text as gofmt does.
package format

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io"
	"slices"
	"strings"
)

// normal is a flag of go/printer that has no name: numbers get their usual form.
const normal = 1 << 30

var config = printer.Config{
	Mode:     printer.UseSpaces | printer.TabIndent | normal,
	Tabwidth: 8,
}

const parsing = parser.ParseComments | parser.SkipObjectResolution

// Node prints a node, one of those that printer.Fprint takes, as gofmt would. Imports of a file are
// sorted in what is printed; the node stays as it is. Errors are those of printing.
func Node(dst io.Writer, fset *token.FileSet, node any) error {
	inner := node
	commented, ok := node.(*printer.CommentedNode)
	if ok {
		inner = commented.Node
	}
	if file, ok := inner.(*ast.File); ok && importsInParens(file) {
		// Sorting changes the tree: that is one of what the file prints as.
		file, err := reparsed(fset, file)
		if err != nil {
			return err
		}
		ast.SortImports(fset, file)
		node = file
		if commented != nil {
			node = &printer.CommentedNode{Node: file, Comments: commented.Comments}
		}
	}
	return config.Fprint(dst, fset, node)
}

// reparsed returns a file as it is after it was printed.
func reparsed(fset *token.FileSet, file *ast.File) (*ast.File, error) {
	text, err := print(fset, file, config)
	if err == nil {
		if file, err = parser.ParseFile(fset, "", text, parsing); err != nil {
			err = fmt.Errorf("format.Node internal error (%s)", err)
		}
	}
	return file, err
}

// importsInParens says whether an import declaration has parentheses.
func importsInParens(file *ast.File) bool {
	isOther := func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		return !ok || g.Tok != token.IMPORT
	}
	imports := file.Decls
	if end := slices.IndexFunc(imports, isOther); end >= 0 {
		imports = imports[:end]
	}
	return slices.ContainsFunc(imports, func(d ast.Decl) bool {
		return d.(*ast.GenDecl).Lparen.IsValid()
	})
}

// Source returns a file, declarations or statements in gofmt's format. What is not a file keeps the
// space around it, is indented as its first line is, and its imports are not sorted. Errors are
// those of the parser.
func Source(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	parse := func(before, after string) (*ast.File, error) {
		text := src
		if before != "" {
			text = []byte(before + string(src) + after)
		}
		return parser.ParseFile(fset, "", text, parsing)
	}
	file, err := parse("", "")
	if err == nil {
		ast.SortImports(fset, file)
		return print(fset, file, config)
	}
	if !strings.Contains(err.Error(), "expected 'package'") {
		return nil, err
	}
	// Lines stay the same with a semicolon in front.
	const clause, header = "package p", "func _() {"
	if file, err = parse(clause+";", ""); err == nil {
		return fragment(fset, file, src, 0, func(text []byte, indent int) []byte {
			return text[indent+len(clause+"\n"):]
		})
	}
	if !strings.Contains(err.Error(), "expected declaration") {
		return nil, err
	}
	// Comments at the end stay before the brace.
	if file, err = parse(clause+"; "+header, "\n\n}"); err != nil {
		return nil, err
	}
	return fragment(fset, file, src, -1, func(text []byte, indent int) []byte {
		text = text[2*max(indent, 0)+len(clause+"\n\n"+header):]
		return text[:len(text)-len("}\n")]
	})
}

func print(fset *token.FileSet, file *ast.File, cfg printer.Config) ([]byte, error) {
	var b bytes.Buffer
	if err := cfg.Fprint(&b, fset, file); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// space is what may be around code.
const space = " \t\r\n"

// fragment prints a file that has src as a part. It is indented by more tabs than src, and inner
// takes away what is around that.
func fragment(fset *token.FileSet, file *ast.File, src []byte, more int,
	inner func(text []byte, indent int) []byte) ([]byte, error) {
	lead := src[:len(src)-len(bytes.TrimLeft(src, space))]
	lines, margin := lead[:0], lead
	if i := bytes.LastIndexByte(lead, '\n') + 1; i > 0 {
		lines, margin = lead[:i], lead[i:]
	}
	indent := bytes.Count(margin, []byte("\t"))
	if indent == 0 && bytes.Contains(margin, []byte(" ")) {
		indent = 1
	}
	cfg := config
	cfg.Indent = indent + more
	text, err := print(fset, file, cfg)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimSpace(inner(text, cfg.Indent))
	if len(text) == 0 {
		return src, nil
	}
	var b bytes.Buffer
	b.Write(lines)
	b.WriteString(strings.Repeat("\t", indent))
	b.Write(text)
	b.Write(src[len(bytes.TrimRight(src, space)):])
	return b.Bytes(), nil
}
