// Package template: templates of HTML, whose values are escaped for the place where they stand.
//
// A template is a template of text/template, and has a tree. Before it is executed for the first
// time, an escaper (escape.go) goes through the tree with what a browser makes of the page there
// (context.go), which text moves on (scan.go), and appends to each pipeline the functions that keep
// its value a value in that place (content.go). Then the template of text/template is executed.
//
// The templates of a set share a nameSpace, whose lock is held while they change, or are escaped.
package template

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"text/template"
	"text/template/parse"
)

// FuncMap is functions by the names that templates call them.
type FuncMap = template.FuncMap

// Template is a template of a page, or of a part of one.
type Template struct {
	isEscaped bool
	failure   error // why it cannot be escaped
	text      *template.Template
	Tree      *parse.Tree // that of text
	*nameSpace
}

// A nameSpace is what the templates of a set share.
type nameSpace struct {
	mu     sync.Mutex
	byName map[string]*Template
	group  *template.Template // one of those of text/template, which are a set, too
	isUsed bool               // one of them has been executed
	esc    escaper
}

func newNameSpace(group *template.Template) *nameSpace {
	ns := nameSpace{byName: map[string]*Template{}, group: group}
	ns.esc.begin(&ns)
	return &ns
}

// add makes text a template of the set.
func (ns *nameSpace) add(name string, text *template.Template) *Template {
	t := &Template{text: text, Tree: text.Tree, nameSpace: ns}
	ns.byName[name] = t
	return t
}

// lock locks the set up to the call of what it returns.
func (ns *nameSpace) lock() (unlock func()) {
	ns.mu.Lock()
	return ns.mu.Unlock
}

// New makes a template, and a set for it.
func New(name string) *Template {
	text := template.New(name)
	return newNameSpace(text).add(name, text)
}

// New makes a template for the same set, with the same delimiters. One that had its name has none.
func (t *Template) New(name string) *Template {
	defer t.lock()()
	return t.replace(name)
}

func (t *Template) replace(name string) *Template {
	ns, text := t.nameSpace, t.text.New(name)
	if old, isThere := ns.byName[name]; isThere {
		*old = *New(name) // which may be t
	}
	return ns.add(name, text)
}

// Name returns the name of the template.
func (t *Template) Name() string { return t.text.Name() }

// DefinedTemplates lists the names of the set for a message, if any are defined.
func (t *Template) DefinedTemplates() string { return t.text.DefinedTemplates() }

// Option sets options.
func (t *Template) Option(opt ...string) *Template {
	t.text.Option(opt...)
	return t
}

// Funcs adds functions to the set.
func (t *Template) Funcs(funcMap FuncMap) *Template {
	t.text.Funcs(funcMap)
	return t
}

// Delims sets the delimiters of the texts that are parsed from now on.
func (t *Template) Delims(left, right string) *Template {
	t.text.Delims(left, right)
	return t
}

// Lookup returns the template of the set that has a name, or nil.
func (t *Template) Lookup(name string) *Template {
	defer t.lock()()
	return t.byName[name]
}

// Templates returns the templates of the set.
func (t *Template) Templates() []*Template {
	defer t.lock()()
	return slices.AppendSeq(make([]*Template, 0, len(t.byName)), maps.Values(t.byName))
}

// Execute writes the page for data, which is dot and $ in it.
func (t *Template) Execute(wr io.Writer, data any) error {
	err := t.prepare(func() (*Template, error) {
		if t.isEscaped || t.failure != nil || t.Tree != nil {
			return t, nil
		}
		return nil, fmt.Errorf("template: %q is an incomplete or empty template", t.Name())
	})
	if err == nil {
		err = t.text.Execute(wr, data)
	}
	return err
}

