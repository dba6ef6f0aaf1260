package doc

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
	var all []*Example
	for _, file := range testFiles {
		var list []*Example
		tests, decls := false, 0
		for _, d := range file.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok != token.IMPORT {
				decls++
			}
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil {
				continue
			}
			decls++
			name := f.Name.Name
			if is(name, "Test") || is(name, "Benchmark") || is(name, "Fuzz") {
				tests = true
				continue
			}
			if !is(name, "Example") || len(f.Type.Params.List) > 0 ||
				f.Type.Results != nil && len(f.Type.Results.List) > 0 || f.Body == nil {
				continue
			}
			x := &Example{
				Name:     name[len("Example"):],
				Doc:      f.Doc.Text(),
				Code:     f.Body,
				Play:     play(file, f),
				Comments: file.Comments,
				Order:    len(list),
			}
			if _, last := lastComment(f.Body, file.Comments); last != nil {
				x.readOutput(last.Text())
			}
			list = append(list, x)
		}
		if len(list) == 1 && !tests && decls > 1 {
			list[0].Code = file
			list[0].Play = playFile(file)
		}
		all = append(all, list...)
	}
	slices.SortFunc(all, func(a, b *Example) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// is says whether a name begins with a word, behind which no small letter stands.
func is(name, word string) bool {
	rest, ok := strings.CutPrefix(name, word)
	c, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLower(c)
}

// lastComment returns the last comment in a block, and its index.
func lastComment(b *ast.BlockStmt, comments []*ast.CommentGroup) (i int, last *ast.CommentGroup) {
	if b == nil {
		return 0, nil
	}
	for j, c := range comments {
		if c.Pos() < b.Pos() {
			continue
		}
		if c.End() > b.End() {
			break
		}
		i, last = j, c
	}
	return i, last
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
	to := map[string]*[]*Example{"": &p.Examples}
	add := func(prefix string, list []*Func) {
		for _, f := range list {
			if token.IsExported(f.Name) {
				name := f.Name
				if prefix != "" {
					name = prefix + "_" + name
				}
				to[name] = &f.Examples
			}
		}
	}
	add("", p.Funcs)
	for _, t := range p.Types {
		if !token.IsExported(t.Name) {
			continue
		}
		to[t.Name] = &t.Examples
		add("", t.Funcs)
		for _, m := range t.Methods {
			add(strings.TrimPrefix(plainReceiver(m.Recv), "*"), []*Func{m})
		}
	}
	for _, x := range list {
		for i := len(x.Name); i >= 0; i = strings.LastIndexByte(x.Name[:i], '_') {
			suffix := ""
			if i < len(x.Name) {
				suffix = x.Name[i+1:]
				if c, _ := utf8.DecodeRuneInString(suffix); !unicode.IsLower(c) {
					continue
				}
			}
			if of := to[x.Name[:i]]; of != nil {
				x.Suffix = suffix
				*of = append(*of, x)
				break
			}
		}
	}
	for _, list := range to {
		slices.SortFunc(*list, func(a, b *Example) int { return cmp.Compare(a.Suffix, b.Suffix) })
	}
}

// plainReceiver returns a receiver without type parameters.
func plainReceiver(recv string) string {
	before, rest, ok := strings.Cut(recv, "[")
	if end := strings.LastIndex(rest, "]"); ok && end >= 0 {
		return before + rest[end+1:]
	}
	return recv
}
