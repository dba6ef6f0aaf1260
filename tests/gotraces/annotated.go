// A trace that the program writes itself, with tasks, regions and logs; and that of a flight
// recorder which keeps little.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
	"time"
)

var over = make(chan int)

// waiting has been there before the trace, and waits until it is over.
func waiting() { <-over }

func work(ctx context.Context, n int, wg *sync.WaitGroup) {
	defer wg.Done()
	ctx, task := trace.NewTask(ctx, "part")
	defer task.End()
	trace.WithRegion(ctx, "outer", func() {
		defer trace.StartRegion(ctx, "inner").End()
		trace.Logf(ctx, "number", "it is %d", n)
		time.Sleep(time.Millisecond)
	})
}

func parts(ctx context.Context, n int) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go work(ctx, i, &wg)
	}
	wg.Wait()
}

func main() {
	go waiting()
	runtime.Gosched()
	fmt.Println(trace.IsEnabled())
	var out bytes.Buffer
	if err := trace.Start(&out); err != nil {
		panic(err)
	}
	fmt.Println(trace.IsEnabled(), trace.Start(&out))
	fr := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: time.Millisecond})
	fmt.Println(fr.Start(), fr.Start(), fr.Enabled())
	ctx, task := trace.NewTask(context.Background(), "all")
	trace.Log(ctx, "long", strings.Repeat("x", 3000))
	begin := time.Now()
	for time.Since(begin) < 1500*time.Millisecond {
		parts(ctx, 3)
		runtime.GC()
		file, err := os.Open(os.Args[0])
		if err == nil {
			file.Close()
		}
	}
	task.End()
	var last bytes.Buffer
	n, err := fr.WriteTo(&last)
	fmt.Println(n == int64(last.Len()), err)
	fr.Stop()
	n, err = fr.WriteTo(&last)
	fmt.Println(n, err, fr.Enabled(), trace.IsEnabled())
	trace.Stop()
	fmt.Println(trace.IsEnabled())
	trace.Stop()
	over <- 1
	// Another one, and a recorder that records alone.
	var second bytes.Buffer
	fmt.Println(fr.Start(), trace.IsEnabled())
	parts(ctx, 2)
	n, err = fr.WriteTo(&second)
	fmt.Println(n > 100, err)
	fr.Stop()
	if len(os.Args) > 1 {
		for i, data := range [][]byte{out.Bytes(), last.Bytes(), second.Bytes()} {
			os.WriteFile(fmt.Sprintf("%s.%d", os.Args[1], i), data, 0o600)
		}
	}
}
