// Reading values: an element goes into a value by the plan of the value's type. A content says
// where its attributes, its text and the elements in it go; what has no place is read and dropped.
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
	return d.DecodeElement(v, nil)
}

// Decode reads the next element into what v points to.
func (d *Decoder) Decode(v any) error { return d.DecodeElement(v, nil) }

// DecodeElement is Decode for an element whose start has been read.
func (d *Decoder) DecodeElement(v any, start *StartElement) error {
	switch p := reflect.ValueOf(v); {
	case p.Kind() != reflect.Pointer:
		return errors.New("non-pointer passed to Unmarshal")
	case p.IsNil():
		return errors.New("nil pointer passed to Unmarshal")
	default:
		return d.fill(p.Elem(), start)
	}
}

// Skip reads to the end of the innermost element.
func (d *Decoder) Skip() error { return d.finish(nil) }

// finish reads to the end of the innermost element. It shows the text that stands in it, but not
// that of elements in it.
func (d *Decoder) finish(show func(CharData)) error {
	for depth := 0; depth >= 0; {
		next, err := d.Token()
		if err != nil {
			return err
		}
		switch t := next.(type) {
		case EndElement:
			depth--
		case StartElement:
			depth++
		case CharData:
			if depth == 0 && show != nil {
				show(t)
			}
		}
	}
	return nil
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

// lend lets u read its element; for it the tokens end there.
func (d *Decoder) lend(u Unmarshaler, start *StartElement) error {
	outer := d.isLent
	defer func() { d.isLent = outer }()
	d.isLent = true
	d.fence()
	err := u.UnmarshalXML(d, *start)
	isRead := d.unfence()
	if isRead || err != nil {
		return err
	}
	return fmt.Errorf("xml: %s.UnmarshalXML did not consume entire <%s> element",
		receiver(u), start.Name.Local)
}

// grown gives a new last element to fill; it is taken back if that fails.
func grown(list reflect.Value, fill func(reflect.Value) error) error {
	n := list.Len()
	list.Grow(1)
	list.SetLen(n + 1)
	err := fill(list.Index(n))
	if err != nil {
		list.SetLen(n)
	}
	return err
}

// pointee follows a pointer, which is made to point to something.
func pointee(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		made := reflect.New(v.Type().Elem())
		v.Set(made)
	}
	return reflect.Indirect(v)
}

// fillAttr sets v to what an attribute says.
func (d *Decoder) fillAttr(v reflect.Value, a Attr) error {
	v = pointee(v)
	if u, _, ok := able[UnmarshalerAttr](v); ok {
		return u.UnmarshalXMLAttr(a)
	}
	text := []byte(a.Value)
	if u, _, ok := able[encoding.TextUnmarshaler](v); ok {
		return u.UnmarshalText(text)
	}
	if v.Type() == typeOfAttr {
		v.Set(reflect.ValueOf(a))
		return nil
	}
	if isList(v.Type()) {
		return grown(v, func(v reflect.Value) error { return d.fillAttr(v, a) })
	}
	return setText(v, text)
}

const maxDepth = 10000

var errDepth = errors.New("exceeded max depth")

