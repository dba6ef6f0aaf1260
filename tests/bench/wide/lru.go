package main

import "fmt"

// A cache that forgets what was used longest ago: a map to the entries of a doubly
// linked ring. Three sizes of it stand before an expensive function.

type entry struct {
	key, value int
	prev, next *entry
}

type cache struct {
	room         int
	entries      map[int]*entry
	ring         entry // its next is the newest, its prev the oldest
	hits, misses int
	onEvict      func(key, value int)
}

func newCache(room int) *cache {
	c := &cache{room: room, entries: make(map[int]*entry, room)}
	c.ring.prev, c.ring.next = &c.ring, &c.ring
	return c
}

func (e *entry) unlink() {
	e.prev.next, e.next.prev = e.next, e.prev
}

func (e *entry) linkAfter(at *entry) {
	e.prev, e.next = at, at.next
	at.next.prev = e
	at.next = e
}

func (c *cache) get(key int) (int, bool) {
	e, ok := c.entries[key]
	if !ok {
		c.misses++
		return 0, false
	}
	c.hits++
	e.unlink()
	e.linkAfter(&c.ring)
	return e.value, true
}

func (c *cache) put(key, value int) {
	if e, ok := c.entries[key]; ok {
		e.value = value
		return
	}
	e := &entry{key: key, value: value}
	if len(c.entries) >= c.room {
		oldest := c.ring.prev
		oldest.unlink()
		delete(c.entries, oldest.key)
		if c.onEvict != nil {
			c.onEvict(oldest.key, oldest.value)
		}
		e = oldest
		e.key, e.value = key, value
	}
	c.entries[key] = e
	e.linkAfter(&c.ring)
}

func collatz(n int) int {
	steps := 0
	for ; n > 1; steps++ {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
	}
	return steps
}

func main() {
	seed := uint64(1)
	random := func() int {
		seed ^= seed << 7
		seed ^= seed >> 9
		return int(seed >> 40)
	}
	for _, room := range []int{50, 500, 2500} {
		c := newCache(room)
		evicted, digest := 0, 0
		c.onEvict = func(key, value int) {
			evicted++
			digest = (digest*31 + key ^ value) & 0xffffff
		}
		sum := 0
		for i := 0; i < 150000; i++ {
			// Small keys are asked for more often.
			key := 1 + random()%(1+random()%4000)
			v, ok := c.get(key)
			if !ok {
				v = collatz(key)
				c.put(key, v)
			}
			sum += v
		}
		var newest []int
		for e := c.ring.next; len(newest) < 5; e = e.next {
			newest = append(newest, e.key)
		}
		fmt.Println(room, c.hits, c.misses, evicted, digest, sum, newest)
	}
}
