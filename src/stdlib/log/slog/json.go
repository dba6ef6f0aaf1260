package slog

import (
	"bytes"
	"encoding/json"
)

// appendMarshalled appends v in JSON, with what HTML would escape as it is.
func appendMarshalled(buf []byte, v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return append(buf, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...), nil
}
