// run

package main

import (
	"fmt"
	"reflect"
	"time"
)

func main() {
	parse := func() time.Time {
		t, err := time.Parse("Mon Jan 2 15:04:05 -0700 2006", "Thu Feb 4 21:00:57 +0607 2010")
		if err != nil {
			panic(err)
		}
		return t
	}
	a, b := parse(), parse()
	_ = a.String()
	fmt.Println(reflect.DeepEqual(a, b))
	zone := func() *time.Location {
		z, err := time.LoadLocation("Europe/Berlin")
		if err != nil {
			panic(err)
		}
		return z
	}
	x, y := zone(), zone()
	fmt.Println(time.Date(2024, 7, 1, 0, 0, 0, 0, x), time.Date(1950, 7, 1, 0, 0, 0, 0, x))
	fmt.Println(x == y, reflect.DeepEqual(x, y))
	f, g := time.FixedZone("A", 60), time.FixedZone("A", 60)
	fmt.Println(time.Unix(0, 0).In(f), reflect.DeepEqual(f, g))
}
