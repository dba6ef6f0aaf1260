package net

import (
	"context"
	"errors"
	"internal/poll"
	"io"
	"math/rand"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// A client of the domain name system: RFC 1035, with the larger messages of RFC 6891.

const (
	typeA     = 1
	typeNS    = 2
	typeCNAME = 5
	typePTR   = 12
	typeMX    = 15
	typeTXT   = 16
	typeAAAA  = 28
	typeSRV   = 33
	typeOPT   = 41

	largestMessage = 1232 // bytes that we take over UDP
)

var (
	errLameReferral    = errors.New("lame referral")
	errMalformed       = errors.New("cannot unmarshal DNS message")
	errMarshal         = errors.New("cannot marshal DNS message")
	errMisbehaving     = errors.New("server misbehaving")
	errMisbehavingOnce = &temporaryError{"server misbehaving"}
	errInvalidResponse = errors.New("invalid DNS response")
)

// isDomainName tells whether DNS software takes s as a name.
func isDomainName(s string) bool {
	if s == "." {
		return true
	}
	if len(s) == 0 || len(s) > 254 || len(s) == 254 && s[253] != '.' {
		return false
	}
	before := byte('.')
	letters := false // all digits would be an address
	label := 0       // its length
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_':
			letters = true
			label++
		case '0' <= c && c <= '9':
			label++
		case c == '-':
			if before == '.' {
				return false
			}
			label++
			letters = true
		case c == '.':
			if before == '.' || before == '-' || label > 63 {
				return false
			}
			label = 0
		default:
			return false
		}
		before = c
	}
	return before != '-' && label <= 63 && letters
}

// ---- How the machine asks. resolv.conf(5).

type dnsConfig struct {
	servers  []string
	search   []string
	ndots    int
	timeout  time.Duration
	attempts int
	rotate   bool
	tcp      bool
	trustAD  bool
}

func readConfig() *dnsConfig {
	c := &dnsConfig{ndots: 1, timeout: 5 * time.Second, attempts: 2}
	data, err := os.ReadFile("/etc/resolv.conf")
	if err == nil {
		for _, line := range strings.Split(string(data), "\n") {
			c.line(strings.Fields(line))
		}
	}
	if len(c.servers) == 0 {
		c.servers = []string{"127.0.0.1:53", "[::1]:53"}
	}
	if len(c.search) == 0 {
		if host, err := os.Hostname(); err == nil {
			if i := strings.IndexByte(host, '.'); i >= 0 && i < len(host)-1 {
				c.search = []string{rooted(host[i+1:])}
			}
		}
	}
	return c
}

func rooted(name string) string {
	if strings.HasSuffix(name, ".") {
		return name
	}
	return name + "."
}

func (c *dnsConfig) line(f []string) {
	if len(f) < 1 || f[0][0] == ';' || f[0][0] == '#' {
		return
	}
	switch f[0] {
	case "nameserver":
		if len(f) > 1 && len(c.servers) < 3 {
			if ip, _ := parseZoned(f[1]); ip != nil {
				c.servers = append(c.servers, JoinHostPort(f[1], "53"))
			}
		}
	case "domain":
		if len(f) > 1 {
			c.search = []string{rooted(f[1])}
		}
	case "search":
		c.search = nil
		for _, s := range f[1:] {
			if name := rooted(s); name != "." {
				c.search = append(c.search, name)
			}
		}
	case "options":
		for _, o := range f[1:] {
			key, value, _ := strings.Cut(o, ":")
			n, _, _ := decimal(value)
			switch key {
			case "ndots":
				c.ndots = min(n, 15)
			case "timeout":
				c.timeout = time.Duration(max(n, 1)) * time.Second
			case "attempts":
				c.attempts = max(n, 1)
			case "rotate":
				c.rotate = true
			case "use-vc", "usevc", "tcp":
				c.tcp = true
			case "trust-ad":
				c.trustAD = true
			}
		}
	}
}

