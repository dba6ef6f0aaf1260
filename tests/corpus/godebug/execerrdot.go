// run
//go:debug execerrdot=0

// With execerrdot=0 programs in the current folder are found without a word.
package main

import (
	"fmt"
	"os"
	"os/exec"
)

func main() {
	os.Chdir(os.TempDir())
	dir, _ := os.MkdirTemp("", "dot")
	defer os.RemoveAll(dir)
	os.Chdir(dir)
	os.WriteFile("prog", []byte("#!/bin/sh\n"), 0o755)
	os.Setenv("PATH", ".:/bin")
	fmt.Println(exec.LookPath("prog"))
	os.Setenv("GODEBUG", "execerrdot=1")
	fmt.Println(exec.LookPath("prog"))
}
