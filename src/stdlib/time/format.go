package time

import "errors"

const (
	Layout      = "01/02 03:04:05PM '06 -0700"
	ANSIC       = "Mon Jan _2 15:04:05 2006"
	UnixDate    = "Mon Jan _2 15:04:05 MST 2006"
	RubyDate    = "Mon Jan 02 15:04:05 -0700 2006"
	RFC822      = "02 Jan 06 15:04 MST"
	RFC822Z     = "02 Jan 06 15:04 -0700"
	RFC850      = "Monday, 02-Jan-06 15:04:05 MST"
	RFC1123     = "Mon, 02 Jan 2006 15:04:05 MST"
	RFC1123Z    = "Mon, 02 Jan 2006 15:04:05 -0700"
	RFC3339     = "2006-01-02T15:04:05Z07:00"
	RFC3339Nano = "2006-01-02T15:04:05.999999999Z07:00"
	Kitchen     = "3:04PM"
	Stamp       = "Jan _2 15:04:05"
	StampMilli  = "Jan _2 15:04:05.000"
	StampMicro  = "Jan _2 15:04:05.000000"
	StampNano   = "Jan _2 15:04:05.000000000"
	DateTime    = "2006-01-02 15:04:05"
	DateOnly    = "2006-01-02"
	TimeOnly    = "15:04:05"
)

// element is a piece of a layout that stands for a part of the time.
type element int

const (
	none element = iota
	longMonth
	shortMonth
	numMonth
	zeroMonth
	longWeekday
	shortWeekday
	numDay
	spaceDay
	zeroDay
	spaceYearDay
	zeroYearDay
	hour24
	numHour12
	zeroHour12
	numMinute
	zeroMinute
	numSecond
	zeroSecond
	longYear
	shortYear
	upperPM
	lowerPM
	zoneName
	isoZone      // Z0700
	isoZoneSec   // Z070000
	isoZoneShort // Z07
	isoZoneColon // Z07:00
	isoColonSec  // Z07:00:00
	numZone      // -0700
	numZoneSec   // -070000
	numZoneShort // -07
	numZoneColon // -07:00
	numColonSec  // -07:00:00
	fracZeros    // .000: with trailing zeros
	fracNines    // .999: without
)

var elementTexts = []struct {
	text string
	e    element
}{
	// Of texts with a common beginning the longest comes first.
	{"January", longMonth}, {"Jan", shortMonth}, {"Monday", longWeekday}, {"Mon", shortWeekday}, {"MST", zoneName},
	{"002", zeroYearDay}, {"01", zeroMonth}, {"02", zeroDay}, {"03", zeroHour12}, {"04", zeroMinute}, {"05", zeroSecond}, {"06", shortYear},
	{"15", hour24}, {"1", numMonth}, {"2006", longYear}, {"2", numDay}, {"__2", spaceYearDay}, {"_2", spaceDay},
	{"3", numHour12}, {"4", numMinute}, {"5", numSecond}, {"PM", upperPM}, {"pm", lowerPM},
	{"-07:00:00", numColonSec}, {"-07:00", numZoneColon}, {"-070000", numZoneSec}, {"-0700", numZone}, {"-07", numZoneShort},
	{"Z07:00:00", isoColonSec}, {"Z07:00", isoZoneColon}, {"Z070000", isoZoneSec}, {"Z0700", isoZone}, {"Z07", isoZoneShort},
}

func hasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

func isDigit(s string, i int) bool { return i < len(s) && '0' <= s[i] && s[i] <= '9' }

