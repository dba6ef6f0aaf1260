package gob

import (
	"bufio"
	"encoding"
	"errors"
	"io"
	"math"
	"math/bits"
	"reflect"
	"sync"
)

var (
	errUint   = errors.New("gob: encoded unsigned integer out of range")
	errType   = errors.New("gob: unknown type id or corrupted data")
	errFields = errors.New("gob: bad data: field numbers out of bounds")
	errLength = errors.New("invalid message length")
)

// No more memory than this is taken on the word of a stream.
const chunk = 10 << 20

// types that are skipped may be nested as deep as this.
const maxSkipDepth = 10000

type Decoder struct {
	mutex     sync.Mutex
	r         io.Reader
	data      []byte               // what is left of the message
	wire      map[typeId]*wireType // what the stream described
	engines   map[engineKey]*engine
	skipDepth int
	count     [9]byte
	err       error
}

// An engineKey is a type of ours and one of the stream's; skipped ones have no type of ours.
type engineKey struct {
	local  reflect.Type
	remote typeId
}

// An engine reads the values of a type: structs by their fields, all others by single.
type engine struct {
	fields  []fieldReader
	matched int
	single  reader
	what    string
}

type fieldReader struct {
	index []int // nil if the field is skipped
	what  string
	read  reader
}

// A reader reads a value into v, or skips it; what names it where it is out of range.
type reader func(d *Decoder, v reflect.Value, what string)

func NewDecoder(r io.Reader) *Decoder {
	begin()
	if _, ok := r.(io.ByteReader); !ok {
		r = bufio.NewReader(r)
	}
	return &Decoder{r: r, wire: map[typeId]*wireType{}, engines: map[engineKey]*engine{}}
}

// lengthOf reads a number from the stream itself.
func (d *Decoder) lengthOf() (uint64, error) {
	n, err := io.ReadFull(d.r, d.count[:1])
	if n == 0 {
		return 0, err
	}
	if d.count[0] <= 0x7f {
		return uint64(d.count[0]), nil
	}
	n = -int(int8(d.count[0]))
	if n > 8 {
		return 0, errUint
	}
	if _, err := io.ReadFull(d.r, d.count[:n]); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return 0, err
	}
	x := uint64(0)
	for _, b := range d.count[:n] {
		x = x<<8 | uint64(b)
	}
	return x, nil
}

// next reads a message.
func (d *Decoder) next() error {
	n, err := d.lengthOf()
	if err != nil {
		return err
	}
	if n >= tooBig {
		return errLength
	}
	data := make([]byte, min(n, chunk))
	_, err = io.ReadFull(d.r, data)
	for err == nil && uint64(len(data)) < n {
		old := len(data)
		more := int(min(n-uint64(old), chunk))
		data = append(data, make([]byte, more)...)
		_, err = io.ReadFull(d.r, data[old:])
	}
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		d.data = nil
		return err
	}
	d.data = data
	return nil
}

// A number of the message, where a failure is kept and not raised.
func (d *Decoder) looseUint() uint64 {
	n := 1
	if len(d.data) == 0 {
		d.err = io.EOF
		return 0
	}
	x := uint64(d.data[0])
	if x > 0x7f {
		n = -int(int8(x))
		if n > 8 {
			d.err = errUint
			d.data = d.data[1:]
			return 0
		}
		if len(d.data) <= n {
			d.err = io.ErrUnexpectedEOF
			d.data = nil
			return 0
		}
		x = 0
		for _, b := range d.data[1 : n+1] {
			x = x<<8 | uint64(b)
		}
		n++
	}
	d.data = d.data[n:]
	return x
}

func (d *Decoder) getUint() uint64 {
	if len(d.data) == 0 {
		fail(io.EOF)
	}
	b := d.data[0]
	d.data = d.data[1:]
	if b <= 0x7f {
		return uint64(b)
	}
	n := -int(int8(b))
	if n > 8 {
		fail(errUint)
	}
	if len(d.data) < n {
		failf("invalid uint data length %d: exceeds input size %d", n, len(d.data))
	}
	x := uint64(0)
	for _, b := range d.data[:n] {
		x = x<<8 | uint64(b)
	}
	d.data = d.data[n:]
	return x
}

func toInt(x uint64) int64 {
	if x&1 != 0 {
		return ^int64(x >> 1)
	}
	return int64(x >> 1)
}

