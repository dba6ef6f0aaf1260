package testing

import (
	"context"
	"errors"
	"fmt"
	"internal/synctest"
	"internal/testdeps"
	"iter"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// This file has tests. Each has a goroutine of its own, with tRunner at its base. Run starts it and
// waits on its channel signal: until the test is over, or until it calls Parallel, which lets Run
// go on and waits for the barrier of the test above, that is for the end of its function.

// InternalTest is a test and its name.
type InternalTest struct {
	Name string
	F    func(*T)
}

// T is what a test is given.
type T struct {
	common
	all *allTests
}

// allTests is what one round of all tests has in common. At most so many tests run at once, the
// one that is not parallel counts as well.
type allTests struct {
	filter   *filter
	deadline time.Time
	isHunt   bool

	mu      sync.Mutex
	most    int
	running int
	waiting int
	next    chan bool
}

func newAllTests(most int, f *filter) *allTests {
	return &allTests{filter: f, most: most, running: 1, next: make(chan bool)}
}

// enter waits until one more may run.
func (a *allTests) enter() {
	a.mu.Lock()
	if a.running < a.most {
		a.running++
		a.mu.Unlock()
		return
	}
	a.waiting++
	a.mu.Unlock()
	<-a.next
}

// leave lets another one run.
func (a *allTests) leave() {
	a.mu.Lock()
	if a.waiting == 0 {
		a.running--
		a.mu.Unlock()
		return
	}
	a.waiting--
	a.mu.Unlock()
	a.next <- true
}

var (
	// Tests that run beside others now.
	parallelTests atomic.Int64
	failures      atomic.Int64
	hasExamples   bool
)

func isEnough() bool { return options.stopsEarly && failures.Load() > 0 }

const conflict = `testing: test using t.Setenv, t.Chdir, or cryptotest.SetGlobalRandom can not use t.Parallel`

// refuseInBubble is for methods that concern tests of their own.
func (t *T) refuseInBubble(method string) {
	if t.is(inBubble) {
		panic("testing: t." + method + " called inside synctest bubble")
	}
}

// Parallel says that the test may run beside others that say so. It returns when the test above
// has come to its end.
func (t *T) Parallel() {
	if t.is(parallel) {
		panic("testing: t.Parallel called multiple times")
	}
	t.refuseInBubble("Parallel")
	if t.is(alone) {
		panic(conflict)
	}
	if turn := t.parent.barrier; turn != nil {
		t.mark(parallel)
		t.parent.sub = append(t.parent.sub, t)
		t.standAside(turn)
	}
}

// standAside lets the test above go on, and waits for its own turn.
func (t *T) standAside(turn chan bool) {
	t.countRaces()
	t.live.state("PAUSE", t.name)
	t.stopWatch()
	t.signal <- true
	<-turn
	t.all.enter()
	parallelTests.Add(1)
	t.live.state("CONT", t.name)
	t.startWatch()
	t.races.Store(raceErrors())
}

// startWatch begins a stretch of the test's time; until stopWatch it is one of the running tests.
func (c *common) startWatch() {
	c.start = time.Now()
	running.Store(c.name, c.start)
}

func (c *common) stopWatch() {
	c.duration += time.Since(c.start)
	running.Delete(c.name)
}

// forbidParallel is for what concerns the whole process.
func (t *T) forbidParallel() {
	for c := &t.common; c != nil; c = c.parent {
		if c.is(parallel) {
			panic(conflict)
		}
	}
	t.mark(alone)
}

// Chdir changes the working directory until the end of the test, which cannot be parallel.
func (t *T) Chdir(dir string) {
	t.forbidParallel()
	t.common.Chdir(dir)
}

// Setenv sets a variable of the environment until the end of the test, which cannot be parallel.
func (t *T) Setenv(key, value string) {
	t.forbidParallel()
	t.common.Setenv(key, value)
}

// Deadline is when -test.timeout will have passed.
func (t *T) Deadline() (deadline time.Time, ok bool) {
	t.refuseInBubble("Deadline")
	return t.all.deadline, !t.all.deadline.IsZero()
}

// Run runs f as a test below this one. It returns when that is over or waits in Parallel; false:
// it has failed.
func (t *T) Run(name string, f func(t *T)) bool {
	t.refuseInBubble("Run")
	if t.is(cleaning) {
		panic("testing: t.Run called during t.Cleanup")
	}
	t.mark(hasBelow)
	full, ok, _ := t.all.filter.admit(&t.common, name)
	if isEnough() || !ok {
		return true
	}
	sub := &T{all: t.all}
	sub.hang(full, &t.common, context.Background())
	var pcs [stackDepth]uintptr
	sub.creator = pcs[:runtime.Callers(2, pcs[:])]
	sub.live.state("RUN", full)
	running.Store(full, time.Now())
	go tRunner(sub, f)
	// Nothing but the order of the channel's values says who is first.
	if goesOn := <-sub.signal; !goesOn {
		// The test has ended this one as well.
		runtime.Goexit()
	}
	if sub.live != nil && sub.live.json {
		sub.live.state("NAME", t.name)
	}
	return !sub.is(failed)
}

var errNotReturned = errors.New("test executed panic(nil) or runtime.Goexit")

// tRunner calls a test's function, and does what is to be done behind it.
func tRunner(t *T, fn func(t *T)) {
	defer t.over()
	defer func() {
		// Parallel tests below still need what would be undone.
		if len(t.sub) == 0 {
			t.cleanUp()
		}
	}()
	t.start = time.Now()
	t.forgetRaces()
	fn(t)
	t.mark(returned)
}

// over is deferred by tRunner: the test's function has returned, has panicked or has left by
// Goexit. It reports, and signals whoever waits for the test.
func (t *T) over() {
	t.countRaces()
	value := recover()
	signal := true
	if value == nil && !t.is(returned) {
		value = errNotReturned
		for p := t.parent; p != nil; p = p.parent {
			if !p.is(returned) {
				continue
			}
			// Somebody has called FailNow of a test above.
			if !t.is(parallel) {
				t.Errorf("%v: subtest may have called FailNow on a parent test", value)
				value = nil
			}
			signal = false
			break
		}
	}
	if value != nil && t.all.isHunt {
		// It is a failure that the fuzzer tells of, with its input.
		prefix := "panic: "
		if value == errNotReturned {
			prefix = ""
		}
		t.Errorf("%s%s\n%s\n", prefix, value, debug.Stack())
		t.mark(returned)
		value = nil
	}
	didPanic := false
	// Also if a cleanup leaves by Goexit the one who waits is told.
	defer func() {
		if didPanic {
			return
		}
		if value != nil {
			panic(value)
		}
		running.Delete(t.name)
		if t.is(parallel) {
			parallelTests.Add(-1)
		}
		t.signal <- signal
	}()
	die := func(value any) {
		didPanic = true
		t.die(value)
	}
	if value != nil {
		die(value)
	}
	t.duration += time.Since(t.start)
	if len(t.sub) > 0 {
		t.finishParallel(die)
	} else if t.is(parallel) {
		t.all.leave()
	}
	for c := &t.common; c.parent != nil; c = c.parent {
		c.endLine()
	}
	if t.Failed() {
		failures.Add(1)
	}
	t.report()
	t.mark(over)
	if t.parent != nil && !t.is(hasBelow) {
		t.markRan()
	}
}

// awaitBelow lets the parallel tests below run, and waits until all have ended.
func (c *common) awaitBelow() {
	close(c.barrier)
	for i := range c.sub {
		<-c.sub[i].signal
	}
}

// finishParallel lets the parallel tests below run, waits for them, and cleans up.
func (t *T) finishParallel(die func(any)) {
	t.all.leave()
	running.Delete(t.name)
	t.awaitBelow()
	start := time.Now()
	running.Store(t.name, start)
	value := t.tryCleanUp()
	t.duration += time.Since(start)
	if value != nil {
		die(value)
	}
	t.countRaces()
	if !t.is(parallel) {
		t.all.enter()
	}
}

//go:effect synctest.Test
//go:effect testdeps.ForbidParallel
func init() {
	synctest.Test = func(t, f any) bool { return testBubble(t.(*T), f.(func(*T))) }
	testdeps.ForbidParallel = func(t any) { t.(*T).forbidParallel() }
}

// testBubble runs f, in the bubble of this goroutine, as a part of the test t; false: it has
// failed.
func testBubble(t *T, f func(*T)) bool {
	if t.is(cleaning) {
		panic("testing: synctest.Run called during t.Cleanup")
	}
	part := &T{all: t.all}
	part.hang(t.name, &t.common, context.Background())
	part.mark(inBubble)
	var pcs [stackDepth]uintptr
	part.creator = pcs[:runtime.Callers(2, pcs[:])]
	go tRunner(part, f)
	if goesOn := <-part.signal; !goesOn {
		runtime.Goexit()
	}
	return !part.is(failed)
}

// RunTests runs tests; false: one has failed.
func RunTests(matchString func(pat, str string) (bool, error), tests []InternalTest) (ok bool) {
	hasRun, ok := runTests(onlyMatch(matchString), tests, deadline())
	if !hasExamples && !hasRun {
		fmt.Fprintln(os.Stderr, "testing: warning: no tests to run")
	}
	return ok
}

// deadline is when what starts now has run for too long, if -test.timeout says so.
func deadline() (at time.Time) {
	if options.timeout > 0 {
		at = time.Now().Add(options.timeout)
	}
	return at
}

// turns has one value for each time that -cpu and -count want the tests run. If nothing has run at
// the first time with so many processors, nothing will at the next.
func turns(hasRun *bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, procs := range procCounts {
			runtime.GOMAXPROCS(procs)
			for i := range options.count {
				if isEnough() || i > 0 && !*hasRun {
					break
				}
				if !yield(int(i)) {
					return
				}
			}
		}
	}
}

func runTests(deps testDeps, tests []InternalTest, deadline time.Time) (hasRun, ok bool) {
	ok = true
	runAll := func(t *T) {
		for i := range tests {
			t.Run(tests[i].Name, tests[i].F)
		}
	}
	for range turns(&hasRun) {
		filter := readFilter(deps.MatchString, options.run, "-test.run", options.skip)
		top := &T{all: newAllTests(options.parallel, filter)}
		top.all.deadline = deadline
		top.hang("", nil, context.Background())
		top.root()
		top.pkg = deps
		tRunner(top, runAll)
		if len(top.signal) == 0 {
			panic("internal error: tRunner exited without sending on t.signal")
		}
		hasRun = hasRun || top.is(ran)
		ok = !top.Failed() && ok
	}
	return hasRun, ok
}
