package testing

import (
	"context"
	"errors"
	"fmt"
	"internal/synctest"
	"internal/testdeps"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// InternalTest is a test and its name.
type InternalTest struct {
	Name string
	F    func(*T)
}

// T is what a test is given.
type T struct {
	common
	denyParallel bool
	all          *allTests
}

// allTests is what one round of all tests has in common. At most so many tests run at once, the
// one that is not parallel counts as well.
type allTests struct {
	match     *matcher
	deadline  time.Time
	isFuzzing bool

	mu      sync.Mutex
	most    int
	running int
	waiting int
	next    chan bool
}

func newAllTests(most int, m *matcher) *allTests {
	return &allTests{match: m, most: most, running: 1, next: make(chan bool)}
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
	// Parallel tests that have gone on, and that are over.
	parallelStart, parallelStop atomic.Int64
	failures                    atomic.Int64
	hasExamples                 bool
)

func isEnough() bool { return *failFast && failures.Load() > 0 }

const conflict = `testing: test using t.Setenv, t.Chdir, or cryptotest.SetGlobalRandom can not use t.Parallel`

// Parallel says that the test may run beside others that say so. It returns when the test above
// has come to its end.
func (t *T) Parallel() {
	switch {
	case t.isParallel:
		panic("testing: t.Parallel called multiple times")
	case t.isSynctest:
		panic("testing: t.Parallel called inside synctest bubble")
	case t.denyParallel:
		panic(conflict)
	case t.parent.barrier == nil:
		return
	}
	t.isParallel = true
	t.duration += time.Since(t.start)
	t.parent.sub = append(t.parent.sub, t)
	t.checkRaces()
	t.chatty.state("PAUSE", t.name)
	running.Delete(t.name)
	t.signal <- true
	<-t.parent.barrier
	t.all.enter()
	parallelStart.Add(1)
	t.chatty.state("CONT", t.name)
	t.start = time.Now()
	running.Store(t.name, t.start)
	t.races.Store(raceErrors())
}

// forbidParallel is for what concerns the whole process.
func (t *T) forbidParallel() {
	for c := &t.common; c != nil; c = c.parent {
		if c.isParallel {
			panic(conflict)
		}
	}
	t.denyParallel = true
}

// Setenv sets a variable of the environment until the end of the test, which cannot be parallel.
func (t *T) Setenv(key, value string) {
	t.forbidParallel()
	t.common.Setenv(key, value)
}

// Chdir changes the working directory until the end of the test, which cannot be parallel.
func (t *T) Chdir(dir string) {
	t.forbidParallel()
	t.common.Chdir(dir)
}

// Deadline is when -test.timeout will have passed.
func (t *T) Deadline() (deadline time.Time, ok bool) {
	if t.isSynctest {
		panic("testing: t.Deadline called inside synctest bubble")
	}
	return t.all.deadline, !t.all.deadline.IsZero()
}

// below is a new test below this one.
func (t *T) below(name string, creator []uintptr) *T {
	ctx, cancel := context.WithCancel(context.Background())
	sub := &T{
		common: common{
			barrier:    make(chan bool),
			signal:     make(chan bool, 1),
			name:       name,
			modulePath: t.modulePath,
			importPath: t.importPath,
			parent:     &t.common,
			level:      t.level + 1,
			creator:    creator,
			chatty:     t.chatty,
			ctx:        ctx,
			cancelCtx:  cancel,
		},
		all: t.all,
	}
	sub.w = indenter{&sub.common}
	sub.lines = &lineWriter{c: &sub.common}
	return sub
}

// Run runs f as a test below this one. It returns when that is over or waits in Parallel; false:
// it has failed.
func (t *T) Run(name string, f func(t *T)) bool {
	if t.isSynctest {
		panic("testing: t.Run called inside synctest bubble")
	}
	if t.isCleaning.Load() {
		panic("testing: t.Run called during t.Cleanup")
	}
	t.hasSub.Store(true)
	full, ok, _ := t.all.match.fullName(&t.common, name)
	if !ok || isEnough() {
		return true
	}
	var pcs [stackDepth]uintptr
	n := runtime.Callers(2, pcs[:])
	sub := t.below(full, pcs[:n])
	sub.chatty.state("RUN", full)
	running.Store(full, time.Now())
	go tRunner(sub, f)
	// Nothing but the order of the channel's values says who is first.
	if !<-sub.signal {
		// The test has ended this one as well.
		runtime.Goexit()
	}
	if t.chatty != nil && t.chatty.json {
		t.chatty.state("NAME", t.name)
	}
	return !sub.failed
}

var errNotReturned = errors.New("test executed panic(nil) or runtime.Goexit")

// tRunner calls a test's function, and does what is to be done behind it.
func tRunner(t *T, fn func(t *T)) {
	defer t.over()
	defer func() {
		// Parallel tests below still need what would be undone.
		if len(t.sub) == 0 {
			t.runCleanup()
		}
	}()
	t.start = time.Now()
	t.resetRaces()
	fn(t)
	t.mu.Lock()
	t.finished = true
	t.mu.Unlock()
}

func (c *common) hasFinished() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.finished
}

