package template

import (
	"bytes"
	"fmt"
	"html"
	"internal/godebug"
	"io"
	"maps"
	"regexp"
	"text/template"
	"text/template/parse"
)

// The functions that pipelines end with when they are escaped.
const own = "_html_template_"

var funcs = template.FuncMap{
	own + "attrescaper": attrEscaper, own + "commentescaper": commentEscaper,
	own + "cssescaper": cssEscaper, own + "cssvaluefilter": cssValueFilter,
	own + "htmlnamefilter": htmlNameFilter, own + "htmlescaper": htmlEscaper,
	own + "jsregexpescaper": jsRegexpEscaper, own + "jsstrescaper": jsStrEscaper,
	own + "jstmpllitescaper": jsTmplLitEscaper, own + "jsvalescaper": jsValEscaper,
	own + "nospaceescaper": htmlNospaceEscaper, own + "rcdataescaper": rcdataEscaper,
	own + "srcsetescaper": srcsetFilterAndEscaper, own + "urlescaper": urlEscaper,
	own + "urlfilter": urlFilter, own + "urlnormalizer": urlNormalizer,
	"_eval_args_": evalArgs,
}

// escapeTemplate escapes a template that is executed by itself, and those that it uses.
func escapeTemplate(t *Template, n parse.Node, name string) error {
	c, _ := t.esc.tree(context{}, n, name, 0)
	var err error
	if c.err != nil {
		c.err.Name = name
		err = c.err
	} else if c.state != stateText {
		err = &Error{ErrEndContext, nil, name, 0,
			fmt.Sprintf("ends in a non-text context: %v", c)}
	}
	self := t.set[name]
	if err != nil {
		if self != nil {
			self.escapeErr = err
			self.text.Tree = nil
			self.Tree = nil
		}
		return err
	}
	t.esc.commit()
	if self != nil {
		self.escapeErr = escapeOK
		self.Tree = self.text.Tree
	}
	return nil
}

// An escaper finds out what each node must become, and changes nothing until all is well.
type escaper struct {
	ns      *nameSpace
	output  map[string]context            // behind each template
	derived map[string]*template.Template // templates as used in contexts other than text
	called  map[string]bool

	actions map[*parse.ActionNode][]string
	calls   map[*parse.TemplateNode]string
	texts   map[*parse.TextNode][]byte

	loop *loop // the innermost
}

// loop is the contexts in which a loop is left or goes on early.
type loop struct {
	outer *loop
	exits []context
}

func makeEscaper(ns *nameSpace) escaper {
	return escaper{
		ns: ns, output: map[string]context{}, derived: map[string]*template.Template{},
		called: map[string]bool{}, actions: map[*parse.ActionNode][]string{},
		calls: map[*parse.TemplateNode]string{}, texts: map[*parse.TextNode][]byte{},
	}
}

// node is the context behind n, which begins in context c.
func (e *escaper) node(c context, n parse.Node) context {
	switch n := n.(type) {
	case *parse.ActionNode:
		return e.action(c, n)
	case *parse.TextNode:
		return e.text(c, n)
	case *parse.ListNode:
		return e.list(c, n)
	case *parse.IfNode:
		return e.branch(c, &n.BranchNode, "if")
	case *parse.WithNode:
		return e.branch(c, &n.BranchNode, "with")
	case *parse.RangeNode:
		return e.branch(c, &n.BranchNode, "range")
	case *parse.TemplateNode:
		c, name := e.tree(c, n, n.Name, n.Line)
		if name != n.Name {
			edit(e.calls, n, name)
		}
		return c
	case *parse.BreakNode, *parse.ContinueNode:
		c.node = n
		e.loop.exits = append(e.loop.exits, c)
		return context{state: stateDead}
	case *parse.CommentNode:
		return c
	}
	panic("escaping " + n.String() + " is unimplemented")
}

func edit[N interface {
	comparable
	parse.Node
}, T any](edits map[N]T, n N, to T) {
	if _, ok := edits[n]; ok {
		panic(fmt.Sprintf("node %s shared between templates", n))
	}
	edits[n] = to
}

