// Package template: text made of templates and data.
//
// template.go has sets of templates, exec.go executes them, funcs.go are the functions that all
// templates know.
package template

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"text/template/parse"
)

// FuncMap is functions by the names that templates call them.
type FuncMap map[string]any

// common is what the templates of a set share.
type common struct {
	mu   sync.RWMutex // of tmpl
	tmpl map[string]*Template

	missingKey missingKey

	muFuncs    sync.RWMutex // of both maps
	parseFuncs FuncMap
	execFuncs  map[string]reflect.Value
}

// What an entry that a map does not have is.
type missingKey int

const (
	noValue missingKey = iota
	zeroValue
	isError
)

type Template struct {
	name string
	*parse.Tree
	*common
	leftDelim, rightDelim string
}

func New(name string) *Template {
	t := &Template{name: name}
	t.init()
	return t
}

func (t *Template) init() {
	if t.common == nil {
		t.common = &common{
			tmpl: map[string]*Template{}, parseFuncs: FuncMap{},
			execFuncs: map[string]reflect.Value{},
		}
	}
}

func (t *Template) Name() string { return t.name }

func (t *Template) New(name string) *Template {
	t.init()
	return &Template{
		name: name, common: t.common, leftDelim: t.leftDelim, rightDelim: t.rightDelim,
	}
}

func (t *Template) Clone() (*Template, error) {
	c := *t
	c.common = nil
	c.init()
	if t.common == nil {
		return &c, nil
	}
	c.missingKey = t.missingKey
	t.mu.RLock()
	defer t.mu.RUnlock()
	for name, other := range t.tmpl {
		if name == t.name {
			c.tmpl[name] = &c
			continue
		}
		o := *other
		o.common = c.common
		c.tmpl[name] = &o
	}
	t.muFuncs.RLock()
	defer t.muFuncs.RUnlock()
	maps.Copy(c.parseFuncs, t.parseFuncs)
	maps.Copy(c.execFuncs, t.execFuncs)
	return &c, nil
}

func (t *Template) AddParseTree(name string, tree *parse.Tree) (*Template, error) {
	t.init()
	t.mu.Lock()
	defer t.mu.Unlock()
	added := t
	if name != t.name {
		added = t.New(name)
	}
	// An empty template does not replace one that is not.
	old := t.tmpl[name]
	isKept := old != nil && old.Tree != nil && parse.IsEmptyTree(tree.Root)
	if !isKept {
		t.tmpl[name] = added
	}
	if !isKept || added.Tree == nil {
		added.Tree = tree
	}
	return added, nil
}

func (t *Template) Templates() []*Template {
	if t.common == nil {
		return nil
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	list := make([]*Template, 0, len(t.tmpl))
	for _, other := range t.tmpl {
		list = append(list, other)
	}
	return list
}

func (t *Template) Lookup(name string) *Template {
	if t.common == nil {
		return nil
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.tmpl[name]
}

func (t *Template) DefinedTemplates() string {
	if t.common == nil {
		return ""
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	var names []string
	for name, other := range t.tmpl {
		if other.Tree != nil && other.Root != nil {
			names = append(names, fmt.Sprintf("%q", name))
		}
	}
	if names == nil {
		return ""
	}
	return "; defined templates are: " + strings.Join(names, ", ")
}

func (t *Template) Delims(left, right string) *Template {
	t.init()
	t.leftDelim, t.rightDelim = left, right
	return t
}

func (t *Template) Funcs(funcMap FuncMap) *Template {
	t.init()
	t.muFuncs.Lock()
	defer t.muFuncs.Unlock()
	addFuncs(t.execFuncs, funcMap)
	maps.Copy(t.parseFuncs, funcMap)
	return t
}

func (t *Template) Option(opt ...string) *Template {
	t.init()
	for _, o := range opt {
		switch o {
		case "":
			panic("empty option string")
		case "missingkey=default", "missingkey=invalid":
			t.missingKey = noValue
		case "missingkey=zero":
			t.missingKey = zeroValue
		case "missingkey=error":
			t.missingKey = isError
		default:
			panic("unrecognized option: " + o)
		}
	}
	return t
}

func (t *Template) Parse(text string) (*Template, error) {
	t.init()
	t.muFuncs.RLock()
	trees, err := parse.Parse(t.name, text, t.leftDelim, t.rightDelim, t.parseFuncs, builtins)
	t.muFuncs.RUnlock()
	if err != nil {
		return nil, err
	}
	for name, tree := range trees {
		if _, err := t.AddParseTree(name, tree); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func Must(t *Template, err error) *Template {
	if err != nil {
		panic(err)
	}
	return t
}

// Files:

// parseFiles parses files, each as the template of its name, into t, or if that is nil into one of
// the first file's name.
func parseFiles(t *Template, base func(string) string, read func(string) ([]byte, error),
	files []string) (*Template, error) {
	if len(files) == 0 {
		return nil, errors.New("template: no files named in call to ParseFiles")
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
		if name != t.name {
			of = t.New(name)
		}
		if _, err := of.Parse(string(text)); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func matches(glob func(string) ([]string, error), patterns []string) (files []string, err error) {
	for _, pattern := range patterns {
		list, err := glob(pattern)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("template: pattern matches no files: %#q", pattern)
		}
		files = append(files, list...)
	}
	return files, nil
}

func parseGlob(t *Template, pattern string) (*Template, error) {
	files, err := matches(filepath.Glob, []string{pattern})
	if err != nil {
		return nil, err
	}
	return parseFiles(t, filepath.Base, os.ReadFile, files)
}

func parseFS(t *Template, fsys fs.FS, patterns []string) (*Template, error) {
	files, err := matches(func(p string) ([]string, error) { return fs.Glob(fsys, p) }, patterns)
	if err != nil {
		return nil, err
	}
	read := func(file string) ([]byte, error) { return fs.ReadFile(fsys, file) }
	return parseFiles(t, path.Base, read, files)
}

func ParseFiles(filenames ...string) (*Template, error) {
	return parseFiles(nil, filepath.Base, os.ReadFile, filenames)
}

func ParseGlob(pattern string) (*Template, error) { return parseGlob(nil, pattern) }

func ParseFS(fsys fs.FS, patterns ...string) (*Template, error) {
	return parseFS(nil, fsys, patterns)
}

func (t *Template) ParseFiles(filenames ...string) (*Template, error) {
	t.init()
	return parseFiles(t, filepath.Base, os.ReadFile, filenames)
}

func (t *Template) ParseGlob(pattern string) (*Template, error) {
	t.init()
	return parseGlob(t, pattern)
}

func (t *Template) ParseFS(fsys fs.FS, patterns ...string) (*Template, error) {
	t.init()
	return parseFS(t, fsys, patterns)
}
