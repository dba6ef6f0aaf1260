// Package strings: searching, cutting, joining and changing strings.
//
// What scans bytes is native (declared without a body); what calls back is written here.
package strings

import (
	"errors"
	"io"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// Natives. Search and comparison:

// Compare is 0 if a and b are equal, -1 if a comes first, 1 if b does.
func Compare(a, b string) int

// Count is how often substr is in s, without overlaps; of "" it is the number of runes and 1.
func Count(s, substr string) int

// EqualFold says whether s and t are equal but for case.
func EqualFold(s, t string) bool

// Index is where substr first is in s, or -1.
func Index(s, substr string) int

// IndexAny is where the first rune of s is that is one of chars, or -1.
func IndexAny(s, chars string) int

// IndexByte is where c first is in s, or -1.
func IndexByte(s string, c byte) int

// IndexRune is where r first is in s, or -1.
func IndexRune(s string, r rune) int

// LastIndex is where substr last is in s, or -1.
func LastIndex(s, substr string) int

// LastIndexAny is where the last rune of s is that is one of chars, or -1.
func LastIndexAny(s, chars string) int

// LastIndexByte is where c last is in s, or -1.
func LastIndexByte(s string, c byte) int

// Natives. Cutting:

// Fields is the parts of s between runs of white space.
func Fields(s string) []string

// Trim is s without the runes of cutset at both ends.
func Trim(s, cutset string) string

// TrimLeft is s without the runes of cutset at its start.
func TrimLeft(s, cutset string) string

// TrimRight is s without the runes of cutset at its end.
func TrimRight(s, cutset string) string

// TrimSpace is s without white space at both ends.
func TrimSpace(s string) string

// split cuts s at each sep into at most n parts (n < 0: all), each with its first keep bytes of sep.
func split(s, sep string, keep, n int) []string

// Natives. Making new strings:

// Clone is a copy of s.
func Clone(s string) string

// Join is the elements of elems with sep between them.
func Join(elems []string, sep string) string

// Replace is s with new for the first n occurrences of old; for all of them if n < 0.
func Replace(s, old, new string, n int) string

// ToLower is s in lower case.
func ToLower(s string) string

// ToTitle is s in title case.
func ToTitle(s string) string

// ToUpper is s in upper case.
func ToUpper(s string) string

// ToValidUTF8 is s with replacement for each run of bytes that are no UTF-8.
func ToValidUTF8(s, replacement string) string

// repeat is s, count times; the size has been checked.
func repeat(s string, count int) string

func ContainsRune(s string, r rune) bool            { return IndexRune(s, r) >= 0 }
func ContainsAny(s, chars string) bool              { return IndexAny(s, chars) >= 0 }
func ContainsFunc(s string, f func(rune) bool) bool { return IndexFunc(s, f) >= 0 }
func Contains(s, substr string) bool                { return Index(s, substr) >= 0 }
func HasPrefix(s, prefix string) bool               { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }
func HasSuffix(s, suffix string) bool {
	at := len(s) - len(suffix)
	return at >= 0 && s[at:] == suffix
}

func Split(s, sep string) []string                          { return split(s, sep, 0, -1) }
func SplitAfter(s, sep string) []string                     { return split(s, sep, len(sep), -1) }
func SplitAfterN(s, sep string, n int) []string             { return split(s, sep, len(sep), n) }
func SplitN(s, sep string, n int) []string                  { return split(s, sep, 0, n) }
func ReplaceAll(s, old, new string) string                  { return Replace(s, old, new, -1) }
func ToTitleSpecial(c unicode.SpecialCase, s string) string { return Map(c.ToTitle, s) }
func ToLowerSpecial(c unicode.SpecialCase, s string) string { return Map(c.ToLower, s) }
func ToUpperSpecial(c unicode.SpecialCase, s string) string { return Map(c.ToUpper, s) }

func Repeat(s string, count int) string {
	if count < 0 {
		panic("strings: negative Repeat count")
	}
	if len(s) > 0 && count > int(^uint(0)>>1)/len(s) {
		panic("strings: Repeat output length overflow")
	}
	const most = 1 << 48
	if n := len(s) * count; n > most {
		_ = make([]byte, n) // panics
	}
	return repeat(s, count)
}

// parted is what lies before and behind a separator of that size at place i; without one i is negative.
func parted(s string, i, size int) (before, after string, found bool) {
	if found = i >= 0; !found {
		return s, "", false
	}
	before, after = s[:i], s[i+size:]
	return before, after, true
}

func Cut(s, sep string) (before, after string, found bool) { return parted(s, Index(s, sep), len(sep)) }

func CutLast(s, sep string) (before, after string, found bool) {
	return parted(s, LastIndex(s, sep), len(sep))
}

func CutPrefix(s, prefix string) (after string, found bool) {
	if found = HasPrefix(s, prefix); found {
		s = s[len(prefix):]
	}
	return s, found
}

func CutSuffix(s, suffix string) (before string, found bool) {
	if found = HasSuffix(s, suffix); found {
		s = s[:len(s)-len(suffix)]
	}
	return s, found
}

func TrimPrefix(s, prefix string) string {
	rest, _ := CutPrefix(s, prefix)
	return rest
}

func TrimSuffix(s, suffix string) string {
	rest, _ := CutSuffix(s, suffix)
	return rest
}

// first is where the first rune with f(r) == want begins, or -1.
func first(s string, f func(rune) bool, want bool) int {
	for i, r := range s {
		if f(r) == want {
			return i
		}
	}
	return -1
}

// last is where the last rune with f(r) == want begins, or -1.
func last(s string, f func(rune) bool, want bool) int {
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if s = s[:len(s)-size]; f(r) == want {
			return len(s)
		}
	}
	return -1
}

