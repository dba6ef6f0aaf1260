// Package parse: templates as trees.
//
// lex.go cuts a text into tokens, this file makes a tree of them by recursive descent, node.go has
// the nodes. The trees of one text (of templates that are defined in it) read the same tokens
// through a common cursor, and put themselves into a common set. The routines of the actions and of
// the operands stand in tables by the token that they begin with.
package parse

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Tree is one template.
type Tree struct {
	Name      string    // of the template
	ParseName string    // of the one in whose text it is, for errors
	Root      *ListNode // all of it
	Mode      Mode
	text      string

	leftDelim, rightDelim string
	funcs                 []map[string]any
	*parsing              // nil when it has been parsed
}

// parsing is the state of a tree that is being parsed.
type parsing struct {
	*source
	vars       []string
	actionLine int // where the action begins
	loops      int // that are open
	parens     int // that are open
}

// A source is what the trees of a text share while they are parsed.
type source struct {
	tokens   []token
	at       int // of the next one
	seen     int // the last one that has been looked at, for the line of errors
	funcs    []map[string]any
	trees    map[string]*Tree
	actions  map[kind]func(*Tree, token) Node
	operands map[kind]func(*Tree, token) Node
}

// Mode is what is wanted of a parser.
type Mode uint

const (
	ParseComments Mode = 1 << iota // comments become nodes
	SkipFuncCheck                  // functions need not be known
)

// maxParens is how many parentheses may be open.
const maxParens = 10000

// New makes an empty tree.
func New(name string, funcs ...map[string]any) *Tree { return &Tree{Name: name, funcs: funcs} }

// Parse parses a text, and returns its template, which gets the name, and those that it defines.
func Parse(name, text, leftDelim, rightDelim string, funcs ...map[string]any) (
	map[string]*Tree, error) {
	trees := make(map[string]*Tree)
	t := &Tree{Name: name, text: text}
	_, err := t.Parse(text, leftDelim, rightDelim, trees, funcs...)
	return trees, err
}

// Copy copies a tree, and its nodes.
func (t *Tree) Copy() *Tree {
	if t == nil {
		return nil
	}
	c := t.sibling(t.Name)
	c.Mode = 0
	c.Root = t.Root.CopyList()
	return c
}

// sibling is an empty tree for a part of the same text.
func (t *Tree) sibling(name string) *Tree {
	return &Tree{
		Name: name, ParseName: t.ParseName, Mode: t.Mode, text: t.text,
		leftDelim: t.leftDelim, rightDelim: t.rightDelim,
	}
}

// ErrorContext tells where a node is, and what it says.
func (t *Tree) ErrorContext(n Node) (location, context string) {
	if own := n.tree(); own != nil {
		t = own
	}
	before := t.text[:n.Position()]
	begin := strings.LastIndexByte(before, '\n') + 1
	line := 1 + strings.Count(before, "\n")
	return fmt.Sprintf("%s:%d:%d", t.ParseName, line, len(before)-begin), n.String()
}

// A syntaxError is what a parser panics with.
type syntaxError struct{ error }

// Parse parses text. It adds the templates that it defines, and itself, to treeSet.
func (t *Tree) Parse(text, leftDelim, rightDelim string, treeSet map[string]*Tree,
	funcs ...map[string]any) (tree *Tree, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case syntaxError:
			t.parsing, t.funcs = nil, nil
			err = e.error
		default:
			panic(e)
		}
	}()
	or := func(s, usual string) string {
		if s == "" {
			return usual
		}
		return s
	}
	t.text, t.ParseName = text, t.Name
	t.leftDelim, t.rightDelim = or(leftDelim, "{{"), or(rightDelim, "}}")
	s := &source{funcs: funcs, trees: treeSet}
	s.fillTables()
	c := cutter{
		text: text, left: t.leftDelim, right: t.rightDelim, comments: t.Mode&ParseComments != 0,
	}
	for _, word := range []string{"break", "continue"} {
		if s.hasFunction(word) {
			c.plainWords += word + " "
		}
	}
	s.tokens = c.cut()
	t.begin(s)
	t.Root = t.newList(t.peek().pos)
	t.nodes(t.Root, true)
	t.finish()
	t.funcs = nil
	return t, nil
}

func (t *Tree) begin(s *source) { t.Root, t.parsing = nil, &parsing{source: s, vars: []string{"$"}} }

// finish puts t into the set of trees, unless it is empty and there is one of its name.
func (t *Tree) finish() {
	named := t.trees[t.Name]
	isTaken := named != nil && !IsEmptyTree(named.Root)
	if isTaken && !IsEmptyTree(t.Root) {
		t.fail("template: multiple definition of template %q", t.Name)
	}
	if !isTaken {
		t.trees[t.Name] = t
	}
	t.parsing = nil
}

