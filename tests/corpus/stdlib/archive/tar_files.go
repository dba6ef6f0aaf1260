// run
//
// Package tar: headers in all formats, byte for byte, what no format holds, sparse files, and broken
// archives.
package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"time"
)

var when = time.Unix(1600000000, 0)

func show(h *tar.Header) string {
	return fmt.Sprintf("%c %q %q %d %o %d %d %q %q %d.%d %v %v %d %d %v %v %v", h.Typeflag, h.Name, h.Linkname, h.Size, h.Mode, h.Uid, h.Gid,
		h.Uname, h.Gname, h.ModTime.Unix(), h.ModTime.Nanosecond(), h.AccessTime.IsZero() || h.AccessTime.Unix() == 5, h.ChangeTime.IsZero(), h.Devmajor,
		h.Devminor, h.Xattrs, h.PAXRecords, h.Format)
}

func list(b []byte) {
	r := tar.NewReader(bytes.NewReader(b))
	for {
		h, err := r.Next()
		if err != nil {
			fmt.Println("end", h == nil, err)
			_, err = r.Next()
			fmt.Println(err)
			return
		}
		text, err := io.ReadAll(r)
		fmt.Println(show(h), len(text), crc32.ChecksumIEEE(text), err)
		fi := h.FileInfo()
		fmt.Println(" ", fi.Name(), fi.Mode(), fi.IsDir(), fi.Size())
	}
}

func headers() []*tar.Header {
	long := strings.Repeat("folder/", 20) + "name"
	big := strings.Repeat("x", 200)
	return []*tar.Header{
		{Name: "a.txt", Size: 5, Mode: 0644, ModTime: when}, {Name: "dir/", Mode: 0755, Uid: 1000, Gid: 1000, Uname: "user", Gname: "group"},
		{Typeflag: tar.TypeLink, Name: "l", Linkname: "a.txt"}, {Typeflag: tar.TypeSymlink, Name: "s", Linkname: long, Size: 7},
		{Typeflag: tar.TypeChar, Name: "c", Devmajor: 4, Devminor: 64}, {Typeflag: tar.TypeBlock, Name: "b", Devmajor: 1 << 21},
		{Typeflag: tar.TypeFifo, Name: "f"}, {Typeflag: tar.TypeCont, Name: "cont", Size: 3}, {Name: long, Size: 1}, {Name: big}, {Name: long + "/"},
		{Name: "naïve ☃.txt", Uname: "ü", Size: 2}, {Name: "nul\x00x"}, {Name: "late", ModTime: time.Unix(1<<40, 0)}, {Name: "early", ModTime: time.Unix(-5, 0)},
		{Name: "fine", ModTime: time.Unix(5, 123456789)}, {Name: "times", AccessTime: time.Unix(5, 0), ChangeTime: time.Unix(6, 7)},
		{Name: "big", Uid: 1 << 22, Gid: math.MaxInt32}, {Name: "neg", Uid: -3}, {Name: "mode", Mode: 1 << 40}, {Name: "slash/", Typeflag: tar.TypeReg},
		{Name: "x", Xattrs: map[string]string{"user.key": "value", "k": ""}}, {Name: "x", PAXRecords: map[string]string{"VENDOR.key": "value", "path": "other"}},
		{Name: "x", PAXRecords: map[string]string{"a=b": "c"}}, {Name: "x", PAXRecords: map[string]string{"": "c"}},
		{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "all", "path": "p"}}, {Typeflag: tar.TypeXGlobalHeader, Name: "g", Size: 1},
		{Typeflag: tar.TypeXGlobalHeader, Name: "named"}, {Typeflag: tar.TypeXHeader, Name: "x"}, {Typeflag: tar.TypeGNULongName, Name: "x"},
		{Name: "minus", Size: -1}, {Typeflag: tar.TypeDir, Name: "minus", Size: -1}, {Typeflag: 'Z', Name: "odd", Size: 4}, {},
		{Name: "huge", PAXRecords: map[string]string{"k": strings.Repeat("v", 1<<20)}}, {Typeflag: tar.TypeGNUSparse, Name: "sparse", Size: 3},
	}
}

func write() [][]byte {
	var all [][]byte
	for i, h := range headers() {
		for _, format := range []tar.Format{tar.FormatUnknown, tar.FormatUSTAR, tar.FormatPAX, tar.FormatGNU} {
			var out bytes.Buffer
			w := tar.NewWriter(&out)
			own := *h
			own.Format = format
			err := w.WriteHeader(&own)
			fmt.Print(i, " ", format, " ", err)
			if err == nil && own.Size > 0 {
				n, err := w.Write([]byte("0123456789"))
				fmt.Print(" ", n, err)
			}
			err = w.Close()
			b := out.Bytes()
			fmt.Println(" ", err, len(b), crc32.ChecksumIEEE(b))
			if len(b) > 1024 && len(b) < 1<<20 {
				all = append(all, bytes.Clone(b))
				list(b)
			}
		}
	}
	return all
}

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

