package gob

import (
	"bufio"
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

// This file reads streams: messages, the definitions in them, and values, by targets or by skipping.

var (
	errUint   = errors.New("gob: encoded unsigned integer out of range")
	errType   = errors.New("gob: unknown type id or corrupted data")
	errFields = errors.New("gob: bad data: field numbers out of bounds")
	errLength = errors.New("invalid message length")
)

// No more memory than this is taken on the word of a stream.
const chunk = 10 << 20

// Types that are skipped may be nested as deep as this.
const deepest = 10000

type Decoder struct {
	mutex   sync.Mutex
	r       io.Reader
	data    []byte // the message
	at      int    // how much of it is read
	err     error
	defined map[typeId]*definition // by the stream
	roots   map[match]*target      // of values that stand for themselves
	layouts map[match]*layout
	vetted  map[typeId]bool
	first   [1]byte
}

// A match is a type of ours and the one of the stream that is read into it.
type match struct {
	local  reflect.Type
	remote typeId
}

// A target says how a type of the stream is read into one of ours.
type target struct {
	op        op
	chain     []reflect.Type // ours, with the pointers to follow, which are made if they are nil
	t         reflect.Type   // what is behind them
	what      string         // the name of the value where it is out of range
	key, elem *target        // of maps, slices and arrays
	size      uintptr        // of an element
	length    int            // of an array
	plural    string         // the kind of the elements if errors tell it
	layout    *layout        // of a struct
	own       methods        // of a type that reads itself
}

// A layout says where the fields of a struct in the stream go.
type layout struct {
	fields  []placed
	matched bool // some field goes somewhere
}

// placed is a field: it goes to a target at offset, or is skipped if it has none. The path is that
// of a field that is reached by pointers.
type placed struct {
	target *target
	offset uintptr
	path   []int
	remote typeId
}

func NewDecoder(r io.Reader) *Decoder {
	begin()
	if _, ok := r.(io.ByteReader); !ok {
		r = bufio.NewReader(r)
	}
	return &Decoder{
		r: r, defined: map[typeId]*definition{}, roots: map[match]*target{},
		layouts: map[match]*layout{}, vetted: map[typeId]bool{},
	}
}

// tail is how many bytes of a number follow the byte c.
func tail(c byte) int {
	if c <= math.MaxInt8 {
		return 0
	}
	return 1<<8 - int(c)
}

// bigEndian puts a number together.
func bigEndian(b []byte) (x uint64) {
	for _, c := range b {
		x = x<<8 | uint64(c)
	}
	return x
}

// fill reads all of b, of which the stream has promised that it is there.
func (d *Decoder) fill(b []byte) error {
	_, err := io.ReadFull(d.r, b)
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// messageLength reads a number from the stream itself.
func (d *Decoder) messageLength() (uint64, error) {
	if _, err := io.ReadFull(d.r, d.first[:]); err != nil {
		return 0, err
	}
	n := tail(d.first[0])
	if n == 0 {
		return uint64(d.first[0]), nil
	}
	if n > 8 {
		return 0, errUint
	}
	var rest [8]byte
	if err := d.fill(rest[:n]); err != nil {
		return 0, err
	}
	return bigEndian(rest[:n]), nil
}

// nextMessage reads a message.
func (d *Decoder) nextMessage() error {
	n, err := d.messageLength()
	if err == nil && n >= refused {
		err = errLength
	}
	if err != nil {
		return err
	}
	data := d.data[:0]
	for err == nil && uint64(len(data)) < n {
		known := len(data)
		more := int(min(n-uint64(known), chunk))
		data = slices.Grow(data, more)[:known+more]
		err = d.fill(data[known:])
	}
	d.data, d.at = data, 0
	if err != nil {
		d.data = data[:0]
	}
	return err
}

func (d *Decoder) left() int { return len(d.data) - d.at }

// take gives the next n bytes, which are there.
func (d *Decoder) take(n int) []byte {
	from := d.at
	d.at += n
	return d.data[from:d.at:d.at]
}

// getUint reads a number.
func (d *Decoder) getUint() uint64 {
	if d.at < len(d.data) {
		if c := d.data[d.at]; c <= math.MaxInt8 {
			d.at++
			return uint64(c)
		}
	}
	return d.getLong()
}

func (d *Decoder) getLong() uint64 {
	b := d.data[d.at:]
	if len(b) == 0 {
		fail(io.EOF)
	}
	d.at++
	n := tail(b[0])
	switch {
	case n > 8:
		fail(errUint)
	case n >= len(b):
		failf("invalid uint data length %d: exceeds input size %d", n, len(b)-1)
	}
	d.at += n
	if len(b) <= 8 {
		return bigEndian(b[1 : n+1])
	}
	// Of eight bytes the first n count.
	return bits.ReverseBytes64(*(*uint64)(unsafe.Pointer(&b[1]))) >> (64 - 8*n)
}

// looseUint reads a number, and notes a failure without throwing it.
func (d *Decoder) looseUint() uint64 {
	n := 0
	if d.left() == 0 {
		d.err = io.EOF
		return 0
	}
	if n = tail(d.data[d.at]); n > 8 {
		d.err = errUint
		d.at++
		return 0
	}
	if n >= d.left() {
		d.err = io.ErrUnexpectedEOF
		d.at = len(d.data)
		return 0
	}
	return d.getUint()
}

// signed undoes zigzag.
func signed(x uint64) int64 { return int64(x>>1) ^ -int64(x&1) }

func (d *Decoder) getFloat() float64 {
	return math.Float64frombits(bits.ReverseBytes64(d.getUint()))
}

func (d *Decoder) getFloat32(what string) float32 {
	f := d.getFloat()
	if a := math.Abs(f); math.MaxFloat32 < a && a <= math.MaxFloat64 {
		outOfRange(what)
	}
	return float32(f)
}

func outOfRange(what string) { fail(errors.New(`value for "` + what + `" out of range`)) }

// getSize reads the size of bytes that follow in the message; ok is false if they do not.
func (d *Decoder) getSize() (n int, ok bool) {
	if n = int(d.getUint()); n < 0 || n > d.left() || n >= refused {
		return 0, false
	}
	return n, true
}

// store puts x, as it came from a stream, into the variable at p, which is a number.
func (d *Decoder) store(o op, p unsafe.Pointer, what string) {
	fits := true
	switch o {
	case opFloat64:
		*(*float64)(p) = d.getFloat()
	case opFloat32:
		*(*float32)(p) = d.getFloat32(what)
	case opBool:
		*(*bool)(p) = d.getUint() != 0
	case opInt64:
		*(*int64)(p) = signed(d.getUint())
	case opUint64:
		*(*uint64)(p) = d.getUint()
	case opInt8, opInt16, opInt32:
		x := signed(d.getUint())
		switch fits = true; o {
		case opInt32:
			if fits = x == int64(int32(x)); fits {
				*(*int32)(p) = int32(x)
			}
		case opInt16:
			if fits = x == int64(int16(x)); fits {
				*(*int16)(p) = int16(x)
			}
		default:
			if fits = x == int64(int8(x)); fits {
				*(*int8)(p) = int8(x)
			}
		}
	default:
		switch x := d.getUint(); o {
		case opUint32:
			if fits = x <= math.MaxUint32; fits {
				*(*uint32)(p) = uint32(x)
			}
		case opUint16:
			if fits = x <= math.MaxUint16; fits {
				*(*uint16)(p) = uint16(x)
			}
		default:
			if fits = x <= math.MaxUint8; fits {
				*(*uint8)(p) = uint8(x)
			}
		}
	}
	if !fits {
		outOfRange(what)
	}
}

// nextType reads definitions up to a value, and gives the number of its type, or -1. Inside of an
// interface a message may go on after a definition.
func (d *Decoder) nextType(inside bool) typeId {
	// Where a definition has been read, the stream must not end.
	for end := io.EOF; d.more(end); end = io.ErrUnexpectedEOF {
		id := typeId(signed(d.looseUint()))
		if id >= 0 {
			return id
		}
		if d.learn(-id); d.err != nil || d.left() == 0 {
			continue
		}
		if !inside {
			d.err = errors.New("extra data in buffer")
			break
		}
		d.looseUint()
	}
	return -1
}

// more says whether there is something to read, if need be from the next message; end is the error
// where the stream has none.
func (d *Decoder) more(end error) bool {
	if d.err == nil && d.left() == 0 {
		if d.err = d.nextMessage(); d.err == io.EOF {
			d.err = end
		}
	}
	return d.err == nil
}

// learn reads the definition of the type numbered id.
func (d *Decoder) learn(id typeId) {
	if id >= firstFree && d.defined[id] == nil {
		var w wireType
		d.read(d.rootOf(idWireType, reflect.TypeFor[wireType]()), unsafe.Pointer(&w))
		d.defined[id] = w.definition()
	} else {
		d.err = errors.New("gob: duplicate type received")
	}
}

func (d *Decoder) Decode(v any) error {
	var to reflect.Value
	if v != nil {
		if to = reflect.ValueOf(v); to.Kind() != reflect.Pointer {
			d.err = errors.New("gob: attempt to decode into a non-pointer")
			return d.err
		}
	}
	return d.DecodeValue(to)
}

func (d *Decoder) DecodeValue(v reflect.Value) error {
	if v.IsValid() && !v.CanSet() && (v.Kind() != reflect.Pointer || v.IsNil()) {
		return errors.New("gob: DecodeValue of unassignable value")
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.data, d.at, d.err = d.data[:0], 0, nil
	d.nextValue(v)
	return d.err
}

func (d *Decoder) nextValue(v reflect.Value) {
	defer caught(&d.err)
	if id := d.nextType(false); d.err == nil {
		d.value(id, v)
	}
}

// value reads a value of the type numbered id into v, or skips it if there is no v.
func (d *Decoder) value(id typeId, v reflect.Value) {
	if !v.IsValid() {
		d.vet(id, 1)
		if !d.defined[id].is(formStruct) {
			d.alone()
		}
		d.skip(id)
		return
	}
	n := d.rootOf(id, v.Type())
	var p unsafe.Pointer
	if v.CanAddr() {
		p = n.reach(v.Addr().UnsafePointer(), 0)
	} else {
		p = n.reach(v.UnsafePointer(), 1)
	}
	if n.op != opStruct {
		d.alone()
	} else if def := d.defined[id]; !n.layout.matched && n.t.NumField() > 0 &&
		def != nil && len(def.fields) > 0 {
		failf("type mismatch: no fields matched compiling decoder for %s", n.t.Name())
	}
	d.read(n, p)
}

// alone reads what is before a value that is no struct.
func (d *Decoder) alone() {
	if d.getUint() != 0 {
		failf("decode: corrupted data: non-zero delta for singleton")
	}
}

// reach follows the pointers from p, which is behind the first known of them, and makes those that
// are nil.
func (n *target) reach(p unsafe.Pointer, known int) unsafe.Pointer {
	for _, t := range n.chain[known+1:] {
		at := (*unsafe.Pointer)(p)
		if *at == nil {
			*at = reflect.New(t).UnsafePointer()
		}
		p = *at
	}
	return p
}

// rootOf makes the target of values that stand for themselves.
func (d *Decoder) rootOf(id typeId, t reflect.Type) *target {
	key := match{t, id}
	if n := d.roots[key]; n != nil {
		return n
	}
	s := mustShape(t)
	if s.base().Kind() != reflect.Struct || s.reads.way != byKind {
		d.mustSuit(t, s.base(), id)
	}
	n := d.targetOf(id, t, t.String(), map[reflect.Type]*target{})
	d.roots[key] = n
	return n
}

// mustSuit fails if values of the type numbered id do not go into t.
func (d *Decoder) mustSuit(t, base reflect.Type, id typeId) {
	if d.suits(t, id, map[reflect.Type]typeId{}) {
		return
	}
	name, ok := typeText(id)
	if !ok {
		// Types of ours with the number go first, as in Go.
		name = "unknown type"
		if def := d.defined[id]; def != nil {
			name = def.Name
		}
	}
	if base.Kind() == reflect.Interface && id != idInterface {
		fail(errors.New("gob: local interface type " + t.String() + " can only be decoded from" +
			" remote interface type; received concrete type " + name))
	}
	fail(errors.New("gob: decoding into local type " + t.String() + ", received remote type " + name))
}

// suits says whether values of the type numbered id go into t. Structs do; their fields are looked
// at later.
func (d *Decoder) suits(t reflect.Type, id typeId, seen map[reflect.Type]typeId) bool {
	if old, ok := seen[t]; ok {
		return old == id
	}
	seen[t] = id
	s := mustShape(t)
	def := d.defined[id]
	remote := byKind
	if def != nil && def.form >= formGob {
		remote = byGob + way(def.form-formGob)
	}
	base := s.base()
	switch want := formOfKind[base.Kind()]; {
	case s.reads.way != remote:
		return false
	case remote != byKind, want == formStruct:
		return true
	case want == formNone, isBytes(base):
		need := basicId(base)
		return need == id && need != 0
	case want == formSlice:
		if def == nil {
			def = commonDefinition(id)
		}
		return def.is(want) && d.suits(mustShape(base.Elem()).base(), def.elem, seen)
	case !def.is(want) || want == formArray && def.length != base.Len():
		return false
	default:
		return (want != formMap || d.suits(base.Key(), def.key, seen)) &&
			d.suits(base.Elem(), def.elem, seen)
	}
}

// targetOf makes what reads the type numbered id, which suits, into t. The targets in making may be
// incomplete: types may contain themselves.
func (d *Decoder) targetOf(
	id typeId, t reflect.Type, name string, making map[reflect.Type]*target,
) *target {
	s := mustShape(t)
	n := &target{op: opOf(s.base()), chain: s.chain, t: s.base(), what: name, own: s.reads}
	if n.own.way != byKind {
		n.op = opOwn
		return n
	}
	if made := making[t]; made != nil {
		return made
	}
	if n.op <= opString {
		return n
	}
	making[t] = n
	def := d.defined[id]
	if def == nil {
		def = commonDefinition(id)
	}
	inner := "element of " + name
	switch n.op {
	case opStruct:
		n.layout = d.layoutOf(id, n.t)
	case opMap:
		n.key = d.targetOf(def.key, n.t.Key(), "key of "+name, making)
		n.elem = d.targetOf(def.elem, n.t.Elem(), inner, making)
		// Their own numbers go by the map's name.
		for _, part := range [...]*target{n.key, n.elem} {
			if part.op <= opComplex128 {
				part.what = name
			}
		}
	case opArray:
		n.length = n.t.Len()
		fallthrough
	case opSlice:
		of := n.t.Elem()
		n.elem = d.targetOf(def.elem, of, inner, making)
		n.size = of.Size()
		if of.PkgPath() == "" && of.Name() != "" && n.elem.op <= opString &&
			n.elem.op != opUint8 && (n.op == opArray || n.t.Name() == "") {
			n.plural = of.Name()
		}
	case opNone:
		failf("decode can't handle type %s", t)
	}
	return n
}

// layoutOf makes the layout of the struct numbered id in t. A layout is known before it is made.
func (d *Decoder) layoutOf(id typeId, t reflect.Type) *layout {
	key := match{t, id}
	if l := d.layouts[key]; l != nil {
		return l
	}
	l := new(layout)
	d.layouts[key] = l
	good := false
	defer func() {
		if !good {
			delete(d.layouts, key)
		}
	}()
	remote := commonDefinition(id)
	if remote == nil {
		if remote = d.defined[id]; remote == nil {
			fail(errType)
		}
	}
	if remote.form != formStruct {
		failf("type mismatch in decoder: want struct type %s; got non-struct", t)
	}
	making := map[reflect.Type]*target{}
	fields := make([]placed, 0, len(remote.fields))
	for _, r := range remote.fields {
		if r.Name == "" {
			failf("empty name for remote field of type %s", remote.Name)
		}
		to := placed{remote: r.Id}
		if f, ok := t.FieldByName(r.Name); !ok || !exported(r.Name) {
			d.vet(r.Id, 1)
		} else if !d.suits(f.Type, r.Id, map[reflect.Type]typeId{}) {
			failf("wrong type (%s) for received field %s.%s", f.Type, remote.Name, r.Name)
		} else {
			to.target = d.targetOf(r.Id, f.Type, f.Name, making)
			to.locate(t, f)
			l.matched = true
		}
		fields = append(fields, to)
	}
	l.fields, good = fields, true
	return l
}

// locate finds out where f is in t.
func (to *placed) locate(t reflect.Type, f reflect.StructField) {
	for i, at := range f.Index {
		step := t.Field(at)
		to.offset += step.Offset
		if t = step.Type; i < len(f.Index)-1 && t.Kind() == reflect.Pointer {
			to.path = f.Index
			return
		}
	}
}

// peek gives the number that comes next if it is small, or else -1.
func (d *Decoder) peek() int {
	if d.at < len(d.data) && d.data[d.at] <= math.MaxInt8 {
		return int(d.data[d.at])
	}
	return -1
}

// step reads how far the next field is from the one at i, up to a field that there is, and gives its
// place; -1: there is none.
func (d *Decoder) step(i, fields int, ignored string) int {
	if d.at == len(d.data) {
		return -1
	}
	switch gap := int(d.getUint()); {
	case gap == 0:
		return -1
	case gap < 0:
		failf(ignored + "decode: corrupted data: negative delta")
	case gap >= fields-i:
		fail(errFields)
	default:
		i += gap
	}
	return i
}

// read reads a value into the variable at p, behind the pointers.
func (d *Decoder) read(n *target, p unsafe.Pointer) {
	switch n.op {
	case opStruct:
		d.readFields(n, p)
	case opSlice:
		d.readSlice(n, p)
	case opString:
		size, ok := d.getSize()
		if !ok {
			failf("bad %s slice length: %d", n.t, size)
		}
		*(*string)(p) = string(d.take(size))
	case opBytes:
		d.readBytes(n, p)
	case opArray:
		if d.getUint() != uint64(n.length) {
			failf("length mismatch in decodeArray")
		}
		for i := range n.length {
			d.readElement(n, unsafe.Add(p, uintptr(i)*n.size), n.length)
		}
	case opMap:
		d.readMap(n, reflect.NewAt(n.t, p).Elem())
	case opInterface:
		d.readInterface(n, reflect.NewAt(n.t, p).Elem())
	case opOwn:
		d.readOwn(n, p)
	case opComplex128:
		re := d.getFloat()
		*(*complex128)(p) = complex(re, d.getFloat())
	case opComplex64:
		re := d.getFloat32(n.what)
		*(*complex64)(p) = complex(re, d.getFloat32(n.what))
	default:
		d.store(n.op, p, n.what)
	}
}

func (d *Decoder) readFields(n *target, p unsafe.Pointer) {
	fields := n.layout.fields
	for i := -1; ; {
		// Most often the next field is near, and its distance one byte.
		if gap := d.peek(); 0 < gap && gap < len(fields)-i {
			d.at++
			i += gap
		} else if i = d.step(i, len(fields), ""); i < 0 {
			return
		}
		f := &fields[i]
		to := f.target
		if to == nil {
			d.skip(f.remote)
			continue
		}
		at := unsafe.Add(p, f.offset)
		if f.path != nil {
			at = reflect.NewAt(n.t, p).Elem().FieldByIndex(f.path).Addr().UnsafePointer()
		}
		if len(to.chain) > 1 {
			at = to.reach(at, 0)
		}
		switch to.op {
		case opInt64:
			*(*int64)(at) = signed(d.getUint())
		case opFloat64:
			*(*float64)(at) = d.getFloat()
		default:
			d.read(to, at)
		}
	}
}

func (d *Decoder) readBytes(n *target, p unsafe.Pointer) {
	size, ok := d.getSize()
	if !ok {
		failf("bad %s slice length: %d", n.t, size)
	}
	b := (*[]byte)(p)
	if cap(*b) < size {
		*b = make([]byte, size)
	}
	*b = (*b)[:size]
	copy(*b, d.take(size))
}

func (d *Decoder) readSlice(n *target, p unsafe.Pointer) {
	u := d.getUint()
	high, bytes := bits.Mul64(u, uint64(n.size))
	count := int(u)
	if count < 0 || high != 0 || bytes > refused {
		failf("%s slice too big: %d elements of %d bytes", n.t.Elem(), u, n.size)
	}
	s := (*sliceHeader)(p)
	if s.cap >= count {
		s.len = count
	} else {
		safe := count
		if bytes > chunk {
			safe = max(1, int(chunk/n.size))
		}
		reflect.NewAt(n.t, p).Elem().Set(reflect.MakeSlice(n.t, safe, safe))
	}
	// It grows up to the count while elements come.
	for i := range count {
		if i >= s.len {
			if d.left() == 0 {
				d.tooFew(n, count)
			}
			v := reflect.NewAt(n.t, p).Elem()
			v.Grow(1)
			v.SetLen(min(v.Cap(), count))
		}
		d.readElement(n, unsafe.Add(s.p, uintptr(i)*n.size), count)
	}
}

// tooFew fails because a message ends before the count elements of a slice or an array.
func (d *Decoder) tooFew(n *target, count int) {
	kind := n.plural
	if kind != "" {
		kind += " "
	}
	failf("decoding %sarray or slice: length exceeds input size (%d elements)", kind, count)
}

// readElement reads an element of n into the variable at p.
func (d *Decoder) readElement(n *target, p unsafe.Pointer, count int) {
	if d.left() == 0 {
		d.tooFew(n, count)
	}
	elem := n.elem
	if len(elem.chain) > 1 {
		p = elem.reach(p, 0)
	}
	switch {
	case elem.op <= lastNumber:
		d.store(elem.op, p, elem.what)
	case elem.op == opString && n.plural != "":
		size := d.getUint()
		if size > uint64(d.left()) {
			failf("length of string exceeds input size (%d bytes)", size)
		}
		*(*string)(p) = string(d.take(int(size)))
	default:
		d.read(elem, p)
	}
}

func (d *Decoder) readMap(n *target, v reflect.Value) {
	count := int(d.getUint())
	if v.IsNil() {
		v.Set(reflect.MakeMapWithSize(n.t, max(0, min(count, d.left()))))
	}
	key, elem := reflect.New(n.t.Key()), reflect.New(n.t.Elem())
	k, x := key.Elem(), elem.Elem()
	for ; count > 0; count-- {
		if d.left() == 0 {
			fail(io.EOF)
		}
		d.read(n.key, n.key.reach(key.UnsafePointer(), 0))
		d.read(n.elem, n.elem.reach(elem.UnsafePointer(), 0))
		v.SetMapIndex(k, x)
		k.SetZero()
		x.SetZero()
	}
}

func (d *Decoder) readInterface(n *target, v reflect.Value) {
	t := d.heldType()
	if t == nil {
		v.SetZero()
		return
	}
	held := reflect.New(t).Elem()
	if id := d.nextType(true); id >= 0 {
		d.getUint() // the size of what follows
		d.value(id, held)
	}
	if d.err != nil {
		fail(d.err)
	}
	if !t.AssignableTo(n.t) {
		failf("%s is not assignable to type %s", t, n.t)
	}
	v.Set(held)
}

// heldType takes the name of the type of what an interface holds, and finds the type; nil: it holds
// nothing.
func (d *Decoder) heldType() reflect.Type {
	const longest, limit = 1024, 1 << 31
	size := d.getUint()
	if size > min(limit, uint64(d.left())) {
		why := ": exceeds input size"
		if size > limit {
			why = ""
		}
		failf("invalid type name length %d%s", size, why)
	}
	if size == 0 {
		return nil
	}
	name := string(d.take(int(size)))
	if size > longest {
		failf("name too long (%d bytes): %.20q...", size, name)
	}
	t := typeNamed(name)
	if t == nil {
		failf("name not registered for interface: %q", name)
	}
	return t
}

// ownBytes takes the bytes of a value that reads itself.
func (d *Decoder) ownBytes() []byte {
	size, ok := d.getSize()
	if !ok {
		failf("GobDecoder: length too large for buffer")
	}
	return d.take(size)
}

func (d *Decoder) readOwn(n *target, p unsafe.Pointer) {
	v := reflect.NewAt(n.t, p)
	if !n.own.onAddress && n.chain[n.own.at].Kind() != reflect.Pointer {
		v = v.Elem()
	}
	data := d.ownBytes()
	var err error
	if n.own.way == byGob {
		err = v.Interface().(GobDecoder).GobDecode(data)
	} else {
		err = v.Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(data)
	}
	if err != nil {
		fail(err)
	}
}

// vet looks whether the type numbered id, which is so deep in another, can be skipped.
func (d *Decoder) vet(id typeId, depth int) {
	if depth > deepest {
		fail(errors.New("invalid nesting depth"))
	}
	def := d.defined[id]
	switch {
	case d.vetted[id] || idBool <= id && id <= idInterface:
		return
	case def == nil:
		text, _ := typeText(id)
		failf("bad data: undefined type %s", text)
	case def.form == formNone:
		text, _ := typeText(id)
		failf("bad data: ignore can't handle type %s", text)
	}
	d.vetted[id] = true
	good := false
	defer func() {
		if !good {
			delete(d.vetted, id)
		}
	}()
	switch def.form {
	case formMap:
		d.vet(def.key, depth+1)
		fallthrough
	case formArray, formSlice:
		d.vet(def.elem, depth+1)
	case formStruct:
		for _, f := range def.fields {
			if f.Name == "" {
				failf("empty name for remote field of type %s", def.Name)
			}
			d.vet(f.Id, depth+1)
		}
	}
	good = true
}

// skip reads a value of the type numbered id, which has been vetted.
func (d *Decoder) skip(id typeId) {
	switch id {
	case idBool, idInt, idUint, idFloat:
		d.getUint()
		return
	case idComplex:
		d.getUint()
		d.getUint()
		return
	case idBytes, idString:
		d.skipBytes("slice length too large")
		return
	case idInterface:
		d.skipBytes("bad interface encoding: name too large for buffer")
		if d.nextType(true) < 0 {
			fail(d.err)
		}
		d.skipBytes("bad interface encoding: data length too large for buffer")
		return
	}
	def := d.defined[id]
	switch def.form {
	case formStruct:
		const what = "ignore "
		n := len(def.fields)
		for i := d.step(-1, n, what); i >= 0; i = d.step(i, n, what) {
			d.skip(def.fields[i].Id)
		}
	case formMap:
		for count := int(d.getUint()); count > 0; count-- {
			if d.left() == 0 {
				fail(io.EOF)
			}
			d.skip(def.key)
			d.skip(def.elem)
		}
	case formArray, formSlice:
		u := d.getUint()
		if def.form == formArray && u != uint64(def.length) {
			failf("length mismatch in ignoreArray")
		}
		for i := 0; i < int(u); i++ {
			if d.left() == 0 {
				d.tooFew(&target{}, int(u))
			}
			d.skip(def.elem)
		}
	default:
		d.ownBytes()
	}
}

func (d *Decoder) skipBytes(otherwise string) {
	size, ok := d.getSize()
	if !ok {
		failf("%s", otherwise)
	}
	d.take(size)
}
