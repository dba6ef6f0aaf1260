package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
)

// A log that one goroutine writes to a file, until it is closed.
type logger struct {
	path   string
	lines  chan string
	closed atomic.Bool
	mu     sync.RWMutex
	end    chan error
}

func open() (*logger, error) {
	f, err := os.CreateTemp("", "*.log")
	if err != nil {
		return nil, err
	}
	l := &logger{path: f.Name(), lines: make(chan string, 8), end: make(chan error)}
	go func() {
		for line := range l.lines {
			fmt.Fprintln(f, line)
		}
		l.end <- f.Close()
	}()
	return l, nil
}

func (l *logger) log(line string) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed.Load() {
		return
	}
	l.lines <- line
}

func (l *logger) close() error {
	l.mu.Lock()
	l.closed.Store(true)
	close(l.lines)
	l.mu.Unlock()
	return <-l.end
}

func main() {
	l, err := open()
	if err != nil {
		panic(err)
	}
	defer os.Remove(l.path)
	var wg sync.WaitGroup
	begun := make(chan bool)
	for range 2 {
		wg.Go(func() {
			l.log("it begins")
			begun <- true
			for _, what := range []string{"on", "well", "by"} {
				l.log("it goes " + what)
			}
		})
	}
	<-begun
	<-begun
	if err := l.close(); err != nil {
		panic(err)
	}
	wg.Wait()
	text, err := os.ReadFile(l.path)
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.HasPrefix(string(text), "it begins\n"))
}
