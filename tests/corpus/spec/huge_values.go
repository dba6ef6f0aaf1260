// run
package main

import "fmt"

// Values too large for a frame: in channels, maps, selects, interfaces, ranges.
type (
	key   [8192]byte
	value [3]key
	both  struct {
		name string
		v    value
		next *both
	}
)

func (b both) last() byte    { return b.v[2][8191] }
func (b *both) set(x byte)   { b.v[2][8191] = x }
func pass(b both) both       { b.set(b.last() + 1); return b }
func two() (both, error)     { return both{name: "two"}, nil }
func variadic(b ...both) int { return len(b) }

type laster interface{ last() byte }

func main() {
	var b both
	b.name = "b"
	b.set(7)

	// Channels copy: what is written afterwards is not seen.
	c := make(chan both, 2)
	c <- b
	b.set(8)
	c <- b
	x, ok := <-c
	y := <-c
	fmt.Println(x.last(), y.last(), ok, len(c), cap(c))
	x.set(1)
	fmt.Println(x.last(), y.last(), b.last())

	// Unbuffered, both ways round.
	d := make(chan both)
	go func() { d <- b }()
	z := <-d
	fmt.Println(z.name, z.last())
	got := make(chan byte)
	go func() { v := <-d; got <- v.last() }()
	d <- pass(b)
	fmt.Println(<-got)

	// Select, sends and receives, one of them ready each time.
	for i := range 4 {
		select {
		case c <- pass(b):
			fmt.Println("sent", i)
		case v, ok := <-d:
			fmt.Println("never", v.last(), ok)
		}
		select {
		case d <- b:
			fmt.Println("never")
		case v, ok := <-c:
			fmt.Println("received", v.last(), ok)
		}
	}
	select {
	case v := <-c:
		fmt.Println("never", v.last())
	default:
		fmt.Println("empty")
	}

	// A closed channel gives zero values of their own.
	close(c)
	v1, ok := <-c
	v2 := <-c
	v1.set(9)
	fmt.Println(v1.last(), v2.last(), ok, v2.name == "")
	for v := range c {
		fmt.Println("never", v.last())
	}
	e := make(chan both, 3)
	for i := range 3 {
		b.set(byte(i))
		e <- b
	}
	close(e)
	sum := 0
	for v := range e {
		sum = sum*10 + int(v.last())
		v.set(100)
	}
	fmt.Println(sum)
	var into [2]both
	f := make(chan both, 1)
	f <- b
	into[1], ok = <-f
	fmt.Println(into[1].last(), into[0].last(), ok)

	// Map keys and elements.
	m := map[key]int{}
	var k key
	for i := range 100 {
		k[8000] = byte(i)
		m[k] += i
	}
	seen, total := 0, 0
	for kk, n := range m {
		if int(kk[8000]) == n {
			seen++
		}
		kk[8000] = 200
		total += m[kk]
	}
	fmt.Println(len(m), seen, total)
	k[8000] = 50
	_, in := m[k]
	delete(m, k)
	_, still := m[k]
	fmt.Println(in, still, len(m))
	mv := map[string]value{}
	var v value
	v[2][8191] = 5
	mv["a"] = v
	v[2][8191] = 6
	mv["b"] = v
	w, ok := mv["none"]
	fmt.Println(mv["a"][2][8191], mv["b"][2][8191], w[2][8191], ok)
	n := 0
	for _, v := range mv {
		n += int(v[2][8191])
	}
	fmt.Println(n)
	mk := map[key]key{}
	mk[k] = k
	for a, b := range mk {
		fmt.Println(a == b, a[8000])
	}

	// Interfaces: equality, keys, methods.
	var a1, a2 any = v, v
	fmt.Println(a1 == a2, a1 == any(w))
	ma := map[any]int{a1: 3}
	fmt.Println(ma[v], ma[w])
	var l laster = b
	b.set(99)
	fmt.Println(l.last(), pass(b).last(), b.last())
	t, _ := two()
	fmt.Println(t.name, variadic(b, t, b))
	if bb, ok := l.(both); ok {
		fmt.Println(bb.last())
	}
	g := func() byte { return b.last() }
	b.set(42)
	fmt.Println(g())
	defer func(b both) { fmt.Println("deferred", b.last()) }(b)
	b.set(43)
}
