// run

// The JSON handler passes; others break rules in ways of their own.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing/slogtest"
)

// sloppy keeps records as maps, and does little right.
type sloppy struct {
	records *[]map[string]any
	attrs   []slog.Attr
	group   string
}

func (s sloppy) Enabled(context.Context, slog.Level) bool { return true }

func (s sloppy) WithAttrs(attrs []slog.Attr) slog.Handler {
	s.attrs = attrs
	return s
}

func (s sloppy) WithGroup(name string) slog.Handler {
	s.group = name
	return s
}

func (s sloppy) Handle(_ context.Context, r slog.Record) error {
	m := map[string]any{slog.TimeKey: r.Time, slog.SourceKey: r.PC, slog.MessageKey: r.Message}
	for _, a := range s.attrs {
		m[a.Key] = a.Value.Any()
	}
	r.Attrs(func(a slog.Attr) bool {
		m[a.Key] = fmt.Sprint(a.Value)
		return true
	})
	if s.group != "" {
		m["G"] = s.group
	}
	*s.records = append(*s.records, m)
	return nil
}

// without leaves out the places of the rules, and addresses.
func without(text string) string {
	text = regexp.MustCompile(` \(\S*slogtest\S*:\d+\)`).ReplaceAllString(text, "")
	text = regexp.MustCompile(`\(0x[0-9a-f]+\)`).ReplaceAllString(text, "(0x)")
	return regexp.MustCompile(`&slogtest\.\w+\{\w+:`).ReplaceAllString(text, "&slogtest.T{f:")
}

func main() {
	var buf bytes.Buffer
	count := 0
	err := slogtest.TestHandler(slog.NewJSONHandler(&buf, nil), func() (all []map[string]any) {
		for line := range strings.Lines(buf.String()) {
			var m map[string]any
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				fmt.Println(err)
			}
			all = append(all, m)
			count++
		}
		return all
	})
	fmt.Println(count, err)

	var records []map[string]any
	give := func() []map[string]any { return records }
	err = slogtest.TestHandler(sloppy{records: &records}, give)
	for _, line := range strings.Split(err.Error(), "\n") {
		// What stands for a value is of an unexported type.
		if !strings.Contains(line, "Resolve") {
			fmt.Println(without(line))
		}
	}
	fmt.Println(len(err.(interface{ Unwrap() []error }).Unwrap()))

	fmt.Println(slogtest.TestHandler(slog.DiscardHandler, func() []map[string]any { return nil }))
}