func (d *Decoder) getInt() int64 { return toInt(d.getUint()) }

func (d *Decoder) getFloat() float64 {
	return math.Float64frombits(bits.ReverseBytes64(d.getUint()))
}

func (d *Decoder) getFloat32(what string) float64 {
	f := d.getFloat()
	if a := math.Abs(f); math.MaxFloat32 < a && a <= math.MaxFloat64 {
		overflow(what)
	}
	return f
}

// getSize reads the size of bytes that follow in the message; ok is false if they do not.
func (d *Decoder) getSize() (n int, ok bool) {
	n = int(d.getUint())
	if n < 0 || len(d.data) < n || tooBig <= n {
		return 0, false
	}
	return n, true
}

// take gives the next n bytes, which are there.
func (d *Decoder) take(n int) []byte {
	b := d.data[:n:n]
	d.data = d.data[n:]
	return b
}

func overflow(what string) { fail(errors.New(`value for "` + what + `" out of range`)) }

// recvType reads the description that the stream numbers id.
func (d *Decoder) recvType(id typeId) {
	if id < firstUserId || d.wire[id] != nil {
		d.err = errors.New("gob: duplicate type received")
		return
	}
	w := new(wireType)
	d.decode(idWireType, reflect.ValueOf(w))
	if d.err == nil {
		d.wire[id] = w
	}
}

// typeOfNext reads descriptions up to a value, and gives the number of its type, or -1.
func (d *Decoder) typeOfNext(inside bool) typeId {
	for first := true; d.err == nil; first = false {
		if len(d.data) == 0 {
			if err := d.next(); err != nil {
				if !first && err == io.EOF {
					err = io.ErrUnexpectedEOF
				}
				d.err = err
				break
			}
		}
		id := typeId(toInt(d.looseUint()))
		if id >= 0 {
			return id
		}
		d.recvType(-id)
		if d.err != nil {
			break
		}
		if len(d.data) > 0 {
			if !inside {
				d.err = errors.New("extra data in buffer")
				break
			}
			d.looseUint()
		}
	}
	return -1
}

func (d *Decoder) Decode(v any) error {
	if v == nil {
		return d.DecodeValue(reflect.Value{})
	}
	to := reflect.ValueOf(v)
	if to.Kind() != reflect.Pointer {
		d.err = errors.New("gob: attempt to decode into a non-pointer")
		return d.err
	}
	return d.DecodeValue(to)
}

func (d *Decoder) DecodeValue(v reflect.Value) error {
	if v.IsValid() && (v.Kind() != reflect.Pointer || v.IsNil()) && !v.CanSet() {
		return errors.New("gob: DecodeValue of unassignable value")
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.data = nil
	d.err = nil
	id := d.typeOfNext(false)
	if d.err == nil {
		d.decode(id, v)
	}
	return d.err
}

// decode reads a value of the type numbered id into v, or skips it.
func (d *Decoder) decode(id typeId, v reflect.Value) {
	defer caught(&d.err)
	if !v.IsValid() {
		g := d.skipper(id)
		if w := d.wire[id]; w != nil && w.StructT != nil {
			d.skipFields(g)
		} else {
			d.readSingle(g, v)
		}
		return
	}
	s := mustShape(v.Type())
	g := d.engineOf(id, s)
	v = allocate(v)
	if s.base.Kind() != reflect.Struct || s.reads != byItself {
		d.readSingle(g, v)
		return
	}
	w := d.wire[id]
	if g.matched == 0 && s.base.NumField() > 0 && w != nil && len(w.StructT.Field) > 0 {
		failf("type mismatch: no fields matched compiling decoder for %s", s.base.Name())
	}
	d.readFields(g, v)
}

// allocate follows the pointers of v, and makes what they point to.
func allocate(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		v = v.Elem()
	}
	return v
}

func (d *Decoder) readSingle(g *engine, v reflect.Value) {
	if d.getUint() != 0 {
		failf("decode: corrupted data: non-zero delta for singleton")
	}
	g.single(d, v, g.what)
}

func (d *Decoder) readFields(g *engine, v reflect.Value) {
	at := -1
	for len(d.data) > 0 {
		delta := int(d.getUint())
		if delta < 0 {
			failf("decode: corrupted data: negative delta")
		}
		if delta == 0 {
			break
		}
		if at >= len(g.fields)-delta {
			fail(errFields)
		}
		at += delta
		f := &g.fields[at]
		var x reflect.Value
		if len(f.index) == 1 {
			x = v.Field(f.index[0])
		} else if f.index != nil {
			x = v.FieldByIndex(f.index)
		}
		if f.index != nil && x.Kind() == reflect.Pointer {
			x = allocate(x)
		}
		f.read(d, x, f.what)
	}
}

