package ast

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// CommentMap has the comments of each node.
type CommentMap map[Node][]*CommentGroup

func byPlace(a, b *CommentGroup) int { return cmp.Compare(a.Pos(), b.Pos()) }

// mapper goes through comments and nodes in the order of the text.
type mapper struct {
	fset     *token.FileSet
	comments []*CommentGroup // the first is the current one
	pos, end token.Position  // its own
	groups   []Node          // large nodes around the current place
	result   CommentMap
}

func (m *mapper) load() {
	m.pos = m.fset.Position(m.comments[0].Pos())
	m.end = m.fset.Position(m.comments[0].End())
}

// leave drops the groups that end before pos, and returns the outermost of them.
func (m *mapper) leave(pos token.Pos) (outermost Node) {
	n := len(m.groups)
	for n > 0 && m.groups[n-1].End() <= pos {
		n--
		outermost = m.groups[n]
	}
	m.groups = m.groups[:n]
	return outermost
}

// NewCommentMap gives each comment to a node in node: to the one that ends on its line, or on
// the line before if an empty line follows the comment, larger ones first; else to the next.
func NewCommentMap(fset *token.FileSet, node Node, comments []*CommentGroup) CommentMap {
	if len(comments) == 0 {
		return nil
	}
	m := mapper{fset: fset, comments: slices.Clone(comments), result: CommentMap{}}
	slices.SortFunc(m.comments, byPlace)
	m.load()
	var nodes []Node
	Inspect(node, func(n Node) bool {
		switch n.(type) {
		default:
			nodes = append(nodes, n)
			return true
		case nil, *CommentGroup, *Comment:
			return false
		}
	})
	var before, group Node // the last node, and the last group that ended
	var beforeEnd, groupEnd token.Position
	for _, next := range append(nodes, nil) {
		at := token.Position{Offset: 1 << 30, Line: 1 << 30}
		if next != nil {
			at = fset.Position(next.Pos())
		}
		for m.end.Offset <= at.Offset {
			if g := m.leave(m.comments[0].Pos()); g != nil {
				group, groupEnd = g, fset.Position(g.End())
			}
			near := func(end token.Position) bool {
				return end.Line == m.pos.Line ||
					end.Line+1 == m.pos.Line && m.end.Line+1 < at.Line
			}
			owner := next
			if group != nil && near(groupEnd) {
				owner = group
			} else if before != nil && (near(beforeEnd) || next == nil) {
				owner = before
			}
			m.result[owner] = append(m.result[owner], m.comments[0])
			m.comments = m.comments[1:]
			if len(m.comments) == 0 {
				return m.result
			}
			m.load()
		}
		if next == nil {
			break
		}
		before, beforeEnd = next, fset.Position(next.End())
		switch next.(type) {
		case *File, *Field, Decl, Spec, Stmt:
			m.leave(next.Pos())
			m.groups = append(m.groups, next)
		}
	}
	return m.result
}

// Comments returns all comments, in the order of the text.
func (cmap CommentMap) Comments() []*CommentGroup {
	all := make([]*CommentGroup, 0, len(cmap))
	for _, ofNode := range cmap {
		all = append(all, ofNode...)
	}
	slices.SortFunc(all, byPlace)
	return all
}

// Filter returns the comments of what is below node.
func (cmap CommentMap) Filter(node Node) CommentMap {
	below := CommentMap{}
	Inspect(node, func(n Node) bool {
		if list := cmap[n]; len(list) > 0 {
			below[n] = list
		}
		return true
	})
	return below
}

// Update gives the comments of old to new, and returns new.
func (cmap CommentMap) Update(old, new Node) Node {
	moved := cmap[old]
	if len(moved) == 0 {
		return new
	}
	delete(cmap, old)
	cmap[new] = append(cmap[new], moved...)
	return new
}

// summary returns the beginning of comments, on one line.
func summary(list []*CommentGroup) string {
	const most = 40
	text := ""
	for _, group := range list {
		for _, comment := range group.List {
			if len(text) < most {
				text += comment.Text
			}
		}
	}
	if len(text) > most {
		text = text[:most-len("...")] + "..."
	}
	return strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(text)
}

// String has a line for each node, in their order in the text.
func (cmap CommentMap) String() string {
	lines := []string{"CommentMap {"}
	for _, n := range slices.SortedFunc(maps.Keys(cmap), func(a, b Node) int {
		return cmp.Or(cmp.Compare(a.Pos(), b.Pos()), cmp.Compare(a.End(), b.End()))
	}) {
		what := reflect.TypeOf(n).String()
		if name, ok := n.(*Ident); ok {
			what = name.Name
		}
		lines = append(lines, fmt.Sprintf("\t%p  %20s:  %s", n, what, summary(cmap[n])))
	}
	return strings.Join(append(lines, "}\n"), "\n")
}
