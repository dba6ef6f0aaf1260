package syscall

import (
	"runtime"
	"unsafe"
)

// Sockets, and their addresses as programs know them.

type Sockaddr interface {
	// raw gives the address as the kernel takes it.
	sockaddr() (at unsafe.Pointer, size uintptr, err error)
}

type SockaddrInet4 struct {
	Port int
	Addr [4]byte
	raw  RawSockaddrInet4
}

type SockaddrInet6 struct {
	Port   int
	ZoneId uint32
	Addr   [16]byte
	raw    RawSockaddrInet6
}

type SockaddrUnix struct {
	Name string
	raw  RawSockaddrUnix
}

type SockaddrLinklayer struct {
	Protocol uint16
	Ifindex  int
	Hatype   uint16
	Pkttype  uint8
	Halen    uint8
	Addr     [8]byte
	raw      RawSockaddrLinklayer
}

type SockaddrNetlink struct {
	Family uint16
	Pad    uint16
	Pid    uint32
	Groups uint32
	raw    RawSockaddrNetlink
}

// swap turns the bytes of a port around, as networks have them.
func swap(port uint16) uint16 { return port<<8 | port>>8 }

// wirePort is a port as networks have it.
func wirePort(port int) (uint16, error) {
	if port != int(uint16(port)) {
		return 0, EINVAL
	}
	return swap(uint16(port)), nil
}

func (sa *SockaddrInet4) sockaddr() (unsafe.Pointer, uintptr, error) {
	port, err := wirePort(sa.Port)
	sa.raw = RawSockaddrInet4{Family: AF_INET, Port: port, Addr: sa.Addr}
	return unsafe.Pointer(&sa.raw), SizeofSockaddrInet4, err
}

func (sa *SockaddrInet6) sockaddr() (unsafe.Pointer, uintptr, error) {
	port, err := wirePort(sa.Port)
	sa.raw = RawSockaddrInet6{Family: AF_INET6, Port: port, Scope_id: sa.ZoneId, Addr: sa.Addr}
	return unsafe.Pointer(&sa.raw), SizeofSockaddrInet6, err
}

// sockaddr: a name that begins with @, or with a zero byte, is no path, and ends where it ends.
// Others end with a zero byte.
func (sa *SockaddrUnix) sockaddr() (unsafe.Pointer, uintptr, error) {
	sa.raw = RawSockaddrUnix{Family: AF_UNIX}
	room := unsafe.Slice((*byte)(unsafe.Pointer(&sa.raw.Path)), len(sa.raw.Path))
	size := copy(room, sa.Name)
	fits := size == len(sa.Name)
	switch first := room[0]; {
	case first == '@':
		room[0] = 0
	case first != 0: // neither abstract nor no name
		size++
		fits = fits && size <= len(room)
	}
	if !fits {
		return nil, 0, EINVAL
	}
	return unsafe.Pointer(&sa.raw), unsafe.Sizeof(sa.raw.Family) + uintptr(size), nil
}

func (sa *SockaddrLinklayer) sockaddr() (unsafe.Pointer, uintptr, error) {
	index := int32(sa.Ifindex)
	if index < 0 || int(index) != sa.Ifindex {
		return nil, 0, EINVAL
	}
	sa.raw = RawSockaddrLinklayer{AF_PACKET, sa.Protocol, index, sa.Hatype, sa.Pkttype, sa.Halen, sa.Addr}
	return unsafe.Pointer(&sa.raw), SizeofSockaddrLinklayer, nil
}

func (sa *SockaddrNetlink) sockaddr() (unsafe.Pointer, uintptr, error) {
	sa.raw = RawSockaddrNetlink{AF_NETLINK, sa.Pad, sa.Pid, sa.Groups}
	return unsafe.Pointer(&sa.raw), SizeofSockaddrNetlink, nil
}