func (d *Decoder) skipFields(g *engine) {
	at := -1
	for len(d.data) > 0 {
		delta := int(d.getUint())
		if delta < 0 {
			failf("ignore decode: corrupted data: negative delta")
		}
		if delta == 0 {
			break
		}
		if at >= len(g.fields)-delta {
			fail(errFields)
		}
		at += delta
		f := &g.fields[at]
		f.read(d, reflect.Value{}, f.what)
	}
}

// engineOf makes the engine that reads the type numbered id into what s describes. An engine is
// known before it is made, so that types may contain themselves.
func (d *Decoder) engineOf(id typeId, s *shape) *engine {
	key := engineKey{s.user, id}
	if g := d.engines[key]; g != nil {
		return g
	}
	g := new(engine)
	d.engines[key] = g
	defer d.forget(key, g)
	d.makeEngine(g, id, s)
	return g
}

// forget drops an engine whose making failed.
func (d *Decoder) forget(key engineKey, g *engine) {
	if g.single == nil && g.fields == nil {
		delete(d.engines, key)
	}
}

func (d *Decoder) makeEngine(g *engine, id typeId, s *shape) {
	if s.base.Kind() != reflect.Struct || s.reads != byItself {
		name := s.user.String()
		if !d.compatible(s.user, id, map[reflect.Type]typeId{}) {
			remote := d.nameOf(id)
			if s.base.Kind() == reflect.Interface && id != idInterface {
				fail(errors.New("gob: local interface type " + name + " can only be decoded from" +
					" remote interface type; received concrete type " + remote))
			}
			fail(errors.New("gob: decoding into local type " + name +
				", received remote type " + remote))
		}
		read := d.readerOf(id, s.user, name, map[reflect.Type]*reader{})
		g.what = name
		g.single = *read
		return
	}
	var remote *structType
	if f := fixed(id); f != nil {
		remote, _ = f.(*structType)
	} else {
		w := d.wire[id]
		if w == nil {
			fail(errType)
		}
		remote = w.StructT
	}
	if remote == nil {
		failf("type mismatch in decoder: want struct type %s; got non-struct", s.base)
	}
	fields := make([]fieldReader, 0, len(remote.Field))
	making := map[reflect.Type]*reader{}
	for _, r := range remote.Field {
		if r.Name == "" {
			failf("empty name for remote field of type %s", remote.Name)
		}
		f, ok := s.base.FieldByName(r.Name)
		if !ok || !isExported(r.Name) {
			read := d.skipperOf(r.Id, map[typeId]*reader{})
			fields = append(fields, fieldReader{what: r.Name, read: *read})
			continue
		}
		if !d.compatible(f.Type, r.Id, map[reflect.Type]typeId{}) {
			failf("wrong type (%s) for received field %s.%s", f.Type, remote.Name, r.Name)
		}
		read := d.readerOf(r.Id, f.Type, f.Name, making)
		fields = append(fields, fieldReader{f.Index, r.Name, *read})
		g.matched++
	}
	g.fields = fields
}

// compatible says whether values of the type numbered id go into t. Structs do; their fields are
// looked at later.
func (d *Decoder) compatible(t reflect.Type, id typeId, seen map[reflect.Type]typeId) bool {
	if old, ok := seen[t]; ok {
		return old == id
	}
	seen[t] = id
	s := mustShape(t)
	w := d.wire[id]
	if (s.reads == byGob) != (w != nil && w.GobEncoderT != nil) ||
		(s.reads == byBinary) != (w != nil && w.BinaryMarshalerT != nil) ||
		w != nil && w.TextMarshalerT != nil {
		return false
	}
	if s.reads != byItself {
		return true
	}
	switch t := s.base; t.Kind() {
	case reflect.Bool:
		return id == idBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return id == idInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		return id == idUint
	case reflect.Float32, reflect.Float64:
		return id == idFloat
	case reflect.Complex64, reflect.Complex128:
		return id == idComplex
	case reflect.String:
		return id == idString
	case reflect.Interface:
		return id == idInterface
	case reflect.Array:
		return w != nil && w.ArrayT != nil && w.ArrayT.Len == t.Len() &&
			d.compatible(t.Elem(), w.ArrayT.Elem, seen)
	case reflect.Map:
		return w != nil && w.MapT != nil && d.compatible(t.Key(), w.MapT.Key, seen) &&
			d.compatible(t.Elem(), w.MapT.Elem, seen)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return id == idBytes
		}
		remote := d.sliceOf(id)
		return remote != nil && d.compatible(mustShape(t.Elem()).base, remote.Elem, seen)
	case reflect.Struct:
		return true
	}
	return false
}

