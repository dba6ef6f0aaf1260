package testing

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
)

var (
	matchBenchmarks *string
	benchMemory     *bool
	benchTime       = amount{d: time.Second}
)

func declareBenchFlags() {
	matchBenchmarks = flag.String("test.bench", "", "run only benchmarks matching `regexp`")
	benchMemory = flag.Bool("test.benchmem", false, "print memory allocations for benchmarks")
	flag.Var(&benchTime, "test.benchtime", "run each benchmark for duration `d` or N times if `d` is of the form Nx")
}

// An amount is how long something goes on: a time, or as many times as 100x says.
type amount struct {
	d         time.Duration
	n         int
	allowZero bool
}

func (a *amount) String() string {
	if a.n > 0 {
		return fmt.Sprintf("%dx", a.n)
	}
	return a.d.String()
}

func (a *amount) Set(text string) error {
	if digits, ok := strings.CutSuffix(text, "x"); ok {
		n, err := strconv.ParseInt(digits, 10, 0)
		if err != nil || n < 0 || n == 0 && !a.allowZero {
			return fmt.Errorf("invalid count")
		}
		*a = amount{n: int(n), allowZero: a.allowZero}
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d == 0 && !a.allowZero {
		return fmt.Errorf("invalid duration")
	}
	*a = amount{d: d, allowZero: a.allowZero}
	return nil
}

// InternalBenchmark is a benchmark and its name.
type InternalBenchmark struct {
	Name string
	F    func(b *B)
}

// B is what a benchmark is given: N says how often it does what is measured.
type B struct {
	common
	N int

	benchPath   string // the package's
	all         *allBenchmarks
	f           func(b *B)
	time        amount
	parallelism int
	bytes       int64
	lacksBytes  bool // a benchmark below has not set them
	showsAllocs bool
	result      BenchmarkResult
	lastN       int
	lastTime    time.Duration
	clock       clock
	extra       map[string]float64

	// Of Loop: how many rounds there have been, and how many there are to be. With the clock
	// stopped there are none to be, so that Loop looks at everything.
	rounds, most, target uint64
	loopOver             bool
}

// A clock measures time and memory while it is on.
type clock struct {
	on                     bool
	mallocs, bytes         uint64 // in all while it was on
	mallocsThen, bytesThen uint64 // when it was switched on
}

// One benchmark runs at a time.
var benchmarkLock sync.Mutex

func memory() (mallocs, bytes uint64) {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.Mallocs, stats.TotalAlloc
}

func (b *B) begin() {
	b.clock.mallocsThen, b.clock.bytesThen = memory()
	b.start = time.Now()
}

// StartTimer switches the clock on.
func (b *B) StartTimer() {
	if b.clock.on {
		return
	}
	b.begin()
	b.clock.on = true
	b.most = b.target
}

// StopTimer switches the clock off.
func (b *B) StopTimer() {
	if !b.clock.on {
		return
	}
	b.duration += time.Since(b.start)
	mallocs, bytes := memory()
	b.clock.mallocs += mallocs - b.clock.mallocsThen
	b.clock.bytes += bytes - b.clock.bytesThen
	b.clock.on = false
	b.most = 0
}

// ResetTimer forgets what has been measured.
func (b *B) ResetTimer() {
	if b.extra == nil {
		b.extra = map[string]float64{}
	}
	clear(b.extra)
	if b.clock.on {
		b.begin()
	}
	b.duration = 0
	b.clock.mallocs, b.clock.bytes = 0, 0
}

// Elapsed is the time that has been measured.
func (b *B) Elapsed() time.Duration {
	if b.clock.on {
		return b.duration + time.Since(b.start)
	}
	return b.duration
}

// SetBytes says how many bytes one round works on.
func (b *B) SetBytes(n int64) { b.bytes = n }

// ReportAllocs has allocations reported, as -benchmem does.
func (b *B) ReportAllocs() { b.showsAllocs = true }

// ReportMetric reports n in units of its own, or in place of what would be reported in that unit.
func (b *B) ReportMetric(n float64, unit string) {
	if unit == "" {
		panic("metric unit must not be empty")
	}
	if strings.IndexFunc(unit, unicode.IsSpace) >= 0 {
		panic("metric unit must not contain whitespace")
	}
	b.extra[unit] = n
}

// Loop says whether the benchmark is to go on. The clock runs from its first call to its last.
func (b *B) Loop() bool {
	if b.rounds < b.most {
		b.rounds++
		return true
	}
	return b.nextRounds()
}

// nextRounds decides how many more rounds there are to be.
func (b *B) nextRounds() bool {
	switch {
	case !b.clock.on:
		b.Fatal("B.Loop called with timer stopped")
	case b.target == 0:
		b.setTarget(1)
		if b.time.n > 0 {
			b.setTarget(uint64(b.time.n))
		}
		// N counts what Loop has done.
		b.N = 0
		b.ResetTimer()
		b.rounds++
		return true
	case b.time.n == 0:
		if d := b.Elapsed(); d < b.time.d {
			b.setTarget(uint64(nextN(b.time.d, int64(b.target), d, int64(b.target))))
			b.rounds++
			return true
		}
	}
	b.StopTimer()
	b.N = int(b.target)
	b.loopOver = true
	return false
}

func (b *B) setTarget(n uint64) { b.target, b.most = n, n }

// nextN is how many rounds to do next so that they take as long as wanted, if so many have taken
// so long: some more, but not too many more than the last time.
func nextN(want time.Duration, n int64, took time.Duration, last int64) int {
	next := int64(want) * n / max(int64(took), 1)
	next = min(next+next/5, 100*last)
	return int(min(max(next, last+1), 1e9))
}

// runN calls the benchmark's function once, with this N.
func (b *B) runN(n int) {
	benchmarkLock.Lock()
	defer benchmarkLock.Unlock()
	defer func() {
		b.runCleanup()
		b.checkRaces()
	}()
	runtime.GC()
	b.resetRaces()
	b.N = n
	b.rounds, b.loopOver = 0, false
	b.setTarget(0)
	b.ctx, b.cancelCtx = context.WithCancel(context.Background())
	b.parallelism = 1
	b.ResetTimer()
	b.StartTimer()
	b.f(b)
	b.StopTimer()
	b.lastN, b.lastTime = n, b.duration
	if b.target > 0 && !b.loopOver && !b.failed {
		b.Error("benchmark function returned without B.Loop() == false (break or return in loop?)")
	}
}

// inGoroutine calls f in a goroutine, which the benchmark may end.
func (b *B) inGoroutine(f func()) {
	go func() {
		defer func() { b.signal <- true }()
		f()
	}()
	<-b.signal
}

// probe runs the benchmark once; true: it wants more.
func (b *B) probe() bool {
	if all := b.all; all != nil {
		if n := len(b.name) + all.suffix + 1; n > all.width {
			// With room for some that are a bit longer.
			all.width = n + 8
		}
	}
	b.inGoroutine(func() { b.runN(1) })
	if b.failed {
		fmt.Fprintf(b.w, "%s--- FAIL: %s\n%s", b.chatty.prefix(), b.name, b.pending)
		return false
	}
	left := b.hasFinished()
	if !left && !b.hasSub.Load() {
		return true
	}
	if b.chatty != nil && (len(b.pending) > 0 || left) {
		result := "BENCH"
		if b.skipped {
			result = "SKIP"
		}
		b.trim()
		fmt.Fprintf(b.w, "%s--- %s: %s\n%s", b.chatty.prefix(), result, b.name, b.pending)
	}
	return false
}

// measure runs the benchmark for as long as the flags want.
func (b *B) measure() BenchmarkResult {
	b.inGoroutine(func() {
		switch {
		case b.target > 0:
			// Loop has seen to it.
		case b.time.n == 1:
			// That was the probe.
		case b.time.n > 0:
			b.runN(b.time.n)
		default:
			for n := int64(1); !b.failed && b.duration < b.time.d && n < 1e9; {
				n = int64(nextN(b.time.d, int64(b.N), b.duration, n))
				b.runN(int(n))
			}
		}
		b.result = BenchmarkResult{
			N:         b.N,
			T:         b.duration,
			Bytes:     b.bytes,
			MemAllocs: b.clock.mallocs,
			MemBytes:  b.clock.bytes,
			Extra:     b.extra,
		}
	})
	return b.result
}

var printLabels sync.Once

// labels says once what the numbers are of.
func (b *B) labels(w io.Writer) {
	printLabels.Do(func() {
		fmt.Fprintf(w, "goos: %s\ngoarch: %s\n", runtime.GOOS, runtime.GOARCH)
		if b.benchPath != "" {
			fmt.Fprintf(w, "pkg: %s\n", b.benchPath)
		}
		if cpu := cpuName(); cpu != "" {
			fmt.Fprintf(w, "cpu: %s\n", cpu)
		}
	})
}

func cpuName() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Run runs f as a benchmark below this one; false: it has failed.
func (b *B) Run(name string, f func(b *B)) bool {
	b.hasSub.Store(true)
	benchmarkLock.Unlock()
	defer benchmarkLock.Lock()
	full, ok, partial := b.name, true, false
	if b.all != nil {
		full, ok, partial = b.all.match.fullName(&b.common, name)
	}
	if !ok {
		return true
	}
	var pcs [stackDepth]uintptr
	n := runtime.Callers(2, pcs[:])
	sub := &B{
		common: common{
			signal:  make(chan bool),
			name:    full,
			parent:  &b.common,
			level:   b.level + 1,
			creator: pcs[:n],
			w:       b.w,
			chatty:  b.chatty,
			bench:   true,
		},
		benchPath: b.benchPath,
		f:         f,
		time:      b.time,
		all:       b.all,
	}
	sub.lines = &lineWriter{c: &sub.common}
	// Only what is below it is wanted.
	sub.hasSub.Store(partial)
	if b.chatty != nil {
		b.labels(os.Stdout)
		if b.chatty.json {
			b.chatty.state("RUN", full)
		}
		fmt.Println(full)
	}
	if sub.probe() {
		sub.labels(sub.w)
		if sub.all != nil {
			sub.all.report(sub)
		} else {
			sub.measure()
		}
	}
	b.add(sub.result)
	return !sub.failed
}

// add makes the result of one below a part of this one's.
func (b *B) add(other BenchmarkResult) {
	r := &b.result
	r.N = 1
	r.T += time.Duration(other.NsPerOp())
	if other.Bytes == 0 {
		b.lacksBytes = true
		r.Bytes = 0
	}
	if !b.lacksBytes {
		r.Bytes += other.Bytes
	}
	r.MemAllocs += uint64(other.AllocsPerOp())
	r.MemBytes += uint64(other.AllocedBytesPerOp())
}

// trim leaves of what was printed the first lines.
func (b *B) trim() {
	lines := 0
	for i, c := range b.pending {
		if c != '\n' {
			continue
		}
		if lines++; lines == 10 {
			b.pending = append(b.pending[:i], "\n\t... [output truncated]\n"...)
			return
		}
	}
}

// allBenchmarks is what all have in common: where their columns are.
type allBenchmarks struct {
	match         *matcher
	width, suffix int
}

func withProcs(name string, procs int) string {
	if procs == 1 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, procs)
}

