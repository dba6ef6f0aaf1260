// Package slogtest tests handlers of package log/slog.
package slogtest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A rule is something that handlers shall do.
type rule struct {
	name  string
	text  string
	place string // where it stands
	// log makes one record, which change may alter before the handler sees it.
	log    func(*slog.Logger)
	change func(*slog.Record)
	wants  []want
}

// A want says of a record that there is a key, with a value or with any, or that there is none.
type want struct {
	path  string // groups and a key, slashes between
	kind  wantKind
	value any
}

type wantKind int

const (
	some wantKind = iota // any value
	one                  // that value
	none
)

func has(path string) want              { return want{path, some, nil} }
func is(path string, value string) want { return want{path, one, value} }
func lacks(path string) want            { return want{path, none, nil} }

// broken tells how a record is not what is wanted; empty: it is.
func (w want) broken(record map[string]any) string {
	groups := strings.Split(w.path, "/")
	key := groups[len(groups)-1]
	for _, name := range groups[:len(groups)-1] {
		inner, ok := record[name]
		if !ok {
			return fmt.Sprintf("missing group %q", name)
		}
		if record, ok = inner.(map[string]any); !ok {
			return fmt.Sprintf("value for group %q is not map[string]any", name)
		}
	}
	value, ok := record[key]
	switch {
	case ok && w.kind == none:
		return fmt.Sprintf("unexpected key %q", key)
	case !ok && w.kind != none:
		return fmt.Sprintf("missing key %q", key)
	case w.kind == one && !reflect.DeepEqual(value, w.value):
		return fmt.Sprintf("%q: got %#v, want %#v", key, value, w.value)
	}
	return ""
}

// late is a value that another one stands for.
type late struct{ value string }

func (l *late) LogValue() slog.Value { return slog.StringValue(l.value) }
func (l *late) String() string       { return "<late(" + l.value + ")>" }

var (
	level   = has(slog.LevelKey)
	moment  = has(slog.TimeKey)
	message = is(slog.MessageKey, "msg")
)

// shall is a rule that all handlers obey, but for its name.
func shall(text string, log func(*slog.Logger), wants ...want) rule {
	_, file, line, _ := runtime.Caller(1)
	place := fmt.Sprintf("%s:%d", file, line)
	return rule{text: "a Handler should " + text, place: place, log: log, wants: wants}
}

// called gives a rule its name.
func (r rule) called(name string) rule {
	r.name = name
	return r
}

// changing has the record altered.
func (r rule) changing(change func(*slog.Record)) rule {
	r.change = change
	return r
}

