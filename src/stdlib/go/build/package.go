package build

import (
	"errors"
	"go/token"
	"path/filepath"
	"runtime"
	"strings"
)

// Package is a package as its folder has it.
type Package struct {
	Dir           string
	Name          string
	ImportComment string // the path that a comment behind the package's name demands
	Doc           string // the first sentence
	ImportPath    string
	Root          string // GOROOT, or a part of GOPATH
	SrcRoot       string // below Root, as are the next ones
	PkgRoot       string
	PkgTargetRoot string
	BinDir        string
	Goroot        bool     // is Root GOROOT?
	PkgObj        string   // what is installed
	AllTags       []string // that could decide on files
	ConflictDir   string   // the folder that the import path leads to instead
	BinaryOnly    bool

	GoFiles           []string
	CgoFiles          []string
	IgnoredGoFiles    []string
	InvalidGoFiles    []string
	IgnoredOtherFiles []string
	CFiles            []string
	CXXFiles          []string
	MFiles            []string
	HFiles            []string
	FFiles            []string
	SFiles            []string
	SwigFiles         []string
	SwigCXXFiles      []string
	SysoFiles         []string

	// Of `#cgo` lines.
	CgoCFLAGS    []string
	CgoCPPFLAGS  []string
	CgoCXXFLAGS  []string
	CgoFFLAGS    []string
	CgoLDFLAGS   []string
	CgoPkgConfig []string

	TestGoFiles  []string // of the package
	XTestGoFiles []string // of package X_test

	Directives      []Directive
	TestDirectives  []Directive
	XTestDirectives []Directive

	Imports        []string
	ImportPos      map[string][]token.Position
	TestImports    []string
	TestImportPos  map[string][]token.Position
	XTestImports   []string
	XTestImportPos map[string][]token.Position

	// Of `//go:embed` lines.
	EmbedPatterns        []string
	EmbedPatternPos      map[string][]token.Position
	TestEmbedPatterns    []string
	TestEmbedPatternPos  map[string][]token.Position
	XTestEmbedPatterns   []string
	XTestEmbedPatternPos map[string][]token.Position
}

// Directive is a comment `//go:…` in front of a package clause.
type Directive struct {
	Text string
	Pos  token.Position
}

// IsCommand says whether the package is a program.
func (p *Package) IsCommand() bool { return p.Name == "main" }

// list returns the list of files with an ending, other than Go files; nil if there is none.
func (p *Package) list(ext string) *[]string {
	kinds := [...]struct {
		exts  string
		files *[]string
	}{
		{" .s .S .sx ", &p.SFiles},
		{" .h .hh .hpp .hxx ", &p.HFiles},
		{" .c ", &p.CFiles},
		{" .cc .cpp .cxx ", &p.CXXFiles},
		{" .syso ", &p.SysoFiles},
		{" .m ", &p.MFiles},
		{" .f .F .for .f90 ", &p.FFiles},
		{" .swig ", &p.SwigFiles},
		{" .swigcxx ", &p.SwigCXXFiles},
	}
	for _, kind := range kinds {
		if strings.Contains(kind.exts, " "+ext+" ") {
			return kind.files
		}
	}
	return nil
}

// ImportMode is a set of flags.
type ImportMode uint

const (
	FindOnly      ImportMode = 1 << iota // no file is read
	AllowBinary                          // what is built is enough
	ImportComment                        // comments behind package clauses are read
	IgnoreVendor                         // folders `vendor` are not looked into
)

// Import is Default.Import.
func Import(path, srcDir string, mode ImportMode) (*Package, error) {
	return Default.Import(path, srcDir, mode)
}

// NoGoError says that a folder has no Go files that count.
type NoGoError struct {
	Dir string
}

func (e *NoGoError) Error() string { return "no buildable Go source files in " + e.Dir }

// IsLocalImport says whether a path is relative to the package that imports it.
func IsLocalImport(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return first == "." || first == ".."
}

// MultiplePackageError says that a folder has files of several packages.
type MultiplePackageError struct {
	Dir      string
	Packages []string
	Files    []string // one of each of the packages
}

func (e *MultiplePackageError) Error() string {
	one := func(i int) string { return e.Packages[i] + " (" + e.Files[i] + ")" }
	return "found packages " + one(0) + " and " + one(1) + " in " + e.Dir
}

// ArchChar fails.
func ArchChar(goarch string) (string, error) {
	return "?", errors.New("architecture letter no longer used")
}

// ImportDir is Default.ImportDir.
func ImportDir(dir string, mode ImportMode) (*Package, error) {
	return Default.ImportDir(dir, mode)
}

// ToolDir is the folder of the toolchain's programs.
var ToolDir = filepath.Join(runtime.GOROOT(), "pkg/tool/"+runtime.GOOS+"_"+runtime.GOARCH)

// ImportDir reads the package in a folder.
func (c *Context) ImportDir(dir string, mode ImportMode) (*Package, error) {
	return c.Import(".", dir, mode)
}

// Import finds a package by its import path, as one in srcDir means it, and reads it. Errors come
// with as much of the package as is known: a *NoGoError, a *MultiplePackageError, those of the
// parser, or others.
func (c *Context) Import(path, srcDir string, mode ImportMode) (*Package, error) {
	f := finder{Context: c, Package: &Package{ImportPath: path}, path: path, dir: srcDir, mode: mode}
	if done, err := f.find(); done || err != nil {
		return f.Package, err
	}
	return f.Package, f.scan()
}
