package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Settings of a fleet of servers. Who needs a setting waits until it is new enough; writers write,
// replicas follow, and some give up.

// A setting has a channel that is closed when it changes, and then there is a new one.
type setting struct {
	mu      sync.Mutex
	value   string
	version int
	changed chan struct{}
}

func (s *setting) get() (string, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.value, s.version
}

func (s *setting) change() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

func (s *setting) set(value string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.value = value
	s.version++
	close(s.changed)
	s.changed = make(chan struct{})
	return s.version
}

// Await waits for a version, or until the context is done.
func (s *setting) await(ctx context.Context, least int) (string, error) {
	for {
		changed := s.change()
		value, version := s.get()
		if version >= least {
			return value, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

type store struct {
	mu       sync.RWMutex
	settings map[string]*setting
	writes   atomic.Int32
}

func newStore() *store {
	return &store{settings: map[string]*setting{}}
}

// Setting gives the one with the name; who asks first makes it.
func (s *store) setting(name string) *setting {
	s.mu.RLock()
	found := s.settings[name]
	s.mu.RUnlock()
	if found != nil {
		return found
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if found = s.settings[name]; found == nil {
		found = &setting{changed: make(chan struct{})}
		s.settings[name] = found
	}
	return found
}

func (s *store) set(name, value string) {
	s.setting(name).set(value)
	s.writes.Add(1)
}

// An archive keeps every value that a setting has had, as far as it was quick enough to see it.
type archive struct {
	mu     sync.Mutex
	values map[string][]string
}

func (a *archive) follow(ctx context.Context, name string, s *setting, versions int) error {
	for last := 0; last < versions; {
		if _, err := s.await(ctx, last+1); err != nil {
			return err
		}
		value, version := s.get()
		last = version
		a.mu.Lock()
		a.values[name] = append(a.values[name], value)
		a.mu.Unlock()
	}
	return nil
}

type line struct {
	name, value string
	version     int
}

func (s *store) lines() []line {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var all []line
	for name, setting := range s.settings {
		value, version := setting.get()
		all = append(all, line{name, value, version})
	}
	slices.SortFunc(all, func(a, b line) int { return cmp.Compare(a.name, b.name) })
	return all
}

// A server starts when it has what it needs.
type server struct {
	name  string
	needs map[string]int
	have  map[string]string
}

func (v *server) start(ctx context.Context, s *store) error {
	v.have = map[string]string{}
	names := make([]string, 0, len(v.needs))
	for name := range v.needs {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		value, err := s.setting(name).await(ctx, v.needs[name])
		if err != nil {
			return fmt.Errorf("%s: %s: %w", v.name, name, err)
		}
		v.have[name] = value
	}
	return nil
}

// A replica copies a setting to a store of its own, version by version.
func replica(ctx context.Context, name string, from, to *store, versions int) error {
	for version := 1; version <= versions; version++ {
		value, err := from.setting(name).await(ctx, version)
		if err != nil {
			return err
		}
		to.set(name, value)
	}
	return nil
}

// Writer writes a setting again and again, and is told to go on by nobody.
func writer(s *store, name string, values ...string) {
	for _, value := range values {
		s.set(name, value)
	}
}

func fleet() []*server {
	return []*server{
		{name: "front1", needs: map[string]int{"port": 1, "theme": 2}},
		{name: "front2", needs: map[string]int{"port": 2, "theme": 1}},
		{name: "search", needs: map[string]int{"shards": 2}},
		{name: "mail", needs: map[string]int{"port": 2, "relay": 1}},
		{name: "batch", needs: map[string]int{"shards": 1, "limit": 2}},
		{name: "proxy", needs: map[string]int{"limit": 2, "relay": 2}},
		{name: "stats", needs: map[string]int{"limit": 1}},
	}
}

func main() {
	values := map[string][]string{
		"port":   {"80", "8080"},
		"theme":  {"light", "dark"},
		"shards": {"4", "16"},
		"relay":  {"mx1", "mx2"},
		"limit":  {"10", "99"},
	}
	here, there := newStore(), newStore()
	ctx := context.Background()
	impatient, leave := context.WithCancel(ctx)
	defer leave()

	var writers, servers, replicas, others sync.WaitGroup
	errs := make(chan error, 16)
	started := fleet()
	for _, v := range started {
		servers.Go(func() {
			if err := v.start(ctx, here); err != nil {
				errs <- err
			}
		})
	}
	for name, all := range values {
		writers.Go(func() { writer(here, name, all...) })
	}
	for name := range values {
		replicas.Go(func() {
			if err := replica(ctx, name, here, there, 2); err != nil {
				errs <- err
			}
		})
	}
	old := &archive{values: map[string][]string{}}
	for _, name := range []string{"port", "limit"} {
		replicas.Go(func() {
			if err := old.follow(ctx, name, there.setting(name), 2); err != nil {
				errs <- err
			}
		})
	}
	// Two wait for what never comes, until they are told to leave.
	for _, name := range []string{"theme", "colour"} {
		others.Go(func() {
			if _, err := here.setting(name).await(impatient, 9); err == nil {
				errs <- fmt.Errorf("%s came", name)
			}
		})
	}
	writers.Wait()
	servers.Wait()
	replicas.Wait()
	leave()
	others.Wait()
	close(errs)
	for err := range errs {
		panic(err)
	}

	var out strings.Builder
	for _, l := range there.lines() {
		fmt.Fprintf(&out, "%s=%s ", l.name, l.value)
	}
	fmt.Println(strings.TrimSpace(out.String()))
	for name, values := range old.values {
		last := values[len(values)-1]
		if value, _ := there.setting(name).get(); value != last {
			panic(fmt.Sprintf("the newest %s is %s, not %s", name, value, last))
		}
	}
	fmt.Println(len(started), "servers,", here.writes.Load(), "writes")
}