// RunBenchmarks runs those that -test.bench matches.
func RunBenchmarks(matchString func(pat, str string) (bool, error), benchmarks []InternalBenchmark) {
	runBenchmarks("", matchString, benchmarks)
}

func runBenchmarks(path string, matchString func(pat, str string) (bool, error), benchmarks []InternalBenchmark) bool {
	if *matchBenchmarks == "" {
		return true
	}
	procs := max(1, slices.Max(cpuList))
	all := &allBenchmarks{
		match:  newMatcher(matchString, *matchBenchmarks, "-test.bench", *skip),
		suffix: len(withProcs("", procs)),
	}
	var wanted []InternalBenchmark
	for _, one := range benchmarks {
		if _, ok, _ := all.match.fullName(nil, one.Name); ok {
			wanted = append(wanted, one)
			all.width = max(all.width, len(withProcs(one.Name, procs))+all.suffix+1)
		}
	}
	main := &B{
		common:    common{name: "Main", w: os.Stdout, bench: true},
		benchPath: path,
		f: func(b *B) {
			for _, one := range wanted {
				b.Run(one.Name, one.F)
			}
		},
		time: benchTime,
		all:  all,
	}
	if Verbose() {
		main.chatty = newChattyPrinter(main.w)
	}
	main.runN(1)
	return !main.failed
}

