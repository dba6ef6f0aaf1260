package net

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"syscall"
)

// Addresses of each kind of socket, how the kernel lays them out, and the networks' names. TCPAddr
// and UDPAddr have the same fields as place, which does the work for both.

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

func (a *IPAddr) Network() string   { return "ip" }
func (a *TCPAddr) Network() string  { return "tcp" }
func (a *UDPAddr) Network() string  { return "udp" }
func (a *UnixAddr) Network() string { return a.Net }

func (a *TCPAddr) String() string { return (*place)(a).text() }
func (a *UDPAddr) String() string { return (*place)(a).text() }

func (a *IPAddr) String() string {
	if a == nil {
		return "<nil>"
	}
	p := place{IP: a.IP, Zone: a.Zone}
	return p.host()
}

func (a *UnixAddr) String() string {
	if a != nil {
		return a.Name
	}
	return "<nil>"
}

// A sockaddr is what sockets need of an address. Each kind answers for nil pointers too.
type sockaddr interface {
	Addr
	// missing tells whether there is no address at all.
	missing() bool
	// any tells whether the address names no host.
	any() bool
	// family is the kernel's.
	family() int
	// encode lays the address out for a socket of the family.
	encode(family int) ([]byte, error)
}

// absent tells whether there is no address, also not a typed nil.
func absent(a sockaddr) bool { return a == nil || a.missing() }

// orNil makes an interface that is nil if the address is.
func orNil(a sockaddr) Addr {
	if absent(a) {
		return nil
	}
	return a
}

func (a *TCPAddr) missing() bool                     { return a == nil }
func (a *TCPAddr) any() bool                         { return (*place)(a).anywhere() }
func (a *TCPAddr) family() int                       { return (*place)(a).kernelFamily() }
func (a *TCPAddr) encode(family int) ([]byte, error) { return (*place)(a).layOut(family) }

func (a *UDPAddr) missing() bool                     { return a == nil }
func (a *UDPAddr) any() bool                         { return (*place)(a).anywhere() }
func (a *UDPAddr) family() int                       { return (*place)(a).kernelFamily() }
func (a *UDPAddr) encode(family int) ([]byte, error) { return (*place)(a).layOut(family) }

func (a *UnixAddr) missing() bool { return a == nil }
func (a *UnixAddr) any() bool     { return a == nil || a.Name == "" }
func (a *UnixAddr) family() int   { return syscall.AF_UNIX }

func (a *UnixAddr) encode(int) ([]byte, error) {
	if a == nil {
		return nil, nil
	}
	const room = 108 // with the zero at the end, which an abstract name does not have
	isAbstract := strings.HasPrefix(a.Name, "@")
	raw := append([]byte{syscall.AF_UNIX, 0}, a.Name...)
	if isAbstract {
		raw[2] = 0
	} else if a.Name != "" {
		raw = append(raw, 0)
	}
	if len(raw) > 2+room {
		return nil, syscall.EINVAL
	}
	return raw, nil
}

// unixName reads what encode writes. The zero before an abstract name is shown as @, and so is no
// name at all.
func unixName(raw []byte) string {
	if len(raw) < 3 {
		return "@"
	}
	mark, name := "", raw[2:]
	if name[0] == 0 {
		mark, name = "@", name[1:]
	}
	name, _, _ = bytes.Cut(name, []byte{0})
	return mark + string(name)
}

// A place is a host and a port on it. A nil one is no place.
type place struct {
	IP   IP
	Port int
	Zone string
}

func (p *place) host() string {
	text := ""
	if len(p.IP) > 0 {
		text = p.IP.String()
	}
	if p.Zone != "" {
		text += "%" + p.Zone
	}
	return text
}

func (p *place) text() string {
	if p == nil {
		return "<nil>"
	}
	return JoinHostPort(p.host(), strconv.Itoa(p.Port))
}

func (p *place) anywhere() bool { return p == nil || p.IP == nil || p.IP.IsUnspecified() }

func (p *place) kernelFamily() int {
	if p == nil || len(p.IP) <= IPv4len || p.IP.To4() != nil {
		return syscall.AF_INET
	}
	return syscall.AF_INET6
}