// nextElement cuts a layout at its first element. digits is the number of digits of a fraction.
func nextElement(layout string) (before string, e element, digits int, after string) {
	for i := 0; i < len(layout); i++ {
		c := layout[i]
		switch c {
		case 'J', 'M', '0', '1', '2', '_', '3', '4', '5', 'P', 'p', '-', 'Z':
			rest := layout[i:]
			if c == '_' && hasPrefix(rest, "_2006") { // an underscore before a year
				return layout[:i+1], longYear, 0, layout[i+5:]
			}
			for _, known := range elementTexts {
				if known.text[0] != c || !hasPrefix(rest, known.text) {
					continue
				}
				if known.e == shortMonth && startsWithLower(rest[3:]) {
					continue
				}
				if known.e == shortWeekday && startsWithLower(rest[3:]) {
					continue
				}
				return layout[:i], known.e, 0, rest[len(known.text):]
			}
		case '.', ',':
			if i+1 < len(layout) && (layout[i+1] == '0' || layout[i+1] == '9') {
				j := i + 1
				for j < len(layout) && layout[j] == layout[i+1] {
					j++
				}
				if !isDigit(layout, j) {
					e = fracZeros
					if layout[i+1] == '9' {
						e = fracNines
					}
					return layout[:i], e, j - (i + 1), layout[j:]
				}
			}
		}
	}
	return layout, none, 0, ""
}

func startsWithLower(s string) bool { return len(s) > 0 && 'a' <= s[0] && s[0] <= 'z' }

func appendInt(b []byte, x int, width int) []byte {
	u := uint(x)
	if x < 0 {
		b = append(b, '-')
		u = uint(-x)
	}
	var buf [20]byte
	at := len(buf)
	for ; u >= 10; u /= 10 {
		at--
		buf[at] = byte('0' + u%10)
	}
	at--
	buf[at] = byte('0' + u)
	for n := len(buf) - at; n < width; n++ {
		b = append(b, '0')
	}
	return append(b, buf[at:]...)
}

func (t Time) String() string {
	s := t.Format("2006-01-02 15:04:05.999999999 -0700 MST")
	if t.wall&hasMonotonic != 0 {
		sign := byte('+')
		u := uint64(t.ext)
		if t.ext < 0 {
			sign = '-'
			u = -u
		}
		b := append([]byte(s), " m="...)
		b = append(b, sign)
		b = appendInt(b, int(u/1e9), 0)
		b = append(b, '.')
		s = string(appendInt(b, int(u%1e9), 9))
	}
	return s
}

func (t Time) GoString() string {
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	b := append([]byte(nil), "time.Date("...)
	b = appendInt(b, year, 0)
	if January <= month && month <= December {
		b = append(b, ", time."...)
		b = append(b, month.String()...)
	} else {
		b = appendInt(b, int(month), 0)
	}
	for _, n := range []int{day, hour, minute, second, t.Nanosecond()} {
		b = append(b, ", "...)
		b = appendInt(b, n, 0)
	}
	b = append(b, ", "...)
	switch loc := t.Location(); loc {
	case UTC, nil:
		b = append(b, "time.UTC"...)
	case Local:
		b = append(b, "time.Local"...)
	default:
		b = append(b, "time.Location("...)
		b = append(b, quote(loc.name)...)
		b = append(b, ')')
	}
	return string(append(b, ')'))
}

func (t Time) Format(layout string) string { return string(t.AppendFormat(nil, layout)) }

