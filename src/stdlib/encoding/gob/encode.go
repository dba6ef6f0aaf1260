// Package gob: values of Go types as streams that describe themselves.
//
// A stream is a sequence of messages, each behind its length. A message holds the number of a type
// and a value of it, or a negative number and the definition of the type with that number. Inside
// of interfaces definitions end the message that they interrupt.
//
// The package works by plans. A plan is a tree of what is to be done with the values of a type. An
// encoder's plan (type plan, in this file) depends on the Go type alone, is made when the first
// such value is written, and is kept for the process. A decoder's (type target, in decode.go) depends
// on the Go type and on the type in the stream, which have their fields in common by name; it is
// kept in the decoder. Both walk over values by address: a field is an offset, an element a
// multiple of a size. Nearly all leaves, bools, integers and floats, are one unsigned number each in
// a stream, so an op says how such a number lies in memory (op.load, op.store), and no code but that
// knows the sizes of numbers. What a decoder has no use for it skips by the stream's definitions.
//
// An error inside of a value ends the call: it is thrown by fail and caught in EncodeValue and
// DecodeValue.
package gob

import (
	"encoding"
	"errors"
	"io"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"sync"
	"unsafe"
)

// An op says what the values of a type are in memory and in a stream.
type op uint8

const (
	// These are one number in a stream.
	opBool op = iota
	opInt8
	opInt16
	opInt32
	opInt64
	opUint8
	opUint16
	opUint32
	opUint64
	opFloat32
	opFloat64
	lastNumber = opFloat64

	opComplex64 op = iota
	opComplex128
	opString
	opBytes
	opSlice
	opArray
	opMap
	opStruct
	opInterface
	opOwn // they write and read themselves
	opNone
)

// opOfKind is op by kind; slices of bytes and types of their own ways are seen to in opOf.
var opOfKind = [...]op{
	reflect.Invalid:       opNone,
	reflect.Bool:          opBool,
	reflect.Int:           opInt64,
	reflect.Int8:          opInt8,
	reflect.Int16:         opInt16,
	reflect.Int32:         opInt32,
	reflect.Int64:         opInt64,
	reflect.Uint:          opUint64,
	reflect.Uint8:         opUint8,
	reflect.Uint16:        opUint16,
	reflect.Uint32:        opUint32,
	reflect.Uint64:        opUint64,
	reflect.Uintptr:       opUint64,
	reflect.Float32:       opFloat32,
	reflect.Float64:       opFloat64,
	reflect.Complex64:     opComplex64,
	reflect.Complex128:    opComplex128,
	reflect.Array:         opArray,
	reflect.Chan:          opNone,
	reflect.Func:          opNone,
	reflect.Interface:     opInterface,
	reflect.Map:           opMap,
	reflect.Pointer:       opNone,
	reflect.Slice:         opSlice,
	reflect.String:        opString,
	reflect.Struct:        opStruct,
	reflect.UnsafePointer: opNone,
}

func opOf(t reflect.Type) op {
	if isBytes(t) {
		return opBytes
	}
	return opOfKind[t.Kind()]
}

// sliceHeader is a slice of any type in memory.
type sliceHeader struct {
	p        unsafe.Pointer
	len, cap int
}

// zigzag moves the sign of a number to its lowest bit.
func zigzag(x int64) uint64 { return uint64(x<<1) ^ uint64(x>>63) }

// floatBits has the exponent in front, since most floats end in zeros.
func floatBits(f float64) uint64 { return bits.ReverseBytes64(math.Float64bits(f)) }

// minusZero is what floatBits makes of that.
const minusZero = 1 << 7

// load gives the value at p, which is a number, as it goes into a stream.
func (o op) load(p unsafe.Pointer) uint64 {
	switch o {
	case opInt64:
		return zigzag(*(*int64)(p))
	case opFloat64:
		return floatBits(*(*float64)(p))
	case opBool, opUint8:
		return uint64(*(*uint8)(p))
	case opUint64:
		return *(*uint64)(p)
	case opInt32:
		return zigzag(int64(*(*int32)(p)))
	case opUint32:
		return uint64(*(*uint32)(p))
	case opFloat32:
		return floatBits(float64(*(*float32)(p)))
	case opInt16:
		return zigzag(int64(*(*int16)(p)))
	case opUint16:
		return uint64(*(*uint16)(p))
	}
	return zigzag(int64(*(*int8)(p)))
}

