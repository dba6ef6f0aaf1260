// What two send by reflection comes in any order.
package main

import "reflect"

func main() {
	c := reflect.MakeChan(reflect.TypeFor[chan int](), 2)
	done := make(chan bool, 2)
	for i := range 2 {
		go func() {
			c.Send(reflect.ValueOf(i))
			done <- true
		}()
	}
	<-done
	<-done
	if v, _ := c.Recv(); v.Int() == 0 {
		panic("the first is first")
	}
}
