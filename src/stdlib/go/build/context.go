// Package build finds packages in their folders, and says which of their files count.
//
// A Context (context.go) says for which system, with which tags. find.go finds a package's folder,
// modules.go asks the go command where it is; scan.go reads the files in it, of which header.go
// takes the beginning and constraints.go says whether they count.
package build

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Context says for what packages are built, and where they are.
type Context struct {
	GOARCH string
	GOOS   string
	GOROOT string
	GOPATH string // a list

	// Dir is the working folder, if not that of the process; then folders must be absolute.
	Dir string

	CgoEnabled  bool // do files count that import "C"?
	UseAllFiles bool // do all files count?
	Compiler    string

	BuildTags   []string // those of the program
	ToolTags    []string // those of the toolchain
	ReleaseTags []string // go1.1 and so on; the last is the release

	InstallSuffix string // of folders for what is built

	// What is nil here is done with the file system.
	JoinPath      func(elem ...string) string
	SplitPathList func(list string) []string
	IsAbsPath     func(path string) bool
	IsDir         func(path string) bool
	// HasSubdir says whether dir is below root, and returns the path with slashes that leads there.
	HasSubdir func(root, dir string) (rel string, ok bool)
	// ReadDir returns what a folder has, sorted by names.
	ReadDir  func(dir string) ([]fs.FileInfo, error)
	OpenFile func(path string) (io.ReadCloser, error)
}

// Default is what environment variables say, and the system that the program runs on.
var Default = newDefault()

// release is the minor version of Go.
const release = 27

// experiments are the tags of the toolchain that Go has on linux/amd64 and arm64.
var experiments = []string{
	"regabiwrappers", "regabiargs", "dwarf5", "jsonv2", "greenteagc", "randomizedheapbase64",
	"sizespecializedmalloc",
}

func env(name, otherwise string) string {
	if s := os.Getenv(name); s != "" {
		return s
	}
	return otherwise
}

func newDefault() Context {
	c := Context{
		GOARCH:   env("GOARCH", runtime.GOARCH),
		GOOS:     env("GOOS", runtime.GOOS),
		Compiler: runtime.Compiler,
		ToolTags: toolTags(),
	}
	if root := runtime.GOROOT(); root != "" {
		c.GOROOT = filepath.Clean(root)
	}
	if home := os.Getenv("HOME"); home != "" {
		// Nobody wants their packages in Go's own folder.
		if dir := filepath.Join(home, "go"); dir != filepath.Clean(runtime.GOROOT()) {
			c.GOPATH = dir
		}
	}
	c.GOPATH = env("GOPATH", c.GOPATH)
	c.ReleaseTags = releaseTags()
	switch os.Getenv("CGO_ENABLED") {
	case "1":
		c.CgoEnabled = true
	case "0":
	default:
		c.CgoEnabled = c.GOARCH == runtime.GOARCH && c.GOOS == runtime.GOOS
	}
	return c
}

func releaseTags() (tags []string) {
	for i := 1; i <= release; i++ {
		tags = append(tags, "go1."+strconv.Itoa(i))
	}
	return tags
}

func toolTags() (tags []string) {
	for _, x := range experiments {
		tags = append(tags, "goexperiment."+x)
	}
	if env("GOARCH", runtime.GOARCH) == "amd64" {
		level := strings.TrimPrefix(env("GOAMD64", "v1"), "v")
		for _, n := range []string{"1", "2", "3", "4"} {
			tags = append(tags, "amd64.v"+n)
			if n == level {
				break
			}
		}
	}
	return tags
}

func (c *Context) join(elem ...string) string {
	if c.JoinPath != nil {
		return c.JoinPath(elem...)
	}
	return filepath.Join(elem...)
}

func (c *Context) isAbs(path string) bool {
	if c.IsAbsPath != nil {
		return c.IsAbsPath(path)
	}
	return filepath.IsAbs(path)
}