// laidOut is an address as the kernel takes it, nothing for none.
func laidOut(sa Sockaddr) (at unsafe.Pointer, size uintptr, err error) {
	if sa != nil {
		at, size, err = sa.sockaddr()
	}
	return at, size, err
}

// address reads what the kernel gave.
func address(any *RawSockaddrAny) (Sockaddr, error) {
	p := unsafe.Pointer(any)
	switch any.Addr.Family {
	case AF_INET:
		raw := (*RawSockaddrInet4)(p)
		return &SockaddrInet4{Port: int(swap(raw.Port)), Addr: raw.Addr}, nil
	case AF_INET6:
		raw := (*RawSockaddrInet6)(p)
		return &SockaddrInet6{
			Port: int(swap(raw.Port)), ZoneId: raw.Scope_id, Addr: raw.Addr}, nil
	case AF_UNIX:
		raw := (*RawSockaddrUnix)(p)
		if raw.Path[0] == 0 {
			raw.Path[0] = '@'
		}
		name := []byte{}
		for i := 0; i < len(raw.Path) && raw.Path[i] != 0; i++ {
			name = append(name, byte(raw.Path[i]))
		}
		return &SockaddrUnix{Name: string(name)}, nil
	case AF_PACKET:
		raw := (*RawSockaddrLinklayer)(p)
		return &SockaddrLinklayer{Protocol: raw.Protocol, Ifindex: int(raw.Ifindex),
			Hatype: raw.Hatype, Pkttype: raw.Pkttype, Halen: raw.Halen, Addr: raw.Addr}, nil
	case AF_NETLINK:
		raw := (*RawSockaddrNetlink)(p)
		return &SockaddrNetlink{
			Family: raw.Family, Pad: raw.Pad, Pid: raw.Pid, Groups: raw.Groups}, nil
	}
	return nil, EAFNOSUPPORT
}

// outcome is what a call gives that counts something.
func outcome(r, _ uintptr, errno Errno) (int, error) {
	if errno != 0 {
		return -1, errno
	}
	return int(r), nil
}

func outcome1(_, _ uintptr, errno Errno) error { return failure(int(errno)) }

// dataOf is where the elements are; what is nil or empty has an address, too.
func dataOf[T any](list []T) uintptr {
	if len(list) == 0 {
		return at(&nothing)
	}
	return at(unsafe.SliceData(list))
}

var nothing byte

// SocketDisableIPv6 has Socket refuse IPv6.
var SocketDisableIPv6 bool

func Socket(domain, typ, proto int) (fd int, err error) {
	if domain == AF_INET6 && SocketDisableIPv6 {
		return -1, EAFNOSUPPORT
	}
	return outcome(RawSyscall(SYS_SOCKET, uintptr(domain), uintptr(typ), uintptr(proto)))
}

func Socketpair(domain, typ, proto int) (fd [2]int, err error) {
	var pair [2]int32
	err = outcome1(RawSyscall6(SYS_SOCKETPAIR, uintptr(domain), uintptr(typ), uintptr(proto), at(&pair), 0, 0))
	for i, n := range &pair {
		fd[i] = int(n)
	}
	return fd, err
}

// toAddress makes a call on a descriptor and an address.
func toAddress(trap uintptr, fd int, sa Sockaddr) error {
	where, size, err := sa.sockaddr()
	if err == nil {
		err = onFile(trap, fd, uintptr(where), size)
		runtime.KeepAlive(sa)
	}
	return err
}

func Bind(fd int, sa Sockaddr) (err error) { return toAddress(SYS_BIND, fd, sa) }

func Connect(fd int, sa Sockaddr) (err error) { return toAddress(SYS_CONNECT, fd, sa) }

func Listen(s int, n int) (err error) {
	return outcome1(Syscall(SYS_LISTEN, uintptr(s), uintptr(n), 0))
}

func Shutdown(fd int, how int) (err error) {
	return outcome1(Syscall(SYS_SHUTDOWN, uintptr(fd), uintptr(how), 0))
}