// rules are in the order in which TestHandler makes its records.
func rules() []rule {
	first := shall("", logs("message"), moment, level, is(slog.MessageKey, "message"))
	first.text = "this test expects slog.TimeKey, slog.LevelKey and slog.MessageKey"
	return []rule{
		first.called("built-ins"),
		shall("output attributes passed to the logging function", logs("message", "k", "v"),
			is("k", "v")).called("attrs"),
		shall("ignore an empty Attr", logs("msg", "a", "b", "", nil, "c", "d"),
			is("a", "b"), lacks(""), is("c", "d")).called("empty-attr"),
		shall("ignore a zero Record.Time", logs("msg", "k", "v"),
			lacks(slog.TimeKey)).called("zero-time").changing(func(r *slog.Record) {
			r.Time = time.Time{}
		}),
		shall("include the attributes from the WithAttrs method", func(l *slog.Logger) {
			l.With("a", "b").Info("msg", "k", "v")
		}, is("a", "b"), is("k", "v")).called("WithAttrs"),
		shall("handle Group attributes", logs("msg", "a", "b", slog.Group("G", slog.String("c", "d")), "e", "f"),
			is("a", "b"), is("G/c", "d"), is("e", "f")).called("groups"),
		shall("ignore an empty group", logs("msg", "a", "b", slog.Group("G"), "e", "f"),
			is("a", "b"), lacks("G"), is("e", "f")).called("empty-group"),
		shall("inline the Attrs of a group with an empty key", logs("msg", "a", "b", slog.Group("", slog.String("c", "d")), "e", "f"),
			is("a", "b"), is("c", "d"), is("e", "f")).called("inline-group"),
		shall("handle the WithGroup method", func(l *slog.Logger) {
			l.WithGroup("G").Info("msg", "a", "b")
		}, moment, level, message, lacks("a"), is("G/a", "b")).called("WithGroup"),
		shall("handle multiple WithGroup and WithAttr calls", logsNested("msg", "e", "f"),
			moment, level, message, is("a", "b"), is("G/c", "d"), is("G/H/e", "f")).called("multi-With"),
		shall("not output groups if there are no attributes", logsNested("msg"),
			moment, level, message, is("a", "b"), is("G/c", "d"), lacks("G/H")).called("empty-group-record"),
		shall("not output nested groups if there are no attributes", func(l *slog.Logger) {
			nested(l).WithGroup("I").Info("msg")
		}, moment, level, message, is("a", "b"), is("G/c", "d"), lacks("G/H"), lacks("G/I"),
		).called("nested-empty-group-record"),
		shall("call Resolve on attribute values", logs("msg", "k", &late{"replaced"}),
			is("k", "replaced")).called("resolve"),
		shall("call Resolve on attribute values in groups", logs("msg", lateGroup()),
			is("G/a", "v1"), is("G/b", "v2")).called("resolve-groups"),
		shall("call Resolve on attribute values from WithAttrs", func(l *slog.Logger) {
			l.With("k", &late{"replaced"}).Info("msg")
		}, is("k", "replaced")).called("resolve-WithAttrs"),
		shall("call Resolve on attribute values in groups from WithAttrs", func(l *slog.Logger) {
			l.With(lateGroup()).Info("msg")
		}, is("G/a", "v1"), is("G/b", "v2")).called("resolve-WithAttrs-groups"),
		shall("not output SourceKey if the PC is zero", logs("message"),
			lacks(slog.SourceKey)).called("empty-PC").changing(func(r *slog.Record) { r.PC = 0 }),
	}
}

// logs is a function that logs this.
func logs(msg string, args ...any) func(*slog.Logger) {
	return func(l *slog.Logger) { l.Info(msg, args...) }
}

// nested is a logger of the group H in a group G, both of which come behind an attribute.
func nested(l *slog.Logger) *slog.Logger {
	inG := l.With("a", "b").WithGroup("G")
	return inG.With("c", "d").WithGroup("H")
}

// logsNested logs with such a logger.
func logsNested(msg string, args ...any) func(*slog.Logger) {
	return func(l *slog.Logger) { nested(l).Info(msg, args...) }
}

func lateGroup() slog.Attr {
	return slog.Group("G", slog.String("a", "v1"), slog.Any("b", &late{"v2"}))
}

// A changer alters records before its handler sees them.
type changer struct {
	slog.Handler
	change func(*slog.Record)
}

func (c changer) Handle(ctx context.Context, r slog.Record) error {
	c.change(&r)
	return c.Handler.Handle(ctx, r)
}

// try makes the record of a rule.
func (r *rule) try(h slog.Handler) {
	if r.change != nil {
		h = changer{h, r.change}
	}
	r.log(slog.New(h))
}

// broken tells in what a record breaks the rule.
func (r *rule) broken(record map[string]any) (errs []error) {
	for _, w := range r.wants {
		if text := w.broken(record); text != "" {
			errs = append(errs, fmt.Errorf("%s: %s (%s)", text, r.text, r.place))
		}
	}
	return errs
}

// TestHandler has h handle a record for each rule. results then gives what it has made of them,
// as maps, groups as maps in
// them; the error joins all that is wrong.
func TestHandler(h slog.Handler, results func() []map[string]any) error {
	all := rules()
	for i := range all {
		all[i].try(h)
	}
	records := results()
	if len(records) != len(all) {
		return fmt.Errorf("got %d results, want %d", len(records), len(all))
	}
	var broken []error
	for i, record := range records {
		broken = append(broken, all[i].broken(record)...)
	}
	return errors.Join(broken...)
}

// Run tests each rule in a test of its own, below t: with a handler that newHandler makes,
// whose one record result gives.
func Run(
	t *testing.T,
	newHandler func(*testing.T) slog.Handler,
	result func(*testing.T) map[string]any,
) {
	for _, r := range rules() {
		t.Run(r.name, func(t *testing.T) {
			r.try(newHandler(t))
			for _, err := range r.broken(result(t)) {
				t.Error(err)
			}
		})
	}
}
