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

func Scan(a ...any) (n int, err error)                 { return Fscan(os.Stdin, a...) }
func Scanln(a ...any) (n int, err error)               { return Fscanln(os.Stdin, a...) }
func Scanf(format string, a ...any) (n int, err error) { return Fscanf(os.Stdin, format, a...) }

const noLimit = 1 << 30

const endOfInput = -1

// scan reads operands from a stream of runes.
type scan struct {
	in                  io.RuneScanner
	tok                 []byte
	count               int // runes read
	ended               bool
	newlineSpace        bool // newlines are space
	newlineStops        bool // a newline must follow the last operand
	limit, operandWidth int  // count may not pass limit; width of the operand
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
	in, ok := r.(io.RuneScanner)
	if !ok {
		in = &oneByte{r: r}
	}
	return &scan{in: in, newlineSpace: newlineSpace, newlineStops: newlineStops, limit: noLimit, operandWidth: noLimit}
}

// failure carries an error out of a scan.
type failure struct{ err error }

func (s *scan) fail(err error)       { panic(failure{err}) }
func (s *scan) failText(text string) { panic(failure{errors.New(text)}) }

// rescue makes an error of a failure, and of an io.EOF that a Scanner may have panicked with.
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

// The input.

func (s *scan) ReadRune() (r rune, size int, err error) {
	if s.ended || s.count >= s.limit {
		return 0, 0, io.EOF
	}
	switch r, size, err = s.in.ReadRune(); err {
	case nil:
		s.count++
		s.ended = s.newlineStops && r == '\n'
	case io.EOF:
		s.ended = true
	}
	return r, size, err
}

func (s *scan) Read(buf []byte) (n int, err error) {
	return 0, errors.New("ScanState's Read should not be called. Use ReadRune")
}

func (s *scan) UnreadRune() error {
	s.in.UnreadRune()
	s.ended = false
	s.count--
	return nil
}

func (s *scan) Width() (wid int, ok bool) {
	if s.operandWidth != noLimit {
		wid, ok = s.operandWidth, true
	}
	return
}

func (s *scan) SkipSpace() { s.gap() }