// ExecuteTemplate executes the template of the set that has a name.
func (t *Template) ExecuteTemplate(wr io.Writer, name string, data any) error {
	var named *Template
	err := t.prepare(func() (*Template, error) {
		problem := ""
		switch named = t.byName[name]; {
		case named == nil:
			problem = "undefined"
		case named.failure != nil:
			// It is told again.
		case named.text.Tree == nil || named.text.Root == nil:
			problem = "an incomplete template"
		case t.text.Lookup(name) == nil:
			panic("html/template internal error: template escaping out of sync")
		}
		if problem != "" {
			return nil, fmt.Errorf("html/template: %q is %s", name, problem)
		}
		return named, nil
	})
	if err == nil {
		err = named.text.Execute(wr, data)
	}
	return err
}

// prepare escapes the template that find finds, if it has not been.
func (t *Template) prepare(find func() (*Template, error)) error {
	defer t.lock()()
	t.isUsed = true
	found, err := find()
	if err != nil {
		return err
	}
	if found.isEscaped || found.failure != nil {
		return found.failure
	}
	name := found.Name()
	err = found.esc.escape(name, found.text.Root)
	if self := found.byName[name]; self != nil {
		self.isEscaped, self.failure = err == nil, err
		if err != nil {
			self.text.Tree = nil
		}
		self.Tree = self.text.Tree
	}
	return err
}

// isFixed tells that no more templates can be parsed, if that is so. t may be nil.
func (t *Template) isFixed() error {
	if t != nil {
		defer t.lock()()
		if t.isUsed {
			return errors.New("html/template: cannot Parse after Execute")
		}
	}
	return nil
}

// Parse makes text the template, and adds those that it defines to the set.
func (t *Template) Parse(text string) (*Template, error) {
	if err := t.isFixed(); err != nil {
		return nil, err
	}
	if _, err := t.text.Parse(text); err != nil {
		return nil, err
	}
	t.adopt()
	return t, nil
}

// adopt has the set follow the templates of text/template's.
func (t *Template) adopt() {
	defer t.lock()()
	for _, text := range t.text.Templates() {
		if t.byName[text.Name()] == nil {
			t.replace(text.Name())
		}
		member := t.byName[text.Name()]
		member.text, member.Tree = text, text.Tree
	}
}

// AddParseTree puts a tree into the set under a name.
func (t *Template) AddParseTree(name string, tree *parse.Tree) (added *Template, err error) {
	if err = t.isFixed(); err == nil {
		defer t.lock()()
		var text *template.Template
		if text, err = t.text.AddParseTree(name, tree); err == nil {
			added = t.add(name, text)
		}
	}
	return added, err
}

// Clone copies the template and its set, none of which has been executed.
func (t *Template) Clone() (*Template, error) {
	defer t.lock()()
	isTouched := func(t *Template) bool { return t == nil || t.isEscaped || t.failure != nil }
	copied, err := t.text.Clone()
	if err != nil {
		return nil, err
	}
	ns := newNameSpace(copied)
	twin := ns.add(copied.Name(), copied)
	isLate := isTouched(t)
	for _, text := range copied.Templates() {
		if isLate = isLate || isTouched(t.byName[text.Name()]); isLate {
			break
		}
		text.Tree = text.Tree.Copy()
		ns.add(text.Name(), text)
	}
	if isLate {
		return nil, fmt.Errorf("html/template: cannot Clone %q after it has executed", t.Name())
	}
	if member := ns.byName[copied.Name()]; member != nil {
		twin = member
	}
	return twin, nil
}

// Must returns t, and panics if err is not nil.
func Must(t *Template, err error) *Template {
	if err == nil {
		return t
	}
	panic(err)
}

// IsTrue says whether a template takes val for true, and whether that has a meaning.
func IsTrue(val any) (truth, ok bool) { return template.IsTrue(val) }

// Files:

