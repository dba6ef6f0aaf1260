package testing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
)

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

// common is the part of T, B and F that is the same for all.
type common struct {
	mu       sync.RWMutex
	pending  []byte    // what it has printed and its parent does not have yet
	w        io.Writer // where its report goes
	lines    *lineWriter
	ran      bool // it, or one below it, has come to its end
	failed   bool
	skipped  bool
	done     bool // those below it are over, too
	finished bool // its function has returned, or left by FailNow or SkipNow

	helperPCs   map[uintptr]bool
	helperNames map[string]bool // of helperPCs; nil: to be made
	cleanups    []cleanup
	cleaning    *cleanup // the one that runs
	inFuzzFn    bool     // of an F: its target runs
	isSynctest  bool

	chatty      *chattyPrinter // nil without -v
	bench       bool
	hasSub      atomic.Bool
	isCleaning  atomic.Bool
	isParallel  bool
	parent      *common
	level       int
	creator     []uintptr // the stack at the call of Run
	name        string
	modulePath  string
	importPath  string
	start       time.Time
	duration    time.Duration
	barrier     chan bool // closed when parallel tests below may go on
	signal      chan bool // it is over, or waits; false: so is its parent
	sub         []*T      // parallel tests below
	races       atomic.Int64
	toldOfRaces atomic.Bool

	dirMu    sync.Mutex
	dir      string
	dirErr   error
	dirCount int

	artifacts func() (string, error)

	ctx       context.Context
	cancelCtx context.CancelFunc
}

// A cleanup is a function for the end of a test, and the stack where it was named.
type cleanup struct {
	f    func()
	from []uintptr
}

func (c *common) private() {}

// Name is the full name: those of the tests above, slashes between.
func (c *common) Name() string { return c.name }

func (c *common) refuseInFuzzFn(name string) {
	if c.inFuzzFn {
		panic(fmt.Sprintf("testing: f.%s was called inside the fuzz target, use t.%s instead", name, name))
	}
}

func (c *common) setRan() {
	for ; c != nil; c = c.parent {
		c.mu.Lock()
		c.ran = true
		c.mu.Unlock()
	}
}

// Fail marks the test, and those above it, as failed.
func (c *common) Fail() {
	if c.parent != nil {
		c.parent.Fail()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// Nobody would hear of it.
	if c.done {
		panic("Fail in goroutine after " + c.name + " has completed")
	}
	c.failed = true
}

// Failed says whether the test has failed so far.
func (c *common) Failed() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if !c.done && raceErrors() > c.races.Load() {
		c.mu.RUnlock()
		c.checkRaces()
		c.mu.RLock()
	}
	return c.failed
}

// FailNow marks the test as failed and ends its goroutine.
func (c *common) FailNow() {
	c.refuseInFuzzFn("FailNow")
	c.Fail()
	c.leave(false)
}

// leave ends the goroutine of a test that has said what it has to say.
func (c *common) leave(skipped bool) {
	c.mu.Lock()
	c.skipped = c.skipped || skipped
	c.finished = true
	c.mu.Unlock()
	runtime.Goexit()
}

func (c *common) Log(args ...any) {
	c.refuseInFuzzFn("Log")
	c.log(fmt.Sprintln(args...), false)
}

func (c *common) Logf(format string, args ...any) {
	c.refuseInFuzzFn("Logf")
	c.log(fmt.Sprintf(format, args...), false)
}

func (c *common) Error(args ...any) {
	c.refuseInFuzzFn("Error")
	c.log(fmt.Sprintln(args...), true)
	c.Fail()
}

func (c *common) Errorf(format string, args ...any) {
	c.refuseInFuzzFn("Errorf")
	c.log(fmt.Sprintf(format, args...), true)
	c.Fail()
}

func (c *common) Fatal(args ...any) {
	c.refuseInFuzzFn("Fatal")
	c.log(fmt.Sprintln(args...), true)
	c.FailNow()
}

func (c *common) Fatalf(format string, args ...any) {
	c.refuseInFuzzFn("Fatalf")
	c.log(fmt.Sprintf(format, args...), true)
	c.FailNow()
}