func (c *Context) isDir(path string) bool {
	if c.IsDir != nil {
		return c.IsDir(path)
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// below is HasSubdir: it follows links of either folder if it must.
func (c *Context) below(root, dir string) (rel string, ok bool) {
	if c.HasSubdir != nil {
		return c.HasSubdir(root, dir)
	}
	// First as they are, then without links.
	roots, dirs := [2]string{root}, [2]string{dir}
	for i := range 4 {
		if i == 1 {
			roots[1], _ = filepath.EvalSymlinks(root)
			dirs[1], _ = filepath.EvalSymlinks(dir)
		}
		if rel, ok = textBelow(roots[i&1], dirs[i>>1]); ok {
			break
		}
	}
	return rel, ok
}

func textBelow(root, dir string) (rel string, ok bool) {
	root = strings.TrimSuffix(filepath.Clean(root), "/") + "/"
	rel, ok = strings.CutPrefix(filepath.Clean(dir), root)
	if !ok {
		return "", false
	}
	return rel, true
}

func (c *Context) read(dir string) (entries []fs.DirEntry, err error) {
	if c.ReadDir == nil {
		return os.ReadDir(dir)
	}
	infos, err := c.ReadDir(dir)
	for i := 0; i < len(infos) && err == nil; i++ {
		entries = append(entries, fs.FileInfoToDirEntry(infos[i]))
	}
	return entries, err
}

func (c *Context) open(path string) (file io.ReadCloser, err error) {
	if c.OpenFile != nil {
		return c.OpenFile(path)
	}
	if f, bad := os.Open(path); bad == nil {
		file = f
	} else {
		err = bad
	}
	return file, err
}

func (c *Context) isFile(path string) bool {
	f, err := c.open(path)
	if err == nil {
		f.Close()
	}
	return err == nil
}

// gopaths returns the parts of GOPATH that can be used: not those that a shell should have put the
// home folder into, and not GOROOT.
func (c *Context) gopaths() []string {
	split := filepath.SplitList
	if c.SplitPathList != nil {
		split = c.SplitPathList
	}
	return slices.DeleteFunc(slices.Clone(split(c.GOPATH)), func(path string) bool {
		return path == "" || path == c.GOROOT || path[0] == '~'
	})
}

// SrcDirs returns the folders below which packages are, of those that exist.
func (c *Context) SrcDirs() (dirs []string) {
	roots := c.gopaths()
	if c.hasGoroot() {
		roots = slices.Insert(roots, 0, c.GOROOT)
	}
	for _, root := range roots {
		if dir := c.join(root, "src"); c.isDir(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// hasGoroot says whether GOROOT has packages.
func (c *Context) hasGoroot() bool { return c.GOROOT != "" && c.Compiler != "gccgo" }

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

var (
	unixes = set("aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd" +
		" solaris")
	systems = set("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd" +
		" openbsd plan9 solaris wasip1 windows zos")
	machines = set("386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le" +
		" mips64p32 mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm")
)

// has says whether a tag is met, and notes it in seen, if that is not nil.
func (c *Context) has(tag string, seen map[string]bool) bool {
	if seen != nil {
		seen[tag] = true
	}
	switch tag {
	case "cgo":
		if c.CgoEnabled {
			return true
		}
	case "unix":
		if unixes[c.GOOS] {
			return true
		}
	case "boringcrypto":
		tag = "goexperiment.boringcrypto"
	}
	switch c.GOOS + " " + tag {
	case "android linux", "illumos solaris", "ios darwin":
		return true
	}
	return tag == c.GOOS || tag == c.GOARCH || tag == c.Compiler ||
		slices.Contains(c.BuildTags, tag) || slices.Contains(c.ToolTags, tag) ||
		slices.Contains(c.ReleaseTags, tag)
}

// fits says whether a file's name is of another system or machine: `_windows.go`,
// `_linux_arm64_test.go`.
func (c *Context) fits(name string, seen map[string]bool) bool {
	name, _, _ = strings.Cut(name, ".")
	words := strings.Split(name, "_")[1:]
	if n := len(words); n > 0 && words[n-1] == "test" {
		words = words[:n-1]
	}
	n := len(words)
	if n == 0 {
		return true
	}
	system, machine := words[max(n-2, 0)], words[n-1]
	switch {
	case n > 1 && systems[system] && machines[machine]:
		fits := c.has(machine, seen)
		return c.has(system, seen) && fits
	case systems[machine], machines[machine]:
		// The only word is of either.
		return c.has(machine, seen)
	}
	return true
}
