package build

import (
	"fmt"
	"go/doc"
	"go/token"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// group is what files of one kind have: those of the package, of its tests, or of package X_test.
type group struct {
	imports, embeds map[string][]token.Position
	directives      []Directive
}

func newGroup() *group {
	return &group{imports: map[string][]token.Position{}, embeds: map[string][]token.Position{}}
}

// folder is that of a package which is read.
type folder struct {
	finder
	fset         *token.FileSet
	tags         map[string]bool
	own, in, out *group // the package's, of tests in it and outside
	first        string // file with the package's name
	commented    string // file with an import comment
	assembly     []string
	bad          map[string]bool
	err          error // the first of a file
}

// scan reads the package's files.
func (f *finder) scan() error {
	s := folder{
		finder: *f, fset: token.NewFileSet(), tags: map[string]bool{}, bad: map[string]bool{},
		own: newGroup(), in: newGroup(), out: newGroup(),
	}
	entries, err := f.read(f.Package.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || e.Type() == fs.ModeSymlink && f.isDir(f.join(f.Package.Dir, e.Name())) {
			continue
		}
		s.entry(e.Name())
	}
	p := f.Package
	p.AllTags = slices.Sorted(maps.Keys(s.tags))
	p.Imports, p.ImportPos = keys(s.own.imports), s.own.imports
	p.TestImports, p.TestImportPos = keys(s.in.imports), s.in.imports
	p.XTestImports, p.XTestImportPos = keys(s.out.imports), s.out.imports
	p.EmbedPatterns, p.EmbedPatternPos = keys(s.own.embeds), s.own.embeds
	p.TestEmbedPatterns, p.TestEmbedPatternPos = keys(s.in.embeds), s.in.embeds
	p.XTestEmbedPatterns, p.XTestEmbedPatternPos = keys(s.out.embeds), s.out.embeds
	p.Directives, p.TestDirectives = s.own.directives, s.in.directives
	p.XTestDirectives = s.out.directives

	// The C compiler takes them, so they count with cgo only.
	list := &p.IgnoredOtherFiles
	if len(p.CgoFiles) > 0 {
		list = &p.SFiles
	}
	*list = append(*list, s.assembly...)
	slices.Sort(*list)

	files := [...][]string{p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles}
	switch {
	case s.err != nil:
		return s.err
	case !slices.ContainsFunc(files[:], func(names []string) bool { return len(names) > 0 }):
		return &NoGoError{p.Dir}
	}
	return f.unknown
}

func keys(m map[string][]token.Position) []string {
	list := slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m))
	slices.Sort(list)
	return list
}

// invalid notes that there is something wrong with a file.
func (s *folder) invalid(name string, err error) {
	if s.err == nil {
		s.err = err
	}
	if !s.bad[name] {
		s.bad[name] = true
		s.InvalidGoFiles = append(s.InvalidGoFiles, name)
	}
}

func (s *folder) entry(name string) {
	p, ext := s.Package, extension(name)
	list := p.list(ext)
	src, err := s.match(p.Dir, name, s.tags, &p.BinaryOnly, s.fset)
	switch {
	case err != nil && ext == ".go":
		s.invalid(name, err)
	case src == nil && (name[0] == '_' || name[0] == '.'):
	case src == nil && ext == ".go":
		p.IgnoredGoFiles = append(p.IgnoredGoFiles, name)
	case src == nil:
		if list != nil {
			p.IgnoredOtherFiles = append(p.IgnoredOtherFiles, name)
		}
	case ext == ".go":
		s.goFile(name, src)
	case ext == ".S" || ext == ".sx":
		s.assembly = append(s.assembly, name)
	case list != nil:
		*list = append(*list, name)
	}
}

func (s *folder) goFile(name string, src *source) {
	p := s.Package
	if src.wrong != nil {
		s.invalid(name, src.wrong)
	}
	pkg := ""
	if src.file != nil {
		if pkg = src.file.Name.Name; pkg == "documentation" {
			p.IgnoredGoFiles = append(p.IgnoredGoFiles, name)
			return
		}
	}
	test := strings.HasSuffix(name, "_test.go")
	outside := test && strings.HasSuffix(pkg, "_test") && p.Name != pkg
	if outside {
		pkg = strings.TrimSuffix(pkg, "_test")
	}
	if p.Name == "" {
		p.Name = pkg
		s.first = name
	} else if pkg != p.Name {
		s.invalid(name, &MultiplePackageError{p.Dir, []string{p.Name, pkg}, []string{s.first, name}})
	}
	if src.file != nil && src.file.Doc != nil && p.Doc == "" && !test {
		p.Doc = doc.Synopsis(src.file.Doc.Text())
	}
	if s.mode&ImportComment != 0 {
		s.importComment(name, src)
	}
	cgo := s.usesC(name, src, test)

	list, of := &p.GoFiles, s.own
	switch {
	case cgo && s.CgoEnabled:
		list = &p.CgoFiles
	case cgo:
		list, of = &p.IgnoredGoFiles, nil
	case outside:
		list, of = &p.XTestGoFiles, s.out
	case test:
		list, of = &p.TestGoFiles, s.in
	}
	*list = append(*list, name)
	if of == nil {
		return
	}
	for _, x := range src.imports {
		of.imports[x.path] = append(of.imports[x.path], s.fset.Position(x.pos))
	}
	for _, x := range src.embeds {
		of.embeds[x.pattern] = append(of.embeds[x.pattern], x.pos)
	}
	of.directives = append(of.directives, src.directives...)
}

func (s *folder) importComment(name string, src *source) {
	quoted, ok := importComment(src.header)
	if !ok {
		return
	}
	path, err := strconv.Unquote(quoted)
	switch p := s.Package; {
	case err != nil:
		// Go counts lines from the package clause on.
		s.invalid(name, fmt.Errorf("%s:1: cannot parse import comment", src.name))
	case p.ImportComment == "":
		p.ImportComment = path
		s.commented = name
	case p.ImportComment != path:
		s.invalid(name, fmt.Errorf("found import comments %q (%s) and %q (%s) in %s",
			p.ImportComment, s.commented, path, name, p.Dir))
	}
}

// usesC says whether a file imports "C", and reads what it says to cgo.
func (s *folder) usesC(name string, src *source, test bool) (cgo bool) {
	for _, x := range src.imports {
		if x.path != "C" {
			continue
		}
		if test {
			s.invalid(name, fmt.Errorf("use of cgo in test %s not supported", src.name))
			continue
		}
		cgo = true
		s.tags["cgo"] = true
		if x.doc != nil {
			if err := s.cgo(src.name, s.Package, x.doc.Text()); err != nil {
				s.invalid(name, err)
			}
		}
	}
	return cgo
}
