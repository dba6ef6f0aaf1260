package main

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
)

// Fields of a record are parsed at the same time.
type record struct {
	id     int
	price  float64
	listed bool
}

func parse(fields [3]string) (record, error) {
	var r record
	var errs [3]error
	var wg sync.WaitGroup
	wg.Go(func() {
		r.id, errs[0] = strconv.Atoi(fields[0])
	})
	wg.Go(func() {
		r.price, errs[1] = strconv.ParseFloat(fields[1], 64)
	})
	wg.Go(func() {
		r.listed, errs[2] = strconv.ParseBool(fields[2])
	})
	wg.Wait()
	return r, errors.Join(errs[:]...)
}

func main() {
	for _, fields := range [][3]string{
		{"17", "2.50", "true"},
		{"18", "0.99", "false"},
	} {
		r, err := parse(fields)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%d %.2f %t\n", r.id, r.price, r.listed)
	}
}
