// Package time: durations, instants, calendars, time zones, timers.
//
// A Time is seconds and nanoseconds, a location, and after Now a reading of the monotonic clock. What
// can be done with it is spread over the files by what it stands on:
//
//   - time.go: the clock, arithmetic with instants, timers. Nothing here knows days.
//   - duration.go: durations, which are numbers, and their texts.
//   - calendar.go: days, months and years. Two functions do all of it: from the number of a day to its
//     date, and back.
//   - zoneinfo.go, tzif.go: locations are tables of the times when clocks changed, read from files, and
//     rules for the years to come. A lookup keeps what it has found.
//   - layout.go: a layout is compiled into a plan, once.
//   - format.go, parse.go: both follow such a plan. Texts are written by index into a piece of memory
//     that is long enough; reading stops at the first step that does not fit.
//
// The clock and the timers themselves are the runtime's.
package time

import (
	"math/bits"
	"unsafe"
)

// now reads the clock: Unix time, and nanoseconds since the process began, 0 if there is no such clock.
func now() (sec int64, nsec int32, mono int64)

// runtimeNano reads the monotonic clock only.
func runtimeNano() int64

// Sleep parks the goroutine for at least d; at once if d ≤ 0.
func Sleep(d Duration)

// readFile gives a whole file; ok is false if it cannot be read.
func readFile(name string) (data []byte, ok bool)
func getenv(name string) (value string, ok bool)

// A Time is an instant, with the precision of nanoseconds.
//
// While it has a monotonic reading, wall is a flag, 33 bits of seconds since 1885, and 30 bits of
// nanoseconds, and ext is the reading. Without one wall is the nanoseconds, and ext the seconds since
// the year 1.
type Time struct {
	wall uint64
	ext  int64
	loc  *Location
}

const (
	monotonic = 1 << 63
	nsecBits  = 30
	nsecField = 1<<nsecBits - 1

	// In Unix time the years 1 and 1885 begin here.
	year1    = (daysPerEra*erasBefore+306)*daySeconds - before1970
	year85   = year1 + (1884*365+1884/4-1884/100+1884/400)*daySeconds
	wallSpan = 1<<33 - 1 // seconds since 1885
)

// internal is the seconds since the year 1, UTC.
func (t Time) internal() int64 {
	if t.wall&monotonic == 0 {
		return t.ext
	}
	return int64(t.wall>>nsecBits&wallSpan) + (year85 - year1)
}

func (t Time) nsec() int32       { return int32(t.wall & nsecField) }
func (t Time) sinceEpoch() int64 { return t.internal() + year1 }

// plain is t without its monotonic reading.
func (t Time) plain() Time {
	if t.wall&monotonic != 0 {
		return Time{t.wall & nsecField, t.internal(), t.loc}
	}
	return t
}

// moved is t so many seconds later. Times beyond what there is are the last ones there are.
func (t Time) moved(d int64) Time {
	if t.wall&monotonic != 0 {
		sec := t.wall>>nsecBits&wallSpan + uint64(d)
		if sec <= wallSpan {
			return Time{t.wall&^(wallSpan<<nsecBits) | sec<<nsecBits, t.ext, t.loc}
		}
		t = t.plain()
	}
	sec := int64(Duration(t.ext).plus(Duration(d)))
	return Time{t.wall, max(sec, -lastSecond), t.loc}
}

// at is t in a location, without its monotonic reading.
func (t Time) at(loc *Location) Time {
	if loc == &utcPlace {
		loc = nil
	}
	if t.wall&monotonic != 0 {
		return Time{t.wall & nsecField, t.internal(), loc}
	}
	return Time{t.wall, t.ext, loc}
}

// Now reads the clock.
func Now() Time {
	sec, nsec, mono := now()
	if s := uint64(sec - year85); mono != 0 && s <= wallSpan {
		return Time{monotonic | s<<nsecBits | uint64(nsec), mono, Local}
	}
	return fromEpoch(sec, nsec)
}

func fromEpoch(sec int64, nsec int32) Time { return Time{uint64(nsec), sec - year1, Local} }

