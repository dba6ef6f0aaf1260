package parse

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Node is a part of a template.
type Node interface {
	Type() NodeType
	String() string
	Copy() Node
	Position() Pos
	tree() *Tree
	writeTo(*strings.Builder)
}

type NodeType int

func (t NodeType) Type() NodeType { return t }

// Pos is where in the text a node begins.
type Pos int

func (p Pos) Position() Pos { return p }

const (
	NodeText NodeType = iota
	NodeAction
	NodeBool
	NodeChain
	NodeCommand
	NodeDot
	nodeElse
	nodeEnd
	NodeField
	NodeIdentifier
	NodeIf
	NodeList
	NodeNil
	NodeNumber
	NodePipe
	NodeRange
	NodeString
	NodeTemplate
	NodeVariable
	NodeWith
	NodeComment
	NodeBreak
	NodeContinue
)

// in is part of a tree: every node is.
type in struct{ tr *Tree }

func (i in) tree() *Tree { return i.tr }

// enclose writes what stands between delimiters.
func (i in) enclose(b *strings.Builder, s string) {
	b.WriteString(i.tr.leftDelim + s + i.tr.rightDelim)
}

func text(n Node) string {
	var b strings.Builder
	n.writeTo(&b)
	return b.String()
}

type ListNode struct {
	NodeType
	Pos
	in
	Nodes []Node
}

func (l *ListNode) append(n Node)  { l.Nodes = append(l.Nodes, n) }
func (l *ListNode) String() string { return text(l) }
func (l *ListNode) Copy() Node     { return l.CopyList() }

func (l *ListNode) writeTo(b *strings.Builder) {
	for _, n := range l.Nodes {
		n.writeTo(b)
	}
}

func (l *ListNode) CopyList() *ListNode {
	if l == nil {
		return nil
	}
	c := &ListNode{NodeList, l.Pos, l.in, nil}
	for _, n := range l.Nodes {
		c.append(n.Copy())
	}
	return c
}

type TextNode struct {
	NodeType
	Pos
	in
	Text []byte
}

func (t *TextNode) String() string             { return string(t.Text) }
func (t *TextNode) writeTo(b *strings.Builder) { b.Write(t.Text) }

func (t *TextNode) Copy() Node {
	c := *t
	c.Text = append([]byte{}, t.Text...)
	return &c
}

type CommentNode struct {
	NodeType
	Pos
	in
	Text string
}

func (c *CommentNode) String() string             { return text(c) }
func (c *CommentNode) writeTo(b *strings.Builder) { c.enclose(b, c.Text) }

func (c *CommentNode) Copy() Node {
	n := *c
	return &n
}

type PipeNode struct {
	NodeType
	Pos
	in
	Line     int
	IsAssign bool
	Decl     []*VariableNode
	Cmds     []*CommandNode
}

func (p *PipeNode) append(c *CommandNode) { p.Cmds = append(p.Cmds, c) }
func (p *PipeNode) String() string        { return text(p) }
func (p *PipeNode) Copy() Node            { return p.CopyPipe() }

func (p *PipeNode) writeTo(b *strings.Builder) {
	for i, v := range p.Decl {
		if i > 0 {
			b.WriteString(", ")
		}
		v.writeTo(b)
	}
	switch {
	case len(p.Decl) == 0:
	case p.IsAssign:
		b.WriteString(" = ")
	default:
		b.WriteString(" := ")
	}
	for i, c := range p.Cmds {
		if i > 0 {
			b.WriteString(" | ")
		}
		c.writeTo(b)
	}
}

func (p *PipeNode) CopyPipe() *PipeNode {
	if p == nil {
		return nil
	}
	c := *p
	c.Decl = make([]*VariableNode, len(p.Decl))
	for i, v := range p.Decl {
		c.Decl[i] = v.Copy().(*VariableNode)
	}
	c.Cmds = nil
	for _, cmd := range p.Cmds {
		c.append(cmd.Copy().(*CommandNode))
	}
	return &c
}

