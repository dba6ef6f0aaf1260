// How text moves a context: what browsers do with tags, attributes, scripts and style sheets.
//
// For most states there are rules: marks in the text, and the states that they lead to. The table
// grammars has them; scan goes from mark to mark. A few states, those of tags above all, read their
// text by functions of their own.

package template

import (
	"bytes"
	"html"
	"strings"
	"sync"
	"unicode/utf8"
)

// A rule is for a mark in a text.
type rule struct {
	mark  string
	to    state // of the text behind it
	stays bool  // the mark is the first of that text
	// If there is more to it, does returns the context behind the mark, and where that is. The text
	// begins at 0.
	does func(c context, s []byte, at int) (context, int)
}

// A grammar is how the text of a state is read.
type grammar struct {
	starts string // what the marks of the rules begin with
	rules  []rule // the first one that fits at a place counts
	// passes is how text without marks, if it is followed by one, and over, if it is not, changes a
	// context.
	passes, over func(c context, text []byte) context
	reads        func(c context, s []byte) (context, int) // in place of rules
}

var grammars = [...]grammar{
	inText:        {reads: readText},
	inTag:         {reads: readTag},
	inAttrName:    {reads: readAttrName},
	afterAttrName: {reads: readEquals},
	beforeValue:   {reads: readQuote},
	inRCDATA:      {reads: readElement},
	inRegexp:      {reads: readRegexp},
	inMeta:        {reads: readMeta},
	inURL:         {over: inPart},
	inSrcset:      {over: inPart},
	inMetaURL:     {starts: ";", rules: []rule{{mark: ";", to: inMeta}}},
	inComment:     {starts: "-", rules: []rule{{mark: "-->", does: endsComment}}},
	inScriptBlock: {starts: "*", rules: []rule{{mark: "*/", to: inScript}}},
	inStyleBlock:  {starts: "*", rules: []rule{{mark: "*/", to: inStyle}}},
	inScriptLine:  {starts: scriptLineEnds, rules: scriptLineRules},
	inScriptOpen:  {starts: scriptLineEnds, rules: scriptLineRules},
	inScriptClose: {starts: scriptLineEnds, rules: scriptLineRules},
	inStyleLine: {starts: "\n\f\r", rules: []rule{
		{mark: "\n", to: inStyle, stays: true}, {mark: "\f", to: inStyle, stays: true},
		{mark: "\r", to: inStyle, stays: true},
	}},
	inScript: {
		starts: "\"'`/{}<-#",
		rules: []rule{
			{mark: `"`, does: opensDouble}, {mark: "'", does: opensSingle},
			{mark: "`", does: opensLiteral},
			{mark: "//", to: inScriptLine}, {mark: "/*", to: inScriptBlock},
			{mark: "/", does: slashes},
			{mark: "<!--", to: inScriptOpen}, {mark: "<", to: inScript},
			{mark: "-->", to: inScriptClose}, {mark: "-", to: inScript},
			{mark: "#!", to: inScriptLine}, {mark: "#", does: privateName},
			{mark: "{", does: opensBrace}, {mark: "}", does: closesBrace},
		},
		passes: slashBehind,
		over:   slashBehind,
	},
	inScriptDouble: {starts: `\"`, rules: []rule{
		{mark: `\`, does: escapesScript}, {mark: `"`, does: endsString},
	}},
	inScriptSingle: {starts: `\'`, rules: []rule{
		{mark: `\`, does: escapesScript}, {mark: "'", does: endsString},
	}},
	inLiteral: {starts: "\\$`", rules: []rule{
		{mark: `\`, does: escapesScript}, {mark: "${", does: entersScript},
		{mark: "`", to: inScript},
	}},
	inStyle: {starts: `("'/`, rules: []rule{
		{mark: `"`, to: inStyleDouble}, {mark: "'", to: inStyleSingle},
		{mark: "//", to: inStyleLine}, {mark: "/*", to: inStyleBlock}, {mark: "(", does: opensURL},
	}},
	inStyleDouble:    {starts: `\"`, rules: styleDoubleRules, over: inStylePart},
	inStyleURLDouble: {starts: `\"`, rules: styleDoubleRules, over: inStylePart},
	inStyleSingle:    {starts: `\'`, rules: styleSingleRules, over: inStylePart},
	inStyleURLSingle: {starts: `\'`, rules: styleSingleRules, over: inStylePart},
	inStyleURL: {starts: "\\\t\n\f\r )", over: inStylePart, rules: []rule{
		{mark: `\`, does: escapesStyle}, {mark: "", does: endsStyle},
	}},
	nowhere: {},
}

const scriptLineEnds = "\n\r\u2028\u2029"

var (
	scriptLineRules = []rule{
		{mark: "\n", to: inScript, stays: true}, {mark: "\r", to: inScript, stays: true},
		{mark: "\u2028", to: inScript, stays: true}, {mark: "\u2029", to: inScript, stays: true},
	}
	styleDoubleRules = []rule{{mark: `\`, does: escapesStyle}, {mark: `"`, to: inStyle}}
	styleSingleRules = []rule{{mark: `\`, does: escapesStyle}, {mark: "'", to: inStyle}}
)

// scan reads s, which begins in context c, up to where the state changes, or all of it. It does not
// see where the values of attributes and elements with text of their own end.
func scan(c context, s []byte) (context, int) {
	g := &grammars[c.state]
	if g.reads != nil {
		return g.reads(c, s)
	}
	for from, at := 0, 0; ; {
		next := -1
		if g.starts != "" {
			next = bytes.IndexAny(s[at:], g.starts)
		}
		if next < 0 {
			if g.over != nil {
				c = g.over(c, s[from:])
			}
			return c, len(s)
		}
		at += next
		r := g.ruleFor(s[at:])
		if r == nil {
			at++
			continue
		}
		if g.passes != nil {
			c = g.passes(c, s[from:at])
		}
		before := c.state
		switch {
		case r.does != nil:
			c, at = r.does(c, s, at)
		case r.stays:
			c.state = r.to
		default:
			c.state, at = r.to, at+len(r.mark)
		}
		if c.state != before {
			return c, at
		}
		from = at
	}
}

func (g *grammar) ruleFor(s []byte) *rule {
	for i := range g.rules {
		if mark := g.rules[i].mark; len(mark) <= len(s) && string(s[:len(mark)]) == mark {
			return &g.rules[i]
		}
	}
	return nil
}

// Values and elements:

// advance is as scan, but sees where the values of attributes, and elements, end.
func advance(c context, s []byte) (context, int) {
	if c.quote != unquoted {
		return inAttr(c, s)
	}
	behind, size := readElement(c, s)
	if size > 0 {
		behind, size = scan(c, s[:size])
	}
	return behind, size
}

// inAttr reads the value of an attribute. If the value goes on behind s, the context follows what
// it is, with entities for what they stand for.
func inAttr(c context, s []byte) (context, int) {
	size := bytes.IndexAny(s, quotes[c.quote].ends)
	goesOn := size < 0
	if goesOn {
		size = len(s)
	}
	value := s[:size]
	if c.quote == spaceOrTagEnd {
		if bad := bytes.IndexAny(value, "\"'<=`"); bad >= 0 {
			return wrong(ErrBadHTML, nil, 0, "%q in unquoted attr: %q", value[bad:bad+1], value), len(s)
		}
	}
	if goesOn {
		text := []byte(html.UnescapeString(string(value)))
		for size := 0; len(text) > 0; text = text[size:] {
			c, size = scan(c, text)
		}
		return c, len(s)
	}
	behind := context{state: inTag, element: c.element}
	if c.state == inValue && c.meaning == isScriptType && c.element == scriptElement &&
		!isScriptText(string(value)) {
		behind.element = noElement
	}
	if c.quote != spaceOrTagEnd {
		size++
	}
	return behind, size
}

// readElement reads up to the end tag of an element with text of its own. In literals and comments
// of scripts end tags have been made unrecognizable.
func readElement(c context, s []byte) (context, int) {
	is := states[c.state]
	isHidden := c.element == scriptElement && (is.isLiteral || is.isComment)
	if c.element == noElement || isHidden {
		return c, len(s)
	}
	tag := elements[c.element].tag
	if c.element == metaElement {
		tag = ""
	}
	for at := 0; ; at += 2 {
		next := bytes.Index(s[at:], []byte("</"))
		if next < 0 {
			return c, len(s)
		}
		at += next
		rest := s[at+2:]
		if len(rest) > len(tag) && strings.EqualFold(string(rest[:len(tag)]), tag) &&
			strings.IndexByte("> \t\n\f/", rest[len(tag)]) >= 0 {
			return context{}, at
		}
	}
}

// Text and tags:

func isLetter(b byte) bool { return 'a' <= b|' ' && b|' ' <= 'z' }

func isAlphanumeric(b byte) bool { return isLetter(b) || '0' <= b && b <= '9' }

const spaces = " \t\n\f\r"

func isSpace(b byte) bool { return strings.IndexByte(spaces, b) >= 0 }

// spaceAt is how many spaces there are from a place on.
func spaceAt(s []byte, at int) (n int) { return len(s) - at - len(bytes.TrimLeft(s[at:], spaces)) }

func readText(c context, s []byte) (context, int) {
	for at := 0; ; {
		next := bytes.IndexByte(s[at:], '<')
		if next < 0 {
			return c, len(s)
		}
		at += next
		if bytes.HasPrefix(s[at:], []byte("<!--")) {
			return context{state: inComment}, at + 4
		}
		name, isEnd := bytes.CutPrefix(s[at+1:], []byte("/"))
		at = len(s) - len(name)
		if size, e := tagName(name); size > 0 {
			if isEnd {
				e = noElement
			}
			return context{state: inTag, element: e}, at + size
		}
	}
}

// tagName is how long the name of a tag is, and what element it names.
func tagName(s []byte) (size int, e element) {
	if len(s) == 0 || !isLetter(s[0]) {
		return 0, noElement
	}
	joins := func(b byte) bool { return b == ':' || b == '-' }
	for size = 1; size < len(s); size++ {
		// A colon or hyphen needs to be followed by more.
		isMore := joins(s[size]) && size+1 < len(s) && isAlphanumeric(s[size+1])
		if !isMore && !isAlphanumeric(s[size]) {
			break
		}
	}
	name := strings.ToLower(string(s[:size]))
	for i, known := range elements {
		if known.tag == name {
			e = element(i)
		}
	}
	return size, e
}

func endsComment(_ context, _ []byte, at int) (context, int) { return context{}, at + len("-->") }

// attrName is where the name of an attribute ends.
func attrName(s []byte, begin int) (end int, err *Error) {
	size := bytes.IndexAny(s[begin:], spaces+"=>'\"<")
	if size < 0 {
		return len(s), nil
	}
	end = begin + size
	if bad := s[end : end+1]; strings.Contains("'\"<", string(bad)) {
		err = wrong(ErrBadHTML, nil, 0, "%q in attribute name: %.32q", bad, s).err
	}
	return end, err
}

func readTag(c context, s []byte) (context, int) {
	begin := spaceAt(s, 0)
	if begin == len(s) {
		return c, begin
	}
	if s[begin] == '>' {
		if c.element == metaElement {
			c.element = noElement
		}
		return context{state: elements[c.element].text, element: c.element}, begin + 1
	}
	end, err := attrName(s, begin)
	switch {
	case err != nil:
		return context{state: inError, err: err}, len(s)
	case begin == end:
		return wrong(ErrBadHTML, nil, 0,
			"expected space, attr name, or end of tag, but got %q", s[begin:]), len(s)
	}
	behind := context{state: afterAttrName, element: c.element}
	behind.meaning = meaningOf(c.element, strings.ToLower(string(s[begin:end])))
	if end == len(s) {
		behind.state = inAttrName
	}
	return behind, end
}

func readAttrName(c context, s []byte) (context, int) {
	end, err := attrName(s, 0)
	if err != nil {
		return context{state: inError, err: err}, len(s)
	}
	if end < len(s) {
		c.state = afterAttrName
	}
	return c, end
}

func readEquals(c context, s []byte) (context, int) {
	at := spaceAt(s, 0)
	if at == len(s) {
		return c, at
	}
	if c.state = inTag; s[at] == '=' {
		c.state = beforeValue
		at++
	}
	return c, at
}

func readQuote(c context, s []byte) (context, int) {
	at := spaceAt(s, 0)
	if at == len(s) {
		return c, at
	}
	c.state, c.quote = meanings[c.meaning].value, spaceOrTagEnd
	for q := doubleQuote; q < spaceOrTagEnd; q++ {
		if s[at] == quotes[q].ends[0] {
			c.quote = q
			return c, at + 1
		}
	}
	return c, at
}

// readMeta looks for the URL that a page is to be followed by.
func readMeta(c context, s []byte) (context, int) {
	const name = "url"
	for at := 0; at+len(name) < len(s); at++ {
		after := bytes.TrimLeft(s[at+len(name):], spaces)
		isURL := strings.EqualFold(string(s[at:at+len(name)]), name)
		if isURL && bytes.HasPrefix(after, []byte("=")) {
			c.state = inMetaURL
			return c, len(s) - len(after) + 1
		}
	}
	return c, len(s)
}

// inPart is c behind a part of a URL.
func inPart(c context, url []byte) context {
	switch {
	case bytes.ContainsAny(url, "?#"):
		c.part = inQuery
	case c.part == atURLStart && spaceAt(url, 0) < len(url):
		c.part = beforeQuery
	}
	return c
}

// Scripts:

// opens enters a literal.
func opens(c context, to state, at int) (context, int) {
	c.state, c.slash = to, beginsRegexp
	return c, at + 1
}

func opensDouble(c context, _ []byte, at int) (context, int) { return opens(c, inScriptDouble, at) }

func opensSingle(c context, _ []byte, at int) (context, int) { return opens(c, inScriptSingle, at) }

func opensLiteral(c context, _ []byte, at int) (context, int) { return opens(c, inLiteral, at) }

func endsString(c context, _ []byte, at int) (context, int) {
	c.state, c.slash = inScript, divides
	return c, at + 1
}

func slashes(c context, s []byte, at int) (context, int) {
	switch c.slash {
	case beginsRegexp:
		c.state = inRegexp
	case divides:
		c.slash = beginsRegexp
	default:
		return wrong(ErrSlashAmbig, nil, 0,
			"'/' could start a division or regexp: %.32q", s[at:]), len(s)
	}
	return c, at + 1
}

// privateName skips a name of which a class alone knows.
func privateName(c context, s []byte, at int) (context, int) {
	for at++; at < len(s) && isWordByte(s[at]); at++ {
	}
	c.slash = divides
	return c, at
}

func opensBrace(c context, s []byte, at int) (context, int) {
	if c.braces != "" {
		c.braces, _ = c.braces.brace(true)
	}
	return slashBehind(c, s[at:at+1]), at + 1
}

func closesBrace(c context, s []byte, at int) (context, int) {
	if c.braces != "" {
		var ends bool
		if c.braces, ends = c.braces.brace(false); ends {
			c.state = inLiteral
			return c, at + 1
		}
	}
	return slashBehind(c, s[at:at+1]), at + 1
}

// entersScript begins a script in a template literal.
func entersScript(c context, _ []byte, at int) (context, int) {
	c.state, c.slash = inScript, beginsRegexp
	c.braces, c.nested = c.braces.enter(), true
	return c, at + 2
}

func escapesScript(c context, s []byte, at int) (context, int) {
	if at+1 == len(s) {
		return halfEscape("JS", s)
	}
	return c, at + 2
}

func halfEscape(language string, s []byte) (context, int) {
	return wrong(ErrPartialEscape, nil, 0,
		"unfinished escape sequence in %s string: %q", language, s), len(s)
}

// readRegexp reads a regular expression, in whose sets a slash is nothing special. One that would
// end a script's element does not count either.
func readRegexp(c context, s []byte) (context, int) {
	inSet := false
	for at := 0; at < len(s); at++ {
		switch s[at] {
		case '[', ']':
			inSet = s[at] == '['
		case '\\':
			if at++; at == len(s) {
				return halfEscape("JS", s)
			}
		case '/':
			around := s[max(at-1, 0):min(at+7, len(s))]
			if strings.EqualFold(string(around), "</script") {
				at++
			} else if !inSet {
				return endsString(c, s, at)
			}
		}
	}
	if inSet {
		return wrong(ErrPartialCharset, nil, 0, "unfinished JS regexp charset: %q", s), len(s)
	}
	return c, len(s)
}

const scriptSpaces = "\f\n\r\t\v \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007" +
	"\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

// operatorWords are words behind which a value begins.
const operatorWords = " break case continue delete do else finally in instanceof return throw try " +
	"typeof void yield "

func isWordByte(b byte) bool { return isAlphanumeric(b) || b == '_' || b == '$' }

// slashBehind is c behind a part of a script, with what a slash would be there.
func slashBehind(c context, text []byte) context {
	text = bytes.TrimRight(text, scriptSpaces)
	if len(text) == 0 {
		return c
	}
	c.slash = divides
	before, last := text[:len(text)-1], text[len(text)-1]
	isRegexp := false
	switch {
	case last == '.':
		isRegexp = len(before) == 0 || before[len(before)-1] < '0' || '9' < before[len(before)-1]
	case last == '+' || last == '-':
		// Of an odd number of signs the last one is an operator of its own.
		isRegexp = (len(text)-len(bytes.TrimRight(text, string(text[len(before):]))))%2 == 1
	case isWordByte(last):
		begin := bytes.TrimRightFunc(text, func(r rune) bool {
			return r < 0x80 && isWordByte(byte(r))
		})
		isField := bytes.HasSuffix(bytes.TrimRight(begin, scriptSpaces), []byte("."))
		word := string(text[len(begin):])
		isRegexp = !isField && strings.Contains(operatorWords, " "+word+" ")
	default:
		isRegexp = strings.IndexByte("!%&(*,:;<=>?[^{|}~", last) >= 0
	}
	if isRegexp {
		c.slash = beginsRegexp
	}
	return c
}

// scriptTypes are the types of scripts that are read as scripts are, or as what is like them.
var scriptTypes = []string{
	"", "module", "application/json", "application/ld+json",
	"application/javascript", "application/x-javascript", "text/javascript", "text/x-javascript",
	"application/ecmascript", "application/x-ecmascript", "text/ecmascript", "text/x-ecmascript",
	"text/javascript1.0", "text/javascript1.1", "text/javascript1.2", "text/javascript1.3",
	"text/javascript1.4", "text/javascript1.5", "text/jscript", "text/livescript",
}

func isScriptText(mime string) bool {
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	mime = strings.TrimSpace(mime)
	for _, known := range scriptTypes {
		if mime == known {
			return true
		}
	}
	return false
}

// Style sheets:

// opensURL is for a parenthesis: it may be that of a url.
func opensURL(c context, s []byte, at int) (context, int) {
	if !endsWithWord(bytes.TrimRight(s[:at], spaces), "url") {
		return c, at + 1
	}
	at++
	at += spaceAt(s, at)
	c.state = inStyleURL
	if rest := string(s[at:]); strings.HasPrefix(rest, `"`) {
		c.state = inStyleURLDouble
	} else if strings.HasPrefix(rest, "'") {
		c.state = inStyleURLSingle
	}
	if c.state != inStyleURL {
		at++
	}
	return c, at
}

// endsWithWord says whether s ends with a word of a style sheet.
func endsWithWord(s []byte, word string) bool {
	begin := len(s) - len(word)
	if begin < 0 || !strings.EqualFold(string(s[begin:]), word) {
		return false
	}
	before, _ := utf8.DecodeLastRune(s[:begin])
	return begin == 0 || !isStyleName(before)
}

// escapesStyle reads an escape. What a URL's part is, all of the text up to there decides.
func escapesStyle(c context, s []byte, at int) (context, int) {
	if at += 2; at > len(s) {
		return halfEscape("CSS", s)
	}
	return inStylePart(c, s[:at]), at
}

func endsStyle(c context, _ []byte, at int) (context, int) {
	c.state = inStyle
	return c, at + 1
}

// inStylePart is c behind a part of a URL in a style sheet.
func inStylePart(c context, text []byte) context { return inPart(c, unescapeStyle(text)) }

// Attributes:

// attrTypes has the types of attributes that are known; others are known by parts of their names.
var attrTypes = sync.OnceValue(func() map[string]contentType {
	types := make(map[string]contentType, 130)
	for t, names := range map[contentType]string{
		typePlain: "accept alt autocomplete autofocus autoplay border checked class cols colspan " +
			"contenteditable contextmenu controls coords datetime default dir dirname disabled " +
			"draggable dropzone for formtarget headers height hidden high hreflang id ismap kind " +
			"label lang list loop low max maxlength media mediagroup min multiple name open " +
			"optimum placeholder preload pubdate radiogroup readonly required reversed rows " +
			"rowspan spellcheck scope scoped seamless selected shape size sizes span srclang " +
			"start step tabindex target title width wrap",
		typeUnsafe: "accept-charset async challenge charset content crossorigin defer enctype " +
			"form formenctype formmethod formnovalidate http-equiv keytype language method " +
			"novalidate pattern rel sandbox type value",
		typeURL: "action archive background cite classid codebase data formaction href icon " +
			"longdesc manifest poster profile src usemap xmlns",
		typeHTML:   "srcdoc",
		typeSrcset: "srcset",
		typeCSS:    "style",
	} {
		for name := range strings.FieldsSeq(names) {
			types[name] = t
		}
	}
	return types
})

// attrType is what the value of an attribute is.
func attrType(name string) contentType {
	space, local, hasSpace := strings.Cut(name, ":")
	own, isOwn := strings.CutPrefix(name, "data-")
	switch {
	case isOwn:
		name = own
	case hasSpace && space == "xmlns":
		return typeURL
	case hasSpace:
		name = local
	}
	t, isKnown := attrTypes()[name]
	if isKnown {
		return t
	}
	if strings.HasPrefix(name, "on") {
		return typeJS
	}
	for _, hint := range [...]string{"src", "uri", "url"} {
		if strings.Contains(name, hint) {
			return typeURL
		}
	}
	return typePlain
}

// meaningOf is what an attribute means in the tag of an element.
func meaningOf(e element, name string) meaning {
	switch {
	case e == scriptElement && name == "type":
		return isScriptType
	case e == metaElement && name == "content":
		return isMeta
	}
	return map[contentType]meaning{
		typeURL: isURL, typeCSS: isStyle, typeJS: isScript, typeSrcset: isSrcset,
	}[attrType(name)]
}
