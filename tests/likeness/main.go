// Likeness measures how like the functions of one Go tree are to those of another, whatever their
// private names and their comments are.
//
//	gosched run tests/likeness OURS REFERENCE
//
// A file is a sequence of tokens, spelled twice: as they stand, and with each name that is not
// exported replaced by one mark. The likeness of two bodies is 2·L/(a+b), where L is the length of
// the longest common subsequence of their blanked tokens, a and b their own lengths. Lines of
// output, tab-separated:
//
//	body   likeness  tokens  package  name  our place  its most alike body's place
//	runs   package  tokens of bodies  those of them in exact runs of 25 that the reference has, too
//	names  package  private names of several words  those that the reference's package declares, too
//
// Only bodies of 60 tokens and more count: shorter ones leave no choice.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"
)

const (
	shortest = 60 // tokens of a body that counts
	runs     = 25 // tokens of an exact run
	seed     = 6  // tokens that bodies have in common, before they are compared
	nearest  = 40 // bodies that one is compared with, those apart that have its name
)

// A body is that of a function: tokens from..to of its file.
type body struct {
	*file
	name     string // Recv.Name
	line     int
	from, to int
}

func (b body) tokens() []int32 { return b.blanked[b.from:b.to] }
func (b body) place() string   { return fmt.Sprintf("%s:%d", b.path, b.line) }

// A file is one of the tree's; its tokens are numbers of words.
type file struct {
	path, pkg      string
	exact, blanked []int32
	bodies         []body
}

// A tree is the Go files below a folder, but for tests, test data and commands.
type tree struct {
	files []*file
	names map[string]map[string]bool // by package: its private names of several words
}

// words numbers what tokens are spelled with.
var words = map[string]int32{}

func number(word string) int32 {
	n, known := words[word]
	if !known {
		n = int32(len(words))
		words[word] = n
	}
	return n
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: likeness OURS REFERENCE")
		os.Exit(2)
	}
	ours, reference := read(os.Args[1]), read(os.Args[2])
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for line := range compared(ours, reference) {
		fmt.Fprintln(out, line)
	}
	shared := runsOf(reference)
	for pkg, files := range byPackage(ours) {
		inBodies, inRuns := 0, 0
		for _, f := range files {
			b, r := f.covered(shared)
			inBodies, inRuns = inBodies+b, inRuns+r
		}
		fmt.Fprintf(out, "runs\t%s\t%d\t%d\n", pkg, inBodies, inRuns)
	}
	for _, pkg := range slices.Sorted(maps.Keys(ours.names)) {
		var both []string
		for name := range ours.names[pkg] {
			if reference.names[pkg][name] {
				both = append(both, name)
			}
		}
		slices.Sort(both)
		fmt.Fprintf(out, "names\t%s\t%d\t%d\t%s\n", pkg, len(ours.names[pkg]), len(both), strings.Join(both, " "))
	}
}

// read reads the tree below root.
func read(root string) *tree {
	t := &tree{names: map[string]map[string]bool{}}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || path == filepath.Join(root, "cmd")):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		pkg, err := filepath.Rel(root, filepath.Dir(path))
		if err == nil {
			err = t.add(path, filepath.ToSlash(pkg))
		}
		return err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "likeness:", err)
		os.Exit(1)
	}
	return t
}

func (t *tree) add(path, pkg string) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	positions := token.NewFileSet()
	syntax, err := parser.ParseFile(positions, path, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	f := &file{path: path, pkg: pkg}
	t.files = append(t.files, f)
	starts := f.scan(source, positions.File(syntax.Pos()).Offset(syntax.Name.End()))
	at := func(p token.Pos) int {
		i, _ := slices.BinarySearch(starts, positions.Position(p).Offset)
		return i
	}
	if t.names[pkg] == nil {
		t.names[pkg] = map[string]bool{}
	}
	private := func(names ...*ast.Ident) {
		for _, name := range names {
			if !name.IsExported() && strings.IndexFunc(name.Name, unicode.IsUpper) > 0 {
				t.names[pkg][name.Name] = true
			}
		}
	}
	for _, decl := range syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			private(decl.Name)
			if decl.Body != nil {
				f.bodies = append(f.bodies, body{f, named(decl), positions.Position(decl.Pos()).Line,
					at(decl.Body.Lbrace + 1), at(decl.Body.Rbrace)})
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					private(spec.Names...)
				case *ast.TypeSpec:
					private(spec.Name)
					ast.Inspect(spec.Type, func(n ast.Node) bool {
						if field, is := n.(*ast.Field); is {
							private(field.Names...)
						}
						return true
					})
				}
			}
		}
	}
	return nil
}

