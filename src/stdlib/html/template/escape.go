// Escaping templates.
//
// An escaper walks through the nodes of a template with the context that the page is in there. Text
// moves the context (scan.go). An action does not, but its pipeline must end with the functions
// that keep its value a value in that context. Where branches meet, their contexts must agree. A
// template that is used in another context than that of text is escaped as a copy, whose name tells
// the context.
//
// Nothing is changed before all is known to be well: what is to be changed is kept in a journal. A
// walk that was in vain, as the first one through a template that calls itself may be, is undone by
// taking back what the journal has from there on.

package template

import (
	"bytes"
	"fmt"
	"internal/godebug"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
)

// An escaper knows what has been found out about the templates of a set.
type escaper struct {
	set     *nameSpace
	behind  map[string]context            // each template, by its name in its context
	derived map[string]*template.Template // copies of templates for other contexts
	loops   []loop                        // that are open

	journal []entry
	edits   map[parse.Node]int // the last entry for each node, counted from 1
	base    int                // where the walk at work began in the journal
}

// A loop is the ways on which a loop is left or goes on early.
type loop struct{ breaks, continues []exit }

type exit struct {
	context
	at   parse.Node
	line int
}

// An entry of the journal is what an escaper has done: an edit of a node, the use of a template, or
// something else.
type entry struct {
	edit parse.Node
	last int // the entry before for that node
	uses string
	do   func() // makes the edit
	undo func()
}

// escape escapes a template that is executed by itself, and those that it uses.
func (e *escaper) escape(name string, root parse.Node) error {
	end, _ := e.use(context{}, root, name, 0)
	switch {
	case end.err != nil:
		end.err.Name = name
		return end.err
	case end.state != inText:
		return &Error{ErrorCode: ErrEndContext, Name: name,
			Description: fmt.Sprintf("ends in a non-text context: %v", end)}
	}
	e.commit()
	return nil
}

// begin has the escaper know nothing yet of the templates of a set.
func (e *escaper) begin(set *nameSpace) {
	e.set = set
	e.behind, e.derived = map[string]context{}, map[string]*template.Template{}
	e.edits = map[parse.Node]int{}
}

// commit makes all changes.
func (e *escaper) commit() {
	e.set.group.Funcs(escapers)
	for name, t := range e.derived {
		if _, err := e.set.group.AddParseTree(name, t.Tree); err != nil {
			panic("error adding derived template")
		}
	}
	for _, done := range e.journal {
		if done.do != nil {
			done.do()
		}
	}
	e.journal, e.base = nil, 0
	clear(e.edits)
}

// edit plans a change of a node. A node may be changed once.
func (e *escaper) edit(n parse.Node, do func()) {
	done := entry{edit: n, last: e.edits[n], do: do}
	done.undo = func() { e.edits[n] = done.last }
	e.mustBeFirst(done)
	e.journal = append(e.journal, done)
	e.edits[n] = len(e.journal)
}

// mustBeFirst panics if the walk at work has edited the node of an entry before.
func (e *escaper) mustBeFirst(done entry) {
	if done.last > e.base {
		panic(fmt.Sprintf("node %s shared between templates", done.edit))
	}
}

// try walks, and takes back what was done if the walk was in vain.
func (e *escaper) try(walk func() (end context, isGood bool)) (end context, isGood bool) {
	outer, begin := e.base, len(e.journal)
	e.base = begin
	end, isGood = walk()
	e.base = outer
	if !isGood {
		for _, done := range slices.Backward(e.journal[begin:]) {
			if done.undo != nil {
				done.undo()
			}
		}
		e.journal = e.journal[:begin]
		return end, false
	}
	// The edits are the outer walk's now.
	for _, done := range e.journal[begin:] {
		if done.last <= begin {
			e.mustBeFirst(done)
		}
	}
	return end, true
}

// put makes an entry of a map, which can be taken back.
func put[T any](e *escaper, m map[string]T, name string, value T) {
	old, isThere := m[name]
	m[name] = value
	e.journal = append(e.journal, entry{undo: func() {
		if isThere {
			m[name] = old
		} else {
			delete(m, name)
		}
	}})
}

