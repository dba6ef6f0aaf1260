package runtime

// Profiles: what has been allocated where, who waits where.

// MemProfileRate is how many bytes are allocated between two samples, in the mean.
var MemProfileRate int = 512 * 1024

//go:effect MemProfileRate
func init() { watchMemProfileRate(&MemProfileRate) }

// watchMemProfileRate has allocations sampled; programs that do not use the variable do without.
func watchMemProfileRate(rate *int)

// A StackRecord is a stack of at most 32 calls; a 0 ends it.
type StackRecord struct {
	Stack0 [32]uintptr
}

// upTo0 is the stack without the zeros behind it.
func upTo0(stack []uintptr) []uintptr {
	for i, pc := range stack {
		if pc == 0 {
			return stack[:i]
		}
	}
	return stack
}

func (r *StackRecord) Stack() []uintptr { return upTo0(r.Stack0[:]) }

// A MemProfileRecord is what was allocated by one stack.
type MemProfileRecord struct {
	AllocBytes, FreeBytes     int64
	AllocObjects, FreeObjects int64
	Stack0                    [32]uintptr
}

func (r *MemProfileRecord) InUseBytes() int64   { return r.AllocBytes - r.FreeBytes }
func (r *MemProfileRecord) InUseObjects() int64 { return r.AllocObjects - r.FreeObjects }
func (r *MemProfileRecord) Stack() []uintptr    { return upTo0(r.Stack0[:]) }

// A BlockProfileRecord is what was waited by one stack, in ns.
type BlockProfileRecord struct {
	Count  int64
	Cycles int64
	StackRecord
}

// The kinds of records that profileRecords knows.
const (
	memoryRecords = iota
	blockRecords
	mutexRecords
)

// profileRecords is a profile's records: four numbers each, then the stack after its length.
func profileRecords(kind int) []uint64

// goroutineRecords is the stacks of all goroutines, each after its length.
func goroutineRecords() []uint64

// takeStack puts the stack that words begin with into stack, and gives what is behind it.
func takeStack(stack *[32]uintptr, words []uint64) []uint64 {
	n := int(words[0]) + 1
	*stack = [32]uintptr{}
	for i, pc := range words[1:min(n, 1+len(stack))] {
		stack[i] = uintptr(pc)
	}
	return words[n:]
}

// stacks copies stacks to p, if there is room for all.
func stacks(p []StackRecord, words []uint64) (n int, ok bool) {
	for rest := words; len(rest) > 0; n++ {
		rest = rest[1+rest[0]:]
	}
	if n > len(p) {
		return n, false
	}
	for i := range p[:n] {
		words = takeStack(&p[i].Stack0, words)
	}
	return n, true
}

func GoroutineProfile(p []StackRecord) (n int, ok bool) { return stacks(p, goroutineRecords()) }

// threads is how many there are.
func threads() int

func ThreadCreateProfile(p []StackRecord) (n int, ok bool) {
	n = threads()
	if n > len(p) {
		return n, false
	}
	clear(p[:n])
	return n, true
}

// records calls f with the four numbers of each record and what is behind them, and gives what f says is left.
func records(words []uint64, f func(words []uint64) []uint64) {
	for len(words) > 0 {
		words = f(words)
	}
}

func MemProfile(p []MemProfileRecord, inuseZero bool) (n int, ok bool) {
	// The collector knows what lives when it has run.
	_ = MemProfileRate
	words := profileRecords(memoryRecords)
	put := func(fits bool) (n int) {
		records(words, func(words []uint64) []uint64 {
			var r MemProfileRecord
			r.AllocBytes, r.FreeBytes = int64(words[0]), int64(words[1])
			r.AllocObjects, r.FreeObjects = int64(words[2]), int64(words[3])
			rest := takeStack(&r.Stack0, words[4:])
			if inuseZero || r.InUseBytes() > 0 {
				if fits {
					p[n] = r
				}
				n++
			}
			return rest
		})
		return n
	}
	if n = put(false); n > len(p) {
		return n, false
	}
	return put(true), true
}

// waits copies records of waiting to p, if there is room for all.
func waits(p []BlockProfileRecord, kind int) (n int, ok bool) {
	words := profileRecords(kind)
	records(words, func(words []uint64) []uint64 {
		n++
		return words[5+words[4]:]
	})
	if n > len(p) {
		return n, false
	}
	i := 0
	records(words, func(words []uint64) []uint64 {
		p[i].Count, p[i].Cycles = int64(words[0]), int64(words[1])
		i++
		return takeStack(&p[i-1].Stack0, words[4:])
	})
	return n, true
}

func BlockProfile(p []BlockProfileRecord) (n int, ok bool) { return waits(p, blockRecords) }
func MutexProfile(p []BlockProfileRecord) (n int, ok bool) { return waits(p, mutexRecords) }

// SetBlockProfileRate has one wait booked in so many ns that are waited; 1: each; 0: none.
func SetBlockProfileRate(rate int)

// SetMutexProfileFraction has one wait in so many for a lock booked where it is unlocked, unless rate is negative; it returns what was set.
func SetMutexProfileFraction(rate int) int

// SetCPUProfileRate begins a profile of time of so many samples a second; 0 ends it.
func SetCPUProfileRate(hz int)

func CPUProfile() []byte { panic("CPUProfile no longer available") }
