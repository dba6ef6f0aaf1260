// Package slog: records with attributes, which handlers write.
package slog

import (
	"context"
	"log"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// log_write has the standard logger of package log write a message that was logged at pc.
func log_write(pc uintptr, message string) error

var (
	current atomic.Pointer[Logger]
	// bridgeLevel is that of what goes through package log, in either direction.
	bridgeLevel LevelVar
)

//go:effect current
func init() { current.Store(New(defaultHandler{new(common)})) }

func SetLogLoggerLevel(level Level) (oldLevel Level) {
	oldLevel = bridgeLevel.Level()
	bridgeLevel.Set(level)
	return oldLevel
}

func Default() *Logger { return current.Load() }

func SetDefault(l *Logger) {
	current.Store(l)
	bridge := &handlerWriter{h: l.handler, level: &bridgeLevel}
	switch bridge.h.(type) {
	case defaultHandler:
		// It would write to itself.
		return
	}
	const place = log.Lshortfile | log.Llongfile
	bridge.withPC = log.Flags()&place != 0
	log.SetOutput(bridge)
	log.SetFlags(0)
}

// A handlerWriter is what package log writes to where a handler takes its lines.
type handlerWriter struct {
	h      Handler
	level  Leveler
	withPC bool
}

func (w *handlerWriter) Write(line []byte) (int, error) {
	ctx, r := context.Background(), Record{Level: w.level.Level()}
	if !w.h.Enabled(ctx, r.Level) {
		return 0, nil
	}
	if w.withPC {
		// Of the caller of the function of package log.
		var pcs [1]uintptr
		runtime.Callers(4, pcs[:])
		r.PC = pcs[0]
	}
	r.Time, r.Message = time.Now(), strings.TrimSuffix(string(line), "\n")
	return len(line), w.h.Handle(ctx, r)
}

func NewLogLogger(h Handler, level Level) *log.Logger {
	return log.New(&handlerWriter{h, level, true}, "", 0)
}

// A Logger makes records and gives them to its handler.
type Logger struct {
	handler Handler
}

func New(to Handler) *Logger {
	if to == nil {
		panic("nil Handler")
	}
	return &Logger{to}
}

func (l *Logger) Handler() Handler { return l.handler }

// WithGroup is l for no name.
func (l *Logger) WithGroup(name string) *Logger {
	if name != "" {
		l = &Logger{l.handler.WithGroup(name)}
	}
	return l
}

// With is l for no Attrs.
func (l *Logger) With(args ...any) *Logger {
	if len(args) > 0 {
		l = &Logger{l.handler.WithAttrs(attrsOf(args))}
	}
	return l
}

func With(args ...any) *Logger { return Default().With(args...) }

func (l *Logger) Enabled(ctx context.Context, level Level) bool {
	return l.handler.Enabled(orBackground(ctx), level)
}

// log makes a record of what the caller's caller logs, if the handler wants its level.
func (l *Logger) log(level Level, ctx context.Context, msg string, args []any) {
	if ctx = orBackground(ctx); l.Enabled(ctx, level) {
		r := record(level, msg)
		r.Add(args...)
		l.handler.Handle(ctx, r)
	}
}

// record is made for the third function that is running, the caller's caller's.
func record(level Level, msg string) Record {
	var pcs [1]uintptr
	runtime.Callers(4, pcs[:])
	return NewRecord(time.Now(), level, msg, pcs[0])
}

func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

func (l *Logger) logAttrs(ctx context.Context, level Level, msg string, attrs []Attr) {
	if ctx = orBackground(ctx); l.Enabled(ctx, level) {
		r := record(level, msg)
		r.AddAttrs(attrs...)
		l.handler.Handle(ctx, r)
	}
}

// ---- What logs: each is one call away from the function that its record names.

func Log(ctx context.Context, level Level, msg string, args ...any) {
	Default().log(level, ctx, msg, args)
}

func LogAttrs(ctx context.Context, level Level, msg string, attrs ...Attr) {
	Default().logAttrs(ctx, level, msg, attrs)
}

func ErrorContext(ctx context.Context, msg string, args ...any) {
	Default().log(LevelError, ctx, msg, args)
}

func WarnContext(ctx context.Context, msg string, args ...any) {
	Default().log(LevelWarn, ctx, msg, args)
}

func InfoContext(ctx context.Context, msg string, args ...any) {
	Default().log(LevelInfo, ctx, msg, args)
}

func DebugContext(ctx context.Context, msg string, args ...any) {
	Default().log(LevelDebug, ctx, msg, args)
}

func Error(msg string, args ...any) {
	Default().log(LevelError, nil, msg, args)
}

func Warn(msg string, args ...any) {
	Default().log(LevelWarn, nil, msg, args)
}

func Info(msg string, args ...any) {
	Default().log(LevelInfo, nil, msg, args)
}

func Debug(msg string, args ...any) {
	Default().log(LevelDebug, nil, msg, args)
}

func (l *Logger) Log(ctx context.Context, level Level, msg string, args ...any) {
	l.log(level, ctx, msg, args)
}

func (l *Logger) LogAttrs(ctx context.Context, level Level, msg string, attrs ...Attr) {
	l.logAttrs(ctx, level, msg, attrs)
}

func (l *Logger) ErrorContext(ctx context.Context, msg string, args ...any) {
	l.log(LevelError, ctx, msg, args)
}

func (l *Logger) WarnContext(ctx context.Context, msg string, args ...any) {
	l.log(LevelWarn, ctx, msg, args)
}

func (l *Logger) InfoContext(ctx context.Context, msg string, args ...any) {
	l.log(LevelInfo, ctx, msg, args)
}

func (l *Logger) DebugContext(ctx context.Context, msg string, args ...any) {
	l.log(LevelDebug, ctx, msg, args)
}

func (l *Logger) Error(msg string, args ...any) {
	l.log(LevelError, nil, msg, args)
}

func (l *Logger) Warn(msg string, args ...any) {
	l.log(LevelWarn, nil, msg, args)
}

func (l *Logger) Info(msg string, args ...any) {
	l.log(LevelInfo, nil, msg, args)
}

func (l *Logger) Debug(msg string, args ...any) {
	l.log(LevelDebug, nil, msg, args)
}
