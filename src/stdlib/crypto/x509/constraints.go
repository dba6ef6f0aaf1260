package x509

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// A mailbox is an address of RFC 2821.
type mailbox struct {
	local, domain string
}

func (m mailbox) String() string { return m.local + "@" + m.domain }

const atomMarks = "!#$%&'*+-/=?^_`{|}~."

func isAtom(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' ||
		strings.IndexByte(atomMarks, c) >= 0
}

// parseMailbox reads a local part, in quotes or without, an @, and a domain.
func parseMailbox(text string) (m mailbox, ok bool) {
	var local []byte
	rest, isQuoted := strings.CutPrefix(text, `"`)
	if isQuoted {
		local, rest, ok = quotedPart(rest)
	} else {
		local, rest, ok = plainPart(rest)
	}
	if !ok || rest == "" || rest[0] != '@' {
		return m, false
	}
	domain := rest[1:]
	if !isDomain(domain, false) || strings.Contains(domain, "@") {
		return m, false
	}
	return mailbox{string(local), domain}, true
}

// quotedPart reads to the quote at the end.
func quotedPart(rest string) (local []byte, after string, ok bool) {
	for i := 0; i < len(rest); i++ {
		c := rest[i]
		if c == '"' {
			return local, rest[i+1:], true
		}
		// No zeros, and no ends of lines; tabs after a backslash only.
		isBad := c == 0 || c == '\n' || c == '\r' || c > 127
		if c == '\\' {
			if i++; i == len(rest) {
				return nil, "", false
			}
			c = rest[i]
			isBad = c == 0 || c == '\n' || c == '\r' || c > 127
		} else if c == '\t' {
			isBad = true
		}
		if isBad {
			return nil, "", false
		}
		local = append(local, c)
	}
	return nil, "", false
}

// plainPart reads letters, digits and marks, and anything behind a backslash.
func plainPart(rest string) (local []byte, after string, ok bool) {
	i := 0
	for i < len(rest) {
		if rest[i] == '\\' {
			if i++; i == len(rest) {
				return nil, "", false
			}
		} else if !isAtom(rest[i]) {
			break
		}
		local = append(local, rest[i])
		i++
	}
	text := string(local)
	if text == "" || text[0] == '.' || text[len(text)-1] == '.' || strings.Contains(text, "..") {
		return nil, "", false
	}
	return local, rest[i:], true
}

// below says whether the name is the domain or one below it; with a dot before it only those.
func below(domain, name string) bool {
	if len(domain) > len(name) {
		return false
	}
	at := len(name) - len(domain)
	if lower(domain) != lower(name[at:]) {
		return false
	}
	return domain == "" || domain[0] == '.' || at == 0 || name[at-1] == '.'
}

// findDomain finds a constraint that covers the name, the widest of several. A pattern is excluded
// by a constraint that it would match, too.
func findDomain(domains []string, name string, isExcluded bool) (string, bool) {
	found, ok := "", false
	for _, domain := range domains {
		if below(domain, name) && (!ok || below(domain, found)) {
			found, ok = domain, true
		}
	}
	if ok || !isExcluded || !strings.HasPrefix(name, "*") {
		return found, ok
	}
	_, parent, _ := strings.Cut(lower(name), ".")
	for _, domain := range slices.Backward(domains) {
		_, other, hasDot := strings.Cut(lower(domain), ".")
		if hasDot && other == parent {
			return lower(domain), true
		}
	}
	return "", false
}

func findRange(ranges []*net.IPNet, ip net.IP) (*net.IPNet, bool) {
	var found *net.IPNet
	for _, network := range ranges {
		if len(network.IP) != len(ip) || !network.Contains(ip) {
			continue
		}
		masked := &net.IPNet{IP: network.IP.Mask(network.Mask), Mask: network.Mask}
		if found == nil || masked.Contains(found.IP) && !found.Contains(masked.IP) {
			found = masked
		}
	}
	return found, found != nil
}

func findMailbox(constraints []string, m mailbox, isExcluded bool) (string, bool) {
	var domains []string
	for _, constraint := range constraints {
		if !strings.Contains(constraint, "@") {
			domains = append(domains, constraint)
			continue
		}
		if other, ok := parseMailbox(constraint); ok {
			other.domain = strings.ToLower(other.domain)
			if other == m {
				return m.String(), true
			}
		}
	}
	return findDomain(domains, m.domain, isExcluded)
}

