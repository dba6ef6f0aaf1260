// Package parse: templates as trees.
package parse

import (
	"bytes"
	"fmt"
	"runtime"
	"strconv"
	"strings"
)

// Tree is one template.
type Tree struct {
	Name      string
	ParseName string
	Root      *ListNode
	Mode      Mode
	text      string

	leftDelim, rightDelim string

	// While it is parsed:
	funcs      []map[string]any
	lex        *lexer
	ahead      []item // items that have been put back, the next one last
	last       item   // the last one that the lexer gave, for its line
	vars       []string
	trees      map[string]*Tree
	actionLine int // where the action begins
	ranges     int // loops that are open
	depth      int // parentheses that are open
}

type Mode uint

const (
	ParseComments Mode = 1 << iota
	SkipFuncCheck
)

const maxDepth = 10000

func New(name string, funcs ...map[string]any) *Tree { return &Tree{Name: name, funcs: funcs} }

func Parse(name, text, leftDelim, rightDelim string, funcs ...map[string]any) (
	map[string]*Tree, error) {
	trees := make(map[string]*Tree)
	t := New(name)
	t.text = text
	_, err := t.Parse(text, leftDelim, rightDelim, trees, funcs...)
	return trees, err
}

func (t *Tree) Copy() *Tree {
	if t == nil {
		return nil
	}
	return &Tree{
		Name: t.Name, ParseName: t.ParseName, Root: t.Root.CopyList(), text: t.text,
		leftDelim: t.leftDelim, rightDelim: t.rightDelim,
	}
}

func (t *Tree) ErrorContext(n Node) (location, context string) {
	tree := n.tree()
	if tree == nil {
		tree = t
	}
	text := tree.text[:n.Position()]
	column := len(text)
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		column = len(text) - i - 1
	}
	line := 1 + strings.Count(text, "\n")
	return fmt.Sprintf("%s:%d:%d", tree.ParseName, line, column), n.String()
}

// Parse parses text. It adds the templates that it defines, and itself, to treeSet.
func (t *Tree) Parse(text, leftDelim, rightDelim string, treeSet map[string]*Tree,
	funcs ...map[string]any) (tree *Tree, err error) {
	defer func() {
		e := recover()
		if e == nil {
			return
		}
		if _, ok := e.(runtime.Error); ok {
			panic(e)
		}
		t.stop()
		err = e.(error)
	}()
	if leftDelim == "" {
		leftDelim = "{{"
	}
	if rightDelim == "" {
		rightDelim = "}}"
	}
	t.ParseName = t.Name
	t.leftDelim, t.rightDelim = leftDelim, rightDelim
	t.start(funcs, &lexer{
		input: text, left: leftDelim, right: rightDelim, startLine: 1,
	}, treeSet)
	t.text = text
	t.parse()
	t.add()
	t.stop()
	return t, nil
}

func (t *Tree) start(funcs []map[string]any, l *lexer, trees map[string]*Tree) {
	t.Root = nil
	t.lex, t.funcs, t.trees = l, funcs, trees
	t.vars = []string{"$"}
	t.depth = 0
	l.comments = t.Mode&ParseComments != 0
	l.breakOK, l.continueOK = !t.hasFunction("break"), !t.hasFunction("continue")
}

func (t *Tree) stop() { t.lex, t.vars, t.funcs, t.trees = nil, nil, nil, nil }

// inner is a template that is defined in the text of t.
func (t *Tree) inner(name string) *Tree {
	n := New(name)
	n.text, n.Mode, n.ParseName = t.text, t.Mode, t.ParseName
	n.leftDelim, n.rightDelim = t.leftDelim, t.rightDelim
	n.start(t.funcs, t.lex, t.trees)
	return n
}

// add adds t to the templates, unless it is empty and there is one.
func (t *Tree) add() {
	old := t.trees[t.Name]
	if old == nil || IsEmptyTree(old.Root) {
		t.trees[t.Name] = t
	} else if !IsEmptyTree(t.Root) {
		t.errorf("template: multiple definition of template %q", t.Name)
	}
}

// IsEmptyTree says whether n writes nothing but spaces.
func IsEmptyTree(n Node) bool {
	switch n := n.(type) {
	case nil, *CommentNode:
		return true
	case *TextNode:
		return len(bytes.TrimSpace(n.Text)) == 0
	case *ListNode:
		for _, n := range n.Nodes {
			if !IsEmptyTree(n) {
				return false
			}
		}
		return true
	case *ActionNode, *IfNode, *RangeNode, *TemplateNode, *WithNode:
		return false
	}
	panic("unknown node: " + n.String())
}

