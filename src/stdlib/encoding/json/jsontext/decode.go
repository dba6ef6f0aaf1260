package jsontext

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/internal/jsonwire"
)

// Decoder reads tokens and values.
type Decoder struct {
	s decoderState
}

type decoderState struct {
	state
	decodeBuffer
	jsonopts.Struct

	// SlowUntil is where encoding/json/v2 begins again to read values at once.
	SlowUntil int64
}

// decodeBuffer is the part of the text that is known and not yet forgotten.
type decodeBuffer struct {
	// peekPos is where the next token begins; 0: unknown, -1: there is peekErr.
	peekPos int
	peekErr error

	buf []byte
	// The token or value that was read last is buf[prevStart:prevEnd].
	prevStart, prevEnd int
	// baseOffset is how much lies before buf.
	baseOffset int64
	// rd is nil if buf has all of the text.
	rd io.Reader
}

// NewDecoder makes a decoder that reads from r.
func NewDecoder(r io.Reader, opts ...Options) *Decoder {
	d := new(Decoder)
	d.Reset(r, opts...)
	return d
}

// Reset makes d as new.
func (d *Decoder) Reset(r io.Reader, opts ...Options) {
	switch {
	case d == nil:
		panic("jsontext: invalid nil Decoder")
	case r == nil:
		panic("jsontext: invalid nil io.Reader")
	case d.s.Flags.Get(jsonflags.WithinArshalCall):
		panic("jsontext: cannot reset Decoder passed to json.UnmarshalerFrom")
	}
	b := d.s.buf[:0]
	if isBytesBuffer(d.s.rd) {
		b = nil
	}
	d.s.reset(b, r, opts...)
}

func isBytesBuffer(r io.Reader) bool {
	_, ok := r.(*bytes.Buffer)
	return ok
}

func (d *decoderState) reset(b []byte, r io.Reader, opts ...Options) {
	d.state.reset()
	d.decodeBuffer = decodeBuffer{buf: b, rd: r}
	d.SlowUntil = 0
	// The options may have d.Struct among them.
	var joined jsonopts.Struct
	joined.Join(opts...)
	d.Struct = joined
}

var bufferedDecoders = sync.Pool{New: func() any { return new(Decoder) }}

func getBufferedDecoder(b []byte, opts ...Options) *Decoder {
	d := bufferedDecoders.Get().(*Decoder)
	d.s.reset(b, nil, opts...)
	return d
}

func putBufferedDecoder(d *Decoder) {
	d.s.buf = nil
	bufferedDecoders.Put(d)
}

// Options gives the options that d works with.
func (d *Decoder) Options() Options { return &d.s.Struct }

func (d *decoderState) options() *jsonopts.Struct { return &d.Struct }

var errBufferWriteAfterNext = errors.New("invalid bytes.Buffer.Write call after calling bytes.Buffer.Next")

// fetch reads more. Whoever keeps positions in buf must keep offsets meanwhile.
func (d *decoderState) fetch() error {
	if d.rd == nil {
		return io.ErrUnexpectedEOF
	}
	d.Names.settle(d.buf)
	if bb, ok := d.rd.(*bytes.Buffer); ok {
		switch {
		case bb.Len() == 0:
			return io.ErrUnexpectedEOF
		case len(d.buf) == 0:
			d.buf = bb.Next(bb.Len())
			return nil
		}
		return &ioError{action: "read", err: errBufferWriteAfterNext}
	}
	if cap(d.buf) == 0 {
		d.buf = make([]byte, 0, 64)
	}
	// The buffer grows up to 4 KiB as more is read, and when what must be kept fills it.
	size := cap(d.buf)
	if size <= 2<<10 && int64(size) < d.offsetAt(d.prevEnd)/2 ||
		d.prevStart == 0 && len(d.buf) >= 3*size/4 {
		d.buf = append(make([]byte, 0, 2*size), d.buf[d.prevStart:]...)
	} else {
		d.buf = d.buf[:copy(d.buf[:size], d.buf[d.prevStart:])]
	}
	d.baseOffset += int64(d.prevStart)
	d.prevEnd -= d.prevStart
	d.prevStart = 0
	for {
		n, err := d.rd.Read(d.buf[len(d.buf):cap(d.buf)])
		if n > 0 {
			d.buf = d.buf[:len(d.buf)+n]
			return nil
		}
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return &ioError{action: "read", err: err}
		}
	}
}