func (s *scan) Token(skipSpace bool, f func(rune) bool) (tok []byte, err error) {
	defer rescue(&err)
	if f == nil {
		f = isInk
	}
	if skipSpace {
		s.gap()
	}
	s.tok = s.tok[:0]
	s.runOf(f)
	return s.tok, nil
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

func isInk(r rune) bool { return !space(r) }

// get is the next rune, or endOfInput.
func (s *scan) get() rune {
	r, _, err := s.ReadRune()
	switch err {
	case nil:
		return r
	case io.EOF:
		return endOfInput
	}
	s.fail(err)
	return endOfInput
}

// must is the next rune where the input may not end.
func (s *scan) must() rune {
	r := s.get()
	if r == endOfInput {
		s.fail(io.ErrUnexpectedEOF)
	}
	return r
}

// gap passes over space, newlines included where they are space, and tells whether anything comes behind it.
func (s *scan) gap() bool {
	for {
		switch r := s.get(); {
		case r == endOfInput:
			return false
		case r == '\n' && !s.newlineSpace:
			s.failText("unexpected newline")
		case !space(r):
			s.UnreadRune()
			return true
		}
	}
}

// begin goes to where an operand begins.
func (s *scan) begin() {
	if !s.gap() {
		s.fail(io.EOF)
	}
}

// The token: what of the input makes up an operand.

// runOf moves runes to the token for as long as f holds of them.
func (s *scan) runOf(f func(rune) bool) {
	r := s.get()
	for ; r != endOfInput && f(r); r = s.get() {
		s.tok = utf8.AppendRune(s.tok, r)
	}
	if r != endOfInput {
		s.UnreadRune()
	}
}

// accept moves a rune of set to the token, if it is next.
func (s *scan) accept(set string) bool {
	switch r := s.get(); {
	case r == endOfInput:
		return false
	case strings.ContainsRune(set, r):
		s.tok = utf8.AppendRune(s.tok, r)
		return true
	}
	s.UnreadRune()
	return false
}

// run moves all runes of set that are next.
func (s *scan) run(set string) {
	for s.accept(set) {
	}
}

// letters moves the letters of word, given in lower case, for as long as they follow in either case; how many did.
func (s *scan) letters(word string) int {
	for i := range len(word) {
		if !s.accept(string([]byte{word[i], word[i] - 'a' + 'A'})) {
			return i
		}
	}
	return len(word)
}

// verb fails unless verb is one of good.
func (s *scan) verb(verb rune, good, what string) {
	if !strings.ContainsRune(good, verb) {
		s.failText("bad verb '%" + string(verb) + "' for " + what)
	}
}

func (s *scan) bool(verb rune) bool {
	s.begin()
	s.verb(verb, "tv", "boolean")
	value, more := false, ""
	switch s.get() {
	case '1':
		value = true
	case 't', 'T':
		value, more = true, "rue"
	case 'f', 'F':
		more = "alse"
	}
	// The first letter will do; a second one asks for the whole word.
	if n := s.letters(more); n > 0 && n < len(more) {
		s.failText("syntax error scanning boolean")
	}
	return value
}

// digits lists the digits of all bases behind the underscore that may part them.
const digits = "_0123456789abcdefABCDEF"

// digitSet is the digits of base, with the underscore if they may be parted.
func digitSet(base int, parted bool) string {
	first, end := 1, len(digits)
	if parted {
		first = 0
	}
	if base <= 10 {
		end = 1 + base
	}
	return digits[first:end]
}

// radix is the base that an integer's verb asks for; 0: the token shows it.
func radix(verb rune) int {
	switch verb {
	case 'b':
		return 2
	case 'o':
		return 8
	case 'x', 'X', 'U':
		return 16
	case 'v':
		return 0
	}
	return 10
}

// integerToken reads an integer, which begins here, up to its last digit.
func (s *scan) integerToken(verb rune, signed bool) string {
	if verb == 'U' {
		if s.get() != 'U' || s.get() != '+' {
			s.failText("bad unicode format ")
		}
	} else if signed {
		s.accept("+-")
	}
	base, free := radix(verb), verb == 'v'
	begun := free && s.accept("0")
	if begun {
		// The zero is a digit; it may also be half of a prefix.
		switch {
		case s.accept("bB"):
			base = 2
		case s.accept("xX"):
			base = 16
		default:
			s.accept("oO")
			base = 8
		}
	} else if free {
		base = 10
	}
	set := digitSet(base, free)
	if !begun && !s.accept(set) {
		if s.get() == endOfInput {
			s.fail(io.EOF)
		}
		s.UnreadRune()
		s.failText("expected integer")
	}
	s.run(set)
	return string(s.tok)
}

// integer scans into bits bits, sign-extended.
func (s *scan) integer(verb rune, bits int, signed bool) uint64 {
	unused := 64 - bits
	if verb == 'c' {
		r := s.get()
		if r == endOfInput {
			s.fail(io.EOF)
		}
		if c := int64(r); c<<unused>>unused != c {
			s.failText("overflow on character value " + string(r))
		}
		return uint64(r)
	}
	s.begin()
	s.verb(verb, "bdoUxXv", "integer")
	tok := s.integerToken(verb, signed)
	var value uint64
	var fits bool
	var err error
	what := "integer"
	if signed {
		var i int64
		i, err = strconv.ParseInt(tok, radix(verb), 64)
		value, fits = uint64(i), i<<unused>>unused == i
	} else {
		what = "unsigned integer"
		value, err = strconv.ParseUint(tok, radix(verb), 64)
		fits = value<<unused>>unused == value
	}
	if err != nil {
		s.fail(err)
	}
	if !fits {
		s.failText(what + " overflow on token " + tok)
	}
	return value
}

// numberText reads what looks like a number with a point; whether it is one, its conversion finds out.
func (s *scan) numberText() string {
	s.tok = s.tok[:0]
	if s.letters("nan") < 3 {
		s.accept("+-")
		if s.letters("inf") < 3 {
			s.mantissaAndExponent()
		}
	}
	return string(s.tok)
}

func (s *scan) mantissaAndExponent() {
	set, markers := digitSet(10, true), "eEpP"
	if s.accept("0") && s.accept("xX") {
		set, markers = digitSet(16, true), "pP"
	}
	s.run(set)
	if s.accept(".") {
		s.run(set)
	}
	if s.accept(markers) {
		s.accept("+-")
		s.run(digitSet(10, true))
	}
}

// toFloat converts a token. Other than Go's literals it may have a decimal mantissa with a binary exponent.
func (s *scan) toFloat(tok string, bits int) float64 {
	mantissa, exponent, binary := strings.Cut(tok, "p")
	if binary && strings.ContainsAny(tok, "xX") {
		mantissa, binary = tok, false
	}
	power := 0
	value, err := strconv.ParseFloat(mantissa, bits)
	if binary && err == nil {
		power, err = strconv.Atoi(exponent)
	}
	if bad, ok := err.(*strconv.NumError); ok {
		bad.Num = tok
	}
	if err != nil {
		s.fail(err)
	}
	if binary {
		value = math.Ldexp(value, power)
	}
	return value
}

const realVerbs = "beEfFgGv"

func (s *scan) float(bits int) float64 {
	s.begin()
	return s.toFloat(s.numberText(), bits)
}

func (s *scan) complex(verb rune, bits int) complex128 {
	s.verb(verb, realVerbs, "complex")
	s.begin()
	need := func(set string) {
		if !s.accept(set) {
			s.failText("syntax error scanning complex number")
		}
	}
	parens := s.accept("(")
	re := s.numberText()
	s.tok = s.tok[:0]
	need("+-")
	im := string(s.tok)
	im += s.numberText()
	need("i")
	if parens {
		need(")")
	}
	return complex(s.toFloat(re, bits/2), s.toFloat(im, bits/2))
}

func (s *scan) string(verb rune) string {
	s.verb(verb, "svqxX", "string")
	s.begin()
	switch verb {
	case 'q':
		return s.quoted()
	case 'x', 'X':
		return s.hexText()
	}
	s.runOf(isInk)
	return string(s.tok)
}

// hexText reads pairs of hexadecimal digits as bytes.
func (s *scan) hexText() string {
	set := digitSet(16, false)
	for s.accept(set) {
		if !s.accept(set) {
			s.must()
			s.failText("illegal hex digit")
		}
	}
	if len(s.tok) == 0 {
		s.failText("no hex data for %x string")
	}
	text := make([]byte, len(s.tok)/2)
	for i, c := range s.tok {
		if c > '9' {
			c += 9 // letters count from 1 in their low bits
		}
		text[i/2] = text[i/2]<<4 | c&15
	}
	return string(text)
}

// quoted reads a string literal of either kind.
func (s *scan) quoted() string {
	quote := s.get()
	if quote != '"' && quote != '`' {
		s.failText("expected quoted string")
	}
	s.tok = append(s.tok, byte(quote))
	for open := true; open; {
		r := s.must()
		s.tok = utf8.AppendRune(s.tok, r)
		if r == '\\' && quote == '"' {
			s.tok = utf8.AppendRune(s.tok, s.must())
		}
		open = r != quote
	}
	if quote == '`' {
		return string(s.tok[1 : len(s.tok)-1])
	}
	text, err := strconv.Unquote(string(s.tok))
	if err != nil {
		s.fail(err)
	}
	return text
}

// Operands.

// pointee looks at an operand: where it points, the kind of what is there (0: no pointer; 255: []byte), its type's text.
func pointee(arg any) (p unsafe.Pointer, kind int, typ string)

// Kinds, as reflect numbers them.
const (
	kBool       = 1
	kInt        = 2 // then those of 8, 16, 32 and 64 bits
	kInt64      = 6
	kUint       = 7 // likewise
	kUintptr    = 12
	kFloat32    = 13
	kFloat64    = 14
	kComplex64  = 15
	kComplex128 = 16
	kString     = 24
	kBytes      = 255
)

func (s *scan) one(verb rune, arg any) {
	s.tok = s.tok[:0]
	if own, ok := arg.(Scanner); ok {
		err := own.Scan(s, verb)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			s.fail(err)
		}
		return
	}
	p, kind, typ := pointee(arg)
	switch {
	case kind == 0:
		s.failText("type not a pointer: " + typ)
	case kInt <= kind && kind <= kInt64:
		s.storeInteger(p, verb, kind-kInt, true)
	case kUint <= kind && kind <= kUintptr:
		s.storeInteger(p, verb, kind-kUint, false)
	case kind == kString:
		*(*string)(p) = s.string(verb)
	case kind == kBytes:
		*(*[]byte)(p) = []byte(s.string(verb))
	case kind == kBool:
		*(*bool)(p) = s.bool(verb)
	case kind == kFloat32, kind == kFloat64:
		// Only for the types that Go declares itself does the verb count.
		if what := typ[1:]; what == "float32" || what == "float64" {
			s.verb(verb, realVerbs, what)
		}
		if kind == kFloat32 {
			*(*float32)(p) = float32(s.float(32))
		} else {
			*(*float64)(p) = s.float(64)
		}
	case kind == kComplex64:
		*(*complex64)(p) = complex64(s.complex(verb, 64))
	case kind == kComplex128:
		*(*complex128)(p) = s.complex(verb, 128)
	default:
		s.failText("can't scan type: " + typ)
	}
}

