// Package doc finds what documents a package in its syntax trees.
//
// A reader (reader.go) takes the files in, after it has taken out what is not exported
// (exports.go); declarations go to the types that they are about. Examples (examples.go) come from
// the files of tests, and become programs if they can (play.go).
package doc

import (
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/token"
	"io"
	"maps"
	"slices"
	"strings"
)

// Package is what documents a package. Lists are sorted by names.
type Package struct {
	Doc        string
	Name       string
	ImportPath string
	Imports    []string
	Filenames  []string
	Notes      map[string][]*Note // by their markers

	// Bugs are the notes with the marker BUG.
	//
	// Deprecated: they are in Notes.
	Bugs []string

	// What is declared, but for what belongs to a type.
	Consts []*Value
	Types  []*Type
	Vars   []*Value
	Funcs  []*Func

	Examples []*Example // of the package itself

	imports map[string]string // paths by names
	symbols map[string]bool   // and methods and fields as T.Name
}

// Value is a declaration of constants or variables.
type Value struct {
	Doc   string
	Names []string // in the order of the text
	Decl  *ast.GenDecl

	order int // in which they were read
}

// Type is a type, with what belongs to it: constants and variables of it, functions that return it,
// and its methods.
type Type struct {
	Doc  string
	Name string
	Decl *ast.GenDecl

	Consts  []*Value
	Vars    []*Value
	Funcs   []*Func
	Methods []*Func // promoted ones, too

	Examples []*Example
}

// Func is a function or method.
type Func struct {
	Doc  string
	Name string
	Decl *ast.FuncDecl

	// Of methods: the receiver, `T` or `*T` with type parameters if there are any; that of the
	// method which was promoted; and through how many types.
	Recv  string
	Orig  string
	Level int

	Examples []*Example
}

// Note is a comment `MARKER(uid): body`.
type Note struct {
	Pos, End token.Pos
	UID      string
	Body     string
}

// Mode is a set of flags.
type Mode int

const (
	AllDecls    Mode = 1 << iota // what is not exported is documented, too
	AllMethods                   // and all that is promoted, not only from types not exported
	PreserveAST                  // comments and bodies stay in the trees
)

// New documents a package without its examples. The trees are its own, and it changes them.
func New(pkg *ast.Package, importPath string, mode Mode) *Package {
	r := &reader{
		mode:     mode,
		funcs:    funcs{},
		types:    map[string]*typeInfo{},
		notes:    map[string][]*Note{},
		paths:    map[string]bool{},
		byName:   map[string]string{},
		shadowed: map[string]bool{},
		doubtful: map[string][]*ast.InterfaceType{},
	}
	r.files(pkg)
	r.promote()
	r.settle()
	p := &Package{
		Name: pkg.Name, Doc: r.doc, Notes: r.notes,
		ImportPath: importPath, Imports: sortedKeys(r.paths), Filenames: r.filenames,
		Types: []*Type{}, Funcs: sortedFuncs(r.funcs, true),
		Vars: sortedValues(r.values, token.VAR), Consts: sortedValues(r.values, token.CONST),
		imports: r.byName, symbols: map[string]bool{},
	}
	for _, note := range r.notes["BUG"] {
		p.Bugs = append(p.Bugs, note.Body)
	}
	for _, name := range sortedKeys(r.types) {
		t := r.types[name]
		shown := &Type{Name: name, Doc: t.doc, Decl: t.decl}
		shown.Methods = sortedFuncs(t.methods, mode&AllMethods != 0)
		shown.Funcs = sortedFuncs(t.funcs, true)
		shown.Vars = sortedValues(t.values, token.VAR)
		shown.Consts = sortedValues(t.values, token.CONST)
		p.Types = append(p.Types, shown)
	}
	p.addSymbols()
	return p
}

func sortedKeys[V any](m map[string]V) []string {
	list := slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m))
	slices.Sort(list)
	return list
}

func (p *Package) addSymbols() {
	p.addValues(p.Consts)
	p.addValues(p.Vars)
	for _, t := range p.Types {
		if p.symbols[t.Name] {
			continue
		}
		p.symbols[t.Name] = true
		p.addValues(t.Consts)
		p.addValues(t.Vars)
		p.addFuncs(t.Funcs)
		p.addFuncs(t.Methods)
		for _, s := range t.Decl.Specs {
			if s, ok := s.(*ast.TypeSpec); ok {
				for _, field := range fieldsOf(s.Type) {
					for _, name := range field.Names {
						p.symbols[t.Name+"."+name.Name] = true
					}
				}
			}
		}
	}
	p.addFuncs(p.Funcs)
}

