// Package template: text made of templates and data.
//
// A template is parsed into a tree (package parse). When it is executed for the first time, its
// tree is compiled into closures (compile.go): a step for each node that does something, an eval
// for each value. What can be known from the tree is decided then: where each variable lies in the
// template's frame, what a constant is, which commands cannot work. What depends on the data is
// found out where it is used and kept there for the next time: what a name means for a type of
// values (select.go), how a function of some type is called (call.go), how a type is printed
// (exec.go). These notes are replaced as a whole, so that executions may share them.
//
// template.go has the templates and the sets that they form, files.go reads them from files,
// exec.go is an execution, order.go puts the keys of maps in order, funcs.go has the functions that
// all templates know, compare.go and escape.go the larger ones of these.
package template

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/template/parse"
)

// FuncMap is functions by the names that templates call them.
type FuncMap map[string]any

// A Template is a parsed template, and a member of a set of templates that can use one another.
type Template struct {
	name string
	*parse.Tree
	*common
	leftDelim, rightDelim string
	compiled              atomic.Pointer[program]
}

// common is what the templates of a set share.
type common struct {
	mu       sync.RWMutex // guards byName
	byName   map[string]*Template
	onAbsent absence

	adding sync.Mutex // is held while functions are added
	funcs  atomic.Pointer[functions]
}

// functions are the functions of a set at one time. They never change: other ones replace them.
type functions struct {
	given  FuncMap
	values map[string]reflect.Value
}

// An absence says what an entry is that a map does not have.
type absence int

const (
	absentIsNoValue absence = iota
	absentIsZero
	absentIsError
)

var absences = map[string]absence{
	"default": absentIsNoValue, "invalid": absentIsNoValue, "zero": absentIsZero,
	"error": absentIsError,
}

// New makes a template, and a set for it.
func New(name string) *Template {
	t := new(Template)
	t.name = name
	t.join()
	return t
}

// join makes sure that t is in a set.
func (t *Template) join() {
	if t.common != nil {
		return
	}
	t.common = &common{byName: map[string]*Template{}}
	t.funcs.Store(&functions{})
}

// sibling is a template of the same set, which is not yet in it by its name.
func (t *Template) sibling(name string, tree *parse.Tree, in *common) *Template {
	return &Template{
		name: name, Tree: tree, common: in, leftDelim: t.leftDelim, rightDelim: t.rightDelim,
	}
}

// New makes a template for the same set, with the same delimiters.
func (t *Template) New(name string) *Template {
	t.join()
	return t.sibling(name, nil, t.common)
}

// Name returns the name of the template.
func (t *Template) Name() string { return t.name }

// Clone copies the template and its set, but not the trees.
func (t *Template) Clone() (*Template, error) {
	set := New("").common
	twin := t.sibling(t.name, t.Tree, set)
	t.view(func(byName map[string]*Template) {
		set.onAbsent = t.onAbsent
		set.funcs.Store(t.funcs.Load())
		for name, member := range byName {
			set.byName[name] = twin
			if name != t.name {
				set.byName[name] = member.sibling(member.name, member.Tree, set)
			}
		}
	})
	return twin, nil
}

// view lets see look at the templates of the set, if there is one.
func (t *Template) view(see func(byName map[string]*Template)) {
	if t.common != nil {
		t.mu.RLock()
		defer t.mu.RUnlock()
		see(t.byName)
	}
}

// Templates returns the templates of the set.
func (t *Template) Templates() (all []*Template) {
	t.view(func(byName map[string]*Template) {
		all = slices.AppendSeq(make([]*Template, 0, len(byName)), maps.Values(byName))
	})
	return all
}

// Lookup returns the template of the set that has a name, or nil.
func (t *Template) Lookup(name string) *Template {
	if t.common == nil {
		return nil
	}
	t.mu.RLock()
	found := t.byName[name]
	t.mu.RUnlock()
	return found
}

// DefinedTemplates lists the names of the set for a message, if any are defined.
func (t *Template) DefinedTemplates() string {
	said := "; defined templates are: "
	var quoted []string
	t.view(func(byName map[string]*Template) {
		for name, member := range byName {
			if member.isDefined() {
				quoted = append(quoted, strconv.Quote(name))
			}
		}
	})
	if quoted == nil {
		return ""
	}
	return said + strings.Join(quoted, ", ")
}

func (t *Template) isDefined() bool { return t.Tree != nil && t.Root != nil }

// AddParseTree puts a tree into the set under a name. An empty tree does not replace one that is
// not.
func (t *Template) AddParseTree(name string, tree *parse.Tree) (*Template, error) {
	t.join()
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.addTree(name, tree), nil
}

// addTree is AddParseTree in a set that is locked.
func (t *Template) addTree(name string, tree *parse.Tree) *Template {
	member := t
	if name != t.name {
		member = t.sibling(name, nil, t.common)
	}
	now := t.byName[name]
	isKept := now != nil && now.Tree != nil && parse.IsEmptyTree(tree.Root)
	if !isKept {
		t.byName[name] = member
	}
	if !isKept || member.Tree == nil {
		member.Tree = tree
	}
	return member
}

// Parse makes text the template, and adds those that it defines to the set.
func (t *Template) Parse(text string) (*Template, error) {
	t.join()
	given := t.funcs.Load().given
	trees, err := parse.Parse(t.name, text, t.leftDelim, t.rightDelim, given, builtins)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, tree := range trees {
		t.addTree(name, tree)
	}
	return t, nil
}

// Delims sets the delimiters of the texts that are parsed from now on.
func (t *Template) Delims(left, right string) *Template {
	t.join()
	t.leftDelim, t.rightDelim = left, right
	return t
}

// Funcs adds functions to the set. It panics if one of them cannot be called, or its name.
func (t *Template) Funcs(funcMap FuncMap) *Template {
	t.join()
	t.adding.Lock()
	defer t.adding.Unlock()
	now := t.funcs.Load()
	more := &functions{make(FuncMap), make(map[string]reflect.Value)}
	maps.Copy(more.given, now.given)
	maps.Copy(more.values, now.values)
	for name, f := range funcMap {
		more.given[name], more.values[name] = f, callable(name, f)
	}
	t.funcs.Store(more)
	return t
}

// Option sets options, of which there is one: missingkey.
func (t *Template) Option(opt ...string) *Template {
	t.join()
	for _, o := range opt {
		value, _ := strings.CutPrefix(o, "missingkey=")
		how, known := absences[value]
		switch {
		case o == "":
			panic("empty option string")
		case value == o || !known:
			panic("unrecognized option: " + o)
		}
		t.onAbsent = how
	}
	return t
}

// Must returns t, and panics if err is not nil.
func Must(t *Template, err error) *Template {
	if err == nil {
		return t
	}
	panic(err)
}
