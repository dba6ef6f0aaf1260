package net

import (
	"context"
	"strconv"
	"syscall"
)

// Addresses of each kind of socket, and how the kernel lays them out.

type TCPAddr struct {
	IP   IP
	Port int
	Zone string
}

type UDPAddr struct {
	IP   IP
	Port int
	Zone string
}

type IPAddr struct {
	IP   IP
	Zone string
}

type UnixAddr struct {
	Name string
	Net  string
}

func (a *TCPAddr) Network() string  { return "tcp" }
func (a *UDPAddr) Network() string  { return "udp" }
func (a *IPAddr) Network() string   { return "ip" }
func (a *UnixAddr) Network() string { return a.Net }

func endpoint(ip IP, port int, zone string) string {
	host := ipText(ip)
	if zone != "" {
		host += "%" + zone
	}
	return JoinHostPort(host, strconv.Itoa(port))
}

func (a *TCPAddr) String() string {
	if a == nil {
		return "<nil>"
	}
	return endpoint(a.IP, a.Port, a.Zone)
}

func (a *UDPAddr) String() string {
	if a == nil {
		return "<nil>"
	}
	return endpoint(a.IP, a.Port, a.Zone)
}

func (a *IPAddr) String() string {
	switch {
	case a == nil:
		return "<nil>"
	case a.Zone != "":
		return ipText(a.IP) + "%" + a.Zone
	}
	return ipText(a.IP)
}

func (a *UnixAddr) String() string {
	if a == nil {
		return "<nil>"
	}
	return a.Name
}

// sockaddr is what sockets need of an address. Each kind answers for nil pointers too.
type sockaddr interface {
	Addr
	// family is the kernel's.
	family() int
	// any tells whether the address names no host.
	any() bool
	// encode lays the address out for a socket of the family.
	encode(family int) ([]byte, error)
	// missing tells whether there is no address at all.
	missing() bool
}

func familyOf(ip IP) int {
	if len(ip) <= IPv4len || ip.To4() != nil {
		return syscall.AF_INET
	}
	return syscall.AF_INET6
}

func (a *TCPAddr) family() int {
	if a == nil {
		return syscall.AF_INET
	}
	return familyOf(a.IP)
}

func (a *UDPAddr) family() int {
	if a == nil {
		return syscall.AF_INET
	}
	return familyOf(a.IP)
}

func (a *UnixAddr) family() int { return syscall.AF_UNIX }

func (a *TCPAddr) any() bool  { return a == nil || a.IP == nil || a.IP.IsUnspecified() }
func (a *UDPAddr) any() bool  { return a == nil || a.IP == nil || a.IP.IsUnspecified() }
func (a *UnixAddr) any() bool { return a == nil || a.Name == "" }

func (a *TCPAddr) missing() bool  { return a == nil }
func (a *UDPAddr) missing() bool  { return a == nil }
func (a *UnixAddr) missing() bool { return a == nil }

func (a *TCPAddr) encode(family int) ([]byte, error) {
	if a == nil {
		return nil, nil
	}
	return encodeIP(family, a.IP, a.Port, a.Zone)
}

func (a *UDPAddr) encode(family int) ([]byte, error) {
	if a == nil {
		return nil, nil
	}
	return encodeIP(family, a.IP, a.Port, a.Zone)
}

func (a *UnixAddr) encode(family int) ([]byte, error) {
	if a == nil {
		return nil, nil
	}
	name := []byte(a.Name)
	if len(name) > 108 || len(name) == 108 && name[0] != '@' {
		return nil, syscall.EINVAL
	}
	b := append([]byte{syscall.AF_UNIX, 0}, name...)
	switch {
	case len(name) > 0 && name[0] == '@':
		b[2] = 0 // an abstract name, which no zero byte ends
	case len(name) > 0:
		b = append(b, 0)
	}
	return b, nil
}

// encodeIP lays out an address for the kernel; a port that does not fit is EINVAL.
func encodeIP(family int, ip IP, port int, zone string) ([]byte, error) {
	isPort := 0 <= port && port <= 0xffff
	switch family {
	case syscall.AF_INET:
		if len(ip) == 0 {
			ip = IPv4zero
		}
		ip4 := ip.To4()
		if ip4 == nil {
			return nil, &AddrError{Err: "non-IPv4 address", Addr: ip.String()}
		}
		if !isPort {
			return nil, syscall.EINVAL
		}
		b := make([]byte, 16)
		b[0], b[2], b[3] = syscall.AF_INET, byte(port>>8), byte(port)
		copy(b[4:], ip4)
		return b, nil
	case syscall.AF_INET6:
		// An IPv6 socket's 0.0.0.0 is its ::, which hears IPv4 as well.
		if len(ip) == 0 || ip.Equal(IPv4zero) {
			ip = IPv6zero
		}
		ip6 := ip.To16()
		if ip6 == nil {
			return nil, &AddrError{Err: "non-IPv6 address", Addr: ip.String()}
		}
		if !isPort {
			return nil, syscall.EINVAL
		}
		b := make([]byte, 28)
		b[0], b[2], b[3] = syscall.AF_INET6, byte(port>>8), byte(port)
		copy(b[8:], ip6)
		if n := zoneIndex(zone); n != 0 {
			b[24], b[25], b[26], b[27] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
		}
		return b, nil
	}
	return nil, &AddrError{Err: "invalid address family", Addr: ip.String()}
}

