// run

// Stages of goroutines that are canceled, a cache under a lock, tickers.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

type Result[T any] struct {
	Value T
	Err   error
}

func generate(ctx context.Context, n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			select {
			case out <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func stage[A, B any](ctx context.Context, workers int, in <-chan A, f func(A) (B, error)) <-chan Result[B] {
	out := make(chan Result[B], workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for a := range in {
				b, err := f(a)
				select {
				case out <- Result[B]{b, err}:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go func() { wg.Wait(); close(out) }()
	return out
}

var errOdd = errors.New("odd")

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	squares := stage(ctx, 4, generate(ctx, 50), func(i int) (int, error) {
		if i%7 == 3 {
			return 0, fmt.Errorf("item %d: %w", i, errOdd)
		}
		return i * i, nil
	})
	var values []int
	var errs []error
	for r := range squares {
		if r.Err != nil {
			errs = append(errs, r.Err)
			continue
		}
		values = append(values, r.Value)
	}
	sort.Ints(values)
	sort.Slice(errs, func(i, j int) bool { return errs[i].Error() < errs[j].Error() })
	fmt.Println(values)
	joined := errors.Join(errs...)
	fmt.Println(joined)
	fmt.Println(errors.Is(joined, errOdd), len(errs))

	// Cancellation.
	ctx2, cancel2 := context.WithCancelCause(context.Background())
	var seen atomic.Int64
	strs := stage(ctx2, 2, generate(ctx2, 1_000_000), func(i int) (string, error) {
		if seen.Add(1) == 100 {
			cancel2(errors.New("enough"))
		}
		return fmt.Sprint(i), nil
	})
	n := 0
	for range strs {
		n++
	}
	fmt.Println(n >= 90 && n < 1_000_000, context.Cause(ctx2), ctx2.Err())

	var mu sync.RWMutex
	cache := map[int]string{}
	get := func(k int) string {
		mu.RLock()
		v, ok := cache[k]
		mu.RUnlock()
		if ok {
			return v
		}
		mu.Lock()
		defer mu.Unlock()
		if v, ok := cache[k]; ok {
			return v
		}
		v = fmt.Sprintf("v%03d", k)
		cache[k] = v
		return v
	}
	var wg sync.WaitGroup
	for g := range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 100 {
				if get((g*i)%17) == "" {
					os.Exit(3)
				}
				runtime.Gosched()
			}
		}()
	}
	wg.Wait()
	fmt.Println(len(cache))
	once := sync.OnceValues(func() (int, error) { fmt.Println("once"); return 42, nil })
	fmt.Println(once())
	fmt.Println(once())
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	k := 0
	for range tick.C {
		if k++; k == 3 {
			break
		}
	}
	select {
	case <-time.After(20 * time.Millisecond):
		fmt.Println("timeout")
	case <-ctx.Done():
		fmt.Println("ctx")
	}
}