// carried takes whole seconds out of nanoseconds.
func carried(sec, nsec int64) (int64, int64) {
	if uint64(nsec) < 1e9 {
		return sec, nsec
	}
	more := floorDiv(nsec, 1e9)
	return sec + more, nsec - more*1e9
}

// Unix is the time so many seconds and nanoseconds after 1970, UTC.
func Unix(sec int64, nsec int64) Time {
	sec, nsec = carried(sec, nsec)
	return fromEpoch(sec, int32(nsec))
}

func UnixMilli(msec int64) Time { return Unix(msec/1e3, msec%1e3*1e6) }
func UnixMicro(usec int64) Time { return Unix(usec/1e6, usec%1e6*1e3) }

func (t Time) Unix() int64      { return t.sinceEpoch() }
func (t Time) UnixMilli() int64 { return t.sinceEpoch()*1e3 + int64(t.nsec())/1e6 }
func (t Time) UnixMicro() int64 { return t.sinceEpoch()*1e6 + int64(t.nsec())/1e3 }
func (t Time) UnixNano() int64  { return t.sinceEpoch()*1e9 + int64(t.nsec()) }

// minus is a - b, or the limit that it ran over.
func minus(a, b int64) Duration {
	if b == firstSecond {
		return Duration(a).plus(longest).plus(1)
	}
	return Duration(a).plus(Duration(-b))
}

// Since is the time from t until now.
func Since(t Time) Duration {
	if t.wall&monotonic != 0 {
		if n := runtimeNano(); n != 0 {
			return minus(n, t.ext)
		}
	}
	return Now().Sub(t)
}

// Until is the time from now until t.
func Until(t Time) Duration {
	if t.wall&monotonic != 0 {
		if n := runtimeNano(); n != 0 {
			return minus(t.ext, n)
		}
	}
	return t.Sub(Now())
}

func order(a, b int64) int {
	if a < b {
		return -1
	}
	if a > b {
		return 1
	}
	return 0
}

// Compare is -1 if t is before u, 0 if both are the same instant, 1 if t is after u.
func (t Time) Compare(u Time) int {
	if t.wall&u.wall&monotonic != 0 {
		return order(t.ext, u.ext)
	}
	if c := order(t.internal(), u.internal()); c != 0 {
		return c
	}
	return order(int64(t.nsec()), int64(u.nsec()))
}

func (t Time) After(u Time) bool  { return t.Compare(u) > 0 }
func (t Time) Before(u Time) bool { return t.Compare(u) < 0 }
func (t Time) Equal(u Time) bool  { return t.Compare(u) == 0 }
func (t Time) IsZero() bool       { return t.nsec() == 0 && t.internal() == 0 }

// Sub is the time from u to t, or the limit of a Duration that it is beyond.
func (t Time) Sub(u Time) Duration {
	if t.wall&u.wall&monotonic != 0 {
		return minus(t.ext, u.ext)
	}
	sec, nsec := minus(t.internal(), u.internal()), Duration(t.nsec()-u.nsec())
	if sec < 0 && nsec > 0 { // both of one sign, so that no sum is out of range that should not be
		sec++
		nsec -= Second
	}
	const most = longest / Second
	switch {
	case sec > most:
		return longest
	case sec < -most:
		return shortest
	}
	return (sec * Second).plus(nsec)
}

// Add is the time d after t. The monotonic reading goes with it.
func (t Time) Add(d Duration) Time {
	sec, nsec := carried(int64(d/Second), int64(t.nsec())+int64(d%Second))
	t = Time{t.wall&^nsecField | uint64(nsec), t.ext, t.loc}.moved(sec)
	if t.wall&monotonic == 0 {
		return t
	}
	mono := t.ext + int64(d)
	if (mono < t.ext) != (d < 0) {
		return t.plain()
	}
	return Time{t.wall, mono, t.loc}
}