func (p *Package) addValues(list []*Value) {
	for _, v := range list {
		for _, name := range v.Names {
			p.symbols[name] = true
		}
	}
}

func (p *Package) addFuncs(list []*Func) {
	for _, f := range list {
		name := f.Name
		if f.Recv != "" {
			recv, _, _ := strings.Cut(strings.TrimPrefix(f.Recv, "*"), "[")
			name = recv + "." + name
		}
		p.symbols[name] = true
	}
}

func misused(what string) { panic(fmt.Errorf("doc.NewFromFiles: %s", what)) }

// modeOf returns the only option, or none.
func modeOf(opts []any) Mode {
	if len(opts) > 1 {
		misused("there must not be more than 1 option argument")
	}
	for _, x := range opts {
		if mode, ok := x.(Mode); ok {
			return mode
		}
		misused("option argument type must be doc.Mode")
	}
	return 0
}

// NewFromFiles documents a package whose files are of fset; examples come from those of tests. One
// option of type Mode may follow. The trees are its own, unless that has PreserveAST. It fails if a
// file is not of fset, or has another ending than `.go`.
func NewFromFiles(
	fset *token.FileSet, files []*ast.File, importPath string, opts ...any,
) (*Package, error) {
	if fset == nil {
		misused("no token.FileSet provided (fset == nil)")
	}
	mode := modeOf(opts)
	pkg := &ast.Package{Files: make(map[string]*ast.File, len(files))}
	var tests []*ast.File
	for i, file := range files {
		known := fset.File(file.Pos())
		if known == nil {
			return nil, fmt.Errorf("file files[%d] is not found in the provided file set", i)
		}
		name, ok := strings.CutSuffix(known.Name(), ".go")
		if !ok {
			const format = "file files[%d] filename %q does not have a .go extension"
			return nil, fmt.Errorf(format, i, name)
		}
		if strings.HasSuffix(name, "_test") {
			tests = append(tests, file)
		} else {
			pkg.Files[known.Name()], pkg.Name = file, file.Name.Name
		}
	}
	p := New(pkg, importPath, mode)
	p.addExamples(Examples(tests...))
	return p, nil
}

// Parser returns a parser for the package's comments, which the caller may change.
func (p *Package) Parser() *comment.Parser {
	return &comment.Parser{
		LookupPackage: func(name string) (string, bool) {
			if path, ok := p.imports[name]; ok {
				return path, path != ""
			}
			return "", name == p.Name
		},
		LookupSym: func(recv, name string) bool {
			if recv != "" {
				name = recv + "." + name
			}
			return p.symbols[name]
		},
	}
}

// Text returns a comment's text in lines of 80 characters.
func (p *Package) Text(text string) []byte {
	return p.printed(text, (*comment.Printer).Text)
}

// Markdown returns a comment's text as Markdown.
func (p *Package) Markdown(text string) []byte {
	return p.printed(text, (*comment.Printer).Markdown)
}

// HTML returns a comment's text as HTML.
func (p *Package) HTML(text string) []byte {
	return p.printed(text, (*comment.Printer).HTML)
}

// printed is a comment's text as one of the printer's methods prints it.
func (p *Package) printed(text string, by func(*comment.Printer, *comment.Doc) []byte) []byte {
	return by(p.Printer(), p.Parser().Parse(text))
}

// Printer returns a printer for the package's comments, which the caller may change.
func (p *Package) Printer() *comment.Printer { return new(comment.Printer) }

// ToText writes a comment's text in lines of at most width characters.
//
// Deprecated: without a package, links to documentation are not known. Use Package.Text.
func ToText(w io.Writer, text string, prefix, codePrefix string, width int) {
	printer := comment.Printer{TextPrefix: prefix, TextCodePrefix: codePrefix, TextWidth: width}
	w.Write(printer.Text(new(Package).Parser().Parse(text)))
}

// ToHTML writes a comment's text as HTML.
//
// Deprecated: without a package, links to documentation are not known. Use Package.HTML.
func ToHTML(w io.Writer, text string, words map[string]string) {
	var none Package
	parser := none.Parser()
	parser.Words = words
	w.Write(new(comment.Printer).HTML(parser.Parse(text)))
}
