package gob

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// This file holds what the package knows of types: shapes, which are facts of Go types alone, and
// definitions, which are what a stream says of a type. Definitions are values without methods of
// their own per form; wireType is only the coat that they wear in a stream.

// A way is how the values of a type are written or read: by its kind, or by methods of its own.
type way uint8

const (
	byKind way = iota
	byGob
	byBinary
)

// The methods by which types write and read themselves.
var (
	writing = [...]reflect.Type{
		byGob:    reflect.TypeFor[GobEncoder](),
		byBinary: reflect.TypeFor[encoding.BinaryMarshaler](),
	}
	reading = [...]reflect.Type{
		byGob:    reflect.TypeFor[GobDecoder](),
		byBinary: reflect.TypeFor[encoding.BinaryUnmarshaler](),
	}
)

// A shape is a type with all that it points to, and who writes and reads its values.
type shape struct {
	chain         []reflect.Type // the type, what it points to, and so on
	writes, reads methods
}

// methods says that the type in chain[at] has the methods, or a pointer to it if onAddress is set.
type methods struct {
	way
	at        int
	onAddress bool
}

// user is the type itself, base the one behind all pointers.
func (s *shape) user() reflect.Type { return s.chain[0] }
func (s *shape) base() reflect.Type { return s.chain[len(s.chain)-1] }

// sent is the type that is told to the reader.
func (s *shape) sent() reflect.Type {
	if s.writes.way != byKind {
		return s.user()
	}
	return s.base()
}

var shapes sync.Map // from reflect.Type to *shape

func shapeOf(t reflect.Type) (*shape, error) {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape), nil
	}
	s := &shape{chain: []reflect.Type{t}}
	for i := 0; s.chain[i].Kind() == reflect.Pointer; i++ {
		next := s.chain[i].Elem()
		// A chain that comes back to itself meets the type half as far sooner or later.
		if next == s.chain[(i+1)/2] {
			return nil, errors.New("can't represent recursive pointer type " + next.String())
		}
		s.chain = append(s.chain, next)
	}
	s.writes = s.methods(writing[:])
	s.reads = s.methods(reading[:])
	kept, _ := shapes.LoadOrStore(t, s)
	return kept.(*shape), nil
}

// methods looks for the first of the interfaces that some type of the chain has.
func (s *shape) methods(faces []reflect.Type) methods {
	for w, face := range faces {
		if face == nil {
			continue
		}
		has := func(t reflect.Type) bool { return t.Implements(face) }
		if at := slices.IndexFunc(s.chain, has); at >= 0 {
			return methods{way: way(w), at: at}
		}
		if len(s.chain) == 1 && has(reflect.PointerTo(s.user())) {
			return methods{way: way(w), onAddress: true}
		}
	}
	return methods{}
}

// mustShape is shapeOf where a failure ends the call.
func mustShape(t reflect.Type) *shape {
	s, err := shapeOf(t)
	if err != nil {
		fail(err)
	}
	return s
}

// A typeId stands for a type in a stream.
type typeId int32

const (
	idBool typeId = 1 + iota
	idInt
	idUint
	idFloat
	idBytes
	idString
	idComplex
	idInterface
	idWireType typeId = 16

	// Numbers below this are those of the types that every decoder knows.
	firstFree = 64
)

// idOfKind has the numbers of the kinds that need no definition.
var idOfKind = [...]typeId{
	reflect.Bool:       idBool,
	reflect.Int:        idInt,
	reflect.Int8:       idInt,
	reflect.Int16:      idInt,
	reflect.Int32:      idInt,
	reflect.Int64:      idInt,
	reflect.Uint:       idUint,
	reflect.Uint8:      idUint,
	reflect.Uint16:     idUint,
	reflect.Uint32:     idUint,
	reflect.Uint64:     idUint,
	reflect.Uintptr:    idUint,
	reflect.Float32:    idFloat,
	reflect.Float64:    idFloat,
	reflect.Complex64:  idComplex,
	reflect.Complex128: idComplex,
	reflect.String:     idString,
	reflect.Interface:  idInterface,

	reflect.UnsafePointer: 0,
}