func (e *escaper) list(c context, list *parse.ListNode) context {
	if list == nil {
		return c
	}
	for _, n := range list.Nodes {
		if c = e.node(c, n); c.state == stateDead {
			break
		}
	}
	return c
}

// Users' own escapers, which may only stand last.
var predefined = map[string]bool{"html": true, "urlquery": true}

// identifier is the function that a command calls, if it does.
func identifier(cmd *parse.CommandNode) string {
	if n, ok := cmd.Args[0].(*parse.IdentifierNode); ok {
		return n.Ident
	}
	return ""
}

func (e *escaper) action(c context, n *parse.ActionNode) context {
	if len(n.Pipe.Decl) > 0 {
		return c // it writes nothing
	}
	c = nudge(c)
	for i, cmd := range n.Pipe.Cmds {
		name := identifier(cmd)
		inBareValue := c.state == stateAttr && c.delim == delimSpaceOrTagEnd
		if predefined[name] && (i < len(n.Pipe.Cmds)-1 || inBareValue && name == "html") {
			return failed(ErrPredefinedEscaper, n, n.Line,
				"predefined escaper %q disallowed in template", name)
		}
	}
	var names []string
	add := func(name string) { names = append(names, own+name) }
	switch c.state {
	case stateError:
		return c
	case stateURL, stateCSSDqStr, stateCSSSqStr, stateCSSDqURL, stateCSSSqURL, stateCSSURL:
		switch {
		case c.urlPart == urlPartUnknown:
			return failed(ErrAmbigContext, n, n.Line,
				"%s appears in an ambiguous context within a URL", n)
		case c.urlPart == urlPartQueryOrFrag:
			add("urlescaper")
		default:
			if c.urlPart == urlPartNone {
				add("urlfilter")
			}
			if c.state == stateCSSDqStr || c.state == stateCSSSqStr {
				add("cssescaper")
			} else {
				add("urlnormalizer")
			}
		}
	case stateMetaContentURL:
		if godebug.Value("htmlmetacontenturlescape") != "0" {
			add("urlfilter")
		}
	case stateJS:
		add("jsvalescaper")
		c.jsCtx = jsCtxDivOp
	case stateJSDqStr, stateJSSqStr:
		add("jsstrescaper")
	case stateJSTmplLit:
		add("jstmpllitescaper")
	case stateJSRegexp:
		add("jsregexpescaper")
	case stateCSS:
		add("cssvaluefilter")
	case stateText:
		add("htmlescaper")
	case stateRCDATA:
		add("rcdataescaper")
	case stateAttrName, stateTag:
		c.state = stateAttrName
		add("htmlnamefilter")
	case stateSrcset:
		add("srcsetescaper")
	case stateAttr, stateMetaContent:
	default:
		if !isComment(c.state) {
			panic("unexpected state " + c.state.String())
		}
		add("commentescaper")
	}
	switch c.delim {
	case delimNone:
	case delimSpaceOrTagEnd:
		add("nospaceescaper")
	default:
		add("attrescaper")
	}
	edit(e.actions, n, names)
	return c
}

// What does the work of a predefined escaper.
var likePredefined = map[string]string{
	own + "attrescaper": "html", own + "htmlescaper": "html", own + "rcdataescaper": "html",
	own + "urlescaper": "urlquery", own + "urlnormalizer": "urlquery",
}

func like(name string) string {
	if p := likePredefined[name]; p != "" {
		return p
	}
	return name
}

// isRedundant says whether the second escaper has nothing to do behind the first.
func isRedundant(first, second string) bool {
	switch second {
	case own + "attrescaper":
		switch first {
		case own + "commentescaper", own + "cssescaper", own + "jsregexpescaper",
			own + "jsstrescaper", own + "jstmpllitescaper":
			return true
		}
	case own + "htmlescaper":
		return first == own+"commentescaper"
	case own + "urlnormalizer":
		return first == own+"urlescaper"
	}
	return false
}

