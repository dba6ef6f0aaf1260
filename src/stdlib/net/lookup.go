package net

import (
	"context"
	"errors"
	"math/rand"
	"os"
	"sort"
	"strings"
)

// Names: services, the hosts file, and what dnsclient.go finds.

type Resolver struct {
	PreferGo     bool // there is no other way here
	StrictErrors bool
	Dial         func(ctx context.Context, network, address string) (Conn, error)
}

var DefaultResolver = &Resolver{}

func (r *Resolver) strict() bool { return r != nil && r.StrictErrors }

func LookupHost(host string) (addrs []string, err error) {
	return DefaultResolver.LookupHost(context.Background(), host)
}

func LookupIP(host string) ([]IP, error) {
	return DefaultResolver.LookupIP(context.Background(), "ip", host)
}

func LookupPort(network, service string) (port int, err error) {
	return DefaultResolver.LookupPort(context.Background(), network, service)
}

func LookupCNAME(host string) (cname string, err error) {
	return DefaultResolver.LookupCNAME(context.Background(), host)
}

func LookupSRV(service, proto, name string) (cname string, addrs []*SRV, err error) {
	return DefaultResolver.LookupSRV(context.Background(), service, proto, name)
}

func LookupMX(name string) ([]*MX, error) {
	return DefaultResolver.LookupMX(context.Background(), name)
}
func LookupNS(name string) ([]*NS, error) {
	return DefaultResolver.LookupNS(context.Background(), name)
}

func LookupTXT(name string) ([]string, error) {
	return DefaultResolver.LookupTXT(context.Background(), name)
}

func LookupAddr(addr string) (names []string, err error) {
	return DefaultResolver.LookupAddr(context.Background(), addr)
}

func (r *Resolver) LookupHost(ctx context.Context, host string) (addrs []string, err error) {
	if host == "" {
		return nil, newDNSError(errNoSuchHost, host, "")
	}
	if ip, _ := parseZoned(host); ip != nil {
		return []string{host}, nil
	}
	ips, err := r.named(ctx, "ip", host)
	for _, ip := range ips {
		addrs = append(addrs, ip.String())
	}
	return addrs, err
}

func (r *Resolver) LookupIPAddr(ctx context.Context, host string) ([]IPAddr, error) {
	return r.addresses(ctx, "ip", host)
}

func (r *Resolver) LookupIP(ctx context.Context, network, host string) ([]IP, error) {
	switch network {
	case "ip", "ip4", "ip6":
	default:
		return nil, UnknownNetworkError(network)
	}
	ips, err := r.addresses(ctx, network, host)
	if err != nil {
		return nil, err
	}
	var out []IP
	for _, ip := range ips {
		if is4 := ip.IP.To4() != nil; network == "ip" || (network == "ip4") == is4 {
			out = append(out, ip.IP)
		}
	}
	if len(out) == 0 {
		return nil, &AddrError{Err: errNoSuitableAddress.Error(), Addr: host}
	}
	return out, nil
}

// addresses is what a host's name or number stands for. The end of ctx ends the wait at once, the look-up after
// the question that is being asked.
func (r *Resolver) addresses(ctx context.Context, network, host string) ([]IPAddr, error) {
	if host == "" {
		return nil, newDNSError(errNoSuchHost, host, "")
	}
	if ip, zone := parseZoned(host); ip != nil {
		return []IPAddr{{IP: ip, Zone: zone}}, nil
	}
	trace := traceOf(ctx)
	if trace.lookUp != nil {
		trace.lookUp(host)
	}
	list, err := r.namedWithin(ctx, network, host)
	if trace.lookedUp != nil {
		trace.lookedUp(list, err)
	}
	return list, err
}

// namedWithin is named, and ends with ctx.
func (r *Resolver) namedWithin(ctx context.Context, network, host string) ([]IPAddr, error) {
	if ctx.Done() == nil {
		return r.named(ctx, network, host)
	}
	type result struct {
		list []IPAddr
		err  error
	}
	answer := make(chan result, 1)
	look, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	go func() {
		list, err := r.named(look, network, host)
		answer <- result{list, err}
	}()
	select {
	case a := <-answer:
		return a.list, a.err
	case <-ctx.Done():
		return nil, newDNSError(contextError(ctx.Err()), host, "")
	}
}

