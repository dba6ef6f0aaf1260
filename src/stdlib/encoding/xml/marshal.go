// The Encoder writes values and tokens. A value is walked by the plan of its type: the start of
// its element gets a name and attributes first, then its body is written field by field. All text
// goes through a sink, which remembers the first error, so that nothing in between has to look.
// Open elements form a stack; each knows which prefixes it has defined.
package xml

import (
	"bufio"
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// Marshal gives v as an element, or as elements if it is a slice.
func Marshal(v any) ([]byte, error) { return MarshalIndent(v, "", "") }

// MarshalIndent gives each element a line, which begins with prefix, and indent for each element
// that it is in.
func MarshalIndent(v any, prefix, indent string) ([]byte, error) {
	text := new(bytes.Buffer)
	enc := NewEncoder(text)
	enc.Indent(prefix, indent)
	for _, step := range [...]func() error{func() error { return enc.Encode(v) }, enc.Close} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}

// A Marshaler writes itself as one element, or as nothing.
type Marshaler interface {
	MarshalXML(e *Encoder, start StartElement) error
}

type MarshalerAttr interface {
	MarshalXMLAttr(name Name) (Attr, error)
}

// An UnsupportedTypeError tells of a type that has no form in XML.
type UnsupportedTypeError struct {
	Type reflect.Type
}

func (is *UnsupportedTypeError) Error() string { return "xml: unsupported type: " + is.Type.String() }

// A sink keeps the first error; nothing is written after it.
type sink struct {
	buf *bufio.Writer
	err error
}

func (s *sink) Write(b []byte) (n int, err error) {
	if s.err == nil {
		n, s.err = s.buf.Write(b)
	}
	return n, s.err
}

func (s *sink) WriteString(text string) (n int, err error) {
	if s.err == nil {
		n, s.err = s.buf.WriteString(text)
	}
	return n, s.err
}

func (s *sink) put(parts ...string) {
	for _, text := range parts {
		s.WriteString(text)
	}
}

// quoted writes the value of an attribute.
func (s *sink) quoted(text string) {
	s.put(`"`)
	s.escaped(text)
	s.put(`"`)
}

func (s *sink) escaped(text string) {
	if unescaped(text, false) == len(text) {
		s.put(text)
	} else {
		writeEscaped(s, []byte(text), true)
	}
}

// An Encoder writes XML.
type Encoder struct {
	out      sink
	isClosed bool
	open     []opened
	bound    []binding // prefixes that the open elements have defined
	number   int       // of the last prefix that had to have one

	prefix, indent string
	depth          int
	hasLines       bool
	isBare         bool // no line was begun since that of the innermost element
}

// An opened element; one without a name is where a Marshaler began. Its prefixes come after the
// first outer ones of bound.
type opened struct {
	name  Name
	outer int
}

// A binding is a prefix that stands for a name space.
type binding struct{ prefix, space string }

func NewEncoder(w io.Writer) *Encoder { return &Encoder{out: sink{buf: bufio.NewWriter(w)}} }

// Indent gives each element a line, as MarshalIndent does.
func (enc *Encoder) Indent(prefix, indent string) { enc.prefix, enc.indent = prefix, indent }

// Encode writes v as Marshal does.
func (enc *Encoder) Encode(v any) error { return enc.encode(v, nil) }

// EncodeElement writes v with start as the start of the element.
func (enc *Encoder) EncodeElement(v any, start StartElement) error { return enc.encode(v, &start) }

func (enc *Encoder) encode(v any, given *StartElement) error {
	err := enc.value(reflect.ValueOf(v), nil, given)
	if err == nil {
		err = enc.Flush()
	}
	return err
}

func (enc *Encoder) Flush() error { return enc.out.buf.Flush() }

var errClosed = errors.New("use of closed Encoder")

// Close flushes; it fails if elements are open.
func (enc *Encoder) Close() (err error) {
	if !enc.isClosed {
		enc.isClosed = true
		err = enc.Flush()
		if enc.out.err == nil {
			enc.out.err = errClosed
		}
		if err == nil && len(enc.open) > 0 {
			err = fmt.Errorf("unclosed tag <%s>", enc.innermost().name.Local)
		}
	}
	return err
}

// Tokens:

// EncodeToken writes a token. It does not flush.
func (enc *Encoder) EncodeToken(t Token) error {
	var err error
	refusal := ""
	switch t := t.(type) {
	case StartElement:
		err = enc.start(&t)
	case EndElement:
		err = enc.end(t.Name)
	case CharData:
		writeEscaped(&enc.out, t, false)
	case Comment:
		refusal = enc.enclosed("Comment", "<!--", string(t), "-->")
	case Directive:
		if !isBalanced(view(t)) {
			refusal = "Directive containing wrong < or > markers"
			break
		}
		enc.out.put("<!", string(t), ">")
	case ProcInst:
		refusal = enc.instruction(t)
	default:
		refusal = "invalid token type"
	}
	if refusal != "" {
		return errors.New("xml: EncodeToken of " + refusal)
	}
	if err == nil {
		err = enc.out.err
	}
	return err
}

// enclosed writes a text between two marks; if the second one is in it, it tells so instead.
func (enc *Encoder) enclosed(what, before, text, after string) (refusal string) {
	if strings.Contains(text, after) {
		return what + " containing " + after + " marker"
	}
	enc.out.put(before, text, after)
	return ""
}

// instruction writes a processing instruction, or tells why it does not.
func (enc *Encoder) instruction(p ProcInst) (refusal string) {
	if p.Target == "xml" && enc.out.buf.Buffered() > 0 {
		return "ProcInst xml target only valid for xml declaration, first token encoded"
	}
	if !isXMLName(p.Target) {
		return "ProcInst with invalid Target"
	}
	before := "<?" + p.Target
	if len(p.Inst) > 0 {
		before += " "
	}
	return enc.enclosed("ProcInst", before, string(p.Inst), "?>")
}

// isBalanced says whether each < of a directive has its >, outside of quotes and comments.
func isBalanced(text string) bool {
	depth := 0
	for {
		at := strings.IndexAny(text, `<>"'`)
		if at < 0 {
			return depth == 0
		}
		mark := text[at : at+1]
		isComment := strings.HasPrefix(text[at:], "<!--")
		text = text[at+1:]
		switch {
		case isComment:
			mark = "-->" // whose dashes can be those that began the comment
		case mark == "<":
			depth++
			continue
		case mark == ">":
			if depth--; depth < 0 {
				return false
			}
			continue
		}
		_, rest, isEnded := strings.Cut(text, mark)
		if !isEnded {
			return false
		}
		text = rest
	}
}

// Elements:

func (enc *Encoder) innermost() *opened { return &enc.open[len(enc.open)-1] }

func (enc *Encoder) start(e *StartElement) error {
	if e.Name.Local == "" {
		return errors.New("xml: start tag with no name")
	}
	if enc.hasForm() {
		enc.line()
		enc.depth++
		enc.isBare = true
	}
	enc.open = append(enc.open, opened{e.Name, len(enc.bound)})
	p := &enc.out
	p.put("<", e.Name.Local)
	if space := e.Name.Space; space != "" {
		p.put(" xmlns=")
		p.quoted(space)
	}
	for i := range e.Attr {
		if a := &e.Attr[i]; a.Name.Local != "" {
			p.put(" ")
			if a.Name.Space != "" {
				p.put(enc.prefixOf(a.Name.Space), ":")
			}
			p.put(a.Name.Local, "=")
			p.quoted(a.Value)
		}
	}
	p.put(">")
	return nil
}

func (enc *Encoder) end(name Name) error {
	if name.Local == "" {
		return errors.New("xml: end tag with no name")
	}
	var last opened
	if len(enc.open) > 0 {
		last = *enc.innermost()
	}
	if was := last.name; was != name {
		problem := "without start tag"
		switch was.Local {
		case "":
		case name.Local:
			problem = "in namespace " + name.Space + " does not match start tag <" + was.Local +
				"> in namespace " + was.Space
		default:
			problem = "does not match start tag <" + was.Local + ">"
		}
		return fmt.Errorf("xml: end tag </%s> %s", name.Local, problem)
	}
	enc.open = enc.open[:len(enc.open)-1]
	enc.bound = enc.bound[:last.outer]
	if enc.hasForm() {
		enc.depth--
		if !enc.isBare {
			enc.line()
		}
		enc.isBare = false
	}
	enc.out.put("</", name.Local, ">")
	return nil
}

// hasForm says whether elements have lines.
func (enc *Encoder) hasForm() bool { return enc.prefix != "" || enc.indent != "" }

// line begins a line.
func (enc *Encoder) line() {
	if enc.hasLines {
		enc.out.put("\n")
	}
	enc.hasLines = true
	enc.out.put(enc.prefix)
	for range enc.depth {
		enc.out.put(enc.indent)
	}
}

// prefixOf gives the prefix of a name space. If it has none, one is defined here and now, among the
// attributes of the element that is being started.
func (enc *Encoder) prefixOf(space string) string {
	for _, b := range enc.bound {
		if b.space == space {
			return b.prefix
		}
	}
	if space == xmlSpace {
		return xmlWord
	}
	stem := freshPrefix(space)
	prefix := stem
	for enc.isBound(prefix) {
		enc.number++
		prefix = stem + "_" + strconv.Itoa(enc.number)
	}
	enc.bound = append(enc.bound, binding{prefix, space})
	enc.out.put("xmlns:", prefix, "=")
	enc.out.quoted(space)
	enc.out.put(" ")
	return prefix
}

func (enc *Encoder) isBound(prefix string) bool {
	for _, b := range enc.bound {
		if b.prefix == prefix {
			return true
		}
	}
	return false
}

// freshPrefix is the last part of a name space's address, or _ if that is no name. What begins with
// xml is reserved.
func freshPrefix(space string) string {
	parts := strings.Split(strings.TrimRight(space, "/"), "/")
	switch word := parts[len(parts)-1]; {
	case strings.Contains(word, ":") || !isXMLName(word):
		return "_"
	case len(word) > 2 && strings.EqualFold(word[:3], "xml"):
		return "_" + word
	default:
		return word
	}
}

// Values:

// value writes v, the value of a field if s is not nil, or with another start than that of its
// type.
func (enc *Encoder) value(v reflect.Value, s *slot, given *StartElement) error {
	if given != nil && given.Name.Local == "" {
		return errors.New("xml: EncodeElement of StartElement with missing name")
	}
	if !v.IsValid() || s != nil && s.sparse && isEmpty(v) {
		return nil
	}
	if v = target(v); isNil(v) {
		return nil
	}
	if m, of, ok := able[Marshaler](v); ok {
		return enc.askMarshaler(m, startFor(of, s, given))
	}
	if m, of, ok := able[encoding.TextMarshaler](v); ok {
		e := startFor(of, s, given)
		return enc.element(&e, func() error {
			text, err := m.MarshalText()
			if err == nil {
				writeEscaped(&enc.out, text, true)
			}
			return err
		})
	}
	t := v.Type()
	if isList(t) || t.Kind() == reflect.Array && !isBytes(t) {
		for i := range v.Len() {
			if err := enc.value(v.Index(i), s, given); err != nil {
				return err
			}
		}
		return nil
	}
	p, err := planOf(t)
	if err != nil {
		return err
	}
	e, err := enc.startByPlan(v, p, s, given)
	if err != nil {
		return err
	}
	err = enc.element(&e, func() error {
		if t.Kind() == reflect.Struct {
			return enc.body(p, v)
		}
		text, err := plainText(v)
		enc.out.escaped(string(text))
		return err
	})
	if err == nil {
		err = enc.out.err
	}
	return err
}

// element writes an element with what inner writes in it.
func (enc *Encoder) element(e *StartElement, inner func() error) error {
	err := enc.start(e)
	if err == nil {
		err = inner()
	}
	if err == nil {
		err = enc.end(e.Name)
	}
	return err
}

// askMarshaler lets m write itself. It can end no elements but those that it starts.
func (enc *Encoder) askMarshaler(m Marshaler, e StartElement) error {
	outer := len(enc.open)
	enc.open = append(enc.open, opened{outer: len(enc.bound)})
	err := m.MarshalXML(enc, e)
	switch {
	case err != nil:
	case len(enc.open) > outer+1:
		err = fmt.Errorf("xml: %s.MarshalXML wrote invalid XML: <%s> not closed",
			receiver(m), enc.innermost().name.Local)
	default:
		enc.open = enc.open[:outer]
	}
	return err
}

// startFor is the start of what writes itself; t is the type that has the methods.
func startFor(t reflect.Type, s *slot, given *StartElement) StartElement {
	if given != nil {
		return given.with()
	}
	if s != nil && s.name.Local != "" {
		return StartElement{Name: s.name}
	}
	if t.Name() == "" {
		t = t.Elem()
	}
	return StartElement{Name: Name{Local: t.Name()}}
}

// with is a start to which attributes can be added.
func (start *StartElement) with() StartElement {
	return StartElement{start.Name, append([]Attr(nil), start.Attr...)}
}

// startByPlan is the start of v, with its attributes.
func (enc *Encoder) startByPlan(v reflect.Value, p *plan, s *slot, given *StartElement) (
	e StartElement, err error) {
	if given != nil {
		e = given.with()
	} else if e.Name = p.nameIn(v); e.Name.Local == "" && s != nil {
		e.Name = s.name
	}
	if e.Name.Local == "" {
		e.Name.Local, _, _ = strings.Cut(v.Type().Name(), "[")
	}
	if e.Name.Local == "" {
		return e, &UnsupportedTypeError{v.Type()}
	}
	for _, s := range p.attrs {
		av := s.in(v, false)
		if s.sparse && (!av.IsValid() || isEmpty(av)) || av.Kind() == reflect.Interface && av.IsNil() {
			continue
		}
		if err = e.add(s.name, av); err != nil {
			return e, err
		}
	}
	// An element that is in no name space says so if it is within one that is in some.
	isFree := p.name != nil && p.name.name == Name{} && e.Name.Space == ""
	if isFree && len(enc.open) > 0 && enc.innermost().name.Space != "" {
		e.Attr = append(e.Attr, Attr{Name: Name{Local: nsWord}})
	}
	return e, nil
}

// nameIn is what XMLName of v names, by its tag or by its value.
func (p *plan) nameIn(v reflect.Value) (name Name) {
	if p.name == nil {
		return name
	}
	if name = p.name.name; name.Local == "" {
		if f := p.name.in(v, false); f.IsValid() && f.Type() == typeOfName {
			name = f.Interface().(Name)
		}
	}
	if name.Local == "" {
		return Name{}
	}
	return name
}

// add adds the attribute that v is, or the attributes if it is a slice.
func (start *StartElement) add(name Name, v reflect.Value) error {
	a, isWhole := Attr{Name: name}, true
	var text []byte
	var err error
	if m, _, ok := able[MarshalerAttr](v); ok {
		a, err = m.MarshalXMLAttr(name)
		isWhole = a.Name.Local != ""
	} else if m, _, ok := able[encoding.TextMarshaler](v); ok {
		text, err = m.MarshalText()
		a.Value = string(text)
	} else {
		if isNil(v) {
			return nil
		}
		if k := v.Kind(); k == reflect.Pointer || k == reflect.Interface {
			v = v.Elem()
		}
		switch t := v.Type(); {
		case isList(t):
			for i := range v.Len() {
				if err := start.add(name, v.Index(i)); err != nil {
					return err
				}
			}
			return nil
		case t == typeOfAttr:
			a = v.Interface().(Attr)
		default:
			text, err = plainText(v)
			a.Value = string(text)
		}
	}
	if err == nil && isWhole {
		start.Attr = append(start.Attr, a)
	}
	return err
}

// body writes what is in the element of a struct. Elements around fields a>b>c stay open as long as
// the fields that follow are in them, too.
func (enc *Encoder) body(p *plan, v reflect.Value) (err error) {
	var around []string
	for _, s := range p.body {
		f := s.in(v, false)
		if !f.IsValid() {
			continue
		}
		if s.role != asRaw {
			enters := s.role.isElement() && !isNil(f)
			if around, err = enc.move(around, s.parents, enters); err != nil {
				return err
			}
		}
		switch s.role {
		case asText, asCDATA:
			err = enc.text(s.role, f)
		case asComment:
			err = enc.note(v, target(f))
		case asRaw:
			if f = target(f); !enc.raw(f) {
				err = enc.value(f, s, nil)
			}
		default:
			err = enc.value(f, s, nil)
		}
		if err != nil {
			return err
		}
	}
	enc.move(around, nil, false)
	return enc.out.err
}

// move ends those of the elements in from that are not in to, and starts the others in to if it
// enters them. It gives those that are open then.
func (enc *Encoder) move(from, to []string, enters bool) ([]string, error) {
	same := 0
	for same < min(len(from), len(to)) && from[same] == to[same] {
		same++
	}
	for last := len(from) - 1; last >= same; last-- {
		if err := enc.end(Name{Local: from[last]}); err != nil {
			return from, err
		}
	}
	if !enters {
		return from[:same], nil
	}
	for _, name := range to[same:] {
		if err := enc.start(&StartElement{Name: Name{Local: name}}); err != nil {
			return from, err
		}
	}
	return to, nil
}

// text writes a field for character data, if it has a text.
func (enc *Encoder) text(as role, v reflect.Value) error {
	var text []byte
	if m, _, ok := able[encoding.TextMarshaler](v); ok {
		var err error
		if text, err = m.MarshalText(); err != nil {
			return err
		}
	} else {
		v = target(v)
		k := v.Kind()
		if k == reflect.Array || k == reflect.Slice && v.Type() != reflect.TypeFor[[]byte]() {
			return nil
		}
		text, _ = plainText(v)
	}
	if as == asCDATA {
		return writeCDATA(&enc.out, text)
	}
	return EscapeText(&enc.out, text)
}

// note writes the comment that a field of v is.
func (enc *Encoder) note(v, f reflect.Value) error {
	if k := f.Kind(); k != reflect.String && (k != reflect.Slice || isList(f.Type())) {
		return fmt.Errorf("xml: bad type for comment field of %s", v.Type())
	}
	text, _ := plainText(f)
	if len(text) == 0 {
		return nil
	}
	if enc.hasForm() {
		enc.line()
	}
	enc.out.put("<!--")
	if bytes.Contains(text, []byte("--")) {
		return errors.New(`xml: comments must not contain "--"`)
	}
	enc.out.Write(text)
	if bytes.HasSuffix(text, []byte("-")) {
		enc.out.put(" ")
	}
	enc.out.put("-->")
	return nil
}

// raw writes v as it is, if it is a string or bytes.
func (enc *Encoder) raw(v reflect.Value) bool {
	switch text := v.Interface().(type) {
	case string:
		enc.out.put(text)
	case []byte:
		enc.out.Write(text)
	default:
		return false
	}
	return true
}

// plainText is the text of a number, bool, string, or bytes.
func plainText(v reflect.Value) ([]byte, error) {
	t := v.Type()
	switch k := t.Kind(); {
	case k == reflect.String:
		return []byte(v.String()), nil
	case v.CanInt():
		return strconv.AppendInt(nil, v.Int(), 10), nil
	case v.CanUint():
		return strconv.AppendUint(nil, v.Uint(), 10), nil
	case v.CanFloat():
		return strconv.AppendFloat(nil, v.Float(), 'g', -1, t.Bits()), nil
	case k == reflect.Bool:
		return strconv.AppendBool(nil, v.Bool()), nil
	case k == reflect.Slice && isBytes(t):
		return v.Bytes(), nil
	case k == reflect.Array && isBytes(t):
		text := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(text), v)
		return text, nil
	}
	return nil, &UnsupportedTypeError{t}
}

// isEmpty says whether v is what omitempty omits.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct, reflect.Complex64, reflect.Complex128, reflect.Chan, reflect.Func,
		reflect.UnsafePointer:
		return false
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	}
	return v.IsZero()
}

// isNil says whether v is a pointer or an interface with nothing behind it.
func isNil(v reflect.Value) bool {
	k := v.Kind()
	return (k == reflect.Pointer || k == reflect.Interface) && v.IsNil()
}

// target follows pointers and interfaces, up to one that is nil.
func target(v reflect.Value) reflect.Value {
	for k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface) && !v.IsNil(); k = v.Kind() {
		v = v.Elem()
	}
	return v
}
