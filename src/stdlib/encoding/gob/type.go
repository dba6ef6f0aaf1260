package gob

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Interfaces by which types say themselves how they are written and read.
const (
	byItself = iota // by its kind
	byGob
	byBinary
)

// A shape is what the package knows of a type before it describes it.
type shape struct {
	user, base reflect.Type // base is user without its pointers
	indir      int          // how many those are

	// How values are written and read; the pointers to follow to the receiver, or -1 for the
	// address of the value.
	writes, reads           int
	writesIndir, readsIndir int
}

var shapes sync.Map // from reflect.Type to *shape

var (
	gobEncoderType0    = reflect.TypeFor[GobEncoder]()
	gobDecoderType0    = reflect.TypeFor[GobDecoder]()
	binaryMarshaler0   = reflect.TypeFor[encoding.BinaryMarshaler]()
	binaryUnmarshaler0 = reflect.TypeFor[encoding.BinaryUnmarshaler]()
)

func shapeOf(t reflect.Type) (*shape, error) {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape), nil
	}
	s := &shape{user: t, base: t}
	for slow := t; s.base.Kind() == reflect.Pointer; s.indir++ {
		s.base = s.base.Elem()
		if s.base == slow {
			return nil, errors.New("can't represent recursive pointer type " + s.base.String())
		}
		if s.indir%2 == 0 {
			slow = slow.Elem()
		}
	}
	if indir, ok := receiver(t, gobEncoderType0); ok {
		s.writes, s.writesIndir = byGob, indir
	} else if indir, ok := receiver(t, binaryMarshaler0); ok {
		s.writes, s.writesIndir = byBinary, indir
	}
	if indir, ok := receiver(t, gobDecoderType0); ok {
		s.reads, s.readsIndir = byGob, indir
	} else if indir, ok := receiver(t, binaryUnmarshaler0); ok {
		s.reads, s.readsIndir = byBinary, indir
	}
	known, _ := shapes.LoadOrStore(t, s)
	return known.(*shape), nil
}

// mustShape is shapeOf where a failure ends the call.
func mustShape(t reflect.Type) *shape {
	s, err := shapeOf(t)
	if err != nil {
		fail(err)
	}
	return s
}

// receiver finds the type behind pointers of t that has the methods of face.
func receiver(t, face reflect.Type) (indir int, ok bool) {
	if t == nil {
		return 0, false
	}
	for at := t; ; at = at.Elem() {
		if at.Implements(face) {
			return indir, true
		}
		if at.Kind() != reflect.Pointer {
			break
		}
		if indir++; indir > 100 {
			return 0, false
		}
	}
	if t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(face) {
		return -1, true
	}
	return 0, false
}

// A typeId stands for a type in a stream.
type typeId int32

// Numbers below are those of the types that every decoder knows.
const firstUserId = 64

const (
	idBool typeId = 1 + iota
	idInt
	idUint
	idFloat
	idBytes
	idString
	idComplex
	idInterface
	idReserved        // and six more
	idWireType typeId = 16
)

// A description is what a stream says of a type: one of the types below.
type description interface {
	common() *CommonType
	text(seen map[typeId]bool) string
}

// CommonType is what all descriptions begin with. It is exported for being so in streams.
type CommonType struct {
	Name string
	Id   typeId
}

func (c *CommonType) common() *CommonType { return c }

func (c *CommonType) text(map[typeId]bool) string { return c.Name }

type arrayType struct {
	CommonType
	Elem typeId
	Len  int
}

func (a *arrayType) text(seen map[typeId]bool) string {
	if seen[a.Id] {
		return a.Name
	}
	seen[a.Id] = true
	return fmt.Sprintf("[%d]%s", a.Len, described(a.Elem).text(seen))
}

// A gobEncoderType is one that writes itself.
type gobEncoderType struct {
	CommonType
}

type mapType struct {
	CommonType
	Key  typeId
	Elem typeId
}

func (m *mapType) text(seen map[typeId]bool) string {
	if seen[m.Id] {
		return m.Name
	}
	seen[m.Id] = true
	key := described(m.Key).text(seen)
	return "map[" + key + "]" + described(m.Elem).text(seen)
}

type sliceType struct {
	CommonType
	Elem typeId
}

func (s *sliceType) text(seen map[typeId]bool) string {
	if seen[s.Id] {
		return s.Name
	}
	seen[s.Id] = true
	return "[]" + described(s.Elem).text(seen)
}

type fieldType struct {
	Name string
	Id   typeId
}

type structType struct {
	CommonType
	Field []fieldType
}

func (s *structType) text(seen map[typeId]bool) string {
	if seen[s.Id] {
		return s.Name
	}
	seen[s.Id] = true
	text := s.Name + " = struct { "
	for _, f := range s.Field {
		text += f.Name + " " + described(f.Id).text(seen) + "; "
	}
	return text + "}"
}

