package template

import (
	"fmt"
	"slices"
	"strings"
	"text/template/parse"
)

// A context is what a browser makes of text at a place in a page.
type context struct {
	state   state
	delim   delim   // what ends the attribute value
	urlPart urlPart // of a URL, what is written by now
	jsCtx   jsCtx   // what a slash in a script would begin
	braces  []int   // of scripts in template literals, how many braces are open in each
	attr    attr
	element element
	node    parse.Node // a break or continue that has left a loop here
	err     *Error
}

func (c context) String() string {
	var err error
	if c.err != nil {
		err = c.err
	}
	return fmt.Sprintf("{%v %v %v %v %v %v %v %v}",
		c.state, c.delim, c.urlPart, c.jsCtx, c.braces, c.attr, c.element, err)
}

func (c context) eq(d context) bool {
	return c.state == d.state && c.delim == d.delim && c.urlPart == d.urlPart &&
		c.jsCtx == d.jsCtx && slices.Equal(c.braces, d.braces) && c.attr == d.attr &&
		c.element == d.element && c.err == d.err
}

func (c context) clone() context {
	c.braces = slices.Clone(c.braces)
	return c
}

// mangle is the name of a template as it is escaped for this context.
func (c context) mangle(name string) string {
	if c.state == stateText {
		return name
	}
	s := name + "$htmltemplate_" + c.state.String()
	if c.delim != delimNone {
		s += "_" + c.delim.String()
	}
	if c.urlPart != urlPartNone {
		s += "_" + c.urlPart.String()
	}
	if c.jsCtx != jsCtxRegexp {
		s += "_" + c.jsCtx.String()
	}
	if c.braces != nil {
		s += fmt.Sprintf("_jsBraceDepth(%v)", c.braces)
	}
	if c.attr != attrNone {
		s += "_" + c.attr.String()
	}
	if c.element != elementNone {
		s += "_" + c.element.String()
	}
	return s
}

// failed is the context of what is wrong.
func failed(code ErrorCode, n parse.Node, line int, format string, args ...any) context {
	return context{state: stateError, err: errorf(code, n, line, format, args...)}
}

type state uint8

const (
	stateText state = iota
	stateTag
	stateAttrName
	stateAfterName
	stateBeforeValue
	stateHTMLCmt
	stateRCDATA
	stateAttr
	stateURL
	stateSrcset
	stateJS
	stateJSDqStr
	stateJSSqStr
	stateJSTmplLit
	stateJSRegexp
	stateJSBlockCmt
	stateJSLineCmt
	stateJSHTMLOpenCmt
	stateJSHTMLCloseCmt
	stateCSS
	stateCSSDqStr
	stateCSSSqStr
	stateCSSDqURL
	stateCSSSqURL
	stateCSSURL
	stateCSSBlockCmt
	stateCSSLineCmt
	stateError
	stateMetaContent
	stateMetaContentURL
	stateDead // behind a break or continue
)

// name is prefix and the i'th of names.
func name(prefix, names string, i uint8) string { return prefix + strings.Fields(names)[i] }

func (s state) String() string {
	return name("state", "Text Tag AttrName AfterName BeforeValue HTMLCmt RCDATA Attr URL Srcset JS "+
		"JSDqStr JSSqStr JSTmplLit JSRegexp JSBlockCmt JSLineCmt JSHTMLOpenCmt JSHTMLCloseCmt CSS "+
		"CSSDqStr CSSSqStr CSSDqURL CSSSqURL CSSURL CSSBlockCmt CSSLineCmt Error MetaContent "+
		"MetaContentURL Dead", uint8(s))
}

func isComment(s state) bool {
	switch s {
	case stateHTMLCmt, stateJSBlockCmt, stateJSLineCmt, stateJSHTMLOpenCmt,
		stateJSHTMLCloseCmt, stateCSSBlockCmt, stateCSSLineCmt:
		return true
	}
	return false
}

func isInTag(s state) bool {
	return stateTag <= s && s <= stateBeforeValue || s == stateAttr
}

func isInScriptLiteral(s state) bool { return stateJSDqStr <= s && s <= stateJSRegexp }

type delim uint8

const (
	delimNone delim = iota
	delimDoubleQuote
	delimSingleQuote
	delimSpaceOrTagEnd
)

func (d delim) String() string {
	return name("delim", "None DoubleQuote SingleQuote SpaceOrTagEnd", uint8(d))
}

type urlPart uint8

const (
	urlPartNone urlPart = iota
	urlPartPreQuery
	urlPartQueryOrFrag
	urlPartUnknown
)

func (p urlPart) String() string {
	return name("urlPart", "None PreQuery QueryOrFrag Unknown", uint8(p))
}

type jsCtx uint8

const (
	jsCtxRegexp jsCtx = iota
	jsCtxDivOp
	jsCtxUnknown
)

func (c jsCtx) String() string { return name("jsCtx", "Regexp DivOp Unknown", uint8(c)) }

type element uint8

const (
	elementNone element = iota
	elementScript
	elementStyle
	elementTextarea
	elementTitle
	elementMeta
)

func (e element) String() string {
	return name("element", "None Script Style Textarea Title Meta", uint8(e))
}

type attr uint8

const (
	attrNone attr = iota
	attrScript
	attrScriptType
	attrStyle
	attrURL
	attrSrcset
	attrMetaContent
)

func (a attr) String() string {
	return name("attr", "None Script ScriptType Style URL Srcset MetaContent", uint8(a))
}

// Error is what keeps a template from being escaped.
type Error struct {
	ErrorCode   ErrorCode
	Node        parse.Node
	Name        string
	Line        int
	Description string
}

type ErrorCode int

const (
	OK ErrorCode = iota
	ErrAmbigContext
	ErrBadHTML
	ErrBranchEnd
	ErrEndContext
	ErrNoSuchTemplate
	ErrOutputContext
	ErrPartialCharset
	ErrPartialEscape
	ErrRangeLoopReentry
	ErrSlashAmbig
	ErrPredefinedEscaper
	ErrJSTemplate
)

func (e *Error) Error() string {
	s := "html/template:"
	switch {
	case e.Node != nil:
		at, _ := (*parse.Tree)(nil).ErrorContext(e.Node)
		s += at + ":"
	case e.Line != 0:
		s += fmt.Sprintf("%s:%d:", e.Name, e.Line)
	case e.Name != "":
		s += e.Name + ":"
	}
	return s + " " + e.Description
}

func errorf(code ErrorCode, n parse.Node, line int, format string, args ...any) *Error {
	return &Error{code, n, "", line, fmt.Sprintf(format, args...)}
}
