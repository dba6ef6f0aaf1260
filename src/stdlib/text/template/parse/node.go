// The nodes of trees: constants and names, pipelines of them, and the statements around these.
//
// Nodes write themselves as they may stand in a text: writeTo does it, and is what String is made
// of. Copies are deep.

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

// NodeType is what a node is.
type NodeType int

// Type returns the type itself: nodes have it as a part.
func (t NodeType) Type() NodeType { return t }

// Pos is where in the text a node begins.
type Pos int

// Position returns the position itself: nodes have it as a part.
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

// action writes parts between delimiters.
func (i in) action(b *strings.Builder, parts ...string) {
	b.WriteString(i.tr.leftDelim)
	b.WriteString(strings.Join(parts, " "))
	b.WriteString(i.tr.rightDelim)
}

// written is what a node writes.
func written(n Node) string {
	b := new(strings.Builder)
	n.writeTo(b)
	return b.String()
}

// writeAll writes nodes with something between them.
func writeAll[N Node](b *strings.Builder, nodes []N, between string) {
	for i, n := range nodes {
		if i > 0 {
			b.WriteString(between)
		}
		n.writeTo(b)
	}
}

// shallow copies what a pointer points to.
func shallow[T any](p *T) *T {
	c := *p
	return &c
}

// copies are deep copies of nodes; none if there are none.
func copies[N Node](nodes []N) (all []N) {
	for _, n := range nodes {
		all = append(all, n.Copy().(N))
	}
	return all
}

// Constants:

type BoolNode struct {
	NodeType
	Pos
	in
	True bool
}

func (b *BoolNode) Copy() Node                    { return shallow(b) }
func (b *BoolNode) String() string                { return strconv.FormatBool(b.True) }
func (b *BoolNode) writeTo(text *strings.Builder) { text.WriteString(b.String()) }

type StringNode struct {
	NodeType
	Pos
	in
	Quoted string // as it is written
	Text   string
}

func (s *StringNode) Copy() Node                 { return shallow(s) }
func (s *StringNode) String() string             { return s.Quoted }
func (s *StringNode) writeTo(b *strings.Builder) { b.WriteString(s.Quoted) }

type NilNode struct {
	NodeType
	Pos
	in
}

func (n *NilNode) Type() NodeType             { return NodeNil }
func (n *NilNode) Copy() Node                 { return shallow(n) }
func (n *NilNode) String() string             { return "nil" }
func (n *NilNode) writeTo(b *strings.Builder) { b.WriteString("nil") }

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
	Text       string // as it is written
}

func (n *NumberNode) Copy() Node                 { return shallow(n) }
func (n *NumberNode) String() string             { return n.Text }
func (n *NumberNode) writeTo(b *strings.Builder) { b.WriteString(n.Text) }

func (t *Tree) newNumber(pos Pos, text string, k kind) (*NumberNode, error) {
	n := &NumberNode{NodeType: NodeNumber, Pos: pos, in: in{t}, Text: text}
	read := (*NumberNode).real
	switch {
	case k == char:
		read = (*NumberNode).character
	case k == complexNumber:
		read = (*NumberNode).complex
	case strings.HasSuffix(text, "i"):
		read = (*NumberNode).imaginary
	}
	if err := read(n); err != nil {
		return nil, err
	}
	return n, nil
}

// spread makes a number all that it can be, too: a complex number without an imaginary part a real
// one, and that an integer if it is whole.
func (n *NumberNode) spread() {
	if n.IsComplex && imag(n.Complex128) == 0 {
		n.IsFloat, n.Float64 = true, real(n.Complex128)
	}
	if i := int64(n.Float64); n.IsFloat && !n.IsInt && float64(i) == n.Float64 {
		n.IsInt, n.Int64 = true, i
	}
	if u := uint64(n.Float64); n.IsFloat && !n.IsUint && float64(u) == n.Float64 {
		n.IsUint, n.Uint64 = true, u
	}
}

func (n *NumberNode) character() error {
	r, _, rest, err := strconv.UnquoteChar(n.Text[1:], '\'')
	switch {
	case err != nil:
		return err
	case rest != "'":
		return fmt.Errorf("malformed character constant: %s", n.Text)
	}
	n.IsInt, n.IsUint, n.IsFloat = true, true, true
	n.Int64, n.Uint64, n.Float64 = int64(r), uint64(r), float64(r)
	return nil
}

