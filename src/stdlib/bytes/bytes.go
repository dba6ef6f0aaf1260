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

// whole is a view of bytes all of which are read, for the detector of races: a comparison reads what it makes a string of.
func whole(b []byte) string {
	if string(b) == "" {
		return ""
	}
	return view(b)
}

func Clone(b []byte) []byte {
	if b != nil {
		b = append([]byte{}, b...)
	}
	return b
}

func Compare(a, b []byte) int                       { return strings.Compare(view(a), view(b)) }
func Contains(b, subslice []byte) bool              { return Index(b, subslice) >= 0 }
func ContainsAny(b []byte, chars string) bool       { return IndexAny(b, chars) >= 0 }
func ContainsFunc(b []byte, f func(rune) bool) bool { return IndexFunc(b, f) >= 0 }
func ContainsRune(b []byte, r rune) bool            { return IndexRune(b, r) >= 0 }
func Count(s, sep []byte) int                       { return strings.Count(view(s), view(sep)) }
func Equal(a, b []byte) bool                        { return string(a) == string(b) }
func EqualFold(s, t []byte) bool                    { return strings.EqualFold(view(s), view(t)) }
func HasPrefix(s, prefix []byte) bool               { return len(prefix) <= len(s) && Equal(s[:len(prefix)], prefix) }
func HasSuffix(s, suffix []byte) bool {
	at := len(s) - len(suffix)
	return at >= 0 && Equal(s[at:], suffix)
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
func ToLower(s []byte) []byte                               { return []byte(strings.ToLower(whole(s))) }
func ToLowerSpecial(c unicode.SpecialCase, s []byte) []byte { return Map(c.ToLower, s) }
func ToTitle(s []byte) []byte                               { return []byte(strings.ToTitle(whole(s))) }
func ToTitleSpecial(c unicode.SpecialCase, s []byte) []byte { return Map(c.ToTitle, s) }
func ToUpper(s []byte) []byte                               { return []byte(strings.ToUpper(whole(s))) }
func ToUpperSpecial(c unicode.SpecialCase, s []byte) []byte { return Map(c.ToUpper, s) }
func ToValidUTF8(s, replacement []byte) []byte {
	return []byte(strings.ToValidUTF8(whole(s), view(replacement)))
}

func Replace(s, old, new []byte, n int) []byte {
	if len(s) == 0 && (n == 0 || len(old) > 0) {
		return nil
	}
	return []byte(strings.Replace(whole(s), whole(old), whole(new), n))
}

func Join(s [][]byte, sep []byte) []byte {
	if len(s) == 1 {
		return append([]byte(nil), s[0]...) // nil stays nil
	}
	total := -len(sep)
	for _, part := range s {
		total += len(sep) + len(part)
	}
	out := make([]byte, 0, max(total, 0))
	var gap []byte // none before the first
	for _, part := range s {
		out = append(append(out, gap...), part...)
		gap = sep
	}
	return out
}

func Repeat(b []byte, count int) []byte {
	size := len(b) * count
	switch {
	case count < 0:
		panic("bytes: negative Repeat count")
	case count > 0 && size/count != len(b):
		panic("bytes: Repeat output length overflow")
	}
	out := append(make([]byte, 0, size), b[:min(len(b), size)]...)
	for len(out) < size {
		out = append(out, out[:min(len(out), size-len(out))]...)
	}
	return out
}

// parted is what lies before and behind a separator of that size at place i; without one i is negative.
func parted(s []byte, i, size int) (before, after []byte, found bool) {
	if found = i >= 0; !found {
		return s, nil, false
	}
	before, after = s[:i], s[i+size:]
	return before, after, true
}

func Cut(s, sep []byte) (before, after []byte, found bool) { return parted(s, Index(s, sep), len(sep)) }

func CutLast(s, sep []byte) (before, after []byte, found bool) {
	return parted(s, LastIndex(s, sep), len(sep))
}

func CutPrefix(s, prefix []byte) (after []byte, found bool) {
	if found = HasPrefix(s, prefix); found {
		s = s[len(prefix):]
	}
	return s, found
}

func CutSuffix(s, suffix []byte) (before []byte, found bool) {
	if found = HasSuffix(s, suffix); found {
		s = s[:len(s)-len(suffix)]
	}
	return s, found
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

func TrimFunc(s []byte, f func(r rune) bool) []byte { return TrimRightFunc(TrimLeftFunc(s, f), f) }

func Trim(s []byte, cutset string) []byte { return TrimRight(TrimLeft(s, cutset), cutset) }

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
	begin, inside := 0, false // a field is open, which began there
	for i, r := range view(s) {
		if f(r) != inside {
			continue
		}
		if inside {
			fields = append(fields, s[begin:i:i])
		}
		begin, inside = i, !inside
	}
	if inside {
		fields = append(fields, s[begin:len(s):len(s)])
	}
	return fields
}

const MinRead = 512

var (
	ErrTooLarge   = errors.New("bytes.Buffer: too large")
	errReadCount  = errors.New("bytes.Buffer: reader returned negative count from Read")
	errUnreadByte = errors.New("bytes.Buffer: UnreadByte: previous operation was not a successful read")
	errUnreadRune = errors.New("bytes.Buffer: UnreadRune: previous operation was not a successful ReadRune")
)

// readOp is what the last operation read, and so what may be unread: a rune of that many bytes, or one of these.
type readOp int8

const (
	readBytes   readOp = -1
	readNothing readOp = 0
)

const (
	firstSize = 64 // capacity of a buffer that begins with a small write
	maxInt    = int(^uint(0) >> 1)
	most      = 1 << 48 // there is no more memory than that
)

// Buffer: buf[off:] is unread. The fields are Go's, since a program that prints a Buffer shows them.
type Buffer struct {
	buf      []byte
	off      int
	lastRead readOp
}

func NewBuffer(buf []byte) *Buffer     { return &Buffer{buf: buf} }
func NewBufferString(s string) *Buffer { return NewBuffer([]byte(s)) }

// What is in the buffer, and what still has room in it.

func (b *Buffer) Bytes() []byte           { return b.buf[b.off:] }
func (b *Buffer) Len() int                { return len(b.Bytes()) }
func (b *Buffer) AvailableBuffer() []byte { return b.buf[len(b.buf):] }
func (b *Buffer) Available() int          { return cap(b.AvailableBuffer()) }
func (b *Buffer) Cap() int                { return cap(b.buf) }

func (b *Buffer) String() string {
	if b != nil {
		return string(b.Bytes())
	}
	return "<nil>"
}

func (b *Buffer) Peek(n int) (part []byte, err error) {
	if part = b.Bytes(); n > len(part) {
		return part, io.EOF
	}
	return part[:n], nil
}

func (b *Buffer) Reset() { *b = Buffer{buf: b.buf[:0]} }

func (b *Buffer) Truncate(n int) {
	if b.lastRead = readNothing; n < 0 || n > b.Len() {
		panic("bytes.Buffer: truncation out of range")
	}
	if b.buf = b.buf[:b.off+n]; n == 0 {
		b.Reset()
	}
}

// extend makes the buffer n bytes longer and returns these bytes, for the caller to fill.
func (b *Buffer) extend(n int) []byte {
	if n > b.Available() {
		b.makeRoom(n)
	}
	end := len(b.buf)
	b.buf = b.buf[:end+n]
	return b.buf[end:]
}

// makeRoom sees to capacity for n more bytes, if need be by bringing the unread part to the front, of this buffer or of a larger one.
func (b *Buffer) makeRoom(n int) {
	unread := b.Bytes()
	if len(unread) == 0 && b.off > 0 {
		b.Reset()
	}
	size := cap(b.buf)
	switch {
	case n <= size-len(b.buf):
		return
	case b.buf == nil && n <= firstSize:
		b.buf = make([]byte, 0, firstSize)
	case n <= size/2-len(unread): // moving pays: at least as much room is won as bytes are moved
		b.buf = append(b.buf[:0], unread...)
	case n > most-2*size:
		panic(ErrTooLarge)
	default:
		// What an append of that many bytes would allocate.
		larger := append([]byte(nil), make([]byte, max(len(b.buf)+n, 2*(size-b.off)))...)
		b.buf = append(larger[:0], unread...)
	}
	b.off = 0
}

func (b *Buffer) Grow(n int) {
	if n < 0 {
		panic("bytes.Buffer.Grow: negative count")
	}
	b.makeRoom(n)
}

func (b *Buffer) Write(p []byte) (n int, err error) {
	b.lastRead = readNothing
	return copy(b.extend(len(p)), p), nil
}

func (b *Buffer) WriteString(s string) (n int, err error) {
	b.lastRead = readNothing
	return copy(b.extend(len(s)), s), nil
}

func (b *Buffer) WriteByte(c byte) error {
	b.lastRead = readNothing
	b.extend(1)[0] = c
	return nil
}

func (b *Buffer) WriteRune(r rune) (n int, err error) {
	if 0 <= r && r < utf8.RuneSelf {
		return 1, b.WriteByte(byte(r))
	}
	b.lastRead = readNothing
	n = utf8.EncodeRune(b.extend(utf8.UTFMax), r)
	b.buf = b.buf[:len(b.buf)-utf8.UTFMax+n]
	return n, nil
}

// fill reads once into the room behind what there is.
func (b *Buffer) fill(r io.Reader) (int64, error) {
	b.Grow(MinRead)
	got, err := r.Read(b.AvailableBuffer()[:b.Available()])
	if got < 0 {
		panic(errReadCount)
	}
	b.buf = b.buf[:len(b.buf)+got]
	return int64(got), err
}

func (b *Buffer) ReadFrom(r io.Reader) (n int64, err error) {
	b.lastRead = readNothing
	for got := int64(0); err == nil; n += got {
		got, err = b.fill(r)
	}
	if err == io.EOF {
		err = nil
	}
	return n, err
}

func (b *Buffer) WriteTo(w io.Writer) (n int64, err error) {
	b.lastRead = readNothing
	unread := b.Bytes()
	done := 0
	if len(unread) > 0 {
		done, err = w.Write(unread)
	}
	switch {
	case done > len(unread):
		panic("bytes.Buffer.WriteTo: invalid Write count")
	case err == nil && done == len(unread):
		b.Reset()
		return int64(done), nil
	case err == nil:
		err = io.ErrShortWrite
	}
	b.off += done
	return int64(done), err
}

// take reads the next n bytes, which are there.
func (b *Buffer) take(n int) []byte {
	part := b.Bytes()[:n]
	b.off += n
	if b.lastRead = readNothing; n > 0 {
		b.lastRead = readBytes
	}
	return part
}

// used tells whether all is read; then the room is won back.
func (b *Buffer) used() bool {
	if b.Len() > 0 {
		return false
	}
	b.Reset()
	return true
}

func (b *Buffer) Next(n int) []byte { return b.take(min(n, b.Len())) }

func (b *Buffer) Read(p []byte) (n int, err error) {
	if b.used() {
		if len(p) > 0 {
			err = io.EOF
		}
		return 0, err
	}
	return copy(p, b.Next(len(p))), nil
}

func (b *Buffer) ReadByte() (byte, error) {
	if b.used() {
		return 0, io.EOF
	}
	return b.take(1)[0], nil
}

func (b *Buffer) ReadRune() (r rune, size int, err error) {
	if b.used() {
		return 0, 0, io.EOF
	}
	r, size = utf8.DecodeRune(b.Bytes())
	b.take(size)
	b.lastRead = readOp(size)
	return r, size, nil
}

func (b *Buffer) UnreadByte() error {
	if b.lastRead == readNothing {
		return errUnreadByte
	}
	b.unread(1)
	return nil
}

func (b *Buffer) UnreadRune() error {
	if b.lastRead <= readNothing {
		return errUnreadRune
	}
	b.unread(int(b.lastRead))
	return nil
}

func (b *Buffer) unread(n int) {
	if b.lastRead = readNothing; n <= b.off {
		b.off -= n
	}
}

// through reads up to the first delim and that.
func (b *Buffer) through(delim byte) (line []byte, err error) {
	n := IndexByte(b.Bytes(), delim) + 1
	if n == 0 {
		n, err = b.Len(), io.EOF
	}
	line = b.take(n)
	b.lastRead = readBytes
	return line, err
}

func (b *Buffer) ReadBytes(delim byte) (line []byte, err error) {
	part, err := b.through(delim)
	return append(line, part...), err
}

func (b *Buffer) ReadString(delim byte) (line string, err error) {
	part, err := b.through(delim)
	return string(part), err
}

// Reader reads a byte slice. Its fields are Go's: i is how far it has read, prevRune where the last ReadRune began, or -1.
type Reader struct {
	s        []byte
	i        int64
	prevRune int
}

func NewReader(b []byte) *Reader { return &Reader{s: b, prevRune: -1} }

func (r *Reader) Reset(b []byte) { *r = *NewReader(b) }
func (r *Reader) Size() int64    { return int64(len(r.s)) }
func (r *Reader) Len() int       { return len(r.from(r.i)) }

// from is what lies behind an offset; nothing if that is past the end, where Seek may go.
func (r *Reader) from(off int64) []byte { return r.s[min(off, r.Size()):] }

func (r *Reader) Read(b []byte) (n int, err error) {
	rest := r.from(r.i)
	if len(rest) == 0 {
		return 0, io.EOF
	}
	n = copy(b, rest)
	r.i, r.prevRune = r.i+int64(n), -1
	return n, nil
}

func (r *Reader) ReadAt(b []byte, off int64) (n int, err error) {
	if off >= 0 {
		rest := r.from(off)
		if len(rest) < max(1, len(b)) {
			err = io.EOF
		}
		return copy(b, rest), err
	}
	return 0, errors.New("bytes.Reader.ReadAt: negative offset")
}

// next is all that has not been read, for what reads a part of it; with an error if that is nothing.
func (r *Reader) next() (rest []byte, err error) {
	r.prevRune = -1
	if rest = r.from(r.i); len(rest) == 0 {
		err = io.EOF
	}
	return rest, err
}

func (r *Reader) ReadByte() (c byte, err error) {
	rest, err := r.next()
	if err == nil {
		c = rest[0]
		r.i++
	}
	return c, err
}

func (r *Reader) ReadRune() (ch rune, size int, err error) {
	rest, err := r.next()
	if err == nil {
		ch, size = utf8.DecodeRune(rest)
		r.i, r.prevRune = r.i+int64(size), int(r.i)
	}
	return ch, size, err
}

func (r *Reader) UnreadByte() (err error) {
	if r.i > 0 {
		r.i, r.prevRune = r.i-1, -1
	} else {
		err = errors.New("bytes.Reader.UnreadByte: at beginning of slice")
	}
	return err
}

func (r *Reader) UnreadRune() error {
	switch {
	case r.i <= 0:
		return errors.New("bytes.Reader.UnreadRune: at beginning of slice")
	case r.prevRune < 0:
		return errors.New("bytes.Reader.UnreadRune: previous operation was not ReadRune")
	}
	r.i, r.prevRune = int64(r.prevRune), -1
	return nil
}

func (r *Reader) Seek(offset int64, whence int) (to int64, err error) {
	r.prevRune = -1
	base := [...]int64{io.SeekStart: 0, io.SeekCurrent: r.i, io.SeekEnd: r.Size()}
	switch {
	case whence < 0 || whence >= len(base):
		err = errors.New("bytes.Reader.Seek: invalid whence")
	case base[whence]+offset < 0:
		err = errors.New("bytes.Reader.Seek: negative position")
	default:
		to = base[whence] + offset
		r.i = to
	}
	return to, err
}

func (r *Reader) WriteTo(w io.Writer) (n int64, err error) {
	rest, end := r.next()
	if end != nil {
		return 0, nil
	}
	done, err := w.Write(rest)
	switch {
	case done > len(rest):
		panic("bytes.Reader.WriteTo: invalid Write count")
	case done < len(rest) && err == nil:
		err = io.ErrShortWrite
	}
	r.i += int64(done)
	return int64(done), err
}
