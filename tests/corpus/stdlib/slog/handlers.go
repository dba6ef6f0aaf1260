// run

// Records as text and as JSON, with groups, replaced attributes and values of all kinds.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"math"
	"os"
	"strings"
	"time"
)

type secret string

func (secret) LogValue() slog.Value { return slog.StringValue("hidden") }

type user struct{ first, last string }

func (u user) LogValue() slog.Value {
	return slog.GroupValue(slog.String("first", u.first), slog.String("last", u.last))
}

type endless struct{}

func (e endless) LogValue() slog.Value { return slog.AnyValue(e) }

type bad struct{}

func (*bad) LogValue() slog.Value { panic("no value") }

type texted struct{ s string }

func (t *texted) MarshalText() ([]byte, error) {
	if t.s == "" {
		return nil, errors.New("no text")
	}
	return []byte(t.s), nil
}

type jsoned struct{ s string }

func (j jsoned) MarshalJSON() ([]byte, error) {
	if j.s == "" {
		return nil, errors.New("no json")
	}
	return []byte(j.s), nil
}

type point struct{ X, Y int }

func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey && len(groups) == 0 {
		return slog.Attr{}
	}
	return a
}

var at = time.Date(2024, 2, 29, 13, 4, 5, 123456789, time.UTC)

// all logs through both handlers.
func all(opts *slog.HandlerOptions, f func(*slog.Logger)) {
	f(slog.New(slog.NewTextHandler(os.Stdout, opts)))
	f(slog.New(slog.NewJSONHandler(os.Stdout, opts)))
}

func values() {
	opts := &slog.HandlerOptions{ReplaceAttr: withoutTime, Level: slog.LevelDebug}
	zone := time.FixedZone("X", 3600)
	all(opts, func(l *slog.Logger) {
		l.Info("numbers", "a", 1, "b", uint8(2), "c", -1.5, "d", 1e21, "e", 1e-7, "f", float32(0.5), "g", true, "h", uint64(1<<63), "i", uintptr(7))
		l.Warn("infinite", "nan", math.NaN(), "inf", math.Inf(-1))
		l.Error("texts", "empty", "", "space", "a b", "quote", `say "x"`, "eq", "a=b", "nl", "a\nb\t\r\x01", "back", `a\b`, "u", "é世", "del", "\x7f",
			"bad", "a\xffb", "sep", "\u2028", "nbsp", "\u00a0", "html", "<&>")
		l.Debug("times", "t", at, "z", at.In(zone), "zero", time.Time{}, "d", 1500*time.Millisecond, "far", time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC))
		l.Info("valuers", "s", secret("x"), "u", user{"A", "B"}, "pu", &user{"C", "D"}, "n", (*texted)(nil))
		l.Info("marshalled", "t", &texted{"x y"}, "none", &texted{}, "j", jsoned{`{"a":1}`}, "nonej", jsoned{}, "err", errors.New("oh no"), "nil", nil)
		l.Info("any", "s", []string{"a", "b"}, "i", []int{1, 2}, "b", []byte("hey"), "any", []any{1, "x", nil, true}, "m", map[string]int{"b": 1, "a": 2},
			"k", slog.KindGroup, "lv", slog.LevelWarn, "ns", []string(nil))
		l.Info("odd", "key")
		l.Info("keys", 1, 2, "a b", 3, "", 4, slog.Int("x", 5), slog.Attr{})
		l.Log(context.Background(), slog.Level(2), "level")
		l.LogAttrs(nil, slog.Level(-7), "level", slog.Int("a", 1))
		l.LogAttrs(context.Background(), slog.LevelError+3, "attrs", slog.Any("v", slog.Int64Value(3)), slog.Duration("d", time.Second))
	})
}