// names are what to ask for, in order, when the program asks for name.
func (c *dnsConfig) names(name string) []string {
	if strings.HasSuffix(name, ".") {
		if len(name) > 254 {
			return nil
		}
		return []string{name}
	}
	if len(name) > 253 {
		return nil
	}
	var list []string
	isFull := countByte(name, '.') >= c.ndots
	if isFull && !onion(name) {
		list = append(list, name+".")
	}
	for _, suffix := range c.search {
		if full := name + "." + suffix; len(full) <= 254 && !onion(full) {
			list = append(list, full)
		}
	}
	if !isFull && !onion(name) {
		list = append(list, name+".")
	}
	return list
}

// onion names are never asked for. RFC 7686.
func onion(name string) bool {
	return strings.HasSuffix(strings.ToLower(strings.TrimSuffix(name, ".")), ".onion")
}

var turn atomic.Uint32

func (c *dnsConfig) firstServer() int {
	if !c.rotate {
		return 0
	}
	return int(turn.Add(1)-1) % len(c.servers)
}

// ---- Messages.

func word(b []byte) uint16 { return uint16(b[0])<<8 | uint16(b[1]) }

func appendWord(b []byte, w uint16) []byte { return append(b, byte(w>>8), byte(w)) }

// question makes a message that asks for one kind of record.
func question(id uint16, name string, kind uint16, trustAD bool) ([]byte, error) {
	flags := uint16(0x0100) // recursion desired
	if trustAD {
		flags |= 0x0020
	}
	b := appendWord(nil, id)
	b = appendWord(b, flags)
	for _, count := range []uint16{1, 0, 0, 1} {
		b = appendWord(b, count)
	}
	if name != "." {
		for _, label := range strings.Split(strings.TrimSuffix(name, "."), ".") {
			if len(label) == 0 || len(label) > 63 {
				return nil, errMarshal
			}
			b = append(b, byte(len(label)))
			b = append(b, label...)
		}
	}
	b = append(b, 0)
	b = appendWord(b, kind)
	b = appendWord(b, 1) // class Internet
	// The record that says how large an answer may be.
	b = append(b, 0)
	b = appendWord(b, typeOPT)
	b = appendWord(b, largestMessage)
	return append(b, 0, 0, 0, 0, 0, 0), nil
}

// A record of an answer.
type record struct {
	name    string
	kind    uint16
	data    []byte
	message []byte // in which names may continue
	at      int    // of data
}

// domain reads a name in the record's data; not if it is not one for hosts.
func (r *record) domain(offset int) (string, bool) {
	if len(r.data) <= offset {
		return "", false
	}
	name, _, ok := readName(r.message, r.at+offset)
	return name, ok && isDomainName(name)
}

// readName reads a name, following its pointers; where what follows it begins.
func readName(message []byte, at int) (name string, next int, ok bool) {
	var out []byte
	for jumps := 0; ; {
		if at >= len(message) {
			return "", 0, false
		}
		n := int(message[at])
		at++
		switch n & 0xc0 {
		case 0:
			if n == 0 {
				if next == 0 {
					next = at
				}
				if len(out) == 0 {
					return ".", next, true
				}
				return string(out), next, len(out) <= 255
			}
			if at+n > len(message) {
				return "", 0, false
			}
			for _, c := range message[at : at+n] {
				if c == '.' {
					return "", 0, false
				}
			}
			out = append(out, message[at:at+n]...)
			out = append(out, '.')
			at += n
		case 0xc0:
			if at >= len(message) {
				return "", 0, false
			}
			if next == 0 {
				next = at + 1
			}
			at = (n&0x3f)<<8 | int(message[at])
			if jumps++; jumps > 10 {
				return "", 0, false
			}
		default:
			return "", 0, false
		}
	}
}

// A reply, read as far as its answers.
type reply struct {
	flags      uint16
	answers    []record
	additional int
}

// sameName compares as the DNS does.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }

