package comment

// This file prints comments as text in lines of a width.

import (
	"bytes"
	"cmp"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// Text returns a comment as text that is filled.
func (p *Printer) Text(d *Doc) []byte {
	t := textPrinter{
		prefix: p.TextPrefix, code: cmp.Or(p.TextCodePrefix, p.TextPrefix+"\t"),
		width: cmp.Or(p.TextWidth, 80-utf8.RuneCountInString(p.TextPrefix)),
	}
	for i, x := range d.Content {
		if i > 0 && isBlockOfItsOwn(x) {
			t.blank()
		}
		t.block(x)
	}
	hasLinks := false
	for _, def := range d.Links {
		if !def.Used {
			continue
		}
		if !hasLinks {
			t.endLine()
		}
		hasLinks = true
		t.WriteString("[" + def.Text + "]: " + def.URL + "\n")
	}
	return t.Bytes()
}

type textPrinter struct {
	bytes.Buffer
	prefix, code string
	width        int
}

// endLine ends a line, and takes space off its end.
func (t *textPrinter) endLine() {
	t.Truncate(len(bytes.TrimRight(t.Bytes(), " \t")))
	t.WriteByte('\n')
}

func (t *textPrinter) blank() {
	t.WriteString(t.prefix)
	t.endLine()
}

func (t *textPrinter) block(x Block) {
	switch x := x.(type) {
	case *Paragraph:
		t.fill("", x.Text, "")
	case *Heading:
		t.fill("# ", x.Text, "")
	case *List:
		for i, item := range x.Items {
			if i > 0 && x.BlankBetween() {
				t.blank()
			}
			t.item(item)
		}
	case *Code:
		for line := range strings.Lines(x.Text) {
			if line = strings.TrimSuffix(line, "\n"); line != "" {
				t.WriteString(t.code + line)
			}
			t.endLine()
		}
	default:
		fmt.Fprintf(t, "?%T\n", x)
	}
}

func (t *textPrinter) item(item *ListItem) {
	lead := bullet(item)
	if len(item.Content) == 0 {
		t.WriteString(t.prefix + lead)
	}
	for i, x := range item.Content {
		if i > 0 {
			t.endLine()
			lead = margin
		}
		t.fill(lead, x.(*Paragraph).Text, margin)
	}
}

// fill prints text in lines, which begin with prefix, then with lead the first, with margin the
// others.
func (t *textPrinter) fill(lead string, list []Text, margin string) {
	words := strings.Fields(plain(list))
	ends := []int{len(words)}
	if t.width >= 0 && len(words) > 0 {
		ends = wrap(words, t.width-utf8.RuneCountInString(margin))
	}
	from := 0
	for _, to := range ends {
		t.WriteString(t.prefix + lead)
		lead = margin
		t.WriteString(strings.Join(words[from:to], " "))
		t.endLine()
		from = to
	}
}

// cost is what lines lack to be good ones. Lines that are too long count first.
type cost struct {
	long, short int64
}

func (c cost) add(d cost) cost { return cost{c.long + d.long, c.short + d.short} }

func (c cost) compare(d cost) int {
	return cmp.Or(cmp.Compare(c.long, d.long), cmp.Compare(c.short, d.short))
}

// wrapper finds where to end lines.
type wrapper struct {
	words []string
	width int
	at    []int  // where each word begins, if all are in one line; in characters
	best  []cost // of all lines before a word, if a line begins with it
}

// line returns the cost of a line with the words from one to before another: the square of what is
// free, or too much; and something if punctuation does not end it. The last line may be short.
func (w *wrapper) line(from, to int) cost {
	free := int64(w.width - (w.at[to] - 1 - w.at[from]))
	if to == len(w.words) && free >= 0 {
		return cost{}
	}
	last := w.words[to-1]
	end := int64(64)
	if strings.IndexByte(".,:;", last[len(last)-1]) >= 0 {
		end = 0
	}
	if free < 0 {
		return cost{free * free, end}
	}
	return cost{0, free*free + end}
}

// upTo returns the cost of the words before to, if the last line begins at from.
func (w *wrapper) upTo(from, to int) cost { return w.best[from].add(w.line(from, to)) }

// useless says whether between a and c, b is never the best beginning of a last line.
func (w *wrapper) useless(a, b, c int) bool {
	n := len(w.words) + 1 - c
	to := c + sort.Search(n, func(i int) bool {
		return w.upTo(a, c+i).compare(w.upTo(b, c+i)) > 0
	})
	return to > len(w.words) || w.upTo(c, to).compare(w.upTo(b, to)) <= 0
}

// wrap returns the words before which lines end, such that the cost of all lines is least. It keeps
// a queue of words that can still be the best beginning of a line, as Hirschberg and Larmore do it
// in "The least weight subsequence problem".
func wrap(words []string, width int) (ends []int) {
	w := wrapper{words: words, width: width, at: make([]int, 1, len(words)+1), best: []cost{{}}}
	for i, word := range words {
		w.at = append(w.at, w.at[i]+utf8.RuneCountInString(word)+1)
	}
	all := len(words)
	queue := []int{0}
	before := make([]int, 1, all+1) // where the line begins that ends before a word
	for i := 1; i < all; i++ {
		better := func() bool { return w.upTo(queue[1], i+1).compare(w.upTo(queue[0], i+1)) <= 0 }
		w.best = append(w.best, w.upTo(queue[0], i))
		before = append(before, queue[0])
		for len(queue) > 1 && better() {
			queue = queue[1:]
		}
		for n := len(queue); n > 1 && w.useless(queue[n-2], queue[n-1], i); n-- {
			queue = queue[:n-1]
		}
		if w.upTo(i, all).compare(w.upTo(queue[len(queue)-1], all)) < 0 {
			queue = append(queue, i)
			if len(queue) == 2 && better() {
				queue = queue[1:]
			}
		}
	}
	before = append(before, queue[0])
	for end := all; end > 0; end = before[end] {
		ends = append(ends, end)
	}
	for i, j := 0, len(ends)-1; i < j; i, j = i+1, j-1 {
		ends[i], ends[j] = ends[j], ends[i]
	}
	return ends
}
