// Package gob: values of Go types as streams that describe themselves.
//
// A stream is a sequence of messages, each behind its length. A message holds the number of a type
// and a value of it, or a negative number and the description of the type with that number. Inside
// of interfaces descriptions end the message that they interrupt.
package gob

import (
	"encoding"
	"errors"
	"io"
	"math"
	"math/bits"
	"reflect"
	"sync"
)

// Messages and slices of this size and more are refused.
const tooBig = 1 << 33

// room is kept free before a message, for its length.
const room = 9

// A message is one that is being written.
type message struct {
	data []byte
}

func newMessage() *message { return &message{make([]byte, room, 64)} }

func (m *message) putUint(x uint64) {
	if x <= 0x7f {
		m.data = append(m.data, byte(x))
		return
	}
	n := (bits.Len64(x) + 7) / 8
	m.data = append(m.data, byte(-n))
	for n--; n >= 0; n-- {
		m.data = append(m.data, byte(x>>(8*n)))
	}
}

func (m *message) putInt(x int64) {
	if x < 0 {
		m.putUint(uint64(^x)<<1 | 1)
	} else {
		m.putUint(uint64(x) << 1)
	}
}

func (m *message) putFloat(x float64) { m.putUint(bits.ReverseBytes64(math.Float64bits(x))) }

func (m *message) putString(s string) {
	m.putUint(uint64(len(s)))
	m.data = append(m.data, s...)
}

func (m *message) putBytes(b []byte) {
	m.putUint(uint64(len(b)))
	m.data = append(m.data, b...)
}

func (m *message) Write(b []byte) (int, error) {
	m.data = append(m.data, b...)
	return len(b), nil
}

type Encoder struct {
	mutex sync.Mutex
	w     io.Writer
	outer []io.Writer             // where descriptions go, the innermost interface's last
	sent  map[reflect.Type]typeId // what the reader knows
	err   error                   // the first one of a call
}

func NewEncoder(w io.Writer) *Encoder {
	begin()
	return &Encoder{w: w, sent: map[reflect.Type]typeId{}}
}

func (e *Encoder) setError(err error) {
	if e.err == nil {
		e.err = err
	}
}

// flush sends m to w, behind its length, and empties it.
func (e *Encoder) flush(w io.Writer, m *message) {
	n := len(m.data) - room
	if n >= tooBig {
		e.setError(errors.New("gob: encoder: message too big"))
		return
	}
	length := message{make([]byte, 0, room)}
	length.putUint(uint64(n))
	from := room - len(length.data)
	copy(m.data[from:], length.data)
	_, err := w.Write(m.data[from:])
	m.data = m.data[:room]
	if err != nil {
		e.setError(err)
	}
}

// to is where descriptions go.
func (e *Encoder) to() io.Writer {
	if n := len(e.outer); n > 0 {
		return e.outer[n-1]
	}
	return e.w
}

// define sends the description of a type and of those that it consists of.
func (e *Encoder) define(w io.Writer, m *message, s *shape) (sent bool) {
	if _, ok := e.sent[s.base]; ok {
		return false
	}
	i, err := infoOf(s)
	if err != nil {
		e.setError(err)
		return false
	}
	m.putInt(-int64(i.id))
	e.encode(m, reflect.ValueOf(i.wire), mustShape(reflect.TypeFor[wireType]()))
	e.flush(w, m)
	if e.err != nil {
		return false
	}
	e.sent[s.base] = i.id
	e.sent[s.user] = i.id
	switch t := s.base; t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); isExported(f.Name) {
				e.sendType(w, m, f.Type)
			}
		}
	case reflect.Array, reflect.Slice:
		e.sendType(w, m, t.Elem())
	case reflect.Map:
		e.sendType(w, m, t.Key())
		e.sendType(w, m, t.Elem())
	}
	return true
}

// sendType defines a type if it needs that.
func (e *Encoder) sendType(w io.Writer, m *message, t reflect.Type) (sent bool) {
	s := mustShape(t)
	if s.writes != byItself {
		return e.define(w, m, s)
	}
	switch s.base.Kind() {
	case reflect.Slice:
		if s.base.Elem().Kind() == reflect.Uint8 {
			return false
		}
	case reflect.Array, reflect.Map, reflect.Struct:
	default:
		return false
	}
	return e.define(w, m, s)
}

