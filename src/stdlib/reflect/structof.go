package reflect

import (
	"strconv"
	"unicode"
)

// StructOf returns the struct type with these fields, whose offsets and indices do not matter.
func StructOf(fields []StructField) Type {
	list := make([]field, len(fields))
	names := map[string]bool{}
	pkg := ""
	size := uintptr(0)
	for i, f := range fields {
		at := "reflect.StructOf: field " + strconv.Itoa(i)
		switch {
		case f.Name == "":
			panic(at + " has no name")
		case !isIdentifier(f.Name):
			panic(at + " has invalid name")
		case f.Type == nil:
			panic(at + " has no type")
		}
		t := f.Type.base()
		quoted := "reflect.StructOf: field \"" + f.Name + "\" is "
		switch {
		case f.Anonymous && f.PkgPath != "":
			panic(quoted + "anonymous but has PkgPath set")
		case f.PkgPath == "" && (f.Name[0] == '_' || 'a' <= f.Name[0] && f.Name[0] <= 'z'):
			panic(quoted + "unexported but missing PkgPath")
		}
		if f.PkgPath != "" {
			if pkg != "" && pkg != f.PkgPath {
				panic("reflect.StructOf: fields with different PkgPath " + pkg +
					" and " + f.PkgPath)
			}
			pkg = f.PkgPath
		}
		if f.Anonymous {
			checkEmbedded(i, len(fields), t)
		}
		if names[f.Name] && f.Name != "_" {
			panic("reflect.StructOf: duplicate field " + f.Name)
		}
		names[f.Name] = true
		size += t.size
		if size < t.size || size > 1<<62 {
			panic("reflect.StructOf: struct size would exceed virtual address space")
		}
		list[i] = field{f.Name, f.PkgPath, t, 0, f.Anonymous, f.PkgPath == "", string(f.Tag)}
	}
	return structOf(list)
}

// checkEmbedded panics for what cannot be embedded: nothing promotes its methods.
func checkEmbedded(i, n int, t *rtype) {
	e := t
	if Kind(t.kind) == Pointer {
		e = t.elem
		if k := Kind(e.kind); k == Interface || k == Pointer {
			panic("reflect.StructOf: illegal embedded field type " + t.text)
		}
	}
	if Kind(t.kind) == Interface {
		for k := range t.interfaces.n {
			if t.imethod(k).pkg != "" {
				panic("reflect: embedded interface with unexported method(s) not implemented")
			}
		}
		return
	}
	if methodCount(t) == 0 && methodCount(pointerTo(e)) == 0 {
		return
	}
	switch {
	case i > 0:
		panic("reflect: embedded type with methods not implemented " +
			"if type is not first field")
	case n > 1:
		panic("reflect: embedded type with methods not implemented " +
			"if there is more than one field")
	}
}

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

func structOf(fields []field) *rtype