// fill reads an element into v; its start is yet to be read if start is nil.
func (d *Decoder) fill(v reflect.Value, start *StartElement) error {
	if len(d.open) > maxDepth {
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
	if v.Kind() == reflect.Interface {
		if p := v.Elem(); p.Kind() == reflect.Pointer && !p.IsNil() {
			v = p
		}
	}
	v = pointee(v)
	if u, _, ok := able[Unmarshaler](v); ok {
		return d.lend(u, start)
	}
	if u, _, ok := able[encoding.TextUnmarshaler](v); ok {
		var text []byte
		err := d.finish(func(t CharData) { text = append(text, t...) })
		if err == nil {
			err = u.UnmarshalText(text)
		}
		return err
	}
	c := content{d: d}
	switch t := v.Type(); {
	case t == typeOfName:
		v.Set(reflect.ValueOf(start.Name))
	case t.Kind() == reflect.Struct:
		if err := c.begin(v, start); err != nil {
			return err
		}
	case t.Kind() == reflect.Interface:
		return d.Skip()
	case isList(t):
		return grown(v, func(v reflect.Value) error { return d.fill(v, start) })
	case takesText(v):
		c.text = v
	default:
		return errors.New("unknown type " + t.String())
	}
	return c.read()
}

// takesText says whether setText can set v.
func takesText(v reflect.Value) bool {
	k := v.Kind()
	return k == reflect.String || k == reflect.Bool || k == reflect.Slice ||
		v.CanInt() || v.CanUint() || v.CanFloat()
}

// A content says where what is in an element goes. What is not valid goes nowhere.
type content struct {
	d         *Decoder
	plan      *plan         // nil if it is no struct
	whole     reflect.Value // the struct
	text      reflect.Value
	note      reflect.Value
	raw       reflect.Value
	lone      reflect.Value
	rawFrom   int
	textRead  []byte
	notesRead []byte
}

// begin sees whether the element is the one that the struct wants, and fills in attributes.
func (c *content) begin(v reflect.Value, start *StartElement) (err error) {
	c.whole = v
	if c.plan, err = planOf(v.Type()); err != nil {
		return err
	}
	if s := c.plan.name; s != nil {
		if err := s.wants(start.Name); err != nil {
			return err
		}
		if own := s.in(v, true); own.Type() == typeOfName {
			own.Set(reflect.ValueOf(start.Name))
		}
	}
	for i := range start.Attr {
		if err = c.attr(start.Attr[i]); err != nil {
			return err
		}
	}
	c.text = c.place(c.plan.text)
	c.note = c.place(c.plan.note)
	c.lone = c.place(c.plan.lone)
	if raw := c.place(c.plan.raw); raw.Kind() == reflect.String ||
		raw.Kind() == reflect.Slice && isBytes(raw.Type()) {
		c.raw = raw
		c.rawFrom = c.kept()
		if c.d.saved == nil {
			c.d.saved = []byte{}
		}
	}
	return nil
}

// place is where a slot is in the struct; nowhere, if there is no slot.
func (c *content) place(s *slot) (v reflect.Value) {
	if s != nil {
		v = s.in(c.whole, true)
	}
	return v
}

// kept is how much of the text has been kept for fields that want it as it stands.
func (c *content) kept() int {
	c.d.note()
	return len(c.d.saved)
}

// wants fails if the tag of XMLName names another element.
func (s *slot) wants(name Name) error {
	switch want := s.name; {
	case want.Local != "" && want.Local != name.Local:
		return UnmarshalError("expected element type <" + want.Local + "> but have <" +
			name.Local + ">")
	case want.Space != "" && want.Space != name.Space:
		if name.Space == "" {
			name.Space = "no name space"
		}
		return UnmarshalError("expected element <" + want.Local + "> in name space " + want.Space +
			" but have " + name.Space)
	}
	return nil
}

// names says whether a slot is for elements or attributes with a name.
func (s *slot) names(n Name) bool {
	return s.name.Local == n.Local && (s.name.Space == "" || s.name.Space == n.Space)
}

// attr gives an attribute to all fields that name it, or to the first one that takes any.
func (c *content) attr(a Attr) error {
	rest := c.plan.loneAttr
	for _, s := range c.plan.attrs {
		if s.role != asAttr {
			continue
		}
		if f := c.place(s); s.names(a.Name) {
			if err := c.d.fillAttr(f, a); err != nil {
				return err
			}
			rest = nil
		}
	}
	if rest == nil {
		return nil
	}
	return c.d.fillAttr(c.place(rest), a)
}

// read reads to the end of the element.
func (c *content) read() error {
	rawEnd := 0
	for {
		if c.raw.IsValid() {
			rawEnd = c.kept()
		}
		next, err := c.d.Token()
		if err != nil {
			return err
		}
		switch t := next.(type) {
		case StartElement:
			if err = c.child(&t); err != nil {
				return err
			}
		case EndElement:
			return c.store(rawEnd)
		case CharData:
			if c.text.IsValid() {
				c.textRead = append(c.textRead, t...)
			}
		case Comment:
			if c.note.IsValid() {
				c.notesRead = append(c.notesRead, t...)
			}
		}
	}
}

// child reads an element in this one: into the field that names it, else into the one that takes
// any.
func (c *content) child(start *StartElement) error {
	if c.plan == nil {
		return c.d.Skip()
	}
	taken, err := c.descend(c.plan.elements, 0, start)
	switch {
	case taken || err != nil:
		return err
	case c.lone.IsValid():
		return c.d.fill(c.lone, start)
	}
	return c.d.Skip()
}

// descend gives an element to one of the slots, which all are below the parents that it is in: so
// many as depth says. If it is itself a parent of some, it is read on in it for those. It says
// whether anybody wanted it.
func (c *content) descend(slots []*slot, depth int, start *StartElement) (bool, error) {
	next := func(s *slot) string {
		if depth < len(s.parents) {
			return s.parents[depth]
		}
		return ""
	}
	for i, s := range slots {
		inSpace := s.name.Space == "" || s.name.Space == start.Name.Space
		switch {
		case !inSpace:
		case len(s.parents) == depth:
			if s.name.Local == start.Name.Local {
				return true, c.d.fill(c.place(s), start)
			}
		case next(s) == start.Name.Local:
			var below []*slot
			for j, s := range slots {
				if depth < len(s.parents) && (j == i || next(s) == start.Name.Local) {
					below = append(below, s)
				}
			}
			return true, c.within(below, depth+1)
		}
	}
	return false, nil
}

// within reads to the end of a parent of the slots.
func (c *content) within(slots []*slot, depth int) error {
	for {
		next, err := c.d.Token()
		if err != nil {
			return err
		}
		switch t := next.(type) {
		case StartElement:
			taken, err := c.descend(slots, depth, &t)
			if err == nil && !taken {
				err = c.d.Skip()
			}
			if err != nil {
				return err
			}
		case EndElement:
			return nil
		}
	}
}

// store sets the fields for text, for comments and for what stands in the element as it is, which
// ends at rawEnd of what was kept.
func (c *content) store(rawEnd int) error {
	var raw []byte
	if c.raw.IsValid() {
		raw = c.d.saved[c.rawFrom:rawEnd:rawEnd]
		if c.rawFrom == 0 {
			c.d.saved = nil
		}
	}
	if c.text.IsValid() {
		set := setText
		if u, _, ok := able[encoding.TextUnmarshaler](c.text); ok {
			set = func(_ reflect.Value, text []byte) error { return u.UnmarshalText(text) }
		}
		if err := set(c.text, c.textRead); err != nil {
			return err
		}
	}
	for _, x := range [...]struct {
		into  reflect.Value
		bytes []byte
	}{{c.note, c.notesRead}, {c.raw, raw}} {
		switch x.into.Kind() {
		case reflect.String:
			x.into.SetString(string(x.bytes))
		case reflect.Slice:
			x.into.Set(reflect.ValueOf(x.bytes))
		}
	}
	return nil
}

// setText sets v to what a text says. No text is the number 0 and false.
func setText(v reflect.Value, text []byte) (err error) {
	into := pointee(v)
	word := "0"
	if len(text) > 0 && into.Kind() != reflect.String {
		word = strings.TrimSpace(string(text))
	}
	switch t := into.Type(); {
	case t.Kind() == reflect.String:
		into.SetString(string(text))
	case t.Kind() == reflect.Slice:
		if text == nil {
			text = []byte{}
		}
		into.SetBytes(text)
	case t.Kind() == reflect.Bool:
		var b bool
		if b, err = strconv.ParseBool(word); err == nil {
			into.SetBool(b)
		}
	case into.CanInt():
		var n int64
		if n, err = strconv.ParseInt(word, 10, t.Bits()); err == nil {
			into.SetInt(n)
		}
	case into.CanUint():
		var n uint64
		if n, err = strconv.ParseUint(word, 10, t.Bits()); err == nil {
			into.SetUint(n)
		}
	case into.CanFloat():
		var x float64
		if x, err = strconv.ParseFloat(word, t.Bits()); err == nil {
			into.SetFloat(x)
		}
	default:
		err = errors.New("cannot unmarshal into " + v.Type().String())
	}
	return err
}
