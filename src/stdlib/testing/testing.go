// Package testing: tests, benchmarks, examples and fuzz targets, as `gosched test` calls them.
//
// The main package of a test hands lists of them to MainStart, and Run goes through the lists as
// the flags say (settings, in this file). A filter (match.go) decides what runs. For each test,
// benchmark and target there is a record (common.go): the facts about it, what it prints, and what
// is to be undone at its end. Above it lie the ways to run one: run.go for tests, fuzz.go for
// targets, which hunt.go changes the inputs of, bench.go for benchmarks, with what meter.go
// measures and result.go prints; example.go for examples, which have no record. What -v prints goes
// by way of verbose.go.
//
// Go: testing.
package testing

import (
	"flag"
	"fmt"
	"internal/testdeps"
	"internal/testlog"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A settings has what the flags say.
type settings struct {
	isDeclared bool

	short, stopsEarly, wholePaths, keepArtifacts, panicsOnExit, memory, isWorker bool

	run, skip, bench, fuzz, list            string
	outDir, coverTo, fuzzCache, asked       string
	cpuTo, memTo, blockTo, mutexTo, traceTo string
	memRate, blockRate, mutexRate           int
	procs, shuffle                          string
	count                                   uint
	parallel                                int
	timeout                                 time.Duration
	benchFor, fuzzFor, minimizeFor          amount
	verbose                                 verboseFlag
}

// The flags have these values if they are not given.
var options = settings{
	shuffle:     "off",
	count:       1,
	benchFor:    amount{d: time.Second},
	minimizeFor: amount{d: 60 * time.Second, canBeZero: true},
	blockRate:   1,
	mutexRate:   1,
}

var (
	procCounts    []int // as -test.cpu says
	artifactsRoot string
)

// Natives.
func raceErrors() int64
func isTest() bool

// Testing says whether the program is a test.
func Testing() bool { return isTest() }

// Init declares the flags of tests. MainStart calls it.
func Init() {
	o := &options
	if o.isDeclared {
		return
	}
	o.isDeclared = true
	o.parallel = runtime.GOMAXPROCS(0)
	for _, one := range []struct {
		name  string
		value any
		usage string
	}{
		{"run", &o.run, "run only tests and examples matching `regexp`"},
		{"skip", &o.skip, "do not list or run tests matching `regexp`"},
		{"list", &o.list, "list tests, examples, and benchmarks matching `regexp` then exit"},
		{"bench", &o.bench, "run only benchmarks matching `regexp`"},
		{"fuzz", &o.fuzz, "run the fuzz test matching `regexp`"},

		{"short", &o.short, "run smaller test suite to save time"},
		{"count", &o.count, "run tests and benchmarks `n` times"},
		{"cpu", &o.procs, "comma-separated `list` of cpu counts to run each test with"},
		{"parallel", &o.parallel, "run at most `n` tests in parallel"},
		{"shuffle", &o.shuffle, "randomize the execution order of tests and benchmarks"},
		{"failfast", &o.stopsEarly, "do not start new tests after the first test failure"},
		{"timeout", &o.timeout, "panic test binary after duration `d` (default 0, timeout disabled)"},
		{"paniconexit0", &o.panicsOnExit, "panic on call to os.Exit(0)"},
		{"benchtime", &o.benchFor, "run each benchmark for duration `d` or N times if `d` is of the form Nx"},
		{"fuzztime", &o.fuzzFor, "time to spend fuzzing; default is to run indefinitely"},
		{"fuzzminimizetime", &o.minimizeFor, "time to spend minimizing a value after finding a failing input"},

		{"v", &o.verbose, "verbose: print additional output"},
		{"fullpath", &o.wholePaths, "show full file names in error messages"},
		{"benchmem", &o.memory, "print memory allocations for benchmarks"},
		{"outputdir", &o.outDir, "write profiles to `dir`"},
		{"artifacts", &o.keepArtifacts, "store test artifacts in test.,outputdir"},
		{"coverprofile", &o.coverTo, "write a coverage profile to `file`"},
		{"gocoverdir", new(string), "write coverage intermediate files to this directory"},
		{"cpuprofile", &o.cpuTo, "write a cpu profile to `file`"},
		{"memprofile", &o.memTo, "write an allocation profile to `file`"},
		{"memprofilerate", &o.memRate, "set memory allocation profiling `rate` (see runtime.MemProfileRate)"},
		{"blockprofile", &o.blockTo, "write a goroutine blocking profile to `file`"},
		{"blockprofilerate", &o.blockRate, "set blocking profile `rate` (see runtime.SetBlockProfileRate)"},
		{"mutexprofile", &o.mutexTo, "write a mutex contention profile to the named file after execution"},
		{"mutexprofilefraction", &o.mutexRate, "if >= 0, calls runtime.SetMutexProfileFraction()"},
		{"trace", &o.traceTo, "write an execution trace to `file`"},

		{"testlogfile", &o.asked, "write test action log to `file` (for use only by cmd/go)"},
		{"fuzzcachedir", &o.fuzzCache, "directory where interesting fuzzing inputs are stored (for use only by cmd/go)"},
		{"fuzzworker", &o.isWorker, "coordinate with the parent process to fuzz random values (for use only by cmd/go)"},
	} {
		name := "test." + one.name
		switch at := one.value.(type) {
		case *bool:
			flag.BoolVar(at, name, *at, one.usage)
		case *string:
			flag.StringVar(at, name, *at, one.usage)
		case *int:
			flag.IntVar(at, name, *at, one.usage)
		case *uint:
			flag.UintVar(at, name, *at, one.usage)
		case *time.Duration:
			flag.DurationVar(at, name, *at, one.usage)
		case flag.Value:
			flag.Var(at, name, one.usage)
		}
	}
}

// Short is the flag -test.short.
func Short() bool {
	if !options.isDeclared {
		panic("testing: Short called before Init")
	}
	mustBeParsed("Short")
	return options.short
}

// Verbose is the flag -test.v.
func Verbose() bool {
	mustBeParsed("Verbose")
	return options.verbose.on
}

func mustBeParsed(name string) {
	if !flag.Parsed() {
		panic("testing: " + name + " called before Parse")
	}
}

// M is what TestMain is given: all there is to run.
type M struct {
	deps       testDeps
	tests      []InternalTest
	benchmarks []InternalBenchmark
	targets    []InternalFuzzTarget
	examples   []InternalExample

	runs   int // calls of Run
	alarm  *time.Timer
	after  sync.Once
	status int
}

// Main runs tests, benchmarks and examples, and ends the program.
func Main(matchString func(pat, str string) (bool, error), tests []InternalTest, benchmarks []InternalBenchmark, examples []InternalExample) {
	os.Exit(MainStart(onlyMatch(matchString), tests, benchmarks, nil, examples).Run())
}

// testDeps is what the program's main package knows and can do.
type testDeps interface {
	ImportPath() string
	ModulePath() string
	MatchString(pat, str string) (bool, error)
}

// onlyMatch is what Main has of testDeps.
type onlyMatch func(pat, str string) (bool, error)

func (f onlyMatch) ImportPath() string                        { return "" }
func (f onlyMatch) ModulePath() string                        { return "" }
func (f onlyMatch) MatchString(pat, str string) (bool, error) { return f(pat, str) }

// MainStart is for the main package of a test.
func MainStart(deps testDeps, tests []InternalTest, benchmarks []InternalBenchmark, fuzzTargets []InternalFuzzTarget, examples []InternalExample) *M {
	Init()
	return &M{
		deps:       deps,
		tests:      tests,
		benchmarks: benchmarks,
		targets:    fuzzTargets,
		examples:   examples,
	}
}

// Run runs all that the flags say; the exit status.
func (m *M) Run() (code int) {
	defer func() {
		code = m.status
		testdeps.ExitCode = code
	}()
	m.runs++
	if !flag.Parsed() {
		flag.Parse()
	}
	if options.verbose.json {
		// Else what is written there could stand in the midst of a line.
		os.Stderr = os.Stdout
	}
	if why := wrongFlags(); why != "" {
		fmt.Fprintln(os.Stderr, why)
		flag.Usage()
		m.status = 2
		return
	}
	if options.list != "" {
		m.list()
		return
	}
	if options.shuffle != "off" && !m.shuffle() {
		m.status = 2
		return
	}
	readProcs()
	m.before()
	defer m.finish()
	if options.isWorker || !m.runAll() || !huntWith(m.deps, m.targets) {
		fmt.Print(options.verbose.prefix(), "FAIL\n")
		m.status = 1
		return
	}
	fmt.Print(options.verbose.prefix(), "PASS\n")
	return
}

// wrongFlags says what is wrong with the flags.
func wrongFlags() string {
	switch {
	case options.parallel < 1:
		return "testing: -parallel can only be given a positive integer"
	case options.fuzz != "" && options.fuzzCache == "":
		return "testing: -test.fuzzcachedir must be set if -test.fuzz is set"
	}
	return ""
}

// runAll runs all but the fuzzing; false: something has failed.
//
//go:wrapper
func (m *M) runAll() bool {
	until := m.setAlarm()
	hasExamples = len(m.examples) > 0
	testRan, testOK := runTests(m.deps, m.tests, until)
	fuzzRan, fuzzOK := tryTargets(m.deps, m.targets, until)
	exampleRan, exampleOK := runExamples(m.deps.MatchString, m.examples)
	if m.alarm != nil {
		m.alarm.Stop()
	}
	if !testRan && !exampleRan && !fuzzRan && options.bench == "" && options.fuzz == "" {
		fmt.Fprintln(os.Stderr, "testing: warning: no tests to run")
	}
	if !testOK || !exampleOK || !fuzzOK {
		return false
	}
	if !benchPackage(m.deps.ImportPath(), m.deps.MatchString, m.benchmarks) {
		return false
	}
	if raceErrors() > 0 {
		fmt.Print(options.verbose.prefix(), "testing: race detected outside of test execution\n")
		return false
	}
	return true
}

// list prints the names that -test.list matches.
func (m *M) list() {
	wanted := func(name string) bool {
		ok, err := m.deps.MatchString(options.list, name)
		if err == nil {
			return ok
		}
		fmt.Fprintf(os.Stderr, "testing: invalid regexp in -test.list (%q): %s\n", options.list, err)
		os.Exit(1)
		return false
	}
	wanted("non-empty")
	for _, name := range slices.Concat(
		names(m.tests, func(t *InternalTest) string { return t.Name }),
		names(m.benchmarks, func(b *InternalBenchmark) string { return b.Name }),
		names(m.targets, func(f *InternalFuzzTarget) string { return f.Name }),
		names(m.examples, func(e *InternalExample) string { return e.Name }),
	) {
		if wanted(name) {
			fmt.Println(name)
		}
	}
}

func names[E any](list []E, name func(*E) string) (all []string) {
	for i := range list {
		all = append(all, name(&list[i]))
	}
	return all
}

// shuffle puts tests and benchmarks into an order that is drawn; false: the flag is wrong.
func (m *M) shuffle() bool {
	seed := time.Now().UnixNano()
	if options.shuffle != "on" {
		var err error
		if seed, err = strconv.ParseInt(options.shuffle, 10, 64); err != nil {
			fmt.Fprintln(os.Stderr, `testing: -shuffle should be "off", "on", or a valid integer:`, err)
			return false
		}
	}
	fmt.Println("-test.shuffle", seed)
	rng := rand.New(rand.NewSource(seed))
	rng.Shuffle(len(m.tests), exchange(m.tests))
	rng.Shuffle(len(m.benchmarks), exchange(m.benchmarks))
	return true
}

// exchange exchanges elements of a list.
func exchange[E any](list []E) func(i, j int) {
	return func(i, j int) { list[i], list[j] = list[j], list[i] }
}

// before does what the flags want done before the tests.
func (m *M) before() {
	if !beginProfiles() {
		return
	}
	if options.coverTo != "" && CoverMode() == "" {
		giveUp("cannot use -test.coverprofile because test binary was not built with coverage enabled")
	}
	if options.keepArtifacts {
		root, err := filepath.Abs(inOutputDir("_artifacts"))
		if err != nil {
			giveUp("cannot make -test.outputdir absolute: %v", err)
		}
		if err = os.Mkdir(root, 0o777); err != nil && !os.IsExist(err) {
			giveUp("%v", err)
		}
		artifactsRoot = root
	}
	if options.asked != "" {
		startAskedLog(options.asked, m.runs == 1)
	}
	testlog.PanicOnExit0.Store(options.panicsOnExit)
}

// giveUp ends the program, which cannot do what the flags want.
func giveUp(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "testing: "+format+"\n", args...)
	os.Exit(2)
}

