// run
package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"runtime/pprof"
	"strings"
)

func show(what string, ctx context.Context) {
	fmt.Print(what, ":")
	pprof.ForLabels(ctx, func(key, value string) bool {
		fmt.Printf(" %s=%s", key, value)
		return key != "stop"
	})
	fmt.Println()
}

// labels is the lines with labels in the profile of goroutines, in order.
func labels() []string {
	var b bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&b, 1)
	return regexp.MustCompile(`# labels: .*`).FindAllString(b.String(), -1)
}

func main() {
	ctx := context.Background()
	show("none", ctx)
	ctx = pprof.WithLabels(ctx, pprof.Labels("b", "2", "a", "1", "b", "3"))
	show("two", ctx)
	inner := pprof.WithLabels(ctx, pprof.Labels("b", "4", "z", "5", "stop", ""))
	show("merged", inner)
	show("as before", ctx)
	value, ok := pprof.Label(inner, "z")
	fmt.Println(value, ok)
	value, ok = pprof.Label(ctx, "z")
	fmt.Println(value, ok)
	func() {
		defer func() { fmt.Println(recover()) }()
		pprof.Labels("odd")
	}()

	fmt.Println(labels())
	stop := make(chan bool)
	pprof.Do(ctx, pprof.Labels("who", "\"me\" & ü"), func(ctx context.Context) {
		fmt.Println(labels())
		ready := make(chan bool)
		go func() {
			// Those of the goroutine that has started it.
			ready <- true
			<-stop
		}()
		<-ready
		pprof.SetGoroutineLabels(context.Background())
		fmt.Println(labels())
		pprof.SetGoroutineLabels(ctx)
	})
	// As they are in the context that Do was given.
	all := labels()
	fmt.Println(len(all), strings.Contains(strings.Join(all, "\n"), `{"a":"1", "b":"3"}`))
	pprof.SetGoroutineLabels(context.Background())
	stop <- true
}