// A wireType is the description of a type in a stream; one field is set.
type wireType struct {
	ArrayT           *arrayType
	SliceT           *sliceType
	StructT          *structType
	MapT             *mapType
	GobEncoderT      *gobEncoderType
	BinaryMarshalerT *gobEncoderType
	TextMarshalerT   *gobEncoderType
}

func (w *wireType) name() string {
	switch {
	case w == nil:
	case w.ArrayT != nil:
		return w.ArrayT.Name
	case w.SliceT != nil:
		return w.SliceT.Name
	case w.StructT != nil:
		return w.StructT.Name
	case w.MapT != nil:
		return w.MapT.Name
	case w.GobEncoderT != nil:
		return w.GobEncoderT.Name
	case w.BinaryMarshalerT != nil:
		return w.BinaryMarshalerT.Name
	case w.TextMarshalerT != nil:
		return w.TextMarshalerT.Name
	}
	return "unknown type"
}

// known holds the descriptions of this process. Types get their numbers in the order in which they
// are described, so that streams of equal programs are equal.
var known struct {
	sync.Mutex
	of    map[reflect.Type]description
	byId  []description
	fixed [firstUserId]description // those below firstUserId
}

// described is the description numbered id, or nil; known is locked.
func described(id typeId) description {
	if id <= 0 || int(id) >= len(known.byId) {
		return nil
	}
	return known.byId[id]
}

// fixed is the description numbered id if every decoder knows that.
func fixed(id typeId) description {
	if id < 0 || id >= firstUserId {
		return nil
	}
	return known.fixed[id]
}

func (id typeId) text() string {
	known.Lock()
	defer known.Unlock()
	if d := described(id); d != nil {
		return d.text(map[typeId]bool{})
	}
	return "<nil>"
}

// number gives d its number, unless it has one.
func number(d description) {
	if c := d.common(); c.Id == 0 {
		c.Id = typeId(len(known.byId))
		known.byId = append(known.byId, d)
	}
}

// begin describes the types that need no description in a stream, and registers the basic ones.
var begin = sync.OnceFunc(func() {
	known.of = map[reflect.Type]description{}
	known.byId = make([]description, 1, firstUserId)
	for _, basic := range []struct {
		name string
		of   reflect.Type
	}{
		{"bool", reflect.TypeFor[bool]()},
		{"int", reflect.TypeFor[int]()},
		{"uint", reflect.TypeFor[uint]()},
		{"float", reflect.TypeFor[float64]()},
		{"bytes", reflect.TypeFor[[]byte]()},
		{"string", reflect.TypeFor[string]()},
		{"complex", reflect.TypeFor[complex128]()},
		{"interface", reflect.TypeFor[any]()},
		{"_reserved7", nil},
		{"_reserved6", nil},
		{"_reserved5", nil},
		{"_reserved4", nil},
		{"_reserved3", nil},
		{"_reserved2", nil},
		{"_reserved1", nil},
	} {
		d := &CommonType{Name: basic.name}
		number(d)
		if basic.of != nil {
			known.of[basic.of] = d
		}
	}
	s := mustShape(reflect.TypeFor[wireType]())
	if _, err := infoOf(s); err != nil {
		panic(err)
	}
	copy(known.fixed[:], known.byId)
	known.byId = known.byId[:firstUserId]
	registerBasics()
})

// describe gives the description of t, with the name that it shall have.
func describe(name string, s *shape, t reflect.Type) (description, error) {
	if d, ok := known.of[t]; ok {
		return d, nil
	}
	d, err := newDescription(name, s, t)
	if err == nil {
		known.of[t] = d
	}
	return d, err
}

func describeBase(name string, t reflect.Type) (description, error) {
	s := mustShape(t)
	return describe(name, s, s.base)
}

