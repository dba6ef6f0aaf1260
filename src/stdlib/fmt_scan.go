package fmt

import (
	"errors"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

type ScanState interface {
	ReadRune() (r rune, size int, err error)
	UnreadRune() error
	SkipSpace()
	Token(skipSpace bool, f func(rune) bool) (token []byte, err error)
	Width() (wid int, ok bool)
	Read(buf []byte) (n int, err error)
}

type Scanner interface {
	Scan(state ScanState, verb rune) error
}

func Scan(a ...any) (n int, err error)                 { return Fscan(os.Stdin, a...) }
func Scanln(a ...any) (n int, err error)               { return Fscanln(os.Stdin, a...) }
func Scanf(format string, a ...any) (n int, err error) { return Fscanf(os.Stdin, format, a...) }

func Sscan(str string, a ...any) (n int, err error)   { return Fscan(strings.NewReader(str), a...) }
func Sscanln(str string, a ...any) (n int, err error) { return Fscanln(strings.NewReader(str), a...) }
func Sscanf(str string, format string, a ...any) (n int, err error) {
	return Fscanf(strings.NewReader(str), format, a...)
}

func Fscan(r io.Reader, a ...any) (n int, err error)   { return newScan(r, true, false).all(a) }
func Fscanln(r io.Reader, a ...any) (n int, err error) { return newScan(r, false, true).all(a) }
func Fscanf(r io.Reader, format string, a ...any) (n int, err error) {
	return newScan(r, false, false).byFormat(format, a)
}

const noLimit = 1 << 30

const endOfInput = -1

// scan reads operands from a stream of runes.
type scan struct {
	in            io.RuneScanner
	tok           []byte
	count         int // runes read
	ended         bool
	newlineSpace  bool // newlines are space
	newlineStops  bool // a newline must follow the last operand
	limit, maxWid int  // count may not pass limit; width of the operand
}

// oneByte makes runes of a reader that has only Read, without reading ahead.
type oneByte struct {
	r       io.Reader
	pending []byte // read, but not part of the last rune
	last    rune
	size    int
	again   bool // give last again
	fresh   bool // last may be given again
}

func (b *oneByte) next() (byte, error) {
	if len(b.pending) > 0 {
		c := b.pending[0]
		b.pending = b.pending[1:]
		return c, nil
	}
	var buf [1]byte
	if _, err := io.ReadFull(b.r, buf[:]); err != nil {
		return 0, err
	}
	return buf[0], nil
}

func (b *oneByte) ReadRune() (rune, int, error) {
	if b.again {
		b.again, b.fresh = false, true
		return b.last, b.size, nil
	}
	c, err := b.next()
	if err != nil {
		return 0, 0, err
	}
	got := []byte{c}
	for !utf8.FullRune(got) {
		if c, err = b.next(); err != nil {
			if err == io.EOF {
				break
			}
			return 0, 0, err
		}
		got = append(got, c)
	}
	b.last, b.size = utf8.DecodeRune(got)
	b.pending = append(got[b.size:], b.pending...)
	b.fresh = true
	return b.last, b.size, nil
}

func (b *oneByte) UnreadRune() error {
	if !b.fresh {
		return errors.New("fmt: scanning called UnreadRune with no rune available")
	}
	b.again, b.fresh = true, false
	return nil
}

func newScan(r io.Reader, newlineSpace, newlineStops bool) *scan {
	s := &scan{newlineSpace: newlineSpace, newlineStops: newlineStops, limit: noLimit, maxWid: noLimit}
	if outer, ok := r.(*scan); ok {
		// A Scanner that scans its own parts: what is read and limited goes on.
		s.in, s.count, s.ended, s.limit = outer, 0, false, noLimit
	} else if in, ok := r.(io.RuneScanner); ok {
		s.in = in
	} else {
		s.in = &oneByte{r: r}
	}
	return s
}

// failure carries an error out of a scan.
type failure struct{ err error }

func (s *scan) fail(err error)       { panic(failure{err}) }
func (s *scan) failText(text string) { panic(failure{errors.New(text)}) }

func rescue(err *error) {
	switch e := recover().(type) {
	case nil:
	case failure:
		*err = e.err
	default:
		if e == any(io.EOF) {
			*err = io.EOF
			return
		}
		panic(e)
	}
}

func (s *scan) Read(buf []byte) (n int, err error) {
	return 0, errors.New("ScanState's Read should not be called. Use ReadRune")
}

func (s *scan) ReadRune() (r rune, size int, err error) {
	if s.ended || s.count >= s.limit {
		return 0, 0, io.EOF
	}
	r, size, err = s.in.ReadRune()
	if err == nil {
		s.count++
	}
	if err == io.EOF || err == nil && r == '\n' && s.newlineStops {
		s.ended = true
	}
	return
}

func (s *scan) UnreadRune() error {
	s.in.UnreadRune()
	s.ended = false
	s.count--
	return nil
}

func (s *scan) Width() (wid int, ok bool) {
	if s.maxWid == noLimit {
		return 0, false
	}
	return s.maxWid, true
}

func (s *scan) SkipSpace() {
	for {
		r := s.get()
		if r == endOfInput {
			return
		}
		if r == '\r' && s.peek("\n") {
			continue
		}
		if r == '\n' {
			if s.newlineSpace {
				continue
			}
			s.failText("unexpected newline")
		}
		if !space(r) {
			s.UnreadRune()
			return
		}
	}
}

func (s *scan) Token(skipSpace bool, f func(rune) bool) (tok []byte, err error) {
	defer rescue(&err)
	if f == nil {
		f = notSpace
	}
	s.tok = s.tok[:0]
	tok = s.while(skipSpace, f)
	return
}

func (s *scan) while(skipSpace bool, f func(rune) bool) []byte {
	if skipSpace {
		s.SkipSpace()
	}
	for {
		r := s.get()
		if r == endOfInput {
			break
		}
		if !f(r) {
			s.UnreadRune()
			break
		}
		s.tok = utf8.AppendRune(s.tok, r)
	}
	return s.tok
}

// space is what scanning takes for space: Unicode's property as of fmt's own list.
func space(r rune) bool {
	switch {
	case r < 0x100:
		return r >= 0x9 && r <= 0xd || r == 0x20 || r == 0x85 || r == 0xa0
	case r >= 0x2000 && r <= 0x200a:
		return true
	}
	return r == 0x1680 || r == 0x2028 || r == 0x2029 || r == 0x202f || r == 0x205f || r == 0x3000
}

func notSpace(r rune) bool { return !space(r) }

// get is the next rune, or endOfInput.
func (s *scan) get() rune {
	r, _, err := s.ReadRune()
	if err != nil {
		if err == io.EOF {
			return endOfInput
		}
		s.fail(err)
	}
	return r
}

func (s *scan) must() rune {
	r := s.get()
	if r == endOfInput {
		s.fail(io.ErrUnexpectedEOF)
	}
	return r
}

func (s *scan) notAtEnd() {
	if s.get() == endOfInput {
		panic(io.EOF)
	}
	s.UnreadRune()
}

func (s *scan) peek(set string) bool {
	r := s.get()
	if r == endOfInput {
		return false
	}
	s.UnreadRune()
	return strings.ContainsRune(set, r)
}

// skip reads a rune of set, if it is next; whatever comes else is read too, unless it is kept for the token.
func (s *scan) skip(set string) bool {
	r := s.get()
	return r != endOfInput && strings.ContainsRune(set, r)
}

// accept moves a rune of set to the token, if it is next.
func (s *scan) accept(set string) bool {
	r := s.get()
	if r == endOfInput {
		return false
	}
	if strings.ContainsRune(set, r) {
		s.tok = utf8.AppendRune(s.tok, r)
		return true
	}
	s.UnreadRune()
	return false
}

func (s *scan) verb(verb rune, good, what string) {
	if !strings.ContainsRune(good, verb) {
		s.failText("bad verb '%" + string(verb) + "' for " + what)
	}
}

func (s *scan) bool(verb rune) bool {
	s.SkipSpace()
	s.notAtEnd()
	s.verb(verb, "tv", "boolean")
	bad := func() { s.failText("syntax error scanning boolean") }
	switch s.get() {
	case '1':
		return true
	case 't', 'T':
		if s.accept("rR") && (!s.accept("uU") || !s.accept("eE")) {
			bad()
		}
		return true
	case 'f', 'F':
		if s.accept("aA") && (!s.accept("lL") || !s.accept("sS") || !s.accept("eE")) {
			bad()
		}
	}
	return false
}

const (
	digits2  = "01"
	digits8  = "01234567"
	digits10 = "0123456789"
	digits16 = "0123456789aAbBcCdDeEfF"
)

// number reads the token of an integer and gives its base, 0 if the token says it.
func (s *scan) number(verb rune, signed bool) (token string, base int) {
	s.SkipSpace()
	s.notAtEnd()
	s.verb(verb, "bdoUxXv", "integer")
	base, digits, have := 10, digits10, false
	switch verb {
	case 'b':
		base, digits = 2, digits2
	case 'o':
		base, digits = 8, digits8
	case 'x', 'X', 'U':
		base, digits = 16, digits16
	}
	if verb == 'U' {
		if !s.skip("U") || !s.skip("+") {
			s.failText("bad unicode format ")
		}
	} else {
		if signed {
			s.accept("+-")
		}
		if verb == 'v' {
			base, digits = 0, digits10+"_"
			if s.peek("0") {
				s.accept("0")
				have, digits = true, digits8+"_"
				switch {
				case s.accept("bB"):
					digits = digits2 + "_"
				case s.accept("oO"):
				case s.accept("xX"):
					digits = digits16 + "_"
				}
			}
		}
	}
	if !have {
		s.notAtEnd()
		if !s.accept(digits) {
			s.failText("expected integer")
		}
	}
	for s.accept(digits) {
	}
	return string(s.tok), base
}

func (s *scan) rune(bits int) int64 {
	s.notAtEnd()
	r := s.get()
	n := uint(64 - bits)
	if int64(r)<<n>>n != int64(r) {
		s.failText("overflow on character value " + string(r))
	}
	return int64(r)
}

func (s *scan) int(verb rune, bits int) int64 {
	if verb == 'c' {
		return s.rune(bits)
	}
	tok, base := s.number(verb, true)
	i, err := strconv.ParseInt(tok, base, 64)
	if err != nil {
		s.fail(err)
	}
	n := uint(64 - bits)
	if i<<n>>n != i {
		s.failText("integer overflow on token " + tok)
	}
	return i
}

func (s *scan) uint(verb rune, bits int) uint64 {
	if verb == 'c' {
		return uint64(s.rune(bits))
	}
	tok, base := s.number(verb, false)
	i, err := strconv.ParseUint(tok, base, 64)
	if err != nil {
		s.fail(err)
	}
	n := uint(64 - bits)
	if i<<n>>n != i {
		s.failText("unsigned integer overflow on token " + tok)
	}
	return i
}

func (s *scan) floatToken() string {
	s.tok = s.tok[:0]
	if s.accept("nN") && s.accept("aA") && s.accept("nN") {
		return string(s.tok)
	}
	s.accept("+-")
	if s.accept("iI") && s.accept("nN") && s.accept("fF") {
		return string(s.tok)
	}
	digits, exp := digits10+"_", "eEpP"
	if s.accept("0") && s.accept("xX") {
		digits, exp = digits16+"_", "pP"
	}
	for s.accept(digits) {
	}
	if s.accept(".") {
		for s.accept(digits) {
		}
	}
	if s.accept(exp) {
		s.accept("+-")
		for s.accept(digits10 + "_") {
		}
	}
	return string(s.tok)
}

func (s *scan) toFloat(tok string, bits int) float64 {
	renamed := func(err error) {
		if e, ok := err.(*strconv.NumError); ok {
			e.Num = tok
		}
		s.fail(err)
	}
	if p := strings.IndexByte(tok, 'p'); p >= 0 && !strings.ContainsAny(tok, "xX") {
		// A decimal mantissa with a binary exponent.
		f, err := strconv.ParseFloat(tok[:p], bits)
		if err != nil {
			renamed(err)
		}
		e, err := strconv.Atoi(tok[p+1:])
		if err != nil {
			renamed(err)
		}
		return math.Ldexp(f, e)
	}
	f, err := strconv.ParseFloat(tok, bits)
	if err != nil {
		s.fail(err)
	}
	return f
}

const floatVerbs = "beEfFgGv"

func (s *scan) float(verb rune, bits int, what string) float64 {
	s.verb(verb, floatVerbs, what)
	s.SkipSpace()
	s.notAtEnd()
	return s.toFloat(s.floatToken(), bits)
}

func (s *scan) complex(verb rune, bits int) complex128 {
	s.verb(verb, floatVerbs, "complex")
	s.SkipSpace()
	s.notAtEnd()
	bad := func() { s.failText("syntax error scanning complex number") }
	parens := s.accept("(")
	re := s.floatToken()
	s.tok = s.tok[:0]
	if !s.accept("+-") {
		bad()
	}
	sign := string(s.tok)
	im := sign + s.floatToken()
	if !s.accept("i") || parens && !s.accept(")") {
		bad()
	}
	return complex(s.toFloat(re, bits/2), s.toFloat(im, bits/2))
}

func (s *scan) string(verb rune) string {
	s.verb(verb, "svqxX", "string")
	s.SkipSpace()
	s.notAtEnd()
	switch verb {
	case 'q':
		return s.quoted()
	case 'x', 'X':
		for {
			r := s.get()
			if r == endOfInput {
				break
			}
			hi := hexValue(r)
			if hi < 0 {
				s.UnreadRune()
				break
			}
			lo := hexValue(s.must())
			if lo < 0 {
				s.failText("illegal hex digit")
			}
			s.tok = append(s.tok, byte(hi<<4|lo))
		}
		if len(s.tok) == 0 {
			s.failText("no hex data for %x string")
		}
		return string(s.tok)
	}
	return string(s.while(true, notSpace))
}

func hexValue(r rune) int {
	switch {
	case '0' <= r && r <= '9':
		return int(r - '0')
	case 'a' <= r && r <= 'f':
		return int(r-'a') + 10
	case 'A' <= r && r <= 'F':
		return int(r-'A') + 10
	}
	return -1
}

func (s *scan) quoted() string {
	quote := s.get()
	switch quote {
	case '`':
		for {
			r := s.must()
			if r == '`' {
				return string(s.tok)
			}
			s.tok = utf8.AppendRune(s.tok, r)
		}
	case '"':
		s.tok = append(s.tok, '"')
		for {
			r := s.must()
			s.tok = utf8.AppendRune(s.tok, r)
			if r == '\\' {
				s.tok = utf8.AppendRune(s.tok, s.must())
			} else if r == '"' {
				break
			}
		}
		text, err := strconv.Unquote(string(s.tok))
		if err != nil {
			s.fail(err)
		}
		return text
	}
	s.failText("expected quoted string")
	return ""
}

// pointee looks at an operand: where it points, the kind of what is there (0: no pointer; 255: []byte), its type's text.
func pointee(arg any) (p unsafe.Pointer, kind int, typ string)

// Kinds, as reflect numbers them.
const (
	kBool = 1 + iota
	kInt
	kInt8
	kInt16
	kInt32
	kInt64
	kUint
	kUint8
	kUint16
	kUint32
	kUint64
	kUintptr
	kFloat32
	kFloat64
	kComplex64
	kComplex128
	kString = 24
	kBytes  = 255
)

func (s *scan) one(verb rune, arg any) {
	s.tok = s.tok[:0]
	if v, ok := arg.(Scanner); ok {
		if err := v.Scan(s, verb); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			s.fail(err)
		}
		return
	}
	p, kind, typ := pointee(arg)
	switch kind {
	case 0:
		s.failText("type not a pointer: " + typ)
	case kBool:
		*(*bool)(p) = s.bool(verb)
	case kInt:
		*(*int)(p) = int(s.int(verb, 64))
	case kInt8:
		*(*int8)(p) = int8(s.int(verb, 8))
	case kInt16:
		*(*int16)(p) = int16(s.int(verb, 16))
	case kInt32:
		*(*int32)(p) = int32(s.int(verb, 32))
	case kInt64:
		*(*int64)(p) = s.int(verb, 64)
	case kUint:
		*(*uint)(p) = uint(s.uint(verb, 64))
	case kUint8:
		*(*uint8)(p) = uint8(s.uint(verb, 8))
	case kUint16:
		*(*uint16)(p) = uint16(s.uint(verb, 16))
	case kUint32:
		*(*uint32)(p) = uint32(s.uint(verb, 32))
	case kUint64:
		*(*uint64)(p) = s.uint(verb, 64)
	case kUintptr:
		*(*uintptr)(p) = uintptr(s.uint(verb, 64))
	case kFloat32:
		*(*float32)(p) = float32(s.float(verb, 32, "float32"))
	case kFloat64:
		*(*float64)(p) = s.float(verb, 64, "float64")
	case kComplex64:
		*(*complex64)(p) = complex64(s.complex(verb, 64))
	case kComplex128:
		*(*complex128)(p) = s.complex(verb, 128)
	case kString:
		*(*string)(p) = s.string(verb)
	case kBytes:
		*(*[]byte)(p) = []byte(s.string(verb))
	default:
		s.failText("can't scan type: " + typ)
	}
}

