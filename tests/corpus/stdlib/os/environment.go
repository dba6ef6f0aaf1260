// run

package main

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// There is one environment: what one package sets all others see.
func main() {
	root := runtime.GOROOT()
	os.Setenv("GOROOT", "/nowhere")
	fmt.Println("the runtime keeps that of the start:", runtime.GOROOT() == root)

	os.Setenv("TZ", "Asia/Tokyo")
	fmt.Println(time.Unix(0, 0).Format(time.RFC3339))
	fmt.Println(syscall.Getenv("TZ"))
	os.Setenv("ZONEINFO", "/usr/share/zoneinfo/Europe")
	zone, err := time.LoadLocation("Berlin")
	fmt.Println(zone, err)

	// The order is that of the first setting.
	syscall.Setenv("LATER", "1")
	os.Setenv("A1", "2")
	os.Setenv("A0", "3=4")
	os.Unsetenv("LATER")
	syscall.Setenv("LATER", "5")
	os.Setenv("A1", "")
	all := os.Environ()
	fmt.Println(all[len(all)-3:])
	out, err := exec.Command("sh", "-c", "echo $A0 $LATER $A1.").Output()
	fmt.Printf("%s%v\n", out, err)
	fmt.Println(syscall.Setenv("", "x"), syscall.Setenv("a=b", "x"), syscall.Setenv("a", "x\x00"), syscall.Setenv("a\x00", ""))
	fmt.Println(os.Setenv("", "x"), os.Setenv("a=b", "x"), os.Unsetenv(""), syscall.Unsetenv("a=b"))
	fmt.Println(syscall.Getenv(""))

	os.Setenv("HOME", "/h")
	os.Setenv("TMPDIR", "/t")
	home, err := os.UserHomeDir()
	fmt.Println(home, err, os.TempDir())

	// So are the settings in GODEBUG.
	twice := func() bool {
		rand.Seed(1)
		a := rand.Int63()
		rand.Seed(1)
		return a == rand.Int63()
	}
	fmt.Println(twice())
	os.Setenv("GODEBUG", "randseednop=1,other,randseednop=0")
	fmt.Println(twice())
	os.Setenv("GODEBUG", "randseednop=0,randseednop=1")
	fmt.Println(twice())
	dir, _ := os.MkdirTemp("/tmp", "")
	defer os.RemoveAll(dir)
	os.Chdir(dir)
	os.WriteFile("tool", []byte("#!/bin/sh\necho here\n"), 0o777)
	os.Setenv("PATH", ".:/bin")
	for _, setting := range []string{"", "execerrdot=0", "execerrdot=1"} {
		os.Setenv("GODEBUG", setting)
		path, err := exec.LookPath("tool")
		out, err2 := exec.Command("tool").Output()
		fmt.Printf("%s %v, %q %v\n", path, err, out, err2)
	}

	syscall.Clearenv()
	fmt.Println(len(syscall.Environ()), len(os.Environ()), strings.Join(os.Environ(), ","))
	fmt.Println(os.LookupEnv("PATH"))
	os.Setenv("NEW", "1")
	fmt.Println(syscall.Environ())
}