// announce sees to it that the reader knows the type of a value.
func (e *Encoder) announce(w io.Writer, m *message, s *shape) {
	t := s.base
	if s.writes != byItself {
		t = s.user
	}
	if _, ok := e.sent[t]; ok {
		return
	}
	sent := e.sendType(w, m, t)
	if e.err != nil || sent {
		return
	}
	i, err := infoOf(s)
	if err != nil {
		e.setError(err)
		return
	}
	e.sent[t] = i.id
}

func (e *Encoder) Encode(v any) error { return e.EncodeValue(reflect.ValueOf(v)) }

func (e *Encoder) EncodeValue(v reflect.Value) error {
	if v.Kind() == reflect.Invalid {
		return errors.New("gob: cannot encode nil value")
	}
	if v.Kind() == reflect.Pointer && v.IsNil() {
		panic("gob: cannot encode nil pointer of type " + v.Type().String())
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.outer = e.outer[:0]
	s, err := shapeOf(v.Type())
	if err != nil {
		return err
	}
	e.err = nil
	m := newMessage()
	e.announce(e.w, m, s)
	m.putInt(int64(e.sent[s.base]))
	if e.err != nil {
		return e.err
	}
	e.encode(m, v, s)
	if e.err == nil {
		e.flush(e.w, m)
	}
	return e.err
}

// encode writes one value. What is no struct stands behind a zero.
func (e *Encoder) encode(m *message, v reflect.Value, s *shape) {
	defer caught(&e.err)
	if _, err := infoOf(s); err != nil {
		fail(err)
	}
	p, indir := printerOf(s.user)
	for range indir {
		v = reflect.Indirect(v)
	}
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return
	}
	if indir < 0 {
		v = address(v)
	}
	if !p.isStruct {
		m.putUint(0)
	}
	p.put(e, m, v)
}

// A printer writes the values of a type.
type printer struct {
	isStruct bool
	// isEmpty says that a field with that value is left out; without it none is.
	isEmpty func(v reflect.Value) bool
	put     putFunc
}

type putFunc = func(e *Encoder, m *message, v reflect.Value)

// The printers of base types, and of types that write themselves.
var printers sync.Map

// printerOf gives the printer of what t points to, and the pointers to follow there.
func printerOf(t reflect.Type) (*printer, int) {
	s := mustShape(t)
	at, indir := s.base, s.indir
	if s.writes != byItself {
		at, indir = s.user, s.writesIndir
	}
	if p, ok := printers.Load(at); ok {
		return p.(*printer), indir
	}
	making := map[reflect.Type]*printer{}
	p, indir := makePrinter(t, making)
	for t, p := range making {
		printers.LoadOrStore(t, p)
	}
	return p, indir
}

func made(t reflect.Type, making map[reflect.Type]*printer) *printer {
	if p, ok := printers.Load(t); ok {
		return p.(*printer)
	}
	return making[t]
}

