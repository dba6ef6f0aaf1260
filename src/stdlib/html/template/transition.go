package template

import (
	"bytes"
	"regexp"
	"strings"
)

// next reads a part of s, which begins in context c, and gives the context behind it and its
// length. It does not see where attribute values and elements with text of their own end.
func next(c context, s []byte) (context, int) {
	switch c.state {
	case stateText:
		return inText(c, s)
	case stateTag:
		return inTag(c, s)
	case stateAttrName:
		i, err := attrNameEnd(s, 0)
		if err != nil {
			return context{state: stateError, err: err}, len(s)
		}
		if i != len(s) {
			c.state = stateAfterName
		}
		return c, i
	case stateAfterName:
		i := skipSpace(s, 0)
		switch {
		case i == len(s):
		case s[i] == '=':
			c.state = stateBeforeValue
			i++
		default:
			c.state = stateTag
		}
		return c, i
	case stateBeforeValue:
		i := skipSpace(s, 0)
		if i == len(s) {
			return c, i
		}
		c.delim = delimSpaceOrTagEnd
		switch s[i] {
		case '\'':
			c.delim = delimSingleQuote
			i++
		case '"':
			c.delim = delimDoubleQuote
			i++
		}
		c.state = attrStates[c.attr]
		return c, i
	case stateHTMLCmt:
		if i := bytes.Index(s, commentEnd); i >= 0 {
			return context{}, i + 3
		}
	case stateRCDATA:
		return toElementEnd(c, s)
	case stateURL, stateSrcset:
		return inURL(c, s), len(s)
	case stateMetaContent:
		for i := range s {
			if i+3 < len(s) && bytes.EqualFold(s[i:i+3], []byte("url")) {
				if j := skipSpace(s, i+3); j < len(s) && s[j] == '=' {
					c.state = stateMetaContentURL
					return c, j + 1
				}
			}
		}
	case stateMetaContentURL:
		if i := bytes.IndexByte(s, ';'); i >= 0 {
			c.state = stateMetaContent
			return c, i + 1
		}
	case stateJS:
		return inJS(c, s)
	case stateJSDqStr, stateJSSqStr, stateJSRegexp:
		return inJSQuotes(c, s)
	case stateJSTmplLit:
		return inJSTemplate(c, s)
	case stateJSBlockCmt, stateCSSBlockCmt:
		if i := bytes.Index(s, []byte("*/")); i >= 0 {
			c.state = map[state]state{stateJSBlockCmt: stateJS, stateCSSBlockCmt: stateCSS}[c.state]
			return c, i + 2
		}
	case stateJSLineCmt, stateJSHTMLOpenCmt, stateJSHTMLCloseCmt:
		if i := bytes.IndexAny(s, "\n\r\u2028\u2029"); i >= 0 {
			c.state = stateJS
			return c, i
		}
	case stateCSSLineCmt:
		if i := bytes.IndexAny(s, "\n\f\r"); i >= 0 {
			c.state = stateCSS
			return c, i
		}
	case stateCSS:
		return inCSS(c, s)
	case stateCSSDqStr, stateCSSSqStr, stateCSSDqURL, stateCSSSqURL, stateCSSURL:
		return inCSSQuotes(c, s)
	}
	return c, len(s)
}

var (
	commentStart = []byte("<!--")
	commentEnd   = []byte("-->")
)

func inText(c context, s []byte) (context, int) {
	for k := 0; ; {
		i := bytes.IndexByte(s[k:], '<')
		if i += k; i < k || i+1 == len(s) {
			return c, len(s)
		}
		if bytes.HasPrefix(s[i:], commentStart) {
			return context{state: stateHTMLCmt}, i + 4
		}
		i++
		closes := s[i] == '/'
		if closes {
			if i++; i == len(s) {
				return c, len(s)
			}
		}
		j, e := tagName(s, i)
		if j != i {
			if closes {
				e = elementNone
			}
			return context{state: stateTag, element: e}, j
		}
		k = j
	}
}

// Elements whose text is not as elsewhere, and what it is.
var (
	elements = map[string]element{
		"script": elementScript, "style": elementStyle, "textarea": elementTextarea,
		"title": elementTitle, "meta": elementMeta,
	}
	elementNames  = [...]string{"", "script", "style", "textarea", "title", ""}
	elementStates = [...]state{
		stateText, stateJS, stateCSS, stateRCDATA, stateRCDATA, stateText,
	}
	attrStates = [...]state{
		stateAttr, stateJS, stateAttr, stateCSS, stateURL, stateSrcset, stateMetaContent,
	}
)

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isAlnum(c byte) bool  { return isLetter(c) || '0' <= c && c <= '9' }