// report measures a benchmark as often as the flags want, and prints the results.
func (a *allBenchmarks) report(b *B) {
	for i, procs := range cpuList {
		for j := uint(0); j < *count; j++ {
			runtime.GOMAXPROCS(procs)
			name := withProcs(b.name, procs)
			if b.chatty == nil {
				// Before it runs, so that one sees which one does.
				fmt.Fprintf(b.w, "%-*s\t", a.width, name)
			}
			if i > 0 || j > 0 {
				b = b.again()
			}
			r := b.measure()
			if b.failed {
				fmt.Fprintf(b.w, "%s--- FAIL: %s\n%s", b.chatty.prefix(), name, b.pending)
				continue
			}
			if b.chatty != nil {
				fmt.Fprintf(b.w, "%-*s\t", a.width, name)
			}
			text := r.String()
			if *benchMemory || b.showsAllocs {
				text += "\t" + r.MemString()
			}
			fmt.Fprintln(b.w, text)
			if len(b.pending) > 0 {
				b.trim()
				fmt.Fprintf(b.w, "%s--- BENCH: %s\n%s", b.chatty.prefix(), name, b.pending)
			}
			if left := runtime.GOMAXPROCS(-1); left != procs {
				fmt.Fprintf(os.Stderr, "testing: %s left GOMAXPROCS set to %d\n", name, left)
			}
			if b.chatty != nil && b.chatty.json {
				b.chatty.state("NAME", "")
			}
		}
	}
}

