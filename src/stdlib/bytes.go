// Package bytes: the functions of package strings for byte slices, a growing buffer, and a reader.
//
// Searches look at the slice as a string (view), so they share the natives of package strings.
package bytes

import (
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// view is b as a string that shares its memory: for as long as nobody writes to b.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func Clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}

func Compare(a, b []byte) int                       { return strings.Compare(view(a), view(b)) }
func Contains(b, subslice []byte) bool              { return Index(b, subslice) >= 0 }
func ContainsAny(b []byte, chars string) bool       { return IndexAny(b, chars) >= 0 }
func ContainsFunc(b []byte, f func(rune) bool) bool { return IndexFunc(b, f) >= 0 }
func ContainsRune(b []byte, r rune) bool            { return IndexRune(b, r) >= 0 }
func Count(s, sep []byte) int                       { return strings.Count(view(s), view(sep)) }
func Equal(a, b []byte) bool                        { return string(a) == string(b) }
func EqualFold(s, t []byte) bool                    { return strings.EqualFold(view(s), view(t)) }
func HasPrefix(s, prefix []byte) bool               { return len(s) >= len(prefix) && Equal(s[:len(prefix)], prefix) }
func HasSuffix(s, suffix []byte) bool {
	return len(s) >= len(suffix) && Equal(s[len(s)-len(suffix):], suffix)
}
func Index(s, sep []byte) int                               { return strings.Index(view(s), view(sep)) }
func IndexAny(s []byte, chars string) int                   { return strings.IndexAny(view(s), chars) }
func IndexByte(b []byte, c byte) int                        { return strings.IndexByte(view(b), c) }
func IndexFunc(s []byte, f func(r rune) bool) int           { return strings.IndexFunc(view(s), f) }
func IndexRune(s []byte, r rune) int                        { return strings.IndexRune(view(s), r) }
func LastIndex(s, sep []byte) int                           { return strings.LastIndex(view(s), view(sep)) }
func LastIndexAny(s []byte, chars string) int               { return strings.LastIndexAny(view(s), chars) }
func LastIndexByte(s []byte, c byte) int                    { return strings.LastIndexByte(view(s), c) }
func LastIndexFunc(s []byte, f func(r rune) bool) int       { return strings.LastIndexFunc(view(s), f) }
func Map(mapping func(r rune) rune, s []byte) []byte        { return []byte(strings.Map(mapping, string(s))) }
func ReplaceAll(s, old, new []byte) []byte                  { return Replace(s, old, new, -1) }
func Runes(s []byte) []rune                                 { return []rune(string(s)) }
func Split(s, sep []byte) [][]byte                          { return split(s, sep, 0, -1) }
func SplitAfter(s, sep []byte) [][]byte                     { return split(s, sep, len(sep), -1) }
func SplitAfterN(s, sep []byte, n int) [][]byte             { return split(s, sep, len(sep), n) }
func SplitN(s, sep []byte, n int) [][]byte                  { return split(s, sep, 0, n) }
func Title(s []byte) []byte                                 { return []byte(strings.Title(string(s))) }
func ToLower(s []byte) []byte                               { return []byte(strings.ToLower(view(s))) }
func ToLowerSpecial(c unicode.SpecialCase, s []byte) []byte { return Map(c.ToLower, s) }
func ToTitle(s []byte) []byte                               { return []byte(strings.ToTitle(view(s))) }
func ToTitleSpecial(c unicode.SpecialCase, s []byte) []byte { return Map(c.ToTitle, s) }
func ToUpper(s []byte) []byte                               { return []byte(strings.ToUpper(view(s))) }
func ToUpperSpecial(c unicode.SpecialCase, s []byte) []byte { return Map(c.ToUpper, s) }
func ToValidUTF8(s, replacement []byte) []byte {
	return []byte(strings.ToValidUTF8(view(s), view(replacement)))
}

func Replace(s, old, new []byte, n int) []byte {
	return []byte(strings.Replace(view(s), view(old), view(new), n))
}

func Join(s [][]byte, sep []byte) []byte {
	total := 0
	for i, part := range s {
		if i > 0 {
			total += len(sep)
		}
		total += len(part)
	}
	out := make([]byte, 0, total)
	for i, part := range s {
		if i > 0 {
			out = append(out, sep...)
		}
		out = append(out, part...)
	}
	return out
}

func Repeat(b []byte, count int) []byte {
	if count < 0 {
		panic("bytes: negative Repeat count")
	}
	if len(b) > 0 && count > int(^uint(0)>>1)/len(b) {
		panic("bytes: Repeat output length overflow")
	}
	out := make([]byte, len(b)*count)
	for n := copy(out, b); n > 0 && n < len(out); n *= 2 {
		copy(out[n:], out[:n])
	}
	return out
}

func Cut(s, sep []byte) (before, after []byte, found bool) {
	if i := Index(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, nil, false
}

func CutLast(s, sep []byte) (before, after []byte, found bool) {
	if i := LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, nil, false
}

func CutPrefix(s, prefix []byte) (after []byte, found bool) {
	if !HasPrefix(s, prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

func CutSuffix(s, suffix []byte) (before []byte, found bool) {
	if !HasSuffix(s, suffix) {
		return s, false
	}
	return s[:len(s)-len(suffix)], true
}

func TrimPrefix(s, prefix []byte) []byte {
	rest, _ := CutPrefix(s, prefix)
	return rest
}

func TrimSuffix(s, suffix []byte) []byte {
	rest, _ := CutSuffix(s, suffix)
	return rest
}

// front is s without the bytes that left has lost at its front; left is what a trim of view(s) gave. Go gives nil for nothing left.
func front(s []byte, left string) []byte {
	if left == "" {
		return nil
	}
	return s[len(s)-len(left):]
}

func TrimLeft(s []byte, cutset string) []byte { return front(s, strings.TrimLeft(view(s), cutset)) }

func TrimLeftFunc(s []byte, f func(r rune) bool) []byte {
	return front(s, strings.TrimLeftFunc(view(s), f))
}

func TrimRight(s []byte, cutset string) []byte { return s[:len(strings.TrimRight(view(s), cutset))] }

func TrimRightFunc(s []byte, f func(r rune) bool) []byte {
	return s[:len(strings.TrimRightFunc(view(s), f))]
}

func Trim(s []byte, cutset string) []byte { return TrimRight(TrimLeft(s, cutset), cutset) }

func TrimFunc(s []byte, f func(r rune) bool) []byte { return TrimRightFunc(TrimLeftFunc(s, f), f) }

func TrimSpace(s []byte) []byte { return TrimFunc(s, unicode.IsSpace) }

// split is as in package strings. The parts' capacity ends with them, so that appending to one does not write into the next.
func split(s, sep []byte, keep, n int) [][]byte {
	if n == 0 {
		return nil
	}
	parts := [][]byte{}
	if len(sep) == 0 {
		for len(s) > 0 && len(parts) != n-1 {
			_, size := utf8.DecodeRune(s)
			parts = append(parts, s[:size:size])
			s = s[size:]
		}
		if len(s) > 0 {
			parts = append(parts, s)
		}
		return parts
	}
	for len(parts) != n-1 {
		i := Index(s, sep)
		if i < 0 {
			break
		}
		parts = append(parts, s[:i+keep:i+keep])
		s = s[i+len(sep):]
	}
	return append(parts, s)
}

func Fields(s []byte) [][]byte { return FieldsFunc(s, unicode.IsSpace) }

func FieldsFunc(s []byte, f func(rune) bool) [][]byte {
	fields := [][]byte{}
	start := -1
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRune(s[i:])
		switch outside := f(r); {
		case outside && start >= 0:
			fields = append(fields, s[start:i:i])
			start = -1
		case !outside && start < 0:
			start = i
		}
		i += size
	}
	if start >= 0 {
		fields = append(fields, s[start:len(s):len(s)])
	}
	return fields
}

const MinRead = 512

var ErrTooLarge = errors.New("bytes.Buffer: too large")
var errNegativeRead = errors.New("bytes.Buffer: reader returned negative count from Read")

// lastRead says what may be unread: the size of a rune, opRead for any other reading, or opInvalid.
type lastRead int8

const (
	opRead    lastRead = -1
	opInvalid lastRead = 0
)

// Buffer: buf[off:] is unread.
type Buffer struct {
	buf      []byte
	off      int
	lastRead lastRead
}

func NewBuffer(buf []byte) *Buffer        { return &Buffer{buf: buf} }
func NewBufferString(s string) *Buffer    { return &Buffer{buf: []byte(s)} }
func (b *Buffer) Bytes() []byte           { return b.buf[b.off:] }
func (b *Buffer) AvailableBuffer() []byte { return b.buf[len(b.buf):] }
func (b *Buffer) Len() int                { return len(b.buf) - b.off }
func (b *Buffer) Cap() int                { return cap(b.buf) }
func (b *Buffer) Available() int          { return cap(b.buf) - len(b.buf) }

func (b *Buffer) String() string {
	if b == nil {
		return "<nil>"
	}
	return string(b.buf[b.off:])
}

func (b *Buffer) Peek(n int) ([]byte, error) {
	if b.Len() < n {
		return b.buf[b.off:], io.EOF
	}
	return b.buf[b.off : b.off+n], nil
}

func (b *Buffer) Truncate(n int) {
	if n == 0 {
		b.Reset()
		return
	}
	b.lastRead = opInvalid
	if n < 0 || n > b.Len() {
		panic("bytes.Buffer: truncation out of range")
	}
	b.buf = b.buf[:b.off+n]
}

func (b *Buffer) Reset() {
	b.buf = b.buf[:0]
	b.off = 0
	b.lastRead = opInvalid
}

// room makes the buffer n bytes longer and returns where they begin.
func (b *Buffer) room(n int) int {
	unread := b.Len()
	if unread == 0 && b.off != 0 {
		b.Reset()
	}
	if l := len(b.buf); n <= cap(b.buf)-l {
		b.buf = b.buf[:l+n]
		return l
	}
	if b.buf == nil && n <= 64 {
		b.buf = make([]byte, n, 64)
		return 0
	}
	c := cap(b.buf)
	switch {
	case n <= c/2-unread: // enough once the unread part has moved to the front
		copy(b.buf, b.buf[b.off:])
	case c > int(^uint(0)>>1)-c-n:
		panic(ErrTooLarge)
	default:
		larger := append([]byte(nil), make([]byte, 2*c+n)...)
		copy(larger, b.buf[b.off:])
		b.buf = larger
	}
	b.off = 0
	b.buf = b.buf[:unread+n]
	return unread
}

func (b *Buffer) Grow(n int) {
	if n < 0 {
		panic("bytes.Buffer.Grow: negative count")
	}
	b.buf = b.buf[:b.room(n)]
}

func (b *Buffer) Write(p []byte) (n int, err error) {
	b.lastRead = opInvalid
	at := b.room(len(p))
	return copy(b.buf[at:], p), nil
}

func (b *Buffer) WriteString(s string) (n int, err error) {
	b.lastRead = opInvalid
	at := b.room(len(s))
	return copy(b.buf[at:], s), nil
}

func (b *Buffer) WriteByte(c byte) error {
	b.lastRead = opInvalid
	at := b.room(1)
	b.buf[at] = c
	return nil
}

func (b *Buffer) WriteRune(r rune) (n int, err error) {
	if uint32(r) < utf8.RuneSelf {
		b.WriteByte(byte(r))
		return 1, nil
	}
	b.lastRead = opInvalid
	at := b.room(utf8.UTFMax)
	b.buf = utf8.AppendRune(b.buf[:at], r)
	return len(b.buf) - at, nil
}

func (b *Buffer) ReadFrom(r io.Reader) (n int64, err error) {
	b.lastRead = opInvalid
	for {
		at := b.room(MinRead)
		b.buf = b.buf[:at]
		m, err := r.Read(b.buf[at:cap(b.buf)])
		if m < 0 {
			panic(errNegativeRead)
		}
		b.buf = b.buf[:at+m]
		n += int64(m)
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

func (b *Buffer) WriteTo(w io.Writer) (n int64, err error) {
	b.lastRead = opInvalid
	if unread := b.Len(); unread > 0 {
		m, err := w.Write(b.buf[b.off:])
		if m > unread {
			panic("bytes.Buffer.WriteTo: invalid Write count")
		}
		b.off += m
		n = int64(m)
		if err != nil {
			return n, err
		}
		if m != unread {
			return n, io.ErrShortWrite
		}
	}
	b.Reset()
	return n, nil
}

func (b *Buffer) Read(p []byte) (n int, err error) {
	b.lastRead = opInvalid
	if b.Len() == 0 {
		b.Reset()
		if len(p) == 0 {
			return 0, nil
		}
		return 0, io.EOF
	}
	n = copy(p, b.buf[b.off:])
	b.off += n
	if n > 0 {
		b.lastRead = opRead
	}
	return n, nil
}

func (b *Buffer) Next(n int) []byte {
	b.lastRead = opInvalid
	n = min(n, b.Len())
	data := b.buf[b.off : b.off+n]
	b.off += n
	if n > 0 {
		b.lastRead = opRead
	}
	return data
}

func (b *Buffer) ReadByte() (byte, error) {
	if b.Len() == 0 {
		b.Reset()
		return 0, io.EOF
	}
	c := b.buf[b.off]
	b.off++
	b.lastRead = opRead
	return c, nil
}

func (b *Buffer) ReadRune() (r rune, size int, err error) {
	if b.Len() == 0 {
		b.Reset()
		return 0, 0, io.EOF
	}
	r, size = utf8.DecodeRune(b.buf[b.off:])
	b.off += size
	b.lastRead = lastRead(size)
	return r, size, nil
}

func (b *Buffer) UnreadRune() error {
	if b.lastRead <= opInvalid {
		return errors.New("bytes.Buffer: UnreadRune: previous operation was not a successful ReadRune")
	}
	if b.off >= int(b.lastRead) {
		b.off -= int(b.lastRead)
	}
	b.lastRead = opInvalid
	return nil
}

var errUnreadByte = errors.New("bytes.Buffer: UnreadByte: previous operation was not a successful read")

func (b *Buffer) UnreadByte() error {
	if b.lastRead == opInvalid {
		return errUnreadByte
	}
	b.lastRead = opInvalid
	if b.off > 0 {
		b.off--
	}
	return nil
}

// take reads through the first delim.
func (b *Buffer) take(delim byte) (line []byte, err error) {
	end := len(b.buf)
	if i := IndexByte(b.buf[b.off:], delim); i >= 0 {
		end = b.off + i + 1
	} else {
		err = io.EOF
	}
	line = b.buf[b.off:end]
	b.off = end
	b.lastRead = opRead
	return line, err
}

func (b *Buffer) ReadBytes(delim byte) (line []byte, err error) {
	part, err := b.take(delim)
	return append(line, part...), err
}

func (b *Buffer) ReadString(delim byte) (line string, err error) {
	part, err := b.take(delim)
	return string(part), err
}

// Reader reads a byte slice; prev is where the last ReadRune began, or -1.
type Reader struct {
	s    []byte
	i    int64
	prev int
}

func NewReader(b []byte) *Reader { return &Reader{b, 0, -1} }

func (r *Reader) Len() int       { return int(max(int64(len(r.s))-r.i, 0)) }
func (r *Reader) Size() int64    { return int64(len(r.s)) }
func (r *Reader) Reset(b []byte) { *r = Reader{b, 0, -1} }

func (r *Reader) Read(b []byte) (n int, err error) {
	if r.i >= int64(len(r.s)) {
		return 0, io.EOF
	}
	r.prev = -1
	n = copy(b, r.s[r.i:])
	r.i += int64(n)
	return n, nil
}

func (r *Reader) ReadAt(b []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errors.New("bytes.Reader.ReadAt: negative offset")
	}
	if off >= int64(len(r.s)) {
		return 0, io.EOF
	}
	n = copy(b, r.s[off:])
	if n < len(b) {
		err = io.EOF
	}
	return n, err
}

func (r *Reader) ReadByte() (byte, error) {
	r.prev = -1
	if r.i >= int64(len(r.s)) {
		return 0, io.EOF
	}
	c := r.s[r.i]
	r.i++
	return c, nil
}

func (r *Reader) UnreadByte() error {
	if r.i <= 0 {
		return errors.New("bytes.Reader.UnreadByte: at beginning of slice")
	}
	r.prev = -1
	r.i--
	return nil
}

func (r *Reader) ReadRune() (ch rune, size int, err error) {
	if r.i >= int64(len(r.s)) {
		r.prev = -1
		return 0, 0, io.EOF
	}
	r.prev = int(r.i)
	ch, size = utf8.DecodeRune(r.s[r.i:])
	r.i += int64(size)
	return ch, size, nil
}

func (r *Reader) UnreadRune() error {
	if r.i <= 0 {
		return errors.New("bytes.Reader.UnreadRune: at beginning of slice")
	}
	if r.prev < 0 {
		return errors.New("bytes.Reader.UnreadRune: previous operation was not ReadRune")
	}
	r.i = int64(r.prev)
	r.prev = -1
	return nil
}

func (r *Reader) Seek(offset int64, whence int) (int64, error) {
	r.prev = -1
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += r.i
	case io.SeekEnd:
		offset += int64(len(r.s))
	default:
		return 0, errors.New("bytes.Reader.Seek: invalid whence")
	}
	if offset < 0 {
		return 0, errors.New("bytes.Reader.Seek: negative position")
	}
	r.i = offset
	return offset, nil
}

func (r *Reader) WriteTo(w io.Writer) (n int64, err error) {
	r.prev = -1
	if r.i >= int64(len(r.s)) {
		return 0, nil
	}
	rest := r.s[r.i:]
	m, err := w.Write(rest)
	if m > len(rest) {
		panic("bytes.Reader.WriteTo: invalid Write count")
	}
	r.i += int64(m)
	if m != len(rest) && err == nil {
		err = io.ErrShortWrite
	}
	return int64(m), err
}