func (d *Decoder) sliceOf(id typeId) *sliceType {
	if f := fixed(id); f != nil {
		s, _ := f.(*sliceType)
		return s
	}
	if w := d.wire[id]; w != nil {
		return w.SliceT
	}
	return nil
}

// nameOf describes a type of the stream: as ours with the same number, if there is one, as in Go.
func (d *Decoder) nameOf(id typeId) string {
	known.Lock()
	defer known.Unlock()
	if ours := described(id); ours != nil {
		return ours.text(map[typeId]bool{})
	}
	return d.wire[id].name()
}

// Readers of basic types, by their kinds.
var basicReaders = [...]reader{
	reflect.Bool:    func(d *Decoder, v reflect.Value, _ string) { v.SetBool(d.getUint() != 0) },
	reflect.Int:     readInt[int],
	reflect.Int8:    readInt[int8],
	reflect.Int16:   readInt[int16],
	reflect.Int32:   readInt[int32],
	reflect.Int64:   readInt[int64],
	reflect.Uint:    readUint[uint],
	reflect.Uint8:   readUint[uint8],
	reflect.Uint16:  readUint[uint16],
	reflect.Uint32:  readUint[uint32],
	reflect.Uint64:  readUint[uint64],
	reflect.Uintptr: readUint[uintptr],
	reflect.Float32: func(d *Decoder, v reflect.Value, what string) {
		v.SetFloat(d.getFloat32(what))
	},
	reflect.Float64: func(d *Decoder, v reflect.Value, _ string) { v.SetFloat(d.getFloat()) },
	reflect.Complex64: func(d *Decoder, v reflect.Value, what string) {
		re := d.getFloat32(what)
		v.SetComplex(complex(re, d.getFloat32(what)))
	},
	reflect.Complex128: func(d *Decoder, v reflect.Value, _ string) {
		re := d.getFloat()
		v.SetComplex(complex(re, d.getFloat()))
	},
	reflect.String: func(d *Decoder, v reflect.Value, _ string) {
		n, ok := d.getSize()
		if !ok {
			failf("bad %s slice length: %d", v.Type(), n)
		}
		v.SetString(string(d.take(n)))
	},
}

type signed interface {
	int | int8 | int16 | int32 | int64
}

type unsigned interface {
	uint | uint8 | uint16 | uint32 | uint64 | uintptr
}

func toSigned[T signed](d *Decoder, what string) T {
	x := d.getInt()
	if int64(T(x)) != x {
		overflow(what)
	}
	return T(x)
}

func toUnsigned[T unsigned](d *Decoder, what string) T {
	x := d.getUint()
	if uint64(T(x)) != x {
		overflow(what)
	}
	return T(x)
}

func readInt[T signed](d *Decoder, v reflect.Value, what string) {
	v.SetInt(int64(toSigned[T](d, what)))
}

func readUint[T unsigned](d *Decoder, v reflect.Value, what string) {
	v.SetUint(uint64(toUnsigned[T](d, what)))
}

