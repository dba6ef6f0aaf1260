package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Workers claim the jobs of a folder by files that say whose they are.
type worker struct {
	name  string
	wins  int
	notes *journal
}

type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) note(format string, a ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, fmt.Sprintf(format, a...))
}

func (w *worker) claim(job string) (bool, error) {
	path := job + ".claim"
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	w.notes.note("%s is free for %s", filepath.Base(job), w.name)
	_, err = f.WriteString(w.name)
	return err == nil, err
}

func (w *worker) run(jobs []string) {
	for _, job := range jobs {
		won, err := w.claim(job)
		if err != nil {
			w.notes.note("%s: %v", w.name, err)
			return
		}
		if won {
			w.wins++
		}
	}
}

func main() {
	folder, err := os.MkdirTemp("", "claims")
	if err != nil {
		panic(err)
	}
	jobs := []string{filepath.Join(folder, "mail"), filepath.Join(folder, "backup")}
	var notes journal
	workers := []*worker{{name: "w1", notes: &notes}, {name: "w2", notes: &notes}}
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Go(func() { w.run(jobs) })
	}
	wg.Wait()
	os.RemoveAll(folder)
	wins := 0
	for _, w := range workers {
		wins += w.wins
	}
	fmt.Println(wins, "jobs claimed")
	if wins != len(jobs) {
		os.Exit(1)
	}
}
