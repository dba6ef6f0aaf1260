// Package unique: one copy of each value, so that comparing them is comparing pointers.
package unique

import "sync"

// A Handle is equal to another if their values are.
type Handle[T comparable] struct{ value *T }

func (h Handle[T]) Value() T { return *h.value }

// tables has a table for each type, by a nil pointer to it.
var tables sync.Map

// A table has the values of a type. What is in it stays.
type table[T comparable] struct {
	sync.Mutex
	values map[T]*T
}

func Make[T comparable](value T) Handle[T] {
	found, ok := tables.Load((*T)(nil))
	if !ok {
		found, _ = tables.LoadOrStore((*T)(nil), &table[T]{values: map[T]*T{}})
	}
	t := found.(*table[T])
	t.Lock()
	defer t.Unlock()
	p, ok := t.values[value]
	if !ok {
		p = &value
		t.values[value] = p
	}
	return Handle[T]{p}
}
