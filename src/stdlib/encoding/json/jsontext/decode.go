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
	buf []byte
	// gone is how much lies before buf.
	gone int64
	// The token or value that was read last is buf[lastStart:lastEnd].
	lastStart, lastEnd int
	// ahead is where the next token begins, if that has been looked for: 0 if not, -1 if that led to
	// aheadErr.
	ahead    int
	aheadErr error
	// rd is nil if buf has all of the text.
	rd io.Reader
}

// Reset makes d as new.
func (d *Decoder) Reset(r io.Reader, opts ...Options) {
	mustBeFree(d == nil, "Decoder", r == nil, "io.Reader")
	mustBeOwn(&d.s.Struct, "Decoder passed to json.UnmarshalerFrom")
	d.s.restart(emptied(d.s.buf, d.s.rd), r, opts)
}

// NewDecoder makes a decoder that reads from r.
func NewDecoder(r io.Reader, opts ...Options) *Decoder {
	var d Decoder
	d.Reset(r, opts...)
	return &d
}

// mustBeFree panics if a coder or what is below it is nil.
func mustBeFree(noCoder bool, coder string, noStream bool, stream string) {
	if noCoder {
		panic("jsontext: invalid nil " + coder)
	}
	if noStream {
		panic("jsontext: invalid nil " + stream)
	}
}

// mustBeOwn panics if the coder that has these options is lent to a method.
func mustBeOwn(o *jsonopts.Struct, coder string) {
	if o.Flags.Get(jsonflags.WithinArshalCall) {
		panic("jsontext: cannot reset " + coder)
	}
}

// emptied gives b to be filled again, unless it is the memory of the bytes.Buffer below.
func emptied(b []byte, stream any) []byte {
	if _, lent := stream.(*bytes.Buffer); lent {
		return nil
	}
	return b[:0]
}

func (d *decoderState) restart(b []byte, r io.Reader, opts []Options) {
	// The options may have d.Struct among them, so they are joined before that is written.
	var all jsonopts.Struct
	all.Join(opts...)
	d.state.clear()
	d.decodeBuffer = decodeBuffer{buf: b, rd: r}
	d.Struct, d.SlowUntil = all, 0
}

var idleDecoders = sync.Pool{New: func() any { return new(Decoder) }}

// borrowDecoder gives a decoder of the text b, which is to be given back.
func borrowDecoder(b []byte, opts ...Options) *Decoder {
	d := idleDecoders.Get().(*Decoder)
	d.s.restart(b, nil, opts)
	return d
}

func giveBackDecoder(d *Decoder) {
	d.s.buf = nil
	idleDecoders.Put(d)
}

// Options gives the options that d works with.
func (d *Decoder) Options() Options { return &d.s.Struct }

func (d *decoderState) options() *jsonopts.Struct { return &d.Struct }

var errWriteAfterNext = errors.New("invalid bytes.Buffer.Write call after calling bytes.Buffer.Next")

// more reads more, and gives where in buf what was at pos is now. At the end of the text the error
// is io.ErrUnexpectedEOF.
func (d *decoderState) more(pos int) (int, error) {
	if d.rd == nil {
		return pos, io.ErrUnexpectedEOF
	}
	d.Names.settle(d.buf)
	offset := d.offsetAt(pos)
	var err error
	if bb, ok := d.rd.(*bytes.Buffer); ok {
		err = d.adopt(bb)
	} else {
		d.makeRoom()
		err = d.read()
	}
	return int(offset - d.gone), err
}

// adopt takes the text out of a bytes.Buffer, all at once and without a copy.
func (d *decoderState) adopt(bb *bytes.Buffer) error {
	switch left := bb.Len(); {
	case left == 0:
		return io.ErrUnexpectedEOF
	case len(d.buf) > 0:
		return &ioError{action: "read", err: errWriteAfterNext}
	default:
		d.buf = bb.Next(left)
		return nil
	}
}

// makeRoom forgets what lies before what was read last. The buffer is doubled when what must be
// kept nearly fills it, and, up to 4 KiB, as more has been read.
func (d *decoderState) makeRoom() {
	const first, enough = 64, 2 << 10
	keep, size := d.buf[d.lastStart:], cap(d.buf)
	crowded := d.lastStart == 0 && len(d.buf) >= 3*size/4
	long := size <= enough && int64(size) < d.offsetAt(d.lastEnd)/2
	switch {
	case size == 0:
		d.buf = make([]byte, 0, first)
	case crowded || long:
		d.buf = append(make([]byte, 0, 2*size), keep...)
	default:
		d.buf = append(d.buf[:0], keep...)
	}
	d.gone += int64(d.lastStart)
	d.lastStart, d.lastEnd = 0, d.lastEnd-d.lastStart
}

