package jsontext

import (
	"bytes"
	"io"
	"math/bits"
	"strings"
	"sync"

	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/internal/jsonwire"
)

// Encoder writes tokens and values.
type Encoder struct {
	s encoderState
}

type encoderState struct {
	state
	encodeBuffer
	jsonopts.Struct

	// SeenPointers are those that encoding/json/v2 is following.
	SeenPointers map[any]struct{}
	// Slow says that encoding/json/v2 does not write values at once any more.
	Slow bool
}

// encodeBuffer has what has not been written yet.
type encodeBuffer struct {
	Buf []byte
	// gone is how much has been written.
	gone int64
	// wr is nil if all stays in Buf.
	wr io.Writer
	// sizes is about as large as the largest value; spare is what AvailableBuffer gives.
	sizes int
	spare []byte
}

// Reset makes e as new.
func (e *Encoder) Reset(w io.Writer, opts ...Options) {
	mustBeFree(e == nil, "Encoder", w == nil, "io.Writer")
	mustBeOwn(&e.s.Struct, "Encoder passed to json.MarshalerTo")
	e.s.restart(emptied(e.s.Buf, e.s.wr), w, opts)
}

// NewEncoder makes an encoder that writes to w.
func NewEncoder(w io.Writer, opts ...Options) *Encoder {
	var e Encoder
	e.Reset(w, opts...)
	return &e
}

func (e *encoderState) restart(b []byte, w io.Writer, opts []Options) {
	// The options may have e.Struct among them, so they are joined before that is written.
	var all jsonopts.Struct
	if all.Join(opts...); all.Flags.Get(jsonflags.Multiline) {
		all.InitializeMultiline()
	}
	// What can be is written into a bytes.Buffer where it will stay.
	if bb, ok := w.(*bytes.Buffer); ok && bb != nil {
		b = bb.AvailableBuffer()
	}
	e.state.clear()
	e.encodeBuffer = encodeBuffer{Buf: b, wr: w, spare: e.spare}
	e.Struct, e.SeenPointers, e.Slow = all, nil, false
}

var idleEncoders = sync.Pool{New: func() any {
	return &Encoder{encoderState{encodeBuffer: encodeBuffer{Buf: make([]byte, 0, 64)}}}
}}

// borrowEncoder gives an encoder that writes into its buffer, and is to be given back.
func borrowEncoder(opts ...Options) *Encoder {
	e := idleEncoders.Get().(*Encoder)
	e.s.restart(e.s.Buf[:0], nil, opts)
	return e
}

func giveBackEncoder(e *Encoder) {
	const most = 64 << 10
	for _, b := range [...]*[]byte{&e.s.Buf, &e.s.spare} {
		if cap(*b) > most {
			*b = nil
		}
	}
	idleEncoders.Put(e)
}

// Options gives the options that e works with.
func (e *Encoder) Options() Options { return &e.s.Struct }

func (e *encoderState) options() *jsonopts.Struct { return &e.Struct }

// Flush writes what is in the buffer, unless it might have to be taken back.
func (e *encoderState) Flush() (err error) {
	if e.wr == nil || e.mayUnwrite() {
		return nil
	}
	if !e.Flags.Get(jsonflags.OmitTopLevelNewline) && len(e.Tokens.Stack) == 0 {
		e.Buf = append(e.Buf, '\n')
	}
	e.Names.settle(e.Buf)
	n := 0
	bb, lent := e.wr.(*bytes.Buffer)
	if lent {
		n, _ = bb.Write(e.Buf)
		e.Buf = nextRoom(bb)
	} else if n, err = e.wr.Write(e.Buf); err != nil {
		err = &ioError{action: "write", err: err}
		e.Buf = append(e.Buf[:0], e.Buf[max(n, 0):]...)
	} else {
		e.Buf = e.Buf[:0]
	}
	e.gone += int64(n)
	// As with decoders, the buffer grows up to 4 KiB as more is written.
	if size := cap(e.Buf); !lent && err == nil && size <= 2<<10 && int64(size) < e.gone/2 {
		e.Buf = make([]byte, 0, 2*size)
	}
	return err
}

// nextRoom gives the room behind what is in bb, which is kept at a quarter of that.
func nextRoom(bb *bytes.Buffer) []byte {
	if room := bb.Available(); room < bb.Len()/4 {
		bb.Grow(room + 1)
	}
	return bb.AvailableBuffer()
}