func (c *common) Skip(args ...any) {
	c.refuseInFuzzFn("Skip")
	c.log(fmt.Sprintln(args...), false)
	c.SkipNow()
}

func (c *common) Skipf(format string, args ...any) {
	c.refuseInFuzzFn("Skipf")
	c.log(fmt.Sprintf(format, args...), false)
	c.SkipNow()
}

// SkipNow marks the test as skipped and ends its goroutine.
func (c *common) SkipNow() {
	c.refuseInFuzzFn("SkipNow")
	c.leave(true)
}

// Skipped says whether the test has been skipped.
func (c *common) Skipped() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.skipped
}

// Helper marks the calling function as one whose lines are of no interest: messages bear that of
// its caller.
func (c *common) Helper() {
	if c.isSynctest {
		c = c.parent
	}
	var pc [1]uintptr
	if runtime.Callers(2, pc[:]) == 0 {
		panic("testing: zero callers found")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.helperPCs == nil {
		c.helperPCs = map[uintptr]bool{}
	}
	if !c.helperPCs[pc[0]] {
		c.helperPCs[pc[0]] = true
		c.helperNames = nil
	}
}

// ---- What a test prints.

// log prints a message with its line. All lines of it but the first are indented once more.
func (c *common) log(text string, isErr bool) {
	text = strings.TrimSuffix(text, "\n")
	text = strings.ReplaceAll(text, "\n", "\n"+indent) + "\n"
	to := c.heard()
	if to == nil {
		panic("Log in goroutine after " + c.name + " has completed: " + text)
	}
	text = to.place() + text
	to.endLine()
	to.lines.write([]byte(text), isErr)
}

// heard is the test, or the first above it, that is not over yet.
func (c *common) heard() *common {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.done && !c.isSynctest {
		return c
	}
	for p := c.parent; p != nil; p = p.parent {
		p.mu.Lock()
		done := p.done
		p.mu.Unlock()
		if !done {
			return p
		}
	}
	return nil
}

// Output is a writer to the test's output; what is written there has no line.
func (c *common) Output() io.Writer {
	c.refuseInFuzzFn("Output")
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
	if l == nil || l.c == nil {
		return 0, nil
	}
	if l.c.heard() == nil {
		panic("Write called after " + l.c.name + " has completed")
	}
	l.c.mu.Lock()
	defer l.c.mu.Unlock()
	rest := p
	for isFirst := true; ; isFirst = false {
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			break
		}
		line := rest[:end]
		rest = rest[end:]
		if isFirst && len(l.partial) > 0 {
			line = append(bytes.Clone(l.partial), line...)
			l.partial = l.partial[:0]
		}
		isLast := bytes.IndexByte(rest, '\n') < 0
		l.line(line, isErr && isFirst, isErr && isLast)
	}
	l.partial = append(l.partial, rest...)
	return len(p), nil
}

// line prints one line, which may begin and end an error. The test is locked.
func (l *lineWriter) line(b []byte, begins, ends bool) {
	c := l.c
	if c.done || c.chatty == nil {
		c.pending = append(append(c.pending, indent...), b...)
		return
	}
	var text []byte
	isMarked := c.chatty.json
	if isMarked && begins {
		text = append(text, markErrBegin)
	}
	text = append(text, indent...)
	if isMarked {
		b = escaped(b)
	}
	text = append(text, b...)
	if isMarked && ends {
		if text[len(text)-1] == '\n' {
			text = append(text[:len(text)-1], markErrEnd, '\n')
		} else {
			text = append(text, markErrEnd)
		}
	}
	if c.bench {
		fmt.Printf("%s", text)
	} else {
		c.chatty.print(c.name, text)
	}
}

// flushToParent reports a test, with what it has printed.
func (c *common) flushToParent(format string, args ...any) {
	p := c.parent
	p.mu.Lock()
	defer p.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	text := fmt.Appendf(nil, format, args...)
	text = append(text, c.pending...)
	c.pending = c.pending[:0]
	if c.chatty != nil && (p.w == c.chatty.w || c.chatty.json) {
		c.chatty.update(c.name, text)
		return
	}
	io.WriteString(p.w, c.chatty.prefix()+string(text))
}

// An indenter is where a test reports that is not at the top.
type indenter struct{ c *common }