func (t Time) AppendFormat(b []byte, layout string) []byte {
	name, offset, _, _, _ := t.zone()
	abs := t.unixSec() + int64(offset)
	days := floorDiv(abs, secondsPerDay)
	inDay := int(abs - days*secondsPerDay)
	year, month, day := dateOf(days)
	hour, minute, second := inDay/3600, inDay/60%60, inDay%60
	for layout != "" {
		before, e, digits, after := nextElement(layout)
		b = append(b, before...)
		switch e {
		case none:
			return b
		case shortYear:
			b = appendInt(b, max(year%100, -(year%100)), 2)
		case longYear:
			b = appendInt(b, year, 4)
		case shortMonth:
			b = append(b, month.String()[:3]...)
		case longMonth:
			b = append(b, month.String()...)
		case numMonth:
			b = appendInt(b, int(month), 0)
		case zeroMonth:
			b = appendInt(b, int(month), 2)
		case shortWeekday:
			b = append(b, weekdayOf(days).String()[:3]...)
		case longWeekday:
			b = append(b, weekdayOf(days).String()...)
		case numDay:
			b = appendInt(b, day, 0)
		case spaceDay:
			if day < 10 {
				b = append(b, ' ')
			}
			b = appendInt(b, day, 0)
		case zeroDay:
			b = appendInt(b, day, 2)
		case spaceYearDay, zeroYearDay:
			yearDay := int(days-daysOf(year, January, 1)) + 1
			if e == zeroYearDay {
				b = appendInt(b, yearDay, 3)
				break
			}
			if yearDay < 100 {
				b = append(b, ' ')
			}
			if yearDay < 10 {
				b = append(b, ' ')
			}
			b = appendInt(b, yearDay, 0)
		case hour24:
			b = appendInt(b, hour, 2)
		case numHour12, zeroHour12:
			h := hour % 12
			if h == 0 {
				h = 12
			}
			b = appendInt(b, h, 2*int(e-numHour12))
		case numMinute:
			b = appendInt(b, minute, 0)
		case zeroMinute:
			b = appendInt(b, minute, 2)
		case numSecond:
			b = appendInt(b, second, 0)
		case zeroSecond:
			b = appendInt(b, second, 2)
		case upperPM, lowerPM:
			text := "AMPMampm"[(e-upperPM)*4:]
			if hour >= 12 {
				text = text[2:]
			}
			b = append(b, text[:2]...)
		case isoZone, isoZoneSec, isoZoneShort, isoZoneColon, isoColonSec, numZone, numZoneSec, numZoneShort, numZoneColon, numColonSec:
			if offset == 0 && e <= isoColonSec {
				b = append(b, 'Z')
				break
			}
			b = appendOffset(b, offset, e)
		case zoneName:
			if name != "" {
				b = append(b, name...)
				break
			}
			b = appendOffset(b, offset, numZone)
		case fracZeros, fracNines:
			b = appendFraction(b, t.Nanosecond(), layout[len(before)], digits, e == fracNines)
		}
		layout = after
	}
	return b
}

func appendOffset(b []byte, offset int, e element) []byte {
	sign := byte('+')
	if offset < 0 {
		sign = '-'
		offset = -offset
	}
	b = appendInt(append(b, sign), offset/3600, 2)
	colon := e == isoZoneColon || e == numZoneColon || e == isoColonSec || e == numColonSec
	if colon {
		b = append(b, ':')
	}
	if e != isoZoneShort && e != numZoneShort {
		b = appendInt(b, offset/60%60, 2)
	}
	if e == isoColonSec || e == numColonSec {
		b = append(b, ':')
	}
	if e == isoZoneSec || e == numZoneSec || e == isoColonSec || e == numColonSec {
		b = appendInt(b, offset%60, 2)
	}
	return b
}

func appendFraction(b []byte, nsec int, separator byte, digits int, trim bool) []byte {
	text := appendInt(nil, nsec, 9)
	// A time that was decoded can have more than a second's nanoseconds, and so another digit.
	text = text[:len(text)-9+min(digits, 9)]
	if trim {
		for len(text) > 0 && text[len(text)-1] == '0' {
			text = text[:len(text)-1]
		}
		if len(text) == 0 {
			return b
		}
	}
	return append(append(b, separator), text...)
}

type ParseError struct {
	Layout     string
	Value      string
	LayoutElem string
	ValueElem  string
	Message    string
}

func (e *ParseError) Error() string {
	if e.Message == "" {
		return "parsing time " + quote(e.Value) + " as " + quote(e.Layout) + ": cannot parse " + quote(e.ValueElem) + " as " + quote(e.LayoutElem)
	}
	return "parsing time " + quote(e.Value) + e.Message
}

