// Package os: the process, its environment and its files.
package os

import (
	"errors"
	"internal/testlog"
	"strings"
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

// Who runs: the process, its user and group, those that count for permissions, and the parent.

func Getpid() int      { return syscall.Getpid() }
func Getuid() int      { return syscall.Getuid() }
func Getgid() int      { return syscall.Getgid() }
func Geteuid() int     { return syscall.Geteuid() }
func Getegid() int     { return syscall.Getegid() }
func Getppid() int     { return syscall.Getppid() }
func Getpagesize() int { return syscall.Getpagesize() }

// Getwd believes who has started us: a folder has as many names as there are links to it.
func Getwd() (dir string, err error) {
	if dir = Getenv("PWD"); strings.HasPrefix(dir, "/") {
		real, err := describe("stat", ".", syscall.Stat)
		if err != nil {
			return "", err
		}
		told, err := describe("stat", dir, syscall.Stat)
		if err == nil && SameFile(told, real) {
			return dir, nil
		}
	}
	dir, errno := getwd()
	return dir, NewSyscallError("getwd", kernels(errno))
}

func Hostname() (name string, err error) {
	name, errno := hostname()
	return name, NewSyscallError("uname", kernels(errno))
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
		return onPath("chdir", dir, kernels(errno))
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

// userDir is where a variable says, or below the user's home.
func userDir(variable, below string) (string, error) {
	switch dir, home := Getenv(variable), ""; {
	case strings.HasPrefix(dir, "/"):
		return dir, nil
	case dir != "":
		return "", errors.New("path in $" + variable + " is relative")
	default:
		if home = Getenv("HOME"); home == "" {
			return "", errors.New("neither $" + variable + " nor $HOME are defined")
		}
		return home + below, nil
	}
}
