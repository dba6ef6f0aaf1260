package main

import (
	"fmt"
	"time"
)

// A machine warms up, and its user looks whether it is ready.
type machine struct {
	ready    bool
	pressure int
}

func (m *machine) warmUp() {
	for range 3 {
		m.pressure += 3
		time.Sleep(time.Millisecond)
	}
	m.ready = true
}

func (m *machine) wait(tries int) bool {
	for range tries {
		if m.ready {
			return true
		}
		time.Sleep(2 * time.Millisecond)
	}
	return false
}

func main() {
	m := new(machine)
	go m.warmUp()
	if !m.wait(1000) {
		fmt.Println("still cold")
		return
	}
	fmt.Println(m.pressure, "bar")
}