// named looks a name up, in the hosts file and then in the DNS.
func (r *Resolver) named(ctx context.Context, network, host string) ([]IPAddr, error) {
	if !isDomainName(host) {
		return nil, newDNSError(errNoSuchHost, host, "")
	}
	var list []IPAddr
	for _, text := range hosts().addresses[hostKey(host)] {
		ip, zone := parseZoned(text)
		list = append(list, IPAddr{IP: ip, Zone: zone})
	}
	if len(list) == 0 {
		found, _, err := r.resolve(ctx, network, host)
		if err != nil {
			return nil, err
		}
		list = found
	}
	sortAddresses(list)
	return list, nil
}

func (r *Resolver) LookupPort(ctx context.Context, network, service string) (port int, err error) {
	number, isName := portNumber(service)
	if isName {
		switch network {
		case "tcp", "tcp4", "tcp6", "udp", "udp4", "udp6", "ip":
		case "":
			network = "ip"
		default:
			return 0, &AddrError{Err: "unknown network", Addr: network}
		}
		if number, err = servicePort(network, service); err != nil {
			return 0, err
		}
	}
	if number < 0 || number > 65535 {
		return 0, &AddrError{Err: "invalid port", Addr: service}
	}
	return number, nil
}

// portNumber reads a service that is a number, cut to 32 bits.
func portNumber(service string) (n int, isName bool) {
	digits := service
	sign := 1
	if digits != "" && (digits[0] == '+' || digits[0] == '-') {
		if digits[0] == '-' {
			sign = -1
		}
		digits = digits[1:]
	}
	for i := range len(digits) {
		if digits[i] < '0' || '9' < digits[i] {
			return 0, true
		}
		n = min(n*10+int(digits[i]-'0'), 1<<31-1)
	}
	return sign * n, false
}

// What the machine's list of services may lack.
var commonServices = map[string]int{
	"tcp/domain": 53, "tcp/ftp": 21, "tcp/ftps": 990, "tcp/gopher": 70, "tcp/http": 80, "tcp/https": 443, "tcp/imap2": 143,
	"tcp/imap3": 220, "tcp/imaps": 993, "tcp/pop3": 110, "tcp/pop3s": 995, "tcp/smtp": 25, "tcp/submissions": 465, "tcp/ssh": 22,
	"tcp/telnet": 23, "udp/domain": 53,
}

func servicePort(network, service string) (int, error) {
	protocols := []string{"tcp", "udp"}
	if network != "ip" {
		protocols = []string{network[:3]}
	}
	name := strings.ToLower(service)
	data, _ := os.ReadFile("/etc/services")
	for _, proto := range protocols {
		for _, line := range strings.Split(string(data), "\n") {
			line, _, _ = strings.Cut(line, "#")
			f := strings.Fields(line)
			if len(f) < 2 {
				continue
			}
			port, width, ok := decimal(f[1])
			if !ok || f[1][width:] != "/"+proto {
				continue
			}
			for i, n := range f {
				if i != 1 && n == name {
					return port, nil
				}
			}
		}
		if port, ok := commonServices[proto+"/"+name]; ok {
			return port, nil
		}
	}
	return 0, newDNSError(errUnknownPort, network+"/"+service, "")
}

// ---- The hosts file.

type hostsFile struct {
	addresses map[string][]string // by name in lower case, without the last dot
	names     map[string][]string // by address
}

