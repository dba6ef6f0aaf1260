// run exit=2

// Jobs that panic in every way; the last one in a goroutine of its own.
package main

import (
	"fmt"
	"sync"
	"time"
)

type job struct {
	id int
	fn func() int
}

func worker(id int, jobs <-chan job, results chan<- string, wg *sync.WaitGroup) {
	defer wg.Done()
	for j := range jobs {
		func() {
			defer func() {
				if r := recover(); r != nil {
					results <- fmt.Sprintf("job %d panicked: %v", j.id, r)
				}
			}()
			results <- fmt.Sprintf("job %d: %d", j.id, j.fn())
		}()
	}
}

func main() {
	jobs, results := make(chan job), make(chan string, 10)
	var wg sync.WaitGroup
	wg.Add(1)
	go worker(1, jobs, results, &wg)
	var m map[string]int
	var arr [3]int
	k := 3
	var s []int
	var e any = "str"
	for i, f := range []func() int{
		func() int { return 42 },
		func() int { m["x"] = 1; return 0 },
		func() int { return arr[k%4] },
		func() int { return s[k] },
		func() int { return e.(int) },
		func() int { return k / (k - 3) },
		func() int { return len(s[k:]) },
		func() int { return len(make([]int, k-10)) },
		func() int { var p *job; return p.id },
		func() int { close((chan int)(nil)); return 1 },
		func() int { c := make(chan int); close(c); close(c); return 1 },
		func() int { return len([]byte("abc")[k:1]) },
		func() int { _ = [2]int(s); return 1 },
		func() int { var f func() int; return f() },
		func() int { panic(fmt.Sprintf("custom %d", k)) },
		func() int { panic(fmt.Errorf("err")) },
		func() int { x := map[any]int{}; x[s]++; return 1 },
		func() int { return k << (k - 4) },
		func() int { var a, b any = s, s; if a == b { return 1 }; return 2 },
		func() int { _ = e.(fmt.Stringer); return 1 },
	} {
		jobs <- job{i, f}
		fmt.Println(<-results)
	}
	close(jobs)
	wg.Wait()
	go func() {
		defer fmt.Println("deferred in goroutine")
		var p *job
		p.id++
	}()
	time.Sleep(time.Second)
	fmt.Println("not reached")
}
