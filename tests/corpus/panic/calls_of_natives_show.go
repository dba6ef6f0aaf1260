// run

// A traceback shows what of the library a goroutine has called, whoever has written that in which language.
package main

import (
	"fmt"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"
)

// innermost names the innermost function on each stack that the library exports, and who called it.
func innermost(dump string) (found []string) {
	for _, stack := range strings.Split(dump, "\n\n")[1:] {
		var names []string
		for _, line := range strings.Split(stack, "\n")[1:] {
			if end := strings.LastIndexByte(line, '('); end > 0 && line[0] != '\t' {
				names = append(names, line[:end])
			}
		}
		for i, name := range names {
			if strings.HasPrefix(name, "sync.(*") || strings.HasPrefix(name, "time.") {
				found = append(found, name+" < "+names[i+1])
				break
			}
		}
	}
	sort.Strings(found)
	return found
}

func main() {
	var held sync.Mutex
	var read, written sync.RWMutex
	var wg sync.WaitGroup
	cond := sync.NewCond(new(sync.Mutex))
	held.Lock()
	read.RLock()
	written.Lock()
	wg.Add(1)
	for _, wait := range []func(){
		func() { held.Lock() },
		func() { written.RLock() },
		func() { read.Lock() },
		func() { wg.Wait() },
		func() { cond.L.Lock(); cond.Wait() },
		func() { time.Sleep(time.Hour) },
	} {
		go wait()
	}
	for tries := 0; ; tries++ {
		dump := make([]byte, 1<<16)
		dump = dump[:runtime.Stack(dump, true)]
		found := innermost(string(dump))
		if len(found) == 6 || tries == 1000 {
			for _, f := range found {
				fmt.Println(f)
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
}