// readerOf makes what reads the type numbered id into t, or what t points to. The two are known to
// be compatible.
func (d *Decoder) readerOf(
	id typeId, t reflect.Type, name string, making map[reflect.Type]*reader,
) *reader {
	s := mustShape(t)
	if s.reads != byItself {
		r := ownReader(s)
		return &r
	}
	if r := making[t]; r != nil {
		return r
	}
	r := new(reader)
	if k := int(s.base.Kind()); k < len(basicReaders) && basicReaders[k] != nil {
		*r = basicReaders[k]
		return r
	}
	making[t] = r
	switch t := s.base; t.Kind() {
	case reflect.Array:
		name = "element of " + name
		elem := d.readerOf(d.wire[id].ArrayT.Elem, t.Elem(), name, making)
		n := t.Len()
		*r = func(d *Decoder, v reflect.Value, _ string) {
			if d.getUint() != uint64(n) {
				failf("length mismatch in decodeArray")
			}
			d.readElements(v, *elem, n, name)
		}
	case reflect.Map:
		w := d.wire[id].MapT
		key := d.readerOf(w.Key, t.Key(), "key of "+name, making)
		elem := d.readerOf(w.Elem, t.Elem(), "element of "+name, making)
		*r = func(d *Decoder, v reflect.Value, _ string) { d.readMap(t, v, *key, *elem, name) }
	case reflect.Slice:
		name = "element of " + name
		if t.Elem().Kind() == reflect.Uint8 {
			*r = readBytes
			break
		}
		elem := d.readerOf(d.sliceOf(id).Elem, t.Elem(), name, making)
		*r = func(d *Decoder, v reflect.Value, _ string) { d.readSlice(v, *elem, name) }
	case reflect.Struct:
		g := d.engineOf(id, mustShape(t))
		*r = func(d *Decoder, v reflect.Value, _ string) { d.readFields(g, v) }
	case reflect.Interface:
		*r = func(d *Decoder, v reflect.Value, _ string) { d.readInterface(t, v) }
	default:
		failf("decode can't handle type %s", s.user)
	}
	return r
}

func readBytes(d *Decoder, v reflect.Value, _ string) {
	n, ok := d.getSize()
	if !ok {
		failf("bad %s slice length: %d", v.Type(), n)
	}
	if v.Cap() < n {
		v.Set(reflect.MakeSlice(v.Type(), n, n))
	} else {
		v.SetLen(n)
	}
	if n > 0 && len(d.data) == 0 {
		failf("error decoding []byte: %s", io.EOF)
	}
	copy(v.Bytes(), d.take(n))
}

func (d *Decoder) readSlice(v reflect.Value, elem reader, name string) {
	u := d.getUint()
	t := v.Type()
	size := uint64(t.Elem().Size())
	high, bytes := bits.Mul64(u, size)
	n := int(u)
	if n < 0 || bytes > tooBig || high != 0 {
		failf("%s slice too big: %d elements of %d bytes", t.Elem(), u, size)
	}
	if v.Cap() < n {
		safe := n
		if bytes > chunk {
			safe = max(1, int(chunk/size))
		}
		v.Set(reflect.MakeSlice(t, safe, safe))
	} else {
		v.SetLen(n)
	}
	d.readElements(v, elem, n, name)
}

// readElements reads n elements into v, which grows up to that while they come.
func (d *Decoder) readElements(v reflect.Value, elem reader, n int, name string) {
	t := v.Type()
	if fast := fastReaders[t.Elem()]; fast.read != nil {
		s := v
		if t.Kind() == reflect.Array {
			s = v.Slice(0, n)
		}
		if s.Type() == fast.of {
			fast.read(d, v, s, n, name)
			return
		}
	}
	isPtr := t.Elem().Kind() == reflect.Pointer
	have := v.Len()
	for i := range n {
		if len(d.data) == 0 {
			failf("decoding array or slice: length exceeds input size (%d elements)", n)
		}
		if i >= have {
			v.Grow(1)
			have = min(v.Cap(), n)
			v.SetLen(have)
		}
		x := v.Index(i)
		if isPtr {
			x = allocate(x)
		}
		elem(d, x, name)
	}
}

// A fastReader reads elements into a slice of the type of; v is what holds it.
type fastReader struct {
	of   reflect.Type
	read func(d *Decoder, v, s reflect.Value, n int, name string)
}