// IsEmptyTree says whether n writes nothing but white space.
func IsEmptyTree(n Node) bool {
	if n == nil {
		return true
	}
	switch n.Type() {
	case NodeComment:
		return true
	case NodeList:
		return !slices.ContainsFunc(n.(*ListNode).Nodes, func(n Node) bool { return !IsEmptyTree(n) })
	case NodeText:
		return len(bytes.TrimSpace(n.(*TextNode).Text)) == 0
	case NodeIf, NodeWith, NodeRange, NodeTemplate, NodeAction:
		return false
	}
	panic("unknown node: " + n.String())
}

// Tokens:

// next returns the next token. The last one comes again and again.
func (s *source) next() token {
	i := min(s.at, len(s.tokens)-1)
	s.seen = max(s.seen, i)
	s.at = i + 1
	return s.tokens[i]
}

func (s *source) peek() token {
	t := s.next()
	s.at--
	return t
}

// word is the next token that is not blank.
func (s *source) word() token {
	for {
		if t := s.next(); t.kind != blank {
			return t
		}
	}
}

// peekWord goes to the next token that is not blank.
func (s *source) peekWord() token {
	t := s.word()
	s.at--
	return t
}

// take goes on if the next token is of a kind.
func (s *source) take(k kind) (t token, ok bool) {
	if t = s.peekWord(); t.kind == k {
		s.at++
		return t, true
	}
	return t, false
}

func (s *source) hasFunction(name string) bool {
	return slices.ContainsFunc(s.funcs, func(m map[string]any) bool { return m[name] != nil })
}

// fail ends the parsing. It is said to have failed in the line of the last token that was seen.
func (t *Tree) fail(format string, args ...any) {
	t.Root = nil
	what := fmt.Sprintf(format, args...)
	line := t.tokens[t.seen].line
	panic(syntaxError{fmt.Errorf("template: %s:%d: %s", t.ParseName, line, what)})
}

// unexpected fails because of a token, which may be a failure itself.
func (t *Tree) unexpected(found token, context string) {
	what := "unexpected " + found.String() + " in " + context
	if found.kind == failure {
		what = found.text + t.beginning(found)
	}
	t.fail("%s", what)
}

// beginning tells where the action began that failed, if that was in another line.
func (t *Tree) beginning(failed token) string {
	if t.actionLine == 0 || t.actionLine == failed.line {
		return ""
	}
	link := " in action started at "
	if strings.HasSuffix(failed.text, " action") {
		link = " started at "
	}
	return link + t.ParseName + ":" + strconv.Itoa(t.actionLine)
}

// must takes a token of one of some kinds.
func (t *Tree) must(context string, kinds ...kind) token {
	found := t.word()
	if !slices.Contains(kinds, found.kind) {
		t.unexpected(found, context)
	}
	return found
}

// Lists:

func (t *Tree) newList(pos Pos) *ListNode { return &ListNode{NodeList, pos, in{t}, nil} }

// nodes parses into a list up to an end or an else, which it returns. If the list is all of a text,
// there is none, but definitions may stand there.
func (t *Tree) nodes(l *ListNode, isWhole bool) *marker {
	for t.peekWord().kind != endOfText {
		if isWhole && t.define() {
			continue
		}
		n := t.node()
		m, isMarker := n.(*marker)
		switch {
		case !isMarker:
			l.append(n)
		case isWhole:
			t.fail("unexpected %s", m)
		default:
			return m
		}
	}
	if !isWhole {
		t.fail("unexpected EOF")
	}
	return nil
}

// list parses a list that is not all of a text.
func (t *Tree) list() (*ListNode, *marker) {
	l := t.newList(t.peekWord().pos)
	return l, t.nodes(l, false)
}

// node parses text, a comment or an action.
func (t *Tree) node() (n Node) {
	switch i := t.word(); i.kind {
	case plain:
		n = &TextNode{NodeText, i.pos, in{t}, []byte(i.text)}
	case comment:
		n = &CommentNode{NodeComment, i.pos, in{t}, i.text}
	case open:
		t.actionLine = i.line
		begin := t.peekWord()
		if parse := t.actions[begin.kind]; parse != nil {
			t.at++
			n = parse(t, begin)
		} else {
			n = &ActionNode{NodeAction, begin.pos, in{t}, begin.line, t.pipeline("command", end)}
		}
		t.actionLine = 0
	default:
		t.unexpected(i, "input")
	}
	return n
}

