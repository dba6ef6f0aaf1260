// run procs=1
package main

import (
	"fmt"
	"runtime"
	"strings"
)

// Numbers of the goroutines in a dump, in its order.
func dump() []string {
	buf := make([]byte, 1<<16)
	var ids []string
	for _, line := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n") {
		if strings.HasPrefix(line, "goroutine ") {
			ids = append(ids, strings.Fields(line)[1])
		}
	}
	return ids
}

func main() {
	var stops []chan bool
	var order []string
	start := func() {
		stop, began := make(chan bool), make(chan string)
		go func() {
			buf := make([]byte, 64)
			began <- strings.Fields(string(buf[:runtime.Stack(buf, false)]))[1]
			<-stop
			stop <- true
		}()
		order = append(order, <-began)
		stops = append(stops, stop)
	}
	for i := 0; i < 6; i++ {
		start()
	}
	runtime.Gosched()
	ids := dump()
	fmt.Println("the caller first:", ids[0] == "1")
	fmt.Println("then in order of making:", fmt.Sprint(ids[1:]) == fmt.Sprint(order))

	stops[2] <- true
	<-stops[2]
	runtime.Gosched()
	start()
	runtime.Gosched()
	order[2] = order[6]
	fmt.Println("a new one in the old one's place:", fmt.Sprint(dump()[1:]) == fmt.Sprint(order[:6]))
}