// Items:

func (t *Tree) next() item {
	if n := len(t.ahead); n > 0 {
		i := t.ahead[n-1]
		t.ahead = t.ahead[:n-1]
		return i
	}
	t.last = t.lex.next()
	return t.last
}

// back puts items back, the first one last.
func (t *Tree) back(items ...item) { t.ahead = append(t.ahead, items...) }

func (t *Tree) peek() item {
	i := t.next()
	t.back(i)
	return i
}

func (t *Tree) nextWord() item {
	i := t.next()
	for i.typ == itemSpace {
		i = t.next()
	}
	return i
}

// peekWord is the next item but for spaces, which it drops.
func (t *Tree) peekWord() item {
	i := t.nextWord()
	t.back(i)
	return i
}

func (t *Tree) errorf(format string, args ...any) {
	t.Root = nil
	text := fmt.Sprintf(format, args...)
	panic(fmt.Errorf("template: %s:%d: %s", t.ParseName, t.last.line, text))
}

func (t *Tree) check(err error) {
	if err != nil {
		t.errorf("%s", err)
	}
}

func (t *Tree) expect(typ itemType, context string) item {
	i := t.nextWord()
	if i.typ != typ {
		t.unexpected(i, context)
	}
	return i
}

func (t *Tree) unexpected(i item, context string) {
	if i.typ != itemError {
		t.errorf("unexpected %s in %s", i, context)
	}
	extra := ""
	if t.actionLine != 0 && t.actionLine != i.line {
		extra = fmt.Sprintf(" started at %s:%d", t.ParseName, t.actionLine)
		if !strings.HasSuffix(i.val, " action") {
			extra = " in action" + extra
		}
	}
	t.errorf("%s%s", i, extra)
}

// The grammar:

func (t *Tree) newList(pos Pos) *ListNode { return &ListNode{NodeList, pos, in{t}, nil} }

func (t *Tree) parse() {
	t.Root = t.newList(t.peek().pos)
	for t.peek().typ != itemEOF {
		if t.peek().typ == itemLeftDelim {
			delim := t.next()
			word := t.nextWord()
			if word.typ == itemDefine {
				t.definition()
				continue
			}
			t.back(word, delim)
		}
		n := t.textOrAction()
		if n.Type() == nodeEnd || n.Type() == nodeElse {
			t.errorf("unexpected %s", n)
		}
		t.Root.append(n)
	}
}

// definition reads a template behind the word define.
func (outer *Tree) definition() {
	const context = "define clause"
	t := outer.inner("definition")
	t.ahead, outer.ahead = outer.ahead, nil
	t.last = outer.last
	name := t.nextWord()
	t.Name = t.templateName(name, context)
	t.expect(itemRightDelim, context)
	t.body(context, t)
	outer.ahead = t.ahead
}

// body reads a template up to its end, and adds it; from is where an error is said to be.
func (t *Tree) body(context string, from *Tree) {
	list, end := t.list()
	t.Root = list
	if end.Type() != nodeEnd {
		from.errorf("unexpected %s in %s", end, context)
	}
	t.add()
	t.stop()
}

// list reads nodes up to an end or an else.
func (t *Tree) list() (list *ListNode, end Node) {
	list = t.newList(t.peekWord().pos)
	for t.peekWord().typ != itemEOF {
		n := t.textOrAction()
		if n.Type() == nodeEnd || n.Type() == nodeElse {
			return list, n
		}
		list.append(n)
	}
	t.errorf("unexpected EOF")
	return
}

func (t *Tree) textOrAction() Node {
	switch i := t.nextWord(); i.typ {
	case itemText:
		return &TextNode{NodeText, i.pos, in{t}, []byte(i.val)}
	case itemComment:
		return &CommentNode{NodeComment, i.pos, in{t}, i.val}
	case itemLeftDelim:
		t.actionLine = i.line
		defer func() { t.actionLine = 0 }()
		return t.action()
	default:
		t.unexpected(i, "input")
	}
	return nil
}

