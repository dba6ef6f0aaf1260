// Package time: durations, instants, calendars, time zones, timers.
//
// An instant has Go's representation: wall holds a flag, seconds since 1885 and nanoseconds while a monotonic reading is in ext;
// without the flag ext holds the seconds since the year 1.
package time

import (
	"errors"
	"unsafe"
)

// Natives. The clock: Unix time, and nanoseconds since the process began.
func now() (sec int64, nsec int32, mono int64)
func runtimeNano() int64

// Sleep parks the goroutine for at least d; at once if d ≤ 0.
func Sleep(d Duration)

// newChanTimer makes and starts a timer that sends the time on its own channel C, with a location for the times it sends.
func newChanTimer(d, period int64, loc *Location) *Timer

// newFuncTimer makes and starts a timer that calls f in a goroutine.
func newFuncTimer(d int64, f func()) *Timer
func stopTimer(t *Timer) bool
func resetTimer(t *Timer, d, period int64) bool

// readFile gives a whole file; ok is false if it cannot be read.
func readFile(name string) (data []byte, ok bool)
func getenv(name string) (value string, ok bool)

type Duration int64

const (
	Nanosecond  Duration = 1
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
	Minute               = 60 * Second
	Hour                 = 60 * Minute
)

const (
	minDuration Duration = -1 << 63
	maxDuration Duration = 1<<63 - 1
)

func (d Duration) Nanoseconds() int64  { return int64(d) }
func (d Duration) Microseconds() int64 { return int64(d) / 1e3 }
func (d Duration) Milliseconds() int64 { return int64(d) / 1e6 }
func (d Duration) Seconds() float64    { return float64(d/Second) + float64(d%Second)/1e9 }
func (d Duration) Minutes() float64    { return float64(d/Minute) + float64(d%Minute)/(60*1e9) }
func (d Duration) Hours() float64      { return float64(d/Hour) + float64(d%Hour)/(60*60*1e9) }

func (d Duration) Abs() Duration {
	switch {
	case d >= 0:
		return d
	case d == minDuration:
		return maxDuration
	}
	return -d
}

func (d Duration) Truncate(m Duration) Duration {
	if m <= 0 {
		return d
	}
	return d - d%m
}

func (d Duration) Round(m Duration) Duration {
	if m <= 0 {
		return d
	}
	rest := d % m
	inner := d - rest // the multiple next to d on the side of zero
	if d < 0 {
		if -rest < m+rest {
			return inner
		}
		if outer := inner - m; outer < d {
			return outer
		}
		return minDuration
	}
	if rest < m-rest {
		return inner
	}
	if outer := inner + m; outer > d {
		return outer
	}
	return maxDuration
}

// String writes the largest units that are not zero: 72h3m0.5s, 1.5ms, 0s.
func (d Duration) String() string {
	var buf [32]byte
	at := len(buf)
	put := func(c byte) { at--; buf[at] = c }
	digits := func(v uint64) {
		if v == 0 {
			put('0')
		}
		for ; v > 0; v /= 10 {
			put(byte('0' + v%10))
		}
	}
	// fraction writes v's last n digits behind a point, without trailing zeros, and gives what is before them.
	fraction := func(v uint64, n int) uint64 {
		shown := false
		for range n {
			if digit := v % 10; digit != 0 || shown {
				shown = true
				put(byte('0' + digit))
			}
			v /= 10
		}
		if shown {
			put('.')
		}
		return v
	}
	u := uint64(d)
	if d < 0 {
		u = -u
	}
	put('s')
	if u < uint64(Second) {
		if u == 0 {
			return "0s"
		}
		places := 0
		switch {
		case u < uint64(Microsecond):
			put('n')
		case u < uint64(Millisecond):
			places = 3
			at -= 2
			copy(buf[at:], "µ")
		default:
			places = 6
			put('m')
		}
		digits(fraction(u, places))
	} else {
		u = fraction(u, 9)
		digits(u % 60)
		if u /= 60; u > 0 {
			put('m')
			digits(u % 60)
			if u /= 60; u > 0 {
				put('h')
				digits(u)
			}
		}
	}
	if d < 0 {
		put('-')
	}
	return string(buf[at:])
}

var durationUnits = map[string]uint64{
	"ns": uint64(Nanosecond), "us": uint64(Microsecond), "µs": uint64(Microsecond), "μs": uint64(Microsecond),
	"ms": uint64(Millisecond), "s": uint64(Second), "m": uint64(Minute), "h": uint64(Hour),
}

