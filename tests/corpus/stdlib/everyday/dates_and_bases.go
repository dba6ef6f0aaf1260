// run

// Dates whose parts lie far out of their ranges, and integers in bases and sizes that there are not.
package main

import (
	"fmt"
	"math/rand"
	"strconv"
	"time"
)

func main() {
	r := rand.New(rand.NewSource(3))
	locs := []*time.Location{time.UTC, time.FixedZone("X", 3600), time.FixedZone("Y", -9*3600-30*60)}
	ex := []int{0, -1, 1, 1 << 36, -1 << 36}
	for i := 0; i < 500; i++ {
		v := func(k int) int {
			if r.Intn(20) == 0 {
				return ex[r.Intn(len(ex))]
			}
			return r.Intn(2*k) - k/2
		}
		y := r.Intn(3000)
		t := time.Date(y, time.Month(r.Intn(40)-10), v(31), v(24), v(60), v(60), v(1e9), locs[r.Intn(len(locs))])
		fmt.Println(t.UnixNano(), t.Unix(), t.Format(time.RFC3339Nano))
	}
	for _, l := range locs {
		for h := 0; h < 48; h++ {
			fmt.Print(time.Date(2024, 3, 10, 0, h*30, 0, 0, l).Unix(), " ", time.Date(2024, 11, 3, 0, h*30, 0, 0, l).Unix(), " ", time.Date(2024, 3, 31, 0, h*30, 0, 0, l).Unix(), " ", time.Date(2011, 12, 29, h, 0, 0, 0, l).Unix(), " ")
		}
		fmt.Println()
	}
	for _, b := range []int{0, 1, 2, 10, 36, 37, -1} {
		for _, z := range []int{0, 8, 64, 65, -1} {
			for _, s := range []string{"", "10", "zz", "300", "-1"} {
				a, e := strconv.ParseInt(s, b, z)
				c, f := strconv.ParseUint(s, b, z)
				fmt.Println(a, e, c, f)
			}
		}
	}
}
