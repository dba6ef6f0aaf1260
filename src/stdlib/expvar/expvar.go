// Package expvar publishes variables, as JSON under /debug/vars of net/http's default mux.
package expvar

import (
	"encoding/json"
	"fmt"
	"internal/godebug"
	"log"
	"math"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

// A Var gives its value as JSON.
type Var interface {
	String() string
}

type Int struct{ n atomic.Int64 }

func (v *Int) Value() int64    { return v.n.Load() }
func (v *Int) String() string  { return strconv.FormatInt(v.n.Load(), 10) }
func (v *Int) Add(delta int64) { v.n.Add(delta) }
func (v *Int) Set(value int64) { v.n.Store(value) }

type Float struct{ bits atomic.Uint64 }

func (v *Float) Value() float64    { return math.Float64frombits(v.bits.Load()) }
func (v *Float) String() string    { return strconv.FormatFloat(v.Value(), 'g', -1, 64) }
func (v *Float) Set(value float64) { v.bits.Store(math.Float64bits(value)) }

func (v *Float) Add(delta float64) {
	for {
		old := v.bits.Load()
		sum := math.Float64frombits(old) + delta
		if v.bits.CompareAndSwap(old, math.Float64bits(sum)) {
			return
		}
	}
}

type String struct{ s atomic.Value }

func (v *String) Value() string {
	s, _ := v.s.Load().(string)
	return s
}

func (v *String) String() string   { return string(quote(nil, v.Value())) }
func (v *String) Set(value string) { v.s.Store(value) }

// quote adds s to b as JSON has it, with what HTML takes for its own escaped.
func quote(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch r {
		case '"', '\\':
			b = append(b, '\\', byte(r))
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		case '<', '>', '&', '\u2028', '\u2029':
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			if r < ' ' {
				b = fmt.Appendf(b, `\u%04x`, r)
			} else {
				b = append(b, string(r)...)
			}
		}
	}
	return append(b, '"')
}

// Func is a variable that is computed when somebody asks.
type Func func() any

func (f Func) Value() any { return f() }

func (f Func) String() string {
	text, _ := json.Marshal(f())
	return string(text)
}

// A Map has variables by name. Those that ask for one wait for nobody.
type Map struct {
	vars  sync.Map
	lock  sync.RWMutex
	names []string // in order
}

// A KeyValue is an entry of a Map.
type KeyValue struct {
	Key   string
	Value Var
}

func (v *Map) String() string { return string(v.append(nil, false)) }

// append adds the map to b as JSON; spread has a line for each entry.
func (v *Map) append(b []byte, spread bool) []byte {
	begin, between, end := "{", ", ", "}"
	if spread {
		begin, between, end = "{\n", ",\n", "\n}\n"
	}
	b = append(b, begin...)
	isFirst := true
	v.Do(func(kv KeyValue) {
		if !isFirst {
			b = append(b, between...)
		}
		isFirst = false
		b = append(quote(b, kv.Key), ": "...)
		if inner, isMap := kv.Value.(*Map); isMap {
			b = inner.append(b, false)
		} else if kv.Value != nil {
			b = append(b, kv.Value.String()...)
		} else {
			b = append(b, "null"...)
		}
	})
	return append(b, end...)
}

// Init removes all entries.
func (v *Map) Init() *Map {
	v.lock.Lock()
	defer v.lock.Unlock()
	v.names = v.names[:0]
	v.vars.Clear()
	return v
}

func (v *Map) Get(key string) Var {
	found, _ := v.vars.Load(key)
	av, _ := found.(Var)
	return av
}

// orNew gives the entry, which is made if there is none. Was says whether there was one.
func (v *Map) orNew(key string, make func() Var) (found any, was bool) {
	found, was = v.vars.Load(key)
	if was {
		return found, true
	}
	found, was = v.vars.LoadOrStore(key, make())
	if was {
		return found, true
	}
	v.lock.Lock()
	defer v.lock.Unlock()
	if i, ok := slices.BinarySearch(v.names, key); !ok {
		v.names = slices.Insert(v.names, i, key)
	}
	return found, false
}

func (v *Map) Set(key string, av Var) {
	if _, was := v.orNew(key, func() Var { return av }); was {
		v.vars.Store(key, av)
	}
}

// AddFloat adds to the Float that is there, or is made.
func (v *Map) AddFloat(key string, delta float64) {
	found, _ := v.orNew(key, func() Var { return new(Float) })
	if x, ok := found.(*Float); ok {
		x.Add(delta)
	}
}

// Add adds to the Int that is there, or is made.
func (v *Map) Add(key string, delta int64) {
	found, _ := v.orNew(key, func() Var { return new(Int) })
	if n, ok := found.(*Int); ok {
		n.Add(delta)
	}
}

func (v *Map) Delete(key string) {
	v.lock.Lock()
	defer v.lock.Unlock()
	v.vars.Delete(key)
	v.names = slices.DeleteFunc(v.names, func(name string) bool { return name == key })
}

// Do calls f for each entry, in the order of keys, while no key can be added.
func (v *Map) Do(f func(KeyValue)) {
	v.lock.RLock()
	defer v.lock.RUnlock()
	for _, name := range v.names {
		f(KeyValue{name, v.Get(name)})
	}
}

var published Map

// Publish makes v known under a name, which none may have had.
func Publish(name string, v Var) {
	if _, was := published.orNew(name, func() Var { return v }); was {
		log.Panicln("Reuse of exported var name:", name)
	}
}

// Get gives a published variable, or nil.
func Get(name string) Var { return published.Get(name) }

// Do calls f for each published variable, in the order of names.
func Do(f func(KeyValue)) { published.Do(f) }

// publish publishes v, and is it.
func publish[V Var](name string, v V) V {
	Publish(name, v)
	return v
}

func NewString(name string) *String { return publish(name, new(String)) }
func NewInt(name string) *Int       { return publish(name, new(Int)) }
func NewFloat(name string) *Float   { return publish(name, new(Float)) }
func NewMap(name string) *Map       { return publish(name, new(Map)) }

// Handler shows what is published.
func Handler() http.Handler { return http.HandlerFunc(show) }

func show(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Write(published.append(nil, true))
}

//go:effect http.DefaultServeMux
//go:effect published
func init() {
	pattern := "GET /debug/vars"
	if godebug.Is("httpmuxgo121", "1") {
		pattern = "/debug/vars"
	}
	http.HandleFunc(pattern, show)
	Publish("cmdline", Func(func() any { return os.Args }))
	Publish("memstats", Func(func() any {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats
	}))
}
