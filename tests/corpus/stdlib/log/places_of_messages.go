// run

// Which line a message is of, also by way of functions that count callers.
package main

import (
	"log"
	"log/slog"
	"os"
)

func helper(l *log.Logger) {
	l.Output(2, "out")
	l.Print("in")
	l.Output(1, "one")
	l.Output(100, "far")
}

func main() {
	l := log.New(os.Stdout, "", log.Lshortfile)
	l.Print("a")
	helper(l)
	log.SetFlags(log.Lshortfile)
	log.SetOutput(os.Stdout)
	log.Println("b")
	log.Output(1, "c")
	slog.Info("d")
	func() { defer func() { recover() }(); log.Panic("e") }()
	func() { defer func() { recover() }(); l.Panicf("f") }()
}
