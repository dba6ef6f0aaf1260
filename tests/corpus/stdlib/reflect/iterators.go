// run

// Iterators of reflect: nil pointers to arrays, methods, and what cannot be ranged over.
package main

import (
	"fmt"
	"reflect"
)

type M struct{}

func (M) Each(yield func(int) bool)         { _ = yield(1) && yield(2) }
func (M) Both(yield func(int, string) bool) { _ = yield(1, "a") && yield(2, "b") }

func main() {
	for v := range reflect.ValueOf((*[3]int)(nil)).Seq() {
		fmt.Println(v)
	}
	for v := range reflect.ValueOf(M{}).Method(1).Seq() {
		fmt.Println(v)
	}
	for v, w := range reflect.ValueOf(M{}).MethodByName("Both").Seq2() {
		fmt.Println(v, w)
	}
	for _, v := range []any{1.5, struct{}{}, (*[3]int)(nil), func() {}} {
		func() {
			defer func() { fmt.Println(recover()) }()
			reflect.ValueOf(v).Seq2()
		}()
		func() {
			defer func() { fmt.Println(recover()) }()
			reflect.ValueOf(v).Seq()
		}()
	}
	func() {
		defer func() { fmt.Println(recover()) }()
		reflect.Value{}.Seq()
	}()
}
