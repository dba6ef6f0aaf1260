package testing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
)

// This file has the record that is kept of each test, benchmark and fuzz target. What has happened
// to it is a set of facts, which anyone may look at without a lock. Its messages go, line by line,
// either at once to the printer of -v or into the record, from where report hands them to the
// record above together with the verdict.

// TB is what T, B and F have in common.
type TB interface {
	ArtifactDir() string
	Attr(key, value string)
	Cleanup(func())
	Error(args ...any)
	Errorf(format string, args ...any)
	Fail()
	FailNow()
	Failed() bool
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Helper()
	Log(args ...any)
	Logf(format string, args ...any)
	Name() string
	Setenv(key, value string)
	Chdir(dir string)
	Skip(args ...any)
	SkipNow()
	Skipf(format string, args ...any)
	Skipped() bool
	TempDir() string
	Context() context.Context
	Output() io.Writer

	private()
}

// The deepest stack that is looked at for the line of a message.
const stackDepth = 50

const indent = "    "

// Facts about a test.
const (
	failed = 1 << iota
	skipped
	returned // its function has, or it has left by FailNow or SkipNow
	over     // those below it are, too, and it has been reported
	ran      // it, or one below it, has come to its end
	hasBelow // Run has been called
	cleaning // its cleanups run
	parallel // Parallel has been called
	alone    // it cannot be parallel
	inBubble // it is a part of its parent, in a bubble of synctest
	inTarget // of an F: its target runs
)

// common is the part of T, B and F that is the same for all.
type common struct {
	facts    atomic.Uint32
	name     string
	pkg      testDeps // of which package it is
	parent   *common
	level    int
	creator  []uintptr // the stack at the call of Run
	isBench  bool
	ctx      context.Context
	cancel   context.CancelFunc
	start    time.Time
	duration time.Duration
	signal   chan bool // it is over, or waits; false: so is its parent
	barrier  chan bool // closed when parallel tests below may go on
	sub      []*T      // parallel tests below
	races    atomic.Int64
	wasTold  atomic.Bool // of a race

	w     io.Writer    // where its report goes
	live  *livePrinter // nil without -v
	lines *lineWriter

	mu      sync.Mutex
	pending []byte // what it has printed and its parent does not have yet
	helpers map[uintptr]bool
	helping map[string]bool // the names of helpers; nil: to be made
	undo    []cleanup
	undoing *cleanup // the one that runs

	scratch struct {
		mu   sync.Mutex
		path string
		made int // directories in it
	}
	artifacts firstDir
}

// A firstDir is the directory that the first call for it makes, or the error that it meets.
type firstDir struct {
	once sync.Once
	path string
	err  error
}

func (d *firstDir) get(makeOne func() (string, error)) (string, error) {
	d.once.Do(func() { d.path, d.err = makeOne() })
	return d.path, d.err
}

// A cleanup is a function for the end of a test, and the stack where it was named.
type cleanup struct {
	f    func()
	from []uintptr
}

// is says whether one of these facts is true.
func (c *common) is(facts uint32) bool { return c.facts.Load()&facts != 0 }

// mark makes facts true.
func (c *common) mark(facts uint32) { c.facts.Or(facts) }

func (c *common) unmark(facts uint32) { c.facts.And(^facts) }

// hang makes a new record one below another, which may be none.
func (c *common) hang(name string, parent *common, above context.Context) {
	c.name, c.parent = name, parent
	c.signal, c.barrier = make(chan bool, 1), make(chan bool)
	c.ctx, c.cancel = context.WithCancel(above)
	if parent != nil {
		c.pkg, c.live, c.level = parent.pkg, parent.live, parent.level+1
		c.w = indenter{c}
		c.lines = &lineWriter{c: c}
	}
}

// root is the record above all others, whose reports go to standard output.
func (c *common) root() {
	c.w = os.Stdout
	if Verbose() {
		c.live = newLivePrinter(c.w)
	}
}