// ensure makes a pipeline end with these functions.
func ensure(p *parse.PipeNode, names []string) {
	if len(names) == 0 {
		return
	}
	add := func(cmds []*parse.CommandNode, name string) []*parse.CommandNode {
		if n := len(cmds); n > 0 && isRedundant(identifier(cmds[n-1]), name) {
			return cmds
		}
		return append(cmds, &parse.CommandNode{
			NodeType: parse.NodeCommand,
			Args:     []parse.Node{parse.NewIdentifier(name).SetTree(nil).SetPos(p.Pos)},
		})
	}
	n := len(p.Cmds)
	if n > 0 {
		last := p.Cmds[n-1]
		if esc := identifier(last); predefined[esc] {
			if n == 1 && len(last.Args) > 1 {
				// {{html a b}} becomes {{_eval_args_ a b | html}}.
				eval := parse.NewIdentifier("_eval_args_").SetTree(nil)
				last.Args[0] = eval.SetPos(last.Args[0].Position())
				p.Cmds = add(p.Cmds, esc)
				n++
			}
			isThere := false
			for i, name := range names {
				if like(name) == esc {
					names[i] = esc
					isThere = true
				}
			}
			if isThere {
				n--
			}
		}
	}
	cmds := append(make([]*parse.CommandNode, 0, n+len(names)), p.Cmds[:n]...)
	have := make(map[string]bool)
	for _, cmd := range cmds {
		have[like(identifier(cmd))] = true
	}
	for _, name := range names {
		if !have[like(name)] {
			cmds = add(cmds, name)
		}
	}
	p.Cmds = cmds
}

// nudge is the context in which a value is written in c: of an attribute or of its name, if it
// stands where either begins.
func nudge(c context) context {
	switch c.state {
	case stateTag:
		c.state = stateAttrName
	case stateBeforeValue:
		c.state, c.delim, c.attr = attrStates[c.attr], delimSpaceOrTagEnd, attrNone
	case stateAfterName:
		c.state, c.attr = stateAttrName, attrNone
	}
	return c
}

// join is the context behind two branches that end in a and b.
func join(a, b context, n parse.Node, name string) context {
	switch {
	case a.state == stateError, b.state == stateDead && a.state != stateDead:
		return a
	case b.state == stateError, a.state == stateDead, a.eq(b):
		return b
	}
	c := a
	if c.urlPart = b.urlPart; c.eq(b) {
		c.urlPart = urlPartUnknown
		return c
	}
	c = a
	if c.jsCtx = b.jsCtx; c.eq(b) {
		c.jsCtx = jsCtxUnknown
		return c
	}
	if c, d := nudge(a), nudge(b); !c.eq(a) || !d.eq(b) {
		if j := join(c, d, n, name); j.state != stateError {
			return j
		}
	}
	return failed(ErrBranchEnd, n, 0,
		"{{%s}} branches end in different contexts: %v, %v", name, a, b)
}

func (e *escaper) branch(c context, n *parse.BranchNode, name string) context {
	isLoop := name == "range"
	if isLoop {
		e.loop = &loop{outer: e.loop}
	}
	end := e.list(c.clone(), n.List)
	if isLoop {
		if end.state != stateError {
			end = e.loop.join(end)
		}
		e.loop = e.loop.outer
		if end.state == stateError {
			return end
		}
		// The second time around must end as the first.
		e.loop = &loop{outer: e.loop}
		again, _ := e.tentatively(end, n.List, nil)
		end = join(end, again, n, name)
		if end.state == stateError {
			e.loop = e.loop.outer
			end.err.Line = n.Line
			end.err.Description = "on range loop re-entry: " + end.err.Description
			return end
		}
		end = e.loop.join(end)
		e.loop = e.loop.outer
		if end.state == stateError {
			return end
		}
	}
	return join(end, e.list(c.clone(), n.ElseList), n, name)
}

