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
	var b bytes.Buffer
	e := NewEncoder(&b)
	e.Indent(prefix, indent)
	err := e.Encode(v)
	if err == nil {
		err = e.Close()
	}
	if err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// A Marshaler writes itself as one element, or as nothing.
type Marshaler interface {
	MarshalXML(e *Encoder, start StartElement) error
}

type MarshalerAttr interface {
	MarshalXMLAttr(name Name) (Attr, error)
}

// An Encoder writes XML.
type Encoder struct {
	out            printer
	prefix, indent string
	depth          int
	isInner        bool // nothing was written since the start of the innermost element
	hasLines       bool
	prefixes       map[string]string // by name space
	meanings       map[string]string // name spaces by prefix
	// The prefixes that elements define, those of each behind an empty one.
	defined  []string
	number   int    // of the last prefix that had to have one
	open     []Name // elements; one without a name is where a Marshaler began
	isClosed bool
}

func NewEncoder(w io.Writer) *Encoder {
	e := &Encoder{}
	e.out = printer{Writer: bufio.NewWriter(w), encoder: e}
	return e
}

// A printer keeps the first error.
type printer struct {
	*bufio.Writer
	encoder *Encoder
	err     error
}

func (p *printer) Write(b []byte) (n int, err error) {
	if p.isFine() {
		n, p.err = p.Writer.Write(b)
	}
	return n, p.err
}

func (p *printer) WriteString(s string) (n int, err error) {
	if p.isFine() {
		n, p.err = p.Writer.WriteString(s)
	}
	return n, p.err
}

func (p *printer) isFine() bool {
	if p.encoder.isClosed && p.err == nil {
		p.err = errors.New("use of closed Encoder")
	}
	return p.err == nil
}

// problem is the first error of writing.
func (p *printer) problem() error {
	_, err := p.Write(nil)
	return err
}

func (p *printer) put(parts ...string) {
	for _, s := range parts {
		if p.isFine() {
			_, p.err = p.Writer.WriteString(s)
		}
	}
}

func (p *printer) escape(s string) {
	if unescaped(s, false) == len(s) {
		p.put(s)
	} else {
		writeEscaped(p, []byte(s), true)
	}
}

// Indent gives each element a line, as MarshalIndent does.
func (enc *Encoder) Indent(prefix, indent string) { enc.prefix, enc.indent = prefix, indent }

// Encode writes v as Marshal does.
func (enc *Encoder) Encode(v any) error {
	if err := enc.value(reflect.ValueOf(v), nil, nil); err != nil {
		return err
	}
	return enc.Flush()
}

// EncodeElement writes v with start as the start of the element.
func (enc *Encoder) EncodeElement(v any, start StartElement) error {
	if err := enc.value(reflect.ValueOf(v), nil, &start); err != nil {
		return err
	}
	return enc.Flush()
}

func (enc *Encoder) Flush() error { return enc.out.Flush() }

// Close flushes; it fails if elements are open.
func (enc *Encoder) Close() error {
	if enc.isClosed {
		return nil
	}
	enc.isClosed = true
	if err := enc.Flush(); err != nil {
		return err
	}
	if n := len(enc.open); n > 0 {
		return fmt.Errorf("unclosed tag <%s>", enc.open[n-1].Local)
	}
	return nil
}

// EncodeToken writes a token. It does not flush.
func (enc *Encoder) EncodeToken(t Token) error {
	p := &enc.out
	switch t := t.(type) {
	case StartElement:
		if err := enc.start(&t); err != nil {
			return err
		}
	case EndElement:
		if err := enc.end(t.Name); err != nil {
			return err
		}
	case CharData:
		writeEscaped(p, t, false)
	case Comment:
		if bytes.Contains(t, []byte("-->")) {
			return errors.New("xml: EncodeToken of Comment containing --> marker")
		}
		p.put("<!--", string(t), "-->")
	case ProcInst:
		switch {
		case t.Target == "xml" && p.Buffered() != 0:
			return errors.New("xml: EncodeToken of ProcInst xml target only valid for xml " +
				"declaration, first token encoded")
		case !isName(t.Target):
			return errors.New("xml: EncodeToken of ProcInst with invalid Target")
		case bytes.Contains(t.Inst, []byte("?>")):
			return errors.New("xml: EncodeToken of ProcInst containing ?> marker")
		}
		p.put("<?", t.Target)
		if len(t.Inst) > 0 {
			p.put(" ", string(t.Inst))
		}
		p.put("?>")
	case Directive:
		if !isBalanced(t) {
			return errors.New("xml: EncodeToken of Directive containing wrong < or > markers")
		}
		p.put("<!", string(t), ">")
	default:
		return errors.New("xml: EncodeToken of invalid token type")
	}
	return p.problem()
}