var fastReaders = map[reflect.Type]fastReader{
	reflect.TypeFor[bool](): readAll(func(d *Decoder, _ string) bool { return d.getUint() != 0 }),
	reflect.TypeFor[float32](): readAll(func(d *Decoder, what string) float32 {
		return float32(d.getFloat32(what))
	}),
	reflect.TypeFor[float64](): readAll(func(d *Decoder, _ string) float64 { return d.getFloat() }),
	reflect.TypeFor[complex64](): readAll(func(d *Decoder, what string) complex64 {
		re := d.getFloat32(what)
		return complex(float32(re), float32(d.getFloat32(what)))
	}),
	reflect.TypeFor[complex128](): readAll(func(d *Decoder, _ string) complex128 {
		re := d.getFloat()
		return complex(re, d.getFloat())
	}),
	reflect.TypeFor[string](): readAll(func(d *Decoder, _ string) string {
		u := d.getUint()
		n := int(u)
		if n < 0 || uint64(n) != u || n > len(d.data) {
			failf("length of string exceeds input size (%d bytes)", u)
		}
		return string(d.take(n))
	}),
	reflect.TypeFor[int]():     readAll(toSigned[int]),
	reflect.TypeFor[int8]():    readAll(toSigned[int8]),
	reflect.TypeFor[int16]():   readAll(toSigned[int16]),
	reflect.TypeFor[int32]():   readAll(toSigned[int32]),
	reflect.TypeFor[int64]():   readAll(toSigned[int64]),
	reflect.TypeFor[uint]():    readAll(toUnsigned[uint]),
	reflect.TypeFor[uint16]():  readAll(toUnsigned[uint16]),
	reflect.TypeFor[uint32]():  readAll(toUnsigned[uint32]),
	reflect.TypeFor[uint64]():  readAll(toUnsigned[uint64]),
	reflect.TypeFor[uintptr](): readAll(toUnsigned[uintptr]),
}

func readAll[E any](get func(d *Decoder, what string) E) fastReader {
	t := reflect.TypeFor[[]E]()
	kind := t.Elem().Kind().String()
	return fastReader{t, func(d *Decoder, v, s reflect.Value, n int, name string) {
		to, _ := reflect.TypeAssert[[]E](s)
		for i := range n {
			if len(d.data) == 0 {
				failf("decoding %s array or slice: length exceeds input size (%d elements)",
					kind, n)
			}
			if i >= len(to) {
				var zero E
				to = append(to, zero)
				to = to[:min(cap(to), n)]
				v.Set(reflect.ValueOf(to))
			}
			to[i] = get(d, name)
		}
	}}
}

func pointee(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Pointer {
		return allocate(v)
	}
	return v
}

func (d *Decoder) readMap(t reflect.Type, v reflect.Value, key, elem reader, name string) {
	n := int(d.getUint())
	if v.IsNil() {
		v.Set(reflect.MakeMapWithSize(t, max(0, min(n, len(d.data)))))
	}
	k, x := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
	for i := 0; i < n; i++ {
		if len(d.data) == 0 {
			fail(io.EOF)
		}
		key(d, pointee(k), name)
		elem(d, pointee(x), name)
		v.SetMapIndex(k, x)
		k.SetZero()
		x.SetZero()
	}
}

func (d *Decoder) readInterface(t reflect.Type, v reflect.Value) {
	u := d.getUint()
	if u > 1<<31 {
		failf("invalid type name length %d", u)
	}
	if u > uint64(len(d.data)) {
		failf("invalid type name length %d: exceeds input size", u)
	}
	name := d.take(int(u))
	if len(name) == 0 {
		v.SetZero()
		return
	}
	if len(name) > 1024 {
		failf("name too long (%d bytes): %.20q...", len(name), name)
	}
	of, ok := typeOfName.Load(string(name))
	if !ok {
		failf("name not registered for interface: %q", name)
	}
	concrete := of.(reflect.Type)
	id := d.typeOfNext(true)
	if id < 0 {
		fail(d.err)
	}
	d.getUint() // the size of what follows
	x := reflect.New(concrete).Elem()
	d.decode(id, x)
	if d.err != nil {
		fail(d.err)
	}
	if !concrete.AssignableTo(t) {
		failf("%s is not assignable to type %s", concrete, t)
	}
	v.Set(x)
}

// ownBytesOf takes the bytes of a value that reads itself.
func (d *Decoder) ownBytesOf() []byte {
	n, ok := d.getSize()
	if !ok {
		failf("GobDecoder: length too large for buffer")
	}
	return d.take(n)
}

func ownReader(s *shape) reader {
	t := s.user
	if s.readsIndir < 0 {
		t = reflect.PointerTo(t)
	}
	for range s.readsIndir {
		t = t.Elem()
	}
	return func(d *Decoder, v reflect.Value, _ string) {
		if v.Kind() != reflect.Pointer && t.Kind() == reflect.Pointer {
			v = v.Addr()
		}
		data := d.ownBytesOf()
		var err error
		if s.reads == byGob {
			x, _ := reflect.TypeAssert[GobDecoder](v)
			err = x.GobDecode(data)
		} else {
			x, _ := reflect.TypeAssert[encoding.BinaryUnmarshaler](v)
			err = x.UnmarshalBinary(data)
		}
		if err != nil {
			fail(err)
		}
	}
}

