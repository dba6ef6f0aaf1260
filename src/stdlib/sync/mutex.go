// Package sync: locks, and what is built on them.
//
// Mutex, RWMutex and WaitGroup are the runtime's own state machines over this memory; the rest is written here, because it calls the
// program's functions and waits in them.
package sync

// noCopy marks what must not be copied after its first use.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

type Locker interface {
	Lock()
	Unlock()
}

type mutex struct {
	state int32
	sema  uint32
}

type Mutex struct {
	_  noCopy
	mu mutex
}

// Lock waits until nobody has m, then takes it.
func (m *Mutex) Lock()

// TryLock takes m if nobody has it, and says whether it did.
func (m *Mutex) TryLock() bool

// Unlock gives m up; it is fatal if nobody has it.
func (m *Mutex) Unlock()
