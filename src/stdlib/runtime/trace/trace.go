// Package trace writes execution traces of the running program, for go tool trace to read.
package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// begin begins a trace, for Start or for a flight recorder; join asks for the one that there is. written
// has what Start has not written yet, recorded what a flight recorder has kept so far. end ends the
// trace for the one who asks, and has what Start has still to write, and why there is no more if some is
// missing.
func begin(isRecorder bool, age, bytes int64) string
func join(isRecorder bool, age, bytes int64)
func written() []byte
func end(isRecorder bool) ([]byte, string)
func recorded() ([]byte, string)

func userTaskCreate(id, parent int64, kind string)
func userTaskEnd(id int64)
func userRegion(id int64, begins bool, kind string)
func userLog(id int64, category, message string)

// tracing is who asks for traces.
var tracing struct {
	mu       sync.Mutex
	enabled  atomic.Bool
	writer   *writer
	recorder *FlightRecorder
}

// A writer is who writes a trace while it is being made.
type writer struct {
	w           io.Writer
	stop, ended chan struct{}
}

// pace is how often it writes.
const pace = time.Second

func (w *writer) write() {
	defer close(w.ended)
	for {
		select {
		case <-w.stop:
			return
		case <-time.After(pace):
			if some := written(); len(some) > 0 {
				w.w.Write(some)
			}
		}
	}
}

// ask begins a trace or joins it. tracing is locked.
func ask(isRecorder bool, age, bytes int64) error {
	if tracing.enabled.Load() {
		join(isRecorder, age, bytes)
		return nil
	}
	if why := begin(isRecorder, age, bytes); why != "" {
		return errors.New(why)
	}
	tracing.enabled.Store(true)
	return nil
}

// leave ends a trace for one who has asked, and returns what Start has still to write. tracing is locked.
func leave(isRecorder bool) []byte {
	tracing.enabled.Store(tracing.writer != nil || tracing.recorder != nil)
	file, why := end(isRecorder)
	say(why)
	return file
}

// say tells why a trace is not whole.
func say(why string) {
	if why != "" {
		print("gosched: runtime/trace: the trace is cut: ", why, "\n")
	}
}

// Start begins a trace, which is written to w about once a second, and the rest by Stop.
func Start(w io.Writer) error {
	tracing.mu.Lock()
	defer tracing.mu.Unlock()
	if tracing.writer != nil {
		return fmt.Errorf("execution tracer already enabled")
	}
	if err := ask(false, 0, 0); err != nil {
		return err
	}
	tracing.writer = &writer{w, make(chan struct{}), make(chan struct{})}
	go tracing.writer.write()
	return nil
}

// Stop ends the trace and writes what is left of it.
func Stop() {
	tracing.mu.Lock()
	defer tracing.mu.Unlock()
	w := tracing.writer
	if w == nil {
		return
	}
	close(w.stop)
	<-w.ended
	tracing.writer = nil
	w.w.Write(leave(false))
}

// IsEnabled reports whether a trace is being made.
func IsEnabled() bool {
	return tracing.enabled.Load()
}

type contextKey struct{}

// A Task is something that the program does, perhaps by several goroutines.
type Task struct {
	id int64
}

var lastTask atomic.Int64

// background is the task of what belongs to none.
var background Task

func taskOf(ctx context.Context) *Task {
	if task, ok := ctx.Value(contextKey{}).(*Task); ok {
		return task
	}
	return &background
}

// NewTask begins a task, as part of that of pctx. Contexts made of the one it returns belong to it.
func NewTask(pctx context.Context, taskType string) (ctx context.Context, task *Task) {
	task = &Task{lastTask.Add(1)}
	userTaskCreate(task.id, taskOf(pctx).id, taskType)
	return context.WithValue(pctx, contextKey{}, task), task
}

// End ends the task.
func (t *Task) End() {
	userTaskEnd(t.id)
}

// Logf is Log of what the format makes.
func Logf(ctx context.Context, category, format string, args ...any) {
	if IsEnabled() {
		userLog(taskOf(ctx).id, category, fmt.Sprintf(format, args...))
	}
}

// Log puts a message into the trace.
func Log(ctx context.Context, category, message string) {
	userLog(taskOf(ctx).id, category, message)
}

// WithRegion calls fn in a region of its goroutine.
func WithRegion(ctx context.Context, regionType string, fn func()) {
	id := taskOf(ctx).id
	userRegion(id, true, regionType)
	defer userRegion(id, false, regionType)
	fn()
}

// A Region is a stretch of what a goroutine does.
type Region struct {
	id         int64
	regionType string
}

var noRegion = &Region{}

// StartRegion begins a region. The same goroutine must end it, after those that began later.
func StartRegion(ctx context.Context, regionType string) *Region {
	if !IsEnabled() {
		return noRegion
	}
	id := taskOf(ctx).id
	userRegion(id, true, regionType)
	return &Region{id, regionType}
}

// End ends the region.
func (r *Region) End() {
	if r != noRegion {
		userRegion(r.id, false, r.regionType)
	}
}

// A FlightRecorder keeps the last of a trace in memory.
type FlightRecorder struct {
	age     time.Duration
	bytes   uint64
	enabled bool
	writing sync.Mutex
}

// A FlightRecorderConfig says how much is kept: at least MinAge, but no more than MaxBytes.
type FlightRecorderConfig struct {
	MinAge   time.Duration
	MaxBytes uint64
}

// NewFlightRecorder makes a recorder, which keeps ten seconds and 10 MB if cfg does not say more.
func NewFlightRecorder(cfg FlightRecorderConfig) *FlightRecorder {
	return &FlightRecorder{
		age:   cmp.Or(cfg.MinAge, 10*time.Second),
		bytes: cmp.Or(cfg.MaxBytes, 10<<20),
	}
}

// Start begins to record.
func (fr *FlightRecorder) Start() error {
	if fr.enabled {
		return fmt.Errorf("cannot enable a enabled flight recorder")
	}
	tracing.mu.Lock()
	defer tracing.mu.Unlock()
	if tracing.recorder != nil {
		return fmt.Errorf("flight recorder already enabled")
	}
	if err := ask(true, int64(fr.age), int64(min(fr.bytes, 1<<62))); err != nil {
		return err
	}
	tracing.recorder, fr.enabled = fr, true
	return nil
}

// Stop ends recording, when nobody is writing.
func (fr *FlightRecorder) Stop() {
	if fr.enabled {
		fr.enabled = false
		tracing.mu.Lock()
		defer tracing.mu.Unlock()
		tracing.recorder = nil
		leave(true)
	}
}

// Enabled reports whether it records.
func (fr *FlightRecorder) Enabled() bool { return fr.enabled }

// WriteTo writes what has been kept.
func (fr *FlightRecorder) WriteTo(w io.Writer) (n int64, err error) {
	switch {
	case !fr.enabled:
		return 0, fmt.Errorf("cannot snapshot a disabled flight recorder")
	case !fr.writing.TryLock():
		return 0, fmt.Errorf("call to WriteTo for trace.FlightRecorder already in progress")
	}
	defer fr.writing.Unlock()
	file, why := recorded()
	say(why)
	written, err := w.Write(file)
	return int64(written), err
}
