// Constraints on names: what an authority may issue certificates for. RFC 5280, section 4.2.1.10.
//
// A certificate's names become claims. A claim knows how errors tell it and where an issuer's
// constraints on its kind are; one routine, allowedBy, holds any claim against any issuer.

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

// atomBytes are those of a local part without quotes.
var atomBytes = newByteSet(letters + digits + "!#$%&'*+-/=?^_`{|}~.")

// newMailbox reads a local part, in quotes or without, an @, and a domain.
func newMailbox(text string) (m mailbox, ok bool) {
	read := bareLocal
	if strings.HasPrefix(text, `"`) {
		read = quotedLocal
	}
	local, rest, ok := read(text)
	domain, hasAt := strings.CutPrefix(rest, "@")
	if !ok || !hasAt || strings.Contains(domain, "@") || !isDomain(domain, false) {
		return mailbox{}, false
	}
	return mailbox{local, domain}, true
}

// quotedLocal reads to the quote at the end. A backslash takes what follows for itself.
func quotedLocal(text string) (local, after string, ok bool) {
	var b strings.Builder
	isEscaped := false
	for i := 1; i < len(text); i++ {
		c := text[i]
		switch {
		case !isEscaped && c == '"':
			return b.String(), text[i+1:], true
		case !isEscaped && c == '\\':
			isEscaped = true
			continue
		case c == 0 || c == '\n' || c == '\r' || c > 127 || c == '\t' && !isEscaped:
			return "", "", false
		}
		b.WriteByte(c)
		isEscaped = false
	}
	return "", "", false
}