// beyond is what of the time since the year 1 is beyond a multiple of d.
func (t Time) beyond(d Duration) Duration {
	sec, nsec := t.internal(), uint64(t.nsec())
	amount := Duration(sec).amount()
	hi, lo := bits.Mul64(amount, 1e9)
	var carry uint64
	if sec >= 0 {
		lo, carry = bits.Add64(lo, nsec, 0)
		hi += carry
		return Duration(bits.Rem64(hi, lo, uint64(d)))
	}
	lo, carry = bits.Sub64(lo, nsec, 0)
	hi -= carry
	if rest := Duration(bits.Rem64(hi, lo, uint64(d))); rest != 0 {
		return d - rest
	}
	return 0
}

// Truncate rounds t down to a multiple of d since the year 1, and drops the monotonic reading.
func (t Time) Truncate(d Duration) Time {
	if t = t.plain(); d <= 0 {
		return t
	}
	return t.Add(-t.beyond(d))
}

// Round rounds t to the nearest multiple of d since the year 1, of two to the later one, and drops the
// monotonic reading.
func (t Time) Round(d Duration) Time {
	if t = t.plain(); d <= 0 {
		return t
	}
	rest := t.beyond(d)
	if rest >= d-rest {
		return t.Add(d - rest)
	}
	return t.Add(-rest)
}

// UTC is t in Universal Coordinated Time.
func (t Time) UTC() Time { return t.at(&utcPlace) }

// Local is t in the system's location.
func (t Time) Local() Time { return t.at(Local) }

// In is t in another location: the same instant.
func (t Time) In(loc *Location) Time {
	if loc == nil {
		panic("time: missing Location in call to Time.In")
	}
	return t.at(loc)
}

// Location is where t is.
func (t Time) Location() *Location {
	if l := t.loc; l != nil {
		return l
	}
	return UTC
}

// Timers. Timers and tickers are the runtime's; a Timer and a Ticker are the beginnings of one.

// A Timer sends the time on C once, or calls a function.
type Timer struct {
	C    <-chan Time
	made bool
}

// A Ticker sends the time on C again and again.
type Ticker struct {
	C    <-chan Time
	made bool
}

// newChanTimer makes and starts a timer that sends the time on its own channel C, with a location for
// the times it sends.
func newChanTimer(d, period int64, loc *Location) *Timer

// newFuncTimer makes and starts a timer that calls f in a goroutine.
func newFuncTimer(d int64, f func()) *Timer
func stopTimer(t *Timer) bool
func resetTimer(t *Timer, d, period int64) bool

// use panics for a timer that no function of this package has made.
func use(made bool, method, what string) {
	if !made {
		panic("time: " + method + " called on uninitialized " + what)
	}
}

// timer is the one that t is the beginning of.
func (t *Ticker) timer() *Timer { return (*Timer)(unsafe.Pointer(t)) }

// NewTimer makes a timer that sends the time on its channel after d.
func NewTimer(d Duration) *Timer { return newChanTimer(int64(d), 0, Local) }

// AfterFunc makes a timer that calls f in a goroutine after d.
func AfterFunc(d Duration, f func()) *Timer { return newFuncTimer(int64(d), f) }

// After is the channel of a new timer.
func After(d Duration) <-chan Time { return NewTimer(d).C }

// Stop says whether it has kept the timer from going off.
func (t *Timer) Stop() bool {
	use(t.made, "Stop", "Timer")
	return stopTimer(t)
}

// Reset makes the timer go off after d, and says whether it was running.
func (t *Timer) Reset(d Duration) bool {
	use(t.made, "Reset", "Timer")
	return resetTimer(t, int64(d), 0)
}

// NewTicker makes a ticker that sends the time every d.
func NewTicker(d Duration) *Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	every := int64(d)
	return (*Ticker)(unsafe.Pointer(newChanTimer(every, every, Local)))
}

// Stop ends the ticks.
func (t *Ticker) Stop() {
	if t.made {
		stopTimer(t.timer())
	}
}

// Reset makes the ticker send the time every d from now on.
func (t *Ticker) Reset(d Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	use(t.made, "Reset", "Ticker")
	resetTimer(t.timer(), int64(d), int64(d))
}

// Tick is the channel of a new ticker, nil if d is not positive.
func Tick(d Duration) <-chan Time {
	if d > 0 {
		return NewTicker(d).C
	}
	return nil
}