// parseReply reads the reply to a question; not ok if it answers another one or makes no sense.
func parseReply(m []byte, id uint16, name string, kind uint16) (r *reply, err error) {
	if len(m) < 12 || word(m) != id || m[2]&0x80 == 0 {
		return nil, errInvalidResponse
	}
	r = &reply{flags: word(m[2:])}
	if word(m[4:]) != 1 {
		return nil, errInvalidResponse
	}
	asked, at, ok := readName(m, 12)
	if !ok || at+4 > len(m) || !sameName(asked, name) || word(m[at:]) != kind || word(m[at+2:]) != 1 {
		return nil, errInvalidResponse
	}
	at += 4
	for range word(m[6:]) {
		var a record
		a.name, at, ok = readName(m, at)
		if !ok || at+10 > len(m) {
			return r, errMalformed
		}
		a.kind = word(m[at:])
		size := int(word(m[at+8:]))
		at += 10
		if at+size > len(m) {
			return r, errMalformed
		}
		a.message, a.at, a.data = m, at, m[at:at+size]
		at += size
		r.answers = append(r.answers, a)
	}
	for range int(word(m[8:])) + int(word(m[10:])) {
		_, next, ok := readName(m, at)
		if !ok || next+10 > len(m) {
			break
		}
		if word(m[next:]) != typeOPT {
			r.additional++
		}
		at = next + 10 + int(word(m[next+8:]))
	}
	return r, nil
}

// judge tells what is wrong with a reply, if anything.
func (r *reply) judge() error {
	authoritative, recursive := r.flags&0x0400 != 0, r.flags&0x0080 != 0
	code := r.flags & 15
	switch {
	case code == 3:
		return errNoSuchHost
	case code == 0 && !authoritative && !recursive && len(r.answers) == 0 && r.additional == 0:
		return errLameReferral
	case code == 2:
		return errMisbehavingOnce
	case code != 0:
		return errMisbehaving
	}
	return nil
}

// ---- Asking.

// asks says that a server of names is about to be asked.
func (r *Resolver) asks() {
	if r == nil || r.Dial == nil {
		poll.AsksForNames(-1)
	}
}

func (r *Resolver) dialServer(ctx context.Context, network, server string) (Conn, error) {
	if r != nil && r.Dial != nil {
		return r.Dial(ctx, network, server)
	}
	d := Dialer{Control: func(_, _ string, c syscall.RawConn) error {
		return c.Control(func(fd uintptr) { poll.AsksForNames(int(fd)) })
	}}
	return d.DialContext(ctx, network, server)
}

// exchange asks one server, by UDP and, if the answer is cut, by TCP.
func (r *Resolver) exchange(ctx context.Context, c *dnsConfig, server, name string, kind uint16) (*reply, error) {
	networks := []string{"udp", "tcp"}
	if c.tcp {
		networks = networks[1:]
	}
	id := uint16(rand.Uint32())
	m, err := question(id, name, kind, c.trustAD)
	if err != nil {
		return nil, err
	}
	for _, network := range networks {
		reply, err := r.ask(ctx, c, network, server, m, id, name, kind)
		if err != nil {
			return nil, err
		}
		if cut := reply.flags&0x0200 != 0; cut && network == "udp" {
			continue
		}
		return reply, nil
	}
	return nil, errors.New("no answer from DNS server")
}

func (r *Resolver) ask(ctx context.Context, c *dnsConfig, network, server string, m []byte, id uint16, name string, kind uint16) (*reply, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	conn, err := r.dialServer(ctx, network, server)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if d, ok := ctx.Deadline(); ok {
		conn.SetDeadline(d)
	}
	if _, isPacket := conn.(PacketConn); isPacket {
		if _, err := conn.Write(m); err != nil {
			return nil, err
		}
		buf := make([]byte, largestMessage)
		for {
			n, err := conn.Read(buf)
			if err != nil {
				return nil, err
			}
			// What answers another question is somebody else's, or forged.
			if reply, err := parseReply(buf[:n], id, name, kind); err != errInvalidResponse {
				return reply, err
			}
		}
	}
	if _, err := conn.Write(append(appendWord(nil, uint16(len(m))), m...)); err != nil {
		return nil, err
	}
	size := make([]byte, 2)
	if _, err := io.ReadFull(conn, size); err != nil {
		return nil, err
	}
	buf := make([]byte, word(size))
	if _, err := io.ReadFull(conn, buf); err != nil {
		return nil, err
	}
	return parseReply(buf, id, name, kind)
}

