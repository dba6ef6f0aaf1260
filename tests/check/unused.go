package main

import (
	"errors"
	"fmt"
	str "strings"
	_ "os"
	. "io"
)

type local int

func f(unusedParam int) (unusedResult int) {
	var a int
	b := 1
	var c, d = 1, 2
	_ = c
	for i := 0; i < 10; i++ {
		e := i
	}
	for k, v := range []int{} {
	}
	for k := range []int{} {
		_ = k
	}
	if x := 1; true {
	}
	switch y := 2; {
	}
	switch z := any(1).(type) {
	case int:
	case string:
	}
	switch z := any(1).(type) {
	case int:
		_ = z
	case string:
	}
	g := func() {
		h := 1
		a = 2
	}
	const unusedConst = 1
	type unusedType int
	var used int
	used++
	var assigned int
	assigned = 1
	var p *int
	*p = 1
	var s []int
	s[0] = 1
	var st struct{ x int }
	st.x = 1
	select {
	case r := <-make(chan int):
	case r2, ok := <-make(chan int):
		_ = ok
	}
	var q, w int
	q, w = 1, 2
	{
		b := b
	}
label:
	for {
		break label
	}
	return
}

func main() { f(1) }
