package main

import (
	"fmt"
	"strings"
)

// Mirrors of a list, of which some lag behind.
type page struct {
	version int
	lines   []string
}

func mirror(version int) page {
	// Some mirrors assemble the page from parts.
	parts := make(chan string)
	go func() {
		defer close(parts)
		for i := range version {
			parts <- strings.Repeat("*", i+1)
		}
	}()
	p := page{version: version}
	for part := range parts {
		p.lines = append(p.lines, part)
	}
	return p
}

// Newest asks two mirrors, and the second one counts only if the first was old.
func newest(least int) page {
	pages := make(chan page)
	for _, version := range []int{1, 3} {
		go func() { pages <- mirror(version) }()
	}
	p := <-pages
	if p.version < least {
		p = <-pages
	}
	return p
}

func main() {
	p := newest(2)
	fmt.Println(p.version, len(p.lines))
}