// isBalanced says whether each < of a directive has its >, outside of quotes and comments.
func isBalanced(text []byte) bool {
	depth, inComment := 0, false
	var quote byte
	for i, b := range text {
		switch {
		case inComment:
			inComment = b != '>' || !bytes.HasSuffix(text[:i+1], []byte("-->"))
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'':
			quote = b
		case b == '<' && i+4 < len(text) && bytes.HasPrefix(text[i:], []byte("<!--")):
			inComment = true
		case b == '<':
			depth++
		case b == '>':
			depth--
			if depth < 0 {
				return false
			}
		}
	}
	return depth == 0 && quote == 0 && !inComment
}

// prefixFor gives the prefix of a name space, which the element that is being started defines if
// there is none.
func (enc *Encoder) prefixFor(space string) string {
	if prefix := enc.prefixes[space]; prefix != "" {
		return prefix
	}
	if space == xmlURL {
		return xmlPrefix
	}
	if enc.prefixes == nil {
		enc.prefixes, enc.meanings = map[string]string{}, map[string]string{}
	}
	prefix := strings.TrimRight(space, "/")
	prefix = prefix[strings.LastIndexByte(prefix, '/')+1:]
	if !isName(prefix) || strings.Contains(prefix, ":") {
		prefix = "_"
	}
	if len(prefix) >= 3 && strings.EqualFold(prefix[:3], "xml") {
		prefix = "_" + prefix
	}
	if enc.meanings[prefix] != "" {
		stem := prefix
		for {
			enc.number++
			prefix = stem + "_" + strconv.Itoa(enc.number)
			if enc.meanings[prefix] == "" {
				break
			}
		}
	}
	enc.prefixes[space], enc.meanings[prefix] = prefix, space
	enc.defined = append(enc.defined, prefix)
	enc.out.put("xmlns:", prefix, `="`)
	enc.out.escape(space)
	enc.out.put(`" `)
	return prefix
}

func (enc *Encoder) start(start *StartElement) error {
	if start.Name.Local == "" {
		return errors.New("xml: start tag with no name")
	}
	p := &enc.out
	enc.open = append(enc.open, start.Name)
	enc.defined = append(enc.defined, "")
	enc.newLine(1)
	p.put("<", start.Name.Local)
	if start.Name.Space != "" {
		p.put(` xmlns="`)
		p.escape(start.Name.Space)
		p.put(`"`)
	}
	for _, a := range start.Attr {
		if a.Name.Local == "" {
			continue
		}
		p.put(" ")
		if a.Name.Space != "" {
			p.put(enc.prefixFor(a.Name.Space), ":")
		}
		p.put(a.Name.Local, `="`)
		p.escape(a.Value)
		p.put(`"`)
	}
	p.put(">")
	return nil
}

func (enc *Encoder) end(name Name) error {
	n := len(enc.open) - 1
	switch {
	case name.Local == "":
		return errors.New("xml: end tag with no name")
	case n < 0 || enc.open[n].Local == "":
		return fmt.Errorf("xml: end tag </%s> without start tag", name.Local)
	case enc.open[n].Local != name.Local:
		return fmt.Errorf("xml: end tag </%s> does not match start tag <%s>",
			name.Local, enc.open[n].Local)
	case enc.open[n] != name:
		return fmt.Errorf("xml: end tag </%s> in namespace %s does not match start tag <%s> "+
			"in namespace %s", name.Local, name.Space, enc.open[n].Local, enc.open[n].Space)
	}
	enc.open = enc.open[:n]
	enc.newLine(-1)
	enc.out.put("</", name.Local, ">")
	for last := len(enc.defined) - 1; last >= 0; last-- {
		prefix := enc.defined[last]
		enc.defined = enc.defined[:last]
		if prefix == "" {
			break
		}
		delete(enc.prefixes, enc.meanings[prefix])
		delete(enc.meanings, prefix)
	}
	return nil
}

