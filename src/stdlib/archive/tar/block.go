package tar

// Headers as blocks of bytes. The table columns says where the fields of a Header stand; headers are
// read, written, and tested for what they can hold along it.

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

const (
	blockSize  = 512
	maxSpecial = 1 << 20 // bytes of what describes a file
	maxSparse  = 1 << 20 // fragments
)

type block [blockSize]byte

var zeros block

// padding is how much is missing to a whole block.
func padding(n int64) int64 { return -n & (blockSize - 1) }

// A field is a part of a header.
type field struct{ at, size int }

// A column is a field that holds one of a Header.
type column struct {
	field
	name string            // in errors
	key  string            // of the record that PAX has instead, if there is one
	of   func(*Header) any // a pointer to it
	v7   bool              // V7 has it, too
}

// The last two of the columns are GNU's only.
var columns = [...]column{
	{field{0, 100}, "Name", "path", func(h *Header) any { return &h.Name }, true},
	{field{157, 100}, "Linkname", "linkpath", func(h *Header) any { return &h.Linkname }, true},
	{field{265, 32}, "Uname", "uname", func(h *Header) any { return &h.Uname }, false},
	{field{297, 32}, "Gname", "gname", func(h *Header) any { return &h.Gname }, false},
	{field{100, 8}, "Mode", "", func(h *Header) any { return &h.Mode }, true},
	{field{108, 8}, "Uid", "uid", func(h *Header) any { return &h.Uid }, true},
	{field{116, 8}, "Gid", "gid", func(h *Header) any { return &h.Gid }, true},
	{field{124, 12}, "Size", "size", func(h *Header) any { return &h.Size }, true},
	{field{329, 8}, "Devmajor", "", func(h *Header) any { return &h.Devmajor }, false},
	{field{337, 8}, "Devminor", "", func(h *Header) any { return &h.Devminor }, false},
	{field{136, 12}, "ModTime", "mtime", func(h *Header) any { return &h.ModTime }, true},
	{field{345, 12}, "AccessTime", "atime", func(h *Header) any { return &h.AccessTime }, false},
	{field{357, 12}, "ChangeTime", "ctime", func(h *Header) any { return &h.ChangeTime }, false},
}

// common are the columns that all formats have, or all but V7; gnuTimes those of GNU.
const common = len(columns) - 2

// What no Header holds.
var (
	fieldName   = field{0, 100}
	fieldCheck  = field{148, 8}
	fieldType   = field{156, 1}
	fieldMark   = field{257, 8} // magic and version
	fieldPrefix = field{345, 155}

	gnuSparse = field{386, 24*4 + 1}
	gnuSize   = field{483, 12}

	starPrefix = field{345, 131}
	starAtime  = field{476, 12}
	starCtime  = field{488, 12}
	starEnd    = field{508, 4}
)

const (
	markGNU = "ustar  \x00"
	mark    = "ustar\x0000"
	magic   = "ustar\x00"
	endSTAR = "tar\x00"
)

// columnOf is the column whose record has that key, or nil.
func columnOf(key string) *column {
	for i := range columns {
		if columns[i].key == key && key != "" {
			return &columns[i]
		}
	}
	return nil
}

// number is what the column holds, if that is a number.
func (c *column) number(h *Header) int64 {
	switch v := c.of(h).(type) {
	case *int64:
		return *v
	case *int:
		return int64(*v)
	}
	return 0
}

func (c *column) isZero(h *Header) bool {
	switch v := c.of(h).(type) {
	case *string:
		return *v == ""
	case *time.Time:
		return *v == time.Time{}
	}
	return c.number(h) == 0
}

// set sets what the column holds to a text, or else what makes a number of any kind.
func (c *column) set(h *Header, text func() string, number func() int64, at func() time.Time) {
	switch v := c.of(h).(type) {
	case *string:
		*v = text()
	case *int64:
		*v = number()
	case *int:
		*v = int(number())
	case *time.Time:
		*v = at()
	}
}

func (b *block) of(f field) []byte { return b[f.at:][:f.size] }

// read sets a column of the header from the block.
func (b *block) read(c *column, h *Header, p *parser) {
	raw := b.of(c.field)
	number := func() int64 { return p.number(raw) }
	c.set(h, func() string { return p.text(raw) }, number,
		func() time.Time { return time.Unix(number(), 0) })
}

// write fills the field of a column.
func (b *block) write(c *column, h *Header, text func([]byte, string), number func([]byte, int64)) {
	raw := b.of(c.field)
	switch v := c.of(h).(type) {
	case *string:
		text(raw, *v)
	case *time.Time:
		seconds := int64(0)
		if !v.IsZero() {
			seconds = v.Unix()
		}
		number(raw, seconds)
	default:
		number(raw, c.number(h))
	}
}

