package build

import (
	"fmt"
	"internal/godebug"
	pathpkg "path"
	"strings"
)

// finder finds a package for Import.
type finder struct {
	*Context
	*Package
	path string
	dir  string // that imports it
	mode ImportMode

	targets string // the folder for what is built, below a root
	binary  bool   // is only that there?
	unknown error  // is the compiler?

	// Folders without the package.
	inVendors  []string
	inGoroot   string
	inGopaths  []string
	candidates []string // of gopaths
}

// object returns what is installed of the package, below a root; nothing for local imports that are
// below none.
func (f *finder) object() string {
	if f.unknown != nil || IsLocalImport(f.ImportPath) {
		return ""
	}
	if f.Compiler == "gccgo" {
		dir, name := pathpkg.Split(f.ImportPath)
		return f.targets + "/" + dir + "lib" + name + ".a"
	}
	return f.targets + "/" + f.ImportPath + ".a"
}

// find sets what is known of the package without its files. It is done if those are not asked for.
func (f *finder) find() (done bool, err error) {
	if f.path == "" {
		return true, fmt.Errorf("import %q: invalid import path", f.path)
	}
	f.targets = f.GOOS + "_" + f.GOARCH
	if f.InstallSuffix != "" {
		f.targets += "_" + f.InstallSuffix
	}
	switch f.Compiler {
	case "gc":
		f.targets = "pkg/" + f.targets
	case "gccgo":
		f.targets = "pkg/gccgo_" + f.targets
	default:
		f.unknown = fmt.Errorf("import %q: unknown compiler %q", f.path, f.Compiler)
	}
	local := IsLocalImport(f.path)
	if local {
		if f.dir == "" {
			return true, fmt.Errorf("import %q: import relative to unknown directory", f.path)
		}
		if !f.isAbs(f.path) {
			f.Package.Dir = f.join(f.dir, f.path)
		}
		f.name()
	} else {
		if strings.HasPrefix(f.path, "/") {
			return true, fmt.Errorf("import %q: cannot import absolute path", f.path)
		}
		found, err := f.ask()
		if err != nil {
			return true, err
		}
		if !found && !f.search() {
			return true, f.notFound()
		}
	}
	f.setRoots()
	gccgo := f.Compiler == "gccgo" && f.Goroot // it has no sources
	if local && !f.isDir(f.Package.Dir) {
		if gccgo {
			return true, nil
		}
		return true, fmt.Errorf("cannot find package %q in:\n\t%s", f.ImportPath, f.Package.Dir)
	}
	if f.mode&FindOnly != 0 || f.binary {
		return true, f.unknown
	}
	return gccgo, nil
}

func (f *finder) setRoots() {
	if f.Root == "" {
		return
	}
	f.SrcRoot = f.join(f.Root, "src")
	f.PkgRoot = f.join(f.Root, "pkg")
	f.BinDir = f.join(f.Root, "bin")
	object := f.object()
	if object == "" {
		return
	}
	f.PkgTargetRoot = f.join(f.Root, f.targets)
	if f.Goroot {
		if !godebug.Is("installgoroot", "all") ||
			f.ImportPath == "unsafe" || f.ImportPath == "builtin" {
			return
		}
	}
	f.PkgObj = f.join(f.Root, object)
}

// name finds the import path of a folder, if it has one.
func (f *finder) name() {
	sub := func(root string) (string, bool) {
		path, ok := f.below(f.join(root, "src"), f.Package.Dir)
		if strings.Contains("/"+path+"/", "/testdata/") {
			return "", false
		}
		return path, ok
	}
	if f.GOROOT != "" {
		if path, ok := sub(f.GOROOT); ok {
			f.Goroot, f.ImportPath, f.Root = true, path, f.GOROOT
			return
		}
	}
	var before []string // roots in which the path could mean another folder
	if f.hasGoroot() {
		before = append(before, f.GOROOT)
	}
	for _, root := range f.gopaths() {
		path, ok := sub(root)
		if !ok {
			before = append(before, root)
			continue
		}
		for _, other := range before {
			if dir := f.join(other, "src", path); f.isDir(dir) {
				f.ConflictDir = dir
				return
			}
		}
		f.ImportPath, f.Root = path, root
		return
	}
}

