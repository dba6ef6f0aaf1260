// Computes the same again and again while the world is stopped and signals come in: a hundred thousand times each, or
// as often as is asked for. Says how often the result was another one.
package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
)

type vec struct{ x, y, z float32 }

type node struct {
	left, right *node
	key         int32
	tag         uint8
}

func (v vec) add(w vec) vec { return vec{v.x + w.x, v.y + w.y, v.z + w.z} }

func (n *node) insert(key int32) *node {
	if n == nil {
		return &node{key: key, tag: uint8(key)}
	}
	if key < n.key {
		n.left = n.left.insert(key)
	} else {
		n.right = n.right.insert(key)
	}
	return n
}

func (n *node) sum() int {
	if n == nil {
		return 0
	}
	return n.left.sum()*3 + int(n.key) + int(n.tag) ^ n.right.sum()
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func mix(x uint64, n int) uint64 {
	for i := 0; i < n; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		if x%5 == 0 {
			x += uint64(i)
		}
	}
	return x
}

func compute(seed uint64) (sum uint64) {
	sum = mix(seed, 2000)
	var v vec
	f := 1.0
	var grid [16][16]int32
	for i := range 300 {
		v = v.add(vec{float32(i), 0.5, -1})
		f = f*1.0001 + math.Sqrt(float64(i))
		grid[i&15][i*7&15] += int32(sum >> (i & 31))
	}
	for _, row := range grid {
		for _, x := range row {
			sum = sum*31 + uint64(x)
		}
	}
	var root *node
	x := uint32(seed)
	for range 60 {
		x = x*1664525 + 1013904223
		root = root.insert(int32(x >> 8))
	}
	h := 0
	add := func(k int) { h = h*7 + k }
	for k := range 100 {
		add(k ^ h>>3)
	}
	s := ""
	for k := range 20 {
		s += strconv.Itoa(k)
	}
	return sum + math.Float64bits(f) + uint64(math.Float32bits(v.x+v.y*v.z)) + uint64(root.sum()+fib(14)+h+len(s))
}

func main() {
	n := 100000
	if len(os.Args) > 1 {
		n, _ = strconv.Atoi(os.Args[1])
	}
	var want [4]uint64
	for k := range want {
		want[k] = compute(uint64(k) + 1)
	}
	var done atomic.Bool
	var wrong, rounds atomic.Int64
	finished := make(chan bool)
	const workers = 3
	for w := range workers {
		go func() {
			for k := w; !done.Load(); k++ {
				if compute(uint64(k%4)+1) != want[k%4] {
					wrong.Add(1)
				}
				rounds.Add(1)
			}
			finished <- true
		}()
	}
	flood := make(chan bool)
	go func() {
		for range n {
			syscall.Kill(syscall.Getpid(), syscall.SIGURG)
		}
		flood <- true
	}()
	var s runtime.MemStats
	for range n {
		runtime.ReadMemStats(&s)
	}
	<-flood
	done.Store(true)
	for range workers {
		<-finished
	}
	fmt.Println("wrong:", wrong.Load(), "enough rounds:", rounds.Load() > 100)
}