// fillTables makes the tables of routines. Their token has been taken.
func (s *source) fillTables() {
	s.actions = map[kind]func(*Tree, token) Node{
		ifWord:       func(t *Tree, _ token) Node { return t.choice(ifWord) },
		withWord:     func(t *Tree, _ token) Node { return t.choice(withWord) },
		rangeWord:    (*Tree).loop,
		templateWord: (*Tree).call,
		blockWord:    (*Tree).block,
		endWord: func(t *Tree, _ token) Node {
			return &marker{nodeEnd, t.must("end", end).pos, in{t}}
		},
		elseWord: func(t *Tree, _ token) Node {
			// What follows else is a branch of its own.
			next := t.peekWord()
			if next.kind != ifWord && next.kind != withWord {
				next = t.must("else", end)
			}
			return &marker{nodeElse, next.pos, in{t}}
		},
		breakWord: func(t *Tree, i token) Node {
			t.leave("{{break}}")
			return &BreakNode{in{t}, NodeBreak, i.pos, i.line}
		},
		continueWord: func(t *Tree, i token) Node {
			t.leave("{{continue}}")
			return &ContinueNode{in{t}, NodeContinue, i.pos, i.line}
		},
	}
	s.operands = map[kind]func(*Tree, token) Node{
		opening:  (*Tree).parenthesis,
		name:     (*Tree).function,
		variable: (*Tree).variable,
		field:    func(t *Tree, i token) Node { return t.newField(i.pos, i.text) },
		dot:      func(t *Tree, i token) Node { return &DotNode{NodeDot, i.pos, in{t}} },
		nothing:  func(t *Tree, i token) Node { return &NilNode{NodeNil, i.pos, in{t}} },
		truth: func(t *Tree, i token) Node {
			return &BoolNode{NodeBool, i.pos, in{t}, i.text == "true"}
		},
		quoted:        (*Tree).quotation,
		raw:           (*Tree).quotation,
		char:          (*Tree).number,
		number:        (*Tree).number,
		complexNumber: (*Tree).number,
	}
}

// Definitions:

// templateName parses the name of a template.
func (t *Tree) templateName(context string) (at token, unquoted string) {
	at = t.must(context, quoted, raw)
	return at, t.unquote(at)
}

func (t *Tree) unquote(i token) string {
	s, err := strconv.Unquote(i.text)
	if err != nil {
		t.fail("%s", err)
	}
	return s
}

// body parses a template that is defined in the text of t, up to its end.
func (t *Tree) body(context, name string) {
	inner, begin := t.sibling(name), t.seen
	inner.begin(t.source)
	list, last := inner.list()
	inner.Root = list
	if last.NodeType != nodeEnd {
		if context == inBlock {
			t.seen = begin // an else is said to be where the block begins
		}
		t.fail("unexpected %s in %s", last, context)
	}
	inner.finish()
}

// define parses a template that is only defined, if one is.
func (t *Tree) define() bool {
	const context = "define clause"
	begin := t.at
	if t.next().kind == open {
		if _, ok := t.take(defineWord); ok {
			_, name := t.templateName(context)
			t.must(context, end)
			t.body(context, name)
			return true
		}
	}
	t.at = begin
	return false
}

const inBlock = "block clause"

// block parses a template that is defined and used.
func (t *Tree) block(token) Node {
	at, name := t.templateName(inBlock)
	pipe := t.pipeline(inBlock, end)
	t.body(inBlock, name)
	return &TemplateNode{NodeTemplate, at.pos, in{t}, at.line, name, pipe}
}

// call parses the use of a template.
func (t *Tree) call(token) Node {
	const context = "template clause"
	at, name := t.templateName(context)
	n := &TemplateNode{NodeTemplate, at.pos, in{t}, at.line, name, nil}
	if _, isAlone := t.take(end); !isAlone {
		n.Pipe = t.pipeline(context, end)
	}
	return n
}

// Branches:

func (t *Tree) leave(word string) {
	t.must(word, end)
	if t.loops == 0 {
		t.fail("%s outside {{range}}", word)
	}
}

func (t *Tree) loop(token) Node {
	return &RangeNode{t.branch("range", NodeRange, rangeWord)}
}

// choice parses an if or a with.
func (t *Tree) choice(word kind) Node {
	if word == ifWord {
		return &IfNode{t.branch("if", NodeIf, word)}
	}
	return &WithNode{t.branch("with", NodeWith, word)}
}

// branch parses what begins with a pipeline. Behind its else, the word may stand again: then that
// is a branch in the else list, which the same end closes.
func (t *Tree) branch(context string, typ NodeType, again kind) BranchNode {
	visible := len(t.vars)
	pipe := t.pipeline(context, end)
	if typ == NodeRange {
		t.loops++
	}
	list, last := t.list()
	if typ == NodeRange {
		t.loops--
	}
	b := BranchNode{typ, pipe.Pos, in{t}, pipe.Line, pipe, list, nil}
	if last.NodeType == nodeElse {
		if t.peek().kind == again {
			t.at++
			b.ElseList = t.newList(last.Pos)
			b.ElseList.append(t.choice(again))
		} else if b.ElseList, last = t.list(); last.NodeType != nodeEnd {
			t.fail("expected end; found %s", last)
		}
	}
	t.vars = t.vars[:visible]
	return b
}

