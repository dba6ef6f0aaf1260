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
	now := heapNow()
	m.heap.objects += now.objects - m.then.objects
	m.heap.bytes += now.bytes - m.then.bytes
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
