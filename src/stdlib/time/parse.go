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

// A parser is at a place in the text.
type parser struct {
	s        string
	at       int
	got      reading
	nsec     int
	halves   uint8 // which were read: 1 is AM, 2 is PM
	utc      bool  // there was a Z, or UTC
	offset   int
	zoneName string
	beyond   string // what was out of range
}

func read(layout, value string, preset, local *Location) (Time, error) {
	p := parser{s: value, offset: unset}
	p.got[monthPart], p.got[dayPart], p.got[yearDayPart] = unset, unset, unset
	steps := planOf(layout).steps
	for i := range steps {
		s := &steps[i]
		if len(s.text) > 0 && !p.text(s.text) {
			return Time{}, &ParseError{layout, value, s.text, p.rest(), ""}
		}
		before := p.at
		ok := s.kind == number && p.number(s) || s.kind != number && p.element(s)
		if ok && p.beyond == "" {
			continue
		}
		if p.beyond != "" {
			return Time{}, &ParseError{layout, value, s.element, p.rest(), ": " + p.beyond + " out of range"}
		}
		return Time{}, &ParseError{layout, value, s.element, value[before:], ""}
	}
	if rest := p.rest(); rest != "" {
		return Time{}, &ParseError{layout, value, "", rest, ": extra text: " + quote(rest)}
	}
	if fault := p.date(); fault != "" {
		return Time{}, &ParseError{layout, value, "", "", ": day" + fault}
	}
	return p.time(preset, local), nil
}

// rest is what is still to be read.
func (p *parser) rest() string { return p.s[p.at:] }

// next is a byte of that, 0 behind its end.
func (p *parser) next(i int) byte {
	if i += p.at; i < len(p.s) {
		return p.s[i]
	}
	return 0
}

// text reads text that the layout has; a blank stands for any number of them, but not for none where
// something else comes.
func (p *parser) text(text string) bool {
	s, at := p.s, p.at
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case at < len(s) && s[at] == c && c != ' ':
			i++
			at++
		case c == ' ' && (at == len(s) || s[at] == ' '):
			for i < len(text) && text[i] == ' ' {
				i++
			}
			for at < len(s) && s[at] == ' ' {
				at++
			}
		default:
			p.at = at
			return false
		}
	}
	p.at = at
	return true
}

// ranges says what numbers there are of a part: from the least on, so many more. The days are checked
// when the year is known.
var ranges = [parts]struct {
	least int
	span  uint
	name  string
}{
	yearPart:     {span: 9999},
	monthPart:    {1, 11, "month"},
	dayPart:      {span: 99},
	yearDayPart:  {span: 999},
	hourPart:     {0, 23, "hour"},
	halfHourPart: {0, 12, "hour"},
	minutePart:   {0, 59, "minute"},
	secondPart:   {0, 59, "second"},
}

// element reads what a step stands for, if that is no number. Where it says that this is out of range,
// it has been read.
func (p *parser) element(s *step) bool {
	switch s.kind {
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
		p.at += 2
	case offset:
		if !s.flag || p.next(0) != 'Z' {
			return p.zoneOffset(s.width, s.pad)
		}
		p.at++
		p.utc = true
	case zoneName:
		rest := p.rest()
		if hasPrefix(rest, "UTC") {
			p.at += 3
			p.utc = true
			return true
		}
		n := abbreviation(rest)
		p.zoneName = rest[:n]
		p.at += n
		return n > 0
	case fraction:
		n := 1 + s.width
		if s.flag {
			n = p.pointed()
		}
		return n == 0 || p.at+n <= len(p.s) && p.fraction(n)
	}
	return true
}

func (p *parser) number(step *step) bool {
	s, at := p.s, p.at
	for n := step.blanks & (ownFraction - 1); n > 0 && at < len(s) && s[at] == ' '; n-- {
		at++
	}
	v, end := 0, min(at+step.digits, len(s))
	from := at
	for at < end && s[at]-'0' < 10 {
		v = 10*v + int(s[at]-'0')
		at++
	}
	if at == from || step.flag && at-from < step.digits {
		return false
	}
	p.at = at
	to := step.part
	if r := &ranges[to]; uint(v-r.least) > r.span {
		p.beyond = r.name
		return false
	}
	if to == halfHourPart {
		to = hourPart
	}
	p.got[to] = v
	if step.blanks&ownFraction != 0 {
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
	p.at += 2
	return true
}

// name reads a name of a month or a weekday, in letters of any size.
func (p *parser) name(step *step) bool {
	list, first, to := months, "janfebmaraprmayjunjulaugsepoctnovdec", monthPart
	if step.flag {
		list, first, to = weekdays, "sunmontuewedthufrisat", weekdayPart
	}
	s, at := p.s, p.at
	if at+3 > len(s) {
		return false
	}
	a, b, c := s[at]|0x20, s[at+1]|0x20, s[at+2]|0x20
	i := 0
	for i < len(first) && (first[i] != a || first[i+1] != b || first[i+2] != c) {
		i += 3
	}
	if i == len(first) {
		return false
	}
	if at += 3; step.width > 3 {
		text := list[i/3]
		for j := 3; j < len(text); j++ {
			if at == len(s) || s[at]|0x20 != text[j] {
				return false
			}
			at++
		}
	}
	p.at = at
	p.got[to] = i / 3
	if to == monthPart {
		p.got[to]++
	}
	return true
}

// pointed is the length of a point with digits, or a comma; 0 if there are none.
func (p *parser) pointed() int {
	c := p.next(0)
	if c != '.' && c != ',' {
		return 0
	}
	if n := countDigits(p.s[p.at+1:]); n > 0 {
		return 1 + n
	}
	return 0
}

// fraction reads a point and digits, n bytes; nine of the digits count. As in Go the first may be a
// sign, but what is less than nothing is out of range.
func (p *parser) fraction(n int) bool {
	s := p.s[p.at : p.at+n]
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
	p.at += n
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
	s := p.rest()
	n := 3 + (groups-1)*step
	if len(s) < n {
		return false
	}
	for i := 3; separator != 0 && i < n; i += step {
		if s[i] != separator {
			return false
		}
	}
	p.at += n
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
	for i := 1; i <= n; i++ {
		if hours = 10*hours + int(s[i]-'0'); hours > 23 {
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
		z := local.zoneAt(t.unixSec() - int64(offset))
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
		t = t.moved(-int64(offset))
	}
	if !known {
		local = FixedZone(p.zoneName, offset)
	}
	return t.at(local)
}