func IndexFunc(s string, f func(rune) bool) int     { return first(s, f, true) }
func LastIndexFunc(s string, f func(rune) bool) int { return last(s, f, true) }

func TrimRightFunc(s string, f func(rune) bool) string {
	i := last(s, f, false)
	if i < 0 {
		return ""
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return s[:i+size]
}

func TrimLeftFunc(s string, f func(rune) bool) string {
	i := first(s, f, false)
	if i < 0 {
		return ""
	}
	return s[i:]
}

func TrimFunc(s string, f func(rune) bool) string { return TrimRightFunc(TrimLeftFunc(s, f), f) }

func FieldsFunc(s string, f func(rune) bool) []string {
	fields := []string{}
	begin, inside := 0, false // a field is open, which began there
	for i, r := range s {
		if f(r) != inside {
			continue
		}
		if inside {
			fields = append(fields, s[begin:i])
		}
		begin, inside = i, !inside
	}
	if inside {
		fields = append(fields, s[begin:])
	}
	return fields
}

func Map(mapping func(rune) rune, s string) string {
	for i, r := range s {
		mapped := mapping(r)
		if mapped == r && r != utf8.RuneError {
			continue
		}
		width := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, width = utf8.DecodeRuneInString(s[i:])
			if width != 1 && mapped == r {
				continue
			}
		}
		out := make([]byte, 0, len(s)+utf8.UTFMax)
		out = append(out, s[:i]...)
		if mapped >= 0 {
			out = utf8.AppendRune(out, mapped)
		}
		for _, r := range s[i+width:] {
			if r = mapping(r); r >= 0 {
				out = utf8.AppendRune(out, r)
			}
		}
		return string(out)
	}
	return s
}

func Title(s string) string {
	before := ' '
	return Map(func(r rune) rune {
		startsWord := isSeparator(before)
		before = r
		if startsWord {
			return unicode.ToTitle(r)
		}
		return r
	}, s)
}

func isSeparator(r rune) bool {
	if r < utf8.RuneSelf {
		isAlphanumeric := '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
		return !isAlphanumeric && r != '_'
	}
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && unicode.IsSpace(r)
}

// Builder gathers a string in a byte slice. The self pointer finds copies of a used Builder.
type Builder struct {
	self *Builder
	buf  []byte
}

func (b *Builder) check() {
	if b.self != b {
		if b.self != nil {
			panic("strings: illegal use of non-zero Builder copied by value")
		}
		b.self = b
	}
}

func (b *Builder) Len() int { return len(b.buf) }
func (b *Builder) Reset()   { *b = Builder{} }
func (b *Builder) Cap() int { return cap(b.buf) }

func (b *Builder) Grow(n int) {
	if b.check(); n < 0 {
		panic("strings.Builder.Grow: negative count")
	}
	if room := cap(b.buf) - len(b.buf); room < n {
		larger := append([]byte(nil), make([]byte, 2*cap(b.buf)+n)...)[:len(b.buf)]
		copy(larger, b.buf)
		b.buf = larger
	}
}

// String shares b's memory, which never changes again.
func (b *Builder) String() string { return unsafe.String(unsafe.SliceData(b.buf), len(b.buf)) }

func (b *Builder) Write(p []byte) (n int, err error) {
	n = len(p)
	if b.self != b {
		b.check()
	}
	b.buf = append(b.buf, p...)
	return n, nil
}

func (b *Builder) WriteRune(r rune) (n int, err error) {
	was := len(b.buf)
	if b.self != b {
		b.check()
	}
	b.buf = utf8.AppendRune(b.buf, r)
	return len(b.buf) - was, nil
}

func (b *Builder) WriteString(s string) (n int, err error) {
	n = len(s)
	if b.self != b {
		b.check()
	}
	b.buf = append(b.buf, s...)
	return n, nil
}

func (b *Builder) WriteByte(c byte) error {
	if b.self != b {
		b.check()
	}
	b.buf = append(b.buf, c)
	return nil
}

