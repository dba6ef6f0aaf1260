// run

// Networks planned: subnets handed out, ranges joined, longest prefixes found, both kinds of addresses.
package main

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"slices"
	"strings"
)

type Pool struct {
	free []netip.Prefix
}

var errFull = errors.New("no room left")

func byPrefix(a, b netip.Prefix) int {
	return cmp.Or(a.Addr().Compare(b.Addr()), cmp.Compare(a.Bits(), b.Bits()))
}

func halves(p netip.Prefix) (lo, hi netip.Prefix) {
	bits := p.Bits() + 1
	b := p.Addr().AsSlice()
	b[p.Bits()/8] |= 0x80 >> (p.Bits() % 8)
	addr, _ := netip.AddrFromSlice(b)
	return netip.PrefixFrom(p.Addr(), bits), netip.PrefixFrom(addr, bits)
}

func (p *Pool) Take(bits int) (netip.Prefix, error) {
	best := -1
	for i, f := range p.free {
		if f.Bits() <= bits && (best < 0 || f.Bits() > p.free[best].Bits()) {
			best = i
		}
	}
	if best < 0 {
		return netip.Prefix{}, fmt.Errorf("/%d: %w", bits, errFull)
	}
	got := p.free[best]
	p.free = slices.Delete(p.free, best, best+1)
	for got.Bits() < bits {
		lo, hi := halves(got)
		p.free = append(p.free, hi)
		got = lo
	}
	slices.SortFunc(p.free, byPrefix)
	return got, nil
}

func (p *Pool) Give(n netip.Prefix) error {
	for _, f := range p.free {
		if f.Overlaps(n) {
			return fmt.Errorf("%v is free already, within %v", n, f)
		}
	}
	p.free = join(append(p.free, n))
	return nil
}

func join(list []netip.Prefix) []netip.Prefix {
	list = slices.Clone(list)
	for again := true; again; {
		again = false
		slices.SortFunc(list, byPrefix)
		list = slices.CompactFunc(list, func(a, b netip.Prefix) bool {
			return a.Contains(b.Addr()) &&
				a.Bits() <= b.Bits()
		})
		for i := 0; i+1 < len(list); i++ {
			a, b := list[i], list[i+1]
			if a.Bits() == 0 || a.Bits() != b.Bits() {
				continue
			}
			parent, _ := a.Addr().Prefix(a.Bits() - 1)
			if lo, hi := halves(parent); lo == a && hi == b {
				list = slices.Replace(list, i, i+2, parent)
				again = true
			}
		}
	}
	return list
}

func last(p netip.Prefix) netip.Addr {
	b := p.Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 0x80 >> (i % 8)
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}

func size(p netip.Prefix) *big.Int {
	return new(big.Int).Lsh(big.NewInt(1), uint(p.Addr().BitLen()-p.Bits()))
}

type trie[V any] struct {
	kids [2]*trie[V]
	v    V
	set  bool
}

func (t *trie[V]) insert(p netip.Prefix, v V) {
	b := p.Addr().AsSlice()
	for i := range p.Bits() {
		bit := b[i/8] >> (7 - i%8) & 1
		if t.kids[bit] == nil {
			t.kids[bit] = &trie[V]{}
		}
		t = t.kids[bit]
	}
	t.v, t.set = v, true
}

func (t *trie[V]) lookup(a netip.Addr) (v V, bits int) {
	b := a.AsSlice()
	bits = -1
	for i := 0; t != nil; i++ {
		if t.set {
			v, bits = t.v, i
		}
		if i == len(b)*8 {
			break
		}
		t = t.kids[b[i/8]>>(7-i%8)&1]
	}
	return
}

func main() {
	p := &Pool{free: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/22"),
		netip.MustParsePrefix("2001:db8::/61")}}
	var taken []netip.Prefix
	for _, bits := range []int{24, 26, 25, 24, 23, 64, 64, 30} {
		n, err := p.Take(bits)
		if err != nil {
			fmt.Println(err, errors.Is(err, errFull))
			continue
		}
		fmt.Println(n, n.Addr(), last(n), size(n), n.IsSingleIP())
		taken = append(taken, n)
	}
	fmt.Println(p.free)
	for _, n := range taken {
		if err := p.Give(n); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(p.free, p.Give(netip.MustParsePrefix("10.0.1.0/30")))

	var v4, v6 trie[string]
	for text, name := range map[string]string{"0.0.0.0/0": "default", "10.0.0.0/8": "ten",
		"10.1.0.0/16": "ten-one", "10.1.2.3/32": "host",
		"::/0": "six", "2001:db8::/32": "doc", "fe80::/10": "link"} {
		pre := netip.MustParsePrefix(text)
		if pre.Addr().Is4() {
			v4.insert(pre, name)
		} else {
			v6.insert(pre, name)
		}
	}
	for _, text := range []string{"10.1.2.3", "10.1.9.9", "10.200.0.1", "8.8.8.8", "2001:db8:1::2",
		"fe80::1%eth0", "::ffff:10.1.0.1", "ff02::1"} {
		a := netip.MustParseAddr(text)
		t := &v6
		if a.Unmap().Is4() {
			a, t = a.Unmap(), &v4
		}
		name, bits := t.lookup(a)
		fmt.Println(a, name, bits, a.IsPrivate(), a.IsLinkLocalUnicast(), a.IsMulticast(),
			a.IsGlobalUnicast(), a.Zone(), a.Next(), a.StringExpanded())
	}
	for _, text := range []string{"", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "::1::",
		"1:2:3:4:5:6:7:8:9", "fe80::1%", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/08", "1.2.3.4:99999",
		"[::1]", "::1:80"} {
		_, err := netip.ParseAddr(text)
		_, err2 := netip.ParsePrefix(text)
		_, err3 := netip.ParseAddrPort(text)
		fmt.Println(err, "|", err2, "|", err3)
	}
	_, ipnet, err := net.ParseCIDR("192.168.77.5/20")
	fmt.Println(ipnet, err, ipnet.Contains(net.ParseIP("192.168.79.255")), net.IP(ipnet.Mask),
		ipnet.IP.DefaultMask())
	ones, bits := ipnet.Mask.Size()
	fmt.Println(ones, bits, net.CIDRMask(13, 32), net.ParseIP("::ffff:1.2.3.4").To4(),
		net.ParseIP("bad") == nil)
	ip := ipnet.IP.To4()
	n := binary.BigEndian.Uint32(ip) + 300
	fmt.Println(net.IPv4(byte(n>>24), byte(n>>16), byte(n>>8), byte(n)))
	host, port, err := net.SplitHostPort("[fe80::1%lo]:http")
	fmt.Println(host, port, err, net.JoinHostPort("::1", "80"))
	for _, s := range []string{"a:b:c", "[::1", "host", "[x]y:1"} {
		_, _, err := net.SplitHostPort(s)
		fmt.Println(err)
	}
	mac, err := net.ParseMAC("00-1b-63:84:45:e6")
	fmt.Println(mac, err)
	mac, err = net.ParseMAC("001b.6384.45e6")
	fmt.Println(mac, err, strings.ToUpper(mac.String()))
	addrs := []netip.AddrPort{netip.MustParseAddrPort("[::1]:80"),
		netip.MustParseAddrPort("9.9.9.9:5"), netip.MustParseAddrPort("9.9.9.9:4")}
	slices.SortFunc(addrs, netip.AddrPort.Compare)
	fmt.Println(addrs)
	b, _ := addrs[2].MarshalBinary()
	t, _ := addrs[2].MarshalText()
	fmt.Printf("%x %s\n", b, t)
}
