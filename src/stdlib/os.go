// Package os: the process, its environment and its files.
package os

import (
	"errors"
	"internal/poll"
	"io"
	"io/fs"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// Natives. Each gives the kernel's error number, 0 for none.
func exit(code int)
func arguments() []string
func environment() []string
func getenv(key string) (value string, ok bool)
func setenv(key, value string)
func unsetenv(key string)
func getwd() (dir string, errno int)
func chdir(dir string) (errno int)
func mkdir(path string, perm uint32) (errno int)
func remove(path string, dir bool) (errno int)
func rename(from, to string) (errno int)
func link(from, to string, symbolic bool) (errno int)
func readlink(path string) (target string, errno int)
func chmod(path string, mode uint32) (errno int)
func truncate(path string, fd int, size int64) (errno int)
func fsync(fd int) (errno int)
func hostname() (name string, errno int)
func executable() (path string, errno int)
func identity(which int) int

// stat describes a file by path (fd < 0), following links or not, or by descriptor.
func stat(path string, fd int, follow bool) (size int64, mode uint32, sec int64, nsec int64, dev, ino uint64, errno int)

// list gives the names in a folder, sorted.
func list(path string) (names []string, errno int)

const (
	O_RDONLY int = syscall.O_RDONLY
	O_WRONLY int = syscall.O_WRONLY
	O_RDWR   int = syscall.O_RDWR
	O_APPEND int = syscall.O_APPEND
	O_CREATE int = syscall.O_CREAT
	O_EXCL   int = syscall.O_EXCL
	O_SYNC   int = syscall.O_SYNC
	O_TRUNC  int = syscall.O_TRUNC
)

const (
	SEEK_SET int = 0
	SEEK_CUR int = 1
	SEEK_END int = 2
)

const (
	PathSeparator     = '/'
	PathListSeparator = ':'
	DevNull           = "/dev/null"
)

type (
	PathError = fs.PathError
	FileInfo  = fs.FileInfo
	FileMode  = fs.FileMode
	DirEntry  = fs.DirEntry
)

const (
	ModeDir        = fs.ModeDir
	ModeAppend     = fs.ModeAppend
	ModeExclusive  = fs.ModeExclusive
	ModeTemporary  = fs.ModeTemporary
	ModeSymlink    = fs.ModeSymlink
	ModeDevice     = fs.ModeDevice
	ModeNamedPipe  = fs.ModeNamedPipe
	ModeSocket     = fs.ModeSocket
	ModeSetuid     = fs.ModeSetuid
	ModeSetgid     = fs.ModeSetgid
	ModeCharDevice = fs.ModeCharDevice
	ModeSticky     = fs.ModeSticky
	ModeIrregular  = fs.ModeIrregular
	ModeType       = fs.ModeType
	ModePerm       = fs.ModePerm
)

var (
	ErrInvalid          = fs.ErrInvalid
	ErrPermission       = fs.ErrPermission
	ErrExist            = fs.ErrExist
	ErrNotExist         = fs.ErrNotExist
	ErrClosed           = fs.ErrClosed
	ErrNoDeadline       = poll.ErrNoDeadline
	ErrDeadlineExceeded = poll.ErrDeadlineExceeded
	ErrProcessDone      = errors.New("os: process already finished")
)

type Signal interface {
	String() string
	Signal()
}

var (
	Interrupt Signal = syscall.SIGINT
	Kill      Signal = syscall.SIGKILL
)

var Args []string = arguments()

func Exit(code int) { exit(code) }

func Getpid() int      { return identity(0) }
func Getppid() int     { return identity(1) }
func Getuid() int      { return identity(2) }
func Geteuid() int     { return identity(3) }
func Getgid() int      { return identity(4) }
func Getegid() int     { return identity(5) }
func Getpagesize() int { return identity(6) }

func Getenv(key string) string {
	value, _ := getenv(key)
	return value
}

func LookupEnv(key string) (string, bool) { return getenv(key) }

func validKey(key string) bool {
	for i := range len(key) {
		if key[i] == '=' || key[i] == 0 {
			return false
		}
	}
	return key != ""
}

func Setenv(key, value string) error {
	bad := !validKey(key)
	for i := range len(value) {
		bad = bad || value[i] == 0
	}
	if bad {
		return NewSyscallError("setenv", syscall.EINVAL)
	}
	setenv(key, value)
	return nil
}

func Unsetenv(key string) error {
	if validKey(key) {
		unsetenv(key)
	}
	return nil
}

func Environ() []string { return environment() }

func Clearenv() {
	for _, entry := range environment() {
		for i := range len(entry) {
			if entry[i] == '=' {
				unsetenv(entry[:i])
				break
			}
		}
	}
}

func ExpandEnv(s string) string { return Expand(s, Getenv) }

func Expand(s string, mapping func(string) string) string {
	var buf []byte
	done := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '$' || i+1 >= len(s) {
			continue
		}
		buf = append(buf, s[done:i]...)
		name, width := variableName(s[i+1:])
		switch {
		case name == "" && width > 0: // bad syntax: eaten
		case name == "":
			buf = append(buf, s[i])
		default:
			buf = append(buf, mapping(name)...)
		}
		i += width
		done = i + 1
	}
	if done == 0 {
		return s
	}
	return string(buf) + s[done:]
}

