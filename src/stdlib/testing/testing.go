// Package testing: tests, benchmarks, examples and fuzz targets, as `gosched test` calls them.
//
// Each test has a goroutine of its own. Run starts it and waits on its channel signal: until the
// test is over, or until it calls Parallel and waits for the test above to reach its end.
//
// Go: testing.
package testing

import (
	"errors"
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

// The flags, which Init makes.
var (
	short          *bool
	failFast       *bool
	outputDir      *string
	keepArtifacts  *bool
	chatty         verboseFlag
	count          *uint
	coverProfile   *string
	matchList      *string
	match          *string
	skip           *string
	panicOnExit0   *bool
	timeout        *time.Duration
	cpuListText    *string
	parallel       *int
	askedFile      *string
	shuffle        *string
	fullPath       *bool

	hasInit     bool
	cpuList     []int
	artifactDir string
)

// Natives.
func raceErrors() int64
func isTest() bool

// Testing says whether the program is a test.
func Testing() bool { return isTest() }

// Init declares the flags of tests. MainStart calls it.
func Init() {
	if hasInit {
		return
	}
	hasInit = true
	short = flag.Bool("test.short", false, "run smaller test suite to save time")
	failFast = flag.Bool("test.failfast", false, "do not start new tests after the first test failure")
	outputDir = flag.String("test.outputdir", "", "write profiles to `dir`")
	keepArtifacts = flag.Bool("test.artifacts", false, "store test artifacts in test.,outputdir")
	flag.Var(&chatty, "test.v", "verbose: print additional output")
	count = flag.Uint("test.count", 1, "run tests and benchmarks `n` times")
	coverProfile = flag.String("test.coverprofile", "", "write a coverage profile to `file`")
	flag.String("test.gocoverdir", "", "write coverage intermediate files to this directory")
	matchList = flag.String("test.list", "", "list tests, examples, and benchmarks matching `regexp` then exit")
	match = flag.String("test.run", "", "run only tests and examples matching `regexp`")
	skip = flag.String("test.skip", "", "do not list or run tests matching `regexp`")
	declareProfileFlags()
	panicOnExit0 = flag.Bool("test.paniconexit0", false, "panic on call to os.Exit(0)")
	timeout = flag.Duration("test.timeout", 0, "panic test binary after duration `d` (default 0, timeout disabled)")
	cpuListText = flag.String("test.cpu", "", "comma-separated `list` of cpu counts to run each test with")
	parallel = flag.Int("test.parallel", runtime.GOMAXPROCS(0), "run at most `n` tests in parallel")
	askedFile = flag.String("test.testlogfile", "", "write test action log to `file` (for use only by cmd/go)")
	shuffle = flag.String("test.shuffle", "off", "randomize the execution order of tests and benchmarks")
	fullPath = flag.Bool("test.fullpath", false, "show full file names in error messages")
	declareBenchFlags()
	declareFuzzFlags()
}

// Short is the flag -test.short.
func Short() bool {
	switch {
	case short == nil:
		panic("testing: Short called before Init")
	case !flag.Parsed():
		panic("testing: Short called before Parse")
	}
	return *short
}

// Verbose is the flag -test.v.
func Verbose() bool {
	if !flag.Parsed() {
		panic("testing: Verbose called before Parse")
	}
	return chatty.on
}

// M is what TestMain is given: all there is to run.
type M struct {
	deps       testDeps
	tests      []InternalTest
	benchmarks []InternalBenchmark
	targets    []InternalFuzzTarget
	examples   []InternalExample

	runs     int // calls of Run
	alarm    *time.Timer
	after    sync.Once
	exitCode int
}

// testDeps is what the program's main package knows and can do.
type testDeps interface {
	ImportPath() string
	ModulePath() string
	MatchString(pat, str string) (bool, error)
}

var errMain = errors.New("testing: unexpected use of func Main")

// onlyMatch is what Main has of testDeps.
type onlyMatch func(pat, str string) (bool, error)

func (f onlyMatch) ImportPath() string                        { return "" }
func (f onlyMatch) ModulePath() string                        { return "" }
func (f onlyMatch) MatchString(pat, str string) (bool, error) { return f(pat, str) }

// Main runs tests, benchmarks and examples, and ends the program.
func Main(matchString func(pat, str string) (bool, error), tests []InternalTest, benchmarks []InternalBenchmark, examples []InternalExample) {
	os.Exit(MainStart(onlyMatch(matchString), tests, benchmarks, nil, examples).Run())
}

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
		code = m.exitCode
		testdeps.ExitCode = code
	}()
	m.runs++
	if !flag.Parsed() {
		flag.Parse()
	}
	if chatty.json {
		// Else what is written there could stand in the midst of a line.
		os.Stderr = os.Stdout
	}
	if why := wrongFlags(); why != "" {
		fmt.Fprintln(os.Stderr, why)
		flag.Usage()
		m.exitCode = 2
		return
	}
	if *matchList != "" {
		m.list()
		return
	}
	if *shuffle != "off" && !m.shuffle() {
		m.exitCode = 2
		return
	}
	parseCPUList()
	m.before()
	defer m.finish()
	if *isFuzzWorker || !m.runAll() || !runFuzzing(m.deps, m.targets) {
		fmt.Print(chatty.prefix(), "FAIL\n")
		m.exitCode = 1
		return
	}
	fmt.Print(chatty.prefix(), "PASS\n")
	return
}

