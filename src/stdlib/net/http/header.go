package http

import (
	"io"
	"net/http/httptrace"
	"net/textproto"
	"slices"
	"strings"
	"time"
)

// Headers, and what their fields consist of: tokens, lists, times.

// Header has the values of each field, by its canonical name.
type Header map[string][]string

func (h Header) has(key string) (is bool) {
	_, is = h[key]
	return is
}

// get is Get of a canonical name.
func (h Header) get(key string) (first string) {
	if v := h[key]; len(v) > 0 {
		first = v[0]
	}
	return first
}

func (h Header) Values(key string) []string { return h[CanonicalHeaderKey(key)] }
func (h Header) Get(key string) string      { return h.get(CanonicalHeaderKey(key)) }
func (h Header) Del(key string)             { delete(h, CanonicalHeaderKey(key)) }
func (h Header) Set(key, value string)      { h[CanonicalHeaderKey(key)] = []string{value} }

// Add keeps the values that there are.
func (h Header) Add(key, value string) {
	key = CanonicalHeaderKey(key)
	h[key] = append(h[key], value)
}

// Clone copies the values, too.
func (h Header) Clone() Header {
	if h == nil {
		return nil
	}
	all := make(Header, len(h))
	for name, values := range h {
		all[name] = slices.Clip(slices.Clone(values))
	}
	return all
}

// WriteSubset leaves out some names.
func (h Header) WriteSubset(w io.Writer, exclude map[string]bool) error {
	return h.write(w, exclude, nil)
}

// Write writes it as it is sent, in the order of the names.
func (h Header) Write(w io.Writer) error { return h.write(w, nil, nil) }

// write makes each line in the same buffer.
func (h Header) write(w io.Writer, exclude map[string]bool, trace *httptrace.ClientTrace) error {
	var line []byte
	isTraced := trace != nil && trace.WroteHeaderField != nil
	for _, name := range sortedNames(h) {
		if exclude[name] || !isToken(name) {
			continue
		}
		var sent []string
		for _, v := range h[name] {
			v = oneLine(v)
			line = append(append(append(append(line[:0], name...), ": "...), v...), "\r\n"...)
			if _, err := w.Write(line); err != nil {
				return err
			}
			if isTraced {
				sent = append(sent, v)
			}
		}
		if isTraced {
			trace.WroteHeaderField(name, sent)
		}
	}
	return nil
}

func sortedNames(h Header) []string {
	if len(h) == 0 {
		return nil
	}
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var newlines = strings.NewReplacer("\n", " ", "\r", " ")

// oneLine is a value without ends of lines.
func oneLine(v string) string {
	if strings.ContainsAny(v, "\r\n") {
		v = newlines.Replace(v)
	}
	return textproto.TrimString(v)
}

func CanonicalHeaderKey(s string) string { return textproto.CanonicalMIMEHeaderKey(s) }

// TimeFormat is how times are written; they must be in UTC.
const TimeFormat = "Mon, 02 Jan 2006 15:04:05 GMT"

// ParseTime reads the three forms that HTTP has had.
func ParseTime(text string) (t time.Time, err error) {
	for _, layout := range []string{TimeFormat, time.RFC850, time.ANSIC} {
		if t, err = time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return t, err
}

func isToken(s string) bool
func isFieldValue(s string) bool
func isHost(s string) bool

// isPlainPath says whether a path begins with a slash, means what it says, and is clean.
func isPlainPath(s string) bool

// equalFold compares ASCII text without regard to case.
func equalFold(a, b string) bool {
	return len(a) == len(b) && isASCII(a) && isASCII(b) && strings.EqualFold(a, b)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// hasWord says whether there is such a word in a value, between commas or blanks.
func hasWord(v, token string) bool {
	for v != "" {
		word := v
		if end := strings.IndexAny(v, " ,\t"); end < 0 {
			v = ""
		} else {
			word, v = v[:end], v[end+1:]
		}
		if equalFold(word, token) {
			return true
		}
	}
	return false
}

// listHas says whether one of the elements of lists is this.
func listHas(values []string, token string) bool {
	has := false
	for _, v := range values {
		eachElement(v, func(element string) { has = has || equalFold(element, token) })
	}
	return has
}

// eachElement calls f with each element of a list.
func eachElement(v string, f func(string)) {
	for element := range strings.SplitSeq(v, ",") {
		if element = textproto.TrimString(element); element != "" {
			f(element)
		}
	}
}

// badPart is what of a field cannot be sent.
type badPart int

const (
	nothingBad badPart = iota
	badName
	badValue
)

// findBad looks for a field that cannot be sent; HTTP/2 has a name that begins with a colon.
func (h Header) findBad(isHTTP2 bool) (name string, part badPart) {
	cannotBeSent := func(v string) bool { return !isFieldValue(v) }
	for name, values := range h {
		switch {
		case !isToken(name) && !(isHTTP2 && name == ":protocol"):
			return name, badName
		case slices.ContainsFunc(values, cannotBeSent):
			return name, badValue
		}
	}
	return "", nothingBad
}

// badField says what in a header cannot be sent; empty if all can. Values may be secret.
func badField(h Header) string {
	switch name, part := h.findBad(false); part {
	case badName:
		return "field name " + quote(name)
	case badValue:
		return "field value for " + quote(name)
	}
	return ""
}
