package net

import (
	"bytes"
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
	if bits != 8*IPv4len && bits != 8*IPv6len || ones < 0 || ones > bits {
		return nil
	}
	m := make(IPMask, bits/8)
	for i := range ones {
		m[i/8] |= 0x80 >> (i % 8)
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
	switch {
	case len(ip) == IPv4len:
		return ip
	case len(ip) == IPv6len && bytes.Equal(ip[:12], mappedPrefix):
		return ip[12:16]
	}
	return nil
}

func (ip IP) To16() IP {
	switch len(ip) {
	case IPv4len:
		return IPv4(ip[0], ip[1], ip[2], ip[3])
	case IPv6len:
		return ip
	}
	return nil
}

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
	if len(ip) != IPv4len && len(ip) != IPv6len {
		return false
	}
	of := v6
	if ip4 := ip.To4(); ip4 != nil {
		ip, of = ip4, v4
	}
	first := uint32(ip[0])<<24 | uint32(ip[1])<<16 | uint32(ip[2])<<8 | uint32(ip[3])
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
	return (len(ip) == IPv4len || len(ip) == IPv6len) && !ip.Equal(IPv4bcast) && !ip.IsUnspecified() && !ip.IsLoopback() &&
		!ip.IsMulticast() && !ip.IsLinkLocalUnicast()
}

func (ip IP) DefaultMask() IPMask {
	ip = ip.To4()
	switch {
	case ip == nil:
		return nil
	case ip[0] < 0x80:
		return IPv4Mask(255, 0, 0, 0)
	case ip[0] < 0xc0:
		return IPv4Mask(255, 255, 0, 0)
	}
	return IPv4Mask(255, 255, 255, 0)
}

func (ip IP) Mask(mask IPMask) IP {
	if len(mask) == IPv6len && len(ip) == IPv4len && bytes.Count(mask[:12], []byte{0xff}) == 12 {
		mask = mask[12:]
	}
	if len(mask) == IPv4len && ip.To4() != nil {
		ip = ip.To4()
	}
	if len(ip) != len(mask) {
		return nil
	}
	out := make(IP, len(ip))
	for i := range ip {
		out[i] = ip[i] & mask[i]
	}
	return out
}

const hexDigits = "0123456789abcdef"

func hexText(b []byte) string {
	var out []byte
	for _, c := range b {
		out = append(out, hexDigits[c>>4], hexDigits[c&15])
	}
	return string(out)
}

func (ip IP) String() string {
	switch len(ip) {
	case 0:
		return "<nil>"
	case IPv4len, IPv6len:
		return string(ip.text(nil))
	}
	return "?" + hexText(ip)
}

// text appends the address, of 4 or 16 bytes.
func (ip IP) text(b []byte) []byte {
	if ip4 := ip.To4(); ip4 != nil {
		for i, c := range ip4 {
			if i > 0 {
				b = append(b, '.')
			}
			b = strconv.AppendUint(b, uint64(c), 10)
		}
		return b
	}
	// The longest run of two or more zero groups becomes ::.
	zeroFrom, zeroTo := -1, -1
	for i := 0; i < 16; i += 2 {
		j := i
		for j < 16 && ip[j] == 0 && ip[j+1] == 0 {
			j += 2
		}
		if j > i+2 && j-i > zeroTo-zeroFrom {
			zeroFrom, zeroTo = i, j
		}
	}
	for i := 0; i < 16; i += 2 {
		if i == zeroFrom {
			b = append(b, ':', ':')
			i = zeroTo
			if i >= 16 {
				break
			}
		} else if i > 0 {
			b = append(b, ':')
		}
		b = strconv.AppendUint(b, uint64(ip[i])<<8|uint64(ip[i+1]), 16)
	}
	return b
}

func (ip IP) AppendText(b []byte) ([]byte, error) {
	switch len(ip) {
	case 0:
		return b, nil
	case IPv4len, IPv6len:
		return ip.text(b), nil
	}
	return b, &AddrError{Err: "invalid IP address", Addr: hexText(ip)}
}

func (ip IP) MarshalText() ([]byte, error) { return ip.AppendText([]byte{}) }

func (ip *IP) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*ip = nil
		return nil
	}
	parsed := ParseIP(string(text))
	if parsed == nil {
		return &ParseError{Type: "IP address", Text: string(text)}
	}
	*ip = parsed
	return nil
}

func ipText(ip IP) string {
	if len(ip) == 0 {
		return ""
	}
	return ip.String()
}

func copyIP(ip IP) IP { return append(IP(nil), ip...) }

// ones is the number of leading one bits, -1 if others follow the first zero.
func (m IPMask) ones() int {
	n, ended := 0, false
	for _, b := range m {
		for bit := byte(0x80); bit != 0; bit >>= 1 {
			switch {
			case b&bit == 0:
				ended = true
			case ended:
				return -1
			default:
				n++
			}
		}
	}
	return n
}

func (m IPMask) Size() (ones, bits int) {
	ones = m.ones()
	if ones < 0 {
		return 0, 0
	}
	return ones, 8 * len(m)
}

func (m IPMask) String() string {
	if len(m) == 0 {
		return "<nil>"
	}
	return hexText(m)
}

