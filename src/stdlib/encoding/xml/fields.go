package xml

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A structInfo tells which fields of a struct stand for what. A field of another type is nil there.
type structInfo struct {
	name   *field // XMLName
	fields []field
}

// A field is one of a struct or of those embedded in it, and what its tag says.
type field struct {
	index   []int
	name    string
	space   string
	what    mode
	parents []string // of a>b>c
}

type mode int

const (
	element mode = 1 << iota
	attribute
	cdata
	charData
	innerXML
	comment
	anything
	omitEmpty
)

// modes are the words of tags.
var modes = map[string]mode{
	"attr":      attribute,
	"cdata":     cdata,
	"chardata":  charData,
	"innerxml":  innerXML,
	"comment":   comment,
	"any":       anything,
	"omitempty": omitEmpty,
}

// kind is the mode without what can be added to it.
func (f *field) kind() mode { return f.what &^ omitEmpty }

const nameField = "XMLName"

var (
	nameType = reflect.TypeFor[Name]()
	attrType = reflect.TypeFor[Attr]()
)

// infos has the structInfo of each type that was seen.
var infos sync.Map

func infoOf(t reflect.Type) (*structInfo, error) {
	if info, ok := infos.Load(t); ok {
		return info.(*structInfo), nil
	}
	info := &structInfo{}
	if t.Kind() == reflect.Struct && t != nameType {
		for i := range t.NumField() {
			if err := info.take(t, i); err != nil {
				return nil, err
			}
		}
	}
	stored, _ := infos.LoadOrStore(t, info)
	return stored.(*structInfo), nil
}

// take adds field i of struct t, or the fields of the struct that is embedded there.
func (info *structInfo) take(t reflect.Type, i int) error {
	f := t.Field(i)
	if !f.IsExported() && !f.Anonymous || f.Tag.Get("xml") == "-" {
		return nil
	}
	if embedded := f.Type; f.Anonymous {
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		if embedded.Kind() == reflect.Struct {
			inner, err := infoOf(embedded)
			if err != nil {
				return err
			}
			if info.name == nil {
				info.name = inner.name
			}
			for _, g := range inner.fields {
				g.index = append([]int{i}, g.index...)
				if err := info.add(t, g); err != nil {
					return err
				}
			}
			return nil
		}
	}
	g, err := fieldOf(t, &f)
	if err != nil {
		return err
	}
	if f.Name == nameField {
		info.name = g
		return nil
	}
	return info.add(t, *g)
}

// clash says whether two fields stand for the same, or one for an element that is a parent of the
// other.
func clash(a, b *field) bool {
	if a.kind() != b.kind() || a.space != "" && b.space != "" && a.space != b.space {
		return false
	}
	short := min(len(a.parents), len(b.parents))
	switch {
	case !slices.Equal(a.parents[:short], b.parents[:short]):
		return false
	case len(a.parents) > short:
		return a.parents[short] == b.name
	case len(b.parents) > short:
		return b.parents[short] == a.name
	}
	return a.name == b.name && a.space == b.space
}

// add adds a field, if none that it clashes with is less deep; fields that are deeper go.
func (info *structInfo) add(t reflect.Type, f field) error {
	var clashing []*field
	for i := range info.fields {
		if clash(&info.fields[i], &f) {
			clashing = append(clashing, &info.fields[i])
		}
	}
	for _, g := range clashing {
		if len(g.index) < len(f.index) {
			return nil
		}
	}
	for _, g := range clashing {
		if len(g.index) == len(f.index) {
			a, b := t.FieldByIndex(g.index), t.FieldByIndex(f.index)
			return &TagPathError{t, a.Name, a.Tag.Get("xml"), b.Name, b.Tag.Get("xml")}
		}
	}
	goes := func(g field) bool { return clash(&g, &f) }
	info.fields = append(slices.DeleteFunc(info.fields, goes), f)
	return nil
}

