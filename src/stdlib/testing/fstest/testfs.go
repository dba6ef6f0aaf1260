package fstest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing/iotest"
)

// TestFS says what is wrong with a file system, in which at least the expected files ought to be;
// without any it ought to be empty.
func TestFS(fsys fs.FS, expected ...string) error {
	if err := check(fsys, expected); err != nil {
		return err
	}
	// Once also as it is seen from a directory in it.
	for _, name := range expected {
		dir, _, ok := strings.Cut(name, "/")
		if !ok {
			continue
		}
		var below []string
		for _, name := range expected {
			if rest, ok := strings.CutPrefix(name, dir+"/"); ok {
				below = append(below, rest)
			}
		}
		sub, err := fs.Sub(fsys, dir)
		if err != nil {
			return err
		}
		if err := check(sub, below); err != nil {
			return fmt.Errorf("testing fs.Sub(fsys, %s): %w", dir, err)
		}
		break
	}
	return nil
}

func check(fsys fs.FS, expected []string) error {
	c := checker{fsys: fsys, found: map[string]bool{}}
	c.dir(".")
	c.open(".")
	delete(c.found, ".")
	if len(expected) == 0 && len(c.found) > 0 {
		list := slices.Sorted(maps.Keys(c.found))
		if len(list) > 15 {
			list = append(list[:10], "...")
		}
		c.errorf("expected empty file system but found files:\n%s", strings.Join(list, "\n"))
	}
	for _, name := range expected {
		if !c.found[name] {
			c.errorf("expected but not found: %s", name)
		}
	}
	if len(c.errors) == 0 {
		return nil
	}
	return fmt.Errorf("TestFS found errors:\n%w", errors.Join(c.errors...))
}

type checker struct {
	fsys   fs.FS
	found  map[string]bool
	errors []error
}

func (c *checker) errorf(format string, args ...any) {
	c.errors = append(c.errors, fmt.Errorf(format, args...))
}

func (c *checker) openDir(dir string) fs.ReadDirFile {
	f, err := c.fsys.Open(dir)
	if err != nil {
		c.errorf("%s: Open: %w", dir, err)
		return nil
	}
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		f.Close()
		c.errorf("%s: Open returned File type %T, not a fs.ReadDirFile", dir, f)
		return nil
	}
	return d
}

// dir checks a directory and all below it.
func (c *checker) dir(dir string) {
	c.found[dir] = true
	list, ok := c.firstList(dir)
	if !ok {
		return
	}
	if second, ok := c.secondList(dir); ok {
		c.compare(dir, "first Open+ReadDir(-1) vs second Open+ReadDir(-1)", list, second)
	} else {
		return
	}
	if third, ok := c.listInPieces(dir); ok {
		c.compare(dir, "first Open+ReadDir(-1) vs third Open+ReadDir(1,2) loop", list, third)
	} else {
		return
	}
	if fsys, ok := c.fsys.(fs.ReadDirFS); ok {
		again, err := fsys.ReadDir(dir)
		if err != nil {
			c.errorf("%s: fsys.ReadDir: %w", dir, err)
			return
		}
		c.compare(dir, "first Open+ReadDir(-1) vs fsys.ReadDir", list, again)
		c.sorted(dir, "fsys.ReadDir", again)
	}
	again, err := fs.ReadDir(c.fsys, dir)
	if err != nil {
		c.errorf("%s: fs.ReadDir: %w", dir, err)
		return
	}
	c.compare(dir, "first Open+ReadDir(-1) vs fs.ReadDir", list, again)
	c.sorted(dir, "fs.ReadDir", again)
	c.glob(dir, again)
}

func (c *checker) sorted(dir, by string, list []fs.DirEntry) {
	for i := 1; i < len(list); i++ {
		if a, b := list[i-1].Name(), list[i].Name(); a >= b {
			c.errorf("%s: %s: list not sorted: %s before %s", dir, by, a, b)
		}
	}
}

// firstList lists a directory, checks what is in it, and what is left to list then.
func (c *checker) firstList(dir string) (list []fs.DirEntry, ok bool) {
	d := c.openDir(dir)
	if d == nil {
		return nil, false
	}
	list, err := d.ReadDir(-1)
	if err != nil {
		d.Close()
		c.errorf("%s: ReadDir(-1): %w", dir, err)
		return nil, false
	}
	for _, entry := range list {
		c.entry(dir, entry)
	}
	if more, err := d.ReadDir(-1); len(more) > 0 || err != nil {
		d.Close()
		c.errorf("%s: ReadDir(-1) at EOF = %d entries, %w, wanted 0 entries, nil", dir, len(more), err)
		return nil, false
	}
	if more, err := d.ReadDir(1); len(more) > 0 || err != io.EOF {
		d.Close()
		c.errorf("%s: ReadDir(1) at EOF = %d entries, %w, wanted 0 entries, EOF", dir, len(more), err)
		return nil, false
	}
	if err := d.Close(); err != nil {
		c.errorf("%s: Close: %w", dir, err)
	}
	// That nothing dies of it.
	d.Close()
	return list, true
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
	d := c.openDir(dir)
	if d == nil {
		return nil, false
	}
	defer d.Close()
	list, err := d.ReadDir(-1)
	if err != nil {
		c.errorf("%s: second Open+ReadDir(-1): %w", dir, err)
	}
	return list, err == nil
}