func isSpecial(c byte) bool {
	switch c {
	case '*', '#', '$', '@', '!', '?', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return true
	}
	return false
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// variableName reads the name behind a $, and tells how many bytes it takes.
func variableName(s string) (name string, width int) {
	if s[0] == '{' {
		for end := range len(s) {
			if s[end] == '}' {
				return s[1:end], end + 1
			}
		}
		return "", 1
	}
	if isSpecial(s[0]) {
		return s[:1], 1
	}
	for width < len(s) && isNameByte(s[width]) {
		width++
	}
	return s[:width], width
}

type SyscallError struct {
	Syscall string
	Err     error
}

func (e *SyscallError) Error() string { return e.Syscall + ": " + e.Err.Error() }
func (e *SyscallError) Unwrap() error { return e.Err }

func (e *SyscallError) Timeout() bool {
	t, ok := e.Err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

func NewSyscallError(syscall string, err error) error {
	if err == nil {
		return nil
	}
	return &SyscallError{syscall, err}
}

type LinkError struct {
	Op  string
	Old string
	New string
	Err error
}

func (e *LinkError) Error() string { return e.Op + " " + e.Old + " " + e.New + ": " + e.Err.Error() }
func (e *LinkError) Unwrap() error { return e.Err }

// underlying is the error inside one of this package's kinds.
func underlying(err error) error {
	switch e := err.(type) {
	case *PathError:
		return e.Err
	case *LinkError:
		return e.Err
	case *SyscallError:
		return e.Err
	}
	return err
}

func is(err, target error) bool {
	err = underlying(err)
	if err == target {
		return true
	}
	e, ok := err.(syscall.Errno)
	return ok && e.Is(target)
}

func IsExist(err error) bool      { return is(err, ErrExist) }
func IsNotExist(err error) bool   { return is(err, ErrNotExist) }
func IsPermission(err error) bool { return is(err, ErrPermission) }

func IsTimeout(err error) bool {
	t, ok := underlying(err).(interface{ Timeout() bool })
	return ok && t.Timeout()
}

func IsPathSeparator(c uint8) bool { return c == PathSeparator }

func pathError(op, path string, errno int) error {
	if errno == 0 {
		return nil
	}
	return &PathError{Op: op, Path: path, Err: syscall.Errno(errno)}
}

func Getwd() (dir string, err error) {
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

func Executable() (string, error) {
	path, errno := executable()
	return path, pathError("readlink", "/proc/self/exe", errno)
}

func Chdir(dir string) error { return pathError("chdir", dir, chdir(dir)) }
func Chmod(name string, mode FileMode) error {
	return pathError("chmod", name, chmod(name, syscallMode(mode)))
}
func Mkdir(name string, perm FileMode) error {
	return pathError("mkdir", name, mkdir(name, syscallMode(perm)))
}
func Truncate(name string, size int64) error {
	return pathError("truncate", name, truncate(name, -1, size))
}

// fileCall makes a system call relative to the current directory on a path.
func fileCall(op, name string, trap, a, b, flags uintptr) error {
	path, err := syscall.BytePtrFromString(name)
	if err != nil {
		return &PathError{Op: op, Path: name, Err: err}
	}
	const here = ^uintptr(99) // AT_FDCWD
	_, _, errno := syscall.RawSyscall6(trap, here, uintptr(unsafe.Pointer(path)), a, b, flags, 0)
	runtime.KeepAlive(path)
	return pathError(op, name, int(errno))
}

func Chown(name string, uid, gid int) error {
	return fileCall("chown", name, syscall.SYS_FCHOWNAT, uintptr(uid), uintptr(gid), 0)
}

func Lchown(name string, uid, gid int) error {
	const notFollow = 0x100
	return fileCall("lchown", name, syscall.SYS_FCHOWNAT, uintptr(uid), uintptr(gid), notFollow)
}

func Chtimes(name string, atime time.Time, mtime time.Time) error {
	const omit = 1<<30 - 2
	times := new([2]syscall.Timespec)
	for i, t := range []time.Time{atime, mtime} {
		if t.IsZero() {
			times[i].Nsec = omit
		} else {
			times[i] = syscall.NsecToTimespec(t.UnixNano())
		}
	}
	err := fileCall("chtimes", name, syscall.SYS_UTIMENSAT, uintptr(unsafe.Pointer(times)), 0, 0)
	runtime.KeepAlive(times)
	return err
}

func Getgroups() ([]int, error) {
	gids, err := syscall.Getgroups()
	return gids, NewSyscallError("getgroups", err)
}

func syscallMode(m FileMode) uint32 {
	bits := uint32(m.Perm())
	if m&ModeSetuid != 0 {
		bits |= 0o4000
	}
	if m&ModeSetgid != 0 {
		bits |= 0o2000
	}
	if m&ModeSticky != 0 {
		bits |= 0o1000
	}
	return bits
}

func Remove(name string) error {
	errno := remove(name, false)
	if errno == 0 {
		return nil
	}
	errno2 := remove(name, true)
	if errno2 == 0 {
		return nil
	}
	if errno2 != int(syscall.ENOTDIR) {
		errno = errno2
	}
	return pathError("remove", name, errno)
}

func RemoveAll(path string) error {
	if path == "" {
		return nil
	}
	if path[len(path)-1] == '.' && (len(path) == 1 || path[len(path)-2] == '/') {
		return pathError("RemoveAll", path, int(syscall.EINVAL))
	}
	err := Remove(path)
	if err == nil || IsNotExist(err) {
		return nil
	}
	names, errno := list(path)
	if errno != 0 {
		return err
	}
	for _, name := range names {
		if err := RemoveAll(path + "/" + name); err != nil {
			return err
		}
	}
	if err = Remove(path); err == nil || IsNotExist(err) {
		return nil
	}
	return err
}

func MkdirAll(path string, perm FileMode) error {
	if info, err := Stat(path); err == nil {
		if info.IsDir() {
			return nil
		}
		return pathError("mkdir", path, int(syscall.ENOTDIR))
	}
	end := len(path)
	for end > 0 && path[end-1] == '/' {
		end--
	}
	for end > 0 && path[end-1] != '/' {
		end--
	}
	if end > 1 {
		if err := MkdirAll(path[:end-1], perm); err != nil {
			return err
		}
	}
	if err := Mkdir(path, perm); err != nil {
		if info, err2 := Lstat(path); err2 == nil && info.IsDir() {
			return nil
		}
		return err
	}
	return nil
}

func linkError(op, from, to string, errno int) error {
	if errno == 0 {
		return nil
	}
	return &LinkError{op, from, to, syscall.Errno(errno)}
}

func Rename(oldpath, newpath string) error {
	return linkError("rename", oldpath, newpath, rename(oldpath, newpath))
}
func Link(oldname, newname string) error {
	return linkError("link", oldname, newname, link(oldname, newname, false))
}

func Symlink(oldname, newname string) error {
	return linkError("symlink", oldname, newname, link(oldname, newname, true))
}

func Readlink(name string) (string, error) {
	target, errno := readlink(name)
	return target, pathError("readlink", name, errno)
}

func TempDir() string {
	if dir := Getenv("TMPDIR"); dir != "" {
		return dir
	}
	return "/tmp"
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

type fileStat struct {
	name     string
	size     int64
	mode     FileMode
	modTime  time.Time
	dev, ino uint64
}

func (f *fileStat) Name() string       { return f.name }
func (f *fileStat) Size() int64        { return f.size }
func (f *fileStat) Mode() FileMode     { return f.mode }
func (f *fileStat) ModTime() time.Time { return f.modTime }
func (f *fileStat) IsDir() bool        { return f.mode.IsDir() }
func (f *fileStat) Sys() any           { return nil }

func baseName(path string) string {
	for len(path) > 1 && path[len(path)-1] == '/' {
		path = path[:len(path)-1]
	}
	for i := len(path) - 2; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}

func statOf(op, path string, fd int, follow bool) (FileInfo, error) {
	size, bits, sec, nsec, dev, ino, errno := stat(path, fd, follow)
	if errno != 0 {
		return nil, pathError(op, path, errno)
	}
	mode := FileMode(bits & 0o777)
	switch bits & 0o170000 {
	case 0o060000:
		mode |= ModeDevice
	case 0o020000:
		mode |= ModeDevice | ModeCharDevice
	case 0o040000:
		mode |= ModeDir
	case 0o010000:
		mode |= ModeNamedPipe
	case 0o120000:
		mode |= ModeSymlink
	case 0o140000:
		mode |= ModeSocket
	}
	if bits&0o2000 != 0 {
		mode |= ModeSetgid
	}
	if bits&0o4000 != 0 {
		mode |= ModeSetuid
	}
	if bits&0o1000 != 0 {
		mode |= ModeSticky
	}
	return &fileStat{baseName(path), size, mode, time.Unix(sec, nsec), dev, ino}, nil
}

func Stat(name string) (FileInfo, error)  { return statOf("stat", name, -1, true) }
func Lstat(name string) (FileInfo, error) { return statOf("lstat", name, -1, false) }

func SameFile(fi1, fi2 FileInfo) bool {
	a, ok1 := fi1.(*fileStat)
	b, ok2 := fi2.(*fileStat)
	return ok1 && ok2 && a.dev == b.dev && a.ino == b.ino
}

type dirEntry struct {
	folder, name string
	info         FileInfo
}

func (d *dirEntry) Name() string            { return d.name }
func (d *dirEntry) IsDir() bool             { return d.info.IsDir() }
func (d *dirEntry) Type() FileMode          { return d.info.Mode().Type() }
func (d *dirEntry) Info() (FileInfo, error) { return Lstat(d.folder + "/" + d.name) }

func (d *dirEntry) String() string {
	if d.IsDir() {
		return "d " + d.name + "/"
	}
	return "- " + d.name
}

func ReadDir(name string) ([]DirEntry, error) {
	names, errno := list(name)
	if errno != 0 {
		return nil, pathError("open", name, errno)
	}
	var entries []DirEntry
	for _, n := range names {
		info, err := Lstat(name + "/" + n)
		if err != nil {
			if IsNotExist(err) {
				continue
			}
			return entries, err
		}
		entries = append(entries, &dirEntry{name, n, info})
	}
	return entries, nil
}

// file is shared by all copies of a File, and closed when none is left.
type file struct {
	pfd        poll.FD
	name       string
	nonblock   bool // made so by us, and to be undone when the descriptor is given out
	appendMode bool
	entries    []DirEntry // what ReadDir has not given out yet
	listed     bool
}

type File struct {
	*file
}

// What newFile is to do with a descriptor that is in blocking mode: leave it so, or try the poller.
const (
	keepMode = iota
	tryPoller
)

// newFile makes a File. A descriptor that we have opened goes into the poller if the kernel can tell when it is ready, one that was
// given to us only if it is in non-blocking mode already: its mode may be shared with other processes.
func newFile(fd int, name string, how int, nonblocking bool) *File {
	f := &File{&file{name: name}}
	f.pfd.Sysfd, f.pfd.IsStream, f.pfd.ZeroReadIsEOF, f.pfd.IsFile = fd, true, true, true
	ours := false
	if how == tryPoller && !nonblocking {
		ours = syscall.SetNonblock(fd, true) == nil
	}
	f.nonblock = ours
	if f.pfd.Init(ours || nonblocking) != nil && ours {
		syscall.SetNonblock(fd, false)
		f.nonblock = false
	}
	return f
}

func NewFile(fd uintptr, name string) *File {
	if int(fd) < 0 {
		return nil
	}
	flags, _, errno := syscall.RawSyscall(syscall.SYS_FCNTL, fd, syscall.F_GETFL, 0)
	if errno != 0 {
		flags = 0
	}
	f := newFile(int(fd), name, keepMode, flags&syscall.O_NONBLOCK != 0)
	f.appendMode = flags&syscall.O_APPEND != 0
	if fd > 2 {
		runtime.SetFinalizer(f.file, (*file).close)
	}
	return f
}

func init() {
	poll.NewSocketFile = func(fd int, name string) any {
		f := newFile(fd, name, keepMode, true)
		f.nonblock = true
		runtime.SetFinalizer(f.file, (*file).close)
		return f
	}
}

var (
	Stdin  = NewFile(uintptr(syscall.Stdin), "/dev/stdin")
	Stdout = NewFile(uintptr(syscall.Stdout), "/dev/stdout")
	Stderr = NewFile(uintptr(syscall.Stderr), "/dev/stderr")
)

func Open(name string) (*File, error)   { return OpenFile(name, O_RDONLY, 0) }
func Create(name string) (*File, error) { return OpenFile(name, O_RDWR|O_CREATE|O_TRUNC, 0666) }

func OpenFile(name string, flag int, perm FileMode) (*File, error) {
	fd, err := syscall.Open(name, flag|syscall.O_CLOEXEC, syscallMode(perm))
	if err != nil {
		return nil, &PathError{Op: "open", Path: name, Err: err}
	}
	// Regular files are always ready, so the poller has no use for them.
	how := tryPoller
	_, bits, _, _, _, _, errno := stat("", fd, true)
	if kind := bits & syscall.S_IFMT; errno == 0 && (kind == syscall.S_IFREG || kind == syscall.S_IFDIR) {
		how = keepMode
	}
	f := newFile(fd, name, how, how == tryPoller && flag&syscall.O_NONBLOCK != 0)
	f.appendMode = flag&O_APPEND != 0
	runtime.SetFinalizer(f.file, (*file).close)
	return f, nil
}

func Pipe() (r *File, w *File, err error) {
	var p [2]int
	if err := syscall.Pipe2(p[:], syscall.O_CLOEXEC); err != nil {
		return nil, nil, NewSyscallError("pipe2", err)
	}
	r, w = newFile(p[0], "|0", tryPoller, false), newFile(p[1], "|1", tryPoller, false)
	runtime.SetFinalizer(r.file, (*file).close)
	runtime.SetFinalizer(w.file, (*file).close)
	return r, w, nil
}

func (f *file) close() error {
	if f == nil {
		return syscall.EINVAL
	}
	err := f.pfd.Close()
	if f.pfd.Sysfd != 1 && f.pfd.Sysfd != 2 {
		runtime.SetFinalizer(f, nil)
	}
	if err != nil {
		return &PathError{Op: "close", Path: f.name, Err: fileError(err)}
	}
	return nil
}

// fileError words a closed descriptor as this package does.
func fileError(err error) error {
	if err == poll.ErrFileClosing {
		return ErrClosed
	}
	return err
}

// begin announces a use of the descriptor, which end ends.
func (f *File) begin(op string) error {
	if f == nil {
		return ErrInvalid
	}
	if err := f.pfd.Begin(); err != nil {
		return f.wrap(op, err)
	}
	return nil
}

func (f *File) end() { f.pfd.End() }

// wrap puts the file's name around an error, but for EOF.
func (f *File) wrap(op string, err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &PathError{Op: op, Path: f.name, Err: fileError(err)}
}

func (f *File) Name() string { return f.name }

func (f *File) Fd() uintptr {
	if f == nil {
		return ^uintptr(0)
	}
	if f.nonblock {
		f.pfd.SetBlocking()
	}
	return uintptr(f.pfd.Sysfd)
}

func (f *File) Read(b []byte) (n int, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	n, err = f.pfd.Read(b)
	if err != nil {
		err = f.wrap("read", err)
	}
	return n, err
}

func (f *File) ReadAt(b []byte, off int64) (n int, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	return f.allAt("read", b, off, f.pfd.Pread)
}

// allAt reads or writes all of b at one place, piece by piece.
func (f *File) allAt(op string, b []byte, off int64, piece func([]byte, int64) (int, error)) (n int, err error) {
	if off < 0 {
		return 0, &PathError{Op: op + "at", Path: f.name, Err: errors.New("negative offset")}
	}
	for err == nil && n < len(b) {
		var m int
		m, err = piece(b[n:], off+int64(n))
		n += m
	}
	if err != nil {
		err = f.wrap(op, err)
	}
	return n, err
}

func (f *File) ReadFrom(r io.Reader) (n int64, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	return io.Copy(onlyWriter{f}, r)
}

func (f *File) WriteTo(w io.Writer) (n int64, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	return io.Copy(w, onlyReader{f})
}

// A File without ReadFrom and WriteTo.
type (
	onlyWriter struct{ f *File }
	onlyReader struct{ f *File }
)

func (o onlyWriter) Write(b []byte) (int, error) { return o.f.Write(b) }
func (o onlyReader) Read(b []byte) (int, error)  { return o.f.Read(b) }

func (f *File) Write(b []byte) (n int, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	n, err = f.pfd.Write(b)
	if err != nil {
		err = f.wrap("write", err)
	}
	return n, err
}

func (f *File) WriteAt(b []byte, off int64) (n int, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	if f.appendMode {
		return 0, errors.New("os: invalid use of WriteAt on file opened with O_APPEND")
	}
	return f.allAt("write", b, off, f.pfd.Pwrite)
}

func (f *File) WriteString(s string) (n int, err error) { return f.Write([]byte(s)) }

func (f *File) Seek(offset int64, whence int) (ret int64, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	f.entries, f.listed = nil, false
	ret, err = f.pfd.Seek(offset, whence)
	if err != nil {
		return 0, f.wrap("seek", err)
	}
	return ret, nil
}

func (f *File) Close() error {
	if f == nil {
		return ErrInvalid
	}
	return f.file.close()
}

func (f *File) Stat() (FileInfo, error) {
	if err := f.begin("stat"); err != nil {
		return nil, err
	}
	defer f.end()
	return statOf("stat", f.name, f.pfd.Sysfd, true)
}

func (f *File) Sync() error {
	if err := f.begin("sync"); err != nil {
		return err
	}
	defer f.end()
	return pathError("sync", f.name, fsync(f.pfd.Sysfd))
}

func (f *File) Truncate(size int64) error {
	if err := f.begin("truncate"); err != nil {
		return err
	}
	defer f.end()
	return pathError("truncate", f.name, truncate("", f.pfd.Sysfd, size))
}

// call makes a system call on the descriptor.
func (f *File) call(op string, trap, a, b uintptr) error {
	if err := f.begin(op); err != nil {
		return err
	}
	defer f.end()
	_, _, errno := syscall.RawSyscall(trap, uintptr(f.pfd.Sysfd), a, b)
	return pathError(op, f.name, int(errno))
}

func (f *File) Chmod(mode FileMode) error {
	return f.call("chmod", syscall.SYS_FCHMOD, uintptr(syscallMode(mode)), 0)
}

func (f *File) Chown(uid, gid int) error {
	return f.call("chown", syscall.SYS_FCHOWN, uintptr(uid), uintptr(gid))
}

func (f *File) Chdir() error { return f.call("chdir", syscall.SYS_FCHDIR, 0, 0) }

func (f *File) ReadDir(n int) ([]DirEntry, error) {
	if err := f.begin("readdir"); err != nil {
		return nil, err
	}
	defer f.end()
	if !f.listed {
		entries, err := ReadDir(f.name)
		if err != nil {
			if e, ok := err.(*PathError); ok && e.Err == syscall.ENOTDIR {
				e.Op = "readdirent"
			}
			return nil, err
		}
		f.entries, f.listed = entries, true
	}
	if n <= 0 {
		all := f.entries
		f.entries = nil
		return all, nil
	}
	if len(f.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.entries))
	some := f.entries[:n]
	f.entries = f.entries[n:]
	return some, nil
}

func (f *File) Readdir(n int) ([]FileInfo, error) {
	entries, err := f.ReadDir(n)
	var infos []FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			infos = append(infos, info)
		}
	}
	return infos, err
}

func (f *File) Readdirnames(n int) (names []string, err error) {
	entries, err := f.ReadDir(n)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

func (f *File) SetDeadline(t time.Time) error { return f.deadline(t, (*poll.FD).SetDeadline) }

func (f *File) SetReadDeadline(t time.Time) error { return f.deadline(t, (*poll.FD).SetReadDeadline) }

func (f *File) SetWriteDeadline(t time.Time) error {
	return f.deadline(t, (*poll.FD).SetWriteDeadline)
}

func (f *File) deadline(t time.Time, set func(*poll.FD, time.Time) error) error {
	if f == nil {
		return ErrInvalid
	}
	return set(&f.pfd, t)
}

func (f *File) SyscallConn() (syscall.RawConn, error) {
	if f == nil {
		return nil, ErrInvalid
	}
	return rawConn{f}, nil
}

type rawConn struct{ f *File }

func (c rawConn) Control(f func(uintptr)) error {
	err := c.f.pfd.RawControl(f)
	return fileError(err)
}

func (c rawConn) Read(f func(uintptr) bool) error {
	err := c.f.pfd.RawRead(f)
	return fileError(err)
}

func (c rawConn) Write(f func(uintptr) bool) error {
	err := c.f.pfd.RawWrite(f)
	return fileError(err)
}

func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := 512
	if info, err := f.Stat(); err == nil && info.Size() < 1<<40 {
		size = max(size, int(info.Size())+1)
	}
	data := make([]byte, 0, size)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return data, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

func WriteFile(name string, data []byte, perm FileMode) error {
	f, err := OpenFile(name, O_WRONLY|O_CREATE|O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err1 := f.Close(); err1 != nil && err == nil {
		err = err1
	}
	return err
}

// randomName puts random digits where pattern has its last *, or at its end.
func randomName(pattern string) (string, error) {
	for i := range len(pattern) {
		if pattern[i] == '/' {
			return "", errors.New("pattern contains path separator")
		}
	}
	digits := ""
	for n := uint32(identity(7)); len(digits) < 10; n /= 10 {
		digits = string(rune('0'+n%10)) + digits
	}
	for i := len(pattern) - 1; i >= 0; i-- {
		if pattern[i] == '*' {
			return pattern[:i] + digits + pattern[i+1:], nil
		}
	}
	return pattern + digits, nil
}

func CreateTemp(dir, pattern string) (*File, error) {
	if dir == "" {
		dir = TempDir()
	}
	for try := 0; ; try++ {
		base, err := randomName(pattern)
		if err != nil {
			return nil, &PathError{Op: "createtemp", Path: pattern, Err: err}
		}
		f, err := OpenFile(dir+"/"+base, O_RDWR|O_CREATE|O_EXCL, 0600)
		if err == nil || !IsExist(err) || try >= 10000 {
			return f, err
		}
	}
}

func MkdirTemp(dir, pattern string) (string, error) {
	if dir == "" {
		dir = TempDir()
	}
	for try := 0; ; try++ {
		base, err := randomName(pattern)
		if err != nil {
			return "", &PathError{Op: "mkdirtemp", Path: pattern, Err: err}
		}
		name := dir + "/" + base
		err = Mkdir(name, 0700)
		if err == nil {
			return name, nil
		}
		if IsNotExist(err) {
			if _, missing := Stat(dir); IsNotExist(missing) {
				err = missing
			}
		}
		if !IsExist(err) || try >= 10000 {
			return "", err
		}
	}
}