// tagName is where a tag's name ends, and what it names.
func tagName(s []byte, i int) (int, element) {
	if i == len(s) || !isLetter(s[i]) {
		return i, elementNone
	}
	j := i + 1
	for j < len(s) {
		if isAlnum(s[j]) {
			j++
		} else if (s[j] == ':' || s[j] == '-') && j+1 < len(s) && isAlnum(s[j+1]) {
			j += 2
		} else {
			break
		}
	}
	return j, elements[strings.ToLower(string(s[i:j]))]
}

func skipSpace(s []byte, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'
}

func attrNameEnd(s []byte, i int) (int, *Error) {
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case isSpace(c), c == '=', c == '>':
			return i, nil
		case c == '\'', c == '"', c == '<':
			return -1, errorf(ErrBadHTML, nil, 0, "%q in attribute name: %.32q", s[i:i+1], s)
		}
	}
	return len(s), nil
}

func inTag(c context, s []byte) (context, int) {
	i := skipSpace(s, 0)
	if i == len(s) {
		return c, i
	}
	if s[i] == '>' {
		e := c.element
		if e == elementMeta {
			e = elementNone
		}
		return context{state: elementStates[e], element: e}, i + 1
	}
	j, err := attrNameEnd(s, i)
	if err != nil {
		return context{state: stateError, err: err}, len(s)
	}
	if i == j {
		return failed(ErrBadHTML, nil, 0,
			"expected space, attr name, or end of tag, but got %q", s[i:]), len(s)
	}
	name := strings.ToLower(string(s[i:j]))
	out := context{state: stateAfterName, element: c.element}
	switch {
	case c.element == elementScript && name == "type":
		out.attr = attrScriptType
	case c.element == elementMeta && name == "content":
		out.attr = attrMetaContent
	default:
		switch attrType(name) {
		case typeURL:
			out.attr = attrURL
		case typeCSS:
			out.attr = attrStyle
		case typeJS:
			out.attr = attrScript
		case typeSrcset:
			out.attr = attrSrcset
		}
	}
	if j == len(s) {
		out.state = stateAttrName
	}
	return out, j
}

// toElementEnd reads up to the end tag of an element with text of its own.
func toElementEnd(c context, s []byte) (context, int) {
	inScript := c.element == elementScript && (isInScriptLiteral(c.state) || isComment(c.state))
	if c.element == elementNone || inScript {
		return c, len(s)
	}
	name := []byte(elementNames[c.element])
	for at := 0; ; {
		i := bytes.Index(s[at:], []byte("</"))
		if i < 0 {
			return c, len(s)
		}
		begin := at + i
		at = begin + 2
		if len(s)-at >= len(name) && bytes.EqualFold(s[at:at+len(name)], name) {
			at += len(name)
			if at < len(s) && bytes.IndexByte([]byte("> \t\n\f/"), s[at]) >= 0 {
				return context{}, begin
			}
		}
	}
}

// inURL is c behind a part of a URL.
func inURL(c context, s []byte) context {
	if bytes.ContainsAny(s, "#?") {
		c.urlPart = urlPartQueryOrFrag
	} else if c.urlPart == urlPartNone && skipSpace(s, 0) != len(s) {
		c.urlPart = urlPartPreQuery
	}
	return c
}

