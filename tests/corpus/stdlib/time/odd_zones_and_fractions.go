// run

// Offsets below a minute, signs without digits, months and weekdays without a name, zones of whole hours, nanoseconds of spoilt data.
package main

import (
	"fmt"
	"time"
)

func main() {
	for _, offset := range []int{-30, -59, -60, -61, -3599, 30, -90} {
		t := time.Unix(0, 0).In(time.FixedZone("", offset))
		for _, layout := range []string{"-07:00:00", "-070000", "-07", "-0700", "Z07:00:00", "MST"} {
			fmt.Print(offset, " ", t.Format(layout), "  ")
		}
		fmt.Println()
	}
	for _, c := range [][2]string{{".0", ".+4"}, {".0", ".+"}, {".0-", ".--"}, {"05.00", "07.-0"}, {"05.00", "07.-1"}} {
		fmt.Println(time.Parse(c[0], c[1]))
	}
	fmt.Println(time.Month(0), time.Month(13), time.Month(-4), time.Weekday(7), time.Weekday(-1))
	fmt.Println(time.FixedZone("", 3600) == time.FixedZone("", 3600), time.FixedZone("", 3601) == time.FixedZone("", 3601))
	a, _ := time.Parse(time.RFC3339, "2020-01-02T03:04:05+07:00")
	b, _ := time.Parse(time.RFC3339, "2020-01-02T03:04:05+07:00")
	fmt.Println(a == b)
	data, _ := time.Unix(1, 2).UTC().MarshalBinary()
	data[9] = 0xbc
	var t time.Time
	fmt.Println(t.UnmarshalBinary(data), t)
}
