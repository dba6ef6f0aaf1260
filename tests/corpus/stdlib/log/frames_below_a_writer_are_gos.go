// run

// Which frames a Writer, a Handler or a LogValuer meets below package log and log/slog.
package main

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"runtime"
	"strings"
)

func frames() string {
	pc := make([]uintptr, 30)
	fr := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
	var all []string
	for {
		f, more := fr.Next()
		all = append(all, f.Function)
		if !more || f.Function == "main.main" {
			return strings.Join(all, " ")
		}
	}
}

type w struct{}

func (w) Write(p []byte) (int, error) {
	fmt.Printf("%.20q %s\n", p, frames())
	return len(p), nil
}

type h struct{ slog.Handler }

func (h h) Enabled(ctx context.Context, l slog.Level) bool {
	fmt.Println("enabled", frames())
	return true
}

func (h h) Handle(ctx context.Context, r slog.Record) error {
	f, _ := runtime.CallersFrames([]uintptr{r.PC}).Next()
	fmt.Println("handle", r.Message, f.Function, frames())
	return nil
}
func (h h) WithAttrs([]slog.Attr) slog.Handler { fmt.Println("attrs", frames()); return h }
func (h h) WithGroup(string) slog.Handler      { fmt.Println("group", frames()); return h }

func try(f func()) {
	defer func() { recover() }()
	f()
}

func main() {
	l := log.New(w{}, "", 0)
	l.Print("x")
	l.Printf("x")
	l.Println("x")
	l.Output(2, "x")
	try(func() { l.Panic("x") })
	try(func() { l.Panicf("x") })
	try(func() { l.Panicln("x") })
	log.SetOutput(w{})
	log.SetFlags(0)
	log.Print("x")
	log.Printf("x")
	log.Println("x")
	log.Output(2, "x")
	try(func() { log.Panic("x") })
	try(func() { log.Panicf("x") })
	try(func() { log.Panicln("x") })

	ctx := context.Background()
	sl := slog.New(h{})
	sl.Info("i")
	sl.InfoContext(ctx, "i")
	sl.Log(ctx, 0, "i")
	sl.LogAttrs(ctx, 0, "i")
	sl.Enabled(ctx, 0)
	sl.With("a", 1)
	sl.WithGroup("g")
	slog.SetDefault(sl)
	slog.Info("i")
	slog.Error("e")
	slog.ErrorContext(ctx, "i")
	slog.Log(ctx, 0, "i")
	slog.LogAttrs(ctx, 0, "i")
	slog.With("a", 1)
	log.Print("through")
	log.Printf("through")
	nl := slog.NewLogLogger(h{}, 0)
	nl.Print("y")
	nl.Println("y")
	mh := slog.NewMultiHandler(h{}, h{})
	slog.New(mh).Info("multi")
}
