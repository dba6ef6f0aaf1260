package time

import "errors"

// Files with time zones, RFC 8536, and the rules in them, which are those of POSIX for TZ.

var errMalformed = errors.New("malformed time zone information")

// A tzReader takes pieces off a file. Once there were too few bytes it fails, and gives zeros.
type tzReader struct {
	p      []byte
	failed bool
}

func (r *tzReader) bytes(n int) []byte {
	if n < 0 || n > len(r.p) {
		r.p, r.failed = nil, true
		return nil
	}
	p := r.p[:n]
	r.p = r.p[n:]
	return p
}

// int is a number of four bytes or of eight.
func (r *tzReader) int(size int) int64 {
	var v int64
	for _, c := range r.bytes(size) {
		v = v<<8 | int64(c)
	}
	if size == 4 {
		v = int64(int32(v))
	}
	return v
}

// What a header counts.
const (
	utcFlags = iota
	standardFlags
	leapSeconds
	transitions
	zoneRecords
	nameBytes
	tzCounts
)

// A tzBlock is a header and what it counts. There may be two of them, for times of four bytes and of
// eight.
type tzBlock struct {
	version byte
	count   [tzCounts]int
}

func (r *tzReader) header() (b tzBlock) {
	r.failed = string(r.bytes(4)) != "TZif" || r.failed
	if head := r.bytes(16); !r.failed {
		b.version = head[0]
	}
	for i := range b.count {
		b.count[i] = int(r.int(4))
	}
	return b
}

// tail is the length of what follows the names, for times of so many bytes.
func (b *tzBlock) tail(size int) int {
	return b.count[leapSeconds]*(size+4) + b.count[standardFlags] + b.count[utcFlags]
}

// LoadLocationFromTZData makes a location of a file's content.
func LoadLocationFromTZData(name string, data []byte) (*Location, error) {
	r := &tzReader{p: data}
	size := 4
	b := r.header()
	if b.version >= '2' {
		r.bytes(b.count[transitions]*(size+1) + b.count[zoneRecords]*6 + b.count[nameBytes] + b.tail(size))
		size = 8
		second := r.header()
		second.version = b.version
		b = second
	}
	n, nZones := b.count[transitions], b.count[zoneRecords]
	times := tzReader{p: r.bytes(n * size)}
	indices := r.bytes(n)
	records := r.bytes(nZones * 6)
	names := r.bytes(b.count[nameBytes])
	r.bytes(b.tail(size))
	if r.failed || n < 0 || nZones <= 0 || nZones > 256 {
		return nil, errMalformed
	}
	c := &clock{zones: make([]zone, nZones), spans: make([]span, n+1)}
	for i := range c.zones {
		record := tzReader{p: records[6*i:]}
		offset := int(record.int(4))
		start := int(record.p[1])
		if start > len(names) {
			return nil, errMalformed
		}
		text := names[start:]
		for j, letter := range text {
			if letter == 0 {
				text = text[:j]
				break
			}
		}
		c.zones[i] = zone{string(text), offset, record.p[0] != 0}
	}
	for _, index := range indices {
		if int(index) >= nZones {
			return nil, errMalformed
		}
	}
	before := &c.spans[0]
	*before = span{firstSecond, lastSecond, c.zoneBefore(indices)}
	for i, index := range indices {
		at := times.int(size)
		before.to = at
		before = &c.spans[i+1]
		*before = span{at, lastSecond, &c.zones[index]}
	}
	last := len(r.p) - 1
	if b.version >= '2' && last > 1 && r.p[0] == '\n' && r.p[last] == '\n' {
		if rule, ok := parseRule(string(r.p[1:last])); ok {
			if rule.begin.kind == 0 {
				before.zone = &rule.standard
			} else {
				c.rule = rule
			}
		}
	}
	return &Location{name, c}, nil
}

// zoneBefore is the zone in force before the first transition: the first of all if no transition leads
// to it; otherwise a standard one, if transitions begin with summer time the one before that.
func (c *clock) zoneBefore(indices []byte) *zone {
	isFree := true
	for _, index := range indices {
		isFree = isFree && index != 0
	}
	if isFree {
		return &c.zones[0]
	}
	if first := indices[0]; c.zones[first].summer {
		for first > 0 {
			if first--; !c.zones[first].summer {
				return &c.zones[first]
			}
		}
	}
	for i := range c.zones {
		if z := &c.zones[i]; !z.summer {
			return z
		}
	}
	return &c.zones[0]
}

// A rule says when summer time begins and ends in every year. Without summer time both have kind 0.
type rule struct {
	standard, summer zone
	begin, end       change
}

// A change is a day, and a second of it as clocks show it. Days are of kind J, from 1 to 365 without
// 29 February; N, from 0 to 365; or M, a weekday of a week of a month, of which 5 is the last.
type change struct {
	kind             byte
	month, week, day int
	second           int
}

