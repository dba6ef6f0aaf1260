package ast

import (
	"fmt"
	"go/token"
)

// Scope has the objects that a block declares.
type Scope struct {
	Outer   *Scope
	Objects map[string]*Object
}

// NewScope returns an empty scope within another.
func NewScope(outer *Scope) *Scope {
	return &Scope{outer, map[string]*Object{}}
}

// Lookup returns the object of that name in this scope, or nil.
func (s *Scope) Lookup(name string) *Object { return s.Objects[name] }

// Insert adds an object, unless there is one of the name, which it returns.
func (s *Scope) Insert(obj *Object) (alt *Object) {
	if alt := s.Objects[obj.Name]; alt != nil {
		return alt
	}
	s.Objects[obj.Name] = obj
	return nil
}

func (s *Scope) String() string {
	lines := fmt.Appendf(nil, "scope %p {", s)
	if s != nil {
		first := "\n"
		for _, obj := range s.Objects {
			lines = fmt.Appendf(lines, "%s\t%s %s\n", first, obj.Kind, obj.Name)
			first = ""
		}
	}
	return string(lines) + "}\n"
}

// Object is what a name stands for.
type Object struct {
	Kind ObjKind
	Name string
	Decl any
	Data any
	Type any
}

// NewObj returns an object of a kind.
func NewObj(kind ObjKind, name string) *Object { return &Object{Kind: kind, Name: name} }

// Pos returns where the name is declared.
func (obj *Object) Pos() token.Pos {
	var names []*Ident
	switch d := obj.Decl.(type) {
	case *Field:
		names = d.Names
	case *ImportSpec:
		if d.Name == nil || d.Name.Name != obj.Name {
			return d.Path.Pos()
		}
		return d.Name.Pos()
	case *ValueSpec:
		names = d.Names
	case *TypeSpec:
		names = []*Ident{d.Name}
	case *FuncDecl:
		names = []*Ident{d.Name}
	case *LabeledStmt:
		names = []*Ident{d.Label}
	case *AssignStmt:
		for _, x := range d.Lhs {
			if name, ok := x.(*Ident); ok {
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		if name.Name == obj.Name {
			return name.Pos()
		}
	}
	return token.NoPos
}

// ObjKind is a kind of object.
type ObjKind int

const (
	Bad ObjKind = iota
	Pkg
	Con
	Typ
	Var
	Fun
	Lbl
)

func (kind ObjKind) String() string {
	return [...]string{"bad", "package", "const", "type", "var", "func", "label"}[kind]
}
