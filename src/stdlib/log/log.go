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
func write(pc uintptr, message string) error { return std.output(pc, 0, message) }

// place is where pc is or, if there is none, where the caller that runtime.Caller finds is.
func place(pc uintptr, skip int) (file string, line int) {
	if pc != 0 {
		f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		file, line = f.File, f.Line
	} else if skip > 1 {
		_, file, line, _ = runtime.Caller(skip)
	}
	if file == "" {
		return "???", 0
	}
	return file, line
}

// output writes one line, logged at pc or, if skip is not 0, by the caller that runtime.Caller
// finds for it here. What users call calls it directly: how deep a Writer is below them counts.
func (l *Logger) output(pc uintptr, skip int, message string) error {
	if l.quiet.Load() {
		return nil
	}
	now := time.Now()
	l.mu.Lock()
	flags, prefix := l.flags, l.prefix
	l.mu.Unlock()
	file, line := "", 0
	if flags&(Lshortfile|Llongfile) != 0 {
		file, line = place(pc, skip+1)
	}
	b := append(head(nil, now, prefix, flags, file, line), message...)
	if len(b) == 0 || b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.out.Write(b)
	return err
}

func (l *Logger) Output(calldepth int, s string) error { return l.output(0, calldepth+1, s) }

func (l *Logger) Print(v ...any) {
	if !l.quiet.Load() {
		l.output(0, 2, fmt.Sprint(v...))
	}
}

func (l *Logger) Printf(format string, v ...any) {
	if !l.quiet.Load() {
		l.output(0, 2, fmt.Sprintf(format, v...))
	}
}

func (l *Logger) Println(v ...any) {
	if !l.quiet.Load() {
		l.output(0, 2, fmt.Sprintln(v...))
	}
}

func (l *Logger) Fatal(v ...any) {
	if !l.quiet.Load() {
		l.output(0, 2, fmt.Sprint(v...))
	}
	os.Exit(1)
}

func (l *Logger) Fatalf(format string, v ...any) {
	if !l.quiet.Load() {
		l.output(0, 2, fmt.Sprintf(format, v...))
	}
	os.Exit(1)
}

func (l *Logger) Fatalln(v ...any) {
	if !l.quiet.Load() {
		l.output(0, 2, fmt.Sprintln(v...))
	}
	os.Exit(1)
}

func (l *Logger) Panic(v ...any) {
	s := fmt.Sprint(v...)
	l.output(0, 2, s)
	panic(s)
}

func (l *Logger) Panicf(format string, v ...any) {
	s := fmt.Sprintf(format, v...)
	l.output(0, 2, s)
	panic(s)
}

func (l *Logger) Panicln(v ...any) {
	s := fmt.Sprintln(v...)
	l.output(0, 2, s)
	panic(s)
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

func Output(calldepth int, s string) error { return std.output(0, calldepth+1, s) }
func Print(v ...any) {
	if !std.quiet.Load() {
		std.output(0, 2, fmt.Sprint(v...))
	}
}

func Printf(format string, v ...any) {
	if !std.quiet.Load() {
		std.output(0, 2, fmt.Sprintf(format, v...))
	}
}

func Println(v ...any) {
	if !std.quiet.Load() {
		std.output(0, 2, fmt.Sprintln(v...))
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
		std.output(0, 2, fmt.Sprint(v...))
	}
	os.Exit(1)
}

func Fatalf(format string, v ...any) {
	if !std.quiet.Load() {
		std.output(0, 2, fmt.Sprintf(format, v...))
	}
	os.Exit(1)
}

func Fatalln(v ...any) {
	if !std.quiet.Load() {
		std.output(0, 2, fmt.Sprintln(v...))
	}
	os.Exit(1)
}

func Panic(v ...any) {
	s := fmt.Sprint(v...)
	std.output(0, 2, s)
	panic(s)
}

func Panicf(format string, v ...any) {
	s := fmt.Sprintf(format, v...)
	std.output(0, 2, s)
	panic(s)
}

func Panicln(v ...any) {
	s := fmt.Sprintln(v...)
	std.output(0, 2, s)
	panic(s)
}
