package fstest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"testing/iotest"
)

// This file has TestFS. A checker walks over the file system. Of all that can be asked in several
// ways there is a first answer, and a list of ways whose answers have to be the same; what is wrong
// is collected.

// TestFS says what is wrong with a file system, in which at least the expected files ought to be;
// without any it ought to be empty.
func TestFS(fsys fs.FS, expected ...string) error {
	if err := check(fsys, expected); err != nil {
		return err
	}
	// Once also as it is seen from a directory in it.
	deep := slices.IndexFunc(expected, func(name string) bool { return strings.Contains(name, "/") })
	if deep < 0 {
		return nil
	}
	dir, _, _ := strings.Cut(expected[deep], "/")
	sub, err := fs.Sub(fsys, dir)
	if err == nil {
		var names []string
		for _, name := range expected {
			if rest, isBelow := strings.CutPrefix(name, dir+"/"); isBelow {
				names = append(names, rest)
			}
		}
		if err = check(sub, names); err != nil {
			err = fmt.Errorf("testing fs.Sub(fsys, %s): %w", dir, err)
		}
	}
	return err
}

// At most so many files are named that ought not to be there, or the first of them.
const mostNamed, firstNamed = 15, 10

func check(fsys fs.FS, expected []string) error {
	c := checker{fsys: fsys, found: map[string]bool{}}
	c.dir(".")
	c.open(".")
	delete(c.found, ".")
	if extra := slices.Sorted(maps.Keys(c.found)); len(expected) == 0 && len(extra) > 0 {
		if len(extra) > mostNamed {
			extra = append(extra[:firstNamed], "...")
		}
		c.errorf("expected empty file system but found files:\n%s", strings.Join(extra, "\n"))
	}
	for _, name := range expected {
		if !c.found[name] {
			c.errorf("expected but not found: %s", name)
		}
	}
	if err := errors.Join(c.errors...); err != nil {
		return fmt.Errorf("TestFS found errors:\n%w", err)
	}
	return nil
}

type checker struct {
	fsys   fs.FS
	found  map[string]bool
	errors []error
}

func (c *checker) errorf(format string, args ...any) {
	c.errors = append(c.errors, fmt.Errorf(format, args...))
}

// fails says whether there is an error, which it then notes.
func (c *checker) fails(name, doing string, err error) bool {
	if err != nil {
		c.errorf("%s: %s: %w", name, doing, err)
	}
	return err != nil
}

// same notes two texts, of which the layout says whose they are, if they differ.
func (c *checker) same(name, layout, a, b string) {
	if a != b {
		c.errorf("%s: "+layout, name, a, b)
	}
}

// ---- Directories.

func (c *checker) enter(dir string) (d fs.ReadDirFile, ok bool) {
	f, err := c.fsys.Open(dir)
	if !c.fails(dir, "Open", err) {
		if d, ok = f.(fs.ReadDirFile); !ok {
			c.errorf("%s: Open returned File type %T, not a fs.ReadDirFile", dir, f)
			f.Close()
		}
	}
	return d, ok
}

// dir checks a directory and all below it.
func (c *checker) dir(dir string) {
	c.found[dir] = true
	first, ok := c.firstList(dir)
	if !ok {
		return
	}
	type way struct {
		name     string
		list     func(dir string) ([]fs.DirEntry, bool)
		isSorted bool
	}
	ways := []way{
		{"second Open+ReadDir(-1)", c.secondList, false},
		{"third Open+ReadDir(1,2) loop", c.listInPieces, false},
	}
	by := func(name string, readDir func(dir string) ([]fs.DirEntry, error)) {
		ways = append(ways, way{name, func(dir string) ([]fs.DirEntry, bool) {
			list, err := readDir(dir)
			return list, !c.fails(dir, name, err)
		}, true})
	}
	if own, ok := c.fsys.(fs.ReadDirFS); ok {
		by("fsys.ReadDir", own.ReadDir)
	}
	by("fs.ReadDir", func(dir string) ([]fs.DirEntry, error) { return fs.ReadDir(c.fsys, dir) })
	var list []fs.DirEntry
	for _, way := range ways {
		if list, ok = way.list(dir); !ok {
			return
		}
		c.compare(dir, "first Open+ReadDir(-1) vs "+way.name, first, list)
		if way.isSorted {
			c.sorted(dir, way.name, list)
		}
	}
	c.glob(dir, list)
}

func (c *checker) sorted(dir, by string, list []fs.DirEntry) {
	last := ""
	for i, entry := range list {
		name := entry.Name()
		if i > 0 && name <= last {
			c.errorf("%s: %s: list not sorted: %s before %s", dir, by, last, name)
		}
		last = name
	}
}