func ParseDuration(s string) (Duration, error) {
	whole := s
	invalid := func() (Duration, error) { return 0, errors.New("time: invalid duration " + quote(whole)) }
	negative := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative = s[0] == '-'
		s = s[1:]
	}
	if s == "0" {
		return 0, nil
	}
	if s == "" {
		return invalid()
	}
	var total uint64
	for s != "" {
		if s[0] != '.' && !isDigit(s, 0) {
			return invalid()
		}
		var v, frac uint64
		scale := 1.0
		i := 0
		for ; isDigit(s, i); i++ {
			if v > 1<<63/10 {
				return invalid()
			}
			if v = v*10 + uint64(s[i]-'0'); v > 1<<63 {
				return invalid()
			}
		}
		some := i > 0
		if i < len(s) && s[i] == '.' {
			full := false
			start := i + 1
			for i++; isDigit(s, i); i++ {
				if full || frac > (1<<63-1)/10 {
					full = true
					continue
				}
				next := frac*10 + uint64(s[i]-'0')
				if next > 1<<63 {
					full = true
					continue
				}
				frac = next
				scale *= 10
			}
			some = some || i > start
		}
		if !some {
			return invalid()
		}
		s = s[i:]
		for i = 0; i < len(s) && s[i] != '.' && !isDigit(s, i); i++ {
		}
		if i == 0 {
			return 0, errors.New("time: missing unit in duration " + quote(whole))
		}
		unit, ok := durationUnits[s[:i]]
		if !ok {
			return 0, errors.New("time: unknown unit " + quote(s[:i]) + " in duration " + quote(whole))
		}
		s = s[i:]
		if v > 1<<63/unit {
			return invalid()
		}
		v *= unit
		if frac > 0 {
			if v += uint64(float64(frac) * (float64(unit) / scale)); v > 1<<63 {
				return invalid()
			}
		}
		if total += v; total > 1<<63 {
			return invalid()
		}
	}
	if negative {
		return -Duration(total), nil
	}
	if total > 1<<63-1 {
		return invalid()
	}
	return Duration(total), nil
}

type Month int

const (
	January Month = 1 + iota
	February
	March
	April
	May
	June
	July
	August
	September
	October
	November
	December
)

var monthNames = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

func (m Month) String() string {
	if January <= m && m <= December {
		return monthNames[m-1]
	}
	return "%!Month(" + string(appendInt(nil, int(m), 0)) + ")"
}

type Weekday int

const (
	Sunday Weekday = iota
	Monday
	Tuesday
	Wednesday
	Thursday
	Friday
	Saturday
)

var dayNames = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}

func (d Weekday) String() string {
	if Sunday <= d && d <= Saturday {
		return dayNames[d]
	}
	return "%!Weekday(" + string(appendInt(nil, int(d), 0)) + ")"
}

type Time struct {
	wall uint64
	ext  int64
	loc  *Location
}

const (
	hasMonotonic   = 1 << 63
	nsecMask       = 1<<30 - 1
	nsecShift      = 30
	secondsPerDay  = 24 * 60 * 60
	unixToInternal = (1969*365 + 1969/4 - 1969/100 + 1969/400) * secondsPerDay
	wallToInternal = (1884*365 + 1884/4 - 1884/100 + 1884/400) * secondsPerDay
	minWall        = wallToInternal
	daysTo1970     = 1969*365 + 1969/4 - 1969/100 + 1969/400 // from 1 January of the year 1
)

// internal is the seconds since the year 1, UTC.
func (t *Time) internal() int64 {
	if t.wall&hasMonotonic != 0 {
		return wallToInternal + int64(t.wall<<1>>(nsecShift+1))
	}
	return t.ext
}

func (t *Time) nsec() int32    { return int32(t.wall & nsecMask) }
func (t *Time) unixSec() int64 { return t.internal() - unixToInternal }
func (t *Time) dropMonotonic() {
	if t.wall&hasMonotonic != 0 {
		t.ext = t.internal()
		t.wall &= nsecMask
	}
}

// plus adds; the sum does not count if it is not ok.
func plus(a, b int64) (sum int64, ok bool) {
	sum = a + b
	return sum, (sum > a) == (b > 0)
}

