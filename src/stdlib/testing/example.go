package testing

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

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

func runExamples(matchString func(pat, str string) (bool, error), examples []InternalExample) (ran, ok bool) {
	ok = true
	m := newMatcher(matchString, *match, "-test.run", *skip)
	for _, eg := range examples {
		if _, matches, _ := m.fullName(nil, eg.Name); matches {
			ran = true
			ok = runExample(eg) && ok
		}
	}
	return ran, ok
}

// runExample runs an example, with standard output led into a pipe.
func runExample(eg InternalExample) (ok bool) {
	if chatty.on {
		fmt.Printf("%s=== RUN   %s\n", chatty.prefix(), eg.Name)
	}
	stdout := os.Stdout
	r, w, err := os.Pipe()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout = w
	printed := make(chan string)
	go func() {
		var text strings.Builder
		_, err := io.Copy(&text, r)
		r.Close()
		if err != nil {
			fmt.Fprintf(os.Stderr, "testing: copying pipe: %v\n", err)
			os.Exit(1)
		}
		printed <- text.String()
	}()
	hasReturned := false
	start := time.Now()
	defer func() {
		d := time.Since(start)
		w.Close()
		os.Stdout = stdout
		text := <-printed
		value := recover()
		ok = eg.judge(text, d, hasReturned, value)
	}()
	eg.F()
	hasReturned = true
	return
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
		fmt.Printf("%s--- FAIL: %s (%s)\n%s", chatty.prefix(), eg.Name, inSeconds(d), why)
	case chatty.on:
		fmt.Printf("%s--- PASS: %s (%s)\n", chatty.prefix(), eg.Name, inSeconds(d))
	}
	if chatty.on && chatty.json {
		fmt.Printf("%s=== NAME   %s\n", chatty.prefix(), "")
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
