package parser

import (
	"bytes"
	"errors"
	"go/ast"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

func read(filename string, src any) ([]byte, error) {
	switch s := src.(type) {
	case nil:
		return os.ReadFile(filename)
	case string:
		return []byte(s), nil
	case []byte:
		return s, nil
	case *bytes.Buffer:
		if s != nil {
			return s.Bytes(), nil
		}
	case io.Reader:
		return io.ReadAll(s)
	}
	return nil, errors.New("invalid source")
}

// caught takes a bailout that goes through, and lets other panics pass.
func (p *parser) caught(r any) {
	if r == nil {
		return
	}
	bail, ok := r.(bailout)
	if !ok {
		panic(r)
	}
	if bail.msg != "" {
		p.errors.Add(p.file.Position(bail.pos), bail.msg)
	}
}

// ParseFile parses a source file: src, which can be a string, bytes or a reader, or what is in
// the file. With syntax errors the tree is partial, and the error a scanner.ErrorList.
func ParseFile(fset *token.FileSet, filename string, src any, mode Mode) (f *ast.File, err error) {
	if fset == nil {
		panic("parser.ParseFile: no token.FileSet provided (fset == nil)")
	}
	text, err := read(filename, src)
	if err != nil {
		return nil, err
	}
	var p parser
	file := fset.AddFile(filename, -1, len(text))
	defer func() {
		p.caught(recover())
		if f == nil {
			f = &ast.File{Name: new(ast.Ident), Scope: ast.NewScope(nil)}
		}
		f.FileStart, f.FileEnd = token.Pos(file.Base()), file.End()
		p.errors.Sort()
		err = p.errors.Err()
	}()
	p.init(file, text, mode)
	return p.parseFile(), nil
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
	pkgs = map[string]*ast.Package{}
	for _, entry := range entries {
		if entry.IsDir() || !strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		if filter != nil {
			info, err := entry.Info()
			if err != nil {
				return nil, err
			}
			if !filter(info) {
				continue
			}
		}
		filename := filepath.Join(path, entry.Name())
		file, err := ParseFile(fset, filename, nil, mode)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		pkg := pkgs[file.Name.Name]
		if pkg == nil {
			pkg = &ast.Package{Name: file.Name.Name, Files: map[string]*ast.File{}}
			pkgs[pkg.Name] = pkg
		}
		pkg.Files[filename] = file
	}
	return pkgs, first
}

// ParseExprFrom parses an expression or a type; src is as for ParseFile.
func ParseExprFrom(
	fset *token.FileSet, filename string, src any, mode Mode,
) (expr ast.Expr, err error) {
	if fset == nil {
		panic("parser.ParseExprFrom: no token.FileSet provided (fset == nil)")
	}
	text, err := read(filename, src)
	if err != nil {
		return nil, err
	}
	var p parser
	defer func() {
		p.caught(recover())
		p.errors.Sort()
		err = p.errors.Err()
	}()
	p.init(fset.AddFile(filename, -1, len(text)), text, mode)
	expr = p.rhs()
	if p.tok == token.SEMICOLON && p.lit == "\n" {
		p.next()
	}
	p.expect(token.EOF)
	return expr, nil
}

// ParseExpr parses an expression, without places that mean something.
func ParseExpr(x string) (ast.Expr, error) {
	return ParseExprFrom(token.NewFileSet(), "", []byte(x), 0)
}
