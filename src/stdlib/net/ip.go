package net

import (
	"bytes"
	"math/bits"
	"net/netip"
	"strconv"
	"strings"
)

// IP addresses, masks and networks; hardware addresses.

const (
	IPv4len = 4
	IPv6len = 16
)

type (
	IP     []byte
	IPMask []byte
	IPNet  struct {
		IP   IP
		Mask IPMask
	}
)

var mappedPrefix = []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}

func IPv4(a, b, c, d byte) IP {
	return IP{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d}
}

func IPv4Mask(a, b, c, d byte) IPMask { return IPMask{a, b, c, d} }

func CIDRMask(ones, bits int) IPMask {
	if bits != 8*IPv4len && bits != 8*IPv6len || uint(ones) > uint(bits) {
		return nil
	}
	m := IPMask(bytes.Repeat([]byte{0xff}, bits/8))
	clear(m[(ones+7)/8:])
	if part := ones % 8; part > 0 {
		m[ones/8] <<= 8 - part
	}
	return m
}

var (
	IPv4bcast     = IPv4(255, 255, 255, 255)
	IPv4allsys    = IPv4(224, 0, 0, 1)
	IPv4allrouter = IPv4(224, 0, 0, 2)
	IPv4zero      = IPv4(0, 0, 0, 0)

	IPv6zero                   = IP{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	IPv6unspecified            = IP{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	IPv6loopback               = IP{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}
	IPv6interfacelocalallnodes = IP{0xff, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01}
	IPv6linklocalallnodes      = IP{0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01}
	IPv6linklocalallrouters    = IP{0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02}
)

func (ip IP) To4() IP {
	if len(ip) == IPv6len && bytes.HasPrefix(ip, mappedPrefix) {
		ip = ip[len(mappedPrefix):IPv6len]
	}
	if len(ip) != IPv4len {
		return nil
	}
	return ip
}

func (ip IP) To16() IP {
	switch len(ip) {
	default:
		return nil
	case IPv6len:
		return ip
	case IPv4len:
		return IPv4(ip[0], ip[1], ip[2], ip[3])
	}
}

// Equal has addresses of IPv4 in four bytes and in sixteen be equal.
func (ip IP) Equal(x IP) bool {
	if len(ip) == len(x) {
		return bytes.Equal(ip, x)
	}
	a, b := ip.To4(), x.To4()
	return a != nil && b != nil && bytes.Equal(a, b)
}

func (ip IP) IsUnspecified() bool { return ip.Equal(IPv4zero) || ip.Equal(IPv6unspecified) }

// A block is a set of addresses that have some of their first 32 bits in common.
type block struct{ bits, mask uint32 }

var nothing = block{bits: 1}

// in tells whether the address belongs to the block for its kind.
func (ip IP) in(v4, v6 block) bool {
	of := v4
	number := ip.To4()
	if number == nil {
		number, of = ip, v6
		if len(ip) != IPv6len {
			return false
		}
	}
	first := uint32(0)
	for _, b := range number[:4] {
		first = first<<8 | uint32(b)
	}
	return first&of.mask == of.bits
}

func (ip IP) IsLoopback() bool {
	return ip.in(block{0x7f000000, 0xff000000}, nothing) || ip.Equal(IPv6loopback)
}

func (ip IP) IsPrivate() bool {
	return ip.in(block{0x0a000000, 0xff000000}, block{0xfc000000, 0xfe000000}) ||
		ip.in(block{0xac100000, 0xfff00000}, nothing) ||
		ip.in(block{0xc0a80000, 0xffff0000}, nothing)
}

func (ip IP) IsMulticast() bool {
	return ip.in(block{0xe0000000, 0xf0000000}, block{0xff000000, 0xff000000})
}

func (ip IP) IsInterfaceLocalMulticast() bool {
	return ip.in(nothing, block{0xff010000, 0xff0f0000})
}

func (ip IP) IsLinkLocalMulticast() bool {
	return ip.in(block{0xe0000000, 0xffffff00}, block{0xff020000, 0xff0f0000})
}

func (ip IP) IsLinkLocalUnicast() bool {
	return ip.in(block{0xa9fe0000, 0xffff0000}, block{0xfe800000, 0xffc00000})
}

func (ip IP) IsGlobalUnicast() bool {
	isSpecial := ip.IsUnspecified() || ip.Equal(IPv4bcast) || ip.IsLoopback() ||
		ip.IsLinkLocalUnicast() || ip.IsMulticast()
	return ip.To16() != nil && !isSpecial
}

func (ip IP) DefaultMask() IPMask {
	ip = ip.To4()
	if ip == nil {
		return nil
	}
	// Classes A, B and C have so many bytes for the network.
	size := 1 + min(bits.LeadingZeros8(^ip[0]), 2)
	return CIDRMask(8*size, 8*IPv4len)
}

func (ip IP) Mask(mask IPMask) IP {
	switch {
	case len(mask) == IPv4len:
		if ip4 := ip.To4(); ip4 != nil {
			ip = ip4
		}
	case len(ip) == IPv4len && len(mask) == IPv6len && bytes.Equal(mask[:12], CIDRMask(96, 128)[:12]):
		mask = mask[12:]
	}
	if len(mask) != len(ip) {
		return nil
	}
	masked := bytes.Clone(ip)
	for i, m := range mask {
		masked[i] &= m
	}
	return masked
}

const hexDigits = "0123456789abcdef"

func hexText(b []byte) string { return hexBetween(b, "") }

// hexBetween writes bytes with something between them.
func hexBetween(b []byte, between string) string {
	if len(b) == 0 {
		return ""
	}
	var text []byte
	for _, c := range b {
		text = append(append(text, hexDigits[c>>4], hexDigits[c&0xf]), between...)
	}
	return string(text[:len(text)-len(between)])
}

func (ip IP) String() string {
	a, ok := netip.AddrFromSlice(ip)
	switch {
	case ok:
		return a.Unmap().String()
	case len(ip) == 0:
		return "<nil>"
	}
	return "?" + hexText(ip)
}

// AppendText appends nothing of no address.
func (ip IP) AppendText(b []byte) ([]byte, error) {
	a, ok := netip.AddrFromSlice(ip)
	switch {
	case ok:
		return a.Unmap().AppendTo(b), nil
	case len(ip) == 0:
		return b, nil
	}
	return b, &AddrError{Err: "invalid IP address", Addr: hexText(ip)}
}

func (ip IP) MarshalText() ([]byte, error) { return ip.AppendText([]byte{}) }

func (ip *IP) UnmarshalText(text []byte) error {
	parsed := ParseIP(string(text))
	if parsed == nil && len(text) > 0 {
		return &ParseError{Type: "IP address", Text: string(text)}
	}
	*ip = parsed
	return nil
}

// ones is the number of leading one bits, -1 if others follow the first zero.
func (m IPMask) ones() int {
	n := 0
	for n < len(m) && m[n] == 0xff {
		n++
	}
	rest := m[n:]
	if len(rest) == 0 {
		return 8 * n
	}
	inByte := bits.LeadingZeros8(^rest[0])
	isPlain := rest[0]<<inByte == 0
	for _, b := range rest[1:] {
		isPlain = isPlain && b == 0
	}
	if !isPlain {
		return -1
	}
	return 8*n + inByte
}

func (m IPMask) Size() (ones, bits int) {
	if ones = m.ones(); ones >= 0 {
		return ones, 8 * len(m)
	}
	return 0, 0
}

func (m IPMask) String() string {
	if len(m) > 0 {
		return hexText(m)
	}
	return "<nil>"
}

// short is an address of IPv4 in four bytes; others stay as they are.
func (ip IP) short() IP {
	if ip4 := ip.To4(); ip4 != nil {
		return ip4
	}
	return ip
}

// matching gives address and mask in the same length, nil if they do not fit.
func (n *IPNet) matching() (IP, IPMask) {
	ip, mask := n.IP.short(), n.Mask
	if len(ip) == IPv4len && len(mask) == IPv6len {
		mask = mask[12:]
	}
	if len(ip) == len(mask) && (len(ip) == IPv4len || len(ip) == IPv6len) {
		return ip, mask
	}
	return nil, nil
}

func (n *IPNet) Contains(ip IP) bool {
	net, mask := n.matching()
	ip = ip.short()
	fits := len(ip) == len(net)
	for i := 0; fits && i < len(ip); i++ {
		fits = (ip[i]^net[i])&mask[i] == 0
	}
	return fits
}

func (n *IPNet) Network() string { return "ip+net" }

func (n *IPNet) String() string {
	if n != nil {
		if ip, mask := n.matching(); ip != nil {
			size := mask.String()
			if ones := mask.ones(); ones >= 0 {
				size = strconv.Itoa(ones)
			}
			return ip.String() + "/" + size
		}
	}
	return "<nil>"
}

// decimal reads a number without sign at the start of s; how many digits it has, or false if none or too large.
func decimal(s string) (n, width int, ok bool) {
	const tooLarge = 0xffffff
	width = len(s) - len(strings.TrimLeft(s, "0123456789"))
	if width > 0 {
		n, _ = strconv.Atoi(s[:width])
	}
	return min(n, tooLarge), width, width > 0 && n < tooLarge
}

// ParseIP is nil for what is no address, or has a zone.
func ParseIP(s string) IP {
	a, err := netip.ParseAddr(s)
	if err != nil || a.Zone() != "" {
		return nil
	}
	number := a.As16()
	return number[:]
}

// parseZoned reads an address that may have a zone.
func parseZoned(s string) (IP, string) {
	host, zone, zoned := strings.Cut(s, "%")
	if zoned && (zone == "" || !strings.Contains(host, ":")) {
		return nil, ""
	}
	return ParseIP(host), zone
}

func ParseCIDR(s string) (IP, *IPNet, error) {
	host, size, _ := strings.Cut(s, "/")
	bits := 8 * IPv4len
	if strings.Contains(host, ":") {
		bits = 8 * IPv6len
	}
	ones, width, ok := decimal(size)
	if ip := ParseIP(host); ip != nil && ok && width == len(size) && ones <= bits {
		mask := CIDRMask(ones, bits)
		return ip, &IPNet{ip.Mask(mask), mask}, nil
	}
	return nil, nil, &ParseError{"CIDR address", s}
}

type HardwareAddr []byte

func (a HardwareAddr) String() string { return hexBetween(a, ":") }

func ParseMAC(s string) (hw HardwareAddr, err error) {
	wrong := func() (HardwareAddr, error) { return nil, &AddrError{Err: "invalid MAC address", Addr: s} }
	if len(s) < 12 {
		return wrong()
	}
	// Groups of two or four characters, or all of them without separators.
	parts, group := []string{s}, len(s)&^1
	if s[2] == ':' || s[2] == '-' {
		parts, group = strings.Split(s, s[2:3]), 2
	} else if s[4] == '.' {
		parts, group = strings.Split(s, "."), 4
	}
	for _, part := range parts {
		if len(part) != group {
			return wrong()
		}
		for ; part != ""; part = part[2:] {
			b, err := strconv.ParseUint(part[:2], 16, 8)
			if err != nil || part[0] == '+' || part[0] == '_' {
				return wrong()
			}
			hw = append(hw, byte(b))
		}
	}
	if n := len(hw); n != 6 && n != 8 && n != 20 {
		return wrong()
	}
	return hw, nil
}
