package testing

import (
	"bytes"
	"context"
	"fmt"
	"io"
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

// This file has benchmarks. One is probed with a single round, which also finds those below it.
// If it has none, a pace is kept: from how long some rounds took follows how many are next, until
// they last as long as wanted. The meter has what they cost, and a BenchmarkResult what comes out.

// An amount is how long something goes on: a time, or as many times as 100x says.
type amount struct {
	d         time.Duration
	n         int
	canBeZero bool
}

func (a *amount) String() string {
	if a.n > 0 {
		return fmt.Sprintf("%dx", a.n)
	}
	return a.d.String()
}

func (a *amount) Set(text string) (err error) {
	var n int64
	var d time.Duration
	digits, isCount := strings.CutSuffix(text, "x")
	what := "duration"
	if isCount {
		what = "count"
		n, err = strconv.ParseInt(digits, 10, 0)
	} else {
		d, err = time.ParseDuration(text)
	}
	if least := min(n, int64(d)); err != nil || least < 0 || n == 0 && d == 0 && !a.canBeZero {
		return fmt.Errorf("invalid %s", what)
	}
	a.d, a.n = d, int(n)
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

	pkg         string // its import path
	all         *allBenchmarks
	f           func(b *B)
	wanted      amount
	parallelism int
	bytes       int64
	lacksBytes  bool // a benchmark below has not set them
	showsAllocs bool
	result      BenchmarkResult
	meter       meter
	extra       map[string]float64
	before      pace // the last call of f

	// Of Loop: how many rounds there have been, and how many there are to be. With the meter
	// stopped there are none to be, so that Loop looks at everything.
	rounds, most, target uint64
	loopOver             bool
}

// One benchmark runs at a time.
var benchTurn sync.Mutex

// newB is a benchmark that reports to w.
func newB(name string, w io.Writer, live *livePrinter, wanted amount, f func(b *B)) *B {
	b := &B{f: f, wanted: wanted}
	b.signal = make(chan bool)
	b.name, b.w, b.live, b.isBench = name, w, live, true
	b.lines = &lineWriter{c: &b.common}
	return b
}

// StartTimer switches the meter on.
func (b *B) StartTimer() {
	if !b.meter.isOn {
		b.meter.begin()
		b.most = b.target
	}
}

// StopTimer switches the meter off.
func (b *B) StopTimer() {
	if b.meter.isOn {
		b.meter.end()
		b.most = 0
	}
}

// ResetTimer forgets what has been measured.
func (b *B) ResetTimer() {
	if clear(b.extra); b.extra == nil {
		b.extra = map[string]float64{}
	}
	b.meter.clear()
}

// ReportAllocs has allocations reported, as -benchmem does.
func (b *B) ReportAllocs() { b.showsAllocs = true }

// SetBytes says how many bytes one round works on.
func (b *B) SetBytes(n int64) { b.bytes = n }

// Elapsed is the time that has been measured.
func (b *B) Elapsed() time.Duration { return b.meter.elapsed() }

// ReportMetric reports n in units of its own, or in place of what would be reported in that unit.
func (b *B) ReportMetric(n float64, unit string) {
	switch {
	case unit == "":
		panic("metric unit must not be empty")
	case strings.ContainsFunc(unit, unicode.IsSpace):
		panic("metric unit must not contain whitespace")
	}
	b.extra[unit] = n
}

// Loop says whether the benchmark is to go on. The meter runs from its first call to its last.
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
	case !b.meter.isOn:
		b.Fatal("B.Loop called with timer stopped")
	case b.target == 0:
		// N counts what Loop has done.
		b.N = 0
		b.ResetTimer()
		b.target = uint64(max(b.wanted.n, 1))
	default:
		so := pace{int64(b.target), b.Elapsed()}
		if b.wanted.n > 0 || so.took >= b.wanted.d {
			b.StopTimer()
			b.N = int(b.target)
			b.loopOver = true
			return false
		}
		b.target = uint64(so.next(b.wanted.d, so.rounds))
	}
	b.most = b.target
	b.rounds++
	return true
}

// A pace is how long some rounds took.
type pace struct {
	rounds int64
	took   time.Duration
}

// next is how many rounds to do so that they take as long as wanted: some more than that, but not
// too many more than the last time.
func (p pace) next(want time.Duration, last int64) int64 {
	next := int64(want) * p.rounds / max(int64(p.took), 1)
	next = min(next+next/5, 100*last)
	return min(max(next, last+1), 1e9)
}

// in is how many rounds fit into a time.
func (p pace) in(d time.Duration) uint64 {
	if p.rounds <= 0 || p.took <= 0 {
		return 0
	}
	return uint64(d) * uint64(p.rounds) / uint64(p.took)
}

// runN calls the benchmark's function once, with this N.
func (b *B) runN(n int) {
	benchTurn.Lock()
	defer benchTurn.Unlock()
	defer b.countRaces()
	defer b.cleanUp()
	b.prepare(n)
	b.StartTimer()
	b.f(b)
	b.StopTimer()
	b.before = pace{int64(n), b.meter.spent}
	if b.target > 0 && !b.loopOver && !b.is(failed) {
		b.Error("benchmark function returned without B.Loop() == false (break or return in loop?)")
	}
}

