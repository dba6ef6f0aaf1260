package template

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Text that is known to be safe in its place.
type (
	CSS      string
	HTML     string
	HTMLAttr string
	JS       string
	JSStr    string
	URL      string
	Srcset   string
)

// What a text, or the value of an attribute, is.
type contentType uint8

const (
	typePlain contentType = iota
	typeCSS
	typeHTML
	typeHTMLAttr
	typeJS
	typeJSStr
	typeURL
	typeSrcset
	typeUnsafe // an attribute that decides what others mean
)

// failsafe stands for a value that must not be where it is used.
const failsafe = "ZgotmplZ"

var (
	errorType    = reflect.TypeFor[error]()
	stringerType = reflect.TypeFor[fmt.Stringer]()
	jsonType     = reflect.TypeFor[json.Marshaler]()
)

// indirect follows pointers up to a value of one of the types, or to what is no pointer.
func indirect(a any, types ...reflect.Type) any {
	if a == nil {
		return nil
	}
	v := reflect.ValueOf(a)
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		for _, t := range types {
			if v.Type().Implements(t) {
				return v.Interface()
			}
		}
		v = v.Elem()
	}
	return v.Interface()
}

// stringify is the arguments as text, and what it is.
func stringify(args ...any) (string, contentType) {
	if len(args) == 1 {
		switch s := indirect(args[0]).(type) {
		case string:
			return s, typePlain
		case CSS:
			return string(s), typeCSS
		case HTML:
			return string(s), typeHTML
		case HTMLAttr:
			return string(s), typeHTMLAttr
		case JS:
			return string(s), typeJS
		case JSStr:
			return string(s), typeJSStr
		case URL:
			return string(s), typeURL
		case Srcset:
			return string(s), typeSrcset
		}
	}
	n := 0
	for _, arg := range args {
		if arg != nil {
			args[n] = indirect(arg, stringerType, errorType)
			n++
		}
	}
	return fmt.Sprint(args[:n]...), typePlain
}

func evalArgs(args ...any) string {
	if len(args) == 1 {
		if s, ok := args[0].(string); ok {
			return s
		}
	}
	for i, arg := range args {
		args[i] = indirect(arg, stringerType, errorType)
	}
	return fmt.Sprint(args...)
}

// A table is what is written for characters.
type table map[rune]string

// with is t and, of each pair, the second for the first.
func (t table) with(pairs ...string) table {
	c := make(table, len(t)+len(pairs)/2)
	for r, s := range t {
		c[r] = s
	}
	for i := 0; i < len(pairs); i += 2 {
		r, _ := utf8.DecodeRuneInString(pairs[i])
		c[r] = pairs[i+1]
	}
	return c
}

func (t table) without(set string) table {
	c := t.with()
	for _, r := range set {
		delete(c, r)
	}
	return c
}

func (t table) replace(s string) string {
	var b strings.Builder
	written := 0
	for i, r := range s {
		if text, ok := t[r]; ok {
			b.WriteString(s[written:i] + text)
			_, n := utf8.DecodeRuneInString(s[i:])
			written = i + n
		}
	}
	if written == 0 {
		return s
	}
	b.WriteString(s[written:])
	return b.String()
}

// HTML:

var (
	htmlTable = table{}.with("\x00", "\ufffd", `"`, "&#34;", "&", "&amp;", "'", "&#39;",
		"+", "&#43;", "<", "&lt;", ">", "&gt;")
	htmlNormTable = htmlTable.without("&")
	// In values without quotes.
	bareTable = htmlTable.with("\x00", "&#xfffd;", "\t", "&#9;", "\n", "&#10;", "\v", "&#11;",
		"\f", "&#12;", "\r", "&#13;", " ", "&#32;", "=", "&#61;", "`", "&#96;").withBadRunes()
	bareNormTable = bareTable.without("&")
)

// withBadRunes is t with what is no character as a number.
func (t table) withBadRunes() table {
	for r := rune(0xfdd0); r <= 0xffff; r++ {
		if r <= 0xfdef || r >= 0xfff0 {
			t[r] = fmt.Sprintf("&#x%x;", r)
		}
	}
	return t
}

func htmlNospaceEscaper(args ...any) string {
	switch s, t := stringify(args...); {
	case s == "":
		return failsafe
	case t == typeHTML:
		return bareNormTable.replace(stripTags(s))
	default:
		return bareTable.replace(s)
	}
}

func attrEscaper(args ...any) string {
	s, t := stringify(args...)
	if t == typeHTML {
		return htmlNormTable.replace(stripTags(s))
	}
	return htmlTable.replace(s)
}

func rcdataEscaper(args ...any) string {
	s, t := stringify(args...)
	if t == typeHTML {
		return htmlNormTable.replace(s)
	}
	return htmlTable.replace(s)
}

func htmlEscaper(args ...any) string {
	s, t := stringify(args...)
	if t == typeHTML {
		return s
	}
	return htmlTable.replace(s)
}

