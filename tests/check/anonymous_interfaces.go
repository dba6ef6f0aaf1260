// Interface literals that lead back to themselves.

package main

type T interface {
	m() interface{ T }
	E
}

type E interface {
	e() int
}

type A B

type B interface {
	m() interface{ C }
	E
}

type C A

type fine interface {
	m() fine
	n() interface{ e() fine }
}

type listed interface {
	m() []map[string]chan func(*struct{ f interface{ listed } })
}

func main() {}