// read appends what the reader gives next to buf.
func (d *decoderState) read() error {
	room := d.buf[len(d.buf):cap(d.buf)]
	for {
		n, err := d.rd.Read(room)
		if n > 0 {
			d.buf = d.buf[:len(d.buf)+n]
			return nil
		}
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		} else if err != nil {
			return &ioError{action: "read", err: err}
		}
	}
}

// voidedByte is what a value that has been read begins with when it is not to be used any more.
const voidedByte = '#'

// voidLast makes what was read last useless, unless the text is the caller's own.
func (d *decodeBuffer) voidLast() {
	if d.rd == nil || d.lastStart >= min(d.lastEnd, len(d.buf)) {
		return
	}
	if _, lent := d.rd.(*bytes.Buffer); !lent {
		d.buf[d.lastStart] = voidedByte
		d.lastStart = d.lastEnd
	}
}

func (d *decodeBuffer) offsetAt(pos int) int64 { return d.gone + int64(pos) }
func (d *decodeBuffer) last() []byte           { return d.buf[d.lastStart:d.lastEnd] }

// PreviousTokenOrValue gives what was read last, nil if that is not known.
func (d *decodeBuffer) PreviousTokenOrValue() []byte {
	b := d.last()
	switch {
	case d.ahead > 0:
		return nil
	case len(b) == 0:
		// Of literals and of structural tokens only the end is noted.
		return fixedAtEnd(d.buf[:d.lastEnd])
	case b[0] == voidedByte:
		return nil
	}
	return b
}

// fixedAtEnd gives the token with only one spelling that b ends with, or b if there is none.
func fixedAtEnd(b []byte) []byte {
	for _, k := range "nft{}[]" {
		if text := spelled[k]; bytes.HasSuffix(b, []byte(text)) {
			return b[len(b)-len(text):]
		}
	}
	return b
}

// skipSpace gives the position behind the white space at pos, where there is something.
func (d *decoderState) skipSpace(pos int) (int, error) {
	pos += jsonwire.ConsumeWhitespace(d.buf[pos:])
	for pos == len(d.buf) {
		var err error
		if pos, err = d.more(pos); err != nil {
			return pos, err
		}
		pos += jsonwire.ConsumeWhitespace(d.buf[pos:])
	}
	return pos, nil
}

// advance gives where the next token begins, and its kind. Of what PeekKind has found out nothing
// is left then.
func (d *decoderState) advance() (pos int, next Kind, err error) {
	pos, err = d.ahead, d.aheadErr
	if pos == 0 {
		d.voidLast()
		pos, err = d.findNext()
	}
	d.ahead, d.aheadErr = 0, nil
	if err != nil {
		return 0, KindInvalid, err
	}
	return pos, Kind(d.buf[pos]).normalize(), nil
}

// findNext passes over white space and the delimiter that the next token needs.
func (d *decoderState) findNext() (int, error) {
	pos, err := d.skipSpace(d.lastEnd)
	if err != nil {
		if err == io.ErrUnexpectedEOF && len(d.Tokens.Stack) == 0 {
			return 0, io.EOF
		}
		return 0, located(d, err, pos, 0)
	}
	delim := d.buf[pos]
	if delim != ',' && delim != ':' {
		delim = 0
	} else if pos, err = d.skipSpace(pos + 1); err != nil {
		// It ends here; the delimiter may be wrong as well.
		err = located(d, err, pos, 0)
		if d.Tokens.delimBefore('"') != delim {
			err = d.delimError('"')
		}
		return 0, err
	}
	if next := Kind(d.buf[pos]).normalize(); d.Tokens.delimBefore(next) != delim {
		return 0, d.delimError(next)
	}
	return pos, nil
}

// delimError is about what stands where a delimiter is missing, or one that should not be there.
func (d *decoderState) delimError(next Kind) error {
	where := atStart
	if delim := d.Tokens.delimBefore(next); delim == ':' {
		where = afterName
	} else if delim == ',' {
		where = afterValue(d.Tokens.Last)
	}
	pos := d.lastEnd + jsonwire.ConsumeWhitespace(d.buf[d.lastEnd:])
	return located(d, jsonwire.NewInvalidCharacterError(d.buf[pos:], where), pos, 0)
}

