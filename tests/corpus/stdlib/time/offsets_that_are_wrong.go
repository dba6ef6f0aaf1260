// run

// What is said of offsets of zones with several faults.
package main

import (
	"fmt"
	"time"
)

func main() {
	layouts := []string{"Z07", "Z0700", "Z07:00", "Z070000", "Z07:00:00", "-07", "-0700", "-07:00",
		"-070000", "-07:00:00"}
	values := []string{"Z", "+07", "-0730", ";97:00", "+25:00", "+24:60", "+24:61", "+97:xx", "+xx:97",
		"+9x:97", "+0797", "+079797", "+07:97:99", ";979797", "+07:00:6x", "x", "", "+1", "-07-00", "+24"}
	for _, l := range layouts {
		for _, v := range values {
			t, err := time.Parse("15:04"+l, "01:02"+v)
			if err != nil {
				fmt.Println(l, v, err)
				continue
			}
			_, offset := t.Zone()
			fmt.Println(l, v, offset)
		}
	}
}