// mayUnwrite says whether what was written last could be taken back: the beginning of something, a
// name, and members whose value is empty.
func (e *encoderState) mayUnwrite() bool {
	last := e.Tokens.Last
	if last.Length() == 0 || last.wantsValue() {
		return true
	}
	return last.NeedObjectName() && emptyValue(e.Buf) > 0
}

// emptyValue gives the length of the empty value that b ends with.
func emptyValue(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch string(b[len(b)-2:]) {
	case "ll":
		return len("null")
	case `""`, "{}", "[]":
		return 2
	}
	return 0
}

func (e *encoderState) offsetAt(pos int) int64 { return e.gone + int64(pos) }

// UnwriteEmptyObjectMember takes back the last member if its value is empty. What was the last name
// before it is given if there was one.
func (e *encoderState) UnwriteEmptyObjectMember(prevName *string) bool {
	n := emptyValue(e.Buf)
	if n == 0 || len(e.Buf) < 3 || e.Buf[len(e.Buf)-1] == '"' && e.Buf[len(e.Buf)-3] == '\\' {
		return false
	}
	b := e.Buf[:len(e.Buf)-n]
	b = jsonwire.TrimSuffixByte(jsonwire.TrimSuffixWhitespace(b), ':')
	b = jsonwire.TrimSuffixWhitespace(jsonwire.TrimSuffixString(b))
	e.Buf = jsonwire.TrimSuffixByte(b, ',')
	e.Tokens.Last -= 2
	e.forgetName()
	if prevName != nil {
		e.Names.settle(e.Buf)
		e.Names.setLast(*prevName)
	}
	return true
}

func (e *encoderState) forgetName() {
	if !e.Flags.Get(jsonflags.AllowDuplicateNames) && e.Tokens.Last.keepsNames() {
		e.Namespaces.Last().forget()
	}
	e.Names.setLast("")
}

// UnwriteOnlyObjectMemberName takes back the first name of an object, and gives it.
func (e *encoderState) UnwriteOnlyObjectMemberName() (name string) {
	before := jsonwire.TrimSuffixString(e.Buf)
	quoted := e.Buf[len(before):]
	name = string(jsonwire.UnquoteMayCopy(quoted, false))
	e.Tokens.Last--
	e.Buf = jsonwire.TrimSuffixWhitespace(before)
	e.forgetName()
	return name
}

// begin gives the buffer with what comes before a token of kind k.
func (e *encoderState) begin(k Kind) []byte {
	b := e.Tokens.MayAppendDelim(e.Buf, k)
	if e.Flags.Get(jsonflags.AnyWhitespace) {
		b = e.appendSpace(b, k)
	}
	return b
}

// end takes over the buffer with the token in it.
func (e *encoderState) end(b []byte) (err error) {
	if e.Buf = b; e.NeedFlush() {
		err = e.Flush()
	}
	return err
}

// NeedFlush says whether it is time to write.
func (e *encoderState) NeedFlush() bool {
	return e.wr != nil && (len(e.Tokens.Stack) == 0 || len(e.Buf) > 3*cap(e.Buf)/4)
}

// take counts the token of kind k that b ends with, and writes if it is time to. Nothing has happened
// if there is an error.
func (e *encoderState) take(k Kind, b []byte, pos int) (err error) {
	if k == '"' {
		err = e.countString(b[pos:], pos, false, &e.Flags)
	} else {
		err = e.count(k, &e.Flags)
	}
	if err != nil {
		return located(e, err, pos, +1)
	}
	return e.end(b)
}

func (e *encoderState) WriteToken(t Token) error {
	k := t.Kind()
	b := e.begin(k)
	pos := len(b)
	var err error
	switch text := spelled[k]; {
	case text != "":
		b = append(b, text...)
	case k == '0':
		b = t.putNumber(b, &e.Flags)
	case k == '"':
		b, err = t.putString(b, &e.Flags)
	default:
		err = errNoToken
	}
	if err != nil {
		return located(e, err, pos, +1)
	}
	return e.take(k, b, pos)
}

// WriteToken writes a token.
func (e *Encoder) WriteToken(t Token) error { return e.s.WriteToken(t) }

