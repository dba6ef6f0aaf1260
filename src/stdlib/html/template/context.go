// What a browser makes of text: where in a page it stands, as a small value that can be compared.

package template

import (
	"fmt"
	"strconv"
	"strings"
	"text/template/parse"
)

// A context is a place in a page. The zero value is text between tags.
type context struct {
	state   state
	quote   quote   // what ends the attribute's value that it is in
	part    part    // of a URL, what has been written by now
	slash   slash   // in a script
	braces  nesting // of a script in template literals
	meaning meaning // of the attribute, until its value begins
	element element // whose tag or text it is
	err     *Error  // in inError
	nested  bool    // braces have been counted in the script; this tells no places apart
}

func (c context) String() string {
	return fmt.Sprintf("{%v %v %v %v %v %v %v %v}",
		c.state, c.quote, c.part, c.slash, c.braces, c.meaning, c.element, c.err)
}

// is says whether two contexts are the same place.
func (c context) is(d context) bool {
	c.nested = d.nested
	return c == d
}

// nameOf is the name of a template as it is escaped for use in this context.
func (c context) nameOf(template string) string {
	if c.state == inText {
		return template
	}
	name := template + "$htmltemplate_" + c.state.String()
	add := func(isSaid bool, what fmt.Stringer) {
		if isSaid {
			name += "_" + what.String()
		}
	}
	add(c.quote != unquoted, c.quote)
	add(c.part != atURLStart, c.part)
	add(c.slash != beginsRegexp, c.slash)
	if c.nested {
		name += "_jsBraceDepth(" + c.braces.String() + ")"
	}
	add(c.meaning != noMeaning, c.meaning)
	add(c.element != noElement, c.element)
	return name
}

// wrong is the context behind what a browser could not make sense of.
func wrong(code ErrorCode, n parse.Node, line int, format string, args ...any) context {
	err := &Error{ErrorCode: code, Node: n, Line: line, Description: fmt.Sprintf(format, args...)}
	return context{state: inError, err: err}
}

// A nesting is how many braces are open in each of the scripts that stand in one another's template
// literals: numbers with spaces between them.
type nesting string

func (n nesting) String() string { return "[" + string(n) + "]" }

// enter begins the script of another literal.
func (n nesting) enter() nesting { return nesting(strings.TrimLeft(string(n)+" 0", " ")) }

// brace counts a brace. It may be one that ends the script: then what is left are those around it.
func (n nesting) brace(isOpen bool) (after nesting, ends bool) {
	last := strings.LastIndexByte(string(n), ' ') + 1
	count, _ := strconv.Atoi(string(n[last:]))
	switch {
	case isOpen:
		count++
	case count == 0:
		return n[:max(last-1, 0)], true
	default:
		count--
	}
	return n[:last] + nesting(strconv.Itoa(count)), false
}

// A state is what the text is part of.
type state uint8

const (
	inText state = iota
	inTag
	inAttrName
	afterAttrName
	beforeValue
	inValue  // of an attribute that means nothing special
	inRCDATA // text with entities but without tags
	inComment

	inURL
	inSrcset
	inMeta
	inMetaURL

	inScript
	inScriptDouble
	inScriptSingle
	inLiteral // a template literal
	inRegexp
	inScriptBlock
	inScriptLine
	inScriptOpen  // a comment that begins as those of HTML do
	inScriptClose // one that begins as those of HTML end

	inStyle
	inStyleDouble
	inStyleSingle
	inStyleURL
	inStyleURLDouble
	inStyleURLSingle
	inStyleBlock
	inStyleLine

	inError
	nowhere // behind a break or continue
)

// Traits are what is known of a state.
type traits struct {
	name      string
	isComment bool
	isLiteral bool   // of a script: what looks like a tag in it is not to be one
	isMarkup  bool   // a tag
	escaper   string // of values that stand there
}

var states = [...]traits{
	inText:           {name: "Text", escaper: "htmlescaper"},
	inTag:            {name: "Tag", isMarkup: true},
	inAttrName:       {name: "AttrName", isMarkup: true, escaper: "htmlnamefilter"},
	afterAttrName:    {name: "AfterName", isMarkup: true},
	beforeValue:      {name: "BeforeValue", isMarkup: true},
	inValue:          {name: "Attr", isMarkup: true},
	inRCDATA:         {name: "RCDATA", escaper: "rcdataescaper"},
	inComment:        {name: "HTMLCmt", isComment: true},
	inURL:            {name: "URL"},
	inSrcset:         {name: "Srcset", escaper: "srcsetescaper"},
	inMeta:           {name: "MetaContent"},
	inMetaURL:        {name: "MetaContentURL", escaper: "urlfilter"},
	inScript:         {name: "JS", escaper: "jsvalescaper"},
	inScriptDouble:   {name: "JSDqStr", isLiteral: true, escaper: "jsstrescaper"},
	inScriptSingle:   {name: "JSSqStr", isLiteral: true, escaper: "jsstrescaper"},
	inLiteral:        {name: "JSTmplLit", isLiteral: true, escaper: "jstmpllitescaper"},
	inRegexp:         {name: "JSRegexp", isLiteral: true, escaper: "jsregexpescaper"},
	inScriptBlock:    {name: "JSBlockCmt", isComment: true},
	inScriptLine:     {name: "JSLineCmt", isComment: true},
	inScriptOpen:     {name: "JSHTMLOpenCmt", isComment: true},
	inScriptClose:    {name: "JSHTMLCloseCmt", isComment: true},
	inStyle:          {name: "CSS", escaper: "cssvaluefilter"},
	inStyleDouble:    {name: "CSSDqStr"},
	inStyleSingle:    {name: "CSSSqStr"},
	inStyleURL:       {name: "CSSURL"},
	inStyleURLDouble: {name: "CSSDqURL"},
	inStyleURLSingle: {name: "CSSSqURL"},
	inStyleBlock:     {name: "CSSBlockCmt", isComment: true},
	inStyleLine:      {name: "CSSLineCmt", isComment: true},
	inError:          {name: "Error"},
	nowhere:          {name: "Dead"},
}