// join is c together with the contexts in which the loop is left: at breaks first.
func (l *loop) join(c context) context {
	for _, what := range []string{"break", "continue"} {
		for _, exit := range l.exits {
			line, is := 0, "continue"
			switch n := exit.node.(type) {
			case *parse.BreakNode:
				line, is = n.Line, "break"
			case *parse.ContinueNode:
				line = n.Line
			}
			if is != what {
				continue
			}
			if c = join(c, exit, exit.node, "range"); c.state == stateError {
				c.err.Line = line
				c.err.Description = "at range loop " + what + ": " + c.err.Description
				return c
			}
		}
	}
	return c
}

// tentatively escapes a list, and keeps what that comes to if keep says so.
func (e *escaper) tentatively(c context, list *parse.ListNode,
	keep func(*escaper, context) bool) (context, bool) {
	t := makeEscaper(e.ns)
	t.loop = e.loop
	maps.Copy(t.output, e.output)
	c = t.list(c, list)
	if keep == nil || !keep(&t, c) {
		return c, false
	}
	maps.Copy(e.output, t.output)
	maps.Copy(e.derived, t.derived)
	maps.Copy(e.called, t.called)
	for n, to := range t.actions {
		edit(e.actions, n, to)
	}
	for n, to := range t.calls {
		edit(e.calls, n, to)
	}
	for n, to := range t.texts {
		edit(e.texts, n, to)
	}
	return c, true
}

// tree is the context behind a template that is used in context c, and its name there.
func (e *escaper) tree(c context, n parse.Node, name string, line int) (context, string) {
	mangled := c.mangle(name)
	e.called[mangled] = true
	if out, ok := e.output[mangled]; ok {
		return out, mangled
	}
	t := e.template(name)
	switch {
	case t == nil && e.ns.set[name] != nil:
		return failed(ErrNoSuchTemplate, n, line,
			"%q is an incomplete or empty template", name), mangled
	case t == nil:
		return failed(ErrNoSuchTemplate, n, line, "no such template %q", name), mangled
	}
	if mangled != name {
		derived := e.template(mangled)
		if derived == nil {
			derived = template.New(mangled)
			derived.Tree = &parse.Tree{Name: mangled, Root: t.Root.CopyList()}
			e.derived[mangled] = derived
		}
		t = derived
	}
	return e.behind(c, t), mangled
}

// behind is the context behind t. Where it calls itself, it is first taken to end as it begins,
// then as that has made it end.
func (e *escaper) behind(c context, t *template.Template) context {
	end, ok := e.body(c, t)
	if !ok {
		if again, ok2 := e.body(end, t); ok2 {
			end, ok = again, true
		}
	}
	if !ok && end.state != stateError {
		return failed(ErrOutputContext, t.Root, 0,
			"cannot compute output context for template %s", t.Name())
	}
	return end
}

func (e *escaper) body(c context, t *template.Template) (context, bool) {
	e.output[t.Name()] = c
	return e.tentatively(c, t.Root, func(e1 *escaper, end context) bool {
		return end.state != stateError && (!e1.called[t.Name()] || c.eq(end))
	})
}

var scriptTags = regexp.MustCompile("(?i)<(script|/script|!--)")

