package main

import (
	"fmt"
	"sync"
	"time"
)

// A thermostat tells a display what it measures; the display asks for the unit.
type thermostat struct {
	mu       sync.Mutex
	unit     string
	degrees  int
	readings chan int
}

func (t *thermostat) measure(n int) {
	t.mu.Lock()
	t.degrees = n
	t.mu.Unlock()
	t.readings <- n
}

func (t *thermostat) suffix() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.unit
}

type display struct {
	shown []string
}

func (d *display) show(t *thermostat) {
	for n := range t.readings {
		d.shown = append(d.shown, fmt.Sprint(n, t.suffix()))
	}
}

func main() {
	t := &thermostat{unit: "°C", readings: make(chan int)}
	var d display
	off := make(chan struct{})
	go func() {
		defer close(off)
		d.show(t)
	}()
	for n := 18; n < 30; n++ {
		t.measure(n)
		time.Sleep(time.Millisecond)
	}
	close(t.readings)
	<-off
	fmt.Println(d.shown)
}
