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

func (m *Mutex) Lock()
func (m *Mutex) TryLock() bool
func (m *Mutex) Unlock()

type RWMutex struct {
	w           Mutex
	writerSem   uint32
	readerSem   uint32
	readerCount atomic.Int32
	readerWait  atomic.Int32
}

func (rw *RWMutex) Lock()
func (rw *RWMutex) RLock()
func (rw *RWMutex) RUnlock()
func (rw *RWMutex) TryLock() bool
func (rw *RWMutex) TryRLock() bool
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

func (wg *WaitGroup) Add(delta int)
func (wg *WaitGroup) Done()
func (wg *WaitGroup) Wait()

func (wg *WaitGroup) Go(f func()) {
	wg.Add(1)
	go func() {
		defer wg.Done()
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

// collections is how many collections there have been; processor is the index of the P that runs.
func collections() uint32
func processor() int

// Pool keeps what was put in per P, youngest first. What outlives one collection is in old, and goes with the next.
type Pool struct {
	noCopy noCopy
	shards unsafe.Pointer // *[poolShards]poolShard
	New    func() any
}

const poolShards = 16

type poolShard struct {
	m          Mutex
	epoch      uint32
	young, old []any
	_          [64]byte
}

// age makes the shard forget what two collections have passed over.
func (s *poolShard) age() {
	switch now := collections(); now - s.epoch {
	case 0:
	case 1:
		s.old, s.young = s.young, nil
		s.epoch = now
	default:
		s.old, s.young = nil, nil
		s.epoch = now
	}
}

func (s *poolShard) take() any {
	s.m.Lock()
	defer s.m.Unlock()
	s.age()
	for _, from := range [2]*[]any{&s.young, &s.old} {
		if n := len(*from); n > 0 {
			x := (*from)[n-1]
			(*from)[n-1] = nil
			*from = (*from)[:n-1]
			return x
		}
	}
	return nil
}

func (p *Pool) all() *[poolShards]poolShard {
	if s := atomic.LoadPointer(&p.shards); s != nil {
		return (*[poolShards]poolShard)(s)
	}
	made := new([poolShards]poolShard)
	for i := range made {
		made[i].epoch = collections()
	}
	atomic.CompareAndSwapPointer(&p.shards, nil, unsafe.Pointer(made))
	return (*[poolShards]poolShard)(atomic.LoadPointer(&p.shards))
}

func (p *Pool) Put(x any) {
	if x == nil {
		return
	}
	s := &p.all()[processor()%poolShards]
	s.m.Lock()
	s.age()
	s.young = append(s.young, x)
	s.m.Unlock()
}

func (p *Pool) Get() any {
	shards := p.all()
	own := processor()
	for i := range poolShards {
		if x := shards[(own+i)%poolShards].take(); x != nil {
			return x
		}
	}
	if p.New != nil {
		return p.New()
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