// all scans operands separated by space.
func (s *scan) all(a []any) (n int, err error) {
	defer rescue(&err)
	for _, arg := range a {
		s.one('v', arg)
		n++
	}
	for s.newlineStops {
		r := s.get()
		if r == '\n' || r == endOfInput {
			break
		}
		if !space(r) {
			s.failText("expected newline")
		}
	}
	return
}

// text matches the format's text up to the next verb; it returns how much of it, or -1 where the input differs.
func (s *scan) text(format string) int {
	i := 0
	for i < len(format) {
		c, w := utf8.DecodeRuneInString(format[i:])
		if space(c) {
			newlines, trailing := 0, false
			for i < len(format) && space(c) {
				if c == '\n' {
					newlines++
					trailing = false
				} else {
					trailing = true
				}
				i += w
				c, w = utf8.DecodeRuneInString(format[i:])
			}
			for j := 0; j < newlines; j++ {
				r := s.get()
				for space(r) && r != '\n' {
					r = s.get()
				}
				if r != '\n' && r != endOfInput {
					s.failText("newline in format does not match input")
				}
			}
			if trailing {
				r := s.get()
				if newlines == 0 {
					if !space(r) && r != endOfInput {
						s.failText("expected space in input to match format")
					}
					if r == '\n' {
						s.failText("newline in input does not match format")
					}
				}
				for space(r) && r != '\n' {
					r = s.get()
				}
				if r != endOfInput {
					s.UnreadRune()
				}
			}
			continue
		}
		if c == '%' {
			if i+w == len(format) {
				s.failText("missing verb: % at end of format string")
			}
			if format[i+w] != '%' {
				return i
			}
			i += w
		}
		if r := s.must(); r != c {
			s.UnreadRune()
			return -1
		}
		i += w
	}
	return i
}

