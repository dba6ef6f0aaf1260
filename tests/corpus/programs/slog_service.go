// run

// A service that logs with package slog: levels, groups, a handler of its own, requests with ids.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"
)

// A ring keeps the last records, as text.
type ring struct {
	mu    sync.Mutex
	lines []string
	size  int
}

type ringHandler struct {
	*ring
	prefix string
	attrs  string
}

func (h ringHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelDebug }

func (h ringHandler) Handle(ctx context.Context, r slog.Record) error {
	line := fmt.Sprintf("%v %s%s", r.Level, r.Message, h.attrs)
	if id, ok := ctx.Value(requestID{}).(int); ok {
		line += fmt.Sprint(" #", id)
	}
	r.Attrs(func(a slog.Attr) bool {
		line += fmt.Sprintf(" %s%s=%v", h.prefix, a.Key, a.Value.Resolve())
		return true
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, line)
	if len(h.lines) > h.size {
		h.lines = h.lines[1:]
	}
	return nil
}

func (h ringHandler) WithAttrs(as []slog.Attr) slog.Handler {
	for _, a := range as {
		h.attrs += " " + h.prefix + a.String()
	}
	return h
}

func (h ringHandler) WithGroup(name string) slog.Handler { h.prefix += name + "."; return h }

type requestID struct{}

type tee []slog.Handler

func (t tee) Enabled(ctx context.Context, l slog.Level) bool {
	for _, h := range t {
		if h.Enabled(ctx, l) {
			return true
		}
	}
	return false
}
func (t tee) Handle(ctx context.Context, r slog.Record) (err error) {
	for _, h := range t {
		if h.Enabled(ctx, r.Level) {
			err = errors.Join(err, h.Handle(ctx, r.Clone()))
		}
	}
	return err
}
func (t tee) WithAttrs(as []slog.Attr) slog.Handler {
	n := tee{}
	for _, h := range t {
		n = append(n, h.WithAttrs(as))
	}
	return n
}
func (t tee) WithGroup(g string) slog.Handler {
	n := tee{}
	for _, h := range t {
		n = append(n, h.WithGroup(g))
	}
	return n
}

type user struct {
	Name     string
	Password string
}

func (u user) LogValue() slog.Value {
	return slog.GroupValue(slog.String("name", u.Name), slog.Int("pwlen", len(u.Password)))
}

type lazy func() string

func (l lazy) LogValue() slog.Value { return slog.StringValue(l()) }

const levelTrace = slog.LevelDebug - 4

func replace(groups []string, a slog.Attr) slog.Attr {
	switch {
	case len(groups) == 0 && a.Key == slog.TimeKey:
		return slog.Attr{}
	case a.Key == slog.LevelKey && a.Value.Any() == levelTrace:
		return slog.String("level", "TRACE")
	case strings.Contains(strings.ToLower(a.Key), "secret"):
		return slog.String(a.Key, "***")
	}
	return a
}

func handle(ctx context.Context, log *slog.Logger, u user, d time.Duration, fail error) {
	log = log.With("user", u)
	log.DebugContext(ctx, "begin", "lazy", lazy(func() string { return "computed" }))
	if fail != nil {
		log.ErrorContext(ctx, "failed", "err", fail, slog.Group("req", "took", d, "secretToken", "abc"))
		return
	}
	log.InfoContext(ctx, "done", "took", d, "size", 1<<20, "ratio", 0.5, "ok", true)
}

func main() {
	var level slog.LevelVar
	opts := &slog.HandlerOptions{Level: &level, ReplaceAttr: replace}
	var js bytes.Buffer
	r := &ring{size: 6}
	logger := slog.New(tee{slog.NewTextHandler(os.Stdout, opts), slog.NewJSONHandler(&js, opts),
		ringHandler{ring: r}})
	for i, err := range []error{nil, errors.New("disk \"full\""), nil} {
		if i == 2 {
			level.Set(levelTrace)
		}
		ctx := context.WithValue(context.Background(), requestID{}, i)
		handle(ctx, logger.WithGroup("svc").With("id", i), user{"ann b", "pw"},
			time.Duration(i)*1500*time.Millisecond, err)
	}
	logger.Log(context.Background(), levelTrace, "tracing", "at", time.Date(2024, 1, 2, 3, 4, 5,
		6000, time.UTC),
		"any", map[string]int{"b": 2, "a": 1}, "list", []string{"x"}, "nil", nil, "bytes", []byte("raw"))
	logger.Warn("odd", "key without value")
	logger.Warn("worse", 5, "x", slog.Any("dangling", struct{ A, B int }{1, 2}))
	logger.Info("empty group", slog.Group("g"), slog.Group("", slog.Int("inline", 1)))
	fmt.Println("--- ring")
	fmt.Println(strings.Join(r.lines, "\n"))
	fmt.Println("--- json")
	dec := json.NewDecoder(&js)
	for {
		var m map[string]any
		if err := dec.Decode(&m); err == io.EOF {
			break
		} else if err != nil {
			fmt.Println(err)
			break
		}
		b, _ := json.Marshal(m)
		fmt.Println(string(b))
	}
	old := slog.NewLogLogger(slog.NewTextHandler(os.Stdout, opts), slog.LevelWarn)
	old.Print("from package log")
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, opts)))
	log.Print("log goes to slog")
	slog.Info("default", "n", 1)
	fmt.Println(slog.LevelError+1, level.Level(), logger.Enabled(context.Background(),
		slog.LevelDebug))
	rec := slog.NewRecord(time.Time{}, slog.LevelInfo, "by hand", 0)
	rec.Add("a", 1, slog.Bool("b", true))
	slog.NewTextHandler(os.Stdout, nil).Handle(context.Background(), rec)
}