func inJS(c context, s []byte) (context, int) {
	i := bytes.IndexAny(s, "\"`'/{}<-#")
	if i < 0 {
		c.jsCtx = jsCtxBehind(s, c.jsCtx)
		return c, len(s)
	}
	c.jsCtx = jsCtxBehind(s[:i], c.jsCtx)
	rest := s[i:]
	quote := func(to state) (context, int) {
		c.state, c.jsCtx = to, jsCtxRegexp
		return c, i + 1
	}
	switch s[i] {
	case '"':
		return quote(stateJSDqStr)
	case '\'':
		return quote(stateJSSqStr)
	case '`':
		return quote(stateJSTmplLit)
	case '/':
		switch {
		case bytes.HasPrefix(rest, []byte("//")):
			c.state = stateJSLineCmt
			return c, i + 2
		case bytes.HasPrefix(rest, []byte("/*")):
			c.state = stateJSBlockCmt
			return c, i + 2
		case c.jsCtx == jsCtxRegexp:
			c.state = stateJSRegexp
		case c.jsCtx == jsCtxDivOp:
			c.jsCtx = jsCtxRegexp
		default:
			return failed(ErrSlashAmbig, nil, 0,
				"'/' could start a division or regexp: %.32q", rest), len(s)
		}
	case '<':
		if bytes.HasPrefix(rest, commentStart) {
			c.state = stateJSHTMLOpenCmt
			return c, i + 4
		}
	case '-':
		if bytes.HasPrefix(rest, commentEnd) {
			c.state = stateJSHTMLCloseCmt
			return c, i + 3
		}
	case '#':
		if bytes.HasPrefix(rest, []byte("#!")) {
			c.state = stateJSLineCmt
			return c, i + 2
		}
		// A private name, in the middle of an expression.
		for i+1 < len(s) && isJSIdent(s[i+1]) {
			i++
		}
		c.jsCtx = jsCtxDivOp
	case '{', '}':
		n := len(c.braces) - 1
		if n >= 0 && s[i] == '{' {
			c.braces[n]++
		} else if n >= 0 {
			if c.braces[n]--; c.braces[n] < 0 {
				c.braces = c.braces[:n]
				c.state = stateJSTmplLit
				return c, i + 1
			}
		}
		c.jsCtx = jsCtxBehind(s[i:i+1], c.jsCtx)
	}
	return c, i + 1
}

func unfinished(language string, s []byte) (context, int) {
	return failed(ErrPartialEscape, nil, 0,
		"unfinished escape sequence in %s string: %q", language, s), len(s)
}

func inJSTemplate(c context, s []byte) (context, int) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i++; i == len(s) {
				return unfinished("JS", s)
			}
		case '$':
			if i+1 < len(s) && s[i+1] == '{' {
				c.braces = append(c.braces, 0)
				c.state, c.jsCtx = stateJS, jsCtxRegexp
				return c, i + 2
			}
		case '`':
			c.state = stateJS
			return c, i + 1
		}
	}
	return c, len(s)
}

func inJSQuotes(c context, s []byte) (context, int) {
	quote := map[state]byte{
		stateJSDqStr: '"', stateJSSqStr: '\'', stateJSRegexp: '/',
	}[c.state]
	inSet := false
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '\\':
			if i++; i == len(s) {
				return unfinished("JS", s)
			}
		case quote == '/' && b == '[':
			inSet = true
		case quote == '/' && b == ']':
			inSet = false
		case b != quote:
		case quote == '/' && i > 0 && i+7 <= len(s) &&
			bytes.EqualFold(s[i-1:i+7], []byte("</script")):
			i++
		case !inSet:
			c.state, c.jsCtx = stateJS, jsCtxDivOp
			return c, i + 1
		}
	}
	if inSet {
		return failed(ErrPartialCharset, nil, 0, "unfinished JS regexp charset: %q", s), len(s)
	}
	return c, len(s)
}

const cssSpace = "\t\n\f\r "

func inCSS(c context, s []byte) (context, int) {
	for k := 0; ; {
		i := bytes.IndexAny(s[k:], `("'/`)
		if i += k; i < k {
			return c, len(s)
		}
		k = i + 1
		switch s[i] {
		case '"':
			c.state = stateCSSDqStr
			return c, k
		case '\'':
			c.state = stateCSSSqStr
			return c, k
		case '/':
			if k < len(s) && s[k] == '/' {
				c.state = stateCSSLineCmt
				return c, k + 1
			}
			if k < len(s) && s[k] == '*' {
				c.state = stateCSSBlockCmt
				return c, k + 1
			}
		case '(':
			if !endsWithCSSKeyword(bytes.TrimRight(s[:i], cssSpace), "url") {
				continue
			}
			j := skipSpace(s, k)
			switch {
			case j < len(s) && s[j] == '"':
				c.state = stateCSSDqURL
				j++
			case j < len(s) && s[j] == '\'':
				c.state = stateCSSSqURL
				j++
			default:
				c.state = stateCSSURL
			}
			return c, j
		}
	}
}

