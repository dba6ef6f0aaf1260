// Package pprof writes profiles of the running program, for go tool pprof to read.
package pprof

import (
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
)

// A Profile is a collection of stacks. Those that the runtime keeps are made when they are written.
type Profile struct {
	name string
	mu   sync.Mutex
	// stacks are those that the program adds.
	stacks map[any][]uintptr
	// kind is the runtime's number of a profile that it keeps, and 1; 0: the program keeps it.
	kind int
}

// The runtime's numbers of profiles.
const (
	goroutines = iota
	leaked
	threads
	heap
	allocs
	blocked
	contended
)

var builtin = []string{"goroutine", "goroutineleak", "threadcreate", "heap", "allocs", "block", "mutex"}

var profiles struct {
	mu     sync.Mutex
	byName map[string]*Profile
}

// named calls f with all profiles.
func named(f func(map[string]*Profile)) {
	profiles.mu.Lock()
	defer profiles.mu.Unlock()
	if profiles.byName == nil {
		profiles.byName = make(map[string]*Profile)
		for kind, name := range builtin {
			profiles.byName[name] = &Profile{name: name, kind: kind + 1}
		}
	}
	f(profiles.byName)
}

func NewProfile(name string) *Profile {
	if name == "" {
		panic("pprof: NewProfile with empty name")
	}
	p := &Profile{name: name, stacks: make(map[any][]uintptr)}
	named(func(all map[string]*Profile) {
		if all[name] != nil {
			panic("pprof: NewProfile name already in use: " + name)
		}
		all[name] = p
	})
	return p
}

func Lookup(name string) (p *Profile) {
	named(func(all map[string]*Profile) { p = all[name] })
	return p
}

func Profiles() (list []*Profile) {
	byName := func(a, b *Profile) int { return strings.Compare(a.name, b.name) }
	named(func(all map[string]*Profile) { list = slices.SortedFunc(maps.Values(all), byName) })
	return list
}

func (p *Profile) Name() string { return p.name }

func (p *Profile) Count() int {
	switch p.kind {
	case 0:
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.stacks)
	case 1 + goroutines:
		return runtime.NumGoroutine()
	}
	return count(p.kind - 1)
}

func (p *Profile) Add(value any, skip int) {
	switch {
	case p.name == "":
		panic("pprof: use of uninitialized Profile")
	case p.kind != 0:
		panic("pprof: Add called on built-in Profile " + p.name)
	}
	stack := make([]uintptr, 32)
	if stack = stack[:runtime.Callers(skip+1, stack)]; len(stack) == 0 {
		stack = append(stack, lost())
	}
	p.mu.Lock()
	_, again := p.stacks[value]
	if !again {
		p.stacks[value] = stack
	}
	p.mu.Unlock()
	if again {
		panic("pprof: Profile.Add of duplicate value")
	}
}

func (p *Profile) Remove(value any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.stacks, value)
}

func (p *Profile) WriteTo(w io.Writer, debug int) error {
	if p.name == "" {
		panic("pprof: use of zero Profile")
	}
	switch p.kind {
	case 0:
		return put(w, stacksOf(p.name, p.flat(), debug), debug)
	case 1 + leaked:
		findLeaked()
		if debug >= 2 {
			_, err := w.Write(marked(stacks(), numbersOfLeaked()))
			return err
		}
	case 1 + goroutines:
		if debug >= 2 {
			_, err := w.Write(stacks())
			return err
		}
		return put(w, goroutineProfile(debug), debug)
	case 1 + heap, 1 + allocs:
		return reportHeap(w, p.kind-1, debug)
	}
	return put(w, snapshot(p.kind-1, debug), debug)
}

// flat is the stacks that the program has added, each after its length, in order.
func (p *Profile) flat() (words []uintptr) {
	p.mu.Lock()
	all := make([][]uintptr, 0, len(p.stacks))
	for _, stack := range p.stacks {
		all = append(all, stack)
	}
	p.mu.Unlock()
	slices.SortFunc(all, slices.Compare)
	for _, stack := range all {
		words = append(append(words, uintptr(len(stack))), stack...)
	}
	return words
}

