package xml

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Unmarshal reads an element into what v points to.
func Unmarshal(data []byte, v any) error {
	d := newDecoder()
	d.window = data
	return d.Decode(v)
}

// Decode reads the next element into what v points to.
func (d *Decoder) Decode(v any) error { return d.DecodeElement(v, nil) }

// DecodeElement is Decode for an element whose start has been read.
func (d *Decoder) DecodeElement(v any, start *StartElement) error {
	val := reflect.ValueOf(v)
	if val.Kind() != reflect.Pointer {
		return errors.New("non-pointer passed to Unmarshal")
	}
	if val.IsNil() {
		return errors.New("nil pointer passed to Unmarshal")
	}
	return d.unmarshal(val.Elem(), start)
}

// An UnmarshalError tells that an element is not the one that a type wants.
type UnmarshalError string

func (e UnmarshalError) Error() string { return string(e) }

// An Unmarshaler reads its element, whose start has been read, to the end.
type Unmarshaler interface {
	UnmarshalXML(d *Decoder, start StartElement) error
}

type UnmarshalerAttr interface {
	UnmarshalXMLAttr(attr Attr) error
}

// receiver is how a type is written before the name of a method.
func receiver(v any) string {
	t := reflect.TypeOf(v)
	if t.Name() == "" {
		return "(" + t.String() + ")"
	}
	return t.String()
}

func (d *Decoder) callUnmarshaler(u Unmarshaler, start *StartElement) error {
	d.limit()
	defer func(was bool) { d.inUnmarshalXML = was }(d.inUnmarshalXML)
	d.inUnmarshalXML = true
	err := u.UnmarshalXML(d, *start)
	if ended := d.unlimit(); err == nil && !ended {
		err = fmt.Errorf("xml: %s.UnmarshalXML did not consume entire <%s> element",
			receiver(u), start.Name.Local)
	}
	return err
}

// callText gives u the text of the element, without that of elements in it.
func (d *Decoder) callText(u encoding.TextUnmarshaler) error {
	var text []byte
	for depth := 1; depth > 0; {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case StartElement:
			depth++
		case EndElement:
			depth--
		case CharData:
			if depth == 1 {
				text = append(text, t...)
			}
		}
	}
	return u.UnmarshalText(text)
}

// grown gives a new last element to fill; take goes back if that fails.
func grown(v reflect.Value, fill func(reflect.Value) error) error {
	n := v.Len()
	v.Grow(1)
	v.SetLen(n + 1)
	err := fill(v.Index(n))
	if err != nil {
		v.SetLen(n)
	}
	return err
}

// pointee follows a pointer, which is made to point to something.
func pointee(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Pointer {
		return v
	}
	if v.IsNil() {
		v.Set(reflect.New(v.Type().Elem()))
	}
	return v.Elem()
}

func (d *Decoder) unmarshalAttr(v reflect.Value, a Attr) error {
	v = pointee(v)
	if hasMethods(v.Type()) {
		if u, ok := has[UnmarshalerAttr](v); ok {
			return u.UnmarshalXMLAttr(a)
		}
		if u, ok := textOf(v); ok {
			return u.UnmarshalText([]byte(a.Value))
		}
	}
	switch {
	case v.Kind() == reflect.Slice && !isBytes(v.Type()):
		return grown(v, func(v reflect.Value) error { return d.unmarshalAttr(v, a) })
	case v.Type() == attrType:
		v.Set(reflect.ValueOf(a))
		return nil
	}
	return setText(v, []byte(a.Value))
}

const maxDepth = 10000

var errDepth = errors.New("exceeded max depth")

