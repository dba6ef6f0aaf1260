// run
// go1.25 took core types out of the language and changed no program: what operations ask of all
// types of a type set.
package main

import "fmt"

type bytes interface{ ~string | ~[]byte }
type sends interface{ ~chan int | ~chan<- int }
type callable interface{ ~func(int) int }
type keyed interface{ ~map[string]int }

func tail[S bytes](s S) S                         { return s[1:] }
func at[S bytes](s S, i int) byte                 { return s[i] }
func join[S ~[]byte, T bytes](s S, t T) S         { return append(s, t...) }
func put[C sends](c C, x int)                     { c <- x }
func call[F callable](f F, x int) int             { return f(x) }
func fresh[M keyed]() M                           { m := make(M); m["a"] = 1; return M{"b": m["a"]} }
func elems[S ~[]int | ~[2]int | ~string](s S) int { return len(s) }
func deref[P *T, T any](p P) T                    { return *p }

type op func(int) int
type table map[string]int

func main() {
	fmt.Println(tail("abc"), tail([]byte("abc")), at("abc", 1), string(join([]byte("a"), "bc")))
	c := make(chan int, 1)
	put(c, 3)
	fmt.Println(<-c, call(op(func(i int) int { return i + 1 }), 4), fresh[table]())
	fmt.Println(elems([]int{1, 2, 3}), elems("four"), deref(&c) == c)
}
