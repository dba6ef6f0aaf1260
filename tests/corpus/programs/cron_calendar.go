// run

// Cron expressions and calendars: next times across months, leap years and changes of the clock.
package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

type field struct {
	name     string
	min, max int
	words    []string
}

var fields = [5]field{
	{"minute", 0, 59, nil},
	{"hour", 0, 23, nil},
	{"day", 1, 31, nil},
	{"month", 1, 12, strings.Fields("- jan feb mar apr may jun jul aug sep oct nov dec")},
	{"weekday", 0, 6, strings.Fields("sun mon tue wed thu fri sat")},
}

type Schedule struct {
	bits     [5]uint64
	anyDay   bool
	anyWeek  bool
	location *time.Location
}

var shortcuts = map[string]string{"@hourly": "0 * * * *", "@daily": "0 0 * * *",
	"@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *"}

func (f field) value(s string) (int, error) {
	for i, w := range f.words {
		if strings.EqualFold(s, w) {
			return i, nil
		}
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", f.name, err)
	}
	if n < f.min || n > f.max {
		return 0, fmt.Errorf("%s: %d is not in %d-%d", f.name, n, f.min, f.max)
	}
	return n, nil
}

func (f field) parse(s string) (bits uint64, err error) {
	for part := range strings.SplitSeq(s, ",") {
		rng, step, hasStep := strings.Cut(part, "/")
		lo, hi := f.min, f.max
		if rng != "*" {
			from, to, isRange := strings.Cut(rng, "-")
			if lo, err = f.value(from); err != nil {
				return 0, err
			}
			if isRange {
				if hi, err = f.value(to); err != nil {
					return 0, err
				}
			} else if !hasStep {
				hi = lo
			}
		}
		n := 1
		if hasStep {
			if n, err = strconv.Atoi(step); err != nil || n <= 0 {
				return 0, fmt.Errorf("%s: bad step %q", f.name, step)
			}
		}
		if lo > hi {
			return 0, fmt.Errorf("%s: %d-%d is empty", f.name, lo, hi)
		}
		for i := lo; i <= hi; i += n {
			bits |= 1 << i
		}
	}
	return bits, nil
}

func Parse(spec string, loc *time.Location) (*Schedule, error) {
	if s, ok := shortcuts[spec]; ok {
		spec = s
	}
	parts := strings.Fields(spec)
	if len(parts) != 5 {
		return nil, fmt.Errorf("%d fields in %q", len(parts), spec)
	}
	s := &Schedule{anyDay: parts[2] == "*", anyWeek: parts[4] == "*", location: loc}
	var errs []error
	for i, p := range parts {
		var err error
		if s.bits[i], err = fields[i].parse(p); err != nil {
			errs = append(errs, err)
		}
	}
	return s, errors.Join(errs...)
}

func (s *Schedule) has(i, n int) bool { return s.bits[i]>>n&1 == 1 }

func (s *Schedule) day(t time.Time) bool {
	d, w := s.has(2, t.Day()), s.has(4, int(t.Weekday()))
	if s.anyDay || s.anyWeek {
		return d && w
	}
	return d || w
}

func (s *Schedule) Next(t time.Time) (time.Time, bool) {
	t = t.In(s.location).Truncate(time.Minute).Add(time.Minute)
	limit := t.AddDate(8, 0, 0)
	for t.Before(limit) {
		y, m, d := t.Date()
		switch {
		case !s.has(3, int(m)):
			t = time.Date(y, m+1, 1, 0, 0, 0, 0, s.location)
		case !s.day(t):
			t = time.Date(y, m, d+1, 0, 0, 0, 0, s.location)
		case !s.has(1, t.Hour()):
			next := time.Date(y, m, d, t.Hour()+1, 0, 0, 0, s.location)
			if !next.After(t) {
				next = t.Add(time.Hour).Truncate(time.Hour)
			}
			t = next
		case !s.has(0, t.Minute()):
			t = t.Add(time.Minute)
		default:
			return t, true
		}
	}
	return time.Time{}, false
}