func (n *NumberNode) complex() error {
	n.IsComplex = true
	_, err := fmt.Sscan(n.Text, &n.Complex128)
	n.spread()
	return err
}

func (n *NumberNode) imaginary() error {
	f, err := strconv.ParseFloat(strings.TrimSuffix(n.Text, "i"), 64)
	if err != nil {
		return n.real()
	}
	n.IsComplex, n.Complex128 = true, complex(0, f)
	n.spread()
	return nil
}

func (n *NumberNode) real() error {
	u, notUint := strconv.ParseUint(n.Text, 0, 64)
	i, notInt := strconv.ParseInt(n.Text, 0, 64)
	if notInt == nil && i == 0 {
		notUint = nil // so is -0
	}
	n.IsFloat = true
	switch n.IsInt, n.IsUint = notInt == nil, notUint == nil; {
	case n.IsInt:
		n.Int64, n.Float64 = i, float64(i)
	case n.IsUint:
		n.Float64 = float64(u)
	default:
		f, err := strconv.ParseFloat(n.Text, 64)
		if err != nil {
			return fmt.Errorf("illegal number syntax: %q", n.Text)
		}
		if !strings.ContainsAny(n.Text, ".pPeE") {
			return fmt.Errorf("integer overflow: %q", n.Text)
		}
		n.Float64 = f
		n.spread()
	}
	if notUint == nil {
		n.Uint64 = u
	}
	return nil
}

// Names:

type DotNode struct {
	NodeType
	Pos
	in
}

func (d *DotNode) Type() NodeType             { return NodeDot }
func (d *DotNode) Copy() Node                 { return shallow(d) }
func (d *DotNode) String() string             { return "." }
func (d *DotNode) writeTo(b *strings.Builder) { b.WriteByte('.') }

// IdentifierNode is the name of a function.
type IdentifierNode struct {
	NodeType
	Pos
	in
	Ident string
}

// NewIdentifier makes the name of a function, which is in no tree.
func NewIdentifier(ident string) *IdentifierNode {
	n := new(IdentifierNode)
	n.NodeType, n.Ident = NodeIdentifier, ident
	return n
}

// SetPos says where the name is.
func (i *IdentifierNode) SetPos(pos Pos) *IdentifierNode {
	i.Pos = pos
	return i
}

// SetTree says of what tree the name is part.
func (i *IdentifierNode) SetTree(t *Tree) *IdentifierNode {
	i.in = in{t}
	return i
}

func (i *IdentifierNode) Copy() Node                 { return shallow(i) }
func (i *IdentifierNode) String() string             { return i.Ident }
func (i *IdentifierNode) writeTo(b *strings.Builder) { b.WriteString(i.Ident) }

// VariableNode is a variable, and fields of it.
type VariableNode struct {
	NodeType
	Pos
	in
	Ident []string // the first one is the variable
}

func (t *Tree) newVariable(pos Pos, text string) *VariableNode {
	return &VariableNode{NodeVariable, pos, in{t}, strings.Split(text, ".")}
}

func (v *VariableNode) String() string             { return strings.Join(v.Ident, ".") }
func (v *VariableNode) writeTo(b *strings.Builder) { b.WriteString(v.String()) }

func (v *VariableNode) Copy() Node {
	c := shallow(v)
	c.Ident = slices.Clone(v.Ident)
	return c
}

// FieldNode is fields of dot.
type FieldNode struct {
	NodeType
	Pos
	in
	Ident []string
}

// newField makes a node of text that begins with a dot.
func (t *Tree) newField(pos Pos, text string) *FieldNode {
	return &FieldNode{NodeField, pos, in{t}, strings.Split(text, ".")[1:]}
}

// dotted is names with a dot before each.
func dotted(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "." + strings.Join(names, ".")
}

func (f *FieldNode) String() string             { return dotted(f.Ident) }
func (f *FieldNode) writeTo(b *strings.Builder) { b.WriteString(f.String()) }

