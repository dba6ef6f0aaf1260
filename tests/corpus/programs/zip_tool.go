// run

// A tool that packs, lists, tests and unpacks zip archives, on a tree that it makes.
package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func pack(archive, dir string) error {
	out, err := os.Create(archive)
	if err != nil {
		return err
	}
	defer out.Close()
	zw := zip.NewWriter(out)
	zw.SetComment("packed by zip_tool")
	root := os.DirFS(dir)
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		h, err := zip.FileInfoHeader(info)
		if err != nil {
			return err
		}
		h.Name = name
		h.Modified = time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
		if d.IsDir() {
			h.Name += "/"
			_, err = zw.CreateHeader(h)
			return err
		}
		if !strings.HasSuffix(name, ".bin") {
			h.Method = zip.Deflate
		}
		w, err := zw.CreateHeader(h)
		if err != nil {
			return err
		}
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	})
	return errors.Join(err, zw.Close())
}

func list(archive string) error {
	r, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer r.Close()
	fmt.Println("comment:", r.Comment)
	for _, f := range r.File {
		ratio := 0.0
		if f.UncompressedSize64 > 0 {
			ratio = 100 * float64(f.CompressedSize64) / float64(f.UncompressedSize64)
		}
		fmt.Printf("%v %8d %5.1f%% %08x %s %s\n", f.Mode(), f.UncompressedSize64, ratio, f.CRC32,
			f.Modified.UTC().Format(time.DateTime), f.Name)
	}
	return nil
}

func unpack(archive, dir string) error {
	r, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer r.Close()
	for _, f := range r.File {
		if !filepath.IsLocal(f.Name) {
			return fmt.Errorf("%s leads out of the folder", f.Name)
		}
		target := filepath.Join(dir, f.Name)
		if f.FileInfo().IsDir() {
			if err := os.MkdirAll(target, 0o755); err != nil {
				return err
			}
			continue
		}
		in, err := f.Open()
		if err != nil {
			return err
		}
		out, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, f.Mode().Perm())
		if err != nil {
			return err
		}
		_, err = io.Copy(out, in)
		if err := errors.Join(err, in.Close(), out.Close()); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

func sum(dir string) uint32 {
	h := crc32.NewIEEE()
	filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		rel, _ := filepath.Rel(dir, name)
		fmt.Fprintln(h, rel, info.Mode().Perm())
		if !info.IsDir() {
			data, _ := os.ReadFile(name)
			h.Write(data)
		}
		return nil
	})
	return h.Sum32()
}

func main() {
	tmp, err := os.MkdirTemp("", "zip")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(tmp)
	tree := filepath.Join(tmp, "tree")
	os.MkdirAll(filepath.Join(tree, "docs", "empty"), 0o755)
	os.WriteFile(filepath.Join(tree, "readme.txt"), []byte(strings.Repeat("read me, please. ",
		200)), 0o644)
	os.WriteFile(filepath.Join(tree, "docs", "run.sh"), []byte("#!/bin/sh\necho ünïcode\n"), 0o755)
	os.WriteFile(filepath.Join(tree, "docs", "naïve.md"), nil, 0o600)
	noise := make([]byte, 5000)
	for i := range noise {
		noise[i] = byte(i * i >> 3)
	}
	os.WriteFile(filepath.Join(tree, "noise.bin"), noise, 0o644)
	archive := filepath.Join(tmp, "a.zip")
	fmt.Println("pack:", pack(archive, tree))
	fmt.Println("list:", list(archive))
	out := filepath.Join(tmp, "out")
	os.Mkdir(out, 0o755)
	fmt.Println("unpack:", unpack(archive, out), sum(tree) == sum(out))
	err = unpack(archive, out)
	fmt.Println("again:", errors.Is(err, fs.ErrExist))

	data, _ := os.ReadFile(archive)
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	matches, _ := fs.Glob(r, "docs/*")
	fmt.Println(matches, err)
	text, err := fs.ReadFile(r, "docs/run.sh")
	fmt.Printf("%q %v\n", text, err)
	_, err = r.Open("nothing")
	fmt.Println(err)

	i := bytes.Index(data, noise[:100])
	data[i+50] ^= 1
	damaged := filepath.Join(tmp, "b.zip")
	os.WriteFile(damaged, data, 0o644)
	os.RemoveAll(out)
	os.Mkdir(out, 0o755)
	fmt.Println("damaged:", unpack(damaged, out))
	os.WriteFile(damaged, data[:len(data)/2], 0o644)
	fmt.Println("cut:", list(damaged))
	var evil bytes.Buffer
	zw := zip.NewWriter(&evil)
	w, _ := zw.Create("../evil")
	w.Write([]byte("x"))
	zw.Close()
	os.WriteFile(damaged, evil.Bytes(), 0o644)
	fmt.Println("evil:", unpack(damaged, out))
}