func commentEscaper(args ...any) string { return "" }

func htmlNameFilter(args ...any) string {
	s, t := stringify(args...)
	if t == typeHTMLAttr {
		return s
	}
	s = strings.ToLower(s)
	if s == "" || attrType(s) != typePlain {
		return failsafe
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return failsafe
		}
	}
	return s
}

// lastTag is where the last < in s[from:to] is, or to.
func lastTag(s []byte, from, to int) int {
	if i := bytes.LastIndexByte(s[from:to], '<'); i >= 0 {
		return from + i
	}
	return to
}

// stripTags is the text of a piece of HTML.
func stripTags(html string) string {
	var b strings.Builder
	s, c, allText := []byte(html), context{}, true
	i := 0
	for i < len(s) {
		if c.delim != delimNone {
			n := bytes.IndexAny(s[i:], delimEnds[c.delim])
			if n < 0 {
				break
			}
			if i += n; c.delim != delimSpaceOrTagEnd {
				i++
			}
			c = context{state: stateTag, element: c.element}
			continue
		}
		as := c
		if c.element != elementNone && !isInTag(c.state) {
			as.state = stateRCDATA
		}
		d, n := next(as, s[i:])
		d.state = map[bool]state{true: c.state, false: d.state}[d.state == as.state]
		end := i + n
		if c.state == stateText || c.state == stateRCDATA {
			text := end
			if d.state != c.state {
				text = lastTag(s, i, end)
			}
			b.Write(s[i:text])
		} else {
			allText = false
		}
		c, i = d, end
	}
	if allText {
		return html
	}
	if c.state == stateText || c.state == stateRCDATA {
		b.Write(s[i:])
	}
	return b.String()
}

// Scripts:

var (
	jsStrNormTable = func() table {
		t := table{}
		for r := rune(0); r < ' '; r++ {
			t[r] = fmt.Sprintf(`\u%04x`, r)
		}
		return t.with("\t", `\t`, "\n", `\n`, "\f", `\f`, "\r", `\r`, `"`, `\u0022`,
			"&", `\u0026`, "'", `\u0027`, "`", `\u0060`, "+", `\u002b`, "/", `\/`,
			"<", `\u003c`, ">", `\u003e`, "\u2028", `\u2028`, "\u2029", `\u2029`)
	}()
	jsStrTable     = jsStrNormTable.with(`\`, `\\`)
	jsTmplLitTable = jsStrTable.with("$", `\u0024`, "{", `\u007b`, "}", `\u007d`)
	jsRegexpTable  = jsStrTable.without("`").with("$", `\$`, "(", `\(`, ")", `\)`, "*", `\*`,
		"-", `\-`, ".", `\.`, "?", `\?`, "[", `\[`, "]", `\]`, "^", `\^`, "{", `\{`, "|", `\|`,
		"}", `\}`)
)

func jsStrEscaper(args ...any) string {
	s, t := stringify(args...)
	if t == typeJSStr {
		return jsStrNormTable.replace(s)
	}
	return jsStrTable.replace(s)
}

func jsTmplLitEscaper(args ...any) string {
	s, _ := stringify(args...)
	return jsTmplLitTable.replace(s)
}

func jsRegexpEscaper(args ...any) string {
	s, _ := stringify(args...)
	if s == "" {
		return "(?:)"
	}
	return jsRegexpTable.replace(s)
}

var scriptTag = regexp.MustCompile("(?i)<(/?)script")

