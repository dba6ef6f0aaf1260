// run

package main

import (
	"fmt"
	"reflect"
	"sync"
)

type pair struct {
	A int
	B string
}

type big struct {
	A [5000]byte
	N int
}

func try(f func()) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Printf("panic %T: %v\n", e, e)
		}
	}()
	f()
}

func main() {
	for _, x := range []any{int8(-5), uint16(9), "text", pair{1, "two"}, 2.5, float32(1.5), big{N: 7}.N,
		[]int{1, 2}, map[string]int{"a": 1}, struct{}{}, complex(1, 2), complex64(3), true} {
		v := reflect.ValueOf(x)
		c := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, v.Type()), 2)
		c.Send(v)
		fmt.Println(c.Type(), c.Len(), c.Cap(), c.TrySend(v), c.TrySend(v))
		r, ok := c.Recv()
		fmt.Println(r, r.Type(), ok)
		r, ok = c.TryRecv()
		fmt.Println(r, ok)
		r, ok = c.TryRecv()
		fmt.Println(r.IsValid(), ok)
		c.Close()
		r, ok = c.Recv()
		fmt.Println(r, r.Type(), ok)
		r, ok = c.TryRecv()
		fmt.Println(r.IsValid(), ok)
		try(func() { c.Close() })
		try(func() { c.Send(v) })
	}
	b := make(chan big, 1)
	reflect.ValueOf(b).Send(reflect.ValueOf(big{N: 3}))
	fmt.Println((<-b).N)
	b <- big{N: 4}
	r, ok := reflect.ValueOf(b).Recv()
	fmt.Println(r.Field(1), ok)
	e := make(chan error, 1)
	reflect.ValueOf(e).Send(reflect.ValueOf(fmt.Errorf("an error")))
	fmt.Println(<-e)
	e <- nil
	r, ok = reflect.ValueOf(e).Recv()
	fmt.Println(r.Kind(), r.IsNil(), ok)

	try(func() { reflect.ValueOf((<-chan int)(nil)).Send(reflect.ValueOf(1)) })
	try(func() { reflect.ValueOf((chan<- int)(nil)).Recv() })
	try(func() { reflect.ValueOf((<-chan int)(nil)).Close() })
	try(func() { reflect.ValueOf((chan int)(nil)).Close() })
	try(func() { reflect.ValueOf(make(chan int, 1)).Send(reflect.ValueOf("x")) })
	try(func() { reflect.MakeChan(reflect.TypeOf(1), 0) })
	try(func() { reflect.MakeChan(reflect.TypeOf(make(<-chan int)), 0) })
	try(func() { reflect.MakeChan(reflect.TypeOf(make(chan int)), -1) })
	try(func() { reflect.ValueOf(1).Recv() })

	// Waiting, both ways.
	c := make(chan pair)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for i := range 3 {
			reflect.ValueOf(c).Send(reflect.ValueOf(pair{i, "p"}))
		}
		close(c)
	}()
	for x := range reflect.ValueOf(c).Seq() {
		fmt.Println(x)
	}
	wg.Wait()

	c1, c2, done := make(chan int), make(chan string), make(chan bool)
	go func() {
		c1 <- 1
		c2 <- "two"
		done <- <-c1 == 77
	}()
	cases := []reflect.SelectCase{
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c1)},
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c2)},
		{Dir: reflect.SelectRecv},
	}
	i, x, ok := reflect.Select(cases)
	fmt.Println(i, x, ok)
	i, x, ok = reflect.Select(cases)
	fmt.Println(i, x, ok)
	i, x, ok = reflect.Select([]reflect.SelectCase{
		{Dir: reflect.SelectSend, Chan: reflect.ValueOf(c1), Send: reflect.ValueOf(77)},
		{Dir: reflect.SelectSend},
	})
	fmt.Println(i, x.IsValid(), ok)
	fmt.Println(<-done)
	i, x, ok = reflect.Select(append(cases, reflect.SelectCase{Dir: reflect.SelectDefault}))
	fmt.Println(i, x.IsValid(), ok)
	close(c2)
	i, x, ok = reflect.Select(cases)
	fmt.Printf("%d %q %v\n", i, x, ok)
	try(func() { reflect.Select([]reflect.SelectCase{{Dir: 9}}) })
	try(func() {
		reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectDefault}, {Dir: reflect.SelectDefault}})
	})
	try(func() {
		reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectDefault, Chan: reflect.ValueOf(c1)}})
	})
	try(func() {
		reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: reflect.ValueOf(c1)}})
	})
	try(func() {
		reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: reflect.ValueOf(c2), Send: reflect.ValueOf("x")}})
	})
	many := make([]reflect.SelectCase, 40)
	chans := make([]chan int, 40)
	for i := range many {
		chans[i] = make(chan int)
		many[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(chans[i])}
	}
	go func() { chans[33] <- 5 }()
	fmt.Println(reflect.Select(many))
}
