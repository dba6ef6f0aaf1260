package net

import (
	"context"
	"internal/poll"
	"os"
	"strings"
	"sync"
	"syscall"
)

// A request says which socket is wanted. All that dials or listens fills one in; open makes the
// socket in steps, each of which may fail.
type request struct {
	op            string // dial or listen
	kind          string // of the transport
	network       string
	local, remote sockaddr // to listen, there is no remote one
	control       controlFunc
}

// A controlFunc sees a socket before it is bound or connected.
type controlFunc func(ctx context.Context, network, address string, c syscall.RawConn) error

// refused words the failure of a request.
func (q *request) refused(err error) error {
	if q.op == "dial" {
		return failure(q.op, q.network, orNil(q.local), orNil(q.remote), err)
	}
	return failure(q.op, q.network, nil, orNil(q.local), err)
}

func (q *request) open(ctx context.Context) (*netFD, error) {
	dials := q.op == "dial"
	_, t, err := networkOf(q.network)
	if err == nil && (t.kind != q.kind || t.protocol == noProtocol) {
		err = UnknownNetworkError(q.network)
	}
	if err != nil {
		return nil, err
	}
	local, remote := q.local, q.remote
	if dials && q.kind == "unix" {
		// A nameless address is as good as none.
		if !absent(local) && local.any() {
			local = nil
		}
		if !absent(remote) && remote.any() {
			remote = nil
		}
	}
	needed := local
	if dials && (t.kind != "unix" || t.socket != syscall.SOCK_DGRAM || absent(local)) {
		needed = remote
	}
	if absent(needed) {
		return nil, addressMissing
	}
	for tries := 1; ; tries++ {
		fd, err := q.attempt(ctx, t, local, remote)
		if tries == 3 || q.kind != "tcp" || !dials || hasPort(local) || !isFluke(fd, err) {
			return fd, err
		}
		if fd != nil {
			fd.Close()
		}
	}
}

func hasPort(a sockaddr) bool {
	tcp, _ := a.(*TCPAddr)
	return tcp != nil && tcp.Port != 0
}

// isFluke tells whether to dial again: the port that the kernel chose was the one to dial, and the
// socket is connected with itself; or it was taken meanwhile.
func isFluke(fd *netFD, err error) bool {
	if err != nil {
		call, ok := err.(*os.SyscallError)
		return ok && call.Err == syscall.EADDRNOTAVAIL
	}
	here, there := fd.laddr, fd.raddr
	return here == nil || there == nil || here.String() == there.String()
}

// attempt makes the socket, once.
func (q *request) attempt(ctx context.Context, t *transport, local, remote sockaddr) (*netFD, error) {
	family := familyFor(t, local, remote)
	sysfd, errno := poll.Socket(family, t.socket, t.protocol)
	if errno != 0 {
		return nil, failed("socket", errno)
	}
	network, _, _ := strings.Cut(q.network, ":")
	fd := enroll(sysfd, family, t.socket, network)
	err := fd.preset(t, absent(remote))
	if err == nil && q.control != nil {
		err = q.show(ctx, fd, t, local, remote)
	}
	if err == nil {
		err = fd.bind(local, absent(remote))
	}
	switch {
	case err != nil:
	case !absent(remote):
		err = fd.dial(ctx, remote)
	default:
		err = fd.listen()
	}
	if err != nil {
		fd.discard()
		return nil, err
	}
	return fd, nil
}

// preset sets the options that every socket has.
func (fd *netFD) preset(t *transport, listening bool) error {
	set := func(level, option, value int) int {
		return poll.SetOption(fd.pfd.Sysfd, level, option, value)
	}
	if fd.family == syscall.AF_INET6 && fd.kind != syscall.SOCK_RAW {
		set(syscall.IPPROTO_IPV6, syscall.IPV6_V6ONLY, number(t.version == '6'))
	}
	if fd.family != syscall.AF_UNIX {
		set(syscall.SOL_SOCKET, syscall.SO_BROADCAST, 1)
	}
	if !listening || fd.takesMessages() {
		return nil
	}
	return failed("setsockopt", set(syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1))
}

