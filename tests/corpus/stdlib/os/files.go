// run

// Files: opening, reading and writing at places, folders, links, errors, temporary files, the environment.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"
)

var dir string

func show(args ...any) {
	for i, a := range args {
		if e, ok := a.(error); ok {
			args[i] = strings.ReplaceAll(e.Error(), dir, "DIR")
		}
		if s, ok := a.(string); ok {
			args[i] = strings.ReplaceAll(s, dir, "DIR")
		}
	}
	fmt.Println(args...)
}

func main() {
	var err error
	dir, err = os.MkdirTemp("", "gofiles*x")
	fmt.Println(err, strings.HasSuffix(dir, "x"))
	defer os.RemoveAll(dir)
	name := dir + "/file"

	f, err := os.Create(name)
	show(err, f.Name())
	n, err := f.WriteString("hello, world\n")
	show(n, err)
	n, err = f.WriteAt([]byte("J"), 0)
	show(n, err)
	at, err := f.Seek(-6, io.SeekEnd)
	show(at, err)
	b := make([]byte, 10)
	n, err = f.Read(b)
	show(n, string(b[:n]), err)
	n, err = f.Read(b)
	show(n, err)
	n, err = f.ReadAt(b, 7)
	show(n, string(b[:n]), err)
	n, err = f.ReadAt(b, 0)
	show(n, string(b[:n]), err)
	_, err = f.ReadAt(b, -1)
	show(err)
	_, err = f.WriteAt(b, -1)
	show(err)
	_, err = f.Seek(-1, io.SeekStart)
	show(err)
	show(f.Truncate(5), f.Sync(), f.Chmod(0600))
	info, err := f.Stat()
	show(info.Name(), info.Size(), info.Mode(), info.IsDir(), err, time.Since(info.ModTime()) < time.Hour)
	show(f.SetDeadline(time.Now()), errors.Is(f.SetReadDeadline(time.Now()), os.ErrNoDeadline))
	show(f.Close())
	show(f.Close())
	_, err = f.Read(b)
	show(err, errors.Is(err, os.ErrClosed))
	_, err = f.Write(b)
	show(err)
	_, err = f.Seek(0, 0)
	show(err)
	_, err = f.Stat()
	show(err)
	show(f.Sync(), f.Truncate(0), f.Chmod(0))

	// Modes of opening.
	f, err = os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	show(err)
	f.WriteString("!")
	_, err = f.WriteAt(b, 0)
	show(err)
	_, err = f.Read(b)
	show(err)
	f.Close()
	_, err = os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0666)
	show(err, os.IsExist(err), errors.Is(err, fs.ErrExist))
	data, err := os.ReadFile(name)
	show(string(data), err)
	show(os.WriteFile(name, []byte("fresh"), 0644))
	data, err = os.ReadFile(name)
	show(string(data), err)
	_, err = os.ReadFile(dir)
	show(err)
	_, err = os.Open(dir + "/nothing")
	show(err, os.IsNotExist(err), errors.Is(err, fs.ErrNotExist))
	var pe *fs.PathError
	show(errors.As(err, &pe), pe.Op, pe.Path, pe.Err == syscall.ENOENT, pe.Timeout())
	_, err = os.Open(name + "/x")
	show(err)
	_, err = os.Open("a\x00b")
	show(err)

	// Folders.
	show(os.Mkdir(dir+"/d", 0755), os.Mkdir(dir+"/d", 0755))
	show(os.MkdirAll(dir+"/d/e/f", 0755), os.MkdirAll(dir+"/d/e/f", 0755), os.MkdirAll(name+"/x", 0755))
	os.WriteFile(dir+"/d/b", nil, 0600)
	os.WriteFile(dir+"/d/a", []byte("aaa"), 0600)
	show(os.Symlink("a", dir+"/d/link"), os.Link(dir+"/d/a", dir+"/d/hard"))
	target, err := os.Readlink(dir + "/d/link")
	show(target, err)
	_, err = os.Readlink(name)
	show(err)
	entries, err := os.ReadDir(dir + "/d")
	for _, e := range entries {
		i, err := e.Info()
		show(e.Name(), e.IsDir(), e.Type(), i.Mode().Perm(), err)
	}
	show(err)
	_, err = os.ReadDir(dir + "/none")
	show(err)
	_, err = os.ReadDir(name)
	show(err)
	d, _ := os.Open(dir + "/d")
	count := 0
	for {
		list, err := d.ReadDir(2)
		count += len(list)
		if err != nil {
			show(count, err)
			break
		}
	}
	d.Close()
	i1, _ := os.Stat(dir + "/d/a")
	i2, _ := os.Stat(dir + "/d/link")
	i3, _ := os.Lstat(dir + "/d/link")
	i4, _ := os.Stat(dir + "/d/hard")
	show(os.SameFile(i1, i2), os.SameFile(i1, i3), os.SameFile(i1, i4), i3.Mode()&fs.ModeSymlink != 0)
	_, err = os.Stat(dir + "/none")
	show(err)
	_, err = os.Lstat(dir + "/none")
	show(err)

	// Moving and removing.
	show(os.Rename(dir+"/d/b", dir+"/moved"), os.Rename(dir+"/none", dir+"/x"))
	show(os.Remove(dir+"/moved"), os.Remove(dir+"/moved"), os.Remove(dir+"/d"))
	show(os.RemoveAll(dir+"/d"), os.RemoveAll(dir+"/d"), os.RemoveAll(dir+"/."))
	show(os.Truncate(name, 2), os.Truncate(dir+"/none", 0), os.Chmod(name, 0400), os.Chmod(dir+"/none", 0))
	when := time.Unix(1000000000, 5000)
	show(os.Chtimes(name, when, when), os.Chtimes(dir+"/none", when, when))
	info, _ = os.Stat(name)
	show(info.ModTime().Equal(when), info.Size(), info.Mode())
	show(os.Chown(name, -1, -1), os.Lchown(name, -1, -1), os.Chown(dir+"/none", -1, -1))

	// Where we are.
	show(os.Chdir(dir))
	wd, err := os.Getwd()
	show(wd, err)
	show(os.Chdir("none"))
	os.WriteFile("here", []byte("x"), 0600)
	_, err = os.Stat(dir + "/here")
	show(err)

	// Temporary names.
	t, err := os.CreateTemp("", "a*b")
	show(err, strings.HasSuffix(t.Name(), "b"), strings.HasPrefix(t.Name(), os.TempDir()+"/a"))
	t.Close()
	os.Remove(t.Name())
	_, err = os.CreateTemp(dir, "a/b")
	show(err)

	// The environment.
	os.Clearenv()
	show(len(os.Environ()), os.Setenv("A", "1"), os.Setenv("B", ""), os.Getenv("A"))
	v, ok := os.LookupEnv("B")
	show(v, ok)
	v, ok = os.LookupEnv("C")
	show(v, ok)
	show(os.ExpandEnv("$A ${A}x $C ${ $$ $ %"), os.Expand("$x-${y}", func(s string) string { return "<" + s + ">" }))
	show(os.Unsetenv("A"), os.Environ(), os.Setenv("", "x"), os.Setenv("a=b", "x"))

	// Pipes: in the poller.
	r, w, err := os.Pipe()
	show(err, r.Name(), w.Name())
	show(r.SetReadDeadline(time.Now().Add(20 * time.Millisecond)))
	_, err = r.Read(b)
	show(err, errors.Is(err, os.ErrDeadlineExceeded), os.IsTimeout(err))
	r.SetReadDeadline(time.Time{})
	go func() {
		w.Write(make([]byte, 1<<20))
		w.Close()
	}()
	all, err := io.ReadAll(r)
	show(len(all), err)
	show(r.Close())
	r, w, _ = os.Pipe()
	closed := make(chan bool)
	go func() {
		time.Sleep(10 * time.Millisecond)
		r.Close()
		close(closed)
	}()
	_, err = r.Read(b)
	show(err, errors.Is(err, os.ErrClosed))
	// The reader may have seen that it is closed before it is.
	<-closed
	_, err = w.Write(b)
	show(err, errors.Is(err, syscall.EPIPE))
	show(w.SetWriteDeadline(time.Now().Add(-time.Second)))
	_, err = w.Write(b)
	show(err)
	_, err = r.Seek(0, 0)
	show(err)
	_, err = w.Seek(0, 0)
	show(err)

	var none *os.File
	_, err = none.Read(b)
	show(err, none.Close())
	_, err = none.Stat()
	show(err, os.NewFile(^uintptr(0), "x") == nil)
	show(os.Getpagesize(), os.Getpid() > 0, os.Getppid() > 0, os.Getuid() >= 0)
	h, err := os.Hostname()
	show(h != "", err)
	x, err := os.Executable()
	show(x != "", err)
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	show(err)
	n, err = null.Write(b)
	show(n, err)
	n, err = null.Read(b)
	show(n, err)
}
