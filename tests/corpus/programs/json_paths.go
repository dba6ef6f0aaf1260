// run

// Queries on JSON documents of unknown shape: paths, flattening, merging and comparing.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

type document = map[string]any

func parse(text string) any {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

// lookup follows a path such as a.b[2].c; a star takes all.
func lookup(v any, path string) []any {
	if path == "" {
		return []any{v}
	}
	if strings.HasPrefix(path, "[") {
		end := strings.IndexByte(path, ']')
		list, ok := v.([]any)
		if end < 0 || !ok {
			return nil
		}
		index, rest := path[1:end], strings.TrimPrefix(path[end+1:], ".")
		var found []any
		for i, x := range list {
			if index == "*" || index == strconv.Itoa(i) {
				found = append(found, lookup(x, rest)...)
			}
		}
		return found
	}
	end := strings.IndexAny(path, ".[")
	key, rest := path, ""
	if end >= 0 {
		key, rest = path[:end], strings.TrimPrefix(path[end:], ".")
	}
	m, ok := v.(document)
	if !ok {
		return nil
	}
	if key == "*" {
		var found []any
		for _, k := range slices.Sorted(maps.Keys(m)) {
			found = append(found, lookup(m[k], rest)...)
		}
		return found
	}
	if x, ok := m[key]; ok {
		return lookup(x, rest)
	}
	return nil
}

func flatten(prefix string, v any, out map[string]string) {
	switch v := v.(type) {
	case document:
		if len(v) == 0 {
			out[prefix] = "{}"
		}
		for k, x := range v {
			flatten(strings.TrimPrefix(prefix+"."+k, "."), x, out)
		}
	case []any:
		if len(v) == 0 {
			out[prefix] = "[]"
		}
		for i, x := range v {
			flatten(fmt.Sprintf("%s[%d]", prefix, i), x, out)
		}
	case nil:
		out[prefix] = "null"
	default:
		out[prefix] = fmt.Sprintf("%v (%T)", v, v)
	}
}

// merge puts patch over v, as RFC 7396 has it.
func merge(v, patch any) any {
	p, ok := patch.(document)
	if !ok {
		return patch
	}
	old, ok := v.(document)
	if !ok {
		old = document{}
	}
	m := maps.Clone(old)
	for k, x := range p {
		if x == nil {
			delete(m, k)
		} else {
			m[k] = merge(m[k], x)
		}
	}
	return m
}

func changes(a, b any) []string {
	fa, fb := map[string]string{}, map[string]string{}
	flatten("", a, fa)
	flatten("", b, fb)
	keys := map[string]bool{}
	for k := range fa {
		keys[k] = true
	}
	for k := range fb {
		keys[k] = true
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		x, inA := fa[k]
		y, inB := fb[k]
		switch {
		case !inA:
			out = append(out, "+ "+k+": "+y)
		case !inB:
			out = append(out, "- "+k+": "+x)
		case x != y:
			out = append(out, "~ "+k+": "+x+" -> "+y)
		}
	}
	return out
}

const store = `{
  "store": {
    "book": [
      {"category": "reference", "author": "Nigel Rees", "title": "Sayings", "price": 8.95},
      {"category": "fiction", "author": "Evelyn Waugh", "title": "Sword", "price": 12.99},
      {"category": "fiction", "author": "Herman Melville", "title": "Moby Dick", "isbn": "0-553",
       "price": 8.99, "tags": ["sea", "whale"]}
    ],
    "bicycle": {"color": "red", "price": 19.95, "parts": {}, "owners": []}
  },
  "expensive": 10, "big": 12345678901234567890, "exp": 1E+2, "none": null, "yes": true
}`

func main() {
	doc := parse(store)
	for _, path := range []string{
		"store.book[*].author", "store.book[1].title", "store.*.price", "store.book[2].tags[*]",
		"store.book[9]", "store.bicycle.color.x", "expensive", "*", "big", "exp", "nothing", "store[0]",
	} {
		found := lookup(doc, path)
		if path == "*" {
			fmt.Println(path, len(found))
			continue
		}
		fmt.Println(path, found)
	}
	flat := map[string]string{}
	flatten("", doc, flat)
	for _, k := range slices.Sorted(maps.Keys(flat)) {
		fmt.Printf("%-28s %s\n", k, flat[k])
	}
	patched := merge(doc, parse(`{"expensive": null, "store": {"bicycle": {"color": "blue",
		"bell": {"sound": "ding"}}, "book": [1]}, "none": {"a": null, "b": [null]}}`))
	for _, c := range changes(doc, patched) {
		fmt.Println(c)
	}
	fmt.Println(reflect.DeepEqual(doc, parse(store)), reflect.DeepEqual(doc, patched))
	out, err := json.MarshalIndent(patched, "> ", "\t")
	fmt.Println(string(out), err)
	dec := json.NewDecoder(strings.NewReader(store + ` [1, "two", {"three": 3}] "end" 5`))
	depth, tokens := 0, 0
	for {
		t, err := dec.Token()
		if err != nil {
			fmt.Println(err, depth, tokens, dec.InputOffset())
			break
		}
		tokens++
		if d, ok := t.(json.Delim); ok {
			if d == '{' || d == '[' {
				depth++
			} else {
				depth--
			}
		} else if depth == 0 {
			fmt.Printf("%T %v\n", t, t)
		}
	}
}
