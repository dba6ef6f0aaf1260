// Package metrics tells what the runtime measures about itself, by name.
package metrics

import (
	"internal/godebug"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
)

type ValueKind int

const (
	KindBad ValueKind = iota
	KindUint64
	KindFloat64
	KindFloat64Histogram
)

// A Value is what was measured.
type Value struct {
	kind      ValueKind
	bits      uint64
	histogram *Float64Histogram
}

func (v Value) Kind() ValueKind { return v.kind }

func (v Value) Uint64() uint64 {
	if v.kind != KindUint64 {
		panic("called Uint64 on non-uint64 metric value")
	}
	return v.bits
}

func (v Value) Float64() float64 {
	if v.kind != KindFloat64 {
		panic("called Float64 on non-float64 metric value")
	}
	return math.Float64frombits(v.bits)
}

func (v Value) Float64Histogram() *Float64Histogram {
	if v.kind != KindFloat64Histogram {
		panic("called Float64Histogram on non-Float64Histogram metric value")
	}
	return v.histogram
}

// A Float64Histogram has a count for each two neighbours of its buckets.
type Float64Histogram struct {
	Counts  []uint64
	Buckets []float64
}

type Sample struct {
	Name  string
	Value Value
}

type Description struct {
	Name        string
	Description string
	Kind        ValueKind
	Cumulative  bool
}

// A metric is one that can be read: by of, if it is a number.
type metric struct {
	Description
	of   func(*reading) uint64
	hist func(*reading) *Float64Histogram
}

// A reading is what Read has asked the runtime for, each when first needed.
type reading struct {
	mem     *runtime.MemStats
	classes []uint64
	tiny    uint64
	states  []uint64
}

func (r *reading) memory() *runtime.MemStats {
	if r.mem == nil {
		r.mem = new(runtime.MemStats)
		runtime.ReadMemStats(r.mem)
		r.classes, r.tiny = sizes()
	}
	return r.mem
}

// goroutines is how many are in system calls, can run, run and wait.
func (r *reading) goroutines() []uint64 {
	if r.states == nil {
		r.states = statuses()
	}
	return r.states
}

// total adds up what a column of the classes says: 1 is allocations, 2 what was freed.
func (r *reading) total(column int) (n uint64) {
	r.memory()
	for class := 0; class < len(r.classes); class += 3 {
		n += r.classes[class+column]
	}
	return n
}

// bySize is a column of the classes by their sizes. A class holds sizes up to its own; behind the last are those of large objects.
func (r *reading) bySize(column int) *Float64Histogram {
	r.memory()
	h := &Float64Histogram{Buckets: []float64{1}}
	for class := 3; class < len(r.classes); class += 3 {
		h.Buckets = append(h.Buckets, float64(r.classes[class]+1))
		h.Counts = append(h.Counts, r.classes[class+column])
	}
	h.Buckets = append(h.Buckets, math.Inf(1))
	h.Counts = append(h.Counts, r.classes[column])
	return h
}

// The runtime's histograms.
const (
	latencies = iota
	stoppingForGC
	stoppingForOther
	stoppedForGC
	stoppedForOther
)

func times(which int) func(*reading) *Float64Histogram {
	return func(*reading) *Float64Histogram { return &Float64Histogram{Counts: counts(which), Buckets: bounds()} }
}

func number(name string, cumulative bool, about string, of func(*reading) uint64) metric {
	return metric{Description: Description{name, about, KindUint64, cumulative}, of: of}
}

func memory(name string, about string, of func(*runtime.MemStats) uint64) metric {
	return number(name, false, about, func(r *reading) uint64 { return of(r.memory()) })
}

func seconds(name string, about string, which int) metric {
	return metric{Description: Description{name, about, KindFloat64Histogram, true}, hist: times(which)}
}

