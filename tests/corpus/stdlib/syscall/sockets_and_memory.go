// run

// Sockets, mapped memory, and calls on files of package syscall.
package main

import (
	"fmt"
	"os"
	"runtime"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

func check(what string, err error) {
	fmt.Println(what, err)
	if err != nil {
		os.Exit(1)
	}
}

func sockets(dir string) {
	l, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	check("socket", err)
	check("reuse", syscall.SetsockoptInt(l, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1))
	n, err := syscall.GetsockoptInt(l, syscall.SOL_SOCKET, syscall.SO_REUSEADDR)
	fmt.Println(n, err)
	addr := &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}
	fmt.Println(addr)
	check("bind", syscall.Bind(l, addr))
	fmt.Println(addr)
	check("listen", syscall.Listen(l, 5))
	name, err := syscall.Getsockname(l)
	check("name", err)
	port := name.(*syscall.SockaddrInet4).Port
	fmt.Println(port > 0)
	done := make(chan string)
	go func() {
		c, peer, err := syscall.Accept(l)
		if err != nil {
			done <- err.Error()
			return
		}
		buf := make([]byte, 100)
		n, err := syscall.Read(c, buf)
		syscall.Write(c, []byte(strings.ToUpper(string(buf[:n]))))
		syscall.Close(c)
		done <- fmt.Sprint(peer.(*syscall.SockaddrInet4).Addr, string(buf[:n]), err)
	}()
	c, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, syscall.IPPROTO_TCP)
	check("socket", err)
	check("connect", syscall.Connect(c, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0,
		1}}))
	peer, err := syscall.Getpeername(c)
	fmt.Println(peer.(*syscall.SockaddrInet4).Port == port, err)
	check("nodelay", syscall.SetsockoptInt(c, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1))
	check("timeout", syscall.SetsockoptTimeval(c, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO,
		&syscall.Timeval{Sec: 5}))
	check("linger", syscall.SetsockoptLinger(c, syscall.SOL_SOCKET, syscall.SO_LINGER,
		&syscall.Linger{}))
	check("send", syscall.Sendto(c, []byte("hello"), 0, nil))
	fmt.Println(<-done)
	buf := make([]byte, 100)
	n, from, err := syscall.Recvfrom(c, buf, 0)
	fmt.Println(string(buf[:n]), from, err)
	check("shutdown", syscall.Shutdown(c, syscall.SHUT_RDWR))
	check("close", syscall.Close(c))
	fmt.Println(syscall.Connect(c, addr), syscall.Shutdown(l, 7))
	syscall.Close(l)

	// Datagrams.
	a, _ := syscall.Socket(syscall.AF_INET6, syscall.SOCK_DGRAM, 0)
	if err := syscall.Bind(a, &syscall.SockaddrInet6{Addr: [16]byte{15: 1}}); err == nil {
		name, _ := syscall.Getsockname(a)
		b, _ := syscall.Socket(syscall.AF_INET6, syscall.SOCK_DGRAM, 0)
		if err := syscall.Sendto(b, []byte("datagram"), 0, name); err != nil {
			fmt.Println(err)
		}
		n, from, err := syscall.Recvfrom(a, buf, 0)
		if string(buf[:n]) != "datagram" || from.(*syscall.SockaddrInet6).Addr != [16]byte{15: 1} {
			fmt.Println(n, from, err)
		}
	}
	fmt.Println(syscall.Bind(a, &syscall.SockaddrInet6{Port: 70000}))
	fmt.Println(syscall.Bind(a, &syscall.SockaddrUnix{Name: strings.Repeat("x", 200)}))

	// Descriptors through a pair of sockets.
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	check("pair", err)
	f, err := os.CreateTemp(dir, "passed")
	check("temp", err)
	f.WriteString("through the socket")
	rights := syscall.UnixRights(int(f.Fd()))
	fmt.Println(len(rights), syscall.CmsgLen(4), syscall.CmsgSpace(4))
	check("sendmsg", syscall.Sendmsg(pair[0], nil, rights, nil, 0))
	runtime.KeepAlive(f)
	oob := make([]byte, 100)
	n, oobn, flags, from, err := syscall.Recvmsg(pair[1], buf, oob, 0)
	fmt.Println(n, oobn, flags, from, err)
	msgs, err := syscall.ParseSocketControlMessage(oob[:oobn])
	fmt.Println(len(msgs), msgs[0].Header, err)
	fds, err := syscall.ParseUnixRights(&msgs[0])
	fmt.Println(len(fds), err)
	n, err = syscall.Pread(fds[0], buf, 0)
	fmt.Println(string(buf[:n]), err)
	_, err = syscall.ParseUnixCredentials(&msgs[0])
	_, err2 := syscall.ParseSocketControlMessage(oob[:17])
	fmt.Println(err, err2)
	cred, err := syscall.GetsockoptUcred(pair[0], syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	fmt.Println(cred.Pid == int32(os.Getpid()), err)

	// Names in the file system, and beside it.
	path := filepath.Join(dir, "sock")
	for _, name := range []string{path, "@abstract-" + fmt.Sprint(os.Getpid())} {
		u, _ := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_DGRAM, 0)
		check("bind", syscall.Bind(u, &syscall.SockaddrUnix{Name: name}))
		got, err := syscall.Getsockname(u)
		fmt.Println(got.(*syscall.SockaddrUnix).Name == name, err)
		v, _ := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_DGRAM, 0)
		check("send", syscall.Sendto(v, []byte("to a name"), 0, got))
		n, _, err := syscall.Recvfrom(u, buf, syscall.MSG_DONTWAIT)
		fmt.Println(string(buf[:n]), err)
		n, _, err = syscall.Recvfrom(u, buf, syscall.MSG_DONTWAIT)
		fmt.Println(n, err)
	}

	// Waiting for several.
	ep, err := syscall.EpollCreate1(0)
	check("epoll", err)
	check("add", syscall.EpollCtl(ep, syscall.EPOLL_CTL_ADD, pair[1],
		&syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(pair[1])}))
	events := make([]syscall.EpollEvent, 4)
	n, err = syscall.EpollWait(ep, events, 0)
	fmt.Println(n, err)
	syscall.Write(pair[0], []byte("x"))
	n, err = syscall.EpollWait(ep, events, 1000)
	fmt.Println(n, err, events[0].Events == syscall.EPOLLIN, events[0].Fd == int32(pair[1]))
	var set syscall.FdSet
	set.Bits[pair[1]/64] |= 1 << (pair[1] % 64)
	n, err = syscall.Select(pair[1]+1, &set, nil, nil, &syscall.Timeval{Sec: 1})
	fmt.Println(n, err, set.Bits[pair[1]/64] != 0)
}