// text escapes what a browser would not take for what it is, and drops comments.
func (e *escaper) text(c context, n *parse.TextNode) context {
	s := n.Text
	var b bytes.Buffer
	written := 0
	for i := 0; i < len(s); {
		c1, size := afterText(c, s[i:])
		end := i + size
		isDropped := isComment(c.state) && c.delim == delimNone
		switch {
		case c.state == stateText || c.state == stateRCDATA:
			tag := end
			if c1.state != c.state {
				tag = lastTag(s, i, end)
			}
			for j := i; j < tag; j++ {
				if s[j] == '<' && !bytes.HasPrefix(bytes.ToUpper(s[j:min(len(s), j+9)]),
					[]byte("<!DOCTYPE")) {
					b.Write(s[written:j])
					b.WriteString("&lt;")
					written = j + 1
				}
			}
		case isDropped:
			// A comment parts words, or lines.
			if c.state == stateJSBlockCmt && bytes.ContainsAny(s[written:end], "\n\r\u2028\u2029") {
				b.WriteByte('\n')
			} else if c.state == stateJSBlockCmt || c.state == stateCSSBlockCmt {
				b.WriteByte(' ')
			}
			written = end
		}
		if c.state != c1.state && isComment(c1.state) && c1.delim == delimNone {
			begin := end - 2
			switch c1.state {
			case stateHTMLCmt, stateJSHTMLOpenCmt:
				begin = end - len("<!--")
			case stateJSHTMLCloseCmt:
				begin = end - len("-->")
			}
			b.Write(s[written:begin])
			written = end
		}
		if isInScriptLiteral(c.state) && scriptTags.Match(s[i:end]) {
			b.Write(s[written:i])
			b.Write(scriptTags.ReplaceAll(s[i:end], []byte(`\x3C$1`)))
			written = end
		}
		if size == 0 && c.state == c1.state {
			panic(fmt.Sprintf("infinite loop from %v to %v on %q..%q", c, c1, s[:i], s[i:]))
		}
		c, i = c1, end
	}
	if written != 0 && c.state != stateError {
		if !isComment(c.state) || c.delim != delimNone {
			b.Write(s[written:])
		}
		edit(e.texts, n, b.Bytes())
	}
	return c
}

// afterText is as next, but sees ends of attribute values, and of elements.
func afterText(c context, s []byte) (context, int) {
	if c.delim == delimNone {
		end, i := toElementEnd(c, s)
		if i == 0 {
			return end, 0
		}
		return next(c, s[:i])
	}
	i := bytes.IndexAny(s, delimEnds[c.delim])
	if i < 0 {
		i = len(s)
	}
	if c.delim == delimSpaceOrTagEnd {
		if j := bytes.IndexAny(s[:i], "\"'<=`"); j >= 0 {
			return failed(ErrBadHTML, nil, 0,
				"%q in unquoted attr: %q", s[j:j+1], s[:i]), len(s)
		}
	}
	if i == len(s) {
		// The value goes on; inside, entities are what they stand for.
		for value := []byte(html.UnescapeString(string(s))); len(value) > 0; {
			c1, n := next(c, value)
			c, value = c1, value[n:]
		}
		return c, len(s)
	}
	element := c.element
	if c.state == stateAttr && element == elementScript && c.attr == attrScriptType &&
		!isJSType(string(s[:i])) {
		element = elementNone
	}
	if c.delim != delimSpaceOrTagEnd {
		i++
	}
	return context{state: stateTag, element: element}, i
}

// commit changes the templates.
func (e *escaper) commit() {
	for name := range e.output {
		e.template(name).Funcs(funcs)
	}
	any := e.any()
	for _, t := range e.derived {
		if _, err := any.text.AddParseTree(t.Name(), t.Tree); err != nil {
			panic("error adding derived template")
		}
	}
	for n, names := range e.actions {
		ensure(n.Pipe, names)
	}
	for n, name := range e.calls {
		n.Name = name
	}
	for n, text := range e.texts {
		n.Text = text
	}
	clear(e.called)
	clear(e.actions)
	clear(e.calls)
	clear(e.texts)
}

func (e *escaper) template(name string) *template.Template {
	if t := e.any().text.Lookup(name); t != nil {
		return t
	}
	return e.derived[name]
}

// any is some template of the set.
func (e *escaper) any() *Template {
	for _, t := range e.ns.set {
		return t
	}
	panic("no templates in name space")
}

func HTMLEscape(w io.Writer, b []byte)   { template.HTMLEscape(w, b) }
func HTMLEscapeString(s string) string   { return template.HTMLEscapeString(s) }
func HTMLEscaper(args ...any) string     { return template.HTMLEscaper(args...) }
func JSEscape(w io.Writer, b []byte)     { template.JSEscape(w, b) }
func JSEscapeString(s string) string     { return template.JSEscapeString(s) }
func JSEscaper(args ...any) string       { return template.JSEscaper(args...) }
func URLQueryEscaper(args ...any) string { return template.URLQueryEscaper(args...) }