// voidedByte is what a value that has been read begins with when it is not to be used any more.
const voidedByte = '#'

func (d *decodeBuffer) voidPrevious() {
	if d.rd != nil && d.prevStart < d.prevEnd && d.prevStart < len(d.buf) && !isBytesBuffer(d.rd) {
		d.buf[d.prevStart] = voidedByte
		d.prevStart = d.prevEnd
	}
}

func (d *decodeBuffer) offsetAt(pos int) int64 { return d.baseOffset + int64(pos) }
func (d *decodeBuffer) previous() []byte       { return d.buf[d.prevStart:d.prevEnd] }

// PreviousTokenOrValue gives what was read last, nil if that is not known.
func (d *decodeBuffer) PreviousTokenOrValue() []byte {
	b := d.previous()
	if d.peekPos > 0 || len(b) > 0 && b[0] == voidedByte {
		return nil
	}
	if len(b) > 0 {
		return b
	}
	// Of literals and of structural tokens only the end is noted.
	b = d.buf[:d.prevEnd]
	for _, tok := range []string{"null", "false", "true", "{", "}", "[", "]"} {
		if bytes.HasSuffix(b, []byte(tok)) {
			return b[len(b)-len(tok):]
		}
	}
	return b
}

// skipSpace gives the position behind the white space at pos, where there is something.
func (d *decoderState) skipSpace(pos int) (int, error) {
	for {
		pos += jsonwire.ConsumeWhitespace(d.buf[pos:])
		if pos < len(d.buf) {
			return pos, nil
		}
		offset := d.offsetAt(pos)
		err := d.fetch()
		pos = int(offset - d.baseOffset)
		if err != nil {
			return pos, err
		}
	}
}

// advance gives where the next token begins, and its kind.
func (d *decoderState) advance() (int, Kind, error) {
	if pos := d.peekPos; pos != 0 {
		d.peekPos = 0
		if err := d.peekErr; err != nil {
			d.peekErr = nil
			return 0, KindInvalid, err
		}
		return pos, Kind(d.buf[pos]).normalize(), nil
	}
	d.voidPrevious()
	pos, err := d.skipSpace(d.prevEnd)
	if err != nil {
		if err == io.ErrUnexpectedEOF && len(d.Tokens.Stack) == 0 {
			err = io.EOF
		}
		return 0, KindInvalid, wrapSyntacticError(d, err, pos, 0)
	}
	var delim byte
	if c := d.buf[pos]; c == ':' || c == ',' {
		delim = c
		if pos, err = d.skipSpace(pos + 1); err != nil {
			err = wrapSyntacticError(d, err, pos, 0)
			if d.Tokens.needDelim('"') != delim {
				err = d.delimError('"')
			}
			return 0, KindInvalid, err
		}
	}
	next := Kind(d.buf[pos]).normalize()
	if d.Tokens.needDelim(next) != delim {
		return 0, KindInvalid, d.delimError(next)
	}
	return pos, next, nil
}

// delimError is about what stands where a delimiter is missing, or one that should not be there.
func (d *decoderState) delimError(next Kind) error {
	where := "at start of value"
	switch d.Tokens.needDelim(next) {
	case ':':
		where = "after object name (expecting ':')"
	case ',':
		where = "after array element (expecting ',' or ']')"
		if d.Tokens.Last.isObject() {
			where = "after object value (expecting ',' or '}')"
		}
	}
	pos := d.prevEnd + jsonwire.ConsumeWhitespace(d.buf[d.prevEnd:])
	err := jsonwire.NewInvalidCharacterError(d.buf[pos:], where)
	return wrapSyntacticError(d, err, pos, 0)
}

// PeekKind gives the kind of the next token, KindInvalid if reading it will fail.
func (d *Decoder) PeekKind() Kind { return d.s.PeekKind() }