func (c *common) private() {}

// Name is the full name: those of the tests above, slashes between.
func (c *common) Name() string { return c.name }

func (c *common) refuse(method string) {
	if c.is(inTarget) {
		panic(fmt.Sprintf("testing: f.%s was called inside the fuzz target, use t.%[1]s instead", method))
	}
}

// markRan says of a test, and of those above it, that something has run.
func (c *common) markRan() {
	for at := c; at != nil; at = at.parent {
		at.mark(ran)
	}
}

// ---- What a test says of itself.

// Fail marks the test, and those above it, as failed.
func (c *common) Fail() {
	if above := c.parent; above != nil {
		above.Fail()
	}
	if c.is(over) {
		// Nobody would hear of it.
		panic("Fail in goroutine after " + c.name + " has completed")
	}
	c.mark(failed)
}

// Failed says whether the test has failed so far.
func (c *common) Failed() bool {
	if hasNew := raceErrors() > c.races.Load(); hasNew && !c.is(over) {
		c.countRaces()
	}
	return c.is(failed)
}

// Skipped says whether the test has been skipped.
func (c *common) Skipped() bool { return c.is(skipped) }

// FailNow marks the test as failed and ends its goroutine.
func (c *common) FailNow() {
	c.refuse("FailNow")
	c.Fail()
	c.mark(returned)
	runtime.Goexit()
}

// SkipNow marks the test as skipped and ends its goroutine.
func (c *common) SkipNow() {
	c.refuse("SkipNow")
	c.mark(skipped | returned)
	runtime.Goexit()
}

// What a message does besides being printed.
type effect int

const (
	none effect = iota
	skips
	fails
	ends
)

// say prints the message of a method, and does what it does besides.
func (c *common) say(method string, then effect, text string) {
	c.refuse(method)
	c.print(text, then >= fails)
	switch then {
	case skips:
		c.SkipNow()
	case fails:
		c.Fail()
	case ends:
		c.FailNow()
	}
}

func (c *common) Log(args ...any)   { c.say("Log", none, fmt.Sprintln(args...)) }
func (c *common) Error(args ...any) { c.say("Error", fails, fmt.Sprintln(args...)) }
func (c *common) Fatal(args ...any) { c.say("Fatal", ends, fmt.Sprintln(args...)) }
func (c *common) Skip(args ...any)  { c.say("Skip", skips, fmt.Sprintln(args...)) }

func (c *common) Logf(format string, args ...any) {
	c.say("Logf", none, fmt.Sprintf(format, args...))
}

func (c *common) Errorf(format string, args ...any) {
	c.say("Errorf", fails, fmt.Sprintf(format, args...))
}

func (c *common) Fatalf(format string, args ...any) {
	c.say("Fatalf", ends, fmt.Sprintf(format, args...))
}

func (c *common) Skipf(format string, args ...any) {
	c.say("Skipf", skips, fmt.Sprintf(format, args...))
}

// must ends the test if something is wrong with its surroundings.
func (c *common) must(err error) {
	if err != nil {
		c.Fatal(err)
	}
}

// Helper marks the calling function as one whose lines are of no interest: messages bear that of
// its caller.
func (c *common) Helper() {
	if c.is(inBubble) {
		c.parent.addHelper()
	} else {
		c.addHelper()
	}
}

// addHelper is called by a method that a helper calls.
func (c *common) addHelper() {
	var pc [1]uintptr
	if runtime.Callers(3, pc[:]) == 0 {
		panic("testing: zero callers found")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.helpers == nil {
		c.helpers = map[uintptr]bool{}
	}
	if !c.helpers[pc[0]] {
		c.helpers[pc[0]] = true
		c.helping = nil
	}
}

// ---- What a test prints.

// heard is the test, or the first above it, that is not over yet. What is in a bubble speaks by
// the test that it is a part of.
func (c *common) heard() *common {
	for c != nil && c.is(over|inBubble) {
		c = c.parent
	}
	return c
}

// print prints a message with its place. All lines of it but the first are indented once more.
func (c *common) print(text string, isErr bool) {
	rest := strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+indent) + "\n"
	if to := c.heard(); to != nil {
		place := to.place()
		to.endLine()
		to.lines.write([]byte(place+rest), isErr)
	} else {
		panic("Log in goroutine after " + c.name + " has completed: " + rest)
	}
}

