package build

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// ask asks the go command for the package, which may be one of a module. It says whether there was
// an answer: none if modules are switched off, the package is Go's own, or the context has file
// systems, modes or tags that the command knows nothing of.
func (f *finder) ask() (found bool, err error) {
	if f.mode&(AllowBinary|IgnoreVendor) != 0 || f.UseAllFiles || f.GOROOT == "" ||
		f.JoinPath != nil || f.SplitPathList != nil || f.IsAbsPath != nil || f.IsDir != nil ||
		f.HasSubdir != nil || f.ReadDir != nil || f.OpenFile != nil ||
		!slices.Equal(f.ToolTags, toolTags()) || !slices.Equal(f.ReleaseTags, releaseTags()) {
		return false, nil
	}
	modules := os.Getenv("GO111MODULE")
	if modules == "off" {
		return false, nil
	}
	if f.dir != "" {
		dir := f.dir
		if !filepath.IsAbs(dir) {
			if f.Context.Dir != "" {
				return false, fmt.Errorf("go/build: Dir is non-empty, so relative srcDir is not"+
					" allowed: %v", dir)
			}
			if dir, err = filepath.Abs(dir); err != nil {
				return false, nil
			}
		}
		if _, ok := f.below(filepath.Join(f.GOROOT, "src"), dir); ok {
			return false, nil
		}
	}
	if f.isDir(f.join(f.GOROOT, "src", f.path)) {
		return false, nil
	}
	if modules == "auto" {
		if ok, err := f.inModule(); !ok {
			return false, err
		}
	}
	return true, f.list()
}

// inModule says whether the working folder is in a module.
func (f *finder) inModule() (bool, error) {
	dir, err := os.Getwd()
	if f.Context.Dir != "" {
		if dir, err = filepath.Abs(f.Context.Dir); err != nil {
			return false, err
		}
	}
	if err != nil {
		return false, nil
	}
	for {
		if file, err := f.open(f.join(dir, "go.mod")); err == nil {
			_, err := file.Read(make([]byte, 100))
			file.Close()
			if err == nil || err == io.EOF {
				return true, nil
			}
		}
		parent := filepath.Dir(dir)
		if len(parent) >= len(dir) {
			return false, nil
		}
		dir = parent
	}
}

// list runs `go list`. What is wrong with a package that it finds will show again.
func (f *finder) list() error {
	cgo := "0"
	if f.CgoEnabled {
		cgo = "1"
	}
	var stdout, stderr strings.Builder
	cmd := exec.Command(filepath.Join(f.GOROOT, "bin", "go"), "list", "-e",
		"-compiler="+f.Compiler, "-tags="+strings.Join(f.BuildTags, ","),
		"-installsuffix="+f.InstallSuffix,
		"-f={{.Dir}}\n{{.ImportPath}}\n{{.Root}}\n{{.Goroot}}\n{{if .Error}}{{.Error}}{{end}}\n",
		"--", f.path)
	cmd.Dir = f.Context.Dir
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Env = append(cmd.Environ(), "GOOS="+f.GOOS, "GOARCH="+f.GOARCH, "GOROOT="+f.GOROOT,
		"GOPATH="+f.GOPATH, "CGO_ENABLED="+cgo)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go/build: go list %s: %v\n%s\n", f.path, err, stderr.String())
	}
	lines := strings.SplitN(stdout.String(), "\n", 5)
	if len(lines) < 5 {
		return fmt.Errorf("go/build: importGo %s: unexpected output:\n%s\n", f.path,
			stdout.String())
	}
	if wrong := strings.TrimSpace(lines[4]); wrong != "" && lines[0] == "" {
		return errors.New(wrong)
	}
	f.Package.Dir, f.ImportPath, f.Root, f.Goroot = lines[0], lines[1], lines[2], lines[3] == "true"
	return nil
}
