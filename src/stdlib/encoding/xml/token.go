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

	buf     []byte // of the token
	open    []entry
	depth   int // elements in open
	spaces  map[string]string
	next    Token // comes before what is read
	toClose *Name // an element whose end comes next

	inUnmarshalXML bool
}

// An entry is an open element; a prefix that means another name space in the element that is opened
// above it, with what it meant before; or where the tokens end for an Unmarshaler.
type entry struct {
	kind entryKind
	name Name
	had  bool
}

type entryKind int

const (
	isElement entryKind = iota
	isPrefix
	isEnd
)

// NewDecoder reads from r, which is not read ahead if it is an io.ByteReader.
func NewDecoder(r io.Reader) *Decoder {
	d := newDecoder()
	d.readFrom(r)
	return d
}

// NewTokenDecoder takes the tokens of t.
func NewTokenDecoder(t TokenReader) *Decoder {
	if d, ok := t.(*Decoder); ok {
		return d
	}
	d := newDecoder()
	d.tokens = t
	return d
}

func newDecoder() *Decoder {
	return &Decoder{
		Strict: true,
		source: wholeSource{},
		line:   1,
		buf:    make([]byte, 0, 64),
		spaces: map[string]string{},
	}
}

func (d *Decoder) top() *entry {
	if len(d.open) == 0 {
		return nil
	}
	return &d.open[len(d.open)-1]
}

func (d *Decoder) push(kind entryKind, name Name, had bool) {
	d.open = append(d.open, entry{kind, name, had})
	if kind == isElement {
		d.depth++
	}
}

func (d *Decoder) pop() {
	if d.top().kind == isElement {
		d.depth--
	}
	d.open = d.open[:len(d.open)-1]
}

// limit lets the tokens end behind the innermost element.
func (d *Decoder) limit() {
	at := len(d.open) - 1
	for d.open[at].kind != isElement {
		at--
	}
	for at > 0 && d.open[at-1].kind == isPrefix {
		at--
	}
	d.open = slices.Insert(d.open, at, entry{kind: isEnd})
}

// unlimit undoes limit, unless the element has not ended.
func (d *Decoder) unlimit() bool {
	if t := d.top(); t == nil || t.kind != isEnd {
		return false
	}
	d.pop()
	return true
}

// Token gives the next token, with elements closed in the order they were opened, and name spaces
// in place of prefixes.
func (d *Decoder) Token() (Token, error) {
	if t := d.top(); t != nil && t.kind == isEnd {
		return nil, io.EOF
	}
	t := d.next
	if t != nil {
		d.next = nil
	} else {
		var err error
		if t, err = d.rawToken(); t == nil && err != nil {
			if err == io.EOF && d.top() != nil {
				err = d.syntaxError("unexpected EOF")
			}
			return nil, err
		}
	}
	if !d.Strict && d.closesItself(t) {
		d.next = t
		t = EndElement{d.top().name}
	}
	switch t := t.(type) {
	case StartElement:
		for _, a := range t.Attr {
			prefix := a.Name.Local
			switch {
			case a.Name.Space == xmlnsPrefix:
			case a.Name.Space == "" && prefix == xmlnsPrefix:
				prefix = ""
			default:
				continue
			}
			meant, had := d.spaces[prefix]
			d.push(isPrefix, Name{meant, prefix}, had)
			d.spaces[prefix] = a.Value
		}
		d.push(isElement, t.Name, false)
		d.translate(&t.Name, true)
		for i := range t.Attr {
			d.translate(&t.Attr[i].Name, false)
		}
		return t, nil
	case EndElement:
		if !d.closeElement(&t) {
			return nil, d.err
		}
		return t, nil
	}
	return t, nil
}

// closesItself says whether the innermost element is one that ends at once, and t does not end it.
func (d *Decoder) closesItself(t Token) bool {
	top := d.top()
	if top == nil || top.kind != isElement {
		return false
	}
	isTop := func(s string) bool { return strings.EqualFold(s, top.name.Local) }
	if !slices.ContainsFunc(d.AutoClose, isTop) {
		return false
	}
	end, ok := t.(EndElement)
	return !ok || !isTop(end.Name.Local)
}

// translate puts the name space in place of a prefix.
func (d *Decoder) translate(n *Name, isElementName bool) {
	switch n.Space {
	case xmlnsPrefix:
		return
	case xmlPrefix:
		n.Space = xmlURL
	case "":
		if !isElementName || n.Local == xmlnsPrefix {
			return
		}
	}
	if space, ok := d.spaces[n.Space]; ok {
		n.Space = space
	} else if n.Space == "" {
		n.Space = d.DefaultSpace
	}
}

