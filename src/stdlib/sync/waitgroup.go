package sync

import "sync/atomic"

type WaitGroup struct {
	noCopy noCopy
	state  atomic.Uint64 // counter in the high half, waiters in the low
	sema   uint32
}

// Add adds delta to the counter; when that comes to 0 who waits goes on. It panics if it becomes negative.
func (wg *WaitGroup) Add(delta int)

// Done takes 1 off the counter.
func (wg *WaitGroup) Done()

// Wait waits until the counter is 0.
func (wg *WaitGroup) Wait()

func (wg *WaitGroup) Go(f func()) {
	wg.Add(1)
	go func() {
		defer func() {
			// The process is about to end: who waits must not end it first, as if all were well.
			if failure := recover(); failure != nil {
				panic(failure)
			}
			wg.Done()
		}()
		f()
	}()
}