// quote writes what is not printable ASCII as \x escapes, byte by byte.
func quote(s string) string {
	const hex = "0123456789abcdef"
	b := []byte{'"'}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 0x80 || c < ' ':
			b = append(b, '\\', 'x', hex[c>>4], hex[c&15])
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

var errBad = errors.New("bad value for field")

func Parse(layout, value string) (Time, error) { return parse(layout, value, UTC, Local) }

func ParseInLocation(layout, value string, loc *Location) (Time, error) {
	return parse(layout, value, loc, loc)
}

// number reads a number of at most so many digits, or exactly so many if fixed.
func number(s string, digits int, fixed bool) (n int, rest string, err error) {
	i := 0
	for ; i < digits && isDigit(s, i); i++ {
		n = n*10 + int(s[i]-'0')
	}
	if i == 0 || fixed && i < digits {
		return 0, s, errBad
	}
	return n, s[i:], nil
}

// oneOf finds a name at the beginning of s, in any case.
func oneOf(names []string, length int, s string) (int, string, error) {
	for i, name := range names {
		if length > 0 {
			name = name[:length]
		}
		if len(s) >= len(name) && equalFold(s[:len(name)], name) {
			return i, s[len(name):], nil
		}
	}
	return -1, s, errBad
}

func equalFold(a, b string) bool {
	for i := range len(a) {
		x, y := a[i], b[i]
		if x != y && (x|0x20 != y|0x20 || x|0x20 < 'a' || x|0x20 > 'z') {
			return false
		}
	}
	return true
}

// literal takes text off value; blanks match any number of blanks.
func literal(value, text string) (string, error) {
	for text != "" {
		if text[0] == ' ' {
			if value != "" && value[0] != ' ' {
				return value, errBad
			}
			text = trimSpaces(text)
			value = trimSpaces(value)
			continue
		}
		if value == "" || value[0] != text[0] {
			return value, errBad
		}
		text = text[1:]
		value = value[1:]
	}
	return value, nil
}

func trimSpaces(s string) string {
	for s != "" && s[0] == ' ' {
		s = s[1:]
	}
	return s
}

// fractionOf reads `.` or `,` and digits as nanoseconds. A sign is taken where the first digit should be, but less than nothing is out of range.
func fractionOf(s string, n int) (nsec int, out string, err error) {
	if s == "" || s[0] != '.' && s[0] != ',' {
		return 0, "", errBad
	}
	text := s[:n]
	if len(text) > 10 {
		text = text[:10]
	}
	first := 1
	if len(text) > 2 && (text[1] == '-' || text[1] == '+') {
		first = 2
	}
	for i := first; i < len(text); i++ {
		if !isDigit(text, i) {
			return 0, "", errBad
		}
		nsec = nsec*10 + int(text[i]-'0')
	}
	if nsec > 0 && text[1] == '-' {
		return 0, "fractional second", nil
	}
	for i := len(text); i < 10; i++ {
		nsec *= 10
	}
	return nsec, "", nil
}

func parse(layout, value string, defaultLoc, local *Location) (Time, error) {
	wholeLayout, wholeValue := layout, value
	outOfRange := ""
	amSet, pmSet := false, false
	var (
		year         int
		month, day   = -1, -1
		yearDay      = -1
		hour, minute int
		second, nsec int
		loc          *Location
		zoneOffset   = -1
		name         string
	)
	for {
		before, e, digits, after := nextElement(layout)
		elementText := layout[len(before) : len(layout)-len(after)]
		var err error
		value, err = literal(value, before)
		if err != nil {
			return Time{}, &ParseError{wholeLayout, wholeValue, before, value, ""}
		}
		if e == none {
			if value != "" {
				return Time{}, &ParseError{wholeLayout, wholeValue, "", value, ": extra text: " + quote(value)}
			}
			break
		}
		layout = after
		hold := value
		switch e {
		case shortYear:
			if len(value) < 2 {
				err = errBad
				break
			}
			// As in Go one of both may be a sign.
			if sign := value[0]; (sign == '-' || sign == '+') && isDigit(value, 1) {
				if year = int(value[1] - '0'); sign == '-' {
					year = -year
				}
				value = value[2:]
			} else if year, value, err = number(value, 2, true); err != nil {
				break
			}
			if year >= 69 {
				year += 1900
			} else {
				year += 2000
			}
		case longYear:
			if len(value) < 4 || !isDigit(value, 0) {
				err = errBad
				break
			}
			year = 0
			for i := range 4 {
				if !isDigit(value, i) {
					err = errBad
					break
				}
				year = year*10 + int(value[i]-'0')
			}
			if err == nil {
				value = value[4:]
			}
		case shortMonth:
			month, value, err = oneOf(monthNames, 3, value)
			month++
		case longMonth:
			month, value, err = oneOf(monthNames, 0, value)
			month++
		case numMonth, zeroMonth:
			month, value, err = number(value, 2, e == zeroMonth)
			if err == nil && (month <= 0 || month > 12) {
				outOfRange = "month"
			}
		case shortWeekday:
			_, value, err = oneOf(dayNames, 3, value)
		case longWeekday:
			_, value, err = oneOf(dayNames, 0, value)
		case numDay, spaceDay, zeroDay:
			if e == spaceDay && value != "" && value[0] == ' ' {
				value = value[1:]
			}
			day, value, err = number(value, 2, e == zeroDay)
		case spaceYearDay, zeroYearDay:
			for range 2 {
				if e == spaceYearDay && value != "" && value[0] == ' ' {
					value = value[1:]
				}
			}
			yearDay, value, err = number(value, 3, e == zeroYearDay)
		case hour24:
			hour, value, err = number(value, 2, false)
			if hour < 0 || hour >= 24 {
				outOfRange = "hour"
			}
		case numHour12, zeroHour12:
			hour, value, err = number(value, 2, e == zeroHour12)
			if hour < 0 || hour > 12 {
				outOfRange = "hour"
			}
		case numMinute, zeroMinute:
			minute, value, err = number(value, 2, e == zeroMinute)
			if minute < 0 || minute >= 60 {
				outOfRange = "minute"
			}
		case numSecond, zeroSecond:
			second, value, err = number(value, 2, e == zeroSecond)
			if err != nil {
				break
			}
			if second < 0 || second >= 60 {
				outOfRange = "second"
				break
			}
			// A fraction is taken even where the layout has none.
			if len(value) >= 2 && (value[0] == '.' || value[0] == ',') && isDigit(value, 1) {
				if _, next, _, _ := nextElement(layout); next == fracZeros || next == fracNines {
					break
				}
				n := 2
				for isDigit(value, n) {
					n++
				}
				nsec, outOfRange, err = fractionOf(value, n)
				value = value[n:]
			}
		case upperPM, lowerPM:
			if len(value) < 2 {
				err = errBad
				break
			}
			text := value[:2]
			value = value[2:]
			switch {
			case e == upperPM && text == "PM" || e == lowerPM && text == "pm":
				pmSet = true
			case e == upperPM && text == "AM" || e == lowerPM && text == "am":
				amSet = true
			default:
				err = errBad
			}
		case isoZone, isoZoneSec, isoZoneShort, isoZoneColon, isoColonSec, numZone, numZoneSec, numZoneShort, numZoneColon, numColonSec:
			if e <= isoColonSec && value != "" && value[0] == 'Z' {
				value = value[1:]
				loc = UTC
				break
			}
			zoneOffset, value, outOfRange, err = parseOffset(value, e, outOfRange)
		case zoneName:
			if hasPrefix(value, "UTC") {
				loc = UTC
				value = value[3:]
				break
			}
			n, ok := zoneNameLength(value)
			if !ok {
				err = errBad
				break
			}
			name, value = value[:n], value[n:]
		case fracZeros:
			n := 1 + digits
			if len(value) < n {
				err = errBad
				break
			}
			nsec, outOfRange, err = fractionOf(value, n)
			value = value[n:]
		case fracNines:
			if len(value) < 2 || value[0] != '.' && value[0] != ',' || !isDigit(value, 1) {
				break
			}
			n := 1
			for n < len(value) && isDigit(value, n) {
				n++
			}
			nsec, outOfRange, err = fractionOf(value, n)
			value = value[n:]
		}
		if outOfRange != "" {
			return Time{}, &ParseError{wholeLayout, wholeValue, elementText, value, ": " + outOfRange + " out of range"}
		}
		if err != nil {
			return Time{}, &ParseError{wholeLayout, wholeValue, elementText, hold, ""}
		}
	}
	switch {
	case pmSet && hour < 12:
		hour += 12
	case amSet && hour == 12:
		hour = 0
	}
	if yearDay >= 0 {
		if isLeap(year) && yearDay == 0 || yearDay < 1 || yearDay > 366 || yearDay == 366 && !isLeap(year) {
			return Time{}, &ParseError{wholeLayout, wholeValue, "", "", ": day-of-year out of range"}
		}
		_, m, d := dateOf(daysOf(year, January, 1) + int64(yearDay-1))
		if month >= 0 && month != int(m) {
			return Time{}, &ParseError{wholeLayout, wholeValue, "", "", ": day-of-year does not match month"}
		}
		if day >= 0 && day != d {
			return Time{}, &ParseError{wholeLayout, wholeValue, "", "", ": day-of-year does not match day"}
		}
		month, day = int(m), d
	} else {
		if month < 0 {
			month = int(January)
		}
		if day < 0 {
			day = 1
		}
	}
	if day < 1 || day > daysIn(Month(month), year) {
		return Time{}, &ParseError{wholeLayout, wholeValue, "", "", ": day out of range"}
	}
	at := func(loc *Location) Time { return Date(year, Month(month), day, hour, minute, second, nsec, loc) }
	switch {
	case loc != nil:
		return at(loc), nil
	case zoneOffset != -1:
		t := at(UTC)
		t.addSec(-int64(zoneOffset))
		n, offset, _, _, _ := local.get().lookup(t.unixSec())
		if offset == zoneOffset && (name == "" || n == name) {
			t.setLoc(local)
			return t, nil
		}
		t.setLoc(FixedZone(name, zoneOffset))
		return t, nil
	case name != "":
		t := at(UTC)
		offset, ok := local.lookupName(name, t.unixSec())
		if ok {
			t.addSec(-int64(offset))
			t.setLoc(local)
			return t, nil
		}
		offset = 0
		if len(name) > 3 && name[:3] == "GMT" {
			hours, _, _ := signedNumber(name[3:])
			offset = hours * 3600
		}
		t.setLoc(FixedZone(name, offset))
		return t, nil
	}
	return at(defaultLoc), nil
}

func signedNumber(s string) (n int, rest string, ok bool) {
	negative := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative = s[0] == '-'
		s = s[1:]
	}
	i := 0
	for ; isDigit(s, i); i++ {
		if n = n*10 + int(s[i]-'0'); n > 1<<30 {
			return 0, s, false
		}
	}
	if negative {
		n = -n
	}
	return n, s[i:], i > 0
}