// jsValEscaper writes a value as an expression.
func jsValEscaper(args ...any) string {
	var a any
	if len(args) == 1 {
		a = indirect(args[0], jsonType)
		switch t := a.(type) {
		case JS:
			return string(t)
		case JSStr:
			return `"` + string(t) + `"`
		case json.Marshaler:
		case fmt.Stringer:
			a = t.String()
		}
	} else {
		for i, arg := range args {
			args[i] = indirect(arg, jsonType)
		}
		a = fmt.Sprint(args...)
	}
	b, err := json.Marshal(a)
	if err != nil {
		// In a comment that it cannot end.
		text := scriptTag.ReplaceAllString(err.Error(), `\x3C${1}script`)
		text = strings.NewReplacer("*/", "* /", "<!--", `\x3C!--`).Replace(text)
		return " /* " + text + " */null "
	}
	if len(b) == 0 {
		return " null "
	}
	s := strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`).Replace(string(b))
	if isJSIdent(b[0]) || isJSIdent(b[len(b)-1]) {
		// It must not become part of a word.
		return " " + s + " "
	}
	return s
}

// Style sheets:

func isCSSName(r rune) bool {
	return r < 0x80 && (isAlnum(byte(r)) || r == '-' || r == '_') ||
		0x80 <= r && r <= 0xd7ff || 0xe000 <= r && r <= 0xfffd || 0x10000 <= r && r <= 0x10ffff
}

func endsWithCSSKeyword(b []byte, word string) bool {
	i := len(b) - len(word)
	if i < 0 || string(bytes.ToLower(b[i:])) != word {
		return false
	}
	r, _ := utf8.DecodeLastRune(b[:i])
	return i == 0 || !isCSSName(r)
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// decodeCSS is s without escapes.
func decodeCSS(s []byte) []byte {
	if bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	var b []byte
	for len(s) > 0 {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			return append(b, s...)
		}
		b, s = append(b, s[:i]...), s[i:]
		if len(s) < 2 {
			break
		}
		if !isHex(s[1]) {
			_, n := utf8.DecodeRune(s[1:])
			b, s = append(b, s[1:1+n]...), s[1+n:]
			continue
		}
		r, j := rune(0), 1
		for ; j < len(s) && j < 7 && isHex(s[j]); j++ {
			digit := rune(s[j] & 15)
			if s[j] > '9' {
				digit += 9
			}
			if r<<4|digit > utf8.MaxRune {
				break
			}
			r = r<<4 | digit
		}
		b, s = utf8.AppendRune(b, r), s[j:]
		// One space ends an escape.
		if bytes.HasPrefix(s, []byte("\r\n")) {
			s = s[2:]
		} else if len(s) > 0 && isSpace(s[0]) {
			s = s[1:]
		}
	}
	return b
}

var cssTable = table{}.with("\x00", `\0`, "\t", `\9`, "\n", `\a`, "\f", `\c`, "\r", `\d`,
	`"`, `\22`, "&", `\26`, "'", `\27`, "(", `\28`, ")", `\29`, "+", `\2b`, "/", `\2f`,
	":", `\3a`, ";", `\3b`, "<", `\3c`, ">", `\3e`, `\`, `\\`, "{", `\7b`, "}", `\7d`)

func cssEscaper(args ...any) string {
	s, _ := stringify(args...)
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		text, ok := cssTable[r]
		if !ok {
			b.WriteString(s[i : i+n])
			i += n
			continue
		}
		b.WriteString(text)
		i += n
		if r != '\\' && (i == len(s) || isHex(s[i]) || isSpace(s[i])) {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func cssValueFilter(args ...any) string {
	s, t := stringify(args...)
	if t == typeCSS {
		return s
	}
	b := decodeCSS([]byte(s))
	var word []byte
	for i, c := range b {
		switch {
		case strings.IndexByte("\x00\"'()/;@[\\]`{}<>", c) >= 0, c == '-' && i > 0 && b[i-1] == '-':
			return failsafe
		case c != '-' && c < utf8.RuneSelf && isCSSName(rune(c)):
			word = append(word, c|0x20)
		}
	}
	if bytes.Contains(word, []byte("expression")) || bytes.Contains(word, []byte("mozbinding")) {
		return failsafe
	}
	return string(b)
}

// URLs:

func urlFilter(args ...any) string {
	s, t := stringify(args...)
	if t != typeURL && !isSafeURL(s) {
		return "#" + failsafe
	}
	return s
}

func isSafeURL(s string) bool {
	scheme, _, ok := strings.Cut(s, ":")
	return !ok || strings.Contains(scheme, "/") || strings.EqualFold(scheme, "http") ||
		strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "mailto")
}

func urlEscaper(args ...any) string {
	s, t := stringify(args...)
	return escapeURL(s, t == typeURL)
}

func urlNormalizer(args ...any) string {
	s, _ := stringify(args...)
	return escapeURL(s, true)
}

// escapeURL escapes a part of a URL; of a whole one, what has no meaning in it.
func escapeURL(s string, whole bool) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		isPlain := isAlnum(c) || strings.IndexByte("-._~", c) >= 0
		if whole && !isPlain {
			isPlain = strings.IndexByte("!#$&*+,/:;=?@[]", c) >= 0 ||
				c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
		}
		if isPlain {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

func srcsetFilterAndEscaper(args ...any) string {
	s, t := stringify(args...)
	switch t {
	case typeSrcset:
		return s
	case typeURL:
		return strings.ReplaceAll(escapeURL(s, true), ",", "%2c")
	}
	parts := strings.Split(s, ",")
	for i, part := range parts {
		parts[i] = srcsetPart(part)
	}
	return strings.Join(parts, ",")
}

// srcsetPart is an image of a set: its URL, and what is said of it.
func srcsetPart(s string) string {
	url := strings.TrimLeft(s, " \t\n\f\r")
	space := s[:len(s)-len(url)]
	says := ""
	if i := strings.IndexAny(url, " \t\n\f\r"); i >= 0 {
		url, says = url[:i], url[i:]
	}
	for i := range len(says) {
		if c := says[i]; !isAlnum(c) && !isSpace(c) {
			return "#" + failsafe
		}
	}
	if !isSafeURL(url) {
		return "#" + failsafe
	}
	return space + escapeURL(url, true) + says
}