// AppendRaw writes a string or number that add appends to a buffer, a string without its quotes.
// It needs no escapes if isSafe.
func (e *encoderState) AppendRaw(k Kind, isSafe bool, add func([]byte) ([]byte, error)) error {
	b := e.begin(k)
	pos := len(b)
	if k == '"' {
		b = append(b, '"')
	}
	text := len(b)
	b, err := add(b)
	if err != nil {
		return err
	}
	switch {
	case k != '"':
	case isSafe || !jsonwire.NeedEscape(string(b[text:])):
		b = append(b, '"')
	default:
		if b, err = jsonwire.AppendQuote(b[:pos], string(b[text:]), &e.Flags); err != nil {
			return located(e, err, pos, +1)
		}
	}
	return e.take(k, b, pos)
}

func (e *encoderState) WriteValue(v Value) error {
	e.sizes |= len(v)
	k, depth := v.Kind(), e.Tokens.Depth()
	b := e.begin(k)
	pos := len(b)
	before := jsonwire.ConsumeWhitespace(v)
	text := v[before:]
	b, n := jsonwire.ReformatValue(b, text, depth, &e.Flags, e.IndentPrefix, e.Indent)
	if n < 0 {
		f := newFinder(text, io.ErrUnexpectedEOF, &e.Flags)
		at, err := f.value(0, depth)
		return located(e, err, pos+before+at, +1)
	}
	if n += jsonwire.ConsumeWhitespace(text[n:]); n < len(text) {
		err := jsonwire.NewInvalidCharacterError(text[n:], afterAll)
		return located(e, err, pos+before+n, 0)
	}
	if k != '{' && k != '[' {
		return e.take(k, b, pos)
	}
	if err := e.Tokens.countNested(); err != nil {
		return located(e, err, pos, +1)
	}
	if e.Flags.Get(jsonflags.ReorderRawObjects) {
		reorder(b[pos:])
	}
	return e.end(b)
}

// WriteValue writes a value.
func (e *Encoder) WriteValue(v Value) error { return e.s.WriteValue(v) }

// CountNextDelimWhitespace says how much will be written before the next token.
func (e *encoderState) CountNextDelimWhitespace() int {
	// Before a string comes what comes before any value.
	return len(e.begin('"')) - len(e.Buf)
}

// appendSpace appends what comes between the delimiter before next and that.
func (e *encoderState) appendSpace(b []byte, next Kind) []byte {
	var wish jsonflags.Bools
	delim := e.Tokens.delimBefore(next)
	switch delim {
	case ':':
		wish = jsonflags.SpaceAfterColon
	case ',':
		wish = jsonflags.SpaceAfterComma
	}
	if e.Flags.Get(wish) {
		b = append(b, ' ')
	}
	if delim == ':' || !e.Flags.Get(jsonflags.Multiline) {
		return b
	}
	return e.AppendIndent(b, e.Tokens.NeedIndent(next))
}

// AppendIndent begins a line with n-1 indents, or none if n is 0.
func (e *encoderState) AppendIndent(b []byte, n int) []byte {
	if n > 0 {
		b = append(append(b, '\n'), e.IndentPrefix...)
		b = append(b, strings.Repeat(e.Indent, n-1)...)
	}
	return b
}

// OutputOffset says how much e has written, flushed or not.
func (e *Encoder) OutputOffset() int64 { return e.s.offsetAt(len(e.s.Buf)) }

// AvailableBuffer gives an empty buffer to make a value in that will be written at once.
func (e *Encoder) AvailableBuffer() []byte {
	if n := 1 << bits.Len(uint(e.s.sizes|63)); cap(e.s.spare) < n {
		e.s.spare = make([]byte, 0, n)
	}
	return e.s.spare
}

func (e *encoderState) AppendStackPointer(b []byte, where int) []byte {
	e.Names.settle(e.Buf)
	return e.pointer(b, where)
}

// StackIndex gives the kind of an open array or object, and the number of values in it.
func (e *Encoder) StackIndex(i int) (Kind, int64) { return e.s.Tokens.kindLength(i) }

// StackDepth gives the number of open arrays and objects.
func (e *Encoder) StackDepth() int { return len(e.s.Tokens.Stack) }

// StackPointer points to the value that was written last.
func (e *Encoder) StackPointer() Pointer { return Pointer(e.s.AppendStackPointer(nil, -1)) }