// storeInteger scans an integer of a rank: 0 and 5 a word, 1 to 4 those of 8 to 64 bits.
func (s *scan) storeInteger(p unsafe.Pointer, verb rune, rank int, signed bool) {
	switch rank {
	case 1:
		*(*uint8)(p) = uint8(s.integer(verb, 8, signed))
	case 2:
		*(*uint16)(p) = uint16(s.integer(verb, 16, signed))
	case 3:
		*(*uint32)(p) = uint32(s.integer(verb, 32, signed))
	default:
		*(*uint64)(p) = s.integer(verb, 64, signed)
	}
}

// all scans operands separated by space.
func (s *scan) all(a []any) (n int, err error) {
	defer rescue(&err)
	for n < len(a) {
		s.one('v', a[n])
		n++
	}
	if s.newlineStops {
		if r := s.pastBlanks(); r != '\n' && r != endOfInput {
			s.failText("expected newline")
		}
	}
	return
}

// pastBlanks reads up to the first rune that is a newline or no space, and returns it.
func (s *scan) pastBlanks() rune {
	r := s.get()
	for r != '\n' && space(r) {
		r = s.get()
	}
	return r
}

// byFormat scans operands as the verbs of format say, and matches the text between them.
func (s *scan) byFormat(format string, a []any) (n int, err error) {
	defer rescue(&err)
	for format != "" {
		rest, same := s.text(format)
		if same && len(rest) < len(format) {
			format = rest
			continue
		}
		if format[0] != '%' {
			s.failText("input does not match format")
		}
		// A verb; a percent sign that does not match at once is one too: space may come before it.
		s.operandWidth, format = width(format[1:])
		verb, size := utf8.DecodeRuneInString(format)
		if verb != 'c' {
			s.gap()
		}
		if verb == '%' {
			s.percent()
		} else if n < len(a) {
			s.limit = min(s.count+s.operandWidth, noLimit)
			s.one(verb, a[n])
			s.limit = noLimit
			n++
		} else {
			s.failText("too few operands for format '%" + format + "'")
		}
		format = format[size:]
	}
	if n < len(a) {
		s.failText("too many operands")
	}
	return
}