// newLine begins the line of a start (by is 1), an end (-1) or a comment. An element without
// elements in it is on one line.
func (enc *Encoder) newLine(by int) {
	if enc.prefix == "" && enc.indent == "" {
		return
	}
	if by < 0 {
		enc.depth--
		wasInner := enc.isInner
		enc.isInner = false
		if wasInner {
			return
		}
	}
	if enc.hasLines {
		enc.out.put("\n")
	}
	enc.hasLines = true
	enc.out.put(enc.prefix)
	for range enc.depth {
		enc.out.put(enc.indent)
	}
	if by > 0 {
		enc.depth++
		enc.isInner = true
	}
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Bool, reflect.Interface, reflect.Pointer, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return v.IsZero()
	}
	return false
}

// methods gives v as a T, with the type that has the methods.
func methods[T any](v reflect.Value) (t T, of reflect.Type, ok bool) {
	if v.CanInterface() {
		if t, ok = reflect.TypeAssert[T](v); ok {
			return t, v.Type(), true
		}
	}
	if v.CanAddr() {
		if p := v.Addr(); p.CanInterface() {
			t, ok = reflect.TypeAssert[T](p)
			return t, p.Type(), ok
		}
	}
	return t, nil, false
}

// value writes v, the value of a field if f is not nil, or with another start than that of its
// type.
func (enc *Encoder) value(v reflect.Value, f *field, given *StartElement) error {
	if given != nil && given.Name.Local == "" {
		return errors.New("xml: EncodeElement of StartElement with missing name")
	}
	if !v.IsValid() || f != nil && f.what&omitEmpty != 0 && isEmpty(v) {
		return nil
	}
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	t := v.Type()
	if hasMethods(t) {
		if m, of, ok := methods[Marshaler](v); ok {
			return enc.callMarshaler(m, startOf(of, f, given))
		}
		if m, of, ok := methods[encoding.TextMarshaler](v); ok {
			return enc.callText(m, startOf(of, f, given))
		}
	}
	if k := t.Kind(); (k == reflect.Slice || k == reflect.Array) && !isBytes(t) {
		for i := range v.Len() {
			if err := enc.value(v.Index(i), f, given); err != nil {
				return err
			}
		}
		return nil
	}
	info, err := infoOf(t)
	if err != nil {
		return err
	}
	start, err := enc.startOfValue(v, info, f, given)
	if err != nil {
		return err
	}
	if err := enc.start(&start); err != nil {
		return err
	}
	if t.Kind() == reflect.Struct {
		err = enc.fields(info, v)
	} else {
		var text []byte
		if text, err = simple(v); err == nil {
			enc.out.escape(string(text))
		}
	}
	if err != nil {
		return err
	}
	if err := enc.end(start.Name); err != nil {
		return err
	}
	return enc.out.problem()
}