// Pipelines:

func (t *Tree) pipeline(context string, last kind) *PipeNode {
	i := t.peekWord()
	p := &PipeNode{NodeType: NodePipe, Pos: i.pos, in: in{t}, Line: i.line}
	for t.declaration(p, context) {
	}
	for {
		i := t.peekWord()
		if i.kind.beginsOperand() {
			p.append(t.command())
			continue
		}
		t.at++
		if i.kind != last {
			t.unexpected(i, context)
		}
		break
	}
	if len(p.Cmds) == 0 {
		t.fail("missing value for %s", context)
	}
	for i, c := range p.Cmds {
		if typ := c.Args[0].Type(); i > 0 && slices.Contains(constants, typ) {
			t.fail("non executable command in pipeline stage %d", i+1)
		}
	}
	return p
}

// constants are what can neither be called nor have fields.
var constants = []NodeType{NodeBool, NodeDot, NodeNil, NodeNumber, NodeString}

// declaration parses a variable that a pipeline is stored in, and says whether another one is to
// follow. If there is none it stays where it is.
func (t *Tree) declaration(p *PipeNode, context string) (goesOn bool) {
	begin := t.peekWord()
	back := t.at
	if begin.kind != variable {
		return false
	}
	t.at++
	i := t.word()
	isComma := i.kind == mark && i.text == ","
	if !isComma && i.kind != assigns && i.kind != declares {
		t.at = back
		return false
	}
	p.Decl = append(p.Decl, t.newVariable(begin.pos, begin.text))
	t.vars = append(t.vars, begin.text)
	if !isComma {
		p.IsAssign = i.kind == assigns
		return false
	}
	if context != "range" || len(p.Decl) > 1 {
		t.fail("too many declarations in %s", context)
	}
	if k := t.peekWord().kind; k != variable && k != end && k != closing {
		t.fail("range can only initialize variables")
	}
	return true
}

// behindOperand is what may follow an operand. Blanks say that there may be another one.
var behindOperand = []kind{blank, bar, end, closing}

func (t *Tree) command() *CommandNode {
	c := &CommandNode{NodeCommand, t.peekWord().pos, in{t}, nil}
	i := token{kind: blank}
	for i.kind == blank {
		if n := t.operand(); n != nil {
			c.append(n)
		}
		if i = t.next(); !slices.Contains(behindOperand, i.kind) {
			t.unexpected(i, "operand")
		}
	}
	if i.kind != bar {
		t.at--
	}
	if c.Args == nil {
		t.fail("empty command")
	}
	return c
}

// operand parses a term with the fields behind it. It returns nil if there is none.
func (t *Tree) operand() Node {
	begin := t.peekWord()
	parse := t.operands[begin.kind]
	if parse == nil {
		return nil
	}
	t.at++
	n := parse(t, begin)
	fields, pos := "", t.peek().pos
	for t.peek().kind == field {
		fields += t.next().text
	}
	switch typ := n.Type(); {
	case fields == "":
		return n
	case typ == NodeVariable:
		return t.newVariable(pos, n.String()+fields)
	case typ == NodeField:
		return t.newField(pos, n.String()+fields)
	case slices.Contains(constants, typ):
		t.fail("unexpected . after term %q", n.String())
	}
	return &ChainNode{NodeChain, pos, in{t}, n, strings.Split(fields, ".")[1:]}
}

// Operands:

func (t *Tree) parenthesis(token) Node {
	if t.parens == maxParens {
		t.fail("max expression depth exceeded")
	}
	t.parens++
	p := t.pipeline("parenthesized pipeline", closing)
	t.parens--
	return p
}

func (t *Tree) function(i token) Node {
	if t.Mode&SkipFuncCheck == 0 && !t.hasFunction(i.text) {
		t.fail("function %q not defined", i.text)
	}
	return NewIdentifier(i.text).SetTree(t).SetPos(i.pos)
}

func (t *Tree) variable(i token) Node {
	v := t.newVariable(i.pos, i.text)
	if !slices.Contains(t.vars, v.Ident[0]) {
		t.fail("undefined variable %q", v.Ident[0])
	}
	return v
}

func (t *Tree) quotation(i token) Node {
	return &StringNode{NodeString, i.pos, in{t}, i.text, t.unquote(i)}
}

func (t *Tree) number(i token) Node {
	n, err := t.newNumber(i.pos, i.text, i.kind)
	if err != nil {
		t.fail("%s", err)
	}
	return n
}
