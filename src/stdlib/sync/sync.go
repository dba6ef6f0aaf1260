// Package sync: locks, and what is built on them.
//
// Mutex, RWMutex and WaitGroup are the runtime's own state machines over this memory; the rest is written here, because it calls the
// program's functions and waits in them.
package sync

import (
	"sync/atomic"
	"unsafe"
)

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

type Once struct {
	_    noCopy
	done atomic.Uint32
	m    Mutex
}

func (o *Once) Do(f func()) {
	if o.done.Load() == 0 {
		o.first(f)
	}
}

func (o *Once) first(f func()) {
	o.m.Lock()
	defer o.m.Unlock()
	if o.done.Load() == 0 {
		defer o.done.Store(1)
		f()
	}
}

func OnceFunc(f func()) func() {
	var once Once
	var finished bool
	var failure any
	run := func() {
		defer func() {
			f = nil
			if !finished {
				failure = recover()
				panic(failure)
			}
		}()
		f()
		finished = true
	}
	return func() {
		once.Do(run)
		if !finished {
			panic(failure)
		}
	}
}

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

func (c *Cond) Wait() {
	c.checker.check()
	ticket := notifyListAdd(&c.notify)
	c.L.Unlock()
	notifyListWait(&c.notify, ticket)
	c.L.Lock()
}

func (c *Cond) Signal() {
	c.checker.check()
	notifyListNotifyOne(&c.notify)
}

func (c *Cond) Broadcast() {
	c.checker.check()
	notifyListNotifyAll(&c.notify)
}

// processors is GOMAXPROCS.
func processors() int

// pin keeps the goroutine on its P, whose index it returns, until unpin: what belongs to that P is its own meanwhile. It must not wait.
func pin() int
func unpin()

// Pool has a place for each P, which only who is pinned to that P changes: one object apart, and rings from which all the others may
// take. Collections make what is young old and drop what was old, in all places on the runtime's list.
type Pool struct {
	noCopy noCopy
	places unsafe.Pointer // *[]*poolPlace, by P; replaced when there are more Ps
	_      [3]uintptr
	New    func() any
}

// poolPlace is known to the runtime, whose collector changes it.
type poolPlace struct {
	apart, oldApart any
	young, old      atomic.Pointer[poolRing]
	next            *poolPlace
	listed          bool
	_               [64]byte
}

// list puts the place on the runtime's list. The owner's.
func (l *poolPlace) list()

const poolRingSize = 32

// poolRing is a queue whose owner puts and takes at the head; others take at the tail.
type poolRing struct {
	ends   atomic.Uint64 // head in the high half, tail in the low one; both count up
	slots  [poolRingSize]poolSlot
	behind atomic.Pointer[poolRing] // the one that was full before
}

type poolSlot struct {
	full atomic.Uint32 // 0 once who took the object has done with the slot
	x    any
}

func poolEnds(head, tail uint32) uint64 { return uint64(head)<<32 | uint64(tail) }

// put is the owner's; false if there is no room.
func (r *poolRing) put(x any) bool {
	ends := r.ends.Load()
	head, tail := uint32(ends>>32), uint32(ends)
	s := &r.slots[head%poolRingSize]
	if head-tail == poolRingSize || s.full.Load() != 0 {
		return false
	}
	s.x = x
	s.full.Store(1)
	r.ends.Add(1 << 32)
	return true
}

// take takes what came last, for the owner, or first, for others.
func (r *poolRing) take(last bool) any {
	for {
		ends := r.ends.Load()
		head, tail := uint32(ends>>32), uint32(ends)
		if head == tail {
			return nil
		}
		at, left := tail, poolEnds(head, tail+1)
		if last {
			at, left = head-1, poolEnds(head-1, tail)
		}
		if r.ends.CompareAndSwap(ends, left) {
			s := &r.slots[at%poolRingSize]
			x := s.x
			s.x = nil
			s.full.Store(0)
			return x
		}
	}
}

// takeOwn takes from the newest ring of a list that has something. Empty ones are dropped, but for the last.
func takeOwn(list *atomic.Pointer[poolRing]) any {
	for r := list.Load(); r != nil; r = r.behind.Load() {
		if x := r.take(true); x != nil {
			return x
		}
		if behind := r.behind.Load(); behind != nil {
			list.Store(behind)
		}
	}
	return nil
}

// takeForeign takes from whatever ring of a list has something.
func takeForeign(list *atomic.Pointer[poolRing]) any {
	for r := list.Load(); r != nil; r = r.behind.Load() {
		if x := r.take(false); x != nil {
			return x
		}
	}
	return nil
}

