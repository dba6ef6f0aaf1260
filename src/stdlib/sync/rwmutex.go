package sync

import "sync/atomic"

type RWMutex struct {
	w           Mutex
	writerSem   uint32
	readerSem   uint32
	readerCount atomic.Int32
	readerWait  atomic.Int32
}

// Lock waits until nobody writes or reads, then takes rw for writing.
func (rw *RWMutex) Lock()

// RLock waits until nobody writes or waits for that, then takes rw for reading.
func (rw *RWMutex) RLock()

// RUnlock undoes one RLock; it is fatal if nobody reads.
func (rw *RWMutex) RUnlock()

// TryLock takes rw for writing if it need not wait, and says whether it did.
func (rw *RWMutex) TryLock() bool

// TryRLock takes rw for reading if it need not wait, and says whether it did.
func (rw *RWMutex) TryRLock() bool

// Unlock gives rw up; it is fatal if nobody writes.
func (rw *RWMutex) Unlock()

func (rw *RWMutex) RLocker() Locker { return (*rlocker)(rw) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }
