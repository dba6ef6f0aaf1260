// run

// A heap that grows to 150 MB: what is new is zero, what lives keeps its contents, the counts fit together.
package main

import (
	"fmt"
	"runtime"
)

type block struct {
	next *block
	data [7000]uint32
}

// Of so many elements of a block one is looked at: under gcstress each round of a loop may collect.
const stride = 61

func main() {
	var all *block
	n := 0
	for size := 30; size <= 150; size += 30 {
		for n*28008 < size<<20 {
			b := &block{}
			for i := 0; i < len(b.data); i += stride {
				if b.data[i] != 0 || b.next != nil {
					fmt.Println("not zero:", n, i, b.data[i])
				}
				b.data[i] = uint32(n + i)
			}
			b.next, all = all, b
			n++
		}
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		fmt.Println(size, s.HeapIdle+s.HeapInuse == s.HeapSys, s.HeapReleased <= s.HeapIdle, s.HeapAlloc > uint64(size)<<20)
	}
	for b := all; b != nil; b = b.next {
		n--
		for i := 0; i < len(b.data); i += stride {
			if b.data[i] != uint32(n+i) {
				fmt.Println("lost:", n, i, b.data[i])
			}
		}
	}
	fmt.Println(n)
}
