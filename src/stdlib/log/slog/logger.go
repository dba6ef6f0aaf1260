// Package slog: records with attributes, which handlers write.
package slog

import (
	"bytes"
	"context"
	"log"
	"runtime"
	"sync/atomic"
	"time"
)

// log_write has the standard logger of package log write a message that was logged at pc.
func log_write(pc uintptr, message string) error

var (
	defaultLogger atomic.Pointer[Logger]
	// logLoggerLevel is that of what goes through package log, in either direction.
	logLoggerLevel LevelVar
)

//go:effect defaultLogger
func init() { defaultLogger.Store(New(defaultHandler{new(common)})) }

func SetLogLoggerLevel(level Level) (oldLevel Level) {
	oldLevel = logLoggerLevel.Level()
	logLoggerLevel.Set(level)
	return oldLevel
}

func Default() *Logger { return defaultLogger.Load() }

func SetDefault(l *Logger) {
	defaultLogger.Store(l)
	if _, ok := l.handler.(defaultHandler); ok {
		return
	}
	withPC := log.Flags()&(log.Lshortfile|log.Llongfile) != 0
	log.SetOutput(&fromLog{l.handler, &logLoggerLevel, withPC})
	log.SetFlags(0)
}

// A fromLog is what package log writes to where a handler takes its lines.
type fromLog struct {
	h      Handler
	level  Leveler
	withPC bool
}

func (w *fromLog) Write(buf []byte) (int, error) {
	level := w.level.Level()
	if !w.h.Enabled(context.Background(), level) {
		return 0, nil
	}
	var pc [1]uintptr
	if w.withPC {
		// Of the caller of the function of package log.
		runtime.Callers(5, pc[:])
	}
	message := string(bytes.TrimSuffix(buf, []byte("\n")))
	r := NewRecord(time.Now(), level, message, pc[0])
	return len(buf), w.h.Handle(context.Background(), r)
}

func NewLogLogger(h Handler, level Level) *log.Logger {
	return log.New(&fromLog{h, level, true}, "", 0)
}

// A Logger makes records and gives them to its handler.
type Logger struct {
	handler Handler
}

func New(h Handler) *Logger {
	if h == nil {
		panic("nil Handler")
	}
	return &Logger{h}
}

func (l *Logger) Handler() Handler { return l.handler }

func (l *Logger) With(args ...any) *Logger {
	if len(args) == 0 {
		return l
	}
	return &Logger{l.handler.WithAttrs(attrsOf(args))}
}

func (l *Logger) WithGroup(name string) *Logger {
	if name == "" {
		return l
	}
	return &Logger{l.handler.WithGroup(name)}
}

func With(args ...any) *Logger { return Default().With(args...) }

func (l *Logger) Enabled(ctx context.Context, level Level) bool {
	if ctx == nil {
		ctx = context.Background()
	}
	return l.handler.Enabled(ctx, level)
}

// log makes a record of what the caller's caller logs.
func (l *Logger) log(ctx context.Context, level Level, msg string, args ...any) {
	if ctx == nil {
		ctx = context.Background()
	}
	if !l.handler.Enabled(ctx, level) {
		return
	}
	var pc [1]uintptr
	runtime.Callers(3, pc[:])
	r := NewRecord(time.Now(), level, msg, pc[0])
	r.Add(args...)
	l.handler.Handle(ctx, r)
}

func (l *Logger) logAttrs(ctx context.Context, level Level, msg string, attrs []Attr) {
	if ctx == nil {
		ctx = context.Background()
	}
	if !l.handler.Enabled(ctx, level) {
		return
	}
	var pc [1]uintptr
	runtime.Callers(3, pc[:])
	r := NewRecord(time.Now(), level, msg, pc[0])
	r.AddAttrs(attrs...)
	l.handler.Handle(ctx, r)
}

func (l *Logger) Log(ctx context.Context, level Level, msg string, args ...any) {
	l.log(ctx, level, msg, args...)
}

func (l *Logger) LogAttrs(ctx context.Context, level Level, msg string, attrs ...Attr) {
	l.logAttrs(ctx, level, msg, attrs)
}

func (l *Logger) Debug(msg string, args ...any) {
	l.log(context.Background(), LevelDebug, msg, args...)
}

func (l *Logger) DebugContext(ctx context.Context, msg string, args ...any) {
	l.log(ctx, LevelDebug, msg, args...)
}

func Debug(msg string, args ...any) {
	Default().log(context.Background(), LevelDebug, msg, args...)
}

func DebugContext(ctx context.Context, msg string, args ...any) {
	Default().log(ctx, LevelDebug, msg, args...)
}

func (l *Logger) Info(msg string, args ...any) {
	l.log(context.Background(), LevelInfo, msg, args...)
}

func (l *Logger) InfoContext(ctx context.Context, msg string, args ...any) {
	l.log(ctx, LevelInfo, msg, args...)
}

func Info(msg string, args ...any) {
	Default().log(context.Background(), LevelInfo, msg, args...)
}

func InfoContext(ctx context.Context, msg string, args ...any) {
	Default().log(ctx, LevelInfo, msg, args...)
}

func (l *Logger) Warn(msg string, args ...any) {
	l.log(context.Background(), LevelWarn, msg, args...)
}

func (l *Logger) WarnContext(ctx context.Context, msg string, args ...any) {
	l.log(ctx, LevelWarn, msg, args...)
}

func Warn(msg string, args ...any) {
	Default().log(context.Background(), LevelWarn, msg, args...)
}

func WarnContext(ctx context.Context, msg string, args ...any) {
	Default().log(ctx, LevelWarn, msg, args...)
}

func (l *Logger) Error(msg string, args ...any) {
	l.log(context.Background(), LevelError, msg, args...)
}

func (l *Logger) ErrorContext(ctx context.Context, msg string, args ...any) {
	l.log(ctx, LevelError, msg, args...)
}

func Error(msg string, args ...any) {
	Default().log(context.Background(), LevelError, msg, args...)
}

func ErrorContext(ctx context.Context, msg string, args ...any) {
	Default().log(ctx, LevelError, msg, args...)
}

func Log(ctx context.Context, level Level, msg string, args ...any) {
	Default().log(ctx, level, msg, args...)
}

func LogAttrs(ctx context.Context, level Level, msg string, attrs ...Attr) {
	Default().logAttrs(ctx, level, msg, attrs)
}