// basicId is the number of a type that needs no definition, or 0.
func basicId(t reflect.Type) typeId {
	if isBytes(t) {
		return idBytes
	}
	return idOfKind[t.Kind()]
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// A form is the sort of a definition.
type form uint8

const (
	formNone form = iota // what a stream left out
	formBasic
	formArray
	formSlice
	formMap
	formStruct
	formGob
	formBinary
	formText
)

// formOfKind has the forms of the kinds that consist of other types.
var formOfKind = [...]form{
	reflect.Array:         formArray,
	reflect.Map:           formMap,
	reflect.Slice:         formSlice,
	reflect.Struct:        formStruct,
	reflect.UnsafePointer: formNone,
}

// formOfWay has the forms of types that write themselves.
var formOfWay = [...]form{byGob: formGob, byBinary: formBinary}

// CommonType is what the definitions in a stream begin with. It is exported for being so there.
type CommonType struct {
	Name string
	Id   typeId
}

// A definition is what a stream says of a type, or would say.
type definition struct {
	form form
	CommonType
	key, elem typeId
	length    int
	fields    []fieldType
}

// The following types are the format of definitions; their names and fields are known to all
// decoders. Of a wireType one field is set.
type (
	wireType struct {
		ArrayT           *arrayType
		SliceT           *sliceType
		StructT          *structType
		MapT             *mapType
		GobEncoderT      *gobEncoderType
		BinaryMarshalerT *gobEncoderType
		TextMarshalerT   *gobEncoderType
	}
	arrayType struct {
		CommonType
		Elem typeId
		Len  int
	}
	gobEncoderType struct{ CommonType }
	sliceType      struct {
		CommonType
		Elem typeId
	}
	structType struct {
		CommonType
		Field []fieldType
	}
	fieldType struct {
		Name string
		Id   typeId
	}
	mapType struct {
		CommonType
		Key  typeId
		Elem typeId
	}
)

// wire gives d as it goes into a stream.
func (d *definition) wire() (w wireType) {
	own := &gobEncoderType{d.CommonType}
	switch d.form {
	case formStruct:
		w.StructT = &structType{d.CommonType, d.fields}
	case formSlice:
		w.SliceT = &sliceType{d.CommonType, d.elem}
	case formMap:
		w.MapT = &mapType{d.CommonType, d.key, d.elem}
	case formArray:
		w.ArrayT = &arrayType{d.CommonType, d.elem, d.length}
	case formGob:
		w.GobEncoderT = own
	case formBinary:
		w.BinaryMarshalerT = own
	}
	return w
}

// definition gives what w, which came from a stream, says.
func (w *wireType) definition() *definition {
	if a := w.ArrayT; a != nil {
		return &definition{form: formArray, CommonType: a.CommonType, elem: a.Elem, length: a.Len}
	}
	if s := w.SliceT; s != nil {
		return &definition{form: formSlice, CommonType: s.CommonType, elem: s.Elem}
	}
	if s := w.StructT; s != nil {
		return &definition{form: formStruct, CommonType: s.CommonType, fields: s.Field}
	}
	if m := w.MapT; m != nil {
		return &definition{form: formMap, CommonType: m.CommonType, key: m.Key, elem: m.Elem}
	}
	for i, own := range [...]*gobEncoderType{w.GobEncoderT, w.BinaryMarshalerT, w.TextMarshalerT} {
		if own != nil {
			return &definition{form: formGob + form(i), CommonType: own.CommonType}
		}
	}
	return &definition{CommonType: CommonType{Name: "unknown type"}}
}

// is says whether d, which may be nil, has that form.
func (d *definition) is(f form) bool { return d != nil && d.form == f }

// known holds the definitions of this process. Types get their numbers in the order in which they
// are defined, so that streams of equal programs are equal.
var known struct {
	sync.Mutex
	byType map[reflect.Type]*definition
	byId   []*definition
	common [firstFree]*definition // those that every decoder knows
}

// numbered gives d the next number, unless it has one; known is locked.
func numbered(d *definition) typeId {
	if d.Id == 0 {
		d.Id = typeId(len(known.byId))
		known.byId = append(known.byId, d)
	}
	return d.Id
}

// commonDefinition is that of a number if every decoder knows it.
func commonDefinition(id typeId) *definition {
	if 0 <= id && id < firstFree {
		return known.common[id]
	}
	return nil
}

// typeText writes out the type of this process with that number; ok is false if there is none.
func typeText(id typeId) (text string, ok bool) {
	known.Lock()
	defer known.Unlock()
	seen := map[typeId]bool{}
	var write func(id typeId) string
	write = func(id typeId) string {
		if id <= 0 || int(id) >= len(known.byId) || known.byId[id] == nil {
			ok = false
			return "<nil>"
		}
		d := known.byId[id]
		if d.form < formArray || d.form > formStruct || seen[id] {
			return d.Name
		}
		seen[id] = true
		switch d.form {
		case formMap:
			key := write(d.key)
			return "map[" + key + "]" + write(d.elem)
		case formSlice:
			return "[]" + write(d.elem)
		case formArray:
			return fmt.Sprintf("[%d]", d.length) + write(d.elem)
		}
		var b strings.Builder
		b.WriteString(d.Name + " = struct { ")
		for _, f := range d.fields {
			b.WriteString(f.Name + " " + write(f.Id) + "; ")
		}
		return b.String() + "}"
	}
	ok = true
	text = write(id)
	return text, ok
}

// begin defines the types that every decoder knows, and registers the basic ones.
var begin = sync.OnceFunc(func() {
	names := "bool int uint float bytes string complex interface _reserved7 _reserved6 " +
		"_reserved5 _reserved4 _reserved3 _reserved2 _reserved1"
	known.byType = map[reflect.Type]*definition{}
	known.byId = make([]*definition, 1, firstFree)
	for name := range strings.FieldsSeq(names) {
		numbered(&definition{form: formBasic, CommonType: CommonType{Name: name}})
	}
	if _, err := told(mustShape(reflect.TypeFor[wireType]())); err != nil {
		panic(err)
	}
	copy(known.common[:], known.byId)
	known.byId = known.byId[:firstFree]

	registerKind[bool]()
	registerKind[int]()
	registerKind[int8]()
	registerKind[int16]()
	registerKind[int32]()
	registerKind[int64]()
	registerKind[uint]()
	registerKind[uint8]()
	registerKind[uint16]()
	registerKind[uint32]()
	registerKind[uint64]()
	registerKind[uintptr]()
	registerKind[float32]()
	registerKind[float64]()
	registerKind[complex64]()
	registerKind[complex128]()
	registerKind[string]()
})

// define gives the definition of t, which gets that name if it has none yet; known is locked.
// Structs have their numbers before the types of their fields, all others after their parts. Types
// may contain themselves, so a definition is known before it is complete.
func define(name string, s *shape, t reflect.Type) (*definition, error) {
	if s.writes.way == byKind {
		if id := basicId(t); id != 0 {
			return known.byId[id], nil
		}
	}
	if d := known.byType[t]; d != nil {
		return d, nil
	}
	d := &definition{form: formOfKind[t.Kind()], CommonType: CommonType{Name: name}}
	if s.writes.way != byKind {
		d.form = formOfWay[s.writes.way]
	}
	known.byType[t] = d
	err := d.complete(t)
	if err != nil && d.form != formStruct {
		// A struct stays known with the fields before the bad one, as in Go.
		delete(known.byType, t)
	}
	return d, err
}

func (d *definition) complete(t reflect.Type) (err error) {
	part := func(name string, t reflect.Type) (part *definition) {
		if err == nil {
			s := mustShape(t)
			part, err = define(name, s, s.base())
		}
		return part
	}
	switch d.form {
	case formArray:
		d.length = t.Len()
		if elem := part("", t.Elem()); err == nil {
			numbered(d)
			d.elem = elem.Id
		}
	case formMap:
		key, elem := part("", t.Key()), part("", t.Elem())
		if err == nil {
			numbered(d)
			d.key, d.elem = key.Id, elem.Id
		}
	case formSlice:
		if elem := part(t.Elem().Name(), t.Elem()); err == nil {
			numbered(d)
			d.elem = numbered(elem)
		}
	case formStruct:
		numbered(d)
		for f := range travellers(t) {
			base := mustShape(f.Type).base()
			name := base.Name()
			if name == "" {
				name = base.String()
			}
			of := part(name, f.Type)
			if err != nil {
				break
			}
			d.fields = append(d.fields, fieldType{f.Name, numbered(of)})
		}
	case formGob, formBinary:
		numbered(d)
	default:
		err = errors.New("gob NewTypeObject can't handle type: " + t.String())
	}
	return err
}

func exported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// travellers yields the fields of a struct that go into streams: they are exported, and neither
// channels or funcs nor pointers to those.
func travellers(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			f := t.Field(i)
			of := f.Type
			for of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			stays := of.Kind() == reflect.Chan || of.Kind() == reflect.Func || !exported(f.Name)
			if !stays && !yield(f) {
				return
			}
		}
	}
}

