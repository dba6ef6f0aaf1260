// run

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// A program can start itself again, by any of its names.
func main() {
	if len(os.Args) > 1 {
		child()
		return
	}
	exe, err := os.Executable()
	fmt.Println(filepath.IsAbs(exe), err)
	_, err = os.Stat(exe)
	fmt.Println(err)
	_, err = exec.LookPath(exe)
	fmt.Println(err)
	for _, name := range []string{os.Args[0], exe, "/proc/self/exe"} {
		cmd := exec.Command(name, "child", "b.go", "--without=x", "")
		cmd.Dir = "/"
		cmd.Env = append(os.Environ(), "WHO=son")
		out, err := cmd.CombinedOutput()
		fmt.Printf("%s%v\n", out, err)
	}
	cmd := exec.Command(exe, "child", "name")
	cmd.Args[0] = "entry"
	out, err := cmd.CombinedOutput()
	fmt.Printf("%s%v\n", out, err)
	cmd = exec.Command(exe, "child", "exec", exe)
	out, err = cmd.CombinedOutput()
	fmt.Printf("%s%v\n", out, err)
	err = exec.Command(exe, "child", "fail").Run()
	fmt.Println(err)
	p, err := os.StartProcess(exe, []string{exe, "child", "p"}, &os.ProcAttr{Files: []*os.File{nil, os.Stdout, os.Stderr}})
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Wait())
	fmt.Println(exec.Command("/proc/self/missing").Run())
}

func child() {
	switch os.Args[2] {
	case "name":
		fmt.Println(os.Args)
	case "exec":
		fmt.Println(syscall.Exec(os.Args[3], []string{os.Args[3], "child", "executed"}, []string{"WHO=grandson"}))
	case "fail":
		os.Exit(7)
	default:
		fmt.Printf("%q %q\n", os.Args[1:], os.Getenv("WHO"))
	}
}