func (s *scan) byFormat(format string, a []any) (n int, err error) {
	defer rescue(&err)
	end := len(format) - 1
	for i := 0; i <= end; {
		if w := s.text(format[i:]); w > 0 {
			i += w
			continue
		} else if format[i] != '%' {
			if w < 0 {
				s.failText("input does not match format")
			}
			break
		}
		i++
		s.maxWid = noLimit
		if start := i; i < end && format[i] >= '0' && format[i] <= '9' {
			wid := 0
			for i < end && format[i] >= '0' && format[i] <= '9' {
				if wid > 1e6 {
					wid, i, start = 0, end, end
					break
				}
				wid = wid*10 + int(format[i]-'0')
				i++
			}
			if i > start {
				s.maxWid = wid
			}
		}
		c, w := utf8.DecodeRuneInString(format[i:])
		i += w
		if c != 'c' {
			s.SkipSpace()
		}
		if c == '%' {
			s.SkipSpace()
			s.notAtEnd()
			if !s.accept("%") {
				s.failText("missing literal %")
			}
			continue
		}
		outer := s.limit
		if f := s.count + s.maxWid; f < s.limit {
			s.limit = f
		}
		if n >= len(a) {
			s.failText("too few operands for format '%" + format[i-w:] + "'")
		}
		s.one(c, a[n])
		n++
		s.limit = outer
	}
	if n < len(a) {
		s.failText("too many operands")
	}
	return
}