func (s *scan) percent() {
	s.begin()
	if !s.accept("%") {
		s.failText("missing literal %")
	}
}

// width cuts off the width at the front of a verb, noLimit if there is none or one out of all bounds.
// The last byte is the verb, whatever it is.
func width(verb string) (wid int, rest string) {
	last := len(verb) - 1
	n := 0
	for ; n < last && '0' <= verb[n] && verb[n] <= '9'; n++ {
		if wid > 1e6 {
			return noLimit, verb[last:]
		}
		wid = wid*10 + int(verb[n]-'0')
	}
	if n == 0 {
		wid = noLimit
	}
	return wid, verb[n:]
}

// text matches the input with format up to its next verb. It returns the format from there, or false if they differ.
func (s *scan) text(format string) (rest string, same bool) {
	for format != "" {
		want, size := utf8.DecodeRuneInString(format)
		if space(want) {
			format = s.blanks(format)
			continue
		}
		if want == '%' {
			if format == "%" {
				s.failText("missing verb: % at end of format string")
			}
			if format[1] != '%' {
				break
			}
			size = 2
		}
		if s.must() != want {
			s.UnreadRune()
			return format, false
		}
		format = format[size:]
	}
	return format, true
}

// blanks matches the space at the front of format, and returns what of format is behind it. A newline stands for one of the
// input with any space before it, what follows the last newline for any other space; that has to be there if it stands alone.
func (s *scan) blanks(format string) string {
	rest := strings.TrimLeftFunc(format, space)
	run := format[:len(format)-len(rest)]
	newlines := strings.Count(run, "\n")
	for range newlines {
		if r := s.pastBlanks(); r != '\n' && r != endOfInput {
			s.failText("newline in format does not match input")
		}
	}
	if run[len(run)-1] == '\n' {
		return rest
	}
	if newlines == 0 {
		if r := s.get(); r == '\n' {
			s.failText("newline in input does not match format")
		} else if r != endOfInput && !space(r) {
			s.failText("expected space in input to match format")
		}
	}
	if s.pastBlanks() != endOfInput {
		s.UnreadRune()
	}
	return rest
}
