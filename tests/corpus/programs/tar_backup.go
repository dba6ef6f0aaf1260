// run

// Incremental backups of a tree as gzipped tar archives, restored in order.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

type index map[string][32]byte

func snapshot(dir string, last index) (archive []byte, now index, err error) {
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	zw.Name = "backup.tar"
	zw.ModTime = time.Unix(1700000000, 0)
	tw := tar.NewWriter(zw)
	now = index{}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		info, err := d.Info()
		if err != nil {
			return err
		}
		link := ""
		var data []byte
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			link, _ = os.Readlink(name)
			data = []byte(link)
		case d.Type().IsRegular():
			if data, err = os.ReadFile(name); err != nil {
				return err
			}
		}
		sum := sha256.Sum256(fmt.Appendf(data, "%v", info.Mode()))
		now[rel] = sum
		if last[rel] == sum {
			return nil
		}
		h, err := tar.FileInfoHeader(info, link)
		if err != nil {
			return err
		}
		h.Name, h.ModTime = rel, time.Unix(1700000000, 0)
		h.Uid, h.Gid, h.Uname, h.Gname = 0, 0, "root", "root"
		h.AccessTime, h.ChangeTime = time.Time{}, time.Time{}
		if err := tw.WriteHeader(h); err != nil {
			return err
		}
		if d.Type().IsRegular() {
			_, err = tw.Write(data)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	for _, rel := range slices.Sorted(maps.Keys(last)) {
		if _, ok := now[rel]; !ok {
			gone := &tar.Header{Name: rel, Typeflag: tar.TypeReg, Mode: 0o600, Format: tar.FormatPAX,
				PAXRecords: map[string]string{"BACKUP.deleted": "yes"}}
			if err := tw.WriteHeader(gone); err != nil {
				return nil, nil, err
			}
		}
	}
	err = errors.Join(tw.Close(), zw.Close())
	return buf.Bytes(), now, err
}

func restore(dir string, archive io.Reader) error {
	zr, err := gzip.NewReader(archive)
	if err != nil {
		return err
	}
	tr := tar.NewReader(zr)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return zr.Close()
		}
		if err != nil {
			return err
		}
		target := filepath.Join(dir, h.Name)
		fmt.Printf("  %c %v %d %s %s\n", h.Typeflag, h.FileInfo().Mode(), h.Size, h.Name, h.Linkname)
		switch {
		case h.PAXRecords["BACKUP.deleted"] == "yes":
			err = os.RemoveAll(target)
		case h.Typeflag == tar.TypeDir:
			err = os.MkdirAll(target, 0o755)
		case h.Typeflag == tar.TypeSymlink:
			os.Remove(target)
			err = os.Symlink(h.Linkname, target)
		case h.Typeflag == tar.TypeReg:
			var f *os.File
			if f, err = os.OpenFile(target, os.O_CREATE|os.O_TRUNC|os.O_WRONLY,
				h.FileInfo().Mode()); err == nil {
				_, err = io.Copy(f, tr)
				err = errors.Join(err, f.Close())
			}
		}
		if err != nil {
			return err
		}
	}
}

func tree(dir string) string {
	var lines []string
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, name)
		data, _ := os.ReadFile(name)
		lines = append(lines, fmt.Sprintf("%s %v %d", rel, d.Type(), len(data)))
		return nil
	})
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func main() {
	tmp, err := os.MkdirTemp("", "tar")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(tmp)
	src, dst := filepath.Join(tmp, "src"), filepath.Join(tmp, "dst")
	os.MkdirAll(filepath.Join(src, "a", "b"), 0o755)
	os.Mkdir(dst, 0o755)
	write := func(name, text string) { os.WriteFile(filepath.Join(src, name), []byte(text), 0o640) }
	long := strings.Repeat("long-", 30) + "näme"
	write("one", "first")
	write("a/two", strings.Repeat("second ", 1000))
	write("a/b/"+long, "deep")
	os.Symlink("../one", filepath.Join(src, "a", "link"))

	last := index{}
	var archives [][]byte
	for round := range 3 {
		switch round {
		case 1:
			write("one", "changed")
			os.Remove(filepath.Join(src, "a", "two"))
			write("three", "new")
		case 2:
			os.RemoveAll(filepath.Join(src, "a", "b"))
			os.Chmod(filepath.Join(src, "three"), 0o600)
		}
		archive, now, err := snapshot(src, last)
		fmt.Println("round", round, err, len(now))
		last = now
		archives = append(archives, archive)
	}
	for i, a := range archives {
		fmt.Println("restore", i, len(a) > 100)
		fmt.Println(restore(dst, bytes.NewReader(a)))
	}
	fmt.Println(tree(dst) == tree(src))
	fmt.Println(strings.ReplaceAll(tree(src), long, "LONG"))
	fmt.Println(restore(dst, strings.NewReader("no archive")))
}
