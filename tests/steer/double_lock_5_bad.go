package main

import (
	"fmt"
	"strings"
	"sync"
)

// A builder of programs. Targets are made of sources and of other targets; workers make what is
// ready, while people edit the sources.

type source struct {
	name    string
	mu      sync.Mutex
	version int
	text    string
}

func (s *source) edit(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.text = text
}

func (s *source) read() (version int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version, s.text
}

// A state is that of a target.
type state int

const (
	waiting state = iota
	queued
	running
	built
)

func (s state) String() string {
	return [...]string{"waiting", "queued", "running", "built"}[s]
}

// A target's fields from state on belong to the builder, and are under its lock.
type target struct {
	name    string
	sources []*source
	needs   []*target
	users   []*target

	state   state
	missing int
	rounds  int
	number  int
	output  string
}

// An attempt is what a worker has made of a target, and of which versions.
type attempt struct {
	versions map[*source]int
	output   string
}

func (a attempt) isFresh() bool {
	for s, seen := range a.versions {
		if now, _ := s.read(); now != seen {
			return false
		}
	}
	return true
}

type event struct {
	target string
	state  state
}

type builder struct {
	mu      sync.Mutex
	changed *sync.Cond
	targets []*target
	queue   []*target
	left    int
	events  chan event
}

func newBuilder() *builder {
	b := &builder{events: make(chan event, 64)}
	b.changed = sync.NewCond(&b.mu)
	return b
}

// Add makes a target known; what it needs has been added before.
func (b *builder) add(name string, sources []*source, needs ...*target) *target {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := &target{name: name, sources: sources, needs: needs, missing: len(needs)}
	for _, n := range needs {
		n.users = append(n.users, t)
	}
	b.targets = append(b.targets, t)
	b.left++
	return t
}

// Push puts a target at the end of the queue. The caller holds the lock.
func (b *builder) push(t *target) {
	t.state = queued
	b.queue = append(b.queue, t)
	b.events <- event{t.name, t.state}
	b.changed.Signal()
}

// Submit asks for a target, from outside.
func (b *builder) submit(t *target) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t.state != built && t.missing == 0 {
		b.push(t)
	}
}

// Next waits for a target that can be made, and is nil when all is made.
func (b *builder) next() *target {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.queue) == 0 && b.left > 0 {
		b.changed.Wait()
	}
	if b.left == 0 {
		return nil
	}
	t := b.queue[0]
	b.queue = b.queue[1:]
	t.state = running
	t.rounds++
	return t
}

// Make compiles; nobody else has the target meanwhile, and what it needs does not change any more.
func (b *builder) make(t *target) attempt {
	a := attempt{versions: map[*source]int{}}
	parts := []string{}
	for _, s := range t.sources {
		version, text := s.read()
		a.versions[s] = version
		parts = append(parts, strings.ToUpper(text))
	}
	for _, n := range t.needs {
		parts = append(parts, "("+n.output+")")
	}
	a.output = strings.Join(parts, "+")
	return a
}

// Finish takes what was made, if the sources have not been edited since.
func (b *builder) finish(t *target, a attempt) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !a.isFresh() {
		b.submit(t)
		return
	}
	t.output = a.output
	t.state = built
	t.number = len(b.targets) - b.left
	b.left--
	b.events <- event{t.name, t.state}
	for _, u := range t.users {
		u.missing--
		if u.missing == 0 {
			b.push(u)
		}
	}
	if b.left == 0 {
		b.changed.Broadcast()
	}
}

func (b *builder) work() {
	for t := b.next(); t != nil; t = b.next() {
		b.finish(t, b.make(t))
	}
}

// Wait returns when all is made.
func (b *builder) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.left > 0 {
		b.changed.Wait()
	}
}

// A chronicle counts what happens, until there are no more events.
type chronicle struct {
	count map[state]int
	ended chan struct{}
}

func (b *builder) chronicle() *chronicle {
	c := &chronicle{count: map[state]int{}, ended: make(chan struct{})}
	go func() {
		defer close(c.ended)
		for e := range b.events {
			c.count[e.state]++
		}
	}()
	return c
}

func main() {
	sources := map[string]*source{}
	var workers, people sync.WaitGroup
	for name := range strings.FieldsSeq("lexer parser types code main docs") {
		sources[name] = &source{name: name, text: name}
	}
	of := func(names ...string) (all []*source) {
		for _, name := range names {
			all = append(all, sources[name])
		}
		return all
	}
	b := newBuilder()
	record := b.chronicle()
	lexer := b.add("lexer.o", of("lexer"))
	types := b.add("types.o", of("types"))
	parser := b.add("parser.o", of("parser"), lexer)
	check := b.add("check.o", of("types"), parser, types)
	code := b.add("code.o", of("code"), check)
	manual := b.add("manual", of("docs"))
	program := b.add("program", of("main"), code, parser)
	b.add("package", nil, program, manual)

	for range 10 {
		workers.Go(b.work)
	}
	saved := make(chan string, len(sources))
	for name, s := range sources {
		people.Go(func() {
			s.edit(name + "2")
			saved <- name
			for _, mark := range "abcdef" {
				s.edit(name + string(mark))
			}
		})
	}
	for range sources {
		<-saved
	}
	for _, t := range b.targets {
		if len(t.needs) == 0 {
			b.submit(t)
		}
	}
	b.wait()
	workers.Wait()
	people.Wait()
	close(b.events)
	<-record.ended

	for _, t := range b.targets {
		for _, n := range t.needs {
			if n.number >= t.number {
				panic(n.name + " was made after " + t.name)
			}
		}
	}
	fmt.Println(record.count[built], "targets are", built)
	fmt.Println(strings.Count(program.output, "("), "parts are in the program")
}