func parseOffset(value string, e element, outOfRangeIn string) (offset int, rest, outOfRange string, err error) {
	outOfRange = outOfRangeIn
	colon := e == isoZoneColon || e == numZoneColon || e == isoColonSec || e == numColonSec
	seconds := e == isoZoneSec || e == numZoneSec || e == isoColonSec || e == numColonSec
	short := e == isoZoneShort || e == numZoneShort
	length := 5
	switch {
	case colon && seconds:
		length = 9
	case colon:
		length = 6
	case seconds:
		length = 7
	case short:
		length = 3
	}
	if len(value) < length {
		return 0, value, outOfRange, errBad
	}
	text := value[:length]
	rest = value[length:]
	// Colons come first, then numbers, up to one that is none; ranges tell more than the sign.
	step := 2
	if colon {
		step = 3
		for i := 3; i < length; i += 3 {
			if text[i] != ':' {
				return 0, rest, outOfRange, errBad
			}
		}
	}
	names := [...]string{"hour", "minute", "second"}
	limits := [...]int{24, 60, 60}
	var parts [3]int
	for i := range parts {
		at := 1 + i*step
		if at >= length {
			break
		}
		if !isDigit(text, at) || !isDigit(text, at+1) {
			err = errBad
			break
		}
		parts[i] = int(text[at]-'0')*10 + int(text[at+1]-'0')
		if parts[i] > limits[i] {
			outOfRange = "time zone offset " + names[i]
		}
	}
	offset = parts[0]*3600 + parts[1]*60 + parts[2]
	switch text[0] {
	case '+':
	case '-':
		offset = -offset
	default:
		err = errBad
	}
	return offset, rest, outOfRange, err
}