// Templates:

// find returns a template of the set, or a copy that is to become one.
func (e *escaper) find(name string) *template.Template {
	if t := e.set.group.Lookup(name); t != nil {
		return t
	}
	return e.derived[name]
}

// use is the context behind a template that is used in context c, and its name there. at and line
// are where.
func (e *escaper) use(c context, at parse.Node, name string, line int) (end context, as string) {
	as = c.nameOf(name)
	e.journal = append(e.journal, entry{uses: as})
	end, isKnown := e.behind[as]
	if !isKnown {
		if t := e.variant(name, as); t != nil {
			return e.through(c, t), as
		}
		problem := "no such template %q"
		if e.set.byName[name] != nil {
			problem = "%q is an incomplete or empty template"
		}
		end = wrong(ErrNoSuchTemplate, at, line, problem, name)
	}
	return end, as
}

// variant is the template of a name as it is where it goes by another one, for which it is copied
// if it must be; nil if there is none to copy.
func (e *escaper) variant(name, as string) *template.Template {
	original := e.find(name)
	if original == nil || as == name {
		return original
	}
	copied := e.find(as)
	if copied == nil {
		copied = template.New(as)
		copied.Tree = &parse.Tree{Name: as, Root: original.Root.CopyList()}
		put(e, e.derived, as, copied)
	}
	return copied
}

// through is the context behind t. Where t calls itself, it is first taken to end as it begins,
// then as that has made it end.
func (e *escaper) through(c context, t *template.Template) context {
	first, isRight := e.assume(c, t)
	if isRight {
		return first
	}
	second, isRight := e.assume(first, t)
	switch {
	case isRight:
		return second
	case first.state == inError:
		return first
	}
	return wrong(ErrOutputContext, t.Root, 0,
		"cannot compute output context for template %s", t.Name())
}

// assume walks through t from context c on, and says whether t ends in c, too, or nothing depends
// on that.
func (e *escaper) assume(c context, t *template.Template) (end context, isRight bool) {
	put(e, e.behind, t.Name(), c)
	return e.try(func() (context, bool) {
		begin := len(e.journal)
		end := e.list(c, t.Root)
		isRight := end.is(c) || !e.hasUsed(t.Name(), begin)
		return end, isRight && end.state != inError
	})
}

// hasUsed says whether a template has been used since the journal had so many entries.
func (e *escaper) hasUsed(name string, since int) bool {
	return slices.ContainsFunc(e.journal[since:], func(done entry) bool { return done.uses == name })
}

// Nodes:

func (e *escaper) list(c context, l *parse.ListNode) context {
	if l == nil {
		return c
	}
	for i := 0; i < len(l.Nodes) && c.state != nowhere; i++ {
		c = e.node(c, l.Nodes[i])
	}
	return c
}

// node is the context behind n.
func (e *escaper) node(c context, n parse.Node) context {
	switch n := n.(type) {
	case *parse.CommentNode:
		return c
	case *parse.TextNode:
		return e.text(c, n)
	case *parse.ActionNode:
		return e.action(c, n)
	case *parse.TemplateNode:
		end, as := e.use(c, n, n.Name, n.Line)
		if as != n.Name {
			e.edit(n, func() { n.Name = as })
		}
		return end
	case *parse.ListNode:
		return e.list(c, n)
	case *parse.IfNode:
		return e.choice(c, &n.BranchNode, "if")
	case *parse.WithNode:
		return e.choice(c, &n.BranchNode, "with")
	case *parse.RangeNode:
		return e.loop(c, &n.BranchNode)
	case *parse.BreakNode:
		l := &e.loops[len(e.loops)-1]
		l.breaks = append(l.breaks, exit{c, n, n.Line})
		return context{state: nowhere}
	case *parse.ContinueNode:
		l := &e.loops[len(e.loops)-1]
		l.continues = append(l.continues, exit{c, n, n.Line})
		return context{state: nowhere}
	}
	panic("escaping " + n.String() + " is unimplemented")
}

func (e *escaper) choice(c context, n *parse.BranchNode, word string) context {
	then := e.list(c, n.List)
	return meet(then, e.list(c, n.ElseList), n, word)
}

