// run

// Zones are there, with a system that has none, too.
package main

import (
	"fmt"
	"time"
	_ "time/tzdata"
)

func main() {
	for _, name := range []string{"America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe",
		"America/Argentina/Buenos_Aires", "Etc/GMT+12", "US/Pacific", "Pacific/Apia"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			fmt.Println(err)
			continue
		}
		for _, at := range []int64{-1e9, 0, 5e8, 1e9, 1325376000, 1.5e9, 1720000000, 2.5e9} {
			t := time.Unix(at, 0).In(zone)
			fmt.Println(t, t.IsDST())
		}
	}
	for _, name := range []string{"europe/berlin", "Nowhere/At_All", "../etc"} {
		_, err := time.LoadLocation(name)
		fmt.Println(err)
	}
}
