package time

// Reading times follows a layout's plan through the text. What reads an element is given the text and
// a place in it, and gives what it read and the place behind that; misfit, if the text does not fit.
// What the elements say makes a time in the end.

// A ParseError says what part of a text does not fit what part of a layout.
type ParseError struct {
	Layout     string
	Value      string
	LayoutElem string
	ValueElem  string
	Message    string
}

func (why *ParseError) Error() string {
	what := why.Message
	if what == "" {
		what = " as " + quote(why.Layout) + ": cannot parse " + quote(why.ValueElem) + " as " + quote(why.LayoutElem)
	}
	return "parsing time " + quote(why.Value) + what
}

// quote writes what is not printable ASCII as \x escapes, byte by byte.
func quote(s string) string {
	const digits = "0123456789abcdef"
	b := append(make([]byte, 0, len(s)+2), '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c >= 0x80:
			b = append(b, '\\', 'x', digits[c>>4], digits[c&0xf])
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		default:
			b = append(b, c)
		}
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

const (
	unset  = -1
	misfit = -1
)

// read reads value. What it says is kept in variables, which is faster than a struct is.
func read(layout, value string, preset, local *Location) (Time, error) {
	var got reading
	got[monthPart], got[dayPart], got[yearDayPart] = unset, unset, unset
	nsec, halves, utc, shift, zone := 0, 0, false, unset, ""
	at, beyond := 0, ""
	steps := planOf(layout).steps
	for i := range steps {
		s := &steps[i]
		end, fits := passText(s.text, value, at)
		if !fits {
			return Time{}, &ParseError{layout, value, s.text, value[end:], ""}
		}
		at = end
		switch s.kind {
		case number:
			v := 0
			if v, end = s.number(value, at); end == misfit {
				break
			}
			if r := &ranges[s.part]; uint(v-r.least) > r.span {
				beyond = r.name
				break
			}
			to := s.part
			if to == halfHourPart {
				to = hourPart
			}
			got[to] = v
			if s.blanks&ownFraction != 0 {
				if n := pointed(value, end); n > end {
					nsec, end, beyond = readFraction(value, end, n)
				}
			}
		case name:
			got[s.part], end = s.name(value, at)
		case short:
			got[yearPart], end = shortYear(value, at)
		case half:
			h := 0
			h, end = s.half(value, at)
			halves |= h
		case fraction:
			n := at + 1 + s.width
			if s.flag {
				n = pointed(value, at)
			}
			if n > len(value) {
				end = misfit
			} else if n > at {
				nsec, end, beyond = readFraction(value, at, n)
			}
		case offset:
			if s.flag && at < len(value) && value[at] == 'Z' {
				end++
				utc = true
			} else {
				shift, end, beyond = s.offset(value, at)
			}
		case zoneName:
			if hasPrefix(value[at:], "UTC") {
				end += 3
				utc = true
			} else if end += abbreviation(value[at:]); end > at {
				zone = value[at:end]
			} else {
				end = misfit
			}
		}
		if beyond != "" {
			return Time{}, &ParseError{layout, value, s.element, value[end:], ": " + beyond + " out of range"}
		}
		if end == misfit {
			return Time{}, &ParseError{layout, value, s.element, value[at:], ""}
		}
		at = end
	}
	if rest := value[at:]; rest != "" {
		return Time{}, &ParseError{layout, value, "", rest, ": extra text: " + quote(rest)}
	}
	year, month, day, fault := dateRead(got[yearPart], got[monthPart], got[dayPart], got[yearDayPart])
	if fault != "" {
		return Time{}, &ParseError{layout, value, "", "", ": day" + fault}
	}
	hour := got[hourPart]
	if halves&2 != 0 && hour < 12 {
		hour += 12
	} else if halves&1 != 0 && hour == 12 {
		hour = 0
	}
	minute, second := got[minutePart], got[secondPart]
	switch {
	case utc:
		preset = UTC
	case shift != unset || zone != "":
		t := Date(year, month, day, hour, minute, second, nsec, UTC)
		return inZone(t, shift, zone, local), nil
	}
	return Date(year, month, day, hour, minute, second, nsec, preset), nil
}

// passText reads text that the layout has; a blank stands for any number of them, but not for none
// where something else comes. Where the value does not fit, end is there.
func passText(text, value string, at int) (end int, fits bool) {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c != ' ' && at < len(value) && value[at] == c:
			i++
			at++
		case c == ' ' && (at == len(value) || value[at] == ' '):
			for i < len(text) && text[i] == ' ' {
				i++
			}
			for at < len(value) && value[at] == ' ' {
				at++
			}
		default:
			return at, false
		}
	}
	return at, true
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

func (s *step) number(value string, at int) (v, end int) {
	for n := s.blanks & (ownFraction - 1); n > 0 && at < len(value) && value[at] == ' '; n-- {
		at++
	}
	last := min(at+s.digits, len(value))
	end = at
	for end < last && value[end]-'0' < 10 {
		v = 10*v + int(value[end]-'0')
		end++
	}
	if n := end - at; n == 0 || s.flag && n < s.digits {
		return 0, misfit
	}
	return v, end
}

// shortYear reads two digits, or as Go does a sign and a digit.
func shortYear(value string, at int) (year, end int) {
	if at+2 > len(value) || value[at+1]-'0' > 9 {
		return 0, misfit
	}
	year = int(value[at+1] - '0')
	switch c := value[at]; {
	case c-'0' < 10:
		year += 10 * int(c-'0')
	case c == '-':
		year = -year
	case c != '+':
		return 0, misfit
	}
	if year < 69 {
		year += 100
	}
	return 1900 + year, at + 2
}

