package time

// The calendar. Days are numbered from a 1 March so long ago that no number is below zero: a year
// that begins in March has its leap day at the end, and unsigned numbers divide without a look at
// signs. The years divide by 400, after which the calendar repeats itself.

const (
	daySeconds = 24 * 60 * 60
	daysPerEra = 400*365 + 100 - 4 + 1
	erasBefore = 730692556        // from the first day there is to the year 0
	yearZero   = 400 * erasBefore // the year 0 as the years are counted here
	day1970    = daysPerEra*erasBefore + 719468

	// The seconds that the numbers of days begin before 1970.
	before1970 = day1970 * daySeconds
)

// dateOf tells the date of a day. C. Neri and L. Schneider, "Euclidean affine functions and their
// application to calendar algorithms": what would be divisions by lengths of years and months are
// multiplications here.
func dateOf(day uint64) (year int, month Month, dayOfMonth, yearDay int) {
	quarters := 4*day + 3
	century := quarters / daysPerEra
	scaled := 2939745 * (quarters%daysPerEra | 3)
	inYear := scaled & (1<<32 - 1) / (4 * 2939745) // from 1 March
	year = int(100*century + scaled>>32 - yearZero)
	fifths := 2141*inYear + 197913
	month, dayOfMonth = Month(fifths>>16), int(fifths&(1<<16-1)/2141)+1
	if month > December {
		return year + 1, month - 12, dayOfMonth, int(inYear) - 305
	}
	yearDay = int(inYear) + 60
	if hasLeapDay(year) {
		yearDay++
	}
	return year, month, dayOfMonth, yearDay
}

// dayOf is the number of a date's day. The day of the month may be any.
func dayOf(year int, month Month, day int) uint64 {
	if month <= February {
		year--
		month += 12
	}
	y := uint64(year + yearZero)
	beforeMonth := uint64(979*month-2919) >> 5
	return 365*y + y/4 - y/100 + y/400 + beforeMonth + uint64(day-1)
}

// weekdayOf: the first of all days was a Wednesday, as 1 March 2000 was.
func weekdayOf(day uint64) Weekday { return Weekday((day + 3) % 7) }

func hasLeapDay(year int) bool { return year&3 == 0 && (year%100 != 0 || year&15 == 0) }

// monthLength is the number of days of a month.
func monthLength(m Month, year int) int {
	if m == February {
		if hasLeapDay(year) {
			return 29
		}
		return 28
	}
	return 30 + int(m+m>>3)&1
}

// shown is the seconds that a calendar and a clock in t's location show, counted from the first day.
func (t Time) shown() uint64 {
	sec := uint64(t.sinceEpoch()) + before1970
	if t.loc == nil {
		return sec
	}
	return sec + uint64(t.zone().offset)
}

func (t Time) Date() (year int, month Month, day int) {
	year, month, day, _ = dateOf(t.shown() / daySeconds)
	return year, month, day
}

func (t Time) Year() int        { year, _, _ := t.Date(); return year }
func (t Time) Month() Month     { _, month, _ := t.Date(); return month }
func (t Time) Day() int         { _, _, day := t.Date(); return day }
func (t Time) Weekday() Weekday { return weekdayOf(t.shown() / daySeconds) }

func (t Time) YearDay() int {
	_, _, _, n := dateOf(t.shown() / daySeconds)
	return n
}

// ISOWeek gives the week by ISO 8601: it belongs to the year that its Thursday is in.
func (t Time) ISOWeek() (year, week int) {
	day := t.shown() / daySeconds
	monday := day - (day+2)%7
	year, _, _, yearDay := dateOf(monday + 3)
	return year, (yearDay + 6) / 7
}

func (t Time) Clock() (hour, min, sec int) {
	s := int(t.shown() % daySeconds)
	return s / 3600, s / 60 % 60, s % 60
}

func (t Time) Hour() int       { return int(t.shown()%daySeconds) / 3600 }
func (t Time) Minute() int     { return int(t.shown()%3600) / 60 }
func (t Time) Second() int     { return int(t.shown() % 60) }
func (t Time) Nanosecond() int { return int(t.nsec()) }

// Date makes the instant at which calendars and clocks in loc show these. All parts may be any
// numbers: what is beyond a month, a day, ... is carried over.
func Date(year int, month Month, day, hour, min, sec, nsec int, loc *Location) Time {
	if loc == nil {
		panic("time: missing Location in call to Date")
	}
	month--
	years := floorDiv(int64(month), 12)
	seconds := floorDiv(int64(nsec), 1e9)
	first := dayOf(year+int(years), month-12*Month(years)+1, 1)
	shown := (first+uint64(day-1))*daySeconds + uint64(hour*3600+min*60+sec) - before1970
	return fromEpoch(loc.unix(int64(shown)+seconds), int32(int64(nsec)-1e9*seconds)).at(loc)
}

// AddDate adds to the parts of the date, and carries as Date does.
func (t Time) AddDate(years int, months int, days int) Time {
	shown := t.shown()
	year, month, day, _ := dateOf(shown / daySeconds)
	second := int(shown % daySeconds)
	return Date(year+years, month+Month(months), day+days, 0, 0, second, int(t.nsec()), t.Location())
}

// floorDiv divides by a positive number, and rounds down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if q*b > a {
		q--
	}
	return q
}

// Month is a month of the year; January is 1.
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

// Weekday is a day of the week; Sunday is 0.
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

var (
	months = nameList{
		"January", "February", "March", "April", "May", "June",
		"July", "August", "September", "October", "November", "December",
	}
	weekdays = nameList{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
)

// A nameList has names whose first three letters differ.
type nameList []string

// at is the name at a place, or says which type has none there.
func (l nameList) at(i int, typ string, number int) string {
	if uint(i) < uint(len(l)) {
		return l[i]
	}
	var room [24]byte
	return "%!" + typ + "(" + string(room[:putDigits(room[:], 0, uint(number), 1, '0')]) + ")"
}

func (m Month) String() string   { return months.at(int(m)-1, "Month", int(m)) }
func (d Weekday) String() string { return weekdays.at(int(d), "Weekday", int(d)) }