func memory(dir string) {
	f, err := os.Create(filepath.Join(dir, "mapped"))
	check("create", err)
	check("size", syscall.Ftruncate(int(f.Fd()), 8192))
	m, err := syscall.Mmap(int(f.Fd()), 0, 8192, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_SHARED)
	check("mmap", err)
	fmt.Println(len(m), cap(m), m[100])
	copy(m[4096:], "written by memory")
	data := make([]byte, 17)
	f.ReadAt(data, 4096)
	fmt.Println(string(data))
	f.WriteAt([]byte("W"), 4096)
	fmt.Println(string(m[4096:4103]))
	check("protect", syscall.Mprotect(m, syscall.PROT_READ))
	check("advise", syscall.Madvise(m, syscall.MADV_SEQUENTIAL))
	fmt.Println(syscall.Munmap(m[:100]), syscall.Munmap(m[1:]), syscall.Munmap(nil))
	check("munmap", syscall.Munmap(m))
	fmt.Println(syscall.Munmap(m))
	anon, err := syscall.Mmap(-1, 0, 1<<20, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON)
	check("anonymous", err)
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&anon[0])), 1<<17)
	for i := range words {
		words[i] = uint64(i)
	}
	fmt.Println(anon[8], anon[1<<20-8:])
	check("munmap", syscall.Munmap(anon))
	_, err = syscall.Mmap(-1, 0, 0, syscall.PROT_READ, syscall.MAP_ANON)
	_, err2 := syscall.Mmap(999, 0, 10, syscall.PROT_READ, syscall.MAP_PRIVATE)
	fmt.Println(err, err2)
}

