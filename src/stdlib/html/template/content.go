// The functions that keep values what they are in their places.
//
// Each one knows how characters are written in one place: tables says it. Values may say that they
// are safe there already, by their type: then less is done, or nothing.

package template

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Text that is known to be safe in its place.
type (
	CSS      string // a style sheet, or a part of one
	HTML     string // a part of a page
	HTMLAttr string // an attribute with its value
	JS       string // an expression
	JSStr    string // what stands between the quotes of a string in a script
	URL      string // a URL, or a part of one
	Srcset   string // URLs of images, and for what screens they are
)

// A contentType is what a text, or the value of an attribute, is.
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

// unsafeValue stands for a value that must not be where it is used.
const unsafeValue = "ZgotmplZ"

// Arguments:

// typeOf is what a text is by its type; other values are no text.
func typeOf(x any) (t contentType, isText bool) {
	switch x.(type) {
	case string:
	case HTML:
		t = typeHTML
	case JS:
		t = typeJS
	case URL:
		t = typeURL
	case CSS:
		t = typeCSS
	case HTMLAttr:
		t = typeHTMLAttr
	case JSStr:
		t = typeJSStr
	case Srcset:
		t = typeSrcset
	default:
		return t, false
	}
	return t, true
}

// pointedTo follows pointers up to one that is enough, nil, or what is no pointer.
func pointedTo(x any, isEnough func(any) bool) any {
	for v := reflect.ValueOf(x); v.Kind() == reflect.Pointer; x = v.Interface() {
		if v.IsNil() || isEnough(x) {
			break
		}
		v = v.Elem()
	}
	return x
}

func isSpeaker(x any) bool {
	_, isStringer := x.(fmt.Stringer)
	_, isError := x.(error)
	return isStringer || isError
}

func isMarshaler(x any) bool {
	_, ok := x.(json.Marshaler)
	return ok
}

func neverEnough(any) bool { return false }

// textOf is the arguments as text, and what that is.
func textOf(args []any) (string, contentType) {
	if len(args) == 1 {
		if s, ok := args[0].(string); ok {
			return s, typePlain
		}
		x := pointedTo(args[0], neverEnough)
		if t, isText := typeOf(x); isText {
			return reflect.ValueOf(x).String(), t
		}
	}
	var shown []any
	for _, arg := range args {
		if arg != nil {
			shown = append(shown, pointedTo(arg, isSpeaker))
		}
	}
	return fmt.Sprint(shown...), typePlain
}

// evaluated is the arguments as print prints them, for a user's escaper.
func evaluated(args ...any) string {
	if len(args) != 1 {
		for i := range args {
			args[i] = pointedTo(args[i], isSpeaker)
		}
		return fmt.Sprint(args...)
	}
	if s, ok := args[0].(string); ok {
		return s
	}
	return fmt.Sprint(pointedTo(args[0], isSpeaker))
}

// Tables:

// A table says what is written for characters.
type table struct {
	texts [utf8.RuneSelf]string      // nothing where that is the character itself
	other func(r rune) (text string) // the same for the others, if there are such
}

// with is a table that differs from t by pairs of a character and its text.
func (t table) with(pairs ...string) table {
	for i := 0; i < len(pairs); i += 2 {
		t.texts[pairs[i][0]] = pairs[i+1]
	}
	return t
}

// replace writes s by the table.
func (t *table) replace(s string) string {
	var out []byte
	done := 0
	for at := 0; at < len(s); {
		text, size := "", 1
		if b := s[at]; b < utf8.RuneSelf {
			text = t.texts[b]
		} else if t.other != nil {
			var r rune
			r, size = utf8.DecodeRuneInString(s[at:])
			text = t.other(r)
		}
		at += size
		if text != "" {
			out = append(append(out, s[done:at-size]...), text...)
			done = at
		}
	}
	if done == 0 {
		return s
	}
	return string(append(out, s[done:]...))
}

// Tables of one kind: the second of each pair keeps what text of the right type has escaped
// already.
type tableSet struct {
	html, htmlKept         table // between quotes, or tags
	unquoted, unquotedKept table
	str, strKept           table
	literal                table
	regexp                 table
	style                  table
}

