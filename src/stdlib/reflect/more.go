package reflect

// Swapper returns a function that exchanges elements of a slice.
func Swapper(slice any) func(i, j int) {
	v := ValueOf(slice)
	if v.Kind() != Slice {
		panic(&ValueError{Method: "Swapper", Kind: v.Kind()})
	}
	n := uint(v.Len())
	return func(i, j int) {
		if uint(i) >= n || uint(j) >= n {
			panic("reflect: slice index out of range")
		}
		swap(v, i, j)
	}
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
