package mime

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// WordEncoder writes what is not ASCII as words of headers: RFC 2047.
type WordEncoder byte

const (
	BEncoding = WordEncoder('b')
	QEncoding = WordEncoder('q')
)

var errNotAWord = errors.New("mime: invalid RFC 2047 encoded-word")

func isBeyondASCII(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return (r < ' ' || r > '~') && r != '\t' })
}

// A word has at most 75 bytes, of which these are left for the text.
const roomInWord = 75 - len("=?UTF-8?q?") - len("?=")

// Encode gives s itself if it needs no encoding.
func (e WordEncoder) Encode(charset, s string) string {
	if !isBeyondASCII(s) {
		return s
	}
	begin := "=?" + charset + "?" + string(rune(e)) + "?"
	var b strings.Builder
	b.WriteString(begin)
	for i, part := range e.parts(charset, s) {
		if i > 0 {
			b.WriteString("?= " + begin)
		}
		if e == BEncoding {
			b.WriteString(base64.StdEncoding.EncodeToString([]byte(part)))
		} else {
			writeQ(&b, part)
		}
	}
	b.WriteString("?=")
	return b.String()
}

func namesUTF8(charset string) bool { return strings.EqualFold(charset, "UTF-8") }

// parts cuts s between runes so that each part has its own word; only of UTF-8 it knows how.
func (e WordEncoder) parts(charset, s string) (parts []string) {
	if !namesUTF8(charset) {
		return []string{s}
	}
	room := roomInWord
	if e == BEncoding {
		if base64.StdEncoding.EncodedLen(len(s)) <= roomInWord {
			return []string{s}
		}
		room = base64.StdEncoding.DecodedLen(roomInWord)
	}
	begin, used := 0, 0
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		needs := size
		if e != BEncoding && !(size == 1 && (isPlainQ(s[i]) || s[i] == ' ')) {
			needs *= 3
		}
		if used+needs > room {
			parts = append(parts, s[begin:i])
			begin, used = i, 0
		}
		used += needs
		i += size
	}
	return append(parts, s[begin:])
}

// isPlainQ says whether c means itself in a word of the encoding Q.
func isPlainQ(c byte) bool { return '!' <= c && c <= '~' && c != '=' && c != '?' && c != '_' }

func writeQ(b *strings.Builder, s string) {
	for _, c := range []byte(s) {
		switch {
		case c == ' ':
			b.WriteByte('_')
		case isPlainQ(c):
			b.WriteByte(c)
		default:
			b.Write([]byte{'=', upperHex[c>>4], upperHex[c&15]})
		}
	}
}

// WordDecoder reads such words.
type WordDecoder struct {
	// For other charsets than utf-8, iso-8859-1 and us-ascii; it is asked in lower case.
	CharsetReader func(charset string, input io.Reader) (io.Reader, error)
}

// Decode decodes one word.
func (d *WordDecoder) Decode(word string) (string, error) {
	inner, begins := strings.CutPrefix(word, "=?")
	inner, ends := strings.CutSuffix(inner, "?=")
	parts := strings.Split(inner, "?")
	if len(word) < 8 || !begins || !ends || len(parts) != 3 || parts[0] == "" || len(parts[1]) != 1 {
		return "", errNotAWord
	}
	content, err := decodeText(parts[1][0], parts[2])
	if err != nil {
		return "", err
	}
	return d.convert(parts[0], content)
}

// DecodeHeader decodes all words in a header; what only looks like one stays.
func (d *WordDecoder) DecodeHeader(header string) (string, error) {
	var b strings.Builder
	// White space between two words goes.
	afterWord := false
	for {
		start := strings.Index(header, "=?")
		if start < 0 {
			break
		}
		charset, rest, ok := strings.Cut(header[start+2:], "?")
		if !ok || len(rest) < len("Q??=") || rest[1] != '?' {
			break
		}
		text, after, ok := strings.Cut(rest[2:], "?=")
		if !ok {
			break
		}
		content, err := decodeText(rest[0], text)
		if err != nil {
			afterWord = false
			b.WriteString(header[:len(header)-len(after)])
			header = after
			continue
		}
		if !afterWord || strings.Trim(header[:start], " \t\r\n") != "" {
			b.WriteString(header[:start])
		}
		word, err := d.convert(charset, content)
		if err != nil {
			return "", err
		}
		b.WriteString(word)
		header, afterWord = after, true
	}
	b.WriteString(header)
	return b.String(), nil
}

func decodeText(encoding byte, text string) ([]byte, error) {
	switch encoding | 0x20 {
	case 'b':
		return base64.StdEncoding.DecodeString(text)
	case 'q':
		return decodeQ(text)
	}
	return nil, errNotAWord
}

func decodeQ(s string) ([]byte, error) {
	out := make([]byte, 0, len(s))
	for s != "" {
		c := s[0]
		s = s[1:]
		switch {
		case c == '_':
			c = ' '
		case c == '=' && len(s) >= 2:
			high, low := hexDigit(s[0]), hexDigit(s[1])
			if high < 0 || low < 0 {
				wrong := s[0]
				if high >= 0 {
					wrong = s[1]
				}
				return nil, fmt.Errorf("mime: invalid hex byte %#02x", wrong)
			}
			c, s = byte(high<<4|low), s[2:]
		case c == '=' || (c < ' ' || c > '~') && strings.IndexByte("\t\r\n", c) < 0:
			return nil, errNotAWord
		}
		out = append(out, c)
	}
	return out, nil
}

// convert makes UTF-8 of the content of a word.
func (d *WordDecoder) convert(charset string, content []byte) (string, error) {
	is := func(name string) bool { return strings.EqualFold(charset, name) }
	switch {
	case is("utf-8"):
		return string(content), nil
	case is("us-ascii"):
		return fromBytes(content, utf8.RuneSelf), nil
	case is("iso-8859-1"):
		return fromBytes(content, unicode.MaxLatin1+1), nil
	case d.CharsetReader == nil:
		return "", fmt.Errorf("mime: unhandled charset %q", charset)
	}
	in := bytes.NewReader(content)
	r, err := d.CharsetReader(strings.ToLower(charset), in)
	var b strings.Builder
	if err == nil {
		_, err = io.Copy(&b, r)
	}
	if err != nil {
		return "", err
	}
	return b.String(), nil
}

// fromBytes takes bytes for characters, those below end.
func fromBytes(content []byte, end rune) string {
	text := make([]rune, len(content))
	for i, c := range content {
		if text[i] = rune(c); text[i] >= end {
			text[i] = unicode.ReplacementChar
		}
	}
	return string(text)
}
