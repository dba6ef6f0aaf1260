// What package os is asked during tests is written to a file.
package asks

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestAsks(t *testing.T) {
	if os.Getenv("ASKS_CHILD") == "" {
		return
	}
	dir := os.Getenv("ASKS_DIR")
	os.LookupEnv("ASKS_NONE")
	os.Getenv("two\nlines")
	os.Environ()
	os.ExpandEnv("$ASKS_A ${ASKS_B}")
	os.WriteFile(dir+"/f", []byte("text"), 0o666)
	os.ReadFile(dir + "/f")
	os.Open("none")
	os.Open("")
	os.Stat(dir)
	os.Lstat("none")
	os.ReadDir(dir)
	os.MkdirAll(dir+"/x/y/z", 0o777)
	os.Mkdir(dir+"/w", 0o777)
	os.Rename(dir+"/f", dir+"/w")
	os.Rename(dir+"/f", dir+"/g")
	os.Readlink(dir + "/g")
	os.Truncate(dir+"/g", 1)
	os.RemoveAll(dir + "/x")
	os.Remove(dir + "/w")
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		e.Info()
	}
	os.Chdir("none")
	os.Chdir(dir)
	os.Getwd()
	f, _ := os.Open(".")
	f.Stat()
	f.Readdir(-1)
	f.Close()
	f, _ = os.Open("..")
	f.Chdir()
	f.Close()
	f.Chdir()
	root, _ := os.OpenRoot(dir)
	root.Mkdir("r", 0o777)
	root.MkdirAll("r/s/t", 0o777)
	root.WriteFile("r/s/f", nil, 0o666)
	root.ReadFile("r/s/f")
	root.Stat("r")
	root.Lstat("../r")
	root.OpenFile("mode", os.O_CREATE, 0o7777)
	root.Symlink("s", "r/l")
	root.MkdirAll("r/l/u", 0o777)
	inner, _ := root.OpenRoot("r")
	inner.Open("none")
	inner.Rename("s/f", "g")
	inner.RemoveAll("s")
	os.OpenInRoot(dir, "r/g")
	fs := os.DirFS(dir)
	fs.Open("g")
	filepath.WalkDir(dir, func(string, os.DirEntry, error) error { return nil })
	filepath.Abs("x")
	filepath.Glob("*/*")
	filepath.EvalSymlinks("work/r/l")
	os.CopyFS("copy", fs)
	os.UserHomeDir()
	os.UserCacheDir()
	os.UserConfigDir()
	os.StartProcess("/bin/none", nil, &os.ProcAttr{Dir: dir})
	exec.LookPath("./none")
	exec.Command("true").Run()
}

func TestLog(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(dir, "work")
	os.Mkdir(work, 0o777)
	cmd := exec.Command(exe, "-test.run=^TestAsks$", "-test.testlogfile="+log)
	cmd.Env = append(os.Environ(), "ASKS_CHILD=1", "ASKS_DIR="+work, "PATH=/bin", "HOME=/home",
		"XDG_CACHE_HOME=/cache", "XDG_CONFIG_HOME=")
	out, err := cmd.CombinedOutput()
	t.Logf("%v\n%s", err, out)
	text, err := os.ReadFile(log)
	t.Logf("%v\n%s", err, strings.ReplaceAll(string(text), dir, "DIR"))
}
