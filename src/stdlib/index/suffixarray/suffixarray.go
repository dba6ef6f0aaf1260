// Package suffixarray finds all places of a text within another, by an index that is made once.
package suffixarray

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"sort"
)

// An Index is a text and where its suffixes begin, in their order. Short texts have short numbers.
type Index struct {
	data  []byte
	short []int32
	long  []int64
}

// New makes an index of data, which must not change.
func New(data []byte) *Index {
	x := &Index{data: data}
	x.make()
	if x.long != nil {
		sort64(data, x.long)
	} else {
		sort32(data, x.short)
	}
	return x
}

// make makes room for the numbers.
func (x *Index) make() {
	x.short, x.long = nil, nil
	if n := len(x.data); n > math.MaxInt32 {
		x.long = make([]int64, n)
	} else {
		x.short = make([]int32, n)
	}
}

func (x *Index) at(i int) int {
	if x.long != nil {
		return int(x.long[i])
	}
	return int(x.short[i])
}

// Bytes is the text.
func (x *Index) Bytes() []byte { return x.data }

const (
	bufferSize = 16 << 10
	intSize    = binary.MaxVarintLen64
)

var errDamaged = errors.New("suffixarray: data corrupted")

// Write writes the index: the length of the text, the text, and the numbers in blocks, each behind
// its length in bytes. Lengths take ten bytes.
func (x *Index) Write(w io.Writer) error {
	buf := make([]byte, bufferSize)
	binary.PutVarint(buf, int64(len(x.data)))
	for _, part := range [...][]byte{buf[:intSize], x.data} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	for i := 0; i < len(x.data); {
		size := intSize
		for ; i < len(x.data) && size+intSize <= len(buf); i++ {
			size += binary.PutUvarint(buf[size:], uint64(x.at(i)))
		}
		binary.PutVarint(buf, int64(size))
		if _, err := w.Write(buf[:size]); err != nil {
			return err
		}
	}
	return nil
}

func readNumber(r io.Reader, buf []byte) (int, error) {
	if _, err := io.ReadFull(r, buf[:intSize]); err != nil {
		return 0, err
	}
	n, _ := binary.Varint(buf[:intSize])
	if n < 0 {
		return 0, errDamaged
	}
	return int(n), nil
}

// Read reads what Write has written.
func (x *Index) Read(r io.Reader) error {
	buf := make([]byte, bufferSize)
	n, err := readNumber(r, buf)
	if err != nil {
		return err
	}
	isLong := n > math.MaxInt32
	if 2*n < cap(x.data) || cap(x.data) < n || isLong != (x.long != nil) ||
		!isLong && cap(x.short) < n {
		x.data = make([]byte, n)
		x.make()
	} else {
		if isLong {
			x.long = x.long[:n]
		} else {
			x.short = x.short[:n]
		}
		x.data = x.data[:n]
	}
	if _, err := io.ReadFull(r, x.data); err != nil {
		return err
	}
	for i := 0; i < n; {
		size, err := readNumber(r, buf)
		if err != nil {
			return err
		}
		if size < intSize || size > len(buf) {
			return errDamaged
		}
		if _, err := io.ReadFull(r, buf[intSize:size]); err != nil {
			return err
		}
		for block := buf[intSize:size]; len(block) > 0; i++ {
			number, length := binary.Uvarint(block)
			if i >= n || length <= 0 || number >= uint64(n) {
				return errDamaged
			}
			if isLong {
				x.long[i] = int64(number)
			} else {
				x.short[i] = int32(number)
			}
			block = block[length:]
		}
	}
	return nil
}

// all finds the range of suffixes that begin with s.
func (x *Index) all(s []byte) (from, to int) {
	suffix := func(i int) []byte { return x.data[x.at(i):] }
	n := len(x.data)
	from = sort.Search(n, func(i int) bool { return bytes.Compare(suffix(i), s) >= 0 })
	to = from + sort.Search(n-from, func(i int) bool { return !bytes.HasPrefix(suffix(from+i), s) })
	return from, to
}

// Lookup finds where s begins, in no order: at most n places, or all if n is negative.
func (x *Index) Lookup(s []byte, n int) (result []int) {
	if len(s) == 0 || n == 0 {
		return nil
	}
	from, to := x.all(s)
	if n > 0 {
		to = min(to, from+n)
	}
	for i := from; i < to; i++ {
		if result == nil {
			result = make([]int, 0, to-from)
		}
		result = append(result, x.at(i))
	}
	return result
}

// FindAllIndex finds matches of r from left to right that do not overlap: at most n, or all if n is
// negative.
func (x *Index) FindAllIndex(r *regexp.Regexp, n int) (result [][]int) {
	prefix, isWhole := r.LiteralPrefix()
	if prefix == "" {
		return r.FindAllIndex(x.data, n)
	}
	match := func(at int) []int { return []int{at, at + len(prefix)} }
	if !isWhole {
		anchored := regexp.MustCompile("^" + r.String())
		match = func(at int) []int {
			m := anchored.FindIndex(x.data[at:])
			if m != nil {
				m[0], m[1] = at, at+m[1]
			}
			return m
		}
	}
	// Some places may be no match: then there must be more of them.
	for places := n; ; places += 2 * (n - len(result)) {
		found := x.Lookup([]byte(prefix), places)
		slices.Sort(found)
		result = nil
		last := 0
		for _, at := range found {
			if len(result) == n {
				break
			}
			if at < last {
				continue
			}
			if m := match(at); m != nil {
				result = append(result, m)
				last = m[1]
			}
		}
		if len(result) >= n || len(found) != places {
			return result
		}
	}
}
