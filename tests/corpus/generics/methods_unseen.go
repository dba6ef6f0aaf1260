// run

// Generic methods are in no method table: reflection and interfaces do not see them.
package main

import (
	"fmt"
	"reflect"
)

type T struct{}

func (T) A()             {}
func (T) N[E any](e E) E { return e }

type I interface{ A() }

func main() {
	t := reflect.TypeOf(T{})
	for i := 0; i < t.NumMethod(); i++ {
		fmt.Println(t.Method(i).Name, t.Method(i).Type)
	}
	_, ok := t.MethodByName("N")
	fmt.Println(ok, T{}.N(3))
	var x any = T{}
	_, ok = x.(interface{ N(int) int })
	fmt.Println(ok)
}
