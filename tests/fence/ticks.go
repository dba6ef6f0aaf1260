// How late a goroutine is that sleeps until each next millisecond, for so many seconds (8 if none are given), while 500 MB live and
// another allocates steadily: median, 99th and 99.9th percentile, and most.
package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"time"
)

type node struct {
	next, other *node
	value       [4]int
}

const megabyte = (1 << 20) / 48

var (
	lives []*node
	sink  *node
)

func allocate() {
	for {
		// 400 KB every 5 ms or so, 60 MB a second.
		for range 100 {
			for range 64 {
				sink = &node{next: sink}
			}
			sink = nil
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func main() {
	seconds := 8
	if len(os.Args) > 1 {
		seconds, _ = strconv.Atoi(os.Args[1])
	}
	for range 500 {
		var list *node
		for i := range megabyte {
			list = &node{next: list, other: list}
			if len(lives) > 0 && i%16 == 0 {
				list.other = lives[i%len(lives)]
			}
		}
		lives = append(lives, list)
	}
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	go allocate()
	var late []time.Duration
	next := time.Now()
	for time.Now().Before(end) {
		next = next.Add(time.Millisecond)
		time.Sleep(time.Until(next))
		now := time.Now()
		late = append(late, now.Sub(next))
		if now.Sub(next) > 10*time.Millisecond {
			next = now
		}
	}
	sort.Slice(late, func(i, j int) bool { return late[i] < late[j] })
	n := len(late)
	fmt.Println("ticks", n, "late", late[n/2], late[n*99/100], late[n*999/1000], late[n-1])
}