// Messages and slices of this size and more are refused.
const refused = 1 << 33

// room is what a number takes at most. It is kept free before a message, for its length.
const room = 9

// A message is one that is being written.
type message struct {
	data []byte
}

// putUint writes a number: itself if it is small, or else how many bytes it has, negated, and those.
func (m *message) putUint(x uint64) {
	if x <= math.MaxInt8 {
		m.data = append(m.data, byte(x))
		return
	}
	m.data = appendLong(m.data, x)
}

// appendLong appends a number that is not small.
func appendLong(b []byte, x uint64) []byte {
	unused := bits.LeadingZeros64(x) &^ 7
	old := len(b)
	if cap(b)-old < room {
		b = slices.Grow(b, room)
	}
	b = b[:old+room]
	b[old] = byte(unused/8 - 8)
	*(*uint64)(unsafe.Pointer(&b[old+1])) = bits.ReverseBytes64(x << unused)
	return b[:old+room-unused/8]
}

func (m *message) putString(s string) {
	m.putUint(uint64(len(s)))
	m.data = append(m.data, s...)
}

// Write lets a message take what an inner one is flushed to.
func (m *message) Write(b []byte) (int, error) {
	m.data = append(m.data, b...)
	return len(b), nil
}

type Encoder struct {
	mutex   sync.Mutex
	sinks   []io.Writer             // where definitions go: the innermost interface's, which is last
	reader  map[reflect.Type]typeId // the types that the reader knows
	err     error                   // the first one of a call
	top     *message                // the message of a call
	spare   []*message              // those of interfaces, when they are done
	unfixed bool                    // the value that is written cannot be addressed
}

func NewEncoder(w io.Writer) *Encoder {
	begin()
	return &Encoder{sinks: []io.Writer{w}, reader: map[reflect.Type]typeId{}}
}

func (e *Encoder) note(err error) {
	if e.err == nil {
		e.err = err
	}
}

// flush sends m to w, behind its length, and empties it.
func (e *Encoder) flush(w io.Writer, m *message) {
	size := uint64(len(m.data) - room)
	if size >= refused {
		e.note(errors.New("gob: encoder: message too big"))
		return
	}
	var front [room]byte
	length := message{front[:0]}
	length.putUint(size)
	whole := m.data[room-len(length.data):]
	copy(whole, length.data)
	m.data = m.data[:room]
	if _, err := w.Write(whole); err != nil {
		e.note(err)
	}
}

// teach defines t and what it consists of to the reader. It says whether t needs a definition that
// the reader had not got.
func (e *Encoder) teach(w io.Writer, m *message, t reflect.Type) bool {
	s := mustShape(t)
	t = s.base()
	if s.writes.way == byKind && (formOfKind[t.Kind()] == formNone || isBytes(t)) {
		return false
	}
	if _, has := e.reader[t]; has {
		return false
	}
	tell, err := told(s)
	if err != nil {
		e.note(err)
		return false
	}
	m.putUint(zigzag(-int64(tell.id)))
	wire := tell.def.wire()
	e.put(m, planOf(reflect.TypeFor[wireType]()), unsafe.Pointer(&wire))
	if e.flush(w, m); e.err != nil {
		return false
	}
	e.reader[t], e.reader[s.user()] = tell.id, tell.id
	switch t.Kind() {
	case reflect.Map:
		e.teach(w, m, t.Key())
		fallthrough
	case reflect.Slice, reflect.Array:
		e.teach(w, m, t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); exported(f.Name) {
				e.teach(w, m, f.Type)
			}
		}
	}
	return true
}