// unmarshal reads an element into v; its start is yet to be read if start is nil.
func (d *Decoder) unmarshal(v reflect.Value, start *StartElement) error {
	if d.depth > maxDepth {
		return errDepth
	}
	for start == nil {
		t, err := d.Token()
		if err != nil {
			return err
		}
		if s, ok := t.(StartElement); ok {
			start = &s
		}
	}
	if v.Kind() == reflect.Interface && !v.IsNil() {
		if e := v.Elem(); e.Kind() == reflect.Pointer && !e.IsNil() {
			v = e
		}
	}
	v = pointee(v)
	t := v.Type()
	if hasMethods(t) {
		if u, ok := has[Unmarshaler](v); ok {
			return d.callUnmarshaler(u, start)
		}
		if u, ok := textOf(v); ok {
			return d.callText(u)
		}
	}
	var into content
	switch t.Kind() {
	case reflect.Interface:
		return d.Skip()
	case reflect.Slice:
		if !isBytes(t) {
			return grown(v, func(v reflect.Value) error { return d.unmarshal(v, start) })
		}
		into.text = v
	case reflect.Struct:
		if t == nameType {
			v.Set(reflect.ValueOf(start.Name))
		} else if err := into.begin(d, v, start); err != nil {
			return err
		}
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		into.text = v
	default:
		return errors.New("unknown type " + t.String())
	}
	return into.read(d)
}

// A content says where what is in an element goes. What is not valid goes nowhere.
type content struct {
	info      *structInfo
	whole     reflect.Value // the struct
	text      reflect.Value
	comment   reflect.Value
	raw       reflect.Value
	anything  reflect.Value
	rawFrom   int
	textRead  []byte
	notesRead []byte
}

// begin sees whether the element is the one that the struct wants, and fills in attributes.
func (c *content) begin(d *Decoder, v reflect.Value, start *StartElement) (err error) {
	if c.info, err = infoOf(v.Type()); err != nil {
		return err
	}
	c.whole = v
	if f := c.info.name; f != nil {
		if f.name != "" && f.name != start.Name.Local {
			return UnmarshalError("expected element type <" + f.name + "> but have <" +
				start.Name.Local + ">")
		}
		if f.space != "" && f.space != start.Name.Space {
			has := start.Name.Space
			if has == "" {
				has = "no name space"
			}
			return UnmarshalError("expected element <" + f.name + "> in name space " + f.space +
				" but have " + has)
		}
		if fv := f.of(v, true); fv.Type() == nameType {
			fv.Set(reflect.ValueOf(start.Name))
		}
	}
	for _, a := range start.Attr {
		if err := c.attr(d, a); err != nil {
			return err
		}
	}
	first := func(v *reflect.Value, f *field) bool {
		if v.IsValid() {
			return false
		}
		*v = f.of(c.whole, true)
		return true
	}
	for i := range c.info.fields {
		switch f := &c.info.fields[i]; f.kind() {
		case cdata, charData:
			first(&c.text, f)
		case comment:
			first(&c.comment, f)
		case anything, anything | element:
			first(&c.anything, f)
		case innerXML:
			if !first(&c.raw, f) {
				break
			}
			d.note()
			if d.saved == nil {
				d.saved = []byte{}
			} else {
				c.rawFrom = len(d.saved)
			}
		}
	}
	return nil
}

// attr gives an attribute to all fields that name it, or to the first one that takes any.
func (c *content) attr(d *Decoder, a Attr) error {
	var rest *field
	isTaken := false
	for i := range c.info.fields {
		f := &c.info.fields[i]
		switch f.kind() {
		case attribute:
			v := f.of(c.whole, true)
			if a.Name.Local != f.name || f.space != "" && f.space != a.Name.Space {
				continue
			}
			if err := d.unmarshalAttr(v, a); err != nil {
				return err
			}
			isTaken = true
		case anything | attribute:
			if rest == nil {
				rest = f
			}
		}
	}
	if isTaken || rest == nil {
		return nil
	}
	return d.unmarshalAttr(rest.of(c.whole, true), a)
}

// read reads to the end of the element.
func (c *content) read(d *Decoder) error {
	for {
		rawEnd := 0
		if c.raw.IsValid() {
			d.note()
			rawEnd = len(d.saved)
		}
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case StartElement:
			if err := c.child(d, &t); err != nil {
				return err
			}
		case CharData:
			if c.text.IsValid() {
				c.textRead = append(c.textRead, t...)
			}
		case Comment:
			if c.comment.IsValid() {
				c.notesRead = append(c.notesRead, t...)
			}
		case EndElement:
			var raw []byte
			if c.raw.IsValid() {
				raw = d.saved[c.rawFrom:rawEnd:rawEnd]
				if c.rawFrom == 0 {
					d.saved = nil
				}
			}
			return c.store(raw)
		}
	}
}