// fieldOf reads the tag of a field.
func fieldOf(t reflect.Type, f *reflect.StructField) (*field, error) {
	whole := f.Tag.Get("xml")
	g := &field{index: f.Index}
	tag := whole
	if space, rest, ok := strings.Cut(tag, " "); ok {
		g.space, tag = space, rest
	}
	tag, words, hasWords := strings.Cut(tag, ",")
	if !hasWords {
		g.what = element
	} else {
		for word := range strings.SplitSeq(words, ",") {
			g.what |= modes[word]
		}
		isValid := true
		switch g.kind() {
		case 0:
			g.what |= element
		case attribute:
			isValid = f.Name != nameField
		case cdata, charData, innerXML, comment, anything, anything | attribute:
			isValid = f.Name != nameField && tag == ""
		default:
			isValid = false
		}
		if g.kind() == anything {
			g.what |= element
		}
		if !isValid || g.what&omitEmpty != 0 && g.what&(element|attribute) == 0 {
			return nil, fmt.Errorf("xml: invalid tag in field %s of type %s: %q", f.Name, t, whole)
		}
	}
	if g.space != "" && tag == "" {
		return nil, fmt.Errorf("xml: namespace without name in field %s of type %s: %q",
			f.Name, t, whole)
	}
	if f.Name == nameField {
		g.name = tag
		return g, nil
	}
	own := nameOf(f.Type)
	if tag == "" {
		g.name = f.Name
		if own != nil {
			g.space, g.name = own.space, own.name
		}
		return g, nil
	}
	path := strings.Split(tag, ">")
	if path[0] == "" {
		path[0] = f.Name
	}
	last := len(path) - 1
	if path[last] == "" {
		return nil, fmt.Errorf("xml: trailing '>' in field %s of type %s", f.Name, t)
	}
	g.name = path[last]
	if last > 0 {
		if g.what&element == 0 {
			return nil, fmt.Errorf("xml: %s chain not valid with %s flag", tag, words)
		}
		g.parents = path[:last]
	}
	if g.what&element != 0 && own != nil && own.name != g.name {
		return nil, fmt.Errorf("xml: name %q in tag of %s.%s conflicts with name %q in %s.XMLName",
			g.name, t, f.Name, own.name, f.Type)
	}
	return g, nil
}

// nameOf is what XMLName of a struct names; nil if it names nothing.
func nameOf(t reflect.Type) *field {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Name == nameField {
			if g, err := fieldOf(t, &f); err == nil && g.name != "" {
				return g
			}
			return nil
		}
	}
	return nil
}

// A TagPathError tells of two fields that stand for the same.
type TagPathError struct {
	Struct       reflect.Type
	Field1, Tag1 string
	Field2, Tag2 string
}

func (e *TagPathError) Error() string {
	return fmt.Sprintf("%s field %q with tag %q conflicts with field %q with tag %q",
		e.Struct, e.Field1, e.Tag1, e.Field2, e.Tag2)
}

// of finds the field in a struct. Behind pointers that are nil there is none, unless they are made.
func (f *field) of(v reflect.Value, makes bool) reflect.Value {
	for depth, i := range f.index {
		if depth > 0 && v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct {
			if v.IsNil() {
				if !makes {
					return reflect.Value{}
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}

// has gives v as a T if its type, or a pointer to it, has the methods.
func has[T any](v reflect.Value) (T, bool) {
	if v.CanInterface() {
		if t, ok := reflect.TypeAssert[T](v); ok {
			return t, true
		}
	}
	if v.CanAddr() {
		if p := v.Addr(); p.CanInterface() {
			return reflect.TypeAssert[T](p)
		}
	}
	var none T
	return none, false
}

// hasMethods says whether values of a type, or pointers to them, can have methods.
func hasMethods(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Interface, reflect.Pointer:
		return true
	}
	return t.PkgPath() != ""
}

func textOf(v reflect.Value) (encoding.TextUnmarshaler, bool) {
	return has[encoding.TextUnmarshaler](v)
}

func isBytes(t reflect.Type) bool { return t.Elem().Kind() == reflect.Uint8 }
