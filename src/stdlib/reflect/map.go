package reflect

import "unsafe"

// MakeMap returns a new map.
func MakeMap(typ Type) Value { return MakeMapWithSize(typ, 0) }

// MakeMapWithSize returns a new map with room for about n entries.
func MakeMapWithSize(typ Type, n int) Value {
	t := typ.base()
	if Kind(t.kind) != Map {
		panic("reflect.MakeMapWithSize of non-map type")
	}
	return Value{pack(t, makeMap(t, n)), flag(Map)}
}

// keyOf is key as a key of the map type t.
func (v Value) keyOf(t *rtype, context string) Value {
	if v.flag&isBound == 0 && v.flag != 0 && v.typ() == t.key {
		return v
	}
	if v.flag == 0 {
		v.bad(context)
	}
	return v.fitTo("reflect.Value."+context, t.key)
}

// copied is the value of type t at p, as it is now.
func copied(t *rtype, p unsafe.Pointer, ro flag) Value {
	if Kind(t.kind) == Interface {
		q := newObjects(t, 1)
		copyObjects(t, q, p, 1)
		return Value{pack(t, q), ro | isAddress | flag(Interface)}
	}
	fl := ro | flag(t.kind)
	if t.flags&isDirect == 0 {
		fl |= isAddress
	}
	return Value{load(t, p), fl}
}

// MapIndex returns the value for key, the zero Value if there is none.
func (v Value) MapIndex(key Value) Value {
	if v.kind() != Map {
		v.bad("MapIndex")
	}
	t := v.typ()
	key = key.keyOf(t, "MapIndex")
	p := mapGet(t, v.pointer(), key)
	if p == nil {
		return Value{}
	}
	return copied(t.elem, p, (v.flag | key.flag).ro())
}

// MapKeys returns the keys of a map in no order.
func (v Value) MapKeys() []Value {
	v.must(Map, "MapKeys")
	t := v.typ()
	ro := v.flag.ro()
	keys := make([]Value, 0, mapLen(v.pointer()))
	var it mapState
	mapBegin(v.pointer(), &it)
	for {
		key, _ := mapNext(t, &it)
		if key == nil {
			return keys
		}
		keys = append(keys, copied(t.key, key, ro))
	}
}

// SetMapIndex sets the value for key, or deletes it if elem is the zero Value.
func (v Value) SetMapIndex(key, elem Value) {
	v.must(Map, "SetMapIndex")
	v.needPublic("SetMapIndex")
	key.needPublic("SetMapIndex")
	t := v.typ()
	key = key.keyOf(t, "SetMapIndex")
	if elem.flag == 0 {
		mapDelete(t, v.pointer(), key)
		return
	}
	elem.needPublic("SetMapIndex")
	if elem.flag&isBound != 0 || elem.typ() != t.elem {
		elem = elem.fitTo("reflect.Value.SetMapIndex", t.elem)
	}
	if v.pointer() == nil {
		var m map[int]int
		m[0] = 0
	}
	mapSet(t, v.pointer(), key, elem)
}

// mapState is what the run-time system keeps of a range over a map.
type mapState struct {
	m     unsafe.Pointer
	table unsafe.Pointer
	rest  [6]uint64
}

// A MapIter goes through the entries of a map.
type MapIter struct {
	m     Value
	begun bool
	ended bool
	key   unsafe.Pointer
	elem  unsafe.Pointer
	state mapState
}

// MapRange returns an iterator over a map.
func (v Value) MapRange() *MapIter {
	if v.kind() != Map {
		v.bad("MapRange")
	}
	return &MapIter{m: v}
}

// Next goes to the next entry and says whether there is one.
func (iter *MapIter) Next() bool {
	if iter.m.flag == 0 {
		panic("MapIter.Next called on an iterator that does not have an associated map Value")
	}
	if !iter.begun {
		mapBegin(iter.m.pointer(), &iter.state)
		iter.begun = true
	} else if iter.ended {
		panic("MapIter.Next called on exhausted iterator")
	}
	iter.key, iter.elem = mapNext(iter.m.typ(), &iter.state)
	iter.ended = iter.key == nil
	return !iter.ended
}

func (iter *MapIter) check(method string) {
	if !iter.begun {
		panic(method + " called before Next")
	}
	if iter.ended {
		panic(method + " called on exhausted iterator")
	}
}

// Key returns the key of the entry.
func (iter *MapIter) Key() Value {
	iter.check("MapIter.Key")
	return copied(iter.m.typ().key, iter.key, iter.m.flag.ro())
}

// Value returns the value of the entry.
func (iter *MapIter) Value() Value {
	iter.check("MapIter.Value")
	return copied(iter.m.typ().elem, iter.elem, iter.m.flag.ro())
}

// Reset makes it an iterator over the map v, or over none if v is the zero Value.
func (iter *MapIter) Reset(v Value) {
	if v.flag != 0 {
		v.must(Map, noMethod)
	}
	*iter = MapIter{m: v}
}

// SetIterKey sets the variable v to the key of the entry.
func (v Value) SetIterKey(iter *MapIter) {
	iter.check("reflect: Value.SetIterKey")
	v.setEntry("SetIterKey", iter.m, iter.m.typ().key, iter.key)
}

// SetIterValue sets the variable v to the value of the entry.
func (v Value) SetIterValue(iter *MapIter) {
	iter.check("reflect: Value.SetIterValue")
	v.setEntry("SetIterValue", iter.m, iter.m.typ().elem, iter.elem)
}

func (v Value) setEntry(method string, m Value, t *rtype, p unsafe.Pointer) {
	v.needSettable(method)
	m.needPublic(method)
	if v.typ() == t {
		copyObjects(t, v.at(), p, 1)
		return
	}
	x := variable(t, p, m.flag&isPrivate)
	if v.kind() == Interface {
		v.setInterface(x, "reflect.MapIter."+method)
		return
	}
	store(v.at(), x.fitTo("reflect.MapIter."+method, v.typ()))
}

func makeMap(t *rtype, n int) unsafe.Pointer
func mapLen(m unsafe.Pointer) int
func mapClear(m unsafe.Pointer)

// mapGet finds the place of the value for key, nil if there is none.
func mapGet(t *rtype, m unsafe.Pointer, key Value) unsafe.Pointer
func mapSet(t *rtype, m unsafe.Pointer, key, elem Value)
func mapDelete(t *rtype, m unsafe.Pointer, key Value)

// mapBegin begins a range over m.
func mapBegin(m unsafe.Pointer, it *mapState)

// mapNext goes on to the next entry: the places of key and value, nil at the end.
func mapNext(t *rtype, it *mapState) (key, elem unsafe.Pointer)