// Output is a writer to the test's output; what is written there has no place.
func (c *common) Output() io.Writer {
	c.refuse("Output")
	to := c.heard()
	if to == nil {
		panic("Output called after " + c.name + " has completed")
	}
	return to.lines
}

// endLine ends a line of which only a part has been written.
func (c *common) endLine() {
	c.mu.Lock()
	isPartial := c.lines != nil && len(c.lines.partial) > 0
	c.mu.Unlock()
	if isPartial {
		c.lines.Write([]byte("\n"))
	}
}

// A lineWriter prints whole lines for a test.
type lineWriter struct {
	c       *common
	partial []byte // the line that has no end yet
}

func (l *lineWriter) Write(p []byte) (int, error) { return l.write(p, false) }

func (l *lineWriter) write(p []byte, isErr bool) (int, error) {
	if l != nil && l.c != nil {
		if l.c.heard() == nil {
			panic("Write called after " + l.c.name + " has completed")
		}
		l.add(p, isErr)
		return len(p), nil
	}
	return 0, nil
}

// add shows the lines that p completes, and keeps what is behind them.
func (l *lineWriter) add(p []byte, isErr bool) {
	l.c.mu.Lock()
	defer l.c.mu.Unlock()
	at := bytes.LastIndexByte(p, '\n') + 1
	if at > 0 {
		l.c.show(append(l.partial, p[:at]...), isErr)
		l.partial = l.partial[:0]
	}
	l.partial = append(l.partial, p[at:]...)
}

// show prints whole lines at once if somebody watches, or else keeps them. The test is locked.
func (c *common) show(text []byte, isErr bool) {
	if c.is(over) || c.live == nil {
		c.pending = appendIndented(c.pending, text)
		return
	}
	var out []byte
	if c.live.json {
		text = escaped(text)
		if isErr {
			out = append(out, beginsError)
			text = append(bytes.TrimSuffix(bytes.Clone(text), []byte("\n")), endsError, '\n')
		}
	}
	out = appendIndented(out, text)
	if c.isBench {
		os.Stdout.Write(out)
	} else {
		c.live.print(c.name, out)
	}
}

func appendIndented(out, text []byte) []byte {
	for line := range bytes.Lines(text) {
		out = append(append(out, indent...), line...)
	}
	return out
}

// outcome is what has come of the test, in a word; without -v only failures have one.
func (c *common) outcome() string {
	switch {
	case c.is(failed):
		return "FAIL"
	case c.live == nil:
		return ""
	case c.is(skipped):
		return "SKIP"
	}
	return "PASS"
}

// report hands the outcome, and below it what the test has printed, to the test above.
func (c *common) report() {
	word, to := c.outcome(), c.parent
	if to == nil || word == "" || c.is(inBubble) {
		return
	}
	to.mu.Lock()
	defer to.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	text := "--- " + word + ": " + c.name + " (" + inSeconds(c.duration) + ")\n" + string(c.pending)
	c.pending = c.pending[:0]
	if live := c.live; live != nil && (live.json || to.w == live.w) {
		live.update(c.name, []byte(text))
		return
	}
	to.w.Write([]byte(c.live.prefix() + text))
}

