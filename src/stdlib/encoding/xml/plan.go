// Plans say what each field of a struct stands for: they are made once per type, from its tags.
// A plan sorts the fields by their roles, so that neither the Encoder nor the Decoder asks for
// flags: the former walks attrs and body, the latter has the field of each role at hand.
package xml

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A plan is what the fields of a struct stand for. That of any other type is empty.
type plan struct {
	name *slot  // XMLName
	all  []slot // in the order of the struct
	// The slots by what they stand for. Of roles that only one field can have it is the first.
	attrs    []*slot // attributes, with those that take any
	body     []*slot // all others
	elements []*slot // those of body that an element can name
	loneAttr *slot   // for attributes that no other slot names
	lone     *slot   // for elements that no other slot names
	text     *slot
	note     *slot
	raw      *slot
}

// A slot is a field of a struct, or of one embedded in it, and what its tag says.
type slot struct {
	index   []int
	role    role
	sparse  bool // with omitempty
	name    Name
	parents []string // of a>b>c
}

// A role is what a field stands for.
type role uint8

const (
	asElement role = iota
	asAttr
	asAnyElement
	asAnyAttr
	asText
	asCDATA
	asComment
	asRaw
	noRole // words that do not go together
)

// takesName says whether a tag can name what a field of the role stands for.
func (r role) takesName() bool { return r <= asAttr }

// takesSparse says whether fields of the role can have omitempty.
func (r role) takesSparse() bool { return r <= asAnyAttr }

func (r role) isAttr() bool    { return r == asAttr || r == asAnyAttr }
func (r role) isElement() bool { return r == asElement || r == asAnyElement }

// joined is the role that two words make together.
func (r role) joined(with role) role {
	switch {
	case r == asElement || r == with:
		return with
	case r.isAttr() && (with == asAttr || with == asAnyElement),
		r == asAnyElement && with == asAttr:
		return asAnyAttr
	}
	return noRole
}

// roles are the words of tags.
var roles = map[string]role{
	"any":      asAnyElement,
	"attr":     asAttr,
	"cdata":    asCDATA,
	"chardata": asText,
	"comment":  asComment,
	"innerxml": asRaw,
}

const ownName = "XMLName"

var (
	typeOfName = reflect.TypeFor[Name]()
	typeOfAttr = reflect.TypeFor[Attr]()
)

// plans has the plan of each type that was seen.
var plans sync.Map

func planOf(t reflect.Type) (*plan, error) {
	if known, ok := plans.Load(t); ok {
		return known.(*plan), nil
	}
	made := new(plan)
	if t.Kind() == reflect.Struct && t != typeOfName {
		if err := made.gather(t); err != nil {
			return nil, err
		}
		made.sort()
	}
	kept, _ := plans.LoadOrStore(t, made)
	return kept.(*plan), nil
}