func (d *decoderState) PeekKind() Kind {
	if d.peekPos > 0 {
		return Kind(d.buf[d.peekPos]).normalize()
	}
	// After an error it is tried again.
	d.peekPos, d.peekErr = 0, nil
	pos, next, err := d.advance()
	if err != nil {
		d.peekPos, d.peekErr = -1, err
		return KindInvalid
	}
	d.peekPos = pos
	return next
}

// CountNextDelimWhitespace says how much lies before the next token.
func (d *decoderState) CountNextDelimWhitespace() int {
	d.PeekKind()
	rest := d.buf[d.prevEnd:]
	return len(rest) - len(bytes.TrimLeft(rest, ",: \n\r\t"))
}

// SkipValue passes over the next value.
func (d *Decoder) SkipValue() error { return d.s.SkipValue() }

func (d *decoderState) SkipValue() error {
	if k := d.PeekKind(); k == '{' || k == '[' {
		return d.leave(d.Tokens.Depth())
	}
	var flags jsonwire.ValueFlags
	_, err := d.ReadValue(&flags)
	return err
}

// leave reads tokens, at least one, until no more than depth levels are open.
func (d *decoderState) leave(depth int) error {
	for {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		if d.Tokens.Depth() <= depth {
			return nil
		}
	}
}

// SkipValueRemainder passes over the array or object whose beginning has just been read.
func (d *decoderState) SkipValueRemainder() error {
	if len(d.Tokens.Stack) > 0 && d.Tokens.Last.Length() == 0 {
		return d.leave(len(d.Tokens.Stack))
	}
	return nil
}

// SkipUntil reads tokens until so many levels are open and the innermost has so many values.
func (d *decoderState) SkipUntil(depth int, length int64) error {
	for d.Tokens.Depth() > depth ||
		d.Tokens.Depth() == depth && d.Tokens.Last.Length() < length {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
	}
	return nil
}

// ReadToken reads the next token, which is good until the next call.
func (d *Decoder) ReadToken() (Token, error) { return d.s.ReadToken() }

func (d *decoderState) ReadToken() (Token, error) {
	pos, next, err := d.advance()
	if err != nil {
		return Token{}, err
	}
	start := pos
	switch next {
	case 'n', 't', 'f':
		lit, tok := "null", Null
		if next == 't' {
			lit, tok = "true", True
		} else if next == 'f' {
			lit, tok = "false", False
		}
		if pos, err = d.consumeLiteral(pos, lit); err != nil {
			return Token{}, wrapSyntacticError(d, err, pos, +1)
		}
		if err = d.Tokens.appendOther(); err != nil {
			return Token{}, wrapSyntacticError(d, err, pos-len(lit), +1)
		}
		d.prevStart, d.prevEnd = pos, pos
		return tok, nil
	case '"':
		var flags jsonwire.ValueFlags
		offset := d.offsetAt(pos)
		if pos, flags, err = d.consumeString(pos); err != nil {
			return Token{}, wrapSyntacticError(d, err, pos, +1)
		}
		start = int(offset - d.baseOffset)
		if err = d.addString(start, pos, flags); err != nil {
			return Token{}, wrapSyntacticError(d, err, start, +1)
		}
		d.prevStart, d.prevEnd = start, pos
		return Token{raw: &d.decodeBuffer, num: uint64(d.offsetAt(start))}, nil
	case '0':
		offset := d.offsetAt(pos)
		if pos, _, err = d.consumeValue(pos, 1); err != nil {
			return Token{}, wrapSyntacticError(d, err, pos, +1)
		}
		start = int(offset - d.baseOffset)
		if err = d.Tokens.appendOther(); err != nil {
			return Token{}, wrapSyntacticError(d, err, start, +1)
		}
		d.prevStart, d.prevEnd = start, pos
		return Token{raw: &d.decodeBuffer, num: uint64(d.offsetAt(start))}, nil
	}
	tok := Token{}
	switch next {
	case '{':
		if err = d.Tokens.push(inObject); err == nil {
			d.Names.push()
			if !d.Flags.Get(jsonflags.AllowDuplicateNames) {
				d.Namespaces.push()
			}
			d.Flags.Clear(jsonflags.StringTag)
			tok = BeginObject
		}
	case '}':
		if err = d.Tokens.pop(inObject); err == nil {
			d.Names.pop()
			if !d.Flags.Get(jsonflags.AllowDuplicateNames) {
				d.Namespaces.pop()
			}
			tok = EndObject
		}
	case '[':
		if err = d.Tokens.push(inArray); err == nil {
			d.Flags.Clear(jsonflags.StringTag)
			tok = BeginArray
		}
	case ']':
		err = d.Tokens.pop(inArray)
		tok = EndArray
	default:
		err = jsonwire.NewInvalidCharacterError(d.buf[pos:], "at start of value")
	}
	if err != nil {
		return Token{}, wrapSyntacticError(d, err, pos, +1)
	}
	d.prevStart, d.prevEnd = pos+1, pos+1
	return tok, nil
}