// over is deferred by tRunner: the test's function has returned, has panicked or has left by
// Goexit. It reports, and signals whoever waits for the test.
func (t *T) over() {
	t.checkRaces()
	value := recover()
	signal := true
	if value == nil && !t.hasFinished() {
		value = errNotReturned
		for p := t.parent; p != nil; p = p.parent {
			if !p.hasFinished() {
				continue
			}
			// Somebody has called FailNow of a test above.
			if !t.isParallel {
				t.Errorf("%v: subtest may have called FailNow on a parent test", value)
				value = nil
			}
			signal = false
			break
		}
	}
	if value != nil && t.all.isFuzzing {
		// It is a failure that the fuzzer tells of, with its input.
		prefix := "panic: "
		if value == errNotReturned {
			prefix = ""
		}
		t.Errorf("%s%s\n%s\n", prefix, value, debug.Stack())
		t.mu.Lock()
		t.finished = true
		t.mu.Unlock()
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
		if t.isParallel {
			parallelStop.Add(1)
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
	} else if t.isParallel {
		t.all.leave()
	}
	for c := &t.common; c.parent != nil; c = c.parent {
		c.endLine()
	}
	if t.Failed() {
		failures.Add(1)
	}
	t.report()
	t.done = true
	if t.parent != nil && !t.hasSub.Load() {
		t.setRan()
	}
}

// finishParallel lets the parallel tests below run, waits for them, and cleans up.
func (t *T) finishParallel(die func(any)) {
	t.all.leave()
	running.Delete(t.name)
	close(t.barrier)
	for _, sub := range t.sub {
		<-sub.signal
	}
	start := time.Now()
	running.Store(t.name, start)
	value := t.tryCleanup()
	t.duration += time.Since(start)
	if value != nil {
		die(value)
	}
	t.checkRaces()
	if !t.isParallel {
		t.all.enter()
	}
}

// die reports the test and all above it as failed, and ends the program by a panic.
func (t *T) die(value any) {
	t.Fail()
	if r := t.tryCleanup(); r != nil {
		t.Logf("cleanup panicked with %v", r)
	}
	for c := &t.common; !c.isSynctest && c.parent != nil; c = c.parent {
		c.mu.Lock()
		c.duration += time.Since(c.start)
		d := c.duration
		c.mu.Unlock()
		c.endLine()
		c.flushToParent("--- FAIL: %s (%s)\n", c.name, inSeconds(d))
		if r := c.parent.tryCleanup(); r != nil {
			fmt.Fprintf(c.parent.w, "cleanup panicked with %v", r)
		}
	}
	panic(value)
}

// report says what has come of the test.
func (t *T) report() {
	if t.parent == nil || t.isSynctest {
		return
	}
	result := "PASS"
	switch {
	case t.Failed():
		result = "FAIL"
	case t.chatty == nil:
		return
	case t.Skipped():
		result = "SKIP"
	}
	t.flushToParent("--- %s: %s (%s)\n", result, t.name, inSeconds(t.duration))
}

//go:effect synctest.Test
//go:effect testdeps.ForbidParallel
func init() {
	synctest.Test = func(t, f any) bool { return testingSynctestTest(t.(*T), f.(func(*T))) }
	testdeps.ForbidParallel = func(t any) { t.(*T).forbidParallel() }
}

// testingSynctestTest runs f, in the bubble of this goroutine, as a part of the test t; false: it
// has failed.
func testingSynctestTest(t *T, f func(*T)) bool {
	if t.isCleaning.Load() {
		panic("testing: synctest.Run called during t.Cleanup")
	}
	var pcs [stackDepth]uintptr
	n := runtime.Callers(2, pcs[:])
	sub := t.below(t.name, pcs[:n])
	sub.isSynctest = true
	go tRunner(sub, f)
	if !<-sub.signal {
		runtime.Goexit()
	}
	return !sub.failed
}

// RunTests runs tests; false: one has failed.
func RunTests(matchString func(pat, str string) (bool, error), tests []InternalTest) (ok bool) {
	var deadline time.Time
	if *timeout > 0 {
		deadline = time.Now().Add(*timeout)
	}
	ran, ok := runTests(onlyMatch(matchString), tests, deadline)
	if !ran && !hasExamples {
		fmt.Fprintln(os.Stderr, "testing: warning: no tests to run")
	}
	return ok
}

// top is a test above all others, which prints to standard output.
func top(deps testDeps, deadline time.Time, m *matcher) *T {
	ctx, cancel := context.WithCancel(context.Background())
	t := &T{
		common: common{
			signal:     make(chan bool, 1),
			barrier:    make(chan bool),
			w:          os.Stdout,
			ctx:        ctx,
			cancelCtx:  cancel,
			modulePath: deps.ModulePath(),
			importPath: deps.ImportPath(),
		},
		all: newAllTests(*parallel, m),
	}
	t.all.deadline = deadline
	if Verbose() {
		t.chatty = newChattyPrinter(t.w)
	}
	return t
}

func runTests(deps testDeps, tests []InternalTest, deadline time.Time) (ran, ok bool) {
	ok = true
	for _, procs := range cpuList {
		runtime.GOMAXPROCS(procs)
		for i := uint(0); i < *count && !isEnough() && (i == 0 || ran); i++ {
			t := top(deps, deadline, newMatcher(deps.MatchString, *match, "-test.run", *skip))
			tRunner(t, func(t *T) {
				for _, test := range tests {
					t.Run(test.Name, test.F)
				}
			})
			select {
			case <-t.signal:
			default:
				panic("internal error: tRunner exited without sending on t.signal")
			}
			ok = ok && !t.Failed()
			ran = ran || t.ran
		}
	}
	return ran, ok
}