// put writes a profile: compressed, or as text in columns.
func put(w io.Writer, data []byte, debug int) error {
	if debug > 0 {
		columns := tabwriter.NewWriter(w, 1, 8, 1, '\t', 0)
		if _, err := columns.Write(data); err != nil {
			return err
		}
		return columns.Flush()
	}
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	if _, err := z.Write(data); err != nil {
		return err
	}
	return z.Close()
}

// marked says behind what those goroutines wait for that they are leaked.
func marked(text []byte, numbers []uint64) []byte {
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		head, isFirst := strings.CutPrefix(line, "goroutine ")
		head, _, _ = strings.Cut(head, " ")
		number, err := strconv.ParseUint(head, 10, 64)
		if isFirst && err == nil && slices.Contains(numbers, number) {
			at := strings.IndexAny(line, ",]")
			b.WriteString(line[:at] + " (leaked)")
			line = line[at:]
		}
		b.WriteString(line)
	}
	return []byte(b.String())
}

// stacks are those of all goroutines, as a panic shows them.
func stacks() []byte {
	const enough, most = 1 << 20, 64 << 20
	for size := enough; ; size *= 2 {
		buf := make([]byte, size)
		n := runtime.Stack(buf, true)
		if n < size || size >= most {
			return buf[:n]
		}
	}
}

func reportHeap(w io.Writer, kind, debug int) error {
	if debug == 0 {
		return put(w, memory(kind, runtime.MemProfileRate, nil, 0, debug), debug)
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	words := []uint64{
		s.Alloc, s.TotalAlloc, s.Sys, s.Lookups, s.Mallocs, s.Frees, s.HeapAlloc, s.HeapSys, s.HeapIdle, s.HeapInuse,
		s.HeapReleased, s.HeapObjects, s.StackInuse, s.StackSys, s.MSpanInuse, s.MSpanSys, s.MCacheInuse, s.MCacheSys,
		s.BuckHashSys, s.GCSys, s.OtherSys, s.NextGC, s.LastGC, uint64(s.NumGC), uint64(s.NumForcedGC),
	}
	words = append(append(words, s.PauseNs[:]...), s.PauseEnd[:]...)
	return put(w, memory(kind, runtime.MemProfileRate, words, s.GCCPUFraction, debug), debug)
}

// WriteHeapProfile writes the profile of memory.
func WriteHeapProfile(w io.Writer) error { return reportHeap(w, heap, 0) }

// cpu is the profile of time that is being made, if to is not nil.
var cpu struct {
	mu sync.Mutex
	to io.Writer
}

func StartCPUProfile(w io.Writer) error {
	const hz = 100
	cpu.mu.Lock()
	defer cpu.mu.Unlock()
	if cpu.to != nil {
		return errors.New("cpu profiling already in use")
	}
	cpu.to = w
	startCPU(hz)
	return nil
}

func StopCPUProfile() {
	cpu.mu.Lock()
	defer cpu.mu.Unlock()
	if cpu.to == nil {
		return
	}
	runtime.SetCPUProfileRate(0)
	w, done := cpu.to, make(chan bool)
	cpu.to = nil
	// In a goroutine of its own, as in Go: what the program has given to write to may look at that.
	go func() {
		put(w, cpuProfile(), 0)
		done <- true
	}()
	<-done
}

// Natives. Profiles come as protocol buffers, or as text whose columns are set off by tabs.

// count is how many records the runtime has for a profile.
func count(kind int) int

// snapshot is a profile of the runtime's.
func snapshot(kind, debug int) []byte

// goroutineProfile is that of goroutines, which stops the world.
func goroutineProfile(debug int) []byte

// findLeaked collects, to find the goroutines that wait for ever.
func findLeaked()

// numbersOfLeaked are those of the goroutines that it has found.
func numbersOfLeaked() []uint64

// memory is a profile of memory; stats are for its text.
func memory(kind, rate int, stats []uint64, fraction float64, debug int) []byte

// stacksOf is a profile of the program's; words are its stacks, each after its length.
func stacksOf(name string, words []uintptr, debug int) []byte

// lost stands for a stack that is not known.
func lost() uintptr

func startCPU(hz int)
func cpuProfile() []byte