// addString counts a string, which may be a name.
func (d *decoderState) addString(start, end int, flags jsonwire.ValueFlags) error {
	if d.Tokens.Last.NeedObjectName() {
		if !d.Flags.Get(jsonflags.AllowDuplicateNames) {
			if d.Tokens.Last&badNamespace != 0 {
				return errInvalidNamespace
			}
			if name := d.buf[start:end]; d.Tokens.Last.isActiveNamespace() &&
				!d.Namespaces.Last().insert(name, flags.IsVerbatim()) {
				return inMember(ErrDuplicateName, name)
			}
		}
		d.Names.ReplaceLastQuotedOffset(start)
	}
	return d.Tokens.appendString()
}

// ReadValue reads the next value, which is good until the next call.
func (d *Decoder) ReadValue() (Value, error) {
	var flags jsonwire.ValueFlags
	return d.s.ReadValue(&flags)
}

func (d *decoderState) ReadValue(flags *jsonwire.ValueFlags) (Value, error) {
	pos, next, err := d.advance()
	if err != nil {
		return nil, err
	}
	offset := d.offsetAt(pos)
	if pos, *flags, err = d.consumeValue(pos, d.Tokens.Depth()); err != nil {
		return nil, wrapSyntacticError(d, err, pos, +1)
	}
	start := int(offset - d.baseOffset)
	switch next {
	case '"':
		err = d.addString(start, pos, *flags)
	case '{', '[':
		err = d.Tokens.appendNested()
	default:
		err = d.Tokens.appendOther()
	}
	if err != nil {
		return nil, wrapSyntacticError(d, err, start, +1)
	}
	d.prevStart, d.prevEnd = start, pos
	return d.buf[start:pos:pos], nil
}

// NextValue gives the text from the next value on, which must have begun, if all of it is known:
// for encoding/json/v2, which reads values at once. It gives the offset at which the text begins.
func (d *decoderState) NextValue() ([]byte, int64) {
	return d.buf[d.peekPos:], d.offsetAt(d.peekPos)
}

// TookValue says that the next value was of n bytes, and has been read.
func (d *decoderState) TookValue(n int) {
	d.prevStart = d.peekPos
	d.prevEnd = d.peekPos + n
	d.peekPos = 0
	d.Tokens.Last++
}

// CheckNextValue looks whether the next value is good, and the last one if that is said.
func (d *decoderState) CheckNextValue(last bool) error {
	d.PeekKind()
	pos, err := d.peekPos, d.peekErr
	d.peekPos, d.peekErr = 0, nil
	if err != nil {
		return err
	}
	pos, _, err = d.consumeValue(pos, d.Tokens.Depth())
	if err != nil {
		return wrapSyntacticError(d, err, pos, +1)
	}
	if last {
		return d.checkEOF(pos)
	}
	return nil
}

// AtEOF says whether nothing but white space is left.
func (d *decoderState) AtEOF() bool {
	_, err := d.skipSpace(d.prevEnd)
	return err == io.ErrUnexpectedEOF
}

// CheckEOF says what is wrong if something is left.
func (d *decoderState) CheckEOF() error { return d.checkEOF(d.prevEnd) }

