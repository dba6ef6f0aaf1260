// run

// A binary form can tell more nanoseconds than a second has: they print with another digit.

package main

import (
	"fmt"
	"time"
)

func main() {
	for _, ns := range []uint32{0, 999999999, 1000000000, 1073676288, 0x7fffffff, 0xffffffff} {
		var t time.Time
		err := t.UnmarshalBinary([]byte{
			1, 0, 0, 0, 14, 1, 2, 3, 4, byte(ns >> 24), byte(ns >> 16), byte(ns >> 8), byte(ns), 0xff, 0xff,
		})
		fmt.Println(ns, err, t, t.Nanosecond(), t.UnixNano(), t.Unix())
		for _, layout := range []string{
			time.RFC3339Nano, "05.000", "05.000000000", "05.999", "05.999999999", "05,9", "05.0",
		} {
			fmt.Println(t.Format(layout))
		}
		fmt.Println(t.GoString(), t.Round(time.Second), t.Truncate(time.Millisecond), t.Add(1))
		j, err := t.MarshalJSON()
		fmt.Println(string(j), err)
		b, err := t.MarshalBinary()
		fmt.Println(b, err)
	}
}