var tables = sync.OnceValue(func() *tableSet {
	var t tableSet
	t.html = t.html.with("\x00", "\ufffd", `"`, "&#34;", "'", "&#39;", "+", "&#43;",
		"&", "&amp;", "<", "&lt;", ">", "&gt;")
	t.htmlKept = t.html.with("&", "")
	t.unquoted = t.html.with("\x00", "&#xfffd;", "\t", "&#9;", "\n", "&#10;", "\v", "&#11;",
		"\f", "&#12;", "\r", "&#13;", " ", "&#32;", "=", "&#61;", "`", "&#96;")
	t.unquoted.other = func(r rune) string {
		if 0xfdd0 <= r && r <= 0xfdef || 0xfff0 <= r && r <= 0xffff {
			return fmt.Sprintf("&#x%x;", r)
		}
		return ""
	}
	t.unquotedKept = t.unquoted.with("&", "")

	for b := range byte(' ') {
		t.strKept.texts[b] = fmt.Sprintf(`\u%04x`, b)
	}
	for _, b := range "\"&'+<>`" {
		t.strKept.texts[b] = fmt.Sprintf(`\u%04x`, b)
	}
	t.strKept = t.strKept.with("\t", `\t`, "\n", `\n`, "\f", `\f`, "\r", `\r`, "/", `\/`)
	t.strKept.other = lineSeparator
	t.str = t.strKept.with(`\`, `\\`)
	t.literal = t.str.with("$", `\u0024`, "{", `\u007b`, "}", `\u007d`)
	t.regexp = t.str.with("`", "")
	for _, b := range "$()*-.?[]^{|}" {
		t.regexp.texts[b] = `\` + string(b)
	}

	for _, b := range "\x00\t\n\f\r\"&'()+/:;<>{}" {
		t.style.texts[b] = fmt.Sprintf(`\%x`, b)
	}
	t.style = t.style.with(`\`, `\\`)
	return &t
})

// lineSeparator is how the characters are written that end lines in scripts, but not in JSON.
func lineSeparator(r rune) string {
	if r == '\u2028' || r == '\u2029' {
		return fmt.Sprintf(`\u%04x`, r)
	}
	return ""
}

// HTML:

func escapeText(args ...any) string {
	if s, t := textOf(args); t == typeHTML {
		return s
	} else {
		return tables().html.replace(s)
	}
}

// escapeMarkup writes text by one of two tables, the second of which is for HTML; that may be for
// text alone, without tags.
func escapeMarkup(args []any, plain, kept *table, hasTags bool) string {
	s, t := textOf(args)
	if t != typeHTML {
		return plain.replace(s)
	}
	if !hasTags {
		s = withoutTags(s)
	}
	return kept.replace(s)
}

func escapeRCDATA(args ...any) string {
	return escapeMarkup(args, &tables().html, &tables().htmlKept, true)
}

func escapeAttr(args ...any) string {
	return escapeMarkup(args, &tables().html, &tables().htmlKept, false)
}

// escapeUnquoted never writes nothing: then what follows would become the value. What is HTML
// without text, its author has wanted.
func escapeUnquoted(args ...any) string {
	if s, _ := textOf(args); s == "" {
		return unsafeValue
	}
	return escapeMarkup(args, &tables().unquoted, &tables().unquotedKept, false)
}

func escapeComment(...any) string { return "" }

// filterName lets names of attributes pass that do not make their values something special.
func filterName(args ...any) string {
	s, t := textOf(args)
	if t == typeHTMLAttr {
		return s
	}
	name := strings.ToLower(s)
	isNoName := func(r rune) bool { return r >= utf8.RuneSelf || !isAlphanumeric(byte(r)) }
	if name == "" || strings.ContainsFunc(name, isNoName) || attrType(name) != typePlain {
		return unsafeValue
	}
	return name
}

// withoutTags is the text of a part of a page.
func withoutTags(page string) string {
	s := []byte(page)
	var text []byte
	isAllText := true
	c, at := context{}, 0
	for at < len(s) {
		if c.quote != unquoted {
			// Values are skipped.
			size := bytes.IndexAny(s[at:], quotes[c.quote].ends)
			if size < 0 {
				break
			}
			if at += size; c.quote != spaceOrTagEnd {
				at++
			}
			c = context{state: inTag, element: c.element}
			continue
		}
		reads := c
		if c.element != noElement && !states[c.state].isMarkup {
			reads.state = inRCDATA
		}
		behind, size := scan(reads, s[at:])
		piece := s[at : at+size]
		if c.state == inText || c.state == inRCDATA {
			if tag := bytes.LastIndexByte(piece, '<'); tag >= 0 && behind.state != reads.state {
				piece = piece[:tag]
			}
			text = append(text, piece...)
		} else {
			isAllText = false
		}
		if behind.state == reads.state {
			behind.state = c.state
		}
		c, at = behind, at+size
	}
	switch {
	case isAllText:
		return page
	case c.state == inText || c.state == inRCDATA:
		text = append(text, s[at:]...)
	}
	return string(text)
}

// Scripts:

func escapeString(args ...any) string {
	s, t := textOf(args)
	by := &tables().str
	if t == typeJSStr {
		by = &tables().strKept
	}
	return by.replace(s)
}

func escapeLiteral(args ...any) string {
	s, _ := textOf(args)
	return tables().literal.replace(s)
}

// escapeRegexp never writes nothing: that would make a comment of the slashes.
func escapeRegexp(args ...any) string {
	s, _ := textOf(args)
	if s = tables().regexp.replace(s); s == "" {
		s = "(?:)"
	}
	return s
}

// escapeValue writes a value as an expression.
func escapeValue(args ...any) string {
	for i := range args {
		args[i] = pointedTo(args[i], isMarshaler)
	}
	var x any
	if len(args) == 1 {
		x = args[0]
	} else {
		x = fmt.Sprint(args...)
	}
	switch v := x.(type) {
	case JS:
		return string(v)
	case JSStr:
		return `"` + string(v) + `"`
	case fmt.Stringer:
		if !isMarshaler(x) {
			x = v.String()
		}
	}
	text, err := json.Marshal(x)
	switch {
	case err != nil:
		return " /* " + harmless(err.Error()) + " */null "
	case len(text) == 0:
		return " null "
	}
	separators := table{other: lineSeparator}
	s := separators.replace(string(text))
	if isWordByte(text[0]) || isWordByte(text[len(text)-1]) {
		s = " " + s + " " // it must not become part of a word
	}
	return s
}

// harmless is a message as it may stand in a comment of a script.
func harmless(message string) string {
	var out strings.Builder
	for {
		before, after, isThere := strings.Cut(message, "<")
		out.WriteString(strings.ReplaceAll(before, "*/", "* /"))
		if !isThere {
			return out.String()
		}
		slash := ""
		word, isEnd := strings.CutPrefix(after, "/")
		if isEnd {
			slash = "/"
		}
		switch {
		case strings.HasPrefix(after, "!--"):
			out.WriteString(`\x3C`)
		case beginsScript(word):
			out.WriteString(`\x3C` + slash + "script")
			for range "script" {
				_, size := utf8.DecodeRuneInString(word)
				word = word[size:]
			}
			after = word
		default:
			out.WriteString("<")
		}
		message = after
	}
}

// Style sheets:

// isStyleName says whether a name in a style sheet may have a character.
func isStyleName(r rune) bool {
	switch {
	case r < 0x80:
		return r == '-' || r == '_' || isAlphanumeric(byte(r))
	case 0xd800 <= r && r < 0xe000, r == 0xfffe, r == 0xffff:
		return false
	}
	return r <= utf8.MaxRune
}

// hexValue is the value of a hexadecimal digit, 16 of what is none.
func hexValue(b byte) rune {
	switch lower := b | ' '; {
	case '0' <= b && b <= '9':
		return rune(b - '0')
	case 'a' <= lower && lower <= 'f':
		return rune(lower-'a') + 10
	}
	return 16
}

func isHex(b byte) bool { return hexValue(b) < 16 }

// unescapeStyle is a part of a style sheet with its escapes as what they stand for.
func unescapeStyle(s []byte) []byte {
	before, rest, hasEscapes := bytes.Cut(s, []byte(`\`))
	if !hasEscapes {
		return s
	}
	out := bytes.Clone(before)
	for hasEscapes && len(rest) > 0 {
		code, size := styleEscape(rest)
		out = append(out, code...)
		before, rest, hasEscapes = bytes.Cut(rest[size:], []byte(`\`))
		out = append(out, before...)
	}
	return out
}

// styleEscape is what an escape stands for, behind whose backslash s is, and how long it is: up to
// six digits and a space, or another character, which stands for itself.
func styleEscape(s []byte) (text []byte, size int) {
	code := rune(0)
	for size < min(len(s), 6) && isHex(s[size]) && code<<4|hexValue(s[size]) <= utf8.MaxRune {
		code = code<<4 | hexValue(s[size])
		size++
	}
	if size == 0 {
		_, size = utf8.DecodeRune(s)
		return s[:size], size
	}
	if bytes.HasPrefix(s[size:], []byte("\r\n")) {
		size += 2
	} else if size < len(s) && isSpace(s[size]) {
		size++
	}
	return utf8.AppendRune(nil, code), size
}

// escapeStyle writes text for a string. A space ends an escape that would go on otherwise.
func escapeStyle(args ...any) string {
	s, _ := textOf(args)
	by := &tables().style
	var out strings.Builder
	for i := range len(s) {
		text := ""
		if b := s[i]; b < utf8.RuneSelf {
			text = by.texts[b]
		}
		if text == "" {
			out.WriteByte(s[i])
			continue
		}
		out.WriteString(text)
		if s[i] != '\\' && (i+1 == len(s) || isHex(s[i+1]) || isSpace(s[i+1])) {
			out.WriteByte(' ')
		}
	}
	return out.String()
}

// filterStyle lets values pass that are words, numbers and the like: nothing that could end the
// declaration, and nothing that runs scripts in old browsers.
func filterStyle(args ...any) string {
	s, t := textOf(args)
	if t == typeCSS {
		return s
	}
	value := unescapeStyle([]byte(s))
	isBad := bytes.ContainsAny(value, "\x00\"'()/;@[\\]`{}<>") || bytes.Contains(value, []byte("--"))
	letters := bytes.Map(func(r rune) rune {
		if r >= utf8.RuneSelf || r == '-' || !isStyleName(r) {
			return -1
		}
		return r | ' '
	}, value)
	for _, name := range [...]string{"expression", "mozbinding"} {
		isBad = isBad || bytes.Contains(letters, []byte(name))
	}
	if isBad {
		return unsafeValue
	}
	return string(value)
}

// URLs:

// scriptless are the schemes of URLs that cannot run scripts.
var scriptless = []string{"http", "https", "mailto"}

// isHarmless says whether a URL is one that cannot run scripts.
func isHarmless(url string) bool {
	scheme, _, hasScheme := strings.Cut(url, ":")
	isScheme := func(known string) bool { return strings.EqualFold(known, scheme) }
	return !hasScheme || strings.Contains(scheme, "/") || slices.ContainsFunc(scriptless, isScheme)
}

func filterURL(args ...any) string {
	s, t := textOf(args)
	if t == typeURL || isHarmless(s) {
		return s
	}
	return "#" + unsafeValue
}

func escapeURLPart(args ...any) string {
	s, t := textOf(args)
	return percented(s, t == typeURL)
}

func normalizeURL(args ...any) string {
	s, _ := textOf(args)
	return percented(s, true)
}

// percented is a part of a URL with its characters as numbers; of a whole one, those that mean
// nothing in it.
func percented(s string, isWhole bool) string {
	const digits = "0123456789abcdef"
	stays := "-._~"
	if isWhole {
		stays += "!#$&*+,/:;=?@[]"
	}
	out := make([]byte, 0, len(s)+16)
	for i := range len(s) {
		b := s[i]
		isEscape := b == '%' && isWhole && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
		if isEscape || isAlphanumeric(b) || strings.IndexByte(stays, b) >= 0 {
			out = append(out, b)
		} else {
			out = append(out, '%', digits[b>>4], digits[b&15])
		}
	}
	return string(out)
}

func escapeSrcset(args ...any) string {
	s, t := textOf(args)
	if t == typeSrcset {
		return s
	}
	if t == typeURL {
		// Commas would begin another one.
		return strings.ReplaceAll(percented(s, true), ",", "%2c")
	}
	var out []string
	for image := range strings.SplitSeq(s, ",") {
		out = append(out, escapeImage(image))
	}
	return strings.Join(out, ",")
}

// escapeImage writes an image of a set: its URL, and what is said of it.
func escapeImage(s string) string {
	begin := len(s) - len(strings.TrimLeft(s, spaces))
	end := len(s)
	if size := strings.IndexAny(s[begin:], spaces); size >= 0 {
		end = begin + size
	}
	url := s[begin:end]
	says := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (isAlphanumeric(byte(r)) || isSpace(byte(r))) {
			return -1
		}
		return r
	}, s[end:])
	if says != "" || !isHarmless(url) {
		return "#" + unsafeValue
	}
	return s[:begin] + percented(url, true) + s[end:]
}