// loop walks through the body twice: it must end as it began when it goes round, too.
func (e *escaper) loop(c context, n *parse.BranchNode) context {
	end := e.round(func() context { return e.list(c, n.List) })
	if end.state == inError {
		return end
	}
	end = e.round(func() context {
		again, _ := e.try(func() (context, bool) { return e.list(end, n.List), false })
		both := meet(end, again, n, "range")
		if both.state == inError {
			both.err.Line = n.Line
			both.err.Description = "on range loop re-entry: " + both.err.Description
		}
		return both
	})
	if end.state == inError {
		return end
	}
	return meet(end, e.list(c, n.ElseList), n, "range")
}

// round is the context behind a walk through a loop's body, together with those where it was left.
func (e *escaper) round(walk func() context) context {
	e.loops = append(e.loops, loop{})
	end := walk()
	top := len(e.loops) - 1
	l := e.loops[top]
	e.loops = e.loops[:top]
	end = joinExits(end, l.breaks, "break")
	return joinExits(end, l.continues, "continue")
}

func joinExits(end context, exits []exit, word string) context {
	for _, x := range exits {
		if end.state == inError {
			break
		}
		if end = meet(end, x.context, x.at, "range"); end.state == inError {
			end.err.Line = x.line
			end.err.Description = "at range loop " + word + ": " + end.err.Description
		}
	}
	return end
}

// settled is the context in which a value is written in c: of an attribute or of its name, if it
// stands where either begins.
func settled(c context) context {
	begins := c.state
	if begins == beforeValue {
		c.state, c.quote = meanings[c.meaning].value, spaceOrTagEnd
	}
	if begins == inTag || begins == afterAttrName {
		c.state = inAttrName
	}
	if begins == beforeValue || begins == afterAttrName {
		c.meaning = noMeaning
	}
	return c
}

// blurs make contexts equal that may stand for each other until it matters.
var blurs = [...]func(c *context){
	func(c *context) { c.part = somePart },
	func(c *context) { c.slash = unclear },
}

// meet is the context behind two branches that end in a and b.
func meet(a, b context, n parse.Node, word string) context {
	switch {
	case a.state == inError, b.state == nowhere && a.state != nowhere:
		return a
	case b.state == inError, a.state == nowhere, a.is(b):
		return b
	}
	for _, blur := range blurs {
		c, d := a, b
		blur(&c)
		blur(&d)
		if c.is(d) {
			return c
		}
	}
	// A branch that has written an attribute's name, or value, ends as one that has not if that
	// goes on with a value.
	if c, d := settled(a), settled(b); !c.is(a) || !d.is(b) {
		if both := meet(c, d, n, word); both.state != inError {
			return both
		}
	}
	return wrong(ErrBranchEnd, n, 0,
		"{{%s}} branches end in different contexts: %v, %v", word, a, b)
}

// Actions:

// prefix begins the names of this package's functions.
const prefix = "_html_template_"

var escapers = template.FuncMap{
	"_eval_args_":               evaluated,
	prefix + "attrescaper":      escapeAttr,
	prefix + "commentescaper":   escapeComment,
	prefix + "cssescaper":       escapeStyle,
	prefix + "cssvaluefilter":   filterStyle,
	prefix + "htmlescaper":      escapeText,
	prefix + "htmlnamefilter":   filterName,
	prefix + "jsregexpescaper":  escapeRegexp,
	prefix + "jsstrescaper":     escapeString,
	prefix + "jstmpllitescaper": escapeLiteral,
	prefix + "jsvalescaper":     escapeValue,
	prefix + "nospaceescaper":   escapeUnquoted,
	prefix + "rcdataescaper":    escapeRCDATA,
	prefix + "srcsetescaper":    escapeSrcset,
	prefix + "urlescaper":       escapeURLPart,
	prefix + "urlfilter":        filterURL,
	prefix + "urlnormalizer":    normalizeURL,
}

// standsFor has the functions that do the work of those that users may call themselves.
var standsFor = map[string]string{
	"html": "html", "urlquery": "urlquery",
	prefix + "attrescaper": "html", prefix + "htmlescaper": "html",
	prefix + "rcdataescaper": "html",
	prefix + "urlescaper":    "urlquery", prefix + "urlnormalizer": "urlquery",
}