// prepare makes all be as it is before the first call, but for what stays over calls.
func (b *B) prepare(n int) {
	runtime.GC()
	b.forgetRaces()
	b.N, b.parallelism = n, 1
	b.rounds, b.most, b.target, b.loopOver = 0, 0, 0, false
	b.ctx, b.cancel = context.WithCancel(context.Background())
	b.ResetTimer()
}

// inGoroutine calls f in a goroutine, which the benchmark may end.
func (b *B) inGoroutine(f func()) {
	go func() {
		defer func() { b.signal <- true }()
		f()
	}()
	<-b.signal
}

// tell prints what has become of the benchmark, and what it has printed.
func (b *B) tell(word, name string) {
	fmt.Fprintf(b.w, "%s--- %s: %s\n%s", b.live.prefix(), word, name, b.pending)
}

// probe runs the benchmark once; true: it wants more.
func (b *B) probe() (more bool) {
	if b.all != nil {
		b.all.makeRoom(b.name)
	}
	b.inGoroutine(func() { b.runN(1) })
	left := b.is(returned)
	switch {
	case b.is(failed):
		b.tell("FAIL", b.name)
	case !left && !b.is(hasBelow):
		more = true
	case b.live == nil || len(b.pending) == 0 && !left:
	case b.is(skipped):
		b.trim()
		b.tell("SKIP", b.name)
	default:
		b.trim()
		b.tell("BENCH", b.name)
	}
	return more
}

// measure runs the benchmark for as long as the flags want.
func (b *B) measure() BenchmarkResult {
	b.inGoroutine(func() {
		// Loop has seen to it alone.
		if b.target == 0 {
			b.keepPace()
		}
		heap := b.meter.heap
		b.result = BenchmarkResult{b.N, b.meter.spent, b.bytes, heap.objects, heap.bytes, b.extra}
	})
	return b.result
}

// keepPace calls the function with more and more rounds, or once with as many as are wanted. One
// round has been done.
func (b *B) keepPace() {
	if n := b.wanted.n; n > 0 {
		if n > 1 {
			b.runN(n)
		}
		return
	}
	for n := int64(1); n < 1e9 && b.meter.spent < b.wanted.d && !b.is(failed); {
		n = b.before.next(b.wanted.d, n)
		b.runN(int(n))
	}
}

var labelled atomic.Bool

// labels says once what the numbers are of.
func (b *B) labels(w io.Writer) {
	if labelled.Swap(true) {
		return
	}
	for _, label := range [][2]string{
		{"goos", runtime.GOOS}, {"goarch", runtime.GOARCH}, {"pkg", b.pkg}, {"cpu", cpuName()},
	} {
		if label[1] != "" {
			fmt.Fprintf(w, "%s: %s\n", label[0], label[1])
		}
	}
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
	b.mark(hasBelow)
	benchTurn.Unlock()
	defer benchTurn.Lock()
	sub := newB(b.name, b.w, b.live, b.wanted, f)
	if b.all != nil {
		full, ok, partial := b.all.filter.admit(&b.common, name)
		if !ok {
			return true
		}
		sub.name = full
		if partial {
			// Only what is below it is wanted.
			sub.mark(hasBelow)
		}
	}
	sub.parent, sub.level = &b.common, b.level+1
	sub.pkg, sub.all = b.pkg, b.all
	var pcs [stackDepth]uintptr
	sub.creator = pcs[:runtime.Callers(2, pcs[:])]
	sub.announce()
	if sub.probe() {
		sub.labels(sub.w)
		if sub.all != nil {
			sub.all.report(sub)
		} else {
			sub.measure()
		}
	}
	b.include(&sub.result)
	return !sub.is(failed)
}

// announce names a benchmark that is about to run.
func (b *B) announce() {
	if b.live == nil {
		return
	}
	b.labels(os.Stdout)
	if b.live.json {
		b.live.state("RUN", b.name)
	}
	fmt.Println(b.name)
}

// include makes the result of one below a part of this one's, as if one round ran it once.
func (b *B) include(part *BenchmarkResult) {
	b.lacksBytes = b.lacksBytes || part.Bytes == 0
	bytes := b.result.Bytes + part.Bytes
	if b.lacksBytes {
		bytes = 0
	}
	b.result = BenchmarkResult{
		1,
		b.result.T + time.Duration(part.NsPerOp()),
		bytes,
		b.result.MemAllocs + uint64(part.AllocsPerOp()),
		b.result.MemBytes + uint64(part.AllocedBytesPerOp()),
		b.result.Extra,
	}
}

// trim leaves of what was printed the first lines.
func (b *B) trim() {
	end := 0
	for range 10 {
		length := bytes.IndexByte(b.pending[end:], '\n') + 1
		if length == 0 {
			return
		}
		end += length
	}
	b.pending = append(b.pending[:end-1], "\n\t... [output truncated]\n"...)
}

// allBenchmarks is what all have in common: where their columns are.
type allBenchmarks struct {
	filter        *filter
	width, suffix int
}

