// run

// The variable PWD names the folder that the program is in, if it is absolute and does.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	top, _ := os.MkdirTemp("", "folder")
	defer os.RemoveAll(top)
	top, _ = filepath.EvalSymlinks(top)
	os.MkdirAll(top+"/a/b", 0o777)
	os.Symlink("a", top+"/l")
	os.Chdir(top + "/a")
	for _, pwd := range []string{
		"", ".", "a", top, top + "/a", top + "/a/", top + "/l", top + "/l/", top + "/a/b/..", top + "//l",
		top + "/l/b", top + "/none", "/", "/" + strings.Repeat("x", 300), "/a\x00b",
	} {
		os.Setenv("PWD", pwd)
		dir, err := os.Getwd()
		dir2, err2 := syscall.Getwd()
		abs, err3 := filepath.Abs("x")
		for _, s := range []*string{&pwd, &dir, &dir2, &abs} {
			*s = strings.ReplaceAll(strings.ReplaceAll(*s, top, "TOP"), "xxx", "")
		}
		fmt.Printf("%q: %s %v, %s %v, %s %v\n", pwd, dir, err, dir2, err2, abs, err3)
	}
	os.Setenv("PWD", top+"/l")
	os.Chdir("b")
	dir, err := os.Getwd()
	fmt.Println(strings.ReplaceAll(dir, top, "TOP"), err)
	os.Setenv("PWD", top+"/a/b")
	os.Remove(top + "/a/b")
	dir, err = os.Getwd()
	fmt.Println(dir, err)
	os.Chdir(top)

	// What can be executed.
	for _, mode := range []os.FileMode{0o777, 0o700, 0o600, 0o644} {
		os.WriteFile("f", []byte("#!/bin/sh\n"), 0o666)
		os.Chmod("f", mode)
		found, err := exec.LookPath("./f")
		fmt.Println(mode, found, err)
	}
	fmt.Println(exec.LookPath("./l"))
	fmt.Println(exec.LookPath("./none"))
	fmt.Println(exec.LookPath("/proc/version"))
}
