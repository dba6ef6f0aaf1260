package logs

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"testing"
	"testing/slogtest"
)

func TestJSON(t *testing.T) {
	var buf bytes.Buffer
	slogtest.Run(t, func(*testing.T) slog.Handler {
		buf.Reset()
		return slog.NewJSONHandler(&buf, &slog.HandlerOptions{AddSource: true})
	}, func(t *testing.T) (m map[string]any) {
		if err := json.Unmarshal(buf.Bytes(), &m); err != nil {
			t.Error(err)
		}
		return m
	})
}