// known is the metrics, in the order of their names.
var known = sync.OnceValue(func() []metric {
	list := []metric{
		number("/cgo/go-to-c-calls:calls", true, "Calls from Go to C: there are none.", func(*reading) uint64 { return 0 }),
		number("/gc/cycles/automatic:gc-cycles", true, "Completed collections that the runtime has begun.",
			func(r *reading) uint64 { m := r.memory(); return uint64(m.NumGC - m.NumForcedGC) }),
		number("/gc/cycles/forced:gc-cycles", true, "Completed collections that the program has asked for.",
			func(r *reading) uint64 { return uint64(r.memory().NumForcedGC) }),
		number("/gc/cycles/total:gc-cycles", true, "All completed collections.",
			func(r *reading) uint64 { return uint64(r.memory().NumGC) }),
		number("/gc/gogc:percent", false, "How much the heap may grow between collections, as GOGC or debug.SetGCPercent has set it.",
			func(*reading) uint64 { return uint64(gcPercent()) }),
		number("/gc/gomemlimit:bytes", false, "The limit on memory, as GOMEMLIMIT or debug.SetMemoryLimit has set it; else math.MaxInt64.",
			func(*reading) uint64 { return uint64(memoryLimit()) }),
		{
			Description: Description{"/gc/heap/allocs-by-size:bytes",
				"Allocated objects by size. Tiny objects count as the blocks that they are joined in.", KindFloat64Histogram, true},
			hist: func(r *reading) *Float64Histogram { return r.bySize(1) },
		},
		number("/gc/heap/allocs:bytes", true, "Memory that the program has allocated.",
			func(r *reading) uint64 { return r.memory().TotalAlloc }),
		number("/gc/heap/allocs:objects", true, "Objects that the program has allocated. Tiny ones count as the blocks that they are joined in.",
			func(r *reading) uint64 { return r.total(1) }),
		{
			Description: Description{"/gc/heap/frees-by-size:bytes",
				"Freed objects by size. Tiny objects count as the blocks that they are joined in.", KindFloat64Histogram, true},
			hist: func(r *reading) *Float64Histogram { return r.bySize(2) },
		},
		number("/gc/heap/frees:bytes", true, "Memory that the collector has freed.",
			func(r *reading) uint64 { m := r.memory(); return m.TotalAlloc - m.HeapAlloc }),
		number("/gc/heap/frees:objects", true, "Objects that the collector has freed. Tiny ones count as the blocks that they are joined in.",
			func(r *reading) uint64 { return r.total(2) }),
		memory("/gc/heap/goal:bytes", "The size of the heap at the end of the collection that the runtime aims at.",
			func(m *runtime.MemStats) uint64 { return m.NextGC }),
		number("/gc/heap/live:bytes", false, "Memory of the objects that the last collection has found alive.",
			func(*reading) uint64 { return live() }),
		number("/gc/heap/objects:objects", false, "Objects in the heap, those not yet swept included.",
			func(r *reading) uint64 { return r.total(1) - r.total(2) }),
		number("/gc/heap/tiny/allocs:objects", true, "Small objects without pointers that were joined with others in a block.",
			func(r *reading) uint64 { r.memory(); return r.tiny }),
		number("/gc/limiter/last-enabled:gc-cycle", false, "The collection that was limited last in its use of processors: there is no such limit, so 0.",
			func(*reading) uint64 { return 0 }),
		seconds("/gc/pauses:seconds", "Deprecated: the same as /sched/pauses/total/gc:seconds.", stoppedForGC),
		number("/gc/stack/starting-size:bytes", false, "The size of the stack of a new goroutine.",
			func(*reading) uint64 { return uint64(stackSize()) }),
		memory("/memory/classes/heap/free:bytes", "Free memory that has not been given back to the system.",
			func(m *runtime.MemStats) uint64 { return m.HeapIdle - m.HeapReleased }),
		memory("/memory/classes/heap/objects:bytes", "Memory of objects, those not yet swept included.",
			func(m *runtime.MemStats) uint64 { return m.HeapAlloc }),
		memory("/memory/classes/heap/released:bytes", "Free memory that has been given back to the system.",
			func(m *runtime.MemStats) uint64 { return m.HeapReleased }),
		memory("/memory/classes/heap/stacks:bytes", "Memory of goroutines' stacks, in use or not.",
			func(m *runtime.MemStats) uint64 { return m.StackInuse }),
		memory("/memory/classes/heap/unused:bytes", "Memory for objects that holds none.",
			func(m *runtime.MemStats) uint64 { return m.HeapInuse - m.HeapAlloc }),
		memory("/memory/classes/metadata/mcache/free:bytes", "Memory for allocation caches that none uses.",
			func(m *runtime.MemStats) uint64 { return m.MCacheSys - m.MCacheInuse }),
		memory("/memory/classes/metadata/mcache/inuse:bytes", "Memory of allocation caches.",
			func(m *runtime.MemStats) uint64 { return m.MCacheInuse }),
		memory("/memory/classes/metadata/mspan/free:bytes", "Memory for descriptions of spans that none uses.",
			func(m *runtime.MemStats) uint64 { return m.MSpanSys - min(m.MSpanSys, m.MSpanInuse) }),
		memory("/memory/classes/metadata/mspan/inuse:bytes", "Memory of descriptions of spans.",
			func(m *runtime.MemStats) uint64 { return min(m.MSpanSys, m.MSpanInuse) }),
		memory("/memory/classes/metadata/other:bytes", "Other memory that the heap's bookkeeping takes.",
			func(m *runtime.MemStats) uint64 { return m.GCSys }),
		memory("/memory/classes/total:bytes", "All memory of the heap, of stacks and of their bookkeeping: the sum of the others in /memory/classes.",
			func(m *runtime.MemStats) uint64 { return m.Sys }),
		number("/sched/gomaxprocs:threads", false, "How many threads may run Go at a time, as GOMAXPROCS says.",
			func(*reading) uint64 { return uint64(runtime.GOMAXPROCS(0)) }),
		number("/sched/goroutines/not-in-go:goroutines", false, "Goroutines in system calls, roughly.",
			func(r *reading) uint64 { return r.goroutines()[0] }),
		number("/sched/goroutines/runnable:goroutines", false, "Goroutines that can run and do not, roughly.",
			func(r *reading) uint64 { return r.goroutines()[1] }),
		number("/sched/goroutines/running:goroutines", false, "Goroutines that run, roughly; at most /sched/gomaxprocs:threads.",
			func(r *reading) uint64 { return min(r.goroutines()[2], uint64(runtime.GOMAXPROCS(0))) }),
		number("/sched/goroutines/waiting:goroutines", false, "Goroutines that wait for one another, for time or for input and output, roughly.",
			func(r *reading) uint64 { return r.goroutines()[3] }),
		number("/sched/goroutines:goroutines", false, "Goroutines that live.",
			func(*reading) uint64 { return uint64(runtime.NumGoroutine()) }),
		seconds("/sched/latencies:seconds", "How long goroutines could run before they did.", latencies),
		seconds("/sched/pauses/stopping/gc:seconds", "How long it took to stop the world for collections.", stoppingForGC),
		seconds("/sched/pauses/stopping/other:seconds", "How long it took to stop the world for other reasons.", stoppingForOther),
		seconds("/sched/pauses/total/gc:seconds", "How long the world stood still for collections, from the decision to stop it on.", stoppedForGC),
		seconds("/sched/pauses/total/other:seconds", "How long the world stood still for other reasons, from the decision to stop it on.", stoppedForOther),
		number("/sched/threads/total:threads", false, "Threads that run goroutines, or did, and live.",
			func(*reading) uint64 { return uint64(threads()) }),
		{
			Description: Description{"/sync/mutex/wait/total:seconds",
				"How long goroutines have waited for a sync.Mutex or sync.RWMutex, by a sample of the waits.", KindFloat64, true},
			of: func(*reading) uint64 { return math.Float64bits(float64(lockWait()) / 1e9) },
		},
	}
	for _, name := range settings {
		list = append(list, number("/godebug/non-default-behavior/"+name+":events", true,
			"How often a program has done something because of GODEBUG="+name+"=….",
			func(*reading) uint64 { return godebug.Counted(name) }))
	}
	slices.SortFunc(list, func(a, b metric) int { return strings.Compare(a.Name, b.Name) })
	return list
})