// A room is where the kernel puts an address, and its size.
type room struct {
	any  RawSockaddrAny
	size uint32
}

func newRoom() *room { return &room{size: SizeofSockaddrAny} }

func (r *room) at() (any, size uintptr) {
	return at(&r.any), at(&r.size)
}

func Accept4(fd int, flags int) (nfd int, sa Sockaddr, err error) {
	r := newRoom()
	where, size := r.at()
	nfd, err = outcome(Syscall6(SYS_ACCEPT4, uintptr(fd), where, size, uintptr(flags), 0, 0))
	runtime.KeepAlive(r)
	if err == nil {
		if sa, err = address(&r.any); err != nil {
			Close(nfd)
			nfd = 0
		}
	}
	return nfd, sa, err
}

func Accept(fd int) (nfd int, sa Sockaddr, err error) { return Accept4(fd, 0) }

// addressOf asks for an address of a socket.
func addressOf(trap uintptr, fd int) (sa Sockaddr, err error) {
	r := newRoom()
	where, size := r.at()
	if err = outcome1(RawSyscall(trap, uintptr(fd), where, size)); err == nil {
		sa, err = address(&r.any)
	}
	runtime.KeepAlive(r)
	return sa, err
}

func Getsockname(fd int) (sa Sockaddr, err error) { return addressOf(SYS_GETSOCKNAME, fd) }

func Getpeername(fd int) (sa Sockaddr, err error) { return addressOf(SYS_GETPEERNAME, fd) }

func Sendto(fd int, p []byte, flags int, to Sockaddr) (err error) {
	where, size, err := laidOut(to)
	if err == nil {
		_, err = outcome(Syscall6(SYS_SENDTO, uintptr(fd), dataOf(p), uintptr(len(p)), uintptr(flags), uintptr(where), size))
		runtime.KeepAlive(p)
		runtime.KeepAlive(to)
	}
	return err
}

func Recvfrom(fd int, p []byte, flags int) (n int, from Sockaddr, err error) {
	r := newRoom()
	where, size := r.at()
	n, err = outcome(Syscall6(SYS_RECVFROM, uintptr(fd), dataOf(p), uintptr(len(p)),
		uintptr(flags), where, size))
	runtime.KeepAlive(p)
	runtime.KeepAlive(r)
	if err == nil && r.any.Addr.Family != AF_UNSPEC {
		from, err = address(&r.any)
	}
	return n, from, err
}

// isDatagram says whether messages without bytes can go through the socket.
func isDatagram(fd int) (bool, error) {
	typ, err := GetsockoptInt(fd, SOL_SOCKET, SO_TYPE)
	return typ == SOCK_DGRAM, err
}

// message makes the kernel's header of a message. Streams carry what goes beside the bytes with one
// byte at least, which as in Go counts as received, not as sent.
func message(fd int, p, oob []byte) (m *Msghdr, dummy bool, err error) {
	m = new(Msghdr)
	bytes := &Iovec{Base: unsafe.SliceData(p), Len: uint64(len(p))}
	if len(oob) > 0 {
		if len(p) == 0 {
			datagram, err := isDatagram(fd)
			if err != nil {
				return nil, false, err
			}
			if !datagram {
				dummy = true
				bytes = &Iovec{Base: new(byte), Len: 1}
			}
		}
		m.Control, m.Controllen = unsafe.SliceData(oob), uint64(len(oob))
	}
	m.Iov, m.Iovlen = bytes, 1
	return m, dummy, nil
}

func Sendmsg(fd int, p, oob []byte, to Sockaddr, flags int) (err error) {
	_, err = SendmsgN(fd, p, oob, to, flags)
	return err
}

func SendmsgN(fd int, p, oob []byte, to Sockaddr, flags int) (n int, err error) {
	m, dummy, err := message(fd, p, oob)
	if err != nil {
		return 0, err
	}
	where, size, err := laidOut(to)
	if err != nil {
		return 0, err
	}
	m.Name, m.Namelen = (*byte)(where), uint32(size)
	n, err = outcome(Syscall(SYS_SENDMSG, uintptr(fd), at(m), uintptr(flags)))
	runtime.KeepAlive(m)
	runtime.KeepAlive(to)
	if err != nil || dummy {
		n = 0
	}
	return n, err
}

