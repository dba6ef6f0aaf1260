package mime

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Media types and their parameters: RFC 2045, and RFC 2231 for what is long or not ASCII.

var ErrInvalidMediaParameter = errors.New("mime: invalid media parameter")

const upperHex = "0123456789ABCDEF"

// isSpecial says whether c must be quoted in a value: the tspecials of RFC 2045.
func isSpecial(c byte) bool { return strings.IndexByte(`()<>@,;:\"/[]?=`, c) >= 0 }

func isTokenByte(c byte) bool { return ' ' < c && c < 0x7f && !isSpecial(c) }

// token cuts off the token that v begins with.
func token(v string) (token, rest string) {
	n := 0
	for n < len(v) && isTokenByte(v[n]) {
		n++
	}
	return v[:n], v[n:]
}

func isName(s string) bool {
	_, rest := token(s)
	return s != "" && rest == ""
}

// FormatMediaType writes a type with its parameters; it is empty where that cannot be.
func FormatMediaType(t string, param map[string]string) string {
	major, sub, hasSub := strings.Cut(t, "/")
	if !isName(major) || hasSub && !isName(sub) {
		return ""
	}
	var b strings.Builder
	b.WriteString(strings.ToLower(t))
	for _, name := range slices.Sorted(maps.Keys(param)) {
		if !isName(name) {
			return ""
		}
		value := param[name]
		b.WriteString("; " + strings.ToLower(name))
		switch {
		case isBeyondASCII(value):
			b.WriteString("*=utf-8''")
			for _, c := range []byte(value) {
				if isTokenByte(c) && c != '*' && c != '\'' && c != '%' {
					b.WriteByte(c)
				} else {
					b.Write([]byte{'%', upperHex[c>>4], upperHex[c&15]})
				}
			}
		case isName(value):
			b.WriteString("=" + value)
		default:
			b.WriteString(`="`)
			for _, c := range []byte(value) {
				if c == '"' || c == '\\' {
					b.WriteByte('\\')
				}
				b.WriteByte(c)
			}
			b.WriteByte('"')
		}
	}
	return b.String()
}

// checkType says what is wrong with a type, or with a disposition, which has no slash.
func checkType(s string) error {
	major, rest := token(s)
	switch {
	case major == "":
		return errors.New("mime: no media type")
	case rest == "":
		return nil
	case rest[0] != '/':
		return errors.New("mime: expected slash after first token")
	}
	sub, rest := token(rest[1:])
	switch {
	case sub == "":
		return errors.New("mime: expected token after slash")
	case rest != "":
		return errors.New("mime: unexpected content after media subtype")
	}
	return nil
}

// ParseMediaType takes a type apart, in lower case, and its parameters by their names.
func ParseMediaType(v string) (mediatype string, params map[string]string, err error) {
	base, _, _ := strings.Cut(v, ";")
	mediatype = strings.ToLower(strings.TrimSpace(base))
	if err := checkType(mediatype); err != nil {
		return "", nil, err
	}
	// Those with a star, by the names before it.
	var pieces map[string]map[string]string
	params = make(map[string]string)
	for v = skipSpace(v[len(base):]); v != ""; v = skipSpace(v) {
		name, value, rest, ok := parameter(v)
		if !ok {
			if strings.TrimSpace(v) == ";" {
				break
			}
			return mediatype, nil, ErrInvalidMediaParameter
		}
		to := params
		if stem, _, hasStar := strings.Cut(name, "*"); hasStar {
			if pieces == nil {
				pieces = make(map[string]map[string]string)
			}
			if pieces[stem] == nil {
				pieces[stem] = make(map[string]string)
			}
			to = pieces[stem]
		}
		if before, isKnown := to[name]; isKnown && before != value {
			return "", nil, errors.New("mime: duplicate parameter name")
		}
		to[name] = value
		v = rest
	}
	for stem, parts := range pieces {
		if value, ok := joined(stem, parts); ok {
			params[stem] = value
		}
	}
	return mediatype, params, nil
}

// joined is the value of a parameter that came in pieces: stem*0, stem*1*, …, or as stem*.
func joined(stem string, parts map[string]string) (value string, ok bool) {
	if whole, isOne := parts[stem+"*"]; isOne {
		return decodeExtended(whole)
	}
	var b strings.Builder
	for n := 0; ; n++ {
		name := fmt.Sprintf("%s*%d", stem, n)
		if plain, ok := parts[name]; ok {
			b.WriteString(plain)
			continue
		}
		encoded, ok := parts[name+"*"]
		if !ok {
			return b.String(), n > 0
		}
		decode := unescape
		if n == 0 {
			decode = decodeExtended
		}
		text, _ := decode(encoded)
		b.WriteString(text)
	}
}

// decodeExtended decodes charset'language'text.
func decodeExtended(v string) (string, bool) {
	parts := strings.SplitN(v, "'", 3)
	if len(parts) < 3 {
		return "", false
	}
	if charset := strings.ToLower(parts[0]); charset != "us-ascii" && charset != "utf-8" {
		return "", false
	}
	return unescape(parts[2])
}

// unescape replaces %XX; false if a percent sign is followed by something else.
func unescape(s string) (string, bool) {
	var out strings.Builder
	plain, rest, more := strings.Cut(s, "%")
	for ; more; plain, rest, more = strings.Cut(rest, "%") {
		out.WriteString(plain)
		if len(rest) < 2 {
			return "", false
		}
		high, low := hexDigit(rest[0]), hexDigit(rest[1])
		if high < 0 || low < 0 {
			return "", false
		}
		out.WriteByte(byte(high<<4 | low))
		rest = rest[2:]
	}
	return out.String() + plain, true
}

// hexDigit is negative for what is none.
func hexDigit(c byte) int {
	if decimal := c - '0'; decimal < 10 {
		return int(decimal)
	}
	// Small letters and large ones differ in one bit.
	if letter := (c | 0x20) - 'a'; letter < 6 {
		return int(letter) + 10
	}
	return -1
}

func skipSpace(v string) string { return strings.TrimLeftFunc(v, unicode.IsSpace) }

// parameter cuts off `; name=value`.
func parameter(v string) (name, value, rest string, ok bool) {
	if rest, ok = strings.CutPrefix(skipSpace(v), ";"); !ok {
		return "", "", v, false
	}
	name, rest = token(skipSpace(rest))
	if rest, ok = strings.CutPrefix(skipSpace(rest), "="); !ok || name == "" {
		return "", "", v, false
	}
	value, rest, ok = parameterValue(skipSpace(rest))
	return strings.ToLower(name), value, rest, ok
}

// parameterValue cuts off a token or what is between quotes.
func parameterValue(v string) (value, rest string, ok bool) {
	if !strings.HasPrefix(v, `"`) {
		value, rest = token(v)
		return value, rest, value != ""
	}
	var b strings.Builder
	for i := 1; i < len(v); i++ {
		c := v[i]
		switch {
		case c == '"':
			return b.String(), v[i+1:], true
		case c == '\r' || c == '\n':
			return "", v, false
		case c == '\\' && i+1 < len(v) && isSpecial(v[i+1]):
			// Other backslashes mean themselves: old browsers send paths of Windows.
			i++
			c = v[i]
		}
		b.WriteByte(c)
	}
	return "", v, false
}