// newDescription describes t. Structs get their numbers before their fields, all others after
// their elements.
func newDescription(name string, s *shape, t reflect.Type) (description, error) {
	if s.writes != byItself {
		d := &gobEncoderType{CommonType{Name: name}}
		number(d)
		return d, nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return known.byId[idBool], nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return known.byId[idInt], nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		return known.byId[idUint], nil
	case reflect.Float32, reflect.Float64:
		return known.byId[idFloat], nil
	case reflect.Complex64, reflect.Complex128:
		return known.byId[idComplex], nil
	case reflect.String:
		return known.byId[idString], nil
	case reflect.Interface:
		return known.byId[idInterface], nil
	case reflect.Array:
		d := &arrayType{CommonType: CommonType{Name: name}, Len: t.Len()}
		known.of[t] = d
		elem, err := describeBase("", t.Elem())
		if err != nil {
			delete(known.of, t)
			return nil, err
		}
		number(d)
		d.Elem = elem.common().Id
		return d, nil
	case reflect.Map:
		d := &mapType{CommonType: CommonType{Name: name}}
		known.of[t] = d
		key, err := describeBase("", t.Key())
		if err != nil {
			delete(known.of, t)
			return nil, err
		}
		elem, err := describeBase("", t.Elem())
		if err != nil {
			delete(known.of, t)
			return nil, err
		}
		number(d)
		d.Key, d.Elem = key.common().Id, elem.common().Id
		return d, nil
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return known.byId[idBytes], nil
		}
		d := &sliceType{CommonType: CommonType{Name: name}}
		known.of[t] = d
		elem, err := describeBase(t.Elem().Name(), t.Elem())
		if err != nil {
			delete(known.of, t)
			return nil, err
		}
		number(d)
		number(elem)
		d.Elem = elem.common().Id
		return d, nil
	case reflect.Struct:
		d := &structType{CommonType: CommonType{Name: name}}
		number(d)
		known.of[t] = d
		for i := range t.NumField() {
			f := t.Field(i)
			if !isSent(&f) {
				continue
			}
			base := mustShape(f.Type).base
			name := base.Name()
			if name == "" {
				name = base.String()
			}
			of, err := describeBase(name, f.Type)
			if err != nil {
				// The struct stays known with the fields before, as in Go.
				return nil, err
			}
			number(of)
			d.Field = append(d.Field, fieldType{f.Name, of.common().Id})
		}
		return d, nil
	}
	return nil, errors.New("gob NewTypeObject can't handle type: " + t.String())
}

func isExported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// isSent says whether a field goes into streams: it is exported, and neither a channel or func nor
// a pointer to one.
func isSent(f *reflect.StructField) bool {
	if !isExported(f.Name) {
		return false
	}
	t := f.Type
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() != reflect.Chan && t.Kind() != reflect.Func
}

// An info is what an encoder tells of a type.
type info struct {
	id   typeId
	wire wireType
}

var infos sync.Map // from reflect.Type to *info

func infoOf(s *shape) (*info, error) {
	t := s.base
	if s.writes != byItself {
		t = s.user
	}
	if i, ok := infos.Load(t); ok {
		return i.(*info), nil
	}
	known.Lock()
	defer known.Unlock()
	if i, ok := infos.Load(t); ok {
		return i.(*info), nil
	}
	d, err := describeBase(t.Name(), t)
	if err != nil {
		return nil, err
	}
	i := &info{id: d.common().Id}
	if s.writes != byItself {
		// A pointer type that writes itself has a description beside that of its base.
		own, err := describe(t.Name(), s, t)
		if err != nil {
			return nil, err
		}
		if s.writes == byGob {
			i.wire.GobEncoderT = own.(*gobEncoderType)
		} else {
			i.wire.BinaryMarshalerT = own.(*gobEncoderType)
		}
	} else {
		switch d := d.(type) {
		case *arrayType:
			i.wire.ArrayT = d
		case *mapType:
			i.wire.MapT = d
		case *sliceType:
			i.wire.SliceT = d
		case *structType:
			i.wire.StructT = d
		}
	}
	infos.Store(t, i)
	return i, nil
}

type GobEncoder interface {
	GobEncode() ([]byte, error)
}

type GobDecoder interface {
	GobDecode([]byte) error
}

// The registered types: of each name the type as it was given, of each base type the name.
var typeOfName, nameOfType sync.Map

func RegisterName(name string, value any) {
	begin()
	registerName(name, value)
}

func registerName(name string, value any) {
	if name == "" {
		panic("attempt to register empty name")
	}
	t := reflect.TypeOf(value)
	s := mustShape(t)
	if old, dup := typeOfName.LoadOrStore(name, t); dup && old != s.user {
		panic(fmt.Sprintf("gob: registering duplicate types for %q: %s != %s", name, old, s.user))
	}
	if old, dup := nameOfType.LoadOrStore(s.base, name); dup && old != name {
		typeOfName.Delete(name)
		panic(fmt.Sprintf("gob: registering duplicate names for %s: %q != %q", s.user, old, name))
	}
}

func Register(value any) {
	begin()
	register(value)
}

// register names a type by its path, if it has a name. Pointers have none, so their text is taken,
// which has the last part of the path only.
func register(value any) {
	t := reflect.TypeOf(value)
	name := t.String()
	if t.Name() != "" {
		name = t.Name()
		if t.PkgPath() != "" {
			name = t.PkgPath() + "." + name
		}
	}
	registerName(name, value)
}

func registerBasics() {
	for _, v := range []any{
		int(0), int8(0), int16(0), int32(0), int64(0),
		uint(0), uint8(0), uint16(0), uint32(0), uint64(0),
		float32(0), float64(0), complex64(0), complex128(0), uintptr(0), false, "",
		[]int(nil), []int8(nil), []int16(nil), []int32(nil), []int64(nil),
		[]uint(nil), []uint8(nil), []uint16(nil), []uint32(nil), []uint64(nil),
		[]float32(nil), []float64(nil), []complex64(nil), []complex128(nil),
		[]uintptr(nil), []bool(nil), []string(nil),
	} {
		register(v)
	}
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