// zoneNameLength: three or four capitals, or GMT with an offset, or a sign with digits.
func zoneNameLength(value string) (int, bool) {
	if len(value) < 3 {
		return 0, false
	}
	if len(value) >= 4 && (value[:4] == "ChST" || value[:4] == "MeST") {
		return 4, true
	}
	signed := func(s string) int {
		if s == "" || s[0] != '-' && s[0] != '+' {
			return 0
		}
		n, rest, ok := signedNumber(s)
		if !ok || n < -23 || n > 23 {
			return 0
		}
		return len(s) - len(rest)
	}
	if value[:3] == "GMT" {
		return 3 + signed(value[3:]), true
	}
	if value[0] == '+' || value[0] == '-' {
		n := signed(value)
		return n, n > 0
	}
	upper := 0
	for upper < 6 && upper < len(value) && 'A' <= value[upper] && value[upper] <= 'Z' {
		upper++
	}
	switch upper {
	case 5:
		return 5, value[4] == 'T'
	case 4:
		return 4, value[3] == 'T' || value[:4] == "WITA"
	case 3:
		return 3, true
	}
	return 0, false
}

func (t Time) appendStrict(b []byte, what string) ([]byte, error) {
	if year := t.Year(); year < 0 || year >= 10000 {
		return nil, errors.New("Time." + what + ": year outside of range [0,9999]")
	}
	if _, offset := t.Zone(); offset <= -24*3600 || offset >= 24*3600 {
		return nil, errors.New("Time." + what + ": timezone hour outside of range [0,23]")
	}
	return t.AppendFormat(b, RFC3339Nano), nil
}