// show has the program's function see the socket, under the name of the very version of IP.
func (q *request) show(ctx context.Context, fd *netFD, t *transport, local, remote sockaddr) error {
	network, address := fd.net, ""
	if t.version == 0 {
		switch fd.family {
		case syscall.AF_INET:
			network += "4"
		case syscall.AF_INET6:
			network += "6"
		}
	}
	if absent(remote) {
		remote = local
	}
	if !absent(remote) {
		address = remote.String()
	}
	return q.control(ctx, network, address, &rawConn{fd})
}

// bind gives the socket its own address. One that listens by IP has one in any case.
func (fd *netFD) bind(local sockaddr, listening bool) error {
	if absent(local) {
		if !listening || fd.family == syscall.AF_UNIX {
			return nil
		}
		local = &TCPAddr{}
	}
	raw, err := local.encode(fd.family)
	if err != nil {
		return named("bind", err)
	}
	return failed("bind", poll.Bind(fd.pfd.Sysfd, raw))
}

// dial connects the socket, and learns its addresses.
func (fd *netFD) dial(ctx context.Context, remote sockaddr) error {
	raw, err := remote.encode(fd.family)
	if err != nil {
		return named("connect", err)
	}
	if err := fd.connect(ctx, raw); err != nil {
		return err
	}
	fd.connected = true
	peer, _ := poll.Getpeername(fd.pfd.Sysfd)
	fd.learnNames(peer)
	if fd.family == syscall.AF_UNIX || fd.raddr == nil {
		fd.raddr = remote
	}
	return nil
}

// takesMessages says whether the socket is one for messages from anybody.
func (fd *netFD) takesMessages() bool {
	return fd.kind == syscall.SOCK_DGRAM || fd.kind == syscall.SOCK_RAW
}

// listen has the socket hear who calls: a socket for messages does so already.
func (fd *netFD) listen() (err error) {
	if !fd.takesMessages() {
		err = failed("listen", poll.Listen(fd.pfd.Sysfd, queueLength()))
	}
	if err == nil {
		err = fd.pfd.Init(true)
	}
	if err == nil {
		fd.learnNames(nil)
	}
	return err
}

// queueLength is how many connections may wait to be accepted.
func queueLength() int {
	setting, _ := os.ReadFile("/proc/sys/net/core/somaxconn")
	if n, _, _ := decimal(string(setting)); n > 0 {
		return n
	}
	return syscall.SOMAXCONN
}

// familyFor chooses the family of a socket. One for all addresses is of IPv6 where that hears IPv4
// too; one for an address is of IPv4 if that will do.
func familyFor(t *transport, local, remote sockaddr) int {
	fits4 := func(a sockaddr) bool { return absent(a) || a.family() == syscall.AF_INET }
	switch {
	case t.kind == "unix":
		return syscall.AF_UNIX
	case t.version == '4':
		return syscall.AF_INET
	case t.version == '6':
		return syscall.AF_INET6
	case absent(remote) && (absent(local) || local.any()):
		if can := abilities(); can.hear4by6 || !can.ipv4 || !fits4(local) {
			return syscall.AF_INET6
		}
		return syscall.AF_INET
	case fits4(local) && fits4(remote):
		return syscall.AF_INET
	}
	return syscall.AF_INET6
}

// A stack is what the kernel can do: make sockets of IPv4, and hear IPv4 by sockets of IPv6.
type stack struct{ ipv4, hear4by6 bool }

var abilities = sync.OnceValue(func() (can stack) {
	for _, family := range [...]int{syscall.AF_INET, syscall.AF_INET6} {
		fd, errno := poll.Socket(family, syscall.SOCK_STREAM, syscall.IPPROTO_TCP)
		if errno != 0 {
			continue
		}
		if family == syscall.AF_INET {
			can.ipv4 = true
		} else {
			poll.SetOption(fd, syscall.IPPROTO_IPV6, syscall.IPV6_V6ONLY, 0)
			all, _ := new(TCPAddr).encode(family)
			can.hear4by6 = poll.Bind(fd, all) == 0
		}
		syscall.Close(fd)
	}
	return can
})
