// run exit=2
//go:debug tracebacklabels=0

// With tracebacklabels=0 tracebacks do not show labels.
package main

import (
	"context"
	"runtime/pprof"
)

func main() {
	pprof.Do(context.Background(), pprof.Labels("k", "v"), func(context.Context) {
		panic("x")
	})
}
