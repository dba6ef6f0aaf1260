// run

// A stock list is read from JSON, changed by a list of orders, and written back.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"
)

type Money int64

func (m Money) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "\"%d.%02d\"", int64(m)/100, int64(m)%100), nil
}

func (m *Money) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	var whole, cents int64
	if n, err := fmt.Sscanf(s, "%d.%d", &whole, &cents); n != 2 || err != nil {
		return fmt.Errorf("bad amount %q", s)
	}
	*m = Money(whole*100 + cents)
	return nil
}

type Kind int

const (
	Tool Kind = iota
	Food
	Toy
)

var kinds = map[string]Kind{"tool": Tool, "food": Food, "toy": Toy}

func (k Kind) MarshalText() ([]byte, error) {
	for name, kind := range kinds {
		if k == kind {
			return []byte(name), nil
		}
	}
	return nil, fmt.Errorf("kind %d has no name", int(k))
}

func (k *Kind) UnmarshalText(b []byte) error {
	kind, ok := kinds[string(b)]
	if !ok {
		return fmt.Errorf("unknown kind %q", b)
	}
	*k = kind
	return nil
}

type Item struct {
	SKU      string            `json:"sku"`
	Name     string            `json:"name"`
	Kind     Kind              `json:"kind"`
	Price    Money             `json:"price"`
	Quantity int               `json:"qty"`
	Tags     []string          `json:"tags,omitempty"`
	Attrs    map[string]any    `json:"attrs,omitempty"`
	Added    time.Time         `json:"added"`
	Supplier *Supplier         `json:"supplier,omitempty"`
	ByKind   map[Kind]int      `json:"by_kind,omitempty"`
	Notes    map[string]string `json:"-"`
}

type Supplier struct {
	Name  string `json:"name"`
	Phone string `json:",omitempty"`
}

type Order struct {
	SKU string      `json:"sku"`
	Op  string      `json:"op"`
	N   json.Number `json:"n"`
}

const stock = `[
  {"sku": "T-1", "name": "Hammer", "kind": "tool", "price": "12.50", "qty": 3,
   "tags": ["steel", "<heavy>"], "added": "2024-01-15T09:30:00Z",
   "supplier": {"name": "Smith & Sons", "Phone": "555"}},
  {"sku": "F-7", "name": "Apples \u2014 red", "kind": "food", "price": "0.35", "qty": 200,
   "attrs": {"organic": true, "origin": {"country": "NL"}, "weights": [0.1, 0.12]},
   "added": "2024-03-02T00:00:00+01:00"},
  {"sku": "Y-3", "name": "Kite", "kind": "toy", "price": "8.05", "qty": 0, "unknown": 1,
   "by_kind": {"toy": 2, "tool": 1}, "added": "2023-12-24T18:00:00.5Z"}
]`

const orders = `
{"sku":"T-1","op":"sell","n":2}
{"sku":"F-7","op":"sell","n":250}
{"sku":"Y-3","op":"buy","n":1e1}
{"sku":"Y-3","op":"buy","n":10}
{"sku":"Q-0","op":"buy","n":1}
{"sku":"T-1","op":"burn","n":1}
`

var errShort = errors.New("not enough in stock")

type Stock map[string]*Item

func (s Stock) apply(o Order) error {
	item, ok := s[o.SKU]
	if !ok {
		return fmt.Errorf("no item %s", o.SKU)
	}
	n, err := o.N.Int64()
	if err != nil {
		return fmt.Errorf("order of %s: %w", o.SKU, err)
	}
	switch o.Op {
	case "sell":
		if int(n) > item.Quantity {
			return fmt.Errorf("%s: %w: %d < %d", item.Name, errShort, item.Quantity, n)
		}
		item.Quantity -= int(n)
	case "buy":
		item.Quantity += int(n)
	default:
		return fmt.Errorf("unknown operation %q", o.Op)
	}
	return nil
}

func main() {
	var items []*Item
	if err := json.Unmarshal([]byte(stock), &items); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s := Stock{}
	for _, it := range items {
		s[it.SKU] = it
	}
	dec := json.NewDecoder(strings.NewReader(orders))
	for dec.More() {
		var o Order
		if err := dec.Decode(&o); err != nil {
			fmt.Println("stopped:", err)
			break
		}
		if err := s.apply(o); err != nil {
			fmt.Println("refused:", err, errors.Is(err, errShort))
		}
	}
	sort.Slice(items, func(i, j int) bool { return items[i].SKU < items[j].SKU })
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	if err := enc.Encode(items); err != nil {
		fmt.Println(err)
	}
	var total Money
	for _, it := range items {
		total += it.Price * Money(it.Quantity)
	}
	summary := struct {
		Count int   `json:"count"`
		Value Money `json:"value"`
		*Supplier
	}{len(items), total, items[1].Supplier}
	b, err := json.Marshal(summary)
	fmt.Println(string(b), err)

	for _, bad := range []string{
		`[{"sku": 5}]`, `[{"price": "x"}]`, `[{"kind": "car"}]`, `[{"added": "yesterday"}]`,
		`{"sku": "T"}`, `[{"sku": "a",}]`, `[{"qty": 1.5}]`, `[{"qty": 99999999999999999999}]`, `[`,
	} {
		var items []Item
		err := json.Unmarshal([]byte(bad), &items)
		var typ *json.UnmarshalTypeError
		var syn *json.SyntaxError
		switch {
		case errors.As(err, &typ):
			fmt.Println("type:", err, typ.Offset, typ.Field)
		case errors.As(err, &syn):
			fmt.Println("syntax:", err, syn.Offset)
		default:
			fmt.Println("other:", err)
		}
	}
	strict := json.NewDecoder(strings.NewReader(stock))
	strict.DisallowUnknownFields()
	fmt.Println(strict.Decode(&items))
	_, err = json.Marshal(Item{Kind: 9})
	fmt.Println(err)
	var out bytes.Buffer
	json.Compact(&out, []byte(stock))
	fmt.Println(out.Len(), json.Valid(out.Bytes()))
	out.Reset()
	json.HTMLEscape(&out, []byte(`"<a href='x'>&amp;</a>"`))
	fmt.Println(out.String())
}
