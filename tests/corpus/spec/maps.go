// run
package main

import (
	"fmt"
	"math"
	"sort"
)

type key struct {
	a int
	b string
}

func main() {
	m := map[string]int{"a": 1, "b": 2}
	m["c"]++
	m["a"] += 10
	delete(m, "b")
	delete(m, "zz")
	v, ok := m["b"]
	fmt.Println(m, len(m), v, ok)
	if v, ok := m["a"]; ok {
		fmt.Println("has", v)
	}
	var nm map[int]bool
	fmt.Println(nm[3], len(nm), nm == nil)
	mk := map[key][]int{}
	mk[key{1, "x"}] = append(mk[key{1, "x"}], 5, 6)
	fmt.Println(mk, mk[key{2, "x"}] == nil)
	mi := map[interface{}]string{1: "int", "1": "string", 1.0: "float", key{1, "a"}: "key", [2]int{1, 2}: "arr", nil: "nil"}
	fmt.Println(mi[1], mi["1"], mi[1.0], mi[key{1, "a"}], mi[[2]int{1, 2}], mi[nil], mi[int8(1)] == "")
	nan := math.NaN()
	mf := map[float64]int{nan: 1, nan: 2, 0: 5}
	mf[nan] = 3
	mf[math.Copysign(0, -1)]++
	fmt.Println(len(mf), mf[0], mf[nan])
	clear(mf)
	fmt.Println(len(mf))
	big := map[int]int{}
	for i := 0; i < 10000; i++ {
		big[i*7] = i
	}
	for i := 0; i < 10000; i += 2 {
		delete(big, i*7)
	}
	sum, n := 0, 0
	for k, v := range big {
		sum += k - v
		n++
	}
	fmt.Println(sum, n, len(big))
	for k := range big {
		delete(big, k)
	}
	fmt.Println(len(big))
	keys := []string{}
	mm := map[string]map[string]int{"x": {"y": 1}, "z": {"w": 2}}
	for k, inner := range mm {
		for k2 := range inner {
			keys = append(keys, k+k2)
		}
	}
	sort.Strings(keys)
	fmt.Println(keys, mm)
	grow := map[int]int{1: 1}
	seen := 0
	for k := range grow {
		seen++
		if seen < 1000 {
			grow[k+1000+seen] = 1
		}
		if seen > 100000 {
			break
		}
	}
	fmt.Println(seen >= 1)
	ms := map[string]struct{ n int }{"a": {1}}
	fmt.Println(ms["a"].n, ms["b"].n)
	fm := map[string]func(int) int{"dbl": func(x int) int { return 2 * x }}
	fmt.Println(fm["dbl"](21))
	m8 := map[uint8]int8{200: -1}
	m8[201]--
	mb := map[bool]string{true: "t"}
	mp := map[*int]int{}
	p := new(int)
	mp[p] = 4
	fmt.Println(m8, mb, mp[p], mp[nil])
	type big32 [32]int
	ml := map[big32]big32{}
	var k big32
	k[3] = 1
	ml[k] = k
	k[3] = 2
	ml[k] = big32{1}
	fmt.Println(len(ml), ml[k][0], make(map[int]int, 100))
}
