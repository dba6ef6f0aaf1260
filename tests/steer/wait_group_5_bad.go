package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A build: targets are made by several workers, each when those that it needs have been made.

type target struct {
	name    string
	needs   []string
	signed  bool
	users   []*target
	missing atomic.Int32
	tries   int
	digest  uint32
}

// rules are lines of the form "target: what it needs", with a ! for those that are signed.
const rules = `
lex.o:
parse.o: lex.o
types.o:
check.o: types.o parse.o
emit.o: types.o
main.o:
io.o:
net.o: io.o
lib.a!: io.o net.o
tool: main.o check.o emit.o lib.a
docs:
man: docs
html!: docs
tool.zip!: tool man
tool.deb!: tool man
tool.rpm!: tool man
tests: tool
`

type graph struct {
	targets map[string]*target
	names   []string
}

func parse(text string) (*graph, error) {
	g := &graph{targets: map[string]*target{}}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		name, needs, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("no colon in %q", line)
		}
		t := &target{needs: strings.Fields(needs)}
		t.name, t.signed = strings.CutSuffix(name, "!")
		if g.targets[t.name] != nil {
			return nil, fmt.Errorf("%s is made twice", t.name)
		}
		g.targets[t.name] = t
		g.names = append(g.names, t.name)
	}
	return g, g.link()
}

func (g *graph) link() error {
	for _, name := range g.names {
		t := g.targets[name]
		for _, need := range t.needs {
			n := g.targets[need]
			if n == nil {
				return fmt.Errorf("%s needs %s, which nothing makes", name, need)
			}
			n.users = append(n.users, t)
		}
		t.missing.Store(int32(len(t.needs)))
	}
	return nil
}

// log keeps what has been made, in the order of its making.
type log struct {
	mu   sync.Mutex
	made []string
}

func (l *log) add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made = append(l.made, name)
}

// misplaced returns a target that was made before something that it needs.
func (l *log) misplaced(g *graph) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := map[string]bool{}
	for _, name := range l.made {
		for _, need := range g.targets[name].needs {
			if !seen[need] {
				return name
			}
		}
		seen[name] = true
	}
	return ""
}

type build struct {
	graph   *graph
	queue   chan *target
	pending sync.WaitGroup
	signer  sync.Mutex
	log     log
	late    atomic.Int32
}

func newBuild(g *graph) *build {
	return &build{graph: g, queue: make(chan *target, len(g.names))}
}

func (b *build) start(t *target) {
	b.pending.Add(1)
	b.queue <- t
}

// work makes targets until there are no more.
func (b *build) work() {
	for t := range b.queue {
		b.try(t)
	}
}

func (b *build) try(t *target) {
	defer b.pending.Done()
	if !t.signed {
		b.make(t)
		return
	}
	if !b.signer.TryLock() {
		b.late.Add(1)
		go b.again(t)
		return
	}
	b.sign(t)
	b.signer.Unlock()
	b.make(t)
}

// again comes back to a target for which the signer had no time.
func (b *build) again(t *target) {
	t.tries++
	time.Sleep(time.Duration(t.tries) * time.Millisecond)
	b.start(t)
}

func (b *build) sign(t *target) {
	for _, c := range t.name {
		t.digest = t.digest*31 + uint32(c)
	}
}

func (b *build) make(t *target) {
	for _, need := range t.needs {
		t.digest ^= b.graph.targets[need].digest
	}
	b.log.add(t.name)
	for _, user := range t.users {
		if user.missing.Add(-1) == 0 {
			b.start(user)
		}
	}
}

func (b *build) run(workers int) {
	var crew sync.WaitGroup
	var first []*target
	for _, name := range b.graph.names {
		if t := b.graph.targets[name]; len(t.needs) == 0 {
			first = append(first, t)
		}
	}
	b.pending.Add(1)
	for range workers {
		crew.Go(b.work)
	}
	for _, t := range first {
		b.start(t)
	}
	b.pending.Done()
	b.pending.Wait()
	close(b.queue)
	crew.Wait()
}

func (b *build) check() error {
	b.log.mu.Lock()
	made := len(b.log.made)
	b.log.mu.Unlock()
	if made != len(b.graph.names) {
		return fmt.Errorf("%d of %d targets, %d late", made, len(b.graph.names), b.late.Load())
	}
	if name := b.log.misplaced(b.graph); name != "" {
		return fmt.Errorf("%s is made too early", name)
	}
	return nil
}

func main() {
	g, err := parse(rules)
	if err != nil {
		panic(err)
	}
	b := newBuild(g)
	b.run(16)
	if err := b.check(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(len(g.names), "targets")
}