// die reports the test and all above it as failed, and ends the program by a panic.
func (c *common) die(value any) {
	c.Fail()
	if r := c.tryCleanUp(); r != nil {
		c.Logf("cleanup panicked with %v", r)
	}
	for at := c; !at.is(inBubble) && at.parent != nil; at = at.parent {
		at.mu.Lock()
		at.duration += time.Since(at.start)
		at.mu.Unlock()
		at.endLine()
		at.report()
		if r := at.parent.tryCleanUp(); r != nil {
			fmt.Fprintf(at.parent.w, "cleanup panicked with %v", r)
		}
	}
	panic(value)
}

// An indenter is where a test reports that is not at the top.
type indenter struct{ c *common }

func (w indenter) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		// A mark stays in front.
		if text, isFrame := bytes.CutPrefix(line, []byte{frames}); isFrame {
			w.c.pending = append(w.c.pending, frames)
			line = text
		}
		w.c.pending = appendIndented(w.c.pending, line)
	}
	return len(b), nil
}

func inSeconds(d time.Duration) string { return fmt.Sprintf("%.2fs", d.Seconds()) }

// ---- Where a message comes from.

// place is the file and line of the call that is being logged, as a message begins.
func (c *common) place() string {
	var pcs [stackDepth]uintptr
	n := runtime.Callers(3, pcs[:])
	c.mu.Lock()
	defer c.mu.Unlock()
	frame := c.interesting(pcs[:n])
	file, line := frame.File, max(frame.Line, 1)
	switch {
	case file == "":
		file = "???"
	case strings.HasPrefix(frame.Function, "testing.(*B)"):
		file = "benchmark.go"
	case frame.Function == "testing.fRunner":
		file = "fuzz.go"
	case strings.HasPrefix(frame.Function, "testing."):
		file = "testing.go"
	case !options.wholePaths:
		file = filepath.Base(file)
	}
	return fmt.Sprintf("%s:%d: ", file, line)
}

// interesting finds the frame whose line a message bears: that of the first function that is no
// helper. Behind the frames of a test come those of the call of Run, behind those of a cleanup
// those of the call of Cleanup. The test is locked.
func (c *common) interesting(pcs []uintptr) runtime.Frame {
	var first, before, frame runtime.Frame
	above := c // whose helpers count
	defer func() {
		if above != c {
			above.mu.Unlock()
		}
	}()
	frames := runtime.CallersFrames(pcs)
	inTesting, skips := true, false
	for more := true; more; before = frame {
		frame, more = frames.Next()
		name := frame.Function
		if inTesting && isMethodOfOurs(name) || name == "runtime.gopanic" || name == "runtime.Goexit" {
			continue
		}
		inTesting = false
		// The iterator that calls a loop's body.
		if skips {
			skips = false
			continue
		}
		if name == cleanupCaller && above.undoing != nil {
			frames = runtime.CallersFrames(above.undoing.from)
			more, inTesting = true, true
			continue
		}
		if first.PC == 0 {
			first = frame
		}
		if name == testCaller || name == benchCaller {
			if above.level <= 1 || len(above.creator) == 0 || above.parent == nil {
				return before
			}
			frames = runtime.CallersFrames(above.creator)
			more, inTesting = true, true
			up := above.parent
			if above != c {
				above.mu.Unlock()
			}
			above = up
			above.mu.Lock()
			continue
		}
		if above.helping == nil {
			above.helping = map[string]bool{}
			for pc := range above.helpers {
				above.helping[functionAt(pc)] = true
			}
		}
		if body := strings.LastIndex(name, "-range"); body > 0 {
			if strings.Trim(name[body+len("-range"):], "0123456789") == "" {
				name, skips = name[:body], true
			}
		}
		if !above.helping[name] {
			return frame
		}
	}
	return first
}

// The functions that call a test, a benchmark and a cleanup.
const (
	testCaller    = "testing.tRunner"
	benchCaller   = "testing.(*B).runN"
	cleanupCaller = "testing.(*common).runOne"
)