func Recvmsg(
	fd int, p, oob []byte, flags int,
) (n, oobn int, recvflags int, from Sockaddr, err error) {
	m, _, err := message(fd, p, oob)
	if err != nil {
		return 0, 0, 0, nil, err
	}
	r := newRoom()
	m.Name, m.Namelen = (*byte)(unsafe.Pointer(&r.any)), SizeofSockaddrAny
	n, err = outcome(Syscall(SYS_RECVMSG, uintptr(fd), at(m), uintptr(flags)))
	runtime.KeepAlive(m)
	if err != nil {
		return n, 0, 0, nil, err
	}
	if r.any.Addr.Family != AF_UNSPEC {
		from, err = address(&r.any)
	}
	return n, int(m.Controllen), int(m.Flags), from, err
}

func setOption(fd, level, opt int, at unsafe.Pointer, size uintptr) error {
	err := outcome1(Syscall6(SYS_SETSOCKOPT, uintptr(fd), uintptr(level), uintptr(opt),
		uintptr(at), size, 0))
	runtime.KeepAlive(at)
	return err
}

// setTo sets an option to a value of the size that it has here.
func setTo[T any](fd, level, opt int, value *T) error {
	return setOption(fd, level, opt, unsafe.Pointer(value), unsafe.Sizeof(*value))
}

func SetsockoptByte(fd, level, opt int, value byte) error { return setTo(fd, level, opt, &value) }

func SetsockoptInt(fd, level, opt int, value int) error {
	small := int32(value)
	return setTo(fd, level, opt, &small)
}

func SetsockoptString(fd, level, opt int, s string) error {
	return setOption(fd, level, opt, unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)))
}

func SetsockoptLinger(fd, level, opt int, l *Linger) error     { return setTo(fd, level, opt, l) }
func SetsockoptTimeval(fd, level, opt int, tv *Timeval) error  { return setTo(fd, level, opt, tv) }
func SetsockoptInet4Addr(fd, level, opt int, ip [4]byte) error { return setTo(fd, level, opt, &ip) }
func SetsockoptIPMreq(fd, level, opt int, m *IPMreq) error     { return setTo(fd, level, opt, m) }
func SetsockoptIPMreqn(fd, level, opt int, m *IPMreqn) error   { return setTo(fd, level, opt, m) }
func SetsockoptIPv6Mreq(fd, level, opt int, m *IPv6Mreq) error { return setTo(fd, level, opt, m) }
func SetsockoptICMPv6Filter(fd, level, opt int, f *ICMPv6Filter) error {
	return setTo(fd, level, opt, f)
}

func BindToDevice(fd int, device string) (err error) {
	return SetsockoptString(fd, SOL_SOCKET, SO_BINDTODEVICE, device)
}

func option[T any](fd, level, opt int) (*T, error) {
	v, size := new(T), new(uint32)
	*size = uint32(unsafe.Sizeof(*v))
	err := outcome1(Syscall6(SYS_GETSOCKOPT, uintptr(fd), uintptr(level), uintptr(opt),
		at(v), at(size), 0))
	runtime.KeepAlive(v)
	runtime.KeepAlive(size)
	return v, err
}

func GetsockoptInt(fd, level, opt int) (value int, err error) {
	v, err := option[int32](fd, level, opt)
	return int(*v), err
}

func GetsockoptInet4Addr(fd, level, opt int) (value [4]byte, err error) {
	v, err := option[[4]byte](fd, level, opt)
	return *v, err
}

func GetsockoptIPMreq(fd, level, opt int) (*IPMreq, error) { return option[IPMreq](fd, level, opt) }

