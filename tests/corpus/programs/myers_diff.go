// run

// A diff of two texts by Myers' algorithm, shown in the unified form, applied again as a patch.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

type op struct {
	kind byte // ' ', '-' or '+'
	line string
}

func diff(a, b []string) []op {
	n, m := len(a), len(b)
	max := n + m
	v := make([]int, 2*max+2)
	var trace [][]int
	for d := 0; d <= max; d++ {
		trace = append(trace, append([]int(nil), v...))
		for k := -d; k <= d; k += 2 {
			var x int
			if k == -d || k != d && v[max+k-1] < v[max+k+1] {
				x = v[max+k+1]
			} else {
				x = v[max+k-1] + 1
			}
			y := x - k
			for x < n && y < m && a[x] == b[y] {
				x, y = x+1, y+1
			}
			v[max+k] = x
			if x >= n && y >= m {
				return backtrack(a, b, trace, max)
			}
		}
	}
	return nil
}

func backtrack(a, b []string, trace [][]int, max int) []op {
	var ops []op
	x, y := len(a), len(b)
	for d := len(trace) - 1; d >= 0; d-- {
		v := trace[d]
		k := x - y
		prev := k - 1
		if k == -d || k != d && v[max+k-1] < v[max+k+1] {
			prev = k + 1
		}
		px := v[max+prev]
		py := px - prev
		for x > px && y > py && x > 0 && y > 0 {
			x, y = x-1, y-1
			ops = append(ops, op{' ', a[x]})
		}
		if d > 0 {
			if x == px {
				y--
				ops = append(ops, op{'+', b[y]})
			} else {
				x--
				ops = append(ops, op{'-', a[x]})
			}
		}
	}
	for i, j := 0, len(ops)-1; i < j; i, j = i+1, j-1 {
		ops[i], ops[j] = ops[j], ops[i]
	}
	return ops
}

const around = 2

func unified(ops []op) string {
	var out strings.Builder
	for i := 0; i < len(ops); {
		if ops[i].kind == ' ' {
			i++
			continue
		}
		start := max(0, i-around)
		end := i
		for j := i; j < len(ops) && j <= end+2*around; j++ {
			if ops[j].kind != ' ' {
				end = j
			}
		}
		end = min(len(ops), end+around+1)
		oldAt, newAt := 1, 1
		for _, o := range ops[:start] {
			if o.kind != '+' {
				oldAt++
			}
			if o.kind != '-' {
				newAt++
			}
		}
		var oldN, newN int
		for _, o := range ops[start:end] {
			if o.kind != '+' {
				oldN++
			}
			if o.kind != '-' {
				newN++
			}
		}
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n", oldAt, oldN, newAt, newN)
		for _, o := range ops[start:end] {
			fmt.Fprintf(&out, "%c%s\n", o.kind, o.line)
		}
		i = end
	}
	return out.String()
}

type patchError struct {
	line int
	want string
	got  string
}

func (e *patchError) Error() string {
	return "line " + strconv.Itoa(e.line) + ": want " + strconv.Quote(e.want) + ", got " + strconv.Quote(e.got)
}

func apply(a []string, patch string) ([]string, error) {
	var out []string
	at := 0
	sc := bufio.NewScanner(strings.NewReader(patch))
	for sc.Scan() {
		text := sc.Text()
		if strings.HasPrefix(text, "@@") {
			var oldAt, oldN, newAt, newN int
			if _, err := fmt.Sscanf(text, "@@ -%d,%d +%d,%d @@", &oldAt, &oldN, &newAt, &newN); err != nil {
				return nil, fmt.Errorf("bad header %q: %w", text, err)
			}
			if oldAt-1 < at || oldAt-1 > len(a) {
				return nil, errors.New("hunks overlap")
			}
			out = append(out, a[at:oldAt-1]...)
			at = oldAt - 1
			continue
		}
		switch text[0] {
		case '+':
			out = append(out, text[1:])
		case ' ', '-':
			if at >= len(a) || a[at] != text[1:] {
				got := "end"
				if at < len(a) {
					got = a[at]
				}
				return nil, &patchError{at + 1, text[1:], got}
			}
			if text[0] == ' ' {
				out = append(out, a[at])
			}
			at++
		}
	}
	return append(out, a[at:]...), sc.Err()
}

func main() {
	pairs := [][2]string{
		{"a b c a b b a", "c b a b a c"},
		{"one two three four five six seven eight nine ten",
			"one two 3 four five six seven eight nine ten eleven"},
		{"", "x y"}, {"x y", ""}, {"same lines here", "same lines here"}, {"", ""},
		{strings.Repeat("pad ", 10) + "end", "begin " + strings.Repeat("pad ", 9) + "end"},
		{"a b c d e f g h i j k l m n o p", "a B c d e f g h i j k l m N o p q"},
	}
	for _, p := range pairs {
		a, b := strings.Fields(p[0]), strings.Fields(p[1])
		ops := diff(a, b)
		changes := 0
		for _, o := range ops {
			if o.kind != ' ' {
				changes++
			}
		}
		text := unified(ops)
		got, err := apply(a, text)
		fmt.Printf("%d changes, %v, applies: %v\n%s", changes, err, strings.Join(got,
			" ") == strings.Join(b, " "), text)
	}
	text := unified(diff(strings.Fields(pairs[1][0]), strings.Fields(pairs[1][1])))
	_, err := apply(strings.Fields("one TWO three"), text)
	var pe *patchError
	fmt.Println(err, errors.As(err, &pe) && pe.line == 2)
	_, err = apply(nil, "@@ nonsense")
	fmt.Println(err)
	_, err = apply([]string{"a"}, "@@ -1,1 +1,0 @@\n-a\n@@ -1,1 +1,1 @@\n a\n")
	fmt.Println(err)
	// Large texts with few changes.
	var a, b []string
	for i := range 3000 {
		a = append(a, fmt.Sprint("line ", i*i%977))
		if i%500 != 250 {
			b = append(b, a[i])
		}
		if i%700 == 10 {
			b = append(b, fmt.Sprint("new ", i))
		}
	}
	text = unified(diff(a, b))
	got, err := apply(a, text)
	fmt.Println(strings.Count(text, "@@ -"), strings.Join(got, "\n") == strings.Join(b, "\n"), err)
}
