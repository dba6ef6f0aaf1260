package reflect

import "unsafe"

// Swapper returns a function that exchanges elements of a slice.
func Swapper(slice any) func(i, j int) {
	v := ValueOf(slice)
	if k := v.kind(); k != Slice {
		panic(&ValueError{"Swapper", k})
	}
	n, t := uint(v.Len()), v.typ().elem
	if n > 1 {
		// Of some elements Go makes slices, whose indices panic otherwise.
		has := t.flags&hasPointers != 0
		switch {
		case Kind(t.kind) == String:
			return swapper[string](v)
		case t.size == 8 && has:
			return swapper[unsafe.Pointer](v)
		case t.size == 8:
			return swapper[int64](v)
		case t.size == 4:
			return swapper[int32](v)
		case t.size == 2:
			return swapper[int16](v)
		case t.size == 1:
			return swapper[int8](v)
		}
	}
	return func(i, j int) {
		if uint(i) >= n || uint(j) >= n {
			panic("reflect: slice index out of range")
		}
		swap(v, i, j)
	}
}

func swapper[T any](v Value) func(i, j int) {
	list := *(*[]T)(v.at())
	return func(i, j int) { list[i], list[j] = list[j], list[i] }
}

// VisibleFields returns the fields of a struct type that a selector can name, those of embedded
// structs with them.
func VisibleFields(t Type) []StructField {
	switch {
	case t == nil:
		panic("reflect: VisibleFields(nil)")
	case t.Kind() != Struct:
		panic("reflect.VisibleFields of non-struct type")
	}
	w := visible{level: map[string]int{}, open: map[Type]bool{}}
	w.walk(t, nil)
	var shown []StructField
	for _, f := range w.fields {
		if w.level[f.Name] == len(f.Index) {
			shown = append(shown, f)
		}
	}
	return shown
}

// visible is what VisibleFields has found: all fields, and for each name how deep in embedding the
// one that it stands for lies. Of two that are equally deep neither can be named; then that is
// less than 0.
type visible struct {
	fields []StructField
	level  map[string]int
	open   map[Type]bool // the structs that are being looked at
}

func (w *visible) walk(t Type, above []int) {
	if w.open[t] {
		return
	}
	w.open[t] = true
	defer delete(w.open, t)
	for f := range t.Fields() {
		f.Index = append(above[:len(above):len(above)], f.Index...)
		w.fields = append(w.fields, f)
		depth := len(f.Index)
		switch known := w.level[f.Name]; {
		case known == depth:
			w.level[f.Name] = -depth
		case known == 0 || depth < max(known, -known):
			w.level[f.Name] = depth
		}
		if inner := f.Type; f.Anonymous {
			if inner.Kind() == Pointer {
				inner = inner.Elem()
			}
			if inner.Kind() == Struct {
				w.walk(inner, f.Index)
			}
		}
	}
}

// DeepEqual says whether x and y are equal, and what they point to, and so on.
func DeepEqual(x, y any) bool

func swap(v Value, i, j int)