func (w indenter) Write(b []byte) (int, error) {
	n := len(b)
	for line := range bytes.Lines(b) {
		// A mark stays in front.
		if line[0] == markFraming {
			w.c.pending = append(w.c.pending, markFraming)
			line = line[1:]
		}
		w.c.pending = append(append(w.c.pending, indent...), line...)
	}
	return n, nil
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
	case strings.HasPrefix(frame.Function, "testing."):
		file = "testing.go"
	case !*fullPath:
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
		if name == cleanupCaller && above.cleaning != nil {
			frames = runtime.CallersFrames(above.cleaning.from)
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
		if above.helperNames == nil {
			above.helperNames = map[string]bool{}
			for pc := range above.helperPCs {
				above.helperNames[functionAt(pc)] = true
			}
		}
		if body := strings.LastIndex(name, "-range"); body > 0 {
			if strings.Trim(name[body+len("-range"):], "0123456789") == "" {
				name, skips = name[:body], true
			}
		}
		if !above.helperNames[name] {
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
	c.refuseInFuzzFn("Cleanup")
	var pcs [stackDepth]uintptr
	n := runtime.Callers(2, pcs[:])
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cleanups = append(c.cleanups, cleanup{f, pcs[:n]})
}

// takeCleanup takes the last one there is.
func (c *common) takeCleanup() (last cleanup, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.cleanups)
	if n == 0 {
		return last, false
	}
	last = c.cleanups[n-1]
	c.cleanups = c.cleanups[:n-1]
	return last, true
}

func (c *common) runOne(one *cleanup) {
	set := func(one *cleanup) {
		c.mu.Lock()
		c.cleaning = one
		c.mu.Unlock()
	}
	set(one)
	defer set(nil)
	one.f()
}

// runCleanup calls what Cleanup was given, all of it whatever one of them does.
func (c *common) runCleanup() {
	c.isCleaning.Store(true)
	defer c.isCleaning.Store(false)
	defer func() {
		c.mu.Lock()
		isMore := len(c.cleanups) > 0
		c.mu.Unlock()
		if isMore {
			c.runCleanup()
		}
	}()
	if c.cancelCtx != nil {
		c.cancelCtx()
	}
	for {
		one, ok := c.takeCleanup()
		if !ok {
			return
		}
		c.runOne(&one)
	}
}

// tryCleanup is runCleanup; what one of them panics with is given back.
func (c *common) tryCleanup() (value any) {
	defer func() { value = recover() }()
	c.runCleanup()
	return nil
}

// Setenv sets a variable of the environment until the end of the test.
func (c *common) Setenv(key, value string) {
	c.refuseInFuzzFn("Setenv")
	old, isSet := os.LookupEnv(key)
	if err := os.Setenv(key, value); err != nil {
		c.Fatalf("cannot set environment variable: %v", err)
	}
	c.Cleanup(func() {
		if isSet {
			os.Setenv(key, old)
		} else {
			os.Unsetenv(key)
		}
	})
}

// Chdir changes the working directory until the end of the test.
func (c *common) Chdir(dir string) {
	c.refuseInFuzzFn("Chdir")
	old, err := os.Open(".")
	if err != nil {
		c.Fatal(err)
	}
	if err := os.Chdir(dir); err != nil {
		c.Fatal(err)
	}
	if !filepath.IsAbs(dir) {
		if dir, err = os.Getwd(); err != nil {
			c.Fatal(err)
		}
	}
	c.Setenv("PWD", dir)
	c.Cleanup(func() {
		err := old.Chdir()
		old.Close()
		if err != nil {
			panic("testing.Chdir: " + err.Error())
		}
	})
}

// Context is cancelled just before the cleanups run.
func (c *common) Context() context.Context {
	c.refuseInFuzzFn("Context")
	return c.ctx
}

// Attr tells those who read the test's output of a key and a value.
func (c *common) Attr(key, value string) {
	switch {
	case strings.ContainsFunc(key, unicode.IsSpace):
		c.Errorf("disallowed whitespace in attribute key %q", key)
	case strings.ContainsAny(value, "\r\n"):
		c.Errorf("disallowed newline in attribute value %q", value)
	case c.chatty != nil:
		c.chatty.update(c.name, fmt.Appendf(nil, "=== ATTR  %s %v %v\n", c.name, key, value))
	}
}

// TempDir is a new empty directory, which is removed at the end of the test.
func (c *common) TempDir() string {
	c.refuseInFuzzFn("TempDir")
	dir, err := c.newDir()
	if err != nil {
		c.Fatalf("TempDir: %v", err)
	}
	return dir
}

// newDir makes a directory in the one that is the test's.
func (c *common) newDir() (string, error) {
	n, err := c.ownDir()
	if err != nil {
		return "", err
	}
	dir := fmt.Sprintf("%s%c%03d", c.dir, os.PathSeparator, n)
	return dir, os.Mkdir(dir, 0o777)
}

// ownDir makes sure that the test has a directory, and counts what is made in it.
func (c *common) ownDir() (n int, err error) {
	c.dirMu.Lock()
	defer c.dirMu.Unlock()
	isThere := c.dir != ""
	if isThere {
		if _, err := os.Stat(c.dir); os.IsNotExist(err) {
			isThere = false
		} else if err != nil {
			return 0, err
		}
	}
	if !isThere {
		name := c.name
		name = allowed(name[:min(len(name), 64)], "!#$%&()+,-.=@^_{}~ ")
		c.dir, c.dirErr = os.MkdirTemp(os.Getenv("GOTMPDIR"), name)
		if c.dirErr == nil {
			c.Cleanup(func() {
				if err := os.RemoveAll(c.dir); err != nil {
					c.Errorf("TempDir RemoveAll cleanup: %v", err)
				}
			})
		}
	}
	if c.dirErr != nil {
		return 0, c.dirErr
	}
	c.dirCount++
	return c.dirCount, nil
}

// allowed leaves out of a name what is no letter, no digit and not in others.
func allowed(name, others string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune(others, r) {
			return r
		}
		return -1
	}, name)
}