// addSec keeps the monotonic form where the seconds still fit. Times beyond what there is are the last ones there are.
func (t *Time) addSec(d int64) {
	const latest = 1<<63 - 1
	if t.wall&hasMonotonic != 0 {
		if sec := int64(t.wall<<1>>(nsecShift+1)) + d; uint64(sec)>>33 == 0 {
			t.wall = hasMonotonic | uint64(sec)<<nsecShift | t.wall&nsecMask
			return
		}
		t.dropMonotonic()
	}
	sec, ok := plus(t.ext, d)
	switch {
	case ok:
	case d > 0:
		sec = latest
	default:
		sec = -latest
	}
	t.ext = sec
}

func (t *Time) setLoc(loc *Location) {
	if loc == &utcLoc {
		loc = nil
	}
	t.dropMonotonic()
	t.loc = loc
}

func Now() Time {
	sec, nsec, mono := now()
	since1885 := sec + unixToInternal - minWall
	if uint64(since1885)>>33 != 0 || mono == 0 {
		return Time{uint64(nsec), since1885 + minWall, Local}
	}
	return Time{hasMonotonic | uint64(since1885)<<nsecShift | uint64(nsec), mono, Local}
}

func unixTime(sec int64, nsec int32) Time { return Time{uint64(nsec), sec + unixToInternal, Local} }

func Unix(sec int64, nsec int64) Time {
	more := floorDiv(nsec, 1e9)
	return unixTime(sec+more, int32(nsec-more*1e9))
}

func UnixMilli(msec int64) Time { return Unix(msec/1e3, (msec%1e3)*1e6) }
func UnixMicro(usec int64) Time { return Unix(usec/1e6, (usec%1e6)*1e3) }

func Since(t Time) Duration {
	if t.wall&hasMonotonic != 0 {
		if n := runtimeNano(); n != 0 {
			return elapsed(n-t.ext, n > t.ext)
		}
	}
	return Now().Sub(t)
}

func Until(t Time) Duration {
	if t.wall&hasMonotonic != 0 {
		if n := runtimeNano(); n != 0 {
			return elapsed(t.ext-n, t.ext > n)
		}
	}
	return t.Sub(Now())
}

// elapsed is the difference d, or the limit it ran over; positive tells which sign it has.
func elapsed(d int64, positive bool) Duration {
	switch {
	case d < 0 && positive:
		return maxDuration
	case d > 0 && !positive:
		return minDuration
	}
	return Duration(d)
}

func (t Time) After(u Time) bool  { return t.Compare(u) > 0 }
func (t Time) Before(u Time) bool { return t.Compare(u) < 0 }
func (t Time) Equal(u Time) bool  { return t.Compare(u) == 0 }

func (t Time) Compare(u Time) int {
	a, b := t.internal(), u.internal()
	if t.wall&u.wall&hasMonotonic != 0 {
		a, b = t.ext, u.ext
	} else if a == b {
		a, b = int64(t.nsec()), int64(u.nsec())
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return +1
	}
	return 0
}

func (t Time) IsZero() bool { return t.internal() == 0 && t.nsec() == 0 }

func (t Time) Sub(u Time) Duration {
	if t.wall&u.wall&hasMonotonic != 0 {
		return elapsed(t.ext-u.ext, t.ext > u.ext)
	}
	d := Duration(t.unixSec()-u.unixSec())*Second + Duration(t.nsec()-u.nsec())
	if u.Add(d).Equal(t) {
		return d
	}
	if t.After(u) {
		return maxDuration
	}
	return minDuration
}

func (t Time) Add(d Duration) Time {
	nsec := int64(t.nsec()) + int64(d%Second)
	more := floorDiv(nsec, 1e9)
	t.wall = t.wall&^nsecMask | uint64(nsec-more*1e9)
	t.addSec(int64(d/Second) + more)
	if t.wall&hasMonotonic != 0 {
		if mono, ok := plus(t.ext, int64(d)); ok {
			t.ext = mono
		} else {
			t.dropMonotonic()
		}
	}
	return t
}

func (t Time) AddDate(years int, months int, days int) Time {
	y, m, d := t.Date()
	h, mi, s := t.Clock()
	return Date(y+years, m+Month(months), d+days, h, mi, s, t.Nanosecond(), t.Location())
}

// Calendar. Days are counted from 1 March of the year 0 in eras of 400 years, so that leap days come last.

const daysPer400Years = 146097

