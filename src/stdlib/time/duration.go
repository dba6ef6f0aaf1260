package time

import (
	"errors"
	"unsafe"
)

// A Duration is a number of nanoseconds, of either sign: 292 years are the most.
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
	shortest Duration = -1 << 63
	longest  Duration = 1<<63 - 1
)

func (d Duration) Nanoseconds() int64  { return int64(d) }
func (d Duration) Microseconds() int64 { return int64(d / Microsecond) }
func (d Duration) Milliseconds() int64 { return int64(d / Millisecond) }

// in counts units: whole ones and the part of one are converted apart, which loses less.
func (d Duration) in(unit Duration) float64 {
	return float64(d/unit) + float64(d%unit)/float64(unit)
}

func (d Duration) Seconds() float64 { return d.in(Second) }
func (d Duration) Minutes() float64 { return d.in(Minute) }
func (d Duration) Hours() float64   { return d.in(Hour) }

// plus adds, and stops at the limits.
func (d Duration) plus(e Duration) Duration {
	sum := d + e
	if (sum^d)&(sum^e) >= 0 {
		return sum
	}
	return longest ^ e>>63 // the shortest for a negative e
}

// amount is d without its sign.
func (d Duration) amount() uint64 {
	sign := d >> 63
	return uint64((d ^ sign) - sign)
}

// Abs is the amount of d; that of the shortest is one less than it should be.
func (d Duration) Abs() Duration { return Duration(min(d.amount(), uint64(longest))) }

// Truncate drops what is beyond a multiple of m, towards zero.
func (d Duration) Truncate(m Duration) Duration {
	if m > 0 {
		d -= d % m
	}
	return d
}

// Round gives the nearest multiple of m, of two the one farther from zero.
func (d Duration) Round(m Duration) Duration {
	if m <= 0 {
		return d
	}
	rest := d % m
	if 2*rest.amount() >= uint64(m) {
		return (d - rest).plus((m ^ d>>63) - d>>63) // one m more, of d's sign
	}
	return d - rest
}

// String writes 72h3m0.5s, or less than a second in its unit: 1.5ms.
func (d Duration) String() string {
	if d == 0 {
		return "0s"
	}
	b, at := make([]byte, len("-2562047h47m16.854775808s")), 0
	if d < 0 {
		b[0] = '-'
		at = 1
	}
	u := d.amount()
	unit, places, name := uint64(Second), 9, "s"
	switch {
	case u < uint64(Microsecond):
		unit, places, name = uint64(Nanosecond), 0, "ns"
	case u < uint64(Millisecond):
		unit, places, name = uint64(Microsecond), 3, "µs"
	case u < uint64(Second):
		unit, places, name = uint64(Millisecond), 6, "ms"
	case u >= uint64(Minute):
		if hours := u / uint64(Hour); hours > 0 {
			at = putNumber(b, at, int(hours), 1, '0')
			b[at] = 'h'
			at++
		}
		at = putNumber(b, at, int(u/uint64(Minute)%60), 1, '0')
		b[at] = 'm'
		at++
		u %= uint64(Minute)
	}
	at = putNumber(b, at, int(u/unit), 1, '0')
	if rest := u % unit; rest != 0 {
		at = putFraction(b, at, '.', rest, places, true)
	}
	for i := range len(name) {
		b[at+i] = name[i]
	}
	return unsafe.String(unsafe.SliceData(b), at+len(name))
}

// unitOf is the length of a unit in nanoseconds, 0 of an unknown one.
func unitOf(name string) uint64 {
	if len(name) == 1 {
		switch name[0] {
		case 'h':
			return uint64(Hour)
		case 'm':
			return uint64(Minute)
		case 's':
			return uint64(Second)
		}
		return 0
	}
	switch name {
	case "ms":
		return uint64(Millisecond)
	case "us", "µs", "μs": // the micro sign and the Greek letter
		return uint64(Microsecond)
	case "ns":
		return uint64(Nanosecond)
	}
	return 0
}

const durationLimit = 1 << 63 // the amount of the shortest duration

// countDigits is the number of digits that s begins with.
func countDigits(s string) int {
	n := 0
	for n < len(s) && s[n]-'0' < 10 {
		n++
	}
	return n
}

// parseTerm reads a number and its unit from a place in s on. fault is what is wrong.
func parseTerm(s string, at int) (v uint64, end int, fault string) {
	const invalid = "invalid"
	start := at
	for ; at < len(s) && s[at]-'0' < 10; at++ {
		if v > durationLimit/10 {
			return 0, at, invalid
		}
		if v = 10*v + uint64(s[at]-'0'); v > durationLimit {
			return 0, at, invalid
		}
	}
	digits := at - start
	parts, scale, room := uint64(0), 1.0, true
	if at < len(s) && s[at] == '.' {
		for at++; at < len(s) && s[at]-'0' < 10; at++ {
			digits++
			next := 10*parts + uint64(s[at]-'0')
			// Of a fraction so many digits count as there is room for.
			if room = room && parts <= (durationLimit-1)/10 && next <= durationLimit; room {
				parts = next
				scale *= 10
			}
		}
	}
	if digits == 0 {
		return 0, at, invalid
	}
	end = at
	for end < len(s) && s[end] != '.' && s[end]-'0' > 9 {
		end++
	}
	unit := unitOf(s[at:end])
	switch {
	case end == at:
		return 0, end, "missing unit in"
	case unit == 0:
		return 0, end, "unknown unit " + quote(s[at:end]) + " in"
	case v > durationLimit/unit:
		return 0, end, invalid
	}
	v *= unit
	if parts > 0 {
		v += uint64(float64(parts) * (float64(unit) / scale))
	}
	return v, end, ""
}

// ParseDuration reads numbers with units, such as -1h15m30.918s. Units are ns, us or µs, ms, s, m, h.
func ParseDuration(s string) (Duration, error) {
	at, negative := 0, false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		at, negative = 1, s[0] == '-'
	}
	if len(s) == at+1 && s[at] == '0' {
		return 0, nil
	}
	sum, limit := uint64(0), uint64(durationLimit)
	fault := ""
	if at == len(s) {
		fault = "invalid"
	}
	for at < len(s) && fault == "" {
		var v uint64
		v, at, fault = parseTerm(s, at)
		if sum += v; fault == "" && (v > limit || sum > limit) {
			fault = "invalid"
		}
	}
	if fault == "" && sum == limit && !negative {
		fault = "invalid"
	}
	if fault != "" {
		return 0, errors.New("time: " + fault + " duration " + quote(s))
	}
	if negative {
		return -Duration(sum), nil
	}
	return Duration(sum), nil
}