// matching gives address and mask in the same length, nil if they do not fit.
func (n *IPNet) matching() (IP, IPMask) {
	ip := n.IP.To4()
	if ip == nil {
		ip = n.IP
	}
	mask := n.Mask
	if len(mask) == IPv6len && len(ip) == IPv4len {
		mask = mask[12:]
	}
	if len(ip) != len(mask) || len(ip) != IPv4len && len(ip) != IPv6len {
		return nil, nil
	}
	return ip, mask
}

func (n *IPNet) Contains(ip IP) bool {
	net, mask := n.matching()
	if ip4 := ip.To4(); ip4 != nil {
		ip = ip4
	}
	if len(ip) != len(net) {
		return false
	}
	differs := byte(0)
	for i := range ip {
		differs |= (ip[i] ^ net[i]) & mask[i]
	}
	return differs == 0
}

func (n *IPNet) Network() string { return "ip+net" }

func (n *IPNet) String() string {
	if n == nil {
		return "<nil>"
	}
	ip, mask := n.matching()
	if ip == nil {
		return "<nil>"
	}
	if ones := mask.ones(); ones >= 0 {
		return ip.String() + "/" + strconv.Itoa(ones)
	}
	return ip.String() + "/" + mask.String()
}

// decimal reads a number without sign at the start of s; how many digits it has, or false if none or too large.
func decimal(s string) (n, width int, ok bool) {
	for width < len(s) && '0' <= s[width] && s[width] <= '9' {
		n = n*10 + int(s[width]-'0')
		if n >= 0xffffff {
			return 0xffffff, width, false
		}
		width++
	}
	return n, width, width > 0
}

func parse4(s string) IP {
	var ip [IPv4len]byte
	parts := strings.Split(s, ".")
	if len(parts) != IPv4len {
		return nil
	}
	for i, part := range parts {
		n, width, ok := decimal(part)
		if !ok || width != len(part) || n > 255 || width > 1 && part[0] == '0' {
			return nil
		}
		ip[i] = byte(n)
	}
	return IPv4(ip[0], ip[1], ip[2], ip[3])
}

func parse6(s string) IP {
	ip := make(IP, IPv6len)
	gap := -1 // where :: stands
	at := 0
	if strings.HasPrefix(s, "::") {
		gap = 0
		s = s[2:]
		if s == "" {
			return ip
		}
	}
	for at < IPv6len {
		n, width := 0, 0
		for width < len(s) {
			d := strings.IndexByte(hexDigits, s[width]|0x20)
			if s[width] >= '0' && s[width] <= '9' {
				d = int(s[width] - '0')
			} else if d < 10 {
				break
			}
			n = n<<4 | d
			width++
			if n > 0xffff || width > 4 {
				return nil
			}
		}
		if width == 0 {
			return nil
		}
		if width < len(s) && s[width] == '.' {
			// An IPv4 address takes the last two groups.
			tail := parse4(s)
			if tail == nil || gap < 0 && at != 12 || at+4 > IPv6len {
				return nil
			}
			copy(ip[at:], tail[12:])
			at += 4
			s = ""
			break
		}
		ip[at], ip[at+1] = byte(n>>8), byte(n)
		at += 2
		s = s[width:]
		if s == "" {
			break
		}
		if s[0] != ':' || len(s) == 1 {
			return nil
		}
		s = s[1:]
		if s[0] == ':' {
			if gap >= 0 {
				return nil
			}
			gap = at
			s = s[1:]
			if s == "" {
				break
			}
		}
	}
	if s != "" {
		return nil
	}
	if at < IPv6len {
		if gap < 0 {
			return nil
		}
		shift := IPv6len - at
		copy(ip[gap+shift:], ip[gap:at])
		clear(ip[gap : gap+shift])
	} else if gap >= 0 {
		return nil
	}
	return ip
}

func ParseIP(s string) IP {
	for i := range len(s) {
		switch s[i] {
		case '.':
			return parse4(s)
		case ':':
			return parse6(s)
		}
	}
	return nil
}

// parseZoned reads an address that may have a zone.
func parseZoned(s string) (IP, string) {
	host, zone := s, ""
	if i := strings.IndexByte(s, '%'); i >= 0 {
		host, zone = s[:i], s[i+1:]
		if zone == "" || strings.IndexByte(host, ':') < 0 {
			return nil, ""
		}
	}
	return ParseIP(host), zone
}

func ParseCIDR(s string) (IP, *IPNet, error) {
	address, size, found := strings.Cut(s, "/")
	ip := ParseIP(address)
	bits := 8 * IPv6len
	if strings.IndexByte(address, ':') < 0 {
		bits = 8 * IPv4len
	}
	n, width, ok := decimal(size)
	if !found || ip == nil || !ok || width != len(size) || n > bits {
		return nil, nil, &ParseError{Type: "CIDR address", Text: s}
	}
	mask := CIDRMask(n, bits)
	return ip, &IPNet{IP: ip.Mask(mask), Mask: mask}, nil
}

type HardwareAddr []byte

func (a HardwareAddr) String() string {
	var out []byte
	for i, b := range a {
		if i > 0 {
			out = append(out, ':')
		}
		out = append(out, hexDigits[b>>4], hexDigits[b&15])
	}
	return string(out)
}

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
