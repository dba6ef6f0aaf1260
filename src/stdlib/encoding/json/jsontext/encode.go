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
	Buf        []byte
	baseOffset int64
	// wr is nil if all stays in Buf.
	wr io.Writer
	// maxValue is about as large as the largest value.
	maxValue int
	avail    []byte
}

// NewEncoder makes an encoder that writes to w.
func NewEncoder(w io.Writer, opts ...Options) *Encoder {
	e := new(Encoder)
	e.Reset(w, opts...)
	return e
}

// Reset makes e as new.
func (e *Encoder) Reset(w io.Writer, opts ...Options) {
	switch {
	case e == nil:
		panic("jsontext: invalid nil Encoder")
	case w == nil:
		panic("jsontext: invalid nil io.Writer")
	case e.s.Flags.Get(jsonflags.WithinArshalCall):
		panic("jsontext: cannot reset Encoder passed to json.MarshalerTo")
	}
	b := e.s.Buf[:0]
	if _, ok := e.s.wr.(*bytes.Buffer); ok {
		b = nil
	}
	e.s.reset(b, w, opts...)
}

func (e *encoderState) reset(b []byte, w io.Writer, opts ...Options) {
	e.state.reset()
	e.encodeBuffer = encodeBuffer{Buf: b, wr: w, avail: e.avail}
	e.SeenPointers, e.Slow = nil, false
	if bb, ok := w.(*bytes.Buffer); ok && bb != nil {
		e.Buf = bb.AvailableBuffer()
	}
	// The options may have e.Struct among them.
	var joined jsonopts.Struct
	joined.Join(opts...)
	e.Struct = joined
	if e.Flags.Get(jsonflags.Multiline) {
		e.InitializeMultiline()
	}
}

var bufferedEncoders = sync.Pool{New: func() any { return new(Encoder) }}

func getBufferedEncoder(opts ...Options) *Encoder {
	e := bufferedEncoders.Get().(*Encoder)
	if e.s.Buf == nil {
		e.s.Buf = make([]byte, 0, 64)
	}
	e.s.reset(e.s.Buf[:0], nil, opts...)
	return e
}

func putBufferedEncoder(e *Encoder) {
	if cap(e.s.Buf) > 64<<10 {
		e.s.Buf = nil
	}
	if cap(e.s.avail) > 64<<10 {
		e.s.avail = nil
	}
	bufferedEncoders.Put(e)
}

// Options gives the options that e works with.
func (e *Encoder) Options() Options { return &e.s.Struct }

func (e *encoderState) options() *jsonopts.Struct { return &e.Struct }

// NeedFlush says whether it is time to write.
func (e *encoderState) NeedFlush() bool {
	return e.wr != nil && (len(e.Tokens.Stack) == 0 || len(e.Buf) > 3*cap(e.Buf)/4)
}

// Flush writes what is in the buffer, unless it might have to be taken back.
func (e *encoderState) Flush() error {
	if e.wr == nil || e.mayUnwrite() {
		return nil
	}
	if len(e.Tokens.Stack) == 0 && !e.Flags.Get(jsonflags.OmitTopLevelNewline) {
		e.Buf = append(e.Buf, '\n')
	}
	e.Names.settle(e.Buf)
	if bb, ok := e.wr.(*bytes.Buffer); ok {
		n, _ := bb.Write(e.Buf)
		e.baseOffset += int64(n)
		if avail := bb.Available(); avail < bb.Len()/4 {
			bb.Grow(avail + 1)
		}
		e.Buf = bb.AvailableBuffer()
		return nil
	}
	n, err := e.wr.Write(e.Buf)
	e.baseOffset += int64(n)
	if err != nil {
		if n > 0 {
			e.Buf = e.Buf[:copy(e.Buf, e.Buf[n:])]
		}
		return &ioError{action: "write", err: err}
	}
	e.Buf = e.Buf[:0]
	if size := cap(e.Buf); size <= 2<<10 && int64(size) < e.baseOffset/2 {
		e.Buf = make([]byte, 0, 2*size)
	}
	return nil
}