func (c *checker) listInPieces(dir string) (list []fs.DirEntry, ok bool) {
	d := c.openDir(dir)
	if d == nil {
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

// compare tells how two lists of a directory differ.
func (c *checker) compare(dir, what string, first, second []fs.DirEntry) {
	mode := func(e fs.DirEntry) {
		switch isDir := e.Type()&fs.ModeDir != 0; {
		case e.IsDir() && !isDir:
			c.errorf("%s: ReadDir returned %s with IsDir() = true, Type() & ModeDir = 0", dir, e.Name())
		case !e.IsDir() && isDir:
			c.errorf("%s: ReadDir returned %s with IsDir() = false, Type() & ModeDir = ModeDir", dir, e.Name())
		}
	}
	missing := map[string]fs.DirEntry{}
	for _, e := range first {
		missing[e.Name()] = e
		mode(e)
	}
	type line struct{ sign, text string }
	var lines []line
	for _, e := range second {
		was := missing[e.Name()]
		delete(missing, e.Name())
		switch {
		case was == nil:
			mode(e)
			lines = append(lines, line{"+", ofEntry(e)})
		case ofEntry(was) != ofEntry(e):
			lines = append(lines, line{"-", ofEntry(was)}, line{"+", ofEntry(e)})
		}
	}
	for _, e := range missing {
		lines = append(lines, line{"-", ofEntry(e)})
	}
	if len(lines) == 0 {
		return
	}
	slices.SortFunc(lines, func(a, b line) int {
		aName, bName := strings.Fields(a.text)[0], strings.Fields(b.text)[0]
		// What was there comes first.
		return strings.Compare(aName+" "+b.sign, bName+" "+a.sign)
	})
	var text []string
	for _, l := range lines {
		text = append(text, l.sign+" "+l.text)
	}
	c.errorf("%s: diff %s:\n\t%s", dir, what, strings.Join(text, "\n\t"))
}

// glob checks that patterns find what is in a directory.
func (c *checker) glob(dir string, list []fs.DirEntry) {
	fsys, ok := c.fsys.(fs.GlobFS)
	if !ok {
		return
	}
	prefix := ""
	if dir != "." {
		prefix = patternFor(dir) + "/"
	}
	if _, err := fsys.Glob(prefix + "nonexist/[]"); err == nil {
		c.errorf("%s: Glob(%#q): bad pattern not detected", dir, prefix+"nonexist/[]")
	}
	// A letter that some names have and some have not.
	letter := 'a'
	for l := 'a'; l <= 'z'; l++ {
		n := 0
		for _, e := range list {
			if strings.ContainsRune(e.Name(), l) {
				n++
			}
		}
		if n > 0 && n < len(list) {
			letter = l
			break
		}
	}
	pattern := prefix + "*" + string(letter) + "*"
	var want []string
	for _, e := range list {
		if strings.ContainsRune(e.Name(), letter) {
			want = append(want, path.Join(dir, e.Name()))
		}
	}
	names, err := fsys.Glob(pattern)
	if err != nil {
		c.errorf("%s: Glob(%#q): %w", dir, pattern, err)
		return
	}
	if slices.Equal(want, names) {
		return
	}
	if !slices.IsSorted(names) {
		c.errorf("%s: Glob(%#q): unsorted output:\n%s", dir, pattern, strings.Join(names, "\n"))
		slices.Sort(names)
	}
	var problems []string
	for len(want) > 0 || len(names) > 0 {
		switch {
		case len(names) == 0 || len(want) > 0 && want[0] < names[0]:
			problems = append(problems, "missing: "+want[0])
			want = want[1:]
		case len(want) == 0 || names[0] < want[0]:
			problems = append(problems, "extra: "+names[0])
			names = names[1:]
		default:
			want, names = want[1:], names[1:]
		}
	}
	c.errorf("%s: Glob(%#q): wrong output:\n%s", dir, pattern, strings.Join(problems, "\n"))
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

// stat checks that all that tells of a file tells the same.
func (c *checker) stat(name string, entry fs.DirEntry) {
	f, err := c.fsys.Open(name)
	if err != nil {
		c.errorf("%s: Open: %w", name, err)
		return
	}
	opened, err := f.Stat()
	f.Close()
	if err != nil {
		c.errorf("%s: Stat: %w", name, err)
		return
	}
	isLink := entry.Type()&fs.ModeSymlink != 0
	asEntry := ofEntry(entry)
	if have := ofInfo(opened); have != asEntry && !isLink {
		c.errorf("%s: mismatch:\n\tentry = %s\n\tfile.Stat() = %s", name, asEntry, have)
	}
	listed, err := entry.Info()
	if err != nil {
		c.errorf("%s: entry.Info: %w", name, err)
		return
	}
	full := inFull(opened)
	switch {
	case isLink && ofInfo(listed) != asEntry:
		c.errorf("%s: mismatch\n\tentry = %s\n\tentry.Info() = %s\n", name, asEntry, ofInfo(listed))
	case !isLink && inFull(listed) != full:
		c.errorf("%s: mismatch:\n\tentry.Info() = %s\n\tfile.Stat() = %s\n", name, inFull(listed), full)
	}
	info, err := fs.Stat(c.fsys, name)
	if err != nil {
		c.errorf("%s: fs.Stat: %w", name, err)
		return
	}
	if have := inFull(info); have != full {
		c.errorf("%s: fs.Stat(...) = %s\n\twant %s", name, have, full)
	}
	if fsys, ok := c.fsys.(fs.StatFS); ok {
		info, err := fsys.Stat(name)
		if err != nil {
			c.errorf("%s: fsys.Stat: %w", name, err)
			return
		}
		if have := inFull(info); have != full {
			c.errorf("%s: fsys.Stat(...) = %s\n\twant %s", name, have, full)
		}
	}
	if fsys, ok := c.fsys.(fs.ReadLinkFS); ok {
		info, err := fsys.Lstat(name)
		if err != nil {
			c.errorf("%s: fsys.Lstat: %v", name, err)
			return
		}
		if have := ofInfo(info); have != asEntry {
			c.errorf("%s: mismatch:\n\tentry = %s\n\tfsys.Lstat(...) = %s", name, asEntry, have)
		}
		if have, want := inFull(info), inFull(listed); have != want {
			c.errorf("%s: mismatch:\n\tentry.Info() = %s\n\tfsys.Lstat(...) = %s\n", name, want, have)
		}
	}
}

// file checks what can be read.
func (c *checker) file(name string) {
	c.found[name] = true
	f, err := c.fsys.Open(name)
	if err != nil {
		c.errorf("%s: Open: %w", name, err)
		return
	}
	data, err := io.ReadAll(f)
	if err != nil {
		f.Close()
		c.errorf("%s: Open+ReadAll: %w", name, err)
		return
	}
	if err := f.Close(); err != nil {
		c.errorf("%s: Close: %w", name, err)
	}
	f.Close()
	same := func(what string, again []byte) {
		if string(data) != string(again) {
			c.errorf("%s: %s: different data returned\n\t%q\n\t%q", name, what, data, again)
		}
	}
	if fsys, ok := c.fsys.(fs.ReadFileFS); ok {
		again, err := fsys.ReadFile(name)
		if err != nil {
			c.errorf("%s: fsys.ReadFile: %w", name, err)
			return
		}
		same("ReadAll vs fsys.ReadFile", again)
		// What was given is the caller's.
		for i := range again {
			again[i]++
		}
		if again, err = fsys.ReadFile(name); err != nil {
			c.errorf("%s: second call to fsys.ReadFile: %w", name, err)
			return
		}
		same("Readall vs second fsys.ReadFile", again)
		c.refuses(name, "ReadFile", func(name string) error {
			_, err := fsys.ReadFile(name)
			return err
		})
	}
	again, err := fs.ReadFile(c.fsys, name)
	if err != nil {
		c.errorf("%s: fs.ReadFile: %w", name, err)
		return
	}
	same("ReadAll vs fs.ReadFile", again)
	if f, err = c.fsys.Open(name); err != nil {
		c.errorf("%s: second Open: %w", name, err)
		return
	}
	defer f.Close()
	if err := iotest.TestReader(f, data); err != nil {
		c.errorf("%s: failed TestReader:\n\t%s", name, strings.ReplaceAll(err.Error(), "\n", "\n\t"))
	}
}

func (c *checker) open(name string) {
	c.refuses(name, "Open", func(name string) error {
		f, err := c.fsys.Open(name)
		if err == nil {
			f.Close()
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