// startOfValue is the start of v, with its attributes.
func (enc *Encoder) startOfValue(v reflect.Value, info *structInfo, f *field,
	given *StartElement) (start StartElement, err error) {
	own := info.name
	if given != nil {
		start.Name = given.Name
		start.Attr = append(start.Attr, given.Attr...)
	} else if own != nil {
		if own.name != "" {
			start.Name = Name{own.space, own.name}
		} else if name := own.of(v, false); name.IsValid() && name.Type() == nameType {
			if name := name.Interface().(Name); name.Local != "" {
				start.Name = name
			}
		}
	}
	if start.Name.Local == "" && f != nil {
		start.Name = Name{f.space, f.name}
	}
	if start.Name.Local == "" {
		start.Name.Local, _, _ = strings.Cut(v.Type().Name(), "[")
		if start.Name.Local == "" {
			return start, &UnsupportedTypeError{v.Type()}
		}
	}
	for i := range info.fields {
		a := &info.fields[i]
		if a.what&attribute == 0 {
			continue
		}
		av := a.of(v, false)
		if a.what&omitEmpty != 0 && (!av.IsValid() || isEmpty(av)) ||
			av.Kind() == reflect.Interface && av.IsNil() {
			continue
		}
		if err := addAttr(&start, Name{a.space, a.name}, av); err != nil {
			return start, err
		}
	}
	// An element in no name space within one that is in some.
	if n := len(enc.open); own != nil && start.Name.Space == "" && own.space == "" &&
		own.name == "" && n > 0 && enc.open[n-1].Space != "" {
		start.Attr = append(start.Attr, Attr{Name{"", xmlnsPrefix}, ""})
	}
	return start, nil
}