func (t *Tree) action() Node {
	i := t.nextWord()
	switch i.typ {
	case itemBlock:
		return t.block()
	case itemBreak:
		t.leave("{{break}}")
		return &BreakNode{in{t}, NodeBreak, i.pos, i.line}
	case itemContinue:
		t.leave("{{continue}}")
		return &ContinueNode{in{t}, NodeContinue, i.pos, i.line}
	case itemElse:
		i := t.peekWord()
		if i.typ != itemIf && i.typ != itemWith {
			i = t.expect(itemRightDelim, "else")
		}
		return &mark{nodeElse, i.pos, in{t}}
	case itemEnd:
		return &mark{nodeEnd, t.expect(itemRightDelim, "end").pos, in{t}}
	case itemIf:
		return &IfNode{t.branch(NodeIf, "if")}
	case itemRange:
		return &RangeNode{t.branch(NodeRange, "range")}
	case itemWith:
		return &WithNode{t.branch(NodeWith, "with")}
	case itemTemplate:
		return t.call()
	}
	t.back(i)
	i = t.peek()
	pipe := t.pipeline("command", itemRightDelim)
	return &ActionNode{NodeAction, i.pos, in{t}, i.line, pipe}
}

// leave reads the rest of a break or continue.
func (t *Tree) leave(what string) {
	if i := t.nextWord(); i.typ != itemRightDelim {
		t.unexpected(i, what)
	}
	if t.ranges == 0 {
		t.errorf("%s outside {{range}}", what)
	}
}

func (t *Tree) branch(typ NodeType, context string) BranchNode {
	defer func(n int) { t.vars = t.vars[:n] }(len(t.vars))
	pipe := t.pipeline(context, itemRightDelim)
	if typ == NodeRange {
		t.ranges++
	}
	list, end := t.list()
	if typ == NodeRange {
		t.ranges--
	}
	b := BranchNode{NodeType: typ, Pos: pipe.Pos, in: in{t}, Line: pipe.Line, Pipe: pipe, List: list}
	if end.Type() == nodeEnd {
		return b
	}
	// An else if or else with is a branch of its own, which the same end closes.
	next := t.peek().typ
	switch {
	case typ == NodeIf && next == itemIf:
		t.next()
		b.ElseList = t.newList(end.Position())
		b.ElseList.append(&IfNode{t.branch(NodeIf, "if")})
	case typ == NodeWith && next == itemWith:
		t.next()
		b.ElseList = t.newList(end.Position())
		b.ElseList.append(&WithNode{t.branch(NodeWith, "with")})
	default:
		b.ElseList, end = t.list()
		if end.Type() != nodeEnd {
			t.errorf("expected end; found %s", end)
		}
	}
	return b
}

func (t *Tree) templateName(i item, context string) string {
	if i.typ != itemString && i.typ != itemRawString {
		t.unexpected(i, context)
	}
	name, err := strconv.Unquote(i.val)
	t.check(err)
	return name
}

// block reads a template that is defined and used in one place.
func (t *Tree) block() Node {
	const context = "block clause"
	i := t.nextWord()
	name := t.templateName(i, context)
	pipe := t.pipeline(context, itemRightDelim)
	b := t.inner(name)
	b.ahead, t.ahead = t.ahead, nil
	b.last = t.last
	b.body(context, t)
	t.ahead = b.ahead
	return &TemplateNode{NodeTemplate, i.pos, in{t}, i.line, name, pipe}
}

func (t *Tree) call() Node {
	const context = "template clause"
	i := t.nextWord()
	name := t.templateName(i, context)
	var pipe *PipeNode
	if next := t.nextWord(); next.typ != itemRightDelim {
		t.back(next)
		pipe = t.pipeline(context, itemRightDelim)
	}
	return &TemplateNode{NodeTemplate, i.pos, in{t}, i.line, name, pipe}
}

func (t *Tree) pipeline(context string, end itemType) *PipeNode {
	i := t.peekWord()
	pipe := &PipeNode{NodeType: NodePipe, Pos: i.pos, in: in{t}, Line: i.line}
	t.declarations(pipe, context)
	for {
		switch i := t.nextWord(); i.typ {
		case end:
			if len(pipe.Cmds) == 0 {
				t.errorf("missing value for %s", context)
			}
			for i, c := range pipe.Cmds[1:] {
				switch c.Args[0].Type() {
				case NodeBool, NodeDot, NodeNil, NodeNumber, NodeString:
					t.errorf("non executable command in pipeline stage %d", i+2)
				}
			}
			return pipe
		case itemBool, itemCharConstant, itemComplex, itemDot, itemField, itemIdentifier,
			itemNumber, itemNil, itemRawString, itemString, itemVariable, itemLeftParen:
			t.back(i)
			pipe.append(t.command())
		default:
			t.unexpected(i, context)
		}
	}
}