func groups() {
	opts := &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		if a.Key == "drop" {
			return slog.Attr{}
		}
		if a.Key == "path" {
			return slog.String("path", strings.Join(groups, "/"))
		}
		if a.Key == slog.LevelKey {
			return slog.String("LEVEL", strings.ToLower(a.Value.String()))
		}
		return a
	}}
	all(opts, func(l *slog.Logger) {
		l.Info("none", slog.Group("g"))
		l.Info("one", slog.Group("g", "a", 1, slog.Group("h", "path", 0), slog.Group("e")), "b", 2)
		l.Info("inline", slog.Group("", "a", 1, "b", 2), "path", 1)
		l.WithGroup("g").Info("with", "a", 1, "path", 0)
		l.WithGroup("g").Info("with none")
		l.With("x", 1).WithGroup("g").With("y", 2, "path", 1).WithGroup("h").Info("deep", "z", 3, "path", 1)
		l.With("x", 1).WithGroup("g").WithGroup("h").Info("empty")
		l.WithGroup("g").With("drop", 1).Info("dropped", "drop", 2)
		l.WithGroup("a b").With(slog.Group("c", "d", 1)).Info("quoted", "", 1)
		l.With().WithGroup("").Info("same", "path", 1)
		l.With(slog.Group("none")).Info("still", slog.Group("d", "drop", 1), slog.Int("after", 1))
	})
}

func sources() {
	opts := &slog.HandlerOptions{AddSource: true, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if s, ok := a.Value.Any().(*slog.Source); ok && s != nil {
			s.File = s.File[strings.LastIndexByte(s.File, '/')+1:]
		}
		return withoutTime(groups, a)
	}}
	all(opts, func(l *slog.Logger) {
		l.Info("here")
		func() { l.LogAttrs(context.Background(), slog.LevelInfo, "in a literal") }()
		l.Handler().Handle(context.Background(), slog.NewRecord(at, slog.LevelInfo, "nowhere", 0))
	})
	plain := &slog.HandlerOptions{}
	all(plain, func(l *slog.Logger) {
		l.Handler().Handle(context.Background(), slog.NewRecord(at, slog.LevelInfo, "timed", 0))
		l.Handler().Handle(context.Background(), slog.NewRecord(time.Time{}, slog.LevelWarn, "not timed", 0))
	})
}

func records() {
	r := slog.NewRecord(at, slog.LevelInfo, "m", 0)
	r.AddAttrs(slog.Int("a", 1), slog.Group("g"), slog.Int("b", 2))
	r.Add("c", 3, "d", 4, "e", 5, "f", 6, slog.Group("x"), "g", 7)
	show := func(r slog.Record) {
		r.Attrs(func(a slog.Attr) bool { fmt.Print(a, " "); return a.Key != "h" })
		fmt.Println(r.NumAttrs(), r.Source() == nil)
	}
	show(r)
	c := r.Clone()
	c.AddAttrs(slog.Int("h", 8), slog.Int("i", 9))
	r.AddAttrs(slog.String("j", "k"))
	show(r)
	show(c)
	for _, v := range []any{1, uint(2), 3.5, "s", true, time.Second, at, nil, []slog.Attr{slog.Int("a", 1)}, slog.KindAny, slog.IntValue(3), user{"a", "b"}, &point{1, 2}, point{3, 4}} {
		a := slog.AnyValue(v)
		fmt.Println(a.Kind(), a, a.Equal(slog.AnyValue(v)), a.Equal(slog.IntValue(1)))
	}
	fmt.Println(slog.AnyValue(user{"a", "b"}).Resolve(), slog.AnyValue(endless{}).Resolve())
	text := slog.AnyValue((*bad)(nil)).Resolve().String()
	fmt.Println(strings.HasPrefix(text, "LogValue panicked\ncalled from "))
	for _, f := range []func(){
		func() { slog.IntValue(1).Uint64() }, func() { slog.StringValue("").Bool() }, func() { slog.AnyValue(nil).Time() },
		func() { slog.BoolValue(true).Group() }, func() { slog.IntValue(1).Duration() }, func() { slog.New(nil) }, func() { slog.IntValue(1).Float64() },
	} {
		func() {
			defer func() { fmt.Println(recover()) }()
			f()
		}()
	}
	fmt.Println(slog.Kind(20), slog.String("a", "b").Equal(slog.String("a", "b")), slog.GroupAttrs("g", slog.Int("a", 1)))
	fmt.Println(slog.TimeValue(at).Time(), slog.DurationValue(5).Duration(), slog.Uint64Value(1).Any(), slog.Float64Value(2).Any())
}

