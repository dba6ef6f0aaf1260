// Text made safe for HTML, scripts and URLs, whatever it is part of. Package html/template does
// that by itself, and with regard to where the text stands.

package template

import (
	"fmt"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var htmlReplacer = strings.NewReplacer(
	"<", "&lt;", ">", "&gt;", "&", "&amp;", `"`, "&#34;", "'", "&#39;", "\x00", "\ufffd")

// HTMLEscapeString returns s with the characters that mean something in HTML as entities.
func HTMLEscapeString(s string) string { return htmlReplacer.Replace(s) }

// HTMLEscape writes what HTMLEscapeString returns for b.
func HTMLEscape(w io.Writer, b []byte) { io.WriteString(w, HTMLEscapeString(string(b))) }

// HTMLEscaper is HTMLEscapeString for what the arguments are printed as.
func HTMLEscaper(args ...any) string { return HTMLEscapeString(printed(args)) }

// JSEscapeString returns s as it can stand between quotes in a script.
func JSEscapeString(s string) string {
	var out strings.Builder
	kept := 0
	for i, r := range s {
		if escape := jsEscape(r); escape != "" {
			out.WriteString(s[kept:i])
			out.WriteString(escape)
			kept = i + utf8.RuneLen(r)
		}
	}
	if kept == 0 {
		return s
	}
	out.WriteString(s[kept:])
	return out.String()
}

// jsEscape is what is written for a character, nothing if that is itself.
func jsEscape(r rune) string {
	switch {
	case r == '\\', r == '\'', r == '"':
		return `\` + string(r)
	case r >= utf8.RuneSelf && unicode.IsPrint(r):
		return ""
	case r < ' ', r >= utf8.RuneSelf, strings.ContainsRune("<>&=", r):
		return fmt.Sprintf(`\u%04X`, r)
	}
	return ""
}

// JSEscape writes what JSEscapeString returns for b.
func JSEscape(w io.Writer, b []byte) { io.WriteString(w, JSEscapeString(string(b))) }

// JSEscaper is JSEscapeString for what the arguments are printed as.
func JSEscaper(args ...any) string { return JSEscapeString(printed(args)) }

// URLQueryEscaper returns what the arguments are printed as for the query of a URL.
func URLQueryEscaper(args ...any) string { return url.QueryEscape(printed(args)) }

// printed is the arguments as print prints them.
func printed(args []any) string {
	if len(args) == 1 {
		if text, ok := args[0].(string); ok {
			return text
		}
	}
	shown := slices.Clone(args)
	for i := range shown {
		if x, ok := printable(reflect.ValueOf(shown[i])); ok {
			shown[i] = x
		}
	}
	return fmt.Sprint(shown...)
}