// again is the same benchmark, which has been probed.
func (b *B) again() *B {
	next := &B{
		common: common{
			signal: make(chan bool),
			name:   b.name,
			w:      b.w,
			chatty: b.chatty,
			bench:  true,
		},
		f:    b.f,
		time: b.time,
	}
	next.lines = &lineWriter{c: &next.common}
	next.probe()
	return next
}

// Benchmark measures a function.
func Benchmark(f func(b *B)) BenchmarkResult {
	b := &B{
		common: common{signal: make(chan bool), w: io.Discard},
		f:      f,
		time:   benchTime,
	}
	b.lines = &lineWriter{c: &b.common}
	if b.probe() {
		b.labels(b.w)
		b.measure()
	}
	return b.result
}

// PB is what the goroutines of RunParallel are given.
type PB struct {
	taken *atomic.Uint64 // rounds that goroutines have taken
	grain uint64         // so many are taken at once
	mine  uint64
	all   uint64
}

// Next says whether there is a round left.
func (pb *PB) Next() bool {
	if pb.mine == 0 {
		taken := pb.taken.Add(pb.grain)
		switch {
		case taken <= pb.all:
			pb.mine = pb.grain
		case taken < pb.all+pb.grain:
			pb.mine = pb.all + pb.grain - taken
		default:
			return false
		}
	}
	pb.mine--
	return true
}

