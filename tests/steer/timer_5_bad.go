package main

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// A queue of tasks. A task that its worker has not done after a while is given to another worker.

type state int

const (
	waiting state = iota
	leased
	finished
)

type task struct {
	id   int
	text string

	state    state
	attempts int
	timer    *time.Timer
}

// lease is what a worker holds while it works at a task.
type lease struct {
	task   *task
	number int
}

const (
	visible     = 500 * time.Millisecond
	maxAttempts = 3
)

type queue struct {
	mu     sync.Mutex
	ready  chan *task
	open   int
	empty  context.CancelFunc
	events map[string]int
}

func newQueue(tasks []*task, empty context.CancelFunc) *queue {
	q := &queue{
		ready:  make(chan *task, maxAttempts*len(tasks)),
		open:   len(tasks),
		empty:  empty,
		events: map[string]int{},
	}
	for _, t := range tasks {
		q.ready <- t
	}
	return q
}

func (q *queue) take(ctx context.Context) (lease, error) {
	select {
	case t := <-q.ready:
		return q.lend(t), nil
	case <-ctx.Done():
		return lease{}, ctx.Err()
	}
}

// lend makes a lease. The last one that a task gets has no end.
func (q *queue) lend(t *task) lease {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.state = leased
	t.attempts++
	l := lease{t, t.attempts}
	if t.attempts < maxAttempts {
		t.timer = time.AfterFunc(visible, func() { q.expire(l) })
	} else {
		t.timer = nil
	}
	q.events["lent"]++
	return l
}

func (q *queue) expire(l lease) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := l.task
	if t.state != leased || t.attempts != l.number {
		return
	}
	t.state = waiting
	q.events["expired"]++
	q.ready <- t
}

// extend gives a worker more time, if it still has some.
func (q *queue) extend(l lease) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := l.task
	if t.attempts == l.number && t.timer != nil && t.timer.Stop() {
		t.timer.Reset(visible)
		q.events["extended"]++
	}
}

var errLate = errors.New("somebody else has the task")

func (q *queue) done(l lease) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := l.task
	if t.timer != nil {
		t.timer.Stop()
	}
	t.state = finished
	q.events["done"]++
	q.open--
	if q.open == 0 {
		q.empty()
	}
	return nil
}

func (q *queue) count(event string) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.events[event]
}

// sums are what the tasks are about.
type sums struct {
	mu sync.Mutex
	of map[int]uint32
}

func (s *sums) set(id int, sum uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of[id] = sum
}

func (s *sums) missing(tasks []*task) (ids []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range tasks {
		if _, ok := s.of[t.id]; !ok {
			ids = append(ids, t.id)
		}
	}
	return ids
}

type worker struct {
	name string
	q    *queue
	out  *sums
	late int
}

func (w *worker) run(ctx context.Context) {
	for {
		l, err := w.q.take(ctx)
		if err != nil {
			return
		}
		sum := w.work(l)
		if err := w.q.done(l); err != nil {
			w.late++
			continue
		}
		w.out.set(l.task.id, sum)
	}
}

// work sums the words, which a helper finds.
func (w *worker) work(l lease) uint32 {
	words := make(chan string)
	go func() {
		defer close(words)
		for word := range strings.FieldsSeq(l.task.text) {
			words <- word
		}
	}()
	var sum uint32
	for word := range words {
		sum = crc32.Update(sum, crc32.IEEETable, []byte(word))
		if strings.HasSuffix(word, ".") {
			w.q.extend(l)
		}
	}
	return sum
}

func lines() []*task {
	text := `so much depends
upon
a red wheel
barrow.
glazed with rain
water
beside the white
chickens.`
	var tasks []*task
	for i, line := range strings.Split(text, "\n") {
		tasks = append(tasks, &task{id: i, text: line})
	}
	return tasks
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tasks := lines()
	q := newQueue(tasks, cancel)
	out := &sums{of: map[int]uint32{}}
	var workers sync.WaitGroup
	var staff []*worker
	for i := range 12 {
		w := &worker{name: fmt.Sprint("w", i), q: q, out: out}
		staff = append(staff, w)
		workers.Go(func() { w.run(ctx) })
	}
	workers.Wait()

	missing := out.missing(tasks)
	if len(missing) > 0 || q.count("done") != len(tasks) {
		slices.SortFunc(staff, func(a, b *worker) int { return b.late - a.late })
		fmt.Println("missing:", missing, "latest:", staff[0].name, staff[0].late)
		fmt.Println("lent:", q.count("lent"), "expired:", q.count("expired"))
		os.Exit(1)
	}
	fmt.Println(len(tasks), "tasks,", q.count("done"), "done")
}