func (l *poolPlace) put(x any) {
	if !l.listed {
		l.list()
	}
	if l.apart == nil {
		l.apart = x
		return
	}
	r := l.young.Load()
	if r == nil || !r.put(x) {
		fresh := new(poolRing)
		fresh.behind.Store(r)
		fresh.put(x)
		l.young.Store(fresh)
	}
}

// mine is the place of the P that the caller is pinned to from then on.
func (p *Pool) mine() (*poolPlace, int) {
	if p == nil {
		panic("nil Pool") // not a nil dereference while pinned
	}
	for {
		id := pin()
		if all := (*[]*poolPlace)(atomic.LoadPointer(&p.places)); all != nil && id < len(*all) {
			return (*all)[id], id
		}
		unpin()
		p.grow(id + 1)
	}
}

// grow makes places for n Ps. Those there are stay.
func (p *Pool) grow(n int) {
	for {
		before := atomic.LoadPointer(&p.places)
		var all []*poolPlace
		if before != nil {
			all = *(*[]*poolPlace)(before)
		}
		if len(all) >= n {
			return
		}
		more := make([]*poolPlace, max(n, processors()))
		for i := copy(more, all); i < len(more); i++ {
			more[i] = new(poolPlace)
		}
		if atomic.CompareAndSwapPointer(&p.places, before, unsafe.Pointer(&more)) {
			return
		}
	}
}

func (p *Pool) Put(x any) {
	if x == nil {
		return
	}
	l, _ := p.mine()
	l.put(x)
	unpin()
}

func (p *Pool) Get() any {
	l, id := p.mine()
	x := l.apart
	l.apart = nil
	if x == nil {
		x = takeOwn(&l.young)
	}
	if x == nil {
		x = p.foreign(id, false)
	}
	if x == nil {
		x = l.oldApart
		l.oldApart = nil
	}
	if x == nil {
		x = takeOwn(&l.old)
	}
	if x == nil {
		x = p.foreign(id, true)
	}
	unpin()
	if x == nil && p.New != nil {
		x = p.New()
	}
	return x
}

// foreign takes from the place of another P, beginning with the next. No collection comes between, for the caller is pinned.
func (p *Pool) foreign(id int, old bool) any {
	all := *(*[]*poolPlace)(atomic.LoadPointer(&p.places))
	for i := 1; i < len(all); i++ {
		l := all[(id+i)%len(all)]
		list := &l.young
		if old {
			list = &l.old
		}
		if x := takeForeign(list); x != nil {
			return x
		}
	}
	return nil
}

// Map is a map under a lock.
type Map struct {
	_ noCopy
	m RWMutex
	d map[any]any
}

func (m *Map) Load(key any) (value any, ok bool) {
	m.m.RLock()
	value, ok = m.d[key]
	m.m.RUnlock()
	return value, ok
}

func (m *Map) Store(key, value any) { m.Swap(key, value) }

func (m *Map) Clear() {
	m.m.Lock()
	clear(m.d)
	m.m.Unlock()
}

func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	m.m.Lock()
	defer m.m.Unlock()
	if actual, loaded = m.d[key]; loaded {
		return actual, true
	}
	m.set(key, value)
	return value, false
}

// set stores with the lock held.
func (m *Map) set(key, value any) {
	if m.d == nil {
		m.d = make(map[any]any)
	}
	m.d[key] = value
}

func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	m.m.Lock()
	defer m.m.Unlock()
	value, loaded = m.d[key]
	delete(m.d, key)
	return value, loaded
}

func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	m.m.Lock()
	defer m.m.Unlock()
	previous, loaded = m.d[key]
	m.set(key, value)
	return previous, loaded
}

func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	m.m.Lock()
	defer m.m.Unlock()
	if have, ok := m.d[key]; ok && have == old {
		m.d[key] = new
		return true
	}
	return false
}

func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	m.m.Lock()
	defer m.m.Unlock()
	if have, ok := m.d[key]; ok && have == old {
		delete(m.d, key)
		return true
	}
	return false
}

// Range calls f without the lock, for the keys that were there when it began.
func (m *Map) Range(f func(key, value any) bool) {
	m.m.RLock()
	keys := make([]any, 0, len(m.d))
	for k := range m.d {
		keys = append(keys, k)
	}
	m.m.RUnlock()
	for _, k := range keys {
		if v, ok := m.Load(k); ok && !f(k, v) {
			return
		}
	}
}
