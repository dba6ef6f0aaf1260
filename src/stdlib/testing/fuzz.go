package testing

import (
	"flag"
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

// F is what a fuzz target is given.
type F struct {
	common
}

// InternalFuzzTarget is a fuzz target and its name.
type InternalFuzzTarget struct {
	Name string
	Fn   func(f *F)
}

func runFuzzTests(deps testDeps, targets []InternalFuzzTarget, deadline time.Time) (ran, ok bool) {
	return false, true
}

func runFuzzing(deps testDeps, targets []InternalFuzzTarget) (ok bool) { return true }