func (f *FieldNode) Copy() Node {
	c := shallow(f)
	c.Ident = slices.Clone(f.Ident)
	return c
}

// ChainNode is fields of what a term gives.
type ChainNode struct {
	NodeType
	Pos
	in
	Node  Node
	Field []string
}

// Add adds a field, which begins with a dot.
func (c *ChainNode) Add(field string) {
	switch name, ok := strings.CutPrefix(field, "."); {
	case !ok:
		panic("no dot in field")
	case name == "":
		panic("empty field")
	default:
		c.Field = append(c.Field, name)
	}
}

func (c *ChainNode) String() string { return written(c) }

func (c *ChainNode) writeTo(b *strings.Builder) {
	operand{c.Node}.writeTo(b)
	b.WriteString(dotted(c.Field))
}

func (c *ChainNode) Copy() Node {
	n := shallow(c)
	n.Field = append([]string{}, c.Field...)
	return n
}

// Pipelines:

// An operand writes pipelines in parentheses.
type operand struct{ Node }

func (o operand) writeTo(b *strings.Builder) {
	if p, isPipe := o.Node.(*PipeNode); isPipe {
		b.WriteString("(" + p.String() + ")")
	} else {
		o.Node.writeTo(b)
	}
}

// CommandNode is a value, or a call.
type CommandNode struct {
	NodeType
	Pos
	in
	Args []Node
}

func (c *CommandNode) append(n Node)  { c.Args = append(c.Args, n) }
func (c *CommandNode) String() string { return written(c) }

func (c *CommandNode) writeTo(b *strings.Builder) {
	operands := make([]operand, len(c.Args))
	for i, arg := range c.Args {
		operands[i].Node = arg
	}
	writeAll(b, operands, " ")
}

func (c *CommandNode) Copy() Node {
	if c != nil {
		return &CommandNode{NodeCommand, c.Pos, c.in, copies(c.Args)}
	}
	return c
}

// PipeNode is commands, each of which gets the value of the one before, and the variables that get
// the last one's.
type PipeNode struct {
	NodeType
	Pos
	in
	Line     int
	IsAssign bool // the variables have been declared
	Decl     []*VariableNode
	Cmds     []*CommandNode
}

func (p *PipeNode) append(c *CommandNode) { p.Cmds = append(p.Cmds, c) }
func (p *PipeNode) String() string        { return written(p) }

func (p *PipeNode) writeTo(b *strings.Builder) {
	writeAll(b, p.Decl, ", ")
	if len(p.Decl) > 0 {
		sign := map[bool]string{false: " := ", true: " = "}
		b.WriteString(sign[p.IsAssign])
	}
	writeAll(b, p.Cmds, " | ")
}

// Copy is CopyPipe.
func (p *PipeNode) Copy() Node { return p.CopyPipe() }

// CopyPipe copies a pipeline; of nil there is no copy.
func (p *PipeNode) CopyPipe() (c *PipeNode) {
	if p != nil {
		c = shallow(p)
		c.Cmds = copies(p.Cmds)
		c.Decl = append([]*VariableNode{}, copies(p.Decl)...)
	}
	return c
}

// Statements:

type TextNode struct {
	NodeType
	Pos
	in
	Text []byte
}

func (t *TextNode) String() string             { return string(t.Text) }
func (t *TextNode) writeTo(b *strings.Builder) { b.Write(t.Text) }

func (t *TextNode) Copy() Node {
	c := shallow(t)
	c.Text = append([]byte{}, t.Text...)
	return c
}

type CommentNode struct {
	NodeType
	Pos
	in
	Text string // with its marks
}

func (c *CommentNode) Copy() Node                 { return shallow(c) }
func (c *CommentNode) String() string             { return written(c) }
func (c *CommentNode) writeTo(b *strings.Builder) { c.action(b, c.Text) }

// ActionNode is a pipeline whose value is written.
type ActionNode struct {
	NodeType
	Pos
	in
	Line int
	Pipe *PipeNode
}

func (a *ActionNode) String() string             { return written(a) }
func (a *ActionNode) writeTo(b *strings.Builder) { a.action(b, a.Pipe.String()) }

