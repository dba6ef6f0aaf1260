// run

// What looks like a pointer into free memory and is none: numbers in interfaces, and empty rests of blocks behind which memory is free.
package main

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

const size = 1 << 20

var addresses [8]uintptr

func forget(done chan<- bool) {
	var blocks [len(addresses)]*[size]byte
	for i := range blocks {
		blocks[i] = new([size]byte)
		addresses[i] = uintptr(unsafe.Pointer(blocks[i]))
	}
	runtime.KeepAlive(&blocks)
	done <- true
}

type pair struct {
	number any
	nested struct{ a, b any }
	long   [70]any
}

var (
	single any
	pairs  []pair
	mixed  = map[any]any{}
	queue  = make(chan any, 8)
)

func numbers(depth int, x, y any) any {
	if depth == 0 {
		runtime.GC()
		return x
	}
	return numbers(depth-1, y, x)
}

type ends struct {
	bytes, copied []byte
	text, cut     string
	pointers      []*int
	fields        []string
	empty         *struct{}
	none          [0]int
}

func rests(n int) ends {
	b := make([]byte, n)
	p := make([]*int, n/8)
	t := strings.Repeat("x", n)
	_, after, _ := strings.Cut(t+"=", "=")
	s := struct {
		block [size]byte
		end   struct{}
	}{}
	_, _ = b[0], &s
	return ends{
		bytes:    b[n:],
		copied:   bytes.TrimLeft(bytes.Repeat([]byte{'x'}, n), "x"),
		text:     t[len(t):],
		cut:      after,
		pointers: p[len(p):],
		fields:   strings.SplitN(t, "x", 2)[1:],
		empty:    &s.end,
	}
}

func main() {
	var all [20]ends
	for i := range all {
		all[i] = rests(size * (1 + i%3))
	}
	done := make(chan bool)
	go forget(done)
	<-done
	runtime.GC()
	runtime.GC()
	for i, a := range addresses {
		single = a
		p := pair{number: a}
		p.nested.b = uint64(a)
		p.long[i], p.long[69] = a, int64(a)
		pairs = append(pairs, p)
		mixed[a] = a
		queue <- a
	}
	local := any(addresses[3])
	runtime.GC()
	fmt.Println(numbers(1000, addresses[1], local) == single, len(mixed), len(queue), len(pairs))
	n := 0
	for _, e := range all {
		n += len(e.bytes) + len(e.copied) + len(e.text) + len(e.cut) + len(e.pointers) + len(e.fields) + len(e.none)
	}
	fmt.Println(n, local == addresses[3])
}
