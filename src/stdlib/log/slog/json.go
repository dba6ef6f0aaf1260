package slog

import (
	"bytes"
	"encoding/json"
)

// appendMarshalled appends v in JSON, with what HTML would escape as it is.
func appendMarshalled(buf []byte, v any) ([]byte, error) {
	var text bytes.Buffer
	to := json.NewEncoder(&text)
	to.SetEscapeHTML(false)
	err := to.Encode(v)
	if err == nil {
		line, _ := bytes.CutSuffix(text.Bytes(), []byte{'\n'})
		buf = append(buf, line...)
	}
	return buf, err
}
