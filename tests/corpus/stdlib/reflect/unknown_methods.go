// run

// Functions of reflect that are no methods do not say which one refuses a value.
package main

import (
	"fmt"
	"reflect"
)

type hidden struct {
	list  []int
	array [2]int
	queue chan int
	n     int
}

func try(what string, f func()) {
	defer func() { fmt.Printf("%s: %v\n", what, recover()) }()
	f()
}

func main() {
	h := hidden{list: []int{1}, queue: make(chan int, 1)}
	v := reflect.ValueOf(&h).Elem()
	list, array, queue, n := v.Field(0), v.Field(1), v.Field(2), v.Field(3)
	try("copy to an array", func() { reflect.Copy(reflect.ValueOf([2]int{}), reflect.ValueOf([]int{1})) })
	try("copy to a hidden array", func() { reflect.Copy(array, reflect.ValueOf([]int{1})) })
	try("copy to a hidden slice", func() { reflect.Copy(list, reflect.ValueOf([]int{1})) })
	try("copy from a hidden slice", func() { reflect.Copy(reflect.ValueOf([]int{1}), list) })
	try("append to a hidden slice", func() { reflect.Append(list, reflect.ValueOf(1)) })
	try("append nothing to a hidden slice", func() { reflect.Append(list) })
	try("append a hidden number", func() { reflect.Append(reflect.ValueOf([]int{1}), n) })
	try("append a hidden slice", func() { reflect.AppendSlice(reflect.ValueOf([]int{1}), list) })
	for _, c := range []reflect.SelectCase{
		{Dir: reflect.SelectRecv, Chan: queue},
		{Dir: reflect.SelectSend, Chan: queue, Send: reflect.ValueOf(1)},
		{Dir: reflect.SelectSend, Chan: reflect.ValueOf(h.queue), Send: n},
		{Dir: reflect.SelectRecv, Chan: n},
	} {
		try("select", func() { reflect.Select([]reflect.SelectCase{c}) })
	}
	try("send", func() { queue.Send(reflect.ValueOf(1)) })
	try("set", func() { n.SetInt(1) })
	try("set what is no variable", func() { reflect.ValueOf(1).SetInt(1) })
}