// skipper makes the engine that skips the type numbered id.
func (d *Decoder) skipper(id typeId) *engine {
	key := engineKey{nil, id}
	if g := d.engines[key]; g != nil {
		return g
	}
	g := new(engine)
	d.engines[key] = g
	defer d.forget(key, g)
	if w := d.wire[id]; w != nil && w.StructT != nil {
		d.makeEngine(g, id, mustShape(reflect.TypeFor[struct{}]()))
	} else {
		read := d.skipperOf(id, map[typeId]*reader{})
		g.single, g.what = *read, d.nameOf(id)
	}
	return g
}

func skipUint(d *Decoder, _ reflect.Value, _ string) { d.getUint() }

func skipTwo(d *Decoder, _ reflect.Value, _ string) {
	d.getUint()
	d.getUint()
}

func skipBytes(d *Decoder, _ reflect.Value, _ string) {
	n, ok := d.getSize()
	if !ok {
		failf("slice length too large")
	}
	d.take(n)
}

var basicSkippers = [...]reader{
	idBool:    skipUint,
	idInt:     skipUint,
	idUint:    skipUint,
	idFloat:   skipUint,
	idBytes:   skipBytes,
	idString:  skipBytes,
	idComplex: skipTwo,
}

// skipperOf makes what skips the type numbered id.
func (d *Decoder) skipperOf(id typeId, making map[typeId]*reader) *reader {
	d.skipDepth++
	defer func() { d.skipDepth-- }()
	if d.skipDepth > maxSkipDepth {
		fail(errors.New("invalid nesting depth"))
	}
	if r := making[id]; r != nil {
		return r
	}
	r := new(reader)
	if id > 0 && int(id) < len(basicSkippers) {
		*r = basicSkippers[id]
		return r
	}
	making[id] = r
	if id == idInterface {
		*r = func(d *Decoder, _ reflect.Value, _ string) { d.skipInterface() }
		return r
	}
	var none reflect.Value
	w := d.wire[id]
	switch {
	case w == nil:
		failf("bad data: undefined type %s", id.text())
	case w.ArrayT != nil:
		elem := d.skipperOf(w.ArrayT.Elem, making)
		n := w.ArrayT.Len
		*r = func(d *Decoder, _ reflect.Value, _ string) {
			if d.getUint() != uint64(n) {
				failf("length mismatch in ignoreArray")
			}
			d.skipElements(*elem, n)
		}
	case w.MapT != nil:
		key := d.skipperOf(w.MapT.Key, making)
		elem := d.skipperOf(w.MapT.Elem, making)
		*r = func(d *Decoder, _ reflect.Value, _ string) {
			n := int(d.getUint())
			for i := 0; i < n; i++ {
				if len(d.data) == 0 {
					fail(io.EOF)
				}
				(*key)(d, none, "")
				(*elem)(d, none, "")
			}
		}
	case w.SliceT != nil:
		elem := d.skipperOf(w.SliceT.Elem, making)
		*r = func(d *Decoder, _ reflect.Value, _ string) {
			d.skipElements(*elem, int(d.getUint()))
		}
	case w.StructT != nil:
		g := d.skipper(id)
		*r = func(d *Decoder, _ reflect.Value, _ string) { d.skipFields(g) }
	case w.GobEncoderT != nil, w.BinaryMarshalerT != nil, w.TextMarshalerT != nil:
		*r = func(d *Decoder, _ reflect.Value, _ string) { d.ownBytesOf() }
	default:
		failf("bad data: ignore can't handle type %s", id.text())
	}
	return r
}

func (d *Decoder) skipElements(elem reader, n int) {
	for i := 0; i < n; i++ {
		if len(d.data) == 0 {
			failf("decoding array or slice: length exceeds input size (%d elements)", n)
		}
		elem(d, reflect.Value{}, "")
	}
}

func (d *Decoder) skipInterface() {
	n, ok := d.getSize()
	if !ok {
		failf("bad interface encoding: name too large for buffer")
	}
	d.take(n)
	if id := d.typeOfNext(true); id < 0 {
		fail(d.err)
	}
	if n, ok = d.getSize(); !ok {
		failf("bad interface encoding: data length too large for buffer")
	}
	d.take(n)
}
