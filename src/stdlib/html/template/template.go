// Package template: templates of HTML, whose values are escaped for the place where they stand.
//
// Before a template is first executed, escape.go goes through it with what a browser would make of
// its text (transition.go), and appends to each pipeline the functions of content.go that keep its
// value a value there.
package template

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"text/template"
	"text/template/parse"
)

type FuncMap = template.FuncMap

type Template struct {
	escapeErr error // escapeOK, once it has been escaped
	text      *template.Template
	Tree      *parse.Tree
	*nameSpace
}

var escapeOK = errors.New("template escaped correctly")

// nameSpace is what the templates of a set share.
type nameSpace struct {
	mu      sync.Mutex
	set     map[string]*Template
	escaped bool // one of them has been executed
	esc     escaper
}

func newNameSpace() *nameSpace {
	ns := &nameSpace{set: make(map[string]*Template)}
	ns.esc = makeEscaper(ns)
	return ns
}

func New(name string) *Template {
	t := &Template{nil, template.New(name), nil, newNameSpace()}
	t.set[name] = t
	return t
}

func (t *Template) New(name string) *Template {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.newLocked(name)
}

func (t *Template) newLocked(name string) *Template {
	n := &Template{nil, t.text.New(name), nil, t.nameSpace}
	if old := t.set[name]; old != nil {
		*old = *New(name)
	}
	n.set[name] = n
	return n
}

func (t *Template) Name() string             { return t.text.Name() }
func (t *Template) DefinedTemplates() string { return t.text.DefinedTemplates() }

func (t *Template) Option(opt ...string) *Template {
	t.text.Option(opt...)
	return t
}

func (t *Template) Funcs(funcMap FuncMap) *Template {
	t.text.Funcs(funcMap)
	return t
}

func (t *Template) Delims(left, right string) *Template {
	t.text.Delims(left, right)
	return t
}

func (t *Template) Lookup(name string) *Template {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.set[name]
}

func (t *Template) Templates() []*Template {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]*Template, 0, len(t.set))
	for _, other := range t.set {
		list = append(list, other)
	}
	return list
}

func (t *Template) Execute(wr io.Writer, data any) error {
	if err := t.escape(); err != nil {
		return err
	}
	return t.text.Execute(wr, data)
}

func (t *Template) escape() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.escaped = true
	switch {
	case t.escapeErr == escapeOK:
		return nil
	case t.escapeErr != nil:
		return t.escapeErr
	case t.Tree == nil:
		return fmt.Errorf("template: %q is an incomplete or empty template", t.Name())
	}
	return escapeTemplate(t, t.text.Root, t.Name())
}

func (t *Template) ExecuteTemplate(wr io.Writer, name string, data any) error {
	other, err := t.escapeOther(name)
	if err != nil {
		return err
	}
	return other.text.Execute(wr, data)
}

func (t *Template) escapeOther(name string) (*Template, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.escaped = true
	other := t.set[name]
	switch {
	case other == nil:
		return nil, fmt.Errorf("html/template: %q is undefined", name)
	case other.escapeErr != nil && other.escapeErr != escapeOK:
		return nil, other.escapeErr
	case other.text.Tree == nil || other.text.Root == nil:
		return nil, fmt.Errorf("html/template: %q is an incomplete template", name)
	case t.text.Lookup(name) == nil:
		panic("html/template internal error: template escaping out of sync")
	case other.escapeErr == nil:
		return other, escapeTemplate(other, other.text.Root, name)
	}
	return other, nil
}

// checkCanParse says whether templates can still be added. t may be nil.
func (t *Template) checkCanParse() error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.escaped {
		return errors.New("html/template: cannot Parse after Execute")
	}
	return nil
}

func (t *Template) Parse(text string) (*Template, error) {
	if err := t.checkCanParse(); err != nil {
		return nil, err
	}
	parsed, err := t.text.Parse(text)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, text := range parsed.Templates() {
		other := t.set[text.Name()]
		if other == nil {
			other = t.newLocked(text.Name())
		}
		other.text, other.Tree = text, text.Tree
	}
	return t, nil
}

func (t *Template) AddParseTree(name string, tree *parse.Tree) (*Template, error) {
	if err := t.checkCanParse(); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	text, err := t.text.AddParseTree(name, tree)
	if err != nil {
		return nil, err
	}
	added := &Template{nil, text, text.Tree, t.nameSpace}
	t.set[name] = added
	return added, nil
}

func (t *Template) Clone() (*Template, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	late := fmt.Errorf("html/template: cannot Clone %q after it has executed", t.Name())
	if t.escapeErr != nil {
		return nil, late
	}
	text, err := t.text.Clone()
	if err != nil {
		return nil, err
	}
	ns := newNameSpace()
	ns.set[text.Name()] = &Template{nil, text, text.Tree, ns}
	for _, x := range text.Templates() {
		name := x.Name()
		if old := t.set[name]; old == nil || old.escapeErr != nil {
			return nil, late
		}
		x.Tree = x.Tree.Copy()
		ns.set[name] = &Template{nil, x, x.Tree, ns}
	}
	return ns.set[text.Name()], nil
}

func Must(t *Template, err error) *Template {
	if err != nil {
		panic(err)
	}
	return t
}

func IsTrue(val any) (truth, ok bool) { return template.IsTrue(val) }

// Files:

func parseFiles(t *Template, base func(string) string, read func(string) ([]byte, error),
	files []string) (*Template, error) {
	if err := t.checkCanParse(); err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("html/template: no files named in call to ParseFiles")
	}
	for _, file := range files {
		text, err := read(file)
		if err != nil {
			return nil, err
		}
		name := base(file)
		if t == nil {
			t = New(name)
		}
		of := t
		if name != t.Name() {
			of = t.New(name)
		}
		if _, err := of.Parse(string(text)); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func parseGlob(t *Template, pattern string) (*Template, error) {
	if err := t.checkCanParse(); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("html/template: pattern matches no files: %#q", pattern)
	}
	return parseFiles(t, filepath.Base, os.ReadFile, files)
}

func parseFS(t *Template, fsys fs.FS, patterns []string) (*Template, error) {
	var files []string
	for _, pattern := range patterns {
		list, err := fs.Glob(fsys, pattern)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("template: pattern matches no files: %#q", pattern)
		}
		files = append(files, list...)
	}
	read := func(file string) ([]byte, error) { return fs.ReadFile(fsys, file) }
	return parseFiles(t, path.Base, read, files)
}

func ParseFiles(filenames ...string) (*Template, error) {
	return parseFiles(nil, filepath.Base, os.ReadFile, filenames)
}

func ParseGlob(pattern string) (*Template, error) { return parseGlob(nil, pattern) }

func ParseFS(fs fs.FS, patterns ...string) (*Template, error) {
	return parseFS(nil, fs, patterns)
}

func (t *Template) ParseFiles(filenames ...string) (*Template, error) {
	return parseFiles(t, filepath.Base, os.ReadFile, filenames)
}

func (t *Template) ParseGlob(pattern string) (*Template, error) { return parseGlob(t, pattern) }

func (t *Template) ParseFS(fs fs.FS, patterns ...string) (*Template, error) {
	return parseFS(t, fs, patterns)
}
