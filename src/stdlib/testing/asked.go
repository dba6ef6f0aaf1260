package testing

import (
	"bufio"
	"internal/testlog"
	"io"
	"os"
	"strings"
	"sync"
)

// askedLog writes down what the tests ask package os: who keeps their results knows by that when
// they may come out otherwise. What is asked before the file is there or behind its end is lost.
var askedLog struct {
	mu   sync.Mutex
	file *os.File
	w    *bufio.Writer // nil at the end
}

// startAskedLog opens the file, at the first run of tests as a new one.
func startAskedLog(name string, isFirst bool) {
	flags := os.O_WRONLY
	if isFirst {
		flags = os.O_RDWR | os.O_CREATE | os.O_TRUNC
	}
	file, err := os.OpenFile(name, flags, 0o666)
	if err != nil {
		giveUp("%v", err)
	}
	if !isFirst {
		file.Seek(0, io.SeekEnd)
	}
	l := &askedLog
	l.mu.Lock()
	defer l.mu.Unlock()
	l.file, l.w = file, bufio.NewWriter(file)
	if isFirst {
		l.w.WriteString("# test log\n")
		testlog.Start(noteAsked)
	}
}

// noteAsked is how package os tells.
func noteAsked(op, name string) {
	if name == "" || strings.Contains(name, "\n") {
		return
	}
	l := &askedLog
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.w != nil {
		l.w.WriteString(op + " " + name + "\n")
	}
}

// endAskedLog writes the rest.
func endAskedLog() {
	l := &askedLog
	l.mu.Lock()
	err := l.w.Flush()
	l.w = nil
	l.mu.Unlock()
	if err2 := l.file.Close(); err == nil {
		err = err2
	}
	if err != nil {
		giveUp("can't write %s: %s", options.asked, err)
	}
}