func files(dir string) {
	old, err := syscall.Getwd()
	check("getwd", err)
	check("chdir", syscall.Chdir(dir))
	wd, _ := syscall.Getwd()
	fmt.Println(wd == dir)
	check("mkdir", syscall.Mkdir("d", 0o755))
	fd, err := syscall.Creat("d/file", 0o600)
	check("creat", err)
	check("chmod", syscall.Chmod("d/file", 0o640))
	check("fsync", syscall.Fsync(fd))
	check("flock", syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB))
	check("lock", syscall.FcntlFlock(uintptr(fd), syscall.F_SETLK,
		&syscall.Flock_t{Type: syscall.F_WRLCK}))
	check("truncate", syscall.Truncate("d/file", 10))
	check("link", syscall.Link("d/file", "hard"))
	check("symlink", syscall.Symlink("d/file", "soft"))
	buf := make([]byte, 100)
	n, err := syscall.Readlink("soft", buf)
	fmt.Println(string(buf[:n]), err)
	var st syscall.Stat_t
	check("stat", syscall.Stat("soft", &st))
	fmt.Printf("%o %d %d\n", st.Mode, st.Size, st.Nlink)
	check("utimes", syscall.UtimesNano("hard", []syscall.Timespec{{Sec: 5, Nsec: 6}, {Sec: 7,
		Nsec: 8}}))
	check("fstat", syscall.Fstat(fd, &st))
	fmt.Println(st.Atim, st.Mtim, time.Unix(st.Mtim.Unix()).UTC())
	check("utimes", syscall.Futimes(fd, []syscall.Timeval{{Sec: 9}, {Sec: 10, Usec: 11}}))
	check("rename", syscall.Rename("hard", "renamed"))
	check("fifo", syscall.Mkfifo("fifo", 0o600))
	check("lstat", syscall.Lstat("fifo", &st))
	fmt.Println(st.Mode&syscall.S_IFMT == syscall.S_IFIFO)
	dirfd, err := syscall.Open(".", syscall.O_RDONLY|syscall.O_DIRECTORY, 0)
	check("open", err)
	at, err := syscall.Openat(dirfd, "d/file", syscall.O_RDONLY, 0)
	check("openat", err)
	check("mkdirat", syscall.Mkdirat(dirfd, "e", 0o700))
	check("renameat", syscall.Renameat(dirfd, "e", dirfd, "d/e"))
	check("fchmodat", syscall.Fchmodat(dirfd, "renamed", 0o600, 0))
	check("faccessat", syscall.Faccessat(dirfd, "renamed", 4, 0))
	dents := make([]byte, 4096)
	n, err = syscall.ReadDirent(dirfd, dents)
	used, count, names := syscall.ParseDirent(dents[:n], -1, nil)
	fmt.Println(used == n, count, len(names), err)
	check("unlinkat", syscall.Unlinkat(dirfd, "renamed"))
	fmt.Println(syscall.Rmdir("d"), syscall.Unlink("d"), syscall.Rmdir("soft"),
		syscall.Unlink("nothing"))
	fmt.Println(syscall.Mkdir("a\x00b", 0), syscall.Chdir("nothing"), syscall.Link("a", "b\x00"))
	var fs syscall.Statfs_t
	check("statfs", syscall.Statfs(".", &fs))
	fmt.Println(fs.Bsize > 0)
	out, _ := syscall.Creat("copy", 0o644)
	syscall.Write(fd, []byte("0123456789"))
	off := int64(3)
	n, err = syscall.Sendfile(out, at, &off, 5)
	fmt.Println(n, off, err)
	in, err := syscall.InotifyInit1(syscall.IN_CLOEXEC)
	check("inotify", err)
	_, err = syscall.InotifyAddWatch(in, dir, syscall.IN_CREATE)
	check("watch", err)
	os.WriteFile("watched", nil, 0o644)
	n, err = syscall.Read(in, dents)
	e := (*syscall.InotifyEvent)(unsafe.Pointer(&dents[0]))
	fmt.Println(e.Mask == syscall.IN_CREATE,
		strings.TrimRight(string(dents[syscall.SizeofInotifyEvent:n]), "\x00"), err)
	check("dup3", syscall.Dup3(fd, 90, syscall.O_CLOEXEC))
	check("chdir", syscall.Chdir(old))
}

func main() {
	dir, err := os.MkdirTemp("", "syscall")
	check("temp", err)
	dir, _ = filepath.EvalSymlinks(dir)
	defer os.RemoveAll(dir)
	sockets(dir)
	memory(dir)
	files(dir)
	var uts syscall.Utsname
	check("uname", syscall.Uname(&uts))
	fmt.Println(string([]byte{byte(uts.Sysname[0]), byte(uts.Sysname[1])}))
	var info syscall.Sysinfo_t
	fmt.Println(syscall.Sysinfo(&info), info.Totalram > 0)
	var lim syscall.Rlimit
	fmt.Println(syscall.Getrlimit(syscall.RLIMIT_NOFILE, &lim), lim.Max > 0)
	var tv syscall.Timeval
	fmt.Println(syscall.Gettimeofday(&tv), time.Since(time.Unix(tv.Unix())) < time.Minute)
	sec, err := syscall.Time(nil)
	fmt.Println(int64(sec)-tv.Sec <= 1, err)
	pg, err := syscall.Getpgid(0)
	fmt.Println(pg == syscall.Getpgrp(), err)
	prio, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	fmt.Println(prio > 0, err)
	fmt.Println(syscall.AF_PACKET, syscall.SYS_MMAP, syscall.O_DIRECT, syscall.TIOCGWINSZ,
		syscall.PathMax)
	fmt.Println(unsafe.Sizeof(syscall.Stat_t{}), unsafe.Sizeof(syscall.Msghdr{}),
		unsafe.Sizeof(syscall.EpollEvent{}))
	defer func() { fmt.Println(recover()) }()
	fmt.Println(syscall.StringByteSlice("ab"), *syscall.StringBytePtr("c"))
	syscall.StringByteSlice("a\x00")
}
