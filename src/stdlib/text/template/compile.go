// From trees to closures.
//
// The compiler goes through a tree once. A variable becomes a slot of the template's frame: slots
// are numbered as the scopes of a text nest, so that those of a loop's body are used again by the
// next one. Only an argument of "and" or "or" may leave a variable undeclared, if it is not
// evaluated: such slots are marked unset when the call begins, and who looks for the variable then
// goes on to the one outside.

package template

import (
	"reflect"
	"strings"
	"sync/atomic"
	"text/template/parse"
)

type (
	// A step does what a node says.
	step func(r *run, dot reflect.Value) outcome
	// An eval is a value.
	eval func(r *run, dot reflect.Value) reflect.Value
	// A stage is a command of a pipeline, to which the one before it pipes a value.
	stage func(r *run, dot, piped reflect.Value) reflect.Value
)

// An outcome says how a step has ended.
type outcome int

const (
	onward   outcome = iota
	breaks           // it leaves the loop
	restarts         // it goes on with the loop
)

// A program is a compiled tree.
type program struct {
	root  *parse.ListNode // of which it was made
	body  step
	slots int
}

// program returns what t's tree, which is not empty, has been compiled to.
func (t *Template) program() *program {
	p := t.compiled.Load()
	if p == nil || p.root != t.Root {
		c := compiler{scope: []local{{name: "$"}}, slots: 1}
		p = &program{root: t.Root, body: c.list(t.Root)}
		p.slots = c.slots
		t.compiled.Store(p)
	}
	return p
}

// A compiler knows the variables that are visible, the innermost last. A variable's slot is its
// place in the scope.
type compiler struct {
	scope []local
	slots int
}

type local struct {
	name     string
	isUnsure bool // it may not have been declared
}

// unset is in the slot of a variable that has not been declared.
type unset struct{}

// A place is where a variable is: in the first slot that is set.
type place struct {
	name  string
	slots []int
	isNew bool // it is declared here
}

func (c *compiler) declare(name string) place {
	c.scope = append(c.scope, local{name: name})
	c.slots = max(c.slots, len(c.scope))
	return place{name, []int{len(c.scope) - 1}, true}
}

func (c *compiler) find(name string) place {
	p := place{name: name}
	isUnsure := true
	for slot := len(c.scope); slot > 0 && isUnsure; {
		slot--
		if v := c.scope[slot]; v.name == name {
			p.slots, isUnsure = append(p.slots, slot), v.isUnsure
		}
	}
	return p
}

// in returns the variable of an execution.
func (p *place) in(r *run) *reflect.Value {
	for _, slot := range p.slots {
		v := &r.vars[slot]
		if p.isNew || v.Kind() != reflect.Struct || v.Type() != reflect.TypeFor[unset]() {
			return v
		}
	}
	r.fail("undefined variable: %s", p.name)
	return nil
}

// Statements:

func (c *compiler) list(l *parse.ListNode) step {
	steps := make([]step, 0, len(l.Nodes))
	for _, n := range l.Nodes {
		if s := c.statement(n); s != nil {
			steps = append(steps, s)
		}
	}
	if len(steps) == 1 {
		return steps[0]
	}
	return func(r *run, dot reflect.Value) outcome {
		for _, s := range steps {
			if o := s(r, dot); o != onward {
				return o
			}
		}
		return onward
	}
}

// statement returns nil for what does nothing.
func (c *compiler) statement(n parse.Node) step {
	switch n := n.(type) {
	case *parse.CommentNode:
		return nil
	case *parse.TextNode:
		return func(r *run, _ reflect.Value) outcome {
			r.write(n.Text)
			return onward
		}
	case *parse.ActionNode:
		return c.action(n)
	case *parse.TemplateNode:
		return c.template(n)
	case *parse.IfNode:
		return c.choice(&n.BranchNode, false)
	case *parse.WithNode:
		return c.choice(&n.BranchNode, true)
	case *parse.RangeNode:
		return c.loop(n)
	case *parse.BreakNode:
		return func(*run, reflect.Value) outcome { return breaks }
	case *parse.ContinueNode:
		return func(*run, reflect.Value) outcome { return restarts }
	case *parse.ListNode:
		return c.list(n)
	}
	return func(r *run, _ reflect.Value) outcome {
		r.at = n
		r.fail("unknown node: %s", n)
		return onward
	}
}

func (c *compiler) action(n *parse.ActionNode) step {
	value := c.pipe(n.Pipe)
	if len(n.Pipe.Decl) > 0 {
		return func(r *run, dot reflect.Value) outcome {
			value(r, dot)
			return onward
		}
	}
	p := &printer{node: n}
	return func(r *run, dot reflect.Value) outcome {
		p.print(r, value(r, dot))
		return onward
	}
}