// settings are those of GODEBUG whose effects are counted.
var settings = [...]string{
	"allowmultiplevcs", "containermaxprocs", "cryptocustomrand", "embedfollowsymlinks",
	"execerrdot", "fips140ems", "gocachehash", "gocachetest", "gocacheverify",
	"gotestjsonbuildtext", "htmlmetacontenturlescape", "http2client", "http2server",
	"httpcookiemaxnum", "httplaxcontentlength", "httpmuxgo121", "httpservecontentkeepheaders",
	"httpservecontentmaxranges", "installgoroot", "multipartmaxheaders", "multipartmaxparts",
	"multipathtcp", "netedns0", "panicnil", "randautoseed", "randseednop", "rsa1024min",
	"tarinsecurepath", "tlsmaxrsasize", "tlssha1", "updatemaxprocs", "urlmaxqueryparams",
	"urlstrictcolons", "winreadlinkvolume", "winsymlink", "x509negativeserial", "x509rsacrt",
	"x509sha256skid", "x509sslcertoverrideplatform", "x509usefallbackroots", "x509usepolicies",
	"zipinsecurepath",
}

func All() []Description {
	list := known()
	all := make([]Description, len(list))
	for i := range list {
		all[i] = list[i].Description
	}
	return all
}

func Read(m []Sample) {
	list := known()
	var r reading
	for i := range m {
		at, ok := slices.BinarySearchFunc(list, m[i].Name, func(a metric, name string) int { return strings.Compare(a.Name, name) })
		if !ok {
			m[i].Value = Value{}
			continue
		}
		v := Value{kind: list[at].Kind}
		if list[at].hist != nil {
			v.histogram = list[at].hist(&r)
		} else {
			v.bits = list[at].of(&r)
		}
		m[i].Value = v
	}
}

// Natives.

// sizes is of each class of objects the size, and how many were allocated and freed; large ones are the first class. And how many objects
// were joined with others.
func sizes() (classes []uint64, tiny uint64)

func statuses() []uint64

// counts is those of one of the runtime's histograms, whose buckets have the bounds.
func counts(which int) []uint64
func bounds() []float64

func gcPercent() int
func live() uint64
func memoryLimit() int
func stackSize() int
func threads() int

// lockWait is ns.
func lockWait() int