// A form is how the kernel lays out the addresses of a family: after the family and the port, which
// are two bytes each, the host's number stands at some offset.
type form struct {
	family, size, host int
	fit                func(IP) IP // gives the number the form's length
	misfit             string
}

var forms = [...]form{
	{syscall.AF_INET, 16, 4, IP.To4, "non-IPv4 address"},
	{syscall.AF_INET6, 28, 8, IP.To16, "non-IPv6 address"},
}

const zoneAt = 24 // in an address of IPv6

// layOut gives the place as the kernel takes it; a port that does not fit is EINVAL.
func (p *place) layOut(family int) ([]byte, error) {
	if p == nil {
		return nil, nil
	}
	for i := range forms {
		f := &forms[i]
		if f.family != family {
			continue
		}
		raw := make([]byte, f.size)
		raw[0], raw[2], raw[3] = byte(family), byte(p.Port>>8), byte(p.Port)
		// An IPv6 socket's 0.0.0.0 is its ::, which hears IPv4 as well.
		if len(p.IP) > 0 && !p.IP.Equal(IPv4zero) {
			number := f.fit(p.IP)
			if number == nil {
				return nil, &AddrError{f.misfit, p.IP.String()}
			}
			copy(raw[f.host:], number)
		}
		if p.Port != int(uint16(p.Port)) {
			return nil, syscall.EINVAL
		}
		if f.size > zoneAt {
			putNative(raw[zoneAt:], zoneIndex(p.Zone))
		}
		return raw, nil
	}
	return nil, &AddrError{"invalid address family", p.IP.String()}
}

// placeOf reads what layOut writes; of other things it makes the zero place.
func placeOf(raw []byte) (p place) {
	for _, f := range forms {
		if len(raw) < f.size || int(raw[0]) != f.family {
			continue
		}
		width := len(f.fit(IPv4zero))
		p.IP = bytes.Clone(raw[f.host : f.host+width])
		p.Port = int(raw[2])<<8 | int(raw[3])
		if f.size > zoneAt {
			p.Zone = zoneName(native(raw[zoneAt:]))
		}
	}
	return p
}

// native and putNative are for the kernel's numbers of 32 bits.
func native(b []byte) int {
	n := 0
	for i := range 4 {
		n |= int(b[i]) << (8 * i)
	}
	return n
}

func putNative(b []byte, n int) {
	for i := range 4 {
		b[i] = byte(n >> (8 * i))
	}
}

// addressIn makes an address of what the kernel gave for a socket of the network, if anything.
func addressIn(network string, raw []byte) Addr {
	t := transportOf(network)
	if len(raw) == 0 || t == nil {
		return nil
	}
	if t.kind == "unix" {
		return &UnixAddr{unixName(raw), network}
	}
	return t.at(placeOf(raw))
}

// ---- Networks.

// A transport is what a network's name says: its kind, the kind of its sockets, the version of IP
// that it is limited to, if it is, and the protocol of sockets.
type transport struct {
	kind     string
	socket   int
	version  byte // '4', '6', or 0
	protocol int
}

var transports = [...]struct {
	network string
	transport
}{
	{"tcp", transport{"tcp", syscall.SOCK_STREAM, 0, 0}},
	{"udp", transport{"udp", syscall.SOCK_DGRAM, 0, 0}},
	{"unix", transport{"unix", syscall.SOCK_STREAM, 0, 0}},
	{"tcp4", transport{"tcp", syscall.SOCK_STREAM, '4', 0}},
	{"tcp6", transport{"tcp", syscall.SOCK_STREAM, '6', 0}},
	{"udp4", transport{"udp", syscall.SOCK_DGRAM, '4', 0}},
	{"udp6", transport{"udp", syscall.SOCK_DGRAM, '6', 0}},
	{"unixgram", transport{"unix", syscall.SOCK_DGRAM, 0, 0}},
	{"unixpacket", transport{"unix", syscall.SOCK_SEQPACKET, 0, 0}},
	{"ip", transport{"ip", syscall.SOCK_RAW, 0, noProtocol}},
	{"ip4", transport{"ip", syscall.SOCK_RAW, '4', noProtocol}},
	{"ip6", transport{"ip", syscall.SOCK_RAW, '6', noProtocol}},
}

