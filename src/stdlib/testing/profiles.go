package testing

import (
	"fmt"
	"internal/testdeps"
	"io"
	"os"
	"runtime"
)

// This file has the profiles that flags ask for. Package runtime/pprof writes them, by way of what
// the main package of the test has been given.

// beginProfiles begins those that flags ask for; false: that of time or a trace cannot be written,
// and as in Go nothing else is done then that flags want before the tests.
func beginProfiles() bool {
	if options.memRate > 0 {
		runtime.MemProfileRate = options.memRate
	}
	if !beginStream("cpu profile", options.cpuTo, testdeps.StartCPUProfile) ||
		!beginStream("tracing", options.traceTo, testdeps.StartTrace) {
		return false
	}
	if options.blockTo != "" && options.blockRate >= 0 {
		runtime.SetBlockProfileRate(options.blockRate)
	}
	if options.mutexTo != "" && options.mutexRate >= 0 {
		runtime.SetMutexProfileFraction(options.mutexRate)
	}
	return true
}

// beginStream begins what is written all the time, if a path is given. A program that is not
// started by gosched test cannot write any.
func beginStream(what, path string, start func(w io.Writer) error) bool {
	if path == "" {
		return true
	}
	f, err := os.Create(inOutputDir(path))
	if err == nil {
		err = errNoProfiles
		if start != nil {
			err = start(f)
		}
		if err == nil {
			return true
		}
		f.Close()
		err = fmt.Errorf("can't start %s: %s", what, err)
	}
	fmt.Fprintf(os.Stderr, "testing: %s\n", err)
	return false
}

type profileError string

func (e profileError) Error() string { return string(e) }

const errNoProfiles = profileError("no profiles: the test was built without them")

// endProfiles ends what is written all the time, and writes the rest.
func endProfiles() {
	if options.cpuTo != "" && testdeps.StopCPUProfile != nil {
		testdeps.StopCPUProfile()
	}
	if options.traceTo != "" && testdeps.StopTrace != nil {
		testdeps.StopTrace()
	}
	if options.memTo != "" {
		runtime.GC()
	}
	writeNamed("allocs", options.memTo, 0)
	writeNamed("block", options.blockTo, options.blockRate)
	writeNamed("mutex", options.mutexTo, options.mutexRate)
}

// writeNamed writes a profile, if a path is given and its rate is none that switches it off.
func writeNamed(name, path string, rate int) {
	if path == "" || rate < 0 {
		return
	}
	f, err := os.Create(inOutputDir(path))
	if err != nil {
		giveUp("%s", err)
	}
	err = errNoProfiles
	if testdeps.WriteProfile != nil {
		err = testdeps.WriteProfile(name, f)
	}
	if err != nil {
		giveUp("can't write %s: %s", path, err)
	}
	f.Close()
}
