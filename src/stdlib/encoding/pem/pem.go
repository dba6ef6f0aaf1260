// Package pem: bytes as text between lines that say what they are. RFC 1421, 7468.
package pem

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
)

type Block struct {
	Type    string
	Headers map[string]string
	Bytes   []byte
}

const (
	begin  = "-----BEGIN "
	end    = "-----END "
	dashes = "-----"
)

// cutLine takes the first line, without its end and the blanks there; how long it was with them.
func cutLine(data []byte) (line, rest []byte, n int) {
	line, n = data, len(data)
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		line, n = data[:i], i+1
		if i > 0 && data[i-1] == '\r' {
			line = data[:i-1]
		}
	}
	return bytes.TrimRight(line, " \t"), data[n:], n
}

func Decode(data []byte) (p *Block, rest []byte) {
	for rest = data; ; {
		stop := bytes.Index(rest, []byte("\n"+end))
		if stop < 0 {
			return nil, data
		}
		behind := stop + len("\n"+end)
		p, tail, used := parse(rest, stop)
		if p != nil {
			return p, tail
		}
		if used > behind {
			return nil, data
		}
		rest = rest[behind:]
	}
}

// parse takes the block whose last line begins after the \n at stop. If there is none it says how
// far it has looked, beyond all of data if no other may follow.
func parse(data []byte, stop int) (p *Block, tail []byte, used int) {
	start := bytes.LastIndex(data[:stop], []byte(begin))
	if start < 0 || start > 0 && data[start-1] != '\n' {
		return nil, nil, 0
	}
	used = start + len(begin)
	kind, rest, n := cutLine(data[used:])
	used += n
	if !bytes.HasSuffix(kind, []byte(dashes)) {
		return nil, nil, used
	}
	kind = kind[:len(kind)-len(dashes)]
	p = &Block{Type: string(kind), Headers: map[string]string{}}
	for {
		if len(rest) == 0 {
			return nil, nil, len(data) + len(end) + 2
		}
		line, next, n := cutLine(rest)
		key, value, ok := bytes.Cut(line, []byte(":"))
		if !ok {
			break
		}
		p.Headers[string(bytes.TrimSpace(key))] = string(bytes.TrimSpace(value))
		rest = next
		used += n
	}
	if len(p.Headers) > 0 && stop < used {
		return nil, nil, used
	}
	last, tail, _ := cutLine(data[stop+len("\n"+end):])
	if string(last) != p.Type+dashes {
		return nil, nil, used
	}
	p.Bytes = []byte{}
	if stop > used {
		text := slices.DeleteFunc(bytes.Clone(data[used:stop]), func(c byte) bool {
			return c == ' ' || c == '\t'
		})
		out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
		n, err := base64.StdEncoding.Decode(out, text)
		if err != nil {
			return nil, nil, used
		}
		p.Bytes = out[:n]
	}
	return p, tail, used
}

// lineLen is how many characters of the text stand on a line.
const lineLen = 64

func Encode(out io.Writer, b *Block) error {
	keys := slices.Sorted(maps.Keys(b.Headers))
	for _, key := range keys {
		if strings.Contains(key, ":") {
			return errors.New("pem: cannot encode a header key that contains a colon")
		}
	}
	if _, err := io.WriteString(out, begin+b.Type+dashes+"\n"); err != nil {
		return err
	}
	if len(keys) > 0 {
		// This one has to come first.
		const first = "Proc-Type"
		if i := slices.Index(keys, first); i >= 0 {
			keys = slices.Insert(slices.Delete(keys, i, i+1), 0, first)
		}
		head := ""
		for _, key := range keys {
			head += key + ": " + b.Headers[key] + "\n"
		}
		if _, err := io.WriteString(out, head+"\n"); err != nil {
			return err
		}
	}
	text := base64.StdEncoding.AppendEncode(nil, b.Bytes)
	for line := range slices.Chunk(text, lineLen) {
		if _, err := out.Write(append(slices.Clip(line), '\n')); err != nil {
			return err
		}
	}
	_, err := io.WriteString(out, end+b.Type+dashes+"\n")
	return err
}

func EncodeToMemory(b *Block) []byte {
	var out bytes.Buffer
	if Encode(&out, b) != nil {
		return nil
	}
	return out.Bytes()
}
