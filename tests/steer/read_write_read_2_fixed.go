package main

import (
	"errors"
	"fmt"
	"sync"
)

// The levels of a tank farm, which say what they are when they are printed.
type levels struct {
	mu   sync.RWMutex
	tank [4]int
}

func (l *levels) String() string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	sum := 0
	for _, n := range l.tank {
		sum += n
	}
	return fmt.Sprintf("%d in %d tanks", sum, len(l.tank))
}

func (l *levels) check(least int) error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var low []error
	for i, n := range l.tank {
		if n < least {
			low = append(low, fmt.Errorf("tank %d: %d of %d", i, n, least))
		}
	}
	return errors.Join(low...)
}

func (l *levels) pump(from, to, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tank[from] -= n
	l.tank[to] += n
}

func main() {
	l := &levels{tank: [4]int{40, 30, 5, 40}}
	pumped := make(chan struct{})
	go func() {
		l.pump(0, 1, 10)
		close(pumped)
	}()
	if err := l.check(10); err != nil {
		fmt.Println("too little in a tank")
	}
	<-pumped
	fmt.Println(l)
}
