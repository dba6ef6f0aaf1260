package ast

import (
	"cmp"
	"go/token"
	"slices"
	"strconv"
)

// SortImports sorts the imports of each block without empty lines, and drops those that are
// there twice, if no comment is lost with them.
func SortImports(fset *token.FileSet, f *File) {
	f.Imports = f.Imports[:0]
	inOrder := true
	for _, decl := range f.Decls {
		d, ok := decl.(*GenDecl)
		if !ok || d.Tok != token.IMPORT {
			inOrder = false // imports come first; what comes later is not sorted
			continue
		}
		if inOrder && d.Lparen.IsValid() {
			sortDecl(fset, f, d)
		}
		for i := range d.Specs {
			f.Imports = append(f.Imports, d.Specs[i].(*ImportSpec))
		}
	}
}

func sortDecl(fset *token.FileSet, f *File, d *GenDecl) {
	start := 0
	sorted := d.Specs[:0]
	for i, spec := range d.Specs {
		if i > start && lineAt(fset, spec.Pos()) > 1+lineAt(fset, d.Specs[i-1].End()) {
			sorted = append(sorted, sortBlock(fset, f, d, d.Specs[start:i])...)
			start = i
		}
	}
	d.Specs = append(sorted, sortBlock(fset, f, d, d.Specs[start:])...)
	if n := len(d.Specs); n > 0 {
		// No empty lines stay where imports were dropped at the end.
		last := lineAt(fset, d.Specs[n-1].Pos())
		for line := lineAt(fset, d.Rparen) - 1; line > last; line-- {
			fset.File(d.Rparen).MergeLine(line)
		}
	}
}

// sortKey is what imports are sorted by.
func (n *ImportSpec) sortKey() (path, name, comment string) {
	path, _ = strconv.Unquote(n.Path.Value)
	if n.Name != nil {
		name = n.Name.Name
	}
	return path, name, n.Comment.Text()
}

// place is where an import was, before it was sorted.
type place struct{ start, end token.Pos }

// beside is a comment that goes with an import, to the left of it or to the right.
type beside struct {
	group *CommentGroup
	left  bool
}

// commentsOf returns the comments on the lines from start to end.
func commentsOf(fset *token.FileSet, f *File, start, end token.Pos) []*CommentGroup {
	file := fset.File(start)
	from := file.LineStart(lineAt(fset, start))
	to := end
	if line := lineAt(fset, end); line < fset.File(end).LineCount() {
		to = fset.File(end).LineStart(line + 1)
	}
	first, last := -1, -1
	for i, g := range f.Comments {
		if g.End() >= to {
			break
		}
		if g.Pos() >= from {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	return f.Comments[first : last+1]
}

func sortBlock(fset *token.FileSet, f *File, d *GenDecl, specs []Spec) []Spec {
	if len(specs) < 2 {
		return specs // nothing to sort
	}
	places := make([]place, len(specs))
	for i, s := range specs {
		places[i] = place{s.Pos(), s.End()}
	}
	comments := commentsOf(fset, f, places[0].start, places[len(places)-1].end)
	with := map[*ImportSpec][]beside{}
	i := 0
	for _, g := range comments {
		for i+1 < len(specs) && places[i+1].start <= g.Pos() {
			i++
		}
		left := i == 0 && places[0].start > g.Pos()
		if !left && i+1 < len(specs) && lineAt(fset, places[i].start)+1 == lineAt(fset, g.Pos()) {
			i++
			left = true
		}
		s := specs[i].(*ImportSpec)
		with[s] = append(with[s], beside{g, left})
	}
	slices.SortFunc(specs, func(a, b Spec) int {
		path, name, comment := a.(*ImportSpec).sortKey()
		path2, name2, comment2 := b.(*ImportSpec).sortKey()
		return cmp.Or(cmp.Compare(path, path2), cmp.Compare(name, name2),
			cmp.Compare(comment, comment2))
	})
	once := specs[:0]
	for i, spec := range specs {
		s := spec.(*ImportSpec)
		if i < len(specs)-1 && s.Comment == nil {
			path, name, _ := s.sortKey()
			path2, name2, _ := specs[i+1].(*ImportSpec).sortKey()
			if path == path2 && name == name2 {
				line := lineAt(fset, s.Pos())
				if line != lineAt(fset, d.Rparen) {
					fset.File(s.Pos()).MergeLine(line)
				}
				continue
			}
		}
		once = append(once, spec)
	}
	for i, spec := range once {
		s := spec.(*ImportSpec)
		at := places[i]
		if s.Name != nil {
			s.Name.NamePos = at.start
		}
		if s.Path.ValueEnd.IsValid() {
			s.Path.ValueEnd += at.start - s.Path.ValuePos
		}
		s.Path.ValuePos = at.start
		s.EndPos = at.end
		for _, b := range with[s] {
			for _, c := range b.group.List {
				c.Slash = at.end
				if b.left {
					c.Slash = at.start - 1
				}
			}
		}
	}
	slices.SortFunc(comments, byPlace)
	return once
}