func GetsockoptIPMreqn(fd, level, opt int) (*IPMreqn, error) {
	return option[IPMreqn](fd, level, opt)
}

func GetsockoptIPv6Mreq(fd, level, opt int) (*IPv6Mreq, error) {
	return option[IPv6Mreq](fd, level, opt)
}

func GetsockoptIPv6MTUInfo(fd, level, opt int) (*IPv6MTUInfo, error) {
	return option[IPv6MTUInfo](fd, level, opt)
}

func GetsockoptICMPv6Filter(fd, level, opt int) (*ICMPv6Filter, error) {
	return option[ICMPv6Filter](fd, level, opt)
}

func GetsockoptUcred(fd, level, opt int) (*Ucred, error) { return option[Ucred](fd, level, opt) }

// What goes beside the bytes of a message: each part behind a header, in steps of eight bytes.

type SocketControlMessage struct {
	Header Cmsghdr
	Data   []byte
}

func aligned(n int) int { return (n + 7) &^ 7 }

func CmsgLen(datalen int) int { return SizeofCmsghdr + datalen }

func CmsgSpace(datalen int) int { return SizeofCmsghdr + aligned(datalen) }

func (cmsg *Cmsghdr) SetLen(length int) { cmsg.Len = uint64(length) }

func (msghdr *Msghdr) SetControllen(length int) { msghdr.Controllen = uint64(length) }

func (iov *Iovec) SetLen(length int) { iov.Len = uint64(length) }

func ParseSocketControlMessage(b []byte) ([]SocketControlMessage, error) {
	var parts []SocketControlMessage
	for len(b) >= SizeofCmsghdr {
		h := *(*Cmsghdr)(unsafe.Pointer(&b[0]))
		if h.Len < SizeofCmsghdr || h.Len > uint64(len(b)) {
			return nil, EINVAL
		}
		parts = append(parts, SocketControlMessage{h, b[SizeofCmsghdr:h.Len]})
		b = b[min(aligned(int(h.Len)), len(b)):]
	}
	return parts, nil
}

// part makes one with room for size bytes.
func part[T any](typ int32, data []T) []byte {
	size := len(data) * int(unsafe.Sizeof(*new(T)))
	b := make([]byte, CmsgSpace(size))
	*(*Cmsghdr)(unsafe.Pointer(&b[0])) = Cmsghdr{uint64(CmsgLen(size)), SOL_SOCKET, typ}
	if size > 0 {
		copy(unsafe.Slice((*T)(unsafe.Pointer(&b[SizeofCmsghdr])), len(data)), data)
	}
	return b
}

func UnixRights(fds ...int) []byte {
	short := make([]int32, len(fds))
	for i, fd := range fds {
		short[i] = int32(fd)
	}
	return part(SCM_RIGHTS, short)
}

// contents is what a part of one type holds, each thing as convert makes it: as many as are whole.
func contents[T, R any](m *SocketControlMessage, typ int32, convert func(T) R) ([]R, error) {
	if m.Header.Type != typ || m.Header.Level != SOL_SOCKET {
		return nil, EINVAL
	}
	list := []R{}
	size := int(unsafe.Sizeof(*new(T)))
	for b := m.Data; len(b) >= size; b = b[size:] {
		list = append(list, convert(*(*T)(unsafe.Pointer(&b[0]))))
	}
	return list, nil
}

func ParseUnixRights(m *SocketControlMessage) ([]int, error) {
	return contents(m, SCM_RIGHTS, func(fd int32) int { return int(fd) })
}

func UnixCredentials(ucred *Ucred) []byte { return part(SCM_CREDENTIALS, []Ucred{*ucred}) }

func ParseUnixCredentials(m *SocketControlMessage) (*Ucred, error) {
	list, err := contents(m, SCM_CREDENTIALS, func(u Ucred) *Ucred { return &u })
	if err == nil && len(list) == 0 {
		err = EINVAL
	}
	if err != nil {
		return nil, err
	}
	return list[0], nil
}
