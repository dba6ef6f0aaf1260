package doc

// This file finds the examples in tests, and what they are examples of.

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Example is a function `ExampleX` of a test.
type Example struct {
	Name        string // without `Example`
	Suffix      string // what is behind the name of the thing shown; NewFromFiles sets it
	Doc         string
	Code        ast.Node  // the function's body, or the file
	Play        *ast.File // a program of it, if it can be one
	Comments    []*ast.CommentGroup
	Output      string // what the comment at its end says
	Unordered   bool   // may lines of that come in any order?
	EmptyOutput bool   // does the comment say that there is none?
	Order       int    // in its file
}

// Examples returns the examples in files by their names. One that is in a package with `_test` and
// needs nothing but what it can take along has a program; and one that is alone in its file with
// other declarations, but no tests, whose code is the file.
func Examples(testFiles ...*ast.File) []*Example {
	lists := make([][]*Example, len(testFiles))
	for i := range lists {
		lists[i] = examplesOf(testFiles[i])
	}
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b *Example) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// testWords begin the names of functions that are run as tests.
var testWords = [...]string{"Test", "Benchmark", "Fuzz"}

// examplesOf returns the examples in a file in the order of the text.
func examplesOf(file *ast.File) (list []*Example) {
	others, tests := 0, 0 // declarations
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		switch {
		case !ok:
			if g, ok := d.(*ast.GenDecl); ok && g.Tok != token.IMPORT {
				others++
			}
		case f.Recv != nil:
		case slices.ContainsFunc(testWords[:], func(w string) bool { return is(f.Name.Name, w) }):
			tests++
		case isExample(f):
			list = append(list, newExample(file, f, len(list)))
		default:
			others++
		}
	}
	if len(list) == 1 && others > 0 && tests == 0 {
		list[0].Code, list[0].Play = file, playFile(file)
	}
	return list
}

// isExample says whether a function is an example that can be shown.
func isExample(f *ast.FuncDecl) bool {
	return is(f.Name.Name, "Example") && f.Body != nil && len(f.Type.Params.List) == 0 &&
		f.Type.Results.NumFields() == 0
}

// newExample returns the example that a function of a file is.
func newExample(file *ast.File, f *ast.FuncDecl, order int) *Example {
	x := &Example{
		Name: strings.TrimPrefix(f.Name.Name, "Example"), Order: order, Doc: f.Doc.Text(),
		Code: f.Body, Comments: file.Comments, Play: play(file, f),
	}
	if last := lastComment(f.Body, file.Comments); last >= 0 {
		x.readOutput(file.Comments[last].Text())
	}
	return x
}

// is says whether a name begins with a word, behind which no small letter stands.
func is(name, word string) bool {
	rest, ok := strings.CutPrefix(name, word)
	c, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLower(c)
}

// lastComment returns the index of the last comment in a block, or -1. Comments are in the order of
// the text.
func lastComment(b *ast.BlockStmt, comments []*ast.CommentGroup) int {
	if b == nil {
		return -1
	}
	behind := slices.IndexFunc(comments, func(c *ast.CommentGroup) bool {
		return c.Pos() >= b.Pos() && c.End() > b.End()
	})
	if behind < 0 {
		behind = len(comments)
	}
	if behind == 0 || comments[behind-1].Pos() < b.Pos() {
		return -1
	}
	return behind - 1
}

// cutOutput takes `Output:` or `Unordered output:` off the beginning of a comment.
func cutOutput(text string) (rest string, unordered, ok bool) {
	text = strings.TrimLeft(text, " \t\n\v\f\r")
	text, unordered = cutWord(text, "unordered ")
	text, ok = cutWord(text, "output:")
	return text, unordered, ok
}

// cutWord takes a word off, in whatever letters.
func cutWord(text, word string) (rest string, ok bool) {
	if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
		return text, false
	}
	return text[len(word):], true
}

func (x *Example) readOutput(text string) {
	text, unordered, ok := cutOutput(text)
	if ok {
		x.Output = strings.TrimPrefix(strings.TrimLeft(text, " "), "\n")
		x.Unordered = unordered
		x.EmptyOutput = x.Output == ""
	}
}

// addExamples gives examples to what they show. `X_y` is an example of what is called so, or else
// of X, with y for its suffix, which begins with a small letter.
func (p *Package) addExamples(list []*Example) {
	if len(list) == 0 {
		return
	}
	shown := p.showable()
	for _, x := range list {
		name, suffix := x.Name, ""
		for {
			if c, _ := utf8.DecodeRuneInString(suffix); name == x.Name || unicode.IsLower(c) {
				if of := shown[name]; of != nil {
					x.Suffix = suffix
					*of = append(*of, x)
					break
				}
			}
			end := strings.LastIndexByte(name, '_')
			if end < 0 {
				break
			}
			name, suffix = name[:end], x.Name[end+1:]
		}
	}
	for _, of := range shown {
		slices.SortFunc(*of, func(a, b *Example) int { return cmp.Compare(a.Suffix, b.Suffix) })
	}
}

// showable returns the lists of examples of all that can have some, by the names of these: those of
// methods have that of their type in front. The package's name is empty.
func (p *Package) showable() map[string]*[]*Example {
	all := map[string]*[]*Example{"": &p.Examples}
	add := func(name string, of *[]*Example) {
		if token.IsExported(name) {
			all[name] = of
		}
	}
	for _, f := range p.Funcs {
		add(f.Name, &f.Examples)
	}
	for _, t := range p.Types {
		if !token.IsExported(t.Name) {
			continue
		}
		add(t.Name, &t.Examples)
		for _, f := range t.Funcs {
			add(f.Name, &f.Examples)
		}
		for _, m := range t.Methods {
			on := strings.TrimPrefix(plainReceiver(m.Recv), "*")
			if token.IsExported(m.Name) {
				all[on+"_"+m.Name] = &m.Examples
			}
		}
	}
	return all
}

// plainReceiver returns a receiver without type parameters.
func plainReceiver(recv string) string {
	before, rest, ok := strings.Cut(recv, "[")
	if end := strings.LastIndex(rest, "]"); ok && end >= 0 {
		return before + rest[end+1:]
	}
	return recv
}