// A telling is what an encoder tells of a type.
type telling struct {
	id  typeId
	def *definition
}

var tellings sync.Map // from reflect.Type to *telling

func told(s *shape) (*telling, error) {
	t := s.sent()
	if has, ok := tellings.Load(t); ok {
		return has.(*telling), nil
	}
	known.Lock()
	defer known.Unlock()
	d, err := define(t.Name(), mustShape(t), s.base())
	if err != nil {
		return nil, err
	}
	tell := &telling{d.Id, d}
	// A pointer type that writes itself has a definition beside that of its base.
	if t != s.base() {
		if tell.def, err = define(t.Name(), s, t); err != nil {
			return nil, err
		}
	}
	has, _ := tellings.LoadOrStore(t, tell)
	return has.(*telling), nil
}

type GobEncoder interface {
	GobEncode() ([]byte, error)
}

type GobDecoder interface {
	GobDecode([]byte) error
}

// registered has of each name the type as it was given, and of each base type the name.
var registered struct {
	sync.RWMutex
	types map[string]reflect.Type
	names map[reflect.Type]string
}

func typeNamed(name string) reflect.Type {
	registered.RLock()
	defer registered.RUnlock()
	return registered.types[name]
}

func nameOf(base reflect.Type) (name string, ok bool) {
	registered.RLock()
	defer registered.RUnlock()
	name, ok = registered.names[base]
	return name, ok
}