// addAttr adds the attribute that v is, or the attributes if it is a slice.
func addAttr(start *StartElement, name Name, v reflect.Value) error {
	// Behind a nil pointer there is nothing to ask.
	if !v.IsValid() || hasMethods(v.Type()) {
		if m, ok := has[MarshalerAttr](v); ok {
			a, err := m.MarshalXMLAttr(name)
			if err == nil && a.Name.Local != "" {
				start.Attr = append(start.Attr, a)
			}
			return err
		}
		if m, ok := has[encoding.TextMarshaler](v); ok {
			text, err := m.MarshalText()
			if err == nil {
				start.Attr = append(start.Attr, Attr{name, string(text)})
			}
			return err
		}
	}
	if k := v.Kind(); k == reflect.Pointer || k == reflect.Interface {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.Slice && !isBytes(v.Type()) {
		for i := range v.Len() {
			if err := addAttr(start, name, v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	if v.Type() == attrType {
		start.Attr = append(start.Attr, v.Interface().(Attr))
		return nil
	}
	text, err := simple(v)
	if err == nil {
		start.Attr = append(start.Attr, Attr{name, string(text)})
	}
	return err
}

// startOf is the start of what writes itself.
func startOf(t reflect.Type, f *field, given *StartElement) (start StartElement) {
	switch {
	case given != nil:
		start.Name = given.Name
		start.Attr = append(start.Attr, given.Attr...)
	case f != nil && f.name != "":
		start.Name = Name{f.space, f.name}
	case t.Name() != "":
		start.Name.Local = t.Name()
	default:
		start.Name.Local = t.Elem().Name()
	}
	return start
}

func (enc *Encoder) callMarshaler(m Marshaler, start StartElement) error {
	enc.open = append(enc.open, Name{})
	n := len(enc.open)
	if err := m.MarshalXML(enc, start); err != nil {
		return err
	}
	if last := len(enc.open); last > n {
		return fmt.Errorf("xml: %s.MarshalXML wrote invalid XML: <%s> not closed",
			receiver(m), enc.open[last-1].Local)
	}
	enc.open = enc.open[:n-1]
	return nil
}

func (enc *Encoder) callText(m encoding.TextMarshaler, start StartElement) error {
	if err := enc.start(&start); err != nil {
		return err
	}
	text, err := m.MarshalText()
	if err != nil {
		return err
	}
	writeEscaped(&enc.out, text, true)
	return enc.end(start.Name)
}

// simple is the text of a number, bool, string, or bytes.
func simple(v reflect.Value) ([]byte, error) {
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(nil, v.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		return strconv.AppendUint(nil, v.Uint(), 10), nil
	case reflect.Float32, reflect.Float64:
		return strconv.AppendFloat(nil, v.Float(), 'g', -1, v.Type().Bits()), nil
	case reflect.String:
		return []byte(v.String()), nil
	case reflect.Bool:
		return strconv.AppendBool(nil, v.Bool()), nil
	case reflect.Slice:
		if isBytes(v.Type()) {
			return v.Bytes(), nil
		}
	case reflect.Array:
		if isBytes(v.Type()) {
			b := make([]byte, v.Len())
			reflect.Copy(reflect.ValueOf(b), v)
			return b, nil
		}
	}
	return nil, &UnsupportedTypeError{v.Type()}
}

// target follows pointers and interfaces, up to one that is nil.
func target(v reflect.Value) reflect.Value {
	for (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) && !v.IsNil() {
		v = v.Elem()
	}
	return v
}

// fields writes what is in the element of a struct.
func (enc *Encoder) fields(info *structInfo, v reflect.Value) error {
	p := &enc.out
	parents := parents{enc, nil}
	for i := range info.fields {
		f := &info.fields[i]
		if f.what&attribute != 0 {
			continue
		}
		fv := f.of(v, false)
		if !fv.IsValid() {
			continue
		}
		if f.kind() != innerXML {
			if err := parents.leave(f.parents); err != nil {
				return err
			}
		}
		switch f.kind() {
		case cdata, charData:
			write := EscapeText
			if f.kind() == cdata {
				write = writeCDATA
			}
			text, err := fieldText(fv)
			if err == nil && text != nil {
				err = write(p, text)
			}
			if err != nil {
				return err
			}
			continue
		case comment:
			fv = target(fv)
			if k := fv.Kind(); k != reflect.String && (k != reflect.Slice || !isBytes(fv.Type())) {
				return fmt.Errorf("xml: bad type for comment field of %s", v.Type())
			}
			if fv.Len() == 0 {
				continue
			}
			text, _ := simple(fv)
			enc.newLine(0)
			p.put("<!--")
			if bytes.Contains(text, []byte("--")) {
				return errors.New(`xml: comments must not contain "--"`)
			}
			p.Write(text)
			if text[len(text)-1] == '-' {
				p.put(" ")
			}
			p.put("-->")
			continue
		case innerXML:
			fv = target(fv)
			switch raw := fv.Interface().(type) {
			case []byte:
				p.Write(raw)
				continue
			case string:
				p.WriteString(raw)
				continue
			}
		default:
			isNil := (fv.Kind() == reflect.Pointer || fv.Kind() == reflect.Interface) && fv.IsNil()
			if !isNil {
				if err := parents.enter(f.parents); err != nil {
					return err
				}
			}
		}
		if err := enc.value(fv, f, nil); err != nil {
			return err
		}
	}
	parents.leave(nil)
	return p.problem()
}

// fieldText is the text of a field for character data; nil if it has none.
func fieldText(v reflect.Value) ([]byte, error) {
	if hasMethods(v.Type()) {
		if m, ok := has[encoding.TextMarshaler](v); ok {
			text, err := m.MarshalText()
			if text == nil {
				text = []byte{}
			}
			return text, err
		}
	}
	v = target(v)
	switch v.Kind() {
	case reflect.Array:
		return nil, nil
	case reflect.Slice:
		if v.Type() != reflect.TypeFor[[]byte]() {
			return nil, nil
		}
	}
	text, err := simple(v)
	if err != nil {
		return nil, nil
	}
	return text, nil
}

// parents are elements around fields a>b>c that are open.
type parents struct {
	enc  *Encoder
	open []string
}

// leave ends those that are not in path.
func (p *parents) leave(path []string) error {
	same := 0
	for same < len(path) && same < len(p.open) && path[same] == p.open[same] {
		same++
	}
	for i := len(p.open) - 1; i >= same; i-- {
		if err := p.enc.end(Name{Local: p.open[i]}); err != nil {
			return err
		}
	}
	p.open = p.open[:same]
	return nil
}

// enter starts those of path that are not open.
func (p *parents) enter(path []string) error {
	for _, name := range path[min(len(p.open), len(path)):] {
		if err := p.enc.start(&StartElement{Name: Name{Local: name}}); err != nil {
			return err
		}
		p.open = append(p.open, name)
	}
	return nil
}

// An UnsupportedTypeError tells of a type that has no form in XML.
type UnsupportedTypeError struct {
	Type reflect.Type
}

func (e *UnsupportedTypeError) Error() string { return "xml: unsupported type: " + e.Type.String() }