// RunParallel has several goroutines share the rounds.
func (b *B) RunParallel(body func(*PB)) {
	if b.N == 0 {
		return
	}
	// What is taken at once takes about 100 µs.
	grain := uint64(0)
	if b.lastN > 0 && b.lastTime > 0 {
		grain = 1e5 * uint64(b.lastN) / uint64(b.lastTime)
	}
	grain = min(max(grain, 1), 1e4)
	var taken atomic.Uint64
	var wg sync.WaitGroup
	for range b.parallelism * runtime.GOMAXPROCS(0) {
		wg.Go(func() { body(&PB{taken: &taken, grain: grain, all: uint64(b.N)}) })
	}
	wg.Wait()
	if taken.Load() <= uint64(b.N) && !b.Failed() {
		b.Fatal("RunParallel: body exited without pb.Next() == false")
	}
}

// SetParallelism has RunParallel use p goroutines for each processor.
func (b *B) SetParallelism(p int) {
	if p >= 1 {
		b.parallelism = p
	}
}

// BenchmarkResult is what has been measured.
type BenchmarkResult struct {
	N         int           // rounds
	T         time.Duration // of all
	Bytes     int64         // of one
	MemAllocs uint64
	MemBytes  uint64
	Extra     map[string]float64 // from ReportMetric
}

// perOp is a value of one round, unless ReportMetric has given another.
func (r BenchmarkResult) perOp(unit string, all int64) int64 {
	if v, ok := r.Extra[unit]; ok {
		return int64(v)
	}
	if r.N <= 0 {
		return 0
	}
	return all / int64(r.N)
}

func (r BenchmarkResult) NsPerOp() int64 { return r.perOp("ns/op", r.T.Nanoseconds()) }

func (r BenchmarkResult) AllocsPerOp() int64 { return r.perOp("allocs/op", int64(r.MemAllocs)) }

func (r BenchmarkResult) AllocedBytesPerOp() int64 { return r.perOp("B/op", int64(r.MemBytes)) }

func (r BenchmarkResult) mbPerSec() float64 {
	if v, ok := r.Extra["MB/s"]; ok {
		return v
	}
	if r.Bytes <= 0 || r.T <= 0 || r.N <= 0 {
		return 0
	}
	return float64(r.Bytes) * float64(r.N) / 1e6 / r.T.Seconds()
}

// String is the line of a benchmark behind its name, without memory.
func (r BenchmarkResult) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%8d", r.N)
	ns, ok := r.Extra["ns/op"]
	if !ok {
		ns = float64(r.T.Nanoseconds()) / float64(r.N)
	}
	if ns != 0 {
		writeMetric(&b, ns, "ns/op")
	}
	if mbs := r.mbPerSec(); mbs != 0 {
		fmt.Fprintf(&b, "\t%7.2f MB/s", mbs)
	}
	var units []string
	for unit := range r.Extra {
		if !slices.Contains([]string{"ns/op", "MB/s", "B/op", "allocs/op"}, unit) {
			units = append(units, unit)
		}
	}
	slices.Sort(units)
	for _, unit := range units {
		writeMetric(&b, r.Extra[unit], unit)
	}
	return b.String()
}

// writeMetric writes four digits that count, or more before the point, with the points below each
// other.
func writeMetric(w io.Writer, x float64, unit string) {
	digits, least := 0, 999.95
	if y := math.Abs(x); y != 0 {
		for digits < 7 && y < least {
			digits++
			least /= 10
			if digits == 1 {
				least = 99.995
			}
		}
	}
	width := 10
	if digits > 0 {
		width += digits + 1
	}
	fmt.Fprintf(w, "\t%*.*f %s", width, digits, x, unit)
}

// MemString is what a line says of memory.
func (r BenchmarkResult) MemString() string {
	return fmt.Sprintf("%8d B/op\t%8d allocs/op", r.AllocedBytesPerOp(), r.AllocsPerOp())
}

// AllocsPerRun counts the allocations of a call of f: the whole number below their mean.
func AllocsPerRun(runs int, f func()) (avg float64) {
	if parallelStart.Load() != parallelStop.Load() {
		panic("testing: AllocsPerRun called during parallel test")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	f()
	before, _ := memory()
	for range runs {
		f()
	}
	after, _ := memory()
	return float64((after - before) / uint64(runs))
}