// mayUnwrite says whether what was written last could be taken back: the beginning of something, a
// name, and members whose value is empty.
func (e *encoderState) mayUnwrite() bool {
	last := e.Tokens.Last
	if last.Length() == 0 || last.needObjectValue() {
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

func (e *encoderState) offsetAt(pos int) int64 { return e.baseOffset + int64(pos) }

// UnwriteEmptyObjectMember takes back the last member if its value is empty. What was the last name
// before it is given if there was one.
func (e *encoderState) UnwriteEmptyObjectMember(prevName *string) bool {
	n := emptyValue(e.Buf)
	if n == 0 || len(e.Buf) < 3 || e.Buf[len(e.Buf)-1] == '"' && e.Buf[len(e.Buf)-3] == '\\' {
		return false
	}
	b := jsonwire.TrimSuffixWhitespace(e.Buf[:len(e.Buf)-n])
	b = jsonwire.TrimSuffixByte(b, ':')
	b = jsonwire.TrimSuffixString(b)
	b = jsonwire.TrimSuffixWhitespace(b)
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
	if !e.Flags.Get(jsonflags.AllowDuplicateNames) && e.Tokens.Last.isActiveNamespace() {
		e.Namespaces.Last().removeLast()
	}
	e.Names.setLast("")
}

// UnwriteOnlyObjectMemberName takes back the first name of an object, and gives it.
func (e *encoderState) UnwriteOnlyObjectMemberName() string {
	b := jsonwire.TrimSuffixString(e.Buf)
	name := string(jsonwire.UnquoteMayCopy(e.Buf[len(b):], false))
	e.Buf = jsonwire.TrimSuffixWhitespace(b)
	e.Tokens.Last--
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
func (e *encoderState) end(b []byte) error {
	e.Buf = b
	if e.NeedFlush() {
		return e.Flush()
	}
	return nil
}

// addString counts the string from pos on, which may be a name.
func (e *encoderState) addString(b []byte, pos int) error {
	if e.Tokens.Last.NeedObjectName() {
		if !e.Flags.Get(jsonflags.AllowDuplicateNames) {
			if e.Tokens.Last&badNamespace != 0 {
				return errInvalidNamespace
			}
			if e.Tokens.Last.isActiveNamespace() && !e.Namespaces.Last().insert(b[pos:], false) {
				return inMember(ErrDuplicateName, b[pos:])
			}
		}
		e.Names.ReplaceLastQuotedOffset(pos)
	}
	return e.Tokens.appendString()
}

// WriteToken writes a token.
func (e *Encoder) WriteToken(t Token) error { return e.s.WriteToken(t) }

func (e *encoderState) WriteToken(t Token) error {
	k := t.Kind()
	b := e.begin(k)
	pos := len(b)
	var err error
	switch k {
	case 'n':
		b = append(b, "null"...)
		err = e.Tokens.appendOther()
	case 'f':
		b = append(b, "false"...)
		err = e.Tokens.appendOther()
	case 't':
		b = append(b, "true"...)
		err = e.Tokens.appendOther()
	case '"':
		if b, err = t.appendString(b, &e.Flags); err == nil {
			err = e.addString(b, pos)
		}
	case '0':
		b = t.appendNumber(b, &e.Flags)
		err = e.Tokens.appendOther()
	case '{':
		b = append(b, '{')
		if err = e.Tokens.push(inObject); err == nil {
			e.Names.push()
			if !e.Flags.Get(jsonflags.AllowDuplicateNames) {
				e.Namespaces.push()
			}
			e.Flags.Clear(jsonflags.StringTag)
		}
	case '}':
		b = append(b, '}')
		if err = e.Tokens.pop(inObject); err == nil {
			e.Names.pop()
			if !e.Flags.Get(jsonflags.AllowDuplicateNames) {
				e.Namespaces.pop()
			}
		}
	case '[':
		b = append(b, '[')
		if err = e.Tokens.push(inArray); err == nil {
			e.Flags.Clear(jsonflags.StringTag)
		}
	case ']':
		b = append(b, ']')
		err = e.Tokens.pop(inArray)
	default:
		err = errInvalidToken
	}
	if err != nil {
		return wrapSyntacticError(e, err, pos, +1)
	}
	return e.end(b)
}

// AppendRaw writes a string or number that add appends to a buffer, a string without its quotes.
// It needs no escapes if isSafe.
func (e *encoderState) AppendRaw(k Kind, isSafe bool, add func([]byte) ([]byte, error)) error {
	b := e.begin(k)
	pos := len(b)
	var err error
	if k == '0' {
		if b, err = add(b); err != nil {
			return err
		}
		err = e.Tokens.appendOther()
	} else {
		b = append(b, '"')
		if b, err = add(b); err != nil {
			return err
		}
		if isSafe || !jsonwire.NeedEscape(string(b[pos+1:])) {
			b = append(b, '"')
		} else {
			b, err = jsonwire.AppendQuote(b[:pos], string(b[pos+1:]), &e.Flags)
		}
		if err == nil {
			err = e.addString(b, pos)
		}
	}
	if err != nil {
		return wrapSyntacticError(e, err, pos, +1)
	}
	return e.end(b)
}

// WriteValue writes a value.
func (e *Encoder) WriteValue(v Value) error { return e.s.WriteValue(v) }

func (e *encoderState) WriteValue(v Value) error {
	e.maxValue |= len(v)
	k := v.Kind()
	b := e.begin(k)
	pos := len(b)
	n := jsonwire.ConsumeWhitespace(v)
	depth := e.Tokens.Depth()
	b, m := jsonwire.ReformatValue(b, v[n:], depth, &e.Flags, e.IndentPrefix, e.Indent)
	if m < 0 {
		f := newFinder(v[n:], io.ErrUnexpectedEOF, &e.Flags)
		m, err := f.value(0, depth)
		return wrapSyntacticError(e, err, pos+n+m, +1)
	}
	n += m
	n += jsonwire.ConsumeWhitespace(v[n:])
	if n < len(v) {
		err := jsonwire.NewInvalidCharacterError(v[n:], "after top-level value")
		return wrapSyntacticError(e, err, pos+n, 0)
	}
	var err error
	switch k {
	case '"':
		err = e.addString(b, pos)
	case '{', '[':
		err = e.Tokens.appendNested()
		if err == nil && e.Flags.Get(jsonflags.ReorderRawObjects) {
			reorder(b[pos:])
		}
	default:
		err = e.Tokens.appendOther()
	}
	if err != nil {
		return wrapSyntacticError(e, err, pos, +1)
	}
	return e.end(b)
}

// CountNextDelimWhitespace says how much will be written before the next token.
func (e *encoderState) CountNextDelimWhitespace() int {
	// Before a string comes what comes before any value.
	return len(e.begin('"')) - len(e.Buf)
}

func (e *encoderState) appendSpace(b []byte, next Kind) []byte {
	delim := e.Tokens.needDelim(next)
	if delim == ':' {
		if e.Flags.Get(jsonflags.SpaceAfterColon) {
			b = append(b, ' ')
		}
		return b
	}
	if delim == ',' && e.Flags.Get(jsonflags.SpaceAfterComma) {
		b = append(b, ' ')
	}
	if e.Flags.Get(jsonflags.Multiline) {
		b = e.AppendIndent(b, e.Tokens.NeedIndent(next))
	}
	return b
}

// AppendIndent begins a line with n-1 indents, or none if n is 0.
func (e *encoderState) AppendIndent(b []byte, n int) []byte {
	if n == 0 {
		return b
	}
	b = append(append(b, '\n'), e.IndentPrefix...)
	return append(b, strings.Repeat(e.Indent, n-1)...)
}

// OutputOffset says how much e has written, flushed or not.
func (e *Encoder) OutputOffset() int64 { return e.s.offsetAt(len(e.s.Buf)) }

// AvailableBuffer gives an empty buffer to make a value in that will be written at once.
func (e *Encoder) AvailableBuffer() []byte {
	if n := 1 << bits.Len(uint(e.s.maxValue|63)); cap(e.s.avail) < n {
		e.s.avail = make([]byte, 0, n)
	}
	return e.s.avail
}

// StackDepth gives the number of open arrays and objects.
func (e *Encoder) StackDepth() int { return len(e.s.Tokens.Stack) }

// StackIndex gives the kind of an open array or object, and the number of values in it.
func (e *Encoder) StackIndex(i int) (Kind, int64) { return e.s.Tokens.kindLength(i) }

// StackPointer points to the value that was written last.
func (e *Encoder) StackPointer() Pointer { return Pointer(e.s.AppendStackPointer(nil, -1)) }

func (e *encoderState) AppendStackPointer(b []byte, where int) []byte {
	e.Names.settle(e.Buf)
	return e.appendStackPointer(b, where)
}
