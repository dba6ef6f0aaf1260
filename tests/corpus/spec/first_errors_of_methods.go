// errorcheck
package main

type parser struct {
	pos int
}

func (p *parser) a() { p.s = 1 }
func (p *parser) b() { p.s = 1 }
func f()             { s = 1 }
func (p *parser) c() { p.s = 1 }
func (q *writer) c() { q.s = 1 }

type writer struct{ at int }

func (p *parser) d() { p.s = 1 }
func (p *parser) e() { p.s = 1 }
func (p *parser) f() { p.s = 1 }
func (q *writer) d() { q.s = 1 }
func (p *parser) g() { p.s = 1 }
func (p *parser) h() { p.s = 1 }
func g()             { s = 1 }
func (p *parser) i() { p.s = 1 }

func main() {}
