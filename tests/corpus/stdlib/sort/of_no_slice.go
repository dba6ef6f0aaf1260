// run

// What sort.Slice and its kin say of what is no slice.
package main

import (
	"fmt"
	"reflect"
	"sort"
)

func try(what string, f func() any) {
	defer func() {
		if e := recover(); e != nil {
			_, isErr := e.(error)
			fmt.Printf("%s: panic %v %T %v\n", what, e, e, isErr)
		}
	}()
	fmt.Printf("%s: %v\n", what, f())
}

func main() {
	for _, x := range []any{5, nil, "ab", "a", "", map[int]int{1: 1, 2: 2}, make(chan int), [3]int{}, &[2]int{},
		(*int)(nil), []int(nil), struct{}{}, func() {}, 1.5, [1]int{}} {
		try(fmt.Sprintf("%T", x), func() any { return sort.SliceIsSorted(x, nil) })
		try(fmt.Sprintf("%T", x), func() any { sort.Slice(x, nil); return "sorted" })
		try(fmt.Sprintf("%T", x), func() any { sort.SliceStable(x, nil); return "sorted" })
		try(fmt.Sprintf("%T", x), func() any { return reflect.ValueOf(x).Len() })
	}
	try("Convert", func() any { return reflect.Value{}.Convert(nil) })
	try("Convert", func() any { return reflect.Value{}.Convert(reflect.TypeOf("")) })
	try("Convert", func() any { return reflect.ValueOf(1).Convert(nil) })
	try("CanConvert", func() any { return reflect.Value{}.CanConvert(reflect.TypeOf("")) })
}
