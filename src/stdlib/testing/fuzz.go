package testing

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"time"
)

var (
	matchFuzz    *string
	fuzzCacheDir *string
	isFuzzWorker *bool

	fuzzTime     amount
	minimizeTime = amount{d: 60 * time.Second, allowZero: true}
)

func declareFuzzFlags() {
	matchFuzz = flag.String("test.fuzz", "", "run the fuzz test matching `regexp`")
	flag.Var(&fuzzTime, "test.fuzztime", "time to spend fuzzing; default is to run indefinitely")
	flag.Var(&minimizeTime, "test.fuzzminimizetime", "time to spend minimizing a value after finding a failing input")
	fuzzCacheDir = flag.String("test.fuzzcachedir", "", "directory where interesting fuzzing inputs are stored (for use only by cmd/go)")
	isFuzzWorker = flag.Bool("test.fuzzworker", false, "coordinate with the parent process to fuzz random values (for use only by cmd/go)")
}

// Where the inputs of targets lie, below the package's folder.
const corpusDir = "testdata/fuzz"

// InternalFuzzTarget is a fuzz target and its name.
type InternalFuzzTarget struct {
	Name string
	Fn   func(f *F)
}

// F is what a fuzz target is given.
type F struct {
	common
	all       *allTests
	isHunting bool // inputs are looked for
	seeds     []input
	hasFuzzed bool
}

// An input is what a target's function is called with.
type input struct {
	path   string // or what stands for it in names
	values []any
}

// The types that can be fuzzed.
var fuzzable = map[reflect.Type]bool{
	reflect.TypeFor[[]byte]():  true,
	reflect.TypeFor[string]():  true,
	reflect.TypeFor[bool]():    true,
	reflect.TypeFor[float32](): true,
	reflect.TypeFor[float64](): true,
	reflect.TypeFor[int]():     true,
	reflect.TypeFor[int8]():    true,
	reflect.TypeFor[int16]():   true,
	reflect.TypeFor[int32]():   true,
	reflect.TypeFor[int64]():   true,
	reflect.TypeFor[uint]():    true,
	reflect.TypeFor[uint8]():   true,
	reflect.TypeFor[uint16]():  true,
	reflect.TypeFor[uint32]():  true,
	reflect.TypeFor[uint64]():  true,
}