func RegisterName(name string, value any) {
	begin()
	register(name, reflect.TypeOf(value))
}

func Register(value any) {
	begin()
	t := reflect.TypeOf(value)
	register(fullName(t), t)
}

// fullName is a type's path and name. Unnamed types, pointers among them, go by their text, which
// has the last part of paths only.
func fullName(t reflect.Type) string {
	switch name, path := t.Name(), t.PkgPath(); {
	case name == "":
		return t.String()
	case path == "":
		return name
	default:
		return path + "." + name
	}
}

// registerKind registers a basic type and slices of it.
func registerKind[T any]() {
	for _, t := range [...]reflect.Type{reflect.TypeFor[T](), reflect.TypeFor[[]T]()} {
		register(fullName(t), t)
	}
}

func register(name string, t reflect.Type) {
	if name == "" {
		panic("attempt to register empty name")
	}
	base := mustShape(t).base()
	r := &registered
	r.Lock()
	defer r.Unlock()
	if r.types == nil {
		r.types = map[string]reflect.Type{}
		r.names = map[reflect.Type]string{}
	}
	clash := func(what string, of, first, second any) {
		panic(fmt.Sprintf("gob: registering duplicate "+what, of, first, second))
	}
	if first, ok := r.types[name]; ok && first != t {
		clash("types for %q: %s != %s", name, first, t)
	}
	if first, ok := r.names[base]; ok && first != name {
		clash("names for %s: %q != %q", t, first, name)
	}
	r.types[name], r.names[base] = t, name
}

// failure is what fail panics with: an error that a call of this package returns.
type failure struct{ err error }

func fail(err error) { panic(failure{err}) }

func failf(format string, args ...any) { fail(fmt.Errorf("gob: "+format, args...)) }

// caught, deferred, gives the error of a failure to err.
func caught(err *error) {
	switch e := recover().(type) {
	case nil:
	case failure:
		*err = e.err
	default:
		panic(e)
	}
}