func makePrinter(t reflect.Type, making map[reflect.Type]*printer) (*printer, int) {
	s := mustShape(t)
	if s.writes != byItself {
		if p := made(t, making); p != nil {
			return p, s.writesIndir
		}
		p := &printer{
			isEmpty: reflect.Value.IsZero,
			put: func(e *Encoder, m *message, v reflect.Value) {
				m.putBytes(ownBytes(s.writes, v))
			},
		}
		making[t] = p
		return p, s.writesIndir
	}
	t = s.base
	if p := made(t, making); p != nil {
		return p, s.indir
	}
	p := &printer{isEmpty: reflect.Value.IsZero}
	making[t] = p
	switch t.Kind() {
	case reflect.Bool:
		p.put = func(e *Encoder, m *message, v reflect.Value) { putBool(m, v.Bool()) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.put = func(e *Encoder, m *message, v reflect.Value) { m.putInt(v.Int()) }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		p.put = func(e *Encoder, m *message, v reflect.Value) { m.putUint(v.Uint()) }
	case reflect.Float32, reflect.Float64:
		p.isEmpty = func(v reflect.Value) bool { return v.Float() == 0 }
		p.put = func(e *Encoder, m *message, v reflect.Value) { m.putFloat(v.Float()) }
	case reflect.Complex64, reflect.Complex128:
		p.isEmpty = func(v reflect.Value) bool { return v.Complex() == 0 }
		p.put = func(e *Encoder, m *message, v reflect.Value) { putComplex(m, v.Complex()) }
	case reflect.String:
		p.put = func(e *Encoder, m *message, v reflect.Value) { m.putString(v.String()) }
	case reflect.Slice:
		p.isEmpty = func(v reflect.Value) bool { return v.Len() == 0 }
		if t.Elem().Kind() == reflect.Uint8 {
			p.put = func(e *Encoder, m *message, v reflect.Value) { m.putBytes(v.Bytes()) }
		} else {
			p.put = elements(t, making)
		}
	case reflect.Array:
		p.isEmpty = nil
		p.put = elements(t, making)
	case reflect.Map:
		p.isEmpty = reflect.Value.IsNil
		key, keyIndir := makePrinter(t.Key(), making)
		elem, elemIndir := makePrinter(t.Elem(), making)
		p.put = func(e *Encoder, m *message, v reflect.Value) {
			m.putUint(uint64(v.Len()))
			for entries := v.MapRange(); entries.Next(); {
				putEntry(e, m, entries.Key(), key, keyIndir)
				putEntry(e, m, entries.Value(), elem, elemIndir)
			}
		}
	case reflect.Struct:
		p.isEmpty = nil
		p.isStruct = true
		p.put = fields(t, making)
	case reflect.Interface:
		p.isEmpty = reflect.Value.IsNil
		p.put = func(e *Encoder, m *message, v reflect.Value) { e.putInterface(m, v) }
	default:
		failf("can't happen: encode type %s", s.user)
	}
	return p, s.indir
}

func putBool(m *message, b bool) {
	if b {
		m.putUint(1)
	} else {
		m.putUint(0)
	}
}

func putComplex(m *message, c complex128) {
	m.putFloat(real(c))
	m.putFloat(imag(c))
}

func putEntry(e *Encoder, m *message, v reflect.Value, p *printer, indir int) {
	for range indir {
		v = reflect.Indirect(v)
	}
	if !v.IsValid() {
		failf("encodeReflectValue: nil element")
	}
	if indir < 0 {
		v = address(v)
	}
	p.put(e, m, v)
}

func address(v reflect.Value) reflect.Value {
	if !v.CanAddr() {
		failf("unaddressable value of type %s", reflect.PointerTo(v.Type()))
	}
	return v.Addr()
}

// follow goes from v to what a printer takes; ok is false if a pointer is nil.
func follow(v reflect.Value, indir int) (to reflect.Value, ok bool) {
	if indir < 0 {
		return address(v), true
	}
	for range indir {
		if v.IsNil() {
			return v, false
		}
		v = v.Elem()
	}
	return v, indir == 0 || v.Kind() != reflect.Pointer || !v.IsNil()
}

// elements writes slices and arrays.
func elements(t reflect.Type, making map[reflect.Type]*printer) putFunc {
	p, indir := makePrinter(t.Elem(), making)
	fast := fastPrinters[t.Elem()]
	slice := reflect.SliceOf(t.Elem())
	return func(e *Encoder, m *message, v reflect.Value) {
		n := v.Len()
		m.putUint(uint64(n))
		if fast != nil {
			if t == slice {
				fast(m, v)
				return
			}
			if t.Kind() == reflect.Array && v.CanAddr() {
				fast(m, v.Slice(0, n))
				return
			}
		}
		for i := range n {
			x, ok := follow(v.Index(i), indir)
			if !ok {
				failf("encodeArray: nil element")
			}
			p.put(e, m, x)
		}
	}
}

// fastPrinters write slices of elements of these types.
var fastPrinters = map[reflect.Type]func(*message, reflect.Value){
	reflect.TypeFor[bool]():       printAll(putBool),
	reflect.TypeFor[string]():     printAll((*message).putString),
	reflect.TypeFor[float64]():    printAll((*message).putFloat),
	reflect.TypeFor[complex128](): printAll(putComplex),
	reflect.TypeFor[int]():        printInts[int],
	reflect.TypeFor[int8]():       printInts[int8],
	reflect.TypeFor[int16]():      printInts[int16],
	reflect.TypeFor[int32]():      printInts[int32],
	reflect.TypeFor[int64]():      printInts[int64],
	reflect.TypeFor[uint]():       printUints[uint],
	reflect.TypeFor[uint16]():     printUints[uint16],
	reflect.TypeFor[uint32]():     printUints[uint32],
	reflect.TypeFor[uint64]():     printUints[uint64],
}

func printAll[E any](put func(*message, E)) func(*message, reflect.Value) {
	return func(m *message, v reflect.Value) {
		s, _ := reflect.TypeAssert[[]E](v)
		for _, x := range s {
			put(m, x)
		}
	}
}

func printInts[E int | int8 | int16 | int32 | int64](m *message, v reflect.Value) {
	s, _ := reflect.TypeAssert[[]E](v)
	for _, x := range s {
		if x >= 0 && x < 64 {
			m.data = append(m.data, byte(x)<<1)
		} else {
			m.putInt(int64(x))
		}
	}
}

func printUints[E uint | uint16 | uint32 | uint64](m *message, v reflect.Value) {
	s, _ := reflect.TypeAssert[[]E](v)
	for _, x := range s {
		m.putUint(uint64(x))
	}
}

// A sentField is a field that goes into streams.
type sentField struct {
	index, indir int
	p            *printer
}

// fields writes structs: each field behind the distance to the one before, then a zero.
func fields(t reflect.Type, making map[reflect.Type]*printer) putFunc {
	var sent []sentField
	for i := range t.NumField() {
		f := t.Field(i)
		if !isSent(&f) {
			continue
		}
		p, indir := makePrinter(f.Type, making)
		sent = append(sent, sentField{i, indir, p})
	}
	if t.NumField() > 0 && len(sent) == 0 {
		failf("type %s has no exported fields", t)
	}
	return func(e *Encoder, m *message, v reflect.Value) {
		last := -1
		for i := range sent {
			f := &sent[i]
			x := v.Field(f.index)
			if f.indir != 0 {
				var ok bool
				if x, ok = follow(x, f.indir); !ok {
					continue
				}
			}
			if f.p.isEmpty != nil && f.p.isEmpty(x) {
				continue
			}
			m.putUint(uint64(i - last))
			last = i
			f.p.put(e, m, x)
		}
		m.data = append(m.data, 0)
	}
}

// putInterface writes the name of the type in an interface, its number, and the value behind its
// length. Descriptions of types inside of the value go before that, into m.
func (e *Encoder) putInterface(m *message, v reflect.Value) {
	x := v.Elem()
	if x.Kind() == reflect.Pointer && x.IsNil() {
		failf("gob: cannot encode nil pointer of type %s inside interface", x.Type())
	}
	if v.IsNil() {
		m.putUint(0)
		return
	}
	s := mustShape(x.Type())
	name, ok := nameOfType.Load(s.base)
	if !ok {
		failf("type not registered for interface: %s", s.base)
	}
	m.putString(name.(string))
	e.announce(e.to(), m, s)
	m.putInt(int64(e.sent[s.base]))
	e.outer = append(e.outer, m)
	inner := newMessage()
	e.encode(inner, x, s)
	if e.err != nil {
		fail(e.err)
	}
	e.outer = e.outer[:len(e.outer)-1]
	e.flush(m, inner)
	if e.err != nil {
		fail(e.err)
	}
}

// ownBytes is what a value that writes itself gives.
func ownBytes(by int, v reflect.Value) []byte {
	var data []byte
	var err error
	if by == byGob {
		x, _ := reflect.TypeAssert[GobEncoder](v)
		data, err = x.GobEncode()
	} else {
		x, _ := reflect.TypeAssert[encoding.BinaryMarshaler](v)
		data, err = x.MarshalBinary()
	}
	if err != nil {
		fail(err)
	}
	return data
}