func (s state) String() string { return "state" + states[s].name }

// A quote is what ends the value of an attribute.
type quote uint8

const (
	unquoted quote = iota // it is not in one
	doubleQuote
	singleQuote
	spaceOrTagEnd
)

var quotes = [...]struct{ name, ends string }{
	unquoted:      {name: "None"},
	doubleQuote:   {"DoubleQuote", `"`},
	singleQuote:   {"SingleQuote", "'"},
	spaceOrTagEnd: {"SpaceOrTagEnd", " \t\n\f\r>"},
}

func (q quote) String() string { return "delim" + quotes[q].name }

// A part is which part of a URL it is.
type part uint8

const (
	atURLStart part = iota
	beforeQuery
	inQuery // or in a fragment
	somePart
)

func (p part) String() string {
	return "urlPart" + [...]string{"None", "PreQuery", "QueryOrFrag", "Unknown"}[p]
}

// A slash is what a slash would be in a script.
type slash uint8

const (
	beginsRegexp slash = iota
	divides
	unclear
)

func (s slash) String() string { return "jsCtx" + [...]string{"Regexp", "DivOp", "Unknown"}[s] }

// An element is one whose text or attributes are not as elsewhere.
type element uint8

const (
	noElement element = iota
	scriptElement
	styleElement
	textareaElement
	titleElement
	metaElement
)

// elements has the elements' names, and what their text is. The text of an element without a tag of
// its own in the page ends with its tag.
var elements = [...]struct {
	name string
	tag  string // in the page
	text state
}{
	noElement:       {name: "None"},
	scriptElement:   {"Script", "script", inScript},
	styleElement:    {"Style", "style", inStyle},
	textareaElement: {"Textarea", "textarea", inRCDATA},
	titleElement:    {"Title", "title", inRCDATA},
	metaElement:     {name: "Meta", tag: "meta"},
}

func (e element) String() string { return "element" + elements[e].name }

// A meaning is what an attribute's value is.
type meaning uint8

const (
	noMeaning meaning = iota
	isScript
	isScriptType
	isStyle
	isURL
	isSrcset
	isMeta
)

var meanings = [...]struct {
	name  string
	value state
}{
	noMeaning:    {"None", inValue},
	isScript:     {"Script", inScript},
	isScriptType: {"ScriptType", inValue},
	isStyle:      {"Style", inStyle},
	isURL:        {"URL", inURL},
	isSrcset:     {"Srcset", inSrcset},
	isMeta:       {"MetaContent", inMeta},
}

func (m meaning) String() string { return "attr" + meanings[m].name }

// Error is what keeps a template from being escaped.
type Error struct {
	ErrorCode   ErrorCode
	Node        parse.Node // where it is, if that is known
	Name        string     // of the template
	Line        int        // 0 if it is not known
	Description string
}

// ErrorCode is a kind of error.
type ErrorCode int

const (
	OK                   ErrorCode = iota
	ErrAmbigContext                // a value in a URL may be in one part of it or in another
	ErrBadHTML                     // a tag is not one
	ErrBranchEnd                   // branches end in different places
	ErrEndContext                  // a template ends within something
	ErrNoSuchTemplate              // a template is used that is not there
	ErrOutputContext               // a template that calls itself ends who knows where
	ErrPartialCharset              // a set in a regular expression has no end
	ErrPartialEscape               // a text ends with half an escape
	ErrRangeLoopReentry            // a loop ends in another place than it begins in
	ErrSlashAmbig                  // a slash may divide, or begin a regular expression
	ErrPredefinedEscaper           // html or urlquery is not the last command
	ErrJSTemplate                  // not in use
)

func (e *Error) Error() string {
	const by = "html/template:"
	if e.Node != nil {
		where, _ := new(parse.Tree).ErrorContext(e.Node)
		return by + where + ": " + e.Description
	}
	where := e.Name
	if e.Line != 0 {
		where += ":" + strconv.Itoa(e.Line)
	}
	if where != "" {
		where += ":"
	}
	return by + where + " " + e.Description
}
