// run

// Structs whose fields are smaller than a word, in hot code: written field by field, and read, copied, passed,
// returned and compared whole, where they begin in the middle of a word too.
package main

import "fmt"

type pair struct{ a, b int32 }

type triple struct{ x, y, z int32 }

type odd struct {
	a int32
	b int16
	c int8
}

type mixed struct {
	pos  triple
	vel  triple
	tag  odd
	last float32
	on   bool
}

type wide struct {
	head  int32
	inner [2]triple
	p     *pair
	tail  pair
}

func (t triple) add(o triple) triple { return triple{t.x + o.x, t.y + o.y, t.z + o.z} }

func swap(p pair) pair { return pair{p.b, p.a} }

func step(m mixed, i int) mixed {
	m.pos = m.pos.add(m.vel)
	m.tag.b++
	if i%3 == 0 {
		m.vel.y = -m.vel.y
		m.tag.c -= 3
	}
	m.last += 0.5
	m.on = !m.on
	return m
}

func turn(w wide) wide {
	w.inner[0], w.inner[1] = w.inner[1], w.inner[0]
	w.head += w.inner[0].z
	w.tail = swap(w.tail)
	q := swap(*w.p)
	w.p = &q
	return w
}

func word(p pair) uint64 { return uint64(uint32(p.a))<<32 | uint64(uint32(p.b)) }

func main() {
	m := mixed{vel: triple{1, -2, 3}, tag: odd{7, 8, 9}}
	w := wide{inner: [2]triple{{1, 2, 3}, {4, 5, 6}}, p: &pair{10, 20}, tail: pair{-1, 1}}
	var all [7]mixed
	var ws [3]wide
	seen := map[pair]int{}
	var hash uint64
	any0 := 0
	for i := range 2000 {
		m = step(m, i)
		all[i%7] = m
		n := all[(i+2)%7]
		n.tag = all[(i+4)%7].tag
		if n == all[(i+2)%7] {
			any0++
		}
		w = turn(w)
		w.inner[i%2] = n.pos
		w.tail.b = int32(i)
		ws[i%3] = w
		ws[(i+1)%3].inner[1] = w.inner[0].add(n.vel)
		p := pair{int32(i % 5), int32(i % 3)}
		q := swap(p)
		seen[q] += int(p.a)
		hash = hash*31 + word(q) + word(w.tail) + word(*w.p)
		var v any = q
		if v == any(p) {
			any0 += 2
		}
		o := odd{p.a, int16(p.b), int8(i)}
		o2 := o
		o2.b += int16(o.c)
		hash = hash*17 + uint64(o2.a) + uint64(uint16(o2.b)) + uint64(uint8(o2.c))
	}
	fmt.Println(m, w.head, w.inner, *w.p, w.tail)
	fmt.Println(all[3], ws[1].inner, ws[2].head)
	fmt.Println(hash, any0, len(seen), seen[pair{2, 4}])
}
