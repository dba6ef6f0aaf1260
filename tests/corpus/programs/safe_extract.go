// run

// A file service that stays below its folder by os.Root, with quotas, atomic writes and a journal.
package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

type service struct {
	root  *os.Root
	quota int64
	log   []string
}

var errQuota = errors.New("quota exceeded")

func (s *service) used() (n int64, err error) {
	err = fs.WalkDir(s.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Type().IsRegular() {
			info, err := d.Info()
			if err != nil {
				return err
			}
			n += info.Size()
		}
		return nil
	})
	return n, err
}

// write replaces a file in one step.
func (s *service) write(name string, r io.Reader) (err error) {
	defer func() {
		if err != nil {
			s.log = append(s.log, "failed "+name)
		} else {
			s.log = append(s.log, "wrote "+name)
		}
	}()
	used, err := s.used()
	if err != nil {
		return err
	}
	if dir := path.Dir(name); dir != "." {
		if err := s.root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	tmp := name + ".tmp"
	f, err := s.root.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	n, err := io.Copy(f, io.LimitReader(r, s.quota-used+1))
	if err == nil && n > s.quota-used {
		err = fmt.Errorf("%s: %w", name, errQuota)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		s.root.Remove(tmp)
		return err
	}
	return s.root.Rename(tmp, name)
}

func (s *service) extract(archive io.Reader) (problems []error) {
	tr := tar.NewReader(archive)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return problems
		}
		if err != nil {
			return append(problems, err)
		}
		switch h.Typeflag {
		case tar.TypeDir:
			err = s.root.MkdirAll(h.Name, 0o755)
		case tar.TypeSymlink:
			err = s.root.Symlink(h.Linkname, h.Name)
		case tar.TypeLink:
			err = s.root.Link(h.Linkname, h.Name)
		case tar.TypeReg:
			err = s.write(h.Name, tr)
		default:
			err = fmt.Errorf("%s: type %c", h.Name, h.Typeflag)
		}
		if err != nil {
			problems = append(problems, err)
		}
	}
}

func hostile() *bytes.Buffer {
	var buf bytes.Buffer
	tw := tar.NewWriter(&buf)
	for _, e := range []struct {
		typ              byte
		name, link, text string
	}{
		{tar.TypeDir, "docs/", "", ""},
		{tar.TypeReg, "docs/a.txt", "", "first"},
		{tar.TypeReg, "docs/b/c/d.txt", "", "deep"},
		{tar.TypeReg, "../evil", "", "out"},
		{tar.TypeReg, "/etc/evil", "", "out"},
		{tar.TypeReg, "docs/../../evil", "", "out"},
		{tar.TypeSymlink, "up", "..", ""},
		{tar.TypeReg, "up/evil", "", "through a link"},
		{tar.TypeSymlink, "abs", "/tmp", ""},
		{tar.TypeReg, "abs/evil", "", "through a link"},
		{tar.TypeSymlink, "inside", "docs/b", ""},
		{tar.TypeReg, "inside/ok.txt", "", "fine"},
		{tar.TypeLink, "hard", "docs/a.txt", ""},
		{tar.TypeLink, "hard2", "../secret", ""},
		{tar.TypeReg, "big", "", strings.Repeat("x", 200)},
		{tar.TypeReg, "docs/a.txt", "", "second"},
		{tar.TypeFifo, "fifo", "", ""},
		{tar.TypeReg, "docs", "", "a file in place of a folder"},
	} {
		tw.WriteHeader(&tar.Header{Typeflag: e.typ, Name: e.name, Linkname: e.link,
			Size: int64(len(e.text)), Mode: 0o644})
		io.WriteString(tw, e.text)
	}
	tw.Close()
	return &buf
}

func main() {
	dir, err := os.MkdirTemp("", "safe")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o600)
	base := filepath.Join(dir, "files")
	os.Mkdir(base, 0o755)
	root, err := os.OpenRoot(base)
	if err != nil {
		panic(err)
	}
	s := &service{root: root, quota: 100}
	for _, p := range s.extract(hostile()) {
		fmt.Println(p, errors.Is(p, errQuota), errors.Is(p, fs.ErrExist))
	}
	fmt.Println(s.log)
	fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			fmt.Println(err)
			return nil
		}
		info, _ := d.Info()
		line := fmt.Sprint(d, " ", info.Size())
		if d.Type()&fs.ModeSymlink != 0 {
			target, err := root.Readlink(name)
			line = fmt.Sprint(d, " -> ", target, " ", err)
		}
		if !d.IsDir() {
			fmt.Println(line)
		}
		return nil
	})
	entries, _ := os.ReadDir(dir)
	fmt.Println(len(entries))
	b, err := root.ReadFile("inside/ok.txt")
	fmt.Println(string(b), err)
	sub, err := root.OpenRoot("docs/b")
	fmt.Println(err)
	_, err = sub.ReadFile("../a.txt")
	fmt.Println(err)
	b, err = sub.ReadFile("c/../c/d.txt")
	fmt.Println(string(b), err)
	names, err := fs.Glob(root.FS(), "*")
	slices.Sort(names)
	fmt.Println(names, err)
	fmt.Println(root.RemoveAll("docs"), root.Remove("up"), root.Remove("abs"))
	used, err := s.used()
	fmt.Println(used, err)
	sub.Close()
	root.Close()
	_, err = s.used()
	fmt.Println(errors.Is(err, fs.ErrClosed))
}