// decodeIP reads what encodeIP writes.
func decodeIP(b []byte) (ip IP, port int, zone string) {
	if len(b) < 8 {
		return nil, 0, ""
	}
	port = int(b[2])<<8 | int(b[3])
	switch {
	case b[0] == syscall.AF_INET:
		return copyIP(b[4:8]), port, ""
	case b[0] == syscall.AF_INET6 && len(b) >= 28:
		n := int(b[24]) | int(b[25])<<8 | int(b[26])<<16 | int(b[27])<<24
		return copyIP(b[8:24]), port, zoneName(n)
	}
	return nil, 0, ""
}

func decodeUnix(b []byte) string {
	if len(b) <= 2 || b[2] == 0 {
		// Nameless, or an abstract name, whose zero is shown as @.
		name := "@"
		for i := 3; i < len(b) && b[i] != 0; i++ {
			name += string(b[i : i+1])
		}
		return name
	}
	b = b[2:]
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

// decode makes an address of what the kernel gave for a socket of the network.
func decode(network string, b []byte) Addr {
	if len(b) == 0 {
		return nil
	}
	switch network[:3] {
	case "tcp":
		ip, port, zone := decodeIP(b)
		return &TCPAddr{ip, port, zone}
	case "udp":
		ip, port, zone := decodeIP(b)
		return &UDPAddr{ip, port, zone}
	case "uni":
		return &UnixAddr{decodeUnix(b), network}
	}
	return nil
}

// ---- Resolving.

func ResolveTCPAddr(network, address string) (*TCPAddr, error) {
	return resolve[*TCPAddr]("tcp", network, address)
}

func ResolveUDPAddr(network, address string) (*UDPAddr, error) {
	return resolve[*UDPAddr]("udp", network, address)
}

func ResolveIPAddr(network, address string) (*IPAddr, error) {
	return resolve[*IPAddr]("ip", network, address)
}

// resolve finds an address by names, in a network of one kind.
func resolve[A Addr](kind, network, address string) (addr A, err error) {
	switch network {
	case kind, kind + "4", kind + "6":
	case "":
		network = kind
	default:
		return addr, UnknownNetworkError(network)
	}
	list, err := DefaultResolver.endpoints(context.Background(), network, address)
	if err != nil {
		return addr, err
	}
	return list.preferred(network, address).(A), nil
}

func ResolveUnixAddr(network, address string) (*UnixAddr, error) {
	switch network {
	case "unix", "unixgram", "unixpacket":
		return &UnixAddr{Name: address, Net: network}, nil
	}
	return nil, UnknownNetworkError(network)
}

// addrList is what a name stands for.
type addrList []Addr

func isIPv4(a Addr) bool {
	switch a := a.(type) {
	case *TCPAddr:
		return a.IP.To4() != nil
	case *UDPAddr:
		return a.IP.To4() != nil
	case *IPAddr:
		return a.IP.To4() != nil
	}
	return false
}

// first is the first address of the kind, or else the first.
func (l addrList) first(kind func(Addr) bool) Addr {
	for _, a := range l {
		if kind(a) {
			return a
		}
	}
	return l[0]
}

// preferred is IPv4 unless IPv6 was written in brackets.
func (l addrList) preferred(network, address string) Addr {
	want6 := false
	if network == "ip" {
		want6 = countByte(address, ':') > 0
	} else if network == "tcp" || network == "udp" {
		want6 = countByte(address, '[') > 0
	}
	if want6 {
		return l.first(func(a Addr) bool { return !isIPv4(a) })
	}
	return l.first(isIPv4)
}

func countByte(s string, c byte) (n int) {
	for i := range len(s) {
		if s[i] == c {
			n++
		}
	}
	return n
}

// endpoints resolves an address of the form that the network takes; at least one if there is no error.
func (r *Resolver) endpoints(ctx context.Context, network, address string) (addrList, error) {
	var host string
	port := 0
	kind := network[:2]
	if kind == "ip" {
		host = address
		if host == "" {
			return addrList{&IPAddr{}}, nil
		}
	} else if address != "" {
		var service string
		var err error
		if host, service, err = SplitHostPort(address); err != nil {
			return nil, err
		}
		if port, err = r.LookupPort(ctx, network, service); err != nil {
			return nil, err
		}
	}
	make := func(ip IPAddr) Addr {
		switch kind {
		case "tc":
			return &TCPAddr{ip.IP, port, ip.Zone}
		case "ud":
			return &UDPAddr{ip.IP, port, ip.Zone}
		}
		return &IPAddr{ip.IP, ip.Zone}
	}
	if host == "" {
		return addrList{make(IPAddr{})}, nil
	}
	ips, err := r.addresses(ctx, network, host)
	if err != nil {
		return nil, err
	}
	// :: without brackets as a host means both kinds when listening, as 0.0.0.0 does.
	if len(ips) == 1 && ips[0].IP.Equal(IPv6unspecified) && ips[0].IP.To4() == nil {
		ips = append(ips, IPAddr{IP: IPv4zero})
	}
	var list addrList
	for _, ip := range ips {
		is4 := ip.IP.To4() != nil
		switch network[len(network)-1] {
		case '4':
			if !is4 {
				continue
			}
		case '6':
			if is4 {
				continue
			}
		}
		list = append(list, make(ip))
	}
	if len(list) == 0 {
		return nil, &AddrError{Err: errNoSuitableAddress.Error(), Addr: host}
	}
	return list, nil
}