func levels() {
	var l slog.Level
	for _, s := range []string{"info", "DEBUG-3", "Warn+1", "error+x", "nope", "", "INFO+", "ERROR-8"} {
		err := l.UnmarshalText([]byte(s))
		fmt.Println(s, l, int(l), err)
	}
	fmt.Println(l.UnmarshalJSON([]byte(`"WARN"`)), l, l.UnmarshalJSON([]byte(`WARN`)))
	b, _ := slog.Level(5).MarshalJSON()
	var v slog.LevelVar
	fmt.Println(string(b), v.Level(), &v, v.UnmarshalText([]byte("x")))
	v.Set(slog.LevelError)
	t, err := v.MarshalText()
	fmt.Println(string(t), err)
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: &v, ReplaceAttr: withoutTime}))
	log.Warn("not shown")
	log.Error("shown")
	v.Set(slog.LevelDebug)
	log.Debug("shown", "enabled", log.Enabled(nil, -5))
}

type failing struct{ slog.Handler }

func (failing) Handle(context.Context, slog.Record) error { return errors.New("failed") }

func several() {
	opts := &slog.HandlerOptions{ReplaceAttr: withoutTime}
	text := slog.NewTextHandler(os.Stdout, opts)
	loud := slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: withoutTime, Level: slog.LevelError})
	m := slog.NewMultiHandler(text, loud, failing{text}, slog.DiscardHandler)
	l := slog.New(m).With("a", 1).WithGroup("g")
	l.Info("one", "b", 2)
	l.Error("two", "b", 2)
	fmt.Println(m.Handle(context.Background(), slog.NewRecord(at, slog.LevelInfo, "m", 0)), slog.NewMultiHandler().Enabled(nil, 0))
	slog.New(slog.DiscardHandler).With("a", 1).WithGroup("g").Error("nothing")
}

func standard() {
	var buf bytes.Buffer
	log.SetOutput(&buf)
	log.SetFlags(log.Lshortfile)
	slog.Info("by log", "a", 1, "b c", "d e")
	slog.Debug("not shown")
	slog.With("x", 1).WithGroup("g").Warn("grouped", "y", 2)
	old := slog.SetLogLoggerLevel(slog.LevelDebug)
	slog.Debug("shown now", "old", old)
	log.Print("plain")
	fmt.Print(buf.String())
	buf.Reset()
	opts := &slog.HandlerOptions{ReplaceAttr: withoutTime, AddSource: true}
	opts.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
		if s, ok := a.Value.Any().(*slog.Source); ok {
			return slog.Int("line", s.Line)
		}
		return withoutTime(groups, a)
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(&buf, opts)))
	slog.SetLogLoggerLevel(slog.LevelWarn)
	log.Print("through slog\n")
	log.Printf("%d", 5)
	slog.Info("itself")
	slog.LogAttrs(context.Background(), slog.LevelError, "attrs", slog.Int("n", 1))
	fmt.Print(buf.String(), log.Flags(), " ", log.Prefix(), "\n")
	buf.Reset()
	std := slog.NewLogLogger(slog.NewJSONHandler(&buf, opts), slog.LevelError)
	std.Println("by a log.Logger")
	fmt.Print(buf.String())
}

func main() {
	values()
	groups()
	sources()
	records()
	levels()
	several()
	standard()
}
