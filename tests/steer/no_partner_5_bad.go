package main

import (
	"errors"
	"fmt"
	"sync"
)

// A document that is saved only by who has seen its newest version.
type document struct {
	mu      sync.Mutex
	version int
	text    string
}

var errOld = errors.New("somebody else has saved")

func (d *document) load() (int, string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.version, d.text
}

func (d *document) save(seen int, text string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.version != seen {
		return errOld
	}
	d.version, d.text = seen+1, text
	return nil
}

func editors(d *document, words ...string) error {
	conflicts := make(chan error, 1)
	var wg sync.WaitGroup
	for _, word := range words {
		wg.Add(1)
		go func() {
			defer wg.Done()
			version, text := d.load()
			if err := d.save(version, text+word); err != nil {
				conflicts <- err
			}
		}()
	}
	wg.Wait()
	select {
	case err := <-conflicts:
		return err
	default:
		return nil
	}
}

func main() {
	d := new(document)
	err := editors(d, "a", "b", "c", "d")
	if err != nil && err != errOld {
		panic(err)
	}
	version, text := d.load()
	fmt.Println(version == len(text))
}
