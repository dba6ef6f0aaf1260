// Package debug: the collector's knobs, and stack traces.
package debug

import (
	"os"
	"runtime"
	"time"
)

type GCStats struct {
	LastGC         time.Time
	NumGC          int64
	PauseTotal     time.Duration
	Pause          []time.Duration
	PauseEnd       []time.Time
	PauseQuantiles []time.Duration
}

// gcStats is what ReadGCStats tells: the time of the last collection, how many there were, all pauses together, then of each pause, the
// newest first, how long it was and when it ended.
func gcStats() (words []int64)

func ReadGCStats(stats *GCStats) {
	w := gcStats()
	stats.LastGC = time.Unix(0, w[0])
	stats.NumGC = w[1]
	stats.PauseTotal = time.Duration(w[2])
	stats.Pause = stats.Pause[:0]
	stats.PauseEnd = stats.PauseEnd[:0]
	for i := 3; i+1 < len(w); i += 2 {
		stats.Pause = append(stats.Pause, time.Duration(w[i]))
		stats.PauseEnd = append(stats.PauseEnd, time.Unix(0, w[i+1]))
	}
	if nq := len(stats.PauseQuantiles); nq > 0 {
		if len(stats.Pause) == 0 {
			for i := range stats.PauseQuantiles {
				stats.PauseQuantiles[i] = 0
			}
			return
		}
		sorted := append([]time.Duration(nil), stats.Pause...)
		for i := 1; i < len(sorted); i++ {
			for j := i; j > 0 && sorted[j] < sorted[j-1]; j-- {
				sorted[j], sorted[j-1] = sorted[j-1], sorted[j]
			}
		}
		for i := 0; i < nq-1; i++ {
			stats.PauseQuantiles[i] = sorted[len(sorted)*i/(nq-1)]
		}
		stats.PauseQuantiles[nq-1] = sorted[len(sorted)-1]
	}
}

func Stack() []byte {
	for size := 1024; ; size *= 2 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, false); n < size {
			return buf[:n]
		}
	}
}

func PrintStack() { os.Stderr.Write(Stack()) }

func setMaxStack(bytes int) int

func SetMaxStack(bytes int) int { return setMaxStack(bytes) }

// SetGCPercent sets how much the heap grows between two collections, in percent; it returns what it was.
func SetGCPercent(percent int) int

// SetMemoryLimit sets how many bytes the runtime shall keep to, unless limit is negative; it returns what it was.
func SetMemoryLimit(limit int64) int64

// FreeOSMemory collects, and returns to the system what memory it can.
func FreeOSMemory()

// SetTraceback sets how much tracebacks show, as GOTRACEBACK does.
func SetTraceback(level string)

// SetMaxThreads sets how many threads there may be; it returns what it was.
func SetMaxThreads(threads int) int
