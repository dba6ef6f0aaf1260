// Package der: reading ASN.1's distinguished encoding, element by element. Programs cannot import
// it. Lengths and numbers must have their shortest form, and tags must be below 31.
package der

import (
	"encoding/asn1"
	"math/big"
	"time"
)

// What tags mean. The first two mark others.
const (
	Constructed = 0x20
	Context     = 0x80

	Boolean         = 1
	Integer         = 2
	BitString       = 3
	OctetString     = 4
	ObjectID        = 6
	Enum            = 10
	UTF8String      = 12
	Sequence        = 16 | Constructed
	Set             = 17 | Constructed
	PrintableString = 19
	T61String       = 20
	IA5String       = 22
	UTCTime         = 23
	GeneralizedTime = 24
	BMPString       = 30
)

// A Text is what has not been read yet. Methods move its start on when they succeed.
type Text []byte

// Peek says whether an element with that tag is next.
func (t Text) Peek(tag byte) bool { return len(t) > 0 && t[0] == tag }

// next is the next element, and how long its head is; no head, no element.
func (t *Text) next() (element Text, head int) {
	s := *t
	if len(s) < 2 || s[0]&0x1f == 0x1f {
		return nil, 0
	}
	n, head := uint64(s[1]), 2
	if n >= 0x80 {
		count := int(n & 0x7f)
		if count == 0 || count > 4 || len(s) < 2+count {
			return nil, 0
		}
		n, head = 0, 2+count
		for _, b := range s[2:head] {
			n = n<<8 | uint64(b)
		}
		if n < 0x80 || n>>(8*(count-1)) == 0 {
			return nil, 0
		}
	}
	if n > uint64(len(s)-head) {
		return nil, 0
	}
	end := head + int(n)
	*t = s[end:]
	return s[:end:end], head
}

// Any reads what is in the next element.
func (t *Text) Any() (content Text, tag byte, ok bool) {
	element, head := t.next()
	if head == 0 {
		return nil, 0, false
	}
	return element[head:], element[0], true
}

// AnyParts reads the next element, and what is in it.
func (t *Text) AnyParts() (element, content Text, ok bool) {
	element, head := t.next()
	if head == 0 {
		return nil, nil, false
	}
	return element, element[head:], true
}

// AnyElement reads the next element, head and all.
func (t *Text) AnyElement() (element Text, tag byte, ok bool) {
	element, head := t.next()
	if head == 0 {
		return nil, 0, false
	}
	return element, element[0], true
}

// Element reads the next element, which must have that tag.
func (t *Text) Element(tag byte) (element Text, ok bool) {
	if s := *t; len(s) == 0 || s[0] != tag {
		return nil, false
	}
	element, head := t.next()
	return element, head > 0
}

func (t *Text) Read(tag byte) (content Text, ok bool) {
	s := *t
	if len(s) < 2 || s[0] != tag {
		return nil, false
	}
	// Most elements are short.
	if end := int(s[1]) + 2; end < 0x80+2 && end <= len(s) && tag&0x1f != 0x1f {
		*t = s[end:]
		return s[2:end:end], true
	}
	element, head := t.next()
	if head == 0 {
		return nil, false
	}
	return element[head:], true
}

// Optional reads an element with that tag, if it is next.
func (t *Text) Optional(tag byte) (content Text, present, ok bool) {
	if !t.Peek(tag) {
		return nil, false, true
	}
	content, ok = t.Read(tag)
	return content, true, ok
}

func (t *Text) Skip(tag byte) bool {
	_, ok := t.Read(tag)
	return ok
}

func (t *Text) SkipOptional(tag byte) bool { return !t.Peek(tag) || t.Skip(tag) }

// number reads a number in its shortest form.
func (t *Text) number(tag byte) (Text, bool) {
	n, ok := t.Read(tag)
	if ok && len(n) > 1 {
		// Nine bits that are all the same at the start are too many.
		start := uint16(n[0])<<1 | uint16(n[1])>>7
		ok = start != 0 && start != 0x1ff
	}
	return n, ok && len(n) > 0
}

// Natural reads a number that is not negative, and gives it without zeros before it.
func (t *Text) Natural() ([]byte, bool) {
	n, ok := t.number(Integer)
	if !ok || n[0] >= 0x80 {
		return nil, false
	}
	if len(n) > 1 && n[0] == 0 {
		n = n[1:]
	}
	return n, true
}

func (t *Text) Big() (*big.Int, bool) {
	n, ok := t.number(Integer)
	if !ok {
		return nil, false
	}
	value := new(big.Int).SetBytes(n)
	if n[0] >= 0x80 {
		value.Sub(value, new(big.Int).Lsh(big.NewInt(1), uint(8*len(n))))
	}
	return value, true
}

// Int reads a number of at most 64 bits with that tag, mostly Integer or Enum.
func (t *Text) Int(tag byte) (int, bool) {
	n, ok := t.number(tag)
	if !ok || len(n) > 8 {
		return 0, false
	}
	value := int64(int8(n[0]))
	for _, b := range n[1:] {
		value = value<<8 | int64(b)
	}
	return int(value), true
}

