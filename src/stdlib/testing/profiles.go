package testing

import (
	"flag"
	"fmt"
	"internal/testdeps"
	"io"
	"os"
	"runtime"
)

var (
	cpuProfile           *string
	memProfile           *string
	memProfileRate       *int
	blockProfile         *string
	blockProfileRate     *int
	mutexProfile         *string
	mutexProfileFraction *int
	traceFile            *string
)

func declareProfileFlags() {
	memProfile = flag.String("test.memprofile", "", "write an allocation profile to `file`")
	memProfileRate = flag.Int("test.memprofilerate", 0, "set memory allocation profiling `rate` (see runtime.MemProfileRate)")
	cpuProfile = flag.String("test.cpuprofile", "", "write a cpu profile to `file`")
	blockProfile = flag.String("test.blockprofile", "", "write a goroutine blocking profile to `file`")
	blockProfileRate = flag.Int("test.blockprofilerate", 1, "set blocking profile `rate` (see runtime.SetBlockProfileRate)")
	mutexProfile = flag.String("test.mutexprofile", "", "write a mutex contention profile to the named file after execution")
	mutexProfileFraction = flag.Int("test.mutexprofilefraction", 1, "if >= 0, calls runtime.SetMutexProfileFraction()")
	traceFile = flag.String("test.trace", "", "write an execution trace to `file`")
}

// beginProfiles begins those that flags ask for; false: that of time or a trace cannot be written, and as in Go nothing else is done then that flags
// want before the tests.
func beginProfiles() bool {
	if *memProfileRate > 0 {
		runtime.MemProfileRate = *memProfileRate
	}
	if *cpuProfile != "" {
		f, err := os.Create(inOutputDir(*cpuProfile))
		if err != nil {
			fmt.Fprintf(os.Stderr, "testing: %s\n", err)
			return false
		}
		if err := startCPUProfile(f); err != nil {
			fmt.Fprintf(os.Stderr, "testing: can't start cpu profile: %s\n", err)
			f.Close()
			return false
		}
	}
	if *traceFile != "" {
		f, err := os.Create(inOutputDir(*traceFile))
		if err != nil {
			fmt.Fprintf(os.Stderr, "testing: %s\n", err)
			return false
		}
		if err := startTrace(f); err != nil {
			fmt.Fprintf(os.Stderr, "testing: can't start tracing: %s\n", err)
			f.Close()
			return false
		}
	}
	if *blockProfile != "" && *blockProfileRate >= 0 {
		runtime.SetBlockProfileRate(*blockProfileRate)
	}
	if *mutexProfile != "" && *mutexProfileFraction >= 0 {
		runtime.SetMutexProfileFraction(*mutexProfileFraction)
	}
	return true
}

// startCPUProfile begins that of time. A program that is not started by gosched test cannot write any.
func startCPUProfile(w io.Writer) error {
	if testdeps.StartCPUProfile == nil {
		return errNoProfiles
	}
	return testdeps.StartCPUProfile(w)
}

// startTrace begins a trace, as startCPUProfile does a profile.
func startTrace(w io.Writer) error {
	if testdeps.StartTrace == nil {
		return errNoProfiles
	}
	return testdeps.StartTrace(w)
}

type profileError string

func (e profileError) Error() string { return string(e) }

const errNoProfiles = profileError("no profiles: the test was built without them")

func writeProfiles() {
	if *cpuProfile != "" && testdeps.StopCPUProfile != nil {
		testdeps.StopCPUProfile()
	}
	if *traceFile != "" && testdeps.StopTrace != nil {
		testdeps.StopTrace()
	}
	if *memProfile != "" {
		runtime.GC()
		writeNamed("allocs", *memProfile)
	}
	if *blockProfile != "" && *blockProfileRate >= 0 {
		writeNamed("block", *blockProfile)
	}
	if *mutexProfile != "" && *mutexProfileFraction >= 0 {
		writeNamed("mutex", *mutexProfile)
	}
}

func writeNamed(name, path string) {
	f, err := os.Create(inOutputDir(path))
	if err != nil {
		fmt.Fprintf(os.Stderr, "testing: %s\n", err)
		os.Exit(2)
	}
	err = error(errNoProfiles)
	if testdeps.WriteProfile != nil {
		err = testdeps.WriteProfile(name, f)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "testing: can't write %s: %s\n", path, err)
		os.Exit(2)
	}
	f.Close()
}