// ArtifactDir is a directory for files that are of interest after the test: with -artifacts it
// stays.
func (c *common) ArtifactDir() string {
	c.refuseInFuzzFn("ArtifactDir")
	c.dirMu.Lock()
	if c.artifacts == nil {
		c.artifacts = sync.OnceValues(c.newArtifactDir)
	}
	makeDir := c.artifacts
	c.dirMu.Unlock()
	dir, err := makeDir()
	if err != nil {
		c.Fatalf("ArtifactDir: %v", err)
	}
	return dir
}

func (c *common) newArtifactDir() (string, error) {
	if !*keepArtifacts {
		return c.newDir()
	}
	above := filepath.Join(artifactDir, c.artifactBase())
	if err := os.MkdirAll(above, 0o777); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(above, "")
	if err == nil && c.chatty != nil {
		c.chatty.update(c.name, fmt.Appendf(nil, "=== ARTIFACTS %s %v\n", c.name, dir))
	}
	return dir, err
}

// artifactBase is the package, from the module on, and the test.
func (c *common) artifactBase() string {
	const most = 64
	name := strings.ReplaceAll(c.name, "/", "__")
	if len(name) > most {
		var hash uint64
		for i := range len(name) {
			hash = (hash ^ uint64(name[i])) * 1099511628211
		}
		end := fmt.Sprintf("%0x", hash)
		name = name[:most-len(end)] + end
	}
	pkg := strings.TrimPrefix(strings.TrimPrefix(c.importPath, c.modulePath), "/")
	if pkg != "" {
		name = pkg + "/" + name
	}
	name, err := filepath.Localize(allowed(name, "!#$%&()+,-.=@^_{}~ /"))
	if err != nil {
		return ""
	}
	return name
}

// ---- Data races.

// resetRaces forgets what was found before the test.
func (c *common) resetRaces() {
	if c.parent == nil {
		c.races.Store(raceErrors())
	} else {
		c.races.Store(c.parent.checkRaces())
	}
}

// checkRaces has the test fail if races have been found since it was last asked.
func (c *common) checkRaces() int64 {
	now := raceErrors()
	if !raise(&c.races, now) {
		return now
	}
	if c.toldOfRaces.CompareAndSwap(false, true) {
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
