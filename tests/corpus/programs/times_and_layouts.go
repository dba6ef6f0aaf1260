// run

// Every layout, parse errors, durations, zones.
package main

import (
	"errors"
	"fmt"
	"time"
)

func main() {
	t := time.Date(2024, time.February, 29, 23, 59, 58, 123456789, time.UTC)
	for _, l := range []string{time.ANSIC, time.UnixDate, time.RubyDate, time.RFC822, time.RFC822Z, time.RFC850, time.RFC1123, time.RFC1123Z, time.RFC3339, time.RFC3339Nano,
		time.Kitchen, time.Stamp, time.StampMilli, time.StampMicro, time.StampNano, time.DateTime, time.DateOnly, time.TimeOnly, time.Layout,
		"Mon Jan _2 2006", "2006-002", "06/1/2 3:4:5pm .000 ,999", "Monday, 02-Jan-06 MST -07 -0700 -07:00:00 Z07:00"} {
		fmt.Println(t.Format(l))
	}
	z := time.FixedZone("XYZ", -3*3600-1800)
	fmt.Println(t.In(z), t.In(z).Weekday(), t.YearDay())
	fmt.Printf("%v %s %d %+v %#v\n", t, t, t.Unix(), t.Month(), t.Month())
	for _, c := range []struct{ layout, value string }{
		{time.RFC3339, "2023-07-04T12:30:45+02:00"}, {time.DateOnly, "2023-02-30"}, {time.Kitchen, "3:04PM"}, {time.RFC1123, "Tue, 10 Nov 2009 23:00:00 GMT"},
		{"2006-01-02", "hello"}, {"15:04", "25:00"}, {time.RFC3339, "2023-07-04T12:30:45"}, {"Jan 2 2006", "Feb 3 2013 extra"}, {time.RFC3339Nano, "2023-07-04T12:30:45.000000001Z"},
	} {
		p, err := time.Parse(c.layout, c.value)
		fmt.Println(p, err)
		var pe *time.ParseError
		if errors.As(err, &pe) {
			fmt.Printf("%q %q %q %q %q\n", pe.Layout, pe.Value, pe.LayoutElem, pe.ValueElem, pe.Message)
		}
	}
	for _, s := range []string{"1h30m", "-1.5s", "100ms", "2us3ns", "1d", "", "5", "1h-2m", ".5h", "9223372036854775807ns", "9223372036854775808ns"} {
		d, err := time.ParseDuration(s)
		fmt.Println(d, err, d.Hours(), d.Round(time.Minute), d.Truncate(time.Second))
	}
	u := t.AddDate(1, 0, 0)
	fmt.Println(u, u.Sub(t), t.Before(u), t.Equal(t.In(z)), t == t.In(z), u.Compare(t))
	fmt.Println(t.Truncate(time.Hour), t.Round(24*time.Hour), t.Add(-36*time.Hour).Format(time.RFC3339))
	y, w := t.ISOWeek()
	fmt.Println(y, w, time.Time{}.IsZero(), time.Time{}, time.Unix(0, 0).UTC(), time.UnixMilli(1700000000123).UTC())
	b, _ := t.MarshalJSON()
	fmt.Println(string(b))
	var v time.Time
	fmt.Println(v.UnmarshalJSON([]byte(`"2020-01-02T03:04:05Z"`)), v, v.UnmarshalJSON([]byte(`"x"`)))
	start := time.Now()
	time.Sleep(15 * time.Millisecond)
	el := time.Since(start)
	fmt.Println(el >= 15*time.Millisecond, el < 5*time.Second, start.String() != "")
	fmt.Println(time.Duration(1<<63-1), time.Duration(-1<<63), 1500*time.Microsecond, time.Duration(0))
	for i := range 5 {
		fmt.Print(t.AddDate(0, i*7, i*20).Format("Mon 2 Jan 06; "))
	}
	fmt.Println()
	_, err := time.LoadLocation("Nowhere/City")
	fmt.Println(err)
}
