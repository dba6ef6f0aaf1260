// run
//
// Package unique: equal values have equal handles, of each type its own.
package main

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"time"
	_ "time/tzdata"
	"unique"
)

type pair struct {
	name string
	n    any
}

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	a := unique.Make("hello")
	b := unique.Make(strings.Join([]string{"hel", "lo"}, ""))
	fmt.Println(a == b, a == unique.Make("other"), a.Value(), b.Value())
	p := unique.Make(pair{"x", 1})
	fmt.Println(p == unique.Make(pair{"x", 1}), p == unique.Make(pair{"x", int64(1)}), p.Value())
	fmt.Println(any(unique.Make(int32(5))) == any(unique.Make(int64(5))), unique.Make(0.0) == unique.Make(math.Copysign(0, -1)))
	fmt.Println(unique.Make(struct{}{}) == unique.Make(struct{}{}), unique.Make[any](3) == unique.Make[any](3), unique.Make[any](nil).Value())
	nan := unique.Make(math.NaN())
	fmt.Println(nan == nan, nan == unique.Make(math.NaN()))
	try(func() { unique.Make[any]([]int{1}) })
	m := map[unique.Handle[string]]int{a: 1}
	m[b]++
	fmt.Println(m[a], len(m))
	var zero unique.Handle[string]
	fmt.Println(zero == a)
	try(func() { zero.Value() })
	var wg sync.WaitGroup
	handles := make([]unique.Handle[int], 100)
	for i := range handles {
		wg.Go(func() { handles[i] = unique.Make(i % 10) })
	}
	wg.Wait()
	seen := map[unique.Handle[int]]bool{}
	for _, h := range handles {
		seen[h] = true
	}
	_, err := time.LoadLocation("Europe/Paris")
	fmt.Println(len(seen), err)
}
