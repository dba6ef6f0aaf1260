package time

// Reading times. A parser follows a layout's plan through the text, keeps what the numbers say, and
// makes a time of it in the end.

// A ParseError says what part of a text does not fit what part of a layout.
type ParseError struct {
	Layout     string
	Value      string
	LayoutElem string
	ValueElem  string
	Message    string
}

func (e *ParseError) Error() string {
	what := e.Message
	if what == "" {
		what = " as " + quote(e.Layout) + ": cannot parse " + quote(e.ValueElem) + " as " + quote(e.LayoutElem)
	}
	return "parsing time " + quote(e.Value) + what
}

// quote writes what is not printable ASCII as \x escapes, byte by byte.
func quote(s string) string {
	const digits = "0123456789abcdef"
	b := append(make([]byte, 0, len(s)+2), '"')
	for _, c := range []byte(s) {
		if c < ' ' || c >= 0x80 {
			b = append(b, '\\', 'x', digits[c>>4], digits[c&0xf])
			continue
		}
		if c == '"' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return string(append(b, '"'))
}

// Parse reads a time that is written as the layout says. Without a zone it is in UTC; an offset that
// is in force at that time in Local makes it a time there.
func Parse(layout, value string) (Time, error) { return read(layout, value, UTC, Local) }

// ParseInLocation is like Parse, with loc in place of both UTC and Local.
func ParseInLocation(layout, value string, loc *Location) (Time, error) {
	return read(layout, value, loc, loc)
}

const unset = -1

type parser struct {
	rest     string // what is still to be read
	got      reading
	nsec     int
	halves   uint8 // which were read: 1 is AM, 2 is PM
	utc      bool  // there was a Z, or UTC
	offset   int
	zoneName string
	beyond   string // what was out of range
}

func read(layout, value string, preset, local *Location) (Time, error) {
	p := parser{rest: value, offset: unset}
	p.got[monthPart], p.got[dayPart], p.got[yearDayPart] = unset, unset, unset
	steps := planOf(layout).steps
	for i := range steps {
		s := &steps[i]
		if len(s.text) > 0 && !p.text(s.text) {
			return Time{}, &ParseError{layout, value, s.text, p.rest, ""}
		}
		before := p.rest
		ok := p.element(s)
		if p.beyond != "" {
			return Time{}, &ParseError{layout, value, s.element, p.rest, ": " + p.beyond + " out of range"}
		}
		if !ok {
			return Time{}, &ParseError{layout, value, s.element, before, ""}
		}
	}
	if p.rest != "" {
		return Time{}, &ParseError{layout, value, "", p.rest, ": extra text: " + quote(p.rest)}
	}
	if fault := p.date(); fault != "" {
		return Time{}, &ParseError{layout, value, "", "", ": day" + fault}
	}
	return p.time(preset, local), nil
}

// next is the byte at a place of what is to be read, 0 behind its end.
func (p *parser) next(i int) byte {
	if i < len(p.rest) {
		return p.rest[i]
	}
	return 0
}

// text reads text that the layout has; a blank stands for any number of them, but not for none where
// something else comes.
func (p *parser) text(text string) bool {
	i, j := 0, 0
	for i < len(text) {
		c := p.next(j)
		switch {
		case text[i] == ' ' && (c == ' ' || j == len(p.rest)):
			for i < len(text) && text[i] == ' ' {
				i++
			}
			for p.next(j) == ' ' {
				j++
			}
		case j < len(p.rest) && text[i] == c:
			i++
			j++
		default:
			p.rest = p.rest[j:]
			return false
		}
	}
	p.rest = p.rest[j:]
	return true
}

// ranges says what numbers there are of a part. The others are checked when the year is known.
var ranges = [parts]struct {
	least, most int
	name        string
}{
	monthPart:    {1, 12, "month"},
	hourPart:     {0, 23, "hour"},
	halfHourPart: {0, 12, "hour"},
	minutePart:   {0, 59, "minute"},
	secondPart:   {0, 59, "second"},
}

// element reads what a step stands for. Where it says that this is out of range, it has been read.
func (p *parser) element(s *step) bool {
	switch s.kind {
	case number:
		return p.number(s)
	case short:
		return p.shortYear()
	case name:
		return p.name(s)
	case half:
		c, m := p.next(0), p.next(1)
		if s.flag {
			c, m = c^0x20, m^0x20
		}
		if m != 'M' || c != 'A' && c != 'P' {
			return false
		}
		if c == 'A' {
			p.halves |= 1
		} else {
			p.halves |= 2
		}
		p.rest = p.rest[2:]
	case offset:
		if s.flag && p.next(0) == 'Z' {
			p.rest = p.rest[1:]
			p.utc = true
			return true
		}
		return p.zoneOffset(s.width, s.pad)
	case zoneName:
		if hasPrefix(p.rest, "UTC") {
			p.rest = p.rest[3:]
			p.utc = true
			return true
		}
		n := abbreviation(p.rest)
		p.zoneName, p.rest = p.rest[:n], p.rest[n:]
		return n > 0
	case fraction:
		n := 1 + s.width
		if s.flag {
			n = p.pointed()
		}
		return n == 0 || len(p.rest) >= n && p.fraction(n)
	}
	return true
}

func (p *parser) number(s *step) bool {
	rest := p.rest
	for n := s.blanks & (ownFraction - 1); n > 0 && rest != "" && rest[0] == ' '; n-- {
		rest = rest[1:]
	}
	v, n := 0, 0
	for n < s.digits && n < len(rest) && rest[n]-'0' < 10 {
		v = 10*v + int(rest[n]-'0')
		n++
	}
	if n == 0 || s.flag && n < s.digits {
		return false
	}
	p.rest = rest[n:]
	to := s.part
	if r := &ranges[to]; r.name != "" && (v < r.least || v > r.most) {
		p.beyond = r.name
		return false
	}
	if to == halfHourPart {
		to = hourPart
	}
	p.got[to] = v
	if s.blanks&ownFraction != 0 {
		if n := p.pointed(); n > 0 {
			return p.fraction(n)
		}
	}
	return true
}

// shortYear reads two digits, or as Go does a sign and a digit.
func (p *parser) shortYear() bool {
	a, b := p.next(0), p.next(1)-'0'
	if b > 9 {
		return false
	}
	year := int(b)
	switch {
	case a-'0' < 10:
		year += 10 * int(a-'0')
	case a == '-':
		year = -year
	case a != '+':
		return false
	}
	if year < 69 {
		year += 100
	}
	p.got[yearPart] = 1900 + year
	p.rest = p.rest[2:]
	return true
}

// name reads a name of a month or a weekday, in letters of any size.
func (p *parser) name(s *step) bool {
	list, first, to := months, "janfebmaraprmayjunjulaugsepoctnovdec", monthPart
	if s.flag {
		list, first, to = weekdays, "sunmontuewedthufrisat", weekdayPart
	}
	if len(p.rest) < 3 {
		return false
	}
	a, b, c := p.rest[0]|0x20, p.rest[1]|0x20, p.rest[2]|0x20
	for i := range list {
		if first[3*i] != a || first[3*i+1] != b || first[3*i+2] != c {
			continue
		}
		text := list[i]
		n := min(s.width, len(text))
		if len(p.rest) < n {
			return false
		}
		for j := 3; j < n; j++ {
			if p.rest[j]|0x20 != text[j] {
				return false
			}
		}
		p.rest = p.rest[n:]
		if to == monthPart {
			i++
		}
		p.got[to] = i
		return true
	}
	return false
}

// pointed is the length of a point with digits, or a comma; 0 if there are none.
func (p *parser) pointed() int {
	if c := p.next(0); c == '.' || c == ',' {
		if n := countDigits(p.rest[1:]); n > 0 {
			return 1 + n
		}
	}
	return 0
}

// fraction reads a point and digits, n bytes; nine of the digits count. As in Go the first may be a
// sign, but what is less than nothing is out of range.
func (p *parser) fraction(n int) bool {
	s := p.rest[:n]
	if s[0] != '.' && s[0] != ',' {
		return false
	}
	signed := n > 1 && (s[1] == '-' || s[1] == '+')
	nsec := 0
	for i := 1; i < 10; i++ {
		nsec *= 10
		if i >= n || i == 1 && signed {
			continue
		}
		d := s[i] - '0'
		if d > 9 {
			return false
		}
		nsec += int(d)
	}
	p.rest = p.rest[n:]
	if signed && s[1] == '-' && nsec > 0 {
		p.beyond = "fractional second"
	}
	p.nsec = nsec
	return true
}

// zoneOffset reads a sign and groups of two digits. The separators are looked at first, and the sign
// last; of several groups that are out of range the last one is told.
func (p *parser) zoneOffset(groups int, separator byte) bool {
	step := 2
	if separator != 0 {
		step = 3
	}
	n := 3 + (groups-1)*step
	if len(p.rest) < n {
		return false
	}
	s := p.rest[:n]
	for i := 3; separator != 0 && i < n; i += step {
		if s[i] != separator {
			return false
		}
	}
	p.rest = p.rest[n:]
	ok, sum, unit, most, what := true, 0, 3600, 24, "hour"
	for i := 1; i < n; i += step {
		tens, ones := s[i]-'0', s[i+1]-'0'
		if tens > 9 || ones > 9 {
			ok = false
			break
		}
		v := int(10*tens + ones)
		if v > most {
			p.beyond = "time zone offset " + what
		}
		sum += v * unit
		unit /= 60
		if most, what = 60, "minute"; unit == 1 {
			what = "second"
		}
	}
	switch s[0] {
	case '-':
		sum = -sum
	case '+':
	default:
		ok = false
	}
	p.offset = sum
	return ok
}

// abbreviation is the length of a zone's abbreviation: three or four capitals, five with a T at the
// end, GMT with hours, or only hours.
func abbreviation(s string) int {
	capitals := 0
	for capitals < len(s) && s[capitals]-'A' < 26 {
		capitals++
	}
	switch {
	case len(s) < 3:
		return 0
	case hasPrefix(s, "ChST"), hasPrefix(s, "MeST"):
		return 4
	case s[:3] == "GMT":
		_, n := signedHours(s[3:])
		return 3 + n
	case s[0] == '+' || s[0] == '-':
		_, n := signedHours(s)
		return n
	case capitals == 3,
		capitals == 4 && (s[3] == 'T' || s[:4] == "WITA"),
		capitals == 5 && s[4] == 'T':
		return capitals
	}
	return 0
}

// signedHours reads a sign and a number below 24; length is 0 if there is none.
func signedHours(s string) (hours, length int) {
	if s == "" || s[0] != '+' && s[0] != '-' {
		return 0, 0
	}
	n := countDigits(s[1:])
	for _, c := range []byte(s[1 : 1+n]) {
		if hours = 10*hours + int(c-'0'); hours > 23 {
			return 0, 0
		}
	}
	if n == 0 {
		return 0, 0
	}
	if s[0] == '-' {
		hours = -hours
	}
	return hours, 1 + n
}

// date completes hour, month and day, and tells what is wrong with the day.
func (p *parser) date() (fault string) {
	r := &p.got
	switch hour := r[hourPart]; {
	case p.halves&2 != 0 && hour < 12:
		r[hourPart] = hour + 12
	case p.halves&1 != 0 && hour == 12:
		r[hourPart] = 0
	}
	year, month, day, yearDay := r[yearPart], r[monthPart], r[dayPart], r[yearDayPart]
	if yearDay == unset {
		r[monthPart], r[dayPart] = max(month, 1), day
		if day == unset {
			r[dayPart] = 1
		}
	} else {
		y, m, d, _ := dateOf(dayOf(year, January, yearDay))
		switch {
		case yearDay == 0 || y != year:
			return "-of-year out of range"
		case month != unset && month != int(m):
			return "-of-year does not match month"
		case day != unset && day != d:
			return "-of-year does not match day"
		}
		r[monthPart], r[dayPart] = int(m), d
	}
	if d := r[dayPart]; d < 1 || d > monthLength(Month(r[monthPart]), year) {
		return " out of range"
	}
	return ""
}

// time is the instant that was read.
func (p *parser) time(preset, local *Location) Time {
	r := &p.got
	in := func(loc *Location) Time {
		return Date(r[yearPart], Month(r[monthPart]), r[dayPart], r[hourPart], r[minutePart], r[secondPart], p.nsec, loc)
	}
	if p.utc {
		return in(UTC)
	}
	if p.offset == unset && p.zoneName == "" {
		return in(preset)
	}
	t := in(UTC)
	offset, known := p.offset, false
	if offset != unset {
		z := local.at(t.unixSec() - int64(offset))
		known = z.offset == offset && (p.zoneName == "" || z.name == p.zoneName)
	} else if offset, known = local.named(p.zoneName, t.unixSec()); !known {
		offset = 0
		if hasPrefix(p.zoneName, "GMT") {
			hours, _ := signedHours(p.zoneName[3:])
			offset = hours * 3600
		}
	}
	// An abbreviation alone that is not known here keeps the clock's time.
	if known || p.offset != unset {
		t.addSec(-int64(offset))
	}
	if !known {
		local = FixedZone(p.zoneName, offset)
	}
	t.setLoc(local)
	return t
}