// sums are the sums of the bytes, taken without and with a sign; the check itself counts as blanks.
func (b *block) sums() (unsigned, signed int64) {
	blanks := *b
	copy(blanks.of(fieldCheck), "        ")
	for _, c := range blanks {
		signed += int64(int8(c))
		unsigned += int64(c)
	}
	return unsigned, signed
}

// format is that of a header, several where it could be both; unknown if the check is wrong.
func (b *block) format() Format {
	var p parser
	check := p.octal(b.of(fieldCheck))
	unsigned, signed := b.sums()
	is := string(b.of(fieldMark))
	switch {
	case p.err != nil, check != unsigned && check != signed:
		return FormatUnknown
	case is == markGNU:
		return FormatGNU
	case !strings.HasPrefix(is, magic):
		return formatV7
	case string(b.of(starEnd)) == endSTAR:
		return formatSTAR
	}
	return FormatUSTAR | FormatPAX
}

// seal marks the header as one of this format, and writes its check.
func (b *block) seal(f Format) {
	m := mark
	if f == FormatGNU {
		m = markGNU
	}
	copy(b.of(fieldMark), m)
	sum, _ := b.sums()
	new(formatter).octal(b.of(fieldCheck)[:7], sum)
	b[fieldCheck.at+7] = ' '
}

// A parser reads fields; the error is that of any.
type parser struct{ err error }

func (*parser) text(b []byte) string {
	if n := bytes.IndexByte(b, 0); n >= 0 {
		b = b[:n]
	}
	return string(b)
}

func (p *parser) octal(b []byte) int64 {
	n := uint64(0)
	for _, c := range bytes.Trim(b, " \x00") {
		switch {
		case c == 0:
			return int64(n)
		case c < '0', c > '7', n>>61 != 0:
			p.err = ErrHeader
			return 0
		}
		n = n<<3 | uint64(c-'0')
	}
	return int64(n)
}

// The first byte of a binary number has its highest bit set; then comes its sign.
const isBinary, isNegative = 0x80, 0x40

// number reads digits, or bytes where the highest bit is set.
func (p *parser) number(b []byte) int64 {
	if len(b) == 0 || b[0]&isBinary == 0 {
		return p.octal(b)
	}
	n := int64(b[0] & (isNegative - 1))
	if b[0]&isNegative != 0 {
		n -= isNegative
	}
	for _, c := range b[1:] {
		if n<<8>>8 != n {
			p.err = ErrHeader
			return 0
		}
		n = n<<8 | int64(c)
	}
	return n
}

// A formatter writes fields; the error is that of any.
type formatter struct{ err error }

func (f *formatter) text(b []byte, s string) {
	if len(s) < len(b) {
		b[copy(b, s)] = 0
		return
	}
	copy(b, s)
	if len(s) == len(b) {
		return
	}
	f.err = ErrFieldTooLong
	// Some readers take it for a folder otherwise.
	if last := len(b) - 1; b[last] == '/' {
		b[len(bytes.TrimRight(b[:last], "/"))] = 0
	}
}

// fitsOctal says whether n digits, one of which is the end, hold v.
func fitsOctal(n int, v int64) bool { return v >= 0 && (n >= 22 || v>>(3*(n-1)) == 0) }

// fitsBinary says whether n bytes, one of which tells them from digits, hold v.
func fitsBinary(n int, v int64) bool {
	if n > 8 {
		return true
	}
	over := v >> (8 * (n - 1))
	return over == 0 || over == -1
}

func (f *formatter) octal(b []byte, v int64) {
	if !fitsOctal(len(b), v) {
		f.err = ErrFieldTooLong
		v = 0
	}
	i := len(b) - 1
	b[i] = 0
	for i--; i >= 0; i-- {
		b[i] = '0' + byte(v&7)
		v >>= 3
	}
}

func (f *formatter) number(b []byte, v int64) {
	if !fitsBinary(len(b), v) || fitsOctal(len(b), v) {
		f.octal(b, v)
		return
	}
	for shift := 0; shift < 8*len(b); shift += 8 {
		b[len(b)-1-shift/8] = byte(v >> min(shift, 63))
	}
	b[0] |= isBinary
}

// isPlain says whether r can stand in a field of USTAR.
func isPlain(r rune) bool { return 0 < r && r < 0x80 }

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !isPlain(r) }) < 0
}

// toASCII leaves out what is none.
func toASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if isPlain(r) {
			return r
		}
		return -1
	}, s)
}

// split divides a long name for the two fields of USTAR, at the last slash that leaves a prefix
// which fits, and not at one in the end.
func split(name string) (prefix, rest string, ok bool) {
	if len(name) <= fieldName.size || !isASCII(name) {
		return "", "", false
	}
	at := strings.LastIndexByte(name[:min(len(name)-1, fieldPrefix.size+1)], '/')
	if at < 1 || len(name)-at-1 > fieldName.size {
		return "", "", false
	}
	return name[:at], name[at+1:], true
}

// decimal reads a number of a record.
func decimal(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		err = ErrHeader
	}
	return n, err
}