// needless has functions that have nothing to do behind others.
var needless = map[string]string{
	prefix + "attrescaper": "commentescaper cssescaper jsregexpescaper jsstrescaper " +
		"jstmpllitescaper",
	prefix + "htmlescaper":   "commentescaper",
	prefix + "urlnormalizer": "urlescaper",
}

// called is the function that a command calls, if it does.
func called(cmd *parse.CommandNode) (name string) {
	if n, ok := cmd.Args[0].(*parse.IdentifierNode); ok {
		name = n.Ident
	}
	return name
}

func isPredefined(name string) bool { return name == "html" || name == "urlquery" }

// action is the context behind an action. It may not call the predefined escapers but at the end,
// where they are known to be right, or are replaced by what is.
func (e *escaper) action(c context, n *parse.ActionNode) context {
	if len(n.Pipe.Decl) > 0 {
		return c // it writes nothing
	}
	c = settled(c)
	last := len(n.Pipe.Cmds) - 1
	isBare := c.state == inValue && c.quote == spaceOrTagEnd
	for i, cmd := range n.Pipe.Cmds {
		if name := called(cmd); isPredefined(name) && (i < last || isBare && name == "html") {
			return wrong(ErrPredefinedEscaper, n, n.Line,
				"predefined escaper %q disallowed in template", name)
		}
	}
	if c.state == inError {
		return c
	}
	names, err := escapersIn(c, n)
	if err != nil {
		return context{state: inError, err: err}
	}
	e.edit(n, func() { escapePipe(n.Pipe, names) })
	if c.state == inScript {
		c.slash = divides
	}
	return c
}

// escapersIn are the functions that a value is passed through in a context: that of the state, and
// then that of the attribute.
func escapersIn(c context, n *parse.ActionNode) (names []string, err *Error) {
	is := states[c.state]
	add := func(name string) { names = append(names, prefix+name) }
	switch {
	case c.state == inURL || inStyleDouble <= c.state && c.state <= inStyleURLSingle:
		if c.part == somePart {
			return nil, wrong(ErrAmbigContext, n, n.Line,
				"%s appears in an ambiguous context within a URL", n).err
		}
		isText := c.state == inStyleDouble || c.state == inStyleSingle
		if c.part == atURLStart {
			add("urlfilter")
		}
		switch {
		case c.part == inQuery:
			add("urlescaper")
		case isText:
			add("cssescaper")
		default:
			add("urlnormalizer")
		}
	case c.state == inMetaURL && godebug.Is("htmlmetacontenturlescape", "0"):
	case is.isComment:
		add("commentescaper")
	case is.escaper != "":
		add(is.escaper)
	case c.state != inValue && c.state != inMeta:
		panic("unexpected state " + c.state.String())
	}
	switch c.quote {
	case spaceOrTagEnd:
		add("nospaceescaper")
	case singleQuote, doubleQuote:
		add("attrescaper")
	}
	return names, nil
}

// escapePipe makes a pipeline end with functions.
func escapePipe(p *parse.PipeNode, names []string) {
	if len(names) == 0 {
		return
	}
	cmds := slices.Clone(p.Cmds)
	has := make(map[string]bool)
	add := func(name string) {
		if len(cmds) > 0 {
			before, isOurs := strings.CutPrefix(called(cmds[len(cmds)-1]), prefix)
			if isOurs && slices.Contains(strings.Fields(needless[name]), before) {
				return
			}
		}
		word := parse.NewIdentifier(name).SetTree(nil).SetPos(p.Pos)
		cmds = append(cmds, &parse.CommandNode{NodeType: parse.NodeCommand, Args: []parse.Node{word}})
	}
	if last := len(cmds) - 1; last >= 0 && isPredefined(called(cmds[last])) {
		// A user's escaper moves to where this package's that does its work would be.
		user := called(cmds[last])
		args := cmds[last].Args
		isAlone := last == 0 && len(args) > 1
		if isAlone {
			// {{html a b}} becomes {{_eval_args_ a b | html}}.
			args[0] = parse.NewIdentifier("_eval_args_").SetTree(nil).SetPos(args[0].Position())
		}
		moves := false
		for i, name := range names {
			if standsFor[name] == user {
				names[i], moves = user, true
			}
		}
		switch {
		case isAlone && !moves:
			add(user)
		case !isAlone && moves:
			cmds = cmds[:last]
		}
	}
	kind := func(name string) string {
		if user := standsFor[name]; user != "" {
			return user
		}
		return name
	}
	for _, cmd := range cmds {
		has[kind(called(cmd))] = true
	}
	for _, name := range names {
		if !has[kind(name)] {
			add(name)
		}
	}
	p.Cmds = cmds
}

