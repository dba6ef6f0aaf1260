// Package netip: addresses of hosts as values that can be compared.
//
// An address is a number of 128 bits in two halves, a zone, and its kind; one of IPv4 has the number
// of the address of IPv6 that stands for it. So questions are about the first bits of a number,
// networks are masks, and text is made of groups. Binary forms are the address and what follows.
package netip

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math/bits"
	"strconv"
	"strings"
	"unsafe"
)

// What an Addr is.
type kind uint8

const (
	none kind = iota
	v4
	v6
)

// Addr is an address. One of IPv4 has the number of the one of IPv6 that stands for it.
type Addr struct {
	hi, lo uint64
	zone   string
	kind   kind
}

// mapped is what the lower half of IPv6 addresses that stand for one of IPv4 has on top.
const mapped = 0xffff << 32

func IPv6LinkLocalAllNodes() Addr   { return Addr{hi: 0xff02 << 48, lo: 1, kind: v6} }
func IPv6LinkLocalAllRouters() Addr { return Addr{hi: 0xff02 << 48, lo: 2, kind: v6} }
func IPv6Loopback() Addr            { return Addr{lo: 1, kind: v6} }
func IPv6Unspecified() Addr         { return Addr{kind: v6} }
func IPv4Unspecified() Addr         { return Addr{lo: mapped, kind: v4} }

func AddrFromSlice(slice []byte) (ip Addr, ok bool) {
	if n := len(slice); n == 16 {
		return AddrFrom16([16]byte(slice)), true
	} else if n == 4 {
		return AddrFrom4([4]byte(slice)), true
	}
	return ip, false
}

func AddrFrom16(addr [16]byte) (ip Addr) {
	ip.kind = v6
	ip.hi = binary.BigEndian.Uint64(addr[:])
	ip.lo = binary.BigEndian.Uint64(addr[8:])
	return ip
}

func AddrFrom4(addr [4]byte) Addr { return of4(uint64(binary.BigEndian.Uint32(addr[:]))) }

// of4 is the address of IPv4 with this number.
func of4(n uint64) Addr { return Addr{lo: mapped | n, kind: v4} }

// Parsing:

type parseAddrError struct{ in, msg, at string }

func (err parseAddrError) Error() string {
	s := "ParseAddr(" + strconv.Quote(err.in) + "): " + err.msg
	if err.at != "" {
		s += " (at " + strconv.Quote(err.at) + ")"
	}
	return s
}

func ParseAddr(s string) (Addr, error) {
	at := 0
	for at < len(s) && s[at] != '.' && s[at] != ':' && s[at] != '%' {
		at++
	}
	wrong := parseAddrError{in: s, msg: "unable to parse IP"}
	switch {
	case at == len(s):
	case s[at] == ':':
		return parse6(s)
	case s[at] == '%':
		wrong.msg = "missing IPv6 address"
	default:
		n, err := parse4(s, s)
		if err == nil {
			return of4(n), nil
		}
		return Addr{}, err
	}
	return Addr{}, wrong
}

