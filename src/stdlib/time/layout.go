package time

import "sync/atomic"

// Layouts. A layout is compiled into a plan, a list of steps; writing and reading times both follow
// the plan. Plans of layouts in use are kept.

// Layouts that Format and Parse take. Others are made of the same pieces, which are those of the
// time Mon Jan 2 15:04:05 MST 2006.
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

// A part is one of the numbers that a calendar and a clock show.
type part uint8

const (
	yearPart part = iota
	centuryPart
	monthPart
	weekdayPart
	dayPart
	yearDayPart
	hourPart
	halfHourPart // of the half of the day, 1 to 12
	minutePart
	secondPart
	parts
)

// A reading is what a calendar and a clock show.
type reading [parts]int

type kind uint8

const (
	end      kind = iota
	number        // a part in digits
	short         // the year of a century
	name          // a month's or a weekday's name
	half          // AM or PM
	offset        // a zone's offset
	zoneName      // a zone's abbreviation
	fraction      // of a second
)

// A step writes or reads text as it stands, and then an element.
type step struct {
	text    string
	element string // as the layout has it
	kind    kind
	part    part
	width   int  // digits that are written at least, letters of a name, groups of an offset
	digits  int  // that are read at most
	pad     byte // before shorter numbers
	blanks  int  // which may be read in place of digits
	flag    bool // see the table
}

// elements has what pieces of layouts stand for. Of those with a common beginning the longest comes
// first. The flag says: of a number, that it has all its digits; of a name, that it is a weekday's;
// of a half, that it is in small letters; of an offset, that Z stands for none.
var elements = [...]step{
	{element: "2006", kind: number, part: yearPart, width: 4, pad: '0', digits: 4, flag: true},
	{element: "06", kind: short, part: centuryPart, width: 2, pad: '0'},
	{element: "01", kind: number, part: monthPart, width: 2, pad: '0', digits: 2, flag: true},
	{element: "002", kind: number, part: yearDayPart, width: 3, pad: '0', digits: 3, flag: true},
	{element: "__2", kind: number, part: yearDayPart, width: 3, pad: ' ', digits: 3, blanks: 2},
	{element: "02", kind: number, part: dayPart, width: 2, pad: '0', digits: 2, flag: true},
	{element: "_2", kind: number, part: dayPart, width: 2, pad: ' ', digits: 2, blanks: 1},
	{element: "2", kind: number, part: dayPart, width: 1, digits: 2},
	{element: "15", kind: number, part: hourPart, width: 2, pad: '0', digits: 2},
	{element: "03", kind: number, part: halfHourPart, width: 2, pad: '0', digits: 2, flag: true},
	{element: "3", kind: number, part: halfHourPart, width: 1, digits: 2},
	{element: "04", kind: number, part: minutePart, width: 2, pad: '0', digits: 2, flag: true},
	{element: "4", kind: number, part: minutePart, width: 1, digits: 2},
	{element: "05", kind: number, part: secondPart, width: 2, pad: '0', digits: 2, flag: true},
	{element: "5", kind: number, part: secondPart, width: 1, digits: 2},
	{element: "1", kind: number, part: monthPart, width: 1, digits: 2},
	{element: "January", kind: name, part: monthPart, width: 9},
	{element: "Jan", kind: name, part: monthPart, width: 3},
	{element: "Monday", kind: name, part: weekdayPart, width: 9, flag: true},
	{element: "Mon", kind: name, part: weekdayPart, width: 3, flag: true},
	{element: "PM", kind: half, part: hourPart, width: 2},
	{element: "pm", kind: half, part: hourPart, width: 2, flag: true},
	{element: "MST", kind: zoneName},
	{element: "-07:00:00", kind: offset, width: 3, pad: ':'},
	{element: "-07:00", kind: offset, width: 2, pad: ':'},
	{element: "-070000", kind: offset, width: 3},
	{element: "-0700", kind: offset, width: 2},
	{element: "-07", kind: offset, width: 1},
	{element: "Z07:00:00", kind: offset, width: 3, pad: ':', flag: true},
	{element: "Z07:00", kind: offset, width: 2, pad: ':', flag: true},
	{element: "Z070000", kind: offset, width: 3, flag: true},
	{element: "Z0700", kind: offset, width: 2, flag: true},
	{element: "Z07", kind: offset, width: 1, flag: true},
}