func (c *compiler) template(n *parse.TemplateNode) step {
	argument := c.pipe(n.Pipe)
	return func(r *run, dot reflect.Value) outcome {
		r.at = n
		callee := r.tmpl.Lookup(n.Name)
		switch {
		case callee == nil:
			r.fail("template %q not defined", n.Name)
		case r.depth == maxDepth:
			r.fail("exceeded maximum template depth (%v)", maxDepth)
		}
		r.enter(callee, argument(r, dot))
		return onward
	}
}

// arms compiles what may follow a pipeline. The pipeline's variables are visible there.
func (c *compiler) arms(b *parse.BranchNode) (then, otherwise step) {
	outer := len(c.scope)
	then = c.list(b.List)
	c.scope = c.scope[:outer]
	otherwise = func(*run, reflect.Value) outcome { return onward }
	if b.ElseList != nil {
		otherwise = c.list(b.ElseList)
	}
	return then, otherwise
}

// choice compiles an if or a with; for the latter, the value becomes dot.
func (c *compiler) choice(b *parse.BranchNode, rebinds bool) step {
	outer := len(c.scope)
	value := c.pipe(b.Pipe)
	then, otherwise := c.arms(b)
	c.scope = c.scope[:outer]
	return func(r *run, dot reflect.Value) outcome {
		v := value(r, dot)
		if !truth(v) {
			return otherwise(r, dot)
		}
		if rebinds {
			dot = v
		}
		return then(r, dot)
	}
}

func (c *compiler) loop(n *parse.RangeNode) step {
	outer := len(c.scope)
	value := c.pipe(n.Pipe)
	vars := make([]place, len(n.Pipe.Decl))
	for i, decl := range n.Pipe.Decl {
		vars[i] = c.find(decl.Ident[0])
	}
	body, otherwise := c.arms(&n.BranchNode)
	c.scope = c.scope[:outer]
	return func(r *run, dot reflect.Value) outcome {
		seq, _ := indirect(value(r, dot))
		isEmpty := true
		r.each(seq, len(vars), func(index, elem reflect.Value) bool {
			isEmpty = false
			switch len(vars) {
			case 1:
				*vars[0].in(r) = elem
			case 2:
				*vars[0].in(r) = index
				*vars[1].in(r) = elem
			}
			return body(r, elem) != breaks
		})
		// The loop catches what leaves it in its else, too.
		if isEmpty && otherwise(r, dot) == restarts {
			return restarts
		}
		return onward
	}
}

// Values:

// pipe compiles a pipeline, whose variables are declared behind it.
func (c *compiler) pipe(p *parse.PipeNode) eval {
	if p == nil {
		return func(*run, reflect.Value) (nothing reflect.Value) { return }
	}
	stages := make([]stage, len(p.Cmds))
	for i, cmd := range p.Cmds {
		stages[i] = c.command(cmd, i > 0)
	}
	vars := make([]place, len(p.Decl))
	for i, decl := range p.Decl {
		if p.IsAssign {
			vars[i] = c.find(decl.Ident[0])
		} else {
			vars[i] = c.declare(decl.Ident[0])
		}
	}
	if len(stages) == 1 && len(vars) == 0 {
		only := stages[0]
		return func(r *run, dot reflect.Value) reflect.Value {
			r.at = p
			return opened(only(r, dot, reflect.Value{}))
		}
	}
	return func(r *run, dot reflect.Value) (v reflect.Value) {
		r.at = p
		for _, s := range stages {
			v = opened(s(r, dot, v))
		}
		for i := range vars {
			*vars[i].in(r) = v
		}
		return v
	}
}

// opened is what is in v, if v is an any.
func opened(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface && v.Type().NumMethod() == 0 {
		return v.Elem()
	}
	return v
}

// alone makes a stage of what takes no arguments.
func alone(value eval) stage {
	return func(r *run, dot, _ reflect.Value) reflect.Value { return value(r, dot) }
}

// failing is the value of what cannot be evaluated. at is where, or nil if it is there already.
func failing(at parse.Node, format string, args ...any) eval {
	return func(r *run, _ reflect.Value) reflect.Value {
		if at != nil {
			r.at = at
		}
		r.fail(format, args...)
		return reflect.Value{}
	}
}

func (c *compiler) command(cmd *parse.CommandNode, isPiped bool) stage {
	word, rest := cmd.Args[0], cmd.Args[1:]
	if s := c.term(word, cmd, rest, isPiped); s != nil {
		return s
	}
	pipe, isPipe := word.(*parse.PipeNode)
	switch at := word; {
	case isPiped || len(rest) > 0:
		if isPipe {
			at = nil
		}
		return alone(failing(at, "can't give argument to non-function %s", word))
	case isPipe:
		return alone(c.pipe(pipe))
	}
	switch n := word.(type) {
	case *parse.DotNode:
		return func(r *run, dot, _ reflect.Value) reflect.Value {
			r.at = n
			return dot
		}
	case *parse.NilNode:
		return alone(failing(n, "nil is not a command"))
	case *parse.BoolNode, *parse.NumberNode, *parse.StringNode:
		return alone(constant(n))
	}
	return alone(failing(word, "can't evaluate command %q", word))
}