// parse4 reads the part s of whole: four numbers, each of which follows those before in the result.
func parse4(whole, s string) (all uint64, err error) {
	fail := func(msg, at string) (uint64, error) { return 0, parseAddrError{whole, msg, at} }
	for i, field := 0, 0; ; i, field = i+1, field+1 {
		start, n := i, uint64(0)
		for ; i < len(s) && s[i]-'0' <= 9; i++ {
			if i > start && n == 0 {
				return fail("IPv4 field has octet with leading zero", "")
			}
			if n = n*10 + uint64(s[i]-'0'); n > 255 {
				return fail("IPv4 field has value >255", "")
			}
		}
		all = all<<8 | n
		switch {
		case i == len(s) && field == 3:
			return all, nil
		case i == len(s):
			return fail("IPv4 address too short", "")
		case s[i] != '.':
			return fail("unexpected character", s[i:])
		case i == start || i == len(s)-1:
			return fail("IPv4 field must have at least one digit", s[i:])
		case field == 3:
			return fail("IPv4 address too long", "")
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

func parse6(whole string) (Addr, error) {
	fail := func(msg, at string) (Addr, error) { return Addr{}, parseAddrError{whole, msg, at} }
	s, zone, hasZone := strings.Cut(whole, "%")
	if hasZone && zone == "" {
		return fail("zone must be a non-empty string", "")
	}
	var b [16]byte
	n := 0
	gap := -1 // where the zeros go that :: stands for
	if rest, ok := strings.CutPrefix(s, "::"); ok {
		if gap, s = 0, rest; s == "" {
			return IPv6Unspecified().WithZone(zone), nil
		}
	}
	for n < 16 {
		i, value := 0, 0
		for ; i < len(s) && hexDigit(s[i]) >= 0; i++ {
			if i > 3 {
				return fail("each group must have 4 or less digits", s)
			}
			value = value<<4 + hexDigit(s[i])
		}
		if i == 0 {
			return fail("each colon-separated field must have at least one digit", s)
		}
		if i < len(s) && s[i] == '.' {
			if gap < 0 && n != 12 {
				return fail("embedded IPv4 address must replace the final 2 fields of the address", s)
			}
			if n > 12 {
				return fail(
					"too many hex fields to fit an embedded IPv4 at the end of the address", s)
			}
			number, err := parse4(whole, s)
			if err != nil {
				return Addr{}, err
			}
			binary.BigEndian.PutUint32(b[n:], uint32(number))
			n += 4
			s = ""
			break
		}
		b[n], b[n+1] = byte(value>>8), byte(value)
		n += 2
		if s = s[i:]; s == "" {
			break
		}
		if s[0] != ':' {
			return fail("unexpected character, want colon", s)
		}
		if len(s) == 1 {
			return fail("colon must be followed by more characters", s)
		}
		if s = s[1:]; s[0] == ':' {
			if gap >= 0 {
				return fail("multiple :: in address", s)
			}
			gap = n
			if s = s[1:]; s == "" {
				break
			}
		}
	}
	switch {
	case s != "":
		return fail("trailing garbage after address", s)
	case n == 16 && gap >= 0:
		return fail("the :: must expand to at least one field of zeros", "")
	case n < 16 && gap < 0:
		return fail("address string too short", "")
	case n < 16:
		tail := n - gap
		copy(b[16-tail:], b[gap:n])
		clear(b[gap : 16-tail])
	}
	return AddrFrom16(b).WithZone(zone), nil
}

// Questions:

func (ip Addr) IsValid() bool { return ip.kind != none }
func (ip Addr) Is4() bool     { return ip.kind == v4 }
func (ip Addr) Is6() bool     { return ip.kind == v6 }
func (ip Addr) Is4In6() bool  { return ip.kind == v6 && ip.hi == 0 && ip.lo>>32 == 0xffff }
func (ip Addr) Zone() string  { return ip.zone }
func (ip Addr) zoneless() Addr {
	ip.zone = ""
	return ip
}

func (ip Addr) BitLen() int {
	return [...]int{none: 0, v4: 32, v6: 128}[ip.kind]
}

func (ip Addr) Compare(ip2 Addr) int {
	return cmp.Or(
		cmp.Compare(ip.kind, ip2.kind),
		cmp.Compare(ip.hi, ip2.hi),
		cmp.Compare(ip.lo, ip2.lo),
		cmp.Compare(ip.zone, ip2.zone),
	)
}

func (ip Addr) Less(ip2 Addr) bool { return ip.Compare(ip2) < 0 }

func (ip Addr) Unmap() Addr {
	if ip.Is4In6() {
		return Addr{lo: ip.lo, kind: v4}
	}
	return ip
}

func (ip Addr) WithZone(zone string) Addr {
	if ip.kind == v6 {
		ip.zone = zone
	}
	return ip
}

// top is the first n bits of the address.
func (ip Addr) top(n int) uint64 {
	if ip.kind == v4 {
		return uint64(uint32(ip.lo)) >> (32 - n)
	}
	return ip.hi >> (64 - n)
}

// is asks in4 or in6, whichever the address is of, also if it is written as one of the other kind.
func (ip Addr) is(in4, in6 func(Addr) bool) bool {
	switch ip = ip.Unmap(); ip.kind {
	case v4:
		return in4(ip)
	case v6:
		return in6(ip)
	}
	return false
}

func (ip Addr) IsLinkLocalUnicast() bool {
	return ip.is(
		func(ip Addr) bool { return ip.top(16) == 169<<8|254 },
		func(ip Addr) bool { return ip.top(10) == 0xfe80>>6 })
}

func (ip Addr) IsLoopback() bool {
	return ip.is(
		func(ip Addr) bool { return ip.top(8) == 127 },
		func(ip Addr) bool { return ip.hi == 0 && ip.lo == 1 })
}

func (ip Addr) IsMulticast() bool {
	return ip.is(
		func(ip Addr) bool { return ip.top(4) == 0xe },
		func(ip Addr) bool { return ip.top(8) == 0xff })
}

func (ip Addr) IsInterfaceLocalMulticast() bool {
	return ip.Is6() && !ip.Is4In6() && ip.top(16)&0xff0f == 0xff01
}

func (ip Addr) IsLinkLocalMulticast() bool {
	return ip.is(
		func(ip Addr) bool { return ip.top(24) == 224<<16 },
		func(ip Addr) bool { return ip.top(16)&0xff0f == 0xff02 })
}

func (ip Addr) IsPrivate() bool {
	return ip.is(
		func(ip Addr) bool {
			return ip.top(8) == 10 || ip.top(12) == 172<<4|1 || ip.top(16) == 192<<8|168
		},
		func(ip Addr) bool { return ip.top(7) == 0xfc>>1 })
}

func (ip Addr) IsUnspecified() bool {
	return ip == IPv4Unspecified() || ip == IPv6Unspecified()
}

func (ip Addr) IsGlobalUnicast() bool {
	return ip.is(
		func(ip Addr) bool {
			number := uint32(ip.lo)
			return number != 0 && number != 1<<32-1 && ip.top(8) != 127 && ip.top(4) != 0xe &&
				ip.top(16) != 169<<8|254
		},
		func(ip Addr) bool {
			return (ip.hi != 0 || ip.lo > 1) && ip.top(8) != 0xff && ip.top(10) != 0xfe80>>6
		})
}

// isFirst tells whether there is no address before this one.
func (ip Addr) isFirst() bool {
	if ip.kind == v4 {
		return ip.lo == mapped
	}
	return ip.hi|ip.lo == 0
}

func (ip Addr) Next() Addr {
	if ip.lo++; ip.lo == 0 {
		ip.hi++
	}
	if wasLast := ip.hi|ip.lo == 0 || ip.kind == v4 && uint32(ip.lo) == 0; wasLast {
		return Addr{}
	}
	return ip
}

func (ip Addr) Prev() Addr {
	if ip.isFirst() {
		return Addr{}
	}
	if ip.lo == 0 {
		ip.hi--
	}
	ip.lo--
	return ip
}

func (ip Addr) As16() (a16 [16]byte) {
	binary.BigEndian.PutUint64(a16[:8], ip.hi)
	binary.BigEndian.PutUint64(a16[8:], ip.lo)
	return a16
}

func (ip Addr) As4() (a4 [4]byte) {
	switch {
	case !ip.IsValid():
		panic("As4 called on IP zero value")
	case !ip.Unmap().Is4():
		panic("As4 called on IPv6 address")
	}
	binary.BigEndian.PutUint32(a4[:], uint32(ip.lo))
	return a4
}

func (ip Addr) AsSlice() []byte {
	switch ip.kind {
	case v4:
		a := ip.As4()
		return a[:]
	case v6:
		a := ip.As16()
		return a[:]
	}
	return nil
}

// Writing:

const digits = "0123456789abcdef"

func (ip Addr) append4(b []byte) []byte {
	for shift := 24; ; shift -= 8 {
		n := uint8(ip.lo >> shift)
		if n >= 100 {
			b = append(b, digits[n/100])
		}
		if n >= 10 {
			b = append(b, digits[n/10%10])
		}
		b = append(b, digits[n%10])
		if shift == 0 {
			return b
		}
		b = append(b, '.')
	}
}

// group is the i'th part of an address of IPv6.
func (ip Addr) group(i int) uint64 {
	half := ip.hi
	if i >= 4 {
		half = ip.lo
	}
	return half >> (48 - 16*(i%4)) & 0xffff
}

// longestGap is where the first of the longest runs of zeros is, if it has two groups at least.
func (ip Addr) longestGap() (from, to int) {
	zeros := uint8(0) // a bit for each group
	for i := range 8 {
		if ip.group(i) == 0 {
			zeros |= 1 << i
		}
	}
	from, to = 8, 8
	// A bit of runs says that a run of that size begins there.
	for size, runs := 2, zeros&(zeros>>1); runs != 0; size, runs = size+1, runs&(zeros>>size) {
		from = bits.TrailingZeros8(runs)
		to = from + size
	}
	return from, to
}

// append6 writes groups of at least so many digits, but :: for those from one to another.
func (ip Addr) append6(b []byte, least, from, to int) []byte {
	for i := 0; i < 8; i++ {
		if i == from {
			b = append(b, "::"...)
			i = to - 1
			continue
		}
		if i > 0 && i != to {
			b = append(b, ':')
		}
		n := ip.group(i)
		for place := 3; place >= 0; place-- {
			if d := n >> (4 * place); d > 0 || place < least {
				b = append(b, digits[d&15])
			}
		}
	}
	return b
}

func (ip Addr) appendZone(b []byte) []byte {
	if ip.zone == "" {
		return b
	}
	return append(append(b, '%'), ip.zone...)
}

func (ip Addr) AppendTo(b []byte) []byte {
	if ip.kind == v4 {
		return ip.append4(b)
	}
	if ip.kind == none {
		return b
	}
	if ip.Is4In6() {
		b = ip.append4(append(b, "::ffff:"...))
	} else {
		from, to := ip.longestGap()
		b = ip.append6(b, 1, from, to)
	}
	return ip.appendZone(b)
}

// text is bytes that nobody else has, as a string.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func (ip Addr) StringExpanded() string {
	if ip.kind == v6 {
		return text(ip.appendZone(ip.append6(nil, 4, -1, -1)))
	}
	return ip.String()
}

func (ip Addr) String() string {
	if ip.kind == none {
		return "invalid IP"
	}
	return text(ip.AppendTo(make([]byte, 0, 15)))
}

func (ip Addr) AppendText(b []byte) ([]byte, error) { return ip.AppendTo(b), nil }
func (ip Addr) MarshalText() ([]byte, error)        { return ip.AppendTo([]byte{}), nil }

func (ip *Addr) UnmarshalText(text []byte) error { return fromText(ip, text, ParseAddr) }

// fromText stores what parse makes of text, or nothing if that is empty.
func fromText[T any](v *T, text []byte, parse func(string) (T, error)) (err error) {
	var zero T
	*v = zero
	if len(text) > 0 {
		*v, err = parse(string(text))
	}
	return err
}

func (ip Addr) AppendBinary(b []byte) ([]byte, error) {
	return append(append(b, ip.AsSlice()...), ip.zone...), nil
}

func (ip Addr) MarshalBinary() ([]byte, error) { return ip.AppendBinary([]byte{}) }

var errSize = errors.New("unexpected slice size")

// fromBinary reads an address, and what follows it: tail bytes.
func fromBinary(b []byte, tail int) (ip Addr, rest []byte, err error) {
	at := len(b) - tail
	switch {
	case at == 4:
		ip = AddrFrom4([4]byte(b))
	case at >= 16:
		ip = AddrFrom16([16]byte(b)).WithZone(string(b[16:at]))
	case at != 0:
		return ip, nil, errSize
	}
	return ip, b[at:], nil
}

func (ip *Addr) UnmarshalBinary(b []byte) error {
	parsed, _, err := fromBinary(b, 0)
	if err == nil {
		*ip = parsed
	}
	return err
}

// AddrPort is an address and a port.
type AddrPort struct {
	ip   Addr
	port uint16
}

func (p AddrPort) Addr() Addr                    { return p.ip }
func (p AddrPort) Port() uint16                  { return p.port }
func (p AddrPort) IsValid() bool                 { return p.ip.IsValid() }
func AddrPortFrom(ip Addr, port uint16) AddrPort { return AddrPort{ip, port} }
func MustParseAddrPort(s string) AddrPort        { return must(ParseAddrPort(s)) }

func ParseAddrPort(s string) (AddrPort, error) {
	fail := func(msg string) (AddrPort, error) { return AddrPort{}, errors.New(msg) }
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return fail("not an ip:port")
	}
	host, port := s[:i], s[i+1:]
	if host == "" {
		return fail("no IP")
	}
	if port == "" {
		return fail("no port")
	}
	inBrackets := host[0] == '['
	if inBrackets {
		if len(host) < 2 || host[len(host)-1] != ']' {
			return fail("missing ]")
		}
		host = host[1 : len(host)-1]
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return fail("invalid port " + strconv.Quote(port) + " parsing " + strconv.Quote(s))
	}
	ip, err := ParseAddr(host)
	if err != nil {
		return AddrPort{}, err
	}
	head := "invalid ip:port " + strconv.Quote(s) + ", "
	if inBrackets && ip.Is4() {
		return fail(head + "square brackets can only be used with IPv6 addresses")
	}
	if !inBrackets && ip.Is6() {
		return fail(head + "IPv6 addresses must be surrounded by square brackets")
	}
	return AddrPort{ip, uint16(n)}, nil
}

func (p AddrPort) Compare(p2 AddrPort) int {
	return cmp.Or(p.ip.Compare(p2.ip), cmp.Compare(p.port, p2.port))
}

func (p AddrPort) AppendTo(b []byte) []byte {
	if !p.IsValid() {
		return b
	}
	opened, closed := "", ":"
	if p.ip.kind == v6 {
		opened, closed = "[", "]:"
	}
	b = p.ip.AppendTo(append(b, opened...))
	return strconv.AppendUint(append(b, closed...), uint64(p.port), 10)
}

func (p AddrPort) String() string {
	if p.IsValid() {
		return string(p.AppendTo(nil))
	}
	return "invalid AddrPort"
}

func (p *AddrPort) UnmarshalText(text []byte) error    { return fromText(p, text, ParseAddrPort) }
func (p AddrPort) AppendText(b []byte) ([]byte, error) { return p.AppendTo(b), nil }
func (p AddrPort) MarshalText() ([]byte, error)        { return p.AppendTo([]byte{}), nil }

func (p AddrPort) AppendBinary(b []byte) ([]byte, error) {
	b, _ = p.ip.AppendBinary(b)
	return binary.LittleEndian.AppendUint16(b, p.port), nil
}

func (p *AddrPort) UnmarshalBinary(b []byte) error {
	ip, port, err := fromBinary(b, 2)
	if err == nil {
		*p = AddrPort{ip, binary.LittleEndian.Uint16(port)}
	}
	return err
}

func (p AddrPort) MarshalBinary() ([]byte, error) { return p.AppendBinary([]byte{}) }

// Prefix is the addresses that begin with the first bits of one.
type Prefix struct {
	ip          Addr
	bitsPlusOne uint8
}

func PrefixFrom(ip Addr, bits int) Prefix {
	p := Prefix{ip: ip.zoneless()}
	if ip.IsValid() && bits >= 0 && bits <= ip.BitLen() {
		p.bitsPlusOne = uint8(bits) + 1
	}
	return p
}

func (p Prefix) Addr() Addr       { return p.ip }
func (p Prefix) Bits() int        { return int(p.bitsPlusOne) - 1 }
func (p Prefix) IsValid() bool    { return p.bitsPlusOne != 0 }
func (p Prefix) IsSingleIP() bool { return p.IsValid() && p.ip.BitLen() == p.Bits() }

func (ip Addr) Prefix(b int) (Prefix, error) {
	switch {
	case b < 0:
		return Prefix{}, errors.New("negative Prefix bits")
	case !ip.IsValid():
		return Prefix{}, nil
	}
	if b > ip.BitLen() {
		name := "IPv6"
		if ip.Is4() {
			name = "IPv4"
		}
		return Prefix{}, errors.New("prefix length " + strconv.Itoa(b) + " too large for " + name)
	}
	drop := ip.BitLen() - b
	ip.lo &= ^uint64(0) << drop
	ip.hi &= ^uint64(0) << max(0, drop-64)
	return PrefixFrom(ip, b), nil
}

func ParsePrefix(s string) (Prefix, error) {
	fail := func(msg string) (Prefix, error) { return Prefix{}, parsePrefixError{s, msg} }
	i := strings.LastIndexByte(s, '/')
	if i < 0 {
		return fail("no '/'")
	}
	ip, err := ParseAddr(s[:i])
	if err != nil {
		return fail(err.Error())
	}
	if ip.zone != "" {
		return fail("IPv6 zones cannot be present in a prefix")
	}
	text := s[i+1:]
	n, err := strconv.Atoi(text)
	if err != nil || len(text) > 1 && (text[0] < '1' || text[0] > '9') {
		return fail("bad bits after slash: " + strconv.Quote(text))
	}
	if n < 0 || n > ip.BitLen() {
		return fail("prefix length out of range")
	}
	return PrefixFrom(ip, n), nil
}

type parsePrefixError struct{ in, msg string }

func (err parsePrefixError) Error() string {
	return "netip.ParsePrefix(" + strconv.Quote(err.in) + "): " + err.msg
}

func MustParsePrefix(s string) Prefix { return must(ParsePrefix(s)) }
func MustParseAddr(s string) Addr     { return must(ParseAddr(s)) }

func (p Prefix) Compare(p2 Prefix) int {
	return cmp.Or(
		p.Masked().ip.Compare(p2.Masked().ip),
		cmp.Compare(p.Bits(), p2.Bits()),
		p.ip.Compare(p2.ip),
	)
}

func (p Prefix) Contains(ip Addr) bool {
	if !p.IsValid() || ip.zone != "" || ip.kind != p.ip.kind {
		return false
	}
	other, _ := ip.Prefix(p.Bits())
	return other == p.Masked()
}

func (p Prefix) Masked() Prefix {
	m, _ := p.ip.Prefix(p.Bits())
	return m
}

func (p Prefix) Overlaps(o Prefix) bool {
	wide, narrow := p, o
	if narrow.bitsPlusOne < wide.bitsPlusOne {
		wide, narrow = narrow, wide
	}
	return wide.Contains(narrow.ip)
}

func (p Prefix) AppendTo(b []byte) []byte {
	switch {
	case p.IsValid():
		return strconv.AppendInt(append(p.ip.AppendTo(b), '/'), int64(p.Bits()), 10)
	case p != Prefix{}:
		return append(b, "invalid Prefix"...)
	}
	return b
}

func (p Prefix) String() string {
	if p.IsValid() {
		return string(p.AppendTo(nil))
	}
	return "invalid Prefix"
}

func (p *Prefix) UnmarshalText(text []byte) error    { return fromText(p, text, ParsePrefix) }
func (p Prefix) AppendText(b []byte) ([]byte, error) { return p.AppendTo(b), nil }
func (p Prefix) MarshalText() ([]byte, error)        { return p.AppendTo([]byte{}), nil }

func (p Prefix) AppendBinary(b []byte) ([]byte, error) {
	b, _ = p.ip.AppendBinary(b)
	return append(b, uint8(p.Bits())), nil
}

func (p *Prefix) UnmarshalBinary(b []byte) error {
	ip, length, err := fromBinary(b, 1)
	if err == nil {
		*p = PrefixFrom(ip, int(length[0]))
	}
	return err
}

func (p Prefix) MarshalBinary() ([]byte, error) { return p.AppendBinary([]byte{}) }