func hostKey(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

func hosts() *hostsFile {
	h := &hostsFile{map[string][]string{}, map[string][]string{}}
	data, err := os.ReadFile("/etc/hosts")
	if err != nil {
		return h
	}
	for _, line := range strings.Split(string(data), "\n") {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		ip, zone := parseZoned(f[0])
		if ip == nil {
			continue
		}
		address := (&IPAddr{ip, zone}).String()
		for _, name := range f[1:] {
			key := hostKey(name)
			h.addresses[key] = append(h.addresses[key], address)
			h.names[address] = append(h.names[address], strings.TrimSuffix(name, ".")+dotIf(strings.HasSuffix(name, ".")))
		}
	}
	return h
}

func dotIf(b bool) string {
	if b {
		return "."
	}
	return ""
}

// ---- The order of addresses. RFC 6724.

// sortAddresses puts first what the kernel would reach best from here.
func sortAddresses(list []IPAddr) {
	if len(list) < 2 {
		return
	}
	type candidate struct {
		addr   IPAddr
		source IP
	}
	all := make([]candidate, len(list))
	for i, a := range list {
		all[i].addr = a
		// Connecting a datagram socket sends nothing, but chooses the source.
		if c, err := DialUDP("udp", nil, &UDPAddr{IP: a.IP, Port: 9, Zone: a.Zone}); err == nil {
			if l, ok := c.LocalAddr().(*UDPAddr); ok {
				all[i].source = l.IP
			}
			c.Close()
		}
	}
	less := func(a, b *candidate) bool {
		if (a.source == nil) != (b.source == nil) {
			return a.source != nil
		}
		if a.source != nil {
			sa, sb := scopeOf(a.addr.IP) == scopeOf(a.source), scopeOf(b.addr.IP) == scopeOf(b.source)
			if sa != sb {
				return sa
			}
			pa, la := policyOf(a.addr.IP)
			pb, lb := policyOf(b.addr.IP)
			_, lsa := policyOf(a.source)
			_, lsb := policyOf(b.source)
			if (la == lsa) != (lb == lsb) {
				return la == lsa
			}
			if pa != pb {
				return pa > pb
			}
			if x, y := scopeOf(a.addr.IP), scopeOf(b.addr.IP); x != y {
				return x < y
			}
			if a.addr.IP.To4() == nil && b.addr.IP.To4() == nil {
				return commonBits(a.source, a.addr.IP) > commonBits(b.source, b.addr.IP)
			}
		}
		return false
	}
	sort.SliceStable(all, func(i, j int) bool { return less(&all[i], &all[j]) })
	for i := range all {
		list[i] = all[i].addr
	}
}

func scopeOf(ip IP) int {
	switch {
	case ip.IsLoopback() || ip.IsLinkLocalUnicast():
		return 2
	case ip.IsMulticast() && ip.To4() == nil:
		return int(ip[1] & 0xf)
	case len(ip) == IPv6len && ip.To4() == nil && ip[0] == 0xfe && ip[1]&0xc0 == 0xc0:
		return 5
	}
	return 14
}

// policyOf is the default table: precedence and label.
func policyOf(ip IP) (precedence, label int) {
	if ip.To4() != nil {
		return 35, 4
	}
	ip = ip.To16()
	switch {
	case ip == nil:
		return 0, 0
	case ip.IsLoopback():
		return 50, 0
	case ip[0] == 0x20 && ip[1] == 0x02:
		return 30, 2
	case ip[0] == 0x20 && ip[1] == 0x01 && ip[2] == 0 && ip[3] == 0:
		return 5, 5
	case ip[0]&0xfe == 0xfc:
		return 3, 13
	case ip[0] == 0xfe && ip[1]&0xc0 == 0xc0:
		return 1, 11
	case ip[0] == 0x3f && ip[1] == 0xfe:
		return 1, 12
	}
	return 40, 1
}

// commonBits is the length of the common prefix within the network half.
func commonBits(a, b IP) int {
	n := 0
	for i := 0; i < 8 && i < len(a) && i < len(b); i++ {
		for bit := byte(0x80); bit != 0; bit >>= 1 {
			if a[i]&bit != b[i]&bit {
				return n
			}
			n++
		}
	}
	return n
}

// ---- Other records.

type SRV struct {
	Target   string
	Port     uint16
	Priority uint16
	Weight   uint16
}

type MX struct {
	Host string
	Pref uint16
}

type NS struct {
	Host string
}

func (r *Resolver) LookupCNAME(ctx context.Context, host string) (string, error) {
	if !isDomainName(host) {
		return "", newDNSError(errNoSuchHost, host, "")
	}
	_, cname, err := r.resolve(ctx, "CNAME", host)
	if err == nil && cname == "" {
		err = newDNSError(errNoSuchHost, host, "")
	}
	return cname, err
}

func (r *Resolver) LookupSRV(ctx context.Context, service, proto, name string) (string, []*SRV, error) {
	target := name
	if service != "" || proto != "" {
		target = "_" + service + "._" + proto + "." + name
	}
	answers, server, err := r.query(ctx, target, typeSRV)
	if err != nil {
		return "", nil, err
	}
	var list []*SRV
	var cname string
	dropped := false
	for _, a := range answers {
		if a.kind != typeSRV {
			continue
		}
		if cname == "" {
			cname = a.name
		}
		host, ok := a.domain(6)
		if !ok || len(a.data) < 7 {
			dropped = true
			continue
		}
		list = append(list, &SRV{Target: host, Priority: word(a.data), Weight: word(a.data[2:]), Port: word(a.data[4:])})
	}
	// By priority; within one, at random by weight.
	for i := range list {
		j := rand.Intn(i + 1)
		list[i], list[j] = list[j], list[i]
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return a.Priority < b.Priority || a.Priority == b.Priority && a.Weight == 0 && b.Weight > 0
	})
	for from := 0; from < len(list); {
		to := from
		for to < len(list) && list[to].Priority == list[from].Priority {
			to++
		}
		byWeight(list[from:to])
		from = to
	}
	return cname, list, badRecords(dropped, len(list), target, server)
}

