package tar

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

var (
	fieldName  = field{0, 100}
	fieldMode  = field{100, 8}
	fieldUid   = field{108, 8}
	fieldGid   = field{116, 8}
	fieldSize  = field{124, 12}
	fieldMtime = field{136, 12}
	fieldCheck = field{148, 8}
	fieldType  = field{156, 1}
	fieldLink  = field{157, 100}

	// Since USTAR.
	fieldMagic   = field{257, 6}
	fieldVersion = field{263, 2}
	fieldUname   = field{265, 32}
	fieldGname   = field{297, 32}
	fieldMajor   = field{329, 8}
	fieldMinor   = field{337, 8}
	fieldPrefix  = field{345, 155}

	gnuAtime  = field{345, 12}
	gnuCtime  = field{357, 12}
	gnuSparse = field{386, 24*4 + 1}
	gnuSize   = field{483, 12}

	starPrefix = field{345, 131}
	starAtime  = field{476, 12}
	starCtime  = field{488, 12}
	starEnd    = field{508, 4}
)

const (
	magicGNU   = "ustar "
	versionGNU = " \x00"
	magic      = "ustar\x00"
	version    = "00"
	endSTAR    = "tar\x00"
)

func (b *block) of(f field) []byte { return b[f.at:][:f.size] }

// sums are the sums of the bytes, taken without and with a sign; the check itself counts as blanks.
func (b *block) sums() (unsigned, signed int64) {
	for i, c := range b {
		if fieldCheck.at <= i && i < fieldCheck.at+fieldCheck.size {
			c = ' '
		}
		unsigned += int64(c)
		signed += int64(int8(c))
	}
	return unsigned, signed
}

// format is that of a header, several where it could be both; unknown if the check is wrong.
func (b *block) format() Format {
	var p parser
	check := p.octal(b.of(fieldCheck))
	unsigned, signed := b.sums()
	if p.err != nil || check != unsigned && check != signed {
		return FormatUnknown
	}
	switch string(b.of(fieldMagic)) {
	case magic:
		if string(b.of(starEnd)) == endSTAR {
			return formatSTAR
		}
		return FormatUSTAR | FormatPAX
	case magicGNU:
		if string(b.of(fieldVersion)) == versionGNU {
			return FormatGNU
		}
	}
	return formatV7
}

// seal marks the header as one of this format, and writes its check.
func (b *block) seal(f Format) {
	m, v := magic, version
	if f == FormatGNU {
		m, v = magicGNU, versionGNU
	}
	copy(b.of(fieldMagic), m)
	copy(b.of(fieldVersion), v)
	sum, _ := b.sums()
	check := b.of(fieldCheck)
	var w formatter
	w.octal(check[:7], sum)
	check[7] = ' '
}

// A parser reads fields; the error is that of any.
type parser struct{ err error }

func (*parser) text(b []byte) string {
	s, _, _ := bytes.Cut(b, []byte{0})
	return string(s)
}

func (p *parser) octal(b []byte) int64 {
	b = bytes.Trim(b, " \x00")
	if len(b) == 0 {
		return 0
	}
	v, err := strconv.ParseUint(p.text(b), 8, 64)
	if err != nil {
		p.err = ErrHeader
	}
	return int64(v)
}

// number reads digits, or bytes where the highest bit is set.
func (p *parser) number(b []byte) int64 {
	const isBinary, isNegative = 0x80, 0x40
	if len(b) == 0 || b[0]&isBinary == 0 {
		return p.octal(b)
	}
	flip := byte(0)
	if b[0]&isNegative != 0 {
		flip = 0xff
	}
	var v uint64
	for i, c := range b {
		c ^= flip
		if i == 0 {
			c &^= isBinary
		}
		if v>>56 > 0 {
			p.err = ErrHeader
			return 0
		}
		v = v<<8 | uint64(c)
	}
	if v>>63 > 0 {
		p.err = ErrHeader
		return 0
	}
	if flip != 0 {
		return ^int64(v)
	}
	return int64(v)
}

// A formatter writes fields; the error is that of any.
type formatter struct{ err error }

func (f *formatter) text(b []byte, s string) {
	n := copy(b, s)
	if n < len(b) {
		b[n] = 0
	}
	if n < len(s) {
		f.err = ErrFieldTooLong
		// Some readers take it for a folder otherwise.
		if b[n-1] == '/' {
			b[len(strings.TrimRight(s[:n-1], "/"))] = 0
		}
	}
}

