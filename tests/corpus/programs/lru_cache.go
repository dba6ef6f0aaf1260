// run

// A generic cache with a limit and times to live, checked against a plain model.
package main

import (
	"container/list"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

type entry[K comparable, V any] struct {
	key     K
	value   V
	expires time.Time
}

type Cache[K comparable, V any] struct {
	mu      sync.Mutex
	limit   int
	ttl     time.Duration
	now     func() time.Time
	order   *list.List
	items   map[K]*list.Element
	onEvict func(K, V)
	stats   struct{ hits, misses, evicted int }
	flights map[K]*flight[V]
}

type flight[V any] struct {
	done chan struct{}
	v    V
	err  error
}

type Option[K comparable, V any] func(*Cache[K, V])

func WithTTL[K comparable, V any](d time.Duration, now func() time.Time) Option[K, V] {
	return func(c *Cache[K, V]) { c.ttl, c.now = d, now }
}

func OnEvict[K comparable, V any](f func(K, V)) Option[K, V] {
	return func(c *Cache[K, V]) { c.onEvict = f }
}

func New[K comparable, V any](limit int, opts ...Option[K, V]) *Cache[K, V] {
	c := &Cache[K, V]{limit: limit, now: time.Now, order: list.New(), items: map[K]*list.Element{},
		flights: map[K]*flight[V]{}}
	for _, o := range opts {
		o(c)
	}
	return c
}

func (c *Cache[K, V]) Get(k K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.get(k)
}

func (c *Cache[K, V]) get(k K) (v V, ok bool) {
	el, ok := c.items[k]
	if ok {
		e := el.Value.(*entry[K, V])
		if c.ttl == 0 || c.now().Before(e.expires) {
			c.order.MoveToFront(el)
			c.stats.hits++
			return e.value, true
		}
		c.remove(el)
	}
	c.stats.misses++
	return v, false
}

func (c *Cache[K, V]) Put(k K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(k, v)
}

func (c *Cache[K, V]) put(k K, v V) {
	if el, ok := c.items[k]; ok {
		e := el.Value.(*entry[K, V])
		e.value, e.expires = v, c.now().Add(c.ttl)
		c.order.MoveToFront(el)
		return
	}
	c.items[k] = c.order.PushFront(&entry[K, V]{k, v, c.now().Add(c.ttl)})
	for c.order.Len() > c.limit {
		c.stats.evicted++
		c.remove(c.order.Back())
	}
}

func (c *Cache[K, V]) remove(el *list.Element) {
	e := c.order.Remove(el).(*entry[K, V])
	delete(c.items, e.key)
	if c.onEvict != nil {
		c.onEvict(e.key, e.value)
	}
}

// GetOrLoad loads a value once, however many ask for it.
func (c *Cache[K, V]) GetOrLoad(k K, load func(K) (V, error)) (V, error) {
	c.mu.Lock()
	if v, ok := c.get(k); ok {
		c.mu.Unlock()
		return v, nil
	}
	if f, ok := c.flights[k]; ok {
		c.mu.Unlock()
		<-f.done
		return f.v, f.err
	}
	f := &flight[V]{done: make(chan struct{})}
	c.flights[k] = f
	c.mu.Unlock()
	f.v, f.err = load(k)
	c.mu.Lock()
	delete(c.flights, k)
	if f.err == nil {
		c.put(k, f.v)
	}
	c.mu.Unlock()
	close(f.done)
	return f.v, f.err
}

func (c *Cache[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for el := c.order.Front(); el != nil; el = el.Next() {
			if e := el.Value.(*entry[K, V]); !yield(e.key, e.value) {
				return
			}
		}
	}
}

func main() {
	clock := time.Unix(0, 0)
	var evicted []string
	c := New(3, WithTTL[string, int](10*time.Second, func() time.Time { return clock }),
		OnEvict(func(k string, v int) { evicted = append(evicted, fmt.Sprint(k, v)) }))
	for i, k := range []string{"a", "b", "c", "a", "d"} {
		c.Put(k, i)
	}
	for k, v := range c.All() {
		fmt.Print(k, "=", v, " ")
	}
	fmt.Println(evicted)
	clock = clock.Add(9 * time.Second)
	fmt.Println(c.Get("c"))
	c.Put("c", 7)
	clock = clock.Add(time.Second)
	fmt.Println(c.Get("a"))
	fmt.Println(c.Get("c"))
	fmt.Printf("%+v %v\n", c.stats, evicted)

	// Against a model that looks for the oldest by its stamp.
	rnd := rand.New(rand.NewPCG(1, 2))
	fast := New[int, int](16)
	type slot struct{ v, stamp int }
	model := map[int]slot{}
	for step := range 20000 {
		k := int(rnd.ExpFloat64() * 10)
		if rnd.IntN(2) == 0 {
			v, ok := fast.Get(k)
			m, mok := model[k]
			if ok != mok || v != m.v {
				fmt.Println("differs at", step)
				return
			}
			if mok {
				model[k] = slot{m.v, step}
			}
			continue
		}
		fast.Put(k, step)
		model[k] = slot{step, step}
		if len(model) > 16 {
			oldest := -1
			for k, s := range model {
				if oldest < 0 || s.stamp < model[oldest].stamp {
					oldest = k
				}
			}
			delete(model, oldest)
		}
	}
	fmt.Println(len(fast.items), fast.stats)

	var loads atomic.Int32
	shared := New[string, string](8)
	var wg sync.WaitGroup
	gate := make(chan struct{})
	for range 20 {
		wg.Go(func() {
			v, err := shared.GetOrLoad("key", func(k string) (string, error) {
				loads.Add(1)
				<-gate
				return "value of " + k, nil
			})
			if v != "value of key" || err != nil {
				fmt.Println(v, err)
			}
		})
	}
	close(gate)
	wg.Wait()
	fmt.Println(loads.Load())
	_, err := shared.GetOrLoad("bad", func(string) (string, error) {
		return "",
			fmt.Errorf("cannot load")
	})
	fmt.Println(err, len(shared.items))
}