// Reader reads a string. Its fields are Go's: i is how far it has read, prevRune where the last ReadRune began, or -1.
type Reader struct {
	s        string
	i        int64
	prevRune int
}

func NewReader(s string) *Reader { return &Reader{s: s, prevRune: -1} }

// from is what lies behind an offset; nothing if that is past the end, where Seek may go.
func (r *Reader) from(off int64) string { return r.s[min(off, r.Size()):] }

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
	return 0, errors.New("strings.Reader.ReadAt: negative offset")
}

func (r *Reader) Reset(s string) { *r = *NewReader(s) }
func (r *Reader) Size() int64    { return int64(len(r.s)) }
func (r *Reader) Len() int       { return len(r.from(r.i)) }

// next is all that has not been read, for what reads a part of it; with an error if that is nothing.
func (r *Reader) next() (rest string, err error) {
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
		ch, size = utf8.DecodeRuneInString(rest)
		r.i, r.prevRune = r.i+int64(size), int(r.i)
	}
	return ch, size, err
}

func (r *Reader) UnreadByte() error {
	if r.i > 0 {
		r.i, r.prevRune = r.i-1, -1
		return nil
	}
	return errors.New("strings.Reader.UnreadByte: at beginning of string")
}

func (r *Reader) UnreadRune() error {
	switch {
	case r.i <= 0:
		return errors.New("strings.Reader.UnreadRune: at beginning of string")
	case r.prevRune < 0:
		return errors.New("strings.Reader.UnreadRune: previous operation was not ReadRune")
	}
	r.i, r.prevRune = int64(r.prevRune), -1
	return nil
}

func (r *Reader) Seek(offset int64, whence int) (to int64, err error) {
	r.prevRune = -1
	base := [...]int64{io.SeekStart: 0, io.SeekCurrent: r.i, io.SeekEnd: r.Size()}
	switch {
	case whence < 0 || whence >= len(base):
		err = errors.New("strings.Reader.Seek: invalid whence")
	case base[whence]+offset < 0:
		err = errors.New("strings.Reader.Seek: negative position")
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
	done, err := io.WriteString(w, rest)
	switch {
	case done > len(rest):
		panic("strings.Reader.WriteTo: invalid WriteString count")
	case done < len(rest) && err == nil:
		err = io.ErrShortWrite
	}
	r.i += int64(done)
	return int64(done), err
}

// Replacer: at each place the first pair that matches, in the order given, is taken.
type Replacer struct {
	pairs   []string
	byFirst [256][]int32 // indices of the pairs whose old string begins with this byte, in order
	empty   int          // of the first pair with an empty old string: index plus 1, or 0
}

// match is the pair to be used at the start of s, or -1.
func (r *Replacer) match(s string, allowEmpty bool) int {
	best := -1
	if s != "" {
		for _, i := range r.byFirst[s[0]] {
			if HasPrefix(s, r.pairs[i]) {
				best = int(i)
				break
			}
		}
	}
	if allowEmpty && r.empty > 0 && (best < 0 || r.empty <= best) {
		best = r.empty - 1
	}
	return best
}

func NewReplacer(oldnew ...string) *Replacer {
	if len(oldnew)%2 == 1 {
		panic("strings.NewReplacer: odd argument count")
	}
	r := &Replacer{pairs: append([]string(nil), oldnew...)}
	for i := 0; i < len(oldnew); i += 2 {
		if old := oldnew[i]; old != "" {
			r.byFirst[old[0]] = append(r.byFirst[old[0]], int32(i))
		} else if r.empty == 0 {
			r.empty = i + 1
		}
	}
	return r
}

// parts hands out the pieces of s with its replacements.
func (r *Replacer) parts(s string, put func(string) bool) {
	done := 0
	wasEmpty := false
	for i := 0; i <= len(s); {
		if r.empty == 0 && i < len(s) && len(r.byFirst[s[i]]) == 0 {
			i++
			wasEmpty = false
			continue
		}
		pair := r.match(s[i:], !wasEmpty)
		wasEmpty = pair >= 0 && r.pairs[pair] == ""
		if pair < 0 {
			i++
			continue
		}
		if !put(s[done:i]) || !put(r.pairs[pair+1]) {
			return
		}
		i += len(r.pairs[pair])
		done = i
	}
	if done < len(s) {
		put(s[done:])
	}
}

func (r *Replacer) Replace(s string) string {
	var b Builder
	r.parts(s, func(part string) bool {
		b.WriteString(part)
		return true
	})
	return b.String()
}

func (r *Replacer) WriteString(w io.Writer, s string) (n int, err error) {
	r.parts(s, func(part string) bool {
		if part == "" {
			return true
		}
		var m int
		m, err = io.WriteString(w, part)
		n += m
		return err == nil
	})
	return n, err
}
