package sync

import (
	"sync/atomic"
	"unsafe"
)

// processors is GOMAXPROCS.
func processors() int

// pin keeps the goroutine, which uses p, on its P, whose index it returns, until unpin, which is told what
// was put or taken: what belongs to that P is its own meanwhile. It must not wait.
func pin(p *Pool) int
func unpin(x any)

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
func takeOwn(list *atomic.Pointer[poolRing]) (x any) {
	for r := list.Load(); r != nil; {
		if x = r.take(true); x != nil {
			break
		}
		if r = r.behind.Load(); r != nil {
			list.Store(r)
		}
	}
	return x
}

// takeForeign takes from whatever ring of a list has something.
func takeForeign(list *atomic.Pointer[poolRing]) (x any) {
	for r := list.Load(); r != nil && x == nil; r = r.behind.Load() {
		x = r.take(false)
	}
	return x
}

func (l *poolPlace) put(x any) {
	if !l.listed {
		l.list()
	}
	if l.apart == nil {
		l.apart = x
	} else if full := l.young.Load(); full == nil || !full.put(x) {
		l.young.Store(ringOver(full, x))
	}
}

// ringOver is a new ring with an object, before one that is full.
func ringOver(full *poolRing, x any) *poolRing {
	r := new(poolRing)
	r.put(x)
	r.behind.Store(full)
	return r
}

// mine is the place of the P that the caller is pinned to from then on.
func (p *Pool) mine() (*poolPlace, int) {
	if p == nil {
		panic("nil Pool") // not a nil dereference while pinned
	}
	for {
		id := pin(p)
		if all := (*[]*poolPlace)(atomic.LoadPointer(&p.places)); all != nil && id < len(*all) {
			return (*all)[id], id
		}
		unpin(nil)
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
	unpin(x)
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
	unpin(x)
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