// load parses files, which read reads, by their names. t is nil if the first file's template is to
// begin a set.
func load(t *Template, read func(file string) (name string, text []byte, err error),
	files ...string) (*Template, error) {
	if err := t.isFixed(); err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("html/template: no files named in call to ParseFiles")
	}
	for _, file := range files {
		name, text, err := read(file)
		if err == nil {
			member := t.named(name)
			t = cmp.Or(t, member)
			_, err = member.Parse(string(text))
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// named is the template that a file of a name is parsed as: t itself, another one of the set, or if
// there is no set yet the first one.
func (t *Template) named(name string) *Template {
	switch {
	case t == nil:
		return New(name)
	case t.Name() == name:
		return t
	}
	return t.New(name)
}

func readFile(file string) (name string, text []byte, err error) {
	text, err = os.ReadFile(file)
	return filepath.Base(file), text, err
}

// matching is the files that patterns match. of is the package that an error tells of a pattern
// without any.
func matching(
	of string, glob func(pattern string) ([]string, error), patterns ...string,
) (files []string, err error) {
	for _, pattern := range patterns {
		more, err := glob(pattern)
		if err == nil && len(more) == 0 {
			err = fmt.Errorf("%s: pattern matches no files: %#q", of, pattern)
		}
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}

func loadGlob(t *Template, pattern string) (all *Template, err error) {
	if err = t.isFixed(); err == nil {
		var files []string
		if files, err = matching("html/template", filepath.Glob, pattern); err == nil {
			all, err = load(t, readFile, files...)
		}
	}
	return all, err
}

func loadFS(t *Template, fsys fs.FS, patterns []string) (*Template, error) {
	glob := func(pattern string) ([]string, error) { return fs.Glob(fsys, pattern) }
	read := func(file string) (string, []byte, error) {
		text, err := fs.ReadFile(fsys, file)
		return path.Base(file), text, err
	}
	files, err := matching("template", glob, patterns...)
	if err != nil {
		return nil, err
	}
	return load(t, read, files...)
}

// ParseFiles parses files into a new set, whose first template it returns.
func ParseFiles(filenames ...string) (*Template, error) { return load(nil, readFile, filenames...) }

// ParseFiles parses files as templates of the set, by their names.
func (t *Template) ParseFiles(filenames ...string) (*Template, error) {
	return load(t, readFile, filenames...)
}

// ParseGlob is ParseFiles for the files that match a pattern.
func ParseGlob(pattern string) (*Template, error) { return loadGlob(nil, pattern) }

// ParseGlob is ParseFiles for the files that match a pattern.
func (t *Template) ParseGlob(pattern string) (*Template, error) { return loadGlob(t, pattern) }

// ParseFS is ParseFiles for the files of fs that match patterns.
func ParseFS(fs fs.FS, patterns ...string) (*Template, error) { return loadFS(nil, fs, patterns) }

// ParseFS is ParseFiles for the files of fs that match patterns.
func (t *Template) ParseFS(fs fs.FS, patterns ...string) (*Template, error) {
	return loadFS(t, fs, patterns)
}

// The escaping of text/template, which does not depend on the place:

// HTMLEscape writes b for HTML.
func HTMLEscape(w io.Writer, b []byte) { template.HTMLEscape(w, b) }

// HTMLEscapeString returns s for HTML.
func HTMLEscapeString(s string) string { return template.HTMLEscapeString(s) }

// HTMLEscaper returns what the arguments are printed as for HTML.
func HTMLEscaper(args ...any) string { return template.HTMLEscaper(args...) }

// JSEscape writes b for a string in a script.
func JSEscape(w io.Writer, b []byte) { template.JSEscape(w, b) }

// JSEscapeString returns s for a string in a script.
func JSEscapeString(s string) string { return template.JSEscapeString(s) }

// JSEscaper returns what the arguments are printed as for a string in a script.
func JSEscaper(args ...any) string { return template.JSEscaper(args...) }

// URLQueryEscaper returns what the arguments are printed as for the query of a URL.
func URLQueryEscaper(args ...any) string { return template.URLQueryEscaper(args...) }
