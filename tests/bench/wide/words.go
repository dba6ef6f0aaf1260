package main

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
)

// Words of a text: scanned rune by rune, turned to lower case, counted in a map, kept
// in a trie that completes prefixes, and listed by frequency.

type trie struct {
	children map[rune]*trie
	count    int
}

func (t *trie) add(word string) {
	for _, r := range word {
		if t.children == nil {
			t.children = make(map[rune]*trie)
		}
		child := t.children[r]
		if child == nil {
			child = new(trie)
			t.children[r] = child
		}
		t = child
	}
	t.count++
}

// total is how many words begin so.
func (t *trie) total(prefix string) int {
	for _, r := range prefix {
		if t = t.children[r]; t == nil {
			return 0
		}
	}
	return t.sum()
}

func (t *trie) sum() int {
	n := t.count
	for _, child := range t.children {
		n += child.sum()
	}
	return n
}

func split(text string, word func(string)) {
	start := -1
	for i, r := range text + "\n" {
		if unicode.IsLetter(r) {
			if start < 0 {
				start = i
			}
		} else if start >= 0 {
			word(text[start:i])
			start = -1
		}
	}
}

func lower(s string) string {
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case r >= 'A' && r <= 'Z':
			runes[i] = r + 'a' - 'A'
		case r >= 'À' && r <= 'Þ' && r != '×':
			runes[i] = r + 'à' - 'À'
		}
	}
	return string(runes)
}

func makeText(words int) string {
	syllables := []string{"ka", "Lo", "mi", "né", "Ör", "sa", "tu", "Ñu", "e", "wið", "ra"}
	marks := []string{" ", " ", ", ", ". ", " — ", "\n"}
	x := uint32(11)
	next := func(n int) int {
		x = x*1664525 + 1013904223
		return int(x>>16) % n
	}
	var sb strings.Builder
	for i := 0; i < words; i++ {
		for n := 1 + next(3); n > 0; n-- {
			sb.WriteString(syllables[next(len(syllables))])
		}
		sb.WriteString(marks[next(len(marks))])
	}
	return sb.String()
}

func main() {
	text := makeText(120000)
	counts := map[string]int{}
	root := new(trie)
	split(text, func(w string) {
		w = lower(w)
		counts[w]++
		root.add(w)
	})
	list := make([]string, 0, len(counts))
	for w := range counts {
		list = append(list, w)
	}
	sort.Slice(list, func(i, j int) bool {
		if counts[list[i]] != counts[list[j]] {
			return counts[list[i]] > counts[list[j]]
		}
		return list[i] < list[j]
	})
	fmt.Println(len(text), len(list))
	for _, w := range list[:4] {
		fmt.Printf("%s %d %x\n", w, counts[w], w)
	}
	fmt.Println(root.total("ör"), root.total("ñuka"), root.total("wiðe"), root.total("q"))
}