// one asks the servers in turn for one full name.
func (r *Resolver) one(ctx context.Context, c *dnsConfig, name string, kind uint16) (*reply, string, error) {
	var last error
	first := c.firstServer()
	for range c.attempts {
		for i := range c.servers {
			server := c.servers[(first+i)%len(c.servers)]
			reply, err := r.exchange(ctx, c, server, name, kind)
			if err != nil {
				e := newDNSError(err, name, server)
				// Another try may find the network, or the server, again.
				if _, isOp := err.(*OpError); isOp {
					e.IsTemporary = true
				}
				last = e
				continue
			}
			if err := reply.judge(); err != nil {
				if err == errNoSuchHost {
					return reply, server, newDNSError(err, name, server)
				}
				last = newDNSError(err, name, server)
				continue
			}
			found := false
			for _, a := range reply.answers {
				found = found || a.kind == kind
			}
			if !found {
				return reply, server, newDNSError(errNoSuchHost, name, server)
			}
			return reply, server, nil
		}
	}
	return nil, "", last
}

// query asks for one kind of record under all names that the machine tries for this one.
func (r *Resolver) query(ctx context.Context, name string, kind uint16) ([]record, string, error) {
	if !isDomainName(name) {
		return nil, "", newDNSError(errNoSuchHost, name, "")
	}
	r.asks()
	c := readConfig()
	var last error
	for _, full := range c.names(name) {
		reply, server, err := r.one(ctx, c, full, kind)
		if err == nil {
			return reply.answers, server, nil
		}
		last = err
		if e, ok := err.(Error); ok && e.Temporary() && r.strict() {
			break
		}
	}
	if last == nil {
		last = newDNSError(errNoSuchHost, name, "")
	}
	if e, ok := last.(*DNSError); ok {
		e.Name = name // as the program knows it
	}
	return nil, "", last
}

// resolve asks for addresses of both kinds at once, and the name that has them.
func (r *Resolver) resolve(ctx context.Context, network, host string) (list []IPAddr, cname string, err error) {
	r.asks()
	kinds := []uint16{typeA, typeAAAA}
	switch network[len(network)-1] {
	case '4':
		kinds = kinds[:1]
	case '6':
		kinds = kinds[1:]
	}
	if network == "CNAME" {
		kinds = append(kinds, typeCNAME)
	}
	type result struct {
		reply  *reply
		server string
		err    error
	}
	r.asks()
	c := readConfig()
	var last error
	for _, full := range c.names(host) {
		results := make([]chan result, len(kinds))
		for i, kind := range kinds {
			results[i] = make(chan result, 1)
			go func() {
				reply, server, err := r.one(ctx, c, full, kind)
				results[i] <- result{reply, server, err}
			}()
		}
		broken := false
		for i := range kinds {
			got := <-results[i]
			if got.err != nil {
				if e, ok := got.err.(Error); ok && e.Temporary() && r.strict() {
					broken = true
					last = got.err
				} else if last == nil || full != host+"." {
					last = got.err
				}
				continue
			}
			for _, a := range got.reply.answers {
				switch {
				case a.kind == typeA && len(a.data) == IPv4len:
					list = append(list, IPAddr{IP: IPv4(a.data[0], a.data[1], a.data[2], a.data[3])})
				case a.kind == typeAAAA && len(a.data) == IPv6len:
					list = append(list, IPAddr{IP: copyIP(a.data)})
				case a.kind == typeCNAME && network == "CNAME":
					if target, ok := a.domain(0); ok && cname == "" {
						cname = target
					}
					continue
				default:
					continue
				}
				if cname == "" || a.name != "" {
					cname = a.name
				}
			}
		}
		if broken {
			list = nil
			break
		}
		if len(list) > 0 || network == "CNAME" && cname != "" {
			break
		}
	}
	if len(list) > 0 || network == "CNAME" && cname != "" {
		return list, cname, nil
	}
	if last == nil {
		last = newDNSError(errNoSuchHost, host, "")
	}
	if e, ok := last.(*DNSError); ok {
		e.Name = host
	}
	return nil, "", last
}
