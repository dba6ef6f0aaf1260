// Package os: the process, its environment and its files.
package os

import (
	"errors"
	"internal/testlog"
	"syscall"
)

// Natives. Those of the package give the kernel's error number, 0 for none.
func exit(code int)
func arguments() []string
func getwd() (dir string, errno int)
func chdir(dir string) (errno int)
func hostname() (name string, errno int)
func executable() string

type Signal interface {
	String() string
	Signal()
}

var (
	Interrupt Signal = syscall.SIGINT
	Kill      Signal = syscall.SIGKILL
)

var Args []string = arguments()

// Exit ends the program. In a test, success is not for the program to claim.
func Exit(code int) {
	if code == 0 && testlog.PanicOnExit0.Load() {
		panic("unexpected call to os.Exit(0) during test")
	}
	exit(code)
}

func Getpid() int      { return syscall.Getpid() }
func Getppid() int     { return syscall.Getppid() }
func Getuid() int      { return syscall.Getuid() }
func Geteuid() int     { return syscall.Geteuid() }
func Getgid() int      { return syscall.Getgid() }
func Getegid() int     { return syscall.Getegid() }
func Getpagesize() int { return syscall.Getpagesize() }

func Getwd() (dir string, err error) {
	// A folder has as many names as there are links to it; who has started us may know a better.
	if dir = Getenv("PWD"); dir != "" && dir[0] == '/' {
		here, err := statOf("stat", ".", syscall.Stat)
		if err != nil {
			return "", err
		}
		if named, err := statOf("stat", dir, syscall.Stat); err == nil && SameFile(here, named) {
			return dir, nil
		}
	}
	dir, errno := getwd()
	if errno != 0 {
		return "", NewSyscallError("getwd", syscall.Errno(errno))
	}
	return dir, nil
}

func Hostname() (name string, err error) {
	name, errno := hostname()
	if errno != 0 {
		return "", NewSyscallError("uname", syscall.Errno(errno))
	}
	return name, nil
}

// Executable gives the path of the program's file or folder. What is started by that name through this library is the program again.
func Executable() (string, error) {
	if path := executable(); path != "" {
		return path, nil
	}
	return "", errors.New("os: the program has been read from standard input, and has no path")
}

func Chdir(dir string) error {
	if errno := chdir(dir); errno != 0 {
		testlog.Note("open", dir)
		return pathError("chdir", dir, errno)
	}
	noteFolder()
	return nil
}

// noteFolder has it written down in which folder the program is now.
func noteFolder() {
	if testlog.IsOn {
		if dir, err := Getwd(); err == nil {
			testlog.Note("chdir", dir)
		}
	}
}

func Getgroups() ([]int, error) {
	gids, err := syscall.Getgroups()
	return gids, NewSyscallError("getgroups", err)
}

func UserHomeDir() (string, error) {
	if dir := Getenv("HOME"); dir != "" {
		return dir, nil
	}
	return "", errors.New("$HOME is not defined")
}

func UserConfigDir() (string, error) { return userDir("XDG_CONFIG_HOME", "/.config") }
func UserCacheDir() (string, error)  { return userDir("XDG_CACHE_HOME", "/.cache") }

func userDir(variable, below string) (string, error) {
	if dir := Getenv(variable); dir != "" {
		if dir[0] != '/' {
			return "", errors.New("path in $" + variable + " is relative")
		}
		return dir, nil
	}
	dir := Getenv("HOME")
	if dir == "" {
		return "", errors.New("neither $" + variable + " nor $HOME are defined")
	}
	return dir + below, nil
}