// gather collects the slots of the struct t, with those of structs embedded in it.
func (p *plan) gather(t reflect.Type) error {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("xml") == "-" || !f.Anonymous && !f.IsExported() {
			continue
		}
		if inner := pointed(f.Type); f.Anonymous && inner.Kind() == reflect.Struct {
			if err := p.embed(t, i, inner); err != nil {
				return err
			}
			continue
		}
		s, err := newSlot(t, f)
		if err == nil && f.Name != ownName {
			err = p.insert(t, s)
		} else if err == nil {
			p.name = &s
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pointed is what t points to if it is a pointer, else t.
func pointed(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// embed adds the slots of the struct inner, which is field i of t. Its name is that of the whole if
// there is no other before it; it is looked for in the field's own struct, as Go does.
func (p *plan) embed(t reflect.Type, i int, inner reflect.Type) error {
	of, err := planOf(inner)
	if err != nil {
		return err
	}
	if p.name == nil {
		p.name = of.name
	}
	for _, s := range of.all {
		s.index = slices.Concat([]int{i}, s.index)
		if err := p.insert(t, s); err != nil {
			return err
		}
	}
	return nil
}

// insert adds a slot. Of slots that rival each other the least deep one stays; if there are two of
// them, that is an error.
func (p *plan) insert(t reflect.Type, s slot) error {
	least := len(s.index) + 1
	var equal *slot
	for i := range p.all {
		r := &p.all[i]
		if !r.rivals(&s) {
			continue
		}
		least = min(least, len(r.index))
		if equal == nil && len(r.index) == len(s.index) {
			equal = r
		}
	}
	switch {
	case least < len(s.index):
		return nil
	case equal != nil:
		a, b := t.FieldByIndex(equal.index), t.FieldByIndex(s.index)
		return &TagPathError{t, a.Name, a.Tag.Get("xml"), b.Name, b.Tag.Get("xml")}
	}
	p.all = slices.DeleteFunc(p.all, func(r slot) bool { return r.rivals(&s) })
	p.all = append(p.all, s)
	return nil
}

// rivals says whether two slots stand for the same, or one for a parent of the other.
func (s *slot) rivals(r *slot) bool {
	if s.role != r.role || s.name.Space != r.name.Space && s.name.Space != "" && r.name.Space != "" {
		return false
	}
	outer, inner := s, r
	if len(outer.parents) > len(inner.parents) {
		outer, inner = r, s
	}
	n := len(outer.parents)
	if !slices.Equal(outer.parents, inner.parents[:n]) {
		return false
	}
	if len(inner.parents) > n {
		return inner.parents[n] == outer.name.Local
	}
	return s.name == r.name
}

// sort fills in the slots by their roles.
func (p *plan) sort() {
	first := func(place **slot, s *slot) {
		if *place == nil {
			*place = s
		}
	}
	for i := range p.all {
		s := &p.all[i]
		if s.role.isAttr() {
			p.attrs = append(p.attrs, s)
		} else {
			p.body = append(p.body, s)
		}
		if s.role.isElement() {
			p.elements = append(p.elements, s)
		}
		switch s.role {
		case asAnyAttr:
			first(&p.loneAttr, s)
		case asAnyElement:
			first(&p.lone, s)
		case asText, asCDATA:
			first(&p.text, s)
		case asComment:
			first(&p.note, s)
		case asRaw:
			first(&p.raw, s)
		}
	}
}

// newSlot reads the tag of a field: [space ][path][,word…].
func newSlot(t reflect.Type, f reflect.StructField) (s slot, err error) {
	s.index = f.Index
	isOwn := f.Name == ownName
	tag := f.Tag.Get("xml")
	path := tag
	if space, rest, ok := strings.Cut(tag, " "); ok {
		s.name.Space, path = space, rest
	}
	path, words, _ := strings.Cut(path, ",")
	for word := range strings.SplitSeq(words, ",") {
		if r, ok := roles[word]; ok {
			s.role = s.role.joined(r)
		} else if word == "omitempty" {
			s.sparse = true
		}
	}
	isBad := s.role == noRole || s.role != asElement && isOwn ||
		!s.role.takesName() && path != "" || s.sparse && !s.role.takesSparse()
	place := func() string { return fmt.Sprintf("in field %s of type %s", f.Name, t) }
	switch {
	case isBad:
		return s, fmt.Errorf("xml: invalid tag %s: %q", place(), tag)
	case path == "" && s.name.Space != "":
		return s, fmt.Errorf("xml: namespace without name %s: %q", place(), tag)
	case isOwn:
		s.name.Local = path
		return s, nil
	}
	own, hasOwn := nameOf(f.Type)
	if path == "" {
		s.name.Local = f.Name
		if hasOwn {
			s.name = own
		}
		return s, nil
	}
	chain := path
	if path[0] == '>' {
		path = f.Name + path
	}
	steps := strings.Split(path, ">")
	last := len(steps) - 1
	s.name.Local = steps[last]
	if last > 0 {
		s.parents = steps[:last]
	}
	switch {
	case s.name.Local == "":
		err = fmt.Errorf("xml: trailing '>' %s", place())
	case last > 0 && s.role != asElement:
		err = fmt.Errorf("xml: %s chain not valid with %s flag", chain, words)
	case s.role == asElement && hasOwn && own.Local != s.name.Local:
		err = fmt.Errorf("xml: name %q in tag of %s.%s conflicts with name %q in %s.XMLName",
			s.name.Local, t, f.Name, own.Local, f.Type)
	}
	return s, err
}

// nameOf is what the tag of XMLName in a struct names, if it does so.
func nameOf(t reflect.Type) (name Name, ok bool) {
	kind := t.Kind()
	for ; kind == reflect.Pointer; kind = t.Kind() {
		t = t.Elem()
	}
	if kind == reflect.Struct {
		if f, ok := t.FieldByName(ownName); ok && len(f.Index) == 1 {
			if s, err := newSlot(t, f); err == nil {
				name = s.name
			}
		}
	}
	return name, name.Local != ""
}

// A TagPathError tells of two fields that stand for the same.
type TagPathError struct {
	Struct       reflect.Type
	Field1, Tag1 string
	Field2, Tag2 string
}

func (two *TagPathError) Error() string {
	return fmt.Sprintf("%s field %q with tag %q conflicts with field %q with tag %q",
		two.Struct, two.Field1, two.Tag1, two.Field2, two.Tag2)
}

// in finds the field in a struct. Behind embedded pointers that are nil there is none, unless they
// are made to point to something.
func (s *slot) in(v reflect.Value, makes bool) reflect.Value {
	last := len(s.index) - 1
	for _, i := range s.index[:last] {
		v = v.Field(i)
		if v.Kind() == reflect.Pointer {
			if !makes && v.IsNil() {
				return reflect.Value{}
			}
			v = pointee(v)
		}
	}
	return v.Field(s.index[last])
}

// able gives v as a T if its type, or the type of pointers to it, has the methods; of is that type.
func able[T any](v reflect.Value) (t T, of reflect.Type, ok bool) {
	if v.IsValid() && !mayHaveMethods(v.Type()) {
		return t, nil, false
	}
	if v.CanInterface() {
		t, ok = reflect.TypeAssert[T](v)
	}
	if !ok && v.CanAddr() {
		if v = v.Addr(); v.CanInterface() {
			t, ok = reflect.TypeAssert[T](v)
		}
	}
	return t, v.Type(), ok
}

// mayHaveMethods says whether values of a type, or pointers to them, can have methods.
func mayHaveMethods(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Interface, reflect.Pointer:
		return true
	}
	return t.PkgPath() != ""
}

func isBytes(t reflect.Type) bool { return t.Elem().Kind() == reflect.Uint8 }

// isList says whether a value of the type stands for several ones.
func isList(t reflect.Type) bool { return t.Kind() == reflect.Slice && !isBytes(t) }