// fitsOctal says whether n digits, one of which is the end, hold v.
func fitsOctal(n int, v int64) bool { return v >= 0 && (n >= 22 || v < 1<<(3*(n-1))) }

// fitsBinary says whether n bytes, one of which tells them from digits, hold v.
func fitsBinary(n int, v int64) bool {
	return n >= 9 || -1<<(8*(n-1)) <= v && v < 1<<(8*(n-1))
}

func (f *formatter) octal(b []byte, v int64) {
	if !fitsOctal(len(b), v) {
		v = 0
		f.err = ErrFieldTooLong
	}
	s := strconv.FormatInt(v, 8)
	f.text(b, strings.Repeat("0", max(0, len(b)-1-len(s)))+s)
}

func (f *formatter) number(b []byte, v int64) {
	if fitsOctal(len(b), v) || !fitsBinary(len(b), v) {
		f.octal(b, v)
		return
	}
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = byte(v)
		v >>= 8
	}
	b[0] |= 0x80
}

func isASCII(s string) bool {
	for _, r := range s {
		if r == 0 || r >= 0x80 {
			return false
		}
	}
	return true
}

// toASCII leaves out what is none.
func toASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r == 0 || r >= 0x80 {
			return -1
		}
		return r
	}, s)
}

// split divides a long name for the two fields of USTAR.
func split(name string) (prefix, rest string, ok bool) {
	n := len(name)
	if n <= fieldName.size || !isASCII(name) {
		return "", "", false
	}
	if n > fieldPrefix.size+1 {
		n = fieldPrefix.size + 1
	} else if name[n-1] == '/' {
		n--
	}
	i := strings.LastIndexByte(name[:n], '/')
	if i <= 0 || i > fieldPrefix.size {
		return "", "", false
	}
	rest = name[i+1:]
	if rest == "" || len(rest) > fieldName.size {
		return "", "", false
	}
	return name[:i], rest, true
}

// parseTime reads seconds with any number of decimals, of which nine count.
func parseTime(s string) (time.Time, error) {
	const decimals = 9
	whole, part, _ := strings.Cut(s, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || strings.Trim(part, "0123456789") != "" {
		return time.Time{}, ErrHeader
	}
	part = (part + strings.Repeat("0", decimals))[:decimals]
	ns, _ := strconv.ParseInt(part, 10, 64)
	if whole[0] == '-' {
		ns = -ns
	}
	return time.Unix(seconds, ns), nil
}

func formatTime(t time.Time) string {
	seconds, ns := t.Unix(), int64(t.Nanosecond())
	if ns == 0 {
		return strconv.FormatInt(seconds, 10)
	}
	sign := ""
	if seconds < 0 {
		// Decimals count away from zero.
		sign, seconds, ns = "-", -(seconds + 1), 1e9-ns
	}
	part := strconv.FormatInt(1e9+ns, 10)[1:]
	return sign + strconv.FormatInt(seconds, 10) + "." + strings.TrimRight(part, "0")
}

// isRecord says whether PAX can hold the pair.
func isRecord(k, v string) bool {
	if k == "" || strings.Contains(k, "=") {
		return false
	}
	switch k {
	case keyPath, keyLink, keyUname, keyGname:
		return !strings.Contains(v, "\x00")
	}
	return !strings.Contains(k, "\x00")
}

// parseRecord reads a record, which begins with its length; what is left.
func parseRecord(s string) (k, v, rest string, err error) {
	length, _, ok := strings.Cut(s, " ")
	n, err := strconv.ParseInt(length, 10, 0)
	if !ok || err != nil || n < 5 || n > int64(len(s)) || n <= int64(len(length)+1) {
		return "", "", s, ErrHeader
	}
	text, isEnded := strings.CutSuffix(s[len(length)+1:n], "\n")
	k, v, ok = strings.Cut(text, "=")
	if !isEnded || !ok || !isRecord(k, v) {
		return "", "", s, ErrHeader
	}
	return k, v, s[n:], nil
}

// formatRecord writes a record: its length counts itself.
func formatRecord(k, v string) string {
	text := " " + k + "=" + v + "\n"
	n := len(text) + len(strconv.Itoa(len(text)))
	n = len(text) + len(strconv.Itoa(n))
	return strconv.Itoa(n) + text
}
