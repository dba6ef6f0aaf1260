// One call of a native that lasts, beside a goroutine that stamps: prints the digest, how long the call took and the longest
// gap between stamps, in microseconds of the processors' time that the process has used: what others take from it is no gap of
// ours. The argument is the number of megabytes.
package main

import (
	"crypto/md5"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

// used is the time of processors that the process has had.
func used() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func main() {
	mb, _ := strconv.Atoi(os.Args[1])
	buf := make([]byte, mb<<20)
	for i := 0; i < len(buf); i += 4096 {
		buf[i] = byte(i >> 12)
	}
	var last, longest atomic.Int64
	go func() {
		for {
			now := int64(used())
			if gap := now - last.Load(); last.Load() != 0 && gap > longest.Load() {
				longest.Store(gap)
			}
			last.Store(now)
			time.Sleep(time.Millisecond)
		}
	}()
	if len(os.Args) > 2 {
		// Hogs on all Ps, so that the call waits for its turn and goes on wherever that is. They yield in between: hogs
		// that only wait to be preempted can share the Ps out so that nobody ever changes.
		for range 3 {
			go func() {
				for {
					for begin := time.Now(); time.Since(begin) < time.Millisecond; {
					}
					runtime.Gosched()
				}
			}()
		}
	}
	time.Sleep(5 * time.Millisecond)
	begin := used()
	sum := md5.Sum(buf)
	took := used() - begin
	time.Sleep(3 * time.Millisecond)
	fmt.Printf("%x %d %d\n", sum, took.Microseconds(), longest.Load()/1000)
}
