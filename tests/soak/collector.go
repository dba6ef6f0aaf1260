// A soak of the collector: for the minutes given (10 if none) trees are built, exchanged, sent, watched weakly and finalized, while
// GOMAXPROCS, the memory limit and how much lives change: up to the megabytes given as the second argument (2000 if none).
//
// It fails if a tree has lost a node, or if a second after a change more memory is in use than the limit and 5 % of it, although what
// lived at the last collection would have left a tenth of the limit free. It prints the longest stop of the world, and the longest
// while there were no more Ps than processors: with more, a stop waits for a thread that the kernel does not run.
//
//	gosched tests/soak/collector.go [minutes [megabytes]]
//	GODEBUG=gccheckmark=1 GOGC=10 gosched tests/soak/collector.go 10 20
package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	"weak"
)

type node struct {
	left, right *node
	sum         int
	pad         [3]int
}

// build makes a tree of depth n: 2^(n+1) nodes of 48 bytes.
func build(n, v int) *node {
	if n == 0 {
		return &node{sum: v}
	}
	l, r := build(n-1, v), build(n-1, v+1)
	return &node{left: l, right: r, sum: l.sum + r.sum}
}

func check(t *node) int {
	if t.left == nil {
		return t.sum
	}
	s := check(t.left) + check(t.right)
	if s != t.sum {
		fmt.Println("LOST", s, t.sum)
		os.Exit(3)
	}
	return s
}

// forest is what lives.
type forest struct {
	sync.Mutex
	trees []*node
	many  int
}

// plant puts t in, in place of another if there are enough.
func (f *forest) plant(t *node, place int) *node {
	f.Lock()
	defer f.Unlock()
	if len(f.trees) > f.many {
		clear(f.trees[f.many:])
		f.trees = f.trees[:f.many]
	}
	if len(f.trees) < f.many {
		f.trees = append(f.trees, t)
		return t
	}
	place %= len(f.trees)
	f.trees[place], t = t, f.trees[place]
	return t
}

func (f *forest) resize(many int) {
	f.Lock()
	defer f.Unlock()
	f.many = many
}

var (
	lives     forest
	finalized atomic.Int64
	// Until then, in nanoseconds, there were more Ps than processors.
	crowded atomic.Int64
)

func plant(g int, c chan *node) {
	for i := 0; ; i++ {
		t := build(13, i+g)
		w := weak.Make(t)
		if i%7 == 0 {
			runtime.SetFinalizer(t, func(*node) { finalized.Add(1) })
		}
		old := lives.plant(t, i*31)
		if w.Value() != t {
			fmt.Println("LOST: a weak pointer to what lives is nil")
			os.Exit(3)
		}
		if i%3 == 0 {
			select {
			case c <- old:
			default:
			}
		}
		if i%50 == 0 {
			check(old)
		}
		if i%4 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
}

const none = 1 << 60

// judge watches memory and stops until the end.
type judge struct {
	limit              int64
	since              time.Time
	seen               uint32
	longest, own       time.Duration
	polls, bound, over int
}

func (j *judge) look() {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	for ; j.seen < s.NumGC; j.seen++ {
		if s.NumGC-j.seen >= 256 {
			continue
		}
		stop := time.Duration(s.PauseNs[j.seen%256])
		j.longest = max(j.longest, stop)
		if int64(s.PauseEnd[j.seen%256])-stop.Nanoseconds() > crowded.Load() {
			j.own = max(j.own, stop)
		}
	}
	if limit := debug.SetMemoryLimit(-1); limit != j.limit {
		j.limit, j.since = limit, time.Now()
	}
	j.polls++
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	rest := s.Sys - s.HeapSys
	if j.limit == none || int64(live[0].Value.Uint64()+rest) > j.limit/10*9 {
		j.since = time.Now()
		return
	}
	if time.Since(j.since) < time.Second {
		return
	}
	j.bound++
	if used := int64(s.Sys - s.HeapReleased); used > j.limit/100*105 {
		j.over++
		if j.over < 10 {
			fmt.Println("OVER", used>>20, "limit", j.limit>>20, "live", live[0].Value.Uint64()>>20)
		}
	}
}

func number(n int, otherwise float64) float64 {
	if len(os.Args) <= n {
		return otherwise
	}
	f, err := strconv.ParseFloat(os.Args[n], 64)
	if err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	return f
}

func main() {
	total := time.Duration(number(1, 10) * float64(time.Minute))
	most := int(number(2, 2000))
	end := time.Now().Add(total)
	lives.resize(10)
	debug.SetMemoryLimit(none)
	c := make(chan *node, 4)
	for g := range 3 {
		go plant(g, c)
	}
	go func() {
		for t := range c {
			check(t)
		}
	}()
	go func() {
		sizes := []int{10, 200, 50, most, 20, most / 2, 100}
		for i := 0; ; i++ {
			many := min(sizes[i%len(sizes)], most)
			lives.resize(many)
			procs := 1 + i%4
			crowded.Store(math.MaxInt64)
			runtime.GOMAXPROCS(procs)
			if procs <= runtime.NumCPU() {
				crowded.Store(time.Now().UnixNano())
			}
			time.Sleep(total / 30)
			if i%3 == 1 {
				debug.SetMemoryLimit(int64(many)*2<<20 + 150<<20)
			} else {
				debug.SetMemoryLimit(none)
			}
			time.Sleep(total / 30)
		}
	}()
	var j judge
	for time.Now().Before(end) {
		time.Sleep(20 * time.Millisecond)
		j.look()
	}
	lives.Lock()
	for _, t := range lives.trees {
		check(t)
	}
	fmt.Println("cycles", j.seen, "longest stop", j.longest, "not crowded", j.own,
		"| under a limit", j.bound, "of", j.polls, "looks, above it", j.over, "| finalized", finalized.Load())
	if j.over > 0 {
		os.Exit(1)
	}
}
