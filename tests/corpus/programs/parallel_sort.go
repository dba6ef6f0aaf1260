// run

// Sorting in many ways: merge sort by goroutines, an external sort by runs on disk, radix and heaps.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
)

func mergeSort[T any](s []T, less func(a, b T) int, depth int) {
	if len(s) < 32 {
		for i := 1; i < len(s); i++ {
			for j := i; j > 0 && less(s[j], s[j-1]) < 0; j-- {
				s[j], s[j-1] = s[j-1], s[j]
			}
		}
		return
	}
	mid := len(s) / 2
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			mergeSort(s[:mid], less, depth-1)
		}()
		mergeSort(s[mid:], less, depth-1)
		wg.Wait()
	} else {
		mergeSort(s[:mid], less, 0)
		mergeSort(s[mid:], less, 0)
	}
	left := slices.Clone(s[:mid])
	i, j := 0, mid
	for k := range s {
		if i < len(left) && (j == len(s) || less(left[i], s[j]) <= 0) {
			s[k] = left[i]
			i++
		} else if j < len(s) {
			s[k] = s[j]
			j++
		}
	}
}

func radix(s []uint32) []uint32 {
	buf := make([]uint32, len(s))
	for shift := 0; shift < 32; shift += 8 {
		var counts [257]int
		for _, x := range s {
			counts[x>>shift&255+1]++
		}
		for i := range 256 {
			counts[i+1] += counts[i]
		}
		for _, x := range s {
			b := x >> shift & 255
			buf[counts[b]] = x
			counts[b]++
		}
		s, buf = buf, s
	}
	return s
}

type run struct {
	sc   *bufio.Scanner
	line string
	n    int
	f    *os.File
}

type runs []*run

func (r runs) Len() int { return len(r) }
func (r runs) Less(i, j int) bool {
	return cmp.Or(strings.Compare(r[i].line, r[j].line), r[i].n-r[j].n) < 0
}
func (r runs) Swap(i, j int) { r[i], r[j] = r[j], r[i] }
func (r *runs) Push(x any)   { *r = append(*r, x.(*run)) }
func (r *runs) Pop() any {
	x := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return x
}

func externalSort(in io.Reader, out io.Writer, dir string, chunk int) (n int, err error) {
	var files []string
	flush := func(lines []string) error {
		slices.Sort(lines)
		f, err := os.Create(filepath.Join(dir, fmt.Sprint("run", len(files))))
		if err != nil {
			return err
		}
		w := bufio.NewWriter(f)
		for _, l := range lines {
			w.WriteString(l)
			w.WriteByte('\n')
		}
		files = append(files, f.Name())
		return errors.Join(w.Flush(), f.Close())
	}
	var lines []string
	sc := bufio.NewScanner(in)
	for sc.Scan() {
		if lines = append(lines, sc.Text()); len(lines) == chunk {
			if err := flush(lines); err != nil {
				return 0, err
			}
			lines = lines[:0]
		}
	}
	if err := errors.Join(sc.Err(), flush(lines)); err != nil {
		return 0, err
	}
	var h runs
	for i, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		r := &run{sc: bufio.NewScanner(f), n: i, f: f}
		if r.sc.Scan() {
			r.line = r.sc.Text()
			h = append(h, r)
		}
	}
	heap.Init(&h)
	w := bufio.NewWriter(out)
	for h.Len() > 0 {
		r := h[0]
		fmt.Fprintln(w, r.line)
		n++
		if r.sc.Scan() {
			r.line = r.sc.Text()
			heap.Fix(&h, 0)
		} else {
			heap.Pop(&h)
		}
	}
	return n, w.Flush()
}

type person struct {
	name string
	age  int
	city string
}

type by []func(a, b person) int

func (b by) compare(x, y person) int {
	for _, f := range b {
		if c := f(x, y); c != 0 {
			return c
		}
	}
	return 0
}

type lengths []string

func (l lengths) Len() int           { return len(l) }
func (l lengths) Less(i, j int) bool { return len(l[i]) < len(l[j]) }
func (l lengths) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

func main() {
	r := rand.New(rand.NewPCG(11, 22))
	for _, n := range []int{0, 1, 31, 32, 1000, 50000} {
		s := make([]int, n)
		for i := range s {
			s[i] = r.IntN(n + 1)
		}
		want := slices.Clone(s)
		slices.Sort(want)
		mergeSort(s, cmp.Compare[int], 4)
		for runtime.NumGoroutine() > 1 {
			runtime.Gosched() // who has called Done is not gone yet
		}
		fmt.Println(n, slices.Equal(s, want), runtime.NumGoroutine())
	}
	u := make([]uint32, 20000)
	for i := range u {
		u[i] = r.Uint32()
	}
	fmt.Println(slices.IsSorted(radix(u)))
	people := []person{}
	for i := range 12 {
		people = append(people, person{string(rune('a' + r.IntN(5))), 20 + r.IntN(3), []string{"Bonn",
			"Köln"}[i%2]})
	}
	order := by{
		func(a, b person) int { return strings.Compare(a.city, b.city) },
		func(a, b person) int { return b.age - a.age },
	}
	stable := slices.Clone(people)
	slices.SortStableFunc(stable, order.compare)
	mergeSort(people, order.compare, 2)
	fmt.Println(slices.Equal(people, stable), people)
	sort.SliceStable(people, func(i, j int) bool { return people[i].name < people[j].name })
	fmt.Println(people[:4])
	words := strings.Fields("the quick brown fox jumps over the lazy dog in a boat")
	sort.Stable(lengths(words))
	fmt.Println(words)
	sort.Sort(sort.Reverse(sort.StringSlice(words)))
	fmt.Println(words, sort.SearchStrings([]string{"a", "c", "e"}, "d"))
	i, found := sort.Find(100, func(i int) int { return cmp.Compare(49, i*i) })
	fmt.Println(i, found)
	j, ok := slices.BinarySearchFunc(stable, 21, func(p person, age int) int { return age - p.age })
	fmt.Println(j >= 0, ok || !ok)

	dir, err := os.MkdirTemp("", "sort")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	var in strings.Builder
	var all []string
	for i := range 5000 {
		l := fmt.Sprintf("%x-%d", r.Uint32(), i%7)
		all = append(all, l)
		fmt.Fprintln(&in, l)
	}
	slices.Sort(all)
	var out bytes.Buffer
	n, err := externalSort(strings.NewReader(in.String()), &out, dir, 300)
	fmt.Println(n, err, strings.TrimSuffix(out.String(), "\n") == strings.Join(all, "\n"))
	h := fnv.New64a()
	h.Write(out.Bytes())
	fmt.Printf("%x\n", h.Sum64())
	_, err = externalSort(strings.NewReader(strings.Repeat("x", 1<<17)), io.Discard, dir, 10)
	fmt.Println(errors.Is(err, bufio.ErrTooLong))
	_, err = externalSort(strings.NewReader("a\n"), io.Discard, filepath.Join(dir, "none"), 10)
	fmt.Println(errors.Is(err, os.ErrNotExist))
	s := []int{3, 1, 4, 1, 5, 9, 2, 6}
	slices.SortFunc(s, func(a, b int) int { return cmp.Or(cmp.Compare(a%2, b%2), b-a) })
	fmt.Println(s, slices.Max(s), slices.MinFunc(s, func(a, b int) int { return b - a }))
}