func (t *Text) Bool() (value, ok bool) {
	b, ok := t.Read(Boolean)
	if !ok || len(b) != 1 || b[0] != 0 && b[0] != 0xff {
		return false, false
	}
	return b[0] != 0, true
}

// OID reads an object identifier with components of at most 31 bits.
func (t *Text) OID() (asn1.ObjectIdentifier, bool) {
	b, ok := t.Read(ObjectID)
	if !ok || len(b) == 0 || b[len(b)-1] >= 0x80 {
		return nil, false
	}
	// Each byte is at most one component, but for the first.
	id := make(asn1.ObjectIdentifier, 0, len(b)+1)
	value, begun := 0, false
	for _, c := range b {
		if !begun && c == 0x80 || value >= 1<<24 {
			return nil, false
		}
		value, begun = value<<7|int(c&0x7f), c >= 0x80
		if begun {
			continue
		}
		if len(id) == 0 {
			first := min(value/40, 2)
			id = append(id, first, value-40*first)
		} else {
			id = append(id, value)
		}
		value = 0
	}
	return id, true
}

func (t *Text) BitString() (asn1.BitString, bool) {
	b, ok := t.Read(BitString)
	if !ok || len(b) == 0 {
		return asn1.BitString{}, false
	}
	// The first byte tells how many of the last bits are unused, which must be there, and zero.
	unused := int(b[0])
	bits := asn1.BitString{Bytes: b[1:], BitLength: 8*(len(b)-1) - unused}
	if unused > 7 || bits.BitLength < 0 || unused > 0 && b[len(b)-1]<<(8-unused) != 0 {
		return asn1.BitString{}, false
	}
	return bits, true
}

// WholeBits reads a bit string of whole bytes.
func (t *Text) WholeBits() ([]byte, bool) {
	b, ok := t.Read(BitString)
	if !ok || len(b) == 0 || b[0] != 0 {
		return nil, false
	}
	return b[1:], true
}

// plainTime is the time that the digits mean, if it is one; else the slow way finds out what is
// wrong. The year has its first digits before it, in hundreds, or those that it has in UTC times.
func plainTime(century int, digits Text) (when time.Time, ok bool) {
	var parts [6]int // year, month, day, hour, minute, second
	for i, c := range digits[:2*len(parts)] {
		if c -= '0'; c > 9 {
			return time.Time{}, false
		}
		parts[i/2] = 10*parts[i/2] + int(c)
	}
	year, month, day := 100*century+parts[0], time.Month(parts[1]), parts[2]
	if century == 0 {
		if year += 1900; year < 1950 {
			year += 100
		}
	}
	if month < 1 || month > 12 || day < 1 || parts[3] > 23 || parts[4] > 59 || parts[5] > 59 {
		return time.Time{}, false
	}
	when = time.Date(year, month, day, parts[3], parts[4], parts[5], 0, time.UTC)
	return when, day <= 28 || when.Day() == day
}

// plain is the content of the next element if it has that tag and size, and ends in Z.
func (t *Text) plain(tag byte, size int) (content, rest Text) {
	rest = *t
	content, ok := rest.Read(tag)
	if !ok || len(content) != size || content[size-1] != 'Z' {
		return nil, nil
	}
	return content, rest
}

// when reads a time that is written as that layout would write it.
func (t *Text) when(tag byte, layouts ...string) (time.Time, bool) {
	b, ok := t.Read(tag)
	if !ok {
		return time.Time{}, false
	}
	for _, layout := range layouts {
		when, err := time.Parse(layout, string(b))
		if err == nil {
			return when, when.Format(layout) == string(b)
		}
	}
	return time.Time{}, false
}

// Time reads a time of either kind, whose name is empty if neither is next.
func (t *Text) Time() (when time.Time, kind string, ok bool) {
	switch {
	case t.Peek(UTCTime):
		kind = "UTCTime"
		when, ok = t.utcTime()
	case t.Peek(GeneralizedTime):
		kind = "GeneralizedTime"
		when, ok = t.generalizedTime()
	}
	if !ok {
		when = time.Time{}
	}
	return when, kind, ok
}

func (t *Text) generalizedTime() (time.Time, bool) {
	if p, rest := t.plain(GeneralizedTime, len("20060102150405Z")); p != nil {
		// Other centuries are rare.
		if p[0] == '2' && p[1] == '0' {
			if when, ok := plainTime(20, p[2:]); ok {
				*t = rest
				return when, true
			}
		}
	}
	return t.when(GeneralizedTime, "20060102150405Z0700")
}

// utcTime reads a time whose years from 50 on are those before 2000.
func (t *Text) utcTime() (time.Time, bool) {
	if p, rest := t.plain(UTCTime, len("060102150405Z")); p != nil {
		if when, ok := plainTime(0, p); ok {
			*t = rest
			return when, true
		}
	}
	when, ok := t.when(UTCTime, "060102150405Z0700", "0601021504Z0700")
	if when.Year() >= 2050 {
		when = when.AddDate(-100, 0, 0)
	}
	return when, ok
}
