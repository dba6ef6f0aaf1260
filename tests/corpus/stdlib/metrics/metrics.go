// run
package main

import (
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
)

func read(name string) metrics.Value {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value
}

func panics(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

var sink []*[4]*int

func main() {
	all := metrics.All()
	names := func(a, b metrics.Description) int { return strings.Compare(a.Name, b.Name) }
	fmt.Println(len(all) > 30, slices.IsSortedFunc(all, names))
	for _, d := range all {
		v := read(d.Name)
		if v.Kind() != d.Kind || d.Kind == metrics.KindBad || d.Description == "" {
			fmt.Println(d.Name, v.Kind(), d.Kind)
		}
	}
	for _, name := range []string{
		"/gc/cycles/forced:gc-cycles", "/gc/heap/allocs:bytes", "/sched/goroutines:goroutines", "/sched/latencies:seconds",
		"/sched/pauses/total/gc:seconds", "/memory/classes/total:bytes", "/sync/mutex/wait/total:seconds", "/sched/gomaxprocs:threads",
	} {
		at := slices.IndexFunc(all, func(d metrics.Description) bool { return d.Name == name })
		fmt.Println(name, all[at].Kind, all[at].Cumulative)
	}

	bad := read("/no/such:metric")
	fmt.Println(bad.Kind() == metrics.KindBad)
	panics(func() { bad.Uint64() })
	panics(func() { bad.Float64() })
	panics(func() { bad.Float64Histogram() })

	before := read("/gc/cycles/forced:gc-cycles").Uint64()
	runtime.GC()
	fmt.Println(read("/gc/cycles/forced:gc-cycles").Uint64() - before)
	fmt.Println(read("/sched/goroutines:goroutines").Uint64() > 0, read("/sched/gomaxprocs:threads").Uint64() == uint64(runtime.GOMAXPROCS(0)))
	fmt.Println(read("/gc/gogc:percent").Uint64(), read("/gc/gomemlimit:bytes").Uint64() == math.MaxInt64)

	objects := read("/gc/heap/allocs:objects").Uint64()
	for range 100000 {
		sink = append(sink, new([4]*int))
	}
	fmt.Println(read("/gc/heap/allocs:objects").Uint64()-objects >= 50000)
	runtime.GC()
	live := read("/gc/heap/live:bytes").Uint64()
	fmt.Println(live > 100000*4*8, live <= read("/gc/heap/goal:bytes").Uint64())

	// Buckets are Go's.
	h := read("/sched/latencies:seconds").Float64Histogram()
	n := len(h.Buckets)
	fmt.Println(len(h.Counts), n, h.Buckets[:7], h.Buckets[n-3:])
	h = read("/gc/heap/allocs-by-size:bytes").Float64Histogram()
	n = len(h.Buckets)
	fmt.Println(len(h.Counts), n, h.Buckets[:7], h.Buckets[n-3:])
	pauses := uint64(0)
	for _, count := range read("/sched/pauses/total/gc:seconds").Float64Histogram().Counts {
		pauses += count
	}
	fmt.Println(pauses > 0)

	// Parts make up the whole.
	var parts, total uint64
	var s []metrics.Sample
	for _, d := range all {
		if strings.HasPrefix(d.Name, "/memory/classes/") {
			s = append(s, metrics.Sample{Name: d.Name})
		}
	}
	metrics.Read(s)
	for _, sample := range s {
		if sample.Name == "/memory/classes/total:bytes" {
			total = sample.Value.Uint64()
		} else {
			parts += sample.Value.Uint64()
		}
	}
	fmt.Println(parts == total)
}