func calendar(year int, month time.Month) string {
	var b strings.Builder
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	title := first.Format("January 2006")
	fmt.Fprintf(&b, "%*s\nMo Tu We Th Fr Sa Su\n", (20+len(title))/2, title)
	offset := (int(first.Weekday()) + 6) % 7
	b.WriteString(strings.Repeat("   ", offset))
	for d := first; d.Month() == month; d = d.AddDate(0, 0, 1) {
		fmt.Fprintf(&b, "%2d", d.Day())
		if d.Weekday() == time.Sunday {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func easter(y int) time.Time {
	a, b, c := y%19, y/100, y%100
	d := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	e := (32 + 2*(b%4) + 2*(c/4) - d - c%4) % 7
	f := d + e - 7*((a+11*d+22*e)/451) + 114
	return time.Date(y, time.Month(f/31), f%31+1, 0, 0, 0, 0, time.UTC)
}

func main() {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	start := time.Date(2024, 2, 28, 23, 58, 30, 0, berlin)
	for _, spec := range []string{"* * * * *", "*/15 9-17 * * mon-fri", "0 0 29 2 *",
		"30 2 31 3 *", "0 12 13 * fri",
		"@monthly", "5,10 0 * jan,JUL *", "0 0 31 4 *", "15 3/6 * * *"} {
		s, err := Parse(spec, berlin)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%-22s", spec)
		t := start
		for range 3 {
			next, ok := s.Next(t)
			if !ok {
				fmt.Print(" never")
				break
			}
			fmt.Print(" ", next.Format("2006-01-02 15:04 MST Mon"), ";")
			t = next
		}
		fmt.Println()
	}
	for _, spec := range []string{"", "60 * * * *", "* * 0 * *", "a b c d e", "*/0 * * * *",
		"5-1 * * * *", "* * * foo *"} {
		_, err := Parse(spec, time.UTC)
		fmt.Println(strings.ReplaceAll(err.Error(), "\n", " | "))
	}
	fmt.Println(calendar(2024, time.February))
	for _, y := range []int{1999, 2000, 2024, 2038} {
		e := easter(y)
		fmt.Println(e.Format("Jan 2 2006"), e.AddDate(0, 0, 49).Format(time.DateOnly), e.YearDay(),
			e.Weekday())
	}
	spring := time.Date(2024, 3, 31, 1, 59, 0, 0, berlin)
	autumn := time.Date(2024, 10, 27, 2, 30, 0, 0, berlin)
	for _, t := range []time.Time{spring, spring.Add(time.Minute), spring.AddDate(0, 0, 1), autumn,
		autumn.Add(time.Hour), autumn.Add(-time.Hour)} {
		name, off := t.Zone()
		fmt.Println(t, name, off, t.UTC().Format(time.RFC3339), t.IsDST(), t.Unix())
	}
	a, b := time.Date(2024, 1, 31, 0, 0, 0, 0, time.UTC), time.Date(2023, 3, 1, 6, 7, 8, 9, time.UTC)
	fmt.Println(a.AddDate(0, 1, 0), a.Sub(b), b.Compare(a), a.Sub(b).Round(time.Hour),
		a.Sub(b).Truncate(24*time.Hour).Hours())
	for _, s := range []string{"1h15m30.918s", "-2.5h", "1d", "", "3us2ns"} {
		d, err := time.ParseDuration(s)
		fmt.Println(d, err, d.Milliseconds(), d.Minutes())
	}
	for _, s := range []string{"2024-13-01", "2024-02-30", "24-1-1", "2024-01-01T25:00:00Z"} {
		_, err := time.Parse(time.RFC3339, s)
		_, err2 := time.Parse("2006-1-2", s)
		fmt.Println(err, "|", err2)
	}
}
