// Package testdeps: what the main package of a test and package testing tell each other. Programs
// cannot import it.
package testdeps

import (
	"errors"
	"strings"
)

// ExitCode is what the last call of (*testing.M).Run has returned.
var ExitCode int

// Deps is what the main package hands to testing.MainStart.
type Deps struct{ Import, Module string }

func (d Deps) ImportPath() string { return d.Import }
func (d Deps) ModulePath() string { return d.Module }

var (
	// CoverMode says how statements are counted; empty: they are not.
	CoverMode string
	// Covered says of which packages, if these are not only the one that is tested.
	Covered string
	// CoveredFiles are those whose statements are counted.
	CoveredFiles []CoveredFile
)

// A CoveredFile has for each block of statements a counter and five numbers: where it begins and
// ends, each a line and a column, and how many statements it has.
type CoveredFile struct {
	Name     string
	Counters []uint32
	Blocks   []uint32
}

// Register is called when the package is initialised that the file is of.
func Register(name string, counters, blocks []uint32) {
	CoveredFiles = append(CoveredFiles, CoveredFile{name, counters, blocks})
}

// CountStatements says how many statements have run, of how many.
func CountStatements() (ran, all int) {
	for _, file := range CoveredFiles {
		for i, n := range file.Counters {
			statements := int(file.Blocks[i*5+4])
			all += statements
			if n > 0 {
				ran += statements
			}
		}
	}
	return ran, all
}

// MatchString says whether a regular expression of the simpler kind matches somewhere in a text.
func MatchString(pattern, text string) (bool, error) {
	for _, pair := range []string{"[]", "()"} {
		if at := strings.LastIndexByte(pattern, pair[0]); at >= 0 && !strings.Contains(pattern[at:], pair[1:]) {
			rest := pattern[at:]
			if pair == "()" {
				rest = pattern
			}
			return false, errors.New("error parsing regexp: missing closing " + pair[1:] + ": `" + rest + "`")
		}
	}
	for _, one := range alternatives(pattern) {
		rest, isAnchored := strings.CutPrefix(one, "^")
		for i := range len(text) + 1 {
			if matchHere(rest, text[i:]) {
				return true, nil
			}
			if isAnchored {
				break
			}
		}
	}
	return false, nil
}

// alternatives cuts a pattern at the bars that are in no parentheses.
func alternatives(pattern string) []string {
	depth, from := 0, 0
	var all []string
	for i, c := range pattern {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			all = append(all, pattern[from:i])
			from = i + 1
		}
	}
	return append(all, pattern[from:])
}

// one is what a pattern begins with that stands for a byte, and whether it matches this one.
func one(pattern string, b byte) (length int, ok bool) {
	switch pattern[0] {
	case '.':
		return 1, true
	case '\\':
		return 2, len(pattern) > 1 && pattern[1] == b
	case '[':
		end := strings.IndexByte(pattern, ']')
		set, isNot := strings.CutPrefix(pattern[1:end], "^")
		for i := 0; i < len(set); i++ {
			if i+2 < len(set) && set[i+1] == '-' {
				ok = ok || set[i] <= b && b <= set[i+2]
				i += 2
				continue
			}
			ok = ok || set[i] == b
		}
		return end + 1, ok != isNot
	}
	return 1, pattern[0] == b
}

func matchHere(pattern, text string) bool {
	switch {
	case pattern == "":
		return true
	case pattern == "$":
		return text == ""
	case pattern[0] == '(':
		inner, rest, _ := strings.Cut(pattern[1:], ")")
		for _, one := range alternatives(inner) {
			if matchHere(one+rest, text) {
				return true
			}
		}
		return false
	}
	length, _ := one(pattern, 0)
	least, most, rest := 1, 1, pattern[length:]
	if rest != "" {
		switch rest[0] {
		case '*':
			least, most, rest = 0, len(text), rest[1:]
		case '+':
			most, rest = len(text), rest[1:]
		case '?':
			least, rest = 0, rest[1:]
		}
	}
	for n := 0; ; n++ {
		if n >= least && matchHere(rest, text[n:]) {
			return true
		}
		if n == most || n == len(text) {
			return false
		}
		if _, ok := one(pattern, text[n]); !ok {
			return false
		}
	}
}
