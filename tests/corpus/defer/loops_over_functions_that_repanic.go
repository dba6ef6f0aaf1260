// run
// What loop bodies over functions defer belongs to the function around the loop: panics in it that
// are replaced and recovered stay away, as without the loop.
package main

import (
	"errors"
	"fmt"
	"runtime"
)

func seq(y func(int) bool) {
	for i := range 3 {
		if !y(i) {
			return
		}
	}
}

// guarded has deferred calls of its own, which run before those of the loop's function.
func guarded(y func(int) bool) {
	defer func() { fmt.Println("  iterator ends") }()
	for i := range 3 {
		if !y(i) {
			return
		}
	}
}

// swallowing recovers what the body panics with, which is then lost.
func swallowing(y func(int) bool) {
	defer func() { fmt.Println("  swallowed", recover()) }()
	seq(y)
}

//go:noinline
func apart(y func(int) bool) { seq(y) }

func try(name string, f func()) {
	defer func() { fmt.Println(name, "ends with", recover()) }()
	f()
	fmt.Println(name, "returns")
}

func replaced() {
	for i := range seq {
		if i == 1 {
			panic("first")
		}
		defer func() { fmt.Println("  recovered", recover()) }()
		defer func() { panic("second") }()
	}
}

func replacedApart() {
	for i := range apart {
		if i == 1 {
			panic("first")
		}
		defer func() { fmt.Println("  recovered", recover()) }()
		defer func() { panic("second") }()
	}
}

func replacedInIterator() {
	for i := range guarded {
		if i == 1 {
			panic("first")
		}
		defer func() { fmt.Println("  recovered", recover()) }()
		defer func() { panic("second") }()
		defer func() { fmt.Println("  before the second") }()
	}
}

func nested() (err error) {
	defer func() { fmt.Println("  outermost", recover(), err) }()
	for i := range seq {
		defer func() { fmt.Println("  outer body", i, recover()) }()
		for j := range guarded {
			defer func() {
				fmt.Println("  inner body", i, j, recover())
				if i == 1 {
					panic(fmt.Sprint("again ", j))
				}
			}()
			if i == 1 && j == 1 {
				return errors.New("returned")
			}
		}
	}
	return nil
}

func rethrown() {
	for i := range seq {
		defer func() {
			r := recover()
			fmt.Println("  rethrows", i, r)
			panic(fmt.Sprintf("%v+%d", r, i))
		}()
		if i == 2 {
			panic("start")
		}
	}
}

func mixed() {
	defer fmt.Println("  first of all")
	for i := range seq {
		defer fmt.Println("  in the body", i)
		if i == 1 {
			break
		}
	}
	defer func() { fmt.Println("  between", recover()) }()
	for i := range seq {
		defer func() {
			fmt.Println("  in the second body", i)
			if i == 1 {
				panic("of the second loop")
			}
		}()
	}
	defer fmt.Println("  last of all")
}

func nilFunc() {
	defer func() { fmt.Println("  nil func:", recover()) }()
	for i := range seq {
		var f func()
		if i != 1 {
			f = func() { fmt.Println("  not nil", i) }
		}
		defer f()
	}
}

func exits(done chan bool) {
	defer close(done)
	for i := range guarded {
		defer func() { fmt.Println("  exits", i, recover()) }()
		if i == 1 {
			defer func() {
				defer func() { fmt.Println("  inside", recover()) }()
				panic("in an exit")
			}()
			runtime.Goexit()
		}
	}
}

func exitsInDeferred(done chan bool) {
	defer close(done)
	defer func() { fmt.Println("  not recovered", recover()) }()
	for i := range seq {
		defer func() { fmt.Println("  deferred", i, recover()) }()
		if i == 1 {
			defer runtime.Goexit()
			panic("cut short")
		}
	}
}

func swallowed() {
	for i := range swallowing {
		defer fmt.Println("  after the swallowed", i)
		if i == 1 {
			panic("lost")
		}
	}
	fmt.Println("  goes on")
}

func deep(n int) {
	for i := range seq {
		defer func() {
			if r := recover(); r != nil {
				fmt.Println("  depth", n, "body", i, r)
				panic(fmt.Sprint(r, n))
			}
		}()
		if i == 2 {
			if n == 0 {
				panic("bottom")
			}
			deep(n - 1)
		}
	}
}

func value() (n int) {
	for i := range seq {
		defer func() { n = n*10 + i }()
		if i == 2 {
			return 7
		}
	}
	return 9
}

func recovering() (n int) {
	for i := range seq {
		defer func() {
			n += 100
			recover()
		}()
		if i == 1 {
			n = 5
			panic("gone")
		}
	}
	return 1
}

func inLiteral() {
	func() {
		for i := range seq {
			defer func() { fmt.Println("  literal", i, recover()) }()
			if i == 1 {
				panic("in a literal")
			}
		}
	}()
	fmt.Println("  after the literal")
}

func many() {
	total := 0
	defer func() { fmt.Println("  many", total, recover()) }()
	for i := range func(y func(int) bool) {
		for i := range 1000 {
			if !y(i) {
				return
			}
		}
	} {
		defer func() {
			total += i
			if i%250 == 0 {
				panic(i)
			}
		}()
	}
}

func main() {
	try("replaced", replaced)
	try("replaced apart", replacedApart)
	try("replaced in iterator", replacedInIterator)
	try("nested", func() { fmt.Println(nested()) })
	try("rethrown", rethrown)
	try("mixed", mixed)
	try("nil func", nilFunc)
	for _, f := range []func(chan bool){exits, exitsInDeferred} {
		done := make(chan bool)
		go f(done)
		<-done
	}
	try("swallowed", swallowed)
	try("deep", func() { deep(2) })
	try("value", func() { fmt.Println(value()) })
	try("recovering", func() { fmt.Println(recovering()) })
	try("in literal", inLiteral)
	try("many", many)
}
