package main

import (
	"fmt"
	"sync"
)

// Thumbnails are made in the background; when the album is shut nothing is taken any more.
type album struct {
	mu     sync.Mutex
	shut   bool
	photos chan string
	made   []string
	end    sync.WaitGroup
}

func newAlbum() *album {
	a := &album{photos: make(chan string, 6)}
	a.end.Go(func() {
		for photo := range a.photos {
			a.made = append(a.made, "small "+photo)
		}
	})
	return a
}

func (a *album) add(photo string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.shut {
		return false
	}
	a.photos <- photo
	return true
}

func (a *album) close() int {
	a.mu.Lock()
	a.shut = true
	close(a.photos)
	a.mu.Unlock()
	a.end.Wait()
	return len(a.made)
}

func main() {
	a := newAlbum()
	added := make(chan int)
	for i := range 2 {
		go func() {
			n := 0
			for j := range 3 {
				if a.add(fmt.Sprint(i, j)) {
					n++
				}
			}
			added <- n
		}()
	}
	n := <-added
	made := a.close()
	n += <-added
	fmt.Println(n == made)
}