// term compiles what can be called, or have fields; for other nodes it returns nil. whole is the
// node that is said to have failed when a function has.
func (c *compiler) term(n, whole parse.Node, args []parse.Node, isPiped bool) stage {
	switch n := n.(type) {
	case *parse.IdentifierNode:
		return c.function(n, whole, args, isPiped)
	case *parse.FieldNode:
		way := c.route(n, n.Ident, args, isPiped)
		return func(r *run, dot, piped reflect.Value) reflect.Value {
			r.at = n
			return way.follow(r, dot, dot, piped)
		}
	case *parse.VariableNode:
		return c.variable(n, args, isPiped)
	case *parse.ChainNode:
		switch {
		case len(n.Field) == 0:
			return alone(failing(n, "internal error: no fields in evalChainNode"))
		case n.Node.Type() == parse.NodeNil:
			return alone(failing(n, "indirection through explicit nil in %s", n))
		}
		from := c.operand(n.Node)
		way := c.route(n, n.Field, args, isPiped)
		return func(r *run, dot, piped reflect.Value) reflect.Value {
			r.at = n
			return way.follow(r, dot, from.value(r, dot), piped)
		}
	}
	return nil
}

func (c *compiler) variable(n *parse.VariableNode, args []parse.Node, isPiped bool) stage {
	from := c.find(n.Ident[0])
	if fields := n.Ident[1:]; len(fields) > 0 {
		way := c.route(n, fields, args, isPiped)
		return func(r *run, dot, piped reflect.Value) reflect.Value {
			r.at = n
			return way.follow(r, dot, *from.in(r), piped)
		}
	}
	takesArgs := isPiped || len(args) > 0
	return func(r *run, _, _ reflect.Value) reflect.Value {
		r.at = n
		v := from.in(r)
		if takesArgs {
			r.fail("can't give argument to non-function %s", n)
		}
		return *v
	}
}

// constant is a constant as a value of the type that it has by itself.
func constant(n parse.Node) eval {
	var v reflect.Value
	switch n := n.(type) {
	case *parse.BoolNode:
		v = reflect.ValueOf(n.True)
	case *parse.StringNode:
		v = reflect.ValueOf(n.Text)
	case *parse.NumberNode:
		switch {
		case n.IsComplex:
			v = reflect.ValueOf(n.Complex128)
		case n.IsFloat && isFloatText(n.Text):
			v = reflect.ValueOf(n.Float64)
		case n.IsInt:
			v = reflect.ValueOf(int(n.Int64))
		case n.IsUint:
			return failing(n, "%s overflows int", n.Text)
		}
	}
	return func(r *run, _ reflect.Value) reflect.Value {
		r.at = n
		return v
	}
}

// isFloatText says whether a number is written as one with a fraction or an exponent.
func isFloatText(text string) bool {
	digits, isHex := strings.CutPrefix(strings.ToLower(text), "0x")
	marks := ".ep"
	if isHex && digits != "" && !strings.Contains(digits, "p") {
		marks = ""
	}
	return text[0] != '\'' && strings.ContainsAny(strings.ToLower(text), marks)
}

// An operand is what stands behind a function's name, or before a field's.
type operand struct {
	node  parse.Node
	value eval // nil for nil
	// Constants are converted to the type of the parameter when that is known.
	isConstant bool
}

func (c *compiler) operand(n parse.Node) operand {
	switch n := n.(type) {
	case *parse.DotNode:
		return operand{n, func(r *run, dot reflect.Value) reflect.Value {
			r.at = n
			return dot
		}, false}
	case *parse.NilNode:
		return operand{node: n}
	case *parse.PipeNode:
		return operand{n, c.pipe(n), false}
	}
	if s := c.term(n, n, nil, false); s != nil {
		return operand{n, func(r *run, dot reflect.Value) reflect.Value {
			return s(r, dot, reflect.Value{})
		}, false}
	}
	return operand{n, constant(n), true}
}

// function compiles a call of a function, which is looked for when it is called: it may have been
// replaced by another.
func (c *compiler) function(n *parse.IdentifierNode, whole parse.Node, args []parse.Node,
	isPiped bool) stage {
	type link struct {
		funcs *functions
		do    stage
	}
	var last atomic.Pointer[link]
	call := c.call(n.Ident, whole, args, isPiped)
	return func(r *run, dot, piped reflect.Value) reflect.Value {
		r.at = n
		var funcs *functions
		if r.tmpl.common != nil {
			funcs = r.tmpl.funcs.Load()
		}
		l := last.Load()
		if l == nil || l.funcs != funcs {
			l = &link{funcs, call.link(funcs)}
			last.Store(l)
		}
		return l.do(r, dot, piped)
	}
}

// write writes plain text.
func (r *run) write(text []byte) {
	if _, err := r.out.Write(text); err != nil {
		panic(failure{err})
	}
}
