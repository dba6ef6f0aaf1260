package xml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Decoder reads XML. Not being Strict it takes much of HTML: elements that are not closed (those
// in AutoClose are closed at once), attributes without quotes or values, and unknown entities.
// CharsetReader, if not nil, gives UTF-8 of text in other encodings.
type Decoder struct {
	Strict        bool
	AutoClose     []string
	Entity        map[string]string
	CharsetReader func(charset string, input io.Reader) (io.Reader, error)
	DefaultSpace  string

	tokens TokenReader // where tokens come from, if not from a text
	source source
	reader io.Reader // what source reads
	// Between tokens others may read from reader: nothing of it is kept.
	isShared bool
	// What source shows, how much of that has been read, and how much of that note has seen. base
	// is the offset of its first byte.
	window    []byte
	at        int
	noted     int
	base      int64
	line      int
	lineStart int64
	saved     []byte // what was read since innerxml began, or nil
	err       error

	buf    []byte // of the token
	next   Token  // comes before what is read
	dueEnd *Name  // an element whose end comes next

	open   []element
	bound  []prefixed
	latest map[string]int // by prefix: where it stands in bound, from 1
	fences []int          // how many elements are open where tokens end for an Unmarshaler
	isLent bool           // an Unmarshaler reads
}

// An element is an open one, with the count of prefixes that are bound in it.
type element struct {
	name  Name
	bound int
}

// A prefixed is a name space that a prefix stands for, and where what it stood for before is in the
// same list.
type prefixed struct {
	prefix, space string
	outer         int
}

// NewDecoder reads from r, which is not read ahead if it is an io.ByteReader.
func NewDecoder(r io.Reader) *Decoder {
	d := newDecoder()
	d.readFrom(r)
	return d
}

// NewTokenDecoder takes the tokens of t.
func NewTokenDecoder(t TokenReader) *Decoder {
	d, isOne := t.(*Decoder)
	if !isOne {
		d = newDecoder()
		d.tokens = t
	}
	return d
}

func newDecoder() *Decoder {
	return &Decoder{Strict: true, source: wholeSource{}, line: 1, buf: make([]byte, 0, 64)}
}

// Elements and name spaces:

// bind makes a prefix stand for a name space.
func (d *Decoder) bind(prefix, space string) {
	if d.latest == nil {
		d.latest = make(map[string]int)
	}
	d.bound = append(d.bound, prefixed{prefix, space, d.latest[prefix]})
	d.latest[prefix] = len(d.bound)
}

// unbind leaves the first n prefixes; the others stand for what they did before.
func (d *Decoder) unbind(n int) {
	for last := len(d.bound) - 1; last >= n; last-- {
		d.latest[d.bound[last].prefix] = d.bound[last].outer
	}
	d.bound = d.bound[:n]
}

// inherited is how many prefixes are bound by elements that are open. More are so if an element was
// closed by the end of another one, as a Decoder allows that is not Strict.
func (d *Decoder) inherited() int {
	if len(d.open) == 0 {
		return 0
	}
	return d.open[len(d.open)-1].bound
}

func (d *Decoder) hasStrays() bool { return len(d.bound) > d.inherited() }

// fence lets the tokens end behind the innermost element.
func (d *Decoder) fence() {
	_ = d.open[len(d.open)-1]
	d.fences = append(d.fences, len(d.open)-1)
}

// atFence says whether the tokens end here.
func (d *Decoder) atFence() bool {
	n := len(d.fences)
	return n > 0 && d.fences[n-1] == len(d.open) && !d.hasStrays()
}

// unfence undoes fence, unless the element has not ended.
func (d *Decoder) unfence() bool {
	isThere := d.atFence()
	if isThere {
		d.fences = d.fences[:len(d.fences)-1]
	}
	return isThere
}

// spaceOf is the name space that the prefix of a name stands for. Of names without one only those of
// elements are in any.
func (d *Decoder) spaceOf(n Name, isElement bool) string {
	prefix := n.Space
	if prefix == xmlWord {
		return xmlSpace
	}
	if prefix == nsWord || prefix == "" && (!isElement || n.Local == nsWord) {
		return prefix
	}
	if at := d.latest[prefix]; at > 0 {
		return d.bound[at-1].space
	}
	if prefix == "" {
		return d.DefaultSpace
	}
	return prefix
}

// enter opens an element, whose attributes can bind prefixes for it.
func (d *Decoder) enter(e *StartElement) {
	for _, a := range e.Attr {
		if a.Name.Space == nsWord {
			d.bind(a.Name.Local, a.Value)
		} else if a.Name == (Name{Local: nsWord}) {
			d.bind("", a.Value)
		}
	}
	d.open = append(d.open, element{e.Name, len(d.bound)})
	e.Name.Space = d.spaceOf(e.Name, true)
	for i := range e.Attr {
		name := &e.Attr[i].Name
		name.Space = d.spaceOf(*name, false)
	}
}

// leaveElement closes the innermost element, which end should be the end of. It gives the name of
// what was closed, or what is wrong.
func (d *Decoder) leaveElement(end Name) (closed Name, problem string) {
	last := len(d.open) - 1
	if n := len(d.bound) - 1; last < 0 || d.hasStrays() {
		d.unbind(max(n, 0))
		return end, "unexpected end element </" + end.Local + ">"
	}
	closed = d.open[last].name
	d.open = d.open[:last]
	switch {
	case closed == end:
		closed.Space = d.spaceOf(end, true)
		d.unbind(d.inherited())
	case closed.Local == end.Local:
		if end.Space == "" {
			end.Space = `""`
		}
		problem = "element <" + closed.Local + "> in space " + closed.Space + " closed by </" +
			end.Local + "> in space " + end.Space
	case d.Strict:
		problem = "element <" + closed.Local + "> closed by </" + end.Local + ">"
	default:
		d.dueEnd = &end
	}
	return closed, problem
}

// endsAtOnce says whether the innermost element is one of AutoClose, and t does not end it.
func (d *Decoder) endsAtOnce(t Token) bool {
	if len(d.open) == 0 || d.hasStrays() {
		return false
	}
	name := d.open[len(d.open)-1].name.Local
	isIt := func(s string) bool { return strings.EqualFold(s, name) }
	if end, ok := t.(EndElement); ok && isIt(end.Name.Local) {
		return false
	}
	return slices.ContainsFunc(d.AutoClose, isIt)
}

// Tokens:

// Token gives the next token, with elements closed in the order they were opened, and name spaces
// in place of prefixes.
func (d *Decoder) Token() (Token, error) {
	if d.atFence() {
		return nil, io.EOF
	}
	t, err := d.next, error(nil)
	if d.next = nil; t == nil {
		t, err = d.unchecked()
	}
	if t == nil && err != nil {
		if err == io.EOF && len(d.open)+len(d.bound) > 0 {
			err = d.fault("unexpected EOF")
		}
		return nil, err
	}
	if !d.Strict && d.endsAtOnce(t) {
		d.next = t
		t = EndElement{d.open[len(d.open)-1].name}
	}
	if start, ok := t.(StartElement); ok {
		d.enter(&start)
		return start, nil
	}
	if end, ok := t.(EndElement); ok {
		closed, problem := d.leaveElement(end.Name)
		if problem != "" {
			d.fail(problem)
			return nil, d.err
		}
		return EndElement{closed}, nil
	}
	return t, nil
}

var errNotRaw = errors.New("xml: cannot use RawToken from UnmarshalXML method")

// RawToken gives the next token as it stands in the text.
func (d *Decoder) RawToken() (Token, error) {
	if d.isLent {
		return nil, errNotRaw
	}
	return d.unchecked()
}

// unchecked gives the next token of the text, or of another source of tokens.
func (d *Decoder) unchecked() (t Token, err error) {
	switch due := d.dueEnd; {
	case d.tokens != nil:
		return d.tokens.Token()
	case d.err != nil:
		return nil, d.err
	case due != nil:
		d.dueEnd = nil
		return EndElement{*due}, nil
	}
	if t = d.read(); t == nil {
		err = d.err
	}
	if d.isShared {
		d.leave()
	}
	return t, err
}

// read reads a token from the text; nil if it cannot, for the reason in err.
func (d *Decoder) read() Token {
	b, ok := d.get()
	if !ok {
		return nil
	}
	if b != '<' {
		d.back()
		return d.charData(false)
	}
	if b, ok = d.must(); !ok {
		return nil
	}
	switch b {
	case '/':
		return d.endElement()
	case '?':
		return d.instruction()
	case '!':
		if b, ok = d.must(); !ok {
			return nil
		}
		switch b {
		case '-':
			return d.comment()
		case '[':
			for _, want := range []byte("CDATA[") {
				if b, ok = d.must(); !ok {
					return nil
				}
				if b != want {
					return d.fail("invalid <![ sequence")
				}
			}
			return d.charData(true)
		}
		return d.directive(b)
	}
	d.back()
	return d.startElement()
}

func (d *Decoder) charData(isCDATA bool) Token {
	if text := d.text(-1, isCDATA); text != nil {
		return CharData(text)
	}
	return nil
}

func (d *Decoder) endElement() Token {
	if name, ok := d.qualified("expected element name after </"); ok {
		d.space()
		if b, ok := d.must(); ok && b != '>' {
			d.fail("invalid characters between </" + name.Local + " and >")
		} else if ok {
			return EndElement{name}
		}
	}
	return nil
}

func (d *Decoder) startElement() Token {
	name, ok := d.qualified("expected element name after <")
	if !ok {
		return nil
	}
	attrs := []Attr{}
	for {
		d.space()
		b, ok := d.must()
		if !ok {
			return nil
		}
		if b == '>' {
			return StartElement{name, attrs}
		}
		if b == '/' {
			if b, ok = d.must(); !ok {
				return nil
			}
			if b != '>' {
				return d.fail("expected /> in element")
			}
			closed := name
			d.dueEnd = &closed
			return StartElement{name, attrs}
		}
		d.back()
		var a Attr
		if a.Name, ok = d.qualified("expected attribute name in element"); !ok {
			return nil
		}
		d.space()
		if b, ok = d.must(); !ok {
			return nil
		}
		switch {
		case b == '=':
			d.space()
			value := d.value()
			if value == nil {
				return nil
			}
			a.Value = string(value)
		case d.Strict:
			return d.fail("attribute name without = in element")
		default:
			d.back()
			a.Value = a.Name.Local
		}
		attrs = append(attrs, a)
	}
}

// value reads the value of an attribute. Without quotes it is a word, which a dot ends.
func (d *Decoder) value() []byte {
	b, ok := d.must()
	switch {
	case !ok:
		return nil
	case b == '\'' || b == '"':
		return d.text(int(b), false)
	case d.Strict:
		d.fail("unquoted or missing attribute value in element")
		return nil
	}
	for d.buf = d.buf[:0]; ok && b != '.' && b < utf8.RuneSelf && standsInName(b); b, ok = d.must() {
		d.buf = append(d.buf, b)
	}
	if !ok {
		return nil
	}
	d.back()
	return d.buf
}

func (d *Decoder) instruction() Token {
	target, ok := d.name()
	if !ok {
		if d.err == nil {
			d.fail("expected target name after <?")
		}
		return nil
	}
	d.space()
	d.buf = d.buf[:0]
	for {
		b, ok := d.must()
		if !ok {
			return nil
		}
		d.buf = append(d.buf, b)
		if b == '>' && len(d.buf) > 1 && d.buf[len(d.buf)-2] == '?' {
			break
		}
	}
	inst := d.buf[:len(d.buf)-2]
	if target == "xml" && !d.declare(string(inst)) {
		return nil
	}
	return ProcInst{target, inst}
}

// declare obeys the declaration at the start of a text.
func (d *Decoder) declare(text string) bool {
	if version := parameter("version", text); version != "" && version != "1.0" {
		d.err = fmt.Errorf("xml: unsupported version %q; only version 1.0 is supported", version)
		return false
	}
	encoding := parameter("encoding", text)
	if encoding == "" || strings.EqualFold(encoding, "utf-8") {
		return true
	}
	if d.CharsetReader == nil {
		d.err = fmt.Errorf("xml: encoding %q declared but Decoder.CharsetReader is nil", encoding)
		return false
	}
	rest := d.window[d.at:]
	d.leave()
	if d.reader == nil {
		d.reader = bytes.NewReader(rest)
	}
	r, err := d.CharsetReader(encoding, d.reader)
	if err != nil {
		d.err = fmt.Errorf("xml: opening charset %q: %w", encoding, err)
		return false
	}
	if r == nil {
		panic("CharsetReader returned a nil Reader for charset " + encoding)
	}
	d.readFrom(r)
	return true
}

// parameter finds the value of a parameter in a processing instruction.
func parameter(name, s string) string {
	name += "="
	for {
		_, rest, ok := strings.Cut(s, name)
		if !ok || rest == "" {
			return ""
		}
		s = rest[1:]
		if rest[0] == '"' || rest[0] == '\'' {
			value, _, ok := strings.Cut(s, rest[:1])
			if !ok {
				return ""
			}
			return value
		}
	}
}

func (d *Decoder) comment() Token {
	b, ok := d.must()
	if ok && b != '-' {
		d.fail("invalid sequence <!- not part of <!--")
	}
	if d.err != nil {
		return nil
	}
	d.buf = d.buf[:0]
	for !bytes.HasSuffix(d.buf, []byte("--")) {
		if b, ok = d.must(); !ok {
			return nil
		}
		d.buf = append(d.buf, b)
	}
	if b, ok = d.must(); ok && b != '>' {
		d.fail(`invalid sequence "--" not allowed in comments`)
	} else if ok {
		return Comment(d.buf[:len(d.buf)-2])
	}
	return nil
}

// directive reads <!…>, whose first byte is b: with other directives, and quotes, in it. A space
// stands for comments.
func (d *Decoder) directive(b byte) Token {
	d.buf = append(d.buf[:0], b)
	var quote byte
	depth := 0
	b, ok := d.must()
	for ; ok; b, ok = d.must() {
		if quote == 0 && depth == 0 && b == '>' {
			return Directive(d.buf)
		}
		d.buf = append(d.buf, b)
		for quote == 0 && b == '<' {
			begun := 0
			for begun < 3 {
				if b, ok = d.must(); !ok {
					return nil
				}
				if b != "!--"[begun] {
					break
				}
				begun++
			}
			if begun == 3 {
				if !d.skipComment() {
					return nil
				}
				d.buf[len(d.buf)-1] = ' '
				b = ' '
				break
			}
			// No comment. What has been read is text, but for b, which may be such a < again.
			depth++
			d.buf = append(append(d.buf, "!--"[:begun]...), b)
		}
		switch {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'':
			quote = b
		case b == '>':
			depth--
		}
	}
	return nil
}

// skipComment reads to the end of a comment.
func (d *Decoder) skipComment() bool {
	dashes := 0
	for {
		switch b, ok := d.must(); {
		case !ok:
			return false
		case b == '-':
			dashes++
		case b == '>' && dashes >= 2:
			return true
		default:
			dashes = 0
		}
	}
}

// text reads text up to the quote, or up to the next token if that is negative; nil if it cannot.
func (d *Decoder) text(quote int, isCDATA bool) []byte {
	d.buf = d.buf[:0]
	// The last two bytes as they were read, without what belongs to entities.
	var b0, b1 byte
	isChecked := true
	for {
		if d.err == nil && b1 != '\r' && b1 != ']' {
			window := d.window[d.at:]
			if n := plain(view(window), quote); n > 0 {
				d.buf = append(d.buf, window[:n]...)
				d.at += n
				if n > 1 {
					b1 = window[n-2]
				}
				b0, b1 = b1, window[n-1]
			}
		}
		b, ok := d.get()
		if !ok {
			if !isCDATA {
				break
			}
			if d.err == io.EOF {
				d.fail("unexpected EOF in CDATA section")
			}
			return nil
		}
		if quote < 0 && b0 == ']' && b1 == ']' && b == '>' {
			if isCDATA {
				d.buf = d.buf[:len(d.buf)-2]
				break
			}
			d.fail("unescaped ]]> not in CDATA section")
			return nil
		}
		if b == '<' && !isCDATA {
			if quote >= 0 {
				d.fail("unescaped < inside quoted string")
				return nil
			}
			d.back()
			break
		}
		if quote >= 0 && b == byte(quote) {
			break
		}
		switch {
		case b == '&' && !isCDATA:
			if !d.entity() {
				return nil
			}
			isChecked = false
			b0, b1 = 0, 0
			continue
		case b == '\r':
			d.buf = append(d.buf, '\n')
		case b == '\n' && b1 == '\r':
		default:
			d.buf = append(d.buf, b)
			isChecked = isChecked && ' ' <= b && b < utf8.RuneSelf
		}
		b0, b1 = b1, b
	}
	if !isChecked && !d.check(d.buf) {
		return nil
	}
	return d.buf
}

// check says whether text is valid; if not, that is the error.
func (d *Decoder) check(text []byte) bool {
	for i, r := range view(text) {
		isBroken := r == utf8.RuneError && !bytes.HasPrefix(text[i:], []byte("\uFFFD"))
		if isBroken {
			d.fail("invalid UTF-8")
		} else if !isAllowed(r) {
			d.fail(fmt.Sprintf("illegal character code %U", r))
		} else {
			continue
		}
		return false
	}
	return true
}

var entities = map[string]string{"lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": `"`}

// entity reads what follows an ampersand, and adds what it means to the token.
func (d *Decoder) entity() bool {
	start := len(d.buf)
	d.buf = append(d.buf, '&')
	b, ok := d.must()
	if !ok {
		return false
	}
	var text string
	known := false
	if b == '#' {
		if text, known, ok = d.charCode(); !ok {
			return false
		}
	} else {
		d.back()
		if !d.word() && d.err != nil {
			return false
		}
		if b, ok = d.must(); !ok {
			return false
		}
		if b != ';' {
			d.back()
		} else {
			name := string(d.buf[start+1:])
			d.buf = append(d.buf, ';')
			if isXMLName(name) {
				if text, known = entities[name]; !known {
					text, known = d.Entity[name]
				}
			}
		}
	}
	switch {
	case known:
		d.buf = append(d.buf[:start], text...)
	case d.Strict:
		entity := string(d.buf[start:])
		if !strings.HasSuffix(entity, ";") {
			entity += " (no semicolon)"
		}
		d.fail("invalid character entity " + entity)
		return false
	}
	return true
}

// charCode reads the number of a character, which adds what it reads to the token.
func (d *Decoder) charCode() (text string, known, ok bool) {
	d.buf = append(d.buf, '#')
	b, ok := d.must()
	if !ok {
		return
	}
	base := 10
	if b == 'x' {
		base = 16
		d.buf = append(d.buf, b)
		if b, ok = d.must(); !ok {
			return
		}
	}
	start := len(d.buf)
	for '0' <= b && b <= '9' || base == 16 && ('a' <= b && b <= 'f' || 'A' <= b && b <= 'F') {
		d.buf = append(d.buf, b)
		if b, ok = d.must(); !ok {
			return
		}
	}
	if b != ';' {
		d.back()
		return "", false, true
	}
	n, err := strconv.ParseUint(string(d.buf[start:]), base, 64)
	d.buf = append(d.buf, ';')
	if err != nil || n > unicode.MaxRune {
		return "", false, true
	}
	return string(rune(n)), true, true
}

// qualified reads a name with or without a prefix; if there is none, the error is msg.
func (d *Decoder) qualified(msg string) (Name, bool) {
	if d.err == nil {
		// Most names are ASCII, without a prefix, and wholly in the window.
		window := d.window[d.at:]
		n := nameLength(view(window))
		if n > 0 && n < len(window) && window[n] < utf8.RuneSelf && window[0]|0x20 >= 'a' {
			s := string(window[:n])
			if strings.IndexByte(s, ':') < 0 {
				d.at += n
				return Name{"", s}, true
			}
		}
	}
	s, ok := d.name()
	if ok && strings.Count(s, ":") < 2 {
		if space, local, _ := strings.Cut(s, ":"); space != "" && local != "" {
			return Name{space, local}, true
		}
		return Name{"", s}, true
	}
	if d.err == nil {
		d.fail(msg)
	}
	return Name{}, false
}

// name reads a name, which must be a valid one if there is any.
func (d *Decoder) name() (name string, ok bool) {
	d.buf = d.buf[:0]
	if ok = d.word(); ok {
		name = string(d.buf)
		if ok = isXMLName(name); !ok {
			d.fail("invalid XML name: " + name)
		}
	}
	return name, ok
}

// standsInName says whether b can be, or be a part of, a character of a name.
func standsInName(b byte) bool {
	switch {
	case b >= utf8.RuneSelf:
		return true
	case b <= '9':
		return b >= '0' || b == '-' || b == '.'
	}
	letter := b | 0x20
	return 'a' <= letter && letter <= 'z' || b == ':' || b == '_'
}

// word adds what may be a name to the token. False: there is none, or the text ends.
func (d *Decoder) word() bool {
	start := len(d.buf)
	for {
		if d.err == nil {
			run := d.window[d.at:]
			run = run[:nameLength(view(run))]
			d.buf = append(d.buf, run...)
			d.at += len(run)
		}
		b, ok := d.must()
		if !ok {
			return false
		}
		if !standsInName(b) {
			d.back()
			break
		}
		d.buf = append(d.buf, b)
	}
	return len(d.buf) > start
}