type ActionNode struct {
	NodeType
	Pos
	in
	Line int
	Pipe *PipeNode
}

func (a *ActionNode) String() string             { return text(a) }
func (a *ActionNode) writeTo(b *strings.Builder) { a.enclose(b, a.Pipe.String()) }

func (a *ActionNode) Copy() Node {
	c := *a
	c.Pipe = a.Pipe.CopyPipe()
	return &c
}

type CommandNode struct {
	NodeType
	Pos
	in
	Args []Node
}

func (c *CommandNode) append(n Node)  { c.Args = append(c.Args, n) }
func (c *CommandNode) String() string { return text(c) }

func (c *CommandNode) writeTo(b *strings.Builder) {
	for i, arg := range c.Args {
		if i > 0 {
			b.WriteByte(' ')
		}
		writeOperand(b, arg)
	}
}

// writeOperand writes n, in parentheses if it is a pipeline.
func writeOperand(b *strings.Builder, n Node) {
	if _, ok := n.(*PipeNode); ok {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	n.writeTo(b)
}

func (c *CommandNode) Copy() Node {
	if c == nil {
		return c
	}
	n := &CommandNode{NodeCommand, c.Pos, c.in, nil}
	for _, arg := range c.Args {
		n.append(arg.Copy())
	}
	return n
}

type IdentifierNode struct {
	NodeType
	Pos
	in
	Ident string
}

func NewIdentifier(ident string) *IdentifierNode {
	return &IdentifierNode{NodeType: NodeIdentifier, Ident: ident}
}

func (i *IdentifierNode) SetPos(pos Pos) *IdentifierNode {
	i.Pos = pos
	return i
}

func (i *IdentifierNode) SetTree(t *Tree) *IdentifierNode {
	i.tr = t
	return i
}

func (i *IdentifierNode) String() string             { return i.Ident }
func (i *IdentifierNode) writeTo(b *strings.Builder) { b.WriteString(i.Ident) }

func (i *IdentifierNode) Copy() Node {
	c := *i
	return &c
}

// VariableNode is a variable, and fields of it.
type VariableNode struct {
	NodeType
	Pos
	in
	Ident []string
}

func (t *Tree) newVariable(pos Pos, ident string) *VariableNode {
	return &VariableNode{NodeVariable, pos, in{t}, strings.Split(ident, ".")}
}

func (v *VariableNode) String() string             { return strings.Join(v.Ident, ".") }
func (v *VariableNode) writeTo(b *strings.Builder) { b.WriteString(v.String()) }

func (v *VariableNode) Copy() Node {
	c := *v
	c.Ident = slices.Clone(v.Ident)
	return &c
}

type DotNode struct {
	NodeType
	Pos
	in
}

func (d *DotNode) Type() NodeType             { return NodeDot }
func (d *DotNode) String() string             { return "." }
func (d *DotNode) writeTo(b *strings.Builder) { b.WriteByte('.') }

func (d *DotNode) Copy() Node {
	c := *d
	return &c
}

type NilNode struct {
	NodeType
	Pos
	in
}

func (n *NilNode) Type() NodeType             { return NodeNil }
func (n *NilNode) String() string             { return "nil" }
func (n *NilNode) writeTo(b *strings.Builder) { b.WriteString("nil") }

func (n *NilNode) Copy() Node {
	c := *n
	return &c
}

type FieldNode struct {
	NodeType
	Pos
	in
	Ident []string
}

func (t *Tree) newField(pos Pos, ident string) *FieldNode {
	return &FieldNode{NodeField, pos, in{t}, strings.Split(ident[1:], ".")}
}

func (f *FieldNode) String() string             { return text(f) }
func (f *FieldNode) writeTo(b *strings.Builder) { writeFields(b, f.Ident) }

func writeFields(b *strings.Builder, names []string) {
	for _, name := range names {
		b.WriteString("." + name)
	}
}

func (f *FieldNode) Copy() Node {
	c := *f
	c.Ident = slices.Clone(f.Ident)
	return &c
}

// ChainNode is fields of what a term gives.
type ChainNode struct {
	NodeType
	Pos
	in
	Node  Node
	Field []string
}

func (c *ChainNode) Add(field string) {
	name, ok := strings.CutPrefix(field, ".")
	if !ok {
		panic("no dot in field")
	}
	if name == "" {
		panic("empty field")
	}
	c.Field = append(c.Field, name)
}

func (c *ChainNode) String() string { return text(c) }

func (c *ChainNode) writeTo(b *strings.Builder) {
	writeOperand(b, c.Node)
	writeFields(b, c.Field)
}

func (c *ChainNode) Copy() Node {
	n := *c
	n.Field = append([]string{}, c.Field...)
	return &n
}

type BoolNode struct {
	NodeType
	Pos
	in
	True bool
}

func (b *BoolNode) String() string              { return strconv.FormatBool(b.True) }
func (b *BoolNode) writeTo(sb *strings.Builder) { sb.WriteString(b.String()) }

func (b *BoolNode) Copy() Node {
	c := *b
	return &c
}

// NumberNode is a number, as each of the types that can have it.
type NumberNode struct {
	NodeType
	Pos
	in
	IsInt      bool
	IsUint     bool
	IsFloat    bool
	IsComplex  bool
	Int64      int64
	Uint64     uint64
	Float64    float64
	Complex128 complex128
	Text       string
}

func (n *NumberNode) setInt(i int64)   { n.IsInt, n.Int64 = true, i }
func (n *NumberNode) setUint(u uint64) { n.IsUint, n.Uint64 = true, u }

func (n *NumberNode) setFloat(f float64) {
	n.IsFloat, n.Float64 = true, f
	if i := int64(f); float64(i) == f && !n.IsInt {
		n.setInt(i)
	}
	if u := uint64(f); float64(u) == f && !n.IsUint {
		n.setUint(u)
	}
}

func (n *NumberNode) setComplex(c complex128) {
	n.IsComplex, n.Complex128 = true, c
	if imag(c) == 0 {
		n.setFloat(real(c))
	}
}

func (t *Tree) newNumber(pos Pos, text string, kind itemType) (*NumberNode, error) {
	n := &NumberNode{NodeType: NodeNumber, Pos: pos, in: in{t}, Text: text}
	switch {
	case kind == itemCharConstant:
		r, _, tail, err := strconv.UnquoteChar(text[1:], text[0])
		if err != nil {
			return nil, err
		}
		if tail != "'" {
			return nil, fmt.Errorf("malformed character constant: %s", text)
		}
		n.setInt(int64(r))
		n.setUint(uint64(r))
		n.IsFloat, n.Float64 = true, float64(r)
		return n, nil
	case kind == itemComplex:
		var c complex128
		if _, err := fmt.Sscan(text, &c); err != nil {
			return nil, err
		}
		n.setComplex(c)
		return n, nil
	case strings.HasSuffix(text, "i"):
		if f, err := strconv.ParseFloat(text[:len(text)-1], 64); err == nil {
			n.setComplex(complex(0, f))
			return n, nil
		}
	}
	if u, err := strconv.ParseUint(text, 0, 64); err == nil {
		n.setUint(u)
		n.IsFloat, n.Float64 = true, float64(u)
	}
	if i, err := strconv.ParseInt(text, 0, 64); err == nil {
		n.setInt(i)
		n.IsFloat, n.Float64 = true, float64(i)
		if i == 0 {
			n.setUint(0) // also of -0
		}
	}
	if n.IsFloat {
		return n, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("illegal number syntax: %q", text)
	}
	if !strings.ContainsAny(text, ".eEpP") {
		return nil, fmt.Errorf("integer overflow: %q", text)
	}
	n.setFloat(f)
	return n, nil
}

func (n *NumberNode) String() string             { return n.Text }
func (n *NumberNode) writeTo(b *strings.Builder) { b.WriteString(n.Text) }

func (n *NumberNode) Copy() Node {
	c := *n
	return &c
}

type StringNode struct {
	NodeType
	Pos
	in
	Quoted string
	Text   string
}

func (s *StringNode) String() string             { return s.Quoted }
func (s *StringNode) writeTo(b *strings.Builder) { b.WriteString(s.Quoted) }

func (s *StringNode) Copy() Node {
	c := *s
	return &c
}

// mark is an end or an else, which only the parser sees.
type mark struct {
	NodeType
	Pos
	in
}

func (m *mark) String() string { return text(m) }

func (m *mark) writeTo(b *strings.Builder) {
	if m.NodeType == nodeEnd {
		m.enclose(b, "end")
	} else {
		m.enclose(b, "else")
	}
}

func (m *mark) Copy() Node {
	c := *m
	return &c
}

// BranchNode is what if, range and with have in common.
type BranchNode struct {
	NodeType
	Pos
	in
	Line     int
	Pipe     *PipeNode
	List     *ListNode
	ElseList *ListNode
}

func (b *BranchNode) String() string { return text(b) }

func (b *BranchNode) writeTo(sb *strings.Builder) {
	names := map[NodeType]string{NodeIf: "if", NodeRange: "range", NodeWith: "with"}
	name, ok := names[b.NodeType]
	if !ok {
		panic("unknown branch type")
	}
	b.enclose(sb, name+" "+b.Pipe.String())
	b.List.writeTo(sb)
	if b.ElseList != nil {
		b.enclose(sb, "else")
		b.ElseList.writeTo(sb)
	}
	b.enclose(sb, "end")
}

func (b *BranchNode) copied() BranchNode {
	c := *b
	c.Pipe, c.List, c.ElseList = b.Pipe.CopyPipe(), b.List.CopyList(), b.ElseList.CopyList()
	return c
}

func (b *BranchNode) Copy() Node {
	switch b.NodeType {
	case NodeIf:
		return &IfNode{*b}
	case NodeRange:
		return &RangeNode{*b}
	case NodeWith:
		return &WithNode{*b}
	}
	panic("unknown branch type")
}

type IfNode struct{ BranchNode }
type RangeNode struct{ BranchNode }
type WithNode struct{ BranchNode }

func (i *IfNode) Copy() Node    { return &IfNode{i.copied()} }
func (r *RangeNode) Copy() Node { return &RangeNode{r.copied()} }
func (w *WithNode) Copy() Node  { return &WithNode{w.copied()} }

type BreakNode struct {
	in
	NodeType
	Pos
	Line int
}

func (b *BreakNode) String() string              { return text(b) }
func (b *BreakNode) writeTo(sb *strings.Builder) { b.enclose(sb, "break") }

func (b *BreakNode) Copy() Node {
	c := *b
	return &c
}

type ContinueNode struct {
	in
	NodeType
	Pos
	Line int
}

func (c *ContinueNode) String() string             { return text(c) }
func (c *ContinueNode) writeTo(b *strings.Builder) { c.enclose(b, "continue") }

func (c *ContinueNode) Copy() Node {
	n := *c
	return &n
}

type TemplateNode struct {
	NodeType
	Pos
	in
	Line int
	Name string
	Pipe *PipeNode
}

func (t *TemplateNode) String() string { return text(t) }

func (t *TemplateNode) writeTo(b *strings.Builder) {
	s := "template " + strconv.Quote(t.Name)
	if t.Pipe != nil {
		s += " " + t.Pipe.String()
	}
	t.enclose(b, s)
}

func (t *TemplateNode) Copy() Node {
	c := *t
	c.Pipe = t.Pipe.CopyPipe()
	return &c
}
