package time

import "errors"

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
	var room [32]byte
	b, at := room[:], 0
	if d < 0 {
		b[0] = '-'
		at = 1
	}
	u := d.amount()
	unit, name := uint64(Second), "s"
	switch {
	case u < uint64(Microsecond):
		unit, name = uint64(Nanosecond), "ns"
	case u < uint64(Millisecond):
		unit, name = uint64(Microsecond), "µs"
	case u < uint64(Second):
		unit, name = uint64(Millisecond), "ms"
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
	places := 0
	for power := unit; power > 1; power /= 10 {
		places++
	}
	at = putFraction(b, at, '.', u%unit, places, true)
	for i := range len(name) {
		b[at+i] = name[i]
	}
	return string(b[:at+len(name)])
}

// unitOf is the length of a unit in nanoseconds, 0 of an unknown one.
func unitOf(name string) uint64 {
	var d Duration
	switch name {
	case "h":
		d = Hour
	case "m":
		d = Minute
	case "s":
		d = Second
	case "ms":
		d = Millisecond
	case "us", "µs", "μs": // the micro sign and the Greek letter
		d = Microsecond
	case "ns":
		d = Nanosecond
	}
	return uint64(d)
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

// A quantity is a number such as 1.25, as digits tell it: the fraction is parts of a scale.
type quantity struct {
	whole, parts uint64
	scale        float64
	fits         bool // the whole is not beyond the limit
}

// readQuantity takes a number off s; taken is 0 if there are no digits. Of a fraction it reads as
// many digits as count.
func readQuantity(s string) (q quantity, taken int) {
	q.scale, q.fits = 1, true
	n := countDigits(s)
	for i := range n {
		if q.whole > durationLimit/10 {
			q.fits = false
			return q, n
		}
		if q.whole = 10*q.whole + uint64(s[i]-'0'); q.whole > durationLimit {
			q.fits = false
			return q, n
		}
	}
	if n == len(s) || s[n] != '.' {
		return q, n
	}
	behind := s[n+1:]
	m := countDigits(behind)
	for i := range m {
		next := 10*q.parts + uint64(behind[i]-'0')
		if q.parts > (durationLimit-1)/10 || next > durationLimit {
			break
		}
		q.parts = next
		q.scale *= 10
	}
	if n+m > 0 {
		taken = n + 1 + m
	}
	return q, taken
}

// times is q in nanoseconds; ok is false if that is beyond the limit.
func (q quantity) times(unit uint64) (v uint64, ok bool) {
	if q.whole > durationLimit/unit {
		return 0, false
	}
	v = q.whole * unit
	if q.parts > 0 {
		v += uint64(float64(q.parts) * (float64(unit) / q.scale))
	}
	return v, v <= durationLimit
}

// ParseDuration reads numbers with units, such as -1h15m30.918s. Units are ns, us or µs, ms, s, m, h.
func ParseDuration(s string) (Duration, error) {
	rest, negative := s, false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		rest, negative = s[1:], s[0] == '-'
	}
	if rest == "0" {
		return 0, nil
	}
	sum, valid := uint64(0), rest != ""
	for valid && rest != "" {
		q, n := readQuantity(rest)
		if n == 0 || !q.fits {
			valid = false
			break
		}
		rest = rest[n:]
		n = 0
		for n < len(rest) && rest[n] != '.' && rest[n]-'0' > 9 {
			n++
		}
		name := rest[:n]
		if name == "" {
			return 0, errors.New("time: missing unit in duration " + quote(s))
		}
		unit := unitOf(name)
		if unit == 0 {
			return 0, errors.New("time: unknown unit " + quote(name) + " in duration " + quote(s))
		}
		rest = rest[n:]
		var v uint64
		if v, valid = q.times(unit); valid {
			sum += v
			valid = sum <= durationLimit
		}
	}
	if !valid || sum == durationLimit && !negative {
		return 0, errors.New("time: invalid duration " + quote(s))
	}
	if negative {
		return -Duration(sum), nil
	}
	return Duration(sum), nil
}
