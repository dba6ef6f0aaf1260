package time

import (
	"errors"
	"unsafe"
)

// Writing times, as texts and as bytes that other programs read.

// putNumber writes v with so many digits at least to b from at on, and tells where it ends.
func putNumber(b []byte, at, v, width int, pad byte) int {
	if v < 0 {
		b[at] = '-'
		at++
		v = -v
	}
	return putDigits(b, at, uint(v), width, pad)
}

func putDigits(b []byte, at int, u uint, width int, pad byte) int {
	if u < 100 && width == 2 {
		b[at], b[at+1] = byte('0'+u/10), byte('0'+u%10)
		if u < 10 {
			b[at] = pad
		}
		return at + 2
	}
	n := 1
	for limit := uint(10); n < 20 && (n < width || u >= limit); limit *= 10 {
		n++
	}
	i := at + n
	for i > at {
		i--
		b[i] = byte('0' + u%10)
		if u /= 10; u == 0 {
			break
		}
	}
	for i > at {
		i--
		b[i] = pad
	}
	return at + n
}

// putFraction writes a separator and v's digits, so many; trim says that zeros at the end are not
// written, and for 0 nothing is.
func putFraction(b []byte, at int, separator byte, v uint64, digits int, trim bool) int {
	if trim {
		if v == 0 {
			return at
		}
		for ; v%10 == 0; v /= 10 {
			digits--
		}
	}
	b[at] = separator
	return putNumber(b, at+1, int(v), digits, '0')
}

// putOffset writes an offset in groups of two digits: hours, minutes, seconds.
func putOffset(b []byte, at, sec, groups int, separator byte) int {
	b[at] = '+'
	if sec <= -60 { // as in Go, minutes decide
		b[at] = '-'
		sec = -sec
	}
	at = putNumber(b, at+1, sec/3600, 2, '0')
	for rest := sec % 3600; groups > 1; groups-- {
		if separator != 0 {
			b[at] = separator
			at++
		}
		at = putNumber(b, at, rest/60, 2, '0')
		rest = rest % 60 * 60
	}
	return at
}

// readingAt is what a calendar and a clock show.
func readingAt(shown uint64) (r reading) {
	day, second := shown/daySeconds, int(shown%daySeconds)
	year, month, dayOfMonth, yearDay := dateOf(day)
	r[yearPart], r[centuryPart] = year, max(year%100, -(year%100))
	r[monthPart], r[dayPart], r[yearDayPart] = int(month), dayOfMonth, yearDay
	r[weekdayPart] = int(weekdayOf(day))
	hour := second / 3600
	r[hourPart], r[halfHourPart] = hour, (hour+11)%12+1
	second -= hour * 3600
	r[minutePart] = second / 60
	r[secondPart] = second % 60
	return r
}

// write writes a time, by a plan, to b from at on, and tells where it ends.
func (p *plan) write(b []byte, at int, r reading, nsec uint64, z *zone) int {
	for i := range p.steps {
		s := &p.steps[i]
		for j := range len(s.text) {
			b[at+j] = s.text[j]
		}
		at += len(s.text)
		switch s.kind {
		case number, short:
			at = putNumber(b, at, r[s.part], s.width, s.pad)
		case name:
			text := ""
			if s.flag {
				text = weekdays[r[weekdayPart]]
			} else {
				text = months[r[monthPart]-1]
			}
			n := min(s.width, len(text))
			for j := range n {
				b[at+j] = text[j]
			}
			at += n
		case half:
			letters := [...]byte{'A', 'P', 'M'}
			if s.flag {
				letters = [...]byte{'a', 'p', 'm'}
			}
			b[at], b[at+1] = letters[r[hourPart]/12], letters[2]
			at += 2
		case offset:
			if s.flag && z.offset == 0 {
				b[at] = 'Z'
				at++
			} else {
				at = putOffset(b, at, z.offset, s.width, s.pad)
			}
		case zoneName:
			if z.name == "" {
				at = putOffset(b, at, z.offset, 2, 0)
			}
			at += copy(b[at:], z.name)
		case fraction:
			v, digits := nsec, 9
			for ; digits > s.width; digits-- {
				v /= 10
			}
			at = putFraction(b, at, s.pad, v, digits, s.flag)
		}
	}
	return at
}

