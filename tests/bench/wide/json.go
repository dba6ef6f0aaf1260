package main

import (
	"fmt"
	"strings"
)

// A reader of JSON by hand: bytes become a tree of any, which is measured by a type
// switch. Mistakes are errors that tell where they are.

type reader struct {
	data []byte
	at   int
}

// next is the byte behind white space and commas, or 0 at the end.
func (r *reader) next() byte {
	for ; r.at < len(r.data); r.at++ {
		switch c := r.data[r.at]; c {
		case ' ', '\n', '\t', ',':
		default:
			return c
		}
	}
	return 0
}

func (r *reader) value() (any, error) {
	switch c := r.next(); {
	case c == '{':
		object := map[string]any{}
		for r.at++; r.next() != '}'; {
			key := r.text()
			if r.next() != ':' {
				return nil, fmt.Errorf("colon expected at %d", r.at)
			}
			r.at++
			v, err := r.value()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
			object[key] = v
		}
		r.at++
		return object, nil
	case c == '[':
		array := []any{}
		for r.at++; r.next() != ']'; {
			v, err := r.value()
			if err != nil {
				return nil, fmt.Errorf("[%d]: %w", len(array), err)
			}
			array = append(array, v)
		}
		r.at++
		return array, nil
	case c == '"':
		return r.text(), nil
	case c >= '0' && c <= '9':
		n := 0
		for ; r.data[r.at] >= '0' && r.data[r.at] <= '9'; r.at++ {
			n = n*10 + int(r.data[r.at]-'0')
		}
		return n, nil
	}
	return nil, fmt.Errorf("unexpected %q at %d", r.data[r.at:], r.at)
}

func (r *reader) text() string {
	var out []byte
	for r.at++; r.data[r.at] != '"'; r.at++ {
		if r.data[r.at] == '\\' {
			r.at++
		}
		out = append(out, r.data[r.at])
	}
	r.at++
	return string(out)
}

type tally struct{ objects, arrays, texts, sum, depth int }

func (t *tally) visit(v any, depth int) {
	t.depth = max(t.depth, depth)
	switch v := v.(type) {
	case map[string]any:
		t.objects++
		for _, member := range v {
			t.visit(member, depth+1)
		}
	case []any:
		t.arrays++
		for _, element := range v {
			t.visit(element, depth+1)
		}
	case string:
		t.texts += len(v)
	case int:
		t.sum += v
	}
}

func main() {
	var sb strings.Builder
	for i := 0; i < 600; i++ {
		fmt.Fprintf(&sb, `, {"id": %d, "name": "user \"%d\"", "tags": ["a", "bb"], "at": [%d, [%d, {}]]}`, i, i*7, i*i, i%13)
	}
	data, t := []byte("["+sb.String()[1:]+"]"), tally{}
	for round := 0; round < 55; round++ {
		r := &reader{data: data}
		v, err := r.value()
		if err != nil || r.at != len(data) {
			panic(fmt.Sprint(err, r.at))
		}
		t.visit(v, 1)
	}
	fmt.Printf("%d bytes, %+v\n", len(data), t)
	fmt.Println((&reader{data: []byte(`{"a": [1, 2, ?]}`)}).value())
	fmt.Println((&reader{data: []byte(`[{"b": {"c" 3}}]`)}).value())
}