func (c *content) child(d *Decoder, start *StartElement) error {
	if c.whole.IsValid() {
		if taken, err := d.unmarshalPath(c, nil, start); taken || err != nil {
			return err
		}
		if c.anything.IsValid() {
			return d.unmarshal(c.anything, start)
		}
	}
	return d.Skip()
}

func (c *content) store(raw []byte) error {
	if v := c.text; v.IsValid() {
		u, ok := encoding.TextUnmarshaler(nil), false
		if hasMethods(v.Type()) {
			u, ok = textOf(v)
		}
		if ok {
			if err := u.UnmarshalText(c.textRead); err != nil {
				return err
			}
		} else if err := setText(v, c.textRead); err != nil {
			return err
		}
	}
	switch v := c.comment; v.Kind() {
	case reflect.String:
		v.SetString(string(c.notesRead))
	case reflect.Slice:
		v.Set(reflect.ValueOf(c.notesRead))
	}
	switch v := c.raw; v.Kind() {
	case reflect.String:
		v.SetString(string(raw))
	case reflect.Slice:
		if isBytes(v.Type()) {
			v.Set(reflect.ValueOf(raw))
		}
	}
	return nil
}

// setText sets v to what a text says.
func setText(v reflect.Value, text []byte) error {
	whole := v.Type()
	v = pointee(v)
	number := func() string {
		if len(text) == 0 {
			return "0"
		}
		return strings.TrimSpace(string(text))
	}
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(number(), 10, v.Type().Bits())
		if err != nil {
			return err
		}
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		n, err := strconv.ParseUint(number(), 10, v.Type().Bits())
		if err != nil {
			return err
		}
		v.SetUint(n)
	case reflect.Float32, reflect.Float64:
		x, err := strconv.ParseFloat(number(), v.Type().Bits())
		if err != nil {
			return err
		}
		v.SetFloat(x)
	case reflect.Bool:
		b, err := strconv.ParseBool(number())
		if err != nil {
			return err
		}
		v.SetBool(b)
	case reflect.String:
		v.SetString(string(text))
	case reflect.Slice:
		if len(text) == 0 {
			text = []byte{}
		}
		v.SetBytes(text)
	default:
		return errors.New("cannot unmarshal into " + whole.String())
	}
	return nil
}

// unmarshalPath gives an element, which is within parents, to the field that wants it, or reads on
// in it if it is itself a parent that a field names. False: nobody wants it.
func (d *Decoder) unmarshalPath(c *content, parents []string, start *StartElement) (bool, error) {
	depth := len(parents)
	var deeper []string
	for i := range c.info.fields {
		f := &c.info.fields[i]
		if f.what&element == 0 || len(f.parents) < depth ||
			f.space != "" && f.space != start.Name.Space || !samePath(parents, f.parents) {
			continue
		}
		if len(f.parents) == depth {
			if f.name == start.Name.Local {
				return true, d.unmarshal(f.of(c.whole, true), start)
			}
		} else if f.parents[depth] == start.Name.Local {
			deeper = f.parents[:depth+1]
			break
		}
	}
	if deeper == nil {
		return false, nil
	}
	for {
		t, err := d.Token()
		if err != nil {
			return true, err
		}
		switch t := t.(type) {
		case EndElement:
			return true, nil
		case StartElement:
			taken, err := d.unmarshalPath(c, deeper, &t)
			if !taken && err == nil {
				err = d.Skip()
			}
			if err != nil {
				return true, err
			}
		}
	}
}

func samePath(parents, path []string) bool {
	for i, p := range parents {
		if path[i] != p {
			return false
		}
	}
	return true
}

// Skip reads to the end of the innermost element.
func (d *Decoder) Skip() error {
	for depth := 1; depth > 0; {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t.(type) {
		case StartElement:
			depth++
		case EndElement:
			depth--
		}
	}
	return nil
}
