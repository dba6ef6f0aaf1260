// Package ring: circular lists.
package ring

// A Ring is one element, and with it all. The zero Ring is a ring of one.
type Ring struct {
	next, prev *Ring
	Value      any
}

func (r *Ring) ready() *Ring {
	if r.next == nil {
		r.next, r.prev = r, r
	}
	return r
}

func (r *Ring) Next() *Ring { return r.ready().next }
func (r *Ring) Prev() *Ring { return r.ready().prev }

func (r *Ring) Move(n int) *Ring {
	if r.next == nil {
		return r.ready()
	}
	for ; n < 0; n++ {
		r = r.prev
	}
	for ; n > 0; n-- {
		r = r.next
	}
	return r
}

func (r *Ring) Link(s *Ring) *Ring {
	after := r.Next()
	if s != nil {
		last := s.Prev()
		r.next, s.prev = s, r
		after.prev, last.next = last, after
	}
	return after
}

func (r *Ring) Unlink(n int) *Ring {
	if n > 0 {
		return r.Link(r.Move(n + 1))
	}
	return nil
}

func New(n int) *Ring {
	if n <= 0 {
		return nil
	}
	r := new(Ring).ready()
	for range n - 1 {
		r.Prev().Link(new(Ring))
	}
	return r
}

func (r *Ring) Do(f func(any)) {
	if r == nil {
		return
	}
	f(r.Value)
	for p := r.Next(); p != r; p = p.next {
		f(p.Value)
	}
}

func (r *Ring) Len() int {
	if r == nil {
		return 0
	}
	n := 1
	for p := r.Next(); p != r; p = p.next {
		n++
	}
	return n
}