// named gives Recv.Name of a method, .Name of a function.
func named(decl *ast.FuncDecl) string {
	receiver := ""
	if decl.Recv != nil {
		ast.Inspect(decl.Recv.List[0].Type, func(n ast.Node) bool {
			if name, is := n.(*ast.Ident); is && receiver == "" {
				receiver = name.Name
			}
			return true
		})
	}
	return receiver + "." + decl.Name.Name
}

// scan makes the tokens behind the package clause, but for imports, and gives where each begins.
func (f *file) scan(source []byte, behind int) (starts []int) {
	var s scanner.Scanner
	positions := token.NewFileSet().AddFile(f.path, -1, len(source))
	s.Init(positions, source, nil, 0)
	importing, grouped := false, false
	for {
		pos, tok, spelled := s.Scan()
		if tok == token.EOF {
			return starts
		}
		offset := positions.Offset(pos)
		if tok == token.IMPORT {
			importing, grouped = true, false
		}
		if importing {
			grouped = tok == token.LPAREN || grouped && tok != token.RPAREN
			importing = tok != token.SEMICOLON || grouped
		} else if offset >= behind {
			if tok == token.SEMICOLON || !tok.IsLiteral() {
				spelled = tok.String()
			}
			blanked := spelled
			if tok == token.IDENT && !token.IsExported(spelled) {
				blanked = " "
			}
			f.exact = append(f.exact, number(spelled))
			f.blanked = append(f.blanked, number(blanked))
			starts = append(starts, offset)
		}
	}
}

// byPackage yields the packages of a tree with their files, as they lie.
func byPackage(t *tree) func(func(string, []*file) bool) {
	return func(yield func(string, []*file) bool) {
		for from := 0; from < len(t.files); {
			to := from
			for to < len(t.files) && t.files[to].pkg == t.files[from].pkg {
				to++
			}
			if !yield(t.files[from].pkg, t.files[from:to]) {
				return
			}
			from = to
		}
	}
}

func (t *tree) bodies(shortest int) (found []body) {
	for _, f := range t.files {
		for _, b := range f.bodies {
			if b.to-b.from >= shortest {
				found = append(found, b)
			}
		}
	}
	return found
}

// grams yields a hash of each k tokens in a row.
func grams(tokens []int32, k int) func(func(int, uint64) bool) {
	return func(yield func(int, uint64) bool) {
		const base = 0x9e3779b97f4a7c15
		out, hash := uint64(1), uint64(0)
		for range k {
			out *= base
		}
		for i, t := range tokens {
			hash = hash*base + spread(t)
			if i >= k {
				hash -= out * spread(tokens[i-k])
			}
			if i >= k-1 && !yield(i-k+1, hash) {
				return
			}
		}
	}
}

func spread(token int32) uint64 {
	x := (uint64(token) + 1) * 0xbf58476d1ce4e5b9
	return x ^ x>>29
}

