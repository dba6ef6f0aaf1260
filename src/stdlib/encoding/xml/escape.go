package xml

import (
	"bytes"
	"io"
	"unicode/utf8"
	"unsafe"
)

func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// EscapeText writes s so that it reads as the same text.
func EscapeText(w io.Writer, s []byte) error { return writeEscaped(w, s, true) }

// Escape is EscapeText without its error.
func Escape(w io.Writer, s []byte) { EscapeText(w, s) }

func writeEscaped(w io.Writer, s []byte, newlines bool) error {
	for {
		n := unescaped(view(s), !newlines)
		if _, err := w.Write(s[:n]); err != nil || n == len(s) {
			return err
		}
		s = s[n:]
		escaped, size := escape(s)
		if _, err := w.Write([]byte(escaped)); err != nil {
			return err
		}
		s = s[size:]
	}
}

// escape gives what is written for the first character of s, and its size.
func escape(s []byte) (string, int) {
	switch s[0] {
	case '"':
		return "&#34;", 1
	case '\'':
		return "&#39;", 1
	case '&':
		return "&amp;", 1
	case '<':
		return "&lt;", 1
	case '>':
		return "&gt;", 1
	case '\t':
		return "&#x9;", 1
	case '\n':
		return "&#xA;", 1
	case '\r':
		return "&#xD;", 1
	}
	_, size := utf8.DecodeRune(s)
	return "\uFFFD", size
}

// writeCDATA writes s as sections of character data, more than one if the end of such a section
// stands in it.
func writeCDATA(w io.Writer, s []byte) error {
	if len(s) < 1 {
		return nil // no section
	}
	s = bytes.ReplaceAll(s, []byte("]]>"), []byte("]]]]><![CDATA[>"))
	_, err := io.WriteString(w, "<![CDATA["+string(s)+"]]>")
	return err
}