// isMethodOfOurs says whether a function is a method by which a test says something.
func isMethodOfOurs(name string) bool {
	if name == benchCaller || name == cleanupCaller || name == "testing.(*T).over" {
		return false
	}
	method, ok := strings.CutPrefix(name, "testing.(*")
	if !ok {
		return false
	}
	of, _, _ := strings.Cut(method, ")")
	return of == "common" || of == "T" || of == "B" || of == "F"
}

func functionAt(pc uintptr) string {
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return frame.Function
}

// ---- What is undone at the end.

// Cleanup names a function for the end of the test; the last one is called first.
func (c *common) Cleanup(f func()) {
	c.refuse("Cleanup")
	from := make([]uintptr, stackDepth)
	one := cleanup{f, from[:runtime.Callers(2, from)]}
	c.mu.Lock()
	c.undo = append(c.undo, one)
	c.mu.Unlock()
}

// nextCleanup takes the last one there is and makes it the one that runs; nil: there is none.
func (c *common) nextCleanup() *cleanup {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.undoing = nil
	if n := len(c.undo) - 1; n >= 0 {
		one := c.undo[n]
		c.undo, c.undoing = c.undo[:n], &one
	}
	return c.undoing
}

// runOne is below a cleanup on the stack: place looks for its name.
func (c *common) runOne(one *cleanup) { one.f() }

// cleanUp calls what Cleanup was given, all of it whatever one of them does.
func (c *common) cleanUp() {
	c.mark(cleaning)
	isDone := false
	defer func() {
		if !isDone {
			c.cleanUp()
		}
	}()
	if c.cancel != nil {
		c.cancel()
	}
	for one := c.nextCleanup(); one != nil; one = c.nextCleanup() {
		c.runOne(one)
	}
	c.unmark(cleaning)
	isDone = true
}

// tryCleanUp is cleanUp; what one of them panics with is given back.
func (c *common) tryCleanUp() (value any) {
	defer func() { value = recover() }()
	c.cleanUp()
	return nil
}

// Setenv sets a variable of the environment until the end of the test.
func (c *common) Setenv(key, value string) {
	c.refuse("Setenv")
	restore := func() { os.Unsetenv(key) }
	if old, isSet := os.LookupEnv(key); isSet {
		restore = func() { os.Setenv(key, old) }
	}
	if bad := os.Setenv(key, value); bad != nil {
		c.Fatalf("cannot set environment variable: %v", bad)
	}
	c.Cleanup(restore)
}

// Chdir changes the working directory until the end of the test.
func (c *common) Chdir(dir string) {
	c.refuse("Chdir")
	before, err := os.Open(".")
	c.must(err)
	c.must(os.Chdir(dir))
	c.Cleanup(func() {
		defer before.Close()
		if err := before.Chdir(); err != nil {
			panic("testing.Chdir: " + err.Error())
		}
	})
	if !filepath.IsAbs(dir) {
		dir, err = os.Getwd()
		c.must(err)
	}
	c.Setenv("PWD", dir)
}

// Attr tells those who read the test's output of a key and a value.
func (c *common) Attr(key, value string) {
	switch {
	case strings.ContainsFunc(key, unicode.IsSpace):
		c.Errorf("disallowed whitespace in attribute key %q", key)
	case strings.ContainsAny(value, "\r\n"):
		c.Errorf("disallowed newline in attribute value %q", value)
	default:
		c.live.state("ATTR", c.name, key, value)
	}
}

// Context is cancelled just before the cleanups run.
func (c *common) Context() context.Context {
	c.refuse("Context")
	return c.ctx
}

// TempDir is a new empty directory, which is removed at the end of the test.
func (c *common) TempDir() string {
	c.refuse("TempDir")
	made, err := c.newDir()
	if err == nil {
		return made
	}
	c.Fatalf("TempDir: %v", err)
	return ""
}