func (d *decoderState) checkEOF(pos int) error {
	pos, err := d.skipSpace(pos)
	if err == io.ErrUnexpectedEOF {
		return nil
	}
	if err == nil {
		err = jsonwire.NewInvalidCharacterError(d.buf[pos:], "after top-level value")
		return wrapSyntacticError(d, err, pos, 0)
	}
	return err
}

func (d *decoderState) consumeLiteral(pos int, lit string) (int, error) {
	for {
		n, err := jsonwire.ConsumeLiteral(d.buf[pos:], lit)
		if err != io.ErrUnexpectedEOF {
			return pos + n, err
		}
		offset := d.offsetAt(pos)
		err = d.fetch()
		pos = int(offset - d.baseOffset)
		if err != nil {
			return pos + n, err
		}
	}
}

func (d *decoderState) consumeString(pos int) (int, jsonwire.ValueFlags, error) {
	validate := !d.Flags.Get(jsonflags.AllowInvalidUTF8)
	n, all := 0, jsonwire.ValueFlags(0)
	for {
		var flags jsonwire.ValueFlags
		var err error
		n, flags, err = jsonwire.ConsumeString(d.buf[pos:], n, validate)
		all |= flags
		if err != io.ErrUnexpectedEOF {
			return pos + n, all, err
		}
		offset := d.offsetAt(pos)
		err = d.fetch()
		pos = int(offset - d.baseOffset)
		if err != nil {
			return pos + n, all, err
		}
	}
}

// consumeValue gives what lies behind the value at pos, or where something is wrong with it.
func (d *decoderState) consumeValue(pos, depth int) (int, jsonwire.ValueFlags, error) {
	var scan jsonwire.Scan
	validate := !d.Flags.Get(jsonflags.AllowInvalidUTF8)
	at, last := pos, d.rd == nil
	end := io.ErrUnexpectedEOF
	for {
		n, flags, more, ok := scan.Resume(d.buf, at, depth, validate, last)
		if ok && !more {
			c := d.buf[pos]
			if (c != '{' && c != '[') || d.Flags.Get(jsonflags.AllowDuplicateNames) ||
				!jsonwire.HasDuplicates(d.buf[pos:n]) {
				return n, flags, nil
			}
			ok = false
		}
		if !ok {
			break
		}
		offset, start := d.offsetAt(n), d.offsetAt(pos)
		err := d.fetch()
		at, pos = int(offset-d.baseOffset), int(start-d.baseOffset)
		if err == io.ErrUnexpectedEOF {
			last = true
		} else if err != nil {
			end = err
			break
		}
	}
	f := newFinder(d.buf, end, &d.Flags)
	f.decoder = d
	pos, err := f.value(pos, depth)
	if err == nil {
		err = end
	}
	return pos, 0, err
}

// InputOffset says how far d has read.
func (d *Decoder) InputOffset() int64 { return d.s.offsetAt(d.s.prevEnd) }

// UnreadBuffer gives what d has got from its reader and not yet used.
func (d *Decoder) UnreadBuffer() []byte { return d.s.buf[d.s.prevEnd:] }

// StackDepth gives the number of open arrays and objects.
func (d *Decoder) StackDepth() int { return len(d.s.Tokens.Stack) }

// StackIndex gives the kind of an open array or object, and the number of values in it.
func (d *Decoder) StackIndex(i int) (Kind, int64) { return d.s.Tokens.kindLength(i) }

func (m *stateMachine) kindLength(i int) (Kind, int64) {
	e := *m.index(i)
	switch {
	case i == 0:
		return KindInvalid, e.Length()
	case e.isObject():
		return KindBeginObject, e.Length()
	}
	return KindBeginArray, e.Length()
}

// StackPointer points to the value that was read last.
func (d *Decoder) StackPointer() Pointer { return Pointer(d.s.AppendStackPointer(nil, -1)) }

func (d *decoderState) AppendStackPointer(b []byte, where int) []byte {
	d.Names.settle(d.buf)
	return d.appendStackPointer(b, where)
}
