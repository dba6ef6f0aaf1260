package main

type L[T any] []T

func (l L[T]) w[U L[T]](u U) { _ = u[0] }
func q[T any, U L[T]](u U)   { _ = u[0] }
func q2[T any, U []T](u U)   { _ = u[0] }

type M []int

func (m M) w[U M](u U) { _ = u[0] }
func main()            { var x int = "a" }