// Text:

// An eraser replaces parts of a text, from its beginning on.
type eraser struct {
	text []byte
	out  []byte
	done int // up to where it has come
}

func (r *eraser) replace(from, to int, by string) {
	r.out = append(append(r.out, r.text[r.done:from]...), by...)
	r.done = to
}

// text is the context behind a text. What browsers would not take for what it is is escaped, and
// comments are left out: values could end them.
func (e *escaper) text(c context, n *parse.TextNode) context {
	r := eraser{text: n.Text}
	for at := 0; at < len(n.Text); {
		behind, size := advance(c, n.Text[at:])
		if size == 0 && behind.state == c.state {
			panic(fmt.Sprintf("infinite loop from %v to %v on %q..%q",
				c, behind, n.Text[:at], n.Text[at:]))
		}
		r.piece(c, behind, at, at+size)
		c, at = behind, at+size
	}
	if r.done > 0 && c.state != inError {
		if !c.isErased() {
			r.replace(len(n.Text), len(n.Text), "")
		}
		e.edit(n, func() { n.Text = r.out })
	}
	return c
}

// isErased says whether text is left out: comments are, but not in attributes.
func (c context) isErased() bool { return states[c.state].isComment && c.quote == unquoted }

// commentMarks is how long the marks are that comments begin with, if it is not two characters.
var commentMarks = map[state]int{inComment: 4, inScriptOpen: 4, inScriptClose: 3}

// piece edits the text from one context to the next.
func (r *eraser) piece(c, behind context, from, to int) {
	text := r.text[from:to]
	switch {
	case c.isErased():
		// A comment separates words, or lines.
		by := ""
		if c.state == inScriptBlock || c.state == inStyleBlock {
			by = " "
		}
		if c.state == inScriptBlock && bytes.ContainsAny(text, scriptLineEnds) {
			by = "\n"
		}
		r.replace(from, to, by)
	case c.state == inText, c.state == inRCDATA:
		// What is before the tag that ends the text has no tag.
		if tag := bytes.LastIndexByte(text, '<'); tag >= 0 && behind.state != c.state {
			text = text[:tag]
		}
		for i, b := range text {
			const doctype = "<!DOCTYPE"
			if b == '<' && !strings.EqualFold(string(r.text[from+i:min(from+i+len(doctype),
				len(r.text))]), doctype) {
				r.replace(from+i, from+i+1, "&lt;")
			}
		}
	}
	if behind.state != c.state && behind.isErased() {
		mark, isLong := commentMarks[behind.state]
		if !isLong {
			mark = 2
		}
		r.replace(to-mark, to, "")
	}
	if states[c.state].isLiteral {
		for i, b := range text {
			if b == '<' && looksLikeTag(string(text[i+1:])) {
				r.replace(from+i, from+i+1, `\x3C`)
			}
		}
	}
}

// looksLikeTag says whether a < before s would end a script's element, or begin something in it.
func looksLikeTag(s string) bool {
	return strings.HasPrefix(s, "!--") || beginsScript(strings.TrimPrefix(s, "/"))
}

// beginsScript says whether s begins with script in any case, of which there is one more for s.
func beginsScript(s string) bool {
	word := "script"
	s = strings.ReplaceAll(s[:min(len(s), len("\u017fcript"))], "\u017f", "s")
	return len(s) >= len(word) && strings.EqualFold(s[:len(word)], word)
}