// firstList lists a directory, checks what is in it, and what is left to list then.
func (c *checker) firstList(dir string) (list []fs.DirEntry, ok bool) {
	d, ok := c.enter(dir)
	if !ok {
		return nil, false
	}
	list, err := d.ReadDir(-1)
	ok = !c.fails(dir, "ReadDir(-1)", err)
	if ok {
		for _, entry := range list {
			c.entry(dir, entry)
		}
		ok = c.isAtEnd(dir, d, -1, nil, "nil") && c.isAtEnd(dir, d, 1, io.EOF, "EOF")
	}
	if err := d.Close(); ok {
		c.fails(dir, "Close", err)
		// That nothing dies of it.
		d.Close()
	}
	return list, ok
}

// isAtEnd checks that a directory has no more entries, and says so by this error.
func (c *checker) isAtEnd(dir string, d fs.ReadDirFile, n int, want error, wantName string) bool {
	more, err := d.ReadDir(n)
	if err == want && len(more) == 0 {
		return true
	}
	c.errorf("%s: ReadDir(%d) at EOF = %d entries, %w, wanted 0 entries, %s",
		dir, n, len(more), err, wantName)
	return false
}

func (c *checker) entry(dir string, entry fs.DirEntry) {
	name := entry.Name()
	switch {
	case name == "" || name == "." || name == "..":
		c.errorf("%s: ReadDir: child has invalid name: %#q", dir, name)
		return
	case strings.Contains(name, "/"):
		c.errorf("%s: ReadDir: child name contains slash: %#q", dir, name)
		return
	case strings.Contains(name, `\`):
		c.errorf("%s: ReadDir: child name contains backslash: %#q", dir, name)
		return
	}
	full := path.Join(dir, name)
	c.stat(full, entry)
	c.open(full)
	switch entry.Type() {
	case fs.ModeDir:
		c.dir(full)
	case fs.ModeSymlink:
		c.found[full] = true
	default:
		c.file(full)
	}
}

func (c *checker) secondList(dir string) (list []fs.DirEntry, ok bool) {
	if d, isOpen := c.enter(dir); isOpen {
		var err error
		list, err = d.ReadDir(-1)
		ok = !c.fails(dir, "second Open+ReadDir(-1)", err)
		d.Close()
	}
	return list, ok
}

func (c *checker) listInPieces(dir string) (list []fs.DirEntry, ok bool) {
	d, ok := c.enter(dir)
	if !ok {
		return nil, false
	}
	defer d.Close()
	for n := 1; ; n = 2 {
		some, err := d.ReadDir(n)
		if len(some) > n {
			c.errorf("%s: third Open: ReadDir(%d) after %d: %d entries (too many)", dir, n, len(list), len(some))
			return nil, false
		}
		list = append(list, some...)
		if err == io.EOF {
			return list, true
		}
		if err != nil {
			c.errorf("%s: third Open: ReadDir(%d) after %d: %w", dir, n, len(list), err)
			return nil, false
		}
	}
}

func ofEntry(e fs.DirEntry) string {
	return fmt.Sprintf("%s IsDir=%v Type=%v", e.Name(), e.IsDir(), e.Type())
}

func ofInfo(i fs.FileInfo) string {
	return fmt.Sprintf("%s IsDir=%v Type=%v", i.Name(), i.IsDir(), i.Mode().Type())
}

func inFull(i fs.FileInfo) string {
	return fmt.Sprintf("%s IsDir=%v Mode=%v Size=%d ModTime=%v", i.Name(), i.IsDir(), i.Mode(), i.Size(), i.ModTime())
}

// pairs walks along two sorted lists. What both have comes together, and what only one has with
// nothing from the other.
func pairs[E any](a, b []E, order func(E, E) int) iter.Seq2[[]E, []E] {
	return func(yield func([]E, []E) bool) {
		for len(a) > 0 || len(b) > 0 {
			fromA, fromB := min(len(a), 1), min(len(b), 1)
			if fromA == fromB {
				if which := order(a[0], b[0]); which < 0 {
					fromB = 0
				} else if which > 0 {
					fromA = 0
				}
			}
			if !yield(a[:fromA], b[:fromB]) {
				return
			}
			a, b = a[fromA:], b[fromB:]
		}
	}
}

func byName(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) }

// compare tells how two lists of a directory differ. The first has each name once.
func (c *checker) compare(dir, what string, first, second []fs.DirEntry) {
	names := map[string]fs.DirEntry{}
	for _, entry := range first {
		names[entry.Name()] = entry
		c.kind(dir, entry)
	}
	first = slices.SortedFunc(maps.Values(names), byName)
	second = slices.SortedStableFunc(slices.Values(second), byName)
	diff := ""
	for was, is := range pairs(first, second, byName) {
		if len(was) == 0 {
			c.kind(dir, is[0])
		} else if len(is) > 0 && ofEntry(was[0]) == ofEntry(is[0]) {
			continue
		}
		for _, entry := range was {
			diff += "\n\t- " + ofEntry(entry)
		}
		for _, entry := range is {
			diff += "\n\t+ " + ofEntry(entry)
		}
	}
	if diff != "" {
		c.errorf("%s: diff %s:%s", dir, what, diff)
	}
}

// kind checks that an entry is a directory in both ways, or in none.
func (c *checker) kind(dir string, entry fs.DirEntry) {
	says := map[bool]string{false: "0", true: "ModeDir"}
	isDir, hasMode := entry.IsDir(), entry.Type()&fs.ModeDir != 0
	if isDir != hasMode {
		c.errorf("%s: ReadDir returned %s with IsDir() = %t, Type() & ModeDir = %s",
			dir, entry.Name(), isDir, says[hasMode])
	}
}

// glob checks that patterns find what is in a directory.
func (c *checker) glob(dir string, list []fs.DirEntry) {
	own, ok := c.fsys.(fs.GlobFS)
	if !ok {
		return
	}
	prefix := ""
	if dir != "." {
		prefix = patternFor(dir) + "/"
	}
	bad := prefix + "nonexist/[]"
	if _, err := own.Glob(bad); err == nil {
		c.errorf("%s: Glob(%#q): bad pattern not detected", dir, bad)
	}
	letter, want := tellingLetter(list)
	for i := range want {
		want[i] = path.Join(dir, want[i])
	}
	pattern := prefix + "*" + letter + "*"
	names, err := own.Glob(pattern)
	if err != nil {
		c.errorf("%s: Glob(%#q): %w", dir, pattern, err)
		return
	}
	if !slices.Equal(want, names) {
		c.globDiff(fmt.Sprintf("%s: Glob(%#q)", dir, pattern), want, names)
	}
}

// tellingLetter is a letter that some names have and some have not, or else an a; with the names
// that have it.
func tellingLetter(list []fs.DirEntry) (letter string, having []string) {
	with := func(letter string) (having []string) {
		for _, entry := range list {
			if strings.Contains(entry.Name(), letter) {
				having = append(having, entry.Name())
			}
		}
		return having
	}
	for one := 'a'; one <= 'z'; one++ {
		having = with(string(one))
		if n := len(having); n > 0 && n < len(list) {
			return string(one), having
		}
	}
	return "a", with("a")
}

// globDiff tells how the names that a pattern has found differ from those it ought to find.
func (c *checker) globDiff(call string, want, names []string) {
	if list := strings.Join(names, "\n"); !slices.IsSorted(names) {
		c.errorf("%s: unsorted output:\n%s", call, list)
		slices.Sort(names)
	}
	var problems []string
	for wanted, found := range pairs(want, names, strings.Compare) {
		if len(found) == 0 {
			problems = append(problems, "missing: "+wanted[0])
		} else if len(wanted) == 0 {
			problems = append(problems, "extra: "+found[0])
		}
	}
	c.errorf("%s: wrong output:\n%s", call, strings.Join(problems, "\n"))
}

// patternFor makes of a path a pattern that matches just it, in all the ways there are.
func patternFor(name string) string {
	elements := strings.Split(name, "/")
	for i, element := range elements {
		var b strings.Builder
		at := 0
		for _, r := range element {
			way := (i + at) % 5
			at++
			switch {
			case strings.ContainsRune(`*?\[-`, r):
				b.WriteString(`\` + string(r))
			case way == 0:
				b.WriteRune(r)
			case way == 1:
				fmt.Fprintf(&b, `[%c]`, r)
			case way == 2:
				fmt.Fprintf(&b, `[%c-%c]`, r, r)
			case way == 3:
				fmt.Fprintf(&b, `[\%c]`, r)
			default:
				fmt.Fprintf(&b, `[\%c-\%c]`, r, r)
			}
		}
		elements[i] = b.String()
	}
	return strings.Join(elements, "/")
}

// ---- Files.

// stat checks that all that tells of a file tells the same.
func (c *checker) stat(name string, entry fs.DirEntry) {
	opened, ok := c.statOpened(name)
	if !ok {
		return
	}
	isLink := entry.Type()&fs.ModeSymlink != 0
	asEntry, full := ofEntry(entry), inFull(opened)
	if !isLink {
		c.same(name, "mismatch:\n\tentry = %s\n\tfile.Stat() = %s", asEntry, ofInfo(opened))
	}
	listed, err := entry.Info()
	if c.fails(name, "entry.Info", err) {
		return
	}
	if isLink {
		c.same(name, "mismatch\n\tentry = %s\n\tentry.Info() = %s\n", asEntry, ofInfo(listed))
	} else {
		c.same(name, "mismatch:\n\tentry.Info() = %s\n\tfile.Stat() = %s\n", inFull(listed), full)
	}
	isKnown := func(by string, stat func(string) (fs.FileInfo, error)) bool {
		info, err := stat(name)
		if c.fails(name, by, err) {
			return false
		}
		c.same(name, by+"(...) = %s\n\twant %s", inFull(info), full)
		return true
	}
	if !isKnown("fs.Stat", func(name string) (fs.FileInfo, error) { return fs.Stat(c.fsys, name) }) {
		return
	}
	if own, ok := c.fsys.(fs.StatFS); ok && !isKnown("fsys.Stat", own.Stat) {
		return
	}
	if own, ok := c.fsys.(fs.ReadLinkFS); ok {
		info, err := own.Lstat(name)
		if err != nil {
			c.errorf("%s: fsys.Lstat: %v", name, err)
			return
		}
		c.same(name, "mismatch:\n\tentry = %s\n\tfsys.Lstat(...) = %s", asEntry, ofInfo(info))
		c.same(name, "mismatch:\n\tentry.Info() = %s\n\tfsys.Lstat(...) = %s\n",
			inFull(listed), inFull(info))
	}
}

// statOpened is what a file tells of itself.
func (c *checker) statOpened(name string) (info fs.FileInfo, ok bool) {
	f, err := c.fsys.Open(name)
	if c.fails(name, "Open", err) {
		return nil, false
	}
	defer f.Close()
	info, err = f.Stat()
	return info, !c.fails(name, "Stat", err)
}

// file checks what can be read.
func (c *checker) file(name string) {
	c.found[name] = true
	data, ok := c.readOpened(name)
	if !ok {
		return
	}
	again := func(doing, versus string, read func(name string) ([]byte, error)) ([]byte, bool) {
		got, err := read(name)
		ok := !c.fails(name, doing, err)
		if ok && string(got) != string(data) {
			c.errorf("%s: %s: different data returned\n\t%q\n\t%q", name, versus, data, got)
		}
		return got, ok
	}
	if own, ok := c.fsys.(fs.ReadFileFS); ok {
		got, ok := again("fsys.ReadFile", "ReadAll vs fsys.ReadFile", own.ReadFile)
		if !ok {
			return
		}
		// What was given is the caller's.
		for i := range got {
			got[i]++
		}
		const second = "second call to fsys.ReadFile"
		if _, ok = again(second, "Readall vs second fsys.ReadFile", own.ReadFile); !ok {
			return
		}
		c.refuses(name, "ReadFile", func(name string) error {
			_, err := own.ReadFile(name)
			return err
		})
	}
	if _, ok := again("fs.ReadFile", "ReadAll vs fs.ReadFile", func(name string) ([]byte, error) {
		return fs.ReadFile(c.fsys, name)
	}); ok {
		c.reader(name, data)
	}
}

// readOpened reads all of a file, and checks that it can be closed, also twice.
func (c *checker) readOpened(name string) (data []byte, ok bool) {
	f, err := c.fsys.Open(name)
	if c.fails(name, "Open", err) {
		return nil, false
	}
	data, err = io.ReadAll(f)
	ok = !c.fails(name, "Open+ReadAll", err)
	if err = f.Close(); ok {
		c.fails(name, "Close", err)
		f.Close()
	}
	return data, ok
}

// reader checks that an opened file reads in all ways what it has.
func (c *checker) reader(name string, data []byte) {
	f, err := c.fsys.Open(name)
	if c.fails(name, "second Open", err) {
		return
	}
	defer f.Close()
	if err = iotest.TestReader(f, data); err != nil {
		text := strings.ReplaceAll(err.Error(), "\n", "\n\t")
		c.errorf("%s: failed TestReader:\n\t%s", name, text)
	}
}

func (c *checker) open(name string) {
	c.refuses(name, "Open", func(name string) error {
		opened, err := c.fsys.Open(name)
		if err == nil {
			opened.Close()
		}
		return err
	})
}

// refuses checks that paths which are none are refused.
func (c *checker) refuses(name, what string, open func(string) error) {
	wrong := []string{"/" + name, name + "/."}
	if name == "." {
		wrong = append(wrong, "/")
	}
	for _, at := range []int{strings.Index(name, "/"), strings.LastIndex(name, "/")} {
		if at < 0 {
			continue
		}
		head, tail := name[:at], name[at+1:]
		wrong = append(wrong, head+"//"+tail, head+"/./"+tail, head+`\`+tail)
		if len(wrong) <= 6 {
			wrong = append(wrong, head+"/../"+name)
		} else {
			wrong = append(wrong, name+"/../"+tail)
		}
	}
	for _, one := range wrong {
		if err := open(one); err == nil {
			c.errorf("%s: %s(%s) succeeded, want error", name, what, one)
		}
	}
}