func inCSSQuotes(c context, s []byte) (context, int) {
	special := "\\" + cssSpace + ")"
	switch c.state {
	case stateCSSDqStr, stateCSSDqURL:
		special = `\"`
	case stateCSSSqStr, stateCSSSqURL:
		special = `\'`
	}
	for k := 0; ; {
		i := bytes.IndexAny(s[k:], special)
		if i += k; i < k {
			return inURL(c, decodeCSS(s[k:])), len(s)
		}
		if s[i] != '\\' {
			c.state = stateCSS
			return c, i + 1
		}
		if i++; i == len(s) {
			return unfinished("CSS", s)
		}
		c = inURL(c, decodeCSS(s[:i+1]))
		k = i + 1
	}
}

// What ends the values of attributes.
var delimEnds = [...]string{
	delimDoubleQuote: `"`, delimSingleQuote: "'", delimSpaceOrTagEnd: " \t\n\f\r>",
}

// Attributes by what their values are; those that are not here are plain.
var attrTypes = func() map[string]contentType {
	m := make(map[string]contentType)
	add := func(t contentType, names string) {
		for name := range strings.FieldsSeq(names) {
			m[name] = t
		}
	}
	add(typePlain, "accept alt autocomplete autofocus autoplay border checked class cols colspan "+
		"contenteditable contextmenu controls coords datetime default dir dirname disabled "+
		"draggable dropzone for formtarget headers height hidden high hreflang id ismap kind "+
		"label lang list loop low max maxlength media mediagroup min multiple name open optimum "+
		"placeholder preload pubdate radiogroup readonly required reversed rows rowspan "+
		"spellcheck scope scoped seamless selected shape size sizes span srclang start step "+
		"tabindex target title width wrap")
	add(typeUnsafe, "accept-charset async challenge charset content crossorigin defer enctype "+
		"form formenctype formmethod formnovalidate http-equiv keytype language method "+
		"novalidate pattern rel sandbox type value")
	add(typeURL, "action archive background cite classid codebase data formaction href icon "+
		"longdesc manifest poster profile src usemap xmlns")
	add(typeHTML, "srcdoc")
	add(typeSrcset, "srcset")
	add(typeCSS, "style")
	return m
}()

func attrType(name string) contentType {
	if own, ok := strings.CutPrefix(name, "data-"); ok {
		name = own
	} else if space, own, ok := strings.Cut(name, ":"); ok {
		if space == "xmlns" {
			return typeURL
		}
		name = own
	}
	if t, ok := attrTypes[name]; ok {
		return t
	}
	switch {
	case strings.HasPrefix(name, "on"):
		return typeJS
	case strings.Contains(name, "src"), strings.Contains(name, "uri"),
		strings.Contains(name, "url"):
		return typeURL
	}
	return typePlain
}

const jsSpace = "\f\n\r\t\v \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008" +
	"\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

// Words behind which an expression begins.
var beforeExpression = regexp.MustCompile(`^(break|case|continue|delete|do|else|finally|in|` +
	`instanceof|return|throw|try|typeof|void|yield)$`)

// jsCtxBehind is what a slash behind s would be, before which it was c.
func jsCtxBehind(s []byte, c jsCtx) jsCtx {
	s = bytes.TrimRight(s, jsSpace)
	n := len(s)
	if n == 0 {
		return c
	}
	last := s[n-1]
	switch {
	case last == '+' || last == '-':
		// Of an odd number of signs the last one is an operator of its own.
		if (n-len(bytes.TrimRight(s, string(rune(last)))))%2 == 1 {
			return jsCtxRegexp
		}
		return jsCtxDivOp
	case last == '.':
		if n > 1 && '0' <= s[n-2] && s[n-2] <= '9' {
			return jsCtxDivOp
		}
		return jsCtxRegexp
	case strings.IndexByte(",<>=*%&|^?!~([:;{}", last) >= 0:
		return jsCtxRegexp
	}
	j := n
	for j > 0 && isJSIdent(s[j-1]) {
		j--
	}
	isField := bytes.HasSuffix(bytes.TrimRight(s[:j], jsSpace), []byte("."))
	if beforeExpression.Match(s[j:]) && !isField {
		return jsCtxRegexp
	}
	return jsCtxDivOp
}

func isJSIdent(c byte) bool { return isAlnum(c) || c == '$' || c == '_' }

var jsTypes = regexp.MustCompile(`^(|module|(application|text)/(x-)?(ecma|java)script|` +
	`application/(ld\+)?json|text/javascript1\.[0-5]|text/(j|live)script)$`)

// isJSType says whether scripts of that type are in JavaScript, or like it.
func isJSType(t string) bool {
	t, _, _ = strings.Cut(t, ";")
	return jsTypes.MatchString(strings.TrimSpace(strings.ToLower(t)))
}
