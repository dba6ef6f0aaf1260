package slog

import (
	"cmp"
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Handler writes records, or does something else with them.
type Handler interface {
	Enabled(context.Context, Level) bool
	Handle(context.Context, Record) error
	WithAttrs(attrs []Attr) Handler
	WithGroup(name string) Handler
}

type HandlerOptions struct {
	AddSource   bool
	Level       Leveler
	ReplaceAttr func(groups []string, a Attr) Attr
}

// Keys of what every record has.
const (
	TimeKey    = "time"
	LevelKey   = "level"
	MessageKey = "msg"
	SourceKey  = "source"
)

// A defaultHandler has package log write, with its time and place.
type defaultHandler struct {
	*common
}

func (defaultHandler) Enabled(_ context.Context, l Level) bool {
	return l >= bridgeLevel.Level()
}

func (h defaultHandler) Handle(_ context.Context, r Record) error {
	s := h.newState([]byte(r.Level.String()+" "+r.Message), " ")
	s.writeRest(r)
	return log_write(r.PC, string(s.buf))
}

func (h defaultHandler) WithAttrs(as []Attr) Handler   { return defaultHandler{h.having(as)} }
func (h defaultHandler) WithGroup(name string) Handler { return defaultHandler{h.within(name)} }

// A TextHandler writes key=value.
type TextHandler struct {
	*common
}

func NewTextHandler(w io.Writer, opts *HandlerOptions) *TextHandler {
	return &TextHandler{newCommon(w, opts, false)}
}

func (h *TextHandler) Enabled(_ context.Context, level Level) bool { return h.enabled(level) }
func (h *TextHandler) Handle(_ context.Context, r Record) error    { return h.handle(r) }

func (h *TextHandler) WithAttrs(attrs []Attr) Handler {
	return &TextHandler{h.having(attrs)}
}

func (h *TextHandler) WithGroup(name string) Handler {
	return &TextHandler{h.within(name)}
}

// A JSONHandler writes an object on each line.
type JSONHandler struct {
	*common
}

func NewJSONHandler(w io.Writer, opts *HandlerOptions) *JSONHandler {
	return &JSONHandler{newCommon(w, opts, true)}
}

func (h *JSONHandler) Enabled(_ context.Context, level Level) bool { return h.enabled(level) }
func (h *JSONHandler) Handle(_ context.Context, r Record) error    { return h.handle(r) }

func (h *JSONHandler) WithAttrs(attrs []Attr) Handler {
	return &JSONHandler{h.having(attrs)}
}

func (h *JSONHandler) WithGroup(name string) Handler {
	return &JSONHandler{h.within(name)}
}

// A common is what the handlers for text and JSON have in common.
type common struct {
	json bool
	opts HandlerOptions
	w    io.Writer
	mu   *sync.Mutex // handlers made of one another share it

	done   []byte   // the attributes given to WithAttrs, as they are written
	prefix string   // of text: the groups that these are in
	groups []string // all those of WithGroup
	open   int      // how many of them are open behind done
}

func newCommon(w io.Writer, opts *HandlerOptions, json bool) *common {
	h := &common{json: json, w: w, mu: new(sync.Mutex)}
	if opts != nil {
		h.opts = *opts
	}
	return h
}

func (h *common) enabled(l Level) bool {
	least := LevelInfo
	if h.opts.Level != nil {
		least = h.opts.Level.Level()
	}
	return l >= least
}

func (h *common) clone() *common {
	c := *h
	c.done = slices.Clip(h.done)
	c.groups = slices.Clip(h.groups)
	return &c
}

func (h *common) within(name string) *common {
	c := h.clone()
	c.groups = append(c.groups, name)
	return c
}

func (h *common) having(as []Attr) *common {
	if !slices.ContainsFunc(as, func(a Attr) bool { return !a.hasNothing() }) {
		return h
	}
	c := h.clone()
	s := c.newState(c.done, "")
	s.prefix = c.prefix
	if len(s.buf) > 0 {
		s.sep = s.sepBehind(s.buf)
	}
	n := len(s.buf)
	s.enterAll()
	if s.writeAttrs(as) {
		c.done = s.buf
		c.prefix = s.prefix
		c.open = len(c.groups)
	} else {
		c.done = s.buf[:n]
	}
	return c
}

func (h *common) handle(r Record) error {
	s := h.newState(make([]byte, 0, 1024), "")
	if h.json {
		s.buf = append(s.buf, '{')
	}
	// What every record has is in no group.
	groups := s.groups
	s.groups = nil
	if !r.Time.IsZero() {
		s.writeOwn(Time(TimeKey, r.Time))
	}
	s.writeOwn(Any(LevelKey, r.Level))
	if h.opts.AddSource {
		s.writeAttr(Any(SourceKey, cmp.Or(r.Source(), new(Source))))
	}
	s.writeOwn(String(MessageKey, r.Message))
	s.groups = groups
	s.writeRest(r)
	return h.put(append(s.buf, '\n'))
}

// put writes a line in one go.
func (h *common) put(line []byte) (err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err = h.w.Write(line)
	return err
}

// A state is that of a record that is written.
type state struct {
	h      *common
	buf    []byte
	sep    string   // before the next key
	prefix string   // of text: before each key
	groups []string // that are open, for ReplaceAttr
}

func (h *common) newState(buf []byte, sep string) *state {
	var groups []string
	if h.opts.ReplaceAttr != nil {
		groups = append(make([]string, 0, 10), h.groups[:h.open]...)
	}
	return &state{h: h, buf: buf, sep: sep, groups: groups}
}

// sepOf stands between attributes.
func (s *state) sepOf() string {
	if s.h.json {
		return ","
	}
	return " "
}

// sepBehind is what follows text that has been written: nothing after an opening brace.
func (s *state) sepBehind(text []byte) string {
	if s.h.json && text[len(text)-1] == '{' {
		return ""
	}
	return s.sepOf()
}

// writeRest appends what was given to WithAttrs, and the record's own attributes.
func (s *state) writeRest(r Record) {
	h := s.h
	if len(h.done) > 0 {
		s.buf = append(s.buf, s.sep...)
		s.buf = append(s.buf, h.done...)
		s.sep = s.sepBehind(h.done)
	}
	open := h.open
	if r.NumAttrs() > 0 {
		s.prefix += h.prefix
		n := len(s.buf)
		s.enterAll()
		some := false
		r.Attrs(func(a Attr) bool {
			some = s.writeAttr(a) || some
			return true
		})
		if some {
			open = len(h.groups)
		} else {
			s.buf = s.buf[:n]
		}
	}
	if h.json {
		s.buf = append(s.buf, strings.Repeat("}", open+1)...)
	}
}

func (s *state) enterAll() {
	for _, name := range s.h.groups[s.h.open:] {
		s.enter(name)
	}
}

func (s *state) enter(name string) {
	if s.h.opts.ReplaceAttr != nil {
		s.groups = append(s.groups, name)
	}
	if !s.h.json {
		s.prefix += name + "."
		return
	}
	s.writeKey(name)
	s.buf, s.sep = append(s.buf, '{'), ""
}

func (s *state) leave(name string) {
	s.sep = s.sepOf()
	if n := len(s.groups); n > 0 {
		s.groups = s.groups[:n-1]
	}
	if s.h.json {
		s.buf = append(s.buf, '}')
		return
	}
	s.prefix = s.prefix[:len(s.prefix)-len(name+".")]
}

// writeAttrs says whether there was something to append.
func (s *state) writeAttrs(as []Attr) (some bool) {
	for _, a := range as {
		some = s.writeAttr(a) || some
	}
	return some
}

// writeOwn appends an attribute that every record has. Unless something may replace it, it is
// written as it is.
func (s *state) writeOwn(a Attr) {
	if s.h.opts.ReplaceAttr != nil {
		s.writeAttr(a)
		return
	}
	s.writeKey(a.Key)
	switch v := a.Value.any.(type) {
	case time.Time:
		s.writeTime(v)
	case string:
		s.writeText(v)
	case Level:
		s.writeText(v.String())
	}
}

// writeAttr says whether there was something to append.
func (s *state) writeAttr(a Attr) bool {
	if a = s.replaced(a); a.isZero() {
		return false
	}
	if source, is := a.Value.any.(*Source); is {
		if source == nil || *source == (Source{}) {
			return false
		}
		a.Value = StringValue(source.File + ":" + strconv.Itoa(source.Line))
		if s.h.json {
			a.Value = source.group()
		}
	}
	if group, is := a.Value.any.([]Attr); is {
		return s.writeGroup(a.Key, group)
	}
	s.writeKey(a.Key)
	s.writeValue(a.Value)
	return true
}

// replaced is what is logged of a.
func (s *state) replaced(a Attr) Attr {
	a.Value = a.Value.Resolve()
	if replace := s.h.opts.ReplaceAttr; replace != nil && a.Value.Kind() != KindGroup {
		a = replace(s.groups, a)
		a.Value = a.Value.Resolve()
	}
	return a
}

// writeGroup appends a group. One without a key is none: its attributes stand for themselves. One
// without attributes is left out; what follows it is written as if it were open, as in Go.
func (s *state) writeGroup(key string, group []Attr) bool {
	if len(group) == 0 {
		return true
	}
	before := len(s.buf)
	if key != "" {
		s.enter(key)
	}
	some := s.writeAttrs(group)
	switch {
	case !some:
		s.buf = s.buf[:before]
	case key != "":
		s.leave(key)
	}
	return some
}

func (s *state) writeKey(key string) {
	s.buf = append(s.buf, s.sep...)
	switch {
	case s.h.json:
		s.writeText(key)
		s.buf = append(s.buf, ':')
	case s.prefix != "" && !needsQuotes(s.prefix) && key == "":
		s.buf = strconv.AppendQuote(s.buf, s.prefix)
		s.buf = append(s.buf, '=')
	default:
		s.writeText(s.prefix + key)
		s.buf = append(s.buf, '=')
	}
	s.sep = s.sepOf()
}

func (s *state) writeText(text string) {
	switch {
	case s.h.json:
		s.buf = append(s.buf, '"')
		s.buf = appendEscaped(s.buf, text)
		s.buf = append(s.buf, '"')
	case needsQuotes(text):
		s.buf = strconv.AppendQuote(s.buf, text)
	default:
		s.buf = append(s.buf, text...)
	}
}

func (s *state) writeError(err error) { s.writeText(fmt.Sprintf("!ERROR:%v", err)) }

func (s *state) writeTime(t time.Time) {
	if !s.h.json {
		// Three digits of a fraction: of four, of which the last is 1, that one is cut out. A year of
		// five digits moves it, as in Go.
		n := len(s.buf) + len("2006-01-02T15:04:05.000")
		t = t.Truncate(time.Millisecond).Add(time.Millisecond / 10)
		s.buf = t.AppendFormat(s.buf, time.RFC3339Nano)
		s.buf = append(s.buf[:n], s.buf[n+1:]...)
		return
	}
	if y := t.Year(); y < 0 || y > 9999 {
		s.writeError(errors.New("time.Time year outside of range [0,9999]"))
		return
	}
	s.buf = append(s.buf, '"')
	s.buf = t.AppendFormat(s.buf, time.RFC3339Nano)
	s.buf = append(s.buf, '"')
}

// writeValue appends what methods of the value give; one that panics is told of in its place.
func (s *state) writeValue(v Value) {
	defer func() {
		if e := recover(); e == nil {
			return
		} else if isNilPointer(v.any) {
			s.writeText("<nil>")
		} else {
			s.writeText(fmt.Sprintf("!PANIC: %v", e))
		}
	}()
	var err error
	switch k := v.Kind(); {
	case k == KindString:
		s.writeText(v.any.(string))
	case k == KindTime:
		s.writeTime(v.Time())
	case s.h.json:
		err = s.writeJSON(v, k)
	case k == KindAny:
		err = s.writeAny(v.Any())
	default:
		s.buf = v.append(s.buf)
	}
	if err != nil {
		s.writeError(err)
	}
}

func isNilPointer(v any) bool {
	return strings.HasPrefix(fmt.Sprintf("%T", v), "*") && fmt.Sprintf("%p", v) == "0x0"
}

func (s *state) writeAny(v any) error {
	var text []byte
	var err error
	switch v := v.(type) {
	case encoding.TextAppender:
		text, err = v.AppendText(nil)
	case encoding.TextMarshaler:
		text, err = v.MarshalText()
	case []byte:
		s.buf = strconv.AppendQuote(s.buf, string(v))
		return nil
	default:
		text = fmt.Appendf(nil, "%+v", v)
	}
	if err == nil {
		s.writeText(string(text))
	}
	return err
}

func (s *state) writeJSON(v Value, k Kind) (err error) {
	switch k {
	case KindDuration:
		s.buf = strconv.AppendInt(s.buf, int64(v.num), 10)
	case KindFloat64, KindAny:
		v := v.Any()
		_, marshals := v.(json.Marshaler)
		if e, ok := v.(error); ok && !marshals {
			s.writeText(e.Error())
			return nil
		}
		var text []byte
		if text, err = appendMarshalled(nil, v); err == nil {
			s.buf = append(s.buf, text...)
		}
	default:
		s.buf = v.append(s.buf)
	}
	return err
}

// isPlain says whether JSON strings have c as it is.
func isPlain(c byte) bool { return c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf }

// needsQuotes says whether s cannot stand as it is behind a key or before a value.
func needsQuotes(s string) bool {
	return s == "" || strings.ContainsFunc(s, func(r rune) bool {
		if r < utf8.RuneSelf {
			return r <= ' ' || r == '=' || r == '"'
		}
		return r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
}

// appendEscaped appends what stands between the quotes of a JSON string.
func appendEscaped(buf []byte, s string) []byte {
	const hex = "0123456789abcdef"
	for i := 0; i < len(s); {
		c := s[i]
		if isPlain(c) {
			n := i + 1
			for n < len(s) && isPlain(s[n]) {
				n++
			}
			buf = append(buf, s[i:n]...)
			i = n
			continue
		}
		if c < utf8.RuneSelf {
			switch c {
			case '\t':
				buf = append(buf, '\\', 't')
			case '\n':
				buf = append(buf, '\\', 'n')
			case '\r':
				buf = append(buf, '\\', 'r')
			case '"', '\\':
				buf = append(buf, '\\', c)
			default:
				buf = append(buf, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch r {
		case '\u2028', '\u2029':
			buf = append(append(buf, `\u202`...), hex[r&15])
		default:
			buf = utf8.AppendRune(buf, r)
		}
		i += n
	}
	return buf
}

// DiscardHandler takes nothing.
var DiscardHandler Handler = discardHandler{}

type discardHandler struct{}

func (discardHandler) Enabled(context.Context, Level) bool  { return false }
func (discardHandler) Handle(context.Context, Record) error { return nil }
func (h discardHandler) WithAttrs([]Attr) Handler           { return h }
func (h discardHandler) WithGroup(string) Handler           { return h }

// A MultiHandler gives records to several handlers.
type MultiHandler struct {
	multi []Handler
}

func NewMultiHandler(handlers ...Handler) *MultiHandler {
	return &MultiHandler{slices.Clone(handlers)}
}

func (h *MultiHandler) Enabled(ctx context.Context, l Level) bool {
	for _, to := range h.multi {
		if to.Enabled(ctx, l) {
			return true
		}
	}
	return false
}

func (h *MultiHandler) Handle(ctx context.Context, r Record) error {
	errs := make([]error, len(h.multi))
	for i, to := range h.multi {
		if to.Enabled(ctx, r.Level) {
			errs[i] = to.Handle(ctx, r.Clone())
		}
	}
	return errors.Join(errs...)
}

// each is a MultiHandler of what f makes of its handlers.
func (h *MultiHandler) each(f func(Handler) Handler) Handler {
	multi := make([]Handler, len(h.multi))
	for i, h := range h.multi {
		multi[i] = f(h)
	}
	return &MultiHandler{multi}
}

func (h *MultiHandler) WithAttrs(attrs []Attr) Handler {
	return h.each(func(h Handler) Handler { return h.WithAttrs(attrs) })
}

func (h *MultiHandler) WithGroup(name string) Handler {
	return h.each(func(h Handler) Handler { return h.WithGroup(name) })
}
