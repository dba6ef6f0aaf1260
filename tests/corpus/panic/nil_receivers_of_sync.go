// run exit=2 each=mutex,rw_lock,rw_rlock,rw_rlock_of_nil,rw_unlock_of_nil,rw_try_rlock_of_nil,wait_group,once,bool,int_add,int_and,pointer_load,pointer_store,value_store,argument,copied

// Which address a nil dereference tries, where a method of package sync or sync/atomic gets the address of a nil struct's field: that of what
// the method touches first if Go compiles it in place, else nil itself.
package main

import (
	"os"
	"sync"
	"sync/atomic"
)

type all struct {
	pad   [32]int
	mu    sync.Mutex
	rw    sync.RWMutex
	wg    sync.WaitGroup
	once  sync.Once
	bit   atomic.Bool
	n     atomic.Int64
	p     atomic.Pointer[int]
	any   atomic.Value
	plain int
}

//go:noinline
func take(p *int) {}

//go:noinline
func do(what string, a *all, rw *sync.RWMutex) {
	switch what {
	case "mutex":
		a.mu.Lock()
	case "rw_lock":
		a.rw.Lock()
	case "rw_rlock":
		a.rw.RLock()
	case "rw_rlock_of_nil":
		rw.RLock()
	case "rw_unlock_of_nil":
		rw.Unlock()
	case "rw_try_rlock_of_nil":
		rw.TryRLock()
	case "wait_group":
		a.wg.Add(1)
	case "once":
		a.once.Do(main)
	case "bool":
		a.bit.Store(what != "")
	case "int_add":
		a.n.Add(int64(len(what)))
	case "int_and":
		a.n.And(1)
	case "pointer_load":
		a.p.Load()
	case "pointer_store":
		a.p.Store(new(int))
	case "value_store":
		a.any.Store(what)
	case "argument":
		take(&a.plain)
	case "copied":
		p := &a.plain
		*p = len(what)
	}
}

func main() {
	do(os.Args[1], nil, nil)
}
