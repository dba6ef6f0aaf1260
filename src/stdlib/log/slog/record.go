package slog

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// An Attr is a value with a name.
type Attr struct {
	Key   string
	Value Value
}

func Any(name string, value any) Attr               { return Attr{name, AnyValue(value)} }
func Bool(name string, value bool) Attr             { return Attr{name, BoolValue(value)} }
func Duration(name string, span time.Duration) Attr { return Attr{name, DurationValue(span)} }
func Float64(name string, value float64) Attr       { return Attr{name, Float64Value(value)} }
func Group(name string, args ...any) Attr           { return Attr{name, GroupValue(attrsOf(args)...)} }
func GroupAttrs(name string, attrs ...Attr) Attr    { return Attr{name, GroupValue(attrs...)} }
func Int(name string, value int) Attr               { return Attr{name, IntValue(value)} }
func Int64(name string, value int64) Attr           { return Attr{name, Int64Value(value)} }
func String(name, value string) Attr                { return Attr{name, StringValue(value)} }
func Time(name string, at time.Time) Attr           { return Attr{name, TimeValue(at)} }
func Uint64(name string, value uint64) Attr         { return Attr{name, Uint64Value(value)} }

func (a Attr) String() string     { return a.Key + "=" + a.Value.String() }
func (a Attr) Equal(as Attr) bool { return a.Key == as.Key && a.Value.Equal(as.Value) }

// isZero says whether a is the zero Attr, which is not logged.
func (a Attr) isZero() bool {
	return a.Value.any == nil && a.Value.num == 0 && a.Key == ""
}

// next takes an Attr off the front: a key and its value, or an Attr.
func next(args []any) (Attr, []any) {
	first, rest := args[0], args[1:]
	if a, ok := first.(Attr); ok {
		return a, rest
	}
	key, isKey := first.(string)
	if !isKey || len(rest) == 0 {
		return Any("!BADKEY", first), rest
	}
	return Any(key, rest[0]), rest[1:]
}

func attrsOf(args []any) (attrs []Attr) {
	for len(args) > 0 {
		var a Attr
		a, args = next(args)
		attrs = append(attrs, a)
	}
	return attrs
}

// inFront is the number of Attrs that lie in a Record itself.
const inFront = 5

// A Record is what is logged. Copies share memory: Clone makes one that can be added to.
type Record struct {
	Time    time.Time
	Message string
	Level   Level
	PC      uintptr

	front [inFront]Attr
	used  int
	back  []Attr
}

func NewRecord(at time.Time, level Level, msg string, pc uintptr) Record {
	return Record{Time: at, Level: level, Message: msg, PC: pc}
}

func (r Record) NumAttrs() int { return len(r.back) + r.used }

// Clone has what is added to it go to memory of its own.
func (r Record) Clone() Record {
	r.back = slices.Clip(r.back)
	return r
}

func (r Record) Attrs(f func(Attr) bool) {
	for i := 0; i < r.NumAttrs() && f(*r.at(i)); i++ {
	}
}

// at is the Attr of that number.
func (r *Record) at(i int) *Attr {
	if i < r.used {
		return &r.front[i]
	}
	return &r.back[i-r.used]
}

func (r *Record) AddAttrs(attrs ...Attr) {
	i := 0
	for ; i < len(attrs) && r.used < inFront; i++ {
		if !attrs[i].hasNothing() {
			r.front[r.used] = attrs[i]
			r.used++
		}
	}
	// A copy of the Record has put something behind the end of what both share.
	if n := len(r.back); cap(r.back) > n && !r.back[:n+1][n].isZero() {
		const bug = "AddAttrs unsafely called on copy of Record made without using Record.Clone"
		r.back = append(slices.Clip(r.back), String("!BUG", bug))
	}
	rest := slices.DeleteFunc(slices.Clone(attrs[i:]), Attr.hasNothing)
	r.back = append(slices.Grow(r.back, len(rest)), rest...)
}

func (r *Record) Add(args ...any) {
	for len(args) > 0 {
		var a Attr
		a, args = next(args)
		switch {
		case a.hasNothing():
		case r.used < inFront:
			r.front[r.used] = a
			r.used++
		default:
			r.back = append(r.back, a)
		}
	}
}

// A Source is a line of a program.
type Source struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

// Source is nil if the line is not known.
func (r Record) Source() (line *Source) {
	if r.PC != 0 {
		f, _ := runtime.CallersFrames([]uintptr{r.PC}).Next()
		line = &Source{f.Function, f.File, f.Line}
	}
	return line
}

// group has what is known of s.
func (s *Source) group() Value {
	known := []Attr{String("function", s.Function), String("file", s.File), Int("line", s.Line)}
	return GroupValue(slices.DeleteFunc(known, func(a Attr) bool {
		return a.Value.any == "" || a.Value.any == KindInt64 && a.Value.num == 0
	})...)
}

// A Level says how important a record is.
type Level int

const (
	LevelDebug Level = -4
	LevelInfo  Level = 0
	LevelWarn  Level = 4
	LevelError Level = 8
)

func (l Level) String() string {
	name, base := "ERROR", LevelError
	switch {
	case l < LevelInfo:
		name, base = "DEBUG", LevelDebug
	case l < LevelWarn:
		name, base = "INFO", LevelInfo
	case l < LevelError:
		name, base = "WARN", LevelWarn
	}
	if l == base {
		return name
	}
	return fmt.Sprintf("%s%+d", name, int(l-base))
}

// Level makes a Level the Leveler that stays at it.
func (l Level) Level() Level { return l }

// A Level is coded as the text that String gives.

func (l Level) AppendText(text []byte) ([]byte, error) { return append(text, l.String()...), nil }
func (l Level) MarshalText() ([]byte, error)           { return l.AppendText(nil) }
func (l *Level) UnmarshalText(text []byte) error       { return l.parse(string(text)) }

func (l Level) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, l.String()), nil }

func (l *Level) UnmarshalJSON(quoted []byte) error {
	text, err := strconv.Unquote(string(quoted))
	if err == nil {
		err = l.parse(text)
	}
	return err
}

func (l *Level) parse(s string) error {
	name, offset := s, 0
	if i := strings.IndexAny(s, "+-"); i >= 0 {
		var err error
		name = s[:i]
		if offset, err = strconv.Atoi(s[i:]); err != nil {
			return fmt.Errorf("slog: level string %q: %w", s, err)
		}
	}
	for _, base := range []Level{LevelDebug, LevelInfo, LevelWarn, LevelError} {
		if strings.ToUpper(name) == base.String() {
			*l = base + Level(offset)
			return nil
		}
	}
	return fmt.Errorf("slog: level string %q: %w", s, errors.New("unknown name"))
}

// A LevelVar is a level that can be set at any time.
type LevelVar struct {
	val atomic.Int64
}

func (v *LevelVar) Set(to Level)   { v.val.Store(int64(to)) }
func (v *LevelVar) Level() Level   { return Level(v.val.Load()) }
func (v *LevelVar) String() string { return fmt.Sprintf("LevelVar(%s)", v.Level()) }

func (v *LevelVar) AppendText(text []byte) ([]byte, error) { return v.Level().AppendText(text) }
func (v *LevelVar) MarshalText() ([]byte, error)           { return v.Level().MarshalText() }

func (v *LevelVar) UnmarshalText(text []byte) error {
	to := v.Level()
	err := to.parse(string(text))
	if err == nil {
		v.Set(to)
	}
	return err
}

// A Leveler says what level counts now.
type Leveler interface {
	Level() Level
}
