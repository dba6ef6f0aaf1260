// run

// Zones whose offset is no whole number of minutes, and months and days that there are not.
package main

import (
	"fmt"
	"time"
)

func main() {
	for _, s := range []int{-30, 30, -59, -60, -61, 59, 61, -3600, -3630, 3630, -90, -5400, 360000, -360000} {
		t := time.Unix(30, 0).In(time.FixedZone("X", s))
		fmt.Println(t.Format(time.RFC3339), t)
		fmt.Println(t.Format("-07 -0700 -07:00 -070000 -07:00:00 Z07 Z0700 Z07:00 Z070000 Z07:00:00"))
		fmt.Println(time.Unix(30, 0).In(time.FixedZone("", s)))
		b, err := t.MarshalJSON()
		fmt.Println(string(b), err)
		fmt.Printf("%#v\n", t)
		b, err = t.MarshalBinary()
		fmt.Println(b, err)
	}
	fmt.Println(time.Month(-1), time.Month(0), time.Month(13), time.Weekday(-1), time.Weekday(7))
}
