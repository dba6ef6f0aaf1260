package net

import (
	"bytes"
	"errors"
	"internal/poll"
	"iter"
	"os"
	"slices"
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

var flagWords = []string{"up", "broadcast", "loopback", "pointtopoint", "multicast", "running"}

func (f Flags) String() string {
	text := ""
	for i, word := range flagWords {
		if f>>i&1 != 0 {
			text += "|" + word
		}
	}
	if text == "" {
		return "0"
	}
	return text[1:]
}

var (
	noInterface      = errors.New("invalid network interface")
	badIndex         = errors.New("invalid network interface index")
	badInterfaceName = errors.New("invalid network interface name")
	unknownInterface = errors.New("no such network interface")
)

func routeError(err error) error {
	return failure("route", "ip+net", nil, nil, err)
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

func Interfaces() (list []Interface, err error) {
	entries, err := os.ReadDir(interfaces)
	for _, e := range entries {
		if ifi, ok := describe(e.Name()); ok {
			list = append(list, ifi)
		}
	}
	slices.SortStableFunc(list, func(a, b Interface) int { return a.Index - b.Index })
	return list, routeError(err)
}

func InterfaceByIndex(index int) (*Interface, error) {
	if index < 1 {
		return nil, routeError(badIndex)
	}
	list, err := Interfaces()
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(list, func(ifi Interface) bool { return ifi.Index == index })
	if at < 0 {
		return nil, routeError(unknownInterface)
	}
	return &list[at], nil
}

func InterfaceByName(name string) (*Interface, error) {
	if name == "" {
		return nil, routeError(badInterfaceName)
	}
	if !strings.Contains(name, "/") {
		if ifi, ok := describe(name); ok {
			return &ifi, nil
		}
	}
	return nil, routeError(unknownInterface)
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
		return nil, routeError(noInterface)
	}
	return addressesOf(ifi.Index)
}

// MulticastAddrs is not told by the kernel in this way: none.
func (ifi *Interface) MulticastAddrs() ([]Addr, error) {
	if ifi == nil {
		return nil, routeError(noInterface)
	}
	return nil, nil
}

// rtnetlink(7): the parts of messages begin at multiples of four. This gives the bodies of the parts
// that begin with a head of so many bytes, in which size reads the length of all.
func netlinkParts(b []byte, head int, size func([]byte) int) iter.Seq2[[]byte, []byte] {
	return func(yield func(header, body []byte) bool) {
		for len(b) >= head {
			n := size(b)
			if n < head || n > len(b) || !yield(b[:head], b[head:n]) {
				return
			}
			b = b[min((n+3)&^3, len(b)):]
		}
	}
}

func short(b []byte) int { return int(b[0]) | int(b[1])<<8 }

// addressesOf asks the kernel for all addresses, or those of one interface.
func addressesOf(index int) ([]Addr, error) {
	const (
		familyNetlink = 16
		getAddress    = 22
		newAddress    = 20
		endOfDump     = 3
		dump          = 0x301 // a request for all
	)
	sysfd, errno := poll.Socket(familyNetlink, syscall.SOCK_RAW, 0)
	if errno != 0 {
		return nil, routeError(failed("netlinkrib", errno))
	}
	defer syscall.Close(sysfd)
	fd := &enroll(sysfd, familyNetlink, syscall.SOCK_RAW, "netlink").pfd
	request := []byte{17, 0, 0, 0, getAddress, 0, dump & 0xff, dump >> 8, 16: 0}
	if _, err := fd.WriteTo(request, []byte{familyNetlink, 11: 0}); err != nil {
		return nil, routeError(named("sendto", err))
	}
	var list []Addr
	for buf := make([]byte, 64<<10); ; {
		n, _, err := fd.ReadFrom(buf)
		if err != nil {
			return nil, routeError(named("recvfrom", err))
		}
		got := false
		for header, body := range netlinkParts(buf[:n], 16, native) {
			got = true
			switch kind := short(header[4:]); {
			case kind == endOfDump:
				return list, nil
			case kind == newAddress && len(body) >= 8 && (index == 0 || native(body[4:]) == index):
				if a := addressTold(body); a != nil {
					list = append(list, a)
				}
			}
		}
		if !got {
			return list, nil
		}
	}
}

// addressTold reads the kernel's word on one address: a family, the bits of the network, and
// attributes, of which a local address is better than one that may be the other end's.
func addressTold(body []byte) Addr {
	const itself, local = 1, 2
	bits := 8 * IPv4len
	if body[0] == syscall.AF_INET6 {
		bits = 8 * IPv6len
	}
	var told [3]IP
	for header, value := range netlinkParts(body[8:], 4, short) {
		if kind := header[2]; len(value) == bits/8 && (kind == itself || kind == local && bits == 32) {
			told[kind] = bytes.Clone(value)
		}
	}
	ip := told[local]
	if ip == nil {
		ip = told[itself]
	}
	if ip == nil {
		return nil
	}
	return &IPNet{ip.To16(), CIDRMask(int(body[1]), bits)}
}