// transportOf is nil for names that are none.
func transportOf(network string) *transport {
	for i := range transports {
		if transports[i].network == network {
			return &transports[i].transport
		}
	}
	return nil
}

// at is an address of the transport's kind.
func (t *transport) at(p place) Addr {
	switch t.kind {
	case "tcp":
		return (*TCPAddr)(&p)
	case "udp":
		return (*UDPAddr)(&p)
	}
	return &IPAddr{p.IP, p.Zone}
}

// takes tells whether the transport's version of IP is the number's.
func (t *transport) takes(ip IP) bool {
	return t.version == 0 || (t.version == '4') == (ip.To4() != nil)
}

// ---- Resolving.

func ResolveIPAddr(network, address string) (*IPAddr, error) {
	a, err := resolved("ip", network, address)
	ip, _ := a.(*IPAddr)
	return ip, err
}

func ResolveTCPAddr(network, address string) (*TCPAddr, error) {
	a, err := resolved("tcp", network, address)
	tcp, _ := a.(*TCPAddr)
	return tcp, err
}

func ResolveUDPAddr(network, address string) (*UDPAddr, error) {
	a, err := resolved("udp", network, address)
	udp, _ := a.(*UDPAddr)
	return udp, err
}

func ResolveUnixAddr(network, address string) (*UnixAddr, error) {
	if t := transportOf(network); t == nil || t.kind != "unix" {
		return nil, UnknownNetworkError(network)
	}
	return &UnixAddr{address, network}, nil
}

// resolved finds an address by names, in a network of one kind: of IPv4, if any is, unless the
// address was written like one of IPv6.
func resolved(kind, network, address string) (Addr, error) {
	if network == "" {
		network = kind
	}
	_, t, err := networkOf(network)
	if err == nil && t.kind != kind {
		err = UnknownNetworkError(network)
	}
	if err != nil {
		return nil, err
	}
	list, err := DefaultResolver.endpoints(background, network, address)
	if err != nil {
		return nil, err
	}
	sign := "["
	if kind == "ip" {
		sign = ":"
	}
	return list.first(t.version != 0 || !strings.Contains(address, sign)), nil
}

// candidates are the addresses that a name stands for, the best first.
type candidates []Addr

// is4 tells whether an address is one of IPv4.
func is4(a Addr) bool {
	switch a := a.(type) {
	case *IPAddr:
		return a.IP.To4() != nil
	case *TCPAddr:
		return a.IP.To4() != nil
	case *UDPAddr:
		return a.IP.To4() != nil
	}
	return false
}

// first is the first address of IPv4, or of others, if there is such a one; else the first of all.
func (l candidates) first(of4 bool) Addr {
	for _, a := range l {
		if is4(a) == of4 {
			return a
		}
	}
	return l[0]
}

// endpoints resolves an address of the form that the network takes; at least one if there is no error.
func (r *Resolver) endpoints(ctx context.Context, network, address string) (candidates, error) {
	network, t, err := networkOf(network)
	if err != nil {
		return nil, err
	}
	host, port := address, 0
	if t.kind != "ip" && address != "" {
		var service string
		if host, service, err = SplitHostPort(address); err == nil {
			port, err = r.LookupPort(ctx, network, service)
		}
		if err != nil {
			return nil, err
		}
	}
	if host == "" {
		return candidates{t.at(place{Port: port})}, nil
	}
	hosts, err := r.addresses(ctx, network, host)
	if err != nil {
		return nil, err
	}
	// :: as a host means both versions when listening, as 0.0.0.0 does.
	if len(hosts) == 1 && hosts[0].IP.Equal(IPv6unspecified) {
		hosts = append(hosts, IPAddr{IP: IPv4zero})
	}
	var list candidates
	for _, h := range hosts {
		if t.takes(h.IP) {
			list = append(list, t.at(place{h.IP, port, h.Zone}))
		}
	}
	if list == nil {
		return nil, &AddrError{noneSuitable.Error(), host}
	}
	return list, nil
}