func (a *ActionNode) Copy() Node {
	c := shallow(a)
	c.Pipe = a.Pipe.CopyPipe()
	return c
}

// TemplateNode is the use of a template.
type TemplateNode struct {
	NodeType
	Pos
	in
	Line int
	Name string
	Pipe *PipeNode // of what is dot there, or nil
}

func (t *TemplateNode) String() string { return written(t) }

func (t *TemplateNode) writeTo(b *strings.Builder) {
	parts := []string{"template", strconv.Quote(t.Name)}
	if t.Pipe != nil {
		parts = append(parts, t.Pipe.String())
	}
	t.action(b, parts...)
}

func (t *TemplateNode) Copy() Node {
	c := shallow(t)
	c.Pipe = t.Pipe.CopyPipe()
	return c
}

type BreakNode struct {
	in
	NodeType
	Pos
	Line int
}

func (b *BreakNode) Copy() Node                    { return shallow(b) }
func (b *BreakNode) String() string                { return written(b) }
func (b *BreakNode) writeTo(text *strings.Builder) { b.action(text, "break") }

type ContinueNode struct {
	in
	NodeType
	Pos
	Line int
}

func (c *ContinueNode) Copy() Node                 { return shallow(c) }
func (c *ContinueNode) String() string             { return written(c) }
func (c *ContinueNode) writeTo(b *strings.Builder) { c.action(b, "continue") }

// A marker is an end or an else, which only the parser sees.
type marker struct {
	NodeType
	Pos
	in
}

func (m *marker) Copy() Node     { return shallow(m) }
func (m *marker) String() string { return written(m) }

func (m *marker) writeTo(b *strings.Builder) {
	word := "else"
	if m.NodeType == nodeEnd {
		word = "end"
	}
	m.action(b, word)
}

// ListNode is nodes one after another.
type ListNode struct {
	NodeType
	Pos
	in
	Nodes []Node
}

func (l *ListNode) append(n Node)              { l.Nodes = append(l.Nodes, n) }
func (l *ListNode) String() string             { return written(l) }
func (l *ListNode) writeTo(b *strings.Builder) { writeAll(b, l.Nodes, "") }

// Copy is CopyList.
func (l *ListNode) Copy() Node { return l.CopyList() }

// CopyList copies a list; of nil there is no copy.
func (l *ListNode) CopyList() *ListNode {
	if l != nil {
		return &ListNode{NodeList, l.Pos, l.in, copies(l.Nodes)}
	}
	return l
}

// BranchNode is what if, range and with have in common.
type BranchNode struct {
	NodeType
	Pos
	in
	Line     int
	Pipe     *PipeNode
	List     *ListNode
	ElseList *ListNode // nil if there is none
}

// word is what the branch begins with.
func (b *BranchNode) word() string {
	switch b.NodeType {
	case NodeIf:
		return "if"
	case NodeWith:
		return "with"
	case NodeRange:
		return "range"
	}
	panic("unknown branch type")
}

func (b *BranchNode) String() string { return written(b) }

func (b *BranchNode) writeTo(text *strings.Builder) {
	intro := []string{b.word(), b.Pipe.String()}
	for _, list := range []*ListNode{b.List, b.ElseList} {
		if list != nil {
			b.action(text, intro...)
			list.writeTo(text)
		}
		intro = []string{"else"}
	}
	b.action(text, "end")
}

// Copy makes a node of the branch's type with the same pipeline and lists.
func (b *BranchNode) Copy() Node {
	switch b.word() {
	case "if":
		return &IfNode{*b}
	case "with":
		return &WithNode{*b}
	}
	return &RangeNode{*b}
}

func (b *BranchNode) deep() BranchNode {
	c := *b
	c.Pipe = b.Pipe.CopyPipe()
	c.List, c.ElseList = b.List.CopyList(), b.ElseList.CopyList()
	return c
}

type IfNode struct{ BranchNode }

func (i *IfNode) Copy() Node { return &IfNode{i.deep()} }

type WithNode struct{ BranchNode }

func (w *WithNode) Copy() Node { return &WithNode{w.deep()} }

type RangeNode struct{ BranchNode }

func (r *RangeNode) Copy() Node { return &RangeNode{r.deep()} }