func byWeight(list []*SRV) {
	sum := 0
	for _, s := range list {
		sum += int(s.Weight)
	}
	for sum > 0 && len(list) > 1 {
		n := rand.Intn(sum + 1)
		at, s := 0, 0
		for i := range list {
			s += int(list[i].Weight)
			if s >= n {
				at = i
				break
			}
		}
		chosen := list[at]
		copy(list[1:at+1], list[:at])
		list[0] = chosen
		sum -= int(chosen.Weight)
		list = list[1:]
	}
}

// badRecords is the error for answers that hold no proper names.
func badRecords(dropped bool, left int, name, server string) error {
	if dropped && left == 0 {
		return &DNSError{Err: "DNS response contained records which contain invalid names", Name: name, Server: server}
	}
	return nil
}

func (r *Resolver) LookupMX(ctx context.Context, name string) ([]*MX, error) {
	answers, server, err := r.query(ctx, name, typeMX)
	if err != nil {
		return nil, err
	}
	var list []*MX
	dropped := false
	for _, a := range answers {
		if a.kind != typeMX {
			continue
		}
		host, ok := a.domain(2)
		if !ok {
			dropped = true
			continue
		}
		list = append(list, &MX{Host: host, Pref: word(a.data)})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Pref < list[j].Pref })
	return list, badRecords(dropped, len(list), name, server)
}

func (r *Resolver) LookupNS(ctx context.Context, name string) ([]*NS, error) {
	answers, server, err := r.query(ctx, name, typeNS)
	if err != nil {
		return nil, err
	}
	var list []*NS
	dropped := false
	for _, a := range answers {
		if a.kind != typeNS {
			continue
		}
		host, ok := a.domain(0)
		if !ok {
			dropped = true
			continue
		}
		list = append(list, &NS{Host: host})
	}
	return list, badRecords(dropped, len(list), name, server)
}

func (r *Resolver) LookupTXT(ctx context.Context, name string) ([]string, error) {
	answers, _, err := r.query(ctx, name, typeTXT)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, a := range answers {
		if a.kind != typeTXT {
			continue
		}
		text := ""
		for b := a.data; len(b) > 0 && int(b[0]) < len(b); b = b[1+int(b[0]):] {
			text += string(b[1 : 1+int(b[0])])
		}
		list = append(list, text)
	}
	return list, nil
}

func (r *Resolver) LookupAddr(ctx context.Context, addr string) ([]string, error) {
	ip, zone := parseZoned(addr)
	if ip == nil {
		return nil, newDNSError(errors.New("unrecognized address"), addr, "")
	}
	if names := hosts().names[(&IPAddr{ip, zone}).String()]; len(names) > 0 {
		return append([]string(nil), names...), nil
	}
	answers, server, err := r.query(ctx, reverseName(ip), typePTR)
	if err != nil {
		if e, ok := err.(*DNSError); ok {
			e.Name = reverseName(ip)
		}
		return nil, err
	}
	var list []string
	dropped := false
	for _, a := range answers {
		if a.kind != typePTR {
			continue
		}
		name, ok := a.domain(0)
		if !ok {
			dropped = true
			continue
		}
		list = append(list, name)
	}
	return list, badRecords(dropped, len(list), addr, server)
}

// reverseName is the name under which the DNS keeps an address's names.
func reverseName(ip IP) string {
	var out []byte
	if ip4 := ip.To4(); ip4 != nil {
		return IP{ip4[3], ip4[2], ip4[1], ip4[0]}.String() + ".in-addr.arpa."
	}
	for i := len(ip) - 1; i >= 0; i-- {
		out = append(out, hexDigits[ip[i]&15], '.', hexDigits[ip[i]>>4], '.')
	}
	return string(out) + "ip6.arpa."
}
