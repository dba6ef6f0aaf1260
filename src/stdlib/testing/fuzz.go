package testing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"time"
)

// This file has fuzz targets. One has a record as a test has, and each call of its function with an
// input is a test below it. hunt.go looks for new inputs.

// Where the inputs of targets lie, below the package's folder.
const inputsDir = "testdata/fuzz"

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
	f.refuse("Helper")
	f.addHelper()
}

// Skipped says whether the target has been skipped.
func (f *F) Skipped() bool {
	f.refuse("Skipped")
	return f.common.Skipped()
}

// Fail marks the target as failed.
func (f *F) Fail() {
	f.refuse("Fail")
	f.common.Fail()
}

// Add adds an input to begin with.
func (f *F) Add(args ...any) {
	if i := slices.IndexFunc(args, func(v any) bool { return !fuzzable[reflect.TypeOf(v)] }); i >= 0 {
		panic(fmt.Sprintf("testing: unsupported type to Add %v", reflect.TypeOf(args[i])))
	}
	name := "seed#" + strconv.Itoa(len(f.seeds))
	f.seeds = append(f.seeds, input{name, args})
}

// Fuzz calls ff, which takes a *T and values, with each input there is; with -fuzz it then looks
// for one with which it fails.
func (f *F) Fuzz(ff any) {
	if f.hasFuzzed {
		panic("testing: F.Fuzz called more than once")
	}
	f.hasFuzzed = true
	if f.is(failed) {
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
	stored, err := readInputs(filepath.Join(inputsDir, f.name), types)
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
		if f.all.filter.wants(name) && !isEnough() {
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
	if fn.NumOut() > 0 {
		panic("testing: fuzz target must not return a value")
	}
	types := make([]reflect.Type, fn.NumIn()-1)
	for i := range types {
		types[i] = fn.In(i + 1)
		if !fuzzable[types[i]] {
			panic(fmt.Sprintf("testing: unsupported type for fuzzing %v", types[i]))
		}
	}
	return types
}

// agree says what is wrong with values for parameters of these types.
func agree(values []any, types []reflect.Type) error {
	problem, have, want := "wrong number of values", any(len(values)), any(len(types))
	if have == want {
		var own []reflect.Type
		for _, v := range values {
			own = append(own, reflect.TypeOf(v))
		}
		if slices.Equal(own, types) {
			return nil
		}
		problem, have, want = "mismatched types", own, types
	}
	return fmt.Errorf("%s in corpus entry: %v, want %v", problem, have, want)
}

// try calls the target's function as a test of this name; false: it has failed. What it prints goes
// to w.
func (f *F) try(fn reflect.Value, name string, values []any, w io.Writer) bool {
	if f.all.isHunt {
		f.all.filter.forget()
	}
	t := &T{all: f.all}
	t.hang(name, &f.common, f.ctx)
	var pcs [stackDepth]uintptr
	t.creator = pcs[:runtime.Callers(2, pcs[:])]
	args := []reflect.Value{reflect.ValueOf(t)}
	for _, v := range values {
		args = append(args, reflect.ValueOf(v))
	}
	f.w = w
	t.live.state("RUN", name)
	f.mark(inTarget)
	go tRunner(t, func(*T) { fn.Call(args) })
	<-t.signal
	f.unmark(inTarget)
	if f.live != nil && f.live.json {
		f.live.state("NAME", f.name)
	}
	return !t.Failed()
}

// newTarget is a target below a record that prints to standard output.
func newTarget(name string, all *allTests) *F {
	var root common
	root.root()
	f := &F{all: all}
	f.hang(name, &root, context.Background())
	return f
}

// run runs the target and waits for its signal.
func (f *F) run(fn func(*F)) {
	f.live.state("RUN", f.name)
	go fRunner(f, fn)
	<-f.signal
}

// tryTargets calls targets with the inputs there are, all but the one that is hunted with later.
func tryTargets(deps testDeps, targets []InternalFuzzTarget, deadline time.Time) (hasRun, ok bool) {
	if len(targets) == 0 {
		return false, true
	}
	ok = true
	filter := readFilter(deps.MatchString, options.run, "-test.run", options.skip)
	hunted := readFilter(deps.MatchString, options.fuzz, "-test.fuzz", options.skip)
	for range turns(&hasRun) {
		all := newAllTests(options.parallel, filter)
		all.deadline = deadline
		for _, target := range targets {
			if isEnough() || !filter.wants(target.Name) {
				continue
			}
			if options.fuzz != "" && hunted.wants(target.Name) {
				continue
			}
			f := newTarget(target.Name, all)
			f.run(target.Fn)
			if f.live != nil && f.live.json {
				f.live.state("NAME", "")
			}
			ok = !f.Failed() && ok
			hasRun = hasRun || f.is(ran)
		}
	}
	return hasRun, ok
}

// huntWith looks for an input with which the target that -test.fuzz matches fails.
func huntWith(deps testDeps, targets []InternalFuzzTarget) (ok bool) {
	if options.fuzz == "" || len(targets) == 0 {
		return true
	}
	filter := readFilter(deps.MatchString, options.fuzz, "-test.fuzz", options.skip)
	meant := slices.DeleteFunc(slices.Clone(targets), func(one InternalFuzzTarget) bool {
		return !filter.wants(one.Name)
	})
	if len(meant) == 0 {
		fmt.Fprintln(os.Stderr, "testing: warning: no fuzz tests to fuzz")
		return true
	}
	if len(meant) > 1 {
		list := names(meant, func(one *InternalFuzzTarget) string { return one.Name })
		fmt.Fprintf(os.Stderr, "testing: will not fuzz, -fuzz matches more than one fuzz test: %v\n", list)
		return false
	}
	f := newTarget(meant[0].Name, newAllTests(1, filter))
	f.all.isHunt, f.isHunting = true, true
	// A test that calls Parallel goes on at once.
	f.barrier = nil
	f.run(meant[0].Fn)
	f.live.state("NAME", "")
	return !f.is(failed)
}

// fRunner calls a target, and does what is to be done behind it.
func fRunner(f *F, fn func(*F)) {
	defer f.over()
	defer func() {
		if len(f.sub) == 0 {
			f.cleanUp()
		}
	}()
	f.start = time.Now()
	f.forgetRaces()
	fn(f)
	f.mark(returned)
}

// over is deferred by fRunner, as T's is by tRunner.
func (f *F) over() {
	f.countRaces()
	if f.Failed() {
		failures.Add(1)
	}
	value := recover()
	if value == nil && !f.is(skipped|failed) {
		if !f.is(returned) {
			value = errNotReturned
		} else if !f.hasFuzzed {
			f.Error("returned without calling F.Fuzz, F.Fail, or F.Skip")
		}
	}
	// Also if a cleanup leaves by Goexit the one who waits is told.
	isDying := false
	defer func() {
		if !isDying {
			f.signal <- true
		}
	}()
	if value == nil {
		f.duration += time.Since(f.start)
		value = f.finishInputs()
	}
	if value != nil {
		isDying = true
		f.die(value)
	}
	f.report()
	f.mark(over)
	f.markRan()
}

// finishInputs lets the parallel tests below run, and cleans up behind them; a value that something
// panics with then is given back.
func (f *F) finishInputs() (value any) {
	if len(f.sub) == 0 {
		return nil
	}
	f.all.leave()
	f.awaitBelow()
	begin := time.Now()
	value = f.tryCleanUp()
	f.duration += time.Since(begin)
	return value
}

// ---- The files of inputs.

// readInputs reads all there are in a directory.
func readInputs(dir string, types []reflect.Type) (inputs []input, err error) {
	files, err := os.ReadDir(dir)
	if !(err == nil || os.IsNotExist(err)) {
		return nil, fmt.Errorf("reading seed corpus from testdata: %v", err)
	}
	files = slices.DeleteFunc(files, os.DirEntry.IsDir)
	wrong := make([]error, len(files))
	for i, file := range files {
		one := input{path: filepath.Join(dir, file.Name())}
		text, err := os.ReadFile(one.path)
		if err != nil {
			return nil, fmt.Errorf("failed to read corpus file: %v", err)
		}
		if one.values, err = valuesIn(text, types); err != nil {
			wrong[i] = fmt.Errorf("%q: %v", one.path, err)
			continue
		}
		inputs = append(inputs, one)
	}
	return inputs, errors.Join(wrong...)
}

// valuesIn reads values of these types from the text of a file.
func valuesIn(text []byte, types []reflect.Type) (values []any, err error) {
	values, err = decodeInput(text)
	if err != nil {
		return nil, fmt.Errorf("unmarshal: %v", err)
	}
	return values, agree(values, types)
}
