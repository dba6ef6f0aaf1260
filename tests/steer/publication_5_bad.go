package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// An index of words that many read while some add to it. Readers take no lock: they use the segments that were there when they came.

type posting struct {
	document int
	at       int
}

type segment struct {
	number   int
	postings map[string][]posting
	size     int
}

func (s *segment) add(document int, text string) {
	for at, word := range strings.Fields(text) {
		word = normal(word)
		s.postings[word] = append(s.postings[word], posting{document, at})
		s.size++
	}
}

func normal(word string) string {
	return strings.ToLower(strings.Trim(word, ".,;!"))
}

// view is a number of segments. It does not change.
type view struct {
	segments []*segment
	words    int
}

func (v *view) with(s *segment) *view {
	return &view{
		segments: append(slices.Clip(v.segments), s),
		words:    v.words + s.size,
	}
}

type index struct {
	current atomic.Pointer[view]

	mu      sync.Mutex // of those who change it
	numbers int
}

func newIndex() *index {
	x := new(index)
	x.current.Store(new(view))
	return x
}

func (x *index) newSegment() *segment {
	x.numbers++
	return &segment{number: x.numbers, postings: map[string][]posting{}}
}

// add makes a segment of some documents.
func (x *index) add(first int, texts ...string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.newSegment()
	for i, text := range texts {
		s.add(first+i, text)
	}
	x.current.Store(x.current.Load().with(s))
}

// merge makes one segment of all, if there are many.
func (x *index) merge(most int) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	v := x.current.Load()
	if len(v.segments) <= most {
		return false
	}
	into := v.segments[0]
	for _, s := range v.segments[1:] {
		for word, postings := range s.postings {
			into.postings[word] = append(into.postings[word], postings...)
		}
		into.size += s.size
	}
	for _, postings := range into.postings {
		slices.SortFunc(postings, order)
	}
	x.current.Store(new(view).with(into))
	return true
}

func order(a, b posting) int {
	if a.document != b.document {
		return a.document - b.document
	}
	return a.at - b.at
}

// find returns the documents that have all of the words.
func (x *index) find(words ...string) []int {
	v := x.current.Load()
	var found []int
	for i, word := range words {
		var documents []int
		for _, s := range v.segments {
			for _, p := range s.postings[normal(word)] {
				documents = append(documents, p.document)
			}
		}
		slices.Sort(documents)
		documents = slices.Compact(documents)
		if i == 0 {
			found = documents
			continue
		}
		found = slices.DeleteFunc(found, func(d int) bool {
			_, ok := slices.BinarySearch(documents, d)
			return !ok
		})
	}
	return found
}

type statistics struct {
	asked atomic.Int32
	hits  atomic.Int32
}

// reader asks the same question some times; what it has found once it must find again.
func reader(x *index, s *statistics, words ...string) error {
	last := 0
	for range 2 {
		s.asked.Add(1)
		n := len(x.find(words...))
		if n < last {
			return fmt.Errorf("%v: found %d, and %d before", words, n, last)
		}
		s.hits.Add(int32(n - last))
		last = n
	}
	return nil
}

type request struct {
	first int
	texts []string
}

func writer(x *index, requests <-chan request) {
	for r := range requests {
		x.add(r.first, r.texts...)
	}
}

func merger(x *index, wake <-chan struct{}, most int) (merges int) {
	for range wake {
		if x.merge(most) {
			merges++
		}
	}
	return merges
}

func batches(texts []string, size int) (requests []request) {
	n := 0
	for batch := range slices.Chunk(texts, size) {
		requests = append(requests, request{n, batch})
		n += len(batch)
	}
	return requests
}

func main() {
	texts := []string{
		"The cat sat on the mat.",
		"A dog and a cat;",
		"The mat is red.",
		"Red is the dog!",
		"The cat is out, the dog is in.",
		"No mat, no cat.",
		"On and on.",
		"A red, red mat.",
	}
	x := newIndex()
	var stats statistics
	requests := make(chan request)
	wake := make(chan struct{}, 1)
	failed := make(chan error, 16)

	var writers, merging, readers sync.WaitGroup
	for range 4 {
		writers.Go(func() { writer(x, requests) })
	}
	merging.Go(func() { merger(x, wake, 2) })
	questions := [][]string{{"cat"}, {"red", "mat"}, {"dog", "the"}, {"on"}}
	for i := range 14 {
		readers.Go(func() {
			if err := reader(x, &stats, questions[i%len(questions)]...); err != nil {
				failed <- err
			}
		})
	}
	for _, r := range batches(texts, 2) {
		requests <- r
		select {
		case wake <- struct{}{}:
		default:
		}
	}
	close(requests)
	writers.Wait()
	close(wake)
	merging.Wait()
	readers.Wait()
	x.merge(1)

	close(failed)
	for err := range failed {
		panic(err)
	}
	v := x.current.Load()
	fmt.Println(len(v.segments), "segment,", v.words, "words,", stats.asked.Load(), "questions")
	for _, q := range questions {
		fmt.Println(q, x.find(q...))
	}
}
