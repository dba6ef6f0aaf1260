// Fields, methods and entries of maps by their names.
//
// What a name means depends on the type of the value that it is looked for in. A selector finds it
// out when it meets a type, and keeps the last few types that it has met.

package template

import (
	"reflect"
	"sync/atomic"
	"text/template/parse"
)

// A route is names that are followed one after another.
type route []*selector

func (p route) follow(r *run, dot, v, piped reflect.Value) reflect.Value {
	for _, s := range p {
		v = s.get(r, dot, v, piped)
	}
	return v
}

// A selector is a name behind a dot, and what it is given if it is a method.
type selector struct {
	name    string
	key     reflect.Value // the name
	call    *call
	members atomic.Pointer[member]
}

// A member is what a name means for values of a type.
type member struct {
	of    reflect.Type
	isVar bool // of variables, which have the methods of pointers, too
	field int  // of a field that is got at once; otherwise -1
	get   accessor
	rest  *member // for other types
	count int
}

// An accessor gets a member of v, the value at the end of the pointers that from begins.
type accessor func(r *run, dot, from, v, piped reflect.Value) reflect.Value

// A selector forgets the types that it knows when it knows that many.
const maxMembers = 8

// route compiles names, of which the last one gets the arguments.
func (c *compiler) route(whole parse.Node, names []string, args []parse.Node, isPiped bool) route {
	p := make(route, len(names))
	for i, name := range names {
		s := &selector{name: name, key: reflect.ValueOf(name)}
		if i == len(names)-1 {
			s.call = c.call(name, whole, args, isPiped)
		} else {
			s.call = c.call(name, whole, nil, false)
		}
		p[i] = s
	}
	return p
}

func (s *selector) get(r *run, dot, from, piped reflect.Value) reflect.Value {
	v, isNil := from, false
	if k := v.Kind(); k == reflect.Pointer || k == reflect.Interface {
		v, isNil = indirect(v)
	}
	switch {
	case !v.IsValid():
		if r.tmpl.onAbsent == absentIsError {
			r.fail("nil data; no entry for key %q", s.name)
		}
		return v
	case isNil && v.Kind() == reflect.Interface:
		r.fail("nil pointer evaluating %s.%s", from.Type(), s.name)
	}
	t, isVar := v.Type(), v.CanAddr()
	m := s.members.Load()
	for m != nil && (m.of != t || m.isVar != isVar) {
		m = m.rest
	}
	if m == nil {
		m = s.learn(v)
	}
	if m.field >= 0 {
		return v.Field(m.field)
	}
	return m.get(r, dot, from, v, piped)
}

// learn finds out what the name means for v.
func (s *selector) learn(v reflect.Value) *member {
	m := &member{of: v.Type(), isVar: v.CanAddr(), field: -1, rest: s.members.Load(), count: 1}
	if m.rest != nil && m.rest.count < maxMembers {
		m.count += m.rest.count
	} else {
		m.rest = nil
	}
	m.get = s.method(v)
	if m.get == nil {
		switch v.Kind() {
		case reflect.Struct:
			m.field, m.get = s.structField(m.of)
		case reflect.Map:
			m.get = s.entry(m.of)
		case reflect.Pointer:
			m.get = s.ofNil(m.of.Elem())
		default:
			m.get = s.absent
		}
	}
	s.members.Store(m)
	return m
}

// absent is the accessor of what is not there.
func (s *selector) absent(r *run, _, from, _, _ reflect.Value) reflect.Value {
	r.fail("can't evaluate field %s in type %s", s.name, from.Type())
	return reflect.Value{}
}

// method is the accessor of a method, or nil.
func (s *selector) method(v reflect.Value) accessor {
	owner := v
	isVar := v.CanAddr() && v.Kind() != reflect.Pointer
	if isVar {
		owner = v.Addr()
	}
	found, ok := owner.Type().MethodByName(s.name)
	if !ok {
		return nil
	}
	b := s.call.bind(owner.Method(found.Index).Type())
	return func(r *run, dot, _, v, piped reflect.Value) reflect.Value {
		if isVar {
			v = v.Addr()
		}
		return b.apply(r, dot, piped, b.reflected(v.Method(found.Index)))
	}
}

// structField is the accessor of a field, or its number if there is nothing to it.
func (s *selector) structField(t reflect.Type) (number int, get accessor) {
	f, ok := t.FieldByName(s.name)
	switch {
	case !ok:
		return -1, s.absent
	case len(f.Index) == 1 && f.IsExported() && !s.call.hasArgs():
		return f.Index[0], nil
	}
	return -1, func(r *run, _, from, v, _ reflect.Value) reflect.Value {
		field, err := v.FieldByIndexErr(f.Index)
		switch {
		case !f.IsExported():
			r.fail("%s is an unexported field of struct type %s", s.name, from.Type())
		case err != nil:
			r.fail("%v", err)
		case s.call.hasArgs():
			r.fail("%s has arguments but cannot be invoked as function", s.name)
		}
		return field
	}
}

// entry is the accessor of an entry of maps that have strings as keys.
func (s *selector) entry(t reflect.Type) accessor {
	if !s.key.Type().AssignableTo(t.Key()) {
		return s.absent
	}
	return func(r *run, _, _, v, _ reflect.Value) reflect.Value {
		if s.call.hasArgs() {
			r.fail("%s is not a method but has arguments", s.name)
		}
		elem := v.MapIndex(s.key)
		if !elem.IsValid() {
			switch r.tmpl.onAbsent {
			case absentIsZero:
				return reflect.Zero(t.Elem())
			case absentIsError:
				r.fail("map has no entry for key %q", s.name)
			}
		}
		return elem
	}
}

// ofNil is the accessor of a nil pointer's.
func (s *selector) ofNil(elem reflect.Type) accessor {
	if elem.Kind() == reflect.Struct {
		if _, ok := elem.FieldByName(s.name); !ok {
			return s.absent
		}
	}
	return func(r *run, _, from, _, _ reflect.Value) reflect.Value {
		r.fail("nil pointer evaluating %s.%s", from.Type(), s.name)
		return reflect.Value{}
	}
}