// Helper marks the calling function as one whose lines are of no interest.
func (f *F) Helper() {
	f.refuseInFuzzFn("Helper")
	var pc [1]uintptr
	if runtime.Callers(2, pc[:]) == 0 {
		panic("testing: zero callers found")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.helperPCs == nil {
		f.helperPCs = map[uintptr]bool{}
	}
	f.helperPCs[pc[0]] = true
	f.helperNames = nil
}

// Fail marks the target as failed.
func (f *F) Fail() {
	f.refuseInFuzzFn("Fail")
	f.common.Fail()
}

// Skipped says whether the target has been skipped.
func (f *F) Skipped() bool {
	f.refuseInFuzzFn("Skipped")
	return f.common.Skipped()
}

// Add adds an input to begin with.
func (f *F) Add(args ...any) {
	for _, arg := range args {
		if t := reflect.TypeOf(arg); !fuzzable[t] {
			panic(fmt.Sprintf("testing: unsupported type to Add %v", t))
		}
	}
	f.seeds = append(f.seeds, input{fmt.Sprintf("seed#%d", len(f.seeds)), args})
}

// Fuzz calls ff, which takes a *T and values, with each input there is; with -fuzz it then looks
// for one with which it fails.
func (f *F) Fuzz(ff any) {
	if f.hasFuzzed {
		panic("testing: F.Fuzz called more than once")
	}
	f.hasFuzzed = true
	if f.failed {
		return
	}
	f.Helper()
	fn := reflect.ValueOf(ff)
	types := parameters(fn.Type())
	for _, seed := range f.seeds {
		if err := agree(seed.values, types); err != nil {
			f.Fatal(err)
		}
	}
	stored, err := readInputs(filepath.Join(corpusDir, f.name), types)
	if err != nil {
		f.Fatal(err)
	}
	f.seeds = append(f.seeds, stored...)
	if f.isHunting {
		h := hunt{f: f, fn: fn, types: types}
		h.run()
		return
	}
	for _, seed := range f.seeds {
		name := f.name + "/" + filepath.Base(seed.path)
		if _, ok, _ := f.all.match.fullName(nil, name); ok && !isEnough() {
			f.try(fn, name, seed.values, f.w)
		}
	}
}

// parameters gives the types of the values that a target's function takes.
func parameters(fn reflect.Type) []reflect.Type {
	if fn.Kind() != reflect.Func {
		panic("testing: F.Fuzz must receive a function")
	}
	if fn.NumIn() < 2 || fn.In(0) != reflect.TypeFor[*T]() {
		panic("testing: fuzz target must receive at least two arguments, where the first argument is a *T")
	}
	if fn.NumOut() != 0 {
		panic("testing: fuzz target must not return a value")
	}
	var types []reflect.Type
	for i := 1; i < fn.NumIn(); i++ {
		if !fuzzable[fn.In(i)] {
			panic(fmt.Sprintf("testing: unsupported type for fuzzing %v", fn.In(i)))
		}
		types = append(types, fn.In(i))
	}
	return types
}

// agree says what is wrong with values for parameters of these types.
func agree(values []any, types []reflect.Type) error {
	if len(values) != len(types) {
		return fmt.Errorf("wrong number of values in corpus entry: %d, want %d", len(values), len(types))
	}
	var have []reflect.Type
	isSame := true
	for i, v := range values {
		have = append(have, reflect.TypeOf(v))
		isSame = isSame && have[i] == types[i]
	}
	if !isSame {
		return fmt.Errorf("mismatched types in corpus entry: %v, want %v", have, types)
	}
	return nil
}

// try calls the target's function; false: it has failed. What it prints goes to w.
func (f *F) try(fn reflect.Value, name string, values []any, w io.Writer) bool {
	if f.all.isFuzzing {
		f.all.match.forget()
	}
	var pcs [stackDepth]uintptr
	n := runtime.Callers(2, pcs[:])
	ctx, cancel := context.WithCancel(f.ctx)
	t := &T{
		common: common{
			barrier:   make(chan bool),
			signal:    make(chan bool, 1),
			name:      name,
			parent:    &f.common,
			level:     f.level + 1,
			creator:   pcs[:n],
			chatty:    f.chatty,
			ctx:       ctx,
			cancelCtx: cancel,
		},
		all: f.all,
	}
	t.parent.w = w
	t.w = indenter{&t.common}
	t.lines = &lineWriter{c: &t.common}
	t.chatty.state("RUN", name)
	f.inFuzzFn = true
	go tRunner(t, func(t *T) {
		args := []reflect.Value{reflect.ValueOf(t)}
		for _, v := range values {
			args = append(args, reflect.ValueOf(v))
		}
		fn.Call(args)
	})
	<-t.signal
	f.inFuzzFn = false
	if t.chatty != nil && t.chatty.json {
		t.chatty.state("NAME", f.name)
	}
	return !t.Failed()
}

// newTarget is a target below one that prints to standard output.
func newTarget(name string, all *allTests, barrier chan bool) *F {
	root := &common{w: os.Stdout}
	if Verbose() {
		root.chatty = newChattyPrinter(root.w)
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &F{
		common: common{
			signal:    make(chan bool, 1),
			barrier:   barrier,
			name:      name,
			parent:    root,
			level:     1,
			chatty:    root.chatty,
			ctx:       ctx,
			cancelCtx: cancel,
		},
		all: all,
	}
	f.w = indenter{&f.common}
	f.lines = &lineWriter{c: &f.common}
	return f
}

// runFuzzTests calls targets with the inputs there are.
func runFuzzTests(deps testDeps, targets []InternalFuzzTarget, deadline time.Time) (ran, ok bool) {
	ok = true
	if len(targets) == 0 {
		return false, true
	}
	m := newMatcher(deps.MatchString, *match, "-test.run", *skip)
	hunted := newMatcher(deps.MatchString, *matchFuzz, "-test.fuzz", *skip)
	for _, procs := range cpuList {
		runtime.GOMAXPROCS(procs)
		for i := uint(0); i < *count && !isEnough() && (i == 0 || ran); i++ {
			all := newAllTests(*parallel, m)
			all.deadline = deadline
			for _, target := range targets {
				_, isMeant, _ := m.fullName(nil, target.Name)
				if !isMeant || isEnough() {
					continue
				}
				// That one's turn comes later.
				if _, ok, _ := hunted.fullName(nil, target.Name); ok && *matchFuzz != "" {
					continue
				}
				f := newTarget(target.Name, all, make(chan bool))
				f.chatty.state("RUN", f.name)
				go fRunner(f, target.Fn)
				<-f.signal
				if f.chatty != nil && f.chatty.json {
					f.chatty.state("NAME", "")
				}
				ok = ok && !f.Failed()
				ran = ran || f.ran
			}
		}
	}
	return ran, ok
}

// runFuzzing looks for an input with which the target that -test.fuzz matches fails.
func runFuzzing(deps testDeps, targets []InternalFuzzTarget) (ok bool) {
	if len(targets) == 0 || *matchFuzz == "" {
		return true
	}
	m := newMatcher(deps.MatchString, *matchFuzz, "-test.fuzz", *skip)
	var target *InternalFuzzTarget
	var names []string
	for i := range targets {
		if _, ok, _ := m.fullName(nil, targets[i].Name); ok {
			target = &targets[i]
			names = append(names, target.Name)
		}
	}
	switch len(names) {
	case 0:
		fmt.Fprintln(os.Stderr, "testing: warning: no fuzz tests to fuzz")
		return true
	case 1:
	default:
		fmt.Fprintf(os.Stderr, "testing: will not fuzz, -fuzz matches more than one fuzz test: %v\n", names)
		return false
	}
	all := newAllTests(1, m)
	all.isFuzzing = true
	f := newTarget(target.Name, all, nil)
	f.isHunting = true
	f.chatty.state("RUN", f.name)
	go fRunner(f, target.Fn)
	<-f.signal
	f.chatty.state("NAME", "")
	return !f.failed
}

// fRunner calls a target, and does what is to be done behind it.
func fRunner(f *F, fn func(*F)) {
	defer f.over()
	defer func() {
		if len(f.sub) == 0 {
			f.runCleanup()
		}
	}()
	f.start = time.Now()
	f.resetRaces()
	fn(f)
	f.mu.Lock()
	f.finished = true
	f.mu.Unlock()
}

// over is deferred by fRunner, as T's is by tRunner.
func (f *F) over() {
	f.checkRaces()
	if f.Failed() {
		failures.Add(1)
	}
	value := recover()
	if value == nil {
		isSilent := !f.Skipped() && !f.common.Failed()
		switch {
		case isSilent && !f.hasFinished():
			value = errNotReturned
		case isSilent && !f.hasFuzzed:
			f.Error("returned without calling F.Fuzz, F.Fail, or F.Skip")
		}
	}
	didPanic := false
	defer func() {
		if !didPanic {
			f.signal <- true
		}
	}()
	die := func(value any) {
		f.Fail()
		if r := f.tryCleanup(); r != nil {
			f.Logf("cleanup panicked with %v", r)
		}
		for c := &f.common; c.parent != nil; c = c.parent {
			c.mu.Lock()
			c.duration += time.Since(c.start)
			d := c.duration
			c.mu.Unlock()
			c.flushToParent("--- FAIL: %s (%s)\n", c.name, inSeconds(d))
		}
		didPanic = true
		panic(value)
	}
	if value != nil {
		die(value)
	}
	f.duration += time.Since(f.start)
	if len(f.sub) > 0 {
		f.all.leave()
		close(f.barrier)
		for _, sub := range f.sub {
			<-sub.signal
		}
		start := time.Now()
		value := f.tryCleanup()
		f.duration += time.Since(start)
		if value != nil {
			die(value)
		}
	}
	f.report()
	f.done = true
	f.setRan()
}

func (f *F) report() {
	result := "PASS"
	switch {
	case f.Failed():
		result = "FAIL"
	case f.chatty == nil:
		return
	case f.Skipped():
		result = "SKIP"
	}
	f.flushToParent("--- %s: %s (%s)\n", result, f.name, inSeconds(f.duration))
}

// ---- The files of inputs.

// readInputs reads all there are in a directory.
func readInputs(dir string, types []reflect.Type) ([]input, error) {
	files, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading seed corpus from testdata: %v", err)
	}
	var inputs []input
	var wrong []error
	for _, file := range files {
		if file.IsDir() {
			continue
		}
		name := filepath.Join(dir, file.Name())
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("failed to read corpus file: %v", err)
		}
		values, err := decodeInput(text)
		if err != nil {
			err = fmt.Errorf("unmarshal: %v", err)
		} else {
			err = agree(values, types)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%q: %v", name, err))
			continue
		}
		inputs = append(inputs, input{name, values})
	}
	return inputs, errors.Join(wrong...)
}

// The first line of such a file.
const inputHead = "go test fuzz v1"

// encodeInput writes values as Go expressions, one on a line.
func encodeInput(values []any) []byte {
	var b bytes.Buffer
	b.WriteString(inputHead + "\n")
	for _, v := range values {
		b.WriteString(encodeValue(v) + "\n")
	}
	return b.Bytes()
}