func (t Time) AppendText(b []byte) ([]byte, error) { return t.appendStrict(b, "AppendText") }
func (t Time) MarshalText() ([]byte, error)        { return t.appendStrict(nil, "MarshalText") }

func (t Time) MarshalJSON() ([]byte, error) {
	b, err := t.appendStrict([]byte{'"'}, "MarshalJSON")
	if err != nil {
		return nil, err
	}
	return append(b, '"'), nil
}

func (t *Time) UnmarshalText(data []byte) error {
	var err error
	*t, err = Parse(RFC3339, string(data))
	return err
}

func (t *Time) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	if len(data) < 2 || data[0] != '"' || data[len(data)-1] != '"' {
		return errors.New("Time.UnmarshalJSON: input is not a JSON string")
	}
	return t.UnmarshalText(data[1 : len(data)-1])
}

func (t Time) AppendBinary(b []byte) ([]byte, error) {
	version := byte(1)
	minutes, seconds := int16(-1), int8(0)
	if t.Location() != UTC {
		_, offset := t.Zone()
		if offset%60 != 0 {
			version = 2
			seconds = int8(offset % 60)
		}
		offset /= 60
		if offset < -32768 || offset == -1 || offset > 32767 {
			return b, errors.New("Time.MarshalBinary: unexpected zone offset")
		}
		minutes = int16(offset)
	}
	sec, nsec := t.internal(), t.nsec()
	b = append(b, version)
	for shift := 56; shift >= 0; shift -= 8 {
		b = append(b, byte(sec>>uint(shift)))
	}
	for shift := 24; shift >= 0; shift -= 8 {
		b = append(b, byte(nsec>>uint(shift)))
	}
	b = append(b, byte(minutes>>8), byte(minutes))
	if version == 2 {
		b = append(b, byte(seconds))
	}
	return b, nil
}

func (t Time) MarshalBinary() ([]byte, error) { return t.AppendBinary(nil) }

func (t *Time) UnmarshalBinary(data []byte) error {
	if len(data) == 0 {
		return errors.New("Time.UnmarshalBinary: no data")
	}
	version := data[0]
	if version != 1 && version != 2 {
		return errors.New("Time.UnmarshalBinary: unsupported version")
	}
	if len(data) != 14+int(version) {
		return errors.New("Time.UnmarshalBinary: invalid length")
	}
	var sec int64
	for _, c := range data[1:9] {
		sec = sec<<8 | int64(c)
	}
	var nsec int32
	for _, c := range data[9:13] {
		nsec = nsec<<8 | int32(c)
	}
	offset := int(int16(uint16(data[13])<<8|uint16(data[14]))) * 60
	if version == 2 {
		offset += int(int8(data[15]))
	}
	*t = Time{uint64(nsec), sec, nil}
	if offset == -60 {
		t.setLoc(&utcLoc)
	} else if _, localOffset, _, _, _ := Local.get().lookup(t.unixSec()); offset == localOffset {
		t.setLoc(Local)
	} else {
		t.setLoc(FixedZone("", offset))
	}
	return nil
}

func (t Time) GobEncode() ([]byte, error)   { return t.MarshalBinary() }
func (t *Time) GobDecode(data []byte) error { return t.UnmarshalBinary(data) }