// wrongFlags says what is wrong with the flags.
func wrongFlags() string {
	switch {
	case *parallel < 1:
		return "testing: -parallel can only be given a positive integer"
	case *matchFuzz != "" && *fuzzCacheDir == "":
		return "testing: -test.fuzzcachedir must be set if -test.fuzz is set"
	}
	return ""
}

// runAll runs all but the fuzzing; false: something has failed.
func (m *M) runAll() bool {
	deadline := m.setAlarm()
	hasExamples = len(m.examples) > 0
	testRan, testOK := runTests(m.deps, m.tests, deadline)
	fuzzRan, fuzzOK := runFuzzTests(m.deps, m.targets, deadline)
	exampleRan, exampleOK := runExamples(m.deps.MatchString, m.examples)
	if *timeout > 0 {
		m.alarm.Stop()
	}
	if !testRan && !exampleRan && !fuzzRan && *matchBenchmarks == "" && *matchFuzz == "" {
		fmt.Fprintln(os.Stderr, "testing: warning: no tests to run")
	}
	if !testOK || !exampleOK || !fuzzOK {
		return false
	}
	if !runBenchmarks(m.deps.ImportPath(), m.deps.MatchString, m.benchmarks) {
		return false
	}
	if raceErrors() > 0 {
		fmt.Print(chatty.prefix(), "testing: race detected outside of test execution\n")
		return false
	}
	return true
}

// list prints the names that -test.list matches.
func (m *M) list() {
	isListed := func(name string) bool {
		ok, err := m.deps.MatchString(*matchList, name)
		if err != nil {
			fmt.Fprintf(os.Stderr, "testing: invalid regexp in -test.list (%q): %s\n", *matchList, err)
			os.Exit(1)
		}
		return ok
	}
	isListed("non-empty")
	var names []string
	for _, test := range m.tests {
		names = append(names, test.Name)
	}
	for _, bench := range m.benchmarks {
		names = append(names, bench.Name)
	}
	for _, target := range m.targets {
		names = append(names, target.Name)
	}
	for _, example := range m.examples {
		names = append(names, example.Name)
	}
	for _, name := range names {
		if isListed(name) {
			fmt.Println(name)
		}
	}
}

// shuffle puts tests and benchmarks into an order that is drawn; false: the flag is wrong.
func (m *M) shuffle() bool {
	seed := time.Now().UnixNano()
	if *shuffle != "on" {
		var err error
		if seed, err = strconv.ParseInt(*shuffle, 10, 64); err != nil {
			fmt.Fprintln(os.Stderr, `testing: -shuffle should be "off", "on", or a valid integer:`, err)
			return false
		}
	}
	fmt.Println("-test.shuffle", seed)
	rng := rand.New(rand.NewSource(seed))
	rng.Shuffle(len(m.tests), func(i, j int) { m.tests[i], m.tests[j] = m.tests[j], m.tests[i] })
	rng.Shuffle(len(m.benchmarks), func(i, j int) {
		m.benchmarks[i], m.benchmarks[j] = m.benchmarks[j], m.benchmarks[i]
	})
	return true
}

// before does what the flags want done before the tests.
func (m *M) before() {
	if !beginProfiles() {
		return
	}
	if *coverProfile != "" && CoverMode() == "" {
		fmt.Fprintf(os.Stderr, "testing: cannot use -test.coverprofile because test binary was not built with coverage enabled\n")
		os.Exit(2)
	}
	if *keepArtifacts {
		var err error
		if artifactDir, err = filepath.Abs(inOutputDir("_artifacts")); err != nil {
			fmt.Fprintf(os.Stderr, "testing: cannot make -test.outputdir absolute: %v\n", err)
			os.Exit(2)
		}
		if err := os.Mkdir(artifactDir, 0o777); err != nil && !errors.Is(err, os.ErrExist) {
			fmt.Fprintf(os.Stderr, "testing: %v\n", err)
			os.Exit(2)
		}
	}
	if *askedFile != "" {
		startAskedLog(*askedFile, m.runs == 1)
	}
	testlog.PanicOnExit0.Store(*panicOnExit0)
}

func (m *M) finish() {
	m.after.Do(func() {
		if *askedFile != "" {
			endAskedLog()
		}
		writeProfiles()
		reportCoverage()
	})
	testlog.PanicOnExit0.Store(false)
}

// inOutputDir is where a file goes that a flag names.
func inOutputDir(path string) string {
	if *outputDir == "" || path == "" || filepath.IsAbs(path) {
		return path
	}
	return *outputDir + "/" + path
}

// setAlarm has the program panic when it has run for too long, and tells when that is.
func (m *M) setAlarm() time.Time {
	if *timeout <= 0 {
		return time.Time{}
	}
	deadline := time.Now().Add(*timeout)
	m.alarm = time.AfterFunc(*timeout, func() {
		m.finish()
		debug.SetTraceback("all")
		text := fmt.Sprintf("test timed out after %v", *timeout)
		if list := runningTests(); len(list) > 0 {
			text += "\nrunning tests:\n\t" + strings.Join(list, "\n\t")
		}
		panic(text)
	})
	return deadline
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

func parseCPUList() {
	for one := range strings.SplitSeq(*cpuListText, ",") {
		one = strings.TrimSpace(one)
		if one == "" {
			continue
		}
		n, err := strconv.Atoi(one)
		if err != nil || n <= 0 {
			fmt.Fprintf(os.Stderr, "testing: invalid value %q for -test.cpu\n", one)
			os.Exit(1)
		}
		cpuList = append(cpuList, n)
	}
	if cpuList == nil {
		cpuList = []int{runtime.GOMAXPROCS(-1)}
	}
}