// makeRoom makes the first column wide enough for a name, and for some that are a bit longer.
func (a *allBenchmarks) makeRoom(name string) {
	if n := len(name) + a.suffix + 1; n > a.width {
		a.width = n + 8
	}
}

func withProcs(name string, procs int) string {
	if procs == 1 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, procs)
}

// RunBenchmarks runs those that -test.bench matches.
func RunBenchmarks(matchString func(pat, str string) (bool, error), benchmarks []InternalBenchmark) {
	benchPackage("", matchString, benchmarks)
}

// benchPackage runs those of a package below one that is no benchmark; false: one has failed.
func benchPackage(pkg string, hit func(pat, str string) (bool, error), list []InternalBenchmark) bool {
	if options.bench == "" {
		return true
	}
	all := &allBenchmarks{filter: readFilter(hit, options.bench, "-test.bench", options.skip)}
	procs := max(1, slices.Max(procCounts))
	all.suffix = len(withProcs("", procs))
	list = slices.DeleteFunc(slices.Clone(list), func(one InternalBenchmark) bool {
		return !all.filter.wants(one.Name)
	})
	for _, one := range list {
		all.width = max(all.width, len(withProcs(one.Name, procs))+all.suffix+1)
	}
	root := newB("Main", os.Stdout, nil, options.benchFor, func(b *B) {
		for _, one := range list {
			b.Run(one.Name, one.F)
		}
	})
	root.pkg, root.all, root.lines = pkg, all, nil
	if Verbose() {
		root.live = newLivePrinter(root.w)
	}
	root.runN(1)
	return !root.is(failed)
}

// report measures a benchmark as often as the flags want, and prints the results. It has been
// probed for the first time already.
func (a *allBenchmarks) report(b *B) {
	isProbed := true
	for _, procs := range procCounts {
		for range options.count {
			runtime.GOMAXPROCS(procs)
			name := withProcs(b.name, procs)
			head := fmt.Sprintf("%-*s\t", a.width, name)
			if b.live == nil {
				// It is there before the benchmark runs, so that one sees which one does.
				io.WriteString(b.w, head)
				head = ""
			}
			if !isProbed {
				b = newB(b.name, b.w, b.live, b.wanted, b.f)
				b.probe()
			}
			isProbed = false
			b.row(head, name)
			if b.is(failed) {
				continue
			}
			if left := runtime.GOMAXPROCS(-1); left != procs {
				fmt.Fprintf(os.Stderr, "testing: %s left GOMAXPROCS set to %d\n", name, left)
			}
			if b.live != nil && b.live.json {
				b.live.state("NAME", "")
			}
		}
	}
}

// row measures a benchmark and prints its columns behind the head, and what it has printed.
func (b *B) row(head, name string) {
	r := b.measure()
	if b.is(failed) {
		b.tell("FAIL", name)
		return
	}
	text := head + r.String()
	if options.memory || b.showsAllocs {
		text += "\t" + r.MemString()
	}
	fmt.Fprintln(b.w, text)
	if len(b.pending) > 0 {
		b.trim()
		b.tell("BENCH", name)
	}
}

// Benchmark measures a function.
func Benchmark(f func(b *B)) BenchmarkResult {
	b := newB("", io.Discard, nil, options.benchFor, f)
	if b.probe() {
		b.labels(b.w)
		b.measure()
	}
	return b.result
}

// SetParallelism has RunParallel use p goroutines for each processor.
func (b *B) SetParallelism(p int) {
	if p < 1 {
		return
	}
	b.parallelism = p
}

// PB is what the goroutines of RunParallel are given.
type PB struct {
	left  *atomic.Int64 // rounds that no goroutine has taken
	grain int64         // so many are taken at once
	mine  int64
}

// Next says whether there is a round left.
func (pb *PB) Next() bool {
	if pb.mine == 0 {
		pb.mine = min(pb.left.Add(-pb.grain)+pb.grain, pb.grain)
		if pb.mine <= 0 {
			pb.mine = 0
			return false
		}
	}
	pb.mine--
	return true
}

// RunParallel has several goroutines share the rounds. What one takes at once takes it about
// 100 µs, so that they seldom meet.
func (b *B) RunParallel(body func(*PB)) {
	if b.N == 0 {
		return
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	grain := int64(min(max(b.before.in(100*time.Microsecond), 1), 1e4))
	var crew sync.WaitGroup
	for n := b.parallelism * runtime.GOMAXPROCS(0); n > 0; n-- {
		crew.Go(func() { body(&PB{left: &left, grain: grain}) })
	}
	crew.Wait()
	// The last round is known to be the last when one more is asked for.
	if !b.Failed() && left.Load() >= 0 {
		b.Fatal("RunParallel: body exited without pb.Next() == false")
	}
}

// AllocsPerRun counts the allocations of a call of f: the whole number below their mean.
func AllocsPerRun(runs int, f func()) (avg float64) {
	if parallelTests.Load() != 0 {
		panic("testing: AllocsPerRun called during parallel test")
	}
	procs := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(procs)
	f()
	start := heapNow()
	for range runs {
		f()
	}
	return float64(start.since().objects / uint64(runs))
}
