package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// A journal, of which the newest lines are in memory and the others in a file.
type journal struct {
	mu    sync.Mutex
	file  *os.File
	lines []string
}

const most = 5

func (j *journal) add(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
	if len(j.lines) >= most {
		j.flush()
	}
}

func (j *journal) flush() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, line := range j.lines {
		if _, err := fmt.Fprintln(j.file, line); err != nil {
			panic(err)
		}
	}
	j.lines = nil
}

func main() {
	file, err := os.CreateTemp("", "journal")
	if err != nil {
		panic(err)
	}
	// It has no name any more, and is gone when it is closed.
	os.Remove(file.Name())
	defer file.Close()
	j := &journal{file: file}
	var wg sync.WaitGroup
	for _, who := range []string{"ann", "bob", "cid"} {
		wg.Go(func() {
			j.add(who + " comes")
			j.add(who + " goes")
			j.flush()
		})
	}
	wg.Wait()
	file.Seek(0, io.SeekStart)
	text, err := io.ReadAll(file)
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.Count(string(text), "\n"), "lines")
}
