// Package list: doubly linked lists.
package list

import "slices"

// An Element is linked in a ring through its list's root.
type Element struct {
	next, prev *Element
	list       *List
	Value      any
}

// other is a neighbour, nil at the list's end.
func (e *Element) other(p *Element) *Element {
	if e.list == nil || p == &e.list.root {
		return nil
	}
	return p
}

func (e *Element) Next() *Element { return e.other(e.next) }
func (e *Element) Prev() *Element { return e.other(e.prev) }

// The zero List is empty and ready.
type List struct {
	root Element // its neighbours are the first and the last
	len  int
}

func (l *List) Init() *List {
	l.root.next, l.root.prev = &l.root, &l.root
	l.len = 0
	return l
}

func New() *List { return new(List).Init() }

func (l *List) ready() {
	if l.root.next == nil {
		l.Init()
	}
}

func (l *List) Len() int { return l.len }

// end is an end of the list, nil if that is empty.
func (l *List) end(e *Element) *Element {
	if l.len > 0 {
		return e
	}
	return nil
}

func (l *List) Front() *Element { return l.end(l.root.next) }

func (l *List) Back() *Element { return l.end(l.root.prev) }

// link puts e behind at.
func (l *List) link(e, at *Element) *Element {
	e.prev, e.next = at, at.next
	e.prev.next, e.next.prev = e, e
	e.list = l
	l.len++
	return e
}

func (l *List) unlink(e *Element) {
	e.prev.next, e.next.prev = e.next, e.prev
	e.next, e.prev, e.list = nil, nil, nil
	l.len--
}

// move puts e, which is in the list, behind at.
func (l *List) move(e, at *Element) {
	if e != at {
		l.unlink(e)
		l.link(e, at)
	}
}

func (l *List) Remove(e *Element) any {
	if e.list == l {
		l.unlink(e)
	}
	return e.Value
}

func (l *List) PushBack(v any) *Element {
	l.ready()
	return l.link(&Element{Value: v}, l.root.prev)
}

func (l *List) PushFront(v any) *Element {
	l.ready()
	return l.link(&Element{Value: v}, &l.root)
}

func (l *List) InsertAfter(v any, mark *Element) *Element {
	if mark.list == l {
		return l.link(&Element{Value: v}, mark)
	}
	return nil
}

func (l *List) InsertBefore(v any, mark *Element) *Element {
	if mark.list == l {
		return l.link(&Element{Value: v}, mark.prev)
	}
	return nil
}

func (l *List) MoveToFront(e *Element) {
	if e.list == l && l.root.next != e {
		l.move(e, &l.root)
	}
}

func (l *List) MoveToBack(e *Element) {
	if e.list == l && l.root.prev != e {
		l.move(e, l.root.prev)
	}
}

func (l *List) MoveBefore(e, mark *Element) {
	if e.list == l && mark.list == l && e != mark {
		l.move(e, mark.prev)
	}
}

func (l *List) MoveAfter(e, mark *Element) {
	if e.list == l && mark.list == l && e != mark {
		l.move(e, mark)
	}
}

// values are those of all elements, as they are now: a list may be added to itself.
func (l *List) values() []any {
	all := make([]any, 0, l.len)
	for e := l.Front(); e != nil; e = e.Next() {
		all = append(all, e.Value)
	}
	return all
}

func (l *List) PushBackList(other *List) {
	for _, v := range other.values() {
		l.PushBack(v)
	}
}

func (l *List) PushFrontList(other *List) {
	for _, v := range slices.Backward(other.values()) {
		l.PushFront(v)
	}
}