// in is the seconds from the beginning of a year to the change.
func (c *change) in(year int) int64 {
	day := c.day
	switch c.kind {
	case 'J':
		if day < 60 || !hasLeapDay(year) {
			day--
		}
	case 'M':
		first := dayOf(year, Month(c.month), 1)
		day = (c.day-int(weekdayOf(first))+7)%7 + 7*(c.week-1)
		if day >= monthLength(Month(c.month), year) {
			day -= 7
		}
		day += int(first - dayOf(year, January, 1))
	}
	return int64(day)*daySeconds + int64(c.second)
}

// find looks up a second that is not before the last transition, which was at since. What it finds
// holds in that year only.
func (r *rule) find(sec, since int64) *found {
	year, _, _, _ := dateOf((uint64(sec) + before1970) / daySeconds)
	first := func(year int) int64 {
		return int64(dayOf(year, January, 1)*daySeconds - before1970)
	}
	start, next := first(year), first(year+1)
	inside, outside := &r.summer, &r.standard
	from := start + r.begin.in(year) - int64(r.standard.offset)
	to := start + r.end.in(year) - int64(r.summer.offset)
	if to < from { // in the southern half of the world
		from, to = to, from
		inside, outside = outside, inside
	}
	since = max(since, start)
	switch {
	case sec < from:
		return &found{since, min(from, next), span{start, from, outside}}
	case sec < to:
		return &found{max(from, since), min(to, next), span{from, to, inside}}
	}
	// As in Go it ends 365 days after the year's beginning, whatever the year.
	return &found{max(to, since), next, span{to, start + 365*daySeconds, outside}}
}

// A ruleReader takes pieces off the text of a rule; ok is false once something was not as it should be.
type ruleReader struct {
	s  string
	ok bool
}

// skip takes a character, if it is next.
func (r *ruleReader) skip(c byte) bool {
	if r.s == "" || r.s[0] != c {
		return false
	}
	r.s = r.s[1:]
	return true
}

// need takes a character that has to come.
func (r *ruleReader) need(c byte) {
	if !r.skip(c) {
		r.ok = false
	}
}

func (r *ruleReader) number(least, most int) int {
	v, n := 0, countDigits(r.s)
	for _, c := range []byte(r.s[:n]) {
		if v = 10*v + int(c-'0'); v > most {
			r.ok = false
			return 0
		}
	}
	r.s = r.s[n:]
	r.ok = r.ok && n > 0 && v >= least
	return v
}

// name takes an abbreviation: letters, three or more, or anything between < and >.
func (r *ruleReader) name() string {
	quoted := r.skip('<')
	n := 0
	for n < len(r.s) {
		c := r.s[n]
		if quoted && c == '>' || !quoted && (c-'0' < 10 || c == ',' || c == '-' || c == '+') {
			break
		}
		n++
	}
	s := r.s[:n]
	r.s = r.s[n:]
	if quoted {
		r.need('>')
	} else if n < 3 {
		r.ok = false
	}
	return s
}

// clock takes hours, and perhaps minutes and seconds, with or without a sign.
func (r *ruleReader) clock() int {
	negative := r.skip('-')
	if !negative {
		r.skip('+')
	}
	sum, most := 0, 7*24
	for _, unit := range [...]int{3600, 60, 1} {
		sum += unit * r.number(0, most)
		if !r.ok || !r.skip(':') {
			break
		}
		most = 59
	}
	if negative {
		return -sum
	}
	return sum
}

func (r *ruleReader) change() (c change) {
	switch {
	case r.skip('J'):
		c.kind = 'J'
		c.day = r.number(1, 365)
	case r.skip('M'):
		c.kind = 'M'
		c.month = r.number(1, 12)
		r.need('.')
		c.week = r.number(1, 5)
		r.need('.')
		c.day = r.number(0, 6)
	default:
		c.kind = 'N'
		c.day = r.number(0, 365)
	}
	c.second = 2 * 3600
	if r.ok && r.skip('/') {
		c.second = r.clock()
	}
	return c
}

// parseRule reads a rule such as CET-1CEST,M3.5.0,M10.5.0/3. Its offsets are those of clocks behind
// UTC.
func parseRule(s string) (*rule, bool) {
	r := ruleReader{s, true}
	var z rule
	z.standard = zone{r.name(), -r.clock(), false}
	if !r.ok {
		return nil, false
	}
	if r.s == "" || r.s[0] == ',' {
		return &z, true
	}
	z.summer = zone{r.name(), z.standard.offset + 3600, true}
	if r.s != "" && r.s[0] != ',' {
		z.summer.offset = -r.clock()
	}
	if r.ok && r.s == "" {
		r.s = ",M3.2.0,M11.1.0" // what the United States have
	}
	if !r.skip(';') {
		r.need(',')
	}
	z.begin = r.change()
	r.need(',')
	z.end = r.change()
	return &z, r.ok && r.s == ""
}