// newDir makes a directory, with the next number for its name, in the one that is the test's.
func (c *common) newDir() (dir string, err error) {
	own := &c.scratch
	own.mu.Lock()
	defer own.mu.Unlock()
	if err = c.needScratch(); err == nil {
		own.made++
		dir = fmt.Sprintf("%s%c%03d", own.path, os.PathSeparator, own.made)
		err = os.Mkdir(dir, 0o777)
	}
	return dir, err
}

// needScratch makes the test's own directory if there is none, or none any more.
func (c *common) needScratch() error {
	if _, err := os.Stat(c.scratch.path); !os.IsNotExist(err) {
		return err
	}
	name := allowed(c.name[:min(len(c.name), longestName)], "")
	dir, err := os.MkdirTemp(os.Getenv("GOTMPDIR"), name)
	if err != nil {
		return err
	}
	c.scratch.path = dir
	c.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			c.Errorf("TempDir RemoveAll cleanup: %v", err)
		}
	})
	return nil
}

// Names of directories have no more bytes of a test's name than that.
const longestName = 64

// allowed leaves out of a name what file systems do not like, but for what is in others.
func allowed(name, others string) string {
	others += "!#$%&()+,-.=@^_{}~ "
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(others, r) || unicode.In(r, unicode.L, unicode.N) {
			return r
		}
		return -1
	}, name)
}

// ArtifactDir is a directory for files that are of interest after the test: with -artifacts it
// stays.
func (c *common) ArtifactDir() string {
	c.refuse("ArtifactDir")
	makeOne := c.newDir
	if options.keepArtifacts {
		makeOne = c.keptDir
	}
	dir, err := c.artifacts.get(makeOne)
	if err != nil {
		c.Fatalf("ArtifactDir: %v", err)
	}
	return dir
}

// keptDir makes a directory that stays, and tells where it is.
func (c *common) keptDir() (dir string, err error) {
	above := filepath.Join(artifactsRoot, c.artifactPath())
	// Should it not be there, the second call says so as well.
	os.MkdirAll(above, 0o777)
	if dir, err = os.MkdirTemp(above, ""); err == nil && c.live != nil {
		c.live.update(c.name, []byte("=== ARTIFACTS "+c.name+" "+dir+"\n"))
	}
	return dir, err
}

// artifactPath is the package, from the module on, and the test.
func (c *common) artifactPath() string {
	pkg := ""
	if c.pkg != nil {
		pkg = strings.TrimPrefix(c.pkg.ImportPath(), c.pkg.ModulePath())
	}
	name := shortened(strings.ReplaceAll(c.name, "/", "__"))
	local, err := filepath.Localize(allowed(path.Join(strings.TrimPrefix(pkg, "/"), name), "/"))
	if err != nil {
		return ""
	}
	return local
}

// shortened gives a name that is too long an end that is made of all of it.
func shortened(name string) string {
	if len(name) <= longestName {
		return name
	}
	var hash uint64
	for _, one := range []byte(name) {
		hash = (hash ^ uint64(one)) * 1099511628211
	}
	end := strconv.FormatUint(hash, 16)
	return name[:longestName-len(end)] + end
}

// ---- Data races.

// forgetRaces forgets what was found before the test.
func (c *common) forgetRaces() {
	if c.parent == nil {
		c.races.Store(raceErrors())
	} else {
		c.races.Store(c.parent.countRaces())
	}
}

// countRaces has the test fail if races have been found since it was last asked.
func (c *common) countRaces() int64 {
	now := raceErrors()
	if !raise(&c.races, now) {
		return now
	}
	if c.wasTold.CompareAndSwap(false, true) {
		c.Errorf("race detected during execution of test")
	}
	// One test is told of a race.
	for p := c.parent; p != nil && raise(&p.races, now); p = p.parent {
	}
	return now
}

// raise makes n at least to; false: it was.
func raise(n *atomic.Int64, to int64) bool {
	for {
		old := n.Load()
		if to <= old {
			return false
		}
		if n.CompareAndSwap(old, to) {
			return true
		}
	}
}