// check looks for a name among what is permitted, if that is restricted, and what is excluded.
func check[T, C any](
	kind string, name any, value T, permitted, excluded []C,
	find func(constraints []C, value T, isExcluded bool) (any, bool),
) error {
	if len(permitted) > 0 {
		if _, ok := find(permitted, value, false); !ok {
			return fmt.Errorf("%s %q is not permitted by any constraint", kind, name)
		}
	}
	if len(excluded) > 0 {
		if constraint, ok := find(excluded, value, true); ok {
			return fmt.Errorf("%s %q is excluded by constraint %q", kind, name, constraint)
		}
	}
	return nil
}

func anyDomain(domains []string, name string, isExcluded bool) (any, bool) {
	return findDomain(domains, name, isExcluded)
}

func anyRange(ranges []*net.IPNet, ip net.IP, _ bool) (any, bool) { return findRange(ranges, ip) }

func anyMailbox(constraints []string, m mailbox, isExcluded bool) (any, bool) {
	return findMailbox(constraints, m, isExcluded)
}

// permits says whether the certificate's constraints let it issue one for these names.
func (c *Certificate) permits(leaf *Certificate, hosts []string, mailboxes []mailbox) error {
	for _, ip := range leaf.IPAddresses {
		err := check("IP address", ip, ip, c.PermittedIPRanges, c.ExcludedIPRanges, anyRange)
		if err != nil {
			return err
		}
	}
	for _, name := range leaf.DNSNames {
		if !isDomain(name, false) {
			return fmt.Errorf("x509: cannot parse dnsName %q", name)
		}
		err := check("DNS name", name, name, c.PermittedDNSDomains, c.ExcludedDNSDomains, anyDomain)
		if err != nil {
			return err
		}
	}
	for i, host := range hosts {
		uri := leaf.URIs[i]
		if !isDomain(host, false) {
			return fmt.Errorf("x509: internal error: URI SAN %q failed to parse", uri)
		}
		err := check("URI", uri, host, c.PermittedURIDomains, c.ExcludedURIDomains, anyDomain)
		if err != nil {
			return err
		}
	}
	for _, m := range mailboxes {
		if !isDomain(m.domain, false) {
			return fmt.Errorf("x509: cannot parse rfc822Name %q", m)
		}
		err := check(
			"email address", m, m, c.PermittedEmailAddresses, c.ExcludedEmailAddresses, anyMailbox)
		if err != nil {
			return err
		}
	}
	return nil
}

// namesAllow holds the names of each certificate against the constraints of those above it.
func namesAllow(chain []*Certificate) error {
	for i, leaf := range chain {
		if !leaf.hasNames() {
			continue
		}
		above := slices.Clone(chain[i+1:])
		above = slices.DeleteFunc(above, func(c *Certificate) bool {
			return extension(idNameConstraints, c.Extensions) == nil
		})
		if len(above) == 0 {
			return nil
		}
		hosts, err := hostsOf(leaf.URIs)
		if err != nil {
			return err
		}
		var mailboxes []mailbox
		for _, email := range leaf.EmailAddresses {
			m, ok := parseMailbox(email)
			if !ok {
				return fmt.Errorf("cannot parse rfc822Name %q", email)
			}
			m.domain = strings.ToLower(m.domain)
			mailboxes = append(mailboxes, m)
		}
		for _, issuer := range above {
			if err := issuer.permits(leaf, hosts, mailboxes); err != nil {
				return err
			}
		}
	}
	return nil
}

// hostsOf are the hosts of URLs, which must be names.
func hostsOf(uris []*url.URL) ([]string, error) {
	var hosts []string
	for _, uri := range uris {
		host := strings.ToLower(uri.Host)
		if host == "" {
			return nil, fmt.Errorf(
				"URI with empty host (%q) cannot be matched against constraints", uri.String())
		}
		if strings.Contains(host, ":") && !strings.HasSuffix(host, "]") {
			var err error
			if host, _, err = net.SplitHostPort(uri.Host); err != nil {
				return nil, fmt.Errorf("cannot parse URI host %q: %v", uri.Host, err)
			}
		}
		_, err := netip.ParseAddr(host)
		if err == nil || strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
			return nil, fmt.Errorf(
				"URI with IP (%q) cannot be matched against constraints", uri.String())
		}
		hosts = append(hosts, host)
	}
	return hosts, nil
}