// dateOf turns days since 1 January 1970 into a date.
func dateOf(days int64) (year int, month Month, day int) {
	z := days + 719468
	era := floorDiv(z, daysPer400Years)
	doe := z - era*daysPer400Years
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = int(doy-(153*mp+2)/5) + 1
	month = Month(mp + 3)
	y := yoe + era*400
	if month > 12 {
		month -= 12
		y++
	}
	return int(y), month, day
}

// daysOf is the reverse of dateOf; month is 1 to 12.
func daysOf(year int, month Month, day int) int64 {
	y := int64(year)
	m := int64(month)
	if m <= 2 {
		y--
		m += 12
	}
	era := floorDiv(y, 400)
	yoe := y - era*400
	doy := (153*(m-3)+2)/5 + int64(day) - 1
	return era*daysPer400Years + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysIn(m Month, year int) int {
	switch m {
	case February:
		if isLeap(year) {
			return 29
		}
		return 28
	case April, June, September, November:
		return 30
	}
	return 31
}

// local is the seconds since 1970 as a clock in t's location shows them.
func (t *Time) local() int64 {
	_, offset, _, _, _ := t.zone()
	return t.unixSec() + int64(offset)
}

func (t *Time) zone() (name string, offset int, start, end int64, isDST bool) {
	return t.loc.get().lookup(t.unixSec())
}

func (t Time) Date() (year int, month Month, day int) {
	return dateOf(floorDiv(t.local(), secondsPerDay))
}

func (t Time) Year() int        { year, _, _ := t.Date(); return year }
func (t Time) Month() Month     { _, month, _ := t.Date(); return month }
func (t Time) Day() int         { _, _, day := t.Date(); return day }
func (t Time) Nanosecond() int  { return int(t.nsec()) }
func (t Time) Weekday() Weekday { return weekdayOf(floorDiv(t.local(), secondsPerDay)) }

// weekdayOf: the first of January 1970 was a Thursday.
func weekdayOf(days int64) Weekday { return Weekday(((days+4)%7 + 7) % 7) }

func (t Time) YearDay() int {
	days := floorDiv(t.local(), secondsPerDay)
	year, _, _ := dateOf(days)
	return int(days-daysOf(year, January, 1)) + 1
}

func (t Time) ISOWeek() (year, week int) {
	days := floorDiv(t.local(), secondsPerDay)
	days += int64(Thursday - (weekdayOf(days)+6)%7 - 1) // Thursday of the same week decides
	year, _, _ = dateOf(days)
	return year, int(days-daysOf(year, January, 1))/7 + 1
}

func (t Time) Clock() (hour, min, sec int) {
	s := t.local()
	s -= floorDiv(s, secondsPerDay) * secondsPerDay
	return int(s / 3600), int(s / 60 % 60), int(s % 60)
}

func (t Time) Hour() int   { hour, _, _ := t.Clock(); return hour }
func (t Time) Minute() int { _, min, _ := t.Clock(); return min }
func (t Time) Second() int { _, _, sec := t.Clock(); return sec }

func (t Time) Unix() int64      { return t.unixSec() }
func (t Time) UnixMilli() int64 { return t.unixSec()*1e3 + int64(t.nsec())/1e6 }
func (t Time) UnixMicro() int64 { return t.unixSec()*1e6 + int64(t.nsec())/1e3 }
func (t Time) UnixNano() int64  { return t.unixSec()*1e9 + int64(t.nsec()) }

func (t Time) UTC() Time   { t.setLoc(&utcLoc); return t }
func (t Time) Local() Time { t.setLoc(Local); return t }

func (t Time) In(loc *Location) Time {
	if loc == nil {
		panic("time: missing Location in call to Time.In")
	}
	t.setLoc(loc)
	return t
}

func (t Time) Location() *Location {
	if t.loc == nil {
		return UTC
	}
	return t.loc
}

func (t Time) Zone() (name string, offset int) {
	name, offset, _, _, _ = t.zone()
	return name, offset
}

func (t Time) ZoneBounds() (start, end Time) {
	_, _, from, to, _ := t.zone()
	if from != alpha {
		start = unixTime(from, 0)
		start.setLoc(t.loc.get())
	}
	if to != omega {
		end = unixTime(to, 0)
		end.setLoc(t.loc.get())
	}
	return start, end
}

func (t Time) IsDST() bool {
	_, _, _, _, dst := t.zone()
	return dst
}

// carry moves what is beyond base from lo into hi.
func carry(hi, lo, base int) (int, int) {
	n := floorDiv(int64(lo), int64(base))
	return hi + int(n), lo - int(n)*base
}

func Date(year int, month Month, day, hour, min, sec, nsec int, loc *Location) Time {
	if loc == nil {
		panic("time: missing Location in call to Date")
	}
	year, months := carry(year, int(month)-1, 12)
	sec, nsec = carry(sec, nsec, 1e9)
	// The others need not be carried: a sum takes them as they are.
	days := daysOf(year, Month(months+1), 1) + int64(day) - 1
	local := days*secondsPerDay + int64(hour)*3600 + int64(min)*60 + int64(sec)
	t := unixTime(loc.unix(local), int32(nsec))
	t.setLoc(loc)
	return t
}

// unix is when the clocks of l show local. The offset in force depends on the time, which depends on the offset: what comes of a guess
// tells on which side of a change it is.
func (l *Location) unix(local int64) int64 {
	if l == UTC || l == &utcLoc {
		return local
	}
	_, offset, start, end, _ := l.get().lookup(local)
	if at := local - int64(offset); offset != 0 && (at < start || end <= at) {
		_, offset, _, _, _ = l.get().lookup(at)
	}
	return local - int64(offset)
}

// since the year 1, modulo d: what Truncate takes off, and whether twice that is at least d.
func (t Time) remainder(d Duration) (r Duration, half bool) {
	sec, nsec := t.internal(), int64(t.nsec())
	negative := sec < 0
	if negative {
		sec = -sec
		if nsec = -nsec; nsec < 0 {
			nsec += 1e9
			sec--
		}
	}
	// (sec·1e9 + nsec) mod d by halves that do not overflow.
	hi, lo := mul64(uint64(sec), 1e9)
	lo += uint64(nsec)
	if lo < uint64(nsec) {
		hi++
	}
	rest := mod128(hi, lo, uint64(d))
	r = Duration(rest)
	if negative && r != 0 {
		r = d - r
	}
	return r, uint64(r)+uint64(r) >= uint64(d)
}

func mul64(x, y uint64) (hi, lo uint64) {
	x0, x1 := x&(1<<32-1), x>>32
	y0, y1 := y&(1<<32-1), y>>32
	low := x0 * y0
	mid := x1*y0 + low>>32
	mid2 := mid&(1<<32-1) + x0*y1
	return x1*y1 + mid>>32 + mid2>>32, x * y
}

func mod128(hi, lo, d uint64) uint64 {
	r := hi % d
	for bit := 63; bit >= 0; bit-- {
		carried := r >> 63
		r = r<<1 | lo>>uint(bit)&1
		if carried != 0 || r >= d {
			r -= d
		}
	}
	return r
}

func (t Time) Truncate(d Duration) Time {
	t.dropMonotonic()
	if d <= 0 {
		return t
	}
	r, _ := t.remainder(d)
	return t.Add(-r)
}

func (t Time) Round(d Duration) Time {
	t.dropMonotonic()
	if d <= 0 {
		return t
	}
	r, half := t.remainder(d)
	if half {
		return t.Add(d - r)
	}
	return t.Add(-r)
}

// Timers. Timer and Ticker begin as the runtime's timer does.

type Timer struct {
	C         <-chan Time
	initTimer bool
}

func NewTimer(d Duration) *Timer            { return newChanTimer(int64(d), 0, Local) }
func AfterFunc(d Duration, f func()) *Timer { return newFuncTimer(int64(d), f) }
func After(d Duration) <-chan Time          { return NewTimer(d).C }

func (t *Timer) Stop() bool {
	if !t.initTimer {
		panic("time: Stop called on uninitialized Timer")
	}
	return stopTimer(t)
}

func (t *Timer) Reset(d Duration) bool {
	if !t.initTimer {
		panic("time: Reset called on uninitialized Timer")
	}
	return resetTimer(t, int64(d), 0)
}

type Ticker struct {
	C          <-chan Time
	initTicker bool
}

func NewTicker(d Duration) *Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	return (*Ticker)(unsafe.Pointer(newChanTimer(int64(d), int64(d), Local)))
}

func (t *Ticker) Stop() {
	if t.initTicker {
		stopTimer((*Timer)(unsafe.Pointer(t)))
	}
}

func (t *Ticker) Reset(d Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	if !t.initTicker {
		panic("time: Reset called on uninitialized Ticker")
	}
	resetTimer((*Timer)(unsafe.Pointer(t)), int64(d), int64(d))
}

func Tick(d Duration) <-chan Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}
