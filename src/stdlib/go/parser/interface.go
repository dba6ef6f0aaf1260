package parser

// This file has what programs call. Each call makes a parser for one text and drives it; what is
// wrong with the text is in the parser's list of errors when the work ends, in whatever way.

import (
	"bytes"
	"cmp"
	"errors"
	"go/ast"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Mode is a set of the bits below.
type Mode uint

const (
	PackageClauseOnly    Mode             = 1 << iota // no more than the package clause
	ImportsOnly                                       // nor than the imports
	ParseComments                                     // comments go into the tree
	Trace                                             // print what is parsed
	DeclarationErrors                                 // errors of declarations too
	SpuriousErrors                                    // all errors
	SkipObjectResolution                              // names get no objects
	AllErrors            = SpuriousErrors             // all errors, not just ten on different lines
)

// bailout is what a parser panics with that gives up.
type bailout struct {
	pos token.Pos
	msg string
}

// source returns the text to parse: src, or what is in the file.
func source(filename string, src any) ([]byte, error) {
	if src == nil {
		return os.ReadFile(filename)
	}
	if text, ok := src.(string); ok {
		src = []byte(text)
	}
	if text, ok := src.([]byte); ok {
		return text, nil
	}
	switch r := src.(type) {
	case *bytes.Buffer:
		if r != nil {
			return r.Bytes(), nil // which leaves them in the buffer
		}
	case io.Reader:
		return io.ReadAll(r)
	}
	return nil, errors.New("invalid source")
}

// drive has a parser of file do its work, which may end in a bailout, and returns the errors in
// order.
func (p *parser) drive(file *token.File, text []byte, mode Mode, work func()) (err error) {
	defer func() {
		switch end := recover().(type) {
		case nil:
		case bailout:
			for p.trace && p.indent > 0 {
				p.end()
			}
			if end.msg != "" {
				p.errors.Add(p.file.Position(end.pos), end.msg)
			}
		default:
			panic(end)
		}
		if p.errors.Sort(); len(p.errors) > 0 {
			err = p.errors
		}
	}()
	p.init(file, text, mode)
	work()
	return nil
}

// read drives a parser of a source, and returns the file that it has put into fset; nil if there is
// nothing to read.
func (p *parser) read(
	fset *token.FileSet, name string, src any, mode Mode, work func(),
) (*token.File, error) {
	text, err := source(name, src)
	if err != nil {
		return nil, err
	}
	file := fset.AddFile(name, -1, len(text))
	return file, p.drive(file, text, mode, work)
}

// ParseFile parses a source file: src, which can be a string, bytes or a reader, or what is in
// the file. With syntax errors the tree is partial, and the error a scanner.ErrorList.
func ParseFile(fset *token.FileSet, filename string, src any, mode Mode) (f *ast.File, err error) {
	if fset == nil {
		panic("parser.ParseFile: no token.FileSet provided (fset == nil)")
	}
	var p parser
	file, err := p.read(fset, filename, src, mode, func() { f = p.sourceFile() })
	if file == nil {
		return nil, err
	}
	if f == nil {
		f = new(ast.File)
		f.Name, f.Scope = new(ast.Ident), ast.NewScope(nil)
	}
	f.FileStart, f.FileEnd = token.Pos(file.Base()), file.End()
	return f, err
}

// ParseExpr parses an expression, without places that mean something.
func ParseExpr(x string) (ast.Expr, error) {
	return ParseExprFrom(token.NewFileSet(), "", []byte(x), 0)
}

// ParseExprFrom parses an expression or a type; src is as for ParseFile.
func ParseExprFrom(
	fset *token.FileSet, filename string, src any, mode Mode,
) (expr ast.Expr, err error) {
	if fset == nil {
		panic("parser.ParseExprFrom: no token.FileSet provided (fset == nil)")
	}
	var p parser
	_, err = p.read(fset, filename, src, mode, func() {
		expr = p.rhs()
		if p.atNewline() {
			p.next()
		}
		p.expect(token.EOF)
	})
	return expr, err
}

// ParseDir parses the files of a folder whose names end in ".go", and which filter wants, and
// returns them by package; the error is the first.
//
// Deprecated: it knows nothing of build tags.
func ParseDir(
	fset *token.FileSet, path string, filter func(fs.FileInfo) bool, mode Mode,
) (pkgs map[string]*ast.Package, first error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	wanted := func(entry fs.DirEntry) (bool, error) {
		if entry.IsDir() || filepath.Ext(entry.Name()) != ".go" {
			return false, nil
		}
		if filter == nil {
			return true, nil
		}
		info, err := entry.Info()
		return err == nil && filter(info), err
	}
	pkgs = make(map[string]*ast.Package)
	for _, entry := range entries {
		want, err := wanted(entry)
		if err != nil {
			return nil, err
		}
		if !want {
			continue
		}
		name := filepath.Join(path, entry.Name())
		f, err := ParseFile(fset, name, nil, mode)
		if err != nil {
			first = cmp.Or(first, err)
			continue
		}
		of := f.Name.Name
		if pkgs[of] == nil {
			pkgs[of] = &ast.Package{Name: of, Files: map[string]*ast.File{}}
		}
		pkgs[of].Files[name] = f
	}
	return pkgs, first
}