// block is a header made by hand.
func block(kind byte, name string, size string, fill func(b []byte)) []byte {
	b := make([]byte, 512)
	copy(b, name)
	copy(b[100:], "0000644\x000000000\x000000000\x00"+size+"\x0000000000000\x00")
	b[156] = kind
	if fill != nil {
		fill(b)
	}
	copy(b[148:], "        ")
	sum := 0
	for _, c := range b {
		sum += int(c)
	}
	copy(b[148:], fmt.Sprintf("%06o\x00 ", sum))
	return b
}

func padded(b []byte) []byte { return append(b, make([]byte, -len(b)&511)...) }

func record(k, v string) string {
	s := " " + k + "=" + v + "\n"
	for n := len(s); ; n++ {
		if t := fmt.Sprint(n) + s; len(t) == n {
			return t
		}
	}
}

func sparse() [][]byte {
	gnu := func(b []byte) { copy(b[257:], "ustar  \x00") }
	pax := func(b []byte) { copy(b[257:], "ustar\x0000") }
	octal := func(n int) string { return fmt.Sprintf("%011o", n) }
	old := func(size, real int, pairs ...int) []byte {
		return block('S', "old", octal(size), func(b []byte) {
			gnu(b)
			for i, n := range pairs[:min(len(pairs), 8)] {
				copy(b[386+12*i:], octal(n))
			}
			if len(pairs) > 8 {
				b[386+96] = 1
			}
			copy(b[483:], octal(real))
		})
	}
	more := make([]byte, 512)
	copy(more, octal(40)+"\x00"+octal(2)+"\x00"+octal(50)+"\x00"+octal(0))
	text := []byte("abcdefghij")
	withPax := func(body string, records ...string) []byte {
		r := []byte(strings.Join(records, ""))
		b := append(block('x', "p", octal(len(r)), pax), padded(r)...)
		return append(append(b, block('0', "new", octal(len(body)), pax)...), padded([]byte(body))...)
	}
	lines := string(padded([]byte("2\n0\n5\n10\n5\n")))
	v := record("GNU.sparse.major", "1") + record("GNU.sparse.minor", "0")
	return [][]byte{
		append(old(10, 30, 0, 4, 10, 4, 20, 2), padded(text)...), append(old(10, 60, 0, 2, 10, 2, 20, 2, 30, 2, 31), padded(text)...),
		append(append(old(10, 60, 0, 2, 10, 2, 20, 2, 30, 2, 31), more...), padded(text)...), append(old(10, 30, 10, 4, 0, 4), padded(text)...),
		append(old(10, 30, 0, 4), padded(text)...), append(old(10, 30, 0, 14), padded(text)...), append(old(10, 10), padded(text)...), old(0, 7),
		withPax(lines+"abcdefghij", v, record("GNU.sparse.name", "real"), record("GNU.sparse.realsize", "20")),
		withPax(lines+"abcdefghij", v, record("GNU.sparse.size", "x")), withPax("x\n", v), withPax(string(padded([]byte("9999999\n"))), v),
		withPax("abcdefghij", record("GNU.sparse.map", "0,5,10,5"), record("GNU.sparse.numblocks", "2"), record("GNU.sparse.size", "16")),
		withPax("abcdefghij", record("GNU.sparse.map", "0,5,10"), record("GNU.sparse.numblocks", "2"), record("GNU.sparse.size", "16")),
		withPax("abcdefghij", record("GNU.sparse.major", "0"), record("GNU.sparse.minor", "0"), record("GNU.sparse.numblocks", "2"), record("GNU.sparse.size", "16"),
			record("GNU.sparse.offset", "0"), record("GNU.sparse.numbytes", "5"), record("GNU.sparse.offset", "10"), record("GNU.sparse.numbytes", "5")),
		withPax("abc", record("GNU.sparse.numbytes", "5")), withPax("abc", record("GNU.sparse.major", "7")), withPax("abc", record("size", "2"), record("mtime", "1.5")),
		withPax("abc", record("mtime", "x")), withPax("abc", record("uid", "x")), withPax("abc", "5 a=b\n"), withPax("abc", "6 a=b\nx"), withPax("abc", "xx"),
		withPax("abc", record("mtime", "-3.25"), record("atime", "5"), record("uname", "who"), record("path", ""), record("SCHILY.xattr.k", "v")),
		block('0', "v7", "00000000003", nil), block('0', "neg", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", nil), block('0', "no", "0000000x003", nil),
		block('0', "star", "00000000000", func(b []byte) {
			pax(b)
			copy(b[345:], "prefix")
			copy(b[476:], "00000000005\x0000000000006\x00")
			copy(b[508:], "tar\x00")
		}), block('0', "ascii\xff", "00000000000", pax), block('0', "gnu", "00000000000", func(b []byte) {
			gnu(b)
			copy(b[345:], "not a time")
		}), make([]byte, 512), make([]byte, 1024), append(make([]byte, 512), text...), text,
	}
}

func main() {
	all := write()
	for _, b := range sparse() {
		list(b)
		all = append(all, b)
	}
	for f := tar.Format(0); f < 40; f += 3 {
		fmt.Print(f, " ")
	}
	fmt.Println()

	var out bytes.Buffer
	w := tar.NewWriter(&out)
	w.WriteHeader(&tar.Header{Name: "x", Size: 10})
	n, err := w.Write([]byte("abc"))
	fmt.Println(n, err, w.Flush(), w.WriteHeader(&tar.Header{Name: "y"}))
	n, err = w.Write([]byte("0123456789"))
	fmt.Println(n, err, w.Flush(), w.Close(), w.Close(), w.Flush(), w.WriteHeader(&tar.Header{}))
	_, err = w.Write(nil)
	fmt.Println(err)
	for _, left := range []int{0, 512, 600, 1024, 2000} {
		w := tar.NewWriter(&full{left})
		err := w.WriteHeader(&tar.Header{Name: "x", Size: 100})
		n, err2 := w.Write(make([]byte, 100))
		fmt.Println(err, n, err2, w.Flush(), w.Close())
	}

	folder, _ := os.MkdirTemp("", "tar")
	defer os.RemoveAll(folder)
	os.Mkdir(filepath.Join(folder, "sub"), 0750)
	os.WriteFile(filepath.Join(folder, "sub", "file"), []byte("content"), 0640)
	os.Symlink("sub/file", filepath.Join(folder, "link"))
	for _, name := range []string{"sub/file", "sub"} {
		os.Chtimes(filepath.Join(folder, name), when, when)
	}
	out.Reset()
	w = tar.NewWriter(&out)
	fmt.Println(w.AddFS(os.DirFS(folder)), w.Close())
	r := tar.NewReader(&out)
	for {
		h, err := r.Next()
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(h.Name, h.Linkname, h.FileInfo().Mode(), h.Uid == os.Getuid(), h.Size)
	}
	fi, _ := os.Lstat(filepath.Join(folder, "link"))
	h, err := tar.FileInfoHeader(fi, "target")
	fmt.Println(h.Name, h.Linkname, h.Typeflag, h.Mode, err, h.AccessTime.IsZero())
	again, err := tar.FileInfoHeader((&tar.Header{Name: "n", Typeflag: tar.TypeLink, Linkname: "t", Size: 4, Uid: 7, Uname: "w"}).FileInfo(), "")
	fmt.Println(show(again), err)
	_, err = tar.FileInfoHeader(nil, "")
	fmt.Println(err)
	for _, mode := range []int64{0140755, 06755, 01777, 040700} {
		h := &tar.Header{Name: "m", Mode: mode}
		made, err := tar.FileInfoHeader(h.FileInfo(), "")
		fmt.Println(h.FileInfo().Mode(), made != nil, err)
	}
	os.Setenv("GODEBUG", "tarinsecurepath=0")
	_, err = tar.NewReader(bytes.NewReader(block('0', "/etc/x", "00000000000", nil))).Next()
	fmt.Println(err)
	os.Unsetenv("GODEBUG")
	_ = fs.ModeDir

	rng := rand.New(rand.NewSource(3))
	sum := crc32.NewIEEE()
	kinds := map[string]int{}
	for i := range 4000 {
		b := bytes.Clone(all[i%len(all)])
		for range 1 + rng.Intn(3) {
			b[rng.Intn(min(len(b), 2000))] ^= 1 << rng.Intn(8)
		}
		// The checks of the headers, put right.
		for at := 0; at+512 <= len(b) && rng.Intn(4) > 0; at += 512 {
			if b[at+148] == '0' {
				copy(b[at+148:], "        ")
				n := 0
				for _, c := range b[at : at+512] {
					n += int(c)
				}
				copy(b[at+148:], fmt.Sprintf("%06o\x00 ", n))
			}
		}
		r := tar.NewReader(bytes.NewReader(b))
		for {
			h, err := r.Next()
			fmt.Fprint(sum, err)
			if err != nil {
				kinds[err.Error()]++
				break
			}
			fmt.Fprint(sum, show(h))
			text, err := io.ReadAll(io.LimitReader(r, 1<<16))
			fmt.Fprint(sum, crc32.ChecksumIEEE(text), err)
		}
	}
	fmt.Println(sum.Sum32(), kinds)
}