// Format writes t as the layout shows the time Mon Jan 2 15:04:05 MST 2006.
func (t Time) Format(layout string) string {
	b := t.AppendFormat(nil, layout)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// AppendFormat appends what Format gives.
func (t Time) AppendFormat(b []byte, layout string) []byte {
	p, z := planOf(layout), t.zone()
	r := readingAt(uint64(t.sinceEpoch()) + uint64(z.offset) + before1970)
	at, need := len(b), p.most
	if uint(r[yearPart]) > 9999 || uint(z.offset+longOffset) > 2*longOffset {
		need += p.long
	}
	if p.zone {
		need += len(z.name)
	}
	if cap(b)-at < need {
		size := at + need
		if at > 0 {
			size += at
		}
		more := make([]byte, size)
		copy(more, b)
		b = more
	}
	return b[:p.write(b[:at+need], at, r, uint64(t.nsec()), z)]
}

// String writes t for people who debug: with its monotonic reading, if it has one.
func (t Time) String() string {
	var room [96]byte
	b := t.AppendFormat(room[:0], "2006-01-02 15:04:05.999999999 -0700 MST")
	if t.wall&monotonic == 0 {
		return string(b)
	}
	b = append(b, " m=+"...)
	if t.ext < 0 {
		b[len(b)-1] = '-'
	}
	var digits [32]byte
	elapsed := Duration(t.ext).amount()
	n := putNumber(digits[:], 0, int(elapsed/1e9), 1, '0')
	n = putFraction(digits[:], n, '.', elapsed%1e9, 9, false)
	return string(append(b, digits[:n]...))
}

// GoString writes a call of Date that makes t.
func (t Time) GoString() string {
	r := readingAt(t.shown())
	s := "time.Date(" + Duration(r[yearPart]).digits() + ", time." + Month(r[monthPart]).String()
	for _, n := range [...]int{r[dayPart], r[hourPart], r[minutePart], r[secondPart], int(t.nsec())} {
		s += ", " + Duration(n).digits()
	}
	switch t.loc {
	case nil:
		return s + ", time.UTC)"
	case Local:
		return s + ", time.Local)"
	}
	return s + ", time.Location(" + quote(t.loc.String()) + "))"
}

// digits is d as a number.
func (d Duration) digits() string {
	var room [24]byte
	return string(room[:putNumber(room[:], 0, int(d), 1, '0')])
}

// appendStandard appends t as RFC 3339 has it, which is restricted to years of four digits and to
// offsets below a day. The quotes are what stands around it.
func (t Time) appendStandard(b []byte, method, quotes string) ([]byte, error) {
	fault := ""
	if uint(t.Year()) > 9999 {
		fault = "year outside of range [0,9999]"
	} else if Duration(t.zone().offset).amount() >= daySeconds {
		fault = "timezone hour outside of range [0,23]"
	}
	if fault != "" {
		return nil, errors.New("Time." + method + ": " + fault)
	}
	b = t.AppendFormat(append(b, quotes...), RFC3339Nano)
	return append(b, quotes...), nil
}

// AppendText appends t in the format of RFC 3339.
func (t Time) AppendText(b []byte) ([]byte, error) { return t.appendStandard(b, "AppendText", "") }

// MarshalText writes t in the format of RFC 3339.
func (t Time) MarshalText() ([]byte, error) { return t.appendStandard(nil, "MarshalText", "") }

// MarshalJSON writes t as a string in the format of RFC 3339.
func (t Time) MarshalJSON() ([]byte, error) {
	return t.appendStandard(make([]byte, 0, len(RFC3339Nano)+2), "MarshalJSON", `"`)
}

// UnmarshalText reads the format of RFC 3339.
func (t *Time) UnmarshalText(data []byte) (err error) {
	*t, err = Parse(RFC3339, string(data))
	return err
}

// UnmarshalJSON reads a string in the format of RFC 3339; null changes nothing.
func (t *Time) UnmarshalJSON(data []byte) error {
	s := string(data)
	if s == "null" {
		return nil
	}
	if n := len(s); n >= 2 && s[0] == '"' && s[n-1] == '"' {
		return t.UnmarshalText(data[1 : n-1])
	}
	return errors.New("Time.UnmarshalJSON: input is not a JSON string")
}

// As bytes a time is its version, seconds since the year 1, nanoseconds, and the minutes of the
// offset, -1 for UTC. Version 2 adds the offset's seconds.

func appendBigEndian(b []byte, v uint64, bytes int) []byte {
	for bytes > 0 {
		bytes--
		b = append(b, byte(v>>(8*bytes)))
	}
	return b
}

// bigEndian takes a number of some bytes off p.
func bigEndian(p []byte, bytes int) (v uint64, rest []byte) {
	for _, c := range p[:bytes] {
		v = v<<8 | uint64(c)
	}
	return v, p[bytes:]
}

// AppendBinary appends t as MarshalBinary writes it.
func (t Time) AppendBinary(b []byte) ([]byte, error) {
	version, minutes, seconds := uint64(1), -1, 0
	if t.loc != nil {
		offset := t.zone().offset
		if minutes, seconds = offset/60, offset%60; seconds != 0 {
			version = 2
		}
		if minutes == -1 || minutes != int(int16(minutes)) {
			return b, errors.New("Time.MarshalBinary: unexpected zone offset")
		}
	}
	b = appendBigEndian(b, version, 1)
	b = appendBigEndian(b, uint64(t.internal()), 8)
	b = appendBigEndian(b, uint64(t.nsec()), 4)
	b = appendBigEndian(b, uint64(minutes), 2)
	if version == 2 {
		b = append(b, byte(seconds))
	}
	return b, nil
}

// MarshalBinary writes t as bytes.
func (t Time) MarshalBinary() ([]byte, error) { return t.AppendBinary(make([]byte, 0, 16)) }

// UnmarshalBinary reads what MarshalBinary writes.
func (t *Time) UnmarshalBinary(data []byte) error {
	fault := ""
	switch {
	case len(data) == 0:
		fault = "no data"
	case data[0]-1 > 1:
		fault = "unsupported version"
	case len(data) != 14+int(data[0]):
		fault = "invalid length"
	}
	if fault != "" {
		return errors.New("Time.UnmarshalBinary: " + fault)
	}
	sec, rest := bigEndian(data[1:], 8)
	nsec, rest := bigEndian(rest, 4)
	minutes, rest := bigEndian(rest, 2)
	offset := int(int16(minutes)) * 60
	for _, c := range rest {
		offset += int(int8(c))
	}
	*t = Time{uint64(int64(int32(nsec))), int64(sec), nil}
	switch {
	case offset == -60:
		*t = t.at(&utcPlace)
	case Local.zoneAt(t.sinceEpoch()).offset == offset:
		*t = t.at(Local)
	default:
		*t = t.at(FixedZone("", offset))
	}
	return nil
}

// GobEncode is MarshalBinary.
func (t Time) GobEncode() ([]byte, error) { return t.MarshalBinary() }

// GobDecode is UnmarshalBinary.
func (t *Time) GobDecode(data []byte) error { return t.UnmarshalBinary(data) }
