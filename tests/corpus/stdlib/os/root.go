// run

// Root: names stay below the folder, whatever links there are.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing/fstest"
	"time"
)

var base string

// show prints an error without the folder's path.
func show(err error) string {
	if err == nil {
		return "ok"
	}
	kind := ""
	for name, e := range map[string]error{"exist": fs.ErrExist, "not exist": fs.ErrNotExist,
		"closed": fs.ErrClosed, "invalid": fs.ErrInvalid} {
		if errors.Is(err, e) {
			kind = " (" + name + ")"
		}
	}
	return strings.ReplaceAll(err.Error(), base, "BASE") + kind
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	var err error
	base, err = os.MkdirTemp("", "root")
	must(err)
	defer os.RemoveAll(base)
	in := filepath.Join(base, "in")
	must(os.MkdirAll(filepath.Join(in, "dir", "sub"), 0o755))
	must(os.WriteFile(filepath.Join(base, "secret"), []byte("secret"), 0o644))
	must(os.WriteFile(filepath.Join(in, "file"), []byte("file"), 0o644))
	must(os.WriteFile(filepath.Join(in, "dir", "sub", "deep"), []byte("deep"), 0o600))
	for name, target := range map[string]string{
		"tofile": "file", "todir": "dir", "todirslash": "dir/", "up": "../secret", "abs": "/etc/passwd",
		"back": "dir/../file", "dir/upin": "../file", "dir/upout": "../../secret", "loop": "loop",
		"ping": "pong", "pong": "ping", "dangling": "nothing", "chain1": "chain2", "chain2": "chain3",
		"chain3": "file", "dot": ".", "dotdot": "..", "dir/self": "../dir", "nested": "todir/sub/deep",
		"slashlink": "file/", "hidden": "dir/sub/../../../secret",
	} {
		must(os.Symlink(target, filepath.Join(in, name)))
	}
	r, err := os.OpenRoot(in)
	must(err)
	fmt.Println(strings.ReplaceAll(r.Name(), base, "BASE"))
	_, err = os.OpenRoot(filepath.Join(base, "nothing"))
	fmt.Println(show(err))
	_, err = os.OpenRoot(filepath.Join(in, "file"))
	fmt.Println(show(err))

	names := []string{"file", "dir", "dir/", "dir/sub/deep", "dir//sub/./deep", "./file", ".",
		"..", "",
		"/", "/etc/passwd", "../secret", "dir/../../secret", "dir/../file", "nothing", "nothing/file",
		"file/", "file/x", "tofile", "tofile/", "todir", "todir/", "todir/sub/deep", "todirslash/sub",
		"up", "abs", "back", "dir/upin", "dir/upout", "loop", "ping/x", "dangling", "dangling/", "chain1",
		"dot/file", "dotdot", "dotdot/secret", "dir/self/self/self/sub", "nested", "slashlink", "hidden",
		"dir/sub/../../file", "dir/sub/../../../in/file", "file\x00", strings.Repeat("dot/", 8) + "file",
		strings.Repeat("dot/", 9) + "file", "dir/sub/deep/.."}
	for _, name := range names {
		fmt.Printf("%q\n", name)
		f, err := r.Open(name)
		fmt.Println("\topen:", show(err))
		if err == nil {
			data, err := io.ReadAll(f)
			fmt.Println("\t\t", strings.ReplaceAll(f.Name(), base, "BASE"), string(data), show(err))
			f.Close()
		}
		info, err := r.Stat(name)
		fmt.Println("\tstat:", show(err))
		if err == nil {
			fmt.Println("\t\t", info.Name(), info.Mode())
		}
		info, err = r.Lstat(name)
		fmt.Println("\tlstat:", show(err))
		if err == nil {
			fmt.Println("\t\t", info.Name(), info.Mode())
		}
		target, err := r.Readlink(name)
		fmt.Println("\treadlink:", target, show(err))
		sub, err := r.OpenRoot(name)
		fmt.Println("\topenroot:", show(err))
		if err == nil {
			fmt.Println("\t\t", strings.ReplaceAll(sub.Name(), base, "BASE"))
			sub.Close()
		}
		fmt.Println("\tchmod:", show(r.Chmod(name, 0o755)))
		fmt.Println("\tchtimes:", show(r.Chtimes(name, time.Time{}, time.Unix(1e9, 0))))
		fmt.Println("\tchown:", show(r.Chown(name, -1, -1)), show(r.Lchown(name, -1, -1)))
		fmt.Println("\tmkdir:", show(r.Mkdir(name, 0o755)))
		_, err = os.OpenInRoot(in, name)
		fmt.Println("\topeninroot:", show(err))
		_, err = r.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		fmt.Println("\texcl:", show(err))
		fmt.Println("\tlink:", show(r.Link(name, "linked")), show(r.Link("file", name)))
		fmt.Println("\tsymlink:", show(r.Symlink("anything", name)))
		r.Remove("linked")
		fmt.Println("\tmkdirall:", show(r.MkdirAll(name+"/new", 0o755)), show(r.MkdirAll(name, 0o755)))
		fmt.Println("\tremove new:", show(r.Remove(name+"/new")))
		fmt.Println("\trename:", show(r.Rename(name, "dir/sub/deep/x")))
	}

	// What is written.
	fmt.Println(show(r.WriteFile("new", []byte("new file"), 0o640)))
	data, err := r.ReadFile("new")
	fmt.Println(string(data), show(err))
	must(os.Symlink("fresh", filepath.Join(in, "tofresh")))
	f, err := r.Create("tofresh")
	fmt.Println(show(err), strings.ReplaceAll(f.Name(), base, "BASE"))
	f.WriteString("through a link")
	f.Close()
	data, err = os.ReadFile(filepath.Join(in, "fresh"))
	fmt.Println(string(data), show(err))
	_, err = r.Create("up")
	fmt.Println(show(err))
	f, err = r.OpenFile("new", os.O_APPEND|os.O_WRONLY, 0)
	f.WriteString(", and more")
	_, err = f.WriteAt([]byte("x"), 0)
	fmt.Println(show(err))
	f.Close()
	data, _ = r.ReadFile("new")
	fmt.Println(string(data))
	_, err = r.OpenFile("mode", os.O_CREATE, os.ModeSetuid|0o644)
	fmt.Println(show(err), show(r.Mkdir("mode", os.ModeDir)), show(r.MkdirAll("mode", os.ModeDir)))
	fmt.Println(show(r.MkdirAll("a/b/c", 0o755)), show(r.MkdirAll("a/b/c", 0o755)),
		show(r.MkdirAll("file/x", 0o755)), show(r.MkdirAll("todir/x/y", 0o755)),
		show(r.MkdirAll("up/x", 0o755)), show(r.MkdirAll("a/../b/c/", 0o755)))
	fmt.Println(show(r.Rename("new", "a/moved")), show(r.Rename("a/moved", "b")),
		show(r.Rename("a/moved", "new/")), show(r.Rename("a", "z/")), show(r.Rename("z", "../z")))
	fmt.Println(show(r.Link("file", "z/hard")), show(r.Symlink("../../secret", "z/evil")))
	_, err = r.Open("z/evil")
	fmt.Println(show(err))
	fmt.Println(show(r.Remove("z")), show(r.Remove("z/hard")), show(r.Remove("up")),
		show(r.Remove("../secret")))
	fmt.Println(show(r.RemoveAll("z/")), show(r.RemoveAll("z")), show(r.RemoveAll("dir/.")),
		show(r.RemoveAll("../in")), show(r.RemoveAll("dotdot")), show(r.RemoveAll("dir/upout/x")),
		show(r.RemoveAll("")), show(r.RemoveAll("/")))

	// As a file system.
	fsys := r.FS()
	entries, err := fs.ReadDir(fsys, ".")
	for _, e := range entries {
		info, err := e.Info()
		fmt.Print(e, " ", info.Mode(), " ", show(err), "; ")
	}
	fmt.Println(show(err))
	for _, name := range []string{"file", "../x", "/x", "a//b", "dir/upin", "dir/upout"} {
		_, err := fs.ReadFile(fsys, name)
		_, err2 := fs.Stat(fsys, name)
		_, err3 := fs.ReadLink(fsys, name)
		_, err4 := fsys.Open(name)
		_, err5 := fs.ReadDir(fsys, name)
		_, err6 := fs.Lstat(fsys, name)
		fmt.Println(name, show(err), show(err2), show(err3), show(err4), show(err5), show(err6))
	}
	for _, name := range []string{"loop", "ping", "pong", "abs", "dotdot", "dir/upout",
		"slashlink", "hidden"} {
		r.Remove(name)
	}
	fmt.Println(show(fstest.TestFS(fsys, "file", "dir/sub/deep")))
	_, a := fsys.(fs.ReadDirFS)
	_, b := fsys.(fs.ReadFileFS)
	_, c := fsys.(fs.StatFS)
	_, d := fsys.(fs.ReadLinkFS)
	fmt.Println(a, b, c, d)

	// A link that changes while files are opened.
	var wg sync.WaitGroup
	stop := make(chan bool)
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			os.Remove(filepath.Join(in, "flip"))
			if i%2 == 0 {
				os.Symlink("..", filepath.Join(in, "flip"))
			} else {
				os.Mkdir(filepath.Join(in, "flip"), 0o755)
			}
		}
	})
	escaped := 0
	for range 2000 {
		if _, err := r.ReadFile("flip/secret"); err == nil {
			escaped++
		}
		if _, err := r.ReadFile("dir/../flip/secret"); err == nil {
			escaped++
		}
	}
	close(stop)
	wg.Wait()
	fmt.Println("escaped:", escaped)

	fmt.Println(r.Close(), r.Close())
	_, err = r.Open("file")
	fmt.Println(show(err), show(r.Mkdir("x", 0o755)), show(r.RemoveAll("x")), show(r.Rename("a", "b")))
}