// PeekKind gives the kind of the next token, KindInvalid if reading it will fail.
func (d *Decoder) PeekKind() Kind { return d.s.PeekKind() }

func (d *decoderState) PeekKind() Kind {
	if d.ahead <= 0 {
		// After an error it is tried again.
		d.ahead, d.aheadErr = 0, nil
		if d.ahead, _, d.aheadErr = d.advance(); d.aheadErr != nil {
			d.ahead = -1
			return KindInvalid
		}
	}
	return Kind(d.buf[d.ahead]).normalize()
}

// CountNextDelimWhitespace says how much lies before the next token.
func (d *decoderState) CountNextDelimWhitespace() int {
	d.PeekKind()
	rest := d.buf[d.lastEnd:]
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
func (d *decoderState) SkipUntil(depth int, length int64) (err error) {
	isDone := func() bool {
		now := d.Tokens.Depth()
		return now < depth || now == depth && d.Tokens.Last.Length() >= length
	}
	for err == nil && !isDone() {
		_, err = d.ReadToken()
	}
	return err
}

func (d *decoderState) ReadToken() (Token, error) {
	pos, next, err := d.advance()
	if err != nil {
		return Token{}, err
	}
	end, flags := pos+1, jsonwire.ValueFlags(0)
	start := d.offsetAt(pos)
	switch next {
	case '{', '}', '[', ']':
	case '"':
		end, flags, err = d.findEnd(pos, func(n int) (int, jsonwire.ValueFlags, error) {
			b := d.buf[int(start-d.gone):]
			return jsonwire.ConsumeString(b, n, !d.Flags.Get(jsonflags.AllowInvalidUTF8))
		})
	case '0':
		end, _, err = d.valueEnd(pos, 1)
	case 'n', 't', 'f':
		end, _, err = d.findEnd(pos, func(int) (int, jsonwire.ValueFlags, error) {
			n, err := jsonwire.ConsumeLiteral(d.buf[int(start-d.gone):], spelled[next])
			return n, 0, err
		})
	default:
		end, err = pos, jsonwire.NewInvalidCharacterError(d.buf[pos:], atStart)
	}
	if err != nil {
		return Token{}, located(d, err, end, +1)
	}
	pos = int(start - d.gone)
	if err = d.take(next, pos, end, flags); err != nil {
		return Token{}, located(d, err, pos, +1)
	}
	if next == '"' || next == '0' {
		d.lastStart, d.lastEnd = pos, end
		return Token{raw: &d.decodeBuffer, num: uint64(start)}, nil
	}
	d.lastStart, d.lastEnd = end, end
	return fixedToken(next), nil
}

// ReadToken reads the next token, which is good until the next call.
func (d *Decoder) ReadToken() (Token, error) { return d.s.ReadToken() }

// take counts the token of kind k that is buf[start:end].
func (d *decoderState) take(k Kind, start, end int, flags jsonwire.ValueFlags) error {
	if k == '"' {
		return d.countString(d.buf[start:end], start, flags.IsVerbatim(), &d.Flags)
	}
	return d.count(k, &d.Flags)
}

// findEnd gives what lies behind a token at pos, or where something is wrong with it. It is looked
// for with scan, which is told how much of it has been looked at, while more of it comes.
func (d *decoderState) findEnd(
	pos int, scan func(known int) (int, jsonwire.ValueFlags, error),
) (int, jsonwire.ValueFlags, error) {
	n, flags, err := scan(0)
	for err == io.ErrUnexpectedEOF {
		if pos, err = d.more(pos); err != nil {
			break
		}
		var also jsonwire.ValueFlags
		n, also, err = scan(n)
		flags |= also
	}
	return pos + n, flags, err
}

func (d *decoderState) ReadValue(flags *jsonwire.ValueFlags) (Value, error) {
	pos, next, err := d.advance()
	if err != nil {
		return nil, err
	}
	offset := d.offsetAt(pos)
	end, what, err := d.valueEnd(pos, d.Tokens.Depth())
	if *flags = what; err != nil {
		return nil, located(d, err, end, +1)
	}
	pos = int(offset - d.gone)
	if next == '{' || next == '[' {
		err = d.Tokens.countNested()
	} else {
		err = d.take(next, pos, end, what)
	}
	if err != nil {
		return nil, located(d, err, pos, +1)
	}
	d.lastStart, d.lastEnd = pos, end
	return d.buf[pos:end:end], nil
}

// ReadValue reads the next value, which is good until the next call.
func (d *Decoder) ReadValue() (Value, error) { return d.s.ReadValue(new(jsonwire.ValueFlags)) }

// NextValue gives the text from the next value on, which must have begun, as far as it is known:
// for encoding/json/v2, which reads values at once. It gives the offset at which the text begins.
// There is no text if it is a number of which more may come.
func (d *decoderState) NextValue() (text []byte, offset int64) {
	text, offset = d.buf[d.ahead:], d.offsetAt(d.ahead)
	if d.rd != nil && kindOf[text[0]] == KindNumber {
		if n, _ := jsonwire.ConsumeNumber(text); n == len(text) {
			text = nil
		}
	}
	return text, offset
}

// TookValue says that the next value was of n bytes, and has been read.
func (d *decoderState) TookValue(n int) {
	d.lastStart, d.lastEnd = d.ahead, d.ahead+n
	d.ahead = 0
	d.Tokens.Last++
}

// CheckNextValue looks whether the next value is good, and the last one if that is said.
func (d *decoderState) CheckNextValue(last bool) error {
	d.PeekKind()
	pos, _, err := d.advance()
	if err == nil {
		var end int
		if end, _, err = d.valueEnd(pos, d.Tokens.Depth()); err != nil {
			err = located(d, err, end, +1)
		} else if last {
			err = d.nothingAt(end)
		}
	}
	return err
}

// AtEOF says whether nothing but white space is left.
func (d *decoderState) AtEOF() (is bool) {
	_, err := d.skipSpace(d.lastEnd)
	is = err == io.ErrUnexpectedEOF
	return is
}

// CheckEOF says what is wrong if something is left.
func (d *decoderState) CheckEOF() error { return d.nothingAt(d.lastEnd) }

func (d *decoderState) nothingAt(pos int) error {
	switch pos, err := d.skipSpace(pos); err {
	case io.ErrUnexpectedEOF:
		return nil
	case nil:
		return located(d, jsonwire.NewInvalidCharacterError(d.buf[pos:], afterAll), pos, 0)
	default:
		return err
	}
}

// valueEnd gives what lies behind the value at pos, or where something is wrong with it. What is
// wrong is found out by looking at all of it again.
func (d *decoderState) valueEnd(pos, depth int) (int, jsonwire.ValueFlags, error) {
	var scan jsonwire.Scan
	validate := !d.Flags.Get(jsonflags.AllowInvalidUTF8)
	at, last := pos, d.rd == nil
	end := io.ErrUnexpectedEOF
	for {
		n, flags, more, ok := scan.Resume(d.buf, at, depth, validate, last)
		if ok && !more && !d.hasDuplicates(d.buf[pos:n]) {
			return n, flags, nil
		}
		if !ok || !more {
			break
		}
		done := n - pos
		var err error
		if pos, err = d.more(pos); err == io.ErrUnexpectedEOF {
			last = true
		} else if err != nil {
			end = err
			break
		}
		at = pos + done
	}
	f := newFinder(d.buf, end, &d.Flags)
	f.decoder = d
	pos, err := f.value(pos, depth)
	if err == nil {
		err = end
	}
	return pos, 0, err
}

// hasDuplicates says whether an object in the value b has a name twice, and may not.
func (d *decoderState) hasDuplicates(b []byte) bool {
	nested := b[0] == '{' || b[0] == '['
	return nested && !d.Flags.Get(jsonflags.AllowDuplicateNames) && jsonwire.HasDuplicates(b)
}

// StackIndex gives the kind of an open array or object, and the number of values in it.
func (d *Decoder) StackIndex(i int) (Kind, int64) { return d.s.Tokens.kindLength(i) }

func (m *grammar) kindLength(i int) (k Kind, values int64) {
	at := *m.index(i)
	if i > 0 {
		k = KindBeginArray
		if at.isObject() {
			k = KindBeginObject
		}
	}
	return k, at.Length()
}

// InputOffset says how far d has read.
func (d *Decoder) InputOffset() int64 { return d.s.offsetAt(d.s.lastEnd) }

// UnreadBuffer gives what d has got from its reader and not yet used.
func (d *Decoder) UnreadBuffer() []byte { return d.s.buf[d.s.lastEnd:] }

// StackDepth gives the number of open arrays and objects.
func (d *Decoder) StackDepth() int { return len(d.s.Tokens.Stack) }

func (d *decoderState) AppendStackPointer(b []byte, where int) []byte {
	d.Names.settle(d.buf)
	return d.pointer(b, where)
}

// StackPointer points to the value that was read last.
func (d *Decoder) StackPointer() Pointer { return Pointer(d.s.AppendStackPointer(nil, -1)) }
