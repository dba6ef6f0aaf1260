package testing

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// This file has examples: what one prints is caught, and compared with what it has to print.

// InternalExample is an example and what it has to print.
type InternalExample struct {
	Name      string
	F         func()
	Output    string
	Unordered bool
}

// RunExamples runs examples; false: one has failed.
func RunExamples(matchString func(pat, str string) (bool, error), examples []InternalExample) (ok bool) {
	_, ok = runExamples(matchString, examples)
	return ok
}

func runExamples(hit func(pat, str string) (bool, error), examples []InternalExample) (hasRun, ok bool) {
	filter := readFilter(hit, options.run, "-test.run", options.skip)
	failures := 0
	for i := range examples {
		eg := &examples[i]
		if !filter.wants(eg.Name) {
			continue
		}
		hasRun = true
		if !runExample(eg) {
			failures++
		}
	}
	return hasRun, failures == 0
}

// runExample runs an example and judges it, also if it panics or leaves by Goexit.
func runExample(eg *InternalExample) (ok bool) {
	if options.verbose.on {
		fmt.Printf("%s=== RUN   %s\n", options.verbose.prefix(), eg.Name)
	}
	text := catchOutput()
	hasReturned := false
	start := time.Now()
	defer func() {
		took := time.Since(start)
		printed := text()
		ok = eg.judge(printed, took, hasReturned, recover())
	}()
	eg.F()
	hasReturned = true
	return ok
}

// catchOutput leads standard output into a pipe, until text is called.
func catchOutput() (text func() string) {
	must := func(err error, doing string) {
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s%v\n", doing, err)
			os.Exit(1)
		}
	}
	r, w, err := os.Pipe()
	must(err, "")
	before := os.Stdout
	os.Stdout = w
	caught := make(chan []byte)
	go func() {
		all, err := io.ReadAll(r)
		must(err, "testing: copying pipe: ")
		r.Close()
		caught <- all
	}()
	return func() string {
		w.Close()
		os.Stdout = before
		return string(<-caught)
	}
}

// judge reports an example that has printed this.
func (eg *InternalExample) judge(text string, d time.Duration, hasReturned bool, value any) bool {
	why := ""
	if value == nil {
		why = eg.difference(text)
	}
	ok := why == "" && hasReturned && value == nil
	switch {
	case !ok:
		fmt.Printf("%s--- FAIL: %s (%s)\n%s", options.verbose.prefix(), eg.Name, inSeconds(d), why)
	case options.verbose.on:
		fmt.Printf("%s--- PASS: %s (%s)\n", options.verbose.prefix(), eg.Name, inSeconds(d))
	}
	if options.verbose.on && options.verbose.json {
		fmt.Printf("%s=== NAME   %s\n", options.verbose.prefix(), "")
	}
	if value != nil {
		panic(value)
	}
	if !hasReturned {
		panic(errNotReturned)
	}
	return ok
}

func (eg *InternalExample) difference(text string) string {
	got, want := strings.TrimSpace(text), strings.TrimSpace(eg.Output)
	if eg.Unordered {
		sorted := func(s string) []string { return slices.Sorted(strings.SplitSeq(s, "\n")) }
		if !slices.Equal(sorted(got), sorted(want)) {
			return fmt.Sprintf("got:\n%s\nwant (unordered):\n%s\n", text, eg.Output)
		}
	} else if got != want {
		return fmt.Sprintf("got:\n%s\nwant:\n%s\n", got, want)
	}
	return ""
}
