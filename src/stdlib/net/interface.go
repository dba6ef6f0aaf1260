package net

import (
	"errors"
	"internal/poll"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// The machine's network interfaces, as /sys lists them; their addresses, as the kernel's routing sockets tell.

type Interface struct {
	Index        int
	MTU          int
	Name         string
	HardwareAddr HardwareAddr
	Flags        Flags
}

type Flags uint

const (
	FlagUp Flags = 1 << iota
	FlagBroadcast
	FlagLoopback
	FlagPointToPoint
	FlagMulticast
	FlagRunning
)

var flagNames = []string{"up", "broadcast", "loopback", "pointtopoint", "multicast", "running"}

func (f Flags) String() string {
	var names []string
	for i, name := range flagNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "0"
	}
	return strings.Join(names, "|")
}

var (
	errInvalidInterface      = errors.New("invalid network interface")
	errInvalidInterfaceIndex = errors.New("invalid network interface index")
	errInvalidInterfaceName  = errors.New("invalid network interface name")
	errNoSuchInterface       = errors.New("no such network interface")
)

func routeError(err error) error {
	return &OpError{Op: "route", Net: "ip+net", Source: nil, Addr: nil, Err: err}
}

const interfaces = "/sys/class/net/"

// property reads one line of what the kernel tells of an interface.
func property(name, what string) string {
	data, _ := os.ReadFile(interfaces + name + "/" + what)
	return strings.TrimSpace(string(data))
}

func describe(name string) (ifi Interface, ok bool) {
	index, err := strconv.Atoi(property(name, "ifindex"))
	if err != nil {
		return ifi, false
	}
	ifi.Index, ifi.Name = index, name
	ifi.MTU, _ = strconv.Atoi(property(name, "mtu"))
	bits, _ := strconv.ParseUint(property(name, "flags"), 0, 32)
	for i, bit := range []uint64{0x1, 0x2, 0x8, 0x10, 0x1000} {
		if bits&bit != 0 {
			ifi.Flags |= 1 << i
		}
	}
	if state := property(name, "operstate"); bits&1 != 0 && (state == "up" || state == "unknown") {
		ifi.Flags |= FlagRunning
	}
	if hw, err := ParseMAC(property(name, "address")); err == nil {
		for _, b := range hw {
			if b != 0 {
				ifi.HardwareAddr = hw
			}
		}
	}
	return ifi, true
}

func Interfaces() ([]Interface, error) {
	entries, err := os.ReadDir(interfaces)
	if err != nil {
		return nil, routeError(err)
	}
	var list []Interface
	for _, e := range entries {
		ifi, ok := describe(e.Name())
		if !ok {
			continue
		}
		at := len(list)
		for at > 0 && list[at-1].Index > ifi.Index {
			at--
		}
		list = append(list, ifi)
		copy(list[at+1:], list[at:])
		list[at] = ifi
	}
	return list, nil
}

func InterfaceByIndex(index int) (*Interface, error) {
	if index <= 0 {
		return nil, routeError(errInvalidInterfaceIndex)
	}
	list, err := Interfaces()
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Index == index {
			return &list[i], nil
		}
	}
	return nil, routeError(errNoSuchInterface)
}

func InterfaceByName(name string) (*Interface, error) {
	if name == "" {
		return nil, routeError(errInvalidInterfaceName)
	}
	if ifi, ok := describe(name); ok && strings.IndexByte(name, '/') < 0 {
		return &ifi, nil
	}
	return nil, routeError(errNoSuchInterface)
}

func zoneIndex(zone string) int {
	if zone == "" {
		return 0
	}
	if ifi, err := InterfaceByName(zone); err == nil {
		return ifi.Index
	}
	n, _, _ := decimal(zone)
	return n
}

func zoneName(index int) string {
	if index == 0 {
		return ""
	}
	if ifi, err := InterfaceByIndex(index); err == nil {
		return ifi.Name
	}
	return strconv.Itoa(index)
}