// bareLocal reads letters, digits and marks, and anything behind a backslash.
func bareLocal(text string) (local, after string, ok bool) {
	var b strings.Builder
	for after = text; after != ""; after = after[1:] {
		if escaped, isEscape := strings.CutPrefix(after, `\`); isEscape {
			if escaped == "" {
				return "", "", false
			}
			after = escaped
		} else if !atomBytes[after[0]] {
			break
		}
		b.WriteByte(after[0])
	}
	local = b.String()
	// Dots are between other bytes.
	return local, after, local != "" && !strings.Contains("."+local+".", "..")
}

// below says whether the name is the domain or one below it; with a dot before it only those.
func below(domain, name string) bool {
	at := len(name) - len(domain)
	if at < 0 || lower(name[at:]) != lower(domain) {
		return false
	}
	return at == 0 || domain == "" || domain[0] == '.' || name[at-1] == '.'
}

// widest is the one of the domains that covers the name and all others of them that do.
func widest(domains []string, name string) (found string, ok bool) {
	for _, domain := range domains {
		if below(domain, name) && (!ok || below(domain, found)) {
			found, ok = domain, true
		}
	}
	return found, ok
}

// coverDomain finds a constraint that covers the name. A pattern is excluded by a constraint that
// it would match, too.
func coverDomain(domains []string, name string, excluding bool) (any, bool) {
	if found, ok := widest(domains, name); ok {
		return found, true
	}
	if excluding && strings.HasPrefix(name, "*") {
		_, parent, _ := strings.Cut(lower(name), ".")
		for _, domain := range slices.Backward(domains) {
			domain = lower(domain)
			if _, other, hasDot := strings.Cut(domain, "."); hasDot && other == parent {
				return domain, true
			}
		}
	}
	return nil, false
}

func coverAddress(ranges []*net.IPNet, ip net.IP, _ bool) (any, bool) {
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

// coverMailbox takes constraints with an @ for one mailbox, the others for all of a domain.
func coverMailbox(constraints []string, m mailbox, excluding bool) (any, bool) {
	isBox := func(constraint string) bool { return strings.Contains(constraint, "@") }
	for _, constraint := range constraints {
		if !isBox(constraint) {
			continue
		}
		if box, ok := newMailbox(constraint); ok && box.local == m.local &&
			strings.ToLower(box.domain) == m.domain {
			return m.String(), true
		}
	}
	domains := slices.DeleteFunc(slices.Clone(constraints), isBox)
	return coverDomain(domains, m.domain, excluding)
}

// A claim is a name of a certificate.
type claim struct {
	kind string
	name any
	// What is no domain is an error once there is an issuer to hold it against.
	domain string
	bad    string
	// cover finds the issuer's constraint that covers the name, among those that permit or those
	// that exclude. None: there are no constraints.
	cover func(issuer *Certificate, excluding bool) (by any, isCovered, none bool)
}

// newClaim makes the claim for a name from the lists that issuers have for its kind.
func newClaim[T, C any](
	kind string, name any, value T, lists func(*Certificate) (permitted, excluded []C),
	cover func(constraints []C, value T, excluding bool) (any, bool),
) claim {
	own := claim{kind: kind, name: name}
	own.cover = func(issuer *Certificate, excluding bool) (any, bool, bool) {
		constraints, excluded := lists(issuer)
		if excluding {
			constraints = excluded
		}
		by, isCovered := cover(constraints, value, excluding)
		return by, isCovered, len(constraints) == 0
	}
	return own
}

// on is the claim with the domain that it is about.
func (c claim) on(domain, bad string) claim {
	c.domain, c.bad = domain, bad
	return c
}

func (c *claim) allowedBy(issuer *Certificate) error {
	if c.domain != "" && !isDomain(c.domain, false) {
		return fmt.Errorf("x509: "+c.bad, c.name)
	}
	if _, isCovered, none := c.cover(issuer, false); !isCovered && !none {
		return fmt.Errorf("%s %q is not permitted by any constraint", c.kind, c.name)
	}
	if by, isCovered, none := c.cover(issuer, true); isCovered && !none {
		return fmt.Errorf("%s %q is excluded by constraint %q", c.kind, c.name, by)
	}
	return nil
}

func rangesOf(c *Certificate) (permitted, excluded []*net.IPNet) {
	return c.PermittedIPRanges, c.ExcludedIPRanges
}

func domainsOf(c *Certificate) (permitted, excluded []string) {
	return c.PermittedDNSDomains, c.ExcludedDNSDomains
}

func uriDomainsOf(c *Certificate) (permitted, excluded []string) {
	return c.PermittedURIDomains, c.ExcludedURIDomains
}

func mailboxesOf(c *Certificate) (permitted, excluded []string) {
	return c.PermittedEmailAddresses, c.ExcludedEmailAddresses
}

// claims are the names of the certificate, in the order in which they are looked at.
func (c *Certificate) claims() (all []claim, err error) {
	for _, ip := range c.IPAddresses {
		all = append(all, newClaim("IP address", ip, ip, rangesOf, coverAddress))
	}
	for _, name := range c.DNSNames {
		one := newClaim("DNS name", name, name, domainsOf, coverDomain)
		all = append(all, one.on(name, "cannot parse dnsName %q"))
	}
	for _, uri := range c.URIs {
		host, err := constrainedHost(uri)
		if err != nil {
			return nil, err
		}
		one := newClaim("URI", uri, host, uriDomainsOf, coverDomain)
		all = append(all, one.on(host, "internal error: URI SAN %q failed to parse"))
	}
	for _, email := range c.EmailAddresses {
		m, ok := newMailbox(email)
		if !ok {
			return nil, fmt.Errorf("cannot parse rfc822Name %q", email)
		}
		m.domain = strings.ToLower(m.domain)
		one := newClaim("email address", m, m, mailboxesOf, coverMailbox)
		all = append(all, one.on(m.domain, "cannot parse rfc822Name %q"))
	}
	return all, nil
}

// constrainedHost is the host of a URL, which must be a name.
func constrainedHost(uri *url.URL) (string, error) {
	host := strings.ToLower(uri.Host)
	isBracketed := strings.HasSuffix(host, "]")
	if host == "" {
		return "", unmatchable("empty host", uri)
	}
	if !isBracketed && strings.Contains(host, ":") {
		bare, _, err := net.SplitHostPort(uri.Host)
		if err != nil {
			return "", fmt.Errorf("cannot parse URI host %q: %v", uri.Host, err)
		}
		host = bare
		isBracketed = strings.HasSuffix(host, "]")
	}
	if _, err := netip.ParseAddr(host); err == nil || isBracketed && host[0] == '[' {
		return "", unmatchable("IP", uri)
	}
	return host, nil
}

func unmatchable(what string, uri *url.URL) error {
	return fmt.Errorf("URI with %s (%q) cannot be matched against constraints", what, uri.String())
}

// namesAllow holds the names of each certificate against the constraints of those above it.
func namesAllow(chain []*Certificate) error {
	for i, leaf := range chain {
		var issuers []*Certificate
		for _, cert := range chain[i+1:] {
			if extension(idNameConstraints, cert.Extensions) != nil {
				issuers = append(issuers, cert)
			}
		}
		if len(issuers) == 0 || !leaf.hasNames() {
			continue
		}
		claims, err := leaf.claims()
		if err != nil {
			return err
		}
		for _, issuer := range issuers {
			for i := range claims {
				if err := claims[i].allowedBy(issuer); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