// closeElement closes the innermost element, which t should be the end of. Prefixes mean what they
// did before.
func (d *Decoder) closeElement(t *EndElement) bool {
	name := t.Name
	top := d.top()
	if top == nil || top.kind != isElement {
		if top != nil {
			d.pop()
		}
		d.fail("unexpected end element </" + name.Local + ">")
		return false
	}
	opened := top.name
	d.pop()
	switch {
	case opened.Local != name.Local:
		if !d.Strict {
			d.toClose = &name
			t.Name = opened
			return true
		}
		d.fail("element <" + opened.Local + "> closed by </" + name.Local + ">")
		return false
	case opened.Space != name.Space:
		space := name.Space
		if space == "" {
			space = `""`
		}
		d.fail("element <" + opened.Local + "> in space " + opened.Space + " closed by </" +
			name.Local + "> in space " + space)
		return false
	}
	d.translate(&t.Name, true)
	for top := d.top(); top != nil && top.kind == isPrefix; top = d.top() {
		if top.had {
			d.spaces[top.name.Local] = top.name.Space
		} else {
			delete(d.spaces, top.name.Local)
		}
		d.pop()
	}
	return true
}

var errRawToken = errors.New("xml: cannot use RawToken from UnmarshalXML method")

// RawToken gives the next token as it stands in the text.
func (d *Decoder) RawToken() (Token, error) {
	if d.inUnmarshalXML {
		return nil, errRawToken
	}
	return d.rawToken()
}

func (d *Decoder) rawToken() (Token, error) {
	if d.tokens != nil {
		return d.tokens.Token()
	}
	if d.err != nil {
		return nil, d.err
	}
	if name := d.toClose; name != nil {
		d.toClose = nil
		return EndElement{*name}, nil
	}
	t := d.read()
	if d.isShared {
		d.leave()
	}
	if t == nil {
		return nil, d.err
	}
	return t, nil
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
		return d.procInst()
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
	name, ok := d.qualified("expected element name after </")
	if !ok {
		return nil
	}
	d.space()
	b, ok := d.must()
	if !ok {
		return nil
	}
	if b != '>' {
		return d.fail("invalid characters between </" + name.Local + " and >")
	}
	return EndElement{name}
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
			d.toClose = &closed
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

// value reads the value of an attribute.
func (d *Decoder) value() []byte {
	b, ok := d.must()
	if !ok {
		return nil
	}
	if b == '"' || b == '\'' {
		return d.text(int(b), false)
	}
	if d.Strict {
		d.fail("unquoted or missing attribute value in element")
		return nil
	}
	d.back()
	d.buf = d.buf[:0]
	for {
		if b, ok = d.must(); !ok {
			return nil
		}
		if b >= utf8.RuneSelf || !isNameByte(b) || b == '.' {
			d.back()
			return d.buf
		}
		d.buf = append(d.buf, b)
	}
}

func (d *Decoder) procInst() Token {
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
	if !ok {
		return nil
	}
	if b != '-' {
		return d.fail("invalid sequence <!- not part of <!--")
	}
	d.buf = d.buf[:0]
	for dashes := 0; ; {
		if b, ok = d.must(); !ok {
			return nil
		}
		if dashes == 2 {
			if b != '>' {
				return d.fail(`invalid sequence "--" not allowed in comments`)
			}
			return Comment(d.buf[:len(d.buf)-2])
		}
		d.buf = append(d.buf, b)
		if b == '-' {
			dashes++
		} else {
			dashes = 0
		}
	}
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

func (d *Decoder) skipComment() bool {
	var b0, b1 byte
	for {
		b, ok := d.must()
		if !ok {
			return false
		}
		if b0 == '-' && b1 == '-' && b == '>' {
			return true
		}
		b0, b1 = b1, b
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
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			d.fail("invalid UTF-8")
			return false
		}
		if !isAllowed(r) {
			d.fail(fmt.Sprintf("illegal character code %U", r))
			return false
		}
		text = text[size:]
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
		if !d.readName() && d.err != nil {
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
			if isName(name) {
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

func (d *Decoder) name() (string, bool) {
	d.buf = d.buf[:0]
	if !d.readName() {
		return "", false
	}
	s := string(d.buf)
	if !isName(s) {
		d.fail("invalid XML name: " + s)
		return "", false
	}
	return s, true
}

func isNameByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' ||
		b == '_' || b == ':' || b == '.' || b == '-'
}

// readName adds what may be a name to the token. False: there is none, or the text ends.
func (d *Decoder) readName() bool {
	for isFirst := true; ; isFirst = false {
		if d.err == nil {
			window := d.window[d.at:]
			if n := nameLength(view(window)); n > 0 {
				d.buf = append(d.buf, window[:n]...)
				d.at += n
				isFirst = false
			}
		}
		b, ok := d.must()
		if !ok {
			return false
		}
		if b < utf8.RuneSelf && !isNameByte(b) {
			d.back()
			return !isFirst
		}
		d.buf = append(d.buf, b)
	}
}