// introduce sees to it that the reader knows the type of a value, and writes its number.
func (e *Encoder) introduce(m *message, s *shape) {
	t := s.sent()
	if _, known := e.reader[t]; !known {
		out := e.sinks[len(e.sinks)-1]
		if isTaught := e.teach(out, m, t); !isTaught {
			e.assume(t, s)
		}
	}
	m.putUint(zigzag(int64(e.reader[s.base()])))
}

// assume notes the number under which every reader knows a type from the start.
func (e *Encoder) assume(t reflect.Type, s *shape) {
	if e.err != nil {
		return
	}
	own, err := told(s)
	if err != nil {
		e.note(err)
		return
	}
	e.reader[t] = own.id
}

func (e *Encoder) Encode(v any) error { return e.EncodeValue(reflect.ValueOf(v)) }

func (e *Encoder) EncodeValue(v reflect.Value) error {
	switch {
	case !v.IsValid():
		return errors.New("gob: cannot encode nil value")
	case v.Kind() == reflect.Pointer && v.IsNil():
		panic("gob: cannot encode nil pointer of type " + v.Type().String())
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	s, err := shapeOf(v.Type())
	if err != nil {
		return err
	}
	e.sinks, e.err = e.sinks[:1], nil
	if e.top == nil {
		e.top = e.fresh()
	}
	m := e.top
	m.data = m.data[:room]
	e.introduce(m, s)
	if e.err == nil {
		e.value(m, v)
	}
	if e.err == nil {
		e.flush(e.sinks[0], m)
	}
	return e.err
}

// value writes v, and notes what goes wrong.
func (e *Encoder) value(m *message, v reflect.Value) {
	defer caught(&e.err)
	e.root(m, v)
}

// fresh gives an empty message.
func (e *Encoder) fresh() *message {
	if last := len(e.spare) - 1; last >= 0 {
		m := e.spare[last]
		e.spare = e.spare[:last]
		return m
	}
	return &message{make([]byte, room, 64)}
}

// root writes a value that stands for itself. What is no struct stands behind a zero.
func (e *Encoder) root(m *message, v reflect.Value) {
	n := planOf(v.Type())
	e.unfixed = !v.CanAddr()
	if e.unfixed {
		copied := reflect.New(v.Type()).Elem()
		copied.Set(v)
		v = copied
	}
	p, ok := n.follow(v.Addr().UnsafePointer())
	if !ok || n.nilOwner(p) {
		return
	}
	e.unfixed = e.unfixed && n.hops == 0
	if n.op != opStruct {
		m.data = append(m.data, 0)
	}
	e.put(m, n, p)
}

// A plan says how the values of a type are written.
type plan struct {
	op        op
	hops      int            // pointers to follow first
	t         reflect.Type   // what is behind them
	key, elem *plan          // of maps, slices and arrays
	size      uintptr        // of an element
	length    int            // of an array
	fields    []plannedField // of a struct
	own       methods        // of a type that writes itself
}

type plannedField struct {
	offset uintptr
	plan   *plan
}

var plans sync.Map // from reflect.Type to *plan

func planOf(t reflect.Type) *plan {
	made, ok := plans.Load(t)
	if !ok {
		making := map[reflect.Type]*plan{}
		made = makePlan(t, making)
		for part, n := range making {
			plans.LoadOrStore(part, n)
		}
	}
	return made.(*plan)
}

// makePlan plans for t. The plans in making may be incomplete: types may contain themselves.
func makePlan(t reflect.Type, making map[reflect.Type]*plan) *plan {
	if n, ok := plans.Load(t); ok {
		return n.(*plan)
	}
	if n := making[t]; n != nil {
		return n
	}
	s := mustShape(t)
	n := &plan{op: opOwn, own: s.writes}
	making[t] = n
	if n.own.way != byKind {
		n.hops, n.t = n.own.at, s.chain[n.own.at]
		return n
	}
	n.hops, n.t = len(s.chain)-1, s.base()
	n.op = opOf(n.t)
	switch n.op {
	case opNone:
		failf("can't happen: encode type %s", t)
	case opMap:
		n.key = makePlan(n.t.Key(), making)
		n.elem = makePlan(n.t.Elem(), making)
	case opArray:
		n.length = n.t.Len()
		fallthrough
	case opSlice:
		n.elem = makePlan(n.t.Elem(), making)
		n.size = n.t.Elem().Size()
	case opStruct:
		for f := range travellers(n.t) {
			n.fields = append(n.fields, plannedField{f.Offset, makePlan(f.Type, making)})
		}
		if len(n.fields) == 0 && n.t.NumField() > 0 {
			failf("type %s has no exported fields", n.t)
		}
	}
	return n
}

// follow goes from a variable to what the plan is about; ok is false if a pointer is nil.
func (n *plan) follow(p unsafe.Pointer) (to unsafe.Pointer, ok bool) {
	for range n.hops {
		if p = *(*unsafe.Pointer)(p); p == nil {
			return nil, false
		}
	}
	return p, true
}

// nilOwner says whether at p is a nil pointer that would have to write itself.
func (n *plan) nilOwner(p unsafe.Pointer) bool {
	return n.op == opOwn && n.t.Kind() == reflect.Pointer && *(*unsafe.Pointer)(p) == nil
}

// isBlank says whether a field with the value at p, which is no number, is left out.
func (n *plan) isBlank(p unsafe.Pointer) bool {
	switch n.op {
	case opString:
		return *(*string)(p) == ""
	case opSlice, opBytes:
		return (*sliceHeader)(p).len == 0
	case opMap, opInterface:
		return *(*unsafe.Pointer)(p) == nil
	case opComplex64:
		return *(*complex64)(p) == 0
	case opComplex128:
		return *(*complex128)(p) == 0
	case opOwn:
		return !n.own.onAddress && reflect.NewAt(n.t, p).Elem().IsZero()
	}
	return false
}

// put writes the value at p.
func (e *Encoder) put(m *message, n *plan, p unsafe.Pointer) {
	switch n.op {
	case opStruct:
		e.putFields(m, n, p)
	case opString:
		m.putString(*(*string)(p))
	case opBytes:
		m.putString(unsafe.String((*byte)((*sliceHeader)(p).p), (*sliceHeader)(p).len))
	case opSlice:
		s := (*sliceHeader)(p)
		outer := e.unfixed
		e.unfixed = false
		e.putElements(m, n, s.p, s.len)
		e.unfixed = outer
	case opArray:
		e.putElements(m, n, p, n.length)
	case opMap:
		e.putEntries(m, n, p)
	case opInterface:
		e.putInterface(m, reflect.NewAt(n.t, p).Elem().Elem())
	case opOwn:
		e.putOwn(m, n, p)
	case opComplex64:
		c := *(*complex64)(p)
		m.putUint(floatBits(float64(real(c))))
		m.putUint(floatBits(float64(imag(c))))
	case opComplex128:
		c := *(*complex128)(p)
		m.putUint(floatBits(real(c)))
		m.putUint(floatBits(imag(c)))
	default:
		m.putUint(n.op.load(p))
	}
}

// putFields writes a struct: each field behind the distance to the one before, then a zero.
func (e *Encoder) putFields(m *message, n *plan, p unsafe.Pointer) {
	outer := e.unfixed
	gap := 0
	b := m.data
	for i := range n.fields {
		f := &n.fields[i]
		gap++
		of := f.plan
		at := unsafe.Add(p, f.offset)
		if of.hops > 0 {
			var ok bool
			if at, ok = of.follow(at); !ok || of.nilOwner(at) {
				continue
			}
			e.unfixed = false
		}
		if of.op <= lastNumber {
			x := of.op.load(at)
			if x != 0 && (x != minusZero || of.op < opFloat32) {
				b = appendGap(b, gap)
				if x <= math.MaxInt8 {
					b = append(b, byte(x))
				} else {
					b = appendLong(b, x)
				}
				gap = 0
			}
		} else if !of.isBlank(at) {
			m.data = appendGap(b, gap)
			e.put(m, of, at)
			b = m.data
			gap = 0
		}
		e.unfixed = outer
	}
	m.data = append(b, 0)
}

func appendGap(b []byte, gap int) []byte {
	if gap <= math.MaxInt8 {
		return append(b, byte(gap))
	}
	return appendLong(b, uint64(gap))
}

// putElements writes a slice or an array, of which the elements begin at p.
func (e *Encoder) putElements(m *message, n *plan, p unsafe.Pointer, count int) {
	m.putUint(uint64(count))
	elem := n.elem
	if elem.op <= lastNumber && elem.hops == 0 {
		b := m.data
		for i := range uintptr(count) {
			if x := elem.op.load(unsafe.Add(p, i*n.size)); x <= math.MaxInt8 {
				b = append(b, byte(x))
			} else {
				b = appendLong(b, x)
			}
		}
		m.data = b
		return
	}
	outer := e.unfixed
	for i := range uintptr(count) {
		at := unsafe.Add(p, i*n.size)
		if elem.hops > 0 {
			var ok bool
			if at, ok = elem.follow(at); !ok || elem.nilOwner(at) {
				failf("encodeArray: nil element")
			}
			e.unfixed = false
		}
		e.put(m, elem, at)
		e.unfixed = outer
	}
}

// putEntries writes a map. Keys and values are copied to two variables, one after the other.
func (e *Encoder) putEntries(m *message, n *plan, p unsafe.Pointer) {
	v := reflect.NewAt(n.t, p).Elem()
	m.putUint(uint64(v.Len()))
	key, elem := reflect.New(n.t.Key()), reflect.New(n.t.Elem())
	outer := e.unfixed
	for entries := v.MapRange(); entries.Next(); {
		key.Elem().SetIterKey(entries)
		elem.Elem().SetIterValue(entries)
		e.putEntry(m, n.key, key.UnsafePointer())
		e.putEntry(m, n.elem, elem.UnsafePointer())
	}
	e.unfixed = outer
}

func (e *Encoder) putEntry(m *message, n *plan, p unsafe.Pointer) {
	p, ok := n.follow(p)
	if !ok {
		failf("encodeReflectValue: nil element")
	}
	e.unfixed = n.hops == 0
	e.put(m, n, p)
}

// putInterface writes the name of the type in an interface, its number, and the value behind its
// length. Definitions of types inside of the value go before that, into m.
func (e *Encoder) putInterface(m *message, x reflect.Value) {
	if !x.IsValid() {
		m.putUint(0)
		return
	}
	if x.Kind() == reflect.Pointer && x.IsNil() {
		failf("gob: cannot encode nil pointer of type %s inside interface", x.Type())
	}
	s := mustShape(x.Type())
	name, ok := nameOf(s.base())
	if !ok {
		failf("type not registered for interface: %s", s.base())
	}
	m.putString(name)
	e.introduce(m, s)
	if _, err := told(s); err != nil {
		fail(err)
	}
	outer := e.unfixed
	e.sinks = append(e.sinks, m)
	inner := e.fresh()
	e.root(inner, x)
	if e.err == nil {
		e.sinks = e.sinks[:len(e.sinks)-1]
		e.flush(m, inner)
	}
	if e.err != nil {
		fail(e.err)
	}
	e.spare = append(e.spare, inner)
	e.unfixed = outer
}

// putOwn writes what a value that writes itself gives.
func (e *Encoder) putOwn(m *message, n *plan, p unsafe.Pointer) {
	v := reflect.NewAt(n.t, p)
	if !n.own.onAddress {
		v = v.Elem()
	} else if e.unfixed {
		failf("unaddressable value of type %s", v.Type())
	}
	var data []byte
	var err error
	switch x := v.Interface().(type) {
	case GobEncoder:
		data, err = x.GobEncode()
	case encoding.BinaryMarshaler:
		data, err = x.MarshalBinary()
	}
	if err != nil {
		fail(err)
	}
	m.putUint(uint64(len(data)))
	m.data = append(m.data, data...)
}
