package testing

import (
	"runtime"
	"time"
)

// A meter measures time and memory while it runs.
type meter struct {
	isOn  bool
	since time.Time // it has run
	spent time.Duration
	// What has been allocated while it ran, and what had been when it began to run.
	heap, then heapUse
}

// A heapUse counts allocations.
type heapUse struct{ objects, bytes uint64 }

func heapNow() heapUse {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return heapUse{stats.Mallocs, stats.TotalAlloc}
}

// since is what has been allocated since then, but for what counting it allocates: as much as
// between two counts with nothing in between.
func (then heapUse) since() heapUse {
	now := heapNow()
	behind := heapNow()
	grown := func(then, now, behind uint64) uint64 {
		return now - then - min(now-then, behind-now)
	}
	return heapUse{
		grown(then.objects, now.objects, behind.objects),
		grown(then.bytes, now.bytes, behind.bytes),
	}
}

// begin begins a stretch that is measured. The time is asked for last, and first at its end.
func (m *meter) begin() {
	m.isOn = true
	m.then = heapNow()
	m.since = time.Now()
}

// elapsed is the time of all stretches so far.
func (m *meter) elapsed() time.Duration {
	if m.isOn {
		return m.spent + time.Since(m.since)
	}
	return m.spent
}

// end adds the stretch to what has been measured.
func (m *meter) end() {
	m.spent = m.elapsed()
	grown := m.then.since()
	m.heap.objects += grown.objects
	m.heap.bytes += grown.bytes
	m.isOn = false
}

// clear forgets what has been measured; a meter that runs goes on.
func (m *meter) clear() {
	wasOn := m.isOn
	*m = meter{}
	if wasOn {
		m.begin()
	}
}