// compared yields a line for each of our bodies.
func compared(ours, reference *tree) func(func(string) bool) {
	mine, theirs := ours.bodies(shortest), reference.bodies(shortest/2)
	having := map[uint64][]int32{} // which of theirs have these tokens in a row
	named := map[string][]int32{}
	for i, b := range theirs {
		for _, hash := range grams(b.tokens(), seed) {
			if have := having[hash]; len(have) == 0 || have[len(have)-1] != int32(i) {
				having[hash] = append(have, int32(i))
			}
		}
		named[plain(b.name)] = append(named[plain(b.name)], int32(i))
	}
	lines := make([]string, len(mine))
	var workers sync.WaitGroup
	step := runtime.GOMAXPROCS(0)
	for first := range step {
		workers.Go(func() {
			score := make([]float64, len(theirs))
			for i := first; i < len(mine); i += step {
				b := mine[i]
				best, likeness := "-", 0.0
				for _, c := range candidates(b, theirs, having, named, score) {
					longest := float64(min(len(b.tokens()), len(theirs[c].tokens())))
					sum := float64(len(b.tokens()) + len(theirs[c].tokens()))
					if 2*longest/sum <= likeness {
						continue
					}
					if l := 2 * float64(common(b.tokens(), theirs[c].tokens())) / sum; l > likeness {
						likeness, best = l, theirs[c].place()
					}
				}
				lines[i] = fmt.Sprintf("body\t%.3f\t%d\t%s\t%s\t%s\t%s",
					likeness, b.to-b.from, b.pkg, b.name, b.place(), best)
			}
		})
	}
	workers.Wait()
	return slices.Values(lines)
}

// plain is a function's name without its receiver, in small letters.
func plain(name string) string {
	return strings.ToLower(name[strings.Index(name, ".")+1:])
}

// candidates gives those of theirs that share the most and the rarest runs of tokens with b, and
// those with its name. All of score is 0, before and after.
func candidates(b body, theirs []body, having map[uint64][]int32, named map[string][]int32, score []float64) []int32 {
	var found []int32
	seen := map[uint64]bool{}
	for _, hash := range grams(b.tokens(), seed) {
		have := having[hash]
		if len(have) > 400 || seen[hash] {
			continue
		}
		seen[hash] = true
		for _, i := range have {
			if score[i] == 0 {
				found = append(found, i)
			}
			score[i] += 1 / float64(1+len(have))
		}
	}
	weight := func(i int32) float64 { return score[i] / float64(40+len(theirs[i].tokens())) }
	slices.SortFunc(found, func(i, j int32) int { return cmp.Compare(weight(j), weight(i)) })
	for _, i := range found {
		score[i] = 0
	}
	found = found[:min(nearest, len(found))]
	others := 0
	for _, i := range named[plain(b.name)] {
		if theirs[i].pkg != b.pkg {
			others++
		}
		if (theirs[i].pkg == b.pkg || others <= nearest) && !slices.Contains(found, i) {
			found = append(found, i)
		}
	}
	return found
}

// common gives the length of the longest common subsequence, 64 columns of the table at a time
// (Hyyrö 2004: a zero bit is a column in which the length grows).
func common(a, b []int32) int {
	n := (len(a) + 63) / 64
	where := map[int32][]uint64{}
	for i, t := range a {
		if where[t] == nil {
			where[t] = make([]uint64, n)
		}
		where[t][i/64] |= 1 << (i % 64)
	}
	row := slices.Repeat([]uint64{^uint64(0)}, n)
	for _, t := range b {
		matches := where[t]
		carry := uint64(0)
		for i := range matches {
			u := row[i] & matches[i]
			sum := row[i] + u
			with := sum + carry
			if sum < u || with < carry {
				carry = 1
			} else {
				carry = 0
			}
			row[i] = with | row[i]&^matches[i]
		}
	}
	length := 0
	for i := range a {
		length += int(^row[i/64] >> (i % 64) & 1)
	}
	return length
}

// runsOf gives the hashes of all exact runs of a tree.
func runsOf(t *tree) map[uint64]bool {
	found := map[uint64]bool{}
	for _, f := range t.files {
		for _, hash := range grams(f.exact, runs) {
			found[hash] = true
		}
	}
	return found
}

// covered counts the tokens in bodies, and those of them that lie in one of the exact runs.
func (f *file) covered(shared map[uint64]bool) (inBodies, inRuns int) {
	covered := make([]bool, len(f.exact))
	end := 0
	for i, hash := range grams(f.exact, runs) {
		if shared[hash] {
			for end = max(end, i); end < i+runs; end++ {
				covered[end] = true
			}
		}
	}
	for _, b := range f.bodies {
		inBodies += b.to - b.from
		for _, is := range covered[b.from:b.to] {
			if is {
				inRuns++
			}
		}
	}
	return inBodies, inRuns
}
