package reflect

import "unsafe"

// Swapper returns a function that exchanges elements of a slice.
func Swapper(slice any) func(i, j int) {
	v := ValueOf(slice)
	if v.Kind() != Slice {
		panic(&ValueError{Method: "Swapper", Kind: v.Kind()})
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
	x := *(*[]T)(v.at())
	return func(i, j int) { x[i], x[j] = x[j], x[i] }
}

// VisibleFields returns the fields of a struct type that a selector can name, those of embedded
// structs with them.
func VisibleFields(t Type) []StructField {
	if t == nil {
		panic("reflect: VisibleFields(nil)")
	}
	if t.Kind() != Struct {
		panic("reflect.VisibleFields of non-struct type")
	}
	w := visible{at: map[string]int{}, open: map[Type]bool{}}
	w.walk(t, nil)
	shown := w.fields[:0]
	for i := range w.fields {
		// What another one has hidden has lost its name.
		if w.fields[i].Name != "" {
			shown = append(shown, w.fields[i])
		}
	}
	return shown
}

// visible is what VisibleFields has found.
type visible struct {
	fields []StructField
	at     map[string]int // the field of each name that is deepest in embedding: its place
	open   map[Type]bool  // the structs that are being looked at
}

func (w *visible) walk(t Type, index []int) {
	if w.open[t] {
		return
	}
	w.open[t] = true
	defer delete(w.open, t)
	for i := range t.NumField() {
		f := t.Field(i)
		path := append(index[:len(index):len(index)], i)
		f.Index = path
		add := true
		if k, ok := w.at[f.Name]; ok {
			old := &w.fields[k]
			switch n, m := len(path), len(old.Index); {
			case n == m:
				// Neither can be named.
				old.Name = ""
				add = false
			case n < m:
				old.Name = ""
			default:
				add = false
			}
		}
		if add {
			w.at[f.Name] = len(w.fields)
			w.fields = append(w.fields, f)
		}
		if !f.Anonymous {
			continue
		}
		e := f.Type
		if e.Kind() == Pointer {
			e = e.Elem()
		}
		if e.Kind() == Struct {
			w.walk(e, path)
		}
	}
}

// DeepEqual says whether x and y are equal, and what they point to, and so on.
func DeepEqual(x, y any) bool

func swap(v Value, i, j int)
