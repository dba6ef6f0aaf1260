// run

// Text set in columns: paragraphs wrapped well by cost, justified, tables with borders, Roman numerals.
package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

func width(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r == 0x301 || r == 0x308:
		case r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xffdc):
			n += 2
		default:
			n++
		}
	}
	return n
}

// wrap breaks lines so that the squares of the gaps are least.
func wrap(text string, limit int) []string {
	words := strings.Fields(text)
	n := len(words)
	cost := make([]float64, n+1)
	next := make([]int, n+1)
	for i := n - 1; i >= 0; i-- {
		cost[i] = math.Inf(1)
		w := -1
		for j := i; j < n; j++ {
			w += 1 + width(words[j])
			if w > limit && j > i {
				break
			}
			c := math.Pow(float64(max(0, limit-w)), 2)
			if j == n-1 {
				c = 0
			}
			if c+cost[j+1] < cost[i] {
				cost[i], next[i] = c+cost[j+1], j+1
			}
		}
	}
	var lines []string
	for i := 0; i < n; i = next[i] {
		lines = append(lines, strings.Join(words[i:next[i]], " "))
	}
	return lines
}

func justify(line string, limit int) string {
	words := strings.Fields(line)
	if len(words) < 2 {
		return line
	}
	gaps := len(words) - 1
	spare := limit - width(line) + gaps
	var b strings.Builder
	for i, w := range words {
		b.WriteString(w)
		if i < gaps {
			n := spare / gaps
			if i < spare%gaps {
				n++
			}
			b.WriteString(strings.Repeat(" ", n))
		}
	}
	return b.String()
}

func pad(s string, n int, align byte) string {
	gap := max(0, n-width(s))
	switch align {
	case 'r':
		return strings.Repeat(" ", gap) + s
	case 'c':
		return strings.Repeat(" ", gap/2) + s + strings.Repeat(" ", gap-gap/2)
	}
	return s + strings.Repeat(" ", gap)
}

func columns(cols [][]string, w, gutter int) string {
	var b strings.Builder
	rows := 0
	for _, c := range cols {
		rows = max(rows, len(c))
	}
	for i := range rows {
		var line []string
		for _, c := range cols {
			cell := ""
			if i < len(c) {
				cell = c[i]
			}
			line = append(line, pad(cell, w, 'l'))
		}
		b.WriteString(strings.TrimRight(strings.Join(line, strings.Repeat(" ", gutter)), " ") + "\n")
	}
	return b.String()
}

func table(align string, rows ...[]string) string {
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			for l := range strings.SplitSeq(c, "\n") {
				widths[i] = max(widths[i], width(l))
			}
		}
	}
	rule := func(l, m, r string) string {
		var parts []string
		for _, w := range widths {
			parts = append(parts, strings.Repeat("─", w+2))
		}
		return l + strings.Join(parts, m) + r + "\n"
	}
	var b strings.Builder
	b.WriteString(rule("┌", "┬", "┐"))
	for n, r := range rows {
		height := 1
		for _, c := range r {
			height = max(height, strings.Count(c, "\n")+1)
		}
		for h := range height {
			for i, c := range r {
				lines := strings.Split(c, "\n")
				text := ""
				if h < len(lines) {
					text = lines[h]
				}
				b.WriteString("│ " + pad(text, widths[i], align[i]) + " ")
			}
			b.WriteString("│\n")
		}
		if n == 0 {
			b.WriteString(rule("├", "┼", "┤"))
		}
	}
	return b.String() + rule("└", "┴", "┘")
}

var roman = []struct {
	n int
	s string
}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40,
	"XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}}

type Roman int

func (r Roman) String() string {
	var b strings.Builder
	for _, x := range roman {
		for int(r) >= x.n {
			b.WriteString(x.s)
			r -= Roman(x.n)
		}
	}
	return b.String()
}

func (r *Roman) Scan(st fmt.ScanState, verb rune) error {
	tok, err := st.Token(true, func(c rune) bool { return strings.ContainsRune("MDCLXVI", c) })
	if err != nil {
		return err
	}
	s := string(tok)
	*r = 0
	for _, x := range roman {
		for strings.HasPrefix(s, x.s) {
			*r += Roman(x.n)
			s = s[len(x.s):]
		}
	}
	if s != "" || r.String() != string(tok) {
		return fmt.Errorf("%q is no Roman number", tok)
	}
	return nil
}

func words(n int) string {
	ones := strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens := strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")
	switch {
	case n < 0:
		return "minus " + words(-n)
	case n < 20:
		return ones[n]
	case n < 100:
		s := tens[n/10]
		if n%10 > 0 {
			s += "-" + ones[n%10]
		}
		return s
	}
	for _, u := range []struct {
		n    int
		name string
	}{{1e9, "billion"}, {1e6, "million"}, {1000, "thousand"}, {100, "hundred"}} {
		if n >= u.n {
			s := words(n/u.n) + " " + u.name
			if n%u.n > 0 {
				s += " " + words(n%u.n)
			}
			return s
		}
	}
	return ""
}

const prose = `In olden times, when wishing still helped one, there lived a king whose daughters were all
beautiful; but the youngest was so beautiful that the sun itself, which has seen so much, was astonished
whenever it shone in her face. Zoë's naïve café — 漢字 — Donaudampfschifffahrtsgesellschaft.`

func main() {
	lines := wrap(prose, 34)
	for i, l := range lines {
		if i < len(lines)-1 && width(l) <= 34 {
			l = justify(l, 34)
		}
		fmt.Printf("|%s|\n", pad(l, 34, 'l'))
	}
	fmt.Print(columns([][]string{wrap(prose[:120], 20), wrap("short text", 20),
		wrap(prose[100:250], 20)}, 20, 3))
	fmt.Print(table("lrc", []string{"name", "amount", "note"}, []string{"Zoë", "1.50",
		"two\nlines"}, []string{"漢字", "12,000.00", "x"}, []string{"", "-1", "centred text"}))
	for _, n := range []Roman{1, 4, 9, 14, 40, 90, 400, 1994, 2024, 3999} {
		fmt.Print(n, " ")
	}
	fmt.Println()
	var a, b Roman
	n, err := fmt.Sscan("MCMXCIV XLII", &a, &b)
	fmt.Println(n, err, int(a), int(b))
	_, err = fmt.Sscan("IIX", &a)
	fmt.Println(err)
	_, err = fmt.Sscanf("year: MMXX!", "year: %v!", &a)
	fmt.Println(int(a), err)
	for _, n := range []int{0, 13, 42, 100, 999, 1001, 123456, -70, 2_000_000_019} {
		fmt.Println(n, words(n))
	}
	var buf bytes.Buffer
	w := tabwriter.NewWriter(&buf, 5, 0, 1, '.', tabwriter.AlignRight|tabwriter.DiscardEmptyColumns)
	fmt.Fprintln(w, "a\tbbb\t\tc\t")
	fmt.Fprintln(w, "aaaa\tb\t\tcccccccc\t")
	fmt.Fprintln(w, "ü\t漢\t\tx\t")
	w.Flush()
	os.Stdout.Write(buf.Bytes())
	lens := slices.Collect(func(yield func(int) bool) {
		for l := range strings.Lines(buf.String()) {
			if !yield(utf8.RuneCountInString(l)) {
				return
			}
		}
	})
	fmt.Println(lens)
}