func hasPrefix(s, begin string) bool { return len(begin) <= len(s) && s[:len(begin)] == begin }

// begins says whether an element of a layout can begin with c.
func begins(c byte) bool {
	const low, high = 1<<'-' | 1<<'0' | 1<<'1' | 1<<'2' | 1<<'3' | 1<<'4' | 1<<'5' | 1<<'.' | 1<<',',
		1<<('J'-64) | 1<<('M'-64) | 1<<('P'-64) | 1<<('Z'-64) | 1<<('_'-64) | 1<<('p'-64)
	if c < 64 {
		return low>>c&1 != 0
	}
	return c < 128 && uint64(high)>>(c-64)&1 != 0
}

// elementOf is the step for the element that s begins with; its kind is end if there is none.
func elementOf(s string) step {
	if s[0] == '.' || s[0] == ',' {
		return fractionOf(s)
	}
	for i := range elements {
		e := &elements[i]
		n := len(e.element)
		if e.element[0] != s[0] || !hasPrefix(s, e.element) {
			continue
		}
		// Janet and Monza are no names of months and days.
		if e.kind == name && e.width == 3 && n < len(s) && 'a' <= s[n] && s[n] <= 'z' {
			continue
		}
		return *e
	}
	return step{}
}

// fractionOf is the step for zeros or nines behind a point: as many digits, without zeros at the end
// if they are nines.
func fractionOf(s string) step {
	n := 1
	for n < len(s) && s[n] == s[1] {
		n++
	}
	if n == 1 || s[1] != '0' && s[1] != '9' || countDigits(s[n:]) > 0 {
		return step{}
	}
	return step{element: s[:n], kind: fraction, pad: s[0], width: n - 1, flag: s[1] == '9'}
}

// A plan is a layout's steps; the last one has text only.
type plan struct {
	layout string
	steps  []step
	most   int  // bytes that it writes at most, but for the abbreviation of a zone
	long   int  // how many more if the year has not four digits, or the offset's hours not two
	zone   bool // whether it writes the abbreviation
}

func compile(layout string) *plan {
	p := &plan{layout: layout}
	from := 0
	for i := 0; i < len(layout); i++ {
		if !begins(layout[i]) || layout[i] == '_' && hasPrefix(layout[i:], "_2006") {
			continue
		}
		s := elementOf(layout[i:])
		if s.kind == end {
			continue
		}
		if s.kind == fraction && len(p.steps) > 0 {
			// Seconds before it do not read a fraction of their own.
			p.steps[len(p.steps)-1].blanks &^= ownFraction
		}
		if s.part == secondPart {
			s.blanks = ownFraction
		}
		s.text = layout[from:i]
		p.add(s)
		from = i + len(s.element)
		i = from - 1
	}
	p.add(step{text: layout[from:]})
	return p
}

// ownFraction, as a number of blanks, marks seconds that read a fraction that the layout has not.
const ownFraction = 1 << 8

// longOffset is the least offset whose hours have three digits.
const longOffset = 100 * 3600

func (p *plan) add(s step) {
	p.steps = append(p.steps, s)
	p.most += len(s.text)
	switch s.kind {
	case number, short:
		p.most += max(s.width, 2)
		p.long += 20
	case offset, zoneName:
		p.most += len("+00:00:-30") // what Go makes of half a minute
		p.long += 20
		p.zone = p.zone || s.kind == zoneName
	case name, half:
		p.most += s.width
	case fraction:
		p.most += len(".1073741823") // a time that was decoded can have so many nanoseconds
	}
}

// The plans of layouts that are in use. A layout has two places, of which it takes the second when
// another one comes.
var plans [128]atomic.Pointer[plan]

const longLayout = 128 // and longer: their plans are not kept

func planOf(layout string) *plan {
	n := len(layout)
	if n == 0 || n >= longLayout {
		return compile(layout)
	}
	sum := uint(n) + 5*uint(layout[0]) + 11*uint(layout[n/2]) + 23*uint(layout[n-1])
	i := sum & 126
	p := plans[i].Load()
	if p != nil && p.layout == layout {
		return p
	}
	q := plans[i+1].Load()
	if q != nil && q.layout == layout {
		return q
	}
	if p != nil {
		plans[i+1].Store(p)
	}
	p = compile(layout)
	plans[i].Store(p)
	return p
}