func InterfaceAddrs() ([]Addr, error) { return addressesOf(0) }

func (ifi *Interface) Addrs() ([]Addr, error) {
	if ifi == nil {
		return nil, routeError(errInvalidInterface)
	}
	return addressesOf(ifi.Index)
}

// MulticastAddrs is not told by the kernel in this way: none.
func (ifi *Interface) MulticastAddrs() ([]Addr, error) {
	if ifi == nil {
		return nil, routeError(errInvalidInterface)
	}
	return nil, nil
}

// addressesOf asks the kernel for all addresses, or those of one interface. rtnetlink(7).
func addressesOf(index int) ([]Addr, error) {
	const (
		familyNetlink = 16
		getAddr       = 22
		newAddr       = 20
		done          = 3
		requestDump   = 0x301
		localAddr     = 2
		theAddr       = 1
	)
	fd, errno := poll.Socket(familyNetlink, syscall.SOCK_RAW, 0)
	if errno != 0 {
		return nil, routeError(failed("netlinkrib", errno))
	}
	defer syscall.Close(fd)
	request := make([]byte, 17)
	request[0], request[4], request[6], request[7] = 17, getAddr, requestDump&0xff, requestDump>>8
	to := make([]byte, 12)
	to[0] = familyNetlink
	f := newFD(fd, familyNetlink, syscall.SOCK_RAW, "netlink")
	if _, err := f.writeTo(request, to); err != nil {
		return nil, routeError(err)
	}
	var list []Addr
	buf := make([]byte, 64<<10)
	little := func(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 | int(b[3])<<24 }
	for {
		n, _, err := f.readFrom(buf)
		if err != nil {
			return nil, routeError(err)
		}
		for m := buf[:n]; len(m) >= 16; {
			size, kind := little(m), int(m[4])|int(m[5])<<8
			if kind == done {
				return list, nil
			}
			if size < 16 || size > len(m) {
				return list, nil
			}
			if kind == newAddr && size >= 24 && (index == 0 || little(m[20:]) == index) {
				bits := 8 * IPv4len
				if m[16] == syscall.AF_INET6 {
					bits = 8 * IPv6len
				}
				var ip IP
				for a := m[24:size]; len(a) >= 4; {
					l, t := int(a[0])|int(a[1])<<8, int(a[2])
					if l < 4 || l > len(a) {
						break
					}
					if l-4 == bits/8 && (t == localAddr && bits == 32 || t == theAddr && (bits == 128 || ip == nil)) {
						ip = copyIP(a[4:l])
					}
					a = a[min((l+3)&^3, len(a)):]
				}
				if ip != nil {
					list = append(list, &IPNet{IP: ip.To16(), Mask: CIDRMask(int(m[17]), bits)})
				}
			}
			m = m[min((size+3)&^3, len(m)):]
		}
	}
}

// setReuse lets several sockets hear one group.
func setReuse(fd int) { poll.SetOption(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1) }

// join makes the socket hear a group on an interface, or on the kernel's choice.
func (fd *netFD) join(ifi *Interface, group IP) error {
	index := 0
	if ifi != nil {
		index = ifi.Index
	}
	number := []byte{byte(index), byte(index >> 8), byte(index >> 16), byte(index >> 24)}
	const addMembership6 = 20
	var errno int
	if g := group.To4(); g != nil {
		// ip_mreqn: group, local address, interface.
		request := append(append(append([]byte(nil), g...), 0, 0, 0, 0), number...)
		errno = poll.SetOptionBytes(fd.pfd.Sysfd, syscall.IPPROTO_IP, syscall.IP_ADD_MEMBERSHIP, request)
	} else {
		errno = poll.SetOptionBytes(fd.pfd.Sysfd, syscall.IPPROTO_IPV6, addMembership6, append(append([]byte(nil), group...), number...))
	}
	return failed("setsockopt", errno)
}
