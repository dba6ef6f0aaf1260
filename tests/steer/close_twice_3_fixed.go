package main

import (
	"context"
	"fmt"
	"sync"
)

// A lamp that goes out when somebody presses the button, or when the power fails.
type lamp struct {
	dark chan struct{}
	once sync.Once
}

func (l *lamp) out() {
	l.once.Do(func() { close(l.dark) })
}

func (l *lamp) plug(power context.Context) (unplug func()) {
	stop := context.AfterFunc(power, l.out)
	return func() { stop() }
}

func main() {
	power, fail := context.WithCancel(context.Background())
	defer fail()
	var people sync.WaitGroup
	var lamps []*lamp
	for _, where := range []string{"hall", "stairs"} {
		l := &lamp{dark: make(chan struct{})}
		lamps = append(lamps, l)
		unplug := l.plug(power)
		defer unplug()
		people.Go(l.out)
		if where == "stairs" {
			// They have a second button.
			people.Go(l.out)
		}
	}
	people.Go(fail)
	for _, l := range lamps {
		<-l.dark
	}
	people.Wait()
	fmt.Println("dark")
}