// search looks for the package where its path leads.
func (f *finder) search() bool {
	f.candidates = f.gopaths()
	if f.mode&IgnoreVendor == 0 && f.dir != "" {
		if f.hasGoroot() && f.inVendor(f.GOROOT, true) {
			return true
		}
		for _, root := range f.candidates {
			if f.inVendor(root, false) {
				return true
			}
		}
	}
	// What is vendored by Go itself is for Go's own packages first.
	first := f.dir == "" || !strings.HasPrefix(f.path, "vendor/")
	if !first && f.GOROOT != "" {
		_, first = f.below(f.GOROOT, f.dir)
	}
	if first && f.goroot() {
		return true
	}
	for _, root := range f.candidates {
		if f.in(root) {
			return true
		}
		f.inGopaths = append(f.inGopaths, f.join(root, "src", f.path))
	}
	return !first && f.goroot()
}

func (f *finder) goroot() bool {
	found := f.hasGoroot() && f.in(f.GOROOT)
	switch {
	case found:
		f.Goroot = true
	case f.GOROOT != "":
		f.inGoroot = f.join(f.GOROOT, "src", f.path)
	}
	return found
}

// in says whether the package, or what was built of it if that is enough, is below a root.
func (f *finder) in(root string) bool {
	dir := f.join(root, "src", f.path)
	if !f.isDir(dir) {
		object := f.object()
		f.binary = f.mode&AllowBinary != 0 && object != "" && f.isFile(f.join(root, object))
		if !f.binary {
			return false
		}
	}
	f.Package.Dir, f.Root = dir, root
	return true
}

// inVendor looks into the folders `vendor` of all that the importing folder is in.
func (f *finder) inVendor(root string, goroot bool) bool {
	sub, ok := f.below(root, f.dir)
	if !ok || strings.Contains(sub, "/testdata/") || !strings.HasPrefix(sub, "src/") {
		return false
	}
	for {
		if vendor := f.join(root, sub, "vendor"); f.isDir(vendor) {
			dir := f.join(vendor, f.path)
			if f.isDir(dir) && f.hasGo(dir) {
				f.Package.Dir, f.Root, f.Goroot = dir, root, goroot
				f.ImportPath = strings.TrimPrefix(pathpkg.Join(sub, "vendor", f.path), "src/")
				return true
			}
			f.inVendors = append(f.inVendors, dir)
		}
		i := strings.LastIndexByte(sub, '/')
		if i < 0 {
			return false
		}
		sub = sub[:i]
	}
}

func (f *finder) hasGo(dir string) bool {
	entries, _ := f.read(dir)
	for _, e := range entries {
		if !e.IsDir() && strings.HasSuffix(e.Name(), ".go") {
			return true
		}
	}
	return false
}

func (f *finder) notFound() error {
	var b strings.Builder
	fmt.Fprintf(&b, "cannot find package %q in any of:", f.path)
	tell := func(dirs []string, what string) {
		for i, dir := range dirs {
			b.WriteString("\n\t" + dir)
			if i == 0 {
				b.WriteString(" (" + what + ")")
			}
		}
	}
	tell(f.inVendors, "vendor tree")
	if f.inGoroot != "" {
		tell([]string{f.inGoroot}, "from $GOROOT")
	} else {
		b.WriteString("\n\t($GOROOT not set)")
	}
	tell(f.inGopaths, "from $GOPATH")
	if len(f.inGopaths) == 0 {
		b.WriteString("\n\t($GOPATH not set. For more details see: 'go help gopath')")
	}
	return fmt.Errorf("%s", b.String())
}