// declarations reads the variables that a pipeline is stored in.
func (t *Tree) declarations(pipe *PipeNode, context string) {
	for {
		v := t.peekWord()
		if v.typ != itemVariable {
			return
		}
		t.next()
		after := t.next()
		next := after
		if after.typ == itemSpace {
			next = t.nextWord()
		}
		isComma := next.typ == itemChar && next.val == ","
		if !isComma && next.typ != itemAssign && next.typ != itemDeclare {
			t.back(next)
			if after.typ == itemSpace {
				t.back(after)
			}
			t.back(v)
			return
		}
		pipe.Decl = append(pipe.Decl, t.newVariable(v.pos, v.val))
		t.vars = append(t.vars, v.val)
		if !isComma {
			pipe.IsAssign = next.typ == itemAssign
			return
		}
		if context != "range" || len(pipe.Decl) >= 2 {
			t.errorf("too many declarations in %s", context)
		}
		switch t.peekWord().typ {
		case itemVariable, itemRightDelim, itemRightParen:
		default:
			t.errorf("range can only initialize variables")
		}
	}
}

func (t *Tree) command() *CommandNode {
	c := &CommandNode{NodeCommand, t.peekWord().pos, in{t}, nil}
	for more := true; more; {
		t.peekWord()
		if n := t.operand(); n != nil {
			c.append(n)
		}
		switch i := t.next(); i.typ {
		case itemSpace:
		case itemRightDelim, itemRightParen:
			t.back(i)
			more = false
		case itemPipe:
			more = false
		default:
			t.unexpected(i, "operand")
		}
	}
	if len(c.Args) == 0 {
		t.errorf("empty command")
	}
	return c
}

// operand reads a term, and fields of it.
func (t *Tree) operand() Node {
	n := t.term()
	if n == nil || t.peek().typ != itemField {
		return n
	}
	chain := &ChainNode{NodeChain, t.peek().pos, in{t}, n, nil}
	for t.peek().typ == itemField {
		chain.Add(t.next().val)
	}
	switch n.Type() {
	case NodeField:
		return t.newField(chain.Pos, chain.String())
	case NodeVariable:
		return t.newVariable(chain.Pos, chain.String())
	case NodeBool, NodeString, NodeNumber, NodeNil, NodeDot:
		t.errorf("unexpected . after term %q", n.String())
	}
	return chain
}

func (t *Tree) term() Node {
	switch i := t.nextWord(); i.typ {
	case itemIdentifier:
		if t.Mode&SkipFuncCheck == 0 && !t.hasFunction(i.val) {
			t.errorf("function %q not defined", i.val)
		}
		return NewIdentifier(i.val).SetTree(t).SetPos(i.pos)
	case itemDot:
		return &DotNode{NodeDot, i.pos, in{t}}
	case itemNil:
		return &NilNode{NodeNil, i.pos, in{t}}
	case itemVariable:
		v := t.newVariable(i.pos, i.val)
		for _, name := range t.vars {
			if name == v.Ident[0] {
				return v
			}
		}
		t.errorf("undefined variable %q", v.Ident[0])
		return nil
	case itemField:
		return t.newField(i.pos, i.val)
	case itemBool:
		return &BoolNode{NodeBool, i.pos, in{t}, i.val == "true"}
	case itemCharConstant, itemComplex, itemNumber:
		n, err := t.newNumber(i.pos, i.val, i.typ)
		t.check(err)
		return n
	case itemString, itemRawString:
		s, err := strconv.Unquote(i.val)
		t.check(err)
		return &StringNode{NodeString, i.pos, in{t}, i.val, s}
	case itemLeftParen:
		if t.depth >= maxDepth {
			t.errorf("max expression depth exceeded")
		}
		t.depth++
		defer func() { t.depth-- }()
		return t.pipeline("parenthesized pipeline", itemRightParen)
	default:
		t.back(i)
		return nil
	}
}

func (t *Tree) hasFunction(name string) bool {
	for _, funcs := range t.funcs {
		if funcs[name] != nil {
			return true
		}
	}
	return false
}
