// Package log: lines with time, place and prefix.
package log

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	Ldate = 1 << iota
	Ltime
	Lmicroseconds
	Llongfile
	Lshortfile
	LUTC
	Lmsgprefix
	LstdFlags = Ldate | Ltime
)

type Logger struct {
	mu     sync.Mutex
	prefix string
	flags  int
	out    io.Writer
	quiet  atomic.Bool // out is io.Discard: nothing is even formatted
}

func New(out io.Writer, prefix string, flag int) *Logger {
	l := &Logger{prefix: prefix, flags: flag}
	l.SetOutput(out)
	return l
}

var std = New(os.Stderr, "", LstdFlags)

func Default() *Logger { return std }

// head is what comes before the message.
func head(b []byte, now time.Time, prefix string, flags int, file string, line int) []byte {
	isBehind := flags&Lmsgprefix != 0
	if !isBehind {
		b = append(b, prefix...)
	}
	if flags&LUTC != 0 {
		now = now.UTC()
	}
	if flags&Ldate != 0 {
		b = now.AppendFormat(b, "2006/01/02 ")
	}
	switch {
	case flags&Lmicroseconds != 0:
		b = now.AppendFormat(b, "15:04:05.000000 ")
	case flags&Ltime != 0:
		b = now.AppendFormat(b, "15:04:05 ")
	}
	if flags&(Lshortfile|Llongfile) != 0 {
		if slash := strings.LastIndexByte(file, '/'); slash > 0 && flags&Lshortfile != 0 {
			file = file[slash+1:]
		}
		b = append(append(b, file...), ':')
		b = append(strconv.AppendInt(b, int64(line), 10), ": "...)
	}
	if isBehind {
		b = append(b, prefix...)
	}
	return b
}

// write writes one line that was logged at pc: it is how package log/slog logs here.
func write(pc uintptr, message string) error {
	file, line := "???", 0
	if pc != 0 {
		f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		if f.File != "" {
			file, line = f.File, f.Line
		}
	}
	return std.writeAt(file, line, message)
}

// write writes one line; skip counts the callers between the program and here.
func (l *Logger) write(skip int, message string) error {
	file, line := "", 0
	if l.Flags()&(Lshortfile|Llongfile) != 0 {
		var ok bool
		if _, file, line, ok = runtime.Caller(skip); !ok {
			file, line = "???", 0
		}
	}
	return l.writeAt(file, line, message)
}

func (l *Logger) writeAt(file string, line int, message string) error {
	if l.quiet.Load() {
		return nil
	}
	now := time.Now()
	l.mu.Lock()
	flags, prefix := l.flags, l.prefix
	l.mu.Unlock()
	b := append(head(nil, now, prefix, flags, file, line), message...)
	if len(b) == 0 || b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.out.Write(b)
	return err
}

func (l *Logger) Output(calldepth int, s string) error { return l.write(calldepth+1, s) }

func (l *Logger) Print(v ...any) {
	if !l.quiet.Load() {
		l.write(2, fmt.Sprint(v...))
	}
}

func (l *Logger) Printf(format string, v ...any) {
	if !l.quiet.Load() {
		l.write(2, fmt.Sprintf(format, v...))
	}
}

func (l *Logger) Println(v ...any) {
	if !l.quiet.Load() {
		l.write(2, fmt.Sprintln(v...))
	}
}

func (l *Logger) Fatal(v ...any) {
	if !l.quiet.Load() {
		l.write(2, fmt.Sprint(v...))
	}
	os.Exit(1)
}

func (l *Logger) Fatalf(format string, v ...any) {
	if !l.quiet.Load() {
		l.write(2, fmt.Sprintf(format, v...))
	}
	os.Exit(1)
}

func (l *Logger) Fatalln(v ...any) {
	if !l.quiet.Load() {
		l.write(2, fmt.Sprintln(v...))
	}
	os.Exit(1)
}

// told has what its caller's caller tells written, and is it.
func (l *Logger) told(s string) string {
	l.write(3, s)
	return s
}

func (l *Logger) Panic(v ...any) {
	panic(l.told(fmt.Sprint(v...)))
}

func (l *Logger) Panicf(format string, v ...any) {
	panic(l.told(fmt.Sprintf(format, v...)))
}

func (l *Logger) Panicln(v ...any) {
	panic(l.told(fmt.Sprintln(v...)))
}

func (l *Logger) Flags() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.flags
}

func (l *Logger) SetFlags(flag int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flags = flag
}

func (l *Logger) Prefix() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.prefix
}

func (l *Logger) SetPrefix(prefix string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.prefix = prefix
}

func (l *Logger) Writer() io.Writer {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out
}

func (l *Logger) SetOutput(w io.Writer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out = w
	l.quiet.Store(w == io.Discard)
}

// ---- The standard logger.

func Output(calldepth int, s string) error { return std.write(calldepth+1, s) }
func Print(v ...any) {
	if !std.quiet.Load() {
		std.write(2, fmt.Sprint(v...))
	}
}

func Printf(format string, v ...any) {
	if !std.quiet.Load() {
		std.write(2, fmt.Sprintf(format, v...))
	}
}

func Println(v ...any) {
	if !std.quiet.Load() {
		std.write(2, fmt.Sprintln(v...))
	}
}

func Flags() int              { return std.Flags() }
func SetFlags(flag int)       { std.SetFlags(flag) }
func Prefix() string          { return std.Prefix() }
func SetPrefix(prefix string) { std.SetPrefix(prefix) }
func Writer() io.Writer       { return std.Writer() }
func SetOutput(w io.Writer)   { std.SetOutput(w) }

func Fatal(v ...any) {
	if !std.quiet.Load() {
		std.write(2, fmt.Sprint(v...))
	}
	os.Exit(1)
}

func Fatalf(format string, v ...any) {
	if !std.quiet.Load() {
		std.write(2, fmt.Sprintf(format, v...))
	}
	os.Exit(1)
}

func Fatalln(v ...any) {
	if !std.quiet.Load() {
		std.write(2, fmt.Sprintln(v...))
	}
	os.Exit(1)
}

func Panic(v ...any) {
	panic(std.told(fmt.Sprint(v...)))
}

func Panicf(format string, v ...any) {
	panic(std.told(fmt.Sprintf(format, v...)))
}

func Panicln(v ...any) {
	panic(std.told(fmt.Sprintln(v...)))
}