// name reads a name of a month or a weekday, in letters of any size. The first has number 1.
func (s *step) name(value string, at int) (number, end int) {
	first, list := "janfebmaraprmayjunjulaugsepoctnovdec", months
	if s.flag {
		first, list = "sunmontuewedthufrisat", weekdays
	}
	if at+3 > len(value) {
		return 0, misfit
	}
	a, b, c := value[at]|0x20, value[at+1]|0x20, value[at+2]|0x20
	i := 0
	for first[i] != a || first[i+1] != b || first[i+2] != c {
		if i += 3; i == len(first) {
			return 0, misfit
		}
	}
	at += 3
	if s.width > 3 {
		for _, letter := range []byte(list[i/3][3:]) {
			if at == len(value) || value[at]|0x20 != letter {
				return 0, misfit
			}
			at++
		}
	}
	return i/3 + 1, at
}

// half reads AM, which is 1, or PM, which is 2.
func (s *step) half(value string, at int) (number, end int) {
	if at+2 > len(value) {
		return 0, misfit
	}
	c, m := value[at], value[at+1]
	if s.flag {
		c, m = c^0x20, m^0x20
	}
	switch {
	case c == 'A' && m == 'M':
		return 1, at + 2
	case c == 'P' && m == 'M':
		return 2, at + 2
	}
	return 0, misfit
}

// pointed tells where a point with digits, or a comma, ends: at once if there are none.
func pointed(value string, at int) (end int) {
	if at < len(value) && (value[at] == '.' || value[at] == ',') {
		if n := countDigits(value[at+1:]); n > 0 {
			return at + 1 + n
		}
	}
	return at
}

// readFraction reads a point and digits from at to end; nine of the digits count. As in Go the first
// may be a sign, but what is less than nothing is out of range.
func readFraction(value string, at, end int) (nsec, rest int, beyond string) {
	s := value[at:end]
	if s[0] != '.' && s[0] != ',' {
		return 0, misfit, ""
	}
	signed := len(s) > 1 && (s[1] == '-' || s[1] == '+')
	for i := 1; i < 10; i++ {
		nsec *= 10
		if i >= len(s) || i == 1 && signed {
			continue
		}
		d := s[i] - '0'
		if d > 9 {
			return 0, misfit, ""
		}
		nsec += int(d)
	}
	if signed && s[1] == '-' && nsec > 0 {
		beyond = "fractional second"
	}
	return nsec, end, beyond
}

// offset reads a sign and groups of two digits. The separators are looked at first, and the sign last;
// of several groups that are out of range the last one is told.
func (s *step) offset(value string, at int) (sec, end int, beyond string) {
	stride := 2
	if s.pad != 0 {
		stride = 3
	}
	end = at + 3 + (s.width-1)*stride
	if end > len(value) {
		return 0, misfit, ""
	}
	for i := at + 3; s.pad != 0 && i < end; i += stride {
		if value[i] != s.pad {
			return 0, misfit, ""
		}
	}
	rest := end
	unit, most, what := 3600, 24, "time zone offset hour"
	for i := at + 1; i < rest; i += stride {
		tens, ones := value[i]-'0', value[i+1]-'0'
		if tens > 9 || ones > 9 {
			end = misfit
			break
		}
		v := int(10*tens + ones)
		if v > most {
			beyond = what
		}
		sec += v * unit
		unit /= 60
		if most, what = 60, "time zone offset minute"; unit == 1 {
			what = "time zone offset second"
		}
	}
	switch value[at] {
	case '-':
		sec = -sec
	case '+':
	default:
		end = misfit
	}
	if beyond != "" {
		end = rest
	}
	return sec, end, beyond
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

// dateRead makes a date of the parts that were read, and tells what is wrong with its day.
func dateRead(year, month, day, yearDay int) (y int, m Month, d int, fault string) {
	m, d = Month(max(month, 1)), day
	if yearDay != unset {
		y, m, d, _ = dateOf(dayOf(year, January, yearDay))
		switch {
		case yearDay == 0 || y != year:
			fault = "-of-year out of range"
		case month != unset && month != int(m):
			fault = "-of-year does not match month"
		case day != unset && day != d:
			fault = "-of-year does not match day"
		}
	} else if day == unset {
		d = 1
	} else if day < 1 || day > monthLength(m, year) {
		fault = " out of range"
	}
	return year, m, d, fault
}

// inZone is the time at which clocks in a zone show t, which is in UTC. The zone is known by its offset
// or its abbreviation, or both; it is one of local if that has it at that time.
func inZone(t Time, offset int, abbreviation string, local *Location) Time {
	if offset != unset {
		t = t.moved(-int64(offset))
		z := local.zoneAt(t.sinceEpoch())
		if z.offset != offset || abbreviation != "" && z.name != abbreviation {
			local = FixedZone(abbreviation, offset)
		}
		return t.at(local)
	}
	if offset, ok := local.named(abbreviation, t.sinceEpoch()); ok {
		return t.moved(-int64(offset)).at(local)
	}
	// As in Go the clock's time is taken for UTC here.
	hours := 0
	if hasPrefix(abbreviation, "GMT") {
		hours, _ = signedHours(abbreviation[3:])
	}
	return t.at(FixedZone(abbreviation, hours*3600))
}