func (m *M) finish() {
	m.after.Do(func() {
		if options.asked != "" {
			endAskedLog()
		}
		endProfiles()
		reportCoverage()
	})
	testlog.PanicOnExit0.Store(false)
}

// inOutputDir is where a file goes that a flag names.
func inOutputDir(path string) string {
	if options.outDir == "" || path == "" || filepath.IsAbs(path) {
		return path
	}
	return options.outDir + "/" + path
}

// setAlarm has the program panic when it has run for too long, and tells when that is.
func (m *M) setAlarm() time.Time {
	at := deadline()
	if at.IsZero() {
		return at
	}
	m.alarm = time.AfterFunc(options.timeout, func() {
		m.finish()
		debug.SetTraceback("all")
		tests := ""
		for i, one := range runningTests() {
			if i == 0 {
				tests = "\nrunning tests:"
			}
			tests += "\n\t" + one
		}
		panic(fmt.Sprintf("test timed out after %v%s", options.timeout, tests))
	})
	return at
}

// running has the time since when each test has run, by its name.
var running sync.Map

func runningTests() []string {
	var list []string
	for name, since := range running.Range {
		d := time.Since(since.(time.Time)).Round(time.Second)
		list = append(list, fmt.Sprintf("%s (%v)", name, d))
	}
	slices.Sort(list)
	return list
}

// readProcs reads -test.cpu.
func readProcs() {
	for text := range strings.SplitSeq(options.procs, ",") {
		if text = strings.TrimSpace(text); text != "" {
			procCounts = append(procCounts, atLeastOne("cpu", text))
		}
	}
	if len(procCounts) == 0 {
		procCounts = append(procCounts, runtime.GOMAXPROCS(-1))
	}
}

// atLeastOne reads a number of a flag; the program ends if it is none.
func atLeastOne(flag, text string) int {
	n, err := strconv.Atoi(text)
	if isNumber := err == nil; isNumber && n > 0 {
		return n
	}
	fmt.Fprintf(os.Stderr, "testing: invalid value %q for -test.%s\n", text, flag)
	os.Exit(1)
	return 0
}
