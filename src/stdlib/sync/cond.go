package sync

import (
	"sync/atomic"
	"unsafe"
)

// notifyList: who waits on a Cond, by ticket.
type notifyList struct {
	wait   uint32
	notify uint32
	lock   uintptr
	head   unsafe.Pointer
	tail   unsafe.Pointer
}

func notifyListAdd(l *notifyList) uint32
func notifyListWait(l *notifyList, ticket uint32)
func notifyListNotifyOne(l *notifyList)
func notifyListNotifyAll(l *notifyList)

// obeyInterrupt is runtime.Goexit if the goroutine was interrupted at a prompt.
func obeyInterrupt()

type copyChecker uintptr

func (c *copyChecker) check() {
	self := uintptr(unsafe.Pointer(c))
	if uintptr(*c) != self && !atomic.CompareAndSwapUintptr((*uintptr)(c), 0, self) && uintptr(*c) != self {
		panic("sync.Cond is copied")
	}
}

type Cond struct {
	noCopy  noCopy
	L       Locker
	notify  notifyList
	checker copyChecker
}

func NewCond(l Locker) *Cond { return &Cond{L: l} }

// Wait, as each function that relocks, is never compiled in place: its frame tells that the goroutine has not got the lock.
//
//go:noinline
//go:relocks
func (c *Cond) Wait() {
	c.checker.check()
	ticket := notifyListAdd(&c.notify)
	c.L.Unlock()
	notifyListWait(&c.notify, ticket)
	c.L.Lock()
	obeyInterrupt()
}

func (c *Cond) Signal() {
	c.checker.check()
	notifyListNotifyOne(&c.notify)
}

func (c *Cond) Broadcast() {
	c.checker.check()
	notifyListNotifyAll(&c.notify)
}
